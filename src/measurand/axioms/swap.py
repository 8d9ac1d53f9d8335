"""Swap: a better document that changes places with a worse one above it does not hurt."""

from __future__ import annotations

from measurand.axioms.decide import Axiom, decide, question
from measurand.axioms.pairs import swaps
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict

SWAP = Axiom("swap", swaps, strict=False, breach="moving the better document up {lowers} the value")


@question
def swap(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a better document that changes places with a worse one above never makes the value worse.

    .. math:: i < j,\ r_i < r_j,\ s = r \text{ with } r_i, r_j \text{ exchanged} \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

    Examples
    --------
    >>> bool(swap("ERR", depth=6, grades=3))
    True
    >>> ranks = lambda run: sum(i for i, g in enumerate(run, 1) if g)
    >>> list(swap(ranks, depth=4).witness)
    [(0, 1, 0, 0), (1, 0, 0, 0)]

    References
    ----------
    [FerranteFerroMaistro2015]_, section 5
    """
    return decide(SWAP, valuer, space, rng)
