r"""Positions on geometric measures, such as RBP, for runs without end.

RBP is defined on endless lists, so its natural scale has no last rank. The position of a value is then the share of
all endless runs that are worth no more, the limit of :math:`(\varphi - 1)/(n - 1)` as the depth grows: the
distribution function of :math:`\sum_i p^{i-1} G_i` with independent uniform gains, a Bernoulli convolution
([Erdos1939]_). It is known in closed form for some `p` (then positions are exact); otherwise it is certified, for
small `p` by following the value (`measurand.intervals.geometric_bounds`), for large `p` by smoothing ([Vaaler1985]_,
`infinite_positions`).

Let every rank get one of :math:`c` different gains, all equally likely, and weigh rank :math:`i` by :math:`p^{i-1}`.
Where no two runs tie, the position of a value :math:`m` among those of all runs of depth :math:`n` tends to
:math:`F(m) = P(S \le m)` with :math:`S = \sum_i p^{i-1} G_i`, as the depth grows.

*Truncation.* Leaving out what comes after some rank makes the sum smaller, by :math:`\tau` at the most; so
:math:`F(m)` lies between the truncated sum's distribution at :math:`m - \tau` and at :math:`m`.

*Scaling.* With gains from 0 on, of which :math:`g` is the smallest above 0, a value below :math:`g p^{j-1}` leaves
only the gain 0 for the first :math:`j` ranks: :math:`F(m) = c^{-j} F(m / p^j)`. So nothing is ever far out.

*Mirroring.* Above the mean the same is done with the gains counted down from the largest; :math:`F` has no jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, log

import numpy as np
from attrs import define, field, frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.execution import Progress, ahead, silent
from measurand.intervals.certified_sums import Logs, Node, Plan, affordable, smoothed, tilts
from measurand.intervals.geometric_automaton import Automaton
from measurand.intervals.geometric_bounds import Brackets
from measurand.intervals.independent_blocks import DIGITS, whole_gains
from measurand.intervals.ruler import Budget, Certainty, Position, Ruler
from measurand.intervals.tilting import ROOM, Choices, fixed_choices
from measurand.judged.universes import distinct_runs

_TAIL = 2.0**-60
"""What is cut off, relative to the largest sum: less than the fixed point's own rounding."""

_NEAR = 1e-9
"""How far a scaled value stays from where scaling ends, so that rounding cannot take it across."""

_ROWS = 512  # runs whose values are computed in one go

PATIENT = Fraction(17, 20)
"""From here on smoothing gives closer bounds than following the value rank by rank, and sooner."""


def infinite_positions(
    p: Fraction,
    gains: Sequence[Fraction],
    runs: Cells,
    budget: Budget | None = None,
    progress: Progress = silent,
) -> list[Position]:
    r"""Return where runs stand on a rank-biased measure without a last rank: bounds of :math:`F(m)`.

    No two runs may tie; runs go on with the lowest grade, grade 0, after their last rank. The bounds are narrow for
    `p` above 0.65 or so.

    Parameters
    ----------
    p
        The persistence, between 0 and 1.
    gains
        What each grade is worth.
    budget
        What placing the runs may cost.

    Examples
    --------
    >>> nothing, top = infinite_positions(Fraction(1, 2), [Fraction(0), Fraction(1)], np.array([[0, 0], [1, 0]]))
    >>> nothing.high, top.low < Fraction(1, 2) < top.high, top.width < 1e-3
    (Fraction(0, 1), True, True)
    """
    if not 0 < p < 1:
        raise ParameterError(f"the persistence must lie between 0 and 1, not {p}")
    if not len(runs):
        return []
    whole = whole_gains(gains)
    rising = EndlessSums(p, tuple(gain - min(whole) for gain in whole))
    if not max(rising.gains):
        raise ParameterError("every grade is worth the same; give at least two different gains")
    values, shifts = rising.scaled(runs)
    upper = values * float(p) ** shifts > rising.choices.tilted(0.0).mean
    lower = ~upper & (values > 0)
    falling = rising.mirrored
    tails = Tail(rising, values[lower], shifts[lower]), Tail(falling, *falling.scaled(runs[upper]))
    for tail, plan in zip(tails, affordable([tail.plan for tail in tails], budget or Budget(), len(runs)), strict=True):
        tail.plan = plan
    chances = np.full((len(runs), 2), Fraction(0), dtype=object)
    for which, found in zip((lower, upper), (tail.chances(progress) for tail in tails), strict=True):
        chances[which] = np.array(found, dtype=object).reshape(-1, 2)
    chances[upper] = 1 - chances[upper][:, ::-1]
    return [_position(low, high) for low, high in chances]


def _position(low: Fraction, high: Fraction) -> Position:
    return Position(low=low, high=high, how=Certainty.EXACT if low == high else Certainty.CERTIFIED)


@frozen(eq=False)
class EndlessSums:
    """Sums of gains, each equally likely at every rank, with weights that fall geometrically for ever.

    Parameters
    ----------
    p
        What each weight is of the one before.
    gains
        What each grade is worth, as whole numbers of which the smallest is 0.
    """

    p: Fraction
    gains: tuple[int, ...]

    @property
    def mirrored(self) -> EndlessSums:
        """The same with gains counted down from the largest."""
        return EndlessSums(self.p, tuple(max(self.gains) - gain for gain in self.gains))

    @cached_property
    def reach(self) -> float:
        """The largest sum."""
        return float(max(self.gains) / (1 - self.p))

    @cached_property
    def weights(self) -> list[Decimal]:
        """The weights of all ranks that matter, correct to far more digits than are used."""
        ranks = ceil(log(_TAIL) / log(self.p))
        with localcontext(prec=DIGITS):
            ratio = Decimal(self.p.numerator) / self.p.denominator
            return [ratio**rank for rank in range(ranks)]

    @cached_property
    def choices(self) -> Choices:
        """The choices at all ranks that matter.

        What is cut off of a sum and of a value is at most 4 times the tail in all. A value is a sum of positive
        floats, times two powers: off by 2**-53 of itself for each, and for its weight.
        """
        scale = 1 << max(ROOM - ceil(self.reach).bit_length(), 0)
        with localcontext(prec=DIGITS):
            levels = sorted(set(self.gains))
            parts = [[int((weight * gain * scale).to_integral_value()) for gain in levels] for weight in self.weights]
        extra = self.reach * (4 * _TAIL + (len(parts) + 8) * 2.0**-52)
        return Choices(fixed_choices(parts, scale).fixed, scale, extra)

    def scaled(self, runs: Cells) -> tuple[FloatArray, IntArray]:
        """Return the values of runs that go on with the lowest grade, scaled up, and by how many ranks each.

        A value of 0 is returned as 0.
        """
        gains, weights = np.array(self.gains, dtype=np.float64), np.array([float(weight) for weight in self.weights])
        found = [self._from_first(gains[some], weights) for some in np.split(runs, range(_ROWS, len(runs), _ROWS))]
        values, leading = (np.concatenate(each) for each in zip(*found, strict=True))
        bound = min(gain for gain in self.gains if gain) * (1 - _NEAR)
        with np.errstate(divide="ignore"):
            excess = np.log(values * float(self.p) / bound) / -log(self.p)
        back = np.clip(np.floor(excess) + 1, 0, leading).astype(np.int64)
        values *= float(self.p) ** back
        # a logarithm's rounding may leave a value where scaling does not reach yet
        late = (back < leading) & (values * float(self.p) >= bound)
        values[late] *= float(self.p)
        return values, leading - back - late

    def _from_first(self, gained: FloatArray, weights: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the values of rows of gains from the first gain above 0 on, and how many ranks come before it."""
        gained = np.column_stack([gained, np.full(len(gained), float(self.gains[0]))])
        leading = np.argmax(gained > 0, axis=1)
        columns = np.minimum(leading[:, None] + np.arange(len(weights)), gained.shape[1] - 1)
        return np.take_along_axis(gained, columns, axis=1) @ weights, leading


@define(eq=False)
class Tail:
    """Some runs whose values are placed from one end of the scale.

    Parameters
    ----------
    endless
        The sums, as they are or mirrored.
    values, shifts
        Values above 0, scaled up, and by how many ranks each.
    """

    endless: EndlessSums
    values: FloatArray
    shifts: IntArray
    plan: Plan = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.plan = Plan(0, 0, 0, tuple(tilts(self.endless.choices, self._different[0])))

    @cached_property
    def _different(self) -> tuple[FloatArray, IntArray]:
        return np.unique(self.values, return_inverse=True)

    def chances(self, progress: Progress) -> list[tuple[Fraction, Fraction]]:
        """Return bounds of the chance of a sum not above each value."""
        if not len(self.values):
            return []
        values, which = self._different
        logs = Logs(np.full(len(values), -np.inf), np.zeros(len(values)))
        levels = len(set(self.endless.gains))
        whole = len(self.endless.choices.fixed) * log(levels)

        def bounds(node: Node) -> tuple[slice, tuple[FloatArray, FloatArray]]:
            part, (low, high) = smoothed(node, values)
            return part, (low - whole - 1e-11, high - whole + 1e-11)

        for part, found in progress(ahead(bounds, self.plan.nodes), len(self.plan.nodes), "smoothing"):
            logs.meet(part, found)
        low, high = (np.exp(each)[which].tolist() for each in logs.ordered())
        units = [Fraction(1, levels**shift) for shift in self.shifts.tolist()]
        return [(Fraction(a) * unit, Fraction(b) * unit) for a, b, unit in zip(low, high, units, strict=True)]


@define(eq=False)
class Endless(Ruler):
    r"""The values :math:`\sum_i g_i p^{i-1}` of all endless runs.

    A run is given by its first ranks, as many as one likes; at the others it has grade 0.

    Parameters
    ----------
    machine
        What accepts one word of digits for each value.
    digits
        The digit of each grade: the place of its gain among the different gains.
    depth
        0: there is no last rank.

    Examples
    --------
    >>> from measurand.intervals.geometric_automaton import automaton
    >>> ruler = Endless.of(automaton(Fraction(1, 3), [0, 1]), np.array([0, 1]))
    >>> ruler.positions(np.array([[1, 0, 1]]))[0].low
    Fraction(5, 8)
    """

    machine: Automaton
    digits: IntArray
    budget: Budget = field(factory=Budget)
    depth: int = field(default=0, init=False)
    grades: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.grades = len(self.digits)

    @classmethod
    def of(cls, machine: Automaton, digits: IntArray, budget: Budget = Budget()) -> Endless:  # noqa: B008 - frozen
        """Return the ruler, if there is one."""
        if digits[0]:
            raise NotAvailable("the rest of a run without end has grade 0, which must have the lowest gain")
        if not machine.free and not _uniform(machine):
            raise NotAvailable(
                f"runs without end tie in too many ways at p = {machine.p} with gains {machine.gains};"
                " use a finite depth"
            )
        return cls(machine, digits, budget)

    @property
    def size(self) -> int:
        """There are more values than can be counted."""
        raise NotAvailable("runs without end have more values than can be counted; use a finite depth")

    @property
    def consecutive(self) -> bool:
        """Whether the values are known to be equally spaced: every number up to the highest is one."""
        return _uniform(self.machine)

    def positions(self, runs: Cells, progress: Progress = silent) -> list[Position]:
        """Return where each of some runs, one a row, stands."""
        words, which = distinct_runs(self.digits[np.asarray(runs)].astype(np.int8))
        if self.machine.free and self.machine.p > PATIENT and not _in_dictionary_order(self.machine):
            gains = [Fraction(gain) for gain in self.machine.gains]
            placed = infinite_positions(self.machine.p, gains, words, self.budget, progress)
            return [placed[row] for row in which.tolist()]
        placed = [self._position(word) for word in progress(words.tolist(), len(words), "bounding positions")]
        return [placed[row] for row in which.tolist()]

    def _position(self, word: list[int]) -> Position:
        if _uniform(self.machine):
            value = Fraction(self.machine.key(word), self.machine.p.denominator ** max(len(word) - 1, 0))
            low = high = value * (1 - self.machine.p) / self.machine.gains[-1]
        elif _in_dictionary_order(self.machine):
            base = len(self.machine.gains)
            low = high = Fraction(_number(word, base), base ** len(word))
        else:
            low, high = self._brackets.of(word)
        how = Certainty.EXACT if low == high else Certainty.CERTIFIED
        return Position(low=low, high=high, how=how)

    @cached_property
    def _brackets(self) -> Brackets:
        return Brackets(self.machine, None, self.budget)


def _uniform(machine: Automaton) -> bool:
    """Return whether all numbers up to the highest are values, of which equal stretches hold equally many."""
    most = machine.gains[-1]
    return machine.p.numerator == 1 and len(machine.gains) == most + 1 and most >= machine.p.denominator - 1


def _in_dictionary_order(machine: Automaton) -> bool:
    """Return whether the first rank at which two runs differ decides: its least step outweighs all that may follow."""
    least = min((high - low for low, high in pairwise(machine.gains)), default=1)
    return least * (1 - machine.p) >= machine.gains[-1] * machine.p


def _number(word: list[int], base: int) -> int:
    number = 0
    for digit in word:
        number = number * base + digit
    return number
