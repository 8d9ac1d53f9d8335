"""Statements about scores, and the sentences that spell them: `Averages`, `Differences`, `Significant`.

A statement is a value with a sentence, which is true or false of any scores; `parse_statement` reads the sentences that
people write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from fractions import Fraction
from math import fsum
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import rational, spell
from measurand.scores import place_of
from measurand.scores.scores import GEOMETRIC_FLOOR
from measurand.statistics.multiple_comparisons import level

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""Sides closer than this, relative to the largest score, are equal: rounding could have told them apart."""

LARGEST_FACTOR = 1000
"""Factors beyond this, and their inverses, are refused: weights must fit whole numbers of 64 bits."""

FORMS = (
    "mean of A exceeds mean of B (or: median, geometric mean, lower quartile, upper quartile; is at least, equals)",
    "mean of A is at least 1.2 times mean of B",
    "A is 20 % better than B (or: mean of A is 20 % lower than mean of B)",
    "A is better than B (by the mean)",
    "the difference between A and B is twice that between C and D (or: half, 2.5 times, at least twice)",
    "A and B differ significantly by t (or another test) at 0.05",
)
"""The sentences that are understood."""

_JUDGEMENTS = {"better": "beats|is better than", "worse": "is worse than"}
"""… and of which are better, which depends on the measure."""

_COUNTS = {"twice": Fraction(2), "double": Fraction(2), "thrice": Fraction(3), "half": Fraction(1, 2)}

_NUMBER = r"\d+(?:[.,]\d+)?(?:/\d+)?"

_FACTOR = rf"(?P<factor>twice|thrice|double|half|{_NUMBER}\s*(?:times|×|\*|x))"

_LEVEL = rf"(?: at (?:the )?(?:level )?(?:of )?(?:alpha ?= ?|α ?= ?)?(?P<alpha>{_NUMBER})(?P<percent> ?%)?(?: level)?)?"


class Relation(StrEnum):
    """How the two sides of a statement stand."""

    ABOVE = "exceeds"
    AT_LEAST = "is at least"
    EQUAL = "equals"
    AT_MOST = "is at most"
    BELOW = "is below"

    @classmethod
    def better(cls, lower_is_better: bool) -> Relation:
        """Return how the better side stands to the other.

        Parameters
        ----------
        lower_is_better : bool
            Whether lower values are better.

        Examples
        --------
        >>> str(Relation.better(False)), str(Relation.better(True))
        ('exceeds', 'is below')
        """
        return cls.BELOW if lower_is_better else cls.ABOVE

    def admits(self, sign: int) -> bool:
        """Return whether the relation holds, given the sign of left minus right.

        Parameters
        ----------
        sign : int
            The sign of the first side less the second: -1, 0 or 1.
        """
        allowed = {
            Relation.ABOVE: (1,),
            Relation.AT_LEAST: (0, 1),
            Relation.EQUAL: (0,),
            Relation.AT_MOST: (-1, 0),
            Relation.BELOW: (-1,),
        }
        return sign in allowed[self]


class Average(StrEnum):
    """What sums up the scores of a system over its topics."""

    MEAN = "mean"
    MEDIAN = "median"
    GEOMETRIC = "geometric mean"
    LOWER = "lower quartile"
    UPPER = "upper quartile"
    MODE = "mode"


def positive(value: object) -> Fraction:
    """Return a positive number, read as written, to nine digits.

    Examples
    --------
    >>> positive("1.2"), positive(1 / 3)
    (Fraction(6, 5), Fraction(1, 3))
    """
    number = rational(value)
    if number <= 0:
        raise ParameterError(f"a factor must be positive, not {number}")
    if not 1 <= number * LARGEST_FACTOR <= LARGEST_FACTOR**2:
        raise ParameterError(f"a factor must lie between {1 / LARGEST_FACTOR:g} and {LARGEST_FACTOR:g}, not {value}")
    plain = number.limit_denominator(10**5)
    return plain if float(plain) == float(number) else Fraction(f"{float(number):.9g}")


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f"{spell(factor).strip(chr(39))} times "


@frozen
class Averages:
    """One system's average against another's, or against a multiple of it.

    Parameters
    ----------
    average : Average
        Quartiles are values that occur: the first that a quarter (three quarters) of the scores do not exceed. The
        median of an even number of scores is half way between the two in the middle. The geometric mean takes at
        least 0.00001 of every score.
    a, b : str
        The systems of the two sides.
    relation : Relation
        How the first side stands to the second.
    factor : Fraction
        How many times the second side is taken.

    Examples
    --------
    >>> str(Averages("mean", "bm25", "neural"))
    'mean of bm25 exceeds mean of neural'
    >>> str(Averages("mean", "bm25", "neural", "is at least", factor="1.2"))
    'mean of bm25 is at least 1.2 times mean of neural'
    """

    average: Average = field(converter=Average)
    a: str
    b: str
    relation: Relation = field(converter=Relation, default=Relation.ABOVE)
    factor: Fraction = field(converter=positive, default=Fraction(1), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.average is Average.MODE and (self.relation is not Relation.EQUAL or self.factor != 1):
            raise ParameterError("modes can be said to be equal, nothing else: there may be several")

    def __str__(self) -> str:
        return f"{self.average} of {self.a} {self.relation} {_times(self.factor)}{self.average} of {self.b}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b)

    def sides(self, rows: FloatArray) -> tuple[float, float]:
        """Return what stands on the left and on the right, of scores with a row for each of its systems.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        return average_of(rows[0], self.average), float(self.factor) * average_of(rows[1], self.average)

    def weights(self, rows: FloatArray) -> IntArray:
        """Return whole weights, systems × topics, whose sum of scores has the sign of left minus right.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        shares = [_shares(row, self.average) for row in rows]
        ratio = self.factor * Fraction(shares[0][1], shares[1][1])
        return np.array([shares[0][0] * ratio.denominator, -shares[1][0] * ratio.numerator], dtype=np.int64)


@frozen
class Differences:
    """The difference of two means against a multiple of that of two others.

    Parameters
    ----------
    a, b : str
        The systems of the first difference.
    c, d : str
        The systems of the second difference.
    relation : Relation
        How the first side stands to the second.
    factor : Fraction
        How many times the second side is taken.

    Examples
    --------
    >>> str(Differences("A", "B", "C", "D", factor=2))
    'the difference between A and B is 2 times that between C and D'
    """

    a: str
    b: str
    c: str
    d: str
    relation: Relation = field(converter=Relation, default=Relation.EQUAL)
    factor: Fraction = field(converter=positive, default=Fraction(1), kw_only=True)
    average: ClassVar[Average] = Average.MEAN

    def __str__(self) -> str:
        equal = "is as large as" if self.factor == 1 else "is"
        words = {Relation.EQUAL: equal, Relation.ABOVE: "is more than", Relation.BELOW: "is less than"}
        relation = words.get(self.relation, str(self.relation))
        of_others = f"{_times(self.factor)}that between {self.c} and {self.d}"
        return f"the difference between {self.a} and {self.b} {relation} {of_others}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b, self.c, self.d)

    def sides(self, rows: FloatArray) -> tuple[float, float]:
        """Return what stands on the left and on the right, of scores with a row for each of its systems.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        a, b, c, d = (average_of(row, Average.MEAN) for row in rows)
        return a - b, float(self.factor) * (c - d)

    def weights(self, rows: FloatArray) -> IntArray:
        """Return whole weights, systems × topics, whose sum of scores has the sign of left minus right.

        Parameters
        ----------
        rows : array of float
            The scores of the systems, one row a system.
        """
        there = (~np.isnan(rows)).astype(np.int64)
        counts = there.sum(axis=1)
        common = int(np.lcm.reduce(counts))
        below, above = self.factor.denominator, self.factor.numerator
        signed = np.array([below, -below, -above, above]) * (common // counts)
        return np.asarray(signed[:, None] * there)


@frozen
class Significant:
    """Two systems differ significantly by a test.

    Parameters
    ----------
    a, b : str
        The two systems.
    test : str
        Its name, as in `measurand.statistics`, or another name of it.
    alpha : float, optional
        The level of significance; by default that of `check`.

    Examples
    --------
    >>> str(Significant("bm25", "neural", "t")), str(Significant("bm25", "neural", "sign", alpha=0.01))
    ('bm25 and neural differ significantly by t', 'bm25 and neural differ significantly by sign at 0.01')
    """

    a: str
    b: str
    test: str
    alpha: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.alpha is not None:
            level(self.alpha)

    def __str__(self) -> str:
        level = "" if self.alpha is None else f" at {self.alpha:g}"
        return f"{self.a} and {self.b} differ significantly by {self.test}{level}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it is about."""
        return (self.a, self.b)


Statement = Averages | Differences | Significant
"""Any statement that can be checked."""


def lifted(rows: FloatArray, average: Average) -> FloatArray:
    """Return scores as an average takes them: a geometric mean takes 0.00001 at least.

    Examples
    --------
    >>> lifted(np.array([0.0, 0.5]), Average.GEOMETRIC).tolist()
    [1e-05, 0.5]
    """
    return np.maximum(rows, GEOMETRIC_FLOOR) if average is Average.GEOMETRIC else rows


def average_of(row: FloatArray, average: Average) -> float:
    """Return an average of scores, topics without a score left out.

    Examples
    --------
    >>> average_of(np.array([2.0, 2.0, 4.0, 8.0, 36.0]), Average.MEAN)
    10.4
    >>> average_of(np.array([1.0, 2.0, 3.0, 4.0]), Average.LOWER)
    1.0
    """
    there = row[~np.isnan(row)]
    if average is Average.MEAN:
        return fsum(there.tolist()) / len(there)
    if average is Average.GEOMETRIC:
        return float(np.exp(fsum(np.log(there).tolist()) / len(there)))
    if average is Average.MODE:
        return min(modes_of(there))
    shares, common = _shares(there, average)
    return float(np.dot(shares, there)) / common


def modes_of(row: FloatArray) -> frozenset[float]:
    """Return the most frequent scores.

    Examples
    --------
    >>> sorted(modes_of(np.array([1.0, 1.0, 4.0, 4.0, 3.0])))
    [1.0, 4.0]
    """
    values, counts = np.unique(row[~np.isnan(row)], return_counts=True)
    return frozenset(values[counts == counts.max()].tolist())


def sign_of(left: float, right: float, size: float) -> int:
    """Return the sign of left minus right, and 0 where only rounding tells them apart.

    Examples
    --------
    >>> sign_of(0.1 + 0.2, 0.3, 0.3), sign_of(0.31, 0.3, 0.3)
    (0, 1)
    """
    difference = left - right
    return 0 if abs(difference) <= ROUNDING * max(size, abs(left), abs(right)) else (1 if difference > 0 else -1)


def _shares(row: FloatArray, average: Average) -> tuple[IntArray, int]:
    """Return how often each score counts in an average, and of how many in all."""
    there = ~np.isnan(row)
    n = int(there.sum())
    if average in (Average.MEAN, Average.GEOMETRIC):
        return there.astype(np.int64), n
    order = np.argsort(row, kind="stable")
    shares = np.zeros(len(row), dtype=np.int64)
    if average is Average.MEDIAN:
        shares[order[(n - 1) // 2]] += 1
        shares[order[n // 2]] += 1
        return shares, 2
    quarters = 1 if average is Average.LOWER else 3
    shares[order[-(-quarters * n // 4) - 1]] = 1
    return shares, 1


_AVERAGES = {
    "arithmetic mean": Average.MEAN,
    "geometric mean": Average.GEOMETRIC,
    "lower quartile": Average.LOWER,
    "first quartile": Average.LOWER,
    "upper quartile": Average.UPPER,
    "third quartile": Average.UPPER,
    "average": Average.MEAN,
    "median": Average.MEDIAN,
    "means": Average.MEAN,
    "mean": Average.MEAN,
    "mode": Average.MODE,
}


_RELATIONS = {
    Relation.AT_LEAST: r">=|≥|is at least|is no less than",
    Relation.AT_MOST: r"<=|≤|is at most|is no more than",
    Relation.ABOVE: r">|exceeds|is (?:greater|higher|larger|bigger|more) than|is above",
    Relation.BELOW: r"<|is (?:smaller|lower|less) than|is below",
    Relation.EQUAL: r"==?|equals|is equal to|is the same as|is",
}
"""What is said of the values …"""


_RELATION = "|".join(
    [f"(?P<{word}>{text})" for word, text in _JUDGEMENTS.items()]
    + [f"(?P<r{place}>{text})" for place, text in enumerate(_RELATIONS.values())]
)


def parse_statement(text: str, systems: Sequence[str], *, lower_is_better: bool = False) -> Statement:
    """Return the statement that a sentence makes about some systems.

    Upper and lower case are alike, unless systems differ in nothing else. What is said to be better or worse, or to
    beat another, is so in the direction of the measure; higher, more, lower and less are said of the values.

    Parameters
    ----------
    text : str
        A sentence of one of `FORMS`.
    systems : sequence of str
        The names of the systems.
    lower_is_better : bool, default False
        Whether lower values are better, as for expected search length.

    Examples
    --------
    >>> print(parse_statement("The mean of A is greater than that of B", ["A", "B"]))
    mean of A exceeds mean of B
    >>> print(parse_statement("A is 20 % better than B", ["A", "B"]))
    mean of A is at least 1.2 times mean of B
    >>> print(parse_statement("A is 20 % better than B", ["A", "B"], lower_is_better=True))
    mean of A is at most 0.8 times mean of B
    >>> print(parse_statement("A differs significantly from B by the t test at 0.01", ["A", "B"]))
    A and B differ significantly by t at 0.01
    """
    plain = " ".join(text.split()).rstrip(".!")
    names = "|".join(_spaced(name) for name in sorted(systems, key=len, reverse=True))
    for pattern, make in _FORMS:
        found = re.fullmatch(_filled(pattern, names), plain, re.IGNORECASE)
        if found:
            return make(_Sentence(found, systems, lower_is_better))
    _refuse_strangers(plain, systems)
    forms = "\n  ".join(FORMS)
    known = ", ".join(systems[:10]) + (", …" if len(systems) > 10 else "")
    raise ParameterError(f"cannot read {text!r}; write one of\n  {forms}\nwhere A, B are systems: {known}")


def _refuse_strangers(plain: str, systems: Sequence[str]) -> None:
    """Complain of a system that there is not, in a sentence that could be read otherwise."""
    for pattern, _ in _FORMS:
        found = re.fullmatch(_filled(pattern, r"\S+"), plain, re.IGNORECASE)
        for group in "abcd" if found else "":
            said = found.groupdict().get(group) if found else None
            if said and said.casefold() not in {name.casefold() for name in systems}:
                place_of(said, systems)


def _spaced(name: str) -> str:
    return r"\s+".join(re.escape(word) for word in name.split())


def _filled(pattern: str, names: str) -> str:
    return re.sub(r"<(\w)>", lambda place: f"[\"'“‘]?(?P<{place[1]}>{names})[\"'”’]?", pattern)


@frozen(eq=False)
class _Sentence:
    """A sentence that fits one of the forms, and the direction of the scores that it is about."""

    found: re.Match[str]
    known: Sequence[str]
    lower_is_better: bool

    def said(self, group: str) -> str:
        """Return the words of a part, none if the sentence has no such part."""
        return self.found.groupdict().get(group) or ""

    def systems(self, groups: str) -> list[str]:
        """Return the systems that are named."""
        return [self._system(group) for group in groups]

    def _system(self, group: str) -> str:
        said = " ".join(self.found[group].split())
        alike = [name for name in self.known if " ".join(name.split()).casefold() == said.casefold()]
        exactly = [name for name in alike if " ".join(name.split()) == said]
        if len(exactly or alike) > 1:
            raise ParameterError(f"{said!r} may be {' or '.join(exactly or alike)}")
        return (exactly or alike)[0]

    @property
    def relation(self) -> Relation:
        """How the sides stand, as values."""
        if self.said("better") or self.said("worse"):
            return Relation.better(self.lower_is_better != bool(self.said("worse")))
        return next(relation for place, relation in enumerate(_RELATIONS) if self.said(f"r{place}"))

    @property
    def factor(self) -> Fraction:
        """What the other side is multiplied by."""
        said = self.said("factor").lower()
        if not said:
            return Fraction(1)
        word = said.rstrip(" times×*x").strip() if said[0].isdigit() else said
        return _COUNTS[word] if word in _COUNTS else _number(word)


def _number(text: str) -> Fraction:
    return rational(text.replace(",", "."))


def _comparison(sentence: _Sentence) -> Averages:
    average = _AVERAGES[sentence.said("average").lower()]
    other = sentence.said("other")
    if other and _AVERAGES[other.lower()] is not average:
        raise ParameterError(f"the {average} of one system and the {other} of another cannot be compared")
    a, b = sentence.systems("ab")
    return Averages(average, a, b, sentence.relation, factor=sentence.factor)


def _by_percent(sentence: _Sentence) -> Averages:
    a, b = sentence.systems("ab")
    share, way = _number(sentence.said("percent")) / 100, sentence.said("way").lower() or "better"
    judged = {"better": sentence.lower_is_better, "worse": not sentence.lower_is_better}
    less = judged.get(way, way in ("lower", "less"))
    if less and share >= 1:
        raise ParameterError(f"nothing is {sentence.said('percent')} % {way}; say less than 100 %")
    if less:
        return Averages(Average.MEAN, a, b, Relation.AT_MOST, factor=1 - share)
    return Averages(Average.MEAN, a, b, Relation.AT_LEAST, factor=1 + share)


def _plain(sentence: _Sentence) -> Averages:
    a, b = sentence.systems("ab")
    return Averages(Average.MEAN, a, b, sentence.relation)


def _differences(sentence: _Sentence) -> Differences:
    a, b, c, d = sentence.systems("abcd")
    relation = {
        "at least": Relation.AT_LEAST,
        "at most": Relation.AT_MOST,
        "more than": Relation.ABOVE,
        "larger than": Relation.ABOVE,
        "less than": Relation.BELOW,
    }.get(sentence.said("bound").lower(), Relation.EQUAL)
    return Differences(a, b, c, d, relation, factor=sentence.factor)


def _significant(sentence: _Sentence) -> Significant:
    from measurand.statistics.registry import find_test

    a, b = sentence.systems("ab")
    test = re.sub(r"^(the|a) | test$", "", sentence.said("test").strip(), flags=re.IGNORECASE)
    find_test(test)
    if not sentence.said("alpha"):
        return Significant(a, b, test)
    level = _number(sentence.said("alpha"))
    return Significant(a, b, test, float(level / 100 if sentence.said("percent") else level))


_AVERAGE = "|".join(_AVERAGES)


_FORMS: tuple[tuple[str, Callable[[_Sentence], Statement]], ...] = (
    (
        rf"(?:the )?(?P<average>{_AVERAGE}) (?:score )?of <a> (?:{_RELATION}) (?:{_FACTOR} )?"
        rf"(?:the )?(?:(?P<other>{_AVERAGE}) (?:score )?of|that of) <b>",
        _comparison,
    ),
    (
        rf"(?P<average>{_AVERAGE})\s*\( ?<a> ?\) ?(?:{_RELATION}) ?(?:{_FACTOR} ?)?(?P<other>{_AVERAGE})\s*\( ?<b> ?\)",
        _comparison,
    ),
    (
        rf"(?P<means>(?:the )?mean (?:score )?of )?<a> is (?:at least )?(?P<percent>{_NUMBER}) ?(?:%|percent|per cent) "
        r"(?P<way>better|higher|more|greater|worse|lower|less) than"
        r" (?(means)(?:that of|(?:the )?mean (?:score )?of) )<b>",
        _by_percent,
    ),
    (
        rf"<a> (?:beats|outperforms) <b> by (?:at least )?(?P<percent>{_NUMBER}) ?(?:%|percent|per cent)(?P<way>)",
        _by_percent,
    ),
    (
        rf"<a> has a (?:(?P<r2>higher|larger|greater)|(?P<r3>lower|smaller)) (?P<average>{_AVERAGE}) than <b>",
        _comparison,
    ),
    (
        r"(?:the )?difference between <a> and <b> is (?:(?P<bound>at least|at most|more than|larger than|less than) )?"
        rf"(?:{_FACTOR} )?(?:as large as |as big as |the size of )?(?:that|the difference|the one) between <c> and <d>",
        _differences,
    ),
    (rf"<a> and <b> differ significantly (?:by|under|according to|with) (?P<test>.+?){_LEVEL}", _significant),
    (rf"<a> differs significantly from <b> (?:by|under|according to|with) (?P<test>.+?){_LEVEL}", _significant),
    (r"<a> (?:(?P<better>is better than|beats|outperforms)|(?P<worse>is worse than)|(?P<r2>>)) <b>", _plain),
)
