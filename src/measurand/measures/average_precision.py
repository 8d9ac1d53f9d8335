"""Average precision: precision at every relevant document, averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from measurand.judged import Pool, as_cells
from measurand.measures.relevant_ranks import RelevantRanks, Seen

if TYPE_CHECKING:
    from measurand.exact import Exact


class AveragePrecision(RelevantRanks):
    r"""Mean over the topic's relevant documents of the precision where each is found (0 if it is not).

    .. math:: \mathrm{AP} = \frac{1}{R} \sum_{i : r_i \text{ relevant}} \frac{\#\{k \le i : r_k \text{ relevant}\}}{i}

    Examples
    --------
    >>> AP.of([1, 0, 1, 0], recall_base=4)
    Fraction(5, 12)

    Notes
    -----
    `AP@k` still divides by the whole recall base, as trec_eval's `map_cut` does.

    References
    ----------
    [BuckleyVoorhees2005]_
    """

    name: ClassVar[str] = "AP"
    reference: ClassVar[str] = "BuckleyVoorhees2005"
    uses_recall_base: ClassVar[bool] = True
    rescaled: ClassVar[bool] = True
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    linear: ClassVar[bool] = True

    def contribution(self, seen: Seen) -> Any:
        return seen.relevant / seen.rank

    def key(self, run: Sequence[int]) -> Exact:
        """Return the sum of the precisions, which decides ties whatever the recall base."""
        cells = as_cells(run)
        return self.total(self.view(cells), Pool.assumed(cells))


AP = AveragePrecision()
