"""Where a reader stops who goes down a run with ties, stopping at each document with a probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.measures.ties.tied_runs import TiedRun, TiedRuns


def stopping(runs: TiedRuns, stops: FloatArray) -> FloatArray:
    r"""Return how likely the reader is to come to each place of the runs and stop there, over all orders inside ties.

    With :math:`E_j` the mean over `j` of the group's documents of the product of :math:`1 - x`, it is
    :math:`E_{j-1} - E_j` for place `j`, times the probability of going past all documents of the groups above.

    Parameters
    ----------
    stops
        How likely the reader stops at each document.
    """
    found = np.zeros(len(runs.group))
    matter = np.flatnonzero(runs.per_group(stops) > 0)
    shown = np.bincount(runs.group, minlength=len(runs.size))
    first = np.cumsum(shown) - shown
    arrive = _arriving(runs, 1 - stops, matter)
    offsets = np.searchsorted(runs.cell_group, matter)
    lone = (runs.size[matter] == 1) & (shown[matter] == 1)
    found[first[matter[lone]]] = arrive[lone] * stops[offsets[lone]]
    # groups of like size are looked at together
    classes = np.where(lone, -1, np.ceil(np.log2(np.maximum(shown[matter], 1))).astype(np.int64))
    for size in np.unique(classes[~lone]).tolist():
        some = np.flatnonzero(classes == size)
        groups = matter[some]
        means = _mean_products(runs, 1 - stops, groups, int(shown[groups].max()))
        falls = (means[:, :-1] - means[:, 1:]) * arrive[some][:, None]
        inside = np.arange(falls.shape[1]) < shown[groups][:, None]
        places = (first[groups][:, None] + np.arange(falls.shape[1]))[inside]
        found[places] = falls[inside]
    return found


def _arriving(runs: TiedRuns, going_on: FloatArray, matter: IntArray) -> FloatArray:
    """Return how likely the reader is to come to each group that matters."""
    if not len(matter):
        return np.empty(0)
    starts = np.searchsorted(runs.cell_group, np.arange(len(runs.size)))
    past = np.multiply.reduceat(going_on, starts)[matter]
    run = runs.group_run[matter]
    first = np.flatnonzero(np.concatenate(([True], run[1:] != run[:-1])))
    nth = np.arange(len(run)) - np.repeat(first, np.diff(np.append(first, len(run))))
    steps = np.ones((len(runs.rows), int(nth.max()) + 2))
    steps[run, nth + 1] = past
    return np.asarray(np.cumprod(steps, axis=1)[run, nth])


def _mean_products(runs: TiedRuns, going_on: FloatArray, groups: IntArray, places: int) -> FloatArray:
    """Return for each group the mean product over 0, 1, … `places` of its documents."""
    chosen = np.zeros(len(runs.size), dtype=bool)
    chosen[groups] = True
    chosen_cells = chosen[runs.cell_group]
    inside = chosen_cells & (going_on != 1) & (going_on != 0)
    sure = np.bincount(runs.cell_group[chosen_cells & (going_on == 0)], minlength=len(runs.size))
    number = np.bincount(runs.cell_group[inside], minlength=len(runs.size))[groups]
    order = np.argsort(-number, kind="stable")
    number, size = number[order], (runs.size - sure)[groups][order]
    starts = np.cumsum(np.bincount(runs.cell_group[inside], minlength=len(runs.size)))[groups][order] - number
    factors = going_on[inside]
    j = np.arange(places + 1)
    # documents at which nobody stops come first; then one more at a time, of those at which some stop
    means = (j <= (size - number)[:, None]).astype(np.float64)
    for step in range(1, int(number.max(initial=0)) + 1):
        active = int((number >= step).sum())
        among = (size - number)[:active, None] + step
        share = np.minimum(j / among, 1)
        taken = factors[starts[:active] + step - 1][:, None]
        now = means[:active] * (1 - share)
        now[:, 1:] += means[:active, :-1] * (share * taken)[:, 1:]
        means[:active] = np.where(j <= among, now, 0)
    found = np.empty_like(means)
    found[order] = means
    # and only those orders count in which no document at which everybody stops is among the first
    left = np.maximum((runs.size - sure)[groups][:, None] - j[:-1], 0)
    found[:, 1:] *= np.cumprod(left / np.maximum(left + sure[groups][:, None], 1), axis=1)
    return found


def stopping_exactly(run: TiedRun, stops: Sequence[Sequence[Fraction]]) -> Iterator[tuple[int, Fraction]]:
    """Return the same for one run, exactly: ranks and probabilities, each as likely as the place is seen.

    Parameters
    ----------
    stops
        Group by group, how likely the reader stops at each document.
    """
    arrive = Fraction(1)
    for group, inside in zip(run.groups, stops, strict=True):
        means = _mean_products_exactly([1 - stop for stop in inside], len(group.seen))
        for nth, seen in enumerate(group.seen, 1):
            yield group.start + nth, arrive * (means[nth - 1] - means[nth]) * seen
        for stop in inside:
            arrive *= 1 - stop


def _mean_products_exactly(factors: Sequence[Fraction], places: int) -> list[Fraction]:
    others = [factor for factor in factors if factor != 1]
    among = len(factors) - len(others)
    means = [Fraction(j <= among) for j in range(places + 1)]
    for factor in others:
        among += 1
        for j in range(min(places, among), 0, -1):
            means[j] = (means[j] * (among - j) + means[j - 1] * factor * j) / among
    return means
