"""Numbers that carry caveats: what a reader of a single value should know."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

from attrs import asdict, frozen

from measurand.errors import Caveat
from measurand.exact.logarithms import InverseLogs, Logs, Quotient, QuotientSum
from measurand.exact.powers import PowersOfTwo

Number = TypeVar("Number", bound=Fraction | InverseLogs | Quotient | QuotientSum | Logs | PowersOfTwo | float)


class NotedFraction(Fraction):
    """A fraction with caveats; what is computed from it is a plain fraction."""

    __slots__ = ("caveats",)

    caveats: tuple[Caveat, ...]

    def __new__(cls, value: Fraction, caveats: tuple[Caveat, ...]) -> NotedFraction:
        """Return the fraction with its caveats."""
        made = super().__new__(cls, value.numerator, value.denominator)
        made.caveats = caveats
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return NotedFraction, (Fraction(self.numerator, self.denominator), self.caveats)

    def __copy__(self) -> NotedFraction:
        return self

    def __deepcopy__(self, memo: object) -> NotedFraction:
        return self

    def __repr__(self) -> str:
        return repr(Fraction(self.numerator, self.denominator))


class NotedFloat(float):
    """A float with caveats; what is computed from it is a plain float."""

    __slots__ = ("caveats",)

    caveats: tuple[Caveat, ...]

    def __new__(cls, value: float, caveats: tuple[Caveat, ...]) -> NotedFloat:
        """Return the float with its caveats."""
        made = super().__new__(cls, value)
        made.caveats = caveats
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return NotedFloat, (float(self), self.caveats)


@frozen(eq=False, repr=False, kw_only=True)
class _NotedInverseLogs(InverseLogs):
    caveats: tuple[Caveat, ...]


@frozen(eq=False, repr=False, kw_only=True)
class _NotedQuotient(Quotient):
    caveats: tuple[Caveat, ...]


@frozen(eq=False, repr=False, kw_only=True)
class _NotedQuotientSum(QuotientSum):
    caveats: tuple[Caveat, ...]


@frozen(eq=False, repr=False, kw_only=True)
class _NotedLogs(Logs):
    caveats: tuple[Caveat, ...]


@frozen(eq=False, repr=False, kw_only=True)
class _NotedPowersOfTwo(PowersOfTwo):
    caveats: tuple[Caveat, ...]


_KINDS: dict[type, type] = {
    InverseLogs: _NotedInverseLogs,
    Quotient: _NotedQuotient,
    QuotientSum: _NotedQuotientSum,
    Logs: _NotedLogs,
    PowersOfTwo: _NotedPowersOfTwo,
}


def noted(value: Number, caveats: tuple[Caveat, ...]) -> Number:
    """Return a number with caveats, as its attribute `caveats`; the number itself if there are none.

    Parameters
    ----------
    value
        A fraction, an exact number of this room, or a float.
    caveats
        What a reader of the number should know.

    Examples
    --------
    >>> from measurand.errors import CaveatKind
    >>> half = noted(Fraction(1, 2), (Caveat(CaveatKind.GRADES, "the grades are not known"),))
    >>> half, half + half, str(half.caveats[0])
    (Fraction(1, 2), Fraction(1, 1), 'the grades are not known')
    >>> caveats_of(half) == half.caveats, caveats_of(Fraction(1, 2))
    (True, ())
    """
    if not caveats:
        return value
    if isinstance(value, Fraction | float):
        kind: Any = NotedFraction if isinstance(value, Fraction) else NotedFloat
        return kind(value, caveats)  # type: ignore[no-any-return]
    kind = _KINDS[type(value)]
    return kind(**asdict(value, recurse=False), caveats=caveats)  # type: ignore[no-any-return]


def caveats_of(value: object) -> tuple[Caveat, ...]:
    """Return the caveats of a number.

    Parameters
    ----------
    value
        Any number.
    """
    found: tuple[Caveat, ...] = getattr(value, "caveats", ())
    return found
