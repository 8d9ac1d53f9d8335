"""Several assessors of the same runs: on each topic the join of what they make of a run, and the meet.

Each assessor's judgments turn the documents of a system into a judged run. The join of these runs is what the kindest
reading of all judgments gives, the meet is what all assessors grant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.calls import explains_calls
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView, valued
from measurand.display.wording import counted, listed, percent
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.exact import whole_number
from measurand.judged import NOTHING, JudgedRuns, Relevance
from measurand.judged.content import documents_at
from measurand.judged.documents import RankedDocuments
from measurand.judged.runs import check_judged
from measurand.lattice.algebra import Algebra, algebra_of
from measurand.measures import Measure, MeasuresLike
from measurand.measures.campaigns import on_judged
from measurand.orders.names import named_order
from measurand.study.bound_runs import BoundRuns, caveats_of_bounds, check_grades_alone, in_order, join_and_meet
from measurand.study.dominance import caveats_of
from measurand.study.evaluation import plainly_averaged, read_measures
from measurand.study.portfolio import graded_runs

RANK_BY_RANK = "at every rank the highest grade that an assessor gives, and the lowest"
"""What join and meet are in the order "replacement"."""

TAKEN = ("measure", "system", "topic", "topics", "agreed", "favourable")
"""What columns of tables are called."""

AS_RUNS = "the least run at least as good as that of every assessor, and the best run at most as good"
"""What they are in other orders."""


@frozen(kw_only=True, eq=False, repr=False)
class Assessors(Result):
    """What several assessors make of the same runs: the most favourable reading, and what all agree on.

    Parameters
    ----------
    judged : mapping of str to JudgedRuns
        The judged runs by assessor, on the topics that all of them judged.
    order : str
        The order in which runs are compared.
    favourable : BoundRuns
        The join of each run over the assessors.
    agreed : BoundRuns
        The meet of each run over the assessors.
    caveats : tuple of Caveat
        What is to be known of the judgments.

    Examples
    --------
    >>> ann = JudgedRuns.on_one_topic([(1, 0, 1), (0, 0, 1)], (3, 2))
    >>> bob = JudgedRuns.on_one_topic([(0, 1, 1), (0, 0, 1)], (3, 2))
    >>> found = assessors({"Ann": ann, "Bob": bob})
    >>> found.favourable.run("t", "s0"), found.agreed.run("t", "s0")
    ((1, 1, 1), (0, 0, 1))
    >>> found.alike.tolist()
    [[False], [True]]
    """

    judged: Mapping[str, JudgedRuns]
    order: str
    favourable: BoundRuns
    agreed: BoundRuns
    caveats: tuple[Caveat, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems whose runs were judged."""
        return self.favourable.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that all assessors judged."""
        return self.favourable.topics

    @property
    def alike(self) -> BoolArray:
        """Systems × topics: whether all assessors see the same grades (at the same ranks, but in orders of sets)."""
        return np.asarray((self.favourable.counts == self.agreed.counts).all(axis=(2, 3)))

    def __repr__(self) -> str:
        sizes = (len(self.judged), "assessor"), (len(self.systems), "system"), (len(self.topics), "topic")
        return f"<Assessors: {' × '.join(counted(size, what) for size, what in sizes)}, order {self.order!r}>"

    def table(self, measures: MeasuresLike = "P@10") -> AssessorsTable:
        """Return the values of every system by assessor, with those of join and meet, under some measures.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these
            The measures; such as depend on how many relevant documents a topic has only where assessors agree on it.
        """
        named = plainly_averaged(read_measures(measures))
        return AssessorsTable(self, tuple(self._values(name, measure) for name, measure in named.items()))

    def _values(self, name: str, measure: Measure) -> MeasuredAssessors:
        several = list(self.judged.values())
        measure = on_judged(measure, several[0])
        check_grades_alone(measure)
        if measure.uses_recall_base and any(
            (each.grade_counts != several[0].grade_counts).any() for each in several[1:]
        ):
            raise NotAvailable(
                f"{name} depends on how many relevant documents a topic has, and the assessors differ in that; take a"
                " measure of ranks and grades alone, such as P@10, DCG@10, RBP or ERR"
            )
        scores = {assessor: measure.scores(judged) for assessor, judged in self.judged.items()}
        values = {assessor: np.asarray(each.values) for assessor, each in scores.items()}
        caveats = caveats_of_bounds(measure, name, self.favourable, self.agreed, list(values.values()))
        caveats += next(iter(scores.values())).mean().caveats
        bounds = self.favourable.values(measure), self.agreed.values(measure)
        return MeasuredAssessors(name, values, *bounds, tuple(caveats))

    def sentences(self) -> list[Part]:
        """Return what is found whatever the measure, in sentences."""
        depth, runs = self.favourable.algebra.depth, len(self.systems) * len(self.topics)
        same = int(np.count_nonzero(self.alike))
        share = f" ({percent(same / runs)})" if runs else ""
        who = f"{counted(len(self.judged), 'assessor')} ({listed(list(self.judged))})"
        what = f"{counted(len(self.systems), 'system')} on {counted(len(self.topics), 'topic')}"
        meaning = RANK_BY_RANK if self.order == "replacement" else AS_RUNS
        return [
            f"{who} judge {what}, order {self.order!r}, first {counted(depth, 'rank')}.",
            f"{same:,} of {counted(runs, 'ranking')}{share} have the same grades by all assessors.",
            f"Favourable and agreed are join and meet of what the assessors make of a ranking: {meaning}.",
        ]

    def document(self) -> Document:
        """Return how often the assessors see the same, system by system."""
        columns = [
            Column("system", lambda s: self.systems[s], left=True),
            valued("topics judged alike", lambda s: int(np.count_nonzero(self.alike[s]))),
            valued("of", lambda _: len(self.topics)),
        ]
        return Document([*self.sentences(), TableView(columns, range(len(self.systems)))], self.caveats)


@frozen(eq=False)
class MeasuredAssessors:
    """The values of systems by assessor under one measure.

    Parameters
    ----------
    measure
        How the measure was spelled.
    values
        Systems × topics by assessor.
    favourable, agreed
        Those of joins and meets; not a number where there is none.
    caveats
        What limits their meaning.
    """

    measure: str
    values: Mapping[str, FloatArray]
    favourable: FloatArray
    agreed: FloatArray
    caveats: tuple[Caveat, ...]

    def columns(self) -> dict[str, FloatArray]:
        """Return the values by what they are called."""
        return {"agreed": self.agreed, **self.values, "favourable": self.favourable}


@frozen(eq=False, repr=False)
class AssessorsTable(Result):
    """The values of systems by assessor under some measures, with those of join and meet.

    Parameters
    ----------
    assessors : Assessors
        The assessors and what they judged.
    measured : tuple of MeasuredAssessors
        The values under each measure.

    Examples
    --------
    >>> ann = JudgedRuns.on_one_topic([(1, 0, 1), (0, 0, 1)], (3, 2))
    >>> bob = JudgedRuns.on_one_topic([(0, 1, 1), (0, 0, 1)], (3, 2))
    >>> assessors({"Ann": ann, "Bob": bob}).table("P@2").means()[0]
    {'measure': 'P@2', 'system': 's0', 'agreed': 0.0, 'Ann': 0.5, 'Bob': 0.5, 'favourable': 1.0, 'topics': 1}
    """

    assessors: Assessors
    measured: tuple[MeasuredAssessors, ...]

    def __repr__(self) -> str:
        return f"<AssessorsTable: {', '.join(each.measure for each in self.measured)} of {self.assessors!r}>"

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What limits the meaning of the numbers."""
        return (*self.assessors.caveats, *(caveat for each in self.measured for caveat in each.caveats))

    def means(self) -> list[dict[str, Any]]:
        """Return a row for every measure and system: means over the topics on which everything has a value."""
        rows = []
        for each in self.measured:
            columns = each.columns()
            there = np.asarray(~np.isnan(np.stack(list(columns.values()))).any(axis=0))
            for s, system in enumerate(self.assessors.systems):
                kept = there[s]
                means = {
                    name: float(values[s, kept].mean()) if kept.any() else None for name, values in columns.items()
                }
                rows.append({"measure": each.measure, "system": system, **means, "topics": int(kept.sum())})
        return rows

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every measure, system and topic."""
        return [
            {
                "measure": each.measure,
                "system": system,
                "topic": topic,
                **{name: finite(float(values[s, t])) for name, values in each.columns().items()},
            }
            for each in self.measured
            for s, system in enumerate(self.assessors.systems)
            for t, topic in enumerate(self.assessors.topics)
        ]

    def summary_view(self) -> TableView:
        """Return the table of means, a measure and a system a row."""
        return self._view(self.means(), ["measure", "system"], ["topics"], "Means over topics")

    def view(self) -> TableView:
        """Return the table of topics, a measure, a system and a topic a row."""
        return self._view(self.rows(), ["measure", "system", "topic"], [], "Topic by topic")

    def _view(self, rows: list[dict[str, Any]], words: list[str], last: list[str], title: str) -> TableView:
        shown = words if len(self.measured) > 1 else words[1:]
        named = [*self.measured[0].columns(), *last]
        columns = [*(Column(word, word, left=True) for word in shown), *(valued(name, name) for name in named)]
        title = title if len(self.measured) > 1 else f"{title}, {self.measured[0].measure}"
        fields = {**dict.fromkeys(words, str), **dict.fromkeys(named, float), **dict.fromkeys(last, int)}
        return TableView(columns, rows, title=title, fields=fields)

    def document(self, *, by_topic: bool = True) -> Document:
        """Return what the assessors make of the systems: sentences, means over topics, and the topics.

        Parameters
        ----------
        by_topic
            Whether topics are shown.
        """
        parts: list[Part] = [*self.assessors.sentences(), "", self.summary_view()]
        if by_topic:
            parts += ["", self.view()]
        return Document(parts, self.caveats)

    def _main(self) -> TableView:
        return self.view()

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        found = self.assessors
        return {
            "order": found.order,
            "depth": found.favourable.algebra.depth,
            "assessors": list(found.judged),
            "systems": list(found.systems),
            "topics": list(found.topics),
            "judged_alike": np.asarray(found.alike).tolist(),
            "means": self.means(),
            "values": self.rows(),
            "caveats": list(dict.fromkeys(map(str, self.caveats))),
        }


@explains_calls
def assessors(judged: Mapping[str, JudgedRuns], *, order: str = "replacement", depth: int = 10) -> Assessors:
    """Return what several assessors make of the same runs: the most favourable reading, and what all agree on.

    Every assessor turns the documents of a system into grades by rank. The join of these judged runs is the least run
    that is at least as good as each, the meet the best that is at most as good. Documents stay at their ranks in the
    order "replacement", which is the default: there the join has at every rank the highest grade that an assessor
    gives, and the meet the lowest. In the order "swap" only numbers of documents down to each rank count, and the meet
    may hold a relevant document where no two assessors agree on one.

    Parameters
    ----------
    judged : mapping of str to JudgedRuns
        By assessor the same runs, judged: `{"Ann": judge(runs, ann), "Bob": judge(runs, bob)}`.
    order : str, default "replacement"
        One of `measurand.orders.ORDERS`: which of two runs is better.
    depth : int, default 10
        How many ranks to look at; fewer where the judged runs have fewer.

    Returns
    -------
    Assessors
        Joins and meets by system and topic, on the topics that all assessors judged; with `table` their values.

    Examples
    --------
    >>> from measurand import judge
    >>> run = {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> ann, bob = {"1": {"d1": 1, "d3": 2}}, {"1": {"d1": 2, "d2": 1, "d3": 1}}
    >>> found = assessors({"Ann": judge(run, ann), "Bob": judge(run, bob)})
    >>> found.favourable.run("1"), found.agreed.run("1")
    ((2, 1, 2), (1, 0, 1))

    See Also
    --------
    measurand.orders.compare_by : two rankings compared under each assessor

    References
    ----------
    [Giner2022]_, section 7; several ground truths for one run: [FerranteFerroMaistro2015]_, section 3.1
    """
    named_order(order)
    _checked(judged)
    judged = _on_one_set_of_grades(judged)
    first = next(iter(judged.values()))
    topics = tuple(topic for topic in first.topics if all(topic in each.topics for each in judged.values()))
    if not topics:
        raise ParameterError("the assessors have no topic in common; give judgments of the same topics")
    ranks = min(whole_number("depth", depth), max(each.depth for each in judged.values()))
    grades = max(2, *(each.grade_counts.shape[1] for each in judged.values()))
    algebra = algebra_of(order, ranks, grades)
    parts = {assessor: _on_topics(each, first.systems, topics) for assessor, each in judged.items()}
    _check_documents(parts, ranks)
    aligned = {assessor: _aligned(each, algebra) for assessor, each in parts.items()}
    favourable, agreed = join_and_meet(
        np.stack([each.cells for each in aligned.values()]),
        algebra,
        first.systems,
        topics,
        next(iter(aligned.values())).grade_counts,
        grade_scale=first.grade_scale,
        relevance=next(iter(aligned.values())).relevance,
    )
    caveats = [caveat for each in judged.values() for caveat in caveats_of(each)]
    left = len({topic for each in judged.values() for topic in each.topics}) - len(topics)
    if left:
        text = f"{counted(left, 'topic')} that not all assessors judged {'is' if left == 1 else 'are'} left out"
        caveats.append(Caveat(CaveatKind.MISSING_TOPICS, text))
    unique = tuple(dict.fromkeys(caveats))
    return Assessors(judged=aligned, order=order, favourable=favourable, agreed=agreed, caveats=unique)


def _checked(judged: Mapping[str, JudgedRuns]) -> JudgedRuns:
    """Return the judged runs of the first assessor, or complain of what is no mapping of the same runs."""
    if not isinstance(judged, Mapping) or not judged:
        raise ParameterError('name the assessors: assessors({"Ann": judge(runs, ann), "Bob": judge(runs, bob)})')
    for assessor, each in judged.items():
        if assessor in TAKEN:
            raise ParameterError(
                f"no assessor can be called {assessor}, which is a column of tables; choose another name"
            )
        check_judged(each)
    first, *others = judged.values()
    for assessor, each in zip(list(judged)[1:], others, strict=True):
        if set(each.systems) != set(first.systems):
            raise ParameterError(f"{assessor} judged other runs than {next(iter(judged))}; judge the same ones by all")
    return first


def _on_topics(judged: JudgedRuns, systems: tuple[str, ...], topics: tuple[str, ...]) -> JudgedRuns:
    """Return the runs of an assessor on the topics of all."""
    return judged.part(systems, [judged.topics.index(topic) for topic in topics])


def _check_documents(parts: Mapping[str, JudgedRuns], ranks: int) -> None:
    """Complain of runs of one name that are not the same documents, where the documents are known."""
    first, *others = parts
    for other in others:
        both = parts[first].ranked_documents, parts[other].ranked_documents
        for system, one, another in zip(parts[first].systems, *(each or () for each in both), strict=False):
            known = one.names is not None and another.names is not None
            if known and _names(one, ranks) != _names(another, ranks):
                raise ParameterError(f"{other} judged other documents of {system} than {first}; judge the same by all")


def _names(documents: RankedDocuments, ranks: int) -> list[list[str]]:
    """Return the names of the first documents of each topic."""
    starts = np.cumsum(documents.lengths) - documents.lengths
    lengths = np.minimum(documents.lengths, ranks)
    rows = [np.arange(start, start + length) for start, length in zip(starts, lengths, strict=True)]
    assert documents.names is not None  # the caller has looked
    return [list(documents_at(documents.names, each)) for each in rows]


def _on_one_set_of_grades(judged: Mapping[str, JudgedRuns]) -> Mapping[str, JudgedRuns]:
    """Return judged runs whose numbers stand for the same grades, where some assessor gave fractions."""
    if all(each.relevance is None for each in judged.values()):
        return judged
    every = Relevance.of_values(gain for each in judged.values() for gain in each.gains)
    return {assessor: each.recoded(every) for assessor, each in judged.items()}


def _aligned(part: JudgedRuns, algebra: Algebra) -> JudgedRuns:
    """Return the runs of an assessor with as many ranks and grades as all have."""
    cut = part.down_to(min(algebra.depth, part.depth))
    cells = np.pad(cut.cells, ((0, 0), (0, 0), (0, algebra.depth - cut.depth)), constant_values=NOTHING)
    runs = graded_runs(cut, in_order(cells, algebra))
    return evolve(runs, grade_counts=_padded(runs.grade_counts, algebra.grades), skip_missing=False)


def _padded(counts: IntArray, grades: int) -> IntArray:
    return np.pad(counts, ((0, 0), (0, grades - counts.shape[1])))
