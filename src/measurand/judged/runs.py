"""Judged runs: the grades of every system's documents, rank by rank, for every topic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView, valued
from measurand.display.wording import counted, percent
from measurand.errors import CallError, Caveat, CaveatKind, ParameterError
from measurand.exact import RationalLike, decimal, rational
from measurand.judged.grades import NOTHING, POOLED, UNJUDGED, Pool, cell_type, grade_of
from measurand.judged.hits import Hits
from measurand.judged.questions import Questions
from measurand.judged.ragged import KeptCells, Ragged
from measurand.judged.tie_groups import KeptTies, OverTies, TieGroups
from measurand.scale import Scale, as_grade_scale

if TYPE_CHECKING:
    from measurand.judged.content import Judgments
    from measurand.judged.documents import RankedDocuments
    from measurand.judged.relevance import Relevance

SHALLOW = 10
"""The judged share of so many ranks is shown."""


@frozen(kw_only=True, eq=False, repr=False)
class JudgedRuns(Result, Questions, KeptCells):
    """Systems × topics × ranks of grades, with what the judgments say of each topic.

    Parameters
    ----------
    systems, topics
        Their names.
    cells
        What stands at each rank (see `measurand.judged.grades`), read-only; rows of different lengths where a table
        would be large and nearly empty.
    lengths
        How many documents each system returned for each topic, within the depth.
    grade_counts
        How many judged documents of each grade each topic has.
    groups
        The groups of documents of equal score, if their order was left open for all measures.
    ties
        Which documents have equal scores, for measures that are defined on weak orders; all others take documents in
        the order in which they stand. None if these do as well, or if the order was left open for all.
    skip_missing
        Whether a topic that a system left out is left out of that system's averages.
    caveats
        What is suspicious about the data.
    judged_documents
        How many different documents the judgments name; None if nobody counted.
    grade_scale
        The scale that the grades are on: ordinal, unless the judgments are declared to be on a ratio scale.
    ranked_documents
        Which documents each system returned, in the order in which their grades stand, down to the depth or further;
        None if that was not kept.
    judgments
        The judgments themselves, for the names of judged documents that no system returned; None if they were not
        kept.
    relevance
        The grades, if some is no whole number or above 127: then cells are codes, the places of grades among these.
    stored
        Whether the runs come from a store, which drops the names of documents: what depends on which documents two
        systems share is not looked at then, rather than taking all for different ones.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    _cells: Cells | Ragged
    lengths: IntArray
    grade_counts: IntArray
    groups: TieGroups | None = None
    ties: KeptTies | None = None
    skip_missing: bool = False
    caveats: tuple[Caveat, ...] = ()
    judged_documents: int | None = None
    grade_scale: Scale = field(default=Scale.ORDINAL, converter=as_grade_scale)
    ranked_documents: tuple[RankedDocuments, ...] | None = None
    judgments: Judgments | None = None
    relevance: Relevance | None = None
    stored: bool = False

    def __attrs_post_init__(self) -> None:
        for array in (self.lengths, self.grade_counts):
            array.setflags(write=False)
        (self._cells.values if isinstance(self._cells, Ragged) else self._cells).setflags(write=False)
        if self.ranked_documents is not None and len(self.ranked_documents) != len(self.systems):
            raise CallError(
                f"documents of {len(self.ranked_documents)} systems for {len(self.systems)}; give None or all"
            )

    @classmethod
    def on_one_topic(cls, runs: Sequence[Sequence[int]] | Cells, grade_counts: Sequence[int]) -> JudgedRuns:
        """Return some judged runs of one length as those of so many systems on one topic.

        Parameters
        ----------
        runs
            Grades, one run a row.
        grade_counts
            The number of judged documents of each grade.

        Examples
        --------
        >>> JudgedRuns.on_one_topic([(1, 0), (0, -1)], (5, 2))
        <JudgedRuns: 2 systems × 1 topic × 2 ranks>
        """
        cells = np.array(runs, dtype=cell_type(len(grade_counts) - 1))[:, None, :]
        return cls(
            systems=tuple(f"s{i}" for i in range(len(cells))),
            topics=("t",),
            cells=cells,
            lengths=(cells != NOTHING).sum(axis=2),
            grade_counts=np.array([grade_counts], dtype=np.int64),
        )

    def __repr__(self) -> str:
        sizes = (len(self.systems), "system"), (len(self.topics), "topic"), (self.depth, "rank")
        return f"<JudgedRuns: {' × '.join(counted(number, what) for number, what in sizes)}>"

    def document(self) -> Document:
        """Return what there is: for every system, topics, documents, how many are relevant, and the judged share."""
        found = (self.first(SHALLOW) >= 0).sum(axis=(1, 2))
        systems = self.hits.select(self.relevant_from, None).row // max(1, len(self.topics))
        relevant = np.bincount(systems, minlength=len(self.systems))
        of = np.minimum(self.lengths, SHALLOW).sum(axis=1)
        columns = (
            Column("system", lambda s: self.systems[s], left=True),
            valued("topics", lambda s: int(np.count_nonzero(self.lengths[s]))),
            valued("documents", lambda s: int(self.lengths[s].sum())),
            valued("relevant ones", lambda s: int(relevant[s])),
            valued(f"judged among the first {SHALLOW}", lambda s: float(found[s] / of[s]) if of[s] else None, percent),
        )
        title = repr(self)[1:-1].partition(": ")[2]
        parts: list[Part] = [TableView(columns, range(len(self.systems)), title=title)]
        if len(self.recall_base):
            low, middle, high = (int(np.quantile(self.recall_base, q, method="lower")) for q in (0, 0.5, 1))
            base = f"from {low:,} to {high:,}, half of the topics up to {middle:,}"
            parts.append(f"Relevant documents of a topic: {base}.")
        return Document(parts, self.caveats)

    @cached_property
    def weak(self) -> JudgedRuns:
        """The same runs as weak orders, documents of equal score in groups, as far as it was kept which these are.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0)], (3, 2))
        >>> judged.weak is judged
        True
        """
        return self.opened(OverTies.GROUPS)

    def opened(self, over: OverTies) -> JudgedRuns:
        """Return the same runs with the order of equal scores left open, as far as it was kept which these are.

        Parameters
        ----------
        over
            What a measure is to give for tied documents.
        """
        if self.ties is None:
            return self
        return evolve(self, groups=self.ties.opened(self.cells, over), ties=None)

    @property
    def tied(self) -> BoolArray | None:
        """Where a document has the same score as the one before it, if their order was left open."""
        return None if self.groups is None else self.groups.tied[:, :, : self.depth]

    @cached_property
    def grades(self) -> Cells:
        """Grades by system, topic and rank, or their codes: -1 is unjudged, -2 is no document.

        Grades that are no whole numbers are kept as codes, and `gains` has their values.
        """
        grades = np.where(self.cells == POOLED, self.cells.dtype.type(UNJUDGED), self.cells)
        grades.setflags(write=False)
        return grades

    @property
    def judged(self) -> BoolArray:
        """Where a document stands that was judged."""
        return np.asarray(self.cells >= 0)

    @property
    def retrieved(self) -> BoolArray:
        """Where a document stands."""
        return np.asarray(self.cells != NOTHING)

    @property
    def present(self) -> BoolArray:
        """For which topics each system returned anything."""
        return np.asarray(self.lengths > 0)

    @property
    def counted(self) -> BoolArray:
        """Which topics count for each system: all, or those for which it returned anything if others are skipped."""
        return self.present if self.skip_missing else np.ones(self.lengths.shape, dtype=bool)

    @property
    def assumed_collection(self) -> int:
        """How many documents to assume by default: those in the judgments, and room for a ranking of others.

        It depends on the judgments and on the depth, and not on which systems are looked at.

        Examples
        --------
        >>> JudgedRuns.on_one_topic([(1, -1, -1), (0, 2, -1)], (5, 3, 1)).assumed_collection
        12
        """
        judged = int(self.grade_counts.sum()) if self.judged_documents is None else self.judged_documents
        return judged + self.depth

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """The exact value of every grade, by the number that stands for it in `grades`.

        Examples
        --------
        >>> from measurand.judged import Judgments, Results, judge
        >>> runs = Results.from_mapping("a", {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}})
        >>> judged = judge(runs, Judgments.from_mapping({"1": {"d1": 0.7, "d2": 0.25}}))
        >>> judged.grades.tolist(), [str(gain) for gain in judged.gains]
        ([[[2, 1, -1]]], ['0', '1/4', '7/10'])
        """
        if self.relevance is not None:
            return self.relevance.grades
        return tuple(map(Fraction, range(self.grade_counts.shape[1])))

    @property
    def relevant_from(self) -> int:
        """The lowest grade, or its code, that counts as relevant by default.

        It is 1, and with grades that are no whole numbers the code of the lowest that is half of the highest or more.
        """
        return 1 if self.relevance is None else self.relevance.level_from()

    def grade_of(self, code: int) -> int | Fraction:
        """Return the grade that a number in `grades` stands for: itself, or an exact value if it is a code.

        Parameters
        ----------
        code
            What stands in `grades`, from 0 on.
        """
        return grade_of(code, self.relevance)

    def grade_name(self, grade: int) -> str:
        """Return what a grade is called: its number, or its value if the number is a code.

        Parameters
        ----------
        grade
            What stands in `grades`, from 0 on.

        Examples
        --------
        >>> JudgedRuns.on_one_topic([(2, 0)], (5, 2, 1)).grade_name(2)
        '2'
        """
        return decimal(self.grade_of(grade))

    @property
    def recall_base(self) -> IntArray:
        """How many relevant documents each topic has in all the judgments."""
        return self.recall_bases(self.relevant_from)

    @property
    def several_grades(self) -> bool:
        """Whether two or more grades above 0 were given, so that it matters what each is worth.

        Examples
        --------
        >>> [JudgedRuns.on_one_topic([(2, 0)], counts).several_grades for counts in ((5, 2, 1), (5, 0, 3), (5, 3))]
        [True, False, False]
        """
        return int((self.grade_counts[:, 1:].sum(axis=0) > 0).sum()) > 1

    def recall_bases(self, rel: int) -> IntArray:
        """Return how many documents of grade `rel` and above each topic has.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant.
        """
        return np.asarray(self.grade_counts[:, rel:].sum(axis=1))

    @cached_property
    def pools(self) -> tuple[Pool, ...]:
        """What the judgments say of each topic."""
        different, which = np.unique(self.grade_counts, axis=0, return_inverse=True)
        shared = [Pool(tuple(counts)) for counts in different.tolist()]
        return tuple([shared[place] for place in which.reshape(-1).tolist()])

    @cached_property
    def hits(self) -> Hits:
        """Every retrieved document of grade 1 or more."""
        rows = self.rows
        places = np.flatnonzero(rows.values > 0)
        row, rank = rows.at(places)
        return Hits(row, rank + 1, rows.values[places].astype(np.int64))

    @cached_property
    def condensed(self) -> JudgedRuns:
        """The same runs with every document removed that was not judged.

        Of a tie group that the depth cuts, only what stands within the depth in trec_eval's order is left. Measures
        with `judged_only=True` look at the whole group.
        """
        if isinstance(self._cells, Ragged) and self.groups is None:
            rows = self._cells.where(self._cells.values >= 0)
            ties = None if self.ties is None else self.ties.condensed(self._cells)
            return evolve(self, cells=rows.kept(), lengths=rows.lengths, ranked_documents=None, ties=ties)
        keep = self.judged
        lengths = keep.sum(axis=2)
        cells = np.full(self.cells.shape, NOTHING, dtype=self.cells.dtype)
        cells[np.arange(self.depth) < lengths[:, :, None]] = self.cells[keep]
        groups = self.weak.groups
        if groups is not None:
            groups = evolve(groups, cells=self.cells, tied=groups.tied[:, :, : self.depth]).condensed
        return evolve(self, cells=cells, lengths=lengths, ranked_documents=None, **self._as_kept(groups, self.depth))

    def down_to(self, rank: int) -> JudgedRuns:
        """Return the same runs cut to so many ranks; a tie group that this cuts stays whole among the groups.

        Parameters
        ----------
        rank
            The last rank.

        Examples
        --------
        >>> JudgedRuns.on_one_topic([(2, 0, 1), (1, -2, -2)], (5, 3, 1)).down_to(2).lengths.tolist()
        [[2], [1]]
        """
        if rank >= self.depth:
            return self
        if isinstance(self._cells, Ragged) and self.groups is None:
            rows, ties = self._cells.down_to(rank), None if self.ties is None else self.ties.down_to(rank, self._cells)
            return evolve(self, cells=rows.kept(), lengths=rows.lengths, ties=ties)
        return evolve(
            self,
            cells=self.cells[:, :, :rank],
            lengths=np.minimum(self.lengths, rank),
            **self._as_kept(None if self.weak.groups is None else self.weak.groups.down_to(rank), rank),
        )

    def part(self, systems: Sequence[str], topics: Sequence[int] | IntArray | None = None) -> JudgedRuns:
        """Return the runs of some systems, in the order given, on some topics.

        Parameters
        ----------
        systems
            The names of the systems.
        topics
            The places of the topics; by default all.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1), (1, 1)], (5, 2))
        >>> judged.part(["s2", "s0"]).cells.tolist()
        [[[1, 1]], [[1, 0]]]
        """
        places = np.array([self.systems.index(system) for system in systems], dtype=np.int64)
        kept = np.arange(len(self.topics)) if topics is None else np.asarray(topics, dtype=np.int64)
        chosen, documents = np.ix_(places, kept), self.ranked_documents
        numbers, groups = places[:, None] * len(self.topics) + kept, self.groups
        return evolve(
            self,
            systems=tuple(systems),
            topics=tuple(self.topics[place] for place in kept.tolist()),
            cells=self._cells.of_rows(numbers).kept() if isinstance(self._cells, Ragged) else self._cells[chosen],
            lengths=self.lengths[chosen],
            grade_counts=self.grade_counts[kept],
            ranked_documents=None
            if documents is None
            else tuple(documents[place].on_topics(kept) for place in places.tolist()),
            groups=None if groups is None else evolve(groups, cells=groups.cells[chosen], tied=groups.tied[chosen]),
            ties=None if self.ties is None else self.ties.of_rows(numbers),
        )

    def _as_kept(self, groups: TieGroups | None, depth: int) -> dict[str, Any]:
        """Return tie groups in the form in which these runs keep theirs."""
        if self.ties is None or groups is None:
            return {"groups": groups}
        return {"ties": KeptTies.of(groups, depth)}

    def binarised(self, rel: RationalLike | None = None) -> JudgedRuns:
        """Return the same runs with two grades alone: 1 where a document has grade `rel` or more, 0 for other grades.

        With `rel` 1 the mapping is lenient: whatever is relevant at all is relevant.

        Parameters
        ----------
        rel
            The lowest grade that counts as relevant; by default 1, or half of the highest grade if some grades are
            fractions.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(2, 0, 1, -1)], (5, 3, 1))
        >>> judged.binarised().run("s0", "t"), judged.binarised().grade_counts.tolist()
        ((1, 0, 1, -1), [[5, 4]])
        >>> judged.binarised(rel=2).run("s0", "t"), judged.binarised(rel=2).grade_counts.tolist()
        ((1, 0, 0, -1), [[8, 1]])

        References
        ----------
        [FerranteFerroFuhr2021]_, section VII
        """
        lowest = self.level_from(rel)
        relevant = self.recall_bases(lowest)
        barren, before = int((relevant == 0).sum()), int((self.recall_base == 0).sum())
        caveats = self.caveats
        if barren > before:
            named = rel if rel is not None else self.grade_name(lowest)
            text = f"{barren} of the {len(self.topics)} topics have no document of grade {named} or more"
            caveats = (*caveats, Caveat(CaveatKind.NO_RELEVANT, f"{text}; most measures score 0 there"))
        return evolve(
            self,
            cells=self._mapped(lambda cells: np.where(cells >= 0, cells >= lowest, cells).astype(np.int8)),
            grade_counts=np.stack([self.grade_counts.sum(axis=1) - relevant, relevant], axis=1),
            groups=None if self.groups is None else self.groups.binarised(lowest),
            ties=None if self.ties is None else self.ties.binarised(lowest),
            judgments=None if self.judgments is None else self.judgments.binarised(lowest),
            caveats=caveats,
            relevance=None,
        )

    def recoded(self, relevance: Relevance) -> JudgedRuns:
        """Return the same runs with their grades as places in another set, which holds them all.

        Parameters
        ----------
        relevance
            The set of grades.

        Examples
        --------
        >>> from measurand.judged import Relevance
        >>> JudgedRuns.on_one_topic([(2, 0)], (5, 2, 1)).recoded(Relevance.graded(0, "0.5", 1, 2)).cells.tolist()
        [[[3, 0]]]
        """
        places = {grade: place for place, grade in enumerate(relevance.grades)}
        table = np.array([places[gain] for gain in self.gains], dtype=cell_type(len(places) - 1))
        counts = np.zeros((len(self.topics), len(places)), dtype=self.grade_counts.dtype)
        counts[:, table] = self.grade_counts
        groups = self.groups

        def moved(cells: Cells) -> Cells:
            return np.where(cells < 0, cells, table[np.maximum(cells, 0)]).astype(table.dtype)

        return evolve(
            self,
            cells=self._mapped(moved),
            grade_counts=counts,
            judgments=None,
            relevance=relevance,
            groups=None if groups is None else evolve(groups, cells=moved(groups.cells)),
            ties=None if self.ties is None else evolve(self.ties, tails=moved(self.ties.tails)),
        )

    def level_from(self, rel: RationalLike | None = None) -> int:
        """Return the lowest grade that counts as relevant, or its code where grades are kept as codes.

        Parameters
        ----------
        rel
            The grade from which on documents count as relevant; by default that of `relevant_from`.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(2, 0)], (5, 2, 1))
        >>> judged.level_from(), judged.level_from("3/2")
        (1, 2)
        """
        if rel is None:
            return self.relevant_from
        number = None if isinstance(rel, bool) else rational(rel)
        if number is None or number <= 0:
            raise ParameterError(f"rel, the lowest grade that counts as relevant, must be above 0, not {rel!r}")
        return ceil(number) if self.relevance is None else self.relevance.level_from(number)

    def run(self, system: str, topic: str) -> tuple[int, ...]:
        """Return one judged run as cells, first rank first, without what is beyond its end.

        Parameters
        ----------
        system
            The name of the system.
        topic
            The name of the topic.
        """
        s, t = self.systems.index(system), self.topics.index(topic)
        return self.row(s, t)[: int(self.lengths[s, t])]

    def same_documents(self, a: str, b: str, depth: int | None = None) -> BoolArray | None:
        """Return where two systems have the same set of documents in the first ranks, topics × ranks.

        The order of the documents plays no part, and a run that ends has what it has. None if it was not kept which
        documents there were: for judged runs that were made from grades, or condensed.

        Parameters
        ----------
        a, b
            The names of the systems.
        depth
            How many ranks to look at; by default all.

        Examples
        --------
        >>> from measurand.judged import Judgments, Results, judge
        >>> runs = {"a": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "b": {"d2": 3.0, "d1": 2.0, "d4": 1.0}}
        >>> several = [Results.from_mapping(name, {"1": scores}) for name, scores in runs.items()]
        >>> judge(several, Judgments.from_mapping({"1": {"d1": 1}})).same_documents("a", "b").tolist()
        [[False, True, False]]
        >>> JudgedRuns.on_one_topic([(1, 0), (1, 0)], (5, 2)).same_documents("s0", "s1") is None
        True

        Notes
        -----
        Sets are compared by their size and by the sum of 64-bit fingerprints of the names: sets that differ are taken
        for one with a probability of about 5e-20. Documents of equal score stand as they do in `grades`, even if
        their order was left open.
        """
        unknown = [name for name in (a, b) if name not in self.systems]
        if unknown:
            raise ParameterError(f"there is no system {unknown[0]!r}; there is {', '.join(self.systems[:8])}")
        if self.ranked_documents is None:
            return None
        one, other = (self.ranked_documents[self.systems.index(name)] for name in (a, b))
        return one.same(other, self.depth if depth is None else min(depth, self.depth))


def check_judged(given: object) -> None:
    """Complain of anything but judged runs, in one line that says how to make them.

    Parameters
    ----------
    given
        What stands where judged runs are expected.

    Examples
    --------
    >>> check_judged("qrels.txt")
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: judged runs are expected, not str; make them with judge(["bm25.run"], "qrels.txt")
    """
    if not isinstance(given, JudgedRuns):
        kind = type(given).__name__
        raise CallError(f'judged runs are expected, not {kind}; make them with judge(["bm25.run"], "qrels.txt")')


def differing_bases(judged: JudgedRuns, lowest: int = 1, *, graded: bool = False) -> str:
    """Return in words how topics differ in what there is to be found, or nothing if they do not.

    Parameters
    ----------
    judged
        The judged runs.
    lowest
        The lowest grade that counts as relevant.
    graded
        Whether it matters how many documents of each grade there are.

    Examples
    --------
    >>> differing_bases(JudgedRuns.on_one_topic([(1, 0)], (5, 2)))
    ''
    """
    bases = judged.recall_bases(lowest)
    if not len(bases):
        return ""
    low, high = int(bases.min()), int(bases.max())
    if low < high:
        return f"the recall bases differ, from {low} to {high}"
    counts = judged.grade_counts[:, lowest:]
    if graded and (counts != counts[:1]).any():
        return "topics differ in how many documents of each grade they have"
    return ""
