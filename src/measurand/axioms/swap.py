"""Swap: a better document that changes places with a worse one above it does not hurt."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import Axiom, answering, decide
from measurand.axioms.pairs import swaps
from measurand.axioms.space import Space
from measurand.measures import Measure
from measurand.verdict import Verdict

SWAP = Axiom("swap", swaps, strict=False, breach="moving the better document up lowers the value")


@answering
def swap(
    measure: Measure,
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Verdict:
    r"""Return whether a better document that changes places with a worse one above never lowers the value.

    .. math:: i < j,\ r_i < r_j,\ s = r \text{ with } r_i, r_j \text{ exchanged} \implies m(r) \le m(s)

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    depth, grades, recall_base, collection
        The runs and the topic to look at; see `Space`.
    rng
        Draws runs where there are too many to look at all.

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
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return decide(SWAP, space.valuer(measure), space, rng)
