"""The interval scale of an order: measures that rise by the same amount with every step of the order.

In a distributive lattice all ways up from one run to a better one have as many steps. So an interval of the order,
from a run up to a better one, has a length: the difference of the ranks of its ends. A measure is an interval scale
of the order if intervals of equal length have equal differences of values, and better runs better values. That leaves
the rank, in any unit and from any zero: such a measure is an affine function of it.

Where runs have no join, steps and ranks are those of the completion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from measurand.display.wording import counted
from measurand.errors import FunctionFailed
from measurand.exact import Exact, shown, with_fraction
from measurand.execution import Rng
from measurand.lattice.algebra.base import Algebra, Run, has_gaps, is_set
from measurand.lattice.valuation.additivity import CELLS, SLOW_CELLS, Additivity
from measurand.lattice.valuation.deciding import argument
from measurand.lattice.valuation.distance import goes_by_steps
from measurand.lattice.valuation.extension import abs_at_most
from measurand.lattice.valuation.reconstruction import linear_combination
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.verdict import How, Verdict, blocks, unusable

STEPS = 1 << 14
"""So many steps between runs are all compared; where there are more, some are."""

DIGITS = (8, 12, 17)
"""To so many digits are numbers written that four do not tell apart."""

WALK = 2_000
"""So many steps of an interval are walked through at most in the search for one that is too high or too low."""


@frozen
class Interval:
    """An interval of an order: a run, and a better one.

    Parameters
    ----------
    low, high
        The two runs.
    length
        How many steps lead from the one to the other.
    """

    low: Run
    high: Run
    length: int


def is_interval(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a measure is an interval scale of an order: an affine function of the rank that rises with it.

    .. math:: m(r) = m(\hat 0) + c \cdot \operatorname{rank}(r), \quad c > 0

    Where lower is better, :math:`c < 0`. A measure for which this fails has two intervals, from a run up to a better
    one, whose differences in value are not in the proportion of their lengths.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks. Runs that hold more relevant documents are left out; lengths stay those of the
        order of all runs.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> bool(is_interval(algebra_of("replacement", 10, 2), "P")), bool(is_interval(algebra_of("swap", 10, 2), "P"))
    (True, False)
    >>> is_interval(algebra_of("swap", 3, 2), "DCG(b=2)").witness.runs
    ((0, 0, 0), (0, 0, 1), (0, 0, 1), (0, 1, 0))
    >>> bool(is_interval(algebra_of("projection", 10, 2), "RBP(p=1/2)"))
    True

    References
    ----------
    [Giner2022]_, section 7
    """
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    try:
        return _Decision(additivity).verdict(rng)
    except FunctionFailed as failure:
        return unusable(failure)


@frozen(eq=False)
class _Decision:
    """A measure held against the ranks of runs: the unit is what it rises by in the first step of all."""

    additivity: Additivity

    @property
    def algebra(self) -> Algebra:
        return self.additivity.algebra

    @property
    def first(self) -> Interval:
        """The step from the worst run to the next."""
        return Interval(self.algebra.bottom, self.algebra.irreducible(0), 1)

    def verdict(self, rng: Rng) -> Verdict:
        seen, measure = self.additivity.seen, self.additivity.valuer.measure
        broken = next((step for step in self._telling_steps() if self.excess(step)), None)
        if broken is not None:
            return self._broken(broken)
        if argument(measure, self.algebra, seen.space) is not None and goes_by_steps(seen):
            if isinstance(measure, Additive) and measure.is_defined_by(Additive):
                how = "it adds up what a grade is worth at a rank, as the rank of a run in the order does"
                return self._rising(Verdict(True, None, f"every run of {seen}", How.PROVED, how))
            if self.algebra.irreducible_count <= STEPS:
                return self._by_steps()
        return self._by_runs(rng)

    def _telling_steps(self) -> Iterator[Interval]:
        """Return a step for every rank and grade; an additive measure has no other heights of steps."""
        depth = self.algebra.depth
        # the last rank that a cutoff leaves differs from those below
        last = self.additivity.valuer.measure.reach(depth) - 1
        for rank in [last, *(rank for rank in reversed(range(depth)) if rank != last)]:
            for grade in range(1, self.algebra.grades):
                alone = (*(0,) * rank, grade, *(0,) * (depth - rank - 1))
                alike = (grade,) * (rank + 1) + (0,) * (depth - rank - 1)
                place = self.algebra.place(alike if is_set(self.algebra) else alone)
                if place is not None:
                    yield from self._step(place)

    def _step(self, place: int) -> Iterator[Interval]:
        """Return the step that a join-irreducible run makes, if the topic has documents enough for it."""
        low, high = self.algebra.step(place)
        if self.additivity.seen.possible(low) and self.additivity.seen.possible(high):
            yield Interval(low, high, 1)

    def _by_steps(self) -> Verdict:
        """Return the verdict on a valuation, which the steps of the join-irreducible runs decide."""
        count = self.algebra.irreducible_count
        steps = (step for place in range(count) for step in self._step(place))
        broken = next((step for step in steps if self.excess(step)), None)
        if broken is not None:
            return self._broken(broken)
        how = f"a valuation to which each of the {count:,} join-irreducible runs adds the same"
        return self._rising(Verdict(True, None, f"every run of {self.additivity.seen}", How.PROVED, how))

    def _by_runs(self, rng: Rng) -> Verdict:
        """Return the verdict from the values of all runs, or of some."""
        seen, looked = self.additivity.seen, 0
        most = (SLOW_CELLS if self.additivity.valuer.slow else CELLS) // self.algebra.depth
        for runs in [seen.all()] if seen.fits else seen.some(rng):
            part = runs if seen.fits else runs[:most]
            looked += len(part)
            for run in map(tuple, part.tolist()):
                interval = self._up_to(run)
                if self.excess(interval):
                    return self._broken(self._shortest(interval))
        checked = seen.checked if seen.fits else f"{looked:,} runs of {seen}"
        return self._rising(Verdict(True, None, checked, seen.how))

    def _up_to(self, run: Run) -> Interval:
        return Interval(self.algebra.bottom, run, self.algebra.rank(run))

    def rise(self, interval: Interval) -> Exact:
        """Return the difference of the values of two runs, in units of the topic."""
        level = self.additivity.level
        return linear_combination([(1, level(interval.high)), (-1, level(interval.low))])

    def excess(self, interval: Interval) -> bool:
        """Return whether the measure does not rise by as many units as there are steps."""
        parts = [(1, self.rise(interval)), (-interval.length, self.rise(self.first))]
        return not abs_at_most(linear_combination(parts), self.additivity.slack(2 + 2 * interval.length))

    def _shortest(self, interval: Interval) -> Interval:
        """Return a part of an interval that is no better, as short as it is found: two runs with none between.

        On the way down from the upper end some step is wrong, since all of them together are.
        """
        high, possible = interval.high, self.additivity.seen.possible
        for _ in range(WALK):
            low = next((run for run in self.algebra.lower_covers(high) if possible(run)), None)
            if low is None:
                break
            step = Interval(low, high, self.algebra.rank(high) - self.algebra.rank(low))
            if self.excess(step):
                return step
            high = low
        return interval

    def _broken(self, interval: Interval) -> Verdict:
        """Return that a measure is no interval scale, with an interval that shows it and another beside."""
        other = self.first if interval.length == 1 else self._as_long(interval.length)
        if other is None:
            other = self.first
        elif self.excess(other):
            # where the other is wrong as well, all its steps are single ones, and one of them is wrong
            other, interval = self.first, self._shortest(other)
        values = [self.additivity.valuer.value(run) for run in (other.low, other.high, interval.low, interval.high)]
        runs = (other.low, other.high, interval.low, interval.high)
        witness = self.algebra.witness(runs, values, "; ".join(self._described(other, interval)))
        return Verdict(False, witness, self.additivity.seen.checked, How.COUNTEREXAMPLE)

    def _as_long(self, length: int) -> Interval | None:
        """Return an interval of a length, above the worst run and with single steps, if the topic has documents for it.

        Only the completion of the order "swap" has steps of several at once. There all documents have one grade, but
        those of the next at the highest ranks that the length affords.
        """
        if not has_gaps(self.algebra):
            return None
        depth = self.algebra.depth
        grade, left = divmod(length, depth * (depth + 1) // 2)
        run: list[int] = []
        for steps in range(depth, 0, -1):
            run.append(grade + (steps <= left))
            left -= steps if steps <= left else 0
        return self._up_to(tuple(run)) if self.additivity.seen.possible(tuple(run)) else None

    def _described(self, *intervals: Interval) -> list[str]:
        """Return how long intervals are, and by how much the measure rises in each."""
        rises = [self.additivity.value_of(self.rise(interval)) for interval in intervals]
        ends = [f"from {self._named(interval.low)} to {self._named(interval.high)}" for interval in intervals]
        return [
            f"{way} is {counted(interval.length, 'step')} and changes the value by {text}"
            for way, interval, text in zip(ends, intervals, _told_apart(rises), strict=True)
        ]

    def _named(self, run: Run) -> str:
        """Return a run as text, equal grades in a row counted where it is long."""
        return f"({', '.join(text for text, _ in blocks(self.algebra.named(run)))})"

    def _rising(self, verdict: Verdict) -> Verdict:
        """Return the verdict on equal steps, or that they do not go up."""
        unit = self.rise(self.first)
        falling = self.additivity.valuer.measure.lower_is_better
        if unit < 0 if falling else unit > 0:
            return verdict
        low, high = self.first.low, self.first.high
        values = (self.additivity.valuer.value(low), self.additivity.valuer.value(high))
        why = f"the steps are equal, but better runs have no better values: {self._described(self.first)[0]}"
        return Verdict(False, self.algebra.witness((low, high), values, why), verdict.checked, How.COUNTEREXAMPLE)


def _told_apart(numbers: Sequence[Exact]) -> list[str]:
    """Return numbers to as many digits as tell those apart that differ."""
    texts = [with_fraction(number) for number in numbers]
    for digits in DIGITS:
        if len(set(texts)) == len(set(numbers)):
            return texts
        texts = [shown(number, digits) for number in numbers]
    return texts if len(set(texts)) == len(set(numbers)) else [str(number) for number in numbers]
