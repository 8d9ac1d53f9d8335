"""What each join-irreducible run adds: the steps of which a valuation is made, and whether all go up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray
from measurand.errors import brief
from measurand.exact import Exact, shown
from measurand.execution import Rng, generator
from measurand.lattice.algebra.base import Algebra, Run
from measurand.lattice.valuation.recovery import combined
from measurand.measures.valued import far_apart
from measurand.verdict import How, Verdict, Witness

STEP_CELLS = 4_000_000
"""All steps of a measure are looked at as long as their runs do not hold more cells than this …"""

ASKED_CELLS = 400_000
"""… or than this, if their values must be asked for."""

DRAWN = 2_000
"""Else so many are drawn."""

CHUNK = 4_096
"""So many steps are looked at a time."""


@frozen(eq=False)
class Steps:
    """The steps of a valuation.

    Parameters
    ----------
    heights
        How high the steps at some places are, as numbers that can be added.
    value
        The value of one run, for people.
    falling
        Whether lower values are better, so that all steps should go down.
    slack
        How far a step may go the wrong way because of rounding.
    rough
        The values of runs as floats, if they are to be had quickly.
    possible
        Whether a run is looked at.
    most
        All steps are looked at if there are not more than this.
    """

    algebra: Algebra
    heights: Callable[[Sequence[int]], Sequence[Exact]]
    value: Callable[[Run], Exact]
    falling: bool = False
    slack: Callable[[], Fraction] = Fraction
    rough: Callable[[Cells], FloatArray | None] | None = None
    possible: Callable[[Run], bool] = lambda run: True  # noqa: ARG005
    most: int = DRAWN

    @property
    def fits(self) -> bool:
        """Whether all steps can be looked at."""
        return self.algebra.irreducible_count <= self.most

    def places(self, rng: Rng = 0) -> list[int]:
        """Return the join-irreducible runs to look at, as places: all, or a random part of them."""
        count = self.algebra.irreducible_count
        if self.fits:
            return list(range(count))
        # there may be more than any array of whole numbers can number
        most = max(1, min(DRAWN, self.most))
        drawn, wide = generator(rng), count.bit_length() // 8 + 2
        some = (int.from_bytes(drawn.bytes(wide), "big") % count for _ in range(most))
        return sorted(set(some))

    def flat_or_falling(self, places: Sequence[int]) -> Iterator[tuple[int, Exact]]:
        """Return which of the steps at some places do not go the right way, up or down, and how far they do."""
        sign = -1 if self.falling else 1
        for start in range(0, len(places), CHUNK):
            doubtful = self._doubtful(places[start : start + CHUNK])
            heights = self.heights(doubtful) if doubtful else []
            slack = self.slack()
            for place, rise in zip(doubtful, heights, strict=True):
                height = rise if sign == 1 else combined([(sign, rise)])
                if not height > slack:
                    yield place, height

    def _doubtful(self, places: Sequence[int]) -> Sequence[int]:
        """Return the places of possible steps of which floats do not show that they go the right way."""
        if self.rough is None:
            return places
        steps = {self.algebra.step(place): place for place in places}
        pairs = [(low, high) for low, high in steps if self.possible(low) and self.possible(high)]
        return [steps[pair] for pair in not_surely_rising(pairs, self.rough, falling=self.falling)]

    def isotone(self, rng: Rng = 0) -> Verdict:
        """Return whether better runs never have worse values, with two runs that show it if not."""
        places = self.places(rng)
        for place, height in self.flat_or_falling(places):
            if height < -self.slack():
                checked = f"what the {self.algebra.irreducible_count:,} join-irreducible runs add"
                witness = wrong_way(*self.algebra.step(place), self.value, falling=self.falling)
                return Verdict(False, witness, checked, How.COUNTEREXAMPLE)
        ours = f"{len(places):,} of the {self.algebra.irreducible_count:,}" if not self.fits else f"all {len(places):,}"
        how = How.PROVED if self.fits else How.SAMPLED
        argument = "it is a valuation, and no join-irreducible run makes a value worse" if self.fits else ""
        return Verdict(True, None, f"what {ours} join-irreducible runs add", how, argument)

    def flat(self, rng: Rng = 0) -> tuple[Run, Run] | None:
        """Return the runs of a step that goes neither up nor down, if there is one among those looked at."""
        found = self.flat_or_falling(self.places(rng))
        flat = next((place for place, height in found if abs_at_most(height, self.slack())), None)
        return None if flat is None else self.algebra.step(flat)


def wrong_way(low: Run, high: Run, value: Callable[[Run], Exact], *, falling: bool = False) -> Witness:
    """Return what shows that the better of two runs has the worse value.

    Examples
    --------
    >>> print(wrong_way((0, 1), (1, 0), lambda run: Fraction(run[1])))
    (1, 0) is better than (0, 1), and has the lower value: 0 against 1
    """
    values = value(low), value(high)
    which = "higher" if falling else "lower"
    why = f"{brief(high)} is better than {brief(low)}, and has the {which} value"
    return Witness((low, high), values, f"{why}: {shown(values[1])} against {shown(values[0])}")


def not_surely_rising(
    pairs: list[tuple[Run, Run]], rough: Callable[[Cells], FloatArray | None], *, falling: bool = False
) -> list[tuple[Run, Run]]:
    """Return the pairs of runs of which floats do not show that the second has the better value.

    Examples
    --------
    >>> not_surely_rising([((0,), (1,)), ((1,), (1,))], lambda runs: runs[:, 0].astype(float))
    [((1,), (1,))]
    """
    values = rough(_rows(pairs)) if pairs else None
    if values is None:
        return pairs
    low, high = values.reshape(-1, 2).T
    rising = far_apart(low, high) & (high < low if falling else low < high)
    return [pair for pair, sure in zip(pairs, rising.tolist(), strict=True) if not sure]


def _rows(pairs: Sequence[tuple[Run, Run]]) -> Cells:
    """Return the runs of pairs, one a row."""
    return np.array([run for pair in pairs for run in pair], dtype=np.int8)


def abs_at_most(number: Exact, slack: Fraction) -> bool:
    """Say whether a number is 0, or as close to it as rounding allows.

    Examples
    --------
    >>> abs_at_most(Fraction(-1, 3), Fraction(1, 3)), abs_at_most(Fraction(1, 3), Fraction(0))
    (True, False)
    """
    return bool(-slack <= number <= slack)
