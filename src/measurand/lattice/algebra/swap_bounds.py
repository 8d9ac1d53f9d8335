"""The runs next above, and next below, paths that are not those of a run, in the order "swap"."""

from __future__ import annotations

import numpy as np

from measurand.arrays import IntArray
from measurand.lattice.algebra.base import Run

MOST = 64
"""How many minimal runs are given at most."""

STEPS = 256
"""How many elements of the completion are checked in the search for all minimal runs at most."""

COUNTS = 150_000
"""How many counts these elements may have together."""


def is_run(paths: IntArray) -> bool:
    """Return whether paths are those of a run: wherever one rises, so does that of the grade below.

    Examples
    --------
    >>> is_run(np.array([[0, 1, 1], [0, 0, 1]]))
    False
    """
    rise = np.diff(paths, axis=1)
    return bool(np.all(rise[1:] <= rise[:-1]))


def run_of(paths: IntArray) -> Run:
    """Return the run that paths are those of.

    Examples
    --------
    >>> run_of(np.array([[0, 1, 2], [0, 0, 1]]))
    (1, 2)
    """
    return tuple(np.diff(paths, axis=1).sum(axis=0).tolist())


def minimal_runs_above(paths: IntArray, steps: int = STEPS) -> tuple[list[Run], bool]:
    """Return the minimal ones of the runs that are above paths, and whether these are all.

    Where there are too many to find, some are given, two at least if there are two.

    Parameters
    ----------
    paths
        A path a grade, from rank 0, each at most the one before.
    steps
        How many elements of the completion may be checked.

    Examples
    --------
    >>> minimal_runs_above(np.array([[0, 1, 1], [0, 0, 1]]))
    ([(1, 2), (2, 0)], True)
    """
    found = _runs_among(paths.astype(np.int32), min(steps, COUNTS // paths.size))
    minimal = [] if found is None else _minimal(found)
    if found is None or len(minimal) > MOST:
        return sorted({*minimal[:MOST]} or _some(paths)), False
    return sorted(minimal), True


def maximal_runs_below(paths: IntArray, steps: int = STEPS) -> tuple[list[Run], bool]:
    """Return the maximal ones of the runs that are below paths, and whether these are all.

    Parameters
    ----------
    paths
        A path a grade, from rank 0, each at most the one before.
    steps
        How many elements of the completion may be checked.

    Examples
    --------
    >>> maximal_runs_below(np.array([[0, 1, 1], [0, 0, 1]]))
    ([(0, 2), (1, 0)], True)
    """
    # with every grade turned round, worse is better
    found, complete = minimal_runs_above(np.arange(paths.shape[1]) - paths[::-1], steps)
    return [tuple(len(paths) - grade for grade in run) for run in reversed(found)], complete


def _runs_among(paths: IntArray, steps: int) -> list[IntArray] | None:
    """Return the paths of runs that hold all minimal ones above paths, or None after too many steps.

    Where at rank k the path of grade v does not rise and that of w > v does, no run has those very counts of v
    at k and of w at k - 1. So one of them must be higher, and what follows from that is tried for both.
    """
    waiting, seen, runs = [paths], {paths.tobytes()}, []
    while waiting:
        if len(seen) > steps:
            return None
        paths = waiting.pop()
        rise = np.diff(paths, axis=1)
        breaks = np.flatnonzero(rise[1:] > rise[:-1])
        if not breaks.size:
            runs.append(paths)
            continue
        lower, rank = divmod(int(breaks[0]), rise.shape[1])
        for level, end in ((lower, rank + 1), (lower + 1, rank)):
            raised = _with_block(paths, level, end)
            if raised.tobytes() not in seen:
                seen.add(raised.tobytes())
                waiting.append(raised)
    return runs


def _with_block(paths: IntArray, level: int, end: int) -> IntArray:
    """Return the least paths above some that are higher for a grade at a rank."""
    number = int(paths[level, end]) + 1
    block = np.clip(np.arange(paths.shape[1]) + (number - end), 0, number)
    raised = paths.copy()
    np.maximum(raised[: level + 1], block, out=raised[: level + 1])
    return raised


def _minimal(found: list[IntArray]) -> list[Run]:
    """Return the minimal ones of some runs; beyond `MOST`, one more."""
    kept: list[IntArray] = []
    for paths in sorted(found, key=lambda paths: int(paths.sum())):
        if not any(bool(np.all(lower <= paths)) for lower in kept):
            kept.append(paths)
        if len(kept) > MOST:
            break
    return [run_of(paths) for paths in kept]


def _some(paths: IntArray) -> set[Run]:
    """Return some minimal runs above paths that are not those of a run, two at least."""
    lowest = _lowest_run(paths)
    rise = np.arange(1, len(paths) + 1)[:, None] <= np.array(lowest)
    higher = np.argwhere(np.cumsum(rise, axis=1) > paths[:, 1:])
    # wherever the lowest run is higher than it must be, another is not
    others = (higher[place].tolist() for place in {0, len(higher) // 2, len(higher) - 1})
    return {lowest, _steepest_run(paths), *(_lowest_run(paths, level, rank + 1) for level, rank in others)}


def _lowest_run(paths: IntArray, level: int = 0, end: int = 0) -> Run:
    """Return the first run of the dictionary above paths, among those that are no higher for a level at a rank.

    It is minimal, for a worse run would stand before it. The grade at a rank is the lowest that keeps up with the
    paths. Where the number of documents at the level or more is bound, it must also leave enough of them for
    the higher levels: no more may be spent on lower ones than the paths themselves have at the rank.
    """
    run: list[int] = []
    lead = _Lead(len(paths))
    last = paths[:, end].tolist()
    spare = {above + 1: last[level] - last[above] for above in range(level + 1, len(paths))}
    for rank, rise in enumerate(_rises(paths)):
        grade = (rise & ~lead.levels).bit_length()
        if rank < end and grade > level:
            grade = max([grade, *(above for above, left in spare.items() if not left)])
            spare = {above: left - (above > grade) for above, left in spare.items()}
        lead.change((1 << grade) - 1, rise)
        run.append(grade)
    return tuple(run)


def _steepest_run(paths: IntArray) -> Run:
    """Return the run above paths with as many documents of each grade, last rank first as good as can be.

    It is minimal: a worse run would have a better grade at the last rank where the two differ.
    """
    run: list[int] = []
    lead = _Lead(len(paths))
    for rise in reversed(_rises(paths)):
        able = rise | lead.levels
        grade = (~able & (able + 1)).bit_length() - 1
        lead.change(rise, (1 << grade) - 1)
        run.append(grade)
    return tuple(reversed(run))


class _Lead:
    """By how much the counts of a run that is being made exceed those of paths, level by level.

    Sets of levels are whole numbers here, a bit a level, since a few thousand of them are needed at once.
    """

    def __init__(self, levels: int) -> None:
        self.counts = [0] * levels
        self.levels = 0

    def change(self, more: int, less: int) -> None:
        """Add one to some levels and take one from others."""
        apart = more ^ less
        while apart:
            bit = apart & -apart
            level = bit.bit_length() - 1
            self.counts[level] += 1 if more & bit else -1
            self.levels = self.levels | bit if self.counts[level] else self.levels & ~bit
            apart ^= bit


def _rises(paths: IntArray) -> list[int]:
    """Return, for every rank, the set of levels whose paths rise, a bit a level."""
    packed = np.packbits(np.diff(paths, axis=1).astype(np.bool_), axis=0, bitorder="little").T
    if packed.shape[1] == 1:
        return packed[:, 0].tolist()  # type: ignore[no-any-return]
    return [int.from_bytes(levels.tobytes(), "little") for levels in packed]
