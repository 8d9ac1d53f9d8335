"""The exact values that scores stand for, computed when somebody asks which of their differences are equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.errors import NotAvailable
from measurand.exact import Exact, Units, units

Exactly = Callable[[], Sequence[Exact]]
"""Returns the exact values, system by system and topic by topic."""


@frozen(eq=False)
class ExactValues:
    """The exact values of some scores.

    Parameters
    ----------
    floats
        The scores, systems × topics, that the values belong to; NaN where there is none.
    exactly
        What computes the values.

    Examples
    --------
    >>> from fractions import Fraction
    >>> known = ExactValues(np.array([[0.5, 0.75]]), lambda: [Fraction(1, 2), Fraction(3, 4)])
    >>> known.units_of(np.array([[-0.5, -0.75]])).sizes.tolist(), known.units_of(np.array([[0.5, 0.25]]))
    ([[-2, -3]], None)
    """

    floats: FloatArray
    exactly: Exactly
    _known: list[Units | None] = field(factory=list, init=False)

    def units_of(self, floats: FloatArray) -> Units | None:
        """Return the values of scores as whole numbers; None for other scores, or where the values have no such form.

        Scores that are turned round, because lower is better, have the values turned round.
        """
        turned = not np.array_equal(floats, self.floats, equal_nan=True)
        if turned and not np.array_equal(floats, 0.0 - self.floats, equal_nan=True):
            return None
        if not self._known:
            self._known.append(self._units())
        found = self._known[0]
        return Units(-found.sizes, -found.keys) if found is not None and turned else found

    def _units(self) -> Units | None:
        try:
            found = units(self.exactly())
        except NotAvailable:
            return None
        shape = self.floats.shape
        return None if found is None else Units(found.sizes.reshape(shape), found.keys.reshape(shape))

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        # a measure may be a function that does not travel to another process; the floats do
        return _nothing, ()


def _nothing() -> None:
    return None
