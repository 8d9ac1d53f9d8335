"""What esl is for a relation: its axioms are checked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.linearity import by_the_mean, half_half, sign
from measurand.search_length.preferences.order_axioms import completeness, strict_weak_order, transitivity
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.report import TITLES, Answer, Report
from measurand.search_length.preferences.risk_structure import risk_structure
from measurand.search_length.preferences.sample import lotteries_for, lotteries_of_results
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
    complaints = [f"Broken: {TITLES[name]}. {_capital(str(verdicts[name].witness))}." for name in broken]
    if verdicts["untied"].holds:
        complaints.append(
            "On rankings without ties, where every number is sure, esl still has the right order: it is ordinal there, "
            "so that medians and rank statistics mean something."
        )
    return tuple(complaints)


def _untied(preference: Preference) -> Verdict:
    return by_the_mean(preference, [Lottery.sure(k) for k in range(UNTIED + 1)])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
