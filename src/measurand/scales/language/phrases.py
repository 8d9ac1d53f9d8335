"""Phrases: the words for averages and spreads, for how sides stand, for numbers, factors, tests and levels."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.scales.correlations import TOPICS, Coefficient
from measurand.scales.language.reader import Parsed, Reader, either, made, maybe, named, sequence, table, words
from measurand.scales.spreads import Spread
from measurand.scales.statements import Average, Number, Relation

BETTER, WORSE = "better", "worse"
"""What is said in the direction of the measure, not of the values."""

GRADED: Mapping[str, str] = MappingProxyType({"good": BETTER, "effective": BETTER, "bad": WORSE})
"""Words of "twice as … as" in the direction of the measure …"""

VALUED = ("high", "large", "big", "great", "long", "far", "distant", "heavy", "hot", "sweet")
"""… and those said of the values."""

STATISTICS: Mapping[str, Average | Spread] = MappingProxyType(
    {
        "mean": Average.MEAN,
        "means": Average.MEAN,
        "average": Average.MEAN,
        "arithmetic mean": Average.MEAN,
        "median": Average.MEDIAN,
        "geometric mean": Average.GEOMETRIC,
        "harmonic mean": Average.HARMONIC,
        "lower quartile": Average.LOWER,
        "first quartile": Average.LOWER,
        "upper quartile": Average.UPPER,
        "third quartile": Average.UPPER,
        "mode": Average.MODE,
        "standard deviation": Spread.DEVIATION,
        "sd": Spread.DEVIATION,
        "coefficient of variation": Spread.VARIATION,
        "cv": Spread.VARIATION,
        "range": Spread.RANGE,
        "interquartile range": Spread.QUARTILES,
        "iqr": Spread.QUARTILES,
    }
)

JUDGED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("beats", "outperforms", "is better than", "performs better than"), BETTER),
        **dict.fromkeys(("is worse than", "performs worse than"), WORSE),
    }
)

NOT_JUDGED: Mapping[str, str] = MappingProxyType(
    {
        **{f"does not {verb}": BETTER for verb in ("beat", "outperform", "perform better than")},
        "is not better than": BETTER,
        **dict.fromkeys(("is not worse than", "does not perform worse than"), WORSE),
    }
)
"""The same, denied."""

SIGNIFICANTLY: Mapping[str, str] = MappingProxyType(
    {
        **{f"is significantly {way} than": way for way in (BETTER, WORSE)},
        **{f"performs significantly {way} than": way for way in (BETTER, WORSE)},
        **dict.fromkeys(("significantly outperforms", "significantly beats"), BETTER),
    }
)

NOT_SIGNIFICANTLY: Mapping[str, str] = MappingProxyType(
    {
        **{f"is not significantly {way} than": way for way in (BETTER, WORSE)},
        **{f"does not perform significantly {way} than": way for way in (BETTER, WORSE)},
        **dict.fromkeys(("does not significantly outperform", "does not significantly beat"), BETTER),
    }
)

RELATIONS: Mapping[str, Relation | str] = MappingProxyType(
    {
        **dict.fromkeys((">=", "≥", "is at least", "is no less than"), Relation.AT_LEAST),
        **dict.fromkeys(("<=", "≤", "is at most", "is no more than", "does not exceed"), Relation.AT_MOST),
        **{f"is {way} than": Relation.ABOVE for way in ("greater", "higher", "larger", "bigger", "more")},
        **dict.fromkeys(("exceeds", ">", "is above"), Relation.ABOVE),
        **{f"is {way} than": Relation.BELOW for way in ("smaller", "lower", "less", "fewer")},
        **dict.fromkeys(("<", "is below"), Relation.BELOW),
        **dict.fromkeys(("equals", "is equal to", "is the same as", "==", "=", "is"), Relation.EQUAL),
        **JUDGED,
    }
)

BOUNDS: Mapping[str, Relation] = MappingProxyType(
    {
        "at least": Relation.AT_LEAST,
        "at most": Relation.AT_MOST,
        "more than": Relation.ABOVE,
        "larger than": Relation.ABOVE,
        "less than": Relation.BELOW,
        "fewer than": Relation.BELOW,
        "exactly": Relation.EQUAL,
    }
)

COUNTS: Mapping[str, Fraction] = MappingProxyType(
    {"twice": Fraction(2), "double": Fraction(2), "thrice": Fraction(3), "half": Fraction(1, 2)}
)

CARDINALS: Mapping[str, Fraction] = MappingProxyType(
    {
        word: Fraction(place)
        for place, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 2)
    }
)

COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(
    {
        **dict.fromkeys(("tau", "τ", "kendall's tau", "kendall’s tau", "kendall tau"), Coefficient.TAU),
        **dict.fromkeys(("correlation", "rank correlation", "kendall correlation", "kendall's τ"), Coefficient.TAU),
        **dict.fromkeys(("tau_ap", "tau ap", "τ_ap", "ap correlation"), Coefficient.TAU_AP),
        **dict.fromkeys(("spearman", "rho", "ρ", "spearman's rho", "spearman correlation"), Coefficient.SPEARMAN),
    }
)

VOCABULARY = tuple(
    dict.fromkeys(
        word
        for phrase in (
            *STATISTICS,
            *RELATIONS,
            *BOUNDS,
            *COUNTS,
            *COEFFICIENTS,
            "significantly better pairs differ under",
        )
        for word in phrase.removeprefix("does not exceed").split()
        if word.isalpha()
    )
)
"""Single words of sentences, for those who misspell one."""

_NUMBER = re.compile(r"[-−]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:/\d+)?")

_THOUSANDS = re.compile(r"[-−]?[1-9]\d{0,2}(?:,\d{3})+(?![.,]?\d)")

_COUNT = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")

TEST_LABEL = "a test (t, sign, wilcoxon, …)"
"""What to call a test where one is missing."""

LONGEST_TEST = 4
"""A test has so many words at most."""


def number(reader: Reader, position: int) -> Parsed:
    """Yield the number that stands at a position, with its digits.

    Examples
    --------
    >>> [(str(value), end) for value, end in number(Reader("is .7858", ()), 2)]
    [('.7858', 8)]
    """
    start = reader.start(position)
    found = _NUMBER.match(reader.text, start)
    if found is None or not reader.ends(found.end()):
        reader.fail(start, "a number")
        return
    if not _ambiguous(reader, start):
        yield Number(found[0].replace(",", ".")), found.end()


def _ambiguous(reader: Reader, start: int) -> bool:
    """Return whether a number may be meant in two ways, and remember that it was not read."""
    found = _THOUSANDS.match(reader.text, start)
    if found is None:
        return False
    plain, decimal = found[0].replace(",", ""), found[0].replace(",", ".", 1)
    either_ = f"{plain} or {decimal}" if found[0].count(",") == 1 else plain
    reader.unclear[start] = f"{found[0]!r} may be meant in two ways; write {either_}"
    return True


def count(reader: Reader, position: int) -> Parsed:
    """Yield the whole number that stands at a position: 1923 or 1,923.

    Examples
    --------
    >>> list(count(Reader("1,923 pairs", ()), 0))
    [(1923, 5)]
    """
    start = reader.start(position)
    found = _COUNT.match(reader.text, start)
    if found is None or not reader.ends(found.end()):
        reader.fail(start, "a whole number")
        return
    yield int(found[0].replace(",", "")), found.end()


def _times(reader: Reader, position: int) -> Parsed:
    """Yield a number of times: 2.5 times, 2 ×, 2x."""
    start = reader.start(position)
    found = re.compile(rf"(?:{_NUMBER.pattern})\s*(?:times|×|\*|x)(?!\w)").match(reader.lower, start)
    if found is None:
        reader.fail(start, "a number of times (twice, half, 2.5 times)")
        return
    if _ambiguous(reader, start):
        return
    text = found[0].removesuffix("times").rstrip(" ×*x")
    yield rational(text.replace(",", ".").replace("−", "-")), found.end()


THE = maybe(words("the", "a", "an"))

STATISTIC = table(STATISTICS, "a statistic (mean, median, standard deviation, …)")

RELATION = table(RELATIONS, "how it compares (exceeds, is at least, equals, is below, …)")

FACTOR = either(
    table(COUNTS, "a number of times (twice, half, 2.5 times)"),
    _times,
    made(sequence(table(CARDINALS, "a number"), words("times")), lambda value, _: value),
)

NOUN = maybe(words("score", "scores", "value", "values"))

SYSTEM = either(
    named("system"),
    made(sequence(words("system", "run", "the system", "the run", "the"), named("system")), lambda _, name: name),
)

MEASURE = named("measure")

ITS_MEASURE = named("measure", guessed=False)
"""The measure of a quantity, which may be left out: “mean AP of A”."""

TOPIC = named("topic")

PERCENT = made(sequence(number, words("%", "percent", "per cent")), lambda value, _: value)

COEFFICIENT = made(sequence(THE, table(COEFFICIENTS, "a correlation (tau, spearman)")), lambda _, found: found)

BY_AVERAGE = maybe(made(sequence(words("by", "by the"), STATISTIC), lambda _, found: found), Average.MEAN)

RANKED_BY = maybe(
    made(
        sequence(words("by", "over"), table({"mean": "mean", "means": "mean", "median": "median", "topic": TOPICS})),
        lambda _, found: str(found),
    ),
    "mean",
)


def _test(reader: Reader, position: int) -> Parsed:
    """Yield tests that are named at a position, the longest name first, without "the" and "test"."""
    from measurand.statistics.registry import find_test

    start, found = reader.start(position), False
    ends = [
        space for space in range(start, len(reader.text) + 1) if reader.text[space : space + 1] in ("", " ", ",", ")")
    ]
    for end in reversed(ends[:LONGEST_TEST]):
        name = re.sub(r"^(the|a) | test$", "", reader.text[start:end], flags=re.IGNORECASE)
        try:
            find_test(name)
        except ParameterError:
            continue
        found = True
        yield name, end
    if not found:
        reader.fail(start, TEST_LABEL)


def _as_level(value: Number, percent: object) -> float:
    return float(value.value / 100 if percent else value.value)


LEVEL = made(
    sequence(
        words("at"),
        maybe(words("the level of", "the level", "level", "the")),
        maybe(words("alpha =", "alpha=", "α =", "α=", "alpha", "α")),
        number,
        maybe(words("%")),
        maybe(words("level")),
    ),
    lambda *said: _as_level(said[3], said[4]),
)

TESTED = made(
    sequence(words("by", "under", "according to", "with", "in"), _test, maybe(LEVEL)),
    lambda _, test, alpha: (test, alpha),
)
"""By a test, at a level."""
