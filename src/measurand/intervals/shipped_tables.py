"""Make and check the checkpoints of average precision that come with the package: a developer's command.

    python -m measurand.intervals.shipped_tables make 25 34
    python -m measurand.intervals.shipped_tables make 35 42 --gpu
    python -m measurand.intervals.shipped_tables check 25 42

`make` counts the values for some depths afresh and writes one file a depth into `tables`, the same on every machine.
Depth 34 has 1.5 · 10¹⁰ sums and takes a processor some minutes; depth 42 has 2.9 · 10¹², which takes a GPU some
minutes. CuPy comes with `pip install --group gpu`. `check` counts some buckets of each table again, on the processor
and from sums that are cut at another rank.

*On a GPU* many buckets are counted at once: all sums of a range of values are written into one array, sorted, and
compared with their neighbours. A range ends at a checkpoint, and the next one begins there, so equal sums always
meet. The same code runs with numpy; only the writing of sums is there twice, since CuPy has no ready function for it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.errors import NotAvailable
from measurand.execution import Rng, generator
from measurand.intervals.counted_values import Checkpoints, Rows, count_between, edges_of, keep, load, shipped_directory
from measurand.intervals.reachable_values import Stretches, average_precision_walk
from measurand.intervals.ruler import Budget

AT_ONCE = 1 << 30
"""How many sums a GPU sorts at once, where it has the memory."""

BYTES_A_SUM = 32
"""How many bytes a sum takes on a GPU: itself, its place in the sorted array, and whether it is new; with some room."""

OTHER_CUT = 2
"""By how many ranks the cut is moved where a table is checked."""

THREADS = 256
"""How many threads of a GPU form a block."""

FILL = """
extern "C" __global__ void fill(const long long *firsts, const long long *seconds, const long long *places,
                                const long long *upto, long long rows, long long *found)
{
    /* 32 threads write a row, side by side */
    long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;
    long long begin = row ? upto[row - 1] : 0, end = upto[row];
    for (long long at = begin + threadIdx.x % 32; at < end; at += 32)
        found[at] = firsts[row] + seconds[places[row] + at - begin];
}
"""

Array = Any
"""An array of numpy or of CuPy."""


@frozen(eq=False)
class Device:
    """Where sums are counted.

    Parameters
    ----------
    arrays
        numpy, or CuPy.
    fill
        Returns, one row after the other, a number before the cut plus each number of its part of a stretch:
        of the numbers, of all stretches, from which place on, and up to where in the result.
    at_once
        How many sums are sorted at once.
    """

    arrays: Any
    fill: Callable[[Array, Array, Array, Array], Array]
    at_once: int

    @classmethod
    def processor(cls, at_once: int = 1 << 22) -> Device:
        """Return the processor, with numpy.

        Parameters
        ----------
        at_once
            How many sums are sorted at once.
        """
        return cls(np, _fill, at_once)

    @classmethod
    def gpu(cls) -> Device:
        """Return the GPU, with CuPy."""
        try:
            import cupy
        except ImportError:
            raise NotAvailable("counting on a GPU needs CuPy: pip install --group gpu") from None
        kernel = cupy.RawKernel(FILL, "fill")

        def fill(firsts: Array, seconds: Array, places: Array, upto: Array) -> Array:
            found = cupy.empty(int(upto[-1]), dtype=np.int64)
            blocks = len(firsts) * 32 // THREADS + 1
            kernel((blocks,), (THREADS,), (firsts, seconds, places, upto, len(firsts), found))
            return found

        free, _ = cupy.cuda.runtime.memGetInfo()
        return cls(cupy, fill, min(AT_ONCE, free // BYTES_A_SUM))

    def count(self, stretches: Stretches, edges: IntArray) -> IntArray:
        """Return how many different sums there are up to each of some ascending keys.

        Parameters
        ----------
        stretches
            From which sums are made.
        edges
            The keys.

        Examples
        --------
        >>> stretches = Stretches.of(average_precision_walk(4), 1 << 20, cut=2)
        >>> Device.processor().count(stretches, np.array([12, 48])).tolist()
        [6, 15]
        """
        together = max(1, self.at_once * len(edges) // stretches.pairs)
        groups = [edges[at : at + together] for at in range(0, len(edges), together)]
        counts = [
            self._different(sums, group) for sums, group in zip(self._ranges(stretches, groups), groups, strict=True)
        ]
        return np.cumsum(np.concatenate(counts))

    def _ranges(self, stretches: Stretches, groups: Sequence[IntArray]) -> Iterator[Array]:
        """Yield the sums up to the last key of each group and above those before, in no order."""
        xp = self.arrays
        before, after = ([xp.asarray(part) for part in parts] for parts in (stretches.before, stretches.after))
        firsts, seconds = xp.concatenate(before), xp.concatenate(after)
        begins = np.cumsum([0, *map(len, after[:-1])]).tolist()
        places = xp.asarray(Rows.of(stretches).begins)
        for group in groups:
            high = int(group[-1])
            # a number is looked up in the stretch of its state
            found = [xp.searchsorted(part, high - some, side="right") for some, part in zip(before, after, strict=True)]
            beyond = xp.concatenate([begin + some for begin, some in zip(begins, found, strict=True)])
            yield self.fill(firsts, seconds, places, xp.cumsum(beyond - places))
            places = beyond

    def _different(self, sums: Array, edges: IntArray) -> IntArray:
        """Return how many different sums there are up to each key and above the one before."""
        xp = self.arrays
        sums.sort()
        ends = xp.searchsorted(sums, xp.asarray(edges), side="right").tolist()
        parts = [sums[begin:end] for begin, end in pairwise([0, *ends])]
        changes = xp.stack([xp.count_nonzero(part[1:] != part[:-1]) for part in parts])
        # what a GPU has is fetched once, not part by part
        counted = changes if xp is np else changes.get()
        return np.asarray(counted + [len(part) > 0 for part in parts])


def _fill(firsts: IntArray, seconds: IntArray, places: IntArray, upto: IntArray) -> IntArray:
    begins = np.concatenate([[0], upto[:-1]])
    rows = np.repeat(np.arange(len(firsts)), upto - begins)
    return np.asarray(firsts[rows] + seconds[np.arange(len(rows)) + (places - begins)[rows]])


def stretches_of(depth: int, cut: int | None = None) -> Stretches:
    """Return the stretches of average precision at a depth.

    Parameters
    ----------
    depth
        The depth.
    cut
        After which rank runs are cut; by default where a ruler cuts them.
    """
    stretches = Stretches.of(average_precision_walk(depth), Budget().memory // 2, cut)
    assert stretches is not None  # tables have depths for which they are small
    return stretches


def make(depth: int, device: Device | None = None) -> Checkpoints:
    """Return the checkpoints of average precision at a depth, counted afresh.

    Parameters
    ----------
    depth
        The depth.
    device
        By default sums are counted on the processor, bucket by bucket.

    Examples
    --------
    >>> make(10).size, make(10, Device.processor()).size
    (810, 810)
    """
    stretches = stretches_of(depth)
    if device is None:
        return Checkpoints.build(stretches)
    edges = edges_of(stretches)
    return Checkpoints(edges, device.count(stretches, edges))


def differences(depth: int, table: Checkpoints, buckets: int, device: Device | None = None, rng: Rng = 0) -> int:
    """Return how many buckets of a table have another number of values when they are counted from another cut.

    Parameters
    ----------
    depth, table
        The depth, and its table.
    buckets
        How many buckets are counted on the processor; they are drawn at random.
    device
        Counts all buckets instead.
    rng
        Where chance comes from.

    Examples
    --------
    >>> table = make(10)
    >>> differences(10, table, 3), differences(10, Checkpoints(table.edges, table.counts + 1), 3)
    (0, 1)
    """
    stretches = stretches_of(depth, stretches_of(depth).cut + OTHER_CUT)
    counts = np.diff(table.counts, prepend=0)
    if device is not None:
        return int(np.count_nonzero(np.diff(device.count(stretches, table.edges), prepend=0) != counts))
    some = np.sort(generator(rng).choice(len(counts), min(buckets, len(counts)), replace=False))
    lows, highs = np.concatenate([[-1], table.edges])[some], table.edges[some]
    return int(np.count_nonzero(count_between(Rows.of(stretches), lows, highs) != counts[some]))


def main(arguments: Sequence[str] | None = None) -> Iterator[str]:
    """Make or check tables, and yield a line about each.

    Parameters
    ----------
    arguments
        Those of the command line, if nothing else is said.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     for said in main(["make", "4", "5", "--directory", place]):
    ...         print(said)  # doctest: +ELLIPSIS
    depth 4: 15 values, 1 checkpoints, ... bytes, ... s
    depth 5: 31 values, 1 checkpoints, ... bytes, ... s
    """
    parser = argparse.ArgumentParser(description="Make or check the tables of average precision.")
    parser.add_argument("what", choices=["make", "check"])
    parser.add_argument("first", type=int, help="the first depth")
    parser.add_argument("last", type=int, help="the last depth")
    parser.add_argument("--gpu", action="store_true", help="count with CuPy on a GPU; check then counts all buckets")
    parser.add_argument("--directory", type=Path, default=shipped_directory(), help="where the tables are")
    parser.add_argument("--buckets", type=int, default=20, help="how many buckets of a table are checked")
    given = parser.parse_args(arguments)
    device = Device.gpu() if given.gpu else None
    for depth in range(given.first, given.last + 1):
        begun = perf_counter()
        if given.what == "make":
            said = _made(depth, given.directory, device)
        else:
            said = _checked(depth, given.directory, given.buckets, device)
        yield f"depth {depth}: {said}, {perf_counter() - begun:.1f} s"


def _made(depth: int, directory: Path, device: Device | None) -> str:
    table, name = make(depth, device), f"AP-{depth}"
    keep(table, name, directory)
    return f"{table.size:,} values, {len(table.edges):,} checkpoints, {len(table.to_bytes(name)):,} bytes"


def _checked(depth: int, directory: Path, buckets: int, device: Device | None) -> str:
    table = load(f"AP-{depth}", average_precision_walk(depth).highest, directory)
    return "no table" if table is None else f"{differences(depth, table, buckets, device)} buckets differ"


if __name__ == "__main__":
    for line in main():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
