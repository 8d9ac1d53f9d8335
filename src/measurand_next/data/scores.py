"""Scores: what a measure makes of judged runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand_next.data.rows import Value, check_names
from measurand_next.data.scale import Scale
from measurand_next.errors import Caveat, InputError, short
from measurand_next.exact import FloatArray
from measurand_next.show.blocks import Block, Column, Table, Text, counted
from measurand_next.show.formats import Result, optional


def _as_floats(values: Any) -> FloatArray:
    try:
        if np.asarray(values).dtype.kind != "c":
            return np.asarray(values, dtype=np.float64)
        why = "some are complex"
    except (TypeError, ValueError, OverflowError) as error:
        why = str(error)
    raise InputError(f"scores must be numbers, as many of each system: {short(why)}")


def _mean(scores: FloatArray) -> float:
    """The mean, rounded once."""
    try:
        return math.fsum(scores) / len(scores)
    except (OverflowError, ValueError):  # of infinite ones
        with np.errstate(all="ignore"):
            return float(np.mean(scores))


@frozen(kw_only=True, eq=False, repr=False)
class Scores(Value, Result):
    """The scores of systems on topics by one measure.

    Attributes
    ----------
    measure
        The measure as it is spelled.
    systems, topics
        Their names.
    values
        The scores, systems × topics, as floats that cannot be changed; NaN where a system leaves a topic out.
    scale
        The scale that the scores of one topic are on.
    lower_is_better
        Whether the lowest score is the best, as for the number of documents inspected in vain.
    caveats
        What a reader of the scores should know.

    Examples
    --------
    >>> scores = Scores(measure="P@10", systems=["bm25", "dense"], topics=["1", "2"], values=[[0.5, 0.2], [0.4, 0.6]])
    >>> scores.mean()
    {'bm25': 0.35, 'dense': 0.5}
    """

    measure: str
    systems: tuple[str, ...] = field(converter=tuple)
    topics: tuple[str, ...] = field(converter=tuple)
    values: FloatArray = field(converter=_as_floats)
    scale: Scale = field(default=Scale.ORDINAL, converter=Scale)
    lower_is_better: bool = False
    caveats: tuple[Caveat, ...] = field(default=(), converter=tuple)

    def __attrs_post_init__(self) -> None:
        if self.values.shape != (len(self.systems), len(self.topics)):
            raise InputError(f"the shape of the scores is {self.values.shape}, but there are {self._size}")
        check_names("systems", self.systems)
        check_names("topics", self.topics)
        super().__attrs_post_init__()

    def __repr__(self) -> str:
        return f"<Scores: {self.measure}, {self._size}>"

    @property
    def _size(self) -> str:
        return f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"

    def mean(self) -> dict[str, float]:
        """The mean of each system over the topics that it does not leave out."""
        return self._averages(_mean)

    def median(self) -> dict[str, float]:
        """The median of each system over the topics that it does not leave out."""
        return self._averages(np.median)

    def _averages(self, average: Callable[[FloatArray], Any]) -> dict[str, float]:
        """An average by system, NaN for a system without scores."""
        scored = (row[~np.isnan(row)] for row in self.values)
        return {
            system: float(average(scores)) if len(scores) else math.nan
            for system, scores in zip(self.systems, scored, strict=True)
        }

    def show(self) -> Sequence[Block]:
        """Mean and median of each system, the best mean first."""
        means, medians = self.mean(), self.median()
        scored = dict(zip(self.systems, (~np.isnan(self.values)).sum(axis=1).tolist(), strict=True))
        columns = [
            Column("system", "system", words=True),
            Column("mean", "mean", ".4f"),
            Column("median", "median", ".4f", optional=1),
            *([Column("topics", "topics", ",")] if np.isnan(self.values).any() else []),
        ]
        rows = [
            {"system": system, "mean": means[system], "median": medians[system], "topics": scored[system]}
            if scored[system]
            else {"system": system, "topics": 0}
            for system in sorted(self.systems, key=lambda system: self._place(means[system]))
        ]
        table = Table(columns, rows, title=f"{self.measure} ({self.scale} scale): {self._size}, best mean first")
        return [table, *(Text(str(caveat), "caveat") for caveat in self.caveats)]

    def _place(self, mean: float) -> float:
        """What puts the best mean first, and no mean last."""
        return math.inf if math.isnan(mean) else mean if self.lower_is_better else -mean

    def to_xarray(self) -> Any:
        """An xarray DataArray with dimensions system and topic."""
        return optional("xarray", "a labelled array").DataArray(
            self.values,
            coords={"system": list(self.systems), "topic": list(self.topics)},
            dims=("system", "topic"),
            name=self.measure,
            attrs={"scale": str(self.scale), "caveats": [str(caveat) for caveat in self.caveats]},
        )

    def _frame(self) -> dict[str, Any]:
        """A row for each system and topic."""
        return {
            "system": [system for system in self.systems for _ in self.topics],
            "topic": list(self.topics) * len(self.systems),
            "measure": [self.measure] * self.values.size,
            "score": self.values.ravel(),
        }
