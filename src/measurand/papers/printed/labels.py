"""Labels of the printed tables: tracks, measures, pairs of measures and tests, and the cell at a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any

from measurand.scales import EIGHT
from measurand.scores import Scale
from measurand.statistics import TESTS, need_of

Cells = Mapping[str, Mapping[str, Any]]
"""The tables by their names, such as table56[track][measure][test]["sig"]."""

SYSTEMS: Mapping[str, int] = MappingProxyType({"T08": 129, "T26": 75, "T27": 72})
"""The collections, TREC 8, 26 and 27, with how many systems each has."""

COLLECTIONS = tuple(SYSTEMS)

TOPICS = 50
"""On how many topics the systems of a collection ran."""

DEPTHS = (5, 10, 20, 30)

DEEPEST = 30
"""Tables 4, 5 and 6 are printed for runs of this length alone."""

MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "P": "P",
        "RBP_p05": "RBP(p=0.5)",
        "RR": "RR",
        "RBP_p03": "RBP(p=0.3)",
        "RBP_p08": "RBP(p=0.8)",
        "DCG_b02": "DCG(b=2)",
        "DCG_b10": "DCG(b=10)",
        "R": "R",
        "AP": "AP",
        "nDCG_b02": "nDCG(b=2)",
        "nDCG_b10": "nDCG(b=10)",
    }
)
"""The eleven measures, as Tables 2 and 3 have them: what the paper calls them, and how they are spelled here."""

WITHOUT_RECALL_BASE = ("P", "RBP_p05", "RBP_p03", "RBP_p08", "DCG_b02", "DCG_b10", "RR")
"""The measures of Table 5, in its order."""

WITH_RECALL_BASE = ("R", "AP", "nDCG_b02", "nDCG_b10")
"""The measures of Table 6, in its order."""

TESTS_IN_ORDER = (
    "sign",
    "rank_sum",
    "signed_rank",
    "paired_t",
    "one_way_anova",
    "kruskal_wallis",
    "two_way_anova",
    "friedman",
)
"""The tests in the order of Tables 5 and 6."""

TWINS = (("P", "R"), ("RBP_p05", "RBP_p03"), ("DCG_b02", "nDCG_b02"), ("DCG_b10", "nDCG_b10"))
"""Measures that order runs alike, so that the transform makes them the same."""

VERSUS = " vs "


def track(collection: str, depth: int) -> str:
    """Return what the paper calls a collection with runs of a length.

    Parameters
    ----------
    collection
        T08, T26 or T27.
    depth
        How many ranks runs have.

    Examples
    --------
    >>> track("T08", 5)
    'T08_05'
    """
    return f"{collection}_{depth:02d}"


TRACKS = tuple(track(collection, depth) for collection in COLLECTIONS for depth in DEPTHS)

DEEP_TRACKS = tuple(track(collection, DEEPEST) for collection in COLLECTIONS)


_BY_DISCOUNT = ("P", "RBP_p05", "RBP_p03", "RBP_p08", "RR", "DCG_b02", "DCG_b10")


def _pairs() -> Iterator[tuple[str, str]]:
    """Return two measures for each row of Table 4: those of Table 5, then those of Table 6 with all others."""
    yield from (("P", other) for other in MEASURES if other in _BY_DISCOUNT[1:])
    yield from combinations(_BY_DISCOUNT[1:], 2)
    for place, measure in enumerate(WITH_RECALL_BASE, start=1):
        yield from ((measure, other) for other in (*_BY_DISCOUNT, *WITH_RECALL_BASE[place:]))


PAIRS = tuple(VERSUS.join(both) for both in _pairs())
"""The rows of Table 4, in its order and with its directions."""


def pair(one: str, other: str) -> str:
    """Return what two measures are called in Table 4, in the direction that it has.

    Parameters
    ----------
    one, other
        The labels of two measures.

    Examples
    --------
    >>> pair("P", "R"), pair("RBP_p03", "RBP_p05")
    ('R vs P', 'RBP_p05 vs RBP_p03')
    """
    name = VERSUS.join((one, other))
    return name if name in PAIRS else VERSUS.join((other, one))


def in_order(name: str) -> str:
    """Return the name of a pair in the direction that Table 4 has, or the name as it is.

    Parameters
    ----------
    name
        The name of a pair of measures, or any other name.

    Examples
    --------
    >>> in_order("P vs AP"), in_order("AP vs MAP")
    ('AP vs P', 'AP vs MAP')
    """
    measures = name.split(VERSUS)
    return pair(*measures) if len(measures) == 2 and set(measures) <= set(MEASURES) else name


def ordinal(tests: Iterable[str] = EIGHT) -> tuple[str, ...]:
    """Return the tests that need no more than an ordinal scale: grey rows of Tables 5 and 6.

    Parameters
    ----------
    tests
        The tests to choose from.

    Examples
    --------
    >>> ordinal()
    ('sign', 'rank_sum', 'kruskal_wallis', 'friedman')
    """
    return tuple(test for test in tests if need_of(TESTS[test]).scale < Scale.INTERVAL)


def cell_at(tables: Cells, *path: str) -> Any:
    """Return what stands at a place, None if nothing does.

    Parameters
    ----------
    tables
        The tables by their names.
    path
        The names that lead to the cell.

    Examples
    --------
    >>> cell_at({"table2": {"T08_05": {"P": 1.0}}}, "table2", "T08_05", "P"), cell_at({}, "table2", "T08_05")
    (1.0, None)
    """
    found: Any = tables
    for name in path:
        found = found.get(name, {})
    return None if found == {} else found
