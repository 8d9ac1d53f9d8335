"""The effect of doubles on a campaign: ties that they break, and what becomes of correlations and rank tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from math import isnan
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import asdict, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, cells_view, facts
from measurand.display.wording import counted
from measurand.errors import ParameterError
from measurand.exact import Exact, ranked, whole_number
from measurand.judged import JudgedRuns, distinct_runs
from measurand.measures import Measure, as_measure
from measurand.measures.campaigns import with_campaign
from measurand.measures.ties.sensitivity import equivalence_classes
from measurand.measures.valued import Valuer
from measurand.papers.fff2021.doubles import check_arithmetic, doubles
from measurand.scales.measure_effect import cut
from measurand.scores import Scores
from measurand.statistics.correlation import kendall
from measurand.statistics.multiple_comparisons import ALPHA, level
from measurand.statistics.needs import check_semantics
from measurand.statistics.registry import find_test

RANKING = ("sign", "rank_sum", "kruskal_wallis", "friedman")
"""The tests that look at the order of scores alone: equal scores are ties to them, almost equal ones are not."""

COLUMNS = ("measure", "ties", "of different runs", "broken", "melted", "across topics", "tau by topic")
LEGEND = (
    "ties: pairs of systems that tie on a topic; broken: of these, with different doubles; melted: others, with equal"
    " doubles; across topics: broken ties of scores on different topics; tests: pairs of systems whose decision changes"
)


def _read_only(tests: Mapping[str, DecisionShift]) -> Mapping[str, DecisionShift]:
    return MappingProxyType(dict(tests))


@frozen
class DecisionShift(Result):
    """What doubles change in a test, compared with exact scores.

    Parameters
    ----------
    changed
        How many pairs of systems change between significant and not.
    largest
        The largest change of a p-value.
    """

    changed: int
    largest: float


@frozen(kw_only=True, eq=False, repr=False)
class FloatShift(Result):
    """What doubles change in the scores of one measure.

    Parameters
    ----------
    measure
        The spelling of the measure.
    pairs
        How many pairs of systems there are, on all topics.
    tied
        How many of them tie exactly.
    unlike
        How many of these have different judged runs, so that the tie can break.
    split
        How many of these have different doubles.
    merged
        How many pairs do not tie and have equal doubles.
    across
        How many pairs of scores on different topics tie exactly and have different doubles.
    tau
        The mean of Kendall's taus, topic by topic, between doubles and exact values: 1 if no tie is broken and no
        values melt into one; NaN if all systems tie on all topics.
    tests
        What changes in significance tests.
    """

    measure: str
    pairs: int
    tied: int
    unlike: int
    split: int
    merged: int
    across: int
    tau: float
    tests: Mapping[str, DecisionShift] = field(converter=_read_only)

    def facts(self) -> dict[str, Any]:
        """Return what changes, by name; for every test how many decisions change."""
        names = ("measure", "pairs", "tied", "unlike", "split", "merged", "across", "tau")
        changed = {f"{test}_changed": each.changed for test, each in self.tests.items()}
        return {name: getattr(self, name) for name in names} | changed

    def document(self) -> Document:
        """Return what changes, a line each."""
        return Document([facts(self.facts().items())])

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(FloatShift, **asdict(self, recurse=False) | {"tests": dict(self.tests)}), ()


@frozen(kw_only=True, eq=False, repr=False)
class FloatEffect(Result):
    """What doubles change in the results of a campaign, measure by measure; prints as a table.

    Parameters
    ----------
    shifts
        What changes, one entry for each measure.
    depth
        How many ranks were looked at.
    arithmetic
        How the terms of a score were added.
    systems, topics
        How many there are.
    """

    shifts: tuple[FloatShift, ...]
    depth: int
    arithmetic: str
    systems: int
    topics: int

    def of(self, measure: Measure | str) -> FloatShift:
        """Return what changes for one measure, with or without its cutoff.

        Parameters
        ----------
        measure
            A measure or its spelling.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)], (6, 6))
        >>> float_effect(judged, "AP", depth=6).of("AP").split
        1
        """
        spelling = repr(cut(as_measure(measure), self.depth))
        for shift in self.shifts:
            if shift.measure == spelling:
                return shift
        raise ParameterError(
            f"{spelling} was not looked at; there is {', '.join(each.measure for each in self.shifts)}"
        )

    def __repr__(self) -> str:
        broken = sum(shift.split for shift in self.shifts)
        return f"<FloatEffect: {counted(len(self.shifts), 'measure')}, {counted(broken, 'broken tie')}>"

    @property
    def _heading(self) -> str:
        sizes = f"{counted(self.systems, 'system')} on {counted(self.topics, 'topic')}"
        return f"Doubles, added {self.arithmetic}, instead of exact scores: {sizes}"

    def _rows(self) -> list[list[str]]:
        return [
            [
                shift.measure,
                *map("{:,}".format, (shift.tied, shift.unlike, shift.split, shift.merged, shift.across)),
                "–" if isnan(shift.tau) else f"{shift.tau:.6f}",
                *(f"{test.changed:,}" for test in shift.tests.values()),
            ]
            for shift in self.shifts
        ]

    def document(self) -> Document:
        """Return what was found: a row for each measure."""
        heads = [*COLUMNS, *(self.shifts[0].tests if self.shifts else ())]
        return Document([cells_view(heads, self._rows(), title=self._heading), LEGEND])

    def _main(self) -> TableView:
        rows = [shift.facts() for shift in self.shifts]
        return TableView([], rows, records=rows)


def float_effect(
    judged: JudgedRuns,
    measures: Measure | str | Iterable[Measure | str],
    depth: int,
    *,
    arithmetic: str = "left to right",
    tests: Iterable[str] = RANKING,
    alpha: float = ALPHA,
    semantics: str = "matlab",
) -> FloatEffect:
    """Return what scores in double precision change in the results of a campaign, compared with exact scores.

    Two systems that tie on a topic may have different doubles there. Whatever ranks scores then sees a winner:
    Kendall's tau between doubles and exact scores falls below 1, and rank tests take noise for a preference.

    Parameters
    ----------
    judged
        The judged runs.
    measures
        Measures or their spellings; those without a cutoff get the depth.
    depth
        How many ranks are looked at.
    arithmetic
        How the terms of a score are added: "left to right", "pairwise" or "fsum", as for `float_image`.
    tests
        Tests by name, of those that look at the order of scores alone.
    alpha
        The level of the tests.
    semantics
        Whose conventions the tests follow: "matlab" or "scipy".

    Examples
    --------
    >>> runs = [(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0), (1, 0, 0, 0, 0, 0)]
    >>> found = float_effect(JudgedRuns.on_one_topic(runs, (6, 6)), ["P", "AP"], depth=6).of("AP")
    >>> found.pairs, found.tied, found.split, round(found.tau, 4)
    (3, 1, 1, 0.8165)

    Notes
    -----
    Documents of equal score are taken in the order in which they stand. Exact values take part by their places in the
    order of them all, which is all that Kendall's tau and these tests look at.

    See Also
    --------
    float_image : all runs of a depth instead of those of a campaign

    References
    ----------
    [FerranteFerroFuhr2021]_, section VIII; the traps are not in the paper
    """
    check_arithmetic(arithmetic)
    depth = whole_number("depth", depth)
    several = [measures] if isinstance(measures, Measure | str) else list(measures)
    wanted = dict.fromkeys(cut(as_measure(measure), depth) for measure in several)
    names = tuple(find_test(name).__name__ for name in ([tests] if isinstance(tests, str) else tests))
    if not set(names) <= set(RANKING):
        raise ParameterError(f"doubles are looked at in tests of the order of scores: {', '.join(RANKING)}")
    testing = _Testing(names, level(alpha), check_semantics(semantics))
    return FloatEffect(
        shifts=tuple(_shift(measure, judged, arithmetic, testing) for measure in wanted),
        depth=depth,
        arithmetic=arithmetic,
        systems=len(judged.systems),
        topics=len(judged.topics),
    )


@frozen
class _Testing:
    names: tuple[str, ...]
    alpha: float
    semantics: str

    def shifts(self, rough: Scores, exact: Scores) -> dict[str, DecisionShift]:
        """Return what each test makes of the scores in doubles, compared with exact ones."""
        return {name: self._shift(name, rough, exact) for name in self.names} if len(rough.systems) > 1 else {}

    def _shift(self, name: str, rough: Scores, exact: Scores) -> DecisionShift:
        before, after = (find_test(name)(scores, semantics=self.semantics) for scores in (rough, exact))
        changed = np.triu(before.significant(self.alpha) != after.significant(self.alpha), 1)
        apart = np.triu(np.nan_to_num(np.abs(before.pvalues - after.pvalues)), 1)
        return DecisionShift(int(changed.sum()), float(apart.max(initial=0.0)))


def _shift(measure: Measure, judged: JudgedRuns, arithmetic: str, testing: _Testing) -> FloatShift:
    rough, places, kinds = _scored(with_campaign(measure, judged), judged, arithmetic)
    within = np.array([_pairs(places[:, t], rough[:, t]) for t in range(len(judged.topics))]).sum(axis=0)
    unlike = sum(_pairs(places[:, t], kinds[:, t])[1] for t in range(len(judged.topics)))
    scores, truth = (_scores(measure, judged, values) for values in (rough, places.astype(np.float64)))
    tied, split, merged = within.tolist()
    return FloatShift(
        measure=repr(measure),
        pairs=len(judged.topics) * len(judged.systems) * (len(judged.systems) - 1) // 2,
        tied=tied,
        unlike=unlike,
        split=split,
        merged=merged,
        across=_pairs(places, rough)[1] - split,
        tau=float(kendall(scores, truth, kind="topic")),
        tests=testing.shifts(scores, truth),
    )


def _scored(measure: Measure, judged: JudgedRuns, arithmetic: str) -> tuple[FloatArray, IntArray, IntArray]:
    """Return doubles, the places of exact values among all, and which judged runs are the same to the measure."""
    cells = (judged.condensed if measure.judged_only else judged).cells[:, :, : measure.cutoff]
    rough = np.empty((len(judged.systems), len(judged.topics)))
    which = np.empty(rough.shape, dtype=np.int64)
    values: list[Exact] = []
    for topic, pool in enumerate(judged.pools):
        runs, kinds = distinct_runs(equivalence_classes(measure, cells[:, topic]))
        rough[:, topic] = doubles(measure, runs, pool, arithmetic)[kinds]
        which[:, topic] = kinds + len(values)
        valuer = Valuer.of(measure, pool)
        values += [valuer.value(run) for run in map(tuple, runs.tolist())]
    return rough, ranked(values)[1][which], which


def _pairs(groups: IntArray, labels: IntArray | FloatArray) -> tuple[int, int, int]:
    """Return how many pairs are of one group, how many of these differ in their labels, and how many others do not."""
    of_group, of_label = (np.unique(each, return_inverse=True)[1].reshape(-1) for each in (groups, labels))
    both = np.unique(of_group * (1 + int(of_label.max(initial=0))) + of_label, return_counts=True)[1]
    together, same, alike = (
        int((sizes * (sizes - 1) // 2).sum()) for sizes in (np.bincount(of_group), both, np.bincount(of_label))
    )
    return together, together - same, alike - same


def _scores(measure: Measure, judged: JudgedRuns, values: FloatArray) -> Scores:
    return Scores(
        measure=repr(measure),
        values=np.where(judged.present, values, np.nan) if judged.skip_missing else values,
        systems=judged.systems,
        topics=judged.topics,
        scale=measure.scale,
        one_scale=not measure.own_scales(judged),
        lower_is_better=measure.lower_is_better,
    )
