"""Priority: a better document that changes places with its worse neighbour above helps."""

from __future__ import annotations

from measurand.axioms.decide import Axiom, decide, question
from measurand.axioms.pairs import adjacent_swaps
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict

PRIORITY = Axiom("priority", adjacent_swaps, strict=True, breach="moving the better document up gains nothing")


@question
def priority(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a better document that changes places with its worse neighbour above makes the value better.

    .. math:: r_i < r_{i+1},\ s = r \text{ with the two exchanged} \implies m(r) < m(s)

    Where lower is better, :math:`m(r) > m(s)`. A cutoff shows only in runs that are longer.

    Examples
    --------
    >>> bool(priority("RBP(p=0.8)", depth=100)), list(priority("RR", depth=3).witness)
    (True, [(1, 0, 1), (1, 1, 0)])

    References
    ----------
    [Amigo2018]_, section 4
    """
    return decide(PRIORITY, valuer, space, rng)
