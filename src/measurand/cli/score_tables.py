"""How commands print tables of scores: what is noted and refused, and trec_eval's format, line for line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np

from measurand.cli.emit import note
from measurand.cli.relevance_strings import Strings
from measurand.cli.streams import tell
from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, NotMeaningful
from measurand.letters import shown
from measurand.measures import Measure
from measurand.scores import Aggregation, Scores, Table

AT_ONCE = 1000
"""So many topics are written at a time."""

UNLIMITED = 10_000
"""Tables of scores are never broken, so that lines can be searched and sorted."""

OWN_SCALES = "recall_base='topic'"
"""How a measure is spelled of which every topic has a scale of its own, because that was asked for."""

BREAKING = frozenset("\t\n\r")
"""Letters that would begin another cell or line of trec_eval's format."""

SHOWN = 6
"""So many measures are named in a message."""


def mind(
    table: Table, *, averages: bool = True, strict: bool = False, named: bool = False, said: Sequence[Caveat] = ()
) -> None:
    """Print the caveats of a table, and refuse averages that nothing admitted can stand in for.

    What scales do not admit is said by `compare` and the report, not beside plain numbers.

    Parameters
    ----------
    table
        The scores.
    averages
        Whether averages are shown at all.
    strict
        Whether averages that a scale does not admit are replaced, or refused where they were asked for by name.
    named
        Whether every average was asked for by name, as in trec_eval's format.
    said
        Caveats that stand beside the table.
    """
    caveats = (*table.caveats, *(caveat for scores in table for caveat in scores.caveats))
    note(caveat for caveat in caveats if caveat not in said)
    if not averages:
        return
    for scores in table:
        # who asks for the scale of every topic asks for scales, and is told what their means are
        own = scores.caveats if OWN_SCALES in scores.measure and not scores.one_scale else ()
        for caveat in own:
            if caveat.kind is CaveatKind.SCALE:
                tell(f"note: {caveat}; means mix these scales")
    geometric = [scores for scores in table if scores.aggregation is Aggregation.GEOMETRIC]
    floors = [str(caveat) for scores in geometric for caveat in _lifted(scores)]
    if not strict:
        for text in floors:
            tell(f"note: {text}")
        return
    unknown = [scores.measure for scores in table if _caused(scores.caveats, CaveatKind.COLLECTION)]
    asked = table if named else geometric
    refused = [scores.measure for scores in asked if not scores.summary().admitted and scores.measure not in unknown]
    texts = list(floors)
    if refused:
        texts.append(
            f"the {_scales(refused)} of {listed(refused, SHOWN, 'more measures')} does not admit these averages"
        )
    if unknown:
        which = listed(unknown, SHOWN, "more measures")
        texts.append(f"averages of {which} depend on the size of the collection, which is not said")
    if texts:
        raise NotMeaningful(f"{'; '.join(texts)}. Print topics alone (-q -n), or drop --strict")


def _scales(measures: Sequence[str]) -> str:
    return "scale" if len(measures) == 1 else "scale of each"


def _lifted(scores: Scores) -> Iterator[Caveat]:
    """Return which scores were lifted before their geometric mean was taken."""
    own = [caveat for caveat in scores.summary().caveats if caveat not in scores.caveats]
    yield from _caused(own, CaveatKind.FLOOR)


def _caused(caveats: Iterable[Caveat], cause: CaveatKind) -> list[Caveat]:
    """Return the caveats that follow from something."""
    return [caveat for caveat in caveats if caveat.cause is cause]


def trec_text(
    table: Table,
    named: Sequence[tuple[str, object]],
    *,
    topics: bool,
    summary: bool,
    places: int,
    run_names: bool,
    strings: Strings = MappingProxyType({}),
    whole: bool = True,
) -> Iterator[str]:
    """Return what trec_eval prints, line for line, one run after the other, some topics at a time.

    Parameters
    ----------
    table
        The scores.
    named
        The names to print, with the measure of each, or what its scores are called in the table.
    topics
        Whether to print every topic.
    summary
        Whether to print the number over all topics.
    places
        How many decimals to print.
    run_names
        Whether to print the line with the run's name.
    strings
        What to print of every topic that is no number: by name, and by system and topic.
    whole
        Whether sums over topics are whole numbers.
    """
    columns = [(name, table.scores(measure)) for name, measure in dict.fromkeys(named)]
    every = sorted([*columns, *((name, None) for name in strings)], key=_trec_place)
    by_topic = [each for each in every if each[1] is None or not _bare(each[0]).startswith(("num_q", "gm_"))]
    order = sorted(range(len(table.topics)), key=lambda t: table.topics[t].encode()) if topics else []
    for s, system in enumerate(table.systems):
        for start in range(0, len(order), AT_ONCE):
            yield _trec_topics(table, s, order[start : start + AT_ONCE], by_topic, strings, places, whole)
        if summary:
            lines = [_trec_line("runid", "all", system)] if run_names else []
            lines += [
                _trec_line(name, "all", _trec_number(scores, scores.summary()[s], places, whole))
                for name, scores in every
                if scores is not None
            ]
            yield "".join(lines)


def _trec_topics(
    table: Table,
    system: int,
    topics: Sequence[int],
    columns: Sequence[tuple[str, Scores | None]],
    strings: Strings,
    places: int,
    whole: bool,
) -> str:
    """Return the lines of some topics of a system."""
    names = [table.topics[t] for t in topics]
    by_column = []
    for name, scores in columns:
        if scores is None:
            found = strings[name]
            texts = [f"'{found[table.systems[system], topic]}'" for topic in names]
        else:
            values = scores.values[system, topics]
            numbers = (_trec_number(scores, value, places, whole) for value in values.tolist())
            texts = ["" if gone else number for gone, number in zip(np.isnan(values), numbers, strict=True)]
        by_column.append([text and _trec_line(name, topic, text) for topic, text in zip(names, texts, strict=True)])
    return "".join(chain.from_iterable(zip(*by_column, strict=True)))


def _trec_number(scores: Scores, value: float, places: int, whole: bool) -> str:
    # trec_eval shows very small numbers as 0
    return f"{value:.{0 if whole and scores.aggregation is Aggregation.SUM else places}f}"


def _bare(name: str) -> str:
    """Return the name of a measure without the letter that trec_eval puts before those of z-scores."""
    return name.removeprefix("Z")


def _trec_line(name: str, topic: str, value: str) -> str:
    # the letter before the name of z-scores stands outside of the column
    return f"{name:<{22 + len(name) - len(_bare(name))}}\t{_in_a_cell(topic)}\t{_in_a_cell(value)}\n"


def _in_a_cell(text: str) -> str:
    """Return a name as it can stand between tabs, on one line."""
    return text if BREAKING.isdisjoint(text) else shown(text)


def _trec_place(named: tuple[str, object]) -> int:
    """Return where trec_eval prints a measure; what it does not have comes last."""
    from measurand.measures.trec_names import PRINTED

    name = _bare(named[0])
    roots = [family for family in PRINTED if name == family or name.startswith(f"{family}_")]
    return PRINTED.index(max(roots, key=len)) if roots else len(PRINTED)


def trec_label(name: str, measure: Measure) -> str:
    """Return the name to print in trec_eval's format: trec_eval's own where there is one.

    Parameters
    ----------
    name
        What the measure was called.
    measure
        The measure.
    """
    from measurand.measures.trec_names import plain, spell

    bare = name == repr(measure) and plain(measure) == measure
    return (spell(measure) or name) if bare else name
