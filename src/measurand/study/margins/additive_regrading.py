"""Other grades under a sum of discounts times gains, such as P, RBP and DCG.

Every change counts for itself, whatever else changes: the fewest changes that overturn an order are the largest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.exact import Exact
from measurand.judged import Pool
from measurand.measures.additive import Additive, cached_weight
from measurand.measures.catalogue import is_own
from measurand.study.level_classes import Level, is_divided_alike, is_sum_of_gains, level_of
from measurand.study.margins.regrading import CLOSE, Moves, moves_of, seen_ranks
from measurand.study.margins.regrading_tables import TopicTable

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments


@frozen(eq=False, slots=False)
class Worth:
    """What a document is worth at a rank: a discount times a gain, on every topic alike.

    Parameters
    ----------
    discount
        The exact discount of a rank.
    discounts
        The discounts as floats: 0 for a document that is not seen, then those of the ranks.
    gains
        What each grade is worth, exactly.
    sign
        -1 where lower values are better.
    """

    discount: Callable[[int], Exact]
    discounts: FloatArray
    gains: tuple[Exact, ...]
    sign: int

    @cached_property
    def floats(self) -> FloatArray:
        """What each grade is worth, as floats."""
        return np.array([float(gain) for gain in self.gains])

    def net(self, ranks: IntArray) -> FloatArray:
        """Return the discount in the better run minus that in the other.

        Parameters
        ----------
        ranks
            2 × documents; 0 where one is not seen.
        """
        return np.asarray(self.sign * (self.discounts[ranks[0]] - self.discounts[ranks[1]]))

    def exact_fall(self, first: int, second: int, old: int, new: int) -> Fraction:
        """Return by how much a difference falls if a document at two ranks has another grade, for rational values.

        Parameters
        ----------
        first, second
            The ranks; 0 where it is not seen.
        old, new
            The grades.
        """
        one, other = (cast(Any, self.discount(rank)) if rank else Fraction(0) for rank in (first, second))
        return Fraction(self.sign * (cast(Any, self.gains[old]) - cast(Any, self.gains[new])) * (one - other))


def worth_of(documents: PairDocuments) -> Worth | None:
    """Return what documents are worth under a measure that is a sum of discounts times gains; None for others.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    pair = documents.pair
    if pair.judged.groups is not None:
        return None
    measure, depth = pair.measure, pair.measure.reach(pair.judged.depth)
    pool, highest = Pool((0,) * pair.judged.grade_counts.shape[1]), documents.grades[-1]
    sign = -1 if pair.scores.lower_is_better else 1
    if isinstance(measure, Additive):
        if not is_sum_of_gains(measure) or not is_divided_alike(measure, depth):
            return None
        scale, top = cast(Any, measure.scaling(pool, depth)), measure.top_grade(pool)
        gains = tuple(
            cast(Any, measure.gain_at(grade, top) if grade else Fraction(0)) / scale for grade in range(highest + 1)
        )
        discounts = np.append(0.0, measure.weights(depth))
        return Worth(lambda rank: cached_weight(measure, rank), discounts, gains, sign)
    plain = measure(judged_only=False) if measure.judged_only else measure
    if (
        not (is_own(plain) and depth)
        or level_of(plain, depth=depth, grades=len(pool.grade_counts), deepest=depth) is not Level.ADDITIVE
    ):
        return None
    # one rank, or a number of relevant documents: all ranks alike
    runs = [(grade, *[0] * (depth - 1)) for grade in range(highest + 1)]
    values = [cast(Any, plain.exact(plain.view(run), pool)) for run in runs]
    gains = tuple(value - values[0] for value in values)
    return Worth(lambda _: Fraction(1), np.append(0.0, np.ones(depth)), gains, sign)


class AdditiveTable(TopicTable):
    """The table of a topic where every change counts for itself: the largest come first.

    Parameters
    ----------
    documents
        The documents of two systems.
    topic
        The place of the topic.
    worth
        What documents are worth.
    """

    def __init__(self, documents: PairDocuments, topic: int, worth: Worth) -> None:
        moves, self.ranks = moves_of(documents, topic), seen_ranks(documents, topic)
        places = moves.members[moves.starts[moves.kinds]]
        gained = worth.floats[moves.olds] - worth.floats[moves.news]
        super().__init__(documents, moves, gained * worth.net(self.ranks[:, places]))
        self.worth, self.places = worth, places

    @cached_property
    def best(self) -> tuple[IntArray, FloatArray]:
        """The best move of every judgment that helps, and what each does, the largest first."""
        found, gains = _expanded(self.moves, self.singles)
        ordered = np.argsort(-gains, kind="stable")
        return found[ordered], gains[ordered]

    def fill(self) -> None:
        """Write down what every number of changes does."""
        found, gains = self.best
        self.falls = np.append(0.0, np.cumsum(gains)).tolist()
        self.chosen = [found[:size] for size in range(len(found) + 1)]
        self.complete, self.limit = self.moves.judgments, self.falls[-1]


def _expanded(moves: Moves, singles: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the best move of every judgment, as far as it helps, and what it does."""
    ordered = np.argsort(-singles, kind="stable")
    ordered = ordered[singles[ordered] > 0]
    _, first = np.unique(moves.kinds[ordered], return_index=True)
    found = np.repeat(ordered[first], moves.room[moves.kinds[ordered[first]]])
    return found, singles[found]


def largest_first(
    tables: Sequence[AdditiveTable], need: float, exact_need: Fraction | None
) -> list[tuple[int, int]] | None:
    """Return the fewest changes that overturn an order, as topics and moves: the largest; None if none do.

    Parameters
    ----------
    tables
        What every change does, topic by topic.
    need
        How much the sum of differences has to fall.
    exact_need
        The same exactly, where values are rational.
    """
    every = _Listed(tables)
    sums = np.cumsum(every.gains)
    close = CLOSE * max(1.0, need) if exact_need is not None else 0.0
    size = int(np.searchsorted(sums, need - close)) + 1
    while size <= len(every.gains):
        taken = list(range(size))
        if exact_need is not None:
            taken, total = every.largest(size)
            if total < exact_need:
                size += 1
                continue
        return [(int(every.topics[place]), int(every.moves[place])) for place in taken]
    return None


class _Listed:
    """All changes that help, of all topics, the largest first."""

    def __init__(self, tables: Sequence[AdditiveTable]) -> None:
        gains = np.concatenate([np.empty(0), *(table.best[1] for table in tables)])
        moves = np.concatenate([np.empty(0, dtype=np.int64), *(table.best[0] for table in tables)])
        topics = np.repeat(np.arange(len(tables)), [len(table.best[0]) for table in tables])
        ordered = np.argsort(-gains, kind="stable")
        self.tables, self.gains = tables, gains[ordered]
        self.moves, self.topics = moves[ordered], topics[ordered]
        self._known: dict[tuple[Any, ...], Fraction] = {}

    def exactly(self, place: int) -> Fraction:
        """Return what a change does, exactly."""
        table, move = self.tables[self.topics[place]], self.moves[place]
        first, second = table.ranks[:, table.places[move]].tolist()
        old, new = int(table.moves.olds[move]), int(table.moves.news[move])
        key = float(table.worth.discounts[first]), float(table.worth.discounts[second]), old, new
        if key not in self._known:
            self._known[key] = table.worth.exact_fall(first, second, old, new)
        return self._known[key]

    def largest(self, size: int) -> tuple[list[int], Fraction]:
        """Return the largest changes by exact numbers, and their exact sum: floats leave near ties open."""
        last, close = self.gains[size - 1], CLOSE * float(self.gains[0])
        sure = int(np.count_nonzero(self.gains > last + close))
        near = np.flatnonzero(np.abs(self.gains - last) <= close).tolist()
        taken = [*range(sure), *sorted(near, key=self.exactly, reverse=True)[: size - sure]]
        return taken, sum(map(self.exactly, taken), Fraction(0))
