"""Replacement: a better document in place of another does not hurt."""

from __future__ import annotations

from measurand.axioms.decide import Axiom, decide, question
from measurand.axioms.pairs import replacements
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict

REPLACEMENT = Axiom("replacement", replacements, strict=False, breach="a better document {lowers} the value")


@question
def replacement(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a better document at a rank, all others unchanged, never makes the value worse.

    .. math:: r_i \le s_i,\ r_k = s_k \text{ for } k \ne i \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

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
    return decide(REPLACEMENT, valuer, space, rng)
