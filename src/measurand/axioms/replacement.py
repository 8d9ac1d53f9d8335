"""Replacement: a better document in place of another does not hurt."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import Axiom, answering, decide
from measurand.axioms.pairs import replacements
from measurand.axioms.space import Space
from measurand.measures import Measure
from measurand.verdict import Verdict

REPLACEMENT = Axiom("replacement", replacements, strict=False, breach="a better document lowers the value")


@answering
def replacement(
    measure: Measure,
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Verdict:
    r"""Return whether a better document at a rank, all others unchanged, never lowers the value.

    .. math:: r_i \le s_i,\ r_k = s_k \text{ for } k \ne i \implies m(r) \le m(s)

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
    >>> replacement("AP", depth=8).how
    <How.PROVED: 'proved'>
    >>> last = lambda run: sum(run) / max((i for i, g in enumerate(run, 1) if g), default=1)
    >>> list(replacement(last, depth=4).witness)
    [(1, 0, 0, 0), (1, 0, 1, 0)]

    References
    ----------
    [FerranteFerroMaistro2015]_, section 5
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return decide(REPLACEMENT, space.valuer(measure), space, rng)
