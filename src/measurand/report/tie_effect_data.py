"""The effect of ties as rows for people and programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.scores import Scores
from measurand.study.tie_effect import TieEffect, TieEffects

BESIDE = ("trec", "expected", "least", "greatest")
"""The scores that stand side by side."""


def tie_effect_data(effects: TieEffects, *, by_topic: bool = False) -> dict[str, Any]:
    """Return the effect of ties as data for programs.

    Parameters
    ----------
    by_topic
        Whether to add every ranking in which ties matter.

    Examples
    --------
    >>> from measurand.study.tie_effect import tie_effect
    >>> data = tie_effect_data(tie_effect({"1": {"d1": 1}}, {"1": {"d1": 2.0, "d2": 2.0}}, "ESL"))
    >>> data["measures"][0]["systems"][0]["expected"]
    0.5
    """
    return {
        "measures": [_measure(effect, by_topic=by_topic) for effect in effects.values()],
        "caveats": [caveat.to_dict() for caveat in effects.caveats],
    }


def _measure(effect: TieEffect, *, by_topic: bool) -> dict[str, Any]:
    scores = effect.expected
    topics = {"topics": [row for system in scores.systems for row in topic_rows(effect, system)]} if by_topic else {}
    return {
        "measure": scores.measure,
        **scores.scale_label.to_dict(),
        "lower_is_better": scores.lower_is_better,
        "systems": system_rows(effect),
        **topics,
        "caveats": [caveat.to_dict() for caveat in effect.caveats],
    }


def system_rows(effect: TieEffect) -> list[dict[str, Any]]:
    """Return a row for every system, best first: its averages, and on how many topics ties matter."""
    means = {name: _means(getattr(effect, name)) for name in BESIDE}
    medians = effect.expected.median()
    rows = [
        {
            "system": system,
            "tied": float(effect.tied[place]),
            **({} if effect.unfinished is None else {"unfinished": int(effect.unfinished[place])}),
            **{name: _told(means[name][place]) for name in BESIDE},
            "median": _told(medians[place]),
            "matters": int(effect.matters[place].sum()),
            "flattered": int(effect.flattered[place].sum()),
            "hurt": int(effect.hurt[place].sum()),
            "topics": int((~np.isnan(effect.expected.values[place])).sum()),
        }
        for place, system in enumerate(effect.expected.systems)
    ]
    best = np.argsort(-effect.expected.summary().goodness, kind="stable")  # systems without a score come last
    return [rows[place] for place in best.tolist()]


def _means(scores: Scores) -> FloatArray:
    return np.asarray(scores.summary().values)


def topic_rows(effect: TieEffect, system: str) -> Iterator[dict[str, Any]]:
    """Return a row for every topic where ties matter for a system, the largest effect of trec_eval's order first."""
    for topic in effect.topics(system):
        yield {
            "system": system,
            "topic": topic,
            **{name: _told(getattr(effect, name).of(system, topic)) for name in BESIDE},
        }


def _told(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
