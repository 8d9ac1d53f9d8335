"""How runs are distributed over the values of a measure.

If all runs of a depth were equally likely, what share of them would have at most a value, or a value between two
others ([FerranteFerroFuhr2021]_, figures 6 to 8)? `distribution` answers exactly: for up to some thousands of runs at
all values, beyond at chosen ones, with the help of the ruler's counts. `run_shares` answers for any measure and any
depth from runs drawn at random, with the band of Dvoretzky, Kiefer and Wolfowitz around all shares at once
([Massart1990]_). Shares of runs are not ranks of values: values that many runs share weigh more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import log, sqrt
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import Cells, FloatArray
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, facts, valued
from measurand.display.wording import counted, number, percent
from measurand.exact import Exact, whole_number, with_fraction
from measurand.execution import Rng, generator
from measurand.intervals.ruler import Budget
from measurand.intervals.sample_runs import SampleRuns
from measurand.intervals.universe import Universe
from measurand.judged import Pool
from measurand.measures import Measure, as_measure
from measurand.measures.valued import Valuer

FITS = 1 << 14
"""All values are looked at where there are so many runs at most; else the values of some runs."""

MISSED = 0.05
"""How often the band may miss."""

EXACT, SAMPLED = "exact", "sampled"


def distribution(
    measure: Measure | str | Callable[..., Any], depth: int = 10, grades: int = 2, *, marks: Sequence[Exact] = ()
) -> Distribution:
    """Return how the values of a measure are spread over all runs of `depth` ranks over so many grades.

    Where the runs are too many to look at each, some are chosen that cover the range, and some with values next to
    `marks`; how many runs lie below them is exact all the same.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    marks
        Values next to which runs are wanted.

    Examples
    --------
    >>> distribution("RBP(p=0.8)", depth=5).values[-1]
    Fraction(2101, 3125)

    References
    ----------
    [FerranteFerroFuhr2021]_, figures 6 to 8
    """
    universe = Universe(as_measure(measure), whole_number("depth", depth), whole_number("grades", grades, 2))
    return Distribution.of(universe, Budget(), marks=marks)


def value_curve(
    measure: Measure | str | Callable[..., Any], depth: int = 10, grades: int = 2
) -> list[tuple[Exact, Fraction]]:
    """Return values of a measure in ascending order, each with the share of all runs that have at most it.

    These are all values up to some thousands of runs, and beyond it some that cover the range.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> [share for _, share in value_curve("RR", depth=3)]
    [Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1, 1)]
    """
    return list(distribution(measure, depth, grades))


def share_between(
    measure: Measure | str | Callable[..., Any], depth: int, low: Exact | int, high: Exact | int, grades: int = 2
) -> tuple[Fraction, Fraction]:
    """Return bounds of the share of all runs with values from `low` to `high`; equal where it is known exactly.

    It is exact for up to some thousands of runs, and beyond for additive measures and runs of some 36 ranks.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have.
    low, high
        The ends of the interval, both included.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> share_between("P", 4, Fraction(1, 4), Fraction(3, 4))
    (Fraction(7, 8), Fraction(7, 8))
    """
    ends = [end if not isinstance(end, int) else Fraction(end) for end in (low, high)]
    return distribution(measure, depth, grades, marks=ends).share_between(*ends)


def run_shares(
    measure: Measure | str | Callable[..., Any], depth: int, grades: int = 2, *, runs: int = 10_000, rng: Rng = 0
) -> RunShares:
    """Return how runs are distributed over the values of any measure at any depth, from some drawn at random.

    Every run of the depth is as likely as any other. Where ranks are not available this is what can be had, and it
    answers another question: what share of runs, not of values, does not exceed a value? It takes values as floats; for
    a run in place of a value, `position_among_runs` compares exact values.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    runs
        How many runs are drawn.
    rng
        A seed, or a generator of random numbers.

    Examples
    --------
    >>> shares = run_shares("Q", depth=50, runs=2000)
    >>> share, low, high = shares.at_most(0.5)
    >>> low <= share <= high, round(shares.margin, 4)
    (True, 0.0304)
    """
    known = as_measure(measure)
    universe = Universe(known, whole_number("depth", depth), whole_number("grades", grades, 2))
    ranks = int(universe.ranks(depth))
    levels = np.array(universe.levels, dtype=np.int8)
    drawn = levels[universe.runs(ranks).drawn(whole_number("runs", runs), generator(rng))]
    valuer = Valuer.of(known, Pool.plain(ranks, ranks, universe.levels[-1]))
    rough = valuer.roughly(drawn)
    values: Sequence[float] | FloatArray = (
        [float(valuer.value(run)) for run in map(tuple, drawn.tolist())] if rough is None else rough
    )
    return RunShares(repr(known), np.asarray(values))


def band_margin(drawn: int, groups: int = 1) -> float:
    r"""Return how far shares that are estimated from runs drawn at random may be off, all at once, 95 times in 100.

    .. math:: \varepsilon = \sqrt{\ln (2k/\alpha) / 2n}

    Parameters
    ----------
    drawn
        How many runs were drawn.
    groups
        How many distributions are estimated, each from so many runs; all of their bands hold at once.

    Examples
    --------
    >>> round(band_margin(10_000), 4), round(band_margin(10_000, groups=50), 4)
    (0.0136, 0.0195)

    References
    ----------
    [Massart1990]_
    """
    return sqrt(log(2 * groups / MISSED) / (2 * drawn))


@frozen(repr=False)
class RunPosition(Result):
    """The share of all runs that score no more than a run.

    Parameters
    ----------
    at_most
        How many of the runs that were looked at score no more.
    runs
        How many runs were looked at: all there are, or those that were drawn.
    how
        "exact" where all runs count, "sampled" where some were drawn.

    Examples
    --------
    >>> position = RunPosition(3, 16, "exact")
    >>> position.share, position.low, position.high
    (Fraction(3, 16), 0.1875, 0.1875)
    >>> sampled = RunPosition(0, 10_000, "sampled")
    >>> float(sampled.share), sampled.low, round(sampled.high, 6)
    (0.0, 0.0, 0.000369)
    """

    at_most: int
    runs: int
    how: str

    @property
    def share(self) -> Fraction:
        """The share: exact, or that of the runs that were drawn."""
        return Fraction(self.at_most, self.runs)

    @property
    def low(self) -> float:
        """The lower end of the interval that holds the share with 95 % confidence; the share itself if it is exact."""
        return self._interval[0]

    @property
    def high(self) -> float:
        """The upper end of that interval."""
        return self._interval[1]

    @property
    def _interval(self) -> tuple[float, float]:
        if self.how == EXACT:
            return float(self.share), float(self.share)
        return _clopper_pearson(self.at_most, self.runs)

    def __float__(self) -> float:
        return float(self.share)

    def __repr__(self) -> str:
        bounds = "" if self.how == EXACT else f", from {self.low:.6g} to {self.high:.6g}"
        return f"<RunPosition {float(self):.6g}{bounds}, {self.how}>"

    def document(self) -> Document:
        """Return the share, its interval, and how it was found."""
        looked = "all runs" if self.how == EXACT else "runs drawn"
        told = [("share of runs that score no more", (with_fraction(self.share), float(self)))]
        bounds = [] if self.how == EXACT else [("low", self.low), ("high", self.high)]
        return Document([facts([*told, *bounds, ("how", self.how), (looked, self.runs)])])


@lru_cache(maxsize=1 << 12)
def _clopper_pearson(successes: int, trials: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    interval = binomtest(successes, trials).proportion_ci(1 - MISSED, method="exact")
    return float(interval.low), float(interval.high)


@frozen(eq=False, repr=False)
class Distribution(Result):
    """Values of a measure in ascending order, with how many of all runs have less, and how many have at most that.

    Parameters
    ----------
    values
        The values: all there are, or those of some runs.
    below, at_most
        How many runs have a lower value than each, and how many have at most it: exact in any case.
    total
        How many runs there are.
    runs
        A run that has each value, one a row.

    Examples
    --------
    >>> precision = distribution("P", depth=2)
    >>> list(precision), precision.complete
    ([(Fraction(0, 1), Fraction(1, 4)), (Fraction(1, 2), Fraction(3, 4)), (Fraction(1, 1), Fraction(1, 1))], True)
    >>> reciprocal = distribution("RR", depth=100)
    >>> len(reciprocal), reciprocal.complete
    (101, True)
    """

    values: tuple[Exact, ...]
    below: tuple[int, ...]
    at_most: tuple[int, ...]
    total: int
    runs: Cells

    @classmethod
    def of(
        cls, universe: Universe, budget: Budget, *, marks: Sequence[Exact] = (), runs: Cells | None = None
    ) -> Distribution:
        """Return the distribution on the runs of a universe.

        Parameters
        ----------
        universe
            The measure and its runs.
        budget
            What the ruler may cost.
        marks
            Values next to which runs are wanted.
        runs
            Runs that are to be among those whose values are shown, one a row.
        """
        chosen = SampleRuns(universe)
        total = universe.total(chosen.depth)
        if total <= FITS:
            return cls._complete(chosen, total)
        some = [chosen.across(), chosen.beside(marks), *([] if runs is None else [runs])]
        return cls._partial(chosen, total, np.concatenate(some), budget)

    @classmethod
    def _complete(cls, chosen: SampleRuns, total: int) -> Distribution:
        valued = chosen.valuer.all(chosen.every())
        unit: Any = valued.unit
        at_most = np.cumsum(np.bincount(valued.places)).tolist()
        _, first = np.unique(valued.places, return_index=True)
        values = tuple(level / unit for level in valued.levels)
        return cls(values, (0, *at_most[:-1]), tuple(at_most), total, valued.runs[first])

    @classmethod
    def _partial(cls, chosen: SampleRuns, total: int, runs: Cells, budget: Budget) -> Distribution:
        ruler = chosen.universe.ruler(chosen.depth, chosen.pool, budget)
        shares = ruler.shares(chosen.universe.fold(runs))
        by_place = {below: (below + tied, row) for row, (below, tied) in enumerate(shares)}
        below = tuple(sorted(by_place))
        at_most, rows = zip(*(by_place[place] for place in below), strict=True)
        kept = runs[list(rows)]
        values = tuple(chosen.valuer.value(tuple(run)) for run in kept.tolist())
        return cls(values, below, at_most, total, kept)

    def __repr__(self) -> str:
        return f"<Distribution: {counted(len(self), 'value')} on {number(self.total)} runs>"

    def document(self) -> Document:
        """Return the values in ascending order, with the share of runs that have at most each."""
        columns = [
            valued("value", lambda point: point[0], with_fraction, left=True),
            valued("share of runs with at most it", lambda point: float(point[1]), percent),
        ]
        every = "all of them" if self.complete else "some of them"
        title = f"{counted(len(self), 'value')} ({every}) on {number(self.total)} runs"
        return Document([TableView(columns, list(self), title=title)])

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[tuple[Exact, Fraction]]:
        """Return the points of the curve: each value with the share of runs that have at most it."""
        return ((value, Fraction(count, self.total)) for value, count in zip(self.values, self.at_most, strict=True))

    @cached_property
    def complete(self) -> bool:
        """Whether these are all the values there are: no run lies between two of them."""
        return (0, *self.at_most) == (*self.below, self.total)

    def share_between(self, low: Exact | int, high: Exact | int) -> tuple[Fraction, Fraction]:
        """Return bounds of the share of runs with values from `low` to `high`, both included; equal where exact.

        Parameters
        ----------
        low, high
            The ends of the interval.

        Examples
        --------
        >>> distribution("RR", depth=4).share_between(Fraction(1, 4), Fraction(1, 2))
        (Fraction(7, 16), Fraction(7, 16))
        """
        before = self._count(lambda value: not value < low)
        until = self._count(lambda value: bool(value > high))
        least, most = until[0] - before[1], until[1] - before[0]
        return Fraction(max(least, 0), self.total), Fraction(max(most, 0), self.total)

    def _count(self, beyond: Callable[[Any], bool]) -> tuple[int, int]:
        """Return bounds of how many runs have values that are not beyond an end."""
        first = bisect_left(self.values, True, key=beyond)
        least = self.at_most[first - 1] if first else 0
        return least, self.below[first] if first < len(self) else self.total


@frozen(eq=False, repr=False)
class RunShares(Result):
    r"""What share of all runs has at most a value, estimated from runs drawn at random.

    It is no interval scale: values that many runs share weigh more than others. The band of Dvoretzky, Kiefer and
    Wolfowitz, :math:`\varepsilon = \sqrt{\ln (2/\alpha) / 2n}`, holds the shares of all values at once with a
    probability of 95 %.

    Parameters
    ----------
    measure
        The spelling of the measure.
    values
        The values of the runs that were drawn, in ascending order.
    """

    measure: str
    values: FloatArray = field(converter=np.sort)

    def __repr__(self) -> str:
        return f"<RunShares of {self.measure}: {len(self.values)} runs drawn>"

    def document(self) -> Document:
        """Return values with the estimated share of runs that have at most each, in steps of a tenth."""
        some = [float(np.quantile(self.values, tenth / 10)) for tenth in range(11)]
        columns = [
            valued("value", 0, left=True),
            valued("share of runs with at most it", 1, percent),
            valued("at least", 2, percent),
            valued("at most", 3, percent),
        ]
        rows = [(value, *self.at_most(value)) for value in dict.fromkeys(some)]
        title = f"{self.measure}: shares of runs, estimated from {counted(len(self.values), 'run')} drawn at random"
        return Document([TableView(columns, rows, title=title)])

    @property
    def margin(self) -> float:
        """How far an estimated share may be off."""
        return band_margin(len(self.values))

    def at_most(self, value: float) -> tuple[float, float, float]:
        """Return the estimated share of runs that have at most a value, with its lower and upper bound.

        Parameters
        ----------
        value
            The value.
        """
        share = float(np.searchsorted(self.values, value, side="right")) / len(self.values)
        return share, max(0.0, share - self.margin), min(1.0, share + self.margin)
