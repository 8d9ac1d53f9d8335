"""Deepness: what happens near the top matters more."""

from __future__ import annotations

from measurand.axioms.decide import Axiom, decide, question
from measurand.axioms.pairs import deeper_swaps
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict


def _breach(worse: tuple[int, ...], better: tuple[int, ...]) -> str:
    """Return what the two outcomes show, with the run that both come from."""
    lower = [place for place, (one, other) in enumerate(zip(worse, better, strict=True)) if one != other][2]
    start = " ".join(map(str, worse[:lower] + better[lower:]))
    return f"from {start} the second swap, nearer the top, gains no more than the first"


DEEPNESS = Axiom("deepness", deeper_swaps, strict=True, breach=_breach)


@question
def deepness(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a swap of neighbours gains more than a like swap of neighbours further down.

    .. math:: i < j,\ (r_i, r_{i+1}) = (r_j, r_{j+1}),\ r_i < r_{i+1}
        \implies m(r \text{ swapped at } i) > m(r \text{ swapped at } j)

    Where lower is better, it is the other way round. The witness holds the two outcomes; both come from one run.

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
    return decide(DEEPNESS, valuer, space, rng)
