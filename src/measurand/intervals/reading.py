"""Runs on the interval scale of a measure: their values, ranks and positions.

`readings` is what `measurand interval` prints: for some runs, the value of the measure itself, its rank among all
values and its position ([FerranteFerroFuhr2021]_, equation 2), and for the scale how many values and runs it has and
whether the measure is equally spaced already.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf, log2

import numpy as np
from attrs import evolve, frozen

from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.execution import Progress, silent
from measurand.intervals.images import Outline, image
from measurand.intervals.interval_scale import IntervalScaled
from measurand.intervals.ruler import Position
from measurand.judged import Pool, as_cells
from measurand.measures.space import DEEPEST, Space
from measurand.verdict import Verdict

FITS = 1 << 14
"""Up to so many runs, all values are written down to see whether they are equally spaced."""


def readings(scale: IntervalScaled, runs: Sequence[Sequence[int]] = (), progress: Progress = silent) -> Readings:
    """Return runs on an interval scale; without runs, what the scale is like.

    Where nothing says how deep runs are, they are as long as the longest of them.

    Parameters
    ----------
    scale
        The interval scale.
    runs
        Sequences of grades, first rank first.
    progress
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand.intervals import interval
    >>> read = readings(interval("RR"), [(0, 0, 1, 0), (1,)])
    >>> read.depth, read.size, [(one.value, one.rank) for one in read.runs]
    (4, 5, [(Fraction(1, 3), 3), (Fraction(1, 1), 5)])
    >>> print(readings(interval("RR@4")).spacing.witness)
    step 1 is 0.25, step 2 is 0.08333
    """
    started = time.perf_counter()
    cells = [as_cells(run) for run in runs]
    depth = scale.universe.ranks(max(map(len, cells), default=None))
    scale = evolve(scale, depth=depth)
    read = tuple(_read(scale, cells, progress))
    size = _size(scale, read)
    return Readings(
        scale=scale,
        depth=depth,
        runs=read,
        size=size,
        total=None if depth == inf else scale.universe.total(int(depth)),
        spacing=None if cells else _spacing(scale),
        seconds=time.perf_counter() - started,
    )


@frozen(eq=False)
class Reading:
    """One run on an interval scale.

    Parameters
    ----------
    run
        The grades as they were given.
    value
        What the measure itself gives the run, on a topic with a relevant document for every rank.
    position
        Where that value stands, from 0 to 1.
    rank
        Its rank among the values, or among the runs for other ties than "unq"; None where it is not exact.
    """

    run: tuple[int, ...]
    value: Exact
    position: Position
    rank: int | Fraction | None


@frozen(eq=False)
class Readings:
    """Some runs on an interval scale, and the scale itself.

    Parameters
    ----------
    scale
        The interval scale.
    depth
        How many ranks runs have; `inf` if they have no end.
    runs
        The runs on it.
    size
        How many different values there are, where that is known and finite.
    total
        How many runs there are, if that is finite.
    spacing
        Whether the measure itself is equally spaced, where it was examined and can be decided.
    seconds
        How long it took.
    """

    scale: IntervalScaled
    depth: int | float
    runs: tuple[Reading, ...]
    size: int | None
    total: int | None
    spacing: Verdict | None
    seconds: float

    @property
    def recall_base(self) -> int | None:
        """How many relevant documents the topic has, if that makes a difference to values."""
        return int(self.depth) if self.scale.measure.uses_recall_base else None


def _read(scale: IntervalScaled, runs: Sequence[tuple[int, ...]], progress: Progress) -> Iterator[Reading]:
    if not runs:
        return
    length = max(map(len, runs)) if scale.depth == inf else int(scale.depth or 0)
    # one topic for all runs: the highest grade is that of the scale, not that of the run
    pool = Pool.plain(length, length, scale.universe.levels[-1])
    seen = [(*scale.view(run), *[0] * length)[:length] for run in runs]
    positions = scale.positions(np.concatenate([scale.universe.digits(run) for run in seen]), pool, progress)
    for run, filled, position in zip(runs, seen, positions, strict=True):
        value = scale.measure.exact(scale.measure.view(filled), pool)
        if scale.ties == "unq":
            yield Reading(run, value, position, position.rank)
        else:
            place = position.low * (scale.universe.total(length) - 1) + 1
            yield Reading(run, value, position, int(place) if place.denominator == 1 else place)


def _size(scale: IntervalScaled, read: Sequence[Reading]) -> int | None:
    """Return how many values there are; None where the runs were placed without its being known."""
    if scale.depth == inf:
        return None
    if not read:
        return scale.size
    if scale.ties == "unq":
        return read[0].position.size
    with suppress(NotAvailable):
        return scale.size
    return None


def _spacing(scale: IntervalScaled) -> Verdict | None:
    """Return whether the measure itself is equally spaced, if that can be decided."""
    if scale.depth in (None, inf) or scale.measure.lowest >= scale.grades or scale.depth > DEEPEST:
        return None
    depth = int(scale.depth or 0)
    if depth * log2(scale.grades) <= log2(FITS):
        return image(scale.measure, depth, scale.grades).spacing()
    space = Space(depth=depth, grades=scale.grades)
    ruler = scale.universe.ruler(depth, space.pool, scale.budget)
    with suppress(NotAvailable):
        return Outline(scale.universe, space, ruler).spacing()
    return None
