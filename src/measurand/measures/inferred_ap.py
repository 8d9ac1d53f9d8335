"""Inferred average precision: AP estimated from a sample of judgments."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from measurand.exact import beside
from measurand.measures.relevant_ranks import RelevantRanks, Seen

EPSILON = Fraction(1, 100_000)


class InferredAveragePrecision(RelevantRanks):
    r"""Average precision expected when the judged documents are a sample of the pool.

    .. math:: \mathrm{infAP} = \frac{1}{R} \sum_{i : r_i \text{ relevant}} \left( \frac{1}{i}
        + \frac{m_i}{i} \cdot \frac{\rho_i + \varepsilon}{\rho_i + \nu_i + 2\varepsilon} \right)

    Above rank `i` stand :math:`\rho_i` relevant and :math:`\nu_i` judged nonrelevant documents, and
    :math:`m_i` documents of the pool in all; :math:`\varepsilon` is 1/100000. Grade -1 in a judgment
    file means that a document is in the pool but was not judged.

    Examples
    --------
    >>> infAP.of([1, -1, 0], recall_base=2)
    Fraction(1, 2)

    References
    ----------
    [YilmazAslam2006]_
    """

    name: ClassVar[str] = "infAP"
    reference: ClassVar[str] = "YilmazAslam2006"
    uses_recall_base: ClassVar[bool] = True

    def contribution(self, seen: Seen) -> Any:
        above = seen.relevant - 1
        pool = above + seen.nonrelevant + seen.pooled
        tiny = beside(above, EPSILON)
        return 1 / seen.rank + pool / seen.rank * (above + tiny) / (above + seen.nonrelevant + 2 * tiny)


infAP = InferredAveragePrecision()
