"""Numbers of pairs, packed: what the page's script compares systems with, for all measures, scales and tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from measurand.arrays import IntArray
from measurand.report.page.packed_scores import kinds_of, score_places, standing_of
from measurand.report.page.places import scale_words
from measurand.report.page.pvalue_codes import pvalue_codes
from measurand.statistics import find_test, need_of
from measurand.study.both_scales import TESTS
from measurand.study.study import Study

SMALL = 255
"""Up to how many topics counts fit into a byte."""


def pair_arrays(study: Study) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return packed numbers of all pairs, and what is to be known of each measure, scale and test.

    The numbers: `pvalues`, codes by test, measure and scale, and pair; `fragile`, a bit by measure and scale and pair;
    `dominance`, wins, ties, losses and undecided topics by pair.
    """
    plan, n = study.plan, len(study.systems)
    upper = np.triu_indices(n, 1)
    codes, fragile, kinds = [], [], []
    for measure, scale in kinds_of(study):
        standing = standing_of(study, measure, scale)
        found = {test: pvalue_codes(study.tests.of(measure, scale, test), plan.alpha, plan.baseline) for test in TESTS}
        codes.append([each.codes for each in found.values()])
        fragile.append(np.packbits(standing.robustness.fragile[upper], bitorder="little"))
        kinds.append(_kind(study, measure, scale) | {"cutoffs": {test: found[test].cutoffs for test in TESTS}})
    arrays: dict[str, NDArray[Any]] = {
        # the same test on both scales side by side, because it often says the same
        "pvalues": np.array(codes, dtype=np.uint16).swapaxes(0, 1),
        "fragile": np.array(fragile, dtype=np.uint8),
        "dominance": _counts(study)[:, *upper].astype(np.uint8 if len(study.topics) <= SMALL else np.uint16),
    }
    return arrays, {"kinds": kinds, "quantiles": _quantiles(len(study.topics))}


def _kind(study: Study, measure: str, scale: str) -> dict[str, Any]:
    """Return what is to be known of a measure on a scale: who stands where, what is admitted."""
    standing = standing_of(study, measure, scale)
    fits = [test for test in TESTS if need_of(find_test(test)).met_by(standing.scores)]
    return {
        "measure": measure,
        "scale": scale,
        "scores": score_places(study)[measure, scale],
        "words": scale_words(standing.scores),
        "order": list(standing.order),
        "lower": standing.scores.lower_is_better,
        "means": standing.means.admitted,
        "fits": fits,
        "told_by": [standing.pairs.test, standing.pairs.needs.statistic],
    }


def _counts(study: Study) -> IntArray:
    matrix = study.raw.dominance
    return np.stack([matrix.wins, matrix.ties, matrix.losses, matrix.incomparable])


def _quantiles(topics: int) -> list[float]:
    """Return the factors of 95 % intervals for means over 0, 1, 2, … topics; 0 where there is no interval."""
    from scipy.special import stdtrit

    return [0.0, 0.0, *np.round(stdtrit(np.arange(1, topics), 0.975), 9).tolist()][: topics + 1]
