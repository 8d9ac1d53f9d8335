"""How a property is decided: by proof, by looking at every run, or by looking at some."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Protocol, cast

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.axioms.families import proofs
from measurand.axioms.pairs import MakePairs, Pairs
from measurand.axioms.space import Space
from measurand.errors import FunctionFailed
from measurand.measures import Measure, as_measure
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict, Witness

MOST = 20_000
"""How many pairs are looked at where not all can be."""

Rng = int | np.random.Generator
"""Where chance comes from: a seed or a generator."""


@frozen
class Axiom:
    """A property that says which of two runs is better.

    Parameters
    ----------
    name
        What the property is called.
    pairs
        The pairs of runs that it speaks about.
    strict
        Whether the better run must be better, or may be as good.
    breach
        What a pair that breaks it shows, in words.
    """

    name: str
    pairs: MakePairs
    strict: bool
    breach: str


def decide(axiom: Axiom, valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    """Return whether a measure has a property, with the smallest pair of runs that breaks it if not."""
    argument = proofs(valuer.measure, space).get(axiom.name)
    if argument is not None:
        return Verdict(True, None, f"every run of {space}", How.PROVED, argument)
    for pairs in _pairs(axiom, space, rng):
        found = breaches(pairs, valuer, strict=axiom.strict)
        if len(found):
            broken = smallest(pairs, found)
            values = tuple(map(valuer.value, broken))
            return Verdict(False, Witness(broken, values, axiom.breach), space.checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, space.checked, space.how)


def _pairs(axiom: Axiom, space: Space, rng: Rng) -> Iterator[Pairs]:
    if space.fits:
        yield axiom.pairs(space.all(), space.grades)
    else:
        yield axiom.pairs(space.telling(), space.grades).smallest(MOST)
        yield axiom.pairs(space.drawn(rng), space.grades, MOST // 4)


def breaches(pairs: Pairs, valuer: Valuer, *, strict: bool) -> IntArray:
    """Return which pairs a measure puts the wrong way round (or, if `strict`, makes equal)."""
    if not len(pairs):
        return np.empty(0, dtype=np.int64)
    runs, which = np.unique(np.concatenate([pairs.worse, pairs.better]), axis=0, return_inverse=True)
    worse, better = valuer.places(runs)[which.reshape(2, -1)]
    return np.flatnonzero(better <= worse if strict else better < worse)


def smallest(pairs: Pairs, found: IntArray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the pair with the lowest grades; among those, with the highest ranks."""
    worse, better = pairs.worse[found], pairs.better[found]
    total = worse.sum(axis=1, dtype=np.int64) + better.sum(axis=1, dtype=np.int64)
    both = (worse > 0) | (better > 0)
    deepest = np.where(both.any(axis=1), worse.shape[1] - np.argmax(both[:, ::-1], axis=1), 0)
    columns = [*better.T[::-1], *worse.T[::-1], deepest, total]
    first = np.lexsort(columns)[0]
    return tuple(worse[first].tolist()), tuple(better[first].tolist())


class Question(Protocol):
    """A question about a measure: call it with a measure, its spelling, or any function of judged runs."""

    on: Callable[[Valuer, Space, Rng], Verdict]
    """The same question about a measure that is ready to be asked."""

    def __call__(
        self,
        measure: Measure | str | Callable[..., Any],
        depth: int = 10,
        grades: int = 2,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
        rng: Rng = 0,
    ) -> Verdict:
        """Return the verdict."""


def question(on: Callable[[Valuer, Space, Rng], Verdict]) -> Question:
    """Return a question about a measure that always has an answer.

    The runs and the topic are those of `Space`: `depth`, `grades`, `recall_base`, `collection`; `rng` draws runs
    where there are too many to look at all. A function that fails on a run is no measure, so it has no property
    of one: the verdict says so, with the run.
    """

    @wraps(on)
    def ask(
        measure: Measure | str | Callable[..., Any],
        depth: int = 10,
        grades: int = 2,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
        rng: Rng = 0,
    ) -> Verdict:
        space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
        try:
            return on(space.valuer(as_measure(measure)), space, rng)
        except FunctionFailed as failure:
            return unusable(failure)

    # what `help` shows is how to ask
    ask.__signature__ = inspect.signature(ask, follow_wrapped=False)  # type: ignore[attr-defined]
    ask.on = on  # type: ignore[attr-defined]
    return cast(Question, ask)


def unusable(failure: FunctionFailed) -> Verdict:
    """Return the verdict on a function that is no measure."""
    return Verdict(False, Witness((failure.run,), (), str(failure)), "runs until it failed on one", How.FAILED)
