"""Labels of the printed tables: tracks, measures, pairs of measures, tests, and what a cell holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from types import MappingProxyType

from measurand.scales import EIGHT
from measurand.scores import Scale
from measurand.statistics import TESTS, need_of

SYSTEMS: Mapping[str, int] = MappingProxyType({"T08": 129, "T26": 75, "T27": 72})
"""The collections, TREC 8, 26 and 27, with how many systems each has; all have 50 topics."""

COLLECTIONS = tuple(SYSTEMS)

RUNS: Mapping[str, int] = MappingProxyType({"T08": 129, "T26": 75, "T27": 72})
"""How many runs each collection has …"""

TOPICS = 50
"""… and on how many topics."""

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
"""The eleven measures: what the paper calls them, and how they are spelled here."""

WITH_RECALL_BASE = ("R", "AP", "nDCG_b02", "nDCG_b10")
"""The measures of Table 6; the others are in Table 5."""

WITHOUT_RECALL_BASE = tuple(measure for measure in MEASURES if measure not in WITH_RECALL_BASE)

TWINS = (("P", "R"), ("RBP_p05", "RBP_p03"), ("DCG_b02", "nDCG_b02"), ("DCG_b10", "nDCG_b10"))
"""Measures that order runs alike, so that the transform makes them the same."""

VERSUS = " vs "


def track(collection: str, depth: int) -> str:
    """Return what the paper calls a collection with runs of a length.

    Examples
    --------
    >>> track("T08", 5)
    'T08_05'
    """
    return f"{collection}_{depth:02d}"


TRACKS = tuple(track(collection, depth) for collection in COLLECTIONS for depth in DEPTHS)

DEEP_TRACKS = tuple(track(collection, DEEPEST) for collection in COLLECTIONS)


def pair(one: str, other: str) -> str:
    """Return what two measures are called in Table 4, in the order of the measures.

    Examples
    --------
    >>> pair("R", "P")
    'P vs R'
    """
    return VERSUS.join(sorted((one, other), key=tuple(MEASURES).index))


PAIRS = tuple(pair(one, other) for one, other in combinations(MEASURES, 2))


def in_order(name: str) -> str:
    """Return the name of a pair with its measures in order, or the name as it is.

    Examples
    --------
    >>> in_order("AP vs P"), in_order("AP vs MAP")
    ('P vs AP', 'AP vs MAP')
    """
    measures = name.split(VERSUS)
    return pair(*measures) if len(measures) == 2 and set(measures) <= set(MEASURES) else name


def ordinal(tests: Iterable[str] = EIGHT) -> tuple[str, ...]:
    """Return the tests that need no more than an ordinal scale: grey rows of Tables 5 and 6.

    Examples
    --------
    >>> ordinal()
    ('sign', 'rank_sum', 'kruskal_wallis', 'friedman')
    """
    return tuple(test for test in tests if need_of(TESTS[test]).scale < Scale.INTERVAL)
