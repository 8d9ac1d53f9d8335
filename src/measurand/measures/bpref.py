"""Bpref: how many judged nonrelevant documents stand above the relevant ones."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from measurand.exact import least, ratio
from measurand.judged import Pool
from measurand.measures.relevant_ranks import RelevantRanks, Seen
from measurand.measures.ties.spread import Spread

if TYPE_CHECKING:
    from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


class BinaryPreference(RelevantRanks):
    r"""Share of preferences of relevant over judged nonrelevant documents that the ranking keeps.

    .. math:: \mathrm{bpref} = \frac{1}{R} \sum_{d \text{ relevant}} \left(1 - \frac{\min(n_d, R)}{\min(N, R)}\right)

    :math:`n_d` judged nonrelevant documents stand above `d`, and the topic has `N` of them.

    Examples
    --------
    >>> Bpref.of([1, 0, -1, 1], grade_counts=(4, 2))
    Fraction(3, 4)

    References
    ----------
    [BuckleyVoorhees2004]_
    """

    name: ClassVar[str] = "Bpref"
    aliases: ClassVar[tuple[str, ...]] = ("BPref",)
    reference: ClassVar[str] = "BuckleyVoorhees2004"
    uses_recall_base: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    skips_barren: ClassVar[bool] = True

    def contribution(self, seen: Seen) -> Any:
        wrong = least(seen.nonrelevant, seen.recall_base)
        return 1 - ratio(wrong, least(seen.all_nonrelevant, seen.recall_base))

    def spread(self, runs: TiedRuns) -> Spread | None:
        from measurand.measures.ties.wrongs import wrongs  # loaded when ties are looked at

        own = type(self).contribution is BinaryPreference.contribution and self.is_defined_by(RelevantRanks)
        if not own:
            return None
        run, wrong, number = wrongs(runs, self.rel)
        base = runs.judged.recall_bases(self.rel)[runs.topic]
        nonrelevant = runs.judged.grade_counts[:, : self.rel].sum(axis=1)[runs.topic]
        worth = 1 - ratio(np.minimum(wrong, base[run]), np.minimum(nonrelevant, base)[run].astype(np.float64))
        return Spread(ratio(np.bincount(run, number * worth, len(base)), base.astype(np.float64)))

    def exact_spread(self, run: TiedRun, pool: Pool) -> Spread | None:
        from measurand.measures.ties.wrongs import wrongs_exactly  # loaded when ties are looked at

        base = pool.recall_base(self.rel)
        most = min(pool.nonrelevant(self.rel), base)
        parts = (number * (1 - ratio(min(wrong, base), most)) for wrong, number in wrongs_exactly(run, self.rel))
        return Spread(ratio(sum(parts, Fraction(0)), base))


Bpref = BinaryPreference()
