"""Averages over cells of Tables 5 and 6 that section VIII-C quotes, each with the cells that it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import sqrt
from statistics import fmean, stdev
from types import MappingProxyType

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.papers.printed.labels import MEASURES, WITH_RECALL_BASE, WITHOUT_RECALL_BASE, ordinal
from measurand.scales import EIGHT, Flips

Cell = Mapping[str, float | None]

Table56 = Mapping[str, Mapping[str, Mapping[str, Cell]]]
"""By track, measure and test: sig, s2ns, ns2s."""

INTERVAL_SCALES = ("P", "RBP_p05")
"""Measures that are interval scales already, so that nothing changes."""

COLUMNS = {"s2ns": "s2ns_percent", "ns2s": "ns2s_percent", "delta": "delta"}
"""What each average is of, and the column of the percentages."""

NORMAL = 1.96
"""So many standard errors are on either side of a mean in the paper."""


def _read_only(content: Mapping[str, float | None]) -> Mapping[str, float | None]:
    return MappingProxyType(dict(content))


@frozen(kw_only=True)
class Selection:
    """Cells of Tables 5 and 6 that are averaged.

    Parameters
    ----------
    name
        What the fixture of the printed tables calls it.
    words
        Which cells, in words.
    cells
        Measures and tests.
    keys
        What is averaged, in percent of the significant pairs: s2ns and ns2s, or delta, which is both.
    """

    name: str
    words: str
    cells: tuple[tuple[str, str], ...] = field(repr=False)
    keys: tuple[str, ...]


@frozen(kw_only=True)
class Average:
    """A mean over cells of Tables 5 and 6.

    Parameters
    ----------
    name, selection
        Which cells, in short and in words.
    means
        What is averaged, in percent of the pairs that are significant before the transform.
    error
        1.96 standard errors of the mean, where it is one of delta; None with fewer than two cells.
    cells
        How many cells the means are over.
    undefined
        How many cells are left out, because no pair is significant there.
    """

    name: str
    selection: str
    means: Mapping[str, float | None] = field(converter=_read_only)
    error: float | None
    cells: int
    undefined: int


def selections() -> tuple[Selection, ...]:
    """Return the selections whose averages the section quotes, in its order, and all cells.

    Examples
    --------
    >>> {selection.name: 3 * len(selection.cells) for selection in selections()}["cells that can change"]
    156
    """
    interval = tuple(test for test in EIGHT if test not in ordinal())
    fifth = _cells([measure for measure in WITHOUT_RECALL_BASE if measure not in INTERVAL_SCALES], interval)
    sixth_ordinal, sixth_interval = (_cells(WITH_RECALL_BASE, tests) for tests in (ordinal(), interval))
    first = "Table 5, tests for interval scales, without P and RBP_p05"
    return (
        _selection("table 5, interval tests", first, fifth),
        _selection("table 6, ordinal tests", "Table 6, tests for ordinal scales", sixth_ordinal),
        _selection("table 6, interval tests", "Table 6, tests for interval scales", sixth_interval),
        _selection(
            "cells that can change",
            f"{first}; and all of Table 6",
            (*fifth, *sixth_ordinal, *sixth_interval),
            ("delta",),
        ),
        _selection("all cells", "all of Tables 5 and 6", _cells(MEASURES, EIGHT), ("delta",)),
    )


def _selection(
    name: str, words: str, cells: tuple[tuple[str, str], ...], keys: tuple[str, ...] = ("s2ns", "ns2s")
) -> Selection:
    return Selection(name=name, words=words, cells=cells, keys=keys)


def _cells(measures: Iterable[str], tests: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((measure, test) for measure in measures for test in tests)


def averages(table56: Table56, *, by: str = "counts") -> list[Average]:
    r"""Return the averages that section VIII-C quotes, of any complete Tables 5 and 6.

    .. math:: \bar\Delta \pm 1.96 \, \frac{s}{\sqrt n}

    A cell without significant pairs has no percentages and is left out.

    Parameters
    ----------
    table56
        By track (or any campaign), measure and test: sig, s2ns, ns2s; measures by the paper's labels.
    by
        Whether percentages are worked out from the "counts", or are the "percentages" as printed: s2ns_percent,
        ns2s_percent and delta.

    Examples
    --------
    >>> cell = {"sig": 8, "s2ns": 1, "ns2s": 3}
    >>> made_up = {"T": {measure: dict.fromkeys(EIGHT, cell) for measure in MEASURES}}
    >>> first, *_, last = averages(made_up)
    >>> first.selection, first.cells, dict(first.means)
    ('Table 5, tests for interval scales, without P and RBP_p05', 20, {'s2ns': 12.5, 'ns2s': 37.5})
    >>> last.selection, last.cells, dict(last.means), last.error
    ('all of Tables 5 and 6', 88, {'delta': 50.0}, 0.0)

    References
    ----------
    [FerranteFerroFuhr2021]_, section VIII-C
    """
    if by not in _PERCENTAGES:
        raise ParameterError(f"averages are by {' or by '.join(_PERCENTAGES)}, not by {by!r}")
    return [_average(selection, table56, _PERCENTAGES[by]) for selection in selections()]


def _average(selection: Selection, table56: Table56, percentage: Percentage) -> Average:
    found = list(_selected(selection, table56))
    known = [cell for _, cell in found if cell.get("sig")]
    percents = {
        key: [percentage(place, cell, COLUMNS[key]) for place, cell in found if cell.get("sig")]
        for key in selection.keys
    }
    deltas = percents.get("delta", [])
    return Average(
        name=selection.name,
        selection=selection.words,
        means={key: fmean(values) if values else None for key, values in percents.items()},
        error=NORMAL * stdev(deltas) / sqrt(len(deltas)) if len(deltas) > 1 else None,
        cells=len(known),
        undefined=len(found) - len(known),
    )


def _selected(selection: Selection, table56: Table56) -> Iterator[tuple[str, Cell]]:
    """Return the cells of a selection, each with where it stands."""
    for track, measures in table56.items():
        for measure, test in selection.cells:
            place, cell = f"{track}, {measure}, {test}", measures.get(measure, {}).get(test, {})
            if None in (cell.get(key) for key in ("sig", "s2ns", "ns2s")):
                raise ParameterError(f"{place}: sig, s2ns or ns2s is missing; averages need all cells")
            yield place, cell


def _from_counts(place: str, cell: Cell, column: str) -> float:  # noqa: ARG001
    return float(getattr(Flips(*(int(cell[key] or 0) for key in ("sig", "s2ns", "ns2s"))), column))


def _as_printed(place: str, cell: Cell, column: str) -> float:
    percent = cell.get(column)
    if percent is None:
        raise ParameterError(f"{place}: {column} is missing; averages by percentages need all cells")
    return float(percent)


Percentage = Callable[[str, Cell, str], float]

_PERCENTAGES: Mapping[str, Percentage] = MappingProxyType({"counts": _from_counts, "percentages": _as_printed})
