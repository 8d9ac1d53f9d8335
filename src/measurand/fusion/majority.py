"""Majorities: of any two documents, the one that more runs put above the other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.fusion.pool import Pool

LARGEST = 30_000
"""A topic with more documents than this has too many pairs of them."""

BLOCK = 256
"""So many documents are compared with all others at a time."""

TELEPORT = 0.05
"""How often the walk of MC4 starts anew anywhere."""

_SWEEPS = 500
_DONE = 1e-12


@frozen(eq=False)
class Ballots:
    """The rankings of one topic as votes on pairs of documents.

    Of two documents that a run retrieves the one with the smaller rank is above; two that share a rank tie. What a run
    says of a document that it does not retrieve differs: for Copeland's count that document is below all that it
    retrieves and ties with the others; for MC4 the run has no vote on it.

    Parameters
    ----------
    size
        How many documents there are.
    rankings
        For each run the documents that it retrieves, and their ranks.
    weights
        The whole number of votes that each run has.
    """

    size: int
    rankings: list[tuple[IntArray, IntArray]]
    weights: list[int]

    @classmethod
    def of(cls, pool: Pool, topic: int, ranks: IntArray, weights: tuple[Fraction, ...]) -> Ballots:
        """Return the ballots of one topic of a pool."""
        start, stop = pool.bounds[topic : topic + 2].tolist()
        if stop - start > LARGEST:
            raise NotAvailable(
                f"the runs retrieve {stop - start} documents for topic {pool.topics[topic]}, and majorities need all"
                f" pairs of at most {LARGEST}; cut the runs, or fuse with rrf, bordalog or borda"
            )
        found = np.flatnonzero(pool.ranking_topic == topic)
        spans = [slice(*pool.ranking_bounds[ranking : ranking + 2].tolist()) for ranking in found.tolist()]
        votes = whole_votes(weights)
        return cls(
            stop - start,
            [(pool.document[span] - start, ranks[span].astype(np.int32)) for span in spans],
            [votes[run] for run in pool.ranking_run[found].tolist()],
        )

    def majorities(self) -> Iterator[tuple[slice, Cells]]:
        """Return blocks of rows: which documents beat (1), lose to (-1) or tie with (0) which others."""
        kind: Any = np.int16 if sum(self.weights) < 2**15 else np.int64
        number: Any = np.zeros(self.size, dtype=kind)
        for (documents, _), weight in zip(self.rankings, self.weights, strict=True):
            number[documents] += weight
        for start in range(0, self.size, BLOCK):
            rows = slice(start, min(start + BLOCK, self.size))
            # a run that retrieves one of two documents alone is counted in the numbers of both
            margin = number[rows, None] - number[None, :]
            for (documents, ranks), weight in zip(self.rankings, self.weights, strict=True):
                mine = (documents >= rows.start) & (documents < rows.stop)
                if mine.any():
                    one, other = ranks[mine, None], ranks[None, :]
                    above = (one < other).view(np.int8) - (one > other).view(np.int8)
                    margin[np.ix_(documents[mine] - rows.start, documents)] += above * kind(weight)
            yield rows, np.sign(margin).astype(np.int8)

    def common_majorities(self) -> Iterator[tuple[slice, Cells]]:
        """Return blocks of rows: which documents (1, others 0) most of the runs that retrieve both put above which."""
        kind: Any = np.int16 if sum(self.weights) < 2**15 else np.int64
        for start in range(0, self.size, BLOCK):
            rows = slice(start, min(start + BLOCK, self.size))
            # votes for the document of the row, less votes for the other one and those of runs that have them tied
            margin = np.zeros((rows.stop - rows.start, self.size), dtype=kind)
            for (documents, ranks), weight in zip(self.rankings, self.weights, strict=True):
                mine = (documents >= rows.start) & (documents < rows.stop)
                if mine.any():
                    above = 2 * (ranks[mine, None] < ranks[None, :]).view(np.int8) - np.int8(1)
                    margin[np.ix_(documents[mine] - rows.start, documents)] += above * kind(weight)
            yield rows, (margin > 0).view(np.int8)


def whole_votes(weights: tuple[Fraction, ...]) -> list[int]:
    """Return whole numbers in the proportions of some weights.

    Examples
    --------
    >>> whole_votes((Fraction(1, 2), Fraction(1, 3)))
    [3, 2]
    """
    common = lcm(*(weight.denominator for weight in weights))
    votes = [int(weight * common) for weight in weights]
    if sum(votes) >= 2**62:
        raise ParameterError("the weights are spelled too finely to count votes; write them with fewer digits")
    return votes


def copeland(ballots: Ballots) -> FloatArray:
    """Return how many documents each document beats, those that it ties with counting half.

    Examples
    --------
    >>> first, second = np.array([0, 1, 2]), np.array([1, 0, 2])
    >>> ranks = np.array([1, 2, 3])
    >>> copeland(Ballots(3, [(first, ranks), (second, ranks)], [1, 1])).tolist()
    [1.5, 1.5, 0.0]
    """
    found = np.empty(ballots.size)
    for rows, signs in ballots.majorities():
        beaten = (signs > 0).sum(axis=1)
        tied = (signs == 0).sum(axis=1) - 1  # a document is no rival of its own
        found[rows] = beaten + tied / 2
    return found


def stationary(ballots: Ballots) -> FloatArray:
    r"""Return how often a walk among the documents is at each, in the long run, to about 10 digits.

    That is MC4 of [Dwork2001]_: from a document the walk draws one of all documents at random, and goes there if more
    than half of the runs that retrieve both put it above; otherwise it stays. Runs that retrieve one of the two only
    have no say, and where no run retrieves both the walk stays. As some documents may not be reached, or not be left,
    the walk starts anew at any of the documents with probability 1/20 in each step. The shares solve

    .. math:: \pi_j = \frac{\epsilon}{n} + (1 - \epsilon) \Bigl( \pi_j \bigl(1 - \tfrac{b_j}{n}\bigr)
        + \frac1n \sum_{i : j \text{ beats } i} \pi_i \Bigr),

    where :math:`b_j` documents beat `j`.

    Examples
    --------
    >>> x_above_w, w_alone = (np.array([0, 1]), np.array([1, 2])), (np.array([1]), np.array([1]))
    >>> stationary(Ballots(2, [x_above_w, w_alone, w_alone], [1, 1, 1])).round(3).tolist()
    [0.952, 0.048]
    """
    beats = np.empty((ballots.size, ballots.size), dtype=np.int8)
    for rows, block in ballots.common_majorities():
        beats[rows] = block
    size, stay = ballots.size, 1 - TELEPORT
    wins = beats.sum(axis=1)
    # from the documents that beat few to those that beat many, each block needs little of what comes after it
    order = np.argsort(wins, kind="stable")
    beats = beats[np.ix_(order, order)]
    diagonal = size - stay * (size - beats.sum(axis=0))
    inverses = [
        np.linalg.inv(np.diag(diagonal[rows]) - stay * beats[rows, rows])
        for rows in (slice(start, start + BLOCK) for start in range(0, size, BLOCK))
    ]
    shares = np.full(size, 1 / size)
    for _ in range(_SWEEPS):
        before = shares.copy()
        _sweep(shares, beats, inverses)
        if (np.abs(shares - before) <= _DONE * shares).all():
            break
    found = np.empty(size)
    found[order] = shares
    return found


def _sweep(shares: FloatArray, above: Cells, inverses: list[FloatArray]) -> None:
    """Solve for each block of shares in turn, with the others as they are."""
    for place, inverse in enumerate(inverses):
        rows = slice(place * BLOCK, (place + 1) * BLOCK)
        beats = above[rows].astype(np.float64)
        elsewhere = beats @ shares - beats[:, rows] @ shares[rows]
        shares[rows] = inverse @ (TELEPORT + (1 - TELEPORT) * elsewhere)
