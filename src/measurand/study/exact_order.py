"""The exact order of systems on a topic: who is better under a measure, and who ties, by exact values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.errors import NotAvailable
from measurand.exact import Exact, ranked
from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns, Pool
from measurand.measures import Measure
from measurand.measures.base import with_campaign
from measurand.measures.ties.sensitivity import equivalence_classes, removes_unjudged
from measurand.scores import Scores
from measurand.scores.ranks import MISSING, places


@frozen(kw_only=True, eq=False, repr=False)
class ExactOrder:
    """Where each system stands on each topic under a measure, and how that was decided.

    Parameters
    ----------
    scores
        For values the places of the systems on each topic, from 0, higher ones better.
    told_apart
        How many groups of systems have one score as floats, but different ones in truth.
    open
        How many groups of systems are left tied because floats are all that is known of them.
    """

    scores: Scores
    told_apart: int
    open: int

    def __repr__(self) -> str:
        return f"<ExactOrder of {len(self.scores.systems)} systems by {self.scores.measure}>"

    @property
    def exact(self) -> bool:
        """Whether systems tie exactly when their exact values are equal."""
        return not self.open


def exact_order(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> ExactOrder:
    """Return the order of systems on each topic, in which two of them tie exactly when their exact values are equal.

    Equal exact values have equal floats, but deep in a ranking so may different ones: the weight of a rank drowns in
    a sum of larger ones. So exact values decide between judged runs that differ but have one float. Floats alone
    decide between runs with ties whose order was left open, and where a position on an interval scale is not exact.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> judged = JudgedRuns.on_one_topic([(1, *[0] * 98, 1), (1, *[0] * 99)], (100, 2))
    >>> rbp = parse("RBP(p=0.5)")
    >>> rbp.scores(judged).values.tolist(), exact_order(rbp, judged).scores.values.tolist()
    ([[0.5], [0.5]], [[1.0], [0.0]])
    """
    judged = judged.weak if measure.on_weak_orders else judged
    scores = measure.scores(judged, progress)
    levels = places(scores.goodness.T)
    ties = _Ties(with_campaign(measure, judged), judged)
    groups = list(_groups(levels))
    within, told_apart, unknown = np.zeros(levels.shape, dtype=np.int64), 0, 0
    for topic, systems in progress(groups, len(groups), f"ties of {measure!r}"):
        found = ties.places(systems, topic)
        if found is None:
            unknown += 1
        elif found.any():
            told_apart += 1
            within[topic, systems] = found
    exact = places(np.where(levels == MISSING, np.nan, levels * len(judged.systems) + within))
    values = np.where(exact == MISSING, np.nan, exact).T
    return ExactOrder(scores=evolve(scores, values=values, lower_is_better=False), told_apart=told_apart, open=unknown)


def _groups(levels: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Return the systems that share a level on a topic, for each that several have."""
    topics, systems = levels.shape
    keys = (levels + systems * np.arange(topics)[:, None])[levels != MISSING]
    rows = np.flatnonzero(levels != MISSING)
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sizes = np.diff(first, append=len(order))
    for start, size in zip(first[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        members = rows[order[start : start + size]]
        yield int(members[0]) // systems, members % systems


@frozen(eq=False)
class _Ties:
    """What decides between systems whose scores are equal as floats."""

    measure: Measure
    judged: JudgedRuns
    forms: Cells = field(init=False)
    tied: BoolArray | None = field(init=False)
    known: dict[tuple[bytes, Pool], Exact] = field(factory=dict, init=False)

    @forms.default
    def _forms(self) -> Cells:
        """The judged runs, with everything alike that the measure cannot tell apart."""
        seen = self.judged.condensed if removes_unjudged(self.measure) else self.judged
        return equivalence_classes(self.measure, seen.cells[:, :, : self.measure.reach(self.judged.depth)])

    @tied.default
    def _tied(self) -> BoolArray | None:
        """Which runs have ties whose order was left open, systems × topics."""
        return None if self.judged.groups is None else np.asarray(self.judged.groups.tied.any(axis=2))

    def places(self, systems: IntArray, topic: int) -> IntArray | None:
        """Return the place of each of some systems among them, from 0 for the worst; None if it cannot be had."""
        if self.tied is not None and self.tied[systems, topic].any():
            return None
        forms = self.forms[systems, topic]
        if not (forms != forms[0]).any():
            return np.zeros(len(systems), dtype=np.int64)
        seen = [form.tobytes() for form in forms]
        first = dict(zip(seen, systems.tolist(), strict=True))
        try:
            levels, found = ranked([self._known(form, system, topic) for form, system in first.items()])
        except NotAvailable:
            return None
        turned = len(levels) - 1 - found if self.measure.lower_is_better else found
        place_of = dict(zip(first, turned.tolist(), strict=True))
        return np.array([place_of[form] for form in seen], dtype=np.int64)

    def _known(self, form: bytes, system: int, topic: int) -> Exact:
        """Return an exact value, computed once for all topics of which the judgments say the same."""
        asked = form, self.judged.pools[topic]
        if asked not in self.known:
            self.known[asked] = self._exact(system, topic)
        return self.known[asked]

    def _exact(self, system: int, topic: int) -> Exact:
        cells = tuple(self.judged.cells[system, topic].tolist())
        return self.measure.exact(self.measure.view(cells), self.judged.pools[topic])
