"""Headlines: the conclusion of a comparison in one or two sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from measurand.display.numerals import in_words, told_apart
from measurand.display.wording import capitalised, counted, listed
from measurand.study.lead import NOT_CORRECTED, Lead, Outcome
from measurand.study.lead_words import PLACES, RANK_PLACES, TUKEY, some_topics, way_of

if TYPE_CHECKING:
    from measurand.study.conclusion import Conclusion, MeasureConclusion

NAMED = 3
"""So many systems are named in a row; more are counted."""

VERBS = {"ahead": "is ahead of", "behind": "is behind"}
SHORT = {"ahead": "ahead", "behind": "behind", "level": "level"}
"""How one system stands to another, where it is not by means that are better if they are higher."""


def headline_of(conclusion: Conclusion) -> str:
    """Return a conclusion in one or two sentences.

    Parameters
    ----------
    conclusion : Conclusion
        The conclusion.
    """
    return {"alone": _alone, "two": _two, "many": _many, "baseline": _against_baseline}[conclusion.kind](conclusion)


def _alone(conclusion: Conclusion) -> str:
    primary, [system] = conclusion.primary, conclusion.systems
    if not primary.leaders:
        return f"{system} has no topic to be scored on."
    verb = "scores" if primary.statistic == "mean" else f"has {primary.statistic}"
    return f"{system} {verb} {best_value(primary)} on {primary.measure}. There is nothing to compare it with."


def best_value(measure: MeasureConclusion) -> str:
    """Return the best value under a measure.

    Parameters
    ----------
    measure
        What is concluded under the measure.
    """
    [text] = told_apart([measure.value], RANK_PLACES if measure.statistic == "mean rank" else PLACES)
    return text


def _two(conclusion: Conclusion) -> str:
    leads = [each.lead for each in conclusion.measures if each.lead is not None]
    first = leads[0]
    both = f"{first.system} and {first.against}"
    if not any(lead.topics for lead in leads):
        return f"{both} have no topic in common, so there is nothing to compare."
    apart = [lead for lead in leads if lead.ahead is not None]
    if not apart:
        return " ".join([f"{both} {_alike(leads)} {_on_measures(leads, leads)}.", *_contrary(leads)])
    return " ".join(filter(None, [f"{_who(conclusion, leads)}.", _how_sure(apart), *_contrary(leads)]))


def _alike(leads: Sequence[Lead]) -> str:
    return "have the same mean" if all(lead.statistic == "mean" for lead in leads) else "are level"


def _who(conclusion: Conclusion, leads: Sequence[Lead]) -> str:
    """Return under which measures the first of two systems is ahead of the other, level and behind."""
    first = leads[0]
    groups = {way: [lead for lead in leads if way_of(lead) == way] for way in ("ahead", "behind", "level")}
    scored = all(lead.statistic == "mean" and not lead.lower_is_better for lead in leads)
    verbs = {"ahead": "scores higher than", "behind": "scores lower than"} if scored else VERBS
    short = {"ahead": "higher", "behind": "lower", "level": "the same"} if scored else SHORT
    against = f"{first.against}, the baseline," if conclusion.baseline is not None else first.against
    order = [way for way in ("ahead", "behind", "level") if groups[way]]
    main, *rest = order
    text = f"{first.system} {verbs[main]} {against} {_on_measures(groups[main], leads)}"
    more = [f"{short[way]} {_on_measures(groups[way], leads)}" for way in rest]
    return f"{text}, {' and '.join(more)}" if more else text


def _on_measures(some: Sequence[Lead], every: Sequence[Lead]) -> str:
    """Return on which measures something is so: by name, or that it is so on all."""
    if len(some) < len(every) or len(every) == 1:
        return f"on {listed([lead.measure for lead in some])}"
    return "on both measures" if len(every) == 2 else f"on all {in_words(len(every))} measures"


def _how_sure(apart: Sequence[Lead]) -> str:
    """Return under which measures the difference of two systems could be chance."""
    untested = [lead for lead in apart if lead.outcome is Outcome.UNTESTED]
    if len(untested) == len(apart):
        return f"On {some_topics(apart[0].topics_tested)} nothing can be tested."
    sure = [lead for lead in apart if lead.outcome is Outcome.SIGNIFICANT]
    close = [lead for lead in apart if lead.outcome is Outcome.UNSEPARATED]
    one_way = len({way_of(lead) for lead in apart}) == 1
    if not sure and not close:
        return ""
    if not close or not sure:
        found = sure or close
        if 1 < len(found) < len(apart):
            what = "that" if one_way else "the difference"
            return f"On {_names(found)} {what} {'is hardly' if sure else 'could be'} chance."
        if len(found) == 1:
            named = "" if len(apart) == 1 else f"On {found[0].measure} "
            what = "that" if one_way else "the difference"
            return capitalised(f"{named}{what} {'is hardly' if sure else 'could be'} chance.")
        if one_way and len(found) == 2:
            return "That is hardly chance on either." if sure else "That could be chance on both."
        if one_way:
            return "That is hardly chance on any of them." if sure else "That could be chance on each of them."
        return "These differences are hardly chance." if sure else "All of these differences could be chance."
    what = "that" if one_way else "the difference"
    if sure[0] is apart[0] or (close[0] is not apart[0] and sure):
        return f"On {_names(sure)} {what} is hardly chance; on {_names(close, last=True)} it could be."
    return f"On {_names(close)} {what} could be chance; on {_names(sure, last=True)} it hardly is."


def _names(leads: Sequence[Lead], *, last: bool = False) -> str:
    """Return the measures of some leads; of many that come last, that they are the others."""
    return "the others" if last and len(leads) > NAMED else listed([lead.measure for lead in leads], 8)


def _contrary(leads: Iterable[Lead]) -> list[str]:
    """Return under which measures the test puts the system ahead that has the worse number."""
    found: dict[tuple[str, str | None], list[str]] = {}
    for lead in leads:
        if lead.outcome is Outcome.CONTRARY:
            found.setdefault((lead.test, lead.favoured), []).append(lead.measure)
    return [f"On {listed(names, 8)} the {test} favours {favoured}." for (test, favoured), names in found.items()]


def _many(conclusion: Conclusion) -> str:
    primary, leaders, n = conclusion.primary, conclusion.leaders, len(conclusion.systems)
    if not leaders:
        return f"No system has a topic to be scored on under {primary.measure}."
    if len(leaders) == n:
        return f"All {n:,} systems {_same(primary)} on {primary.measure}, {best_value(primary)}.{_differing(primary)}"
    if len(leaders) > 1:
        return _shared_lead(conclusion)
    [leader] = leaders
    if not conclusion.tested:
        return f"{leader} leads on {primary.measure}, but on {_few(conclusion)} nothing can be tested."
    if primary.better:
        verb = f"puts {listed(primary.better, NAMED)} ahead of it"
        return f"{leader} has the best {primary.statistic} on {primary.measure}, but the {primary.test} {verb}."
    if not primary.unseparated:
        rest = f"; {_untested(primary)}" if primary.untested else ""
        beaten = primary.worse
        every = all_others(len(beaten))
        if primary.untested:
            every = beaten[0] if len(beaten) == 1 else f"{len(beaten):,} others"
        return f"{leader} leads on {primary.measure} and beats {every}{rest}."
    rest = f", and {_untested(primary)}" if primary.untested else ""
    return f"{leader} leads on {primary.measure}, but {_unseparated(primary, n - 1)}{rest}."


def _few(conclusion: Conclusion) -> str:
    """Return on how few topics nothing can be tested."""
    return some_topics(conclusion.topics) if conclusion.topics < 2 else "so few shared topics"


def _same(measure: MeasureConclusion) -> str:
    return f"have the same {measure.statistic}"


def _differing(measure: MeasureConclusion) -> str:
    """Return that systems differ although their values are level."""
    if not measure.differing:
        return ""
    verb = "differs" if measure.differing == 1 else "differ"
    return f" {measure.differing:,} of {counted(measure.compared, 'pair')} {verb} significantly all the same."


def all_others(number: int) -> str:
    """Return so many others, which are all there are.

    Parameters
    ----------
    number
        How many.

    Examples
    --------
    >>> all_others(2), all_others(5)
    ('both others', 'all 5 others')
    """
    return {1: "the other one", 2: "both others"}.get(number, f"all {number:,} others")


def _unseparated(measure: MeasureConclusion, others: int) -> str:
    """Return whom the test does not separate from the leader."""
    found = measure.unseparated
    none = "neither of the others is" if others == 2 else f"none of the {others:,} others is"
    who = f"{found[0]} is not" if len(found) == 1 else f"{len(found):,} others are not"
    return f"{none if len(found) == others > 1 else who} separated from it{_after_correction(measure)}"


def _after_correction(measure: MeasureConclusion) -> str:
    """Return for how many pairs p-values are corrected, and how many systems are close: not separated without it."""
    if measure.correction in ("", NOT_CORRECTED, TUKEY):
        return ""
    pairs, close = counted(measure.compared, "pair"), len(measure.close)
    if close == len(measure.unseparated):
        return f" with or without correction for {pairs}"
    return f" after correction for {pairs} ({f'{close:,}' if close else 'none'} without correction)"


def _untested(measure: MeasureConclusion) -> str:
    number = len(measure.untested)
    return f"{number:,} {'shares' if number == 1 else 'share'} too few topics with it"


def _shared_lead(conclusion: Conclusion) -> str:
    """Return that several systems have the best value."""
    primary, leaders, n = conclusion.primary, conclusion.leaders, len(conclusion.systems)
    who = listed(leaders) if len(leaders) <= NAMED else f"{len(leaders):,} of {n:,} systems"
    lead = f"{who} share the first place on {primary.measure}, {primary.statistic} {best_value(primary)}"
    close = [each for each in primary.unseparated if each not in leaders]
    if not conclusion.tested:
        return f"{lead}; on {_few(conclusion)} nothing can be tested."
    if primary.better:
        verb = f"puts {listed(primary.better, NAMED)} ahead of {conclusion.systems[0]}"
        return f"{lead}, but the {primary.test} {verb}."
    if not close:
        return f"{lead}."
    who = close[0] if len(close) == 1 else f"{len(close):,} others"
    after = _after_correction(primary).split(" (")[0]
    return f"{lead}, and {who} {'is' if len(close) == 1 else 'are'} not separated from {conclusion.systems[0]}{after}."


def _against_baseline(conclusion: Conclusion) -> str:
    primary, base, n = conclusion.primary, str(conclusion.baseline), len(conclusion.systems) - 1
    if not conclusion.tested:
        return f"On {_few(conclusion)} no system can be tested against {base}, the baseline."
    better, rest = len(primary.better), []
    if primary.worse:
        rest.append(f"{len(primary.worse):,} {'is' if len(primary.worse) == 1 else 'are'} worse")
    if primary.unseparated:
        is_ = "is" if len(primary.unseparated) == 1 else "are"
        text = f"{len(primary.unseparated):,} {'' if rest and is_ == 'are' else f'{is_} '}not separated from it"
        rest.append(f"{text}{_after_correction(primary)}")
    if primary.untested:
        rest.append(f"{_untested(primary)}")
    if better == n:
        return f"{capitalised(_all_systems(n))} beat {base}, the baseline, on {primary.measure}."
    if not better and len(primary.worse) == n:
        return f"{capitalised(_all_systems(n))} are worse than {base}, the baseline, on {primary.measure}."
    if not better and len(primary.unseparated) == n:
        after = _after_correction(primary)
        return f"No other system is separated from {base}, the baseline, on {primary.measure}{after}."
    who = f"{better:,} of {n:,} systems beat" if better else "No system beats"
    who = f"1 of {n:,} systems beats" if better == 1 else who
    return f"{who} {base}, the baseline, on {primary.measure}; {' and '.join(rest)}."


def _all_systems(number: int) -> str:
    return "both other systems" if number == 2 else f"all {number:,} other systems"
