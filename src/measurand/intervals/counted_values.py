"""Exact ranks by counting different values in buckets, with checkpoints kept on disk.

Where a measure goes down a run with a state (`measurand.intervals.reachable_values`), sums that come from different
states may be equal. Meeting in the middle ([HorowitzSahni1974]_) would count them twice, so they have to be made,
sorted and compared. That is done one range of values after the other: a bucket is filled, sorted, counted and thrown
away, which takes little memory and about a second for every hundred million sums. Checkpoints, the number of different
values up to the end of each bucket, take little room; with them, ranking a run takes one bucket. They are computed
once. Those of AP at depths 25 to 42 come with the package (AP@42 has 970,758,913,677 values), others are kept in the
user's cache directory. Ranks are exact, or certified between two checkpoints where the budget does not allow more.

The cache is a convenience (`measurand.display.keeping`). A file that is damaged or about something else is not used,
which is said, a directory that cannot be written is left alone, and a file appears whole or not at all, so that several
processes may share it. A table of the package that is damaged gives no rank either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from attrs import define, frozen

import measurand.display.keeping as keeping
from measurand.arrays import Cells, IntArray
from measurand.display.keeping import cache_directory
from measurand.display.writing import write_whole
from measurand.errors import NotAvailable
from measurand.execution import Progress, ahead, silent
from measurand.intervals.reachable_values import RunCounts, Stretches, Walk, cascade_walk, distinct, weighted_walk
from measurand.intervals.ruler import Budget, Position, Ruler
from measurand.native import accelerated

FULL = 1 << 15
"""About how many sums a bucket holds: they are sorted without leaving a processor's cache."""

LARGE = 1 << 24
"""An interval with more sums is cut into pieces."""

SAMPLED = 64
"""How many sums of a bucket are looked at to place its edges."""

MOST_EDGES = 1 << 17
"""No more checkpoints than this are made: their file stays below a megabyte."""

STEPS = 64
"""Edges are multiples of a power of two, at least so many in a bucket of average width: they take less room."""

AT_ONCE = 256
"""How many intervals are counted in one go, where there are few rows."""

ROWS_AT_ONCE = 1 << 22
"""How many rows are gone through in one go, for all intervals together."""

FORMAT = 2
"""Raised whenever files of an earlier kind could be misread."""

MAGIC = b"measurand checkpoints"
DIGEST = hashlib.sha256().digest_size
PACE = 1e8
"""How many sums two threads make, sort and count in a second."""

ROW_PACE = 3e7
"""How many rows two threads search in a second, where buckets do not follow one another."""

ROW_COST = 1e-5
"""How many seconds it takes to begin with a row, or a key, where runs are counted."""

RUN_COUNT_BYTES = 48
"""How many bytes a sum takes at most where runs are counted: old and new sums and counts, and their order."""

DEEPEST = 63
"""Keys of a reader who stops by chance have no room for more ranks."""

LONG = 1 << 25
"""Checkpoints of more sums than this are worth keeping."""


def cascade_ruler(
    stops: Sequence[Fraction], utilities: Sequence[Fraction], budget: Budget | None = None
) -> WalkRuler | None:
    r"""Return the ruler of a cascade measure :math:`\sum_i u_i x_i \prod_{k<i} (1 - x_k)`.

    None if its values are no whole multiples of a number that 64 bits can count.

    Parameters
    ----------
    stops
        How likely the reader stops at a document of each grade.
    utilities
        What stopping at each rank is worth.

    Examples
    --------
    >>> cascade_ruler([Fraction(0), Fraction(1, 2)], [Fraction(1, i) for i in range(1, 11)]).size
    1010
    """
    if len(utilities) > DEEPEST and any(stop.denominator > 1 for stop in stops):
        # every rank doubles the keys at the least
        return None
    walk = cascade_walk(stops, utilities)
    return None if walk is None or not walk.fits else WalkRuler.of(walk, _named("cascade", walk), budget)


def weighted_ruler(
    weights: Sequence[Fraction], gains: Sequence[Fraction], budget: Budget | None = None
) -> WalkRuler | None:
    r"""Return the ruler of an additive measure :math:`\sum_i w_i g_i` with rational weights and gains.

    None if its values are no whole multiples of a number that 64 bits can count.

    Examples
    --------
    >>> weighted_ruler([Fraction(1), Fraction(1, 2), Fraction(1, 2)], [Fraction(0), Fraction(1)]).size
    5
    """
    walk = weighted_walk(weights, gains)
    return WalkRuler.of(walk, _named("weighted", walk), budget) if walk.fits else None


def _named(kind: str, walk: Walk) -> str:
    """Return a name that no other measure has."""
    arrays = [array for pair in zip(walk.follows, walk.additions, strict=True) for array in pair]
    parts = [str(array.shape).encode() + array.astype("<i8").tobytes() for array in arrays]
    return f"{kind}-{walk.depth}-{hashlib.sha256(b''.join(parts)).hexdigest()[:32]}"


class Rows(NamedTuple):
    """Each number before the cut with its stretch of numbers after it, all in one array each."""

    firsts: IntArray
    begins: IntArray
    ends: IntArray
    seconds: IntArray

    @classmethod
    def of(cls, stretches: Stretches) -> Rows:
        """Return the rows of two stretches."""
        lengths = [len(after) for after in stretches.after]
        repeats = [len(before) for before in stretches.before]
        ends = np.cumsum(lengths)
        return cls(
            np.concatenate(stretches.before),
            np.repeat(ends - lengths, repeats),
            np.repeat(ends, repeats),
            np.concatenate(stretches.after),
        )


def sums_in_a_bucket(stretches: Stretches) -> int:
    """Return how many sums a bucket should hold: more where there are many rows to go through, or many buckets."""
    return max(FULL, 4 * sum(map(len, stretches.before)), stretches.pairs // MOST_EDGES + 1)


def edges_of(stretches: Stretches) -> IntArray:
    """Return keys that cut the values into buckets of about the same number of sums; the last is the highest key.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> edges_of(Stretches.of(average_precision_walk(4), 1 << 20)).tolist()
    [48]
    """
    wanted = sums_in_a_bucket(stretches)
    buckets = stretches.pairs // wanted + 1
    stride = max(1, int((wanted / SAMPLED) ** 0.5))
    samples, shares = [], []
    for before, after in zip(stretches.before, stretches.after, strict=True):
        sums = np.add.outer(_spread(before, stride), _spread(after, stride)).reshape(-1)
        samples.append(sums)
        shares.append(np.full(len(sums), len(before) * len(after) / len(sums)))
    sums = np.concatenate(samples)
    order = np.argsort(sums, kind="stable")  # the same edges on every machine
    upto = np.cumsum(np.concatenate(shares)[order])
    places = np.searchsorted(upto, np.arange(1, buckets) * (upto[-1] / buckets))
    step = 1 << max(0, (stretches.highest // (STEPS * buckets)).bit_length() - 1)
    return distinct([sums[order][places] // step * step, np.array([stretches.highest])])


def count_between(rows: Rows, lows: IntArray, highs: IntArray, progress: Progress = silent) -> IntArray:
    """Return how many different sums lie above each low and not above its high; the intervals ascend, apart.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> rows = Rows.of(Stretches.of(average_precision_walk(4), 1 << 20, cut=2))
    >>> count_between(rows, np.array([-1, 12]), np.array([12, 48])).tolist()
    [6, 9]
    """
    return count_up_to(rows, lows, [highs[at : at + 1] for at in range(len(highs))], progress)


def count_up_to(rows: Rows, lows: IntArray, keys: Sequence[IntArray], progress: Progress = silent) -> IntArray:
    """Return, for each low, how many different sums lie above it and not above each of its keys, all in one array.

    Parameters
    ----------
    rows
        From which sums are made.
    lows, keys
        Each low and its keys ascend, and lie above the keys of the low before.
    progress
        Shows how many have been counted.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> rows = Rows.of(Stretches.of(average_precision_walk(4), 1 << 20, cut=2))
    >>> count_up_to(rows, np.array([-1, 12]), [np.array([0, 12]), np.array([48])]).tolist()
    [1, 6, 9]
    """
    at_once = min(AT_ONCE, ROWS_AT_ONCE // len(rows.firsts) + 1)
    parts = [slice(at, at + at_once) for at in range(0, len(lows), at_once)]

    def count(part: slice) -> IntArray:
        buckets = Buckets(rows)
        return np.concatenate([buckets.count(*one) for one in zip(lows[part].tolist(), keys[part], strict=True)])

    if len(parts) == 1:
        return count(parts[0])
    counted: Iterable[IntArray] = ahead(count, parts)
    return np.concatenate([np.zeros(0, dtype=np.int64), *progress(counted, len(parts), "counting values")])


class Buckets:
    """Sums of rows, one range of values after the other.

    Parameters
    ----------
    rows
        From which sums are made.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._places, self._after = rows.begins.copy(), np.empty_like(rows.begins)
        self._found = np.empty(4 * FULL, dtype=np.int64)

    def count(self, low: int, keys: IntArray) -> IntArray:
        """Return how many different sums lie above a low and not above each of some ascending keys.

        Parameters
        ----------
        low, keys
            The low and the keys; they lie above those of the call before.
        """
        counts = np.zeros(len(keys), dtype=np.int64)
        for base, sums in self._sorted(low, int(keys[-1])):
            ends = np.searchsorted(sums, keys - base, side="right").tolist()
            counts += np.cumsum([_different(sums[begin:end]) for begin, end in pairwise([0, *ends])])
        return counts

    def _sorted(self, low: int, high: int) -> Iterator[tuple[int, IntArray]]:
        """Yield the sums of a range in order, in pieces: what each is above, and by how much sums are above it."""
        waiting = [(low, high)]
        while waiting:
            low, high = waiting.pop()
            sums = self._fill(low, high)
            if sums > LARGE and high - low > 1:
                waiting += _pieces(low, high, 2 * sums // LARGE + 1)
                continue
            if sums > len(self._found):
                self._found = np.empty(2 * sums, dtype=np.int64)
                self._fill(low, high)
            self._places, self._after = self._after, self._places
            _sort_numbers(self._found[:sums])
            yield low, self._found[:sums]

    def _fill(self, low: int, high: int) -> int:
        return _fill_bucket(*self._rows, low, high, self._places, self._after, self._found)


def _pieces(low: int, high: int, count: int) -> list[tuple[int, int]]:
    """Return an interval in so many pieces, the last one first; fewer, if it has fewer keys.

    Examples
    --------
    >>> _pieces(0, 10, 3)
    [(6, 10), (3, 6), (0, 3)]
    """
    edges = sorted({low + (high - low) * at // count for at in range(count + 1)})
    return list(pairwise(edges))[::-1]


def _different(sums: IntArray) -> int:
    return int(np.count_nonzero(sums[1:] != sums[:-1])) + (len(sums) > 0)


@accelerated
def _sort_numbers(numbers: IntArray) -> None:
    numbers.sort()


def _spread(numbers: IntArray, stride: int) -> IntArray:
    """Return every so many-th of some numbers, evenly."""
    count = -(-len(numbers) // stride)
    return numbers[(2 * np.arange(count) + 1) * len(numbers) // (2 * count)]


@accelerated
def _fill_bucket(
    firsts: IntArray,
    begins: IntArray,
    ends: IntArray,
    seconds: IntArray,
    low: int,
    high: int,
    places: IntArray,
    after: IntArray,
    found: IntArray,
) -> int:
    """Write the sums above `low` and not above `high`, less `low`, as far as there is room; return how many.

    `places` says for each row from where on to look; `after` becomes where the next interval begins.
    """
    first = places.copy()
    after[:] = places
    # rows of the same stretch are looked up together
    changes = (np.diff(bounds, prepend=-1, append=-1) != 0 for bounds in (begins, ends))
    for begin, end in pairwise(np.flatnonzero(np.logical_or(*changes)).tolist()):
        rows, stretch = slice(begin, end), seconds[begins[begin] : ends[begin]]
        for mark, place in ((low, first), (high, after)):
            beyond = begins[begin] + np.searchsorted(stretch, mark - firsts[rows], side="right")
            place[rows] = np.maximum(place[rows], beyond)
    np.maximum(after, first, out=after)
    lengths = after - first
    upto = np.cumsum(lengths)
    sums = int(upto[-1]) if len(upto) else 0
    numbers = np.arange(min(sums, len(found)))
    row = np.searchsorted(upto, numbers, side="right")
    found[: len(numbers)] = seconds[first[row] + numbers - (upto - lengths)[row]] + (firsts[row] - low)
    return sums


@frozen(eq=False)
class Checkpoints:
    """Keys in ascending order, the last one the highest, and how many different values there are up to each.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> Checkpoints.build(Stretches.of(average_precision_walk(10), 1 << 20)).size
    810
    """

    edges: IntArray
    counts: IntArray

    @classmethod
    def build(cls, stretches: Stretches, progress: Progress = silent) -> Checkpoints:
        """Count the values of two stretches, whatever was counted before."""
        edges = edges_of(stretches)
        lows = np.concatenate([[-1], edges[:-1]])
        return cls(edges, np.cumsum(count_between(Rows.of(stretches), lows, edges, progress)))

    @property
    def size(self) -> int:
        """How many different values there are."""
        return int(self.counts[-1])

    def to_bytes(self, name: str) -> bytes:
        """Return the checkpoints of a named measure as they stand in a file."""
        import lzma

        steps = np.stack([np.diff(self.edges, prepend=0), np.diff(self.counts, prepend=0)]).astype("<i8")
        # bytes of the same weight side by side: most of the high ones are 0
        planes = steps.reshape(-1).view(np.uint8).reshape(-1, 8).T.tobytes()
        packed = lzma.compress(f"{name}\n".encode() + planes, preset=6 | lzma.PRESET_EXTREME)
        return _head() + hashlib.sha256(packed).digest() + packed

    @classmethod
    def from_bytes(cls, data: bytes, name: str, highest: int) -> Checkpoints | None:
        """Return the checkpoints in a file, or None if it is damaged or about something else.

        Examples
        --------
        >>> kept = Checkpoints(np.array([12, 48]), np.array([6, 15])).to_bytes("AP-4")
        >>> Checkpoints.from_bytes(kept, "AP-4", 48).counts.tolist()
        [6, 15]
        >>> Checkpoints.from_bytes(kept[:-1], "AP-4", 48) is Checkpoints.from_bytes(kept, "AP-5", 48) is None
        True
        """
        import lzma

        head, digest, packed = data[: len(_head())], data[len(_head()) :][:DIGEST], data[len(_head()) + DIGEST :]
        if head != _head() or digest != hashlib.sha256(packed).digest():
            return None
        try:
            owner, _, planes = lzma.decompress(packed).partition(b"\n")
        except lzma.LZMAError:
            return None
        if owner != name.encode() or len(planes) % 16 or not planes:
            return None
        steps = np.frombuffer(planes, dtype=np.uint8).reshape(8, -1).T.copy().view("<i8").reshape(2, -1)
        edges, counts = np.cumsum(steps.astype(np.int64), axis=1)
        ascending = bool(np.all(steps[:, 1:] > 0) and steps[0, 0] >= 0 and steps[1, 0] > 0)
        return cls(edges, counts) if ascending and int(edges[-1]) == highest else None


def _head() -> bytes:
    return MAGIC + f" {FORMAT}\n".encode()


def shipped_directory() -> Path:
    """Return where the tables are that come with the package.

    Examples
    --------
    >>> shipped_directory().name
    'tables'
    """
    return Path(__file__).parent / "tables"


def load(name: str, highest: int, *directories: Path) -> Checkpoints | None:
    """Return the checkpoints of a measure, if there are sound ones: as shipped or else as kept, or from elsewhere."""

    def sound(data: bytes) -> Checkpoints:
        found = Checkpoints.from_bytes(data, name, highest)
        if found is None:
            raise ValueError("is damaged")
        return found

    for directory in directories or (shipped_directory(),):
        path = directory / _file(name)
        try:
            return sound(path.read_bytes())
        except FileNotFoundError:
            pass
        except (OSError, ValueError):
            keeping.tell_once(f"{path} is damaged, and is not used; install measurand again")
    own = None if directories else cache_directory()
    return None if own is None else keeping.kept(own / _file(name), sound)


def keep(checkpoints: Checkpoints, name: str, directory: Path | None = None) -> None:
    """Write the checkpoints of a measure into a directory, or keep them in the cache, where that can be written."""
    if directory is not None:
        write_whole(directory / _file(name), checkpoints.to_bytes(name), folders=True)
        return
    own = cache_directory()
    if own is not None:
        keeping.keep(own / _file(name), checkpoints.to_bytes(name))


def _file(name: str) -> str:
    return f"{name}.v{FORMAT}.checkpoints"


@define(eq=False, slots=False)
class WalkRuler(Ruler):
    """The values of a walk in ascending order; they are counted when they are first needed.

    Examples
    --------
    >>> from measurand.intervals.reachable_values import average_precision_walk
    >>> ruler = WalkRuler.of(average_precision_walk(4), "AP-4")
    >>> runs = np.array([[0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=np.int8)
    >>> [position.rank for position in ruler.positions(runs)], ruler.size
    ([1, 6, 6, 15], 15)
    >>> ruler.shares(runs)
    [(0, 1), (5, 2), (5, 2), (15, 1)]
    """

    walk: Walk
    name: str
    budget: Budget
    _checkpoints: Checkpoints | None = None

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades = self.walk.depth, self.walk.grades

    @classmethod
    def of(cls, walk: Walk, name: str, budget: Budget | None = None, *, afresh: bool = False) -> WalkRuler:
        """Return the ruler of a walk whose keys fit; `afresh` looks at no checkpoints made before.

        `NotAvailable` if counting the values would cost more than may be spent.
        """
        ruler = cls(walk, name, budget or Budget(), None if afresh else load(name, walk.highest))
        if ruler._checkpoints is None:
            ruler._afford_counting()
        return ruler

    @cached_property
    def stretches(self) -> Stretches | None:
        """The tables from which sums are made, or None if they need too much memory."""
        return Stretches.of(self.walk, self.budget.memory // 2)

    @cached_property
    def _rows(self) -> Rows | None:
        return None if self.stretches is None else Rows.of(self.stretches)

    @cached_property
    def _run_counts(self) -> RunCounts | None:
        return None if self.stretches is None else RunCounts.of(self.walk, self.stretches.cut)

    def _afford_counting(self) -> None:
        what, budget = f"the values of this measure at depth {self.depth}", self.budget
        if self.stretches is None:
            raise NotAvailable(
                f"counting {what} needs more than {budget.memory >> 20} MiB; allow more memory, or look at fewer ranks"
            )
        seconds = self.stretches.pairs / PACE
        if seconds > budget.seconds:
            raise NotAvailable(
                f"counting {what} takes about {seconds:.0f} s, more than the {budget.seconds:.0f} s that may be spent; "
                f"say max_seconds={2 * seconds:.0f}, or look at fewer ranks"
            )

    def checkpoints(self, progress: Progress = silent) -> Checkpoints:
        """Return how many values there are up to some keys; counted once, and kept where that took long."""
        if self._checkpoints is None and self.stretches is not None:
            self._checkpoints = Checkpoints.build(self.stretches, progress)
            if self.stretches.pairs > LONG:
                keep(self._checkpoints, self.name)
        assert self._checkpoints is not None  # else the ruler was refused
        return self._checkpoints

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.checkpoints().size

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands.

        Where finding exact ranks would take too long, they are certain to lie between two checkpoints.
        """
        known = self.checkpoints(progress)
        keys, which = np.unique(self.walk.keys_of(runs), return_inverse=True)
        lows, highs = self._ranks(keys, known, progress)
        bounds = zip(lows.tolist(), highs.tolist(), strict=True)
        places = [Position.between(low, high, known.size, self.assumption) for low, high in bounds]
        return [places[at] for at in which.tolist()]

    def _ranks(self, keys: IntArray, known: Checkpoints, progress: Progress) -> tuple[IntArray, IntArray]:
        """Return bounds of the ranks of different values in ascending order, equal where they can be afforded."""
        buckets = np.searchsorted(known.edges, keys)
        counts = np.concatenate([[0], known.counts])
        first = np.concatenate([[True], buckets[1:] != buckets[:-1]])[: len(keys)]
        rows = self._rows if self._affords(int(np.count_nonzero(first)), known) else None
        if rows is None:
            return counts[buckets] + 1, counts[buckets + 1]
        lows = np.concatenate([[-1], known.edges])[buckets[first]]
        ranks = counts[buckets] + count_up_to(rows, lows, np.split(keys, np.flatnonzero(first)[1:]), progress)
        return ranks, ranks

    def _affords(self, buckets: int, known: Checkpoints) -> bool:
        """Return whether the exact ranks of keys in so many buckets can be found in time."""
        if buckets * (known.size / len(known.edges)) / PACE > self.budget.seconds or self.stretches is None:
            return False  # said before large tables are made
        rows = sum(map(len, self.stretches.before))
        sums = buckets * self.stretches.pairs / len(known.edges)
        return sums / PACE + buckets * rows / ROW_PACE <= self.budget.seconds

    def _affords_run_counts(self, keys: int) -> bool:
        """Return whether the runs up to some keys can be counted, in 64 bits and within the budget."""
        if self.stretches is None or self.grades**self.depth >= 1 << 63:
            return False
        rows, after = (sum(map(len, part)) for part in (self.stretches.before, self.stretches.after))
        fits = RUN_COUNT_BYTES * (rows + after) <= self.budget.memory
        return fits and min(rows, keys) * ROW_COST + (rows * (keys + 1) + after) / ROW_PACE <= self.budget.seconds

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        keys, which = np.unique(self.walk.keys_of(runs), return_inverse=True)
        if not self._affords_run_counts(len(keys)) or self._run_counts is None:
            return super().shares(runs)
        below, upto = self._run_counts.up_to(keys - 1), self._run_counts.up_to(keys)
        return list(zip(below[which].tolist(), (upto - below)[which].tolist(), strict=True))
