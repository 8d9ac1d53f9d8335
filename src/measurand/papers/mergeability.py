"""Ranking mergeability, whether several systems are together more effective than one of them: Figure 2.

The paper reports 1809 of 2000 samples where they are, comparing across all topics. Its runs are not public, so the
number cannot be had again; any campaign can be looked at in the same way, across all topics or on one topic a sample.

To compare like with like it looks at documents that information tells apart. They are found along the ranking of one
system, from the top, leaving out each document whose information an earlier one has. The paper says that they are
then told apart by every system; they are by that one and by the information of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.exact import log_sum
from measurand.execution import Progress, Rng, silent
from measurand.information import Signals
from measurand.information.consistency import heights
from measurand.information.counting import count_outscorers
from measurand.measures import Measure
from measurand.measures.observational_effectiveness import OIE, ObservationalEffectiveness
from measurand.papers.campaign import read_campaign
from measurand.papers.effectiveness import read_weights
from measurand.papers.picks import Pick, Pools, draw_picks, draw_systems
from measurand.papers.printed_unanimity import printed_mergeability
from measurand.papers.scatter import Scatter
from measurand.statistics.all_pairs import frozen_counts

if TYPE_CHECKING:
    import polars as pl


TOPICS = ("all", "one")
"""What one pick is compared on."""

CLOSE = 1e-9
"""Where floats are closer than this, exact values decide."""


@frozen(kw_only=True, eq=False, repr=False)
class Mergeability(Scatter):
    """How effective one system is on documents that are told apart, and how effective several are together.

    Parameters
    ----------
    told_apart
        How many documents were looked at in each pick, on all of its topics.
    """

    title: ClassVar[str] = "Effectiveness on documents that are told apart"
    quantity: ClassVar[str] = "OIE"

    told_apart: IntArray = field(converter=frozen_counts)

    @property
    def printed(self) -> tuple[int, int]:
        """In how many picks of its Figure 2 the paper found merging to pay, and how many it drew."""
        return printed_mergeability()

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for each pick, the number of documents last."""
        import polars as pl

        return Scatter.to_polars(self).with_columns(pl.Series("told_apart", self.told_apart))


def mergeability(
    qrels: Any,
    runs: Any,
    *,
    samples: int = 2000,
    signals: int = 5,
    depth: int = 100,
    topics: str = "all",
    measure: Measure | str = OIE,
    rng: Rng = 0,
    names: str = "tag",
    progress: Progress = silent,
) -> Mergeability:
    r"""Return the effectiveness of the information of some systems beside that of one of them, for random picks.

    .. math:: \mathrm{OIE}(I_\Gamma, g) \quad\text{against}\quad \mathrm{OIE}(\gamma, g), \qquad \gamma \in \Gamma

    Both are taken on the documents that the one system and the information of all tell apart, as if there were no
    others. Points above the diagonal are picks for which merging the systems pays.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    samples, signals, depth
        How many picks, of how many systems each, and how many documents of each system are looked at.
    topics
        `"all"` compares means over all topics that the one system answers, as the paper does; `"one"` draws a topic
        for each pick and compares on that.
    measure
        `OIE` with any weights, of which nothing else is taken; by default β is 1.2.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> good, bad = {"d1": 3.0, "d2": 2.0, "d3": 1.0}, {"d2": 3.0, "d1": 2.0, "d4": 1.0}
    >>> systems = [read_run({"1": good}, name="good"), read_run({"1": bad}, name="bad")]
    >>> merged = mergeability({"1": {"d1": 1}}, systems, samples=1, signals=2)
    >>> merged.told_apart.tolist(), merged.above, merged.on, merged.below
    ([2], 0, 1, 0)

    References
    ----------
    [Amigo2018]_, section 5.2, Figure 2
    """
    if topics not in TOPICS:
        raise ParameterError(f"topics must be one of {', '.join(map(repr, TOPICS))}, not {topics!r}")
    weights = read_weights(measure)
    campaign = read_campaign(qrels, runs, depth=depth, names=names)
    picks = (draw_systems if topics == "all" else draw_picks)(campaign, samples, signals, rng)
    pools = Pools(campaign)
    # of few systems the same are drawn again and again
    asked = [(pick.topic, frozenset(pick.systems), pick.one) for pick in picks]
    known: dict[tuple[object, ...], _Compared] = {}
    for key, pick in progress(list(zip(asked, picks, strict=True)), samples, "drawing systems"):
        if key not in known:
            known[key] = _compared(pick, pools, weights)
    found = [known[key] for key in asked]
    return Mergeability(
        picks=picks,
        one=[each.one for each in found],
        many=[each.many for each in found],
        signs=[each.sign for each in found],
        told_apart=[each.size for each in found],
        depth=depth,
        caveats=campaign.unjudged(),
    )


def _compared(pick: Pick, pools: Pools, weights: ObservationalEffectiveness) -> _Compared:
    """Return how a pick compares on its topic, or on average over all that its one system answers."""
    asked = pools.campaign.topics if pick.topic is None else (pick.topic,)
    signals = [pools.of(pick.systems, topic) for topic in asked]
    gold = pools.campaign.gold
    found = [
        _compare(fine_grained_documents(each, pick.one, gold), weights)
        for each in signals
        if each.only(pick.one).levels.any()
    ]
    one, many = (sum(getattr(each, name) for each in found) / len(found) for name in ("one", "many"))
    terms = [term for each in found for term in each.terms]
    return _Compared.told_apart(one, many, terms, sum(each.size for each in found))


def fine_grained_documents(signals: Signals, one: str, gold: str = "judgments") -> Signals:
    """Return the documents that one signal and the information of all tell apart, found along the one from the top.

    What comes back has three signals: `"one"`, `"many"` and `"judgments"`, over these documents and no other.

    Parameters
    ----------
    signals
        All signals and the judgments.
    one
        The signal that is gone through. Documents that it does not tell of are left out; of documents that it gives
        one score, the first of which the information is new is kept.

    Examples
    --------
    >>> first, second = {"d1": 3, "d2": 2, "d4": 1}, {"d3": 3, "d1": 2, "d2": 1}
    >>> fine_grained_documents(Signals.of({"r1": first, "r2": second, "g": {"d1": 1, "d4": 1}}), "r2", "g").documents
    ('d3', 'd2')
    """
    own = signals.only(one).levels[:, 0]
    if not own.any():
        raise ParameterError(f"signal {one} tells of no document; take another")
    information = heights(signals.without(gold))
    kept: list[int] = []
    seen: set[int] = set()
    for place in np.argsort(-own, kind="stable").tolist():
        new = not kept or own[place] < own[kept[-1]]
        if own[place] and new and int(information[place]) not in seen:
            kept.append(place)
            seen.add(int(information[place]))
    levels = np.stack((own, information, signals.only(gold).levels[:, 0]), axis=1)[kept]
    documents = tuple(signals.documents[place] for place in kept)
    return Signals(("one", "many", "judgments"), documents, levels, len(documents))


@frozen(eq=False)
class _Compared:
    """How effective one and many are, which is better, and on how many documents.

    Parameters
    ----------
    terms
        What many are more effective than one, divided by β: numbers, and how often the logarithm of each counts.
    sign
        1 if many are better, -1 if one is, 0 if they are equal.
    """

    one: float
    many: float
    terms: Sequence[tuple[int, Fraction]]
    size: int
    sign: int

    @classmethod
    def told_apart(cls, one: float, many: float, terms: Sequence[tuple[int, Fraction]], size: int) -> _Compared:
        """Return a comparison that exact values decide where floats are close."""
        difference: Any = many - one if abs(many - one) > CLOSE else log_sum(terms)
        sign = int(difference > 0) - int(difference < 0)
        # what is the same number has one rounding
        return cls(one, many if sign else one, terms, size, sign)


def _compare(scores: Signals, weights: ObservationalEffectiveness) -> _Compared:
    """Return how one and many compare on some documents.

    Both order all documents strictly, so only the entropy together with the judgments differs, and of that only the
    logarithms of the counts.
    """
    gold, size = scores.levels[:, 2], len(scores.levels)
    one, many = (count_outscorers(np.stack((scores.levels[:, place], gold), axis=1)) for place in (0, 1))
    own, judged = _entropy(np.arange(1, size + 1)), _entropy(count_outscorers(gold[:, None]))
    apart = float(weights.alpha1) * own + float(weights.alpha2) * judged
    numbers = Counter(many.tolist())
    numbers.subtract(one.tolist())
    terms = [(count, Fraction(number, size)) for count, number in numbers.items() if number]
    alone, merged = (apart - float(weights.beta) * _entropy(counts) for counts in (one, many))
    return _Compared.told_apart(alone, merged, terms, size)


def _entropy(counts: IntArray) -> float:
    logs: FloatArray = np.log(len(counts)) - np.log(counts)
    return float(logs.mean())
