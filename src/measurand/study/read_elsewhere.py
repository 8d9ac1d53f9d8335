"""Measures whose spelling another tool reads otherwise: what is said beside their numbers, where it matters.

The cases are numbered in `docs/how-to/where-numbers-differ.md`. Something is said only where the judgments or the runs
at hand are such that the numbers can differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import floor

import numpy as np

from measurand.errors import Caveat, CaveatKind
from measurand.exact import spell
from measurand.judged import NOTHING, JudgedRuns
from measurand.measures import Measure

PAGE = "docs/how-to/where-numbers-differ.md"
"""Where all cases are."""

GDEVAL = 4
"""The highest grade of gdeval, by which ir_measures computes ERR."""

Case = Callable[[Measure, JudgedRuns], str]
"""Returns what another tool does otherwise on some judged runs; nothing if it makes no difference there."""


def _err(measure: Measure, judged: JudgedRuns) -> str:
    top = judged.grade_counts.shape[1] - 1
    if measure.cutoff is None or measure.parameters()["gmax"] is not None or judged.relevance is not None:
        return ""
    if top == GDEVAL:
        return ""
    theirs = "refuses grades above 4" if top > GDEVAL else f"always takes 4, as {measure(gmax=GDEVAL)!r} does"
    return f"the highest grade is {top} here; ir_measures {theirs}"


def _iprec(measure: Measure, judged: JudgedRuns) -> str:
    asked = measure.parameters()
    recalls = (asked["recall"],) if "recall" in asked else asked["recalls"]
    for base in np.unique(judged.recall_bases(measure.lowest)).tolist():
        for recall in recalls:
            # trec_eval 9 adds 0.9 and cuts
            if floor(recall * base + Fraction(9, 10)) != floor(recall * base + Fraction(1, 2)):
                ours = "a recall asks for the nearest number of documents, as in trec_eval 10"
                more = "" if "recalls" in asked else " and ir_measures"
                return f"{ours}; trec_eval 9 and pytrec_eval{more} may ask for one more"
    return ""


def _accuracy(measure: Measure, judged: JudgedRuns) -> str:
    if judged.stored:
        return ""
    cells = judged.cells[:, :, : measure.cutoff]
    found, others = (cells >= measure.lowest).any(axis=2), ((cells < measure.lowest) & (cells != NOTHING)).any(axis=2)
    if not found.all():
        return "a topic of which nothing relevant was retrieved counts 0; ir_measures leaves it out of the mean"
    if not others.all():
        return "a topic of which nothing but relevant documents was retrieved counts 1; ir_measures stops there"
    return ""


def _compat(measure: Measure, judged: JudgedRuns) -> str:
    longest = np.maximum(judged.lengths, judged.recall_bases(1)[None])
    last = int(getattr(measure, "last", 0))
    if measure.cutoff is not None or not (longest < last).any():
        return ""
    return f"overlaps are added up down to rank {last:,}; in ir_measures to the end of the longer of the two rankings"


def _setf(measure: Measure, judged: JudgedRuns) -> str:  # noqa: ARG001 - as every case
    beta = measure.parameters()["beta"]
    given = spell(beta)
    return (
        ""
        if beta == 1
        else f"{given} is squared here; ir_measures takes it for beta squared, as trec_eval's set_F. does"
    )


def _rbp(measure: Measure, judged: JudgedRuns) -> str:
    top = judged.grade_counts.shape[1] - 1
    if not measure.weighs_grades or top < 2 or judged.relevance is not None:
        return ""
    return f"grades are divided by the highest, {top}; ranx adds them up as they are, {top} times as much"


def _graded_rbp(measure: Measure, judged: JudgedRuns) -> str:  # noqa: ARG001
    counts = judged.grade_counts
    there = counts[:, 1:].sum(axis=1) > 0
    if counts.shape[1] < 3 or not (there & (counts[:, -1] == 0)).any():
        return ""
    return "the highest grade is that of all judgments; in trec_eval 10 that of the topic"


def _residual(measure: Measure, judged: JudgedRuns) -> str:  # noqa: ARG001
    if judged.stored or (judged.cells == -1).any(axis=2).all():
        return ""
    return (
        "what could follow the end of a run counts; trec_eval 10 leaves it out where all that was retrieved is judged"
    )


def _bpref(measure: Measure, judged: JudgedRuns) -> str:
    if not (judged.grade_counts[:, : measure.lowest].sum(axis=1) == 0).any():
        return ""
    return "a topic without a document judged not relevant has a value; in ranx it is no number"


def _topics(measure: Measure, judged: JudgedRuns) -> str:  # noqa: ARG001
    return "" if judged.present.all() else "all judged topics count; in ir_measures those that the run has"


CASES: Mapping[str, Case] = {
    "ERR": _err,
    "IPrec": _iprec,
    "IAP": _iprec,
    "Accuracy": _accuracy,
    "Compat": _compat,
    "SetF": _setf,
    "RBP": _rbp,
    "gRBP": _graded_rbp,
    "RBPResidual": _residual,
    "Bpref": _bpref,
    "NumQ": _topics,
    "NumRel": _topics,
}
"""The measures that another tool reads otherwise, by name; `hits` is one by its spelling alone."""


def reading_caveats(judged: JudgedRuns, measures: Mapping[str, Measure]) -> Iterator[Caveat]:
    """Return the caveats which measures other tools read otherwise, where that makes a difference to some judged runs.

    Parameters
    ----------
    judged
        The judged runs.
    measures
        The measures, by the spelling in which each was given.

    Examples
    --------
    >>> from measurand.measures import AP, ERR
    >>> binary = JudgedRuns.on_one_topic([(1, 0)], (5, 1))
    >>> print(*reading_caveats(binary, {"map": AP, "err@20": ERR @ 20}))
    ERR@20: the highest grade is 1 here; ir_measures always takes 4, as ERR(gmax=4)@20 does (docs/how-to/where-numbers-differ.md)
    """  # noqa: E501 - a caveat as it is printed
    for spelling, measure in measures.items():
        said = CASES[measure.name](measure, judged) if measure.name in CASES else ""
        if spelling.partition("@")[0].casefold() == "hits" and len(judged.topics) > 1:
            said = "hits are added up over topics, as in trec_eval; ranx averages them"
        if said:
            yield Caveat(CaveatKind.CONVENTION, f"{measure!r}: {said} ({PAGE})")
