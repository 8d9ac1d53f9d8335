"""One run judged for the calls of other tools, which take results that are empty for what they are."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from measurand.judged import NOTHING, JudgedRuns, Judgments, Results, judge
from measurand.judged.judge import PrecisionLike, TiesLike


def judged_run(
    run: Results | None, judgments: Judgments, precision: PrecisionLike, ties: TiesLike | None = None
) -> JudgedRuns:
    """Return a run judged on all topics of the judgments, those that it leaves out as empty results.

    Parameters
    ----------
    run
        What a system returned; None for nothing at all.
    judgments
        The judgments.
    precision
        How scores are compared.
    ties
        The order of documents of equal score, as for `judge`.

    Examples
    --------
    >>> judged_run(None, Judgments.from_mapping({"1": {"d1": 1}, "2": {"d1": 1}}), "double").lengths.tolist()
    [[0, 0]]
    """
    if run is not None and not set(run.topics).isdisjoint(judgments.topics):
        return judge(run, judgments, precision=precision, ties=ties, documents=False)
    some = judge(Results.from_mapping("run", {judgments.topics[0]: {"": 0.0}}), judgments, documents=False)
    return evolve(some, cells=np.full_like(some.cells, NOTHING), lengths=np.zeros_like(some.lengths), ties=None)
