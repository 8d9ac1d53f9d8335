"""What is simulated: tests, effects and how decisions are made; and the campaigns with which that can be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.scores import Scores
from measurand.statistics.multiple_comparisons import ALPHA, correction, level
from measurand.statistics.needs import admitted, check_semantics, need_of
from measurand.statistics.pairs import FEWEST
from measurand.statistics.registry import EIGHT, TESTS, find_test

REPETITIONS = 1000
"""How many repetitions there are if nothing is said."""


@frozen(kw_only=True)
class Settings:
    """What is simulated: the tests, the effects, and how decisions are made.

    Parameters
    ----------
    tests, effects, alpha, adjust, repetitions, semantics
        As for `simulate`; effects are moves a topic, or probabilities, the smallest first.
    """

    tests: tuple[str, ...]
    effects: tuple[float, ...]
    alpha: float = field(default=ALPHA, converter=level)
    adjust: str = field(default="none", converter=correction)
    repetitions: int = REPETITIONS
    semantics: str = field(default="scipy", converter=check_semantics)

    @classmethod
    def of(
        cls,
        tests: str | Iterable[str],
        effects: float | Iterable[float],
        alpha: float,
        adjust: str | None,
        repetitions: int,
        semantics: str,
        *,
        such_as: str = "effects=[1, 2, 4]",
    ) -> Settings:
        """Return settings, or complain of what cannot be.

        Parameters
        ----------
        tests, effects, alpha, adjust, repetitions, semantics
            As for `simulate`.
        such_as
            How effects are written.

        Examples
        --------
        >>> Settings.of("t", 0.5, 0.05, None, 10, "scipy").tests
        ('paired_t',)
        >>> Settings.of("bootstrap", 0.5, 0.05, None, 10, "scipy")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        measurand.errors.ParameterError: bootstrap draws lots itself and is not simulated; there is sign, ...
        """
        named = [tests] if isinstance(tests, str) else list(tests)
        found = tuple(dict.fromkeys(find_test(name).__name__ for name in named))
        lots = [name for name in found if name not in EIGHT]
        if lots:
            raise ParameterError(f"{lots[0]} draws lots itself and is not simulated; there is {', '.join(EIGHT)}")
        if not found:
            raise ParameterError(f"no test was asked for; there is {', '.join(EIGHT)}")
        sizes: list[Any] = [effects] if isinstance(effects, Real | str) else list(effects)  # type: ignore[arg-type]
        for size in sizes:
            if not isinstance(size, int | float | np.number) or not (isfinite(size) and size > 0) or size is True:
                raise ParameterError(f"an effect is a number above 0, not {size!r}; write {such_as}")
        return cls(
            tests=found,
            effects=tuple(sorted({float(size) for size in sizes})),
            alpha=alpha,
            adjust=adjust,
            repetitions=whole_number("repetitions", repetitions, such_as=REPETITIONS),
            semantics=semantics,
        )


def check_alike(several: Mapping[str, Scores]) -> None:
    """Complain of scores that are not of the same systems and topics, or of too few.

    Parameters
    ----------
    several
        The scores, by name.

    Examples
    --------
    >>> check_alike({"P": Scores(measure="P", values=[[1.0, 0.0]], systems="a", topics="12")})
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: a simulation exchanges the runs of two systems, and there is 1; name more runs
    """
    if not several:
        raise ParameterError("no scores were given; write parse('AP@30').scores(judged)")
    for each in several.values():
        admitted(need_of(TESTS["sign"]), each)
    first = next(iter(several.values()))
    for name, each in several.items():
        if (each.systems, each.topics) != (first.systems, first.topics):
            raise ParameterError(f"{name} has other systems or topics than {first.measure}; score the same judged runs")
    check_size(len(first.systems), len(first.topics))


def check_size(systems: int, topics: int) -> None:
    """Complain of a campaign in which nothing can be exchanged or tested.

    Parameters
    ----------
    systems, topics
        How many there are.

    Examples
    --------
    >>> check_size(2, 1)
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: there is 1 topic: nothing can be tested; judge runs of more topics
    """
    if systems < FEWEST:
        raise ParameterError(f"a simulation exchanges the runs of two systems, and there is {systems}; name more runs")
    if topics < FEWEST:
        raise ParameterError(f"there is {topics} topic: nothing can be tested; judge runs of more topics")
