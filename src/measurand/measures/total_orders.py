"""The total orders of runs as numbers: SBTO for sets of documents, RBTO for rankings."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import comb, log2
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import Cells, FloatArray
from measurand.errors import Caveat, CaveatKind, NotAvailable
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Graded, Grades
from measurand.measures.parameters import Threshold, read_threshold, threshold
from measurand.scale import Scale

LARGEST = 1023
"""No number of more bits than this becomes a float."""

EXACT = 1 << 53
"""Floats hold all whole numbers up to this one."""

LARGE = 10**12
"""Of places beyond this, tables show a few digits, and a caveat says how high they go."""


@frozen(kw_only=True, repr=False, slots=False)
class TotalOrder(Graded):
    """A measure that counts how many places a run stands above the worst one, in an order without gaps.

    Parameters
    ----------
    gmax
        The highest grade of the scale; by default the highest in all the judgments.
    rel
        The lowest grade that counts as relevant, if only relevant documents and others are to be told apart.
    """

    reference: ClassVar[str] = "FerranteFerroPontarollo2019"
    bounds: ClassVar[tuple[int | None, int | None]] = (0, None)
    weighs_grades: ClassVar[bool] = False
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    declared_scale: ClassVar[Scale] = Scale.INTERVAL

    rel: Threshold | None = field(default=None, converter=read_threshold, validator=threshold(optional=True))

    @property
    def graded(self) -> bool:
        """With a lowest relevant grade there are only two kinds of documents."""
        return self.rel is None

    def top_digit(self, pool: Pool) -> int:
        """Return the highest grade that is told apart from lower ones, counted from 0.

        Parameters
        ----------
        pool
            What the judgments of the topic hold.
        """
        return self.top_grade(pool) if self.rel is None else 1

    def _top_digit_of(self, judged: JudgedRuns) -> int:
        """Return the same for all topics, each of which may hold a grade that is too high."""
        return max((self.top_digit(pool) for pool in judged.pools), default=1)

    def digits(self, cells: Cells) -> Cells:
        """Return the grades that are told apart, from 0, for grades and codes of cells.

        Parameters
        ----------
        cells
            Grades, or negative codes.
        """
        return np.maximum(cells, 0) if self.rel is None else (cells >= self.lowest).astype(np.int8)

    @property
    def family(self) -> str:
        """Both count places."""
        return "place in a total order"

    def highest(self, ranks: int, top: int) -> int:
        """Return the place of the best run.

        Parameters
        ----------
        ranks
            How many ranks runs have.
        top
            The highest grade that is told apart from lower ones, counted from 0.
        """
        raise NotImplementedError

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        return (*super()._caveats(judged), *self._about_places(judged))

    def _about_places(self, judged: JudgedRuns) -> Iterator[Caveat]:
        """Yield how deep runs are, how high places go where that is not plain, and what floats cannot tell apart."""
        if self.cutoff is None:
            text = f"{self!r} has no cutoff and counts runs as deep as the judged runs are, {judged.depth} ranks"
            yield Caveat(CaveatKind.NO_CUTOFF, text)
        highest = self.highest(self.cutoff or judged.depth, self._top_digit_of(judged))
        if highest >= LARGE:
            yield Caveat(CaveatKind.BOUNDS, f"places of {self!r} go from 0 to {Decimal(highest):.4e}")
        if highest > EXACT:
            text = "are rounded to 53 bits, so that runs which differ only at their last ranks tie"
            yield Caveat(CaveatKind.BOUNDS, f"places of {self!r} above 9.0e+15 {text}")


@frozen(kw_only=True, repr=False)
class SetBasedTotalOrder(TotalOrder):
    r"""Set-based total order: how many results of the size are worse, when they are taken as sets of documents.

    Of two results the one with more documents of the highest grade is better; where these are equally many, the one
    with more of the next grade, and so on. With :math:`n_{\le g}` documents of at most grade :math:`g` and
    :math:`n_{<g}` of a lower one,

    .. math:: \mathrm{SBTO} = \sum_{g \ge 1} \binom{n_{\le g} + g}{g} - \binom{n_{< g} + g}{g}

    which for two grades is the number of relevant documents, so that precision and recall are SBTO in another unit.

    Parameters
    ----------
    gmax
        The highest grade of the scale; by default the highest in all the judgments.
    rel
        The lowest grade that counts as relevant, if only relevant documents and others are to be told apart.

    Examples
    --------
    >>> SBTO.of([0, 1, 1, 0]), SBTO(rel=2).of([3, 1, 2, 0])
    (Fraction(2, 1), Fraction(2, 1))
    >>> [str(SBTO.of(run, grades=3)) for run in ([0, 0], [0, 1], [1, 1], [2, 0], [1, 2], [2, 2])]
    ['0', '1', '2', '3', '4', '5']

    Notes
    -----
    With three grades or more it is not gP, which adds grades up: one document of grade 2 is better here than any number
    of grade 1. It claims nothing of what a grade is worth, and so it is an interval scale on ordinal grades.

    See Also
    --------
    RBTO : for rankings
    P : SBTO as a share, for two grades

    References
    ----------
    [FerranteFerroPontarollo2019]_, [FerranteFerroLosiouk2020]_, [Giner2022]_, [FerranteFerroFuhr2021]_, section IV-C
    """

    name: ClassVar[str] = "SBTO"

    def exact(self, run: Grades, pool: Pool) -> Fraction:
        """Return how many results of the size are worse."""
        top, ranks = self.top_digit(pool), self.cutoff or len(run)
        digits = self.digits(np.array(run, dtype=np.int32)).tolist()
        found = [digits.count(grade) for grade in range(1, top + 1)]
        return Fraction(place_of_set(found, ranks))

    def highest(self, ranks: int, top: int) -> int:
        """Return how many results of the size are worse than the best one."""
        return comb(ranks + top, top) - 1

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the same for all runs; those with as many documents of each grade are counted once."""
        top, ranks = self._top_digit_of(judged), self.cutoff or judged.depth
        cells = self.digits(judged.first(ranks)).reshape(-1, min(ranks, judged.depth))
        found = np.stack([(cells == grade).sum(axis=1) for grade in range(1, top + 1)], axis=1)
        different, which = np.unique(found, axis=0, return_inverse=True)
        places = [place_of_set(counts, ranks) for counts in different.tolist()]
        if max(places, default=0).bit_length() > LARGEST:
            raise _too_large(self, ranks)
        return np.array([float(place) for place in places])[which.reshape(-1)]


def place_of_set(found: list[int], size: int) -> int:
    """Return how many sets of documents are worse, from how many documents of grade 1, 2, … one holds.

    Parameters
    ----------
    found
        How many documents have grade 1, 2, … up to the highest; the others have grade 0.
    size
        How many documents there are.

    Examples
    --------
    >>> place_of_set([3], 10), place_of_set([0, 1], 2)
    (3, 3)
    """
    place, at_most = 0, size
    for grade in range(len(found), 0, -1):
        lower = at_most - found[grade - 1]
        place += comb(at_most + grade, grade) - comb(lower + grade, grade)
        at_most = lower
    return place


@frozen(kw_only=True, repr=False)
class RankBasedTotalOrder(TotalOrder):
    r"""Rank-based total order: how many runs are worse, when the first rank where two runs differ decides.

    .. math:: \mathrm{RBTO} = \sum_{i \le N} r_i \, c^{N - i}

    with :math:`c` grades, 0 included: the run read as a number. For two grades RBP with :math:`p = 1/2` is RBTO in
    another unit, :math:`\mathrm{RBTO} = 2^N \mathrm{RBP}`.

    Parameters
    ----------
    gmax
        The highest grade of the scale; by default the highest in all the judgments.
    rel
        The lowest grade that counts as relevant, if only relevant documents and others are to be told apart.

    Examples
    --------
    >>> RBTO.of([1, 0, 1]), RBTO.of([0, 2], grades=3)
    (Fraction(5, 1), Fraction(2, 1))

    Notes
    -----
    One document at a higher rank is better than any number of documents below it. Numbers grow so fast that most of the
    mean over topics comes from the first ranks of a few runs. It claims nothing of what a grade is worth.

    See Also
    --------
    SBTO : for sets
    RBP : RBTO as a share, for two grades and p = 1/2

    References
    ----------
    [FerranteFerroPontarollo2019]_, [FerranteFerroLosiouk2020]_, [Giner2022]_, section 6.1
    """

    name: ClassVar[str] = "RBTO"

    def exact(self, run: Grades, pool: Pool) -> Fraction:
        """Return how many runs are worse."""
        base, ranks = self.top_digit(pool) + 1, self.cutoff or len(run)
        number = 0
        for digit in self.digits(np.array(run, dtype=np.int32)).tolist():
            number = number * base + digit
        return Fraction(number * base ** (ranks - len(run)))

    def highest(self, ranks: int, top: int) -> int:
        """Return how many runs are worse than the best one."""
        return int((top + 1) ** ranks) - 1

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the same for all runs, in floats."""
        base = self._top_digit_of(judged) + 1
        ranks = self.cutoff or judged.depth
        if ranks * log2(base) > LARGEST:
            raise _too_large(self, ranks)
        cells = self.digits(judged.first(ranks)).reshape(-1, min(ranks, judged.depth))
        weights = float(base) ** np.arange(ranks - 1, ranks - 1 - cells.shape[1], -1.0)
        # no matrix product, which may add in another order where there are more runs
        return np.asarray((cells * weights).sum(axis=1))


def _too_large(measure: TotalOrder, ranks: int) -> NotAvailable:
    return NotAvailable(
        f"{measure!r} on {ranks:,} ranks has values that no float can hold; ask for fewer, such as {measure.name}@100"
    )


SBTO = SetBasedTotalOrder()
RBTO = RankBasedTotalOrder()
