"""Balancing curves: the balancing index of a measure at growing run lengths."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from attrs import frozen

from measurand.axioms.balance.index import balancing_index
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, silent
from measurand.measures import Measure, as_measure

FIGURE_1A = (
    "AP",
    "nDCG(b=2)",
    "nDCG(b=10)",
    "ERR",
    "RBP(p=0.5)",
    "RBP(p=0.8)",
    "RBP(p=0.95)",
    "P",
    "RR",
)
"""The measures of the paper's Figure 1a, with the two that mark its ends."""

LENGTHS = (5, 10, 20, 50, 100, 200, 500, 1000)
"""Run lengths that show where a curve goes."""

NEAR = Fraction(1, 4)
"""How close to 1 or to `n` an index is called near, as a share of the ranks."""


@frozen
class Curve:
    """The balancing index of a measure at some run lengths.

    Parameters
    ----------
    measure
        The spelling of the measure.
    points
        Pairs of a run length and the index there, None where no tail is enough.

    Examples
    --------
    >>> curve = balancing_curve("RBP(p=0.8)", [10, 1000])
    >>> curve.points, curve.share
    (((10, 6), (1000, 8)), (Fraction(3, 5), Fraction(1, 125)))
    >>> curve.reading
    'RBP(p=0.8) is top-heavy: at 1000 ranks its balancing index is 8, near 1.'

    References
    ----------
    [FerranteFerroMaistro2015]_, section 6
    """

    measure: str
    points: tuple[tuple[int, int | None], ...]
    qmin: int = 1
    qmax: int = 1

    @property
    def share(self) -> tuple[Fraction | None, ...]:
        """The index as a share of the run length, point by point."""
        return tuple(None if b is None else Fraction(b, n) for n, b in self.points)

    @property
    def reading(self) -> str:
        """What the longest run length says of the measure, in one sentence."""
        n, b = max(self.points, key=lambda point: point[0])
        if b is None:
            return (
                f"{self.measure} is top-heavy: at {n} ranks not even a run full of grade {self.qmin} is worth"
                f" one document of grade {self.qmax} at rank 1."
            )
        if n == 1:
            return f"{self.measure}: a run of 1 rank has no tail; ask for longer runs."
        index = f"at {n} ranks its balancing index is {b}"
        if Fraction(b, n) >= 1 - NEAR:
            return f"{self.measure} is set-like, not top-heavy: {index}, near {n}."
        if Fraction(b, n) <= NEAR:
            return f"{self.measure} is top-heavy: {index}, near 1."
        return f"{self.measure} is between set-like and top-heavy: {index}."


def balancing_curve(
    measure: Measure | str,
    lengths: Iterable[int] = LENGTHS,
    qmin: int = 1,
    qmax: int = 1,
    progress: Progress = silent,
) -> Curve:
    """Return the balancing index of a measure at each of some run lengths.

    Examples
    --------
    >>> balancing_curve("AP", [5, 10, 20]).points
    ((5, 3), (10, 7), (20, 15))

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 1a
    """
    measure = as_measure(measure)
    asked = [whole_number("a run length", n) for n in lengths]
    if not asked:
        raise ParameterError("a curve needs at least one run length")
    points = tuple((n, balancing_index(measure, n, qmin, qmax)) for n in progress(asked, len(asked), repr(measure)))
    return Curve(repr(measure), points, qmin, qmax)
