"""What a measure says of runs with ties."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import Caveat, Doubt
from measurand.judged import OverTies
from measurand.measures.ties.one_by_one import random_orders

MEANS = (OverTies.EXPECTED, OverTies.GROUPS)

TAKEN = {**dict.fromkeys(MEANS, "mean"), OverTies.MIN: "least value", OverTies.MAX: "greatest value"}
"""What is taken of all the values, in words."""


def _frozen(values: Any) -> Any:
    values.setflags(write=False)
    return values


class TiedValues(Protocol):
    """The values of a measure on runs with ties, and what a reader of them should know."""

    @property
    def values(self) -> FloatArray:
        """The values, systems × topics."""

    def caveats(self) -> tuple[Caveat, ...]:
        """Return what a reader of the values should know."""


@frozen(kw_only=True, eq=False)
class ValuesOverTies:
    """Values of a measure over all orders of tied documents, systems × topics.

    Parameters
    ----------
    measure
        Its spelling.
    over
        What is taken of all the values.
    ranks
        How many ranks were looked at.
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
    ranks: int
    plain: FloatArray = field(converter=_frozen)
    expected: FloatArray = field(converter=_frozen)
    low: FloatArray = field(converter=_frozen)
    high: FloatArray = field(converter=_frozen)
    errors: FloatArray = field(converter=_frozen)
    estimated: BoolArray = field(converter=_frozen)
    sampled: BoolArray = field(converter=_frozen)

    @classmethod
    def without_ties(cls, measure: str, over: OverTies, ranks: int, plain: FloatArray) -> ValuesOverTies:
        """Return the values of runs in which no order is open."""
        none = np.zeros(plain.shape, dtype=bool)
        return cls(
            measure=measure,
            over=over,
            ranks=ranks,
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
        return {OverTies.MIN: self.low, OverTies.MAX: self.high}.get(self.over, self.expected)

    @property
    def matters(self) -> BoolArray:
        """Where the value depends on the order of tied documents."""
        return np.asarray(self.low < self.high)

    @property
    def how(self) -> Any:
        """How each of the values was obtained: `"exact"` or `"estimated"`."""
        return np.where(self._unsure, "estimated", "exact")

    @property
    def _unsure(self) -> BoolArray:
        return self.estimated if self.over in MEANS else self.sampled

    def caveats(self) -> tuple[Caveat, ...]:
        """Return what a reader of the values should know."""
        number = int(self.matters.sum())
        if not number:
            return self.estimates()
        share, taken = f"{number:,} of {self.matters.size:,} rankings", TAKEN[self.over]
        text = (
            f"{self.measure} depends on the order of tied documents in {share}; scores are the {taken} over all orders"
        )
        return (Caveat(Doubt.TIES, text), *self.estimates())

    def estimates(self) -> tuple[Caveat, ...]:
        """Return in how many rankings the values come from random orders alone, if in any."""
        number = int(self._unsure.sum())
        if not number:
            return ()
        if self.over in MEANS:
            limit = f"with a standard error of at most {float(self.errors.max()):.1g}"
        else:
            limit = f"that of all orders is {'at most' if self.over is OverTies.MIN else 'at least'} this"
        where = f"in {number:,} ranking{'' if number == 1 else 's'}"
        source = f"that of {random_orders(self.ranks):,} random orders"
        return (Caveat(Doubt.TIES, f"{self.measure}: {where} the {TAKEN[self.over]} is {source}, {limit}"),)
