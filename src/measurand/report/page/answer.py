"""The answer: the first screens of the page, for two systems or for many.

A headline with a few sentences, the differences of two systems or the leaderboard of many, and the two systems that the
reader looks at: topic by topic, what would overturn their order, and for which measures it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurand.arrays import FloatArray
from measurand.display.numerals import decimal, places_that_subtract
from measurand.display.wording import counted, percent
from measurand.report.page.pair_cards import PairCards, level_names, quick_margins, thresholds
from measurand.report.page.places import places_of
from measurand.report.page.section import Section
from measurand.report.page.topics import compared_at_first
from measurand.scores.summary import written
from measurand.study.checks import unjudged_shares
from measurand.study.claim import TEST_OF_INTERVAL
from measurand.study.lead import NOT_CORRECTED, name_of_correction, pair_power
from measurand.study.level_classes import Level
from measurand.study.margins.card import LEGEND
from measurand.study.margins.scale import on_interval_scale
from measurand.study.measure_result import MeasureResult
from measurand.study.scores_view import SHORT
from measurand.study.study import Study
from measurand.study.summary_interval import summary_interval

NAME = "answer"

COLOURS = 10
"""So many systems have a colour of their own, those that are best under the primary measure."""

LETTERS = 9
"""Groups are shown if no system has more letters and spaces than this."""

LOW = 0.9
"""A judged share below this is marked."""


def colours(study: Study) -> list[int | None]:
    """Return the colour of every system: numbers from 0 for the best, None for those after the tenth.

    Of two systems the one whose lead is spoken of has the first colour.

    Parameters
    ----------
    study
        The study.
    """
    order = list(compared_at_first(study)) if len(study.systems) == 2 else list(study.raw.primary.order)
    found: list[int | None] = [None] * len(order)
    for colour, place in enumerate(order[:COLOURS]):
        found[place] = colour
    return found


def section(study: Study) -> Section:
    """Return the section."""
    several = len(study.systems)
    layout = "one" if several < 2 else "two" if several == 2 else "many"
    content: dict[str, Any] = {"layout": layout, "conclusion": study.conclusion, "baseline": study.plan.baseline}
    data: dict[str, Any] = {"layout": layout, "colours": colours(study)}
    arrays: dict[str, NDArray[Any]] = {}
    if layout == "two":
        content |= _forest(study)
    else:
        data["board"] = [_standing(study, name) for name in study.measures]
        content |= _board(study, data["board"], data["colours"])
    if several > 1:
        cards = PairCards(study)
        content |= {"thresholds": LEGEND, "depth": study.raw.levels.depth}
        data |= {
            "pair": compared_at_first(study),
            "cards": cards.margins(),
            "levels": cards.levels(),
            "level_names": level_names(study.raw.levels),
            "tiles": thresholds(),
            "interval": [bool(on_interval_scale(study.scores(name))) for name in study.measures],
            "own_scales": [not study.scores(name).one_scale for name in study.measures],
        }
        arrays["margins"] = quick_margins(study)
    return Section(name=NAME, title="Answer", content=content, data=data, arrays=arrays)


def _heads(result: MeasureResult) -> dict[str, Any]:
    """Return what stands above p-values: the test, and how they are corrected, if they are, and for how many pairs."""
    test = SHORT.get(result.pairs.test, result.pairs.test.replace("_", " "))
    correction = name_of_correction(result)
    corrected = "" if correction == NOT_CORRECTED else correction
    return {"test": test, "corrected": corrected, "corrected_for": result.corrected_for}


def _forest(study: Study) -> dict[str, Any]:
    """Return the differences of two systems under every measure, on one axis."""
    first, second = (study.systems[place] for place in compared_at_first(study))
    rows = [_difference(study, name, first, second) for name in study.measures]
    ends = [end for row in rows if row["sized"] for end in (row["low_d"], row["high_d"])]
    low, high = min([-0.05, *ends]), max([0.05, *ends])
    room = 0.06 * (high - low)
    low, high = low - room, high + room
    for row in rows:
        if row["sized"]:
            row["bar"] = [_percent(row[end], low, high) for end in ("low_d", "middle_d", "high_d")]
    test = _heads(study.raw.primary)["test"]
    return {
        "first": first,
        "second": second,
        "rows": rows,
        "zero": _percent(0.0, low, high),
        "test": test,
        "signed": test != "sign",
        "alpha": study.plan.alpha,
        "sized": any(row["sized"] for row in rows),
        "ended": any(row["interval"] for row in rows),
        "by_means": all(study.result(name).by_means for name in study.measures),
    }


def _percent(value: float, low: float, high: float) -> float:
    return round(100 * (value - low) / (high - low), 2)


def _difference(study: Study, name: str, first: str, second: str) -> dict[str, Any]:
    """Return how far apart two systems are under a measure, as the table of differences shows it."""
    result = study.result(name)
    effect, scores = result.effects.of(first, second), result.scores
    places = result.pairs.place(first), result.pairs.place(second)
    turn = -1.0 if scores.lower_is_better else 1.0
    by_means = result.by_means and effect.topics > 0
    family = result.pairs.needs.statistic == TEST_OF_INTERVAL
    spread = effect.mean_difference / (turn * effect.cohens_d) if effect.cohens_d else np.nan
    sized = by_means and isfinite(spread) and spread > 0
    ends = (effect.low, effect.high) if isfinite(effect.low) else (effect.mean_difference,) * 2
    values = result.summary[first], result.summary[second]
    # whoever subtracts the numbers finds the difference, unless they are of other topics
    whole = effect.topics == len(scores.topics)
    digits = min(places_that_subtract(*values, effect.mean_difference, 4, fixed=True) if by_means and whole else 4, 8)
    seen = pair_power(result, places, effect.mean_difference)[0] if by_means else None
    significant = bool(result.pairs.significant(study.plan.alpha)[places])
    return {
        "measure": name,
        "lower": scores.lower_is_better,
        "statistic": result.summary.statistic,
        "numbers": [
            decimal(value, digits) if by_means else written(value, result.summary.statistic) for value in values
        ],
        "difference": decimal(effect.mean_difference, digits, signed=True) if by_means else "–",
        "interval": [decimal(end, signed=True) for end in ends] if sized and family and isfinite(effect.low) else [],
        "sized": sized,
        "middle_d": turn * effect.mean_difference / spread if sized else 0.0,
        "low_d": min(turn * end / spread for end in ends) if sized else 0.0,
        "high_d": max(turn * end / spread for end in ends) if sized else 0.0,
        "topics": f"{effect.wins}–{effect.ties}–{effect.losses}",
        "pvalue": result.uncorrected.of(first, second),
        "sign": result.sign.of(first, second),
        "significant": significant,
        "ahead": "" if not significant else "first" if result.pairs.statistic[places] > 0 else "second",
        "detectable": "–" if seen is None else decimal(seen) if isfinite(seen) else "none",
    }


def _standing(study: Study, name: str) -> dict[str, Any]:
    """Return how systems stand under a measure, by system: numbers, intervals, bars, letters."""
    result = study.result(name)
    summary = result.summary
    numbers = np.array([summary[system] for system in study.systems], dtype=float)
    apart, ends = _to_reference(result)
    # whiskers stand where the number would be if the difference were at the end of its interval
    low, high = numbers + ends - apart
    top = np.nanmax(np.concatenate([numbers, high, [0.0]])) if len(numbers) else 1.0
    scale = 96 / top if isfinite(top) and top > 0 else 0.0
    places = places_of(summary)
    return {
        "measure": name,
        "statistic": summary.statistic,
        "lower": summary.lower_is_better,
        "order": list(result.order),
        "places": [None if np.isnan(place) else int(place) for place in places],
        "numbers": [written(value, summary.statistic) for value in numbers.tolist()],
        "differences": [_signed(float(each)) for each in apart],
        "intervals": [_ends(float(one), float(other), several=len(numbers) > 1) for one, other in ends.T],
        "bars": [
            [_width(each, scale) for each in ends]
            for ends in zip(low.tolist(), numbers.tolist(), high.tolist(), strict=True)
        ],
        "letters": [result.letters.get(system, "") for system in study.systems],
    }


def _width(value: float, scale: float) -> float | None:
    return None if np.isnan(value) else round(max(0.0, value * scale), 2)


def _to_reference(result: MeasureResult) -> tuple[FloatArray, FloatArray]:
    """Return how far every system is from the best or from the baseline, and the ends of the intervals of that.

    The intervals hold at once for all pairs that could have been looked at. One system has that of its own number.
    """
    n = len(result.order)
    nothing = np.full(n, np.nan)
    if n < 2:
        alone = summary_interval(result.scores, result.summary.statistic)
        return np.array([result.summary[result.systems[0]]]), np.array([alone.low, alone.high])
    if not result.by_means:
        return nothing, np.array([nothing, nothing])
    place, found = result.pairs.place(result.reference), result.simultaneous
    apart = np.where(result.effects.topics[:, place] > 0, result.effects.mean_difference[:, place], np.nan)
    apart[place] = np.nan
    return apart, np.array([nothing, nothing] if found is None else [found.low, found.high])


def _signed(value: float) -> str:
    return "" if np.isnan(value) else decimal(value, signed=True)


def _ends(low: float, high: float, *, several: bool) -> str:
    return "" if np.isnan(low) else " … ".join(decimal(end, signed=several) for end in (low, high))


def _board(study: Study, standing: list[dict[str, Any]], coloured: list[int | None]) -> dict[str, Any]:
    """Return the leaderboard under the primary measure, best first."""
    primary = study.raw.primary
    own = standing[0]
    letters = any(own["letters"]) and max(map(len, own["letters"])) <= LETTERS
    rows = [
        {
            "place": own["places"][at] or "–",
            "at": at,
            "system": study.systems[at],
            "colour": colour,
            "number": own["numbers"][at],
            "interval": own["intervals"][at],
            "apart": own["differences"][at],
            "bar": own["bars"][at],
            "letters": own["letters"][at],
            "cells": [(each["numbers"][at], each["places"][at] == 1) for each in standing],
            "line": _line([each["places"][at] for each in standing], len(study.systems)),
            **found,
        }
        for at, colour, found in zip(
            primary.order, [coloured[at] for at in primary.order], _facts(study, primary.order), strict=True
        )
    ]
    return {
        "rows": rows,
        "columns": [(each["measure"], each["lower"], each["statistic"]) for each in standing],
        "primary": own["measure"],
        "statistic": own["statistic"],
        "lower": own["lower"],
        **_heads(primary),
        "pairs": primary.compared,
        "letters": letters,
        "lined": len(standing) > 1 and len(study.systems) > 2,
        "several": len(study.systems) > 1,
        "strict": study.plan.strict,
        "alpha": study.plan.alpha,
        "sized": any(apart for each in standing for apart in each["differences"]),
        "ended": any(ends for each in standing for ends in each["intervals"]),
    }


def _facts(study: Study, order: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Return of every system how many others it beats, and which share of its first ten documents was judged."""
    primary, levels = study.raw.primary, study.raw.levels
    differs = primary.pairs.significant(study.plan.alpha)
    beaten = (differs & (primary.pairs.statistic > 0)).sum(axis=1) if len(study.systems) > 1 else np.zeros(1, int)
    alike = levels.ahead(Level.ADDITIVE).sum(axis=1) if len(study.systems) > 1 else np.zeros(1, int)
    shares = 1 - unjudged_shares(study.judged)
    reference = primary.pairs.place(primary.reference) if len(study.systems) > 1 else order[0]
    for at in order:
        share = float(shares[at])
        yield {
            "beats": int(beaten[at]),
            "alike": int(alike[at]),
            "judged": "–" if np.isnan(share) else percent(round(share, 3)),
            "share": 0 if np.isnan(share) else round(100 * share, 1),
            "low": not np.isnan(share) and share < LOW,
            "edge": _edge(study, bool(differs[at, reference]), bool(primary.pairs.statistic[at, reference] > 0)),
            "against": _against(study, at) if study.plan.baseline else None,
        }


def _edge(study: Study, differs: bool, ahead: bool) -> str:
    """Return what the edge of a row shows: not separated from the leader; or better or worse than the baseline."""
    if study.plan.baseline is None:
        return "" if differs else "close"
    return "" if not differs else "better" if ahead else "worse"


def _against(study: Study, at: int) -> dict[str, Any]:
    """Return how a system compares with the baseline."""
    primary = study.raw.primary
    base = primary.pairs.place(str(study.plan.baseline))
    if at == base:
        return {"difference": "", "p": None, "says": "baseline"}
    effect = primary.effects.of(study.systems[at], str(study.plan.baseline))
    differs = primary.pairs.significant(study.plan.alpha)[at, base]
    ahead = primary.pairs.statistic[at, base] > 0
    return {
        "difference": decimal(effect.mean_difference, signed=True) if primary.by_means and effect.topics else "–",
        "p": float(primary.pairs.pvalues[at, base]),
        "says": ("better" if ahead else "worse") if differs else "not separated",
    }


WIDE, HIGH = 64, 20
"""How large the line of places is, in pixels."""


def _line(places: Sequence[int | None], systems: int) -> str:
    """Return the points of the line of places, best on top, from measure to measure.

    Examples
    --------
    >>> _line([1, 3, None], 3)
    '3,3 32,17'
    """
    step = (WIDE - 6) / max(1, len(places) - 1)
    down = (HIGH - 6) / max(1, systems - 1)
    known = [(at, place) for at, place in enumerate(places) if place is not None]
    return " ".join(f"{3 + step * at:g},{round(3 + down * (place - 1), 1):g}" for at, place in known)


def subtitle(study: Study) -> str:
    """Return what the page is about, in a line: how many systems and topics, which measure claims are made for."""
    topics = counted(len(study.topics), "topic")
    if len(study.systems) == 2:
        first, second = (study.systems[place] for place in compared_at_first(study))
        who = f"{first} against {second}"
    else:
        who = counted(len(study.systems), "system")
    return f"{who} · {topics} · primary measure {next(iter(study.measures))}"
