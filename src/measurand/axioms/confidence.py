"""Confidence: a document that is not relevant, put at the end, costs something."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import Rng, question, refuted
from measurand.axioms.families import proofs
from measurand.axioms.pairs import Pairs
from measurand.axioms.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict

BREACH = "a document that is not relevant, put at the end, costs nothing"


@question
def confidence(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a document that is not relevant, put at the end of a run, lowers the value.

    .. math:: m(r_1, \dots, r_n, 0) < m(r_1, \dots, r_n)

    The runs have the depth asked for with the document at the end.

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
        # one after the other, the smallest first, so that the first breach is the smallest
        order = np.lexsort(Pairs(longer, longer).sizes(np.arange(len(longer)))[::-1])
        for run in map(tuple, longer[order].tolist()):
            if valuer.compare(run, run[:-1]) >= 0:
                return refuted(valuer, (run, run[:-1]), BREACH, space)
    return Verdict(True, None, space.checked, space.how)
