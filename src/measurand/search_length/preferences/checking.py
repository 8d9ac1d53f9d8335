"""Checking preferences: whether esl is unusable for them, or an ordinal, an interval or a ratio scale.

`check` returns a `Report`. Relations are checked axiom by axiom; for stated preferences, the utilities that agree with
them are determined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from attrs import frozen

from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView, Words, valued
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.exact.linear_programming import Inequalities, Row, dot, null_space, settle
from measurand.scale import Scale, as_scale
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.preference import (
    Certificate,
    Preference,
    as_sentence,
    as_text,
    listed_values,
    lotteries_for,
    lotteries_of_results,
    plain,
)
from measurand.search_length.preferences.representation import (
    Kind,
    Representation,
    Statement,
    as_statements,
    inequalities_of,
    normal_form,
    numbers_of,
    represent,
    spelled_out,
)
from measurand.search_length.preferences.scale_axioms import by_the_mean, half_half, risk_structure, sign
from measurand.search_length.preferences.utility_axioms import (
    completeness,
    continuity,
    independence,
    strict_weak_order,
    transitivity,
)
from measurand.verdict import How, Verdict

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "completeness": "any two can be compared",
        "transitivity": "at least as good carries over",
        "strict_weak_order": "better is a strict weak order",
        "independence": "mixing in a third changes nothing",
        "continuity": "a little changes little",
        "half_half": "one fewer or one more cancel out",
        "sign": "0 is better than 1",
        "by_the_mean": "the smaller mean is better",
        "untied": "the same without ties",
        "risk_structure": "adding searches changes nothing",
        "representation": "some utility agrees",
        "affine": "no other utility agrees",
        "direction": "something is better than something",
    }
)
"""Each condition in words."""

ADDED: Mapping[Scale, tuple[str, ...]] = MappingProxyType(
    {
        Scale.ORDINAL: ("median", "quantile", "minimum", "maximum", "rank", "rank correlation", "wins and losses"),
        Scale.INTERVAL: ("mean", "mean difference", "standard deviation", "pearson correlation"),
        Scale.RATIO: ("geometric mean", "ratio", "percentage", "relative improvement"),
    }
)
"""The statistics that each scale adds to those of weaker ones, by the names of `measurand.scales.admissibility`."""

SENTENCES: Mapping[Scale, str] = MappingProxyType(
    {
        Scale.ORDINAL: "Medians and rank statistics of esl mean something; means and percentages do not.",
        Scale.INTERVAL: "Medians, means and differences of esl mean something; percentages do not.",
        Scale.RATIO: "Means, geometric means and percentages of esl mean something.",
    }
)
"""What that comes to, in a sentence."""

NOTHING = "No statistic of esl, not even a median, says which result is better by these preferences."

NOTHING_WITH_TIES = "Where documents tie, no statistic of esl says which result is better by these preferences."

Utility = Mapping[int, Fraction]

Axiom = Callable[[Preference, Iterable[Any] | None], Verdict]

ORDER: tuple[Axiom, ...] = (completeness, transitivity, strict_weak_order)

MIXTURES: tuple[Axiom, ...] = (independence, continuity, half_half)

MEANS: tuple[Axiom, ...] = (sign, by_the_mean)

UNTIED = 20
"""Rankings without ties are compared up to so many nonrelevant documents."""

ORDINAL = "As numbers that only order the lotteries, any increasing function of esl would do: that is an ordinal scale."

INTERVAL = (
    "Among numbers that are expectations of a utility, only -esl and its positive affine maps would do: "
    "that is an interval scale."
)

RATIO = (
    "Preferences carry over to sums of searches, and -esl adds up as they do: only its unit is free, which is a ratio "
    "scale. (Adding up is sufficient for that, not necessary.)"
)


class Answer(StrEnum):
    """What esl is good for, given the preferences."""

    UNUSABLE = "unusable"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"

    @property
    def scale(self) -> Scale | None:
        """The scale that esl is on, if it can be used."""
        return None if self is Answer.UNUSABLE else Scale[self.name]


@frozen(repr=False)
class Report(Result):
    """Whether esl represents preferences, with the reasons.

    Parameters
    ----------
    answer
        Unusable, ordinal, interval or ratio.
    verdicts
        What was found of each condition, by its name.
    why
        The reasons, in sentences.
    representation
        Of stated preferences: a utility, or the contradiction between them.
    alternative
        Of stated preferences that leave it open: another utility that agrees as well as esl does.
    """

    answer: Answer
    verdicts: Mapping[str, Verdict]
    why: tuple[str, ...]
    representation: Representation | None = None
    alternative: Mapping[int, Fraction] | None = None

    @property
    def scale(self) -> Scale | None:
        """The scale that esl is on for these preferences; None if it is unusable."""
        return self.answer.scale

    @property
    def statistics(self) -> tuple[str, ...]:
        """The statistics of esl that mean something for these preferences."""
        return permitted(self.scale)

    @property
    def utility(self) -> Mapping[int, Fraction] | None:
        """A utility that agrees with stated preferences, if there is one."""
        return None if self.representation is None else self.representation.utility

    @property
    def certain(self) -> bool:
        """Whether the answer does not rest on a sample of lotteries: other lotteries could not change it."""
        if self.answer is Answer.UNUSABLE:
            return any(not verdict.holds and verdict.certain for name, verdict in self.verdicts.items())
        return all(verdict.certain for verdict in self.verdicts.values())

    def __repr__(self) -> str:
        return f"<Report: expected search length is {self.answer}>"

    def document(self) -> Document:
        """Return the answer, the reasons, and what was found of each condition."""
        columns = [
            Column("condition", 0, left=True),
            valued("holds", lambda row: bool(row[1]), lambda holds: "✓" if holds else "✗", mark=True),
            Column("what it says", lambda row: TITLES.get(row[0], row[0]), left=True),
            Column("how it is known", lambda row: f"{row[1].how}: {row[1].checked}", left=True, wrap="words"),
        ]
        view = [TableView(columns, list(self.verdicts.items()))] if self.verdicts else []
        said: list[Part] = [
            Words.of(f"expected search length: {self.answer}", "strong"),
            *self.why,
            NOTHING_WITH_TIES if self._ordinal_without_ties else in_a_sentence(self.scale),
        ]
        return Document([*said, *view])

    @property
    def _ordinal_without_ties(self) -> bool:
        return self.answer is Answer.UNUSABLE and "untied" in self.verdicts and self.verdicts["untied"].holds

    def to_dict(self) -> dict[str, Any]:
        """Return everything in words and numbers that JSON knows; fractions are text.

        Examples
        --------
        >>> Report(Answer.UNUSABLE, {}, ("nothing holds",)).to_dict()["statistics"]
        []
        """
        other = self.alternative
        return {
            "answer": str(self.answer),
            "scale": None if self.scale is None else str(self.scale),
            "certain": self.certain,
            "why": list(self.why),
            "statistics": list(self.statistics),
            "verdicts": {name: _written(verdict) for name, verdict in self.verdicts.items()},
            "representation": None if self.representation is None else self.representation.to_dict(),
            "alternative": None if other is None else plain(other),
        }


def permitted(scale: Scale | str | None) -> tuple[str, ...]:
    """Return the statistics of esl that are meaningful on a scale; none where esl is unusable.

    Parameters
    ----------
    scale
        A scale, its name, or None where esl is unusable.

    Examples
    --------
    >>> permitted("ordinal")[:2], "mean" in permitted("interval"), permitted(None)
    (('median', 'quantile'), True, ())

    References
    ----------
    [BollmannRaghavan1988]_, section 5
    """
    if scale is None:
        return ()
    return tuple(name for level, names in ADDED.items() if level <= as_scale(scale) for name in names)


def in_a_sentence(scale: Scale | None) -> str:
    """Return what may be computed in a sentence.

    Examples
    --------
    >>> in_a_sentence(Scale.RATIO)
    'Means, geometric means and percentages of esl mean something.'
    """
    return NOTHING if scale is None else SENTENCES.get(scale, NOTHING)


def _written(verdict: Verdict) -> dict[str, Any]:
    witness = verdict.witness
    return {
        "holds": verdict.holds,
        "how": str(verdict.how),
        "checked": verdict.checked,
        "argument": verdict.argument,
        "witness": witness.to_dict() if hasattr(witness, "to_dict") else witness and str(witness),
    }


def check_statements(
    statements: tuple[Statement, ...], *, mixtures: bool, sums: bool | None, numbers: Iterable[int] = ()
) -> Report:
    """Return the report on stated preferences; further numbers count although no statement names them.

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
    known = numbers_of(statements, numbers)
    other, verdicts["affine"] = _alternative(statements, known)
    verdicts["direction"] = _signed(statements)
    if verdicts["affine"].how is How.FAILED:
        why += [as_sentence(verdicts["affine"].witness), "So no more than order is claimed: an ordinal scale."]
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation)
    if not (verdicts["affine"].holds and verdicts["direction"].holds):
        why.append(as_sentence(verdicts["direction" if verdicts["affine"].holds else "affine"].witness))
        why.append("So esl is one of several utilities that agree: an ordinal scale.")
        shown = other if other is not None else {k: Fraction(0) for k in known}
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation, shown)
    if known[-1] - known[0] < 2:
        why.append("Two numbers have but one step, so that whether steps are equal cannot show: an ordinal scale.")
        return Report(Answer.ORDINAL, verdicts, tuple(why), representation)
    why += _without_another(known, sums=sums)
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


def another_utility(
    statements: Sequence[Statement], numbers: Sequence[int] = ()
) -> tuple[dict[int, Fraction] | None, bool]:
    """Return a utility that is no affine map of esl and agrees with statements that esl agrees with, if there is one.

    The second value is whether that was decided. Numbers that no statement names may have any utility.

    Examples
    --------
    >>> utility, decided = another_utility([Statement(0, ">", 1), Statement(1, ">", 2)])
    >>> [str(value) for value in utility.values()], decided
    (['0', '-1', '-3/2'], True)
    """
    if not spelled_out(statements):
        return None, False
    numbers = numbers_of(statements, numbers)
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


def _alternative(statements: Sequence[Statement], numbers: Sequence[int]) -> tuple[Utility | None, Verdict]:
    checked = "all utilities of the numbers between the smallest and the largest that occur"
    utility, decided = another_utility(statements, numbers)
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


def check(
    preferences: Preference | Callable[[Any, Any], object] | Iterable[Any],
    lotteries: Iterable[Any] | None = None,
    *,
    mixtures: bool = True,
    sums: bool | None = None,
    numbers: Iterable[int] = (),
) -> Report:
    """Check whether esl represents preferences, on which scale, and which statistics are then meaningful.

    Of a relation every axiom is checked, on a sample of lotteries where there is no proof. If the axioms of expected
    utility, the half-half condition and the sign condition hold, esl has the order of the preferences; it is then an
    ordinal scale if only order counts, and an interval scale among expected utilities. If preferences also carry
    over to sums of searches it is a ratio scale.

    Of stated preferences, esl is unusable if it contradicts one; ordinal if other utilities agree with them as well;
    an interval scale if they leave no other on the range of numbers from the smallest to the largest that occurs.

    Parameters
    ----------
    preferences
        A `Preference`; a function of two lotteries that returns whether the first is better; or statements, such as
        `[(0, 1), (1, "~", {0: "1/2", 2: "1/2"})]`.
    lotteries
        The lotteries that a relation is checked on; by default a sample that shows most of what can be wrong.
    mixtures
        Whether preferences are meant to extend to mixtures of lotteries. If not, the answer stops at ordinal (unless
        `sums=True`, which does not need mixtures for a relation).
    sums
        Whether they are meant to extend to sums of searches. If nothing is said, relations are checked for it and
        statements are not taken to mean it. If not, the answer stops at interval.
    numbers
        For statements: numbers of documents that count although no statement names them, so that saying less never
        yields a stronger scale.

    Examples
    --------
    >>> print(check(Preference.esl()).answer)
    ratio
    >>> cautious = check(Preference.by_utility(lambda k: -k * k))
    >>> print(cautious.answer, cautious.scale)
    unusable None
    >>> print(cautious.why[0])
    Broken: one fewer or one more cancel out. 1 for sure is preferred to 0 or 2 (1/2 each), whose mean is the same.
    >>> check([(0, 1), (1, 2)]).statistics[:2]
    ('median', 'quantile')
    >>> stated = [(0, 1), (1, "~", {0: "1/2", 2: "1/2"})]
    >>> print(check(stated).answer, check(stated, numbers=range(5)).answer)
    interval ordinal

    References
    ----------
    [BollmannRaghavan1988]_, sections 3 to 5; the theorems are those of [Fishburn1979]_ and [Krantz1971]_
    """
    for name, value in (("mixtures", mixtures), ("sums", sums)):
        if not isinstance(value, bool) and not (value is None and name == "sums"):
            raise ParameterError(f"{name} must be True or False, not {value!r}")
    if isinstance(preferences, Preference):
        return check_relation(preferences, lotteries, mixtures=mixtures, sums=sums)
    if callable(preferences):
        return check_relation(Preference.strictly(preferences), lotteries, mixtures=mixtures, sums=sums)
    if lotteries is not None:
        raise ParameterError("statements bring their own lotteries; leave lotteries out")
    further = [whole_number("a number of documents", k, 0) for k in numbers]
    return check_statements(as_statements(preferences), mixtures=mixtures, sums=sums, numbers=further)


def check_relation(
    preference: Preference, lotteries: Iterable[Any] | None, *, mixtures: bool, sums: bool | None
) -> Report:
    """Return the report on a relation between lotteries.

    Examples
    --------
    >>> print(check_relation(Preference.esl(), None, mixtures=True, sums=None).answer)
    ratio
    """
    sample = lotteries_for(preference, lotteries)
    if lotteries is None and not mixtures:
        sample = lotteries_of_results()
    axioms = (*ORDER, *(MIXTURES if mixtures else ()), *MEANS)
    verdicts = {axiom.__name__: axiom(preference, sample) for axiom in axioms}
    broken = [name for name, verdict in verdicts.items() if not verdict.holds]
    if broken:
        verdicts["untied"] = _untied(preference)
        report = Report(Answer.UNUSABLE, verdicts, _broken_axioms(verdicts, broken))
    else:
        report = _usable(preference, sample, verdicts, mixtures=mixtures, sums=sums)
    preference.confirm()
    return report


def _usable(
    preference: Preference,
    sample: tuple[Lottery, ...],
    verdicts: dict[str, Verdict],
    *,
    mixtures: bool,
    sums: bool | None,
) -> Report:
    opening = f"None of the conditions is broken on {len(sample)} lotteries" if not preference.linear else "All hold"
    why = [f"{opening}: esl has these preferences.", ORDINAL]
    answer = Answer.INTERVAL if mixtures else Answer.ORDINAL
    why.append(INTERVAL if mixtures else "Mixtures do not count here, so nothing is said about expectations.")
    if sums or (sums is None and mixtures):
        verdicts["risk_structure"] = risk_structure(preference, sample)
        holds = verdicts["risk_structure"].holds
        answer = Answer.RATIO if holds else answer
        witness = verdicts["risk_structure"].witness
        why.append(RATIO if holds else f"Preferences do not carry over to sums of searches: {witness}.")
    else:
        why.append("Sums of searches do not count here; if they did, esl might be a ratio scale.")
    return Report(answer, verdicts, tuple(why))


def _broken_axioms(verdicts: Mapping[str, Verdict], broken: list[str]) -> tuple[str, ...]:
    complaints = [f"Broken: {TITLES[name]}. {as_sentence(verdicts[name].witness)}" for name in broken]
    if verdicts["untied"].holds:
        complaints.append(
            "On rankings without ties, where every number is sure, esl still has the right order: it is ordinal there, "
            "so that medians and rank statistics mean something."
        )
    return tuple(complaints)


def _untied(preference: Preference) -> Verdict:
    return by_the_mean(preference, [Lottery.sure(k) for k in range(UNTIED + 1)])
