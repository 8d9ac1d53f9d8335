"""The parameters of measures: read as written, refused at once when impossible."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, inf
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from attrs import Attribute, fields

from measurand.calls import option
from measurand.errors import ParameterError, clipped, quoted
from measurand.exact import MOST, decimal, rational, spell

Gain = str | tuple[tuple[int | Fraction, Fraction], ...]

Threshold = int | Fraction
"""A grade from which on documents count as relevant."""


class Usual(int):
    """The threshold that nobody gave: 1, or half of the highest grade where some grades are fractions.

    Examples
    --------
    >>> USUAL == 1, is_given(USUAL), is_given(1)
    (True, False, True)
    """

    __slots__ = ()


def is_given(value: object) -> bool:
    """Return whether somebody gave a threshold."""
    return not isinstance(value, Usual)


def told_apart(value: object) -> tuple[bool, object]:
    """Return a threshold with whether it was given: 1 is another threshold than 1 by default."""
    return is_given(value), value


USUAL = Usual(1)


class Chosen(Usual):
    """The usual threshold, where somebody gave it all the same: another word for `USUAL`, equal to it."""

    __slots__ = ()


CHOSEN = Chosen(1)

Validator = Callable[[Any, "Attribute[Any]", Any], None]


def _refuse(measure: Any, attribute: Attribute[Any], value: object, wanted: str) -> ParameterError:
    return ParameterError(f"{measure.name}: {attribute.name} must be {wanted}, not {quoted(value)}")


SIZE = 40
"""Numbers that measures take as parameters have at most so many digits above and below the line of their fraction."""

SIZE_OF_GAINS = 2_000
"""Gains have at most so many: powers of 2 to a fraction have 77, and margins are looked for among multiples of them."""

FARTHEST_GAIN = 10**305
"""Gains above 0 lie between its inverse and it, as powers of 2 to a grade do, so that floats hold them."""

MOST_DOCUMENTS = 10**18
"""The size of the largest collection that a measure takes."""

HIGHEST_THRESHOLD = 2**63 - 1
"""The highest grade that a file of judgments can hold."""


def sized(measure: Any, attribute: Attribute[Any], value: Fraction, size: int = SIZE) -> None:
    """Check that a number has no more digits than exact values can be computed with, above and below its line."""
    if max(abs(value.numerator), value.denominator) >= 10**size:
        raise _refuse(measure, attribute, value, f"a number of at most {size:,} digits, such as 0.8 or 1e-9")


def inside(low: int, high: int) -> Validator:
    """Return a check that a number lies strictly between `low` and `high`."""

    def check(measure: Any, attribute: Attribute[Any], value: Fraction) -> None:
        sized(measure, attribute, value)
        if not low < value < high:
            raise _refuse(measure, attribute, float(value), f"between {low} and {high}, both excluded")

    return check


def within(low: int, high: int) -> Validator:
    """Return a check that a number lies between `low` and `high`, or is one of them."""

    def check(measure: Any, attribute: Attribute[Any], value: Fraction) -> None:
        sized(measure, attribute, value)
        if not low <= value <= high:
            raise _refuse(measure, attribute, float(value), f"from {low} to {high}")

    return check


def at_least(low: int) -> Validator:
    """Return a check that a number is not below `low`."""

    def check(measure: Any, attribute: Attribute[Any], value: Fraction) -> None:
        sized(measure, attribute, value)
        if value < low:
            raise _refuse(measure, attribute, float(value), f"{low} or more")

    return check


def one_of(*choices: str) -> Validator:
    """Return a check that a value is one of some words."""

    def check(measure: Any, attribute: Attribute[Any], value: object) -> None:
        try:
            option(attribute.name, value, choices)
        except ParameterError as error:
            raise ParameterError(f"{measure.name}: {error}") from None

    return check


def positive(measure: Any, attribute: Attribute[Any], value: Fraction) -> None:
    """Check that a number is above 0."""
    sized(measure, attribute, value)
    if not value > 0:
        raise _refuse(measure, attribute, float(value), "above 0")


def whole(low: int, *, optional: bool = False, high: int = MOST) -> Validator:
    """Return a check that a value is a whole number from `low` to `high` (or None, where that is a choice)."""

    def check(measure: Any, attribute: Attribute[Any], value: object) -> None:
        if optional and value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise _refuse(measure, attribute, value, f"a whole number from {low} up")
        if value > high:
            raise _refuse(measure, attribute, value, f"a whole number from {low} to {high:,}")

    return check


def read_threshold(value: Any) -> Any:
    """Return a grade as it is written: a whole number, a fraction, or None.

    Examples
    --------
    >>> read_threshold(2), read_threshold("0.5"), read_threshold(1.0), read_threshold(None)
    (2, Fraction(1, 2), 1, None)
    """
    if value is None or isinstance(value, int):
        return value
    try:
        number = rational(value)
    except ParameterError:
        return value
    return number.numerator if number.denominator == 1 else number


def threshold(*, optional: bool = False) -> Validator:
    """Return a check that a value is a grade above 0 (or None, where that is a choice)."""

    def check(measure: Any, attribute: Attribute[Any], value: object) -> None:
        if optional and value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int | Fraction) or value <= 0:
            raise _refuse(measure, attribute, value, "a grade above 0, such as 1 or 0.5")
        sized(measure, attribute, Fraction(value))
        if value > HIGHEST_THRESHOLD:
            raise _refuse(measure, attribute, value, f"a grade, of which the highest is {HIGHEST_THRESHOLD:,}")

    return check


def truth(measure: Any, attribute: Attribute[Any], value: object) -> None:
    """Check that a value is True or False."""
    if not isinstance(value, bool):
        raise _refuse(measure, attribute, value, "True or False")


def read_ranks(value: Any) -> Any:
    """Return a number of ranks, infinity for `"inf"`."""
    return inf if value == inf or str(value).casefold() in ("inf", "infinity") else value


def ranks_or_endless(measure: Any, attribute: Attribute[Any], value: object) -> None:
    """Check that a number of ranks is a whole number, infinity or None."""
    if value != inf:
        whole(1, optional=True)(measure, attribute, value)


def read_whole(value: object) -> int:
    """Return the whole part of a number, so that 2e9 may be written."""
    return int(rational(value))


def read_gain(value: object) -> Gain:
    """Return a gain function: `"linear"`, `"exp2"`, or pairs of grade and gain.

    Examples
    --------
    >>> read_gain("exp2"), read_gain({1: 1, 2: "2.5"})
    ('exp2', ((1, Fraction(1, 1)), (2, Fraction(5, 2))))
    """
    if isinstance(value, str) and value in ("linear", "exp2"):
        return value
    if isinstance(value, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
        value = dict(value)
    pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
    named: dict[Any, Any] = {read_threshold(grade): gain for grade, gain in pairs}
    if all(isinstance(grade, int | Fraction) and grade >= 0 for grade in named):
        return tuple(sorted((grade, rational(gain)) for grade, gain in named.items()))
    raise ParameterError(
        f"gain must be 'linear', 'exp2' or a mapping of grades to gains such as {{1: 1, 2: 3}}, not {quoted(value)}"
    )


def check_gain(measure: Any, attribute: Attribute[Any], value: Gain) -> None:
    """Check that gains are named up to a grade, start with 0 for grade 0, and never fall with the grade.

    Gains as trec_eval writes them may fall, and leave grades out.
    """
    if isinstance(value, str):
        if "=" in value:
            trec_gains(value, measure.name)
        return
    for grade, gain in value:
        sized(measure, attribute, gain, SIZE_OF_GAINS)
        sized(measure, attribute, Fraction(grade))
        if gain and not 1 <= abs(gain) * FARTHEST_GAIN <= FARTHEST_GAIN**2:
            raise _refuse(measure, attribute, gain, "between 1e-305 and 1e305, or 0")
        if gain < 0 or (grade == 0 and gain):
            raise _refuse(measure, attribute, {grade: float(gain)}, "0 for grade 0 and never negative")
    named = {0: Fraction(0), **dict(value)}
    whole = all(isinstance(grade, int) for grade in named)
    # no more than those that are named can follow upon each other
    missing = next((grade for grade in range(min(ceil(max(named)), len(named))) if grade not in named), None)
    if missing is not None and whole:
        raise ParameterError(
            f"{measure.name}: {attribute.name} leaves out grade {missing}, below {max(named)}; name every grade up"
            f" to the highest, such as {missing}: {missing}"
        )
    for low, high in pairwise(sorted(named)):
        if named[high] < named[low]:
            fall = f"{{{low}: {spell(named[low])}, {high}: {spell(named[high])}}}"
            wanted = "at least as high for a higher grade as for a lower one"
            raise ParameterError(f"{measure.name}: {attribute.name} must be {wanted}, not {fall}")
    gmax, last = getattr(measure, "gmax", None), max(named)
    if gmax is not None and gmax > last and named[last] > last + 1:
        raise ParameterError(
            f"{measure.name}: gmax={gmax} is the highest grade, but the gains stop at grade {last}; leave gmax out, or"
            f" write gmax={last}"
        )


def gain_of(gain: Gain, grade: Threshold) -> Fraction:
    """Return what a document of `grade` is worth.

    Grades above those that a mapping names are worth themselves, or refused where that is less than a lower grade
    is worth.

    Examples
    --------
    >>> gain_of("exp2", 3), gain_of("linear", 3), gain_of(((1, Fraction(2)),), 2)
    (Fraction(7, 1), Fraction(3, 1), Fraction(2, 1))
    """
    if grade <= 0:
        return Fraction(0)
    if gain == "exp2":
        return power_of_two(grade) - 1
    if gain == "linear":
        return Fraction(grade)
    if isinstance(gain, str):
        return trec_gains(gain).get(grade, Fraction(grade))  # type: ignore[arg-type]
    place = bisect_left(gain, grade, key=itemgetter(0))  # there may be many
    if place < len(gain) and gain[place][0] == grade:
        return gain[place][1]
    if not gain:
        return Fraction(grade)
    highest, most = gain[-1]
    if grade < highest:
        raise ParameterError(f"the gains name no grade {decimal(grade)}; name every grade below {decimal(highest)}")
    if most > grade:
        raise ParameterError(
            f"the gains name no grade above {decimal(highest)}, so that grade {decimal(grade)} would be worth"
            f" {decimal(grade)}, less than the {spell(most)} of grade {decimal(highest)}; name it, too"
        )
    return Fraction(grade)


HIGHEST_POWER = 1000
"""The highest grade whose power of 2 a float can hold."""

BITS = 256
"""The power of 2 of a fraction is irrational: it is taken to so many binary digits."""


@lru_cache(maxsize=4096)
def power_of_two(grade: Threshold) -> Fraction:
    """Return 2 to a grade: exactly for whole grades, to 256 binary digits for others.

    Roots of 2 with different exponents below 1 are linearly independent over the rational numbers, so that weighted
    sums of these numbers are equal where those of the true powers are. Their products are not: who multiplies them
    rounds, as `measurand.measures.cascade` does.

    Examples
    --------
    >>> power_of_two(3), float(power_of_two(Fraction(1, 2)))
    (Fraction(8, 1), 1.4142135623730951)
    """
    if grade > HIGHEST_POWER:
        raise ParameterError(f"2 to the grade {decimal(grade)} is too large; take another gain, or scale the grades")
    whole, part = divmod(Fraction(grade), 1)
    if not part:
        return Fraction(2) ** whole
    with localcontext() as context:
        context.prec = BITS * 3 // 10 + 20
        root = Decimal(2) ** (Decimal(part.numerator) / Decimal(part.denominator))
        digits = BITS * 3 // 10
        return Fraction(int(root.scaleb(digits).to_integral_value()), 10**digits) * Fraction(2) ** whole


@lru_cache(maxsize=64)
def trec_gains(text: str, of: str = "nDCG") -> Mapping[int, Fraction]:
    """Return gains as trec_eval reads them, which may fall with the grade; those left out are worth their grade.

    Parameters
    ----------
    text
        Grades and their gains, as in `"1=3,2=9"`.
    of
        Whose gains they are, for complaints.

    Examples
    --------
    >>> trec_gains("1=3,2=9,4=4.5")[4]
    Fraction(9, 2)
    """
    pairs = [[part.strip() for part in pair.split("=")] for pair in text.split(",")]
    try:
        found = {int(grade): rational(gain) for grade, gain in pairs if grade.isdecimal() and len(grade) < 20}
    except (ValueError, ParameterError):
        found = {}
    if len(found) < len(pairs):
        raise ParameterError(f"{of}: gain={clipped(text)}: write grade=gain, every grade once, as in 1=3,2=9")
    if max(max(gain.numerator, gain.denominator) for gain in found.values()) >= 10**SIZE:
        raise ParameterError(f"{of}: gain={clipped(text)}: gains must be numbers of at most {SIZE} digits")
    if min(found.values()) < 0 or found.get(0, Fraction(0)):
        raise ParameterError(f"{of}: gain={clipped(text)}: gains must be 0 for grade 0 and never negative")
    return MappingProxyType(found)


def share_of_gain(gain: Gain, grade: Threshold, grades: Sequence[Threshold]) -> Fraction:
    """Return the gain of a grade as a share of the highest gain of all grades.

    Examples
    --------
    >>> share_of_gain("exp2", 1, range(3)), share_of_gain(read_gain({1: 1, 2: 4}), 1, range(3))
    (Fraction(1, 3), Fraction(1, 4))
    """
    may_fall = isinstance(gain, str) and "=" in gain
    highest = max(gain_of(gain, each) for each in grades) if may_fall else gain_of(gain, grades[-1])
    return gain_of(gain, grade) / (highest or 1)


def spell_parameter(value: object) -> str:
    """Return a parameter as Python source that reads back as the same value."""
    if isinstance(value, Fraction):
        return spell(value)
    if value and isinstance(value, tuple) and all(isinstance(each, Fraction) for each in value):
        return repr(",".join(spell(each).strip("'") for each in value))
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{spell(Fraction(grade))}: {spell(gain)}" for grade, gain in value) + "}"
    return repr(value)


def made_again(kind: Callable[..., Any], parameters: Mapping[str, Any]) -> Any:
    """Return a measure of a kind from its parameters: how measures travel between processes."""
    return kind(**parameters)


@lru_cache(maxsize=256)
def parameters_of(kind: type) -> tuple[Attribute[Any], ...]:
    """Return the parameters of a kind of measure: all its fields but the set of grades."""
    return tuple(attribute for attribute in fields(kind) if attribute.name != "relevance")


def spelling(measure: Any, *without: str) -> str:
    """Return the spelling of a measure, some of its parameters left out.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> spelling(AP(rel=2) @ 10), spelling(AP(rel=2) @ 10, "cutoff")
    ('AP(rel=2)@10', 'AP(rel=2)')
    """
    given = {}
    for attribute in parameters_of(type(measure)):  # type: ignore[arg-type]
        value = getattr(measure, attribute.name)
        given_here = is_given(value) and not is_given(attribute.default)
        if attribute.name in measure.shown or value != attribute.default or given_here:
            given[attribute.name] = spell_parameter(value)
    kept = {name: value for name, value in given.items() if name not in without}
    at = kept.pop(measure.at, None)
    inside = ", ".join(f"{name}={value}" for name, value in kept.items())
    return f"{measure.name}{f'({inside})' if inside else ''}{'' if at is None else f'@{at}'}"
