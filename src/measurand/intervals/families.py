"""Which ruler fits a measure, decided by the family that defines it.

A ruler holds all values of a measure in order without writing them down, and how that is done depends on nothing but
the form of the definition: a weighted sum, a sum with geometric weights, a count, a reader who stops. A measure
therefore does not know its ruler. `family_ruler` finds it by the class of the measure (`functools.singledispatch`), so
that a new measure has the ruler of its family without a line of its own, and a new family registers one function here.
A measure that changes the definition it inherits (`Measure.is_defined_by`) has no ruler of the family, and its values
are enumerated (`measurand.intervals.enumeration`).

The transform itself, ranks among all values in place of values, is that of [FerranteFerroFuhr2021]_.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import singledispatch
from itertools import pairwise
from math import comb

import numpy as np
from attrs import evolve

from measurand.arrays import Cells, IntArray
from measurand.errors import NotAvailable
from measurand.exact import ranked
from measurand.intervals.ruler import Budget, Ruler
from measurand.judged import Pool
from measurand.measures.additive import Additive, gains_of_grades
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.base import Measure
from measurand.measures.cascade import Cascade
from measurand.measures.counting import Counting, Counts
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.rank_biased_precision import Geometric
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.relevant_ranks import RelevantRanks
from measurand.measures.total_orders import RankBasedTotalOrder, SetBasedTotalOrder, place_of_set

# the modules with the algorithms are loaded when the first rank is computed: every evaluation loads this one


@singledispatch
def family_ruler(measure: Measure, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    """Return the ruler that the family of a measure has, or None if only enumeration is left.

    Where the measure does not distinguish grades, the two grades of the ruler are nonrelevant and relevant.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    pool
        The topic, which matters only if it decides which runs the measure prefers.
    budget
        What the ruler may cost.

    Examples
    --------
    >>> from measurand.measures import DCG, Q
    >>> family_ruler(DCG(b=2), 4, 2, Pool.plain(4, 4), Budget()).size
    12
    >>> family_ruler(Q, 4, 2, Pool.plain(4, 4), Budget())
    """
    return None


def endless_ruler(measure: Geometric, grades: int, budget: Budget) -> Ruler:
    """Return the ruler of a geometric measure on runs without end.

    Parameters
    ----------
    measure
        A measure with geometric weights, such as RBP.
    grades
        How many grades there are, 0 included.
    budget
        What the ruler may cost.
    """
    from measurand.intervals.geometric_sums import geometric_ruler

    if not _has_geometric_weights(measure):
        raise NotAvailable(f"{measure!r} has weights of its own, and no scale for runs without end; give a depth")
    return geometric_ruler(measure.p, gains_of_grades(measure, grades, Pool.plain(1, 1, grades - 1)), None, budget)


def same_order_everywhere(measure: Measure) -> bool:
    """Return whether runs of a length stand in one order on every topic, so that one ruler serves all topics.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import AP, Bpref
    >>> same_order_everywhere(AP), same_order_everywhere(Bpref)
    (True, False)
    """
    return measure.rescaled or not measure.uses_recall_base


def limited_ruler(measure: Measure, most: int, depth: int, pool: Pool) -> Ruler | None:
    """Return the ruler of runs with so many relevant documents at most, if the family has one without enumeration.

    Parameters
    ----------
    measure
        The measure.
    most
        How many relevant documents a run may hold.
    depth
        How many ranks runs have.
    pool
        The topic.

    Examples
    --------
    >>> from measurand.measures import AP, R
    >>> limited_ruler(R, 5, 1000, Pool.plain(5, 1000)).size, limited_ruler(AP, 5, 1000, Pool.plain(5, 1000))
    (6, None)
    """
    if isinstance(measure, Counting) and measure.is_defined_by(Counting):
        return _tabulated_counts(measure, depth, pool, most)
    if isinstance(measure, ReciprocalRank) and measure.is_defined_by(ReciprocalRank) and most:
        return _limited_first_relevant(most, depth)
    return None


def _limited_first_relevant(most: int, depth: int) -> Ruler:
    """Return the ruler of the first relevant document, in runs with so many relevant documents at most."""
    from measurand.intervals.closed_forms import Tabulated

    def runs_by_key() -> dict[int, int]:
        # the key is how many ranks there are from the first relevant document on
        others = {key: sum(comb(key - 1, more) for more in range(min(most, key))) for key in range(1, depth + 1)}
        return {0: 1, **others}

    return evolve(Tabulated.of_first(depth), count=runs_by_key)


@family_ruler.register
def _additive(measure: Additive, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    from measurand.intervals.additive_sums import additive_ruler

    if not measure.is_defined_by(Additive):
        return None
    weights = [measure.weight(rank) for rank in range(1, depth + 1)]
    return additive_ruler(weights, gains_of_grades(measure, grades, pool), budget)


@family_ruler.register
def _geometric(measure: Geometric, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    from measurand.intervals.geometric_sums import geometric_ruler

    if not _has_geometric_weights(measure):
        return _additive(measure, depth, grades, pool, budget)
    return geometric_ruler(measure.p, gains_of_grades(measure, grades, pool), depth, budget)


def _has_geometric_weights(measure: Geometric) -> bool:
    return measure.is_defined_by(Additive) and type(measure).weight is Geometric.weight


@family_ruler.register
def _average_precision(measure: AveragePrecision, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    from measurand.intervals.average_precision import average_precision_ruler

    if type(measure).contribution is not AveragePrecision.contribution or not measure.is_defined_by(RelevantRanks):
        return None
    return average_precision_ruler(depth, budget)


@family_ruler.register
def _first_relevant(measure: ReciprocalRank, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    from measurand.intervals.closed_forms import Tabulated

    return Tabulated.of_first(depth) if measure.is_defined_by(ReciprocalRank) else None


@family_ruler.register
def _cascade(measure: Cascade, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    return _expected_utilities(measure, depth, grades, pool, budget) if measure.is_defined_by(Cascade) else None


@family_ruler.register
def _normalised_cascade(
    measure: NormalisedExpectedReciprocalRank, depth: int, grades: int, pool: Pool, budget: Budget
) -> Ruler | None:
    # the ideal ranking of a topic rescales its values and leaves their order as it is
    if not measure.is_defined_by(NormalisedExpectedReciprocalRank):
        return None
    return _expected_utilities(measure, depth, grades, pool, budget)


def _expected_utilities(measure: Cascade, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    from measurand.intervals.counted_values import cascade_ruler

    top = measure.top_grade(pool)
    stops = [Fraction(0), *(measure.stop(grade, top) for grade in measure.levels_of_relevance(grades)[1:])]
    return cascade_ruler(stops, [measure.utility(rank) for rank in range(1, depth + 1)], budget)


@family_ruler.register
def _counting(measure: Counting, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    """Return one value for each number of relevant documents, or fewer."""
    if not measure.is_defined_by(Counting):
        return None
    return _tabulated_counts(measure, depth, pool, depth)


def _tabulated_counts(measure: Counting, depth: int, pool: Pool, most: int) -> Ruler:
    """Return one value for each number of relevant documents, where a run holds so many at most."""
    from measurand.intervals.closed_forms import Tabulated

    base = pool.recall_base(measure.lowest)
    ranks = measure.ranks(depth, base)
    reach = min(ranks, depth)
    counts = (Counts(relevant, ranks, base, reach, reach) for relevant in range(min(reach, most) + 1))
    levels, places = ranked([Fraction(measure.count(count)) for count in counts])
    steps = {high - low for low, high in pairwise(levels)}

    def key_of(runs: Cells) -> IntArray:
        return np.asarray(places[(runs[:, :reach] > 0).sum(axis=1)])

    def runs_by_key() -> dict[int, int]:
        found: Counter[int] = Counter()
        for relevant, place in enumerate(places.tolist()):
            below = sum(comb(depth - reach, others) for others in range(min(depth - reach, most - relevant) + 1))
            found[place] += comb(reach, relevant) * below
        return found

    return Tabulated(depth, 2, np.arange(len(levels)), key_of, runs_by_key, linear=len(steps) <= 1)


@family_ruler.register
def _rank_based_order(
    measure: RankBasedTotalOrder, depth: int, grades: int, pool: Pool, budget: Budget
) -> Ruler | None:
    """Return the ruler of runs that are read as numbers."""
    from measurand.intervals.additive_sums import additive_ruler

    if not measure.is_defined_by(RankBasedTotalOrder):
        return None
    base = len(measure.levels_of_relevance(grades))
    weights = [Fraction(base) ** (depth - rank) for rank in range(1, depth + 1)]
    return additive_ruler(weights, [Fraction(digit) for digit in range(base)], budget)


@family_ruler.register
def _set_based_order(measure: SetBasedTotalOrder, depth: int, grades: int, pool: Pool, budget: Budget) -> Ruler | None:
    """Return the ruler of sets of documents, each at its own place."""
    from measurand.intervals.closed_forms import MANY, Tabulated

    grades = len(measure.levels_of_relevance(grades))
    size = comb(depth + grades - 1, grades - 1)
    if not measure.is_defined_by(SetBasedTotalOrder) or size > MANY:
        return None

    def key_of(runs: Cells) -> IntArray:
        found = np.stack([(runs == grade).sum(axis=1) for grade in range(1, grades)], axis=1)
        return np.array([place_of_set(counts, depth) for counts in found.tolist()], dtype=np.int64)

    def runs_by_key() -> dict[int, int]:
        return {place_of_set(counts, depth): ways for counts, ways in _sets(depth, grades - 1)}

    return Tabulated(depth, grades, np.arange(size), key_of, runs_by_key, linear=True)


def _sets(size: int, top: int) -> Iterator[tuple[list[int], int]]:
    """Return all numbers of documents of grade 1, 2, …, each with how many runs of a length hold so many."""
    if not top:
        yield [], 1
        return
    for found in range(size + 1):
        for lower, ways in _sets(size - found, top - 1):
            yield [*lower, found], comb(size, found) * ways
