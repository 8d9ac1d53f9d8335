"""The balancing index for grades that are real numbers, such as 0.3 and 1.

Measures take whole grades. What each makes of others is here, by family: grades that are gains stay gains, a measure
with two grades counts from its threshold up, and powers of 2 are enclosed between fractions until all is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import singledispatch
from math import lcm

from measurand.axioms.closed_forms import Grade
from measurand.axioms.head_and_tails import (
    Setting,
    additive_sides,
    by_definition,
    cascade_sides,
    last_rank,
    sides,
)
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import spell
from measurand.intervals.interval_scale import IntervalScaled
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.cascade import Cascade
from measurand.measures.defined import Defined
from measurand.measures.expected_reciprocal_rank import ExpectedReciprocalRank
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.inst import Inst
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.q_measure import QMeasure

BITS = (64, 256, 1024, 4096)
"""How many binary digits of a power of 2 are taken, one number after the other, until all is decided."""

FINEST = 100_000
"""Grades that are scaled to whole ones are this high at most."""

Bracket = tuple[Fraction, Fraction]
"""A fraction below a number, and one above it; the same where the number is a fraction."""


@singledispatch
def real_index(measure: Measure, setting: Setting) -> int | None:
    """Return the balancing index of a measure for grades that are not both whole.

    Examples
    --------
    >>> from measurand.measures import ERR, P, gP
    >>> setting = Setting.of(10, "0.3", 1)
    >>> real_index(gP, setting), real_index(ERR, setting), real_index(P, setting)
    (7, None, None)
    """
    if measure.graded:
        raise _unknown(measure, "takes whole grades alone")
    _refuse_below(measure, setting)
    # thresholds are whole, so that a grade reaches the same ones as its whole part
    coarse = Setting(setting.n, *setting.whole_grades, setting.recall_base)
    return last_rank(measure, coarse, sides(measure, coarse))


_by_threshold = real_index.dispatch(Measure)


def _unknown(measure: Measure, why: str) -> ParameterError:
    return ParameterError(f"{measure!r} {why}; number the grades 0, 1, 2, … in their order, or give a function of runs")


def _is_ours(measure: Measure) -> bool:
    """Return whether a measure is one of the catalogue's, of which it is known what it makes of a grade."""
    return type(measure).__module__.startswith("measurand.measures.")


@real_index.register(GeometricMean)
def _inner(measure: GeometricMean, setting: Setting) -> int | None:
    return real_index(measure.measure, setting)


@real_index.register(IntervalScaled)
def _scaled(measure: IntervalScaled, setting: Setting) -> int | None:
    return real_index(measure.ordering, setting)


@real_index.register(Defined)
def _function(measure: Defined, setting: Setting) -> int | None:
    return last_rank(measure, setting, by_definition(measure, setting))


@real_index.register(Additive)
def _additive(measure: Additive, setting: Setting) -> int | None:
    if not measure.graded:
        return _by_threshold(measure, setting)
    gain = measure.parameters().get("gain", "linear")
    if not _is_ours(measure) or gain not in ("linear", "exp2"):
        raise _unknown(measure, "has gains for whole grades alone")
    _refuse_above(measure, setting)

    def index(low: Fraction, high: Fraction) -> int | None:
        """Return the index where the two grades are worth so much; only their quotient matters."""
        return last_rank(measure, setting, additive_sides(measure, setting, low, high))

    if gain == "linear" or setting.qmin == setting.qmax:
        return index(Fraction(setting.qmin), Fraction(setting.qmax))

    def gains(grade: Grade, bits: int) -> Bracket:
        """Return the gain of a grade between two fractions."""
        low, high = power_of_two(grade, bits)
        return low - 1, high - 1

    return _decided(measure, setting, gains, index)


@real_index.register(Cascade)
def _cascade(measure: Cascade, setting: Setting) -> int | None:
    if not (_is_ours(measure) and isinstance(measure, ExpectedReciprocalRank)):
        raise _unknown(measure, "has probabilities of stopping for whole grades alone")
    _refuse_above(measure, setting)
    top = measure.gmax or setting.qmax

    def stops(grade: Grade, bits: int) -> Bracket:
        """Return the probability of stopping at a grade between two fractions."""
        (low, high), (least, most) = power_of_two(grade - top, bits), power_of_two(-top, bits)
        return low - most, high - least

    def index(low: Fraction, high: Fraction) -> int | None:
        """Return the index where the reader stops with these probabilities."""
        return last_rank(measure, setting, cascade_sides(measure, setting, low, high))

    return _decided(measure, setting, stops, index)


@real_index.register(QMeasure)
def _q(measure: QMeasure, setting: Setting) -> int | None:
    _refuse_below(measure, setting)
    # the same numbers, counted in smaller units
    units, whole = _in_units(setting)
    scaled = measure(rel=measure.rel * units, beta=measure.beta / units, gmax=measure.gmax and measure.gmax * units)
    return last_rank(scaled, whole, sides(scaled, whole))


@real_index.register(Inst)
def _inst(measure: Inst, setting: Setting) -> int | None:
    _refuse_above(measure, setting)
    units, whole = _in_units(setting)
    scaled = measure(gmax=measure.gmax and measure.gmax * units)
    return last_rank(scaled, whole, sides(scaled, whole))


@real_index.register(ObservationalEffectiveness)
def _informed(measure: ObservationalEffectiveness, setting: Setting) -> int | None:
    if not measure.graded:
        return _by_threshold(measure, setting)
    # it is the order of the grades that informs
    coarse = Setting(setting.n, 1, 1 if setting.qmin == setting.qmax else 2, setting.recall_base)
    return last_rank(measure, coarse, sides(measure, coarse))


def _refuse_below(measure: Measure, setting: Setting) -> None:
    if setting.qmax < measure.lowest:
        highest = f"the highest is qmax={spell(Fraction(setting.qmax))}"
        advice = "multiply both, or take a measure of gains"
        raise ParameterError(f"{measure!r} counts no grade below {measure.lowest}, but {highest}; {advice}")


def _refuse_above(measure: Measure, setting: Setting) -> None:
    gmax = measure.parameters().get("gmax")
    if gmax is not None and setting.qmax > gmax:
        raise ParameterError(f"{measure!r}: grade {spell(Fraction(setting.qmax))} is above gmax={gmax}")


def _in_units(setting: Setting) -> tuple[int, Setting]:
    """Return into how many parts a grade is divided so that both grades are whole, and the setting in these."""
    units = lcm(Fraction(setting.qmin).denominator, Fraction(setting.qmax).denominator)
    low, high = int(setting.qmin * units), int(setting.qmax * units)
    if high > FINEST:
        raise ParameterError(f"qmin={setting.qmin}, qmax={setting.qmax} have too many digits; round them to fewer")
    return units, Setting(setting.n, low, high, setting.recall_base)


def power_of_two(exponent: Grade, bits: int) -> Bracket:
    """Return two fractions between which 2 to some power lies, so many binary digits behind the point.

    Examples
    --------
    >>> power_of_two(Fraction(1, 2), bits=4), power_of_two(-1, bits=4)
    ((Fraction(11, 8), Fraction(23, 16)), (Fraction(1, 2), Fraction(1, 2)))
    """
    if exponent == int(exponent):
        return Fraction(2) ** int(exponent), Fraction(2) ** int(exponent)
    above, parts = Fraction(exponent).as_integer_ratio()
    root = whole_root(1 << (above + parts * bits), parts)
    return Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits)


def whole_root(number: int, power: int) -> int:
    """Return the largest whole number of which a power is at most a number.

    Examples
    --------
    >>> whole_root(27, 3), whole_root(26, 3)
    (3, 2)
    """
    root = 1 << -(-number.bit_length() // power)
    while True:
        # Newton's steps fall until they are there
        step = ((power - 1) * root + number // root ** (power - 1)) // power
        if step >= root:
            return root
        root = step


def _decided(
    measure: Measure,
    setting: Setting,
    worth: Callable[[Grade, int], Bracket],
    index: Callable[[Fraction, Fraction], int | None],
) -> int | None:
    """Return the index that both ends of ever closer brackets agree on.

    The index is no smaller where the low grade is worth more, and no larger where the high one is. Where both are one
    grade, it is no larger where that is worth more.
    """
    for both in _ends(setting, worth):
        found = {index(low, high) for low, high in both}
        if len(found) == 1:
            return found.pop()
    raise NotAvailable(
        f"{measure!r} has values that {BITS[-1]:,} binary digits cannot tell apart at n={setting.n},"
        f" qmin={setting.qmin}, qmax={setting.qmax}; take grades that are whole"
    )


def _ends(setting: Setting, worth: Callable[[Grade, int], Bracket]) -> Iterator[list[tuple[Fraction, Fraction]]]:
    for bits in BITS:
        low, high = worth(setting.qmin, bits), worth(setting.qmax, bits)
        if setting.qmin == setting.qmax:
            yield [(low[0], low[0]), (low[1], low[1])]
        else:
            yield [(low[0], high[1]), (low[1], high[0])]
