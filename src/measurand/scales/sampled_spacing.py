r"""Equal spacing refuted from some values, where all of them cannot be counted.

The gap between two values that were met proves nothing, because values that were not met may lie between. What can be
proved from some values is that there would have to be too many others. Suppose that the values of a measure are equally
spaced with a step :math:`d`. Then all differences of values are whole multiples of :math:`d`, so that :math:`d` is at
most the greatest common divisor :math:`g` of those that were met, and there are at least :math:`1 + (\max - \min)/g`
values. No measure has more values than there are runs. Where that number is larger than the number of runs, the values
are not equally spaced ([FerranteFerroFuhr2021]_, section IV-B, asks for equal spacing); the runs that show it are few
and can be checked by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from attrs import frozen

from measurand.display.data import exact_number
from measurand.display.result import Result
from measurand.errors import NotAvailable
from measurand.execution import Rng, generator
from measurand.intervals.universe import Universe
from measurand.judged import distinct_runs
from measurand.measures import Measure
from measurand.measures.space import Space
from measurand.verdict import How, Verdict

DRAWN = 400
"""So many runs are drawn."""

TELLING = 100
"""And so many are taken from those that have few relevant documents, or tops alone."""


@frozen(repr=False)
class TooManySteps(Result):
    """Runs whose values would need more equal steps than there are runs: the certificate that steps are not equal.

    Parameters
    ----------
    runs
        The runs, of which the first has the lowest value and the last the highest.
    values
        Their exact values.
    step
        The greatest common divisor of the differences of their values: equal steps can be no longer.
    total
        How many runs there are in all.

    Examples
    --------
    >>> found = TooManySteps(((0, 0), (0, 1), (1, 1)), (Fraction(0), Fraction(1, 7), Fraction(1)), Fraction(1, 7), 4)
    >>> found.needed, print(found)
    the values of 3 runs would need steps of at most 0.1429, which makes 8 values, and there are 4 runs
    (8, None)
    """

    runs: tuple[tuple[int, ...], ...]
    values: tuple[Fraction, ...]
    step: Fraction
    total: int

    @property
    def needed(self) -> int:
        """How many values there would have to be at least."""
        return 1 + int((self.values[-1] - self.values[0]) / self.step)

    def __str__(self) -> str:
        return (
            f"the values of {len(self.runs)} runs would need steps of at most {_small(self.step)}, which makes"
            f" {_number(self.needed)} values, and there are {_number(self.total)} runs"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the runs, their values and what they show, ready for JSON."""
        values = [exact_number(value) for value in self.values]
        return {"runs": [list(run) for run in self.runs], "values": values, "why": str(self)}


def _small(step: Fraction) -> str:
    """Return a step to a few digits, however small it is."""
    return f"{Decimal(step.numerator) / Decimal(step.denominator):.4g}"


def _number(whole: int) -> str:
    return f"{whole:,}" if whole < 10**15 else f"{Decimal(whole):.2e}"


def sampled_spacing(measure: Measure, depth: int, grades: int, rng: Rng = 0) -> Verdict:
    """Return whether some values show that the values of a measure are not equally spaced.

    If they do, the verdict is final, and a `TooManySteps` is the witness. If they do not, nothing is decided: the
    verdict does not hold, and says so.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks runs have.
    grades
        How many grades there are, counting 0.
    rng
        A seed, or a generator of random numbers.

    Examples
    --------
    >>> from measurand.measures import Q
    >>> verdict = sampled_spacing(Q, 30, 2)
    >>> verdict.holds, str(verdict.how)
    (False, 'counterexample')
    """
    space, universe = Space(depth=depth, grades=grades), Universe(measure, depth, grades)
    ranks = int(universe.ranks(depth))
    levels = np.array(universe.levels, dtype=np.int8)
    telling = space.telling()
    some = telling[np.linspace(0, len(telling) - 1, min(TELLING, len(telling))).astype(np.int64), :ranks]
    drawn = levels[universe.runs(ranks).drawn(DRAWN, generator(rng))]
    runs = distinct_runs(np.concatenate([some, drawn]))[0]
    valuer = space.valuer(measure)
    values = [valuer.value(run) for run in map(tuple, runs.tolist())]
    checked = f"{len(runs):,} of all runs of {space}"
    known = [(value, run) for value, run in zip(values, map(tuple, runs.tolist()), strict=True) if _rational(value)]
    if valuer.near or len(known) < len(values):
        why = "rounded to floats" if valuer.near else "no fractions"
        argument = f"its values are {why}, so that some of them cannot refute that they are equally spaced"
        return Verdict(False, None, checked, How.SAMPLED, argument)
    witness = too_many_steps(known, universe.total(ranks))
    if witness is None:
        argument = "nothing found that contradicts equally spaced values, which does not prove them"
        return Verdict(False, None, checked, How.SAMPLED, argument)
    return Verdict(False, witness, checked, How.COUNTEREXAMPLE)


def _rational(value: object) -> bool:
    return isinstance(value, Fraction)


def too_many_steps(valued: Sequence[tuple[Any, tuple[int, ...]]], total: int) -> TooManySteps | None:
    """Return runs whose values would need more equal steps than there are runs, if there are some.

    Parameters
    ----------
    valued
        Exact values, each with a run that has it.
    total
        How many runs there are in all.

    Examples
    --------
    >>> too_many_steps([(Fraction(n, 3), (n,)) for n in range(4)], 8)
    >>> too_many_steps([(Fraction(0), (0, 0)), (Fraction(1, 99), (0, 1)), (Fraction(1), (1, 1))], 4).needed
    100
    """
    if not valued:
        raise NotAvailable("no run could be valued, so nothing is known of the spacing")
    low, high = min(valued), max(valued)
    kept: list[tuple[Any, tuple[int, ...]]] = []
    step = high[0] - low[0]
    for value, run in sorted(valued)[1:-1]:
        shorter = _common_divisor(step, value - low[0])
        if shorter < step:
            step, kept = shorter, [*kept, (value, run)]
        if step and (high[0] - low[0]) / step + 1 > total:
            shown_runs = [low, *kept, high]
            return TooManySteps(
                tuple(run for _, run in shown_runs), tuple(value for value, _ in shown_runs), step, total
            )
    return None


def _common_divisor(one: Fraction, other: Fraction) -> Fraction:
    """Return the largest fraction of which both are whole multiples; 0 counts as a multiple of all.

    Examples
    --------
    >>> _common_divisor(Fraction(1, 2), Fraction(1, 3)), _common_divisor(Fraction(3, 4), Fraction(0))
    (Fraction(1, 6), Fraction(3, 4))
    """
    if not other:
        return one
    base = lcm(one.denominator, other.denominator)
    return Fraction(gcd(int(one * base), int(other * base)), base)
