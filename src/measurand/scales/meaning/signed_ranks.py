"""Signed ranks when every topic is rescaled in its own way: the signs stay, the sizes do as one likes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.scales.meaning.transformations import Affine, PerTopic, Transformation


def arrangements(pair: FloatArray, topics: tuple[str, ...]) -> Iterator[Transformation]:
    """Yield rescalings of topics that put the differences of one sign below those of the other, or between them.

    Tied sizes make the ranks of a sign alike, which makes the normal approximation most extreme; different sizes
    do the same for the exact distribution. Mixed as evenly as possible, the rank sums balance.

    Examples
    --------
    >>> wins = next(arrangements(np.array([[3.0, 1.0], [1.0, 2.0]]), ("1", "2")))
    >>> wins(np.array([[3.0, 1.0], [1.0, 2.0]])).tolist()
    [[3.0, 1.0], [1.0, 2.0]]
    """
    differences = pair[0] - pair[1]
    signs = np.sign(differences)
    moved = np.flatnonzero(signs != 0)
    for last in (1, -1):
        larger = signs[moved] == last
        order = np.argsort(larger, kind="stable")
        sizes = np.empty(len(moved))
        sizes[order] = np.arange(1, len(moved) + 1)
        for wanted in (sizes, np.where(larger, 2.0, 1.0)):
            yield _sized(differences, moved, wanted, topics)
    yield _sized(differences, moved, _balanced(signs[moved]), topics)


def never_changes(pair: FloatArray, alpha: float, *, significant: bool) -> str:
    """Return why no rescaling of topics changes what signed ranks decide, or nothing if that is not known.

    If all differences have one sign, the ranks make no difference to the exact p-value, which is 2 / 2^n. And
    whatever the ranks, the p-value is at least twice the chance that all topics of one sign come out so.

    Parameters
    ----------
    pair
        The goodness of the two systems, topic by topic.
    """
    both = ~np.isnan(pair).any(axis=0)
    signs = np.sign(pair[0, both] - pair[1, both])
    ahead, behind = int((signs > 0).sum()), int((signs < 0).sum())
    n = ahead + behind
    if not n:
        return "no topic tells the two systems apart"
    # the normal approximation of n ranks without ties, the weakest that there is, with continuity correction
    weakest = (n * (n + 1) / 4 - 0.5) / np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    if significant and not (ahead and behind) and 2.0 ** (1 - n) <= alpha and _two_sided(weakest) <= alpha:
        return "one system is never behind on any topic, so its ranks have all the same sign"
    strongest = max(ahead, behind)
    # at best all ranks of a sign are tied on top of the others
    if not significant and 2.0 ** (1 - strongest) > alpha and _two_sided(np.sqrt(strongest)) > alpha:
        return f"{n} topics with {ahead} wins and {behind} losses are too few for any ranks to be significant"
    return ""


def _two_sided(z: float) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(-z))


def _balanced(signs: FloatArray) -> FloatArray:
    """Return sizes that bring the sums of ranks of both signs close together."""
    ranks = np.arange(len(signs), 0, -1)
    left = {1.0: int((signs > 0).sum()), -1.0: int((signs < 0).sum())}
    sums, chosen = {1.0: 0, -1.0: 0}, []
    for rank in ranks.tolist():
        # the rarer sign needs the larger ranks; then whichever sum lags behind
        sign = min((s for s in (1.0, -1.0) if left[s]), key=lambda s: (sums[s], left[s]))
        left[sign] -= 1
        sums[sign] += rank
        chosen.append((sign, rank))
    sizes = np.empty(len(signs))
    for sign in (1.0, -1.0):
        sizes[signs == sign] = [rank for s, rank in chosen if s == sign]
    return sizes


def _sized(differences: FloatArray, moved: IntArray, sizes: FloatArray, topics: tuple[str, ...]) -> Transformation:
    slopes = sizes / np.abs(differences[moved])
    return PerTopic(topics, {topics[int(t)]: Affine.near(slope) for t, slope in zip(moved, slopes, strict=True)})
