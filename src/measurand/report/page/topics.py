"""The section "Topics": which are hard, where systems disagree, and what they returned there.

`TopicFacts` are the numbers of each topic under a measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from measurand.arrays import FloatArray, IntArray
from measurand.display.charts import ACCENT, GREY, INK, MARK, Chart
from measurand.display.wording import counted
from measurand.measures.around import innermost
from measurand.report.page.packed_numbers import packed_scores
from measurand.report.page.places import places_of
from measurand.report.page.section import Section
from measurand.scale import Scale
from measurand.scores import Scores, Summary
from measurand.statistics import kendall
from measurand.study.scores_view import number
from measurand.study.shown_documents import ShownDocuments, shown_documents
from measurand.study.study import Study

SAME = 12
"""Numbers that agree in so many decimals are one."""


@frozen(kw_only=True, eq=False, repr=False)
class TopicFacts:
    """What the scores of all systems say of each topic; NaN where no system has a score.

    Parameters
    ----------
    median, low, high
        The median, the least and the greatest score over the systems.
    spread
        The distance between the quartiles of the scores: half of the systems lie within it.
    tau
        Kendall's tau-b between the scores on the topic and the means over all topics, or what systems are ordered by
        instead; NaN where all tie.
    best
        The places of the systems with the best score.
    overall
        The place of each system over all topics, 1 the best; those that tie share a place, and 0 is none.
    """

    scores: Scores
    median: FloatArray
    low: FloatArray
    high: FloatArray
    spread: FloatArray
    tau: FloatArray
    best: tuple[tuple[int, ...], ...]
    overall: IntArray

    def __repr__(self) -> str:
        return f"<TopicFacts of {len(self.median)} topics under {self.scores.measure}>"

    @property
    def ease(self) -> FloatArray:
        """The median, turned round where lower is better: the lower, the harder the topic."""
        return -self.median if self.scores.lower_is_better else self.median

    def first(self, keys: FloatArray, count: int, among: NDArray[np.bool_] | None = None) -> list[int]:
        """Return the topics with the lowest keys, in the order of the topics where these are equal.

        Parameters
        ----------
        among
            The topics to look at; all that have a key if nothing is said.
        """
        # numbers that differ in the last bits alone are equal
        there = ~np.isnan(keys) if among is None else ~np.isnan(keys) & among
        found = [place for place in np.argsort(np.round(keys, SAME), kind="stable").tolist() if there[place]]
        return found[:count]


def topic_facts(scores: Scores, overall: Summary | None = None) -> TopicFacts:
    """Return what the scores of all systems say of each topic.

    Parameters
    ----------
    scores
        The scores under a measure.
    overall
        What systems are ordered by over all topics; their means if nothing is said.

    Examples
    --------
    >>> values = [[0.9, 0.1, 0.5], [0.5, 0.3, 0.25], [0.1, 0.2, 0.0]]
    >>> found = topic_facts(Scores(measure="AP", values=values, systems="abc", topics="123"))
    >>> found.median.tolist(), found.best, found.overall.tolist()
    ([0.5, 0.2, 0.25], ((0,), (1,), (0,)), [1, 2, 3])
    >>> found.first(found.ease, 1), found.first(found.tau, 1)
    ([1], [1])
    """
    values = scores.values
    there = ~np.isnan(values).all(axis=0)
    numbers = np.full((5, values.shape[1]), np.nan)
    # numpy complains of averages of nothing
    numbers[:, there] = np.nanquantile(values[:, there], [0, 0.25, 0.5, 0.75, 1], axis=0)
    low, first, median, third, high = numbers
    best = np.where(there, high if not scores.lower_is_better else low, np.inf)
    means = scores.mean() if overall is None else overall
    return TopicFacts(
        scores=scores,
        median=median,
        low=low,
        high=high,
        spread=third - first,
        tau=_taus(scores, means.settled),
        best=tuple(tuple(np.flatnonzero(column == top).tolist()) for column, top in zip(values.T, best, strict=True)),
        overall=np.nan_to_num(places_of(means)).astype(np.int64),
    )


def _taus(scores: Scores, goodness: FloatArray) -> FloatArray:
    """Return how alike each topic and all topics together rank the systems."""
    if len(scores.systems) < 2:
        return np.full(len(scores.topics), np.nan)
    everywhere = np.repeat(goodness[:, None], len(scores.topics), axis=1)
    overall = evolve(scores, measure="mean", values=everywhere, lower_is_better=False)
    return np.array(kendall(scores, overall, kind="topic").by_topic)


def compared_at_first(study: Study) -> tuple[int, int]:
    """Return the places of the two systems that are compared at first: those that the headline speaks of.

    Parameters
    ----------
    study
        The study, of two systems or more.
    """
    lead = study.conclusion.lead
    first, second = study.raw.primary.systems[:2] if lead is None else (lead.system, lead.against)
    return study.systems.index(first), study.systems.index(second)


NAMED = 5
"""So many topics are named as the hardest, and so on."""

TINY = 1e-12
"""Spreads up to this are none."""

MOST = 10_000
"""More topics are not all listed and drawn, …"""

LISTED = 1_000
"""… but so many: those that stand out, and others at even distances."""

STRIP, LONGEST = 30, 50
"""So many ranks of a ranking are shown, or as many as measures look at, up to the second."""

ROWS = 30
"""So many topics the dot plot shows if nothing is said."""


def section(study: Study) -> Section:
    """Return the section."""
    kept = listed_topics(study)
    every = len(kept) == len(study.topics)
    shown = {name: _Shown(study, name, _facts(study, name, kept), kept) for name in study.measures}
    cells, two = study.judged.first(_ranks(study))[:, kept], len(study.systems) == 2
    documents = _documents(study, cells.shape[2]) if every else None
    arrays: dict[str, NDArray[Any]] = {
        "cells": cells,
        "scores": packed_scores(study),
        "facts": np.stack([each.numbers() for each in shown.values()]).astype(np.float32),
    }
    if documents is not None:
        arrays["documents"] = _narrow(documents.places)
    data = {
        "systems": study.systems,
        "topics": [study.topics[place] for place in kept.tolist()],
        "places": None if every else kept.tolist(),
        "every": len(study.topics),
        "queries": [study.queries.get(study.topics[place], "") for place in kept.tolist()] if study.queries else None,
        "ranks": cells.shape[2],
        "rows": ROWS,
        "two": two,
        "top": max(1, int(study.judged.cells.max(initial=0))),
        "grades": _grade_names(study),
        "measures": [each.data() for each in shown.values()],
        "documents": documents is not None,
    }
    return Section(
        name="topics",
        title="On which topics?",
        hint="every topic, with both rankings" if two else "hard ones, disputed ones, the rankings behind each",
        content=_content(study, next(iter(shown.values()))),
        charts={} if two else {"dots": _dots(len(study.systems))},
        data=data | ({"pair": compared_at_first(study)} if len(study.systems) > 1 else {}),
        arrays=arrays,
        texts={} if documents is None else {"documents": documents.names},
    )


def listed_topics(study: Study) -> IntArray:
    """Return the places of the topics that are listed and drawn: all, or those that stand out and some others.

    Parameters
    ----------
    study
        The study.
    """
    topics = len(study.topics)
    if topics <= MOST:
        return np.arange(topics)
    found = set(np.linspace(0, topics - 1, LISTED // 2).astype(int).tolist())
    relevant = study.judged.recall_base > 0
    for name in study.measures:
        scores = study.result(name).scores
        quartiles = np.quantile(np.nan_to_num(scores.goodness), [0.25, 0.5, 0.75], axis=0)
        first, second = compared_at_first(study) if len(study.systems) > 1 else (0, 0)
        apart = np.nan_to_num(scores.goodness[first] - scores.goodness[second])
        for keys in (np.where(relevant, quartiles[1], np.inf), quartiles[0] - quartiles[2], apart, -apart):
            found |= set(np.argsort(keys, kind="stable")[: LISTED // (8 * len(study.measures))].tolist())
    return np.array(sorted(found))


def _grade_names(study: Study) -> dict[str, Any] | None:
    """Return the names of grades and their shares of the highest, where the numbers in rankings are codes."""
    judged = study.judged
    if judged.relevance is None:
        return None
    return {
        "names": [judged.grade_name(grade) for grade in range(len(judged.gains))],
        "shares": [round(float(gain / judged.gains[-1]), 4) for gain in judged.gains],
    }


def _content(study: Study, first: _Shown) -> dict[str, Any]:
    """Return what the template is filled with, under the primary measure."""
    two = len(study.systems) == 2
    return {
        "systems": len(study.systems),
        "two": two,
        "pair": [study.systems[place] for place in compared_at_first(study)] if two else [],
        "measure": first.name,
        "overall": f"the {'places' if study.plan.strict else 'means'} of the systems",
        "strict": study.plan.strict,
        "queries": bool(study.queries),
        "lists": {} if two else first.lists(),
        "barren": [study.topics[place] for place in np.flatnonzero(study.judged.recall_base == 0)],
        "rows": list(zip(_fixed(study, first.kept), first.numbers().tolist(), first.texts(), strict=True)),
        "left_out": len(study.topics) - len(first.kept),
        "listed": len(first.kept),
        "note": first.note(),
    }


def _documents(study: Study, ranks: int) -> ShownDocuments | None:
    """Return which documents stand on the ranks that are shown, if that was kept."""
    kept = study.judged.ranked_documents
    return None if kept is None or any(each.names is None for each in kept) else shown_documents(study.judged, ranks)


def _narrow(places: NDArray[np.int32]) -> NDArray[Any]:
    """Return places as small whole numbers, the largest for none, where they fit."""
    return np.where(places < 0, 65_535, places).astype(np.uint16) if places.max(initial=0) < 65_535 else places


def _facts(study: Study, name: str, kept: IntArray) -> TopicFacts:
    """Return what is said of each topic under a measure, without spreads where a strict study does not admit them."""
    result = study.result(name)
    scores = result.scores
    if len(kept) < len(study.topics):
        topics = [study.topics[place] for place in kept.tolist()]
        scores = evolve(scores, values=scores.values[:, kept], topics=topics, exact=None)
    found = topic_facts(scores, result.summary)
    return found if _has_unit(study, name) else evolve(found, spread=np.full_like(found.spread, np.nan))


def _has_unit(study: Study, name: str) -> bool:
    """Return whether differences of scores on a topic are shown: always, unless strict and on less than intervals."""
    return not study.plan.strict or study.scores(name).scale >= Scale.INTERVAL


def _ranks(study: Study) -> int:
    """Return how many ranks of each ranking are shown."""
    largest = max((innermost(measure).cutoff or 0 for measure in study.measures.values()), default=0)
    return min(study.judged.depth, max(STRIP, min(largest, LONGEST)))


def _fixed(study: Study, kept: IntArray) -> Iterator[dict[str, Any]]:
    """Return what there is to say of each topic that is listed, under any measure."""
    shares = study.coverage.shares[10]
    for row, place in enumerate(kept.tolist()):
        topic, known = study.topics[place], shares[:, place][study.judged.present[:, place]]
        yield {
            "place": row,
            "topic": topic,
            "text": study.queries.get(topic, ""),
            "recall_base": int(study.judged.recall_base[place]),
            "judged": float(known.mean()) if known.size else None,
        }


@frozen(eq=False)
class _Shown:
    """The topics under one measure, as the page shows them, and which of all topics these are."""

    study: Study
    name: str
    facts: TopicFacts
    kept: IntArray

    def numbers(self) -> FloatArray:
        """Return what the table is sorted by: topics × median, lowest, highest, spread, tau."""
        facts = self.facts
        return np.stack([facts.median, facts.low, facts.high, facts.spread, facts.tau], axis=1)

    def texts(self) -> list[list[str]]:
        """Return the same as people read it, with the best systems."""
        rows = self.numbers().tolist()
        return [
            [*map(_number, numbers[:4]), _tau(numbers[4]), _named(self._names(best))]
            for numbers, best in zip(rows, self.facts.best, strict=True)
        ]

    def data(self) -> dict[str, Any]:
        """Return what the script needs to show the topics under this measure."""
        scores = self.facts.scores
        return {
            "name": self.name,
            "lower": scores.lower_is_better,
            "unit": _has_unit(self.study, self.name),
            "cutoff": innermost(self.study.measures[self.name]).cutoff,
            "order": self.study.result(self.name).order,
            "texts": self.texts(),
            "lists": self.lists(),
            "note": self.note(),
        }

    def lists(self) -> dict[str, list[dict[str, Any]]]:
        """Return the topics that are spoken of: the hardest, the widest, the most contrary."""
        facts, relevant = self.facts, self.study.judged.recall_base[self.kept] > 0
        several = {
            "hardest": (facts.ease, relevant, self._hard),
            "widest": (-facts.spread, facts.spread > TINY, self._wide),
            "contrary": (facts.tau, facts.tau < 1, self._contrary),
        }
        if len(self.study.systems) < 2:
            several = {"hardest": several["hardest"]}
        elif len(self.study.topics) < 2 or len(self.study.systems) < 4:
            # a topic cannot differ from itself, and few systems have few orders
            del several["contrary"]
        return {
            kind: [self._item(place, words(place)) for place in facts.first(keys, NAMED, among)]
            for kind, (keys, among, words) in several.items()
        }

    def note(self) -> str:
        """Return what the scale of the measure does to a comparison of topics, where it does anything."""
        scores, said = self.facts.scores, []
        if not scores.one_scale:
            name = f"{self.name} depends on how many documents are relevant"
            said.append(f"{name}: every topic has a scale of its own, compare scores of two topics with care")
        if scores.scale < Scale.INTERVAL:
            kind = f"{self.name} is {scores.scale_label}"
            spreads = "describe its scores, but" if _has_unit(self.study, self.name) else "are left out, because"
            said.append(f"{kind}: spreads {spreads} differences on such a scale have no unit")
        return " ".join(f"{each}." for each in said)

    def _item(self, place: int, words: str) -> dict[str, Any]:
        return {"place": place, "topic": self.facts.scores.topics[place], "words": words}

    def _names(self, places: Sequence[int]) -> list[str]:
        return [self.study.systems[place] for place in places]

    def _hard(self, place: int) -> str:
        facts = self.facts
        best = facts.low if facts.scores.lower_is_better else facts.high
        relevant = counted(int(self.study.judged.recall_base[self.kept[place]]), "relevant document")
        return f"median {_number(facts.median[place])}, best {_number(best[place])}; {relevant}"

    def _wide(self, place: int) -> str:
        facts = self.facts
        ends = f"{_number(facts.low[place])} to {_number(facts.high[place])}"
        return f"spread {_number(facts.spread[place])}; all scores from {ends}"

    def _contrary(self, place: int) -> str:
        [best, *others] = self.facts.best[place]
        said = f"tau {_tau(float(self.facts.tau[place]))}"
        if others:
            return f"{said}; {counted(len(others) + 1, 'system')} share the best score"
        overall = self.facts.overall
        return f"{said}; best here is {self.study.systems[best]}, over all topics at place {overall[best]}"


def _number(value: float) -> str:
    return "–" if value != value else number(value)


def _tau(tau: float) -> str:
    """Return a correlation, with a true minus.

    Examples
    --------
    >>> _tau(-0.5), _tau(float("nan"))
    ('−0.50', '–')
    """
    return "–" if tau != tau else f"{tau:.2f}".replace("-", "−")


def _named(names: Sequence[str]) -> str:
    """Return some names, cut where there are many.

    Examples
    --------
    >>> _named(["a", "b"]), _named(["a", "b", "c"]), _named([])
    ('a, b', 'a and 2 others', '–')
    """
    if len(names) <= 2:
        return ", ".join(names) or "–"
    return f"{names[0]} and {len(names) - 1:,} others"


def _dots(systems: int) -> Chart:
    """Return the dot plot, without its dots: a row a topic, a dot for every score, as large as systems share it."""
    y: Chart = {"field": "topic", "type": "nominal", "title": None, "sort": {"field": "row", "op": "min"}}
    y["axis"] = {"labelLimit": 130, "offset": 6, "ticks": False, "domain": False, "grid": True}
    x: Chart = {"field": "score", "type": "quantitative", "title": "score", "axis": {"orient": "top", "tickCount": 6}}
    x["scale"] = {"padding": 10, "nice": False}
    told = [{"field": name, "type": "nominal"} for name in ("topic", "score", "systems")]
    size: Chart = {"field": "count", "type": "quantitative", "legend": None}
    size["scale"] = {"domain": [1, max(2, systems)], "range": [28, 420]}

    def layer(kind: str, mark: Chart, **encoding: Any) -> Chart:
        kept = [{"filter": f"datum.kind === '{kind}'"}]
        return {
            "name": kind,
            "transform": kept,
            "mark": mark,
            "encoding": {"x": x, "y": y, "tooltip": told, **encoding},
        }

    return {
        "description": "",
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": []},
        "layer": [
            layer("dots", {"type": "circle", "color": ACCENT, "opacity": 0.45, "cursor": "pointer"}, size=size),
            layer("median", {"type": "tick", "color": INK, "thickness": 2, "size": 13}),
            layer("marked", {"type": "point", "shape": "diamond", "color": MARK, "filled": True, "size": 90}),
        ],
        "config": {"axis": {"gridColor": GREY}},
    }
