"""Which document stands where in the runs of two systems, and what a measure makes of other grades.

A document that both systems returned is one document: its grade changes in both runs at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import Cells, FloatArray, IntArray, Keys
from measurand.judged import NOTHING, JudgedRuns
from measurand.judged.grades import cells_of_grades
from measurand.judged.tie_groups import TieGroups
from measurand.measures import Measure
from measurand.measures.around import AroundMeasure
from measurand.measures.exact_ties import floats
from measurand.measures.ties.over_ties import floats_on_ties
from measurand.study.margins.pair import ComparedPair

AT_ONCE = 2**22
"""So many grades are looked at at a time."""

MANY = 10_000
"""On more topics documents are not looked at one by one: that takes minutes, and more than twice as long for twice."""

FEW_GRADES = 16
"""So many grades are counted one after the other; of more of them, the documents that change their grades are."""

Changes = Mapping[int, Mapping[int, int]]
"""New grades: for the place of a topic, the grades of documents by their places."""

OutsideChanges = Mapping[int, Sequence[tuple[int, int]]]
"""Other grades of documents that neither system returned: for the place of a topic, pairs of an old and a new grade."""


@frozen(eq=False)
class TopicDocuments:
    """The documents of one topic that one of two systems returned within the ranks that a measure sees.

    Parameters
    ----------
    cells
        The grade of each document, or a negative code where it was not judged.
    ranks
        2 × documents: the rank of each in the run of the better system and in that of the other, from 1; 0 where a
        system did not return it.
    counts
        How many judged documents of each grade the topic has.
    outside
        How many of them are not among the documents here.
    places
        2 × documents: where the names of documents stand among those of each system's run; -1 where it did not return
        it.
    """

    cells: Cells
    ranks: IntArray
    counts: IntArray
    outside: IntArray
    places: IntArray

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def judged(self) -> IntArray:
        """The places of the documents that were judged."""
        return np.flatnonzero(self.cells >= 0)

    @property
    def unjudged(self) -> IntArray:
        """The places of the documents that were not judged."""
        return np.flatnonzero(self.cells < 0)


@frozen(eq=False, slots=False)
class PairDocuments:
    """The documents of two systems, topic by topic, and what a measure makes of other grades.

    Parameters
    ----------
    pair : ComparedPair
        The two systems under the measure.
    topics : tuple of TopicDocuments
        The documents of each topic; none if they are not looked at.
    known : bool
        Whether it is known which documents are the same in both runs. If not, all are taken for different ones.
    """

    pair: ComparedPair
    topics: tuple[TopicDocuments, ...]
    known: bool

    @property
    def not_looked_at(self) -> str | None:
        """Why documents are not looked at one by one, in a sentence; None if they are."""
        if self.pair.judged.stored:
            return "not looked for: scores were stored without the names of documents"
        topics = len(self.pair.topics)
        return f"not looked for on {topics:,} topics, only on up to {MANY:,}" if topics > MANY else None

    @property
    def ranks(self) -> int:
        """How many ranks the measure looks at."""
        return ranks_seen(self.pair)

    def counts_of(self, topic: int, cells: Cells) -> IntArray:
        """Return how many judged documents of each grade a topic has if its documents have other grades.

        Parameters
        ----------
        topic
            The place of the topic.
        cells
            Variants × documents: the grades, negative where a document was not judged.
        """
        here = self.topics[topic]
        number = len(here.counts)
        if number <= FEW_GRADES:
            more = [(cells == grade).sum(axis=1) - np.count_nonzero(here.cells == grade) for grade in range(number)]
            found = here.counts + np.stack(more, axis=1)
        else:
            found = np.tile(here.counts, (len(cells), 1))
            variant, document = np.nonzero(cells != here.cells)
            for grades, change in ((cells[variant, document], 1), (here.cells[document], -1)):
                counted = (grades >= 0) & (grades < number)
                np.add.at(found, (variant[counted], grades[counted]), change)
        # where the same documents are taken for different ones, there may be more of them than judgments
        return np.asarray(np.maximum(0, found))

    def values(self, topic: int, cells: Cells, counts: IntArray | None = None) -> FloatArray:
        """Return what both systems score on a topic if its documents have other grades, variants × 2, higher is better.

        Parameters
        ----------
        topic
            The place of the topic.
        cells
            Variants × documents: the grades, negative where a document was not judged.
        counts
            Variants × grades: how many judged documents of each grade there are then. By default those that neither
            system returned keep their grades, and those that were not judged are counted if they have a grade.
        """
        given = (
            self.counts_of(topic, cells) if counts is None else np.broadcast_to(counts, (len(cells), counts.shape[-1]))
        )
        size = max(1, AT_ONCE // max(1, 2 * self.ranks))
        parts = [
            self._values(topic, cells[start : start + size], given[start : start + size])
            for start in range(0, len(cells), size)
        ]
        return np.concatenate([np.empty((0, 2)), *parts])

    def _values(self, topic: int, cells: Cells, counts: IntArray) -> FloatArray:
        judged, measure = self._runs(topic, cells, counts), self.pair.measure
        # what is too close to call is decided by exact values elsewhere
        found = floats(measure, judged) if judged.groups is None else floats_on_ties(measure, judged)
        return np.asarray(-found.T if self.pair.scores.lower_is_better else found.T)

    def _runs(self, topic: int, cells: Cells, counts: IntArray) -> JudgedRuns:
        """Return the runs of both systems, with every variant of a topic as a topic."""
        judged, ranks = self.pair.judged, self.ranks
        runs = np.repeat(judged.cells[:, topic : topic + 1, :ranks], len(cells), axis=1)
        self._put(runs, topic, cells)
        groups = judged.groups
        if groups is not None:
            # tied documents beyond the depth keep their grades
            whole = np.repeat(groups.cells[:, topic : topic + 1], len(cells), axis=1)
            whole[:, :, :ranks] = runs
            groups = TieGroups(whole, np.repeat(groups.tied[:, topic : topic + 1], len(cells), axis=1), groups.over)
        return JudgedRuns(
            systems=judged.systems,
            topics=tuple(map(str, range(len(cells)))),
            cells=runs,
            lengths=np.repeat(np.minimum(judged.lengths[:, topic : topic + 1], ranks), len(cells), axis=1),
            grade_counts=np.ascontiguousarray(counts),
            groups=groups,
            judged_documents=judged.judged_documents,
            grade_scale=judged.grade_scale,
            relevance=judged.relevance,
        )

    def _put(self, runs: Cells, topic: int, cells: Cells) -> None:
        """Write grades of documents into the runs of both systems, systems × variants × ranks."""
        for system, ranks in enumerate(self.topics[topic].ranks):
            there = np.flatnonzero((ranks > 0) & (ranks <= runs.shape[2]))
            if len(there) < runs.shape[2]:
                runs[system][:, ranks[there] - 1] = cells[:, there]
                continue
            # a document on every rank: quicker to take than to put
            at = np.empty(len(there), dtype=np.intp)
            at[ranks[there] - 1] = there
            runs[system] = np.take(cells, at, axis=1)

    def changed(self, changes: Changes, outside: OutsideChanges | None = None, *, counted: bool = True) -> JudgedRuns:
        """Return the judged runs of both systems with other grades.

        Parameters
        ----------
        changes
            The new grades of documents.
        outside
            Those of documents that neither system returned.
        counted
            Whether the numbers of judged documents change as well.
        """
        judged = self.pair.judged
        cells, counts = judged.cells.copy(), judged.grade_counts.copy()
        for topic, grades in changes.items():
            new = self.topics[topic].cells.copy()
            new[list(grades)] = list(grades.values())
            self._put(cells[:, topic : topic + 1], topic, new[None])
            if counted:
                counts[topic] = self.counts_of(topic, new[None])[0]
        for topic, pairs in (outside or {}).items():
            for old, now in pairs:
                counts[topic, old] -= 1
                counts[topic, now] += 1
        groups = judged.groups
        if groups is not None:
            whole = groups.cells.copy()
            whole[:, :, : judged.depth] = cells
            groups = evolve(groups, cells=whole)
        return evolve(judged, cells=cells, grade_counts=counts, groups=groups, ties=None, judgments=None)

    def name(self, topic: int, document: int) -> str | None:
        """Return the name of a document; None if names were not kept.

        Parameters
        ----------
        topic
            The place of the topic.
        document
            The place of the document.
        """
        ranked = self.pair.judged.ranked_documents
        if ranked is None:
            return None
        for one, place in zip(ranked, self.topics[topic].places[:, document].tolist(), strict=True):
            if place >= 0 and one.names is not None:
                return str(one.names[place])
        return None

    def outside_names(self, topic: int, grade: int) -> list[str]:
        """Return the names of the judged documents of a grade that neither system returned, as far as they were kept.

        Parameters
        ----------
        topic
            The place of the topic.
        grade
            Their grade.
        """
        judgments = self.pair.judged.judgments
        if judgments is None or not self.known:
            return []
        name = self.pair.topics[topic]
        cells = cells_of_grades(judgments.codes[judgments.rows(name)])
        here = {self.name(topic, document) for document in range(len(self.topics[topic]))}
        every = zip(judgments.documents_of(name), cells.tolist(), strict=True)
        return [document for document, found in every if found == grade and document not in here]

    @property
    def grades(self) -> tuple[int, ...]:
        """The grades that a document can have: 0 to the highest that any judgment of the campaign gave."""
        return tuple(range(self.pair.judged.grade_counts.shape[1]))


def is_condensing(measure: Measure) -> bool:
    """Return whether a measure removes documents that were not judged.

    Parameters
    ----------
    measure
        The measure, which another one may be around of.
    """
    while isinstance(measure, AroundMeasure) and not measure.judged_only:
        measure = measure.measure
    return measure.judged_only


def ranks_seen(pair: ComparedPair) -> int:
    """Return how many ranks a measure looks at in the runs of two systems.

    Parameters
    ----------
    pair
        The two systems under the measure.
    """
    judged, measure = pair.judged, pair.measure
    # documents without judgment are removed before a run is cut, and a tied document may stand anywhere in its group
    if is_condensing(measure) or judged.groups is not None:
        return judged.depth
    return measure.reach(judged.depth)


def pair_documents(pair: ComparedPair) -> PairDocuments:
    """Return which document stands where in the runs of two systems.

    Parameters
    ----------
    pair
        The two systems under a measure.

    Examples
    --------
    >>> import measurand as md
    >>> from measurand.study.margins.pair import compared_pair
    >>> runs = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d3": 1.0}}}
    >>> judged = md.judge(runs, {"1": {"d1": 1, "d4": 1}})
    >>> documents = pair_documents(compared_pair(judged, "RR", "a", "b"))
    >>> [here] = documents.topics
    >>> here.cells.tolist(), here.ranks.tolist(), here.outside.tolist()
    ([1, -1, -1], [[1, 2, 0], [0, 1, 2]], [0, 1])
    >>> documents.name(0, 2), documents.outside_names(0, 1)
    ('d3', ['d4'])
    >>> documents.values(0, np.array([[1, 0, 0], [0, 1, 0]])).tolist()
    [[1.0, 0.0], [0.5, 1.0]]
    """
    ranked = pair.judged.ranked_documents
    if pair.judged.stored or len(pair.topics) > MANY:
        return PairDocuments(pair, (), ranked is not None)
    seen = ranks_seen(pair)
    topics = []
    starts = None if ranked is None else [np.cumsum(each.lengths) - each.lengths for each in ranked]
    for topic in range(len(pair.topics)):
        lengths = pair.judged.lengths[:, topic]
        first = [0, 0] if starts is None else [int(start[topic]) for start in starts]
        if ranked is None:
            keys = [np.arange(lengths[0]), lengths[0] + np.arange(lengths[1])]
        else:
            keys = [one.keys[at : at + size] for one, at, size in zip(ranked, first, lengths.tolist(), strict=True)]
        topics.append(_joined(pair.judged, topic, keys, first, seen))
    return PairDocuments(pair, tuple(topics), ranked is not None)


def _joined(
    judged: JudgedRuns, topic: int, keys: Sequence[Keys | IntArray], first: Sequence[int], seen: int
) -> TopicDocuments:
    """Return the documents of a topic: those of the better system by rank, then those of the other system alone."""
    _, where, which = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
    # numbered in the order in which they are first met
    number = np.empty(len(where), dtype=np.int64)
    number[np.argsort(where)] = np.arange(len(where))
    ranks, places = np.zeros((2, len(where)), dtype=np.int64), np.full((2, len(where)), -1)
    cells = np.full(len(where), NOTHING, dtype=judged.rows.values.dtype)
    parts = np.split(number[which], [len(keys[0])])
    for system, part in enumerate(parts):
        ranks[system, part] = np.arange(1, len(part) + 1)
        places[system, part] = first[system] + np.arange(len(part))
        cells[part] = judged.kept_row(system, topic)[: len(part)]
    kept = np.flatnonzero(((ranks > 0) & (ranks <= seen)).any(axis=0))
    counts = judged.grade_counts[topic]
    known = np.bincount(cells[kept][cells[kept] >= 0], minlength=len(counts))
    return TopicDocuments(cells[kept], ranks[:, kept], counts, np.maximum(0, counts - known), places[:, kept])
