"""Conventions of the published tables: average precision in doubles, Tukey's range with infinite degrees of freedom.

`AS_PUBLISHED` is both, for `measurand.scale_effect(…, conventions=AS_PUBLISHED)`. The authors' program adds the
precisions at relevant ranks from left to right, in doubles, and ranks a run by its sum among the different sums of
all runs, of which there are more than there are exact values. `count_sums` finds these ranks: there are 2^30 sums at
30 ranks, and they are made and sorted a stretch of the range at a time.

References
----------
[FerranteFerroFuhr2021]_, tables 2 to 6, which come out with both conventions
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, valued
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import ratio, whole_number
from measurand.execution import Progress, ahead, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.average_precision import AveragePrecision
from measurand.native import accelerated
from measurand.papers.fff2021.doubles import undivided
from measurand.scale import Scale
from measurand.scales import Conventions
from measurand.scales.raw_and_interval import AS_RANKS, RawAndInterval
from measurand.scores import Scores

DEEPEST = 30
"""At this depth counting takes minutes, and each further rank doubles that."""

TAIL = 15
"""The last ranks, so many of them, are gone through for each way in which runs can begin."""

BLOCK = 1 << 25
"""So many sums are held at a time, by each of two threads."""

STEPS = 1 << 12
"""The range of sums is cut into blocks at multiples of 1 divided by this."""

SLACK = 1 + 1e-9
"""What can still be added is overrated by so much, so that rounding leaves nothing out."""


@frozen(kw_only=True, eq=False, repr=False)
class CountedSums(Result):
    """Given sums among all those that runs of a depth come to in doubles.

    Parameters
    ----------
    depth
        How many ranks runs have.
    size
        How many different doubles there are.
    sums
        The sums that were asked for, each once and in ascending order.
    ranks
        The place of each among the different doubles, from 1.
    below, tied
        How many runs have a smaller sum, and how many have this one.
    """

    depth: int
    size: int
    sums: FloatArray = field(repr=False)
    ranks: IntArray = field(repr=False)
    below: IntArray = field(repr=False)
    tied: IntArray = field(repr=False)

    def document(self) -> Document:
        """Return the sums that were asked for, with their ranks and how many runs are below and level."""
        columns = [valued(name, place) for place, name in enumerate(("sum", "rank", "runs below", "runs with it"))]
        rows = zip(*(each.tolist() for each in (self.sums, self.ranks, self.below, self.tied)), strict=True)
        title = f"{self.size:,} different doubles that runs of {self.depth} ranks come to"
        return Document([TableView(columns, list(rows), title=title)])

    @property
    def mid(self) -> FloatArray:
        """The mean rank of the runs that have a sum, among all runs.

        Examples
        --------
        >>> count_sums(3, np.array([0.0, 0.5, 1.0])).mid.tolist()
        [1.0, 3.0, 4.0]
        """
        return np.asarray(self.below + (self.tied + 1) / 2)


def count_sums(
    depth: int, sums: FloatArray | None = None, *, progress: Progress = silent, block: int = BLOCK
) -> CountedSums:
    """Return where sums of precisions at relevant ranks stand among those of all runs, as doubles tell them apart.

    Parameters
    ----------
    depth
        How many ranks runs have, 30 at most.
    sums
        Sums of count / rank over relevant ranks, added from left to right in doubles; none if only the number of
        different doubles is asked for.
    progress
        Shows how far the blocks are.
    block
        How many sums are held at a time by each of two threads, unless more lie in one step of the range.

    Examples
    --------
    >>> found = count_sums(6, np.array([0.0, 2.1, 6.0]))
    >>> found.size, found.ranks.tolist(), found.tied.tolist()
    (56, [1, 29, 56], [1, 1, 1])
    >>> count_sums(6).size
    56

    Notes
    -----
    The exact values of average precision are fewer: 54 at 6 ranks, where 1 + 2/4 + 3/5 and 1/3 + 2/4 + 3/5 + 4/6 are
    one number and two doubles.
    """
    if whole_number("depth", depth) > DEEPEST:
        raise NotAvailable(
            f"the doubles that average precision comes to on runs of {depth} ranks are too many to count;"
            f" look at {DEEPEST} ranks at most"
        )
    asked = np.unique([] if sums is None else sums)
    blocks = list(_blocks(depth, block))
    count = partial(_count, depth, asked)
    found = list(progress(ahead(count, blocks), len(blocks), "different doubles of average precision"))
    sizes, ranks, below, tied = zip(*found, strict=True)
    if not all(each.all() for each in tied):
        raise ParameterError(f"no run of {depth} ranks comes to one of these numbers, added up from left to right")
    # what was found within a block stands above all blocks before it
    return CountedSums(
        depth=depth,
        size=sum(sizes),
        sums=asked,
        ranks=np.concatenate([rank + sum(sizes[:place]) for place, rank in enumerate(ranks)]),
        below=np.concatenate([lower + sum(b.runs for b in blocks[:place]) for place, lower in enumerate(below)]),
        tied=np.concatenate(tied),
    )


@frozen
class _Block:
    """A stretch of the range, from `low` to below `high`, with how many runs have their sum there."""

    low: float
    high: float
    runs: int


def _blocks(depth: int, most: int) -> Iterator[_Block]:
    """Return stretches of the range with about as many runs as may be held, in ascending order."""
    histogram = np.zeros(STEPS * (depth + 1), dtype=np.int64)
    _count_in_steps(*_begun(depth), depth, _terms(depth), float(STEPS), histogram)
    edges, held = [0], 0
    for place, runs in enumerate(histogram.tolist()):
        if held and held + runs > most:
            edges.append(place)
            held = 0
        held += runs
    for low, high in pairwise([*edges, len(histogram)]):
        yield _Block(low / STEPS, high / STEPS, int(histogram[low:high].sum()))


def _count(depth: int, asked: FloatArray, block: _Block) -> tuple[int, IntArray, IntArray, IntArray]:
    """Return how many different doubles a block has, and ranks and shares of what was asked for there."""
    held = np.empty(block.runs)
    _fill_block(*_begun(depth), depth, _terms(depth), _rest(depth), block.low, block.high, held)
    held.sort()
    mine = asked[(asked >= block.low) & (asked < block.high)]
    ranks, below, tied = (np.zeros(len(mine), dtype=np.int64) for _ in range(3))
    return _rank_sums(held, mine, ranks, below, tied), ranks, below, tied


def _terms(depth: int) -> FloatArray:
    """Return the precision at a rank with so many relevant documents down to it: rank × count."""
    ranks = np.maximum(np.arange(depth + 1.0), 1.0)
    return np.asarray(np.arange(depth + 2.0) / ranks[:, None])


def _rest(depth: int) -> FloatArray:
    """Return the most that can be added from a rank on after so many relevant documents: rank × count."""
    terms, rest = _terms(depth), np.zeros((depth + 2, depth + 2))
    for rank in range(depth, 0, -1):
        rest[rank, :-1] = terms[rank, 1:] + rest[rank + 1, 1:]
    return rest * SLACK


def _begun(depth: int) -> tuple[int, FloatArray, IntArray]:
    """Return the first rank of the tail, and the sums and counts of all ways in which runs can begin."""
    first, terms = max(depth - TAIL, 0) + 1, _terms(depth)
    sums, counts = np.zeros(1), np.zeros(1, dtype=np.int64)
    for rank in range(1, first):
        sums = np.concatenate([sums, sums + terms[rank, counts + 1]])
        counts = np.concatenate([counts, counts + 1])
    return first, sums, counts


@accelerated
def _count_in_steps(
    first: int, sums: FloatArray, counts: IntArray, depth: int, terms: FloatArray, steps: float, found: IntArray
) -> None:
    """Count the runs whose sum lies in each step of the range."""
    for total, count in zip(sums.tolist(), counts.tolist(), strict=True):
        now, seen = np.array([total]), np.array([count])
        for rank in range(first, depth + 1):
            now = np.stack([now, now + terms[rank, seen + 1]], axis=1).reshape(-1)
            seen = np.stack([seen, seen + 1], axis=1).reshape(-1)
        found += np.bincount((now * steps).astype(np.int64), minlength=len(found))


@accelerated
def _fill_block(
    first: int, sums: FloatArray, counts: IntArray, depth: int, terms: FloatArray, rest: FloatArray, low: float,
    high: float, held: FloatArray,
) -> int:  # fmt: skip
    """Write down the sums from `low` to below `high`, dropping beginnings that cannot come there; return how many."""
    written = 0
    for total, count in zip(sums.tolist(), counts.tolist(), strict=True):
        now, seen = np.array([total]), np.array([count])
        for rank in range(first, depth + 1):
            more = now + terms[rank, seen + 1]
            # adding more never makes a sum of doubles smaller
            kept = np.stack(
                [now + rest[rank + 1, seen] >= low, (more < high) & (more + rest[rank + 1, seen + 1] >= low)], axis=1
            )
            now, seen = np.stack([now, more], axis=1)[kept], np.stack([seen, seen + 1], axis=1)[kept]
        inside = now[(low <= now) & (now < high)]
        held[written : written + len(inside)] = inside
        written += len(inside)
    return written


@accelerated
def _rank_sums(held: FloatArray, asked: FloatArray, ranks: IntArray, below: IntArray, tied: IntArray) -> int:
    """Return how many different numbers there are, in ascending order, and note where those asked for stand."""
    first = np.concatenate([[True], held[1:] != held[:-1]])[: len(held)]
    begins = np.flatnonzero(first)
    low, high = (np.searchsorted(held, asked, side=side) for side in ("left", "right"))
    there = low < high
    ranks[there], below[there] = np.searchsorted(begins, low[there]) + 1, low[there]
    tied += high - low
    return len(begins)


def average_precision_in_doubles(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> RawAndInterval:
    """Return the scores of runs under average precision in doubles, and their ranks among the doubles of all runs.

    Parameters
    ----------
    measure
        Average precision with its cutoff.
    judged
        The judged runs; shorter ones are filled up with nonrelevant documents.
    progress
        Shows how far the counting is.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> judged = JudgedRuns.on_one_topic([(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)], (6, 6))
    >>> found = average_precision_in_doubles(AP @ 6, judged)
    >>> found.ranked.values.tolist(), found.mid.values.tolist()
    ([[28.0], [29.0]], [[35.0], [36.0]])
    """
    if not isinstance(measure, AveragePrecision) or measure.cutoff is None or measure.judged_only:
        raise ParameterError(f"doubles of all runs are counted for average precision with a cutoff, not {measure!r}")
    exact = measure.scores(judged)
    sums = np.stack(
        [undivided(measure, judged.cells[:, topic], pool) for topic, pool in enumerate(judged.pools)], axis=1
    )
    counted = count_sums(measure.cutoff, sums, progress=progress)
    place = np.searchsorted(counted.sums, sums)
    left_out = np.isnan(exact.values)

    def scores(values: FloatArray | IntArray, *history: str) -> Scores:
        return evolve(exact, values=np.where(left_out, np.nan, values), history=history, exact=None)

    among = f"ranks among {counted.size:,} doubles of {measure!r}", AS_RANKS
    bases = judged.recall_bases(measure.lowest)
    return RawAndInterval(
        measure=measure,
        raw=scores(ratio(sums, bases[None, :].astype(float))),
        ranked=evolve(scores(counted.ranks[place], *among), scale=Scale.INTERVAL),
        mid=scores(counted.mid[place], *among),
        surrogate=True,
        caveats=exact.caveats,
    )


IN_DOUBLES, WITH_INFINITE_DF = Conventions(average_precision_in_doubles), Conventions(infinite_df=True)
"""Each of the two conventions of the published tables by itself."""

AS_PUBLISHED = Conventions(average_precision_in_doubles, infinite_df=True)
"""The conventions of the published tables."""
