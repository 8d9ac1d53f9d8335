"""Confidence: a document that is not relevant, put at the end, costs something."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import answering
from measurand.axioms.families import proofs
from measurand.axioms.space import Space
from measurand.measures import Measure
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict, Witness

BREACH = "a document that is not relevant, put at the end, costs nothing"


@answering
def confidence(
    measure: Measure,
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Verdict:
    r"""Return whether a document that is not relevant, put at the end of a run, lowers the value.

    .. math:: m(r_1, \dots, r_n, 0) < m(r_1, \dots, r_n)

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    depth, grades, recall_base, collection
        The runs and the topic to look at; see `Space`. `depth` is the length with the document at the end.
    rng
        Draws runs where there are too many to look at all.

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
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return decide_confidence(space.valuer(measure), space, rng)


def decide_confidence(valuer: Valuer, space: Space, rng: int | np.random.Generator = 0) -> Verdict:
    """Return whether a measure has confidence; the one property that speaks of runs of two lengths."""
    argument = proofs(valuer.measure, space).get("confidence")
    if argument is not None:
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    for rows in space.parts(rng):
        runs = map(tuple, rows[rows[:, -1] == 0].tolist())
        # the smallest run first, so that the first breach is the smallest
        for longer in sorted(runs, key=lambda run: (sum(run), run)):
            values = valuer.value(longer), valuer.value(longer[:-1])
            if not values[0] < values[1]:
                return Verdict(False, Witness((longer, longer[:-1]), values, BREACH), space.checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, space.checked, space.how)
