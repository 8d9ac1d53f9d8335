"""Deepness: what happens near the top matters more."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import Axiom, answering, decide
from measurand.axioms.pairs import deeper_swaps
from measurand.axioms.space import Space
from measurand.measures import Measure
from measurand.verdict import Verdict

DEEPNESS = Axiom("deepness", deeper_swaps, strict=True, breach="the swap near the top gains no more than the other")


@answering
def deepness(
    measure: Measure,
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Verdict:
    r"""Return whether a swap of neighbours gains more than a like swap of neighbours further down.

    .. math:: i < j,\ (r_i, r_{i+1}) = (r_j, r_{j+1}),\ r_i < r_{i+1}
        \implies m(r \text{ swapped at } i) > m(r \text{ swapped at } j)

    The witness holds the two outcomes; both come from one run.

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
    >>> bool(deepness("DCG", depth=100))
    True
    >>> verdict = deepness("AP", depth=8)
    >>> list(verdict.witness), verdict.witness.values
    ([(0, 0, 0, 0, 0, 1, 1, 0), (0, 0, 0, 0, 1, 0, 0, 1)], (Fraction(19, 336), Fraction(9, 160)))

    References
    ----------
    [Amigo2018]_, section 4
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return decide(DEEPNESS, space.valuer(measure), space, rng)
