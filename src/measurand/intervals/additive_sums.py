"""The ruler of an additive measure: the simplest that fits its weights and gains.

`additive_ruler` tries in turn: closed forms; independent blocks whose sums meet in the middle (`DirectSum`, exact);
certified bounds where that costs too much; for rational weights that are not independent, counting by buckets.

*Exact ranks from fixed point.* The sums of independent blocks are all different, but irrational. Every sum of a block
is therefore written as a whole number of tiny units, rounded once, and the rounding errors are kept (`FixedPoint`). A
value is known to lie in a short window around its rounded sum. What is below the window is below the value, and is
counted by meeting in the middle ([HorowitzSahni1974]_). If the window holds no other value, the rank is exact;
otherwise the few values in it are taken apart and compared exactly. The cost is about the square root of the number of
values: up to some 40 ranks of two grades within seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf, prod

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import InverseLogs, weighted_sum
from measurand.execution import Progress, ahead, silent
from measurand.intervals.certified_sums import CertifiedSum
from measurand.intervals.closed_forms import DENSE, Complete, Lexicographic, Tabulated, WholeSums
from measurand.intervals.counted_values import weighted_ruler
from measurand.intervals.independence import assumption_for
from measurand.intervals.independent_blocks import DIGITS, Block, Blocks, independent_blocks
from measurand.intervals.meet_in_the_middle import BUILDING, LARGEST, SHOWN, Meeting, meet, seconds_to_meet, table_of
from measurand.intervals.ruler import NONE, SCHANUEL, Budget, Position, Ruler
from measurand.intervals.tables_of_sums import Half, Halves, Stream

BITS = 62
"""Rounded values stay below this power of 2."""

_SLACK = 1e-6
"""More than what floats do to a sum of some hundred errors below one half."""

_SURE = 10
"""Digits that are kept back: differences in the last ones of `DIGITS` prove nothing."""

PASS = 0.001
"""Seconds that a pass over the tables takes besides."""

_BYTES = 14
_BYTES_COUNTED = 48
Choice = tuple[int, ...]
"""A place in every block."""

DEFAULT = Budget()
"""What a ruler may cost if nothing is said."""


def additive_ruler(
    weights: Sequence[Fraction | InverseLogs],
    gains: Sequence[Fraction],
    budget: Budget = DEFAULT,
    assumption: str | None = None,
) -> Ruler:
    r"""Return all the values of the measure :math:`\sum_i w_i\, g(r_i)` in order.

    Parameters
    ----------
    weights
        The weight of each rank.
    gains
        The gain of each grade.
    assumption
        What the independence of inverse logarithms rests on; looked up if nothing is said.

    Examples
    --------
    >>> from measurand.exact import inverse_log
    >>> weights = [Fraction(1), Fraction(1), inverse_log(3, 2), inverse_log(4, 2)]
    >>> ruler = additive_ruler(weights, [Fraction(0), Fraction(1)])
    >>> ruler.size
    12
    """
    if not weights or not gains:
        raise ParameterError("a ruler needs at least one rank and one grade")
    rational = [weight for weight in weights if isinstance(weight, Fraction)]
    if len(rational) == len(weights):
        return _rational_ruler(rational, gains, budget)
    least = min(gains)
    blocks = Blocks.of(weights, [gain - least for gain in gains]) if all(weight >= 0 for weight in weights) else None
    if blocks is None:
        raise NotAvailable("the weights of this measure have no common form; use fewer ranks, or enumerate its values")
    return _block_ruler(blocks, budget, assumption or assumption_for(blocks))


def _rational_ruler(weights: Sequence[Fraction], gains: Sequence[Fraction], budget: Budget) -> Ruler:
    sums = WholeSums.of(weights, gains)
    ruler: Ruler | None = Complete.of(sums) or Lexicographic.of(weights, gains)
    if ruler is None and sums.top <= DENSE:
        ruler = Tabulated.of_sums(sums)
    if ruler:
        return ruler
    blocks = independent_blocks(weights, gains) if min(weights) >= 0 else None
    if blocks:
        return _block_ruler(blocks, budget, NONE)
    ruler = Tabulated.of_sums(sums) or weighted_ruler(weights, gains, budget)
    if ruler is None:
        raise NotAvailable(
            f"the sums of these {len(weights)} weights are too many to list, and may tie in ways that are not known;"
            " use fewer ranks"
        )
    return ruler


def _block_ruler(blocks: Blocks, budget: Budget, assumption: str) -> Ruler:
    exact = DirectSum(blocks, budget, assumption)
    return ExactWhenFew(exact) if exact.fits() else CertifiedSum(blocks, budget, assumption)


@frozen(eq=False)
class FixedPoint:
    """The sums of every block in tiny units.

    Parameters
    ----------
    parts
        For each block its sums in ascending order, each rounded once.
    errors
        What was rounded off each: the true sum less the rounded one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> fixed = FixedPoint.of(Blocks.by_rank([Fraction(2), Fraction(1)], [0, 1]))
    >>> [part.tolist()[-1] / 2**62 for part in fixed.parts]
    [0.6666666666666666, 0.3333333333333333]
    """

    parts: list[IntArray]
    errors: list[FloatArray]

    @classmethod
    def of(cls, blocks: Blocks) -> FixedPoint:
        """Return the sums of blocks in units so small that the largest value just fits."""
        with localcontext(prec=DIGITS):
            top = sum((block.value * block.sums[-1] for block in blocks.blocks), Decimal(0))
            scale = (Decimal(2**BITS - len(blocks.blocks)) / top if top else Decimal(1)).to_integral_value()
            exact = [[block.value * units * scale for units in block.sums] for block in blocks.blocks]
            parts = [[int(number.to_integral_value()) for number in numbers] for numbers in exact]
            errors = [
                [float(number - whole) for number, whole in zip(numbers, wholes, strict=True)]
                for numbers, wholes in zip(exact, parts, strict=True)
            ]
        return cls([np.array(part, dtype=np.int64) for part in parts], [np.array(error) for error in errors])

    def windows(self, places: IntArray) -> tuple[IntArray, IntArray]:
        """Return the windows of some values, each a row of places in the blocks.

        A value whose rounded sum is below the window is smaller than the given one, and one above it is larger.
        """
        rounded = np.sum([part[column] for part, column in zip(self.parts, places.T, strict=True)], axis=0)
        error = np.sum([errors[column] for errors, column in zip(self.errors, places.T, strict=True)], axis=0)
        least, most = (sum(float(bound(errors)) for errors in self.errors) for bound in (np.min, np.max))
        lows = rounded + np.floor(error - most - _SLACK).astype(np.int64)
        highs = rounded + np.ceil(error - least + _SLACK).astype(np.int64)
        return lows, highs


def choices(target: int, parts: Sequence[IntArray]) -> list[tuple[int, ...]]:
    """Return every way to choose one number from each part so that they sum to a target, as places in the parts.

    Examples
    --------
    >>> choices(5, [np.array([0, 4]), np.array([0, 1, 5])])
    [(0, 2), (1, 1)]
    """
    cut = _middle([len(part) for part in parts])
    firsts, lasts = _sums(parts[:cut]), _sums(parts[cut:])
    order = np.argsort(lasts, kind="stable")
    left, right = (np.searchsorted(lasts[order], target - firsts, side=side) for side in ("left", "right"))
    return sorted(
        (*_places(int(first), parts[:cut]), *_places(int(last), parts[cut:]))
        for first in np.flatnonzero(left < right)
        for last in order[left[first] : right[first]]
    )


def below(blocks: Sequence[Block], one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether one choice of places in the blocks makes a smaller value than another that differs from it.

    Examples
    --------
    >>> block = Block(Fraction(1, 3), (1,), (1,), (0, 1))
    >>> below([block], (0,), (1,)), below([block], (1,), (0,))
    (True, False)
    """
    steps = [(block, block.sums[b] - block.sums[a]) for block, a, b in zip(blocks, one, other, strict=True) if a != b]
    with localcontext(prec=DIGITS):
        terms = [block.value * units for block, units in steps]
        difference, size = sum(terms, Decimal(0)), sum((abs(term) for term in terms), Decimal(0))
        if abs(difference) > size.scaleb(_SURE - DIGITS):
            return difference > 0
    exact = weighted_sum((block.unit, Fraction(units)) for block, units in steps)
    if exact == 0:
        raise ParameterError("blocks that should not tie do: the weights are not independent")
    return exact > 0


def _middle(sizes: Sequence[int]) -> int:
    """Return where to cut a list of sizes into two parts whose products are close."""
    return min(range(len(sizes) + 1), key=lambda cut: max(prod(sizes[:cut]), prod(sizes[cut:])))


def _sums(parts: Sequence[IntArray]) -> IntArray:
    sums = np.zeros(1, dtype=np.int64)
    for part in parts:
        sums = np.add.outer(sums, part).ravel()
    return sums


def _places(number: int, parts: Sequence[IntArray]) -> tuple[int, ...]:
    return tuple(int(place) for place in np.unravel_index(number, tuple(len(part) for part in parts)))


def every_choice(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return every choice of one place from each of some parts of given sizes.

    Examples
    --------
    >>> list(every_choice([2, 1]))
    [(0, 0), (1, 0)]
    """
    return product(*(range(size) for size in sizes))


@frozen
class Split:
    """Which blocks are gone through one by one, which make the tops, and which the tails.

    Parameters
    ----------
    outer, inner
        The blocks at which the tops and the tails begin, from 0.
    counted
        Whether sums count as often as there are runs that make them.
    seconds, memory
        What it costs: time with the making of tables, and bytes.
    """

    outer: int
    inner: int
    counted: bool
    seconds: float = field(eq=False)
    memory: int = field(eq=False)


def split_of(
    sizes: Sequence[int], outer: int, inner: int, windows: int, *, counted: bool, built: bool = False
) -> Split:
    """Return a way to cut blocks of some sizes, with what it costs for so many windows.

    Examples
    --------
    >>> split_of([2] * 30, 0, 8, 1, counted=False).memory == 14 * (2**8 + 2**22)
    True
    """
    tops, tails = prod(sizes[outer:inner]), prod(sizes[inner:])
    each = _BYTES_COUNTED if counted else _BYTES
    building = 0.0 if built else BUILDING * (tops + tails) * each / _BYTES
    counting = prod(sizes[:outer]) * (seconds_to_meet(tops, tails, windows) + PASS)
    return Split(outer, inner, counted, building + counting, each * (tops + tails))


def cheapest(
    sizes: Sequence[int], windows: int, memory: int, *, counted: bool = False, held: Split | None = None
) -> Split | None:
    """Return the cheapest way to cut blocks of some sizes, or None where there is none.

    Parameters
    ----------
    held
        A way for which the tables are already there.

    Examples
    --------
    >>> few, many = (cheapest([2] * 40, windows, 1 << 30) for windows in (1, 10_000))
    >>> few.inner > many.inner, cheapest([2] * 70, 1, 1 << 30)
    (True, None)
    """
    if prod(sizes) > LARGEST:
        return None
    cuts = range(len(sizes) + 1)
    ways = [split_of(sizes, 0, inner, windows, counted=counted) for inner in cuts]
    if all(way.memory > memory for way in ways):
        ways = [split_of(sizes, outer, inner, windows, counted=counted) for inner in cuts for outer in range(1, inner)]
    if held and held.counted == counted:
        ways.append(split_of(sizes, held.outer, held.inner, windows, counted=counted, built=True))
    return min((way for way in ways if way.memory <= memory), key=lambda way: way.seconds, default=None)


@define(eq=False)
class DirectSum(Ruler):
    """A measure whose values are the sums of one number from each of some independent blocks, all different.

    Parameters
    ----------
    blocks
        The blocks.
    budget
        What making tables, or placing some runs, may cost.
    assumption
        What the independence of irrational blocks rests on.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from measurand.exact import inverse_log
    >>> weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 31))]
    >>> ruler = DirectSum(Blocks.of(weights, [0, 1]))
    >>> ruler.size, ruler.positions(np.array([[1] * 5 + [0] * 25]))[0].rank
    (805306368, 91285231)
    """

    blocks: Blocks
    budget: Budget = field(factory=Budget)
    assumption: str = SCHANUEL
    depth: int = field(init=False)
    grades: int = field(init=False)
    _held: tuple[Split, list[Halves]] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth = sum(len(block.ranks) for block in self.blocks.blocks)
        self.grades = len(self.blocks.gains)
        if not self.blocks.irrational:
            self.assumption = NONE

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.blocks.size

    def seconds(self, runs: int) -> float:
        """Return about how long it takes to place so many runs, with the making of tables; infinity if too much."""
        split = self._split(runs, counted=False)
        return split.seconds if split else inf

    def different(self, runs: Cells) -> int:
        """Return how many different values some runs have."""
        return len(self._different(runs)[0]) if len(runs) else 0

    def fits(self, runs: int = 1) -> bool:
        """Return whether so many runs can be placed within the budget."""
        return self.seconds(runs) <= self.budget.seconds

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        placed, which = self._placed(runs, counted=False, progress=progress)
        size, assumption = self.size, self.assumption
        positions = [
            Position.at(low + 1, size, assumption)
            if low == high
            else Position.between(low + 1, high + 1, size, assumption)
            for low, high, _ in placed
        ]
        return [positions[window] for window in which]

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        placed, which = self._placed(runs, counted=True, progress=silent)
        if any(low != high for low, high, _ in placed):
            raise NotAvailable("some values are too close to others to be told apart; use ties='unq', or fewer ranks")
        return [(placed[window][0], placed[window][2]) for window in which]

    def _placed(
        self, runs: Cells, *, counted: bool, progress: Progress
    ) -> tuple[list[tuple[int, int, int]], list[int]]:
        """Return bounds of how much is below, and how much ties with, each of the different values of some runs.

        What is counted are values, or runs if `counted`; and which of the values each run has.
        """
        if not len(runs):
            return [], []
        places, which = self._different(runs)
        split, halves = self._halves(len(places), counted=counted)
        found = meet(halves, *self._fixed.windows(places), progress)
        if not counted and (found.inside == 1).all():
            return [(low, low, 1) for low in found.below], which.tolist()
        nearby = self._nearby(found, split)
        placed = []
        for window, choice in enumerate(map(tuple, places.tolist())):
            low = high = found.below[window]
            if found.inside[window] > SHOWN:
                high += self.size if counted else int(found.inside[window]) - 1
            else:
                others = (other for other in nearby.get(window, ()) if other != choice)
                smaller = [other for other in others if below(self.blocks.blocks, other, choice)]
                low = high = low + sum(self._times(other) if counted else 1 for other in smaller)
            placed.append((low, high, self._times(choice) if counted else 1))
        return placed, which.tolist()

    def _different(self, runs: Cells) -> tuple[IntArray, IntArray]:
        """Return the different choices that some runs make, and which each run makes."""
        grid = np.column_stack([block.places_of(runs, self.blocks.gains) for block in self.blocks.blocks])
        # sizes multiply to less than 2**60 where anything can be placed at all
        steps = [prod(block.size for block in self.blocks.blocks[place + 1 :]) for place in range(grid.shape[1])]
        keys = grid @ np.array([step % (1 << 63) for step in steps], dtype=np.int64)
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        return grid[first], which.reshape(-1)

    def _split(self, runs: int, *, counted: bool) -> Split | None:
        sizes = [block.size for block in self.blocks.blocks]
        held = self._held[0] if self._held else None
        return cheapest(sizes, runs, self.budget.memory, counted=counted, held=held)

    def _halves(self, runs: int, *, counted: bool) -> tuple[Split, list[Halves]]:
        """Return tables with which so many different runs can be placed, made now if need be."""
        split = self._split(runs, counted=counted)
        if split is None or split.seconds > self.budget.seconds:
            cost = f"about {split.seconds:.0f} seconds" if split else "more memory or time than there is"
            raise NotAvailable(
                f"placing {runs} runs exactly among {self.size} values takes {cost};"
                " allow more (max_seconds), or use fewer ranks"
            )
        held = self._held
        if held is None or held[0] != split:
            held = self._held = None  # lets go of the old tables before the new ones are made
            held = self._held = split, self._made(split)
        return held

    def _made(self, split: Split) -> list[Halves]:
        parts = self._fixed.parts
        sides = [slice(split.outer, split.inner), slice(split.inner, None)]
        tops: Half | Stream
        tails: Half | Stream
        if split.counted:
            pairs = list(zip(parts, self._counts, strict=True))
            tops, tails = (Half.counted(pairs[side]) for side in sides)
        else:
            sizes = [prod(len(part) for part in parts[side]) for side in sides]
            tops, tails = ahead(lambda side: table_of(parts[sides[side]], sizes[1 - side]), range(2))
        halves = []
        for choice in every_choice([len(part) for part in parts[: split.outer]]):
            shift = sum(int(part[place]) for part, place in zip(parts, choice, strict=False))
            halves.append(Halves(tops, tails, shift, self._times(choice) if split.counted else 1))
        return halves

    def _nearby(self, found: Meeting, split: Split) -> dict[int, set[Choice]]:
        """Return the choices inside windows that hold several, by window."""
        parts = self._fixed.parts
        crowded = found.pairs[(found.inside[found.pairs[:, 0]] > 1) & (found.inside[found.pairs[:, 0]] <= SHOWN)]
        shifts = list(every_choice([len(part) for part in parts[: split.outer]])) if len(crowded) else []
        tops, tails = (
            {value: choices(value, parts[side]) for value in set(column.tolist())}
            for side, column in (
                (slice(split.outer, split.inner), crowded[:, 2]),
                (slice(split.inner, None), crowded[:, 3]),
            )
        )
        nearby: dict[int, set[Choice]] = {}
        for window, which, top, tail in crowded.tolist():
            ways = nearby.setdefault(window, set())
            ways.update((*shifts[which], *one, *other) for one in tops[top] for other in tails[tail])
        return nearby

    @cached_property
    def _fixed(self) -> FixedPoint:
        return FixedPoint.of(self.blocks)

    @cached_property
    def _counts(self) -> list[IntArray]:
        """How many choices of grades make each sum of each block."""
        return [_runs_by_sum(block, self.blocks.gains.tolist()) for block in self.blocks.blocks]

    def _times(self, choice: Choice) -> int:
        """Return how many runs make a choice, or the beginning of one."""
        return prod(int(counts[place]) for counts, place in zip(self._counts, choice, strict=False))


def _runs_by_sum(block: Block, gains: list[int]) -> IntArray:
    """Return how many choices of grades at the ranks of a block make each of its sums."""
    if len(gains) ** len(block.ranks) >= 1 << 62:
        raise NotAvailable("so many runs share a value that they cannot be counted; use ties='unq', or fewer ranks")
    counts = Counter({0: 1})
    for multiple in block.multiples:
        grown: Counter[int] = Counter()
        for units, count in counts.items():
            for gain in gains:
                grown[units + multiple * gain] += count
        counts = grown
    return np.array([counts[units] for units in block.sums], dtype=np.int64)


@define(eq=False)
class ExactWhenFew(Ruler):
    """A ruler that places few runs exactly, and bounds the positions of many where exactness costs too much.

    Examples
    --------
    >>> from measurand.intervals.independent_blocks import Blocks
    >>> ruler = ExactWhenFew(DirectSum(Blocks.by_rank([Fraction(3, 4) ** rank for rank in range(30)], [0, 1])))
    >>> import numpy
    >>> str(ruler.positions(numpy.ones((1, 30), dtype=numpy.int8))[0].how)
    'exact'
    """

    exact: DirectSum
    depth: int = field(init=False)
    grades: int = field(init=False)
    assumption: str = field(init=False)
    _certified: CertifiedSum | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.depth, self.grades, self.assumption = self.exact.depth, self.exact.grades, self.exact.assumption

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.exact.size

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        if self.exact.fits(len(runs)) or self.exact.fits(self.exact.different(runs)):
            return self.exact.positions(runs, progress)
        if self._certified is None:
            self._certified = CertifiedSum(self.exact.blocks, self.exact.budget, self.assumption)
        return self._certified.positions(runs, progress)

    def shares(self, runs: Cells) -> list[tuple[int, int]]:
        """Return, for each of some runs, how many runs have a lower value, and how many have its value."""
        return self.exact.shares(runs)
