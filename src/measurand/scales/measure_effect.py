"""The effect of scales on a campaign: correlations and tests of measures as they are and on their interval scales.

References
----------
[FerranteFerroFuhr2021]_
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, field, frozen

from measurand.arrays import BoolArray
from measurand.calls import explains_calls
from measurand.columns import PlainTable
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, cells_view, valued
from measurand.display.wording import number
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.execution import Progress, check_progress, silent
from measurand.judged import JudgedRuns
from measurand.judged.runs import check_judged
from measurand.measures import Measure
from measurand.measures.defined import as_measure
from measurand.scale import Scale
from measurand.scales.raw_and_interval import (
    EXACT,
    Conventions,
    Flips,
    RawAndInterval,
    ScoringFunction,
    averages,
    raw_and_interval,
)
from measurand.scores import Scores
from measurand.statistics.all_pairs import AllPairs
from measurand.statistics.correlation import Correlation, kendall
from measurand.statistics.multiple_comparisons import ALPHA, level
from measurand.statistics.needs import check_semantics, need_of
from measurand.statistics.registry import EIGHT, TESTS, Test, find_test

if TYPE_CHECKING:
    import polars as pl


LEGEND = (
    "tau: with its interval-scaled self.  12 -3 +4: 12 significant pairs, of which 3 are not (false positives?)"
    " and besides which 4 are (false negatives?) on the interval scale"
)

_SELF = {
    "measure": str,
    "tau": float,
    "tau_mid": float,
    "tau_by_topic": float,
    "undefined_topics": int,
    "surrogate": bool,
}

_CORRELATIONS = {"a": str, "b": str, "raw": float, "ranked": float, "delta": float}

_SIGNIFICANCE = {
    "measure": str,
    "test": str,
    "ordinal": bool,
    "sig": int,
    "s2ns": int,
    "s2ns_percent": float,
    "ns2s": int,
    "ns2s_percent": float,
    "delta": float,
    "ranked": int,
}

Way = tuple[Measure, ScoringFunction | None]
"""A measure, and the function that scores it where exact values do not."""


@explains_calls
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
    judged : JudgedRuns
        The judged runs.
    measures : Measure or str, or an iterable of these
        Measures or their spellings; those without a cutoff get the depth.
    depth : int
        How many ranks runs have for those; shorter ones are filled up with nonrelevant documents.
    tests : str or iterable of str
        The tests, by name.
    alpha : float, default 0.05
        The level of significance.
    semantics : str, default "matlab"
        Whose conventions the tests follow: "matlab", as the paper, or "scipy".
    grades : int, default 2
        How many grades there are, 0 included. With two, all that is relevant is relevant alike, as in the paper.
    mid : bool, default True
        Whether to use mean ranks of tied runs as well.
    conventions : Conventions
        How average precision and Tukey's test are computed: as is right, or as published tables were.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

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
    check_judged(judged)
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
    conventions : iterable of Conventions
        The conventions, in the order in which effects are returned.
    progress : callable, optional
        Shows how far it is.

    Examples
    --------
    >>> from measurand.papers import AS_PUBLISHED
    >>> judged = JudgedRuns.on_one_topic([(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)], (6, 6))
    >>> [float(effect.of("AP").tau_by_topic) for effect in scale_effects(judged, ["AP"], 6, [EXACT, AS_PUBLISHED])]
    [nan, 1.0]
    """
    check_progress(progress)
    wanted, several = _wanted(measures, depth), list(conventions)
    testing = _Testing(_found(tests), level(alpha), check_semantics(semantics))
    ways = list(dict.fromkeys((measure, each.scored(measure)) for measure in wanted for each in several))
    exactly = [measure for measure, scored in ways if scored is None]
    both, missing = _scaled(progress(exactly, len(exactly), "interval scales"), judged, grades, mid)
    # another way of scoring shows its progress by itself
    both |= {(measure, scored): scored(measure, judged, progress) for measure, scored in ways if scored is not None}
    left_out = {
        measure: Caveat(CaveatKind.BOUNDS, f"a measure is left out: {error}").of(repr(measure))
        for measure, error in missing.items()
    }

    def effect(under: Conventions) -> ScaleEffect:
        own = [both[way] for measure in wanted if (way := (measure, under.scored(measure))) in both]
        if not own:
            raise next(iter(missing.values()))
        tested = progress(own, len(own), f"significance tests{f' ({under})' if str(under) else ''}")
        effects = tuple(_effect(one, testing, under) for one in tested)
        out = [left_out[measure] for measure in left_out if under.scored(measure) is None]
        caveats = [*out, *(found for one in own for found in one.caveats), *testing.caveats]
        return ScaleEffect(
            effects=effects,
            correlations=_correlations(own),
            depth=depth,
            alpha=alpha,
            semantics=semantics,
            systems=len(judged.systems),
            topics=len(judged.topics),
            caveats=tuple(dict.fromkeys(caveats)),
        )

    return [effect(under) for under in several]


def _read_only(mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(mapping))


def cut(measure: Measure, depth: int) -> Measure:
    """Return a measure with a cutoff: its own, or else the depth.

    Examples
    --------
    >>> cut(as_measure("AP"), 30), cut(as_measure("P@5"), 30)
    (AP@30, P@5)
    """
    return evolve(measure, cutoff=depth) if measure.cutoff is None else measure


@frozen
class PairCorrelation(Result):
    r"""How alike two measures rank the systems, with their own scores and with interval-scaled ones.

    .. math:: \Delta\% = 100 \, \frac{\tau_\mathrm{ranked} - \tau_\mathrm{raw}}{\tau_\mathrm{raw}}

    Parameters
    ----------
    raw, ranked : float
        Kendall's tau of the systems' averages; NaN if a measure ties all systems.
    comparable : bool, default True
        Whether the averages are the same statistics on both scales, so that a change is one of scale.

    Examples
    --------
    >>> PairCorrelation(0.5, 0.25).delta, PairCorrelation(0.0, 0.5).delta
    (-50.0, None)

    References
    ----------
    [FerranteFerroFuhr2021]_, table 4
    """

    raw: float
    ranked: float
    _comparable: bool = field(default=True, kw_only=True, repr=False)

    @property
    def delta(self) -> float | None:
        """The change in percent of the raw correlation; None where that is 0 or undefined, or not one of scale."""
        if isnan(self.raw) or isnan(self.ranked) or self.raw == 0 or not self._comparable:
            return None
        return 100 * (self.ranked - self.raw) / self.raw


def _count_of(name: str, row: tuple[str, Flips]) -> int:
    count: int = getattr(row[1], name)
    return count


@frozen(eq=False, repr=False)
class MeasureEffect(Result):
    """What becomes of one measure when its scores are replaced by interval-scaled ones.

    Parameters
    ----------
    measure : str
        Its spelling, with the cutoff.
    tau : float
        Kendall's tau between the averages of both: do they rank the systems alike?
    tau_mid : float or None
        The same with mean ranks of tied runs, which are not an interval scale; None where these cannot be had.
    tau_by_topic : Correlation
        The mean of the taus topic by topic, which are 1 wherever not all systems tie and positions are exact: the
        transform keeps the order on a topic.
    flips : mapping of str to Flips
        By test: which pairs of systems change between significant and not.
    surrogate : bool
        Whether the measure depends on the recall base, so that one interval scale stands in for those of the topics.
    """

    measure: str
    tau: float
    tau_mid: float | None
    tau_by_topic: Correlation
    flips: Mapping[str, Flips] = field(converter=_read_only)
    surrogate: bool

    def document(self) -> Document:
        """Return how alike both rank the systems, and which pairs change, test by test."""
        heads = {"significant": "sig", "no longer": "s2ns", "newly": "ns2s"}
        counts = [valued(head, partial(_count_of, name)) for head, name in heads.items()]
        view = TableView([Column("test", 0, left=True), *counts], list(self.flips.items()), title=self.measure)
        taus = f"tau {number(self.tau)}, with mean ranks of tied runs {number(self.tau_mid)}"
        return Document([view, f"The measure and its interval-scaled self rank the systems with {taus}."])

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(MeasureEffect, **asdict(self, recurse=False) | {"flips": dict(self.flips)}), ()


@frozen(kw_only=True, eq=False, repr=False)
class ScaleEffect(Result):
    """What becomes of correlations and significance tests when measures are replaced by interval-scaled ones.

    Parameters
    ----------
    effects : tuple of MeasureEffect
        One for each measure, in the order in which they were given.
    correlations : mapping of tuple[str, str] to PairCorrelation
        How alike each two measures rank the systems, by their spellings.
    depth : int
        The cutoff of the measures.
    alpha : float
        A pair is significant where p ≤ alpha.
    semantics : str
        Whose conventions the tests follow.
    systems, topics : int
        How many there are.
    caveats : tuple of Caveat
        What limits the meaning of the numbers.

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 2 to 6
    """

    effects: tuple[MeasureEffect, ...]
    correlations: Mapping[tuple[str, str], PairCorrelation] = field(converter=_read_only)
    depth: int
    alpha: float
    semantics: str
    systems: int
    topics: int
    caveats: tuple[Caveat, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(ScaleEffect, **asdict(self, recurse=False) | {"correlations": dict(self.correlations)}), ()

    def __repr__(self) -> str:
        return f"<ScaleEffect: {len(self.effects)} measures, {self.systems} systems × {self.topics} topics>"

    @property
    def measures(self) -> tuple[str, ...]:
        """The spellings of the measures, with their cutoffs."""
        return tuple(effect.measure for effect in self.effects)

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests."""
        return tuple(self.effects[0].flips)

    @property
    def pairs(self) -> int:
        """How many pairs of systems there are."""
        return self.systems * (self.systems - 1) // 2

    def of(self, measure: Measure | str) -> MeasureEffect:
        """Return what becomes of one measure, given as a measure or in any spelling, with or without its cutoff.

        Parameters
        ----------
        measure : Measure or str
            The spelling of a measure.
        """
        spelling = repr(cut(as_measure(measure), self.depth))
        for effect in self.effects:
            if effect.measure == spelling:
                return effect
        raise ParameterError(f"{spelling} was not looked at; there is {', '.join(self.measures)}")

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return three frames: "self" (tables 2 and 3), "correlations" (table 4), "significance" (tables 5 and 6).

        The column `ordinal` of the last marks the tests that need no more than an ordinal scale, grey in the paper.
        S2NS reads as a tendency of raw scores to false positives, NS2S to false negatives.
        """
        pairs = [(a, b, _number(pair.raw), _number(pair.ranked), pair.delta) for (a, b), pair in self._pairs]
        found = {
            "self": (_SELF, [_self_row(effect) for effect in self.effects]),
            "correlations": (_CORRELATIONS, pairs),
            "significance": (_SIGNIFICANCE, [row for effect in self.effects for row in _flip_rows(effect)]),
        }
        return {
            name: PlainTable.of_rows([dict(zip(kinds, row, strict=True)) for row in rows], kinds).to_polars("tables")
            for name, (kinds, rows) in found.items()
        }

    @property
    def _pairs(self) -> Sequence[tuple[tuple[str, str], PairCorrelation]]:
        return tuple(self.correlations.items())

    def to_dict(self) -> dict[str, Any]:
        """Return the columns of the paper's tables 2 to 6, ready for JSON; what is undefined is None."""
        depth = str(self.depth)
        return {
            "table2": {depth: {effect.measure: _number(effect.tau) for effect in self.effects}},
            "table3": {depth: {effect.measure: _number(effect.tau_mid) for effect in self.effects}},
            "table4": {
                depth: {
                    f"{a} vs {b}": {"msr": _number(pair.raw), "rnk": _number(pair.ranked), "delta": pair.delta}
                    for (a, b), pair in self._pairs
                }
            },
            "table56": {depth: {effect.measure: _cells(effect) for effect in self.effects}},
        }

    @property
    def _heading(self) -> str:
        size = f"{self.systems} systems ({self.pairs:,} pairs) × {self.topics} topics"
        return f"{size}, depth {self.depth}, alpha {self.alpha}, {self.semantics} semantics"

    def document(self) -> Document:
        """Return what was found: a row for each measure, with what a test decides on either scale."""
        rows = [
            (effect.measure, _shown(effect.tau), _shown(effect.tau_mid), *_flipped(effect)) for effect in self.effects
        ]
        view = cells_view(("measure", "tau", "tau mid", *self.tests), rows, title=self._heading)
        return Document([view, LEGEND], self.caveats)

    def _main(self) -> TableView:
        rows = [
            {"measure": effect.measure, "tau": _number(effect.tau), "tau_mid": _number(effect.tau_mid)}
            | {f"{test}_{name}": number for test, cells in _cells(effect).items() for name, number in cells.items()}
            for effect in self.effects
        ]
        kinds = {"sig": int, "s2ns": int, "ns2s": int, "delta": float}
        flips = {f"{test}_{name}": kind for test in self.tests for name, kind in kinds.items()}
        return TableView([], rows, fields={"measure": str, "tau": float, "tau_mid": float, **flips})


def _number(value: float | None) -> float | None:
    """Return a plain float, or None for what is undefined."""
    return None if value is None or isnan(value) else float(value)


def _shown(value: float | None) -> str:
    known = _number(value)
    return "–" if known is None else f"{known:.4f}"


def _flipped(effect: MeasureEffect) -> list[str]:
    return [f"{flips.sig} -{flips.s2ns} +{flips.ns2s}" for flips in effect.flips.values()]


def _self_row(effect: MeasureEffect) -> tuple[Any, ...]:
    by_topic = effect.tau_by_topic
    taus = _number(effect.tau), _number(effect.tau_mid), _number(by_topic)
    return (effect.measure, *taus, by_topic.undefined, effect.surrogate)


def _flip_rows(effect: MeasureEffect) -> list[tuple[Any, ...]]:
    return [
        (
            effect.measure,
            test,
            need_of(TESTS[test]).scale < Scale.INTERVAL,
            flips.sig,
            flips.s2ns,
            flips.s2ns_percent,
            flips.ns2s,
            flips.ns2s_percent,
            flips.delta,
            flips.ranked,
        )
        for test, flips in effect.flips.items()
    ]


def _cells(effect: MeasureEffect) -> dict[str, dict[str, float | None]]:
    return {
        test: {"sig": flips.sig, "s2ns": flips.s2ns, "ns2s": flips.ns2s, "delta": flips.delta}
        for test, flips in effect.flips.items()
    }


def _wanted(measures: Measure | str | Iterable[Measure | str], depth: int) -> list[Measure]:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ParameterError(f"depth, the number of ranks of a run, must be a whole number from 1 up, not {depth!r}")
    several = [measures] if isinstance(measures, Measure | str) else list(measures)
    if not several:
        raise ParameterError("no measure was asked for; name one, such as AP or nDCG(b=2)")
    return list(dict.fromkeys(cut(as_measure(measure), depth) for measure in several))


def _scaled(
    measures: Iterable[Measure], judged: JudgedRuns, grades: int, mid: bool
) -> tuple[dict[Way, RawAndInterval], dict[Measure, NotAvailable]]:
    """Return measures beside their interval-scaled selves, and why some of them have none that can be had."""
    both: dict[Way, RawAndInterval] = {}
    missing: dict[Measure, NotAvailable] = {}
    for measure in measures:
        try:
            both[measure, None] = raw_and_interval(measure, judged, grades=grades, mid=mid)
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
    """Return the caveats of a test, without that of the scale of raw scores, which is what is being examined."""
    return [
        caveat for caveat in outcome.caveats if caveat not in scores.caveats and caveat.kind is not CaveatKind.SCALE
    ]


def _effect(both: RawAndInterval, testing: _Testing, conventions: Conventions) -> MeasureEffect:
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


def _correlations(both: list[RawAndInterval]) -> dict[tuple[str, str], PairCorrelation]:
    return {
        (repr(a.measure), repr(b.measure)): PairCorrelation(_tau(a.raw, b.raw), _tau(a.ranked, b.ranked))
        for a, b in combinations(both, 2)
    }
