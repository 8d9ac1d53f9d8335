"""Checking preferences: whether esl is unusable for them, or an ordinal, an interval or a ratio scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from measurand.errors import ParameterError
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.certificate import as_sentence
from measurand.search_length.preferences.linearity import by_the_mean, half_half, sign
from measurand.search_length.preferences.order_axioms import completeness, strict_weak_order, transitivity
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.report import TITLES, Answer, Report
from measurand.search_length.preferences.risk_structure import risk_structure
from measurand.search_length.preferences.sample import lotteries_for, lotteries_of_results
from measurand.search_length.preferences.statement import as_statements
from measurand.search_length.preferences.statement_check import check_statements
from measurand.search_length.preferences.utility_axioms import continuity, independence
from measurand.verdict import Verdict

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


def check(
    preferences: Preference | Callable[[Any, Any], object] | Iterable[Any],
    lotteries: Iterable[Any] | None = None,
    *,
    mixtures: bool = True,
    sums: bool | None = None,
) -> Report:
    """Say whether esl stands for preferences, on which scale, and what may be computed with it then.

    Of a relation every axiom is checked, on a sample of lotteries where there is no proof. If the axioms of expected
    utility, the half-half condition and the sign condition hold, esl has the order of the preferences; it is then an
    ordinal scale if only order counts, and an interval scale among expected utilities. If preferences also carry
    over to sums of searches it is a ratio scale.

    Of stated preferences, esl is unusable if it contradicts one; ordinal if other utilities agree with them as well;
    an interval scale if they leave no other on the range of numbers from the smallest to the largest that occurs.

    Parameters
    ----------
    preferences
        A `Preference`; a function of two lotteries that says whether the first is better; or statements, such as
        `[(0, 1), (1, "~", {0: "1/2", 2: "1/2"})]`.
    lotteries
        What a relation is asked about; lotteries that tell much, if nothing is said.
    mixtures
        Whether preferences are meant to extend to mixtures of lotteries. If not, the answer stops at ordinal (unless
        `sums=True`, which does not need mixtures for a relation).
    sums
        Whether they are meant to extend to sums of searches. If nothing is said, relations are checked for it and
        statements are not taken to mean it. If not, the answer stops at interval.

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

    References
    ----------
    [BollmannRaghavan1988]_, sections 3 to 5
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
    return check_statements(as_statements(preferences), mixtures=mixtures, sums=sums)


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
        report = Report(Answer.UNUSABLE, verdicts, _complaints(verdicts, broken))
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


def _complaints(verdicts: Mapping[str, Verdict], broken: list[str]) -> tuple[str, ...]:
    complaints = [f"Broken: {TITLES[name]}. {as_sentence(verdicts[name].witness)}" for name in broken]
    if verdicts["untied"].holds:
        complaints.append(
            "On rankings without ties, where every number is sure, esl still has the right order: it is ordinal there, "
            "so that medians and rank statistics mean something."
        )
    return tuple(complaints)


def _untied(preference: Preference) -> Verdict:
    return by_the_mean(preference, [Lottery.sure(k) for k in range(UNTIED + 1)])
