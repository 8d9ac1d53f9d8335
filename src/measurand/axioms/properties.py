"""Properties of a measure that one changed document shows: replacement, swap, priority, deepness, confidence.

Each is decided for all runs of a depth: by proof for a family of measures, else on every run, else on a sample.
`DECISIONS` holds the same decisions for a measure that is ready to be valued, as `examine` needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from measurand.arrays import BoolArray, Cells
from measurand.axioms.decide import Axiom, Decision, decide, refuted, verdict_on
from measurand.axioms.families import proofs
from measurand.axioms.pairs import Pairs, adjacent_swaps, deeper_swaps, replacements, swaps
from measurand.errors import FunctionFailed
from measurand.execution import Rng
from measurand.measures import Measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer, far_apart
from measurand.verdict import How, Verdict


def well_defined(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    """Return whether a measure has a finite value on every run, the same at every call.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth, grades
        The number of ranks of a run, and the number of grades, grade 0 included.
    recall_base, collection
        The number of relevant documents and of all documents of the topic; see `Space` for the defaults.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Returns
    -------
    Verdict
        The witness is the run on which it has none.

    Examples
    --------
    >>> bool(well_defined("Bpref"))
    True
    >>> print(well_defined(lambda run: 1 / sum(run), depth=2).witness)
    function failed with ZeroDivisionError('division by zero') on (0, 0)
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return verdict_on(measure, DECISIONS["well_defined"], space, rng)


def replacement(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a better document at a rank, all others unchanged, never makes the value worse.

    .. math:: r_i \le s_i,\ r_k = s_k \text{ for } k \ne i \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth, grades
        The number of ranks of a run, and the number of grades, grade 0 included.
    recall_base, collection
        The number of relevant documents and of all documents of the topic; see `Space` for the defaults.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Returns
    -------
    Verdict
        The witness is two runs, the one that should be worse first.

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
    return verdict_on(measure, DECISIONS["replacement"], space, rng)


def swap(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a better document that changes places with a worse one above never makes the value worse.

    .. math:: i < j,\ r_i < r_j,\ s = r \text{ with } r_i, r_j \text{ exchanged} \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth, grades
        The number of ranks of a run, and the number of grades, grade 0 included.
    recall_base, collection
        The number of relevant documents and of all documents of the topic; see `Space` for the defaults.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Returns
    -------
    Verdict
        The witness is two runs, the one that should be worse first.

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
    return verdict_on(measure, DECISIONS["swap"], space, rng)


def priority(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a better document that changes places with its worse neighbour above makes the value better.

    .. math:: r_i < r_{i+1},\ s = r \text{ with the two exchanged} \implies m(r) < m(s)

    Where lower is better, :math:`m(r) > m(s)`. A cutoff shows only in runs that are longer.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth, grades
        The number of ranks of a run, and the number of grades, grade 0 included.
    recall_base, collection
        The number of relevant documents and of all documents of the topic; see `Space` for the defaults.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Returns
    -------
    Verdict
        The witness is two runs, the one that should be worse first.

    Examples
    --------
    >>> bool(priority("RBP(p=0.8)", depth=100)), list(priority("RR", depth=3).witness)
    (True, [(1, 0, 1), (1, 1, 0)])

    References
    ----------
    [Amigo2013]_, as [Amigo2018]_, section 4, has it
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return verdict_on(measure, DECISIONS["priority"], space, rng)


def deepness(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a swap of neighbours gains more than a like swap of neighbours further down.

    .. math:: i < j,\ (r_i, r_{i+1}) = (r_j, r_{j+1}),\ r_i < r_{i+1}
        \implies m(r \text{ swapped at } i) > m(r \text{ swapped at } j)

    Where lower is better, it is the other way round.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth, grades
        The number of ranks of a run, and the number of grades, grade 0 included.
    recall_base, collection
        The number of relevant documents and of all documents of the topic; see `Space` for the defaults.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Returns
    -------
    Verdict
        The witness is the two outcomes, that of the lower swap first; both come from one run.

    Examples
    --------
    >>> bool(deepness("DCG", depth=100))
    True
    >>> verdict = deepness("AP", depth=8)
    >>> list(verdict.witness), verdict.witness.values
    ([(0, 0, 0, 0, 0, 1, 1, 0), (0, 0, 0, 0, 1, 0, 0, 1)], (Fraction(19, 336), Fraction(9, 160)))

    References
    ----------
    [Amigo2013]_, as [Amigo2018]_, section 4, has it
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return verdict_on(measure, DECISIONS["deepness"], space, rng)


def confidence(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a nonrelevant document, put at the end of a run, makes the value worse.

    .. math:: m(r_1, \dots, r_n, 0) < m(r_1, \dots, r_n)

    Where lower is better, it is the other way round. The longer run has `depth` ranks.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth, grades
        The number of ranks of a run, and the number of grades, grade 0 included.
    recall_base, collection
        The number of relevant documents and of all documents of the topic; see `Space` for the defaults.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Returns
    -------
    Verdict
        The witness is the longer and the shorter run.

    Examples
    --------
    >>> bool(confidence("OIE(beta=1.2, collection=1000)", depth=8, recall_base=8))
    True
    >>> list(confidence("AP", depth=3).witness)
    [(0, 0, 0), (0, 0)]

    References
    ----------
    [Amigo2013]_, as [Amigo2018]_, section 4, has it
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return verdict_on(measure, DECISIONS["confidence"], space, rng)


def _well_defined(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    for runs in space.parts(rng):
        rough = valuer.roughly(runs)
        if rough is None:
            valuer.all(runs)
            valuer.confirm()
        elif not np.isfinite(rough).all():
            run = tuple(runs[np.flatnonzero(~np.isfinite(rough))[0]].tolist())
            raise FunctionFailed(repr(valuer.measure), run, "is not finite")
    return Verdict(True, None, space.checked, space.how)


def _confidence(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    argument = proofs(valuer.measure, space).get("confidence")
    if argument is not None:
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    for rows in space.parts(rng):
        longer = rows[rows[:, -1] == 0]
        longer = longer[~_surely_costs(longer, valuer)]
        # one after the other, the smallest first, so that the first counterexample is the smallest
        order = np.lexsort(Pairs(longer, longer).sizes(np.arange(len(longer)))[::-1])
        for run in map(tuple, longer[order].tolist()):
            if valuer.compare(run, run[:-1]) >= 0:
                why = "a document that is not relevant, put at the end, costs nothing"
                return refuted(valuer, (run, run[:-1]), why, space)
    return Verdict(True, None, space.checked, space.how)


def _surely_costs(longer: Cells, valuer: Valuer) -> BoolArray:
    """Return for which runs floats are enough to show that the last document costs something."""
    alone = longer.shape[1] < 2
    with_it, without = (None, None) if alone else (valuer.rough_goodness(longer), valuer.rough_goodness(longer[:, :-1]))
    if with_it is None or without is None:
        return np.zeros(len(longer), dtype=bool)
    return far_apart(with_it, without) & (with_it < without)


def _shallow_gain(worse: tuple[int, ...], better: tuple[int, ...]) -> str:
    """Return what the outcomes of two like swaps show, with the run that both come from."""
    lower = [place for place, (one, other) in enumerate(zip(worse, better, strict=True)) if one != other][2]
    start = " ".join(map(str, worse[:lower] + better[lower:]))
    return f"from {start} the second swap, nearer the top, gains no more than the first"


REPLACEMENT = Axiom("replacement", replacements, strict=False, violation="a better document {lowers} the value")
SWAP = Axiom("swap", swaps, strict=False, violation="moving the better document up {lowers} the value")
PRIORITY = Axiom("priority", adjacent_swaps, strict=True, violation="moving the better document up gains nothing")
DEEPNESS = Axiom("deepness", deeper_swaps, strict=True, violation=_shallow_gain)

DECISIONS: Mapping[str, Decision] = {
    "well_defined": _well_defined,
    **{axiom.name: partial(decide, axiom) for axiom in (REPLACEMENT, SWAP, PRIORITY, DEEPNESS)},
    "confidence": _confidence,
}
"""The decision about each property, for a measure on a topic."""
