"""The join of runs and judgments: every returned document ranked and its grade looked up.

Ranking has one rule for every measure (`measurand.judged.ranking`); grades are looked up in `GradeIndex`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, TypeVar

import numpy as np
from attrs import evolve, frozen

import measurand.native as native
from measurand.arrays import BoolArray, Cells, IntArray
from measurand.calls import option
from measurand.display.wording import counted
from measurand.errors import CallError, Caveat, CaveatKind, InputError, quoted
from measurand.exact import whole_number
from measurand.execution import ahead
from measurand.execution.memory import check_memory
from measurand.judged.content import Judgments, Results
from measurand.judged.grade_index import GradeIndex
from measurand.judged.grades import NOTHING, POOLED, cells_of_grades
from measurand.judged.ragged import Ragged, is_sparse, spread
from measurand.judged.ranking import Precision, Ties, rank
from measurand.judged.runs import JudgedRuns
from measurand.judged.tie_groups import KeptTies
from measurand.scale import GradeScale

if TYPE_CHECKING:
    from measurand.judged.documents import RankedDocuments
    from measurand.judged.relevance import Relevance


Choice = TypeVar("Choice", bound=StrEnum)

TOP = 10
FEW = 0.1
SEVERAL = 5

LARGE = 20_000
"""From so many documents on, threads that judge runs side by side are worth their start."""

MOST_COUNTS = 1 << 28
"""Grades times topics: so many numbers of documents fit into memory."""


SCORED = 10
"""About so many bytes a rank of a ranking takes, while it is scored."""


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
    judging = Judging(
        judgments,
        depth=depth,
        ties=ties,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
        documents=documents,
    )
    judged: dict[str, JudgedRun] = {}
    for found in _side_by_side(judging.one, _each(runs)):
        if found.name in judged:
            raise InputError(f"two systems are called {found.name!r}; rename one (read_run(…, name=…), or the run tag)")
        judged[found.name] = found
    if not judged:
        raise InputError("no run to judge; name at least one")
    return judging.together(judged)


def _each(runs: Any) -> Iterator[Results]:
    """Return the results of systems one by one, or complain of what is none."""
    several = runs if isinstance(runs, Iterable) and not isinstance(runs, str) else [runs]
    for results in [runs] if isinstance(runs, Results) else several:
        _check_read(results, Results, "runs")
        yield results


def _side_by_side(one: Callable[[Results], JudgedRun], runs: Iterator[Results]) -> Iterator[JudgedRun]:
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


@frozen
class RunFacts:
    """What makes a run suspicious.

    Parameters
    ----------
    missing
        How many topics of the judgments it left out.
    unjudged_topics
        How many of its topics have no judgments.
    top_judged
        The share of judged documents among the first few of all topics.
    caveats
        What is to be known of it from reading it.
    """

    missing: int
    unjudged_topics: int
    top_judged: float
    caveats: tuple[Caveat, ...]


@frozen(eq=False, repr=False)
class JudgedRun:
    """One system's cells, topic after topic in the order of the judgments, and the tails of groups that are cut.

    Parameters
    ----------
    name
        The name of the system.
    cells
        What stands at each rank, topic after topic.
    lengths
        How many ranks each topic has; 0 for those that the system left out.
    tied
        Which documents have the score of the one before; None if that is not kept.
    tails, tail_lengths
        The rest of each tie group that the depth cuts, topic after topic, and how long it is.
    unjudged_topics
        How many topics of the run have no judgments.
    top_judged
        The share of judged documents among the first few of all topics.
    documents
        Which documents there were; None if that is not kept.
    caveats
        What is to be known of the run.
    """

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

    @property
    def facts(self) -> RunFacts:
        """What makes the run suspicious."""
        return RunFacts(int((self.lengths == 0).sum()), self.unjudged_topics, self.top_judged, self.caveats)


class Judging:
    """How runs are judged, with the judgments arranged for it; made once and used for every run.

    Parameters
    ----------
    judgments
        The relevance judgments.
    depth, ties, precision, missing_topics, grade_scale, documents
        As for `judge`.

    Examples
    --------
    >>> judging = Judging(Judgments.from_mapping({"1": {"d1": 1}, "2": {"d1": 2}}))
    >>> one = judging.one(Results.from_mapping("a", {"2": {"d1": 3.0, "d2": 2.0}}))
    >>> judging.on_its_topics(one).grades.tolist(), judging.together({"a": one}).grades.tolist()
    ([[[2, -1]]], [[[-2, -2], [2, -1]]])
    """

    def __init__(
        self,
        judgments: Judgments,
        *,
        depth: int | None = None,
        ties: TiesLike | None = None,
        precision: PrecisionLike = "double",
        missing_topics: MissingTopicsLike = "zero",
        grade_scale: GradeScale | None = None,
        documents: bool = False,
    ) -> None:
        self.depth = None if depth is None else whole_number("depth", depth)
        self.documents = documents
        self.ties = None if ties is None else _one_of(Ties, ties, "ties")
        self.precision = _one_of(Precision, precision, "precision")
        self.skip = _one_of(MissingTopics, missing_topics, "missing_topics") is MissingTopics.SKIP
        _check_read(judgments, Judgments, "judgments")
        self.judgments = judgments if grade_scale is None else evolve(judgments, grade_scale=grade_scale)
        self.index = GradeIndex(judgments)

    @cached_property
    def counts(self) -> IntArray:
        """How many judged documents of each grade each topic has."""
        return _count_grades(self.judgments)

    @cached_property
    def _different(self) -> int:
        """How many different documents the judgments name, whatever the topic."""
        documents, count_different = self.judgments.documents, native.function("count_different")
        if isinstance(documents, list) or count_different is None:
            return len(set(documents))
        return int(count_different(*documents.arrays))

    def places_of(self, results: Results) -> IntArray:
        """Return the place of each topic of a run among those of the judgments, -1 where it has none.

        Parameters
        ----------
        results
            What a system returned.
        """
        return np.array([self.index.position.get(topic, -1) for topic in results.topics])

    def one(self, results: Results) -> JudgedRun:
        """Return one run, judged.

        Parameters
        ----------
        results
            What a system returned.
        """
        places = self.places_of(results)
        shared = np.flatnonzero(places >= 0)
        if not len(shared):
            raise nothing_in_common(results.source or results.name, results.topics[0], self.judgments)
        topics = shared[np.argsort(places[shared])]
        ranking = rank(results, topics, self.ties, self.precision)
        rows: IntArray | slice = slice(None) if ranking.is_whole else ranking.rows
        cells, tied = self.index.cells(results)[rows], ranking.tied
        sizes = np.diff(results.bounds)[topics]
        firsts = np.cumsum(sizes) - sizes
        lengths, tail_lengths = np.zeros((2, len(self.judgments.topics)), dtype=np.int64)
        lengths[places[topics]] = sizes
        known, tails = _top_judged(cells, firsts, sizes), cells[:0]
        if self.depth is not None and sizes.max() > self.depth:
            within = np.arange(len(cells)) - np.repeat(firsts, sizes)
            keep = within < self.depth
            lengths[places[topics]] = np.minimum(sizes, self.depth)
            if tied is not None:
                # a tie group that the depth cuts is kept whole, because any of its documents may stand within
                starts = within[np.maximum.accumulate(np.where(tied, 0, np.arange(len(cells))))]
                beyond = ~keep & (starts < self.depth)
                tails, tied = cells[beyond], tied[keep]
                tail_lengths[places[topics]] = np.add.reduceat(beyond, firsts, dtype=np.int64)
            rows, cells = ranking.rows[keep], cells[keep]
        unjudged = len(results.topics) - len(shared)
        kept = _documents(results, rows, lengths) if self.documents else None
        return JudgedRun(
            results.name, cells, lengths, tied, tails, tail_lengths, unjudged, known, kept, results.caveats
        )

    def together(self, judged: Mapping[str, JudgedRun], depth: int | None = None) -> JudgedRuns:
        """Return judged runs of several systems, on all topics of the judgments.

        Parameters
        ----------
        judged
            The run of each system, by its name.
        depth
            How many ranks they have, where they were cut to fewer than they were judged to.
        """
        caveats = self.suspicions({name: one.facts for name, one in judged.items()})
        return self._runs(judged, self.judgments.topics, self.counts, caveats, depth)

    def suspicions(self, runs: Mapping[str, RunFacts]) -> tuple[Caveat, ...]:
        """Return what a reader of the scores of some runs should know about the data.

        Parameters
        ----------
        runs
            What makes each run suspicious, by its name.
        """
        return (*self.judgments.caveats, *_suspicions(runs, self.judgments, self.counts, skip=self.skip))

    def on_its_topics(self, one: JudgedRun) -> JudgedRuns:
        """Return the judged run of one system on those topics alone for which it returned anything.

        Parameters
        ----------
        one
            The run.
        """
        places = np.flatnonzero(one.lengths)
        lengths, tails = one.lengths[places], one.tail_lengths[places]
        topics = tuple(self.judgments.topics[place] for place in places.tolist())
        return self._runs(
            {one.name: evolve(one, lengths=lengths, tail_lengths=tails)}, topics, self.counts[places], one.caveats
        )

    def on_no_topics(self) -> JudgedRuns:
        """Return the judged run of a system that returned nothing on any topic."""
        cells, lengths = np.zeros(0, dtype=self.index.dtype), np.zeros(len(self.judgments.topics), dtype=np.int64)
        tied = np.zeros(0, dtype=bool) if self.ties is None or self.ties.over is not None else None
        empty = JudgedRun("", cells, lengths, tied, cells, lengths, 0, 0.0, None, ())
        return self._runs({"": empty}, self.judgments.topics, self.counts, ())

    def _runs(
        self,
        judged: Mapping[str, JudgedRun],
        topics: tuple[str, ...],
        counts: IntArray,
        caveats: tuple[Caveat, ...],
        depth: int | None = None,
    ) -> JudgedRuns:
        lengths = np.stack([one.lengths for one in judged.values()])
        longest = max(1, int(lengths.max(initial=0)))
        depth = depth or self.depth or longest
        if depth > longest:
            check_memory(
                SCORED * lengths.size * depth,
                f"{depth:,} ranks for each of {counted(lengths.size, 'ranking')}",
                f"take a smaller depth: the longest ranking has {longest:,}",
            )
        runs = JudgedRuns(
            systems=tuple(judged),
            topics=topics,
            cells=_table([one.cells for one in judged.values()], lengths, depth),
            lengths=lengths,
            grade_counts=counts,
            ties=_kept_ties(judged.values(), lengths, depth),
            skip_missing=self.skip,
            caveats=caveats,
            judged_documents=self._different,
            grade_scale=self.judgments.grade_scale,
            ranked_documents=_ranked_documents(judged.values()),
            judgments=self.judgments if self.documents else None,
            relevance=self.judgments.relevance,
        )
        return runs if self.ties is None or self.ties.over is None else runs.opened(self.ties.over)


def nothing_in_common(source: str, topic: str, judgments: Judgments) -> InputError:
    """Return the complaint that a run and the judgments have no topic in common.

    Parameters
    ----------
    source
        What the run is called, or its file.
    topic
        A topic of the run.
    judgments
        The judgments.
    """
    return InputError(
        f"{source}: no topic in common with the judgments"
        f" (the run has {quoted(topic)}, …; the judgments {quoted(judgments.topics[0])}, …);"
        " are these files of one collection?"
    )


def _top_judged(cells: Cells, firsts: IntArray, sizes: IntArray) -> float:
    """Return the share of judged documents among the first few of all topics."""
    within = np.arange(min(TOP, int(sizes.max())))
    top = (firsts[:, None] + within)[within < sizes[:, None]]
    return float((cells[top] >= 0).mean())


def _documents(results: Results, rows: IntArray | slice, lengths: IntArray) -> RankedDocuments:
    from measurand.judged.documents import ranked_documents  # an evaluation does without

    return ranked_documents(results, rows, lengths)


def _ranked_documents(judged: Collection[JudgedRun]) -> tuple[RankedDocuments, ...] | None:
    """Return which documents each system returned, if that was kept."""
    kept = tuple(one.documents for one in judged if one.documents is not None)
    return kept or None


def _table(cells: Sequence[Cells], lengths: IntArray, depth: int) -> Cells | Ragged:
    """Return the cells of all systems as a table, or as rows where it would be large and nearly empty."""
    if is_sparse(lengths, depth, cells[0].itemsize):
        return Ragged(np.concatenate(cells), lengths, depth)
    table = np.full((*lengths.shape, depth), NOTHING, dtype=cells[0].dtype)
    for values, numbers, rows in zip(cells, lengths, table, strict=True):
        spread(values, numbers, rows)
    return table


def _kept_ties(judged: Collection[JudgedRun], lengths: IntArray, depth: int) -> KeptTies | None:
    """Return which documents have equal scores, if that is known."""
    known = [one.tied for one in judged if one.tied is not None]
    if len(known) < len(judged):
        return None
    tails = np.concatenate([one.tails for one in judged]), np.stack([one.tail_lengths for one in judged])
    return KeptTies.flat(known, lengths, depth, *tails)


def _count_grades(judgments: Judgments) -> IntArray:
    cells = cells_of_grades(judgments.codes).astype(np.int64)
    topics = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.bounds))
    known = cells != POOLED
    width = max(1, int(cells.max(initial=0))) + 1
    if width * len(judgments.topics) > MOST_COUNTS:
        many = f"{width - 1:,} different grades on {len(judgments.topics):,} topics are too many to count"
        raise InputError(f"{many}; round the grades, to two decimals for instance")
    check_memory(
        2 * 8 * width * len(judgments.topics),
        f"counts of {width - 1:,} different grades on {len(judgments.topics):,} topics",
        "round the grades, to two decimals for instance",
    )
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


def _suspicions(runs: Mapping[str, RunFacts], judgments: Judgments, counts: IntArray, *, skip: bool) -> list[Caveat]:
    """Return what a reader of the scores should know about the data."""
    caveats: list[Caveat] = []
    n = len(judgments.topics)
    # where a topic has a judgment or two, as in MS MARCO, no run can have many judged documents
    possible = float(np.minimum(counts.sum(axis=1), TOP).mean() / TOP)
    for name, one in runs.items():
        caveats.extend(one.caveats)
        missing = one.missing
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
