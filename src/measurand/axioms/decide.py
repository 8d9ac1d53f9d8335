"""How a property is decided: by proof, on every run, or on a sample of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.axioms.families import proofs
from measurand.axioms.pairs import MakePairs, Pairs
from measurand.errors import FunctionFailed
from measurand.execution import Rng
from measurand.judged import distinct_runs
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer, far_apart
from measurand.verdict import How, Verdict, Witness, unusable

Run = tuple[int, ...]

MOST = 20_000
"""How many pairs are checked where not all can be …"""

CELLS = 20_000_000
"""… as long as they do not hold more cells than this."""


WORSE: Mapping[str, str] = {"lowers": "lowers", "lower": "lower"}
"""What it is for a value to get worse, or to be worse, where higher is better …"""

WORSE_IF_LOWER: Mapping[str, str] = {"lowers": "raises", "lower": "higher"}
"""… and where lower is."""


@frozen
class Axiom:
    """A property that determines which of two runs is better.

    Parameters
    ----------
    name
        What the property is called.
    pairs
        The pairs of runs that it speaks about.
    strict
        Whether the better run must be better, or may be as good.
    violation
        What a pair that breaks it shows, in words; what a value should not do stands in braces, as if higher were
        better: `{lowers}`, `{lower}`.
    met
        Whether a sample must meet a pair for the property to hold. Without it, a property of which a sample has no pair
        holds: most have pairs in every space that is large enough.
    """

    name: str
    pairs: MakePairs
    strict: bool
    violation: str | Callable[[Run, Run], str]
    met: bool = False

    def shown_by(self, worse: Run, better: Run, *, lower_is_better: bool = False) -> str:
        """Return what a pair that breaks the property shows, in the direction of the measure.

        Examples
        --------
        >>> axiom = Axiom("replacement", None, strict=False, violation="a better document {lowers} the value")
        >>> axiom.shown_by((0,), (1,)), axiom.shown_by((0,), (1,), lower_is_better=True)
        ('a better document lowers the value', 'a better document raises the value, and lower is better')
        """
        text = self.violation if isinstance(self.violation, str) else self.violation(worse, better)
        said = text.format(**WORSE_IF_LOWER if lower_is_better else WORSE)
        return f"{said}, and lower is better" if lower_is_better and said != text else said


def decide(axiom: Axiom, valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    """Return whether a measure has a property, with the smallest pair of runs that breaks it if not."""
    argument = proofs(valuer.measure, space).get(axiom.name)
    if argument is not None:
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    seen = 0
    for pairs in _pairs(axiom, valuer, space, rng):
        seen += len(pairs)
        broken = smallest_violation(pairs, valuer, strict=axiom.strict)
        if broken is not None:
            why = axiom.shown_by(*broken, lower_is_better=valuer.measure.lower_is_better)
            return refuted(valuer, broken, why, space)
    if axiom.met and not seen and not space.fits:
        why = f"no move was met among {space.checked}, so that nothing is known; ask for fewer ranks"
        return Verdict(False, None, why, How.FAILED, why)
    return Verdict(True, None, space.checked if space.fits else f"{seen:,} pairs of {space.checked}", space.how)


def refuted(valuer: Valuer, pair: tuple[Run, Run], why: str, space: Space) -> Verdict:
    """Return the verdict that a pair, the run that should be worse first, breaks a property."""
    values = tuple(map(valuer.value, pair))
    if valuer.near and valuer.prefers(*values) < 0:
        why += "; the difference may be rounding, which answers in fractions do not have"
    return Verdict(False, Witness(pair, values, why), space.checked, How.COUNTEREXAMPLE)


def _pairs(axiom: Axiom, valuer: Valuer, space: Space, rng: Rng) -> Iterator[Pairs]:
    if space.fits:
        yield axiom.pairs(space.all(), space.grades).possible(space.recall_base)
        return
    # a function is asked run by run, so it is asked for fewer
    most = min(MOST, CELLS // space.depth) // (4 if valuer.slow else 1)
    telling = space.telling()
    yield axiom.pairs(telling, space.grades, most // 2).possible(space.recall_base)
    yield axiom.pairs(telling, space.grades, most // 2, spread=True).possible(space.recall_base)
    yield axiom.pairs(space.drawn(rng), space.grades, most // 4, spread=True).possible(space.recall_base)


def smallest_violation(pairs: Pairs, valuer: Valuer, *, strict: bool) -> tuple[Run, Run] | None:
    """Return the smallest pair that a measure puts the wrong way round (or, if `strict`, makes equal), or None.

    The smallest has the lowest grades; among those, the highest ranks; among those, it comes first in the
    order of the dictionary.
    """
    wrong, unsure = _screened(pairs, valuer, strict=strict)
    suspects = np.flatnonzero(wrong | unsure)
    if not len(suspects):
        return None
    size = pairs.sizes(suspects)
    order = np.lexsort(size[::-1])
    ends = np.flatnonzero((np.diff(size[:, order], axis=1) != 0).any(axis=0)) + 1
    for group in np.split(suspects[order], ends):
        found = [pairs[place] for place in group if wrong[place] or _wrong(valuer, pairs[place], strict=strict)]
        if found:
            return min(found)
    return None


def _screened(pairs: Pairs, valuer: Valuer, *, strict: bool) -> tuple[BoolArray, BoolArray]:
    """Return which pairs are the wrong way round, and which floats cannot decide."""
    if not len(pairs):
        return np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
    runs, which = distinct_runs(np.concatenate([pairs.worse, pairs.better]))
    rough = valuer.rough_goodness(runs)
    if rough is None:
        worse, better = valuer.all(runs).goodness[which.reshape(2, -1)]
        return np.asarray(better <= worse if strict else better < worse), np.zeros(len(pairs), dtype=bool)
    low, high = rough[which.reshape(2, -1)]
    sure = far_apart(low, high)
    return np.asarray(sure & (high < low)), ~sure


def _wrong(valuer: Valuer, pair: tuple[Run, Run], *, strict: bool) -> bool:
    outcome = valuer.compare(*pair)
    return outcome >= 0 if strict else outcome > 0


Decision = Callable[[Valuer, Space, Rng], Verdict]
"""From a measure on a topic, the runs to check, and a source of random numbers to a verdict."""


def verdict_on(measure: Measure | str | Callable[..., Any], decision: Decision, space: Space, rng: Rng = 0) -> Verdict:
    """Return the verdict of a decision on a measure; a function that fails on a run has no property of a measure.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    decision
        How the verdict is found.
    space
        The runs and the topic.
    rng
        Draws runs where there are too many to check them all.
    """
    try:
        return decision(space.valuer(as_measure(measure)), space, rng)
    except FunctionFailed as failure:
        return unusable(failure)
