"""Priority: a better document that changes places with its worse neighbour above helps."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import Axiom, answering, decide
from measurand.axioms.pairs import adjacent_swaps
from measurand.axioms.space import Space
from measurand.measures import Measure
from measurand.verdict import Verdict

PRIORITY = Axiom("priority", adjacent_swaps, strict=True, breach="moving the better document up gains nothing")


@answering
def priority(
    measure: Measure,
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Verdict:
    r"""Return whether a better document that changes places with its worse neighbour above raises the value.

    .. math:: r_i < r_{i+1},\ s = r \text{ with the two exchanged} \implies m(r) < m(s)

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    depth, grades, recall_base, collection
        The runs and the topic to look at; see `Space`. A cutoff shows only in runs that are longer.
    rng
        Draws runs where there are too many to look at all.

    Examples
    --------
    >>> bool(priority("RBP(p=0.8)", depth=100)), list(priority("RR", depth=3).witness)
    (True, [(1, 0, 1), (1, 1, 0)])

    References
    ----------
    [Amigo2018]_, section 4
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return decide(PRIORITY, space.valuer(measure), space, rng)
