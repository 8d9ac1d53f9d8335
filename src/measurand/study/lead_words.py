"""A lead in words: the difference of two systems, its interval and p, topics won, and whether it could be chance."""

from __future__ import annotations

from math import inf

from measurand.display.numerals import (
    MOST_PLACES,
    chance,
    decimal,
    places_of,
    places_that_subtract,
    roughly,
    roughly_counted,
    told_apart,
)
from measurand.display.wording import capitalised, counted
from measurand.study.certainty import OF_INTERVAL
from measurand.study.lead import NOT_CORRECTED, Lead, Outcome

TUKEY = "Tukey"
"""Whose correction is in p-values from the start."""

PLACES, RANK_PLACES = 3, 2
"""So many decimals values have, and mean ranks."""


def way_of(lead: Lead) -> str:
    """Return on which side of the other the system of a lead is: "ahead", "behind" or "level".

    Parameters
    ----------
    lead
        The lead.
    """
    return "level" if lead.ahead is None else "ahead" if lead.ahead == lead.system else "behind"


def strong_words(lead: Lead) -> str:
    """Return the measure and the difference of two systems under it.

    Parameters
    ----------
    lead
        The lead.
    """
    if lead.difference is None:
        first, second = values_of(lead)
        numbers = f"{first} each" if lead.level else f"{first} against {second}"
        return f"{lead.measure} {lead.statistic} {numbers}"
    if lead.difference == 0:
        return f"{lead.measure} no difference"
    return f"{lead.measure} {_signed(lead)}"


def in_brackets(lead: Lead, *, named: bool = True, shared: bool = True) -> str:
    """Return interval, p and test in brackets; what they are is said once.

    Parameters
    ----------
    lead
        The lead.
    named
        Whether it is said that it is an interval.
    shared
        Whether it is said on how many topics two systems are compared.
    """
    found = [_shared(lead)] if lead.partly and shared else []
    if lead.lower_is_better and lead.difference:
        found.append("lower is better")
    if lead.difference == 0 and lead.level and not lead.partly:
        found.append(f"both {values_of(lead)[0]}")
    if lead.outcome is Outcome.UNTESTED:
        found.append("not tested")
    elif lead.ties < lead.topics:
        interval = _interval(lead)
        found += [f"95 % interval {interval}" if named else interval] if interval else []
        found += _tested(lead)
    return f"({'; '.join(found)})" if found else ""


def _shared(lead: Lead) -> str:
    """Return on which topics two systems are compared if these are not all."""
    return f"on the {'only topic' if lead.topics == 1 else counted(lead.topics, 'topic')} that both have"


def _interval(lead: Lead) -> str:
    """Return the ends of the interval of a difference, if there is one."""
    if lead.low is None or lead.high is None:
        return ""
    return " to ".join(decimal(end, _places(lead), signed=True) for end in (lead.low, lead.high))


def _tested(lead: Lead) -> list[str]:
    """Return why there is no interval, and p with its test, and that no topics as few as these allow less."""
    none = [f"no t interval: {lead.no_interval}"] if lead.no_interval else []
    tested = [*none, f"p {chance(lead.p, lead.alpha)}, {test_words(lead)}"]
    differing = lead.topics - lead.ties
    if lead.least:
        tested.append(f"{counted(differing, 'topic')}{' that differ' if lead.ties else ''} allow no smaller p")
    return tested


def test_words(lead: Lead) -> str:
    """Return the test of a p-value, with Tukey's name where p holds for all pairs at once.

    Parameters
    ----------
    lead
        The lead.
    """
    return f"{lead.test}, Tukey" if lead.correction == TUKEY and TUKEY not in lead.test else lead.test


def worth_words(lead: Lead, *, needed: bool) -> str:
    """Return how sure the difference of two systems is, behind the colon.

    Parameters
    ----------
    lead
        The lead.
    needed
        Whether it is said how many topics would show the difference.
    """
    won = _won(lead)
    if lead.outcome is Outcome.UNSEPARATED and lead.ahead is not None:
        return f"undecided, {won}{_power(lead, '; ', needed=needed)}."
    if lead.outcome is Outcome.CONTRARY:
        return f"{won}; the {lead.test} favours {lead.favoured}."
    return f"{won}."


def _power(lead: Lead, between: str, *, needed: bool) -> str:
    """Return what so many topics could have shown, and how many would show the difference at hand."""
    told = []
    family = (
        f" ({lead.correction}, {counted(lead.pairs, 'pair')})" if lead.correction not in ("", NOT_CORRECTED) else ""
    )
    by = "" if lead.tested_by == OF_INTERVAL else " by a t test"
    if lead.detectable == inf:
        told.append(f"{too_few(lead.topics, lead.ties)} to show any difference of {lead.measure}{family}")
    elif lead.detectable is not None:
        seen = roughly(lead.detectable)
        told.append(f"with {counted(lead.topics, 'topic')} one usually notices a true difference of {seen}{by}{family}")
    if needed and told and lead.topics_needed is not None and lead.difference:
        size, number = decimal(abs(lead.difference), _places(lead)), roughly_counted(lead.topics_needed)
        told.append(f"if the true difference is what was seen, {size}, plan about {number} topics{by}")
    return f"{between}{'. '.join([*told[:1], *map(capitalised, told[1:])])}" if told else ""


def too_few(topics: int, ties: int) -> str:
    """Return that so many topics are too few, or those of them that differ.

    Examples
    --------
    >>> too_few(1, 0), too_few(50, 48), too_few(2, 2)
    ('1 topic is too few', '2 topics that differ are too few', '2 topics are too few')
    """
    number = topics - ties or topics
    differ = f" that differ{'s' if number == 1 else ''}" if number < topics else ""
    return f"{counted(number, 'topic')}{differ} {'is' if number == 1 else 'are'} too few"


def _won(lead: Lead) -> str:
    """Return how many topics were won, tied and lost."""
    counts = {"won": lead.wins, "tied": lead.ties, "lost": lead.losses}
    if not lead.topics:
        return "no topic in common"
    for way, number in counts.items():
        if number == lead.topics:
            every = {1: "the only topic", 2: "both topics"}.get(number, f"all {number:,} topics")
            return f"{every} {way}"
    return f"{counted(lead.wins, 'topic')} won, {lead.ties:,} tied, {lead.losses:,} lost"


def some_topics(number: int) -> str:
    """Return so many topics in words.

    Parameters
    ----------
    number
        How many.

    Examples
    --------
    >>> some_topics(1), some_topics(0)
    ('1 topic', 'no topic')
    """
    return counted(number, "topic") if number else "no topic"


def _places(lead: Lead) -> int:
    """Return how many decimals the numbers of a lead have: as many as tell the values apart, and subtract."""
    least = RANK_PLACES if lead.statistic == "mean rank" else PLACES
    if lead.level:
        return min(places_of(lead.values[:1], least), 12)
    if lead.difference is None or lead.partly:
        return min(places_of(lead.values, least), 12)
    return min(places_that_subtract(*lead.values, lead.difference, least), 12)


def values_of(lead: Lead) -> list[str]:
    """Return the values of both systems, with as many decimals as tell them apart.

    Parameters
    ----------
    lead
        The lead.
    """
    least = RANK_PLACES if lead.statistic == "mean rank" else PLACES
    if lead.level:
        return told_apart(lead.values[:1], least) * 2
    places = _places(lead)
    return told_apart(lead.values, least) if places > MOST_PLACES else [decimal(value, places) for value in lead.values]


def _signed(lead: Lead) -> str:
    return decimal(lead.difference or 0.0, _places(lead), signed=True)


def how_far(lead: Lead) -> str:
    """Return the difference, its interval and p, and topics won.

    Parameters
    ----------
    lead
        The lead.
    """
    shared = f" {_shared(lead)}" if lead.partly else ""
    won = "" if lead.partly and lead.topics == 1 else f", {_won(lead)}"
    inside = []
    if lead.outcome is not Outcome.UNTESTED and lead.ties < lead.topics:
        alone = " of this pair alone" if lead.pairs > 1 and not lead.simultaneous else ""
        at_once = f", simultaneous over {lead.together:,} systems ({lead.simultaneous})" if lead.simultaneous else ""
        inside = [f"95 % interval{alone} {interval}{at_once}"] if (interval := _interval(lead)) else []
        inside += _tested(lead)
    brackets = f" ({'; '.join(inside)})" if inside else ""
    if lead.difference is None and not won:
        return f"{way_of(lead)}{shared}"
    if lead.difference is None:
        return f"{_won(lead)}{shared}{brackets}"
    if lead.difference == 0:
        return f"no difference{shared}{brackets}{won}"
    kind = "a lead of" if lead.ahead == lead.system else "a difference of"
    return f"{kind} {_signed(lead)}{shared}{brackets}{won}"


def could_be_chance(lead: Lead) -> str:
    """Return whether the lead could be chance.

    Parameters
    ----------
    lead
        The lead.
    """
    if lead.outcome is Outcome.UNTESTED:
        return f"On {some_topics(lead.topics_tested)} nothing can be tested."
    if lead.outcome is Outcome.CONTRARY:
        return f"The {lead.test} favours {lead.favoured}."
    corrected = ""
    if lead.correction not in ("", TUKEY, NOT_CORRECTED) and lead.p <= lead.alpha:
        over = f"Corrected for {counted(lead.pairs, 'pair')} ({lead.correction})"
        corrected = f"{over}, p {chance(lead.p_corrected, lead.alpha)}: "
    if lead.outcome is Outcome.SIGNIFICANT:
        return f"{corrected}{'that' if corrected else 'That'} is hardly chance."
    return f"{corrected}{'that' if corrected else 'That'} could be chance{_power(lead, '; ', needed=True)}."
