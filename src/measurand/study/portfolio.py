"""A portfolio of systems: on each topic the join of their judged runs, which bounds all of them, and the meet.

The join is the least run that is at least as good as that of every system; the meet is the best run that every system
is at least as good as. They say what choosing among the systems can give at most and at least, whatever measure that
keeps the order is taken. They say nothing of fusion, which can make lists that no system has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.calls import explains_calls
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView, valued
from measurand.display.wording import counted, listed
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import whole_number
from measurand.judged import JudgedRuns
from measurand.judged.runs import check_judged
from measurand.lattice.algebra import algebra_of
from measurand.lattice.algebra.base import is_set
from measurand.measures import Measure, MeasuresLike
from measurand.measures.campaigns import on_judged
from measurand.orders.many_runs import counts_down_to
from measurand.orders.names import named_order
from measurand.scores import Scores
from measurand.study.bound_runs import BoundRuns, caveats_of_bounds, check_grades_alone, in_order, join_and_meet
from measurand.study.covering import smallest_cover
from measurand.study.dominance import caveats_of
from measurand.study.evaluation import plainly_averaged, read_measures

ALL = "portfolio"
"""What stands in the place of a system for all of them."""

WHAT_A_JOIN_IS = (
    "The join is the worst result that is at least as good as that of every system, whatever the measure. Where no"
    " system has it, it is better than all of them: no choice among the systems does better, and perhaps none does as"
    " well. It is no list of documents, and says nothing of fusions, which may be worse or better."
)
"""What is shown, and what is not."""

WHAT_A_MEET_IS = "The meet is the best ranking of grades that every system is at least as good as."
"""The other end."""


@frozen(kw_only=True, eq=False, repr=False, slots=False)
class Portfolio(Result):
    """What several systems reach together on each topic, and what each of them reaches at least.

    Parameters
    ----------
    runs : JudgedRuns
        The judged runs of the systems, down to the depth; those of sets with the best grade first.
    order : str
        The order in which runs are compared.
    reached : BoundRuns
        The join on each topic: the least run at least as good as that of every system.
    common : BoundRuns
        The meet on each topic: the best run that every system is at least as good as.
    caveats : tuple of Caveat
        What is to be known of the runs.
    ranks_of_runs : int
        How many ranks the runs had before they were cut at the depth.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0, 1), (0, 1, 1, 0), (0, 1, 0, 1)], (3, 2))
    >>> found = portfolio(judged)
    >>> found.reached.run("t"), found.common.run("t"), found.needed().systems
    ((1, 0, 1, 0), (0, 1, 0, 1), ('s0', 's1'))
    >>> found.table("P@2").rows()[0]["reached"]
    0.5
    """

    runs: JudgedRuns
    order: str
    reached: BoundRuns
    common: BoundRuns
    caveats: tuple[Caveat, ...] = ()
    ranks_of_runs: int = 0

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return self.runs.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics for which some system returned anything, or all where topics left out count as empty."""
        return self.runs.topics

    @property
    def depth(self) -> int:
        """How many ranks are looked at."""
        return self.runs.depth

    def __repr__(self) -> str:
        sizes = (len(self.systems), "system"), (len(self.topics), "topic"), (self.depth, "rank")
        return f"<Portfolio: {' × '.join(counted(size, what) for size, what in sizes)}, order {self.order!r}>"

    @cached_property
    def attained(self) -> BoolArray:
        """Systems × topics: whether the run of the system is the join, so that it is at least as good as all others."""
        return np.asarray((self._marks.all(axis=(2, 3))) & self.runs.counted)

    @cached_property
    def level(self) -> BoolArray:
        """For each topic whether all systems have the same grades (at the same ranks, but in orders of sets)."""
        return np.asarray((self.reached.counts == self.common.counts).all(axis=(0, 2, 3)))

    @cached_property
    def _marks(self) -> BoolArray:
        """Systems × topics × grades × ranks: where a system has as many documents as the join."""
        if self.order.endswith("projection"):
            marks = (self.runs.cells == self.reached.cells[0]).all(axis=2)[:, :, None, None]
        elif self.order == "swap":
            marks = counts_down_to(self.runs.cells, self.reached.algebra.grades) == self.reached.counts[0]
        else:
            marks = (self.runs.cells == self.reached.cells[0])[:, :, None, :]
        return np.asarray(marks & self.runs.counted[:, :, None, None])

    def needed(self, topic: str | None = None) -> NeededSystems:
        """Return the fewest systems whose join is that of all, on every topic or on one.

        Parameters
        ----------
        topic : str, optional
            The name of a topic; by default every topic.
        """
        if topic is not None and topic not in self.topics:
            raise ParameterError(f"there is no topic {topic!r}; there is {', '.join(self.topics[:8])}")
        return self._needed_anywhere if topic is None else self.needed_by_topic[self.topics.index(topic)]

    @cached_property
    def _needed_anywhere(self) -> NeededSystems:
        return self._needed(self._marks, None)

    @cached_property
    def needed_by_topic(self) -> list[NeededSystems]:
        """For each topic the fewest systems whose join is that of all."""
        return [self._needed(self._marks[:, place], topic) for place, topic in enumerate(self.topics)]

    def _needed(self, marks: BoolArray, topic: str | None) -> NeededSystems:
        cover = smallest_cover(marks.reshape(len(self.systems), -1).T)
        return NeededSystems(tuple(self.systems[place] for place in cover.columns), cover.smallest, topic)

    def table(self, measures: MeasuresLike = "nDCG@10") -> PortfolioTable:
        """Return the values of the best system, of the join and of the meet on each topic, under some measures.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these
            The measures. All runs are cut at the depth of the portfolio first, which is noted of measures that look
            further down.
        """
        named = plainly_averaged(read_measures(measures))
        return PortfolioTable(self, tuple(self._values(name, measure) for name, measure in named.items()))

    def _values(self, name: str, measure: Measure) -> MeasuredPortfolio:
        measure = on_judged(measure, self.runs)
        check_grades_alone(measure)
        scores = measure.scores(self.runs)
        each = [row[None] for row in np.asarray(scores.values)]
        caveats = caveats_of_bounds(measure, name, self.reached, self.common, each)
        deeper = measure.reach(self.ranks_of_runs)
        if deeper > self.depth:
            text = f"{name} looks at {deeper} ranks, and runs are cut at {self.depth}; say depth={deeper}"
            caveats.append(Caveat(CaveatKind.BOUNDS, text))
        caveats += scores.mean().caveats
        reached, common = self.reached.values(measure)[0], self.common.values(measure)[0]
        return MeasuredPortfolio(name, scores, reached, common, tuple(caveats))

    def document(self) -> Document:
        """Return what the systems reach together, in sentences, and the topics."""
        columns = [
            Column("topic", lambda t: self.topics[t], left=True),
            valued("reached by one system", lambda t: bool(self.attained[:, t].any())),
            valued("systems needed", lambda t: len(self.needed_by_topic[t].systems)),
            valued("all systems alike", lambda t: bool(self.level[t])),
        ]
        return Document([*self.sentences(), TableView(columns, range(len(self.topics)))], self.caveats)

    def sentences(self) -> list[Part]:
        """Return what is found whatever the measure, in sentences."""
        topics, alone = len(self.topics), int(self.attained.any(axis=0).sum())
        runs = f"{counted(len(self.systems), 'system')} on {counted(topics, 'topic')}, order {self.order!r}"
        found = [f"{runs}, first {counted(self.depth, 'rank')}."]
        found.append(
            f"On {alone} of {counted(topics, 'topic')} one system is at least as good as all others under every measure"
            f" that keeps the order and looks no further down; on {topics - alone} it depends on the measure."
        )
        if int(self.level.sum()):
            where = "" if is_set(self.reached.algebra) else " at every rank"
            found.append(f"On {counted(int(self.level.sum()), 'topic')} all systems have the same grades{where}.")
        found += [str(self.needed()), f"{WHAT_A_JOIN_IS} {WHAT_A_MEET_IS}"]
        between = int((~self.reached.is_run).sum()), int((~self.common.is_run).sum())
        if any(between):
            found.append(
                f"On {counted(between[0], 'topic')} no ranking is the join, and on {between[1]} none is the meet, but"
                " counts of documents down to each rank are. Measures that add up over grades (nDCG, DCG) or look at"
                " one grade (P, AP, RR) have a value there; others have none, except in the order 'replacement'."
            )
        return list(found)

    def to_dict(self) -> dict[str, Any]:
        """Return what is found whatever the measure, topic by topic, ready for JSON."""
        needed = self.needed()
        return {
            "order": self.order,
            "depth": self.depth,
            "systems": list(self.systems),
            "needed": {"systems": list(needed.systems), "smallest": needed.smallest},
            "topics": [self._topic(t) for t in range(len(self.topics))],
            "caveats": [str(caveat) for caveat in self.caveats],
        }

    def _topic(self, t: int) -> dict[str, Any]:
        topic = self.topics[t]
        runs = {"reached": self.reached.run(topic), "common": self.common.run(topic)}
        return {
            "topic": topic,
            **{name: None if run is None else list(run) for name, run in runs.items()},
            "reached_counts": self.reached.counts[0, t].tolist(),
            "common_counts": self.common.counts[0, t].tolist(),
            "reached_by": [system for system, at in zip(self.systems, self.attained[:, t], strict=True) if at],
            "systems_needed": list(self.needed_by_topic[t].systems),
        }


@frozen
class NeededSystems:
    """Systems whose join is that of all.

    Parameters
    ----------
    systems
        Their names.
    smallest
        Whether no fewer do.
    topic
        On which topic; on every topic if none is named.

    Examples
    --------
    >>> print(NeededSystems(("a", "b"), True))
    2 systems are needed to reach the join of all on every topic, no fewer: a and b.
    """

    systems: tuple[str, ...]
    smallest: bool
    topic: str | None = None

    def __str__(self) -> str:
        one = len(self.systems) == 1
        many = f"{counted(len(self.systems), 'system')} {'is' if one else 'are'} needed"
        where = "on every topic" if self.topic is None else f"on topic {self.topic}"
        how = "no fewer" if self.smallest or one else "perhaps fewer"
        return f"{many} to reach the join of all {where}, {how}: {listed(self.systems, 12)}."


@frozen(eq=False)
class MeasuredPortfolio:
    """The values of a portfolio under one measure.

    Parameters
    ----------
    measure
        How the measure was spelled.
    scores
        The scores of the systems.
    reached, common
        The values of the joins and of the meets, by topic; not a number where there is none.
    caveats
        What limits their meaning.
    """

    measure: str
    scores: Scores
    reached: FloatArray
    common: FloatArray
    caveats: tuple[Caveat, ...]

    @cached_property
    def best_place(self) -> list[int]:
        """For each topic the place of the best system, the first of those that tie."""
        goodness = np.where(np.isnan(self.scores.values), -np.inf, self.scores.goodness)
        return goodness.argmax(axis=0).tolist()  # type: ignore[no-any-return]

    @property
    def best(self) -> FloatArray:
        """For each topic the value of the best system."""
        return self.scores.values[self.best_place, np.arange(len(self.scores.topics))]

    @cached_property
    def leader(self) -> tuple[str, float]:
        """The system with the best mean, and that mean."""
        seen = self.scores.values
        there = np.count_nonzero(~np.isnan(seen), axis=1)
        means = np.divide(np.nansum(seen, axis=1), there, out=np.full(len(seen), np.nan), where=there > 0)
        goodness = -means if self.scores.lower_is_better else means
        place = int(np.argmax(np.where(np.isnan(goodness), -np.inf, goodness)))
        return self.scores.systems[place], float(means[place])


@frozen(eq=False, repr=False)
class PortfolioTable(Result):
    """The values of a portfolio under some measures: the best system, the join and the meet, topic by topic.

    Parameters
    ----------
    portfolio : Portfolio
        The portfolio.
    measured : tuple of MeasuredPortfolio
        The values under each measure.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0, 1), (0, 1, 1, 0)], (3, 2))
    >>> found = portfolio(judged).table(["P@2", "RR"])
    >>> [(row["measure"], row["best"], row["reached"], row["common"]) for row in found.rows()]
    [('P@2', 0.5, 0.5, 0.5), ('RR', 1.0, 1.0, 0.5)]
    """

    portfolio: Portfolio
    measured: tuple[MeasuredPortfolio, ...]

    def __repr__(self) -> str:
        return f"<PortfolioTable: {', '.join(each.measure for each in self.measured)} of {self.portfolio!r}>"

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What limits the meaning of the numbers."""
        return (*self.portfolio.caveats, *(caveat for each in self.measured for caveat in each.caveats))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every measure and topic: the best system and its value, those of join and meet."""
        return [
            {
                "measure": each.measure,
                "topic": topic,
                "best_system": each.scores.systems[each.best_place[t]],
                "best": finite(float(each.best[t])),
                "reached": finite(float(each.reached[t])),
                "common": finite(float(each.common[t])),
                "systems_needed": len(self.portfolio.needed_by_topic[t].systems),
            }
            for each in self.measured
            for t, topic in enumerate(self.portfolio.topics)
        ]

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for every measure: means over topics of the best system, the best of each topic, join, meet.

        A mean is None if a topic has no value.
        """
        return [
            {
                "measure": each.measure,
                "best_system": each.leader[0],
                "best": finite(each.leader[1]),
                "best_on_each_topic": finite(float(each.best.mean())),
                "reached": finite(float(each.reached.mean())),
                "common": finite(float(each.common.mean())),
                "topics": len(self.portfolio.topics),
            }
            for each in self.measured
        ]

    def headlines(self) -> list[Part]:
        """Return what choosing among the systems gives under each measure, a sentence each."""
        return [
            f"Choosing the best system on each topic gives {_shown(row['best_on_each_topic'])} under {row['measure']};"
            f" {row['best_system']} alone, the best system, has {_shown(row['best'])}."
            for row in self.summary()
        ]

    def summary_view(self) -> TableView:
        """Return the table of means, a measure a row."""
        columns = [
            Column("measure", "measure", left=True),
            Column("best system", "best_system", left=True),
            valued("its mean", "best"),
            valued("best on each topic", "best_on_each_topic"),
            valued("join", "reached"),
            valued("meet", "common"),
            valued("topics", "topics"),
        ]
        numbers = dict.fromkeys(("best", "best_on_each_topic", "reached", "common"), float)
        fields = {"measure": str, "best_system": str, **numbers, "topics": int}
        return TableView(columns, self.summary(), title="Means over topics", fields=fields)

    def view(self) -> TableView:
        """Return the table of topics, a measure and a topic a row."""
        columns = [
            *([Column("measure", "measure", left=True)] if len(self.measured) > 1 else []),
            Column("topic", "topic", left=True),
            Column("best system", "best_system", left=True),
            valued("its value", "best"),
            valued("join", "reached"),
            valued("meet", "common"),
            valued("systems needed", "systems_needed"),
        ]
        names = listed([each.measure for each in self.measured])
        numbers = dict.fromkeys(("best", "reached", "common"), float)
        fields = {"measure": str, "topic": str, "best_system": str, **numbers, "systems_needed": int}
        return TableView(columns, self.rows(), title=f"Topic by topic under {names}", fields=fields)

    def document(self, *, by_topic: bool = True) -> Document:
        """Return what the systems reach together: means over topics, the topics, and what holds for all measures.

        Parameters
        ----------
        by_topic
            Whether topics are shown.
        """
        parts: list[Part] = [*self.headlines(), "", self.summary_view(), ""]
        if by_topic:
            parts += [self.view(), ""]
        return Document([*parts, *self.portfolio.sentences()], self.caveats)

    def _main(self) -> TableView:
        return self.view()

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON: what holds whatever the measure, means, and topics."""
        said = self.portfolio.to_dict()
        caveats = [str(caveat) for caveat in self.caveats]
        return {**said, "means": self.summary(), "values": self.rows(), "caveats": list(dict.fromkeys(caveats))}


def _shown(value: float | None) -> str:
    return "no mean" if value is None else f"{value:.4f}"


@explains_calls
def portfolio(
    judged: JudgedRuns,
    systems: Sequence[str] | None = None,
    *,
    order: str = "swap",
    depth: int = 10,
) -> Portfolio:
    r"""Return what several systems reach together on each topic, and what each of them reaches at least.

    On a topic, they reach the join of their judged runs: the least run that is at least as good as each of them in
    the order. By replacement and swap it has, down to every rank, as many documents of every grade or more as the
    system that has most of them:

    .. math:: S^g_k = \max_s \#\{i \le k : s_i \ge g\}

    Every measure that keeps the order gives the join at least the value of the best system. So the join bounds what
    choosing a system for each topic can give. The meet is the same with the least numbers: every system reaches it.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    systems : sequence of str, optional
        The names of the systems; by default all.
    order : str, default "swap"
        One of `measurand.orders.ORDERS`: which of two runs is better.
    depth : int, default 10
        How many ranks to look at; fewer where the judged runs have fewer.

    Returns
    -------
    Portfolio
        Joins and meets, which systems attain them, and with `table` their values under measures.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(2, 0, 1), (1, 2, 0)], (3, 2, 1))
    >>> found = portfolio(judged)
    >>> found.reached.run("t"), found.common.run("t") is None, found.needed().systems
    ((2, 1, 0), True, ('s0', 's1'))

    Notes
    -----
    The join is about grades by rank alone. It is no ranking of documents, and no bound for fusion: a fused ranking may
    hold more relevant documents than any of the systems. With three or more grades some runs have no join; then it is
    the element of the completion of the order that has these numbers, and measures that add up over grades have a
    value for it.

    What is unjudged or missing counts as grade 0. A topic that a system left out counts as an empty result, unless the
    runs were judged with `missing_topics="skip"`: then the system plays no part on it.

    References
    ----------
    [Giner2022]_, section 7
    """
    check_judged(judged)
    named_order(order)
    names = _names(judged, systems)
    ranks = min(whole_number("depth", depth), judged.depth)
    part = judged.part(names).down_to(ranks)
    kept = np.flatnonzero(part.counted.any(axis=0))
    part = part if len(kept) == len(part.topics) else part.part(names, kept)
    algebra = algebra_of(order, ranks, max(2, part.grade_counts.shape[1]))
    runs = graded_runs(part, in_order(part.cells, algebra))
    reached, common = join_and_meet(
        runs.cells[:, None],
        algebra,
        (ALL,),
        runs.topics,
        runs.grade_counts,
        runs.counted[:, None],
        runs.grade_scale,
        runs.relevance,
    )
    return Portfolio(
        runs=runs, order=order, reached=reached, common=common, caveats=caveats_of(part), ranks_of_runs=judged.depth
    )


def graded_runs(judged: JudgedRuns, cells: Any) -> JudgedRuns:
    """Return judged runs with other cells and nothing that is known of ties and documents.

    Parameters
    ----------
    judged
        The judged runs.
    cells
        Systems × topics × ranks of grades.
    """
    return JudgedRuns(
        systems=judged.systems,
        topics=judged.topics,
        cells=np.array(cells, dtype=judged.cells.dtype),
        lengths=np.array(judged.lengths),
        grade_counts=np.array(judged.grade_counts),
        skip_missing=judged.skip_missing,
        grade_scale=judged.grade_scale,
        relevance=judged.relevance,
    )


def _names(judged: JudgedRuns, systems: Sequence[str] | None) -> tuple[str, ...]:
    names: Iterable[str] = judged.systems if systems is None else [systems] if isinstance(systems, str) else systems
    chosen = tuple(dict.fromkeys(names))
    unknown = [name for name in chosen if name not in judged.systems]
    if unknown:
        raise ParameterError(f"there is no system {unknown[0]!r}; there is {', '.join(judged.systems[:8])}")
    if not chosen:
        raise ParameterError("there is no system; name one or more")
    return chosen
