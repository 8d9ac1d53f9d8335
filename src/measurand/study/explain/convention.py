"""Conventions: all that two tools can do differently with the same run, the same judgments and the same measure.

A convention is one frozen value. Every field has a default, which is what measurand does and trec_eval 10 with `-c`;
what a convention does differently, in words, is its list of departures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any

from attrs import fields, frozen

from measurand.exact import decimal
from measurand.measures import Measure
from measurand.measures.parameters import Gain


class Order(StrEnum):
    """In which order the documents of a run stand."""

    TREC = "trec"
    SINGLE = "single"
    ASCENDING = "ascending"
    STABLE = "stable"
    REVERSED = "reversed"
    EXPECTED = "expected"
    FILE = "file"
    RANKS = "ranks"
    WORST = "worst"


class Base(StrEnum):
    """What a value is divided by, or a ranking is compared with."""

    OWN = "own"
    UNCUT = "uncut"
    RETRIEVED = "retrieved"
    FIRST = "first"
    CAPPED = "capped"
    CAPPED_RETRIEVED = "capped-retrieved"
    SHORT = "short"
    RAW = "raw"
    UNSQUARED = "unsquared"
    NATURAL = "natural"


class Negative(StrEnum):
    """What a negative grade is."""

    OWN = "own"
    UNJUDGED = "unjudged"
    ZERO = "zero"


class Topics(StrEnum):
    """Which topics the average is over."""

    JUDGED = "judged"
    SHARED = "shared"
    RUN = "run"


class Barren(StrEnum):
    """What is done with a topic that has no relevant document."""

    OWN = "own"
    SKIPPED = "skipped"
    ONE = "one"
    NOTHING_FOUND_ONE = "nothing-found-one"


class Mean(StrEnum):
    """How the values of topics become one number."""

    ARITHMETIC = "arithmetic"
    GEOMETRIC = "geometric"
    MEDIAN = "median"
    MICRO = "micro"


WORDS: Mapping[StrEnum, str] = {
    Order.TREC: "equal scores by document id, descending",
    Order.SINGLE: "scores compared in single precision",
    Order.ASCENDING: "equal scores by document id, ascending",
    Order.STABLE: "equal scores in the order of the file",
    Order.REVERSED: "equal scores in the reverse order of the file",
    Order.EXPECTED: "the mean over all orders of equal scores",
    Order.FILE: "documents in the order of the file, whatever their scores",
    Order.RANKS: "documents in the order of the rank column, whatever their scores",
    Order.WORST: "the lowest score first",
    Base.OWN: "",
    Base.UNCUT: "the ideal ranking not cut at the cutoff",
    Base.RETRIEVED: "only retrieved documents taken for all relevant ones",
    Base.FIRST: "only documents above the cutoff taken for all relevant ones",
    Base.CAPPED: "divided by the cutoff where more documents are relevant",
    Base.CAPPED_RETRIEVED: "divided by the number of relevant documents retrieved, or the cutoff if that is less",
    Base.SHORT: "divided by the number retrieved where that is below the cutoff",
    Base.RAW: "grades not divided by the highest",
    Base.UNSQUARED: "beta not squared",
    Base.NATURAL: "natural logarithms",
    Negative.OWN: "grade -1 is unjudged, lower ones are not relevant",
    Negative.UNJUDGED: "negative grades are unjudged",
    Negative.ZERO: "negative grades are judged not relevant",
    Topics.JUDGED: "missing topics count 0",
    Topics.SHARED: "missing topics left out of the mean",
    Topics.RUN: "divided by the number of topics of the run",
    Barren.OWN: "",
    Barren.SKIPPED: "topics without relevant documents left out of the mean",
    Barren.ONE: "topics without relevant documents count 1",
    Barren.NOTHING_FOUND_ONE: "topics without relevant documents among those retrieved count 1",
    Mean.ARITHMETIC: "the arithmetic mean",
    Mean.GEOMETRIC: "the geometric mean (values at least 0.00001)",
    Mean.MEDIAN: "the median",
    Mean.MICRO: "one quotient of sums over all topics (micro-average)",
}
"""What each choice is, in words."""


@frozen(kw_only=True)
class Convention:
    """One way to turn a run and judgments into a number.

    Parameters
    ----------
    measure : Measure
        The measure with its parameters: cutoff, gains, discount, lowest relevant grade, unjudged documents removed.
    order : Order
        In which order documents stand.
    base : Base
        What is taken for all there is to find, or what else a value is divided by.
    negative : Negative
        What negative grades are.
    topics : Topics
        Which topics the mean is over.
    barren : Barren
        What topics without relevant documents count.
    mean : Mean
        How topics are averaged.

    Examples
    --------
    >>> from measurand.measures import nDCG
    >>> convention = Convention(measure=nDCG(gain="exp2") @ 10, order=Order.STABLE)
    >>> convention.words(nDCG @ 10)
    'nDCG@10 with gains 2^g − 1, equal scores in the order of the file'
    >>> Convention(measure=nDCG @ 10).words(nDCG @ 10), len(convention.departures(nDCG @ 10))
    ('nDCG@10', 2)
    """

    measure: Measure
    order: Order = Order.TREC
    base: Base = Base.OWN
    negative: Negative = Negative.OWN
    topics: Topics = Topics.JUDGED
    barren: Barren = Barren.OWN
    mean: Mean = Mean.ARITHMETIC

    def departures(self, plain: Measure) -> tuple[str, ...]:
        """Return what is done differently, in words: parameters of the measure first.

        Parameters
        ----------
        plain : Measure
            The measure that is departed from.
        """
        return (*parameter_words(self.measure, plain), *(WORDS[choice] for choice in self._choices()))

    def _choices(self) -> Iterator[StrEnum]:
        for each in fields(Convention):
            choice = getattr(self, each.name)
            if each.name != "measure" and choice != each.default:
                yield choice

    def words(self, plain: Measure) -> str:
        """Return the convention in one phrase: the measure, and what is done differently.

        Parameters
        ----------
        plain : Measure
            The measure that is departed from.
        """
        departures = self.departures(plain)
        return f"{plain!r} with {', '.join(departures)}" if departures else repr(plain)

    def choices(self, plain: Measure) -> dict[str, Any]:
        """Return every choice by its name, for programs.

        Parameters
        ----------
        plain : Measure
            The measure that is departed from.
        """
        chosen = {each.name: str(getattr(self, each.name)) for each in fields(Convention) if each.name != "measure"}
        return {"measure": repr(self.measure), **chosen, "departures": list(self.departures(plain))}


def parameter_words(measure: Measure, plain: Measure) -> list[str]:
    """Return in which parameters two measures of one kind differ, in words.

    Parameters
    ----------
    measure, plain
        The measure, and the one that it is compared with.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> parameter_words(AP(rel=2, judged_only=True) @ 9, AP @ 10)
    ['cutoff 9', 'unjudged documents removed', 'grades from 2 on relevant']
    """
    before = plain.parameters()
    changed = {name: value for name, value in measure.parameters().items() if value != before.get(name)}
    return [_parameter_words(name, value) for name, value in changed.items()]


def _parameter_words(name: str, value: Any) -> str:
    if name == "gain":
        return gain_words(value)
    known = {
        "cutoff": "no cutoff" if value is None else f"cutoff {value}",
        "judged_only": "unjudged documents removed" if value else "unjudged documents kept",
        "rel": "grades as shares of the highest" if value is None else f"grades from {decimal(value)} on relevant",
        "b": "discount log2(i + 1)" if value is None else f"Järvelin and Kekäläinen's discount max(1, log_{value} i)",
        "gmax": f"the highest grade taken to be {value}",
    }
    return known.get(name, f"{name} {value}")


def gain_words(gain: Gain) -> str:
    """Return in words what grades are worth.

    Parameters
    ----------
    gain
        The gains, as measures have them.

    Examples
    --------
    >>> gain_words("exp2"), gain_words(binary_gains(3, 2)), gain_words(gains_from("linear", 3, 2))
    ('gains 2^g − 1', 'binary gains, grades from 2 on', 'gains g from grade 2 on, lower grades 0')
    """
    if isinstance(gain, str):
        return {"linear": "gains g", "exp2": "gains 2^g − 1"}.get(gain, f"gains {gain}")
    named = dict(gain)
    lowest = min((grade for grade, worth in named.items() if worth), default=max(named) + 1)
    top = max(named)
    if not isinstance(lowest, int) or not isinstance(top, int):
        return f"gains {', '.join(f'{decimal(grade)}={worth}' for grade, worth in gain)}"
    if gain == binary_gains(top, lowest):
        return "binary gains" if lowest == 1 else f"binary gains, grades from {lowest} on"
    for kind in ("linear", "exp2"):
        if gain == gains_from(kind, top, lowest):
            return f"{gain_words(kind)} from grade {lowest} on, lower grades 0"
    return f"gains {', '.join(f'{grade}={worth}' for grade, worth in gain)}"


def binary_gains(top: int, lowest: int = 1) -> Gain:
    """Return gains of 1 for the grades from the lowest to the top, 0 below.

    Parameters
    ----------
    top
        The highest grade.
    lowest
        The lowest grade that is worth anything.
    """
    return tuple((grade, Fraction(grade >= lowest)) for grade in range(1, max(top, lowest) + 1))


def gains_from(kind: str, top: int, lowest: int) -> Gain:
    """Return gains g or 2^g − 1 for the grades from the lowest on, 0 below.

    Parameters
    ----------
    kind
        `"linear"` or `"exp2"`.
    top
        The highest grade.
    lowest
        The lowest grade that is worth anything.
    """
    worth = {grade: Fraction(grade if kind == "linear" else 2**grade - 1) for grade in range(1, max(top, lowest) + 1)}
    return tuple((grade, value if grade >= lowest else Fraction(0)) for grade, value in worth.items())
