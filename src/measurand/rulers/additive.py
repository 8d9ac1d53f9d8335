"""The ruler of an additive measure: the simplest that fits its weights and gains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import define, field

from measurand.arrays import Cells
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import InverseLogs
from measurand.execution import Progress, silent
from measurand.rulers.bounds.certified import CertifiedSum
from measurand.rulers.closed.ordered import Complete, Lexicographic
from measurand.rulers.closed.tabulated import Tabulated
from measurand.rulers.closed.whole_sums import DENSE, WholeSums
from measurand.rulers.position import NONE, Position
from measurand.rulers.proofs.record import assumption_for
from measurand.rulers.ruler import Budget, Ruler
from measurand.rulers.sums.blocks import Blocks
from measurand.rulers.sums.direct_sum import DirectSum
from measurand.rulers.sums.divisibility import independent_blocks
from measurand.rulers.walks.walk_ruler import weighted_ruler

DEFAULT = Budget()
"""What a ruler may cost if nothing is said."""


def additive_ruler(
    weights: Sequence[Fraction | InverseLogs],
    gains: Sequence[Fraction],
    budget: Budget = DEFAULT,
    assumption: str | None = None,
) -> Ruler:
    r"""Return all the values of the measure :math:`\sum_i w_i\, g(r_i)` in order.

    Parameters
    ----------
    weights
        The weight of each rank.
    gains
        The gain of each grade.
    assumption
        What the independence of inverse logarithms rests on; looked up if nothing is said.

    Examples
    --------
    >>> from measurand.exact import inverse_log
    >>> weights = [Fraction(1), Fraction(1), inverse_log(3, 2), inverse_log(4, 2)]
    >>> ruler = additive_ruler(weights, [Fraction(0), Fraction(1)])
    >>> ruler.size
    12
    """
    if not weights or not gains:
        raise ParameterError("a ruler needs at least one rank and one grade")
    rational = [weight for weight in weights if isinstance(weight, Fraction)]
    if len(rational) == len(weights):
        return _rational_ruler(rational, gains, budget)
    least = min(gains)
    blocks = Blocks.of(weights, [gain - least for gain in gains]) if all(weight >= 0 for weight in weights) else None
    if blocks is None:
        raise NotAvailable("the weights of this measure have no common form; use fewer ranks, or enumerate its values")
    return _block_ruler(blocks, budget, assumption or assumption_for(blocks))


def _rational_ruler(weights: Sequence[Fraction], gains: Sequence[Fraction], budget: Budget) -> Ruler:
    sums = WholeSums.of(weights, gains)
    ruler: Ruler | None = Complete.of(sums) or Lexicographic.of(weights, gains)
    if ruler is None and sums.top <= DENSE:
        ruler = Tabulated.of_sums(sums)
    if ruler:
        return ruler
    blocks = independent_blocks(weights, gains) if min(weights) >= 0 else None
    if blocks:
        return _block_ruler(blocks, budget, NONE)
    ruler = Tabulated.of_sums(sums) or weighted_ruler(weights, gains, budget)
    if ruler is None:
        raise NotAvailable(
            f"the sums of these {len(weights)} weights are too many to list, and may tie in ways that are not known;"
            " use fewer ranks"
        )
    return ruler


def _block_ruler(blocks: Blocks, budget: Budget, assumption: str) -> Ruler:
    exact = DirectSum(blocks, budget, assumption)
    return ExactWhenFew(exact) if exact.fits() else CertifiedSum(blocks, budget, assumption)


@define(eq=False)
class ExactWhenFew(Ruler):
    """A ruler that places few runs exactly, and bounds the positions of many where exactness costs too much.

    Examples
    --------
    >>> from measurand.rulers.sums.blocks import Blocks
    >>> ruler = ExactWhenFew(DirectSum(Blocks.by_rank([Fraction(3, 4) ** rank for rank in range(30)], [0, 1])))
    >>> import numpy
    >>> str(ruler.positions(numpy.ones((1, 30), dtype=numpy.int8))[0].how)
    'exact'
    """

    exact: DirectSum
    depth: int = field(init=False)
    grades: int = field(init=False)
    assumption: str = field(init=False)
    _certified: CertifiedSum | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades, self.assumption = self.exact.depth, self.exact.grades, self.exact.assumption

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.exact.size

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        if self.exact.fits(len(runs)) or self.exact.fits(self.exact.different(runs)):
            return self.exact.positions(runs, progress)
        if self._certified is None:
            self._certified = CertifiedSum(self.exact.blocks, self.exact.budget, self.assumption)
        return self._certified.positions(runs, progress)

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        return self.exact.shares(runs)
