"""Ties that matter: on how many rankings the order of documents of equal score changes a measure, and how much."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.study.study import Study
from measurand.study.tie_effect import TieEffect


def tie_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every measure: where ties matter, whom trec_eval's order flatters or hurts, and how much."""
    return [{"measure": name, **_row(effect)} for name, effect in study.ties.by_measure.items()]


def _row(effect: TieEffect) -> dict[str, Any]:
    rankings = int((~np.isnan(effect.trec.values)).sum())
    return {
        "matters": int(effect.matters.sum()),
        "rankings": rankings,
        "flattered": int(effect.flattered.sum()),
        "hurt": int(effect.hurt.sum()),
        "farthest": effect.farthest(),
        "most": _most_moved(effect),
    }


def _most_moved(effect: TieEffect) -> dict[str, Any] | None:
    """Return the system whose mean over topics trec_eval's order moves most."""
    if not (effect.flattered | effect.hurt).any():
        return None
    moved = np.nan_to_num(np.asarray(effect.trec.mean().values) - np.asarray(effect.expected.mean().values))
    place = int(np.abs(moved).argmax())
    better = moved[place] if not effect.trec.lower_is_better else -moved[place]
    return {
        "system": effect.trec.systems[place],
        "by": float(moved[place]),
        "flattered": bool(better > 0),
        "admitted": effect.trec.mean().admitted,
    }


def tied_systems(study: Study) -> list[dict[str, Any]]:
    """Return the systems that have documents of equal score, those with the greatest share first."""
    effects = list(study.ties.by_measure.values())
    tied = effects[0].tied
    rows = [
        {
            "system": system,
            "tied": float(tied[place]),
            "matters": [int(effect.matters[place].sum()) for effect in effects],
        }
        for place, system in enumerate(study.systems)
        if tied[place]
    ]
    return sorted(rows, key=lambda row: -row["tied"])
