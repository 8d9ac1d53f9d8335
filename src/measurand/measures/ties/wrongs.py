"""How many documents that were judged not relevant stand above relevant ones, over all orders inside ties."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.measures.ties.lots import Urn
from measurand.measures.ties.tied_runs import Group, TiedRun, TiedRuns

Wrongs = tuple[IntArray, FloatArray, FloatArray]


def wrongs(runs: TiedRuns, rel: int) -> Wrongs:
    r"""Return runs, numbers of nonrelevant documents above, and the expected number of relevant documents with so many.

    A relevant document is as likely to stand below 0, 1, … or all `n` nonrelevant ones of its group. If the group is
    seen in part, place `j` holds a relevant one with probability :math:`r/m`, and the `j - 1` documents above it
    are drawn from the rest.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """
    found = runs.per_group(runs.cell >= rel)
    wrong = runs.per_group((runs.cell >= 0) & (runs.cell < rel)).astype(np.int64)
    above = (runs.judged_above - runs.before(found)).astype(np.int64)
    shown = np.bincount(runs.group, minlength=len(runs.size))
    whole = shown == runs.size
    whole[list(runs.cut)] = False
    some = np.flatnonzero(whole & (found > 0))
    sizes = wrong[some] + 1
    inside = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    parts: list[Wrongs] = [
        (
            np.repeat(runs.group_run[some], sizes),
            (np.repeat(above[some], sizes) + inside).astype(np.float64),
            np.repeat(found[some] / sizes, sizes),
        )
    ]
    first = np.cumsum(shown) - shown
    for g in np.flatnonzero(~whole & (found > 0)).tolist():
        size, share = int(runs.size[g]), found[g] / runs.size[g]
        for j, seen in enumerate(runs.seen[first[g] : first[g] + shown[g]].tolist()):
            urn = Urn(size - 1, int(wrong[g]), j)
            numbers = above[g] + np.arange(urn.least, urn.most + 1)
            run = np.full(len(numbers), runs.group_run[g])
            parts.append((run, numbers.astype(np.float64), share * seen * urn.roughly()))
    run, number, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return run, number, weight


def wrongs_exactly(run: TiedRun, rel: int) -> Iterator[tuple[int, Fraction]]:
    """Return the same for one run, exactly: numbers of nonrelevant documents, and of relevant ones below so many."""
    relevant_above = 0
    for group in run.groups:
        found = sum(cell >= rel for cell in group.cells)
        if found:
            for wrong, number in _in_group(group, found, rel):
                yield group.judged_above - relevant_above + wrong, number
        relevant_above += found


def _in_group(group: Group, found: int, rel: int) -> Iterator[tuple[int, Fraction]]:
    wrong = sum(0 <= cell < rel for cell in group.cells)
    if group.cut is None and len(group.seen) == len(group.cells):
        for number in range(wrong + 1):
            yield number, Fraction(found, wrong + 1)
        return
    for j, seen in enumerate(group.seen):
        urn = Urn(len(group.cells) - 1, wrong, j)
        for number, chance in enumerate(urn.exactly(), urn.least):
            yield number, Fraction(found, len(group.cells)) * seen * chance
