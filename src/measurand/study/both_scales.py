"""Measures on both scales, their own and the interval scale: scores, tests of all pairs, agreement of measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import nan

from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.intervals.interval_scale import IntervalScaled, interval
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.scales.measure_effect import PairCorrelation
from measurand.scales.raw_and_interval import Flips, averages
from measurand.scores import Scores
from measurand.statistics import AllPairs, find_test, kendall, need_of
from measurand.study.certainty import floored

TESTS = ("sign", "signed_rank", "paired_t", "two_way_anova")
"""The tests of a study: from the one that needs least of a scale to the one that needs most."""

RAW, RANKED = "raw", "interval"
"""The two scales on which pairs are tested."""


def on_interval_scale(measure: Measure, judged: JudgedRuns) -> Measure:
    """Return a measure on its interval scale, with as many grades as the judgments have if it tells them apart.

    Examples
    --------
    >>> from measurand.measures import DCG, P
    >>> judged = JudgedRuns.on_one_topic([(2, 0), (0, 1)], (5, 2, 1))
    >>> on_interval_scale(DCG @ 2, judged), on_interval_scale(P @ 2, judged)
    (interval(DCG@2, grades=3), interval(P@2))
    """
    if isinstance(measure, IntervalScaled):
        return measure
    top = max(1, judged.pools[0].top_grade) if measure.graded else 1
    return interval(measure)(grades=top + 1)


@frozen(eq=False)
class OnIntervalScale:
    """A measure on its interval scale, and the scores of a campaign there."""

    measure: Measure
    scores: Scores


def on_interval_scales(
    measures: Iterable[Measure], judged: JudgedRuns, progress: Progress = silent
) -> tuple[dict[str, OnIntervalScale], tuple[Caveat, ...]]:
    """Return the scores on the interval scales of measures by the spelling of these, and why some have none.

    Parameters
    ----------
    measures : iterable of Measure
        The measures as they are.
    judged : JudgedRuns
        The runs to be scored.
    progress : callable, optional
        Shows progress.

    Examples
    --------
    >>> from measurand.measures import AP, P
    >>> judged = JudgedRuns.on_one_topic([(1, 0) * 50, (0, 1) * 50], (100, 60))
    >>> scaled, missing = on_interval_scales([P @ 10, AP @ 100], judged)
    >>> scaled["P@10"].measure, scaled["P@10"].scores.mean().to_dict(), len(missing)
    (interval(P@10), {'s0': 0.5, 's1': 0.5}, 1)
    """
    scaled: dict[str, OnIntervalScale] = {}
    missing = []
    for measure in progress(list(measures), None, "interval scales"):
        if getattr(measure, "cutoff", None) is None and not isinstance(measure, IntervalScaled):
            text = (
                f"{measure!r} is not shown on an interval scale, which needs a cutoff: name one, as in {measure!r}@30"
            )
            missing.append(Caveat(CaveatKind.BOUNDS, text))
            continue
        try:
            found = on_interval_scale(measure, judged)
            scores = found.scores(judged)
        except (NotAvailable, ParameterError) as error:  # too many values, or no values of single topics
            missing.append(Caveat(CaveatKind.BOUNDS, f"{measure!r} is not shown on an interval scale: {error}"))
        else:
            scaled[repr(measure)] = OnIntervalScale(found, scores)
    return scaled, tuple(missing)


Kind = tuple[str, str, str]
"""A measure, a scale ("raw" or "interval") and a test."""


@frozen(eq=False, repr=False)
class PairTests:
    """The results of each test of all pairs under each measure, before any correction.

    Each test is made when it is first asked for.

    Parameters
    ----------
    scores
        What is tested, by measure and scale.
    strict
        Whether tests are left out that the scale of a measure does not admit.
    known
        The results that there are already, by measure, scale and test.
    """

    scores: Mapping[tuple[str, str], Scores]
    strict: bool = False
    known: Mapping[Kind, AllPairs] = field(factory=dict)
    _found: dict[Kind, AllPairs] = field(factory=dict, init=False)

    def __repr__(self) -> str:
        return f"<PairTests: {len(list(self))} tests of all pairs>"

    def __iter__(self) -> Iterator[Kind]:
        return ((*kind, test) for kind in self.scores for test in self.made(*kind))

    def of(self, measure: str, scale: str, test: str) -> AllPairs:
        """Return the results of a test under a measure on a scale."""
        if test not in self.made(measure, scale):
            raise ParameterError(f"{test} of {measure} on the {scale} scale was not made")
        kind = measure, scale, test
        if kind not in self._found:
            known = self.known.get(kind)
            scores = self.scores[measure, scale]
            self._found[kind] = floored(find_test(test)(scores), scores) if known is None else known
        return self._found[kind]

    def made(self, measure: str, scale: str) -> tuple[str, ...]:
        """Return the tests that were made of a measure on a scale: all, or those that a strict study admits."""
        scores = self.scores.get((measure, scale))
        if scores is None:
            return ()
        return tuple(test for test in TESTS if not self.strict or need_of(find_test(test)).met_by(scores))

    def scales(self, measure: str) -> tuple[str, ...]:
        """Return the scales on which a measure was tested."""
        return tuple(scale for scale in (RAW, RANKED) if self.made(measure, scale))

    def flips(self, measure: str, test: str, *, adjust: str, alpha: float, baseline: str | None = None) -> Flips | None:
        """Return how many pairs change between significant and not on the interval scale.

        None if there is no such scale, or if the test was not made on both.
        """
        if not all(test in self.made(measure, scale) for scale in (RAW, RANKED)):
            return None
        raw, ranked = (
            self.of(measure, scale, test).adjust(adjust, baseline=baseline).significant(alpha)
            for scale in (RAW, RANKED)
        )
        return Flips.between(raw, ranked)


def pair_tests(
    raw: Mapping[str, Scores],
    ranked: Mapping[str, Scores],
    *,
    strict: bool = False,
    known: Mapping[Kind, AllPairs] | None = None,
) -> PairTests:
    """Return the tests of a study of all pairs, for raw scores and interval-scaled ones by measure.

    Parameters
    ----------
    raw, ranked
        The scores by measure, as they are and on interval scales.
    strict
        Whether tests are left out that the scale of a measure does not admit.
    known
        The results that there are already.

    Examples
    --------
    >>> scores = Scores(measure="P@2", values=[[1, 1, 1], [0, 0, 0.5]], systems="ab", topics="123")
    >>> tests = pair_tests({"P@2": scores}, {})
    >>> tests.of("P@2", "raw", "sign").of("a", "b"), tests.scales("P@2")
    (0.25, ('raw',))
    """
    several = {(name, RAW): scores for name, scores in raw.items()}
    several |= {(name, RANKED): scores for name, scores in ranked.items()}
    return PairTests(several, strict, known or {})


@frozen(eq=False, repr=False)
class Agreement:
    """Kendall's tau between the orders in which measures put the systems.

    Parameters
    ----------
    pairs
        By two measures: tau of the averages, raw and interval-scaled; NaN where a measure ties all systems or has
        no interval scale. Averages are means, or what scales admit if the study is strict.
    selves
        By measure: tau between its raw and its interval-scaled averages; NaN where it ties all systems, or a strict
        study takes another statistic on the interval scale.
    """

    pairs: Mapping[tuple[str, str], PairCorrelation]
    selves: Mapping[str, float]

    def __repr__(self) -> str:
        return f"<Agreement of {len(self.selves)} measures>"

    def of(self, a: str, b: str) -> PairCorrelation:
        """Return how alike two measures rank the systems, in whatever order they are named."""
        return self.pairs[a, b] if (a, b) in self.pairs else self.pairs[b, a]


def agreement(raw: Mapping[str, Scores], ranked: Mapping[str, Scores], *, strict: bool = False) -> Agreement:
    """Return how alike measures rank the systems.

    Parameters
    ----------
    raw, ranked
        The scores by measure, as they are and on interval scales.
    strict
        Whether systems are ranked by what a scale admits (the median, the mean rank) where it does not admit means.

    Examples
    --------
    >>> one = Scores(measure="P@2", values=[[1], [0], [0.5]], systems="abc", topics="1")
    >>> other = Scores(measure="RR", values=[[1], [0.5], [0]], systems="abc", topics="1")
    >>> found = agreement({"P@2": one, "RR": other}, {"P@2": one})
    >>> round(found.of("RR", "P@2").raw, 4), found.of("RR", "P@2").ranked, found.selves
    (0.3333, nan, {'P@2': 1.0})

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 2 and 4; [Kendall1945]_
    """
    by_scale = [{name: _averages(scores, strict) for name, scores in each.items()} for each in (raw, ranked)]
    own, scaled = by_scale
    alike = {name for name in scaled if not strict or _statistic(raw[name]) == _statistic(ranked[name])}
    pairs = {
        (a, b): PairCorrelation(
            *(float(kendall(each[a], each[b])) if {a, b} <= set(each) else nan for each in by_scale),
            comparable={a, b} <= alike,
        )
        for a, b in combinations(own, 2)
    }
    return Agreement(
        pairs, {name: float(kendall(own[name], scaled[name])) if name in alike else nan for name in scaled}
    )


def _statistic(scores: Scores) -> str:
    return scores.admitted().statistic


def _averages(scores: Scores, strict: bool) -> FloatArray:
    """Return what systems are ranked by, the higher the better."""
    found = scores.admitted() if strict else None
    return averages(scores.by_goodness()) if found is None or found.statistic == "mean" else found.settled
