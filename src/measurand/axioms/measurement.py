"""Measurement: an order on judged runs that a measure keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from measurand.axioms.decide import Axiom, decide, question
from measurand.axioms.pairs import set_replacements, set_successors, successors
from measurand.axioms.replacement import REPLACEMENT
from measurand.axioms.swap import SWAP
from measurand.chance import Rng
from measurand.errors import ParameterError
from measurand.measures import Measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict, first_broken

STEPS = {
    "swap": (REPLACEMENT, SWAP),
    "replacement": (REPLACEMENT,),
    "projection": (Axiom("projection", successors, strict=False, breach="the next run has a {lower} value"),),
    "set-replacement": (
        Axiom("set-replacement", set_replacements, strict=False, breach="a better document {lowers} the value"),
    ),
    "set-projection": (
        Axiom("set-projection", set_successors, strict=False, breach="the next set has a {lower} value"),
    ),
}
"""For each order on judged runs, steps that lead from a run to every run above it."""


def is_measurement(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    order: str = "swap",
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a measure keeps an order on judged runs: what is better never has a worse value.

    .. math:: r \preceq s \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

    For the order by replacement and swapping this holds exactly when the measure has the properties
    `replacement` and `swap` (Theorem 5.2), because every run above another is reached by such steps.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    order
        One of the orders of `measurand.orders`; those on sets look at runs as sets.
    depth, grades, recall_base, collection
        The runs and the topic to look at; see `Space`.
    rng
        Draws runs where there are too many to look at all.

    Examples
    --------
    >>> bool(is_measurement("nDCG@10", depth=10, grades=4)), bool(is_measurement("P", 4, 2, order="projection"))
    (True, False)

    References
    ----------
    [FerranteFerroMaistro2015]_, Definition 5.1 and Theorem 5.2; [Giner2022]_
    """
    if order not in STEPS:
        raise ParameterError(f"there is no order {order!r}; the orders are {', '.join(STEPS)}")

    def keeps(valuer: Valuer, space: Space, rng: Rng) -> Verdict:
        return first_broken([decide(axiom, valuer, space, rng) for axiom in STEPS[order]])

    return question(keeps)(measure, depth, grades, recall_base=recall_base, collection=collection, rng=rng)
