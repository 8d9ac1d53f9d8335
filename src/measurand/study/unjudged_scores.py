"""Scores as low or as high as grades of the unjudged documents that a run retrieves could make them.

Documents that a run does not retrieve are not looked at. What divides by the number of relevant documents, or by an
ideal ranking, would be lower yet if some of these were relevant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.calls import option
from measurand.display.wording import counted, listed
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.counts import NumberOfTopics, NumberRetrieved
from measurand.scores import Scores, Table
from measurand.study.margins.value_bounds import ValueBounds, value_bounds


class Unjudged(StrEnum):
    """Which scores are given where unjudged documents could have any grade."""

    MIN = "min"
    """The lowest."""

    MAX = "max"
    """The highest."""

    BOUNDS = "bounds"
    """Both, and those where they count as not relevant in between."""


WORDS = {Unjudged.MIN: ("lowest",), Unjudged.MAX: ("highest",), Unjudged.BOUNDS: ("lowest", "", "highest")}
"""What scores are called before the name of their measure."""

SHOWN = 6
"""So many measures are named in a caveat."""

SUFFIXES = {"lowest": "_min", "": "", "highest": "_max"}
"""What is put behind trec_eval's names."""


def as_unjudged(value: str) -> Unjudged:
    """Return which scores are wanted, or complain that there are no such.

    Parameters
    ----------
    value
        "min", "max" or "bounds".

    Examples
    --------
    >>> str(as_unjudged("max"))
    'max'
    """
    return Unjudged(option("unjudged", value, Unjudged))


def bounded_table(table: Table, judged: JudgedRuns, measures: Mapping[str, Measure], which: str) -> Table:
    """Return the lowest scores, the highest, or both, over all grades that unjudged documents in a run could have.

    Measures that say how much was judged are left as they are.

    Parameters
    ----------
    table
        The scores where unjudged documents count as not relevant.
    judged
        The judged runs.
    measures
        The measures, by the spelling in which each was given.
    which
        "min", "max" or "bounds".

    Examples
    --------
    >>> from measurand.measures import AP
    >>> judged = JudgedRuns.on_one_topic([(1, -1, -1)], (5, 1))
    >>> plain = Table(by_measure={"AP": AP.scores(judged)})
    >>> table = bounded_table(plain, judged, {"map": AP}, "bounds")
    >>> {scores.measure: round(scores.values.item(), 4) for scores in table}
    {'lowest AP': 0.8333, 'AP': 1.0, 'highest AP': 1.0}
    """
    wanted = as_unjudged(which)
    by_measure: dict[str, Scores] = {}
    aliases: dict[str, str] = {}
    bounded: list[ValueBounds] = []
    for spelling, measure in measures.items():
        scores = table.scores(measure)
        if measure.about_judgments or isinstance(measure, NumberOfTopics | NumberRetrieved):
            by_measure[scores.measure], aliases[spelling] = scores, scores.measure
            continue
        found = value_bounds(measure, judged)
        bounded.append(found)
        for word in WORDS[wanted]:
            named = _named(scores, found, word)
            by_measure[named.measure] = named
        asked = scores.measure if wanted is Unjudged.BOUNDS else f"{WORDS[wanted][0]} {scores.measure}"
        aliases |= {spelling: asked, scores.measure: asked}
    growing = [repr(measure) for measure in measures.values() if measure.uses_recall_base or measure.needs_grade_counts]
    caveats = (*table.caveats, *_assumed(bounded, wanted, growing), *_inexact(bounded))
    return evolve(table, by_measure=by_measure, aliases=aliases, caveats=caveats)


def trec_names(table: Table, name: str, measure: Measure, which: str) -> Iterator[tuple[str, str]]:
    """Yield the names to print in trec_eval's format, and those that scores have in a table.

    Parameters
    ----------
    table
        The scores.
    name
        trec_eval's name of the measure.
    measure
        The measure.
    which
        "min", "max" or "bounds".
    """
    for word in WORDS[Unjudged(which)]:
        full = f"{word} {measure!r}".strip()
        if full in table.by_measure:
            yield f"{name}{SUFFIXES[word]}", full
    if repr(measure) in table.by_measure and which != Unjudged.BOUNDS:
        yield name, repr(measure)


def _named(scores: Scores, found: ValueBounds, word: str) -> Scores:
    """Return the lowest or the highest scores, named as such, or the scores as they are."""
    if not word:
        return scores
    values: FloatArray = found.low if word == "lowest" else found.high
    if np.isinf(values).any():
        raise ParameterError(
            f"{scores.measure} has no bound for {counted(int(np.isinf(values).any(axis=0).sum()), 'topic')} with many"
            " unjudged documents; cut the runs to fewer ranks (depth=10, or -M 10), or take another measure"
        )
    history = (*scores.history, f"{word} over all grades of unjudged documents")
    return evolve(scores, measure=f"{word} {scores.measure}", values=values, exact=None, history=history)


def _assumed(found: list[ValueBounds], which: Unjudged, growing: Sequence[str]) -> Iterator[Caveat]:
    """Yield the caveat what the scores are, and for some measures what the ideal ranking and the recall base hold."""
    if found:
        words = " and ".join(filter(None, WORDS[which]))
        names = listed([each.measure for each in found], SHOWN, "more measures")
        text = (
            f"{words} values of {names} over all grades that the unjudged documents that a run retrieves could have,"
            " each run alone"
        )
        own = [each.measure for each in found if each.measure in growing]
        of = (
            f"; for {listed(own, SHOWN, 'more measures')} {found[0].convention.words}, and relevant documents that the"
            " run did not retrieve could change the value further"
            if own
            else ""
        )
        yield Caveat(CaveatKind.BOUNDS, f"{text}{of}")


def _inexact(found: list[ValueBounds]) -> Iterator[Caveat]:
    """Yield the caveat that bounds may not be reached, if that is so."""
    which = [each for each in found if not each.exact.all()]
    if which:
        runs = f"{max(int((~each.exact).sum()) for each in which):,} of {counted(which[0].exact.size, 'run')}"
        names = listed([each.measure for each in which], SHOWN, "more measures")
        text = f"for up to {runs}, {names} may not be as low or as high as these bounds, which are certain"
        yield Caveat(CaveatKind.BOUNDS, text)
