r"""Intervals of margins by drawing topics anew.

The margin of scale κ may be infinite, so its interval is that of :math:`\varepsilon = 1/(1 + \kappa)`, the share of
the evidence that speaks against the order. The better system stays the same in every draw: ε above ½ means that it is
behind there. The margin of topics is a share of the topics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.result import Result, shortened
from measurand.display.tables import Document
from measurand.display.wording import percent
from measurand.exact import whole_number
from measurand.execution import Rng, generator
from measurand.statistics.multiple_comparisons import level as checked_level
from measurand.study.margins.pair import ComparedPair
from measurand.study.margins.rescaling import spacing_of
from measurand.study.margins.topics import largest_to_drop

DRAWS = 2000
"""So many times topics are drawn anew."""

LEVEL = 0.95
"""The share of the draws that an interval holds."""

CELLS = 2**21
"""How many numbers are held at a time."""


@frozen(kw_only=True, eq=False, repr=False)
class MarginInterval(Result):
    """An interval of a margin, over other topics of the kind.

    Parameters
    ----------
    of : str
        What it is an interval of.
    low, high : float
        Its ends.
    level : float
        The share of the draws that it holds, or the confidence of a bound.
    draws : int
        How many times topics were drawn anew; 0 for a bound that needs no draws.
    sentence : str
        What it says, in a sentence.
    """

    of: str
    low: float
    high: float
    level: float
    draws: int
    sentence: str

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<MarginInterval: {shortened(self.sentence)}>"

    def document(self) -> Document:
        """Return what the interval says."""
        return Document([self.sentence])

    def to_dict(self) -> dict[str, Any]:
        """Return the interval, ready for JSON."""
        named = {"of": self.of, "low": self.low, "high": self.high, "level": self.level, "draws": self.draws}
        return {**named, "sentence": self.sentence}


def scale_interval(pair: ComparedPair, *, draws: int = DRAWS, level: float = LEVEL, rng: Rng = 0) -> MarginInterval:
    """Return an interval of ε, the share that speaks against the order of two means, over topics drawn anew.

    Where no topic is lost, every draw says the same, and the share of topics lost is bounded instead.

    Parameters
    ----------
    pair
        The two systems; the order of their means is looked at, whatever is claimed.
    draws
        How many times topics are drawn.
    level
        The share of the draws that the interval holds.
    rng
        A seed, or a generator of random numbers.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.margins.pair import compared_pair
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    >>> print(scale_interval(compared_pair(judged, "RR", "s0", "s1")))
    no topic is lost: with confidence 95 %, at most 95 % of such topics would be
    """
    draws, level = whole_number("draws", draws, 1), checked_level(level, "level")
    if not _lost(pair):
        return _bound(pair, level)
    places, gaps = _places(pair)
    shares = _drawn(pair, draws, rng, lambda topics: against(places[:, topics], gaps), len(gaps) + 1)
    low, high = _ends(shares, level)
    behind = ", so that it may be behind" if high > 0.5 else ""
    sentence = f"ε = 1/(1 + κ) is from {low:.3f} to {high:.3f} in {percent(level)} of {draws:,} draws of topics{behind}"
    return MarginInterval(of="ε", low=low, high=high, level=level, draws=draws, sentence=sentence)


def topics_interval(pair: ComparedPair, *, draws: int = DRAWS, level: float = LEVEL, rng: Rng = 0) -> MarginInterval:
    """Return an interval of the share of topics that must be dropped for two means to be level, over topics drawn anew.

    A draw in which the other system is level or ahead needs none to be dropped; one in which every topic is won counts
    as all of them. Where no topic is lost, the share of topics lost is bounded instead.

    Parameters
    ----------
    pair
        The two systems; the order of their means is looked at, whatever is claimed.
    draws
        How many times topics are drawn.
    level
        The share of the draws that the interval holds.
    rng
        A seed, or a generator of random numbers.
    """
    draws, level = whole_number("draws", draws, 1), checked_level(level, "level")
    if not _lost(pair):
        return _bound(pair, level)
    differences = pair.differences
    shares = _drawn(pair, draws, rng, lambda topics: dropped(differences[topics], pair.tolerance), 1)
    low, high = _ends(shares, level)
    share = f"from {percent(low)} to {percent(high)} of the topics must be dropped to overturn the order"
    sentence = f"{share}, in {percent(level)} of {draws:,} draws of topics"
    return MarginInterval(of="share of topics", low=low, high=high, level=level, draws=draws, sentence=sentence)


def against(places: IntArray, gaps: FloatArray) -> FloatArray:
    """Return the share that speaks against the first of two systems, for several sets of topics.

    Parameters
    ----------
    places
        2 × sets × topics: where the value of each system stands among all, from 0.
    gaps
        How far apart neighbouring values are.

    Examples
    --------
    Values 0 and 3 of the first system against 1 and 1, once, and then twice 0 against 1:

    >>> against(np.array([[[0, 2], [0, 0]], [[1, 1], [1, 1]]]), np.array([1.0, 2.0])).round(3).tolist()
    [0.333, 1.0]
    """
    sets, width = places.shape[1], len(gaps) + 1
    rows = width * np.arange(sets)[:, None]
    first, second = (np.bincount((rows + each).reshape(-1), minlength=sets * width) for each in places)
    more = np.cumsum((first - second).reshape(sets, width)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    up, down = np.maximum(more, 0) @ gaps, np.maximum(-more, 0) @ gaps
    both = up + down
    return np.asarray(np.where(both > 0, down / np.where(both > 0, both, 1), 0.5))


def dropped(differences: FloatArray, tolerance: float) -> FloatArray:
    """Return the share of topics to drop, the largest differences first, until the mean is level, for several sets.

    Parameters
    ----------
    differences
        Sets × topics.
    tolerance
        The mean up to which rounding may explain it.

    Examples
    --------
    >>> dropped(np.array([[3.0, 2.0, -2.5, -2.0], [1.0, 1.0, 1.0, 1.0], [1.0, -2.0, 0.0, 0.0]]), 0.0).tolist()
    [0.25, 1.0, 0.0]
    """
    sets, topics = differences.shape
    ranked = -np.sort(-differences, axis=1)
    number = largest_to_drop(ranked, np.full(sets, topics), np.full(sets, tolerance))
    return np.asarray(np.minimum(number, topics) / topics)


def _lost(pair: ComparedPair) -> bool:
    """Return whether the system that is ahead is behind on some topic."""
    if pair.exact_differences is not None:
        return any(each < 0 for each in pair.exact_differences)
    return bool((pair.differences < -pair.tolerance).any())


def _bound(pair: ComparedPair, level: float) -> MarginInterval:
    n = len(pair.topics)
    high = float(1 - (1 - level) ** (1 / n)) if n else 1.0
    sentence = f"no topic is lost: with confidence {percent(level)}, at most {percent(high)} of such topics would be"
    return MarginInterval(of="share of topics lost", low=0.0, high=high, level=level, draws=0, sentence=sentence)


def _places(pair: ComparedPair) -> tuple[IntArray, FloatArray]:
    """Return where the values of both systems stand among all that occur, and how far apart these are."""
    values = np.array([float(value) for value in spacing_of(pair).values])
    middles = (values[1:] + values[:-1]) / 2
    return np.searchsorted(middles, pair.goodness), np.diff(values)


def _drawn(pair: ComparedPair, draws: int, rng: Rng, share: Callable[[IntArray], FloatArray], width: int) -> FloatArray:
    """Return a share of every draw, computed for so many at a time that `width` numbers each, or topics, fit."""
    topics, generate = len(pair.topics), generator(rng)
    rows = max(1, CELLS // max(topics, width))
    sizes = [min(rows, draws - start) for start in range(0, draws, rows)]
    # the same draws, however many are held at a time
    return np.concatenate([share((generate.random((size, topics)) * topics).astype(np.int64)) for size in sizes])


def _ends(shares: FloatArray, level: float) -> tuple[float, float]:
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high
