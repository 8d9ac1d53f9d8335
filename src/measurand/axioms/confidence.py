"""Confidence: a document that is not relevant, put at the end, costs something."""

from __future__ import annotations

import numpy as np

from measurand.arrays import BoolArray, Cells
from measurand.axioms.decide import question, refuted
from measurand.axioms.families import proofs
from measurand.axioms.pairs import Pairs
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer, far_apart
from measurand.verdict import How, Verdict

BREACH = "a document that is not relevant, put at the end, costs nothing"


@question
def confidence(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a document that is not relevant, put at the end of a run, makes the value worse.

    .. math:: m(r_1, \dots, r_n, 0) < m(r_1, \dots, r_n)

    Where lower is better, it is the other way round. The runs have the depth asked for with the document at the end.

    Examples
    --------
    >>> bool(confidence("OIE(beta=1.2, collection=1000)", depth=8, recall_base=8))
    True
    >>> list(confidence("AP", depth=3).witness)
    [(0, 0, 0), (0, 0)]

    References
    ----------
    [Amigo2018]_, section 4
    """
    argument = proofs(valuer.measure, space).get("confidence")
    if argument is not None:
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    for rows in space.parts(rng):
        longer = rows[rows[:, -1] == 0]
        longer = longer[~_surely_costs(longer, valuer)]
        # one after the other, the smallest first, so that the first breach is the smallest
        order = np.lexsort(Pairs(longer, longer).sizes(np.arange(len(longer)))[::-1])
        for run in map(tuple, longer[order].tolist()):
            if valuer.compare(run, run[:-1]) >= 0:
                return refuted(valuer, (run, run[:-1]), BREACH, space)
    return Verdict(True, None, space.checked, space.how)


def _surely_costs(longer: Cells, valuer: Valuer) -> BoolArray:
    """Say for which runs floats are enough to tell that the last document costs something."""
    alone = longer.shape[1] < 2
    with_it, without = (None, None) if alone else (valuer.rough_goodness(longer), valuer.rough_goodness(longer[:, :-1]))
    if with_it is None or without is None:
        return np.zeros(len(longer), dtype=bool)
    return far_apart(with_it, without) & (with_it < without)
