"""Whether information from several systems is more consistent with the judgments than one of them: Figure 1.

The paper draws 5 systems and a topic again and again, and finds most points above the diagonal. Its runs are not
public, so its picture cannot be had again; any campaign can be looked at in the same way.
"""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import frozen

from measurand.errors import ParameterError
from measurand.execution import Progress, Rng, silent
from measurand.information.consistency import consistency
from measurand.papers.campaign import read_campaign
from measurand.papers.picks import Pools, draw_picks
from measurand.papers.scatter import Scatter

POOLS = ("all", "picked")
"""Whose documents are set against each other."""


@frozen(kw_only=True, eq=False, repr=False)
class ConsistencyScatter(Scatter):
    """How consistent with the judgments one system is, and how consistent several are together."""

    title: ClassVar[str] = "Consistency with the judgments"
    quantity: ClassVar[str] = "consistency"


def consistency_scatter(
    qrels: Any,
    runs: Any,
    *,
    samples: int = 400,
    signals: int = 5,
    depth: int = 100,
    pool: str = "all",
    self_pairs: bool = False,
    rng: Rng = 0,
    names: str = "tag",
    progress: Progress = silent,
) -> ConsistencyScatter:
    r"""Return the consistency of the information of some systems beside that of one of them, for random picks.

    .. math:: P(d \ge_g d' \mid I_\Gamma(d) \ge I_\Gamma(d')) \quad\text{against}\quad
        P(d \ge_g d' \mid \gamma(d) \ge \gamma(d')), \qquad \gamma \in \Gamma

    Pairs are those of documents that some system of the campaign retrieves. Most points above the diagonal speak for
    the paper's first assumption; it is no law.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    samples, signals, depth
        How many picks, of how many systems each, and how many documents of each system are looked at.
    pool
        Whose documents are set against each other: `"all"`, those of every system of the campaign, as in the paper, or
        `"picked"`, those of the systems of the pick.
    self_pairs
        Whether a document is also set against itself, where it is never wrong.

    Examples
    --------
    >>> good, bad = {"d1": 3.0, "d2": 2.0, "d3": 1.0}, {"d3": 3.0, "d2": 2.0, "d1": 1.0}
    >>> from measurand.trec import read_run
    >>> systems = [read_run({"1": good}, name="good"), read_run({"1": bad}, name="bad")]
    >>> scatter = consistency_scatter({"1": {"d1": 1}}, systems, samples=1, signals=2)
    >>> scatter.picks[0].one, scatter.one.tolist(), scatter.many.tolist(), scatter.above
    ('bad', [0.3333333333333333], [0.6666666666666666], 1)

    References
    ----------
    [Amigo2018]_, section 5.1, Figure 1
    """
    if pool not in POOLS:
        raise ParameterError(f"pool must be one of {', '.join(map(repr, POOLS))}, not {pool!r}")
    campaign = read_campaign(qrels, runs, depth=depth, names=names)
    picks = draw_picks(campaign, samples, signals, rng)
    pools, gold = Pools(campaign, every=pool == "all"), campaign.gold
    found = []
    for pick in progress(picks, samples, "drawing systems"):
        told = pools.of(pick.systems, str(pick.topic))
        one = consistency(told.only(pick.one, gold), gold, self_pairs=self_pairs)
        found.append((one, consistency(told, gold, self_pairs=self_pairs)))
    return ConsistencyScatter(
        picks=picks,
        one=[float(one) for one, _ in found],
        many=[float(many) for _, many in found],
        signs=[(many > one) - (many < one) for one, many in found],
        depth=depth,
        caveats=campaign.unjudged(),
    )
