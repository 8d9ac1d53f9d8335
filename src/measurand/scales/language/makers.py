"""What forms of sentences mean: the statement of each, made when the measure of the sentence is known.

What is said to be better or worse is so in the direction of the measure, which may stand at the end of the sentence. So
a form yields a *maker*, a function of that measure.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attrs import frozen

from measurand.errors import ParameterError
from measurand.scales.compounds import Best, Ranking, Statement, Under
from measurand.scales.constants import AcrossMeasures, Constant
from measurand.scales.correlations import Correlated
from measurand.scales.language.phrases import BETTER, GRADED, VALUED, WORSE
from measurand.scales.significant_pairs import SignificantPairs
from measurand.scales.spreads import Spread, Spreads
from measurand.scales.statements import Average, Averages, Differences, Number, Relation, Significant, times

Lower = Callable[[str | None], bool]
"""Whether lower values of a measure are better."""

Maker = Callable[[Lower, str | None], "Statement | Score | None"]
"""Makes the statement, given the measure of the sentence; None where it has one of its own."""

Two = tuple[str, str]
"""Two systems."""

TEST = "t"
"""The test where a sentence names none."""


@frozen
class Quantity:
    """What is taken of a system's scores, under a measure of its own or not; `single` if it is called a score."""

    statistic: Average | Spread
    measure: str | None
    system: str
    single: bool = False


@frozen
class Score:
    """A statement about single scores, which needs a topic."""

    statement: Statement


@frozen
class Denied:
    """What makes a statement that is denied."""

    make: Maker


def fixed(statement: Statement | None) -> Maker:
    """Return the maker of a statement that no measure changes."""
    return lambda _, __: statement


def stands(relation: Relation | str, lower_is_better: bool) -> Relation:
    """Return how values stand, of what may be said in the direction of the measure."""
    if relation in (BETTER, WORSE):
        return Relation.better(lower_is_better != (relation == WORSE))
    return Relation(relation)


def compared(left: Quantity, relation: Relation | str, factor: Fraction | None, right: Quantity | str) -> Maker:
    """Compare what is taken of two systems; a system alone stands for the same of it."""
    if isinstance(right, str):
        right = Quantity(left.statistic, left.measure, right)
    if right.statistic is not left.statistic:
        raise ParameterError(
            "sentences compare one statistic of two systems,"
            f" not the {left.statistic} of one with the {right.statistic} of another"
        )
    other, many_times = right, Fraction(1) if factor is None else factor

    def make(lower: Lower, measure: str | None) -> Statement | Score | None:
        own = left.measure or other.measure
        if own and measure:
            return None
        how = stands(relation, lower(own or measure))
        if own and left.measure != other.measure and left.measure and other.measure:
            if isinstance(left.statistic, Spread):
                raise ParameterError("sentences compare averages under two measures, not spreads")
            return AcrossMeasures(
                left.statistic, left.system, left.measure, other.system, other.measure, how, factor=many_times
            )
        if isinstance(left.statistic, Spread):
            found: Statement = Spreads(left.statistic, left.system, other.system, how, factor=many_times)
        else:
            found = Averages(left.statistic, left.system, other.system, how, factor=many_times)
        placed = Under(found, own) if own else found
        return Score(placed) if left.single or other.single else placed

    return make


def constant(left: Quantity, relation: Relation | str, value: Number) -> Maker:
    """Compare what is taken of a system with a number."""

    def make(lower: Lower, measure: str | None) -> Statement | Score | None:
        if left.measure and measure:
            return None
        how = stands(relation, lower(left.measure or measure))
        found = Constant(left.statistic, left.system, how, value)
        placed = Under(found, left.measure) if left.measure else found
        return Score(placed) if left.single else placed

    return make


def differences(one: Two, other: Two, relation: Relation | None, factor: Fraction | None) -> Maker:
    """Compare differences of means."""
    how, many_times = relation or Relation.EQUAL, Fraction(1) if factor is None else factor
    return fixed(Differences(one[0], one[1], other[0], other[1], how, factor=many_times))


def minus(one: Quantity, other: Quantity | str, relation: Relation | str, value: Number) -> Maker | None:
    """Compare the first mean less the second with a number."""
    second = Quantity(one.statistic, one.measure, other, one.single) if isinstance(other, str) else other
    of_means = one.statistic is second.statistic is Average.MEAN
    if relation in (BETTER, WORSE) or one.measure or second.measure or not of_means:
        return None
    found = Constant(Average.MEAN, one.system, Relation(relation), value, b=second.system)
    return lambda _, __: Score(found) if one.single or second.single else found


def times_as(a: str, factor: Fraction, word: str, b: str) -> Maker:
    """Make "A is twice as good as B": good and bad in the direction of the measure, high and large of the values."""
    if word not in (*GRADED, *VALUED):
        raise ParameterError(
            f"'as {word} as' does not say whether higher values are meant; say good, bad, high or large, or:"
            f" mean of {a} is {times(factor)}mean of {b}"
        )

    def make(lower: Lower, measure: str | None) -> Statement:
        turned = word in GRADED and lower(measure) == (GRADED[word] == BETTER)
        return Averages(Average.MEAN, a, b, Relation.EQUAL, factor=1 / factor if turned and factor else factor)

    return make


def percent(a: str, value: Number, way: str, b: str) -> Maker:
    """Compare means by a percentage: so much better, worse, higher or lower."""
    share = value.value / 100

    def make(lower: Lower, measure: str | None) -> Statement:
        judged = {BETTER: lower(measure), WORSE: not lower(measure)}
        less = judged.get(way, way in ("lower", "less"))
        if less and share >= 1:
            raise ParameterError(f"nothing is {value} % {way}; say less than 100 %")
        relation = Relation.AT_MOST if less else Relation.AT_LEAST
        return Averages(Average.MEAN, a, b, relation, factor=1 - share if less else 1 + share)

    return make


def plain(a: str, relation: Relation | str, b: str, average: Average | Spread) -> Maker:
    """Compare averages or spreads of two systems."""
    if isinstance(average, Spread):
        return lambda lower, measure: Spreads(average, a, b, stands(relation, lower(measure)))
    return lambda lower, measure: Averages(average, a, b, stands(relation, lower(measure)))


def apart(a: str, relation: Relation | str, b: str, value: Number) -> Maker:
    """Make "A beats B by 0.02": at least so far apart."""

    def make(lower: Lower, measure: str | None) -> Statement:
        above = stands(relation, lower(measure)) is Relation.ABOVE
        first, second = (a, b) if above else (b, a)
        return Constant(Average.MEAN, first, Relation.AT_LEAST, value, b=second)

    return make


def significant(a: str, b: str, tested: tuple[str, float | None] | None, way: str = "") -> Maker:
    """Say that two systems differ significantly, or which is better."""
    test, alpha = tested or (TEST, None)
    return fixed(Significant(a, b, test, alpha, way))


def pairs(relation: Relation | None, many_: int, measure: str | None, tested: tuple[str, float | None] | None) -> Maker:
    """Say how many pairs differ significantly, perhaps under a measure."""
    found = SignificantPairs(relation or Relation.EQUAL, many_, *(tested or (TEST, None)))
    return lambda _, outer: None if measure and outer else Under(found, measure) if measure else found


def best(system: str, worst: bool, average: Average | Spread) -> Maker | None:
    """Say that a system is better, or worse, than every other."""
    return None if isinstance(average, Spread) else fixed(Best(system, average, worst))


def extreme(system: str, highest: bool, average: Average | Spread) -> Maker | None:
    """Say that a system has the highest, or lowest, average of all."""
    if isinstance(average, Spread):
        return None
    return lambda lower, measure: Best(system, average, worst=highest == lower(measure))


def ranking(average: Average | Spread, *systems: str) -> Maker | None:
    """Say in which order three systems or more stand."""
    return None if isinstance(average, Spread) or len(systems) < 3 else fixed(Ranking(systems, average))


def correlated(coefficient: Any, x: str, y: str, by: str, relation: Relation | str, value: Number) -> Maker | None:
    """Compare the correlation of two measures with a number."""
    if relation in (BETTER, WORSE):
        return None
    return lambda _, outer: None if outer else Correlated(coefficient, x, y, Relation(relation), value, by)
