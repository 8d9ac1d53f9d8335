"""Which systems of a store are looked at together: all where they fit, otherwise the best of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from measurand.errors import Caveat, CaveatKind
from measurand.exact import whole_number
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.study.store.score_store import ScoreStore

FITS = 2**28
"""So many grades, and so many comparisons of two systems on a topic, are held in memory."""

BEST = 20
"""So many of the best systems are looked at where not all fit."""


@frozen(kw_only=True)
class ChosenSystems:
    """The systems of a store that are looked at together.

    Parameters
    ----------
    systems
        Their names, in the order of the store.
    every
        How many systems the store has.
    by
        The measure that the best were found by; empty where systems were named, or all are there.
    place
        Where the store is.
    """

    systems: tuple[str, ...]
    every: int
    by: str = ""
    place: str = ""

    @property
    def sentence(self) -> str:
        """What was left out, in a sentence; empty if nothing was."""
        left = self.every - len(self.systems)
        if not left:
            return ""
        which = f"only the best by {self.by} are" if self.by else "only those that were named are"
        are = "is" if left == 1 else "are"
        said = f"{left:,} of {self.every:,} systems {are} not looked at: {which}, on all topics"
        return f"{said}; measurand evaluate {self.place} prints the means of all"

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What was left out, if anything was."""
        return (Caveat(CaveatKind.LEFT_OUT, self.sentence),) if self.sentence else ()


def fits(store: ScoreStore, systems: int) -> bool:
    """Return whether so many systems of a store can be looked at in memory.

    Parameters
    ----------
    store
        The store.
    systems
        How many systems.
    """
    topics = len(store.topics)
    return systems * topics * max(systems, store.depth) <= FITS


def choose_systems(
    store: ScoreStore,
    systems: str | Sequence[str] | None = None,
    *,
    by: str | None = None,
    baseline: str | None = None,
    best: int = BEST,
) -> ChosenSystems:
    """Return the systems to look at: those that are named, all if they fit into memory, or else the best.

    Parameters
    ----------
    store
        The store.
    systems
        Their names; a text may hold several, with commas between.
    by
        The measure that the best are found by; by default the first that is stored.
    baseline
        A system that is there in any case.
    best
        How many of the best there are at most, where not all fit.
    """
    always = () if baseline is None else store.named(baseline)
    place = store.folder.place
    if systems is not None:
        # a name may have a comma in it
        split = isinstance(systems, str) and systems not in store.entries
        several = [name for name in str(systems).split(",") if name] if split else systems
        named = {*store.named(several), *always}
        return ChosenSystems(systems=_in_order(store, named), every=len(store.systems), place=place)
    if fits(store, len(store.systems)):
        return ChosenSystems(systems=store.systems, every=len(store.systems), place=place)
    number = whole_number("best", best, 2)
    while number > 2 and not fits(store, number + len(always)):
        number -= 1
    spelling = store.spelled(by or store.measures[0])
    means = store.means(spelling)
    goodness = means if parse(spelling).lower_is_better else -means
    places = np.argsort(goodness, kind="stable")[:number].tolist()
    chosen = {*(store.systems[place] for place in places), *always}
    return ChosenSystems(systems=_in_order(store, chosen), every=len(store.systems), by=spelling, place=place)


def _in_order(store: ScoreStore, systems: set[str]) -> tuple[str, ...]:
    return tuple(system for system in store.systems if system in systems)


def judged_pair(source: JudgedRuns | ScoreStore, a: str, b: str, depth: int | None = None) -> JudgedRuns:
    """Return judged runs that hold two systems: as they are given, or of these two from a store.

    Parameters
    ----------
    source
        Judged runs, or a store.
    a, b
        The names of the two systems.
    depth
        How many ranks are wanted; all by default.
    """
    if not isinstance(source, ScoreStore):
        return source
    return source.judged([a, b], depth=None if depth is None else whole_number("depth", depth))
