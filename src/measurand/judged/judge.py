"""The join of runs and judgments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.errors import Caveat, Doubt, InputError, ParameterError
from measurand.judged.cells import NOTHING, POOLED, cells_of_grades
from measurand.judged.content import Judgments, Results
from measurand.judged.matching import GradeIndex
from measurand.judged.ranking import Precision, Ties, rank
from measurand.judged.runs import JudgedRuns
from measurand.judged.tie_groups import KeptTies

Choice = TypeVar("Choice", bound=StrEnum)

TOP = 10
FEW = 0.1


class MissingTopics(StrEnum):
    """What a topic that a system left out counts for."""

    ZERO = "zero"
    SKIP = "skip"


def judge(
    runs: Iterable[Results] | Results,
    judgments: Judgments,
    *,
    depth: int | None = None,
    ties: str | None = None,
    precision: str = "double",
    missing_topics: str = "zero",
    grade_scale: str | None = None,
) -> JudgedRuns:
    """Return the grades of every run, rank by rank.

    Runs are taken one at a time and only their grades are kept, so `runs` may be a generator over
    more than fits into memory.

    Parameters
    ----------
    runs
        Runs, such as `read_runs` returns; also a generator of them.
    judgments
        The judgments, such as `read_qrels` returns.
    depth
        The number of ranks of judged runs: longer ones are cut (after sorting), shorter ones end in nothing. By default
        that of the longest run.
    ties
        `"trec"` sorts by score, then by document identifier, both descending, and ignores the rank column; `"file"`
        keeps the order of the source. `"expected"`, `"min"` and `"max"` leave the order of documents of equal score
        open: scores are the mean, the least or the greatest value over all such orders. `"groups"` takes runs for weak
        orders: OIE has a value for these, other measures their mean. By default runs are weak orders for measures that
        are defined on them, which are ESL, ESLR and OIE, and in trec_eval's order for all others.
    precision
        `"single"` compares scores as 32-bit floats, as trec_eval did before version 10.
    missing_topics
        `"zero"` scores a topic that a system left out as an empty result; `"skip"` leaves it out of that system's
        averages, as trec_eval does without `-c`.
    grade_scale
        The scale that the grades are on: `"ordinal"`, or `"ratio"` if a grade 2 is worth twice a grade 1. By default
        that of the judgments, which is ordinal unless they were read with another. With three grades or more it decides
        whether sums of gains are on an interval scale.

    Examples
    --------
    >>> run = Results.from_mapping("a", {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}})
    >>> judged = judge([run], Judgments.from_mapping({"1": {"d1": 1, "d3": 2, "d4": 2}}))
    >>> judged.grades.tolist(), judged.recall_base.tolist()
    ([[[1, -1, 2]]], [3])
    """
    if depth is not None and (isinstance(depth, bool) or not hasattr(depth, "__index__") or depth < 1):
        raise ParameterError(f"depth must be a whole number from 1 up, not {depth!r}")
    rule = None if ties is None else _one_of(Ties, ties, "ties")
    compared = _one_of(Precision, precision, "precision")
    missing = _one_of(MissingTopics, missing_topics, "missing_topics")
    index = GradeIndex(judgments)
    judged: dict[str, _Judged] = {}
    for results in [runs] if isinstance(runs, Results) else runs:
        if results.name in judged:
            raise InputError(
                f"two systems are called {results.name!r}; rename one (read_run(…, name=…), or the run tag)"
            )
        judged[results.name] = _judge_one(results, index, depth, rule, compared)
    if not judged:
        raise InputError("no run to judge; name at least one")
    if grade_scale is not None:
        judgments = evolve(judgments, grade_scale=grade_scale)
    gathered = _gather(judged, judgments, depth, skip=missing is MissingTopics.SKIP)
    return gathered if rule is None or rule.over is None else gathered.opened(rule.over)


@frozen(eq=False)
class _Judged:
    """One system's cells, topic after topic in the order of the judgments, and the tails of groups that are cut."""

    cells: Cells
    lengths: IntArray
    tied: BoolArray | None
    tails: Cells
    tail_lengths: IntArray
    unjudged_topics: int
    top_judged: float
    caveats: tuple[Caveat, ...]


def _judge_one(
    results: Results, index: GradeIndex, depth: int | None, ties: Ties | None, precision: Precision
) -> _Judged:
    places = np.array([index.position.get(topic, -1) for topic in results.topics])
    shared = np.flatnonzero(places >= 0)
    if not len(shared):
        raise InputError(
            f"{results.source or results.name}: no topic in common with the judgments"
            f" (the run has {results.topics[0]!r}, …; the judgments {index.judgments.topics[0]!r}, …);"
            " are these files of one collection?"
        )
    topics = shared[np.argsort(places[shared])]
    ranking = rank(results, topics, ties, precision)
    cells, tied = index.cells(results)[ranking.rows], ranking.tied
    sizes = np.diff(results.bounds)[topics]
    firsts = np.cumsum(sizes) - sizes
    within = np.arange(len(cells)) - np.repeat(firsts, sizes)
    lengths, tail_lengths = np.zeros((2, len(index.position)), dtype=np.int64)
    lengths[places[topics]] = sizes
    top, tails = cells[within < TOP], cells[:0]
    if depth is not None and sizes.max() > depth:
        keep = within < depth
        lengths[places[topics]] = np.minimum(sizes, depth)
        if tied is not None:
            # a tie group that the depth cuts is kept whole, because any of its documents may stand within
            starts = within[np.maximum.accumulate(np.where(tied, 0, np.arange(len(cells))))]
            beyond = ~keep & (starts < depth)
            tails, tied = cells[beyond], tied[keep]
            tail_lengths[places[topics]] = np.add.reduceat(beyond, firsts, dtype=np.int64)
        cells = cells[keep]
    unjudged_topics = len(results.topics) - len(shared)
    known = float((top >= 0).mean())
    return _Judged(cells, lengths, tied, tails, tail_lengths, unjudged_topics, known, results.caveats)


def _gather(judged: dict[str, _Judged], judgments: Judgments, depth: int | None, *, skip: bool) -> JudgedRuns:
    lengths = np.stack([one.lengths for one in judged.values()])
    depth = depth or int(lengths.max())
    filled = np.arange(depth) < lengths[:, :, None]
    cells = np.full(filled.shape, NOTHING, dtype=np.int8)
    for s, one in enumerate(judged.values()):
        cells[s][filled[s]] = one.cells
    counts = _count_grades(judgments)
    return JudgedRuns(
        systems=tuple(judged),
        topics=judgments.topics,
        cells=cells,
        lengths=lengths,
        grade_counts=counts,
        ties=_kept_ties(judged.values(), filled),
        skip_missing=skip,
        caveats=(*judgments.caveats, *_suspicions(judged, judgments, counts, skip=skip)),
        judged_documents=_different(judgments),
        grade_scale=judgments.grade_scale,
    )


def _kept_ties(judged: Collection[_Judged], filled: BoolArray) -> KeptTies | None:
    """Return which documents have equal scores, if that is known."""
    bits = np.zeros((*filled.shape[:2], -(-filled.shape[2] // 8)), dtype=np.uint8)
    for s, one in enumerate(judged):
        if one.tied is None:
            return None
        tied = np.zeros(filled.shape[1:], dtype=bool)
        tied[filled[s]] = one.tied
        bits[s] = np.packbits(tied, axis=1)
    return KeptTies(bits, np.concatenate([one.tails for one in judged]), np.stack([one.tail_lengths for one in judged]))


def _different(judgments: Judgments) -> int:
    """Return how many different documents judgments name, whatever the topic."""
    documents = judgments.documents
    return len(set(documents)) if isinstance(documents, list) else documents.n_unique()


def _count_grades(judgments: Judgments) -> IntArray:
    cells = cells_of_grades(judgments.grades).astype(np.int64)
    topics = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.bounds))
    known = cells != POOLED
    width = max(1, int(cells.max(initial=0))) + 1
    flat = np.bincount(topics[known] * width + cells[known], minlength=len(judgments.topics) * width)
    return flat.reshape(-1, width)


def no_relevant(topics: Sequence[str], n: int, rel: int = 1, scored: str = "most measures score 0") -> Caveat:
    """Return the caveat that some of `n` topics have no relevant document.

    Parameters
    ----------
    topics
        The names of the topics that have none.
    n
        How many topics there are in all.
    rel
        The lowest grade that counts as relevant.
    scored
        What is scored there.

    Examples
    --------
    >>> print(no_relevant(["7", "9"], 50, scored="ESL(i=1) is 10,000"))
    2 of the 50 topics have no relevant document (topics 7, 9); ESL(i=1) is 10,000 there
    """
    names = f"{'topic' if len(topics) == 1 else 'topics'} {', '.join(topics[:5])}{', …' if len(topics) > 5 else ''}"
    have = "has" if len(topics) == 1 else "have"
    kind = f"document of grade {rel} or more" if rel > 1 else "relevant document"
    return Caveat(Doubt.NO_RELEVANT, f"{len(topics)} of the {n} topics {have} no {kind} ({names}); {scored} there")


def _suspicions(judged: dict[str, _Judged], judgments: Judgments, counts: IntArray, *, skip: bool) -> list[Caveat]:
    """Return what a reader of the scores should know about the data."""
    caveats: list[Caveat] = []
    n = len(judgments.topics)
    for name, one in judged.items():
        caveats.extend(one.caveats)
        missing = int((one.lengths == 0).sum())
        if missing:
            effect = "they are left out of its averages" if skip else "they count as empty results"
            caveats.append(
                Caveat(Doubt.MISSING_TOPICS, f"{name}: nothing for {missing} of the {n} judged topics; {effect}")
            )
        if one.unjudged_topics:
            text = f"{name}: {one.unjudged_topics} topics have no judgments and are ignored"
            caveats.append(Caveat(Doubt.UNJUDGED_TOPICS, text))
        if one.top_judged < FEW:
            share = f"only {one.top_judged:.1%} of its top {TOP} documents are judged"
            caveats.append(Caveat(Doubt.FEW_JUDGED, f"{name}: {share}; do the files belong together?"))
    barren = [topic for topic, count in zip(judgments.topics, counts[:, 1:].sum(axis=1), strict=True) if not count]
    if barren:
        caveats.append(no_relevant(barren, n))
    return caveats


def _one_of(choices: type[Choice], value: str, name: str) -> Choice:
    try:
        return choices(value)
    except ValueError:
        known = ", ".join(repr(str(choice)) for choice in choices)
        raise ParameterError(f"{name} must be one of {known}, not {value!r}") from None
