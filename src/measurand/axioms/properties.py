"""Replacement: a better document in place of another does not hurt.

Swap: a better document that changes places with a worse one above it does not hurt.

Priority: a better document that changes places with its worse neighbour above helps.

Deepness: what happens near the top matters more.

Whether a function is a measure at all: a number for every run, and always the same one.

Confidence: a document that is not relevant, put at the end, costs something.
"""

from __future__ import annotations

import numpy as np

from measurand.arrays import BoolArray, Cells
from measurand.axioms.decide import Axiom, decide, question, refuted
from measurand.axioms.families import proofs
from measurand.axioms.pairs import Pairs, adjacent_swaps, deeper_swaps, replacements, swaps
from measurand.errors import FunctionFailed
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer, far_apart
from measurand.verdict import How, Verdict

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


SWAP = Axiom("swap", swaps, strict=False, breach="moving the better document up {lowers} the value")


@question
def swap(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    r"""Return whether a better document that changes places with a worse one above never makes the value worse.

    .. math:: i < j,\ r_i < r_j,\ s = r \text{ with } r_i, r_j \text{ exchanged} \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

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
    return decide(SWAP, valuer, space, rng)


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


@question
def well_defined(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    """Return whether there is a finite number for every run, the same whenever it is asked for.

    Examples
    --------
    >>> bool(well_defined("Bpref"))
    True
    >>> print(well_defined(lambda run: 1 / sum(run), depth=2).witness)
    function failed with ZeroDivisionError('division by zero') on (0, 0)
    """
    for runs in space.parts(rng):
        rough = valuer.roughly(runs)
        if rough is None:
            valuer.all(runs)
            valuer.confirm()
        elif not np.isfinite(rough).all():
            run = tuple(runs[np.flatnonzero(~np.isfinite(rough))[0]].tolist())
            raise FunctionFailed(repr(valuer.measure), run, "is not finite")
    return Verdict(True, None, space.checked, space.how)


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
