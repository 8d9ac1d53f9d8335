"""The documents on the first ranks of every ranking, by name, and which of them move from one system to another.

Names repeat: on a topic most systems return the same documents. They are kept once a topic, and rankings are numbers
into them, so that a page can hold them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells, IntArray, Keys
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import JudgedRuns, Relevance
from measurand.judged.content import documents_at
from measurand.judged.documents import RankedDocuments
from measurand.judged.grades import NOTHING, grade_of
from measurand.scores import place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int32]

ABSENT = -1
"""What stands for a document where a run has none."""


@frozen(kw_only=True, eq=False, repr=False)
class ShownDocuments:
    """The documents on the first ranks of some systems.

    Parameters
    ----------
    systems, topics
        The names of systems and topics.
    names
        For each topic the names of the documents that some system has on the first ranks, each once: those of the
        first rank first, in the order of the systems, then those of the second rank, and so on.
    grades
        For each topic the grades of these documents, as cells of judged runs: negative where a document was not judged.
    places
        Where the document of a system on a topic at a rank stands in `names`, systems × topics × ranks; `ABSENT` where
        the run has ended.
    relevance
        The grades that the numbers in `grades` stand for, where these are no whole numbers.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    grades: tuple[Cells, ...]
    places: Places
    relevance: Relevance | None = None

    def __attrs_post_init__(self) -> None:
        self.places.setflags(write=False)
        for cells in self.grades:
            cells.setflags(write=False)

    def __repr__(self) -> str:
        size = f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"
        return f"<ShownDocuments: {size} × {counted(self.ranks, 'rank')}>"

    @property
    def ranks(self) -> int:
        """How many ranks of each ranking there are."""
        return int(self.places.shape[2])

    def ranking(self, system: str, topic: str) -> tuple[str, ...]:
        """Return the names of the documents of a system on a topic, first rank first.

        Parameters
        ----------
        system
            The name of the system.
        topic
            The name of the topic.
        """
        t = self._topic(topic)
        found = self.places[place_of(system, self.systems), t].tolist()
        return tuple(self.names[t][place] for place in found if place != ABSENT)

    def _topic(self, topic: str) -> int:
        if topic not in self.topics:
            raise ParameterError(f"there is no topic {topic!r}; there is {', '.join(self.topics[:8])}")
        return self.topics.index(topic)


def shown_documents(judged: JudgedRuns, ranks: int) -> ShownDocuments:
    """Return the documents on the first ranks of all systems.

    Parameters
    ----------
    judged
        Judged runs that know which documents they are of, as those of a study do.
    ranks
        How many ranks; fewer if no run is as long.

    Examples
    --------
    >>> import measurand as md
    >>> runs = {"a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, "b": {"1": {"d2": 3.0, "d4": 2.0}}}
    >>> shown = shown_documents(md.judge(runs, {"1": {"d1": 2, "d2": 0}}), 2)
    >>> shown.names, shown.grades[0].tolist()
    ((('d1', 'd2', 'd4'),), [2, 0, -1])
    >>> shown.places.tolist()
    [[[0, 1]], [[1, 2]]]
    >>> shown.ranking("b", "1")
    ('d2', 'd4')
    """
    whole_number("ranks", ranks)
    if judged.ranked_documents is None or any(each.names is None for each in judged.ranked_documents):
        raise ParameterError("it was not kept which documents these runs are of; judge them from files or frames")
    depth = min(ranks, judged.depth)
    cells = judged.first(depth)
    filled = cells != NOTHING
    keys = np.stack([_top(each, mine) for each, mine in zip(judged.ranked_documents, filled, strict=True)])
    places = np.full(filled.shape, ABSENT, dtype=np.int32)
    firsts: list[IntArray] = []
    for topic in range(len(judged.topics)):
        # rank by rank: transposed, so that what is met first stands on the best rank
        there = filled[:, topic].T
        found, numbers = _numbered(keys[:, topic].T[there])
        places[:, topic].T[there] = numbers
        firsts.append(np.flatnonzero(there)[found])
    return ShownDocuments(
        systems=judged.systems,
        topics=judged.topics,
        names=_names(judged.ranked_documents, firsts),
        grades=tuple(np.ascontiguousarray(cells[:, topic].T).reshape(-1)[first] for topic, first in enumerate(firsts)),
        places=places,
        relevance=judged.relevance,
    )


def _top(ranked: RankedDocuments, filled: BoolArray) -> Keys:
    """Return the fingerprints of the documents on the first ranks of a system, topics × ranks."""
    starts = np.cumsum(ranked.lengths) - ranked.lengths
    topic, rank = np.nonzero(filled)
    keys = np.zeros(filled.shape, dtype=np.uint64)
    keys[filled] = ranked.keys[starts[topic] + rank]
    return keys


def _numbered(keys: Keys) -> tuple[IntArray, IntArray]:
    """Return where each key stands first, in this order, and for all keys the number of that place.

    Examples
    --------
    >>> [each.tolist() for each in _numbered(np.array([9, 4, 9, 7], dtype=np.uint64))]
    [[0, 1, 3], [0, 1, 0, 2]]
    """
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(first), dtype=np.int64)
    number[order] = np.arange(len(first))
    return first[order], number[inverse]


def _names(several: Sequence[RankedDocuments], firsts: Sequence[IntArray]) -> tuple[tuple[str, ...], ...]:
    """Return the names of documents by topic, each read where it stands first: at a rank of a system."""
    starts = [np.cumsum(each.lengths) - each.lengths for each in several]
    topic = np.repeat(np.arange(len(firsts)), [len(first) for first in firsts])
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *firsts])
    rank, system = np.divmod(flat, len(several))
    found: NDArray[Any] = np.empty(len(flat), dtype=object)
    for number, ranked in enumerate(several):
        mine = np.flatnonzero(system == number)
        if len(mine) and ranked.names is not None:
            found[mine] = list(documents_at(ranked.names, starts[number][topic[mine]] + rank[mine]))
    bounds = np.cumsum([len(first) for first in firsts])[:-1]
    return tuple(tuple(part.tolist()) for part in np.split(found, bounds))


class Move(StrEnum):
    """What became of a document from one system to another."""

    IN = "in"
    OUT = "out"
    UP = "up"
    DOWN = "down"
    SAME = "same"


@frozen
class MovedDocument:
    """A document on the first ranks of one system or of another.

    Parameters
    ----------
    name
        Its name.
    grade
        Its grade; None if it was not judged.
    move
        What became of it.
    before, after
        Its rank in the one system and in the other; None where it is not among the ranks that are shown.
    """

    name: str
    grade: int | Fraction | None
    move: Move
    before: int | None
    after: int | None


@frozen(kw_only=True, eq=False, repr=False)
class MovedDocuments(Result):
    """Which documents move from one system to another on a topic.

    Parameters
    ----------
    a, b
        The systems: documents move from the ranking of the first to that of the second.
    topic
        The topic.
    cutoff
        The last rank that is looked at.
    documents
        The documents on the first ranks of either: those that come in, go out, move up, move down and stay, each kind
        by rank.
    """

    a: str
    b: str
    topic: str
    cutoff: int
    documents: tuple[MovedDocument, ...]

    def those(self, move: str) -> tuple[MovedDocument, ...]:
        """Return the documents of which one thing became.

        Parameters
        ----------
        move
            "in", "out", "up", "down" or "same".
        """
        return tuple(each for each in self.documents if each.move == Move(move))

    def document(self) -> Document:
        """Return the documents that move, a row each, and how many stay."""
        moving = [each for each in self.documents if each.move is not Move.SAME]
        columns = [
            Column("move", lambda row: str(row.move), left=True),
            Column("document", lambda row: row.name, left=True),
            valued("grade", lambda row: row.grade, _or_dash),
            valued(f"rank in {self.a}", lambda row: row.before, _or_dash),
            valued(f"rank in {self.b}", lambda row: row.after, _or_dash),
        ]
        title = f"From {self.a} to {self.b} on topic {self.topic}, first {counted(self.cutoff, 'rank')}"
        stay = len(self.documents) - len(moving)
        return Document([TableView(columns, moving, title=title), f"{counted(stay, 'document')} at the same rank."])


def _or_dash(value: int | None) -> str:
    return "–" if value is None else str(value)


def moved_documents(shown: ShownDocuments, a: str, b: str, topic: str, cutoff: int | None = None) -> MovedDocuments:
    """Return which documents move from the ranking of a system to that of another on a topic.

    Looked at are the documents within the first `cutoff` ranks of either system. One that only the second has there
    comes *in*, one that only the first has there goes *out*; one that both have there moves *up* if its rank in the
    second is better (a smaller number), *down* if it is worse, and else stays the *same*.

    Parameters
    ----------
    shown
        The documents on the first ranks.
    a, b
        The names of the two systems.
    topic
        The name of the topic.
    cutoff
        The last rank that counts, up to the ranks that are shown; by default all of these.

    Examples
    --------
    >>> import measurand as md
    >>> runs = {"a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, "b": {"1": {"d2": 3.0, "d4": 2.0, "d1": 1.0}}}
    >>> shown = shown_documents(md.judge(runs, {"1": {"d1": 2, "d2": 0}}), 3)
    >>> moved = moved_documents(shown, "a", "b", "1", cutoff=2)
    >>> [(each.name, str(each.move), each.before, each.after, each.grade) for each in moved.documents]
    [('d4', 'in', None, 2, None), ('d1', 'out', 1, 3, 2), ('d2', 'up', 2, 1, 0)]
    """
    last = shown.ranks if cutoff is None else whole_number("cutoff", cutoff)
    if last > shown.ranks:
        raise ParameterError(f"cutoff {last} is beyond the {counted(shown.ranks, 'rank')} that are shown; show more")
    t = shown._topic(topic)
    before, after = (_ranks_of(shown.places[place_of(system, shown.systems), t]) for system in (a, b))
    found = []
    for place in dict.fromkeys((*before, *after)):
        one, other = before.get(place), after.get(place)
        move = _move(one, other, last)
        if move is not None:
            grade = int(shown.grades[t][place])
            known = None if grade < 0 else grade_of(grade, shown.relevance)
            found.append(MovedDocument(shown.names[t][place], known, move, one, other))
    order = list(Move)
    found.sort(key=lambda each: (order.index(each.move), _rank_in_order(each)))
    return MovedDocuments(a=a, b=b, topic=topic, cutoff=last, documents=tuple(found))


def _ranks_of(places: Places) -> dict[int, int]:
    """Return the rank of each document that a ranking has."""
    return {place: rank for rank, place in enumerate(places.tolist(), 1) if place != ABSENT}


def _move(before: int | None, after: int | None, cutoff: int) -> Move | None:
    """Return what became of a document, from its ranks; None if it is below the cutoff in both.

    Examples
    --------
    >>> _move(3, 1, 5), _move(None, 5, 5), _move(7, None, 5) is None
    (<Move.UP: 'up'>, <Move.IN: 'in'>, True)
    """
    was, is_there = (rank is not None and rank <= cutoff for rank in (before, after))
    if before is not None and after is not None and was and is_there:
        return Move.SAME if before == after else Move.UP if after < before else Move.DOWN
    if was or is_there:
        return Move.OUT if was else Move.IN
    return None


def _rank_in_order(moved: MovedDocument) -> int:
    """Return the rank that documents of one kind stand by: where it is now, or where it was if it went out."""
    rank = moved.before if moved.move is Move.OUT else moved.after
    return rank or 0
