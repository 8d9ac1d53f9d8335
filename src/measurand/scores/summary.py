"""Summaries: one number per system, with what limits its meaning; and the names of systems."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from itertools import count
from math import ceil, isnan, log10
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.calls import alike
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import counted, listed
from measurand.errors import CallError, Caveat, CaveatKind, ParameterError, about_data, quoted
from measurand.exact import decimals

LARGE = 1e12
"""Scores from here on are written as powers of ten."""

FEW = 12
"""So many systems are all named to someone who has misspelt one."""


def place_of(system: str, systems: Sequence[str]) -> int:
    """Return the place of a system among others, or complain and name those that it may have been.

    Parameters
    ----------
    system
        The name of the system.
    systems
        The names of all.

    Examples
    --------
    >>> place_of("b", ("a", "b"))
    1
    """
    if isinstance(system, str) and system in systems:
        return systems.index(system)
    word = system if isinstance(system, str) else quoted(system)
    parts = [name for name in systems if word and word.lower() in name.lower()]
    close = (parts or alike(word, systems))[:3]
    if len(systems) <= FEW:
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise ParameterError(f"there is no system {quoted(system)}; there is {', '.join(systems)}{hint}")
    meant = ", ".join(close or systems[:3])
    raise ParameterError(f"there is no system {quoted(system)} among {len(systems)}; did you mean {meant}?")


def unlike(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the name itself, or with a number if it must be.

    Parameters
    ----------
    name
        The name that is wanted.
    taken
        The names that are taken.

    Examples
    --------
    >>> unlike("borda", {"borda"}), unlike("borda", ())
    ('borda (2)', 'borda')
    """
    if name not in taken:
        return name
    return next(other for number in count(2) if (other := f"{name} ({number})") not in taken)


SAME = 12
"""Numbers that agree in so many decimals are one for the order in which systems are shown, …"""

MOST_DIGITS = 300
"""… or in more where all are small, at most in so many."""


def frozen_values(values: object) -> FloatArray:
    """Return a copy of numbers as an array that cannot be changed, or complain that they are none.

    Examples
    --------
    >>> frozen_values([[1, 2]]).flags.writeable
    False
    """
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("values must be numbers, a row of them for each system, all rows equally long") from None
    array.setflags(write=False)
    return array


def turned(values: FloatArray, lower_is_better: bool) -> FloatArray:
    """Return the goodness of values: these, turned round where lower is better.

    Examples
    --------
    >>> turned(np.array([0.0, 2.0]), True).tolist()
    [0.0, -2.0]
    """
    # 0 has no sign here
    return 0.0 - values if lower_is_better else values


class OneNumber:
    """What is a number where it holds one alone: `float`, `round` and f-strings take it."""

    __slots__ = ()

    def __float__(self) -> float:
        raise NotImplementedError

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)


@frozen(eq=False, repr=False, slots=False)
class Summary(OneNumber, Result):
    """One number per system, with what limits its meaning.

    Parameters
    ----------
    systems
        Their names.
    values
        The number of each.
    statistic
        What the numbers are, as in "mean".
    caveats
        What limits their meaning, or a function that returns it: who prints numbers alone does not wait for it.
    lower_is_better
        Whether the lowest number is the best: that of a measure where it is so, and any rank.

    Examples
    --------
    >>> summary = Summary(("a", "b"), np.array([0.5, 0.25]), "mean", ())
    >>> summary["b"], summary[0], list(summary)
    (0.25, 0.5, [0.5, 0.25])
    >>> f"{Summary(('a',), [0.5], 'mean', ()):.3f}"
    '0.500'
    """

    systems: tuple[str, ...]
    values: FloatArray = field(converter=frozen_values)
    statistic: str
    given: tuple[Caveat, ...] | Callable[[], tuple[Caveat, ...]] = field(alias="caveats")
    lower_is_better: bool = False

    @cached_property
    def caveats(self) -> tuple[Caveat, ...]:
        """What limits the meaning of the numbers."""
        return self.given() if callable(self.given) else self.given

    @property
    def goodness(self) -> FloatArray:
        """The numbers, turned round where lower is better: the higher, the better.

        Examples
        --------
        >>> Summary(("a", "b"), [1.5, 2.0], "mean rank", (), lower_is_better=True).goodness.tolist()
        [-1.5, -2.0]
        """
        return turned(self.values, self.lower_is_better)

    @property
    def settled(self) -> FloatArray:
        """The goodness, in which averages that differ in the last bits alone are equal.

        Examples
        --------
        >>> Summary(("a", "b"), [0.1 + 0.2, 0.3], "mean", ()).settled.tolist()
        [0.3, 0.3]
        """
        largest = np.nanmax(np.abs(self.values), initial=0.0, where=np.isfinite(self.values))
        # of small numbers as many digits count as of large ones
        digits = SAME - min(0, ceil(log10(largest))) if largest > 0 else SAME
        with np.errstate(over="ignore"):
            rounded = np.round(self.goodness, min(digits, MOST_DIGITS))
        # numbers that are too large to be rounded are left as they are
        return np.where(np.isinf(rounded), self.goodness, rounded)

    @property
    def best_first(self) -> tuple[int, ...]:
        """The places of the systems, best first; those that tie as they are, and those without a number last.

        Examples
        --------
        >>> Summary(("a", "b", "c"), [np.nan, 0.25, 0.5], "mean", ()).best_first
        (2, 1, 0)
        >>> Summary(("a", "b"), [2e-14, 3e-14], "mean", ()).best_first
        (1, 0)
        """
        # what is no number sorts last
        return tuple(np.argsort(-self.settled, kind="stable").tolist())

    @property
    def admitted(self) -> bool:
        """Whether the scale of the scores admits the statistic.

        Examples
        --------
        >>> Summary(("a",), [0.5], "mean", (Caveat(CaveatKind.SCALE, "ordinal"),)).admitted
        False
        """
        return not any(caveat.kind is CaveatKind.SCALE for caveat in self.caveats)

    def __float__(self) -> float:
        if len(self) > 1:
            each = f"take one: {self.statistic.replace(' ', '_')}()[{self.systems[0]!r}]"
            raise CallError(f"there are {len(self)} systems, not one number; {each}")
        return self[0]

    def __getitem__(self, system: str | int) -> float:
        return float(self.values[place_of(system, self.systems) if isinstance(system, str) else system])

    def __iter__(self) -> Iterator[float]:
        return iter(self.values.tolist())

    def __len__(self) -> int:
        return len(self.systems)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype)

    def __repr__(self) -> str:
        most = 4 if len(self) <= 4 else 3
        shown = [f"{self.systems[place]} {self._written(place)}" for place in self.best_first[:most]]
        more = ["…"] if len(self) > most else []
        return f"<Summary: {self.statistic} of {counted(len(self), 'system')}: {', '.join([*shown, *more])}>"

    def to_dict(self) -> dict[str, float]:
        """Return the numbers by system."""
        return dict(zip(self.systems, self.values.tolist(), strict=True))

    def document(self) -> Document:
        """Return what the numbers show: a table of systems, best first.

        Examples
        --------
        >>> Summary(("a", "b"), [0.25, 0.5], "mean", ()).document().tables[0].cells
        [['b', '0.5000'], ['a', '0.2500']]
        """
        return summaries_document(f"{self.statistic.capitalize()} over topics", [self])

    def column(self, heading: str = "") -> Column:
        """Return a column of the numbers, for rows that are places of systems.

        Parameters
        ----------
        heading
            What stands above it; by default the statistic.
        """
        return Column(heading or self.statistic, self._written, admitted=self.admitted, value=self.__getitem__)

    def _written(self, place: int) -> str:
        return written(self[place], self.statistic)


def summaries_document(title: str, summaries: Sequence[Summary], columns: Sequence[Column] = ()) -> Document:
    """Return a table of systems in the order of the first of some summaries, with what limits their meaning.

    Parameters
    ----------
    title
        What the table is of.
    summaries
        The numbers, one column each.
    columns
        More columns, for rows that are places of systems.

    Examples
    --------
    >>> scale = Caveat(CaveatKind.SCALE, "the scale is ordinal")
    >>> mean, median = Summary("ab", [0.25, 0.5], "mean", (scale,)), Summary("ab", [0.2, 0.5], "median", ())
    >>> found = summaries_document("2 systems", [mean, median])
    >>> found.tables[0].headings, found.sentences
    (['system', 'mean', 'median'], ['Another spacing of the scale may change the order by the mean.'])
    """
    first = summaries[0]
    numbers = [evolve(summary.column(), admitted=True) for summary in summaries]
    view = TableView([_names(first), *numbers, *columns], first.best_first, title=title)
    weak = [f"the {summary.statistic}" for summary in summaries if not summary.admitted]
    ordered = weak and len(first) > 1
    said = [f"Another spacing of the scale may change the order by {listed(weak)}."] if ordered else []
    every = (caveat for summary in summaries for caveat in summary.caveats)
    return Document([view, *said], about_data(every))


def _names(summary: Summary) -> Column:
    return Column("system", lambda place: summary.systems[place], left=True, latex="System")


def written(value: float, statistic: str = "", places: int = 4) -> str:
    """Return a score or a number per system as people read it; a dash where there is none.

    Parameters
    ----------
    value
        The number.
    statistic
        What it is, as in "mean rank".
    places
        How many decimals scores have; mean ranks have two less, but not less than two unless scores have.

    Examples
    --------
    >>> written(0.25), written(1.5, "mean rank"), written(5000.0, "sum"), written(float("nan"))
    ('0.2500', '1.50', '5,000', '–')
    >>> written(1.2e60)
    '1.2000e+60'
    """
    if isnan(value):
        return "–"
    if abs(value) >= LARGE:
        return f"{value:.{places}e}"
    if statistic == "sum" and value.is_integer():
        return f"{value:,.0f}"
    return decimals(value, min(places, max(2, places - 2)) if statistic == "mean rank" else places)
