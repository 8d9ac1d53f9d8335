"""What esl is for stated preferences: which utilities agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from measurand.search_length.preferences.certificate import Certificate, as_sentence, as_text, listed_values
from measurand.search_length.preferences.elimination import Row, null_space
from measurand.search_length.preferences.inequalities import Inequalities, dot, settle
from measurand.search_length.preferences.report import Answer, Report
from measurand.search_length.preferences.representation import (
    Representation,
    inequalities_of,
    normal_form,
    numbers_of,
    represent,
    spelled_out,
)
from measurand.search_length.preferences.statement import Kind, Statement
from measurand.verdict import How, Verdict

Utility = Mapping[int, Fraction]


def check_statements(statements: tuple[Statement, ...], *, mixtures: bool, sums: bool | None) -> Report:
    """Return the report on stated preferences.

    Examples
    --------
    >>> stated = (Statement(0, ">", 1), Statement(1, "~", {0: "1/2", 2: "1/2"}))
    >>> print(check_statements(stated, mixtures=True, sums=None).answer)
    interval
    """
    representation = represent(statements)
    verdicts = {"representation": _represented(representation), "by_the_mean": _agreeing(statements)}
    if not verdicts["by_the_mean"].holds:
        return Report(Answer.UNUSABLE, verdicts, _complaints(representation, verdicts), representation)
    why = [f"esl agrees with {_counted(len(statements))}."]
    if not mixtures:
        why.append("Mixtures do not count here, so only its order says something: an ordinal scale.")
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation)
    other, verdicts["affine"] = _alternative(statements)
    verdicts["direction"] = _signed(statements)
    if verdicts["affine"].how is How.FAILED:
        why += [as_sentence(verdicts["affine"].witness), "So no more than order is claimed: an ordinal scale."]
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation)
    if not (verdicts["affine"].holds and verdicts["direction"].holds):
        why.append(as_sentence(verdicts["direction" if verdicts["affine"].holds else "affine"].witness))
        why.append("So esl is one of several utilities that agree: an ordinal scale.")
        shown = other if other is not None else {k: Fraction(0) for k in numbers_of(statements)}
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation, shown)
    numbers = numbers_of(statements)
    if numbers[-1] - numbers[0] < 2:
        why.append("Two numbers have but one step, so that whether steps are equal cannot show: an ordinal scale.")
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation)
    why += _without_another(numbers, sums=sums)
    return Report(Answer.RATIO if sums else Answer.INTERVAL, verdicts, tuple(why), representation)


def _without_another(numbers: Sequence[int], *, sums: bool | None) -> list[str]:
    """Return what follows where no other utility agrees."""
    low, high = numbers[0], numbers[-1]
    why = [
        f"On the numbers from {low} to {high} every expected utility that agrees is a positive affine map of -esl: "
        "an interval scale. As numbers that only order the lotteries, any increasing function of esl would do."
    ]
    if sums:
        why.append(
            "Preferences are declared to carry over to sums of searches, so that only the unit of esl is free: a ratio "
            "scale. (Adding up is sufficient for that, not necessary.)"
        )
    elif sums is None:
        why.append("Declare that preferences carry over to sums of searches (sums=True) to have a ratio scale.")
    return why


def another_utility(statements: Sequence[Statement]) -> tuple[dict[int, Fraction] | None, bool]:
    """Return a utility that is no affine map of esl and agrees with statements that esl agrees with, if there is one.

    The second value says whether that was decided.

    Examples
    --------
    >>> utility, decided = another_utility([Statement(0, ">", 1), Statement(1, ">", 2)])
    >>> [str(value) for value in utility.values()], decided
    (['0', '-1', '-3/2'], True)
    """
    if not spelled_out(statements):
        return None, False
    numbers = numbers_of(statements)
    missing = next((k for k, after in pairwise(numbers) if after != k + 1), None)
    linear = tuple(Fraction(-k) for k in numbers)
    if missing is not None:
        utility = {**dict(zip(numbers, linear, strict=True)), missing + 1: Fraction(-missing)}
        return dict(sorted(utility.items())), True
    system = inequalities_of(statements, numbers)
    direction, decided = _direction(system, linear)
    if direction is None:
        return None, decided
    return normal_form(numbers, _far_along(system, linear, direction)), True


def _direction(system: Inequalities, linear: Row) -> tuple[Row | None, bool]:
    """Return a direction, not affine, in which the utility may move for a while; and whether that was decided."""
    tight = tuple(row for row in system.weak if dot(row, linear) == 0)
    if tight:
        # a direction that gives way at a weak statement cannot be affine: along those the statement stays tight
        inward = tuple(sum(column, Fraction(0)) for column in zip(*tight, strict=True))
        settled = settle(Inequalities(system.width, (inward,), tight, system.equal))
        if settled.solution is not None or settled.weights is None:
            return settled.solution, settled.solution is not None
    # of three directions in which nothing changes one at least is not affine, so the first few tell
    free = null_space((*system.equal, *tight), system.width)
    return next((vector for vector in free if not _affine(vector)), None), True


def _affine(vector: Row) -> bool:
    steps = {after - before for before, after in pairwise(vector)}
    return len(steps) <= 1


def _far_along(system: Inequalities, linear: Row, direction: Row) -> Row:
    """Return the utility half way to the first statement that a move in the direction would break, or one step on."""
    slopes = [(dot(row, linear), dot(row, direction)) for row in (*system.strict, *system.weak)]
    step = min((level / -slope for level, slope in slopes if slope < 0 < level), default=Fraction(2)) / 2
    return tuple(x + step * y for x, y in zip(linear, direction, strict=True))


def _represented(representation: Representation) -> Verdict:
    checked = f"all utilities of the numbers in {_counted(len(representation.statements))}"
    if representation.exists is None:
        return Verdict(False, None, checked, How.FAILED, str(representation))
    how = How.EXHAUSTIVE if representation.exists else How.COUNTEREXAMPLE
    return Verdict(representation.exists, representation.contradiction, checked, how)


def _agreeing(statements: Sequence[Statement]) -> Verdict:
    checked = _counted(len(statements))
    for one in statements:
        if not one.agrees_with_esl():
            sentence = f"{one}, but their means are {as_text(one.one.mean)} and {as_text(one.other.mean)}"
            return Verdict(False, Certificate((one.one, one.other), sentence), checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, checked, How.EXHAUSTIVE)


def _alternative(statements: Sequence[Statement]) -> tuple[Utility | None, Verdict]:
    checked = "all utilities of the numbers between the smallest and the largest that occur"
    utility, decided = another_utility(statements)
    if not decided:
        sentence = "whether other utilities agree could not be decided"
        return None, Verdict(False, Certificate((), sentence), checked, How.FAILED, sentence)
    if utility is None:
        return None, Verdict(True, None, checked, How.EXHAUSTIVE)
    sentence = f"another utility agrees with the statements as well: {listed_values(utility)}"
    return utility, Verdict(False, Certificate((), sentence), checked, How.COUNTEREXAMPLE)


def _signed(statements: Sequence[Statement]) -> Verdict:
    if any(statement.kind is Kind.BETTER for statement in statements):
        return Verdict(True, None, _counted(len(statements)), How.EXHAUSTIVE)
    sentence = "no lottery is said to be better than another, so a utility of 0 agrees with the statements as well"
    return Verdict(False, Certificate((), sentence), _counted(len(statements)), How.COUNTEREXAMPLE)


def _complaints(representation: Representation, verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    return as_sentence(verdicts["by_the_mean"].witness), as_sentence(representation)


def _counted(n: int) -> str:
    return f"{n} statement{'s' if n > 1 else ''}"
