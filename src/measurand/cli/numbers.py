"""Numbers on the command line: each has a range, which help shows, and beyond it stands one short line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from measurand.errors import quoted
from measurand.exact import LEAST_LEVEL, MOST, MOST_DRAWS
from measurand.execution import HIGHEST_SEED, MOST_WORKERS
from measurand.judged import HIGHEST_GRADE
from measurand.measures.parameters import HIGHEST_THRESHOLD, read_threshold

NAMED: dict[int, int | str] = {MOST_DRAWS: "10^8", MOST: "10^12", HIGHEST_SEED: "2^128-1"}
"""Numbers that are shorter as powers."""


class Whole(click.IntRange):
    """A whole number from `low` to `high`: a million millions where nothing else is said.

    Parameters
    ----------
    low, high
        The least and the greatest number that will do.

    Examples
    --------
    >>> Whole(1)("12"), Whole(2, 128)("2")
    (12, 2)
    """

    def __init__(self, low: int = 1, high: int = MOST) -> None:
        super().__init__(low, high)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that a text spells."""
        try:
            number = int(value)
        except (ValueError, TypeError, OverflowError):
            self.fail(f"{quoted(value)} is not a valid integer.", param, ctx)
        if not self.min <= number <= self.max:  # type: ignore[operator] # both are given
            self.fail(f"{quoted(number)} is not in the range {self._describe_range()}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        highest = int(self.max or 0)
        return f"{self.min}<=x<={NAMED.get(highest, highest)}"


class Alpha(click.FloatRange):
    """A level of significance: a number from 10^-12 to below `high`.

    Parameters
    ----------
    high
        What the number is below.

    Examples
    --------
    >>> Alpha()("0.05")
    0.05
    """

    def __init__(self, high: float = 1) -> None:
        super().__init__(0, high, min_open=True, max_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that a text spells."""
        try:
            number = float(value)
        except (ValueError, TypeError, OverflowError):
            self.fail(f"{quoted(value)} is not a valid float.", param, ctx)
        if not LEAST_LEVEL <= number < self.max:  # type: ignore[operator] # it is given
            self.fail(f"{quoted(number)} is not in the range {self._describe_range()}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        return f"{LEAST_LEVEL}<=x<{self.max}"


class Grade(click.ParamType):  # type: ignore[type-arg]
    """A grade above 0, such as 1 or 0.5."""

    name = "grade"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the grade that a text spells, exactly."""
        grade = read_threshold(value)
        if not isinstance(grade, int | Fraction) or not 0 < grade <= HIGHEST_THRESHOLD:
            self.fail(f"{quoted(value)} is no grade above 0, such as 1 or 0.5.", param, ctx)
        return grade


COUNT = Whole()
"""How many ranks, documents or rows: from 1 up."""

COUNT_OR_NONE = Whole(0)
"""How many, perhaps none."""

GRADES = Whole(2, HIGHEST_GRADE + 1)
"""How many grades there are, 0 included."""

SEED = Whole(0, HIGHEST_SEED)
"""Where random numbers start."""

WORKERS = Whole(1, MOST_WORKERS)
"""How many share a job."""

DRAWS = Whole(1, MOST_DRAWS)
"""How often lots are drawn, or an experiment is repeated."""
