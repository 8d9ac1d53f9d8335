"""The margin of ties: what the order of documents of equal score can do to a conclusion about two systems."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isinf, nan
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.data import finite
from measurand.display.wording import counted
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns, OverTies
from measurand.measures import Measure
from measurand.measures.ties.over_ties import over_ties
from measurand.statistics.all_pairs import frozen_numbers
from measurand.study.margins.margin import UNTRUE, How, Margin
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.student import critical_t, t_statistics
from measurand.study.margins.topics import NEAR

FEW = 10
"""Up to so many topics on which order matters, all extremes are tried together."""


@frozen(eq=False)
class OrderedTies:
    """Topics on which documents of equal score stand in another order, and what the systems are worth there.

    Parameters
    ----------
    topics : tuple of str
        The names of the topics, the one that changes most first.
    places : tuple of int
        Their places among the topics of the two systems.
    values : array of float
        2 × these topics: the goodness of both systems in that order.

    Examples
    --------
    >>> changed = OrderedTies(("b",), (1,), np.array([[0.5], [1.0]]))
    >>> changed.apply(np.array([[0.5, 1.0], [0.5, 0.25]])).tolist()
    [[0.5, 0.5], [0.5, 1.0]]
    """

    topics: tuple[str, ...]
    places: tuple[int, ...]
    values: FloatArray = field(converter=frozen_numbers)

    def __len__(self) -> int:
        return len(self.topics)

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def apply(self, goodness: FloatArray) -> FloatArray:
        """Return the values of all topics, these ones in the other order.

        Parameters
        ----------
        goodness : array of float
            2 × topics, as `ComparedPair.goodness`.
        """
        changed = np.array(goodness, dtype=np.float64)
        changed[:, list(self.places)] = self.values
        return changed


@frozen(kw_only=True, eq=False, repr=False)
class TiesMargin(Margin):
    """What the order of documents of equal score can do to a conclusion.

    `value` is the smallest number of topics on which such documents must stand in another order to overturn it,
    infinite where no order does; `certificate` are these topics and what both systems are worth there, `OrderedTies`.

    Parameters
    ----------
    low, high : float
        The lowest and the highest mean difference over all orders in both runs, the system that is ahead less the
        other, turned round where lower is better; NaN where the order plays no part or is not known.
    matters : int
        On how many topics the order of such documents changes what a system is worth.
    sampled : bool
        Whether the extremes come from random orders on some topics, so that they may lie further out.
    """

    low: float = nan
    high: float = nan
    matters: int = 0
    sampled: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the margin, ready for JSON, with the topics to reorder."""
        changed = None if self.certificate is None else list(self.certificate)
        ends = {"low": finite(self.low), "high": finite(self.high)}
        return {**super().to_dict(), **ends, "matters": self.matters, "sampled": self.sampled, "reordered": changed}


@frozen(eq=False)
class TieExtremes:
    """What systems are worth at least and at most over all orders of documents of equal score.

    Parameters
    ----------
    low, high : array of float
        Systems × topics of goodness: higher is better.
    sampled : array of bool
        Where they are those of random orders.
    """

    low: FloatArray
    high: FloatArray
    sampled: BoolArray


def tie_extremes(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> TieExtremes | None:
    """Return what systems are worth at least and at most over all orders of documents of equal score.

    None where it is not known which documents these are.

    Parameters
    ----------
    measure : Measure
        The measure.
    judged : JudgedRuns
        The judged runs.
    progress : callable, optional
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand.measures import RR
    >>> tie_extremes(RR, JudgedRuns.on_one_topic([(0, 1, 0)], (3, 1))) is None
    True
    """
    opened = judged.opened(OverTies.EXPECTED)
    if opened.groups is None:
        return None
    found = over_ties(measure, opened, progress)
    if measure.lower_is_better:
        return TieExtremes(0 - found.high, 0 - found.low, found.sampled)
    return TieExtremes(found.low, found.high, found.sampled)


def ties_margin(pair: ComparedPair, progress: Progress = silent) -> TiesMargin:
    """Return what the order of documents of equal score can do to a conclusion about two systems.

    The orders in both runs are independent. For the order of means the number of topics is exact up to rounding,
    as long as the extremes of the measure are: the topics on which the worst order costs most come first. The least t
    over all orders takes an extreme of every difference that changes, since t, as a function of one difference, rises
    and then falls. Where order matters on up to ten topics all these extremes are tried, which is exact for the t test.
    Elsewhere, and for other tests, the extreme that lowers t most is taken topic after topic, and the worst order on
    all topics is tried too; fewer topics may be enough, and other orders may do where none was found.

    Parameters
    ----------
    pair : ComparedPair
        The two systems, and what is claimed of them.
    progress : callable, optional
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand import judge
    >>> from measurand.judged import Judgments, Results
    >>> from measurand.study.margins.pair import compared_pair
    >>> runs = [Results.from_mapping("a", {"1": {"d2": 1.0, "d1": 1.0}}), Results.from_mapping("b", {"1": {"d3": 1.0}})]
    >>> judged = judge(runs, Judgments.from_mapping({"1": {"d2": 1}}))
    >>> found = ties_margin(compared_pair(judged, "P@1", "a", "b"))
    >>> found.value, found.low, found.high, str(found)
    (1, 0.0, 1.0, 'fails if documents of equal score stand in another order on 1 of 1 topic')
    """
    if pair.measure.on_weak_orders:
        kind = f"{pair.measure!r} takes documents of equal score as such, in no order"
        return TiesMargin(value=None, how=How.NONE, sentence=kind)
    found = tie_extremes(pair.measure, pair.judged, progress)
    if found is None:
        unknown = "it is not known which documents have equal scores"
        return TiesMargin(value=None, how=How.NONE, sentence=unknown)
    low, high = found.low[0] - found.high[1], found.high[0] - found.low[1]
    empty = TiesMargin(
        value=inf,
        how=How.EXACT,
        sentence="the order of documents of equal score changes no value",
        at_least=inf,
        low=float(low.mean()) if len(low) else nan,
        high=float(high.mean()) if len(high) else nan,
        matters=int((low < high).sum()),
        sampled=bool(found.sampled.any()),
    )
    if not pair.holds:
        none = OrderedTies((), (), np.empty((2, 0)))
        return evolve(empty, value=0, sentence=UNTRUE, certificate=none, at_least=0)
    if not empty.matters and not empty.sampled:
        return empty
    return _searched(pair, found, empty)


def _searched(pair: ComparedPair, found: TieExtremes, empty: TiesMargin) -> TiesMargin:
    """Return the margin where the order of some documents matters."""
    changed, exact = _fewest(pair, found)
    surely = exact and not empty.sampled
    number = inf if changed is None else len(changed)
    return evolve(
        empty,
        value=number,
        how=How.EXACT if surely else How.FOUND,
        sentence=_sentence(number, len(pair.topics), surely=surely),
        certificate=changed,
        at_least=number if surely else 1,
    )


def _sentence(number: float, topics: int, *, surely: bool) -> str:
    if isinf(number):
        none = "no order of documents of equal score changes it"
        return none if surely else "no order of documents of equal score was found that changes it"
    where = f"{int(number):,} of {counted(topics, 'topic')}"
    sentence = f"fails if documents of equal score stand in another order on {where}"
    return sentence if surely or number == 1 else f"{sentence}; fewer may be enough"


def _for_order(pair: ComparedPair, found: TieExtremes) -> OrderedTies | None:
    """Return the fewest topics whose worst order makes the means level or reverses them; None if none do."""
    worst = np.stack([found.low[0], found.high[1]])
    loss = pair.differences - (worst[0] - worst[1])
    order = np.argsort(-loss, kind="stable")
    left = pair.differences.sum() - np.append(0.0, np.cumsum(loss[order]))
    # floats propose, and what is claimed decides
    start = max(0, int(np.searchsorted(-left, -pair.tolerance * len(order))) - 1)
    for number in range(start, int((loss > 0).sum()) + 1):
        changed = _changed(pair, order[:number].tolist(), worst[:, order[:number]])
        if pair.overturned(changed.apply(pair.goodness)):
            return changed
    return None


def _fewest(pair: ComparedPair, found: TieExtremes) -> tuple[OrderedTies | None, bool]:
    """Return the fewest topics with an order each that overturn what is claimed, if some do; and whether it is sure."""
    if pair.claim is Claimed.ORDER:
        return _for_order(pair, found), True
    # the worst order and the best one, each for both systems
    ends = np.stack([np.stack([found.low[0], found.high[1]]), np.stack([found.high[0], found.low[1]])])
    open_topics = np.flatnonzero(ends[0, 0] - ends[0, 1] < ends[1, 0] - ends[1, 1])
    if pair.test == "paired_t" and len(open_topics) <= FEW:
        return _by_all_ends(pair, ends, open_topics), True
    return _by_steps(pair, ends, open_topics.tolist()), False


def _by_all_ends(pair: ComparedPair, ends: FloatArray, open_topics: IntArray) -> OrderedTies | None:
    """Return the fewest topics with an extreme order each that overturn the t test; None if none do."""
    differences, topics = pair.differences, len(pair.topics)
    # every topic as it is, in its worst order, in its best order
    states = np.indices((3,) * len(open_topics)).reshape(len(open_topics), -1).T
    values = np.stack([differences, *(ends[:, 0] - ends[:, 1])])[states, open_topics]
    rest = np.delete(differences, open_topics)
    statistic = t_statistics(values.sum(axis=1) + rest.sum(), (values**2).sum(axis=1) + (rest**2).sum(), topics)
    near = np.flatnonzero(statistic <= critical_t(topics, pair.alpha) * (1 + NEAR))
    number = (states > 0).sum(axis=1)
    for place in near[np.lexsort((statistic[near], number[near]))].tolist():
        chosen = states[place] > 0
        at = open_topics[chosen]
        changed = _changed(pair, at.tolist(), ends[states[place][chosen] - 1, :, at].T)
        if pair.overturned(changed.apply(pair.goodness)):
            return changed
    return None


def _by_steps(pair: ComparedPair, ends: FloatArray, open_topics: list[int]) -> OrderedTies | None:
    """Return topics with an order each that overturn significance, few of them; None if none were found."""
    moved, every = ends[:, 0] - ends[:, 1], list(open_topics)
    now, steps = pair.differences.copy(), list[tuple[int, int]]()
    while open_topics:
        total = now.sum() - now[open_topics] + moved[:, open_topics]
        squared = (now**2).sum() - now[open_topics] ** 2 + moved[:, open_topics] ** 2
        end, place = np.unravel_index(np.argmin(t_statistics(total, squared, len(now))), total.shape)
        topic = open_topics.pop(int(place))
        now[topic] = moved[end, topic]
        steps.append((int(end), topic))
        changed = _changed(pair, [at for _, at in steps], np.stack([ends[e, :, at] for e, at in steps], axis=1))
        if pair.overturned(changed.apply(pair.goodness)):
            return changed
    changed = _changed(pair, every, ends[0][:, every])
    return changed if pair.overturned(changed.apply(pair.goodness)) else None


def _changed(pair: ComparedPair, places: list[int], values: FloatArray) -> OrderedTies:
    return OrderedTies(tuple(pair.topics[place] for place in places), tuple(places), values)
