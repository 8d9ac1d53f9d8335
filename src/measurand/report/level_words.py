"""Levels in words: which measures a level is about, who is ahead at it, and why no stronger level holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurand.display.wording import equals, listed
from measurand.measures import Measure, catalogue
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.study.level_classes import BEST_KNOWN, Level, is_covered, level_of
from measurand.study.levels import Levels
from measurand.study.levels_matrix import LevelsMatrix, PairLevel
from measurand.study.paired_runs import number_of_grades

LEVELS = (Level.TOPICS, Level.EVERY_MEASURE, Level.ADDITIVE)
"""The levels at which systems are compared without choosing a measure, the strongest first."""

IN_SHORT: Mapping[Level, str] = {
    Level.TOPICS: "every measure, on every topic",
    Level.EVERY_MEASURE: "every measure that treats topics alike",
    Level.ADDITIVE: "every additive measure",
}
"""What stands after "ahead under" in a table."""

ONE_WORD: Mapping[Level, str] = {
    Level.TOPICS: "every topic",
    Level.EVERY_MEASURE: "topics alike",
    Level.ADDITIVE: "additive",
}
"""What stands in a narrow column, with a note below it that says what is meant."""

DEPENDS = "depends on the measure"

FIRST, SECOND = 1, 2
"""Who is ahead of two systems, in a code."""

SIGNIFICANT, APART = 16, 32
"""What is added to a code if the lead is significant, and the code of two systems without a topic in common."""


def best_known(level: Level, matrix: LevelsMatrix) -> list[str]:
    """Return the best-known measures that a level decides if they look no deeper than it, by name.

    Parameters
    ----------
    level
        The level.
    matrix
        The levels of all pairs, which say how deep they look and how many grades there are.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.levels_matrix(md.JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2)))
    >>> best_known(Level.ADDITIVE, found), best_known(Level.EVERY_MEASURE, found)
    (['P', 'RBP', 'DCG'], ['P', 'RR', 'RBP', 'DCG', 'ERR', 'Success'])
    """
    depth, grades, known = matrix.depth, number_of_grades(matrix.judged), catalogue()
    return [name for name in BEST_KNOWN if is_covered(known[name] @ depth, level, depth=depth, grades=grades)]


def by_topic(matrix: LevelsMatrix) -> list[str]:
    """Return the best-known measures that differ from topic to topic, so that only the level "topics" decides them.

    Parameters
    ----------
    matrix
        The levels of all pairs.

    Examples
    --------
    >>> import measurand as md
    >>> by_topic(md.levels_matrix(md.JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))))
    ['nDCG', 'AP', 'R']
    """
    same = best_known(Level.EVERY_MEASURE, matrix)
    return [name for name in best_known(Level.TOPICS, matrix) if name not in same]


def members(level: Level, matrix: LevelsMatrix) -> str:
    """Return three well-known measures of the class of a level, such as "P, RBP, DCG, …".

    Parameters
    ----------
    level
        The level.
    matrix
        The levels of all pairs.
    """
    return ", ".join([*best_known(level, matrix)[:3], "…"])


def level_in_short(pair: PairLevel) -> str:
    """Return who is ahead of two systems and under which measures, as it stands in a table.

    Parameters
    ----------
    pair
        The level of the two.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.levels_matrix(md.JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 0), (0, 1, 1)], (3, 2)))
    >>> level_in_short(found.pair("s0", "s1")), level_in_short(found.pair("s0", "s2"))
    ('s0: every measure, on every topic', 'depends on the measure')
    """
    if pair.level is Level.THIS_MEASURE:
        return DEPENDS
    return f"{pair.ahead or 'level'}: {_in_short(pair.level, significant=pair.significant)}"


def _in_short(level: Level, *, significant: bool) -> str:
    if not significant:
        return IN_SHORT[level]
    return f"{IN_SHORT[level]}{', significantly' if level is Level.ADDITIVE else '; every additive one significantly'}"


def level_codes(matrix: LevelsMatrix) -> NDArray[np.uint8]:
    """Return the level of every pair as a number, in the order of `numpy.triu_indices(n, 1)`.

    A code is the strength of the level, 4 times who is ahead (0 if nobody is), and 16 if that is significant after
    correction; 32 if the two have no topic in common. `code_words` says what codes mean.

    Parameters
    ----------
    matrix
        The levels of all pairs.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.levels_matrix(md.JudgedRuns.on_one_topic([(0, 1, 0), (1, 0, 0), (0, 1, 1)], (3, 2)))
    >>> [code_words()[code] for code in level_codes(found).tolist()]
    ['second: every topic', 'second: every topic', 'depends']
    """
    upper = np.triu_indices(len(matrix.systems), 1)
    mine, other = matrix.strongest[upper], matrix.strongest.T[upper]
    codes = np.maximum(mine, other) + 4 * np.where(mine > 0, FIRST, np.where(other > 0, SECOND, 0))
    codes = codes + SIGNIFICANT * (matrix.significant | matrix.significant.T)[upper]
    nobody = (mine == 0) & (other == 0)
    for level in reversed(LEVELS):
        weak = matrix.at(level)
        codes[nobody & (weak & weak.T)[upper]] = level.strength
    counts = matrix.dominance
    topics = (counts.wins + counts.ties + counts.losses + counts.incomparable)[upper]
    return np.where(topics > 0, codes, APART).astype(np.uint8)


def code_words() -> dict[int, str]:
    """Return what the codes of levels mean, in as few words as a narrow column needs.

    Examples
    --------
    >>> code_words()[Level.ADDITIVE.strength + 4 * FIRST + SIGNIFICANT]
    'first: additive, significantly'
    """
    found = {0: "depends", APART: "–"}
    for level, word in ONE_WORD.items():
        found[level.strength] = f"level: {word}"
        surely = ", significantly" if level is Level.ADDITIVE else "; additive significantly"
        for who, name in ((FIRST, "first"), (SECOND, "second")):
            code = level.strength + 4 * who
            found |= {code: f"{name}: {word}", code + SIGNIFICANT: f"{name}: {word}{surely}"}
    return found


def level_sentences(matrix: LevelsMatrix, pair: PairLevel, found: Levels, converse: Levels) -> Iterator[str]:
    """Return under which measures one of two systems is ahead, and why not under more.

    Parameters
    ----------
    matrix
        The levels of all pairs.
    pair
        The level of the two.
    found, converse
        The levels of the system that is ahead, or that has the better mean, over the other, and the converse.
    """
    depth = f"to rank {pair.depth:,}"
    if pair.tied:
        yield found.sentence
        if pair.level is Level.ADDITIVE:
            yield from _leads(found, converse)
        return
    if pair.ahead is None:
        arguments = (found.additive.argument, converse.additive.argument)
        yield (
            f"Which of {pair.a} and {pair.b} is ahead depends on the measure, even among additive ones"
            f" ({members(Level.ADDITIVE, matrix)}) {depth}: {'; but '.join(dict.fromkeys(arguments))}."
        )
        yield from _leads(found, converse)
        return
    class_ = "" if pair.level is Level.TOPICS else f" ({members(pair.level, matrix)})"
    yield f"{found.a} is {pair.level.ahead(found.b)}{class_} {depth}{_chance(matrix, pair)}."
    yield from _not_stronger(pair, found)
    if found.left_out:
        ranks = [f"{rank:,}" for rank in sorted({place.rank for place in found.left_out})]
        yield (
            f"In the first {listed(ranks)} ranks both have the same documents on every topic: measures that look at"
            " these counts alone tie by construction, and are left out of the test."
        )


def _chance(matrix: LevelsMatrix, pair: PairLevel) -> str:
    """Return whether the lead under every additive measure is significant, with its p-values."""
    under = "" if pair.level is Level.ADDITIVE else f" {Level.ADDITIVE.words}"
    pairs = len(matrix.systems) - 1 if matrix.baseline is not None else matrix.pairs
    after = (
        f"; {equals(pair.p_corrected).removeprefix('= ')} after {WHOSE[matrix.adjusted]} correction"
        if matrix.adjusted in WHOSE and pairs > 1
        else ""
    )
    p = f"(p {equals(pair.p)}{after})"
    return f", significantly{under} {p}" if pair.significant else f"; that could be chance{under} {p}"


def _not_stronger(pair: PairLevel, found: Levels) -> Iterator[str]:
    """Return why the levels above that of a pair fail."""
    if pair.level is Level.ADDITIVE:
        lead = f"{float(found.largest_lead):.3g}"
        yield (
            f"Not {Level.EVERY_MEASURE.words}: one that is not additive can put {found.b} first, by {lead} at most on a"
            " scale from 0 to 1."
        )
    if pair.level is not Level.TOPICS:
        yield f"Not on every topic: {found.topics.argument}."


def _leads(found: Levels, converse: Levels) -> Iterator[str]:
    """Return by how much some measure puts either system first."""
    one, other = (f"{float(each.largest_lead):.3g}" for each in (converse, found))
    if found.every_measure.witness is not None and converse.every_measure.witness is not None:
        yield f"The largest lead that any measure with values from 0 to 1 gives {found.a} is {one}; {found.b}, {other}."


def of_this_measure(pair: PairLevel, found: Levels, name: str, measure: Measure) -> str:
    """Return that a level says nothing of a measure, where one is ahead but the measure is not of its class.

    Parameters
    ----------
    pair
        The level of two systems.
    found
        The levels of the one that is ahead over the other.
    name, measure
        The measure.
    """
    if pair.ahead is None:
        return ""
    judged = found.judged
    needed = level_of(measure, depth=found.depth, grades=number_of_grades(judged), deepest=judged.depth)
    if needed is not Level.THIS_MEASURE and pair.level.implies(needed):
        return ""
    if found.decides(measure):
        return (
            f"{name} is not of this class, since it differs from topic to topic; but the runs decide it as well, by a"
            f" matching in which every topic counts as one over its relevant documents: {found.a} is at least as good."
        )
    why = ", since it differs from topic to topic" if needed is Level.TOPICS else ""
    return f"{name} is not of this class{why}: the level says nothing of it."


def level_data(matrix: LevelsMatrix) -> list[dict[str, Any]]:
    """Return a row for every pair: at which level one is ahead, who, and whether that is significant.

    Pairs that were not tested, because they are without the baseline, have no corrected p-value.

    Parameters
    ----------
    matrix
        The levels of all pairs.
    """
    rows = []
    for i, j in zip(*np.triu_indices(len(matrix.systems), 1), strict=True):
        row = matrix.pair_at(int(i), int(j)).to_dict()
        if matrix.baseline not in (None, row["system"], row["against"]):
            row |= {"p_corrected": None, "significant": None}
        rows.append({name: row[name] for name in LEVEL_FIELDS})
    return rows


LEVEL_FIELDS: Mapping[str, type] = {
    "system": str,
    "against": str,
    "level": str,
    "ahead": str,
    "significant": bool,
    "p": float,
    "p_corrected": float,
}
"""What is known of the level of a pair."""


def classes_apart(matrix: LevelsMatrix) -> str:
    """Return which well-known measures the levels below "topics" say nothing of, in a sentence.

    Parameters
    ----------
    matrix
        The levels of all pairs.
    """
    names = by_topic(matrix)
    if not names:
        return ""
    are, they, differ = ("is", "it", "differs") if len(names) == 1 else ("are", "they", "differ")
    return (
        f"{listed(names)} {are} in neither class, because {they} {differ} from topic to topic: of these levels"
        f" only that of every topic covers {'it' if len(names) == 1 else 'them'}."
    )
