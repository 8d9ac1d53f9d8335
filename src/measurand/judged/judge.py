"""The join of runs and judgments: every returned document ranked and its grade looked up.

Ranking has one rule for every measure. `trec` sorts by score, best first, and documents of equal score by
identifier, last first, which is trec_eval's rule; the rank column plays no part. `file` keeps the order of the
source. All others, and no rule at all, sort like `trec` and remember which documents were tied, so that a measure
can look at every order of these.

Grades are looked up in two ways, with one answer: in dictionaries for documents that are lists of strings, and by
64-bit hashes in C for documents that are `Names` (a million in two hundredths of a second). Hashes only propose;
equality of the names decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, TypeVar

import numpy as np
from attrs import evolve, frozen

import measurand.native as native
from measurand.arrays import BoolArray, Cells, FloatArray, IntArray, Keys
from measurand.calls import option
from measurand.errors import CallError, Caveat, CaveatKind, InputError, ParameterError
from measurand.execution import ahead
from measurand.judged.content import Judgments, Results, bounds_of
from measurand.judged.grades import NOTHING, POOLED, UNJUDGED, cells_of_grades
from measurand.judged.names import Names
from measurand.judged.runs import JudgedRuns
from measurand.judged.tie_groups import KeptTies, OverTies
from measurand.scale import GradeScale

if TYPE_CHECKING:
    from measurand.judged.documents import RankedDocuments
    from measurand.judged.relevance import Relevance


@frozen(eq=False, repr=False)
class _Slots:
    """The judgments of all topics, by hash: each topic has a power of 2 of slots, one topic after the other."""

    names: Names
    offsets: IntArray
    slots: Keys


class GradeIndex:
    """The judgments, arranged for looking up; built once and used for every run."""

    def __init__(self, judgments: Judgments) -> None:
        self.judgments = judgments
        self.position = {topic: i for i, topic in enumerate(judgments.topics)}
        self._cells = cells_of_grades(judgments.codes)

    def cells(self, results: Results) -> Cells:
        """Return the cell of each returned document, row by row.

        Parameters
        ----------
        results
            What a system returned.
        """
        if isinstance(results.documents, list):
            return self._by_dictionary(results, results.documents)
        look_up, slots = native.function("look_up"), self._slots
        if look_up is None or slots is None:
            return self._by_dictionary(results, list(results.documents))
        groups = np.array([self.position.get(topic, -1) for topic in results.topics])
        cells = np.empty(len(results), dtype=self._cells.dtype)
        known = (*slots.names.arrays, self.judgments.bounds, slots.offsets, slots.slots, self._cells.view(np.uint8))
        missing = np.array([UNJUDGED], dtype=cells.dtype).view(np.uint8)
        look_up(*results.documents.arrays, results.bounds, groups, *known, missing, cells.view(np.uint8))
        return cells

    @cached_property
    def _dictionaries(self) -> dict[str, dict[str, int]]:
        documents, cells = list(self.judgments.documents), self._cells.tolist()
        return {
            topic: dict(zip(documents[start:stop], cells[start:stop], strict=True))
            for topic, (start, stop) in zip(
                self.judgments.topics, pairwise(self.judgments.bounds.tolist()), strict=True
            )
        }

    def _by_dictionary(self, results: Results, documents: list[str]) -> Cells:
        cells = np.full(len(documents), UNJUDGED, dtype=self._cells.dtype)
        for topic, (start, stop) in zip(results.topics, pairwise(results.bounds.tolist()), strict=True):
            known = self._dictionaries.get(topic)
            if known is not None:
                cells[start:stop] = [known.get(document, UNJUDGED) for document in documents[start:stop]]
        return cells

    @cached_property
    def _slots(self) -> _Slots | None:
        """What loops in C look up in; None without them, or if a document stands twice in a topic."""
        fill_slots = native.function("fill_slots")
        if fill_slots is None:
            return None
        names = Names.of(self.judgments.documents)
        sizes = [1 << max(2, (2 * size - 1).bit_length()) for size in np.diff(self.judgments.bounds).tolist()]
        offsets = bounds_of(sizes)
        slots = np.empty(int(offsets[-1]), dtype=np.uint64)
        repeat = fill_slots(*names.arrays, self.judgments.bounds, offsets, slots)
        return None if repeat >= 0 else _Slots(names, offsets, slots)


class Ties(StrEnum):
    """What to do with documents of equal score."""

    TREC = "trec"
    FILE = "file"
    EXPECTED = "expected"
    MIN = "min"
    MAX = "max"
    GROUPS = "groups"

    @property
    def over(self) -> OverTies | None:
        """What is taken of all orders of tied documents, if they are left open."""
        return None if self in (Ties.TREC, Ties.FILE) else OverTies(str(self))


class Precision(StrEnum):
    """How scores are compared: as doubles, or rounded to 32-bit floats as trec_eval did before 10."""

    DOUBLE = "double"
    SINGLE = "single"


@frozen(eq=False, repr=False)
class Ranking:
    """The rows of a run, best first within each topic, and which of them tie with the row before.

    Parameters
    ----------
    rows
        The rows, topic after topic.
    tied
        Which of them tie with the row before; None if that is not kept.
    is_whole
        Whether they are all rows of the run, as they stand there.
    """

    rows: IntArray
    tied: BoolArray | None
    is_whole: bool = False


def rank(results: Results, topics: IntArray, ties: Ties | None, precision: Precision) -> Ranking:
    """Return the rows of the topics at positions `topics`, topic after topic, best first.

    Parameters
    ----------
    results
        The documents and scores of a system.
    topics
        Positions in `results.topics`, in the order wanted.
    ties
        The rule; None is trec_eval's, and which documents tie is remembered.
    precision
        How scores are compared.

    Examples
    --------
    >>> results = Results.from_mapping("a", {"1": {"d1": 1.0, "d2": 3.0, "d3": 1.0}})
    >>> rank(results, np.array([0]), Ties.TREC, Precision.DOUBLE).rows.tolist()
    [1, 2, 0]
    """
    if ties is Ties.FILE:
        return Ranking(_gather(results.bounds, topics)[0], None)
    scores = results.document_scores
    if precision is Precision.SINGLE:
        with np.errstate(over="ignore"):  # beyond the range of single precision all scores tie
            scores = scores.astype(np.float32).astype(np.float64)
    keeps_ties = ties is None or ties.over is not None
    rank_rows = native.function("rank_rows")
    if rank_rows is None or isinstance(results.documents, list):
        return _ranked(results, topics, scores, keeps_ties)
    size = int(np.diff(results.bounds)[topics].sum())
    rows, tied = np.empty(size, dtype=np.int64), np.empty(size, dtype=bool)
    in_order = rank_rows(*results.documents.arrays, results.bounds, scores, topics, rows, tied)
    whole = in_order and size == len(results) and bool((np.diff(topics) == 1).all())
    return Ranking(rows, tied if keeps_ties else None, whole)


def _ranked(results: Results, topics: IntArray, scores: FloatArray, keeps_ties: bool) -> Ranking:
    """Return the ranking of documents that are a list of strings."""
    rows, sizes = _gather(results.bounds, topics)
    scores = scores[rows]
    first = np.zeros(len(rows), dtype=bool)
    first[np.cumsum(sizes) - sizes] = True
    # most runs arrive sorted: only topics where a score does not fall are touched
    amiss = ~first[1:] & ~(scores[1:] < scores[:-1])
    if amiss.any():
        order = _sorted(scores, first, amiss)
        rows, scores = rows[order], scores[order]
        order = _break_ties(results, rows, (scores[1:] == scores[:-1]) & ~first[1:])
        rows, scores = rows[order], scores[order]
    tied = None
    if keeps_ties:
        tied = np.concatenate(([False], (scores[1:] == scores[:-1]) & ~first[1:]))
    return Ranking(rows, tied)


def _gather(bounds: IntArray, topics: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows of some topics, topic after topic, and how many each has."""
    sizes = np.diff(bounds)[topics]
    if (np.diff(topics) == 1).all():
        return np.arange(bounds[topics[0]], bounds[topics[-1] + 1]), sizes
    before = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(bounds[topics] - before, sizes), sizes


def _sorted(scores: FloatArray, first: BoolArray, amiss: BoolArray) -> IntArray:
    """Return the order that puts every topic's scores best first, equal scores as they come."""
    order = np.arange(len(scores))
    starts = np.append(np.flatnonzero(first), len(scores))
    for topic in sorted(set((np.searchsorted(starts, np.flatnonzero(amiss), side="right") - 1).tolist())):
        span = slice(starts[topic], starts[topic + 1])
        order[span] = starts[topic] + np.argsort(-scores[span], kind="stable")
    return order


def _break_ties(results: Results, rows: IntArray, equal: BoolArray) -> IntArray:
    """Return the order that puts tied documents by identifier, last first, and moves nothing else.

    Parameters
    ----------
    equal
        Which rows, from the second on, tie with the row before them.
    """
    order = np.arange(len(rows))
    tied = np.concatenate(([False], equal))
    where = np.flatnonzero(np.concatenate((equal, [False])) | tied)
    if len(where):
        # a span of ties starts at each of these rows that is not tied with the one before it
        span = np.cumsum(~tied[where])
        order[where] = where[np.lexsort((_backwards(results, rows[where]), span))]
    return order


def _backwards(results: Results, rows: IntArray) -> IntArray:
    """Return numbers that order the documents at `rows` by identifier, last first."""
    names = [results.documents[row] for row in rows.tolist()]
    places = {name: -i for i, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names])


Choice = TypeVar("Choice", bound=StrEnum)

TOP = 10
FEW = 0.1
SEVERAL = 5

LARGE = 20_000
"""From so many documents on, threads that judge runs side by side are worth their start."""

MOST_COUNTS = 1 << 28
"""Grades times topics: so many numbers of documents fit into memory."""


class MissingTopics(StrEnum):
    """What a topic that a system left out counts for."""

    ZERO = "zero"
    SKIP = "skip"


TiesLike: TypeAlias = Literal["trec", "file", "expected", "min", "max", "groups"] | Ties
"""A rule for documents of equal score, by its name."""

PrecisionLike: TypeAlias = Literal["double", "single"] | Precision
"""How scores are compared, by its name."""

MissingTopicsLike: TypeAlias = Literal["zero", "skip"] | MissingTopics
"""What a topic that a system left out counts for, by its name."""


class JudgingOptions(TypedDict, total=False):
    """The options of `judge`, for functions that hand them on."""

    depth: int | None
    ties: TiesLike | None
    precision: PrecisionLike
    missing_topics: MissingTopicsLike
    grade_scale: GradeScale | None


def judge(
    runs: Iterable[Results] | Results,
    judgments: Judgments,
    *,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    documents: bool = True,
) -> JudgedRuns:
    """Return the grades of every run, rank by rank.

    Runs are taken one at a time and only their grades and the names of their documents are kept, so `runs` may be a
    generator over more than fits into memory.

    Parameters
    ----------
    runs
        The results of systems, or of one.
    judgments
        The relevance judgments; their topics, in their order, are those of the judged runs.
    depth
        How many ranks judged runs have: longer ones are cut (after sorting), shorter ones end in nothing.
        By default the longest decides.
    ties
        `"trec"` sorts by score, then by document identifier, both descending, and ignores the rank
        column; `"file"` keeps the order of the source. `"expected"`, `"min"` and `"max"` leave the order of
        documents of equal score open: scores are the mean, the least or the greatest value over all such
        orders. `"groups"` takes runs for weak orders: OIE has a value for these, other measures their mean.
        By default runs are weak orders for measures that are defined on them, which are ESL, ESLR and OIE, and in
        trec_eval's order for all others.
    precision
        `"single"` compares scores as 32-bit floats, as trec_eval did before version 10.
    missing_topics
        `"zero"` scores a topic that a system left out as an empty result; `"skip"` leaves it out of
        that system's averages, as trec_eval does without `-c`.
    grade_scale
        The scale that the grades are on: `"ordinal"`, or `"ratio"` if a grade 2 is worth twice a grade 1. By default
        what the judgments say of themselves, which is ordinal unless they were read with something else. With
        three grades or more it decides whether sums of gains are on an interval scale.
    documents
        Whether to keep which documents there were, for `JudgedRuns.same_documents` and for lists of documents to look
        at again: a fingerprint of eight bytes for each, its name, and the judgments.

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
    _check_read(judgments, Judgments, "judgments")
    one = partial(_judge_one, GradeIndex(judgments), depth, rule, compared, documents)
    judged: dict[str, _Judged] = {}
    for found in _side_by_side(one, _each(runs)):
        if found.name in judged:
            raise InputError(f"two systems are called {found.name!r}; rename one (read_run(…, name=…), or the run tag)")
        judged[found.name] = found
    if not judged:
        raise InputError("no run to judge; name at least one")
    if grade_scale is not None:
        judgments = evolve(judgments, grade_scale=grade_scale)
    gathered = _gathered(judged, judgments, depth, skip=missing is MissingTopics.SKIP, documents=documents)
    return gathered if rule is None or rule.over is None else gathered.opened(rule.over)


def _each(runs: Any) -> Iterator[Results]:
    """Return the results of systems one by one, or complain of what is none."""
    several = runs if isinstance(runs, Iterable) and not isinstance(runs, str) else [runs]
    for results in [runs] if isinstance(runs, Results) else several:
        _check_read(results, Results, "runs")
        yield results


def _side_by_side(one: Callable[[Results], _Judged], runs: Iterator[Results]) -> Iterator[_Judged]:
    """Return runs judged one after the other, or several at a time where loops in C do it outside Python's lock."""
    for results in runs:
        if native.is_there() and len(results) >= LARGE:
            yield from ahead(one, chain([results], runs))
            return
        judged = one(results)
        del results
        yield judged


def _check_read(given: object, kind: type, what: str) -> None:
    """Complain of what was not read, and say what reads it."""
    if not isinstance(given, kind):
        reads = 'measurand.judge("bm25.run", "qrels.txt") reads files, frames and dictionaries'
        raise CallError(f"{what} that were read are expected, not {type(given).__name__}; {reads}")


@frozen(eq=False, repr=False)
class _Judged:
    """One system's cells, topic after topic in the order of the judgments, and the tails of groups that are cut."""

    name: str
    cells: Cells
    lengths: IntArray
    tied: BoolArray | None
    tails: Cells
    tail_lengths: IntArray
    unjudged_topics: int
    top_judged: float
    documents: RankedDocuments | None
    caveats: tuple[Caveat, ...]


def _judge_one(
    index: GradeIndex, depth: int | None, ties: Ties | None, precision: Precision, documents: bool, results: Results
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
    rows: IntArray | slice = slice(None) if ranking.is_whole else ranking.rows
    cells, tied = index.cells(results)[rows], ranking.tied
    sizes = np.diff(results.bounds)[topics]
    firsts = np.cumsum(sizes) - sizes
    lengths, tail_lengths = np.zeros((2, len(index.position)), dtype=np.int64)
    lengths[places[topics]] = sizes
    known, tails = _top_judged(cells, firsts, sizes), cells[:0]
    if depth is not None and sizes.max() > depth:
        within = np.arange(len(cells)) - np.repeat(firsts, sizes)
        keep = within < depth
        lengths[places[topics]] = np.minimum(sizes, depth)
        if tied is not None:
            # a tie group that the depth cuts is kept whole, because any of its documents may stand within
            starts = within[np.maximum.accumulate(np.where(tied, 0, np.arange(len(cells))))]
            beyond = ~keep & (starts < depth)
            tails, tied = cells[beyond], tied[keep]
            tail_lengths[places[topics]] = np.add.reduceat(beyond, firsts, dtype=np.int64)
        rows, cells = ranking.rows[keep], cells[keep]
    unjudged = len(results.topics) - len(shared)
    kept = _documents(results, rows, lengths) if documents else None
    return _Judged(results.name, cells, lengths, tied, tails, tail_lengths, unjudged, known, kept, results.caveats)


def _top_judged(cells: Cells, firsts: IntArray, sizes: IntArray) -> float:
    """Return the share of judged documents among the first few of all topics."""
    within = np.arange(min(TOP, int(sizes.max())))
    top = (firsts[:, None] + within)[within < sizes[:, None]]
    return float((cells[top] >= 0).mean())


def _documents(results: Results, rows: IntArray | slice, lengths: IntArray) -> RankedDocuments:
    from measurand.judged.documents import ranked_documents  # an evaluation does without

    return ranked_documents(results, rows, lengths)


def _gathered(
    judged: dict[str, _Judged], judgments: Judgments, depth: int | None, *, skip: bool, documents: bool
) -> JudgedRuns:
    lengths = np.stack([one.lengths for one in judged.values()])
    depth = depth or int(lengths.max())
    cells = np.full((*lengths.shape, depth), NOTHING, dtype=next(iter(judged.values())).cells.dtype)
    for s, one in enumerate(judged.values()):
        _spread(one.cells, lengths[s], cells[s])
    counts = _count_grades(judgments)
    return JudgedRuns(
        systems=tuple(judged),
        topics=judgments.topics,
        cells=cells,
        lengths=lengths,
        grade_counts=counts,
        ties=_kept_ties(judged.values(), cells.shape),
        skip_missing=skip,
        caveats=(*judgments.caveats, *_suspicions(judged, judgments, counts, skip=skip)),
        judged_documents=_different(judgments),
        grade_scale=judgments.grade_scale,
        ranked_documents=_ranked_documents(judged.values()),
        judgments=judgments if documents else None,
        relevance=judgments.relevance,
    )


def _ranked_documents(judged: Collection[_Judged]) -> tuple[RankedDocuments, ...] | None:
    """Return which documents each system returned, if that was kept."""
    kept = tuple(one.documents for one in judged if one.documents is not None)
    return kept or None


def _kept_ties(judged: Collection[_Judged], shape: tuple[int, ...]) -> KeptTies | None:
    """Return which documents have equal scores, if that is known."""
    bits = np.zeros((*shape[:2], -(-shape[2] // 8)), dtype=np.uint8)
    for s, one in enumerate(judged):
        if one.tied is None:
            return None
        if one.tied.any():
            tied = np.zeros(shape[1:], dtype=bool)
            _spread(one.tied, one.lengths, tied)
            bits[s] = np.packbits(tied, axis=1)
    return KeptTies(bits, np.concatenate([one.tails for one in judged]), np.stack([one.tail_lengths for one in judged]))


def _spread(values: Cells | BoolArray, lengths: IntArray, table: Cells | BoolArray) -> None:
    """Write values that stand topic after topic into the rows of a table, as far as each topic goes."""
    if (lengths == table.shape[1]).all():
        table.reshape(-1)[:] = values
    else:
        table[np.arange(table.shape[1]) < lengths[:, None]] = values


def _different(judgments: Judgments) -> int:
    """Return how many different documents judgments name, whatever the topic."""
    documents, count_different = judgments.documents, native.function("count_different")
    if isinstance(documents, list) or count_different is None:
        return len(set(documents))
    return int(count_different(*documents.arrays))


def _count_grades(judgments: Judgments) -> IntArray:
    cells = cells_of_grades(judgments.codes).astype(np.int64)
    topics = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.bounds))
    known = cells != POOLED
    width = max(1, int(cells.max(initial=0))) + 1
    if width * len(judgments.topics) > MOST_COUNTS:
        many = f"{width - 1:,} different grades on {len(judgments.topics):,} topics are too many to count"
        raise InputError(f"{many}; round the grades, to two decimals for instance")
    flat = np.bincount(topics[known] * width + cells[known], minlength=len(judgments.topics) * width)
    return flat.reshape(-1, width)


def no_relevant(topics: Sequence[str], n: int, rel: str = "", scored: str = "most measures score 0") -> Caveat:
    """Return the caveat that some of `n` topics have no relevant document.

    Parameters
    ----------
    topics
        The names of the topics that have none.
    n
        How many topics there are in all.
    rel
        The lowest grade that counts as relevant, as it is written, where it is not the usual one.
    scored
        What is scored there.

    Examples
    --------
    >>> print(no_relevant(["7", "9"], 50, scored="ESL(i=1) is 10,000"))
    2 of the 50 topics have no relevant document (topics 7, 9); ESL(i=1) is 10,000 there
    """
    names = f"{'topic' if len(topics) == 1 else 'topics'} {', '.join(topics[:5])}{', …' if len(topics) > 5 else ''}"
    have = "has" if len(topics) == 1 else "have"
    kind = f"document of grade {rel} or more" if rel else "relevant document"
    return Caveat(CaveatKind.NO_RELEVANT, f"{len(topics)} of the {n} topics {have} no {kind} ({names}); {scored} there")


def _suspicions(judged: dict[str, _Judged], judgments: Judgments, counts: IntArray, *, skip: bool) -> list[Caveat]:
    """Return what a reader of the scores should know about the data."""
    caveats: list[Caveat] = []
    n = len(judgments.topics)
    # where a topic has a judgment or two, as in MS MARCO, no run can have many judged documents
    possible = float(np.minimum(counts.sum(axis=1), TOP).mean() / TOP)
    for name, one in judged.items():
        caveats.extend(one.caveats)
        missing = int((one.lengths == 0).sum())
        if missing:
            effect = "they are left out of its averages" if skip else "they count as empty results"
            caveats.append(
                Caveat(CaveatKind.MISSING_TOPICS, f"{name}: nothing for {missing} of the {n} judged topics; {effect}")
            )
        if one.unjudged_topics:
            have, are = ("topic has", "is") if one.unjudged_topics == 1 else ("topics have", "are")
            text = f"{name}: {one.unjudged_topics} {have} no judgments and {are} ignored"
            caveats.append(Caveat(CaveatKind.UNJUDGED_TOPICS, text))
        if one.top_judged < FEW * possible:
            share = f"only {one.top_judged:.1%} of its top {TOP} documents are judged"
            caveats.append(Caveat(CaveatKind.FEW_JUDGED, f"{name}: {share}; do the files belong together?"))
    relevance = judgments.relevance
    lowest = 1 if relevance is None else relevance.level_from()
    relevant = counts[:, lowest:].sum(axis=1)
    barren = [topic for topic, count in zip(judgments.topics, relevant, strict=True) if not count]
    if barren:
        caveats.append(no_relevant(barren, n))
    if relevance is not None and not relevance.is_whole:
        caveats.append(_half(relevance))
        # scores of a run hardly repeat in a topic, and grades of judges do
        if counts.sum() >= SEVERAL * n and counts[:, 1:].max() == 1:
            text = "no two documents of a topic have the same grade above 0, as if these were scores"
            caveats.append(Caveat(CaveatKind.GRADES, f"{text}; is this a run, in the place of judgments?"))
    return caveats


def _half(relevance: Relevance) -> Caveat:
    """Return the caveat that of grades that are no whole numbers, the upper half counts as relevant."""
    from measurand.exact import decimal

    highest, half = decimal(relevance.grades[-1]), decimal(relevance.threshold)
    text = f"some grades are no whole numbers; from {half} up, half of the highest grade, documents count as relevant"
    return Caveat(CaveatKind.GRADES, f"{text}, unless a measure sets another grade, as AP(rel={highest}) does")


def _one_of(choices: type[Choice], value: str, name: str) -> Choice:
    return choices(option(name, value, choices))
