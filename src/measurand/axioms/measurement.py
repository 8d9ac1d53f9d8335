"""Measurement: values from 0 up, and an order on judged runs that they keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import Cells
from measurand.axioms.decide import Axiom, Run, decide, verdict_on
from measurand.axioms.pairs import Pairs, descending, set_replacements, set_successors, successors
from measurand.axioms.properties import REPLACEMENT, SWAP
from measurand.errors import NotANumber, ParameterError, brief
from measurand.exact import shown
from measurand.execution import Rng, generator
from measurand.measures import Measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer, far_apart
from measurand.orders import OwnOrder
from measurand.orders.names import AnyOrder, check_order, is_of_sets
from measurand.verdict import How, Verdict, Witness, first_broken, unusable

STEPS = {
    "swap": (REPLACEMENT, SWAP),
    "replacement": (REPLACEMENT,),
    "projection": (Axiom("projection", successors, strict=False, violation="the next run has a {lower} value"),),
    "set-replacement": (
        Axiom("set-replacement", set_replacements, strict=False, violation="a better document {lowers} the value"),
    ),
    "set-projection": (
        Axiom("set-projection", set_successors, strict=False, violation="the next set has a {lower} value"),
    ),
}
"""For each order on judged runs, steps that lead from a run to every run above it."""


@frozen(kw_only=True, repr=False)
class MeasurementVerdict(Verdict):
    """Whether a measure is a measurement: a verdict on the order, and one on the values.

    Parameters
    ----------
    holds, witness, checked, how, argument
        As in `Verdict`: both conditions hold, or what breaks the first that does not.
    order
        Whether what is better never has a worse value.
    codomain
        Whether every value is a number from 0 up, or infinite.

    Examples
    --------
    >>> verdict = is_measurement(lambda run: sum(run) - 3, depth=3)
    >>> bool(verdict), bool(verdict.order), bool(verdict.codomain)
    (False, True, False)
    """

    order: Verdict = field()
    codomain: Verdict = field()

    @classmethod
    def of(cls, order: Verdict, codomain: Verdict) -> MeasurementVerdict:
        """Return the verdict that both hold, or what breaks one of them; the order first, where it was decided.

        Parameters
        ----------
        order
            Whether better runs never have lower values.
        codomain
            Whether all values are numbers from 0 up.
        """
        undecided = order.how is How.FAILED and codomain.how is not How.FAILED
        found = first_broken([codomain, order] if undecided else [order, codomain])
        return cls(
            holds=found.holds,
            witness=found.witness,
            checked=found.checked,
            how=found.how,
            argument=found.argument,
            order=order,
            codomain=codomain,
        )


def is_measurement(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    order: AnyOrder = "swap",
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> MeasurementVerdict:
    r"""Return whether a measure is a measurement: values from 0 up, and what is better never has a worse one.

    .. math:: m(r) \in [0, \infty] \text{ and } r \preceq s \implies m(r) \le m(s)

    Where lower is better, :math:`m(r) \ge m(s)`.

    For the order by replacement and swapping, the second holds exactly when the measure has the properties
    `replacement` and `swap` (Theorem 5.2), because every run above another is reached by such steps.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs, which may answer ∞.
    order
        "swap", "replacement" or "projection"; "set-replacement" or "set-projection", which look at runs as sets; or
        an order of your own, from `measurand.orders.from_moves`: then it is decided whether the measure respects
        its moves.
    depth, grades, recall_base, collection
        The runs and the topic to look at; see `Space`.
    rng
        Draws runs where there are too many to look at all.

    Returns
    -------
    MeasurementVerdict
        Its parts `order` and `codomain` are the verdicts on the two conditions.

    Examples
    --------
    >>> bool(is_measurement("nDCG@10", depth=10, grades=4)), bool(is_measurement("P", 4, 2, order="projection"))
    (True, False)
    >>> print(is_measurement(lambda run: sum(run) - 3, depth=3).sentence)
    does not hold (counterexample): codomain: the value -3 of (0, 0, 0) is below 0
    >>> oie = is_measurement("OIE", depth=4, collection=50)
    >>> bool(oie.order), bool(oie.codomain)
    (True, False)

    Does a measure respect moves of one's own? Here one document at rank 1 is worth less than two right below it:

    >>> from measurand.orders import from_moves
    >>> def two_for_one(run):
    ...     return [(0, 1, 1, *run[3:])] if run[:3] == (1, 0, 0) else []
    >>> trade = from_moves(two_for_one)
    >>> bool(is_measurement("AP", 4, order=trade)), bool(is_measurement("P", 4, order=trade))
    (True, True)
    >>> print(is_measurement("RR", 4, order=trade).sentence)
    does not hold (counterexample): the move two_for_one from (1, 0, 0, 0) to (0, 1, 1, 0) lowers the value

    References
    ----------
    [FerranteFerroMaistro2015]_, Definition 5.1 and Theorem 5.2; [Giner2022]_
    """
    check_order(order)
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    if isinstance(order, OwnOrder) and order.on_whole_grades() and space.fits:
        # refuses moves that go round in a circle
        order.graph(depth, grades)

    def keeps(valuer: Valuer, space: Space, rng: Rng) -> Verdict:
        return measurement_verdict(valuer.allowing_infinity(), space, rng, order)

    verdict = verdict_on(measure, keeps, space, rng)
    return verdict if isinstance(verdict, MeasurementVerdict) else MeasurementVerdict.of(verdict, verdict)


def measurement_verdict(
    valuer: Valuer, space: Space, rng: Rng, order: AnyOrder = "swap", kept: Verdict | None = None
) -> MeasurementVerdict:
    """Return whether the values of a measure are in [0, ∞], and whether they keep an order.

    Parameters
    ----------
    valuer
        What gives runs their values.
    space
        The runs to look at.
    rng
        Draws runs where there are too many to look at all.
    order
        One of `STEPS`, or an order of one's own.
    kept
        Whether they keep the order, where that is known already.
    """
    if kept is None:
        try:
            kept = first_broken([decide(axiom, valuer, space, rng) for axiom in _steps(order, space, rng)])
        except NotANumber as failure:
            kept = unusable(failure)
    return MeasurementVerdict.of(kept, codomain(valuer, space, kept, rng, sets=is_of_sets(order)))


def _steps(order: AnyOrder, space: Space, rng: Rng) -> tuple[Axiom, ...]:
    """Return what a measure must have to keep an order."""
    if isinstance(order, str):
        return STEPS[order]
    if not isinstance(order, OwnOrder):
        raise ParameterError(f"the order {order.name!r} has no moves, so that it cannot be decided who keeps it")
    return (moves_of(order, space, rng),)


def moves_of(order: OwnOrder, space: Space, rng: Rng = 0) -> Axiom:
    """Return the property that no move of an order makes the value worse.

    Examples
    --------
    >>> from measurand.orders import adjacent_swaps, from_moves
    >>> axiom = moves_of(from_moves(adjacent_swaps), Space(depth=2))
    >>> axiom.pairs(np.array([[0, 1], [1, 1]], dtype=np.int8), 2).better.tolist()
    [[1, 0]]
    """

    def better(run: Run, grades: int) -> set[Run]:
        """Return what one move leads to, or several through runs that hold more relevant documents than there are."""
        found, passed, open_ends = set[Run](), set[Run](), [run]
        while open_ends:
            for after in order.steps(open_ends.pop(), grades):
                if space.recall_base is None or sum(grade > 0 for grade in after) <= space.recall_base:
                    found.add(after)
                elif after not in passed:
                    passed.add(after)
                    open_ends.append(after)
            if len(passed) > order.most:
                where = f"from {brief(run)} through runs with more than {space.recall_base} relevant documents"
                raise order.too_many(f"{len(passed):,} runs {where} have been looked at, and there are more")
        return found

    def pairs(runs: Cells, grades: int, most: int | None = None, *, spread: bool = False) -> Pairs:
        """Return every run with those that moves lead to, as long as there are not too many."""
        by_grades = np.argsort(runs.sum(axis=1, dtype=np.int64), kind="stable")
        runs = runs[generator(rng).permutation(len(runs)) if spread else by_grades]
        several: list[tuple[Run, Run]] = []
        for row in runs.tolist():
            several += [(tuple(row), after) for after in sorted(better(tuple(row), grades))]
            if most is not None and len(several) >= most:
                break
        cells = np.array(several, dtype=runs.dtype).reshape(len(several), 2, runs.shape[1])
        return Pairs(cells[:, 0], cells[:, 1])

    def violation(worse: Run, better: Run) -> str:
        """Return which move makes the value worse."""
        names = list(dict.fromkeys(move.by for move in order.compared(worse, better, space.grades).moves))
        moves = f"move{'s' * (len(names) > 1)} {' and '.join(names)}"
        return f"the {moves} from {brief(worse)} to {brief(better)} {{lowers}} the value"

    return Axiom("moves of one's own", pairs, strict=False, violation=violation, met=True)


def codomain(valuer: Valuer, space: Space, kept: Verdict, rng: Rng = 0, *, sets: bool = False) -> Verdict:
    """Return whether every value is a number from 0 up, or infinite, as the measure gives it.

    Parameters
    ----------
    valuer
        What gives runs their values.
    space
        The runs to look at.
    kept
        Whether the measure keeps an order: if that is proved, a run without anything relevant has the least value.
    rng
        Draws runs where there are too many to look at all.
    sets
        Whether runs are checked as sets, best documents first.
    """
    if kept.how is How.PROVED and not valuer.measure.lower_is_better:
        nothing = (0,) * space.depth
        outside = _outside(valuer, nothing, space)
        if outside is not None:
            return outside
        argument = f"a run without anything relevant has the least value, {shown(valuer.value(nothing))}"
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    for runs in space.parts(rng):
        for run in _suspects(valuer, descending(runs) if sets else runs):
            outside = _outside(valuer, run, space)
            if outside is not None:
                return outside
    return Verdict(True, None, space.checked, space.how)


def _suspects(valuer: Valuer, runs: Cells) -> Iterator[Run]:
    """Return the runs whose values may be below 0 as far as floats can decide (of functions all), smallest first."""
    rough = valuer.roughly(runs)
    if rough is not None:
        runs = runs[~((rough > 0) & far_apart(rough, np.zeros_like(rough)))]
    last = np.where(runs.any(axis=1), runs.shape[1] - np.argmax(runs[:, ::-1] > 0, axis=1), 0)
    order = np.lexsort((last, runs.sum(axis=1, dtype=np.int64)))
    return map(tuple, runs[order].tolist())


def _outside(valuer: Valuer, run: Run, space: Space) -> Verdict | None:
    """Return the verdict that a run has a value outside [0, ∞], or None."""
    try:
        value: Any = valuer.value(run)
    except NotANumber as failure:
        return Verdict(False, Witness((run,), (), f"codomain: {failure}"), space.checked, How.COUNTEREXAMPLE)
    if value >= 0:
        return None
    why = f"codomain: the value {shown(value)} of {brief(run)} is below 0"
    return Verdict(False, Witness((run,), (value,), why), space.checked, How.COUNTEREXAMPLE)
