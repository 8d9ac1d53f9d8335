"""A comparison of systems as data for programs, and as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from math import isfinite
from typing import Any

from measurand.report.compare_words import doubtful
from measurand.scales.meaning import Meaning
from measurand.study.comparison import SystemComparison
from measurand.study.measure_result import Claim, Standing

COLUMNS = (
    "measure",
    "place",
    "system",
    "statistic",
    "value",
    "mean",
    "median",
    "mean_rank",
    "letters",
    "against",
    "difference",
    "low",
    "high",
    "cohens_d",
    "rank_biserial",
    "cliffs_delta",
    "wins",
    "ties",
    "losses",
    "p",
    "dominance_wins",
    "dominance_ties",
    "dominance_losses",
    "dominance_undecided",
)
"""What the table of systems tells, in this order."""


def comparison_data(comparison: SystemComparison) -> dict[str, Any]:
    """Return a comparison as nested dictionaries and lists; numbers that are not finite are None.

    Examples
    --------
    >>> import measurand as md
    >>> data = comparison_data(md.compare(md.sample.qrels(), md.sample.runs(), "P@10"))
    >>> data["measures"]["P@10"]["test"]["name"], data["measures"]["P@10"]["systems"][0]["system"]
    ('paired_t', 'dense-3')
    """
    return {
        "systems": list(comparison.dominance.systems),
        "topics": list(comparison.dominance.topics),
        "alpha": comparison.alpha,
        "baseline": comparison.baseline,
        "measures": {each.scores.measure: _standing(comparison, each) for each in comparison.standings},
        "dominance": _dominance(comparison),
        "caveats": [caveat.to_dict() for caveat in comparison.caveats],
    }


def comparison_rows(comparison: SystemComparison, standing: Standing) -> list[dict[str, Any]]:
    """Return a row for every system, best first: its numbers, and how it stands to the best or the baseline.

    Numbers that are not finite (the interval of one difference, d where all differences are the same) are None, and
    so are those that the scale does not admit if the comparison is strict.
    """
    refused = _refused(standing) if comparison.strict else frozenset()
    systems, order = standing.scores.systems, standing.order
    reference = order[0] if comparison.baseline is None else systems.index(comparison.baseline)
    medians, ranks = standing.scores.median(), standing.scores.mean_rank()
    found = []
    for position, place in enumerate(order, 1):
        row: dict[str, Any] = {
            "measure": standing.scores.measure,
            "place": position,
            "system": systems[place],
            "statistic": standing.summary.statistic,
            "value": standing.summary[place],
            "mean": standing.means[place],
            "median": medians[place],
            "mean_rank": ranks[place],
            "letters": standing.letters[systems[place]],
        }
        if place != reference:
            row |= _against(comparison, standing, place, reference)
        found.append({column: None if column in refused else _finite(row.get(column)) for column in COLUMNS})
    return found


def _refused(standing: Standing) -> frozenset[str]:
    """Return the columns whose numbers the scale does not admit."""
    effects = standing.effects.caveats_by
    difference = dict.fromkeys(("difference", "low", "high"), effects["mean_difference"])
    others = {name: effects[name] for name in ("cohens_d", "rank_biserial", "cliffs_delta")}
    averages = {"mean": standing.means.caveats, "median": standing.scores.median().caveats}
    found = {**averages, **difference, **others}
    return frozenset(column for column, caveats in found.items() if doubtful(caveats))


def comparison_tsv(comparison: SystemComparison) -> str:
    """Return a line for every measure and system, tab-separated, with a header and all digits."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, delimiter="\t", lineterminator="\n")
    writer.writeheader()
    for standing in comparison.standings:
        writer.writerows(comparison_rows(comparison, standing))
    return text.getvalue()


def pair_pvalues(comparison: SystemComparison, standing: Standing) -> list[list[float | None]]:
    """Return the p-values of all pairs; with a baseline, None for pairs without it, which are not tested."""
    systems, baseline = standing.scores.systems, comparison.baseline
    return [
        [p if baseline in (None, a, b) or a == b else None for b, p in zip(systems, row, strict=True)]
        for a, row in zip(systems, standing.pairs.pvalues.tolist(), strict=True)
    ]


def _against(comparison: SystemComparison, standing: Standing, place: int, reference: int) -> dict[str, Any]:
    effects, dominance = standing.effects, comparison.dominance
    at = place, reference
    return {
        "against": standing.scores.systems[reference],
        "difference": float(effects.mean_difference[at]),
        "low": float(effects.low[at]),
        "high": float(effects.high[at]),
        "cohens_d": float(effects.cohens_d[at]),
        "rank_biserial": float(effects.rank_biserial[at]),
        "cliffs_delta": float(effects.cliffs_delta[at]),
        "wins": int(effects.wins[at]),
        "ties": int(effects.ties[at]),
        "losses": int(effects.losses[at]),
        "p": float(standing.pairs.pvalues[at]),
        "dominance_wins": int(dominance.wins[at]),
        "dominance_ties": int(dominance.ties[at]),
        "dominance_losses": int(dominance.losses[at]),
        "dominance_undecided": int(dominance.incomparable[at]),
    }


def _standing(comparison: SystemComparison, standing: Standing) -> dict[str, Any]:
    scores, pairs = standing.scores, standing.pairs
    rows = comparison_rows(comparison, standing)
    return {
        **scores.scale_label.to_dict(),
        "one_scale": scores.one_scale,
        **({"lower_is_better": True} if scores.lower_is_better else {}),
        "statistic": standing.summary.statistic,
        "test": {
            "name": pairs.test,
            "needs": str(pairs.needs),
            "meaningful": pairs.needs.met_by(scores),
            "semantics": pairs.semantics or None,
            "adjusted": pairs.adjusted,
            "references": list(pairs.references),
            "details": {name: _finite(value) for name, value in pairs.details.items()},
        },
        "systems": [
            {name: value for name, value in row.items() if name not in ("measure", "statistic")} for row in rows
        ],
        "pvalues": pair_pvalues(comparison, standing),
        "differences": _differences(comparison, standing),
        "robust": standing.robust,
        "fragile": standing.fragile,
        "significant": standing.significant,
        "significant_and_robust": standing.significant_and_robust,
        "claims": [_claim(claim) for claim in standing.claims],
        "caveats": [caveat.to_dict() for caveat in dict.fromkeys((*standing.summary.caveats, *pairs.caveats))],
    }


def _differences(comparison: SystemComparison, standing: Standing) -> list[list[float | None]] | None:
    if comparison.strict and "difference" in _refused(standing):
        return None
    return [[_finite(difference) for difference in row] for row in standing.effects.mean_difference.tolist()]


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "ahead": claim.ahead,
        "behind": claim.behind,
        "means": [_finite(mean) for mean in claim.means],
        "p": claim.pvalue,
        "significant": claim.significant,
        "contrary": claim.contrary,
        "headline": claim.headline,
        "sentence": claim.sentence,
        "meaning": _meaning(claim.meaning),
        "decision": None if claim.decision is None else _meaning(claim.decision),
        "dominance": str(claim.dominance),
    }


def _meaning(meaning: Meaning) -> dict[str, Any]:
    transformation = meaning.transformation
    return {
        "answer": str(meaning.answer),
        "meaningful": meaning.holds,
        "statement": str(meaning.statement),
        "true": meaning.true,
        "reading": str(meaning.reading),
        "how": str(meaning.how),
        "certificate": meaning.certificate or None,
        "transformation": None if transformation is None else str(transformation),
        "before": None if meaning.before is None else [_finite(float(value)) for value in meaning.before],
        "after": None if meaning.after is None else [_finite(float(value)) for value in meaning.after],
        "other": None if meaning.other is None else _meaning(meaning.other),
    }


def _dominance(comparison: SystemComparison) -> dict[str, Any]:
    matrix = comparison.dominance
    return {
        "depth": matrix.depth,
        "undominated": list(matrix.undominated()),
        "wins": matrix.wins.tolist(),
        "ties": matrix.ties.tolist(),
        "losses": matrix.losses.tolist(),
        "undecided": matrix.incomparable.tolist(),
    }


def _finite(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    return None if isinstance(value, float) and not isfinite(value) else value
