"""A study as tables: one frame for each kind of thing that the page tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from attrs import asdict

from measurand.report.compare_data import COLUMNS, comparison_rows
from measurand.report.frame_rows import labelled, of_rows
from measurand.report.fusion_rows import COLUMNS as FUSION_COLUMNS
from measurand.report.fusion_rows import fusion_rows
from measurand.report.pair_frames import (
    correlations_frame,
    dominance_frame,
    effects_frame,
    flips_frame,
    pairs_frame,
    standings_by_scale,
)
from measurand.study.study import Study

if TYPE_CHECKING:
    import polars as pl

STRIP = 100
"""So many ranks of each ranking are told, grade by grade."""


def study_frames(study: Study) -> dict[str, pl.DataFrame]:
    """Return the tables of a study by name; numbers that are not finite are null.

    - scores: measure, scale (raw or interval), system, topic, value
    - systems: a row for each measure, scale and system, best first
    - pairs: what each test says of two systems, p without and with correction; null where pairs are not tested
    - effects: how far two systems are apart under a measure on a scale, and whether the order of means is robust
    - topics: grades and recall base of each topic; rankings: the grades of each ranking, -1 unjudged, -2 nothing
    - coverage: judged shares of each system, topic and rank
    - correlations, flips, dominance, ties, unanimity, profiles, fusion, sources, caveats

    Examples
    --------
    >>> import measurand as md
    >>> frames = study_frames(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10"))
    >>> frames["scores"].columns, frames["scores"].height
    (['measure', 'scale', 'system', 'topic', 'value'], 200)
    """
    import polars as pl
    import polars.selectors as cs

    finite = pl.when(cs.float().is_finite()).then(cs.float())
    return {name: make(study).with_columns(finite) for name, make in _FRAMES.items()}


def _scores(study: Study) -> pl.DataFrame:
    import polars as pl

    frames = []
    for name, scale, _, standing in standings_by_scale(study):
        long = standing.scores.to_polars().select("system", "topic", value="score")
        frames.append(labelled(long, measure=name, scale=scale))
    return pl.concat(frames)


def _systems(study: Study) -> pl.DataFrame:
    rows = [
        {**row, "measure": name, "scale": scale}
        for name, scale, comparison, standing in standings_by_scale(study)
        for row in comparison_rows(comparison, standing)
    ]
    return of_rows(rows, ("measure", "scale", *COLUMNS[1:]))


def _topics(study: Study) -> pl.DataFrame:
    import polars as pl

    counts = study.judged.grade_counts
    missing = study.coverage.missing.sum(axis=0)
    return pl.DataFrame(
        {
            "topic": list(study.topics),
            "recall_base": study.judged.recall_base,
            **{f"grade_{grade}": counts[:, grade] for grade in range(counts.shape[1])},
            "systems_without": missing,
        }
    )


def _rankings(study: Study) -> pl.DataFrame:
    import polars as pl

    grades = study.judged.grades[:, :, :STRIP]
    systems, topics, _ = grades.shape
    return pl.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, dtype=object), topics).tolist(),
            "topic": list(study.topics) * systems,
            "grades": pl.Series(grades.reshape(systems * topics, -1).tolist(), dtype=pl.List(pl.Int8)),
        }
    )


def _coverage(study: Study) -> pl.DataFrame:
    import polars as pl

    n, t = len(study.systems), len(study.topics)
    frames = [
        pl.DataFrame(
            {
                "rank": np.full(n * t, rank),
                "system": np.repeat(np.array(study.systems, dtype=object), t).tolist(),
                "topic": list(study.topics) * n,
                "judged_share": shares.reshape(-1),
                "missing": study.coverage.missing.reshape(-1),
            }
        )
        for rank, shares in study.coverage.shares.items()
    ]
    return pl.concat(frames)


def _ties(study: Study) -> pl.DataFrame:
    return study.ties.to_polars()


def _unanimity(study: Study) -> pl.DataFrame:
    rows = [
        {
            "measure": row.measure,
            "unanimity": row.found.value,
            "tie_rate": None if row.found.tie_rate is None else float(row.found.tie_rate),
            "tied": row.found.tied,
        }
        for row in study.unanimity or ()
    ]
    return of_rows(rows, ("measure", "unanimity", "tie_rate", "tied"))


def _profiles(study: Study) -> pl.DataFrame:
    """Return a row for every property of every measure."""
    rows = [
        {
            "measure": name,
            "property": axiom,
            "holds": verdict.holds,
            "how": str(verdict.how),
            "checked": str(verdict.checked),
        }
        for name, profile in study.profiles.items()
        for axiom, verdict in profile.axioms.items()
    ]
    return of_rows(rows, ("measure", "property", "holds", "how", "checked"))


def _fusion(study: Study) -> pl.DataFrame:
    judged = ("significant", "direction", "answer", "sentence", "beaten")
    told = ("measure", "best", "statistic", "mean_admitted", "test", "adjusted")
    return of_rows(fusion_rows(study), (*told, *FUSION_COLUMNS, *judged))


def _sources(study: Study) -> pl.DataFrame:
    return of_rows([asdict(source) for source in study.sources], ("role", "name", "sha256", "size"))


def _caveats(study: Study) -> pl.DataFrame:
    return of_rows([caveat.to_dict() for caveat in study.caveats], ("kind", "text"))


_FRAMES: Mapping[str, Callable[[Study], pl.DataFrame]] = {
    "scores": _scores,
    "systems": _systems,
    "pairs": pairs_frame,
    "effects": effects_frame,
    "topics": _topics,
    "coverage": _coverage,
    "correlations": correlations_frame,
    "flips": flips_frame,
    "dominance": dominance_frame,
    "ties": _ties,
    "unanimity": _unanimity,
    "profiles": _profiles,
    "fusion": _fusion,
    "rankings": _rankings,
    "sources": _sources,
    "caveats": _caveats,
}
