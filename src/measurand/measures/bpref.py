"""Bpref: how many judged nonrelevant documents stand above the relevant ones."""

from __future__ import annotations

from typing import Any, ClassVar

from measurand.exact import least, ratio
from measurand.measures.relevant_ranks import RelevantRanks, Seen


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
    reference: ClassVar[str] = "BuckleyVoorhees2004"
    uses_recall_base: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True

    def contribution(self, seen: Seen) -> Any:
        wrong = least(seen.nonrelevant, seen.recall_base)
        return 1 - ratio(wrong, least(seen.all_nonrelevant, seen.recall_base))


Bpref = BinaryPreference()
