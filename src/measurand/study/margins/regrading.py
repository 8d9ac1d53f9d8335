"""Other grades: which judgments of two systems' documents can change, what a change does, and changes as a certificate.

A *move* gives a judged document another grade. Documents that a measure does not see in either run matter through the
number of documents of each grade alone; those of one grade are interchangeable, and so are documents that a counting
measure sees in the same runs. They are one *kind*, with room for as many moves as there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.exact import decimal
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.around import innermost
from measurand.measures.catalogue import is_own
from measurand.measures.counting import Counting
from measurand.study.margins.documents import is_condensing

if TYPE_CHECKING:
    from measurand.judged import JudgedRuns
    from measurand.study.margins.documents import PairDocuments

AT_ONCE = 2**22
"""So many grades are looked at at a time."""

CLOSE = 1e-12
"""Numbers that are closer than that may be the same: exact numbers tell them apart where there are any."""

MANY_GRADES = 16
"""With so many grades or more, a judgment is changed to the lowest and to the highest alone."""

OUTSIDE = -1
"""Stands for a document that neither system returned within the ranks that are kept."""


@frozen
class Change:
    """One judgment, with the grade that it has and another.

    Parameters
    ----------
    topic, document
        Their names; None for a document whose name was not kept.
    rank_ahead, rank_behind
        Where the better system and the other returned it; None where a system did not.
    grade
        The grade that it has.
    other_grade
        The grade that it is given.
    """

    topic: str
    document: str | None
    rank_ahead: int | None
    rank_behind: int | None
    grade: int | Fraction
    other_grade: int | Fraction

    def __str__(self) -> str:
        ranks = [str(rank) if rank else "–" for rank in (self.rank_ahead, self.rank_behind)]
        name = self.document or "a document"
        change = f"{decimal(self.grade)} → {decimal(self.other_grade)}"
        return f"topic {self.topic}, {name} (ranks {' and '.join(ranks)}): {change}"


@frozen
class Step:
    """One change by places: of the topic and of the document, `OUTSIDE` for one that neither system returned."""

    topic: int
    document: int
    old: int
    new: int


@frozen(eq=False, repr=False)
class Regrading(Result):
    """Judgments that are given other grades, so that a conclusion is overturned.

    Parameters
    ----------
    changes : tuple of Change
        The judgments.
    """

    changes: tuple[Change, ...]
    _steps: tuple[Step, ...]
    _documents: Any

    @classmethod
    def of(cls, documents: PairDocuments, steps: Sequence[Step]) -> Regrading:
        """Return changes with the names and the ranks of their documents.

        Parameters
        ----------
        documents
            The documents of two systems.
        steps
            The changes by places.
        """
        ordered = tuple(sorted(steps, key=lambda step: (step.topic, step.document < 0, step.document)))
        return cls(changes_of(documents, ordered), ordered, documents)

    def __len__(self) -> int:
        return len(self.changes)

    @property
    def outside(self) -> int:
        """How many of them are of documents that neither system returned within the ranks that the measure sees."""
        return sum(step.document == OUTSIDE for step in self._steps)

    def apply(self) -> JudgedRuns:
        """Return the judged runs of both systems, the better first, with the other grades."""
        inside: dict[int, dict[int, int]] = {}
        outside: dict[int, list[tuple[int, int]]] = {}
        for step in self._steps:
            if step.document == OUTSIDE:
                outside.setdefault(step.topic, []).append((step.old, step.new))
            else:
                inside.setdefault(step.topic, {})[step.document] = step.new
        changed: JudgedRuns = self._documents.changed(inside, outside)
        return changed

    def overturns(self) -> bool:
        """Return whether the conclusion is untrue once the grades are applied and the topics scored again."""
        pair, places = self._documents.pair, sorted({step.topic for step in self._steps})
        if not places:
            return not pair.holds
        part = self.apply().part(pair.judged.systems, places)
        found = evolve(pair, judged=part, scores=pair.measure.scores(part))
        if pair.exact is not None and found.exact is not None:
            sides = [list(side) for side in pair.exact]
            for side, values in zip(sides, found.exact, strict=True):
                for place, value in zip(places, values, strict=True):
                    side[place] = value
            return bool(pair.overturned_exactly(*sides))
        goodness = pair.goodness.copy()
        goodness[:, places] = found.goodness
        return bool(pair.overturned(goodness))

    def document(self) -> Document:
        """Return the judgments, a row each."""
        pair = self._documents.pair
        return Document([changes_view(self.changes, pair.ahead, pair.behind, counted(len(self), "judgment"))])


def changes_of(documents: PairDocuments, steps: Sequence[Step]) -> tuple[Change, ...]:
    """Return changes with the names and the ranks of their documents.

    Parameters
    ----------
    documents
        The documents of two systems.
    steps
        The changes by places.
    """
    outside: dict[tuple[int, int], list[str]] = {}
    changes, grade_of = [], documents.pair.judged.grade_of
    for step in steps:
        grades = grade_of(step.old), grade_of(step.new)
        topic, place = documents.pair.topics[step.topic], (step.topic, step.old)
        if step.document == OUTSIDE:
            if place not in outside:
                outside[place] = documents.outside_names(*place)[::-1]
            name = outside[place].pop() if outside[place] else None
            changes.append(Change(topic, name, None, None, *grades))
            continue
        first, second = documents.topics[step.topic].ranks[:, step.document].tolist()
        name = documents.name(step.topic, step.document)
        changes.append(Change(topic, name, first or None, second or None, *grades))
    return tuple(changes)


def changes_view(rows: Sequence[Any], ahead: str, behind: str, title: str, *more: Column) -> TableView:
    """Return changes of judgments as a table.

    Parameters
    ----------
    rows
        The changes.
    ahead, behind
        The names of the two systems.
    title
        What the table is of.
    *more
        Further columns.
    """
    columns = (
        *place_columns(ahead, behind),
        valued("grade", lambda row: row.grade, decimal),
        valued("other grade", lambda row: row.other_grade, decimal, key="other_grade"),
        *more,
    )
    return TableView(columns, rows, title=title)


def place_columns(ahead: str, behind: str) -> tuple[Column, ...]:
    """Return the columns that say which document of which topic stands where.

    Parameters
    ----------
    ahead, behind
        The names of the two systems.
    """
    return (
        Column("topic", lambda row: row.topic, left=True),
        Column("document", lambda row: row.document or "a document", left=True, value=lambda row: row.document),
        valued(f"rank in {ahead}", lambda row: row.rank_ahead, _or_dash, key="rank_ahead"),
        valued(f"rank in {behind}", lambda row: row.rank_behind, _or_dash, key="rank_behind"),
    )


def effect_columns() -> tuple[Column, ...]:
    """Return the columns that say what a document does alone, and whether it is in the certificate."""
    return (
        valued("effect", lambda row: row.effect, "{:+.4f}".format),
        valued("certificate", lambda row: row.in_certificate, _or_nothing, key="in_certificate"),
    )


def _or_nothing(there: bool) -> str:
    return "yes" if there else ""


def _or_dash(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


@frozen(eq=False, slots=False)
class Moves:
    """Every change of one judgment of a topic that a measure may notice.

    Parameters
    ----------
    topic
        The place of the topic.
    kinds
        For each move, whose judgments it changes.
    olds, news
        For each move the grade that documents have and the grade that they are given.
    room
        For each kind, how many judgments there are.
    members
        The places of the documents, kind after kind, `OUTSIDE` for those that neither system returned.
    """

    topic: int
    kinds: IntArray
    olds: IntArray
    news: IntArray
    room: IntArray
    members: IntArray

    def __len__(self) -> int:
        return len(self.kinds)

    @cached_property
    def starts(self) -> IntArray:
        """Where the members of each kind begin."""
        return np.asarray(np.cumsum(self.room) - self.room)

    def places(self, chosen: IntArray) -> IntArray:
        """Return which document each chosen move changes; moves of one kind in a row change different ones.

        Parameters
        ----------
        chosen
            Variants × moves.
        """
        alone = bool((self.room[self.kinds[chosen]] == 1).all())
        nth = 0 if alone else self.occurrences(chosen)
        return np.asarray(self.members[self.starts[self.kinds[chosen]] + nth])

    @property
    def judgments(self) -> int:
        """How many judgments can change."""
        return int(self.room.sum())

    def occurrences(self, chosen: IntArray) -> IntArray:
        """Return for each chosen move how many moves of its kind stand before it in its row.

        Parameters
        ----------
        chosen
            Variants × moves.
        """
        kinds = self.kinds[chosen]
        earlier = [(kinds[:, :place] == kinds[:, place, None]).sum(axis=1) for place in range(chosen.shape[1])]
        return np.stack(earlier, axis=1) if earlier else np.zeros(chosen.shape, dtype=np.int64)

    def allowed(self, chosen: IntArray) -> BoolArray:
        """Return which variants change no judgment twice.

        Parameters
        ----------
        chosen
            Variants × moves.
        """
        if not chosen.size:
            return np.ones(len(chosen), dtype=bool)
        return np.asarray((self.occurrences(chosen) < self.room[self.kinds[chosen]]).all(axis=1))

    def steps(self, chosen: Sequence[int] | IntArray) -> tuple[Step, ...]:
        """Return some moves as changes of different documents.

        Parameters
        ----------
        chosen
            The moves.
        """
        row = np.asarray(chosen, dtype=np.int64)[None]
        places = self.places(row)[0].tolist()
        olds, news = self.olds[row[0]].tolist(), self.news[row[0]].tolist()
        return tuple(Step(self.topic, *step) for step in zip(places, olds, news, strict=True))

    def falls(self, documents: PairDocuments, chosen: IntArray) -> FloatArray:
        """Return by how much the difference of a topic falls with each of some variants.

        Parameters
        ----------
        documents
            The documents of two systems.
        chosen
            Variants × moves.
        """
        size = max(1, AT_ONCE // max(1, len(documents.topics[self.topic])))
        before = float(documents.pair.differences[self.topic])
        parts = [self._values(documents, chosen[start : start + size]) for start in range(0, len(chosen), size)]
        return np.concatenate([np.empty(0), *(before - (part[:, 0] - part[:, 1]) for part in parts)])

    def falls_along(self, documents: PairDocuments, path: IntArray, sizes: Sequence[int]) -> FloatArray:
        """Return by how much the difference of a topic falls with so many moves from the beginning of a path.

        Parameters
        ----------
        documents
            The documents of two systems.
        path
            Moves, which change no judgment twice.
        sizes
            How many of them.
        """
        here, kinds = documents.topics[self.topic], self.kinds[path]
        nth, ordered = np.empty(len(path), dtype=np.int64), np.argsort(kinds, kind="stable")
        _, first, number = np.unique(kinds[ordered], return_index=True, return_counts=True)
        nth[ordered] = np.arange(len(path)) - np.repeat(first, number)
        places, olds, news = self.members[self.starts[kinds] + nth], self.olds[path], self.news[path]
        cells = np.repeat(here.cells[None], len(sizes), axis=0)
        counts, inside = np.repeat(here.counts[None], len(sizes), axis=0), places != OUTSIDE
        for row, size in enumerate(sizes):
            cells[row, places[:size][inside[:size]]] = news[:size][inside[:size]]
        every, more = np.arange(len(path)), np.zeros((2, len(path) + 1, len(here.counts)), dtype=np.int64)
        for place, which in enumerate((inside, ~inside)):
            np.add.at(more[place], (every[which] + 1, news[which]), 1)
            np.add.at(more[place], (every[which] + 1, olds[which]), -1)
        for change in np.cumsum(more, axis=1)[:, list(sizes)]:
            counts = np.maximum(0, counts + change)
        values = documents.values(self.topic, cells, counts)
        return np.asarray(float(documents.pair.differences[self.topic]) - (values[:, 0] - values[:, 1]))

    def _values(self, documents: PairDocuments, chosen: IntArray) -> FloatArray:
        """Return the values of both systems with the moves of each variant."""
        here, rows = documents.topics[self.topic], np.arange(len(chosen))
        cells = np.repeat(here.cells[None], len(chosen), axis=0)
        counts = np.repeat(here.counts[None], len(chosen), axis=0)
        outside = np.zeros_like(counts)
        places = self.places(chosen)
        for column in range(chosen.shape[1]):
            place, old, new = places[:, column], self.olds[chosen[:, column]], self.news[chosen[:, column]]
            inside = place != OUTSIDE
            cells[rows[inside], place[inside]] = new[inside]
            for which, number in ((inside, counts), (~inside, outside)):
                number[rows[which], old[which]] -= 1
                number[rows[which], new[which]] += 1
        return documents.values(self.topic, cells, np.maximum(0, counts) + outside)


def counts_judgments(measure: Measure) -> bool:
    """Return whether a measure depends on how many judged documents of each grade there are.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import AP, RR
    >>> counts_judgments(AP @ 10), counts_judgments(RR)
    (True, False)
    """
    # what is around a measure and not of this package may say less than it does
    several = [measure] if is_own(measure) else [measure, innermost(measure)]
    return any(each.uses_recall_base or each.needs_grade_counts for each in several)


def seen_ranks(documents: PairDocuments, topic: int) -> IntArray:
    """Return the ranks of a topic's documents as a measure counts them, 0 where it does not see one, 2 × documents.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    """
    pair, here = documents.pair, documents.topics[topic]
    ranks = here.ranks
    if pair.judged.groups is not None:
        return np.where(here.cells >= 0, ranks, 0) if is_condensing(pair.measure) else ranks
    if is_condensing(pair.measure):
        there = np.where(here.cells >= 0, ranks, 0)
        # the place among those that are left; 0 stays 0
        ranks = np.where(there > 0, _ordinals(there), 0)
    return np.where(ranks <= pair.measure.reach(pair.judged.depth), ranks, 0)


def _ordinals(ranks: IntArray) -> IntArray:
    """Return for each rank how many positive ranks of its row are as high or higher."""
    return np.stack([np.searchsorted(np.sort(row[row > 0]), row, side="right") for row in ranks])


def moves_of(documents: PairDocuments, topic: int) -> Moves:
    """Return every change of one judgment of a topic that a measure may notice.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.margins.documents import pair_documents
    >>> from measurand.study.margins.pair import compared_pair
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 3))
    >>> moves = moves_of(pair_documents(compared_pair(judged, "AP", "s0", "s1")), 0)
    >>> moves.olds.tolist(), moves.room.tolist()
    ([1, 0, 0, 1, 0, 1], [1, 1, 1, 1, 3, 1])
    """
    pair, here, ranks = documents.pair, documents.topics[topic], seen_ranks(documents, topic)
    judged, seen = here.cells >= 0, (ranks > 0).any(axis=0)
    members = np.flatnonzero(judged & seen)
    room = np.ones(len(members), dtype=np.int64)
    if _is_alike(pair.measure) and pair.judged.groups is None:
        roles = (here.cells[members].astype(np.int64) * 2 + (ranks[0, members] > 0)) * 2 + (ranks[1, members] > 0)
        members = members[np.argsort(roles, kind="stable")]
        room = np.unique(roles, return_counts=True)[1]
    grades = here.cells[members][np.cumsum(room) - room].astype(np.int64)
    if counts_judgments(pair.measure):
        for grade in range(len(here.counts)):
            others = np.flatnonzero(judged & ~seen & (here.cells == grade))
            size = len(others) + int(here.outside[grade])
            if size:
                members = np.concatenate((members, others, np.full(size - len(others), OUTSIDE)))
                room, grades = np.append(room, size), np.append(grades, grade)
    targets = _targets(pair.measure, documents.grades[-1])
    width = max(map(len, targets))
    # a row of grades for each that a document can have, and how many of them there are
    table = np.array([[*row, *[0] * (width - len(row))] for row in targets], dtype=np.int64).reshape(-1, width)
    sizes = np.array([len(row) for row in targets], dtype=np.int64)[grades]
    kinds = np.repeat(np.arange(len(room)), sizes)
    nth = np.arange(len(kinds)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return Moves(topic, kinds, grades[kinds], table[grades[kinds], nth], room, members)


def _targets(measure: Measure, highest: int) -> list[list[int]]:
    """Return for every grade the grades that a measure distinguishes from it, one of each sort."""
    every = range(highest + 1)
    if not tells_two_grades(measure):
        others = every if highest < MANY_GRADES else (0, highest)
        return [[new for new in others if new != old] for old in every]
    # the nearest grade on the other side
    rel = measure.lowest
    found = [[rel] if old < rel else [rel - 1] for old in every]
    return [[new for new in each if new <= highest] for each in found]


def tries_all_grades(documents: PairDocuments) -> bool:
    """Return whether changes to all other grades are looked at, so that no other change can do more.

    Under a sum of gains that never fall with the grade, the lowest and the highest grade do the most.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    measure = documents.pair.measure
    rising = isinstance(measure, Additive) and is_own(measure) and not measure.needs_grade_counts
    falling = isinstance(gain := measure.parameters().get("gain"), str) and "=" in gain
    return len(documents.grades) <= MANY_GRADES or tells_two_grades(measure) or (rising and not falling)


def tells_two_grades(measure: Measure) -> bool:
    """Return whether it is certain that a measure knows relevant documents and others, and nothing between.

    Parameters
    ----------
    measure
        The measure.
    """
    inside = innermost(measure)
    plain = not any(each.graded or each.needs_grade_counts for each in (measure, inside))
    return plain and is_own(measure) and is_own(inside)


def _is_alike(measure: Measure) -> bool:
    """Return whether documents that stand in the same runs are interchangeable."""
    return isinstance(measure, Counting) and is_own(measure) and type(measure).ranks is Counting.ranks


def counts_fit(documents: PairDocuments) -> bool:
    """Return whether the numbers of judged documents are no smaller than those that stand in the runs.

    They may be where the same documents are taken for different ones.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    return all(
        (np.bincount(here.cells[here.judged], minlength=len(here.counts)) + here.outside == here.counts).all()
        for here in documents.topics
    )
