"""What to check before believing a comparison: odd data, and a lead that hangs on little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import isinf
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray
from measurand.display.numerals import chance
from measurand.display.numerals import decimal as numeral
from measurand.display.result import Result
from measurand.display.wording import capitalised, counted, listed
from measurand.errors import CaveatKind
from measurand.exact import decimal
from measurand.judged import JudgedRuns, OverTies
from measurand.measures.around import innermost
from measurand.measures.campaigns import on_judged, with_campaign
from measurand.measures.judged_share import Judged
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.parameters import Usual
from measurand.statistics.pairs import FEWEST
from measurand.study.lead import Lead, Outcome
from measurand.study.margins.card import TOPICS
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.ties import ties_margin
from measurand.study.margins.topics import topics_margin

if TYPE_CHECKING:
    from measurand.measures import Measure
    from measurand.study.measure_result import MeasureResult

TOP = 10
"""Down to this rank it is looked at how much was judged."""

MARKED = 0.05
"""A system with so much more unjudged than the median one has markedly more."""

LARGE = 0.1
"""One of the two systems that are spoken of first is named if so much of its top was not judged."""

MUCH = 0.2
"""Where half of the systems have so much unjudged, all have much."""

FEW_TOPICS = 25
"""With fewer topics than this, little can be shown."""

MORE = 0.1
"""A system that wins more topics by this share of them wins markedly more."""

NAMED = 3
"""So many systems or topics are named in one check."""

OF_PAIRS = ("paired_t", "sign", "signed_rank", "randomisation", "bootstrap")
"""The tests whose significance can be looked at for one pair."""


class CheckKind(StrEnum):
    """What a check is about, stable, for programs."""

    TOPICS_WON = "topics-won"
    SIGN_TEST = "sign-test"
    TIES = "ties"
    FEW_TOPICS = "few-topics"
    NO_COMMON_TOPIC = "no-common-topic"
    UNKNOWN_TOPICS = "unknown-topics"
    UNJUDGED = "unjudged"
    MISSING_TOPICS = "missing-topics"
    NO_RELEVANT = "no-relevant"
    THRESHOLD = "threshold"
    NAMES = "names"
    NOT_ABOVE_EMPTY = "not-above-empty"


@frozen(kw_only=True)
class Check(Result):
    """One thing to check before believing a comparison.

    Parameters
    ----------
    kind : CheckKind
        What it is about.
    text : str
        What is to be known, as part of a sentence.
    systems, topics : tuple of str
        The systems and the topics that it is about, the most striking first.
    number : float or None
        The number that it is about: a share, a count, a p-value.

    Examples
    --------
    >>> found = Check(kind="no-relevant", text="topic 326 has nothing relevant", topics=("326",), number=1)
    >>> print(found.sentence)
    Topic 326 has nothing relevant.
    """

    kind: CheckKind
    text: str
    systems: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    number: float | None = None

    @property
    def sentence(self) -> str:
        """What is to be known, as a sentence; names of systems keep their first letter."""
        named = any(self.text.startswith((f"{system} ", f"{system}, ")) for system in self.systems)
        return f"{self.text if named else capitalised(self.text)}."

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return what is to be known, ready for JSON."""
        return {
            "kind": str(self.kind),
            "sentence": self.sentence,
            "systems": list(self.systems),
            "topics": list(self.topics),
            "number": self.number,
        }


def checks_of(result: MeasureResult, lead: Lead | None, measures: Sequence[Measure] = ()) -> tuple[Check, ...]:
    """Return what to check before believing a comparison, most important first.

    Parameters
    ----------
    result : MeasureResult
        The comparison under the primary measure.
    lead : Lead or None
        The two systems that are spoken of first.
    measures : sequence of Measure
        The measures that were asked for, of which some count documents from a grade on.
    """
    found: list[Check] = []
    if lead is not None:
        found += [*_unknown_topics(result.judged, lead), *_topics_won(lead), *_sign_test(lead)]
        found += [*_ties(result, lead), *_apart(result)]
    pair = () if lead is None else (lead.system, lead.against)
    found += [*_few_topics(result), *_unjudged(result.judged, pair), *_missing(result.judged), *_no_relevant(result)]
    found += [*_threshold(result.judged), *_lowest_grade(result, lead, measures)]
    return (*found, *_names(result.judged))


def empty_results(result: MeasureResult) -> tuple[Check, ...]:
    """Return that systems score no more than an empty result under OIE, if any do: almost empty ones lead there.

    Parameters
    ----------
    result : MeasureResult
        The comparison under a measure.
    """
    judged, measure = result.judged, on_judged(result.scored_by, result.judged)
    if not isinstance(measure, ObservationalEffectiveness):
        return ()
    low = measure.not_above_empty(judged, result.scored_by.scores(judged).values)
    text = f"under {measure!r} {measure.below_empty(low, len(judged.systems))}"
    return (Check(kind=CheckKind.NOT_ABOVE_EMPTY, text=text, systems=low, number=float(len(low))),) if low else ()


def fragile_topics(result: MeasureResult, lead: Lead | None) -> tuple[str, ...]:
    """Return few topics without which a significant lead would not be significant; none if it takes many.

    Parameters
    ----------
    result : MeasureResult
        The comparison under the primary measure.
    lead : Lead or None
        The two systems that are spoken of first.
    """
    if lead is None or lead.outcome is not Outcome.SIGNIFICANT or lead.difference is None:
        return ()
    if lead.tested_by not in ("paired_t", "sign"):
        return ()
    found = topics_margin(_pair(result, lead))
    if found.value is None or isinf(found.value) or found.certificate is None or found.share > TOPICS[1]:
        return ()
    return tuple(found.certificate)


def _pair(result: MeasureResult, lead: Lead) -> ComparedPair:
    """Return the two systems of a lead with the scores that are known already, the one that is ahead first."""
    names = (lead.system, lead.against) if lead.ahead != lead.against else (lead.against, lead.system)
    places = [result.scores.systems.index(name) for name in names]
    shared = np.flatnonzero(~np.isnan(result.scores.values[places]).any(axis=0))
    topics = tuple(result.scores.topics[place] for place in shared)
    values = result.scores.values[places][:, shared]
    seen = result.judged.weak if result.scored_by.on_weak_orders else result.judged
    significant = lead.outcome is Outcome.SIGNIFICANT and lead.tested_by in OF_PAIRS
    return ComparedPair(
        measure=with_campaign(result.scored_by, seen),
        judged=evolve(seen.part(list(names), shared), skip_missing=False),
        scores=evolve(result.scores, values=values, systems=names, topics=topics, exact=None, caveats=()),
        claim=Claimed.SIGNIFICANT if significant else Claimed.ORDER,
        test=lead.tested_by if lead.tested_by in OF_PAIRS else "paired_t",
        alpha=lead.alpha,
    )


def _topics_won(lead: Lead) -> Iterator[Check]:
    """Return that the system with the worse mean wins more topics."""
    if lead.ahead is None or lead.behind is None or lead.difference is None:
        return
    won, lost = (lead.wins, lead.losses) if lead.ahead == lead.system else (lead.losses, lead.wins)
    if lost - won < MORE * lead.topics or lost == won or lead.outcome is Outcome.CONTRARY:
        return
    sure = f" (p {chance(lead.p_sign, lead.alpha)}, sign test)" if lead.p_sign <= lead.alpha else ""
    text = f"{lead.behind} wins more topics than {lead.ahead}, {lost:,} to {won:,}{sure}"
    yield Check(kind=CheckKind.TOPICS_WON, text=text, systems=(lead.behind, lead.ahead), number=float(lost - won))


def _sign_test(lead: Lead) -> Iterator[Check]:
    """Return that the sign test, on how many topics are won, says something else than the test of the comparison."""
    if lead.tested_by == "sign" or lead.outcome is Outcome.UNTESTED or lead.ahead is None:
        return
    won = lead.wins - lead.losses if lead.ahead == lead.system else lead.losses - lead.wins
    p = f"p {chance(lead.p_sign, lead.alpha)}, sign test"
    if lead.outcome is Outcome.SIGNIFICANT and lead.p_sign > lead.alpha:
        text = f"counting topics won alone, {lead.ahead} is not significantly ahead of {lead.behind} ({p})"
    elif lead.outcome is Outcome.UNSEPARATED and won > 0 and lead.p_sign <= lead.alpha < lead.p:
        text = f"counting topics won alone, {lead.ahead} is significantly ahead of {lead.behind} ({p})"
    else:
        return
    yield Check(kind=CheckKind.SIGN_TEST, text=text, systems=(lead.ahead, str(lead.behind)), number=lead.p_sign)


def _ties(result: MeasureResult, lead: Lead) -> Iterator[Check]:
    """Return that another order of documents of equal score overturns the lead."""
    if lead.ahead is None or lead.difference in (None, 0.0) or result.scored_by.on_weak_orders:
        return
    if result.judged.groups is not None:
        # no order is taken for granted
        return
    pair = _pair(result, lead)
    if pair.judged.ties is None or not pair.judged.ties.any:
        return
    tied = pair.judged.opened(OverTies.EXPECTED).tied
    if tied is None or not tied[:, :, : pair.measure.reach(pair.judged.depth) + 1].any() or not pair.holds:
        return
    found = ties_margin(pair)
    if found.value is None or isinf(found.value):
        return
    where, who = counted(int(found.value), "topic"), f"{lead.ahead}'s lead"
    text = f"another order of tied documents on {where} would overturn {who}"
    if pair.claim is Claimed.SIGNIFICANT:
        text = f"with another order of tied documents on {where} {who} would not be significant"
    yield Check(kind=CheckKind.TIES, text=text, systems=(lead.ahead, str(lead.behind)), number=float(found.value))


def _apart(result: MeasureResult) -> Iterator[Check]:
    """Return that systems share too few topics with the reference to be tested."""
    reference, topics = result.pairs.place(result.reference), len(result.scores.topics)
    if topics < FEWEST:
        return
    few = [place for place in result.order if place != reference and result.pairs.topics[place, reference] < FEWEST]
    if few:
        names = tuple(result.scores.systems[place] for place in few)
        share = "shares" if len(names) == 1 else "share"
        text = f"{listed(names, NAMED)} {share} too few topics with {result.reference} to be tested"
        yield Check(kind=CheckKind.NO_COMMON_TOPIC, text=text, systems=names, number=float(len(names)))


def _few_topics(result: MeasureResult) -> Iterator[Check]:
    n = len(result.scores.topics)
    if n < FEW_TOPICS:
        are = "is" if n == 1 else "are"
        yield Check(kind=CheckKind.FEW_TOPICS, text=f"there {are} only {counted(n, 'topic')}", number=float(n))


def _unknown_topics(judged: JudgedRuns, lead: Lead) -> Iterator[Check]:
    """Return on which topics nothing was judged of what one of two systems returned, though some of the other's was.

    Names of documents that do not match the judgments look like this.
    """
    shares = (Judged @ TOP).scores(judged).values
    one, other = (judged.systems.index(name) for name in (lead.system, lead.against))
    for place, beside in ((one, other), (other, one)):
        returned = judged.present[place] & judged.present[beside]
        unknown = np.flatnonzero(returned & (shares[place] == 0) & (shares[beside] > 0))
        if not len(unknown):
            continue
        topics = tuple(judged.topics[each] for each in unknown)
        where = f"topic{'s' if len(topics) > 1 else ''} {listed(topics, NAMED)}"
        text = f"on {where} none of the first {TOP} documents of {judged.systems[place]} was judged"
        yield Check(
            kind=CheckKind.UNKNOWN_TOPICS,
            text=text,
            systems=(judged.systems[place],),
            topics=topics,
            number=float(len(topics)),
        )


def unjudged_shares(judged: JudgedRuns) -> FloatArray:
    """Return which share of the first ten documents of every system nobody judged, on the mean of its topics.

    It is NaN for a system that returned nothing.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.

    Examples
    --------
    >>> unjudged_shares(JudgedRuns.on_one_topic([(1, -1, 0, -1), (1, 0, 0, 1)], (5, 3))).tolist()
    [0.5, 0.0]
    """
    shares = np.where(judged.present, (Judged @ TOP).scores(judged).values, np.nan)
    found = np.full(len(shares), np.nan)
    some = judged.present.any(axis=1)
    found[some] = 1 - np.nanmean(shares[some], axis=1)
    return found


def _unjudged(judged: JudgedRuns, pair: Sequence[str]) -> Iterator[Check]:
    """Return which systems have markedly more unjudged documents among their first ten than the others.

    Those that are spoken of first are named first.
    """
    shares = unjudged_shares(judged)
    known = np.flatnonzero(~np.isnan(shares))
    if not len(known):
        return
    # of two systems, the other one is what is usual
    usual = float(np.median(shares[known])) if len(known) > 2 else float(shares[known].min())
    order = known[np.argsort(-shares[known], kind="stable")]
    marked = [place for place in order.tolist() if shares[place] >= usual + MARKED]
    if usual < MUCH:
        spoken = [place for place in order.tolist() if judged.systems[place] in pair and shares[place] >= LARGE]
        marked = [*spoken, *(place for place in marked if place not in spoken)]
    if usual >= MUCH:
        names = tuple(judged.systems[place] for place in known)
        more = " or more" if _percent(usual) != _percent(float(shares[known].max())) else ""
        who = "half of the systems" if len(known) > 2 else listed(names)
        who = "both systems" if len(judged.systems) == 2 == len(known) else who
        text = f"{who} have {_percent(usual)}{more} unjudged in their top {TOP}"
        if len(known) == 1:
            text = f"{names[0]} has {_percent(usual)} unjudged in its top {TOP}"
        yield Check(kind=CheckKind.UNJUDGED, text=text, systems=names, number=usual)
    if marked:
        names = tuple(judged.systems[place] for place in marked)
        each = [_percent(float(shares[place])) for place in marked]
        text = _several(names, each, "has {} unjudged in its", "have {} unjudged in their", f"top {TOP}")
        if len(names) > NAMED:
            most = int(np.argmax(shares[marked]))
            text = f"{len(names):,} systems have much unjudged in their top {TOP}, {names[most]} most ({each[most]})"
        yield Check(kind=CheckKind.UNJUDGED, text=text, systems=names, number=float(shares[marked[0]]))


def _percent(share: float) -> str:
    """Return a share in whole percent, or with a decimal where it is small."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1f} %"


def _several(names: Sequence[str], numbers: Sequence[str], one: str, many: str, rest: str) -> str:
    """Return what one or a few systems have, each with its number."""
    if len(names) == 1:
        return f"{names[0]} {one.format(numbers[0])} {rest}"
    same = len(set(numbers)) == 1
    return f"{listed(names)} {many.format(f'{numbers[0]} each' if same else listed(numbers))} {rest}"


def _missing(judged: JudgedRuns) -> Iterator[Check]:
    """Return which systems returned nothing for some topics."""
    missing = (~judged.present).sum(axis=1)
    order = [place for place in np.argsort(-missing, kind="stable").tolist() if missing[place]]
    if not order:
        return
    names = tuple(judged.systems[place] for place in order)
    first = counted(int(missing[order[0]]), "topic")
    if len(names) == 1:
        text = f"{names[0]} lacks {first}"
    elif len(names) <= NAMED:
        rest = [f"{judged.systems[place]} {missing[place]:,}" for place in order[1:]]
        same = len({int(missing[place]) for place in order}) == 1
        text = f"{listed(names)} lack {first} each" if same else listed([f"{names[0]} lacks {first}", *rest])
    else:
        text = f"{len(names):,} systems lack topics, {names[0]} most ({missing[order[0]]:,})"
    topics = tuple(np.array(judged.topics, dtype=object)[~judged.present[order].all(axis=0)].tolist())
    yield Check(kind=CheckKind.MISSING_TOPICS, text=text, systems=names, topics=topics, number=float(missing[order[0]]))


def _no_relevant(result: MeasureResult) -> Iterator[Check]:
    """Return which topics have nothing that the measure counts as relevant."""
    judged, measure = result.judged, result.scored_by
    lowest = measure.lowest
    barren = np.flatnonzero(judged.recall_bases(lowest) == 0)
    if not len(barren):
        return
    topics = tuple(judged.topics[place] for place in barren)
    few = f"nothing of grade {measure.lowest_name(judged)} or more"
    what = "nothing relevant" if lowest <= judged.relevant_from else few
    if len(topics) == 1:
        text = f"topic {topics[0]} has {what}"
    else:
        text = f"{counted(len(topics), 'topic')} have {what} ({listed(topics, NAMED)})"
    yield Check(kind=CheckKind.NO_RELEVANT, text=text, topics=topics, number=float(len(topics)))


def _threshold(judged: JudgedRuns) -> Iterator[Check]:
    """Return from which grade on documents count as relevant, where nobody said it and grades have decimals."""
    relevance = judged.relevance
    if relevance is not None and not relevance.is_whole:
        half = decimal(relevance.threshold)
        text = f"AP, P and RR count documents from grade {half} up, half of the highest, unless rel= says otherwise"
        yield Check(kind=CheckKind.THRESHOLD, text=text, number=float(relevance.threshold))


def _lowest_grade(result: MeasureResult, lead: Lead | None, measures: Sequence[Measure]) -> Iterator[Check]:
    """Return that grade 1 counts as relevant though there are higher ones, where nobody said from which grade on."""
    judged = result.judged
    grades = np.flatnonzero(judged.grade_counts.sum(axis=0))
    binary = [each for each in measures if type(innermost(each).parameters().get("rel")) is Usual][:NAMED]
    if judged.relevance is not None or not binary or grades[-1] < 2:
        return
    system = lead.system if lead is not None else judged.systems[result.order[0]]
    one, second, highest = judged.part([system]), int(grades[grades > 1][0]), int(grades[-1])

    def means(several: Sequence[Measure]) -> str:
        return listed([numeral(float(each.scores(one).summary()[system])) for each in several])

    text = f"grade 1 of {highest} counts as relevant for {listed([repr(each) for each in binary])}"
    if not result.strict:
        stricter = means([each(rel=second) for each in binary])
        text += f" ({system}: {means(binary)}; with grade {second} and above alone, -l {second}: {stricter})"
    yield Check(kind=CheckKind.THRESHOLD, text=text, systems=(system,), number=1.0)


def _names(judged: JudgedRuns) -> Iterator[Check]:
    for caveat in judged.caveats:
        if caveat.kind is CaveatKind.NAMES:
            yield Check(kind=CheckKind.NAMES, text=caveat.text)
            return
