"""Measuring the effect of scales on a campaign: every measure beside its interval-scaled self, test by test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from attrs import field, frozen

from measurand.arrays import BoolArray
from measurand.errors import Caveat, Doubt, NotAvailable, ParameterError
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.define import as_measure
from measurand.scales.beside import Beside, averages, beside
from measurand.scales.conventions import EXACT, Conventions, Scoring
from measurand.scales.effect import MeasureEffect, PairCorrelation, ScaleEffect, cut
from measurand.scales.flips import Flips
from measurand.scores import Scores
from measurand.statistics.all_pairs import AllPairs
from measurand.statistics.correlation import kendall
from measurand.statistics.levels import ALPHA, level
from measurand.statistics.needs import check_semantics
from measurand.statistics.registry import Test, find_test

EIGHT = (
    "sign",
    "rank_sum",
    "signed_rank",
    "paired_t",
    "one_way_anova",
    "two_way_anova",
    "kruskal_wallis",
    "friedman",
)
"""The eight tests of Ferrante, Ferro and Fuhr, in the order of their section III-E."""


def scale_effect(
    judged: JudgedRuns,
    measures: Measure | str | Iterable[Measure | str],
    depth: int,
    *,
    tests: str | Iterable[str] = EIGHT,
    alpha: float = ALPHA,
    semantics: str = "matlab",
    grades: int = 2,
    mid: bool = True,
    conventions: Conventions = EXACT,
    progress: Progress = silent,
) -> ScaleEffect:
    r"""Return what replacing measures by their interval-scaled selves does to correlations and significance tests.

    .. math:: \tau\bigl(\overline{M}, \overline{\varphi(M)}\bigr)

    Averages over topics correlate by Kendall's tau; tests compare every two systems. A measure whose interval scale
    cannot be had at this depth is left out, with a caveat.

    Parameters
    ----------
    measures
        Measures or their spellings; those without a cutoff get the depth.
    depth
        How many ranks runs have for those; shorter ones are filled up with nonrelevant documents.
    tests
        The tests, by name.
    semantics
        Whose conventions the tests follow: "matlab", as the paper, or "scipy".
    grades
        How many grades there are, 0 included. With two, all that is relevant is relevant alike, as in the paper.
    mid
        Whether to look at mean ranks of tied runs as well.
    conventions
        How average precision and Tukey's test are computed: as is right, or as published tables were.

    Examples
    --------
    >>> import numpy as np
    >>> cells = np.array([[[1, 0], [1, 1]], [[0, 1], [0, 0]], [[0, 1], [1, 1]]], dtype=np.int8)
    >>> counts = np.array([[5, 2], [5, 4]])
    >>> judged = JudgedRuns(
    ...     systems=("a", "b", "c"), topics=("1", "2"), cells=cells, lengths=np.full((3, 2), 2), grade_counts=counts
    ... )
    >>> effect = scale_effect(judged, ["P", "AP"], depth=2, tests=["sign"])
    >>> effect.of("P").tau, effect.of("AP").flips["sign"], effect.correlations["P@2", "AP@2"].delta
    (1.0, Flips(sig=0, s2ns=0, ns2s=0), 0.0)

    References
    ----------
    [FerranteFerroFuhr2021]_, sections VII and VIII
    """
    [effect] = scale_effects(
        judged,
        measures,
        depth,
        [conventions],
        tests=tests,
        alpha=alpha,
        semantics=semantics,
        grades=grades,
        mid=mid,
        progress=progress,
    )
    return effect


def scale_effects(
    judged: JudgedRuns,
    measures: Measure | str | Iterable[Measure | str],
    depth: int,
    conventions: Iterable[Conventions],
    *,
    tests: str | Iterable[str] = EIGHT,
    alpha: float = ALPHA,
    semantics: str = "matlab",
    grades: int = 2,
    mid: bool = True,
    progress: Progress = silent,
) -> list[ScaleEffect]:
    """Return the effects under several conventions, where what they share is computed once.

    Parameters
    ----------
    judged, measures, depth, tests, alpha, semantics, grades, mid
        As for `scale_effect`.
    conventions
        The conventions, in the order in which effects are returned.
    progress
        Shows how far it is.

    Examples
    --------
    >>> from measurand.papers import AS_PUBLISHED
    >>> judged = JudgedRuns.on_one_topic([(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)], (6, 6))
    >>> [float(effect.of("AP").tau_by_topic) for effect in scale_effects(judged, ["AP"], 6, [EXACT, AS_PUBLISHED])]
    [nan, 1.0]
    """
    wanted, several = _wanted(measures, depth), list(conventions)
    testing = _Testing(_found(tests), level(alpha), check_semantics(semantics))
    ways = list(dict.fromkeys((measure, each.scored(measure)) for measure in wanted for each in several))
    exactly = [measure for measure, scored in ways if scored is None]
    both, missing = _scaled(progress(exactly, len(exactly), "interval scales"), judged, grades, mid)
    # another way of scoring shows its progress by itself
    both |= {(measure, scored): scored(measure, judged, progress) for measure, scored in ways if scored is not None}
    left_out = {
        measure: Caveat(Doubt.BOUNDS, f"a measure is left out: {error}").of(repr(measure))
        for measure, error in missing.items()
    }

    def effect(under: Conventions) -> ScaleEffect:
        own = [both[way] for measure in wanted if (way := (measure, under.scored(measure))) in both]
        if not own:
            raise next(iter(missing.values()))
        tested = progress(own, len(own), f"significance tests{f' ({under})' if str(under) else ''}")
        effects = tuple(_effect(one, testing, under) for one in tested)
        out = [left_out[measure] for measure in left_out if under.scored(measure) is None]
        told = [*out, *(found for one in own for found in one.caveats), *testing.caveats]
        return ScaleEffect(
            effects=effects,
            correlations=_correlations(own),
            depth=depth,
            alpha=alpha,
            semantics=semantics,
            systems=len(judged.systems),
            topics=len(judged.topics),
            caveats=tuple(dict.fromkeys(told)),
        )

    return [effect(under) for under in several]


def _wanted(measures: Measure | str | Iterable[Measure | str], depth: int) -> list[Measure]:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ParameterError(f"depth, the number of ranks of a run, must be a whole number from 1 up, not {depth!r}")
    several = [measures] if isinstance(measures, Measure | str) else list(measures)
    if not several:
        raise ParameterError("no measure was asked for; name one, such as AP or nDCG(b=2)")
    return list(dict.fromkeys(cut(as_measure(measure), depth) for measure in several))


Way = tuple[Measure, Scoring | None]
"""A measure, and the function that scores it where exact values do not."""


def _scaled(
    measures: Iterable[Measure], judged: JudgedRuns, grades: int, mid: bool
) -> tuple[dict[Way, Beside], dict[Measure, NotAvailable]]:
    """Return measures beside their interval-scaled selves, and why some of them have none that can be had."""
    both: dict[Way, Beside] = {}
    missing: dict[Measure, NotAvailable] = {}
    for measure in measures:
        try:
            both[measure, None] = beside(measure, judged, grades=grades, mid=mid)
        except NotAvailable as error:
            missing[measure] = error
    return both, missing


def _found(tests: str | Iterable[str]) -> dict[str, Test]:
    several = [find_test(name) for name in ([tests] if isinstance(tests, str) else tests)]
    if not several:
        raise ParameterError(f"no test was asked for; there is {', '.join(EIGHT)}")
    return {test.__name__: test for test in several}


@frozen(eq=False)
class _Testing:
    """The tests to be made, and what they found for scores that came before: some measures have the same ranks."""

    tests: Mapping[str, Test]
    alpha: float
    semantics: str
    known: dict[tuple[bytes, bool, str, bool], BoolArray] = field(factory=dict, init=False)
    caveats: list[Caveat] = field(factory=list, init=False)

    def significant(self, scores: Scores, measure: Measure, conventions: Conventions) -> dict[str, BoolArray]:
        """Return which pairs differ, by test; caveats name the measure."""
        of, found = (scores.values.tobytes(), scores.exact is not None), {}
        for name, test in self.tests.items():
            options = conventions.options(name)
            key = *of, name, bool(options)
            if key not in self.known:
                outcome = test(scores, semantics=self.semantics, **options)
                self.known[key] = outcome.significant(self.alpha)
                self.caveats.extend(caveat.of(repr(measure)) for caveat in _own(outcome, scores))
            found[name] = self.known[key]
        return found


def _own(outcome: AllPairs, scores: Scores) -> list[Caveat]:
    """Return what a test says of itself; that raw scores are on less than it needs is what is being looked into."""
    return [caveat for caveat in outcome.caveats if caveat not in scores.caveats and caveat.doubt is not Doubt.SCALE]


def _effect(both: Beside, testing: _Testing, conventions: Conventions) -> MeasureEffect:
    before, after = (testing.significant(scores, both.measure, conventions) for scores in (both.raw, both.ranked))
    return MeasureEffect(
        measure=repr(both.measure),
        tau=_tau(both.raw, both.ranked),
        tau_mid=None if both.mid is None else _tau(both.raw, both.mid),
        tau_by_topic=kendall(both.raw, both.ranked, kind="topic"),
        flips={name: Flips.between(before[name], after[name]) for name in testing.tests},
        surrogate=both.surrogate,
    )


def _tau(one: Scores, other: Scores) -> float:
    return float(kendall(averages(one.by_goodness()), averages(other.by_goodness())))


def _correlations(both: list[Beside]) -> dict[tuple[str, str], PairCorrelation]:
    return {
        (repr(a.measure), repr(b.measure)): PairCorrelation(_tau(a.raw, b.raw), _tau(a.ranked, b.ranked))
        for a, b in combinations(both, 2)
    }
