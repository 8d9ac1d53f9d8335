"""How the levels of compared systems are shown: a sentence on a claim, words in a table, a section of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from measurand.arrays import BoolArray
from measurand.display.tables import Column, Paragraph, Part, TableView, Words
from measurand.display.wording import capitalised, counted, equals, listed, percent
from measurand.errors import Caveat, CaveatKind
from measurand.measures import Measure
from measurand.measures.around import innermost
from measurand.measures.catalogue import is_own
from measurand.measures.defined import Defined
from measurand.statistics.multiple_comparisons import WHOSE, after_correction
from measurand.study.level_classes import LEVELS, Level, differs_by_recall_base_alone, examples, level_of
from measurand.study.level_verdicts import LevelVerdict, under_every_additive_measure, under_recall_based_measures
from measurand.study.levels import Levels
from measurand.study.levels_matrix import LevelsMatrix, PairLevel
from measurand.study.paired_runs import PairedRuns

TITLE = "For which measures it holds"
"""What stands above the section."""

HEADING = "holds under"
"""What stands above the column."""

IN_SHORT: Mapping[Level, str] = {
    Level.TOPICS: "every topic",
    Level.EVERY_MEASURE: "every measure",
    Level.ADDITIVE: "every additive",
    Level.THIS_MEASURE: "some",
}
"""Levels as they stand in a table."""

SIGNIFICANT = "†"
"""Marks what is significant, where a star would say that a scale does not admit a number."""

LETTERS: Mapping[Level, str] = {Level.TOPICS: "T", Level.EVERY_MEASURE: "E", Level.ADDITIVE: "A"}
"""Levels in a square of all pairs."""

MANY_TOPICS = 1000
"""With more topics than this, the level of AP and R takes seconds and is left out of sentences."""

ARROWS = 30
"""So many systems are shown with arrows."""

IN_ORDER = ", ties in trec_eval's order"
"""What is said where measures look at all orders of tied documents and levels at one."""

NAMED = 8
"""So many systems are named in a row."""


def _class_in_words(level: Level, levels: LevelsMatrix, but: str = "") -> str:
    """Return the measures of a level with the best-known of them, and a measure that is none of them."""
    rest = f"; {but} is none of these" if but else ""
    every = ", under every measure" if level is Level.TOPICS else ""
    return f"{level.words}{every} ({examples(level, grades=levels.grades)}{rest})"


def _needed_for(measure: Measure, levels: LevelsMatrix) -> Level:
    """Return the weakest level that decides the mean of a measure."""
    return level_of(measure, depth=levels.depth, grades=levels.grades, deepest=levels.judged.depth)


def _is_known(measure: Measure, levels: LevelsMatrix) -> bool:
    """Return whether it is known if a measure is of the class of a level; of one's own nothing may be proved."""
    defined = isinstance(innermost(measure), Defined)
    return (is_own(measure) and not defined) or _needed_for(measure, levels) is not Level.THIS_MEASURE


def pair_sentence(
    pair: PairLevel, levels: LevelsMatrix, *, measure: str, scored_by: Measure, favoured: str | None
) -> str:
    """Return for which other measures it holds that one of two systems is ahead, in a sentence.

    Parameters
    ----------
    pair
        The strongest level of the two.
    levels
        The levels of all pairs.
    measure
        The spelling of the measure that was compared by.
    scored_by
        The measure itself.
    favoured
        The system that it puts first; None if it puts neither.
    """
    to = f"to rank {levels.depth:,}{IN_ORDER if _in_trec_order(levels) else ''}"
    if pair.tied:
        return f"Both are level {_class_in_words(pair.level, levels)}, {to}."
    if pair.ahead is None:
        return _depends(pair, levels, favoured)
    needed = _needed_for(scored_by, levels)
    decided = needed is not Level.THIS_MEASURE and pair.level >= needed
    outside = not decided and _is_known(scored_by, levels)
    known = _class_in_words(pair.level, levels, measure if outside else "")
    if favoured is None or favoured == pair.ahead:
        return f"{pair.ahead} is {_ahead(pair, levels, f' {known} {to}')}."
    way = f"{capitalised(known)} {to} it is the other way round"
    return f"{way}: {pair.ahead} is {_ahead(pair, levels)}."


def recall_sentence(levels: LevelsMatrix, *, scored_by: Measure, first: str, other: str) -> str:
    """Return that a system is ahead under AP, R and every measure of their kind, if the measure is one and it is so.

    Parameters
    ----------
    levels
        The levels of all pairs.
    scored_by
        The measure that was compared by.
    first, other
        The system that it puts first, and the other one.
    """
    if not differs_by_recall_base_alone(scored_by) or scored_by.reach(levels.judged.depth) > levels.depth:
        return ""
    if len(levels.judged.topics) > MANY_TOPICS or levels.judged.groups is not None:
        return ""
    if not under_recall_based_measures(_paired(levels, first, other), scored_by.lowest).strict:
        return ""
    return f"{first} is ahead under AP, R and every measure like them, divided by the number of relevant documents."


def _ahead(pair: PairLevel, levels: LevelsMatrix, under: str = "") -> str:
    """Return that one is ahead, and whether that could be chance."""
    verb, p = "at least as good" if pair.level is Level.TOPICS else "ahead", _pvalues(pair, levels)
    if not pair.significant:
        return f"{verb}{under}, but not significantly under every one of them ({p})"
    if pair.level is Level.ADDITIVE:
        return f"significantly ahead{under} ({p})"
    return f"{verb}{under}, and significantly so {_class_in_words(Level.ADDITIVE, levels)} ({p})"


def _pvalues(pair: PairLevel, levels: LevelsMatrix) -> str:
    """Return the p-value of being ahead under every additive measure, and what it is after correction."""
    alone = levels.adjusted == "none" or levels.compared < 2
    return f"p {equals(pair.p)}{'' if alone else after_correction(pair.p_corrected, levels.adjusted)}"


def _depends(pair: PairLevel, levels: LevelsMatrix, favoured: str | None) -> str:
    """Return which measures put one, and which the other, of two systems first."""
    first = favoured or pair.a
    other = pair.b if first == pair.a else pair.a
    against, for_it = _reversing(levels, first, other), _reversing(levels, other, first)
    if favoured is not None:
        return f"Other measures put {other} first, such as {against}."
    return f"Which is ahead depends on the measure: {for_it} puts {first} first, {against} {other}."


def _reversing(levels: LevelsMatrix, a: str, b: str) -> str:
    """Return the precision, with the smallest cutoff, that puts `b` before `a`, in words."""
    place = under_every_additive_measure(_paired(levels, a, b)).witness
    return f"{place.precision!r} ({place})"


def _paired(levels: LevelsMatrix, a: str, b: str) -> PairedRuns:
    return PairedRuns(levels.judged, a, b, levels.depth)


def held_under(pair: PairLevel, better: str | None) -> str:
    """Return for which measures it holds that one of two systems is the better one, in a word or two.

    Parameters
    ----------
    pair
        The strongest level of the two.
    better
        The system that is better under the measure at hand; None if neither is.

    Examples
    --------
    >>> from measurand.study.levels_matrix import levels_matrix
    >>> from measurand.judged import JudgedRuns
    >>> pair = levels_matrix(JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))).pair("s0", "s1")
    >>> held_under(pair, "s0"), held_under(pair, "s1")
    ('every topic', 'reversed')
    """
    if pair.tied:
        return "level"
    if better is None or not pair.topics:
        return "–"
    reversed_ = pair.ahead not in (None, better)
    return f"{'reversed' if reversed_ else IN_SHORT[pair.level]}{SIGNIFICANT if pair.significant else ''}"


def column_in_words(levels: LevelsMatrix) -> str:
    """Return what the column of levels means.

    Parameters
    ----------
    levels
        The levels of all pairs.
    """
    additive, every = (examples(level, grades=levels.grades) for level in (Level.ADDITIVE, Level.EVERY_MEASURE))
    corrected = levels.adjusted != "none" and levels.compared > 1
    return (
        f"{HEADING}: for which measures the order of the two is the same, to rank {levels.depth:,}. “every additive”:"
        f" all sums of discount times gain, the same on all topics ({additive}); “every measure”: all that treat topics"
        f" alike ({every}); “every topic”:"
        " all, even those that differ by topic; “some”: other measures put the other system first; “reversed”: every"
        " additive measure does."
        f" {SIGNIFICANT}: significantly under every additive measure{', after correction' if corrected else ''}."
    )


def section(levels: LevelsMatrix, measures: Mapping[str, Measure], leader: str) -> Iterator[Part]:
    """Return for which measures one system is ahead of another.

    Parameters
    ----------
    levels
        The levels of all pairs.
    measures
        The measures that were compared by, by their spellings.
    leader
        The system that is best under the primary measure.
    """
    yield Words.of(TITLE, "strong")
    said = [*findings(levels, leader), ABOUT_CLASSES.format(ranks=counted(levels.depth, "rank"))]
    said += [*measures_apart(levels, measures), *_topics(levels)]
    said += [f"{caveat}." for caveat in levels.caveats if _is_about_judging(caveat, levels)]
    yield from (Paragraph(words, indent=1) for words in said)


def _is_about_judging(caveat: Caveat, levels: LevelsMatrix) -> bool:
    """Return whether a caveat is that many of the documents that levels look at were not judged."""
    return caveat.kind is CaveatKind.FEW_JUDGED and caveat not in levels.judged.caveats


def findings(levels: LevelsMatrix, leader: str) -> Iterator[Words | str]:
    """Return who is ahead at each level: of two systems with the reasons, of several in how many pairs one is.

    Parameters
    ----------
    levels
        The levels of all pairs.
    leader
        The system that is best under the primary measure.
    """
    if len(levels.systems) != 2:
        yield from _of_many(levels)
        return
    first = levels.pair_at(0, 1).ahead or leader
    [other] = [system for system in levels.systems if system != first]
    yield from pair_findings(levels.of(first, other), levels)


def _line(level: Level, levels: LevelsMatrix, text: str) -> Words:
    """Return what is said of a level, with its name in front."""
    known = examples(level, grades=levels.grades)
    return Words(((capitalised(level.class_name), "strong"), (f" ({known}): {text}.", "")))


def _of_many(levels: LevelsMatrix) -> Iterator[Words | str]:
    """Return in how many pairs one system is ahead at each level, and who is unbeaten."""
    tested, total = levels.tested, levels.compared
    whom = "" if levels.baseline is None else f" with {levels.baseline}"
    where = ", on the topics that both have" if levels.incomplete else ""
    count = partial(_count, tested)
    of = f"of {counted(total, 'pair')}"
    for level in reversed(LEVELS):
        ahead = count(levels.ahead(level))
        share = f" ({percent(ahead / total)})" if ahead else ""
        if level is not Level.ADDITIVE:
            yield _line(level, levels, f"in {ahead:,} {of}{share}")
            continue
        found = f"one system is ahead in {ahead:,} {of}{whom}{share}{where}"
        yield _line(level, levels, f"{found}{_significantly(levels, count) if ahead else ''}")
    depends = count(np.triu(~levels.additive & ~levels.additive.T & (levels.topics_compared > 0)))
    if depends:
        yield f"In {counted(depends, 'pair')} it depends on the measure, even among additive ones."
    yield from levels.sentences() if levels.baseline is None else _of_baseline(levels)


def _count(tested: BoolArray, where: BoolArray) -> int:
    return int((tested & where).sum())


def _significantly(levels: LevelsMatrix, count: partial[int]) -> str:
    """Return in how many pairs one is significantly ahead, before and after correction."""
    alone = count(levels.additive_significant)
    corrected = ""
    if levels.adjusted != "none":
        corrected = f", {count(levels.significant):,} after {WHOSE[levels.adjusted]} correction"
    return f"; significantly (p ≤ {levels.alpha:g}, {_tests(levels)}) in {alone:,} taken alone{corrected}"


def _tests(levels: LevelsMatrix) -> str:
    return f"{'paired t' if levels.test == 'paired_t' else 'randomisation'} tests of mean counts"


def _of_baseline(levels: LevelsMatrix) -> Iterator[str]:
    """Return who is ahead of the baseline, or behind it, under every additive measure."""
    place = levels.systems.index(str(levels.baseline))
    ahead = levels.ahead(Level.ADDITIVE)
    under = Level.ADDITIVE.words
    for where, sure, whose in (
        (ahead[:, place], levels.significant[:, place], "Ahead of"),
        (ahead[place], levels.significant[place], "Behind"),
    ):
        names = [levels.systems[each] for each in np.flatnonzero(where)]
        surely = [levels.systems[each] for each in np.flatnonzero(sure)]
        if names:
            some = f"; significantly: {listed(surely, NAMED)}" if surely else ""
            yield f"{whose} {levels.baseline} {under}: {listed(names, NAMED)}{some}."


def pair_findings(found: Levels, levels: LevelsMatrix) -> Iterator[Words | str]:
    """Return which levels hold of two systems, and why others do not.

    Parameters
    ----------
    found
        The levels of the one that is ahead, or else leads under the measure at hand, over the other.
    levels
        The levels of all pairs.
    """
    if not found.shared_topics:
        yield f"{found.a} and {found.b} have no topic in common."
        return
    for level, verdict in reversed(found.verdicts.items()):
        yield _line(level, levels, _of_verdict(level, verdict, found, levels))
    yield from found.about()


def _of_verdict(level: Level, verdict: LevelVerdict, found: Levels, levels: LevelsMatrix) -> str:
    """Return whether a level holds of two systems, or why not."""
    if verdict.tied:
        return "both are level"
    if not verdict:
        if verdict.undecided:
            return verdict.argument
        if level is Level.EVERY_MEASURE and found.largest_lead is not None:
            lead = f"{float(found.largest_lead):.3g} on a scale from 0 to 1"
            return f"not so; one such measure puts {found.b} first by {lead}"
        return f"not so; {verdict.argument}"
    if level is not Level.ADDITIVE:
        return f"{found.a} is ahead"
    pair = levels.pair(found.a, found.b)
    tested = f"({_pvalues(pair, levels)}, {_tests(levels)})"
    if pair.significant:
        return f"{found.a} is significantly ahead {tested}"
    return f"{found.a} is ahead, but not significantly under every one of them {tested}"


ABOUT_CLASSES = (
    "All look at no more than {ranks}. Additive measures sum discount times gain over ranks, where discounts never rise"
    " with the rank and gains never fall with the grade. “Every measure” means those that a better document, or a good"
    " one further up, never lowers (replacement and swap); one treats topics alike if the same ranking has the same"
    " value on all topics."
)
"""What the classes of measures are."""


def measures_apart(levels: LevelsMatrix, measures: Mapping[str, Measure]) -> Iterator[str]:
    """Return which measures not all levels decide, and why.

    Parameters
    ----------
    levels
        The levels of all pairs.
    measures
        The measures by their spellings.
    """
    needed: dict[Level | str, list[str]] = {}
    for spelled, measure in measures.items():
        needed.setdefault(_why_apart(measure, levels), []).append(spelled)
    for level, why in WHY_NOT.items():
        if level in needed:
            several = len(needed[level]) > 1
            yield f"{listed(needed[level])} {why[several].format(depth=levels.depth)}."


def _why_apart(measure: Measure, levels: LevelsMatrix) -> Level | str:
    """Return the weakest level that decides a measure, or why none does: it looks deeper, or nobody knows it."""
    if not _is_known(measure, levels):
        return UNKNOWN
    level = _needed_for(measure, levels)
    return DEEPER if level is Level.THIS_MEASURE and measure.reach(levels.judged.depth) > levels.depth else level


DEEPER, UNKNOWN = "deeper", "unknown"

WHY_NOT: Mapping[Level | str, tuple[str, str]] = {
    Level.TOPICS: (
        "does not treat topics alike: of these levels only the strongest speaks of it",
        "do not treat topics alike: of these levels only the strongest speaks of them",
    ),
    Level.EVERY_MEASURE: ("is not additive, but treats topics alike", "are not additive, but treat topics alike"),
    Level.THIS_MEASURE: ("is not among these measures", "are not among these measures"),
    DEEPER: (
        "looks deeper than rank {depth:,}, so that no level speaks of it",
        "look deeper than rank {depth:,}, so that no level speaks of them",
    ),
    UNKNOWN: (
        "is a measure of your own, so that it is not said whether it is one of these",
        "are measures of your own, so that it is not said whether they are of these",
    ),
}
"""Why the additive level does not decide a measure, for one and for several."""


def _in_trec_order(levels: LevelsMatrix) -> bool:
    """Return whether levels keep to trec_eval's order of ties where measures do not."""
    return any(caveat.kind is CaveatKind.TIES for caveat in levels.caveats)


def _topics(levels: LevelsMatrix) -> Iterator[str]:
    """Return on how many topics one of two systems is ahead under every measure."""
    matrix, once = levels.dominance, np.triu(levels.tested)
    decided, open_ = int((matrix.wins + matrix.losses)[once].sum()), int(matrix.incomparable[once].sum())
    ties = _in_trec_order(levels)
    if not levels.topics_compared[once].any():
        return
    if len(levels.systems) == 2 and decided + open_:
        first, second = levels.systems
        won, lost = int(matrix.wins[0, 1]), int(matrix.losses[0, 1])
        yield (
            f"On single topics{IN_ORDER if ties else ''}, every measure puts {first} first or level on {won:,},"
            f" {second} on {lost:,} of {counted(decided + open_, 'topic')} on which they differ."
        )
        return
    if not decided + open_:
        yield "All systems have the same grades at the same ranks on every topic, so that every measure ties."
        return
    yield (
        f"On single topics{IN_ORDER if ties else ''}, every measure puts the same system first in {decided:,} of"
        f" {counted(decided + open_, 'case')} in which two systems differ."
    )


def square(levels: LevelsMatrix, order: Sequence[int]) -> TableView:
    """Return the level of every pair as a square: the strongest at which the row is ahead of the column.

    Parameters
    ----------
    levels
        The levels of all pairs.
    order
        The places of the systems, in the order in which they are shown.
    """
    number = {place: position for position, place in enumerate(order, 1)}
    columns = [
        Column("ahead", lambda place: levels.systems[place], left=True),
        Column("", lambda place: str(number[place])),
    ]
    columns += [Column(str(number[other]), partial(_cell, levels, other=other), left=True) for other in order]
    instead = f"The square of {len(order)} systems is too wide to print; -f json has the level of every pair."
    about = (
        "The row is ahead of the column: A under every additive measure, E under every measure that treats topics"
        f" alike, T on every topic, {SIGNIFICANT} significantly under every additive one; = level, · it depends on the"
        " measure;"
        " empty: the column is ahead, or the two were not compared."
    )
    title = Words.of("The level of every pair", "strong")
    return TableView(columns, order, gap=1, narrow=instead, title=title, about=about)


def _cell(levels: LevelsMatrix, place: int, other: int) -> str:
    if place == other or not levels.tested[place, other]:
        return ""
    pair = levels.pair_at(place, other)
    if pair.tied:
        return "="
    if pair.ahead is None:
        return "·"
    if pair.ahead != levels.systems[place]:
        return ""
    return f"{LETTERS[pair.level]}{SIGNIFICANT if pair.significant else ''}"


def _drawn(levels: LevelsMatrix, level: Level, order: Sequence[int]) -> dict[str, list[str]]:
    """Return who is ahead of whom, in the order of systems: by arrows, or of the pairs with the baseline all."""
    systems, arrows = levels.systems, set(levels.arrows(level))
    if levels.baseline is not None:
        pairs = np.argwhere(levels.ahead(level) & levels.tested).tolist()
        arrows = {(systems[first], systems[second]) for first, second in pairs}
    named = [systems[place] for place in order]
    found = {first: [second for second in named if (first, second) in arrows] for first in named}
    return {first: several for first, several in found.items() if several}


def arrows(levels: LevelsMatrix, order: Sequence[int]) -> Iterator[Part]:
    """Return who is ahead of whom at each level, without what follows from other arrows.

    Parameters
    ----------
    levels
        The levels of all pairs.
    order
        The places of the systems, in the order in which they are shown.
    """
    for level in reversed(LEVELS):
        found = _drawn(levels, level, order)
        if not found:
            continue
        yield ""
        left_out = "" if levels.baseline is not None else " · arrows that follow from others are left out"
        yield Words(((f"Who is ahead of whom {level.words}", "strong"), (left_out, "faint")))
        for first, several in list(found.items())[:ARROWS]:
            yield Paragraph(Words(((first, "strong"), (f" → {listed(several, NAMED)}", ""))), indent=1)
        more = len(found) - ARROWS
        if more > 0:
            yield Paragraph(f"… and {counted(more, 'more system')}; -f json has all arrows.", "faint", indent=1)
