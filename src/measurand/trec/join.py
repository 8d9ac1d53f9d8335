"""The join of runs and judgments, wherever they are read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from measurand.calls import explains_calls
from measurand.deprecated import former_parameters
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.judged.judge import judge as join
from measurand.scale import GradeScale
from measurand.trec.files import is_file
from measurand.trec.read import iterate_runs, read_qrels, read_run
from measurand.trec.sources import Names, QrelsLike, RunsLike, check_qrels, check_runs, peeked

USAGE = 'call judge(runs, qrels), as in judge(["bm25.run", "dense.run"], "qrels.txt")'
"""How to call `judge`."""


@former_parameters({"judgments": "qrels"})
@explains_calls
def judge(
    runs: RunsLike | Results | Iterable[Results],
    qrels: QrelsLike | Judgments,
    *,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
) -> JudgedRuns:
    """Return the grades of every run, rank by rank.

    Runs are taken one at a time and only their grades and fingerprints of their documents are kept, so `runs` may be a
    generator over more than fits into memory.

    Parameters
    ----------
    runs : path, open file, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts.
    qrels : path, open file, frame, dict or Qrels
        Judgments in any form that `read_qrels` accepts; their topics, in their order, are those of the judged runs.
    depth : int, optional
        How many ranks judged runs have: longer ones are cut (after sorting), shorter ones end in nothing.
        By default the longest decides.
    ties : {"trec", "file", "expected", "min", "max", "groups"}, optional
        `"trec"` sorts by score, then by document identifier, both descending, and ignores the rank
        column; `"file"` keeps the order of the source. `"expected"`, `"min"` and `"max"` leave the order of
        documents of equal score open: scores are the mean, the least or the greatest value over all such
        orders. `"groups"` takes runs for weak orders: OIE has a value for these, other measures their mean.
        By default runs are weak orders for measures that are defined on them, which are ESL, ESLR and OIE, and in
        trec_eval's order for all others.
    precision : {"double", "single"}
        `"single"` compares scores as 32-bit floats, as trec_eval did before version 10.
    missing_topics : {"zero", "skip"}
        `"zero"` scores a topic that a system left out as an empty result; `"skip"` leaves it out of
        that system's averages, as trec_eval does without `-c`.
    grade_scale : {"ordinal", "ratio"}, optional
        The scale that the grades are on: `"ordinal"`, or `"ratio"` if a grade 2 is worth twice a grade 1. By default
        what the judgments say of themselves, which is ordinal unless they were read with something else. With
        three grades or more it decides whether sums of gains are on an interval scale.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.

    Examples
    --------
    >>> judged = judge({"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, {"1": {"d1": 1, "d3": 2, "d4": 2}})
    >>> judged.grades.tolist(), judged.recall_base.tolist()
    ([[[1, -1, 2]]], [3])
    """
    check_runs(runs, USAGE)
    check_qrels(qrels, USAGE)
    return join(
        _results(runs, names),
        qrels if isinstance(qrels, Judgments) else read_qrels(qrels),
        depth=depth,
        ties=ties,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
    )


def _results(runs: RunsLike | Results | Iterable[Results], names: Names) -> Iterable[Results]:
    """Return runs one by one, as they come from an iterator or are read."""
    if isinstance(runs, Results):
        return [runs]
    if isinstance(runs, Iterator) and not is_file(runs):
        rows, again = peeked(runs)
        return [read_run(again)] if rows else (run for each in again for run in _results(each, names))
    if isinstance(runs, list | tuple) and all(isinstance(each, Results) for each in runs):
        return cast(Iterable[Results], runs)
    return iterate_runs(cast(RunsLike, runs), names=names)
