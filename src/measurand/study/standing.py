"""How systems stand under one measure: the numbers that its scale admits, tests of all pairs, and what is robust."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.scale import Scale
from measurand.scales.meaning import MeanRobustness, Reading
from measurand.scores import Need, Scores, Summary
from measurand.statistics import AllPairs, Effects, find_test, need_of
from measurand.study.claims import Claim


@frozen(kw_only=True, eq=False, repr=False)
class Standing:
    """How the systems stand under one measure.

    Parameters
    ----------
    summary
        What systems are ordered by: what the scale admits (the mean on an interval scale, the median on an ordinal
        one, the mean rank within topics where every topic has its own scale), or the mean if the test needs an
        interval scale.
    means
        The means in any case, with their caveats.
    order
        The places of the systems, best first.
    robustness
        Which comparisons of means survive every permissible rescaling, of all pairs.
    letters
        The letters of each system: two that share one do not differ significantly. With a baseline there are none,
        because other pairs are not tested.
    claims
        What is commonly said of the best (or the baseline) and others.
    baseline
        The system of which all counted pairs are, if one was named; pairs without it are not tested.
    """

    scores: Scores
    summary: Summary
    means: Summary
    order: tuple[int, ...]
    pairs: AllPairs
    alpha: float
    effects: Effects
    robustness: MeanRobustness
    letters: Mapping[str, str]
    claims: tuple[Claim, ...]
    baseline: str | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.scores.systems[place] for place in self.order)

    @property
    def places(self) -> dict[str, int]:
        """The place of every system that has a number, 1 the best; those that tie in it and in the mean share one."""
        numbers = np.column_stack([self.summary.settled, self.means.settled])[list(self.order)]
        found: dict[str, int] = {}
        for place, system in enumerate(self.systems):
            if not np.isnan(numbers[place, 0]):
                tied = place > 0 and np.array_equal(numbers[place], numbers[place - 1])
                found[system] = found[self.systems[place - 1]] if tied else place + 1
        return found

    def __repr__(self) -> str:
        return f"<Standing under {self.scores.measure}: {self.systems[0]} first of {len(self.order)} systems>"

    @property
    def fragile(self) -> int:
        """How many comparisons of means a permissible rescaling can turn round."""
        return int((self._counted & self.robustness.fragile).sum())

    @property
    def robust(self) -> int:
        """How many comparisons of means survive every permissible rescaling."""
        return int(self._counted.sum()) - self.fragile

    @property
    def significant(self) -> int:
        """How many pairs differ significantly."""
        return int(self._differing.sum())

    @property
    def significant_and_robust(self) -> int:
        """How many pairs differ significantly and survive every permissible rescaling."""
        return int((self._differing & ~self.robustness.fragile).sum())

    @property
    def _counted(self) -> BoolArray:
        """The pairs that are compared, each once: all, or those with the baseline."""
        n = len(self.order)
        every = np.triu(np.ones((n, n), dtype=bool), 1)
        if self.baseline is None:
            return every
        among = np.array([system == self.baseline for system in self.scores.systems])
        return np.asarray(every & (among[:, None] | among))

    @property
    def _differing(self) -> BoolArray:
        return self._counted & self.pairs.significant(self.alpha)

    @property
    def robustly(self) -> str:
        """How many comparisons mean something, in a sentence."""
        pairs = f"{self.robust:,} of {self.robust + self.fragile:,} comparisons of means"
        found = f"Robust: {pairs}, {self.significant_and_robust:,} of {self.significant:,} significant ones"
        if self.robustness.reading is Reading.ONE:
            return f"{found}."
        shared = self._counted & ~self.robustness.fragile_on_one
        return f"{found}; if all topics shared one scale, {shared.sum():,} and {(shared & self._differing).sum():,}."


def fitting_test(scores: Scores) -> str:
    """Return the name of the test that fits the scale of scores.

    Examples
    --------
    >>> fitting_test(Scores(measure="RR", values=[[1.0]], systems=("a",), topics=("1",), scale=Scale.ORDINAL))
    'sign'
    """
    return "paired_t" if need_of(find_test("paired_t")).met_by(scores) else "sign"


def fitting_summary(scores: Scores, need: Need, *, strict: bool = False) -> Summary:
    """Return the number per system that goes with a test: the mean if it needs means, else what the scale admits.

    Examples
    --------
    >>> scores = Scores(measure="AP", values=[[0.9], [0.1]], systems="ab", topics="1", one_scale=False)
    >>> fitting_summary(scores, need_of(find_test("sign")))
    <mean rank of a: 1.0000, b: 2.0000>
    """
    return scores.mean(strict=strict) if need.scale >= Scale.INTERVAL else scores.admitted(strict=strict)
