"""Cards of pairs: what would overturn that one system is ahead of another, and for which measures it is.

The pair that the headline speaks of has a card, with a certificate for every margin, and of two systems under every
measure; of all others the page's script has the margins that are quick, and fills the same tiles with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurand.display.numerals import decimal, roughly, roughly_counted
from measurand.display.wording import capitalised, counted
from measurand.measures.around import innermost
from measurand.report.page.section import pieces
from measurand.statistics.pairs import FEWEST
from measurand.study.certainty import OF_INTERVAL, all_alike, why_no_interval
from measurand.study.claim import Claim, claim
from measurand.study.lead import NOT_CORRECTED, name_of_correction, pair_power
from measurand.study.lead_words import too_few
from measurand.study.level_classes import LEVELS, Level, examples
from measurand.study.level_verdicts import LevelVerdict
from measurand.study.levels import Levels
from measurand.study.levels_matrix import LevelsMatrix
from measurand.study.margins.card import CHANCE, SCALE, TOPICS, WORDS, Tile, tiles
from measurand.study.margins.margins import Margins
from measurand.study.margins.matrix import MarginsMatrix
from measurand.study.measure_result import MeasureResult
from measurand.study.reversing import reversing_measures
from measurand.study.study import Study

DEEP = {"judgments": 30, "unjudged": 100}
"""Under measures other than the primary one, these are looked at if a measure sees no more ranks than this."""

SHOWN = 4
"""So many runs of a measure that puts the other system first are shown."""

ROWS = 20
"""So many judgments or documents of a certificate are listed."""

QUICK = ("topics", "own", "scale", "unjudged", "ties_low")
"""The margins of all pairs that the page's script has, in this order."""


def thresholds() -> dict[str, Any]:
    """Return what the page's script needs to fill tiles: thresholds of tones, and words."""
    return {
        "chance": CHANCE,
        "scale": SCALE,
        "topics": TOPICS,
        "words": WORDS,
    }


def quick_margins(study: Study) -> NDArray[np.float32]:
    """Return the quick margins of all pairs: measures × `QUICK` × pairs, NaN where they are not known.

    The margin of ties is the least lead that the better system has over all orders of documents of equal score.

    Parameters
    ----------
    study
        The study.
    """
    n = len(study.systems)
    upper = np.triu_indices(n, 1)
    found = np.full((len(study.measures), len(QUICK), len(upper[0])), np.nan, dtype=np.float32)
    for place, name in enumerate(study.measures):
        matrix = study.margins(name)
        if matrix is None:
            continue
        for row, quick in enumerate(QUICK[:-1]):
            found[place, row] = getattr(matrix, quick)[upper]
        found[place, -1] = _least_lead(matrix)[upper]
    return found


def _least_lead(matrix: MarginsMatrix) -> NDArray[np.float64]:
    """Return by how much the better of two systems leads at least, over all orders of ties."""
    return np.where(matrix.ahead, matrix.ties_low, matrix.ties_low.T)


class PairCards:
    """The cards of the leading pairs of a study.

    Parameters
    ----------
    study
        The study.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._places = {system: place for place, system in enumerate(study.systems)}

    def _key(self, ahead: str, behind: str) -> str:
        return f"{self._places[ahead]}|{self._places[behind]}"

    def claims(self) -> Iterator[tuple[int, Claim]]:
        """Return the claims that have a card, with the place of their measure.

        These are the first under the primary measure and, of two systems, that under every other measure.
        """
        lead, two = self.study.conclusion.lead, len(self.study.systems) == 2
        if lead is None:
            return
        for place, name in enumerate(self.study.measures):
            if place == 0 or two:
                yield place, claim(self.study.result(name), lead.system, lead.against)

    def margins(self) -> dict[str, list[dict[str, Any]]]:
        """Return the tiles with their certificates, by the measure and the two systems."""
        found = {}
        names = list(self.study.measures)
        for place, each in self.claims():
            if each.margins is not None:
                without = self._slow(each) if place > 0 else ()
                key = f"{place}|{self._key(each.margins.ahead, each.margins.behind)}"
                tiles_of = list(shown_tiles(each.margins, self.study.queries, without=without))
                chance = next(tile for tile in tiles_of if tile["name"] == "Chance")
                chance["says"] += self._power(self.study.result(names[place]), each.margins)
                found[key] = tiles_of
        return found

    def _power(self, result: MeasureResult, margins: Margins) -> list[str]:
        """Return what so many topics show and how many show this difference, by the level that decided."""
        if not margins.holds:
            return []
        places = result.pairs.place(margins.ahead), result.pairs.place(margins.behind)
        seen, needed = pair_power(result, places, margins.chance.difference)
        topics, correction = counted(margins.chance.topics, "topic"), name_of_correction(result)
        over = counted(result.corrected_for, "pair")
        family = f" ({correction}, {over})" if correction not in ("", NOT_CORRECTED) else ""
        says = []
        if seen == inf:
            few = capitalised(too_few(margins.chance.topics, int(result.effects.ties[places])))
            says.append(f"{few} to show any difference of {margins.measure}{family}.")
        elif seen is not None:
            says.append(
                f"With {topics} a t test notices a true difference of {roughly(seen)} four times of five{family}."
            )
        if says and needed is not None and needed > margins.chance.topics:
            size, number = decimal(abs(margins.chance.difference)), roughly_counted(needed)
            says.append(f"If the true difference is what was seen, {size}, plan about {number} topics.")
        return says

    def _slow(self, claim: Claim) -> tuple[str, ...]:
        """Return what takes long under a measure that looks at many ranks."""
        cutoff, depth = innermost(claim.scored_by).cutoff, self.study.judged.depth
        return tuple(name for name, most in DEEP.items() if min(cutoff or depth, depth) > most)

    def levels(self) -> dict[str, dict[str, Any]]:
        """Return for which measures one of two systems is ahead, and why not for more, by the two systems."""
        matrix, found = self.study.raw.levels, {}
        for _, each in self.claims():
            if not each.share_topics:
                continue
            # where it depends on the measure, another measure may put the other one first
            ahead = each.level.ahead or each.ahead
            behind = each.against if ahead == each.system else each.system
            if self._key(ahead, behind) not in found:
                found[self._key(ahead, behind)] = _levels(matrix.of(ahead, behind), matrix)
        return found


def _levels(found: Levels, matrix: LevelsMatrix) -> dict[str, Any]:
    """Return the rungs of two systems, the strongest first, and a measure that puts the other one first."""
    return {
        "rungs": [_rung(level, found.verdicts[level], found, matrix) for level in LEVELS],
        "reversing": _reversing(found, matrix),
        "about": list(map(str, found.about())),
    }


def level_names(matrix: LevelsMatrix) -> list[dict[str, str]]:
    """Return what the levels are called on the page, the strongest first.

    Parameters
    ----------
    matrix
        The levels of all pairs.
    """
    return [{"name": NAMES[level], "known": examples(level, grades=matrix.grades)} for level in LEVELS]


NAMES = {
    Level.TOPICS: "every measure, even a different one on each topic",
    Level.EVERY_MEASURE: "the mean of every measure that rewards good documents high up, alike on all topics",
    Level.ADDITIVE: "the mean of every additive measure: discount × gain",
}
"""The classes of measures as the page calls them."""


def _rung(level: Level, verdict: LevelVerdict, found: Levels, matrix: LevelsMatrix) -> dict[str, Any]:
    return {"holds": bool(verdict) and not verdict.tied, "says": _says(level, verdict, found, matrix)}


def _says(level: Level, verdict: LevelVerdict, found: Levels, matrix: LevelsMatrix) -> str:
    """Return what a reader wants to know of a level: whether it is significant, or why it does not hold."""
    if verdict.tied:
        return "both are level"
    if level is Level.TOPICS:
        counts = matrix.dominance.of(found.a, found.b)
        each = {"better": counts.wins, "worse": counts.losses, "level": counts.ties, "undecided": counts.incomparable}
        return f"{', '.join(f'{word} on {count}' for word, count in each.items() if count)} topics"
    if not verdict:
        if level is Level.EVERY_MEASURE:
            return f"one of them puts {found.b} first"
        return verdict.argument
    if level is not Level.ADDITIVE:
        return f"{found.a} is ahead"
    significant = matrix.pair(found.a, found.b).significant
    return "significant under every one" if significant else "not significant under every one"


def _reversing(found: Levels, matrix: LevelsMatrix) -> dict[str, Any] | None:
    """Return the measure that gives the other system its largest lead, if there is one."""
    if found.every_measure.witness is None:
        return None
    strongest = reversing_measures(found)[-1]
    return {
        "first": found.b,
        "sentence": strongest.sentence,
        "runs": [pieces(run, matrix.grades - 1) for run in strongest.runs[:SHOWN]],
        "more": max(0, len(strongest.runs) - SHOWN),
    }


def shown_tiles(
    margins: Margins, queries: Mapping[str, str], *, without: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """Return the tiles of a conclusion, each with its certificate.

    Parameters
    ----------
    margins
        The margins.
    queries
        The texts of topics.
    without
        Which of "judgments" and "unjudged" are not looked at, because they can take seconds.
    """
    for tile in tiles(margins, without=without):
        looked = tile.name.lower() not in without
        yield {**_tile(tile), **_certificate(tile.name, margins, queries, looked=looked)}


def _tile(tile: Tile) -> dict[str, Any]:
    return {"name": tile.name, "number": tile.number, "words": tile.words, "tone": tile.tone}


def _certificate(name: str, margins: Margins, queries: Mapping[str, str], *, looked: bool) -> dict[str, Any]:
    """Return what shows a margin: sentences, and a table of what would have to be otherwise."""
    if not margins.holds:
        return {"says": [], "table": None}
    each = {
        "Chance": _chance,
        "Topics": _topics,
        "Judgments": _judgments,
        "Unjudged": _unjudged,
        "Scale": _scale,
        "Ties": _ties,
    }
    says, table = each[name](margins, queries) if looked else _not_looked(margins, name.lower())
    return {"says": [text for text in says if text], "table": table}


Shown = tuple[list[str], dict[str, Any] | None]
"""Sentences, and a table or none."""


def _sentence(text: str) -> str:
    first = text[:1] if text.startswith("p ") else text[:1].upper()
    return f"{first}{text[1:]}." if text else ""


def _not_looked(margins: Margins, name: str) -> Shown:
    call = f'md.margins(judged, "{margins.measure}", "{margins.ahead}", "{margins.behind}").{name}'
    return [f"Not computed for this page, because it takes long under {margins.measure}. In Python: {call}"], None


def _chance(margins: Margins, _: Mapping[str, str]) -> Shown:
    found, says = margins.chance, [_sentence(margins.chance.sentence)]
    if isfinite(found.low):
        ends = " to ".join(decimal(end, signed=True) for end in (found.low, found.high))
        apart = f"{margins.ahead} is ahead of {margins.behind} by {decimal(abs(found.difference))}"
        says.append(f"{apart}; the 95 % t interval of this difference is {ends}.")
    elif found.test == OF_INTERVAL and found.topics >= FEWEST:
        alike = bool(all_alike(margins.pair.scores)[0, 1])
        says.append(f"There is no t interval: {why_no_interval(found.topics, alike=alike)}.")
    return says, None


def _topics(margins: Margins, queries: Mapping[str, str]) -> Shown:
    found, weights = margins.topics, margins.scale.own
    says = [_sentence(found.sentence), _sentence(weights.sentence)]
    dropped = found.to_dict().get("dropped") or []
    table = None
    if dropped:
        head = ["topic", *(["text"] if queries else []), margins.ahead, margins.behind]
        table = {"title": "Without these topics it fails", "head": head, "rows": _scored(margins, dropped, queries)}
    return says, table


def _scored(margins: Margins, topics: Iterable[str], queries: Mapping[str, str]) -> list[list[str]]:
    """Return topics with the scores of both systems."""
    scores = margins.pair.scores
    at = {topic: place for place, topic in enumerate(scores.topics)}
    rows = [scores.systems.index(name) for name in (margins.ahead, margins.behind)]
    texts = {topic: [queries.get(topic, "")] if queries else [] for topic in at}
    return [[topic, *texts[topic], *(f"{scores.values[row, at[topic]]:.4f}" for row in rows)] for topic in topics]


def _ranks(change: Any) -> list[str]:
    return ["–" if rank is None else str(rank) for rank in (change["rank_ahead"], change["rank_behind"])]


def _heads(margins: Margins) -> list[str]:
    return ["topic", "document", f"rank in {margins.ahead}", f"rank in {margins.behind}"]


def _judgments(margins: Margins, _: Mapping[str, str]) -> Shown:
    found = margins.judgments
    data = found.to_dict()
    rows = [
        [each["topic"], str(each["document"]), *_ranks(each), str(each["grade"]), str(each["other_grade"])]
        for each in (data.get("certificate") or [])[:ROWS]
    ]
    head = [*_heads(margins), "grade", "grade that would do"]
    table = {"title": "It fails if these grades were wrong", "head": head, "rows": rows} if rows else None
    return [_sentence(found.sentence)], table


def _unjudged(margins: Margins, _: Mapping[str, str]) -> Shown:
    found = margins.unjudged
    data = found.to_dict()
    says = [_sentence(found.sentence)]
    if found.documents and data.get("low") is not None:
        ends = " and ".join(decimal(data[end], signed=True) for end in ("low", "high"))
        says.append(f"Whatever their grades, the difference of the means stays between {ends}.")
    several = (data.get("list") or [])[:ROWS]
    rows = [[each["topic"], str(each["document"]), *_ranks(each)] for each in several]
    table = {"title": "Judge these first", "head": _heads(margins), "rows": rows} if rows else None
    return says, table


def _scale(margins: Margins, _: Mapping[str, str]) -> Shown:
    says = [_sentence(margins.scale.sentence)]
    ratio = margins.scale.shared.value
    if ratio is not None and isfinite(ratio):
        says.append(
            "For a feeling: squaring a score between 0.1 and 1 makes some differences count 10 times as much as others."
        )
    if margins.gains.applies:
        says.append(f"Other gains for the grades: {margins.gains.sentence}.")
    return says, None


def _ties(margins: Margins, _: Mapping[str, str]) -> Shown:
    return [_sentence(margins.ties.sentence)], None
