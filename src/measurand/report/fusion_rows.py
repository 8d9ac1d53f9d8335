"""Fusions beside the best system, as rows for people and programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.report.compare_data import comparison_rows
from measurand.report.compare_words import doubtful
from measurand.scores.scores import rounding
from measurand.study.fusions import Fusions
from measurand.study.measure_result import Claim, Standing
from measurand.study.study import Study

COLUMNS = (
    "system",
    "value",
    "mean",
    "difference",
    "low",
    "high",
    "cohens_d",
    "cliffs_delta",
    "wins",
    "ties",
    "losses",
    "p",
)
"""What is told of a fusion, and of the best system as far as it goes."""


def fusion_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for the best system and for every fusion under each measure; none if nothing was fused.

    Differences are those of means, fusion less best system. `direction` is 1 where the test puts the fusion ahead, -1
    where it puts the best system ahead, 0 where it favours neither.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10")
    >>> [row["system"] for row in fusion_rows(study)], fusion_rows(study)[1]["best"]
    (['dense-1', 'rrf', 'combsum', 'borda', 'bordalog'], 'dense-1')
    """
    if study.fusions is None:
        return []
    return [row for measure in study.measures for row in _of_measure(study, study.fusions, measure)]


def _of_measure(study: Study, fusions: Fusions, measure: str) -> list[dict[str, Any]]:
    comparison, standing = fusions.comparisons[measure], fusions.of(measure)
    best = str(comparison.baseline)
    told = {
        "measure": measure,
        "best": best,
        "statistic": standing.summary.statistic,
        "mean_admitted": not doubtful(standing.means.caveats),
        "test": standing.pairs.test,
        "adjusted": standing.pairs.adjusted,
    }
    rows = {row["system"]: row for row in comparison_rows(comparison, standing)}
    claims = {claim.ahead if claim.ahead != best else claim.behind: claim for claim in standing.claims}
    kept = [{**told, **{column: rows[name][column] for column in COLUMNS}} for name in (best, *fusions.names.values())]
    for row in kept:
        row |= _judged(standing, row["system"], claims.get(row["system"]))
        row["beaten"] = _beaten(study, standing, row["system"])
    return kept


def _judged(standing: Standing, name: str, claim: Claim | None) -> dict[str, Any]:
    """Return what is said of a fusion against the best system, and what it is worth."""
    if claim is None:
        return dict.fromkeys(("significant", "direction", "answer", "sentence"))
    best = claim.behind if claim.ahead == name else claim.ahead
    places = standing.pairs.place(name), standing.pairs.place(best)
    return {
        "significant": claim.significant,
        "direction": int(np.sign(standing.pairs.statistic[places])),
        "answer": str(claim.meaning.answer),
        "sentence": claim.sentence,
    }


def _beaten(study: Study, standing: Standing, name: str) -> int:
    """Return how many systems have a worse mean than something."""
    raw = study.standing(standing.scores.measure)
    mine = standing.means.goodness[standing.pairs.place(name)]
    return int((mine - raw.means.goodness > rounding(raw.scores)).sum())
