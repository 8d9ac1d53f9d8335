"""The unknowns of a measure that is to be learned: the steps of a valuation, or of a discount curve.

A valuation that keeps the order is the sum of steps that are not negative, one for each join-irreducible run, over the
join-irreducible runs below a run. A discount curve has one step a rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import rational
from measurand.exact.linear_optimum import products, whole
from measurand.judged.graded_runs import NamedRun
from measurand.lattice.algebra import Run
from measurand.lattice.algebra.base import Algebra, Terms, member
from measurand.lattice.learning.statements import RunStatement

MOST = 1_500
"""The values of so many join-irreducible runs are learned at most …"""

MOST_OF_CURVES = 25_000
"""… and of so many, where they follow from a discount curve."""

LARGEST_GAIN = 10_000
"""Gains are multiples of one number, up to so many times it: with more, linear programs are not solved exactly."""

ADDITIVE = ("swap", "replacement")
"""The orders that discount curves are learned in."""


@frozen(eq=False)
class Unknowns:
    """The steps of a measure, and how often each counts in the value of a run.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    below
        Which join-irreducible runs, in columns, are at most each, in rows; None for a discount curve.
    gains
        Of a discount curve: the gain of each grade, as the smallest whole numbers.
    unit
        What these are multiplied by to give the gains that were asked for.
    """

    algebra: Algebra
    below: IntArray | None = None
    gains: tuple[int, ...] | None = None
    unit: Fraction = Fraction(1)

    @classmethod
    def of(cls, algebra: Algebra, *, additive: bool = False, gains: Sequence[Any] | None = None) -> Unknowns:
        """Return the unknowns of a valuation, or of a discount curve.

        Parameters
        ----------
        algebra
            The order, the depth and the grades.
        additive
            Whether a discount curve is sought.
        gains
            The gain of each grade, from grade 0; by default the grade itself.

        Examples
        --------
        >>> from measurand.lattice.algebra import algebra_of
        >>> unknowns = Unknowns.of(algebra_of("swap", 3, 2))
        >>> unknowns.counts([(1, 0, 0), (0, 1, 1)]).tolist()
        [[1, 1, 0, 1, 0, 0], [1, 1, 1, 0, 0, 0]]
        >>> Unknowns.of(algebra_of("swap", 3, 2), additive=True).counts([(1, 0, 0), (0, 1, 1)]).tolist()
        [[1, 1, 1], [0, 1, 2]]
        """
        if gains is not None and not additive:
            raise ParameterError("gains belong to a discount curve; say additive=True, or leave them out")
        most = MOST_OF_CURVES if additive else MOST
        if algebra.irreducible_count > most:
            less = "learn fewer ranks" if additive else "learn fewer ranks, or a discount curve (additive)"
            raise NotAvailable(
                f"the order {algebra.order!r} has {algebra.irreducible_count:,} join-irreducible runs here, and"
                f" measures are learned from {most:,} at most; {less}"
            )
        if not additive:
            return cls(algebra, _below(algebra))
        if algebra.order not in ADDITIVE:
            raise ParameterError(
                f"a discount curve weighs ranks one by one, and the order {algebra.order!r} does not; use 'swap'"
            )
        own = range(algebra.grades) if algebra.relevance is None else algebra.relevance.grades
        return cls(algebra, None, *_gains(algebra.grades, own if gains is None else gains))

    @property
    def additive(self) -> bool:
        """Whether a discount curve is sought."""
        return self.gains is not None

    @property
    def by_grade(self) -> tuple[Fraction, ...] | None:
        """The gain of each grade of a discount curve, as it was asked for; None for other valuations."""
        return None if self.gains is None else tuple(gain * self.unit for gain in self.gains)

    @property
    def least_rise(self) -> int:
        """How often a step counts at least where a run gets better by one grade or one swap.

        Examples
        --------
        >>> from measurand.lattice.algebra import algebra_of
        >>> Unknowns.of(algebra_of("swap", 3, 3), additive=True, gains=[0, 2, 5]).least_rise
        2
        """
        return 1 if self.gains is None else min(high - low for low, high in pairwise(self.gains))

    def counts(self, runs: Sequence[Run]) -> IntArray:
        """Return how often each step counts in the values of runs, a row a run.

        Parameters
        ----------
        runs
            The runs.
        """
        cells = np.array(runs, dtype=np.int8).reshape(len(runs), self.algebra.depth)
        if self.gains is not None:
            gained = np.array(self.gains, dtype=np.int64)[cells]
            return np.cumsum(gained, axis=1) if self.algebra.order == "swap" else gained
        assert self.below is not None  # a valuation has them
        return _written(self.algebra.terms(cells), len(runs), self.algebra.irreducible_count) @ self.below

    def rows(self, statements: Sequence[RunStatement]) -> IntArray:
        """Return how much more often each step counts for the first run of a statement than for the second.

        Parameters
        ----------
        statements
            The statements, a row each.
        """
        different = {run: place for place, run in enumerate(dict.fromkeys(r for s in statements for r in s.runs))}
        counts = self.counts([member(self.algebra, run) for run in different])
        one, other = np.array([[different[run] for run in s.runs] for s in statements]).reshape(-1, 2).T
        return np.asarray(counts[one] - counts[other])

    def differences(self, statements: Sequence[RunStatement], steps: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return how much more the first run of each statement scores than the second, given the steps.

        Parameters
        ----------
        statements
            The statements.
        steps
            The steps.
        """
        numerators, denominator = whole(steps)
        return tuple(Fraction(gap, denominator) for gap in products(self.rows(statements), numerators))

    @property
    def top(self) -> IntArray:
        """How often each step counts in the value of the best run."""
        return np.asarray(self.counts([self.algebra.top])[0])

    def values(self, steps: Sequence[Fraction]) -> dict[NamedRun, Fraction]:
        """Return the values of the join-irreducible runs, given the steps.

        Parameters
        ----------
        steps
            The steps.

        Examples
        --------
        >>> from measurand.lattice.algebra import algebra_of
        >>> values = Unknowns.of(algebra_of("swap", 2, 2)).values([Fraction(1, 3)] * 3)
        >>> [(run, str(value)) for run, value in values.items()]
        [((0, 1), '1/3'), ((1, 0), '2/3'), ((1, 1), '1')]
        """
        runs = list(self.algebra.join_irreducibles())
        counts = self.below if self.below is not None else self.counts(runs)
        numerators, denominator = whole(steps)
        found = products(counts, numerators)
        return {self.algebra.named(run): Fraction(value, denominator) for run, value in zip(runs, found, strict=True)}

    def discounts(self, steps: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
        """Return the weight of each rank: what a document of gain 1 there is worth; None for other valuations.

        Parameters
        ----------
        steps
            The steps.
        """
        if self.gains is None:
            return None
        own = [step / self.unit for step in steps]
        return tuple(list(accumulate(reversed(own)))[::-1]) if self.algebra.order == "swap" else tuple(own)


def _gains(grades: int, gains: Sequence[Any]) -> tuple[tuple[int, ...], Fraction]:
    """Return gains as the smallest whole numbers in their proportions, and the unit that these are counted in."""
    numbers = [rational(gain) for gain in gains]
    if len(numbers) != grades:
        raise ParameterError(f"{grades} grades need as many gains, from grade 0, not {len(numbers)}")
    if numbers[0] != 0 or any(low >= high for low, high in pairwise(numbers)):
        raise ParameterError("gains are 0 for grade 0 and rise from grade to grade")
    numerators, below = whole(numbers)
    common = gcd(*numerators)
    smallest = tuple(numerator // common for numerator in numerators)
    if smallest[-1] > LARGEST_GAIN:
        raise ParameterError(
            f"gains are in the proportion of whole numbers to {LARGEST_GAIN:,}, such as 0, 1, 2.5; round these"
        )
    return smallest, Fraction(common, below)


def _below(algebra: Algebra) -> IntArray:
    """Return which join-irreducible runs are at most each: what turns steps into values of them.

    The terms of steps say how values make up steps; this is their inverse.
    """
    count = algebra.irreducible_count
    steps = _written(algebra.step_terms(range(count)), count, count)
    below = np.rint(np.linalg.inv(steps)).astype(np.int64)
    assert bool((steps @ below == np.eye(count, dtype=np.int64)).all())  # whole numbers that floats hold
    return below


def _written(terms: Terms, height: int, width: int) -> IntArray:
    """Return terms as a matrix."""
    matrix = np.zeros((height, width), dtype=np.int64)
    np.add.at(matrix, (terms.row.astype(np.int64), terms.place.astype(np.int64)), terms.sign)
    return matrix
