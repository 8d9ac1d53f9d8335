"""What a measure says of runs with ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import Caveat, Doubt
from measurand.judged import OverTies
from measurand.measures.ties.one_by_one import ORDERS

TAKEN = {OverTies.EXPECTED: "mean", OverTies.MIN: "least value", OverTies.MAX: "greatest value"}
"""What is taken of all the values, in words."""


def _frozen(values: Any) -> Any:
    values.setflags(write=False)
    return values


@frozen(kw_only=True, eq=False)
class ValuesOverTies:
    """Values of a measure over all orders of tied documents, systems × topics.

    Parameters
    ----------
    measure
        Its spelling.
    over
        What is taken of all the values.
    plain
        The values in the order in which the judged runs stand, which is trec_eval's.
    expected, low, high
        The mean over all orders, the least and the greatest value.
    errors
        The standard error of the mean where it was estimated; 0 elsewhere.
    estimated
        Where the mean is that of a sample of orders.
    sampled
        Where the extremes are those of a sample of orders: the least value is at most `low`, and the greatest at
        least `high`.
    """

    measure: str
    over: OverTies
    plain: FloatArray = field(converter=_frozen)
    expected: FloatArray = field(converter=_frozen)
    low: FloatArray = field(converter=_frozen)
    high: FloatArray = field(converter=_frozen)
    errors: FloatArray = field(converter=_frozen)
    estimated: BoolArray = field(converter=_frozen)
    sampled: BoolArray = field(converter=_frozen)

    @classmethod
    def without_ties(cls, measure: str, over: OverTies, plain: FloatArray) -> ValuesOverTies:
        """Return the values of runs in which no order is open."""
        none = np.zeros(plain.shape, dtype=bool)
        return cls(
            measure=measure,
            over=over,
            plain=plain,
            expected=plain,
            low=plain,
            high=plain,
            errors=np.zeros(plain.shape),
            estimated=none,
            sampled=none,
        )

    @property
    def values(self) -> FloatArray:
        """What was asked for: the mean, the least or the greatest."""
        return {OverTies.EXPECTED: self.expected, OverTies.MIN: self.low, OverTies.MAX: self.high}[self.over]

    @property
    def matters(self) -> BoolArray:
        """Where the value depends on the order of tied documents."""
        return np.asarray(self.low < self.high)

    @property
    def how(self) -> Any:
        """How each of the values was obtained: `"exact"` or `"estimated"`."""
        unsure = self.estimated if self.over is OverTies.EXPECTED else self.sampled
        return np.where(unsure, "estimated", "exact")

    def caveats(self) -> tuple[Caveat, ...]:
        """Return what a reader of the values should know."""
        number, taken = int(self.matters.sum()), TAKEN[self.over]
        if not number:
            return ()
        runs = f"{number:,} of {self.matters.size:,} runs"
        texts = [
            f"{self.measure} depends on the order of tied documents in {runs}; scores are the {taken} over all orders"
        ]
        if self.over is OverTies.EXPECTED and self.estimated.any():
            error = f"with a standard error of at most {float(self.errors.max()):.1g}"
            estimated = f"{int(self.estimated.sum()):,} of these means are estimated"
            texts.append(f"{self.measure}: {estimated} from {ORDERS:,} random orders each, {error}")
        if self.over is not OverTies.EXPECTED and self.sampled.any():
            bound = f"that of all orders is {'at most' if self.over is OverTies.MIN else 'at least'} this"
            sampled = f"in {int(self.sampled.sum()):,} of these runs it is the {taken} of {ORDERS:,} random orders"
            texts.append(f"{self.measure}: {sampled}; {bound}")
        return tuple(Caveat(Doubt.TIES, text) for text in texts)
