"""Sentences: the conclusion of a comparison in words, which terminal, page, notebook and JSON share.

Every sentence has a subject, a verb and a number. What is significant comes before what is robust, the test stands
beside every p, and an interval only beside the p of its own family.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from measurand.display.numerals import chance, decimal, in_words, places_of, roughly, roughly_counted, told_apart
from measurand.display.wording import capitalised, counted, listed
from measurand.statistics import ALPHA
from measurand.study.lead import NOT_CORRECTED, Lead, Outcome

if TYPE_CHECKING:
    from measurand.study.conclusion import Conclusion, MeasureConclusion

NAMED = 3
"""So many systems are named in a row; more are counted."""

CHECKED = 4
"""So many things to check are told in a line."""

TUKEY = "Tukey"
"""Whose correction is in p-values from the start."""

RANK_PLACES = 2
"""Mean ranks have so many decimals."""

QUIET = ("measures_note",)
"""What is printed small."""


@frozen
class Line:
    """One line of a conclusion.

    Parameters
    ----------
    strong : str
        What stands in bold in front, such as "What is clear:"; empty if nothing does.
    text : str
        The rest.
    about : str
        What it is about: "lead", "clear", "overturn", "other_measures", "check" or "measures_note".

    Examples
    --------
    >>> print(Line("Check first:", "topic 326 has nothing relevant.", "check"))
    Check first: topic 326 has nothing relevant.
    """

    strong: str
    text: str
    about: str

    @property
    def quiet(self) -> bool:
        """Whether it is a remark in passing."""
        return self.about in QUIET

    def __str__(self) -> str:
        return f"{self.strong} {self.text}" if self.strong else self.text

    def to_dict(self) -> dict[str, str]:
        """Return the line, ready for JSON."""
        return {"strong": self.strong, "text": self.text, "about": self.about}


def headline_of(conclusion: Conclusion) -> str:
    """Return a conclusion in one or two sentences.

    Parameters
    ----------
    conclusion : Conclusion
        The conclusion.
    """
    return {"alone": _alone, "two": _two, "many": _many, "baseline": _against_baseline}[conclusion.kind](conclusion)


def lines_of(conclusion: Conclusion) -> Iterator[Line]:
    """Return what supports the headline of a conclusion, most important first.

    Parameters
    ----------
    conclusion : Conclusion
        The conclusion.
    """
    if conclusion.kind == "two":
        yield from _two_lines(conclusion)
    elif conclusion.kind != "alone":
        yield from _lead_line(conclusion)
    yield from _clear(conclusion)
    yield from _overturn(conclusion)
    yield from _other_measures(conclusion)
    yield from _checks(conclusion)
    yield from _measures_note(conclusion)


# one system


def _alone(conclusion: Conclusion) -> str:
    primary, [system] = conclusion.primary, conclusion.systems
    if not primary.leaders:
        return f"{system} has no topic to be scored on."
    verb = "scores" if primary.statistic == "mean" else f"has {primary.statistic}"
    return f"{system} {verb} {_value(primary)} on {primary.measure}. There is nothing to compare it with."


def _value(measure: MeasureConclusion) -> str:
    """Return the best value under a measure."""
    [text] = told_apart([measure.value], RANK_PLACES if measure.statistic == "mean rank" else 3)
    return text


# two systems


def _two(conclusion: Conclusion) -> str:
    leads = [each.lead for each in conclusion.measures if each.lead is not None]
    first = leads[0]
    both = f"{first.system} and {first.against}"
    if not any(lead.topics for lead in leads):
        return f"{both} have no topic in common, so there is nothing to compare."
    apart = [lead for lead in leads if lead.ahead is not None]
    if not apart:
        return f"{both} {_alike(leads)} {_on_measures(leads, leads)}.{_contrary(leads)}"
    return f"{_who(conclusion, leads)}. {_how_sure(apart)}{_contrary(leads)}"


def _alike(leads: Sequence[Lead]) -> str:
    return "have the same mean" if all(lead.statistic == "mean" for lead in leads) else "are level"


def _who(conclusion: Conclusion, leads: Sequence[Lead]) -> str:
    """Return under which measures the first of two systems is ahead of the other, level and behind."""
    first = leads[0]
    groups = {way: [lead for lead in leads if _way(lead) == way] for way in ("ahead", "behind", "level")}
    scored = all(lead.statistic == "mean" and not lead.lower_is_better for lead in leads)
    verbs = {"ahead": "scores higher than", "behind": "scores lower than"} if scored else VERBS
    short = {"ahead": "higher", "behind": "lower", "level": "the same"} if scored else SHORT
    against = f"{first.against}, the baseline," if conclusion.baseline is not None else first.against
    order = [way for way in ("ahead", "behind", "level") if groups[way]]
    main, *rest = order
    text = f"{first.system} {verbs[main]} {against} {_on_measures(groups[main], leads)}"
    more = [f"{short[way]} {_on_measures(groups[way], leads)}" for way in rest]
    return f"{text}, {' and '.join(more)}" if more else text


VERBS = {"ahead": "is ahead of", "behind": "is behind"}
SHORT = {"ahead": "ahead", "behind": "behind", "level": "level"}


def _way(lead: Lead) -> str:
    return "level" if lead.ahead is None else "ahead" if lead.ahead == lead.system else "behind"


def _on_measures(some: Sequence[Lead], every: Sequence[Lead]) -> str:
    """Return on which measures something is so: by name, or that it is so on all."""
    if len(some) < len(every) or len(every) == 1:
        return f"on {listed([lead.measure for lead in some])}"
    return "on both measures" if len(every) == 2 else f"on all {in_words(len(every))} measures"


def _how_sure(apart: Sequence[Lead]) -> str:
    """Return under which measures the difference of two systems could be chance."""
    untested = [lead for lead in apart if lead.outcome is Outcome.UNTESTED]
    if len(untested) == len(apart):
        return f"On {_topics(apart[0].topics)} nothing can be tested."
    groups = {
        outcome: [lead for lead in apart if lead.outcome is outcome] for outcome in (Outcome.SIGNIFICANT, Outcome.CLOSE)
    }
    sure, close = groups[Outcome.SIGNIFICANT], groups[Outcome.CLOSE]
    one_way = len({_way(lead) for lead in apart}) == 1
    if not sure and not close:
        return ""
    if not close or not sure:
        several = len(sure or close) > 1
        if not several:
            named = "" if len(apart) == 1 else f"On {(sure or close)[0].measure} "
            what = "that" if one_way else "the difference"
            return capitalised(f"{named}{what} {'is hardly' if sure else 'could be'} chance.")
        if one_way and len(sure or close) == 2 == len(apart):
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


def _contrary(leads: Iterable[Lead]) -> str:
    """Return under which measures the test puts the system ahead that has the worse number."""
    found = [lead for lead in leads if lead.outcome is Outcome.CONTRARY]
    return "".join(f" On {lead.measure} the {lead.test} favours {lead.favoured}." for lead in found)


def _two_lines(conclusion: Conclusion) -> Iterator[Line]:
    """Return a line for each measure: the difference of two systems, and how sure it is."""
    named, shared = True, True
    for place, measure in enumerate(conclusion.measures):
        lead = measure.lead
        if lead is None or not lead.topics:
            continue
        about = "lead" if place == 0 else "other_measures"
        worth = _worth(lead, needed=place == 0)
        inside = _inside(lead, named=named, shared=shared)
        yield Line(_strong(lead) if inside else f"{_strong(lead)}:", f"{inside}: {worth}" if inside else worth, about)
        named, shared = named and lead.low is None, False


def _strong(lead: Lead) -> str:
    """Return the measure and the difference of two systems under it."""
    if lead.difference is None:
        first, second = _values(lead)
        numbers = f"{first} each" if lead.level else f"{first} against {second}"
        return f"{lead.measure} {lead.statistic} {numbers}"
    if lead.difference == 0:
        return f"{lead.measure} no difference"
    return f"{lead.measure} {_signed(lead)}"


def _inside(lead: Lead, *, named: bool = True, shared: bool = True) -> str:
    """Return interval, p and test in brackets; what they are is said once."""
    found = [_shared(lead)] if lead.partly and shared else []
    if lead.lower_is_better and lead.difference:
        found.append("lower is better")
    if lead.difference == 0 and lead.level and not lead.partly:
        found.append(f"both {_values(lead)[0]}")
    if lead.outcome is Outcome.UNTESTED:
        found.append("not tested")
    elif lead.ties < lead.topics:
        interval = _interval(lead)
        found += [f"95 % interval {interval}" if named else interval] if interval else []
        found.append(f"p {chance(lead.p, lead.alpha)}, {_test(lead)}")
    return f"({'; '.join(found)})" if found else ""


def _shared(lead: Lead) -> str:
    """Return on which topics two systems are compared if these are not all."""
    return f"on the {'only topic' if lead.topics == 1 else counted(lead.topics, 'topic')} that both have"


def _interval(lead: Lead) -> str:
    """Return the ends of the interval of a difference, if there is one."""
    if lead.low is None or lead.high is None:
        return ""
    return " to ".join(decimal(end, _places(lead), signed=True) for end in (lead.low, lead.high))


def _test(lead: Lead) -> str:
    """Return the test of a p-value, with Tukey's name where p holds for all pairs at once."""
    return f"{lead.test}, Tukey" if lead.correction == TUKEY and TUKEY not in lead.test else lead.test


def _worth(lead: Lead, *, needed: bool) -> str:
    """Return how sure the difference of two systems is, behind the colon."""
    won = _won(lead)
    if lead.outcome is Outcome.CLOSE and lead.ahead is not None:
        return f"undecided, {won}{_power(lead, '; ', needed=needed)}."
    if lead.outcome is Outcome.CONTRARY:
        return f"{won}; the {lead.test} favours {lead.favoured}."
    return f"{won}."


def _power(lead: Lead, between: str, *, needed: bool, alone: str = "") -> str:
    """Return what so many topics could have shown, and how many would show the difference at hand."""
    if lead.detectable is None:
        return ""
    by = "" if lead.tested_by == "paired_t" else " by a t test"
    text = f"{alone}{counted(lead.topics, 'topic')} can reliably show about {roughly(lead.detectable)}{by}"
    if needed and lead.topics_needed is not None and lead.difference:
        size = decimal(abs(lead.difference), _places(lead))
        text += f", and {size} would take about {roughly_counted(lead.topics_needed)} topics"
    return f"{between}{text}"


def _won(lead: Lead) -> str:
    """Return how many topics were won, tied and lost."""
    counts = {"won": lead.wins, "tied": lead.ties, "lost": lead.losses}
    if not lead.topics:
        return "no topic in common"
    for way, number in counts.items():
        if number == lead.topics:
            every = {1: "the only topic", 2: "both topics"}.get(number, f"all {number:,} topics")
            return f"{every} {way}"
    first, *rest = [f"{number:,} {way}" for way, number in counts.items()]
    return f"{counted(lead.wins, 'topic')} {first.split()[-1]}, {', '.join(rest)}"


def _topics(number: int) -> str:
    return counted(number, "topic") if number else "no topic"


def _places(lead: Lead) -> int:
    """Return how many decimals the numbers of a lead have: as many as tell the values apart."""
    values = lead.values if not lead.level else lead.values[:1]
    return min(places_of(values, RANK_PLACES if lead.statistic == "mean rank" else 3), 12)


def _values(lead: Lead) -> list[str]:
    """Return the values of both systems, with as many decimals as tell them apart."""
    least = RANK_PLACES if lead.statistic == "mean rank" else 3
    if lead.level:
        return told_apart(lead.values[:1], least) * 2
    return told_apart(lead.values, least)


def _signed(lead: Lead) -> str:
    return decimal(lead.difference or 0.0, _places(lead), signed=True)


# many systems


def _many(conclusion: Conclusion) -> str:
    primary, leaders, n = conclusion.primary, conclusion.leaders, len(conclusion.systems)
    if not leaders:
        return f"No system has a topic to be scored on under {primary.measure}."
    if len(leaders) == n:
        return f"All {n:,} systems {_same(primary)} on {primary.measure}, {_value(primary)}.{_differing(primary)}"
    if len(leaders) > 1:
        return _shared_lead(conclusion)
    [leader], close = leaders, primary.close
    if not conclusion.tested:
        return f"{leader} leads on {primary.measure}, but on {_few(conclusion)} nothing can be tested."
    if primary.better:
        verb = f"puts {listed(primary.better, NAMED, 'others')} ahead of it"
        return f"{leader} has the best {primary.statistic} on {primary.measure}, but the {primary.test} {verb}."
    if not close:
        rest = f"; {_untested(primary)}" if primary.untested else ""
        every = _all(len(primary.worse)) if not primary.untested else f"{len(primary.worse):,} others"
        return f"{leader} leads on {primary.measure} and beats {every}{rest}."
    rest = f", and {_untested(primary)}" if primary.untested else ""
    return f"{leader} leads on {primary.measure}, but {_too_close(primary, n - 1)}{rest}."


def _few(conclusion: Conclusion) -> str:
    """Return on how few topics nothing can be tested."""
    return _topics(conclusion.topics) if conclusion.topics < 2 else "so few shared topics"


def _same(measure: MeasureConclusion) -> str:
    return f"have the same {measure.statistic}"


def _differing(measure: MeasureConclusion) -> str:
    """Return that systems differ although their values are level."""
    if not measure.differing:
        return ""
    verb = "differs" if measure.differing == 1 else "differ"
    return f" {measure.differing:,} of {counted(measure.compared, 'pair')} {verb} significantly all the same."


def _all(number: int) -> str:
    return {1: "the other one", 2: "both others"}.get(number, f"all {number:,} others")


def _too_close(measure: MeasureConclusion, others: int) -> str:
    """Return who is too close to call."""
    close = measure.close
    if len(close) == others and others > 1:
        return f"{_all(others)} are too close to call"
    if len(close) == 1:
        return f"{close[0]} is too close to call"
    return f"{len(close):,} others are too close to call"


def _untested(measure: MeasureConclusion) -> str:
    number = len(measure.untested)
    return f"{number:,} {'shares' if number == 1 else 'share'} too few topics with it"


def _shared_lead(conclusion: Conclusion) -> str:
    """Return that several systems have the best value."""
    primary, leaders, n = conclusion.primary, conclusion.leaders, len(conclusion.systems)
    who = listed(leaders) if len(leaders) <= NAMED else f"{len(leaders):,} of {n:,} systems"
    lead = f"{who} share the first place on {primary.measure}, {primary.statistic} {_value(primary)}"
    close = [each for each in primary.close if each not in leaders]
    if not conclusion.tested:
        return f"{lead}; on {_few(conclusion)} nothing can be tested."
    if primary.better:
        verb = f"puts {listed(primary.better, NAMED, 'others')} ahead of {conclusion.systems[0]}"
        return f"{lead}, but the {primary.test} {verb}."
    if not close:
        return f"{lead}."
    who = close[0] if len(close) == 1 else f"{len(close):,} others"
    return f"{lead}, and {who} {'is' if len(close) == 1 else 'are'} too close to call."


def _lead_line(conclusion: Conclusion) -> Iterator[Line]:
    """Return the numbers of the leader and the next, or of the best system and the baseline."""
    lead = conclusion.lead
    if lead is None or not lead.topics or (lead.level and conclusion.kind == "many"):
        return
    first, second = _values(lead)
    lower = " (lower is better)" if lead.lower_is_better and lead.statistic != "mean rank" else ""
    rank = " (1 is best)" if lead.statistic == "mean rank" else ""
    what = "" if lead.statistic == "mean" else f"{lead.statistic} "
    if conclusion.kind == "baseline":
        best = "Best:" if conclusion.leaders != (conclusion.baseline,) else "Best of the others:"
        strong, against = f"{best} {lead.system} {what}{first},", f"against {second} of {lead.against}{lower}{rank}"
    else:
        strong, against = f"{lead.system} {what}{first},", f"then {lead.against} {second}{lower}{rank}"
    sure = f" {_could_be_chance(lead)}" if lead.ahead is not None else ""
    yield Line(strong, f"{against}: {_how_far(lead)}.{sure}", "lead")


def _how_far(lead: Lead) -> str:
    """Return the difference, its interval and p, and topics won."""
    shared = f" {_shared(lead)}" if lead.partly else ""
    won = "" if lead.partly and lead.topics == 1 else f", {_won(lead)}"
    inside = []
    if lead.outcome is not Outcome.UNTESTED and lead.ties < lead.topics:
        inside = [f"95 % interval {interval}"] if (interval := _interval(lead)) else []
        inside.append(f"p {chance(lead.p, lead.alpha)}, {_test(lead)}")
    brackets = f" ({'; '.join(inside)})" if inside else ""
    if lead.difference is None and not won:
        return f"{_way(lead)}{shared}"
    if lead.difference is None:
        return f"{_won(lead)}{shared}{brackets}"
    if lead.difference == 0:
        return f"no difference{shared}{brackets}{won}"
    kind = "a lead of" if lead.ahead == lead.system else "a difference of"
    return f"{kind} {_signed(lead)}{shared}{brackets}{won}"


def _could_be_chance(lead: Lead) -> str:
    """Return whether the lead could be chance."""
    if lead.outcome is Outcome.UNTESTED:
        return f"On {_topics(lead.topics)} nothing can be tested."
    if lead.outcome is Outcome.CONTRARY:
        return f"The {lead.test} favours {lead.favoured}."
    corrected = ""
    if lead.correction not in ("", TUKEY, NOT_CORRECTED) and lead.p <= lead.alpha:
        over = f"Corrected for {counted(lead.pairs, 'pair')} ({lead.correction})"
        corrected = f"{over}, p {chance(lead.p_corrected, lead.alpha)}: "
    if lead.outcome is Outcome.SIGNIFICANT:
        return f"{corrected}{'that' if corrected else 'That'} is hardly chance."
    single = "for a single pair, " if lead.pairs > 1 else ""
    power = _power(lead, "; ", needed=True, alone=single)
    return f"{corrected}{'that' if corrected else 'That'} could be chance{power}."


# a baseline


def _against_baseline(conclusion: Conclusion) -> str:
    primary, base, n = conclusion.primary, str(conclusion.baseline), len(conclusion.systems) - 1
    if not conclusion.tested:
        return f"On {_few(conclusion)} no system can be tested against {base}, the baseline."
    better, rest = len(primary.better), []
    if primary.worse:
        rest.append(f"{len(primary.worse):,} {'is' if len(primary.worse) == 1 else 'are'} worse")
    if primary.close:
        is_ = "is" if len(primary.close) == 1 else "are"
        rest.append(f"{len(primary.close):,} {'' if rest and is_ == 'are' else f'{is_} '}too close to call")
    if primary.untested:
        rest.append(f"{_untested(primary)}")
    if better == n:
        return f"{capitalised(_all_systems(n))} beat {base}, the baseline, on {primary.measure}."
    if not better and len(primary.worse) == n:
        return f"{capitalised(_all_systems(n))} are worse than {base}, the baseline, on {primary.measure}."
    if not better and len(primary.close) == n:
        return f"{capitalised(_all_systems(n))} are too close to {base}, the baseline, to call on {primary.measure}."
    who = f"{better:,} of {n:,} systems beat" if better else "No system beats"
    who = f"1 of {n:,} systems beats" if better == 1 else who
    return f"{who} {base}, the baseline, on {primary.measure}; {' and '.join(rest)}."


def _all_systems(number: int) -> str:
    return "both other systems" if number == 2 else f"all {number:,} other systems"


# what supports it


def _clear(conclusion: Conclusion) -> Iterator[Line]:
    """Return what is significant, and how much of that holds under every additive measure."""
    if conclusion.kind == "two":
        lead = conclusion.lead
        if conclusion.everywhere and lead is not None:
            none = f"no additive measure ({conclusion.additive}) to rank {conclusion.depth:,}"
            beyond = "Beyond these measures:" if conclusion.others else "Beyond this measure:"
            yield Line(beyond, f"{none} puts {lead.behind} ahead.", "clear")
        return
    if conclusion.kind == "alone" or not conclusion.tested:
        return
    found = _beaten(conclusion) if conclusion.kind == "many" else _beating(conclusion)
    if found:
        yield Line("What is clear:", f"{found}.", "clear")


def _everywhere(conclusion: Conclusion, who: str, one: str) -> str:
    """Return how many of the systems that were just counted stay in their order under every additive measure."""
    number = len(conclusion.everywhere)
    if not number:
        return ""
    under = f"under every additive measure ({conclusion.additive}) to rank {conclusion.depth:,}"
    return f", {who} {one} {under}"


def _beaten(conclusion: Conclusion) -> str:
    """Return how many others the leader beats, or how many pairs differ at all."""
    primary, n, leader = conclusion.primary, len(conclusion.systems) - 1, conclusion.systems[0]
    if not primary.worse:
        pairs = counted(primary.compared, "pair")
        if not primary.differing:
            return f"of all {pairs}, none differs significantly ({primary.how})"
        verb = "differs" if primary.differing == 1 else "differ"
        return f"{primary.differing:,} of {pairs} {verb} significantly ({primary.how}), none of them with {leader}"
    number, held = len(primary.worse), len(conclusion.everywhere)
    whom = _all(n) if number == n else f"{number:,} of the other {n:,}"
    text = f"{leader} beats {whom} ({primary.how})"
    if not held:
        return text
    them = f"{held:,} of them" if held < number else {1: "that one", 2: "both of them"}.get(number, "all of them")
    return f"{text}{_everywhere(conclusion, 'and is ahead of', them)}"


def _beating(conclusion: Conclusion) -> str:
    """Return who beats the baseline, and who is worse."""
    primary, base = conclusion.primary, conclusion.baseline
    parts = []
    if primary.better:
        number, held = len(primary.better), len(conclusion.everywhere)
        text = f"{listed(primary.better, 6)} {'beats' if number == 1 else 'beat'} {base}"
        if held:
            every = "both" if number == 2 else "all"
            them = "it is ahead" if number == 1 else f"{every} are ahead" if held == number else f"{held:,} of them"
            verb = "" if number == 1 or held == number else (" is ahead" if held == 1 else " are ahead")
            text += f" ({primary.how}){_everywhere(conclusion, f'and {them}{verb}', '').replace('  ', ' ')}"
        else:
            text += f" ({primary.how})"
        parts.append(text)
    if primary.worse:
        verb = "is" if len(primary.worse) == 1 else "are"
        how = "" if primary.better else f" ({primary.how})"
        parts.append(f"{listed(primary.worse, 6)} {verb} worse{how}")
    return "; ".join(parts)


def _overturn(conclusion: Conclusion) -> Iterator[Line]:
    """Return that a significant lead hangs on few topics."""
    if conclusion.kind == "alone" or not conclusion.dropped or conclusion.lead is None:
        return
    dropped, topics = conclusion.dropped, conclusion.lead.topics
    which = f"topic {dropped[0]}" if len(dropped) == 1 else f"topics {listed(dropped)}"
    if len(dropped) > NAMED:
        which = f"{len(dropped):,} of the {topics:,} topics ({listed(dropped, NAMED)})"
    text = f"without {which}, the difference is no longer significant."
    yield Line("What would overturn it:", text, "overturn")


def _other_measures(conclusion: Conclusion) -> Iterator[Line]:
    """Return what the other measures say."""
    others = conclusion.others
    if not others or conclusion.kind == "two":
        return
    if conclusion.kind == "alone":
        found = listed([f"{each.measure} {_value(each)}" for each in others], 12)
    elif conclusion.kind == "many":
        found = _leaders(conclusion)
    elif conclusion.tested:
        found = _beating_under(others)
    else:
        return
    yield Line("Other measures:", f"{found}.", "other_measures")


def _leaders(conclusion: Conclusion) -> str:
    """Return who leads under the other measures."""
    leading, others = conclusion.leaders, conclusion.others
    same = [each.measure for each in others if set(each.leaders) == set(leading)]
    they = "it leads" if len(leading) == 1 else "they share the first place"
    they = "all are level" if len(leading) == len(conclusion.systems) else they
    found = [f"{they} on {listed(same, 12)} too"] if same and leading else []
    under: dict[tuple[str, ...], list[str]] = {}
    for each in others:
        if each.measure not in same:
            under.setdefault(each.leaders, []).append(each.measure)
    for leaders, names in under.items():
        if len(leaders) == len(conclusion.systems):
            who = "all are level"
        elif len(leaders) == 1:
            who = f"{leaders[0]} leads"
        else:
            who = f"{listed(leaders) if len(leaders) <= NAMED else f'{len(leaders):,} systems'} share the first place"
        found.append(f"{who} on {listed(names, 12)}")
    return "; ".join(found)


def _beating_under(others: Sequence[MeasureConclusion]) -> str:
    """Return how many systems beat the baseline under the other measures, and how many are worse."""
    under: dict[str, list[str]] = {}
    for each in others:
        under.setdefault(_counts(each), []).append(each.measure)
    return "; ".join(f"on {listed(names, 12)} {found}" for found, names in under.items())


def _counts(measure: MeasureConclusion) -> str:
    """Return how many systems beat the baseline under a measure, and how many are worse."""
    better, worse = len(measure.better), len(measure.worse)
    beat = f"{in_words(better) if better else 'none'} {'beat' if better > 1 else 'beats'} it"
    is_worse = f"{in_words(worse)} {'is' if worse == 1 else 'are'} worse"
    return f"{beat} and {is_worse}" if worse and better else is_worse if worse else beat


def _checks(conclusion: Conclusion) -> Iterator[Line]:
    """Return what to check first."""
    told = [check.text for check in conclusion.checks[:CHECKED]]
    if told:
        yield Line("Check first:", f"{'; '.join(told)}.", "check")


def _measures_note(conclusion: Conclusion) -> Iterator[Line]:
    """Return that several measures were looked at, which is the primary one, and an unusual level of significance."""
    n, said = len(conclusion.measures), []
    if conclusion.kind == "alone":
        return
    if n > 1:
        said.append(
            f"{capitalised(in_words(n))} measures were looked at; p-values are not corrected for that."
            f" {conclusion.measure} is the primary one (--primary)."
        )
    if conclusion.alpha != ALPHA:
        said.append(f"A difference is called significant if p ≤ {conclusion.alpha:g}.")
    if said:
        yield Line("", " ".join(said), "measures_note")
