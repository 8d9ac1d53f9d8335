"""Results as sets of different sizes on topics with different recall bases: what becomes of P, R and F on them.

Of a result as a set nothing counts but how many relevant documents it holds, how many documents, and how many relevant
ones there are (`SetResult`). `SetUniverse` is all results of some sizes; Section IV-D of the paper looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from attrs import field, frozen

from measurand.arrays import IntArray
from measurand.columns import PlainTable
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.intervals.images import Image
from measurand.statistics.correlation import Correlation, kendall
from measurand.verdict import How, Verdict, Witness

if TYPE_CHECKING:
    import polars as pl


class SetResult(NamedTuple):
    """A result as a set: how many relevant documents it holds, how many documents, and how many relevant there are.

    Parameters
    ----------
    relevant
        How many relevant documents it holds.
    retrieved
        How many documents it holds.
    recall_base
        How many relevant documents there are.

    Examples
    --------
    >>> result = SetResult(1, 2, 3)
    >>> result.precision, result.recall, result.f
    (Fraction(1, 2), Fraction(1, 3), Fraction(2, 5))
    """

    relevant: int
    retrieved: int
    recall_base: int

    def __str__(self) -> str:
        return f"({self.relevant}, {self.retrieved}, {self.recall_base})"

    @property
    def precision(self) -> Fraction:
        """Relevant documents by retrieved ones."""
        return Fraction(self.relevant, self.retrieved)

    @property
    def recall(self) -> Fraction:
        """Relevant documents found by relevant documents there are."""
        return Fraction(self.relevant, self.recall_base)

    @property
    def f(self) -> Fraction:
        """Twice the relevant documents by retrieved ones and relevant ones together; 0 if none is relevant.

        The harmonic mean of precision and recall is this wherever it exists; where both are 0 it does not.
        """
        return Fraction(2 * self.relevant, self.retrieved + self.recall_base)


SET_MEASURES: Mapping[str, Callable[[SetResult], Fraction]] = {
    "P": lambda result: result.precision,
    "R": lambda result: result.recall,
    "F": lambda result: result.f,
}
"""Precision, recall and F1 of a result as a set."""


PAIRS = (("P", "R"), ("P", "F"), ("R", "F"))


def _counts(numbers: int | Iterable[int]) -> tuple[int, ...]:
    given = tuple(numbers) if isinstance(numbers, Iterable) else (numbers,)
    if not given:
        raise ParameterError("say at least one number of documents")
    return tuple(sorted({whole_number("a number of documents", number) for number in given}))


@frozen
class SetUniverse:
    r"""All results of some sizes on topics of some recall bases: :math:`(r, n, R)` with :math:`r \le \min(n, R)`.

    Parameters
    ----------
    retrieved
        The sizes of results, at least 1: one number or several.
    recall_bases
        The recall bases, at least 1: one number or several.

    Examples
    --------
    >>> mixed = SetUniverse.up_to(2, 2)
    >>> len(mixed.results), [str(value) for value in mixed.image("F")]
    (9, ['0', '1/2', '2/3', '1'])
    >>> bool(mixed.interval("P")), bool(mixed.interval("R")), bool(mixed.affine("P", "R"))
    (True, True, False)
    >>> for worse, better in mixed.reversals(): print(tuple(worse), tuple(better))
    (1, 2, 1) (1, 1, 2)

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-D
    """

    retrieved: tuple[int, ...] = field(converter=_counts)
    recall_bases: tuple[int, ...] = field(converter=_counts)

    @classmethod
    def up_to(cls, retrieved: int, recall_base: int) -> SetUniverse:
        """Return all results of at most so many documents on topics with at most so many relevant ones: S[N, K].

        Parameters
        ----------
        retrieved
            N, the largest number of retrieved documents.
        recall_base
            K, the largest recall base.

        Examples
        --------
        >>> [tuple(result) for result in SetUniverse.up_to(1, 2).results]
        [(0, 1, 1), (1, 1, 1), (0, 1, 2), (1, 1, 2)]
        """
        sizes, bases = whole_number("retrieved", retrieved), whole_number("recall_base", recall_base)
        return cls(range(1, sizes + 1), range(1, bases + 1))

    def __str__(self) -> str:
        return f"results of {_spelled(self.retrieved)} documents on recall bases of {_spelled(self.recall_bases)}"

    @cached_property
    def results(self) -> tuple[SetResult, ...]:
        """The results, by size, recall base and relevant documents."""
        return tuple(
            SetResult(r, n, base) for n in self.retrieved for base in self.recall_bases for r in range(min(n, base) + 1)
        )

    def values(self, measure: str) -> list[Fraction]:
        """Return the exact values of a measure on the results, "P", "R" or "F".

        Parameters
        ----------
        measure
            The measure: "P", "R" or "F".
        """
        if measure not in SET_MEASURES:
            raise ParameterError(f"there is no {measure!r} here; there is {', '.join(SET_MEASURES)}")
        return [SET_MEASURES[measure](result) for result in self.results]

    def image(self, measure: str) -> Image:
        """Return the different values of a measure, in order.

        Parameters
        ----------
        measure
            The measure: "P", "R" or "F".
        """
        return Image.of_values(self.values(measure), measure)

    def interval(self, measure: str) -> Verdict:
        """Return whether a measure is equally spaced on all results together, hence on an interval scale.

        If not, the witness is four results at unequal steps, the two of the lowest step first.

        Parameters
        ----------
        measure
            The measure: "P", "R" or "F".

        Examples
        --------
        >>> print(SetUniverse.up_to(3, 1).interval("P"))
        does not hold (counterexample): from 0 to 1/3 the step is 1/3, from 1/3 to 1/2 it is 1/6
        """
        image = self.image(measure)
        if image.equispaced:
            return Verdict(True, None, f"all {image.total} {self}", How.EXHAUSTIVE)
        gaps, values = image.gaps(), list(image)
        odd = next(place for place, gap in enumerate(gaps) if gap != gaps[0])
        ends = (0, 1, odd, odd + 1)
        # the first result of each value, because later entries are overwritten by earlier ones
        first = dict(zip(image.places.tolist()[::-1], self.results[::-1], strict=True))
        low, high, under, over = (str(values[end]) for end in ends)
        why = f"from {low} to {high} the step is {gaps[0]}, from {under} to {over} it is {gaps[odd]}"
        witness = Witness(tuple(first[end] for end in ends), tuple(values[end] for end in ends), why)
        return Verdict(False, witness, f"all {image.total} {self}", How.COUNTEREXAMPLE)

    def affine(self, measure: str, other: str) -> Verdict:
        r"""Return whether one measure is :math:`\alpha x + \beta`, :math:`\alpha > 0`, of the other on all results.

        Then the two say the same on an interval scale. As every measure here is 0 exactly where nothing relevant was
        found, it is so when one is a multiple of the other. If not, the witness is two results with different ratios.

        Parameters
        ----------
        measure, other
            The measures: "P", "R" or "F".

        Examples
        --------
        >>> print(SetUniverse.up_to(1, 2).affine("P", "R").witness)
        (1, 1, 1) has P 1 and R 1, (1, 1, 2) has P 1 and R 1/2
        >>> print(SetUniverse(5, 2).affine("P", "R"))
        holds (exhaustive): R = 5/2 P
        """
        rows = [row for row in zip(self.results, self.values(measure), self.values(other), strict=True) if row[1]]
        ratio = rows[0][2] / rows[0][1]
        checked = f"all {len(self.results)} {self}"
        odd = next((row for row in rows if row[2] != ratio * row[1]), None)
        if odd is None:
            return Verdict(True, None, checked, How.EXHAUSTIVE, f"{other} = {ratio} {measure}")
        why = ", ".join(f"{result} has {measure} {x} and {other} {y}" for result, x, y in (rows[0], odd))
        return Verdict(False, Witness((rows[0][0], odd[0]), (rows[0][2], odd[2]), why), checked, How.COUNTEREXAMPLE)

    @cached_property
    def _columns(self) -> tuple[IntArray, IntArray, IntArray]:
        r, n, base = np.array(self.results, dtype=np.int64).T
        return r, n, base

    def reversals(self) -> list[tuple[SetResult, SetResult]]:
        r"""Return the pairs of which precision prefers the second and recall the first.

        That is so exactly when :math:`n_2 / n_1 < r_2 / r_1 < R_2 / R_1`.
        """
        r, n, base = self._columns
        precise = r[:, None] * n[None, :] < r[None, :] * n[:, None]
        complete = r[:, None] * base[None, :] > r[None, :] * base[:, None]
        return [(self.results[one], self.results[two]) for one, two in np.argwhere(precise & complete).tolist()]

    def correlation(self, measure: str, other: str) -> Correlation:
        """Return Kendall's tau-b of two measures on all results, with the numbers of pairs that it is counted from.

        Parameters
        ----------
        measure, other
            The measures: "P", "R" or "F".

        Examples
        --------
        >>> tau = SetUniverse.up_to(2, 2).correlation("P", "R")
        >>> round(tau, 4), tau.concordant, tau.discordant, tau.ties_x, tau.ties_y, tau.ties_both
        (0.8077, 22, 1, 3, 3, 7)
        """
        # places are whole numbers, so that no tie is lost to rounding
        return kendall(self.image(measure).places.tolist(), self.image(other).places.tolist())


def _spelled(numbers: tuple[int, ...]) -> str:
    in_a_row = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]} to {numbers[-1]}" if in_a_row else " or ".join(map(str, numbers))


def set_scale_table(retrieved: int = 4, recall_base: int = 4) -> pl.DataFrame:
    """Return what becomes of P, R and F on results of up to N documents and recall bases of up to K, for all N and K.

    A row for every N up to `retrieved` and K up to `recall_base`: how many results there are; for each measure its
    values and whether they are equally spaced; for each pair of measures whether one is affine in the other, and
    Kendall's tau-b; and how many pairs of results P and R reverse.

    Parameters
    ----------
    retrieved
        The largest N.
    recall_base
        The largest K.

    Examples
    --------
    >>> table = set_scale_table(2, 2)
    >>> table.filter(table["P interval"] & table["R interval"] & ~table["P-R affine"]).select("N", "K").rows()
    [(1, 2), (2, 1), (2, 2)]
    >>> table["results"].to_list(), table["reversals"].to_list()
    ([2, 4, 4, 9], [0, 0, 0, 1])

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-D
    """
    sizes, bases = whole_number("retrieved", retrieved), whole_number("recall_base", recall_base)
    rows = [_row(n, k) for n in range(1, sizes + 1) for k in range(1, bases + 1)]
    return PlainTable.of_rows(rows, dict.fromkeys(rows[0])).to_polars("set_scale_table")


def _row(retrieved: int, recall_base: int) -> dict[str, object]:
    universe = SetUniverse.up_to(retrieved, recall_base)
    row: dict[str, object] = {"N": retrieved, "K": recall_base, "results": len(universe.results)}
    for measure in SET_MEASURES:
        row[f"{measure} values"] = [str(value) for value in universe.image(measure)]
        row[f"{measure} interval"] = bool(universe.interval(measure))
    for measure, other in PAIRS:
        row[f"{measure}-{other} affine"] = bool(universe.affine(measure, other))
        row[f"{measure}-{other} tau"] = float(universe.correlation(measure, other))
    return {**row, "reversals": len(universe.reversals())}
