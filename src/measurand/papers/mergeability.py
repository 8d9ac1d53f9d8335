"""Ranking mergeability, whether several systems are together more effective than one of them: Figure 2.

The paper reports 1809 of 2000 samples where they are. Its runs are not public, so the number cannot be had again;
any campaign can be looked at in the same way.

To compare like with like it looks at documents that information tells apart. They are found along the ranking of one
system, from the top, leaving out each document whose information an earlier one has. The paper says that they are
then told apart by every system; they are by that one and by the information of all.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.chance import Rng
from measurand.errors import ParameterError
from measurand.execution import Progress, silent
from measurand.information import Signals
from measurand.information.consistency import heights
from measurand.information.counting import count_outscorers
from measurand.measures import Measure
from measurand.measures.observational_effectiveness import OIE, ObservationalEffectiveness
from measurand.papers.campaign import read_campaign
from measurand.papers.effectiveness import read_weights
from measurand.papers.picks import draw_picks, with_signals
from measurand.papers.printed_unanimity import printed_mergeability
from measurand.papers.scatter import Scatter
from measurand.statistics.all_pairs import frozen_counts

if TYPE_CHECKING:
    import polars as pl


@frozen(kw_only=True, eq=False, repr=False)
class Mergeability(Scatter):
    """How effective one system is on documents that are told apart, and how effective several are together.

    Parameters
    ----------
    told_apart
        How many documents were looked at in each pick.
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
    measure: Measure | str = OIE,
    rng: Rng = 0,
    names: str = "tag",
    progress: Progress = silent,
) -> Mergeability:
    r"""Return the effectiveness of the information of some systems beside that of one of them, for random picks.

    .. math:: \mathrm{OIE}(I_\Gamma, g) \quad\text{against}\quad \mathrm{OIE}(\gamma, g), \qquad \gamma \in \Gamma

    Both are taken on the documents that the one system and the information of all tell apart, as if there were no
    others. Points above the diagonal are topics where merging the systems pays.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    samples, signals, depth
        How many picks, of how many systems each, and how many documents of each system are looked at.
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
    weights = read_weights(measure)
    campaign = read_campaign(qrels, runs, depth=depth, names=names)
    picks = draw_picks(campaign, samples, signals, rng)
    found = [
        _compare(fine_grained_documents(pool, pick.one, campaign.gold), weights)
        for pick, pool in with_signals(campaign, picks, samples, progress)
    ]
    return Mergeability(
        picks=picks,
        one=[one for one, _, _, _ in found],
        many=[many for _, many, _, _ in found],
        signs=[sign for _, _, sign, _ in found],
        told_apart=[number for _, _, _, number in found],
        depth=depth,
        caveats=campaign.unjudged(),
    )


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


def _compare(scores: Signals, weights: ObservationalEffectiveness) -> tuple[float, float, int, int]:
    """Return how effective one and many are, which is better, and on how many documents.

    Both order all documents strictly, so only the entropy together with the judgments differs, and of that only the
    product of the counts: whole numbers, that decide exactly.
    """
    gold = scores.levels[:, 2]
    one, many = (count_outscorers(np.stack((scores.levels[:, place], gold), axis=1)) for place in (0, 1))
    products = [prod(counts.tolist()) for counts in (one, many)]
    sign = (products[1] > products[0]) - (products[1] < products[0])
    size = len(gold)
    own, judged = _entropy(np.arange(1, size + 1)), _entropy(count_outscorers(gold[:, None]))
    apart = float(weights.alpha1) * own + float(weights.alpha2) * judged
    # what is the same number has one rounding
    values = [apart - float(weights.beta) * _entropy(counts) for counts in (one, many if sign else one)]
    return values[0], values[1], sign, size


def _entropy(counts: IntArray) -> float:
    logs: FloatArray = np.log(len(counts)) - np.log(counts)
    return float(logs.mean())
