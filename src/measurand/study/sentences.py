"""Sentences: the conclusion of a comparison in words, which terminal, page, notebook and JSON share.

Every sentence has a subject, a verb and a number. What is significant comes before what is robust, the test stands
beside every p, and an interval only beside the p of its own family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from measurand.display.numerals import chance, in_words, told_apart
from measurand.display.wording import capitalised, counted, listed
from measurand.statistics import ALPHA
from measurand.study.headlines import NAMED, all_others, best_value
from measurand.study.lead import Lead, Outcome
from measurand.study.lead_words import (
    could_be_chance,
    how_far,
    in_brackets,
    strong_words,
    test_words,
    values_of,
    worth_words,
)

if TYPE_CHECKING:
    from measurand.study.conclusion import Conclusion, MeasureConclusion

CHECKED = 4
"""So many things to check are told in a line."""

LISTED = 6
"""So many systems that differ from a baseline are named."""

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
        What it is about: "lead", "topics", "clear", "additive", "overturn", "other_measures", "check" or
        "measures_note".

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
    yield from _beyond(conclusion)
    yield from _overturn(conclusion)
    yield from _other_measures(conclusion)
    yield from _lost(conclusion)
    yield from _checks(conclusion)
    yield from (Line("Left out:", f"{text}.", "left_out") for text in conclusion.left_out)
    yield from _measures_note(conclusion)


def _two_lines(conclusion: Conclusion) -> Iterator[Line]:
    """Return the difference of two systems under the primary measure and under the others.

    A measure that says otherwise has a line of its own, those that say the same share one.
    """
    several = [measure.lead for measure in conclusion.measures if measure.lead is not None and measure.lead.topics]
    if not several:
        return
    first, *others = several
    yield from _full_line(first, "lead", needed=True, named=True, shared=True)
    together = [lead for lead in others if lead.outcome is first.outcome and _is_plain(lead)]
    together = together if len(together) > 1 else []
    named = first.low is None
    for lead in others:
        if lead not in together:
            yield from _full_line(lead, "other_measures", named=named)
            named = named and lead.low is None
    if together:
        yield _shared_line(together)


def _full_line(lead: Lead, about: str, *, named: bool, needed: bool = False, shared: bool = False) -> Iterator[Line]:
    """Return the difference of two systems under a measure, and how sure it is."""
    worth, inside = worth_words(lead, needed=needed), in_brackets(lead, named=named, shared=shared)
    strong = strong_words(lead)
    yield Line(strong if inside else f"{strong}:", f"{inside}: {worth}" if inside else worth, about)


def _is_plain(lead: Lead) -> bool:
    """Return whether a difference can be told by its number and p alone."""
    usual = lead.outcome in (Outcome.SIGNIFICANT, Outcome.UNSEPARATED)
    return usual and bool(lead.difference) and lead.ahead is not None and not lead.lower_is_better


def _shared_line(several: Sequence[Lead]) -> Line:
    """Return the differences under several measures of which the same is to be said."""
    found = [f"{strong_words(lead)} (p {chance(lead.p, lead.alpha)}, {test_words(lead)})" for lead in several]
    says = "significant" if several[0].outcome is Outcome.SIGNIFICANT else "undecided"
    return Line("Other measures:", f"{listed(found, 12)} are {says} too.", "other_measures")


def _lost(conclusion: Conclusion) -> Iterator[Line]:
    """Return on which topics the first of two systems loses most."""
    lead = conclusion.lead
    if conclusion.kind != "two" or lead is None or not conclusion.lost:
        return
    topics = listed([f"{topic} ({' → '.join(told_apart(values))})" for topic, *values in conclusion.lost])
    strong = f"Worst {'topic' if len(conclusion.lost) == 1 else 'topics'} for {lead.system}:"
    yield Line(strong, f"{topics}, from {lead.against} to {lead.system}.", "topics")


def _lead_line(conclusion: Conclusion) -> Iterator[Line]:
    """Return the numbers of the leader and the next, or of the best system and the baseline."""
    lead = conclusion.lead
    if lead is None or not lead.topics or (lead.level and conclusion.kind == "many"):
        return
    first, second = values_of(lead)
    lower = " (lower is better)" if lead.lower_is_better and lead.statistic != "mean rank" else ""
    rank = " (1 is best)" if lead.statistic == "mean rank" else ""
    what = "" if lead.statistic == "mean" else f"{lead.statistic} "
    if conclusion.kind == "baseline":
        best = "Best:" if conclusion.leaders != (conclusion.baseline,) else "Best of the others:"
        strong, against = f"{best} {lead.system} {what}{first},", f"against {second} of {lead.against}{lower}{rank}"
    else:
        strong, against = f"{lead.system} {what}{first},", f"then {lead.against} {second}{lower}{rank}"
    sure = f" {could_be_chance(lead)}" if lead.ahead is not None else ""
    yield Line(strong, f"{against}: {how_far(lead)}.{sure}", "lead")


def _clear(conclusion: Conclusion) -> Iterator[Line]:
    """Return what is significant after correction, and nothing else."""
    if conclusion.kind in ("alone", "two") or not conclusion.tested:
        return
    found = _beaten(conclusion) if conclusion.kind == "many" else _beating(conclusion)
    if found:
        yield Line("What is clear:", f"{found}.", "clear")


def _beyond(conclusion: Conclusion) -> Iterator[Line]:
    """Return how many leads hold under every additive measure on these topics, and how many of these significantly."""
    lead, held, surely = conclusion.lead, len(conclusion.everywhere), len(conclusion.surely)
    if conclusion.kind == "alone" or not held or lead is None:
        return
    sure = "significantly after correction" if conclusion.kind != "two" else "significantly"
    if conclusion.kind == "two":
        beyond = "Beyond these measures:" if conclusion.others else "Beyond this measure:"
        also = f"; {lead.ahead} is ahead {sure} under every one" if surely else ""
        none = f"on these topics, no additive measure {_additive(conclusion)} puts {lead.behind} ahead{also}."
        yield Line(beyond, none, "additive")
        return
    if held == len(conclusion.worse if conclusion.kind == "many" else conclusion.better) == 1:
        # the one system that beats another does so
        ahead, behind = conclusion.systems[0], conclusion.everywhere[0]
        if conclusion.kind == "baseline":
            ahead, behind = behind, str(conclusion.baseline)
        rest = f", {sure}" if surely else f", not {sure}"
        text = f"{ahead} is ahead of {behind} under every additive measure {_additive(conclusion)}{rest}."
        yield Line("On these topics:", text, "additive")
        return
    rest = f", {'none' if not surely else 'all' if surely == held else f'{surely:,}'} of them {sure}"
    rest = (f", {sure}" if surely else f", not {sure}") if held == 1 else rest
    additive = f"under every additive measure {_additive(conclusion)}"
    many = conclusion.kind == "many"
    of = len(conclusion.worse if many else conclusion.better)
    which = f"{held:,} of the {of:,}" if held < of else "both" if of == 2 else f"all {of:,}"
    text = f"{conclusion.systems[0]} is ahead of {which} that it beats {additive}{rest}"
    if not many:
        verb = "is" if held == 1 else "are"
        text = f"{which} that beat {conclusion.baseline} {verb} ahead of it {additive}{rest}"
    yield Line("On these topics:", f"{text}.", "additive")


def _additive(conclusion: Conclusion) -> str:
    """Return the best-known additive measures, whether the primary one is one, and to which rank they look."""
    but = "" if conclusion.primary_is_additive else f"; {conclusion.measure} is not one"
    return f"({conclusion.additive}{but}) to rank {conclusion.depth:,}"


def _beaten(conclusion: Conclusion) -> str:
    """Return how many others the leader beats, or how many pairs differ at all."""
    primary, n, leader = conclusion.primary, len(conclusion.systems) - 1, conclusion.systems[0]
    if not primary.worse:
        pairs = counted(primary.tested, "pair")
        if not primary.differing:
            return f"of all {pairs}, none differs significantly ({primary.how})"
        verb = "differs" if primary.differing == 1 else "differ"
        none = "" if primary.better else f", none of them with {leader}"
        return f"{primary.differing:,} of {pairs} {verb} significantly ({primary.how}){none}"
    number = len(primary.worse)
    whom = all_others(n) if number == n else f"{number:,} of the other {n:,}"
    return f"{leader} beats {whom} ({primary.how})"


def _beating(conclusion: Conclusion) -> str:
    """Return who beats the baseline, and who is worse."""
    primary, base = conclusion.primary, conclusion.baseline
    parts = []
    if primary.better:
        verb = "beats" if len(primary.better) == 1 else "beat"
        parts.append(f"{listed(primary.better, LISTED)} {verb} {base} ({primary.how})")
    if primary.worse:
        verb = "is" if len(primary.worse) == 1 else "are"
        how = "" if primary.better else f" ({primary.how})"
        parts.append(f"{listed(primary.worse, LISTED)} {verb} worse{how}")
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
        found = listed([f"{each.measure} {best_value(each)}" for each in others], 12)
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
    # which grades count as relevant concerns every number, so it is never left out
    checks = [each for place, each in enumerate(conclusion.checks) if place < CHECKED or each.kind == "threshold"]
    told = [check.text for check in checks]
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
