"""Caveats by kind, each kind with a plain word for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from measurand.errors import Caveat, CaveatKind

KINDS: Mapping[CaveatKind, str] = {
    CaveatKind.MISSING_TOPICS: "Topics that systems left out",
    CaveatKind.UNJUDGED_TOPICS: "Topics without judgments",
    CaveatKind.FEW_JUDGED: "Few documents judged",
    CaveatKind.NO_RELEVANT: "Topics with nothing to find",
    CaveatKind.REPEATED_JUDGMENT: "Judgments given twice",
    CaveatKind.EXTRA_COLUMNS: "Columns too many in a file",
    CaveatKind.TIES: "Documents of equal score",
    CaveatKind.ORDER: "The order of documents",
    CaveatKind.SCALE: "What a scale does not admit",
    CaveatKind.FLOOR: "Scores below the floor of a geometric mean",
    CaveatKind.NO_CUTOFF: "Measures without a cutoff",
    CaveatKind.COLLECTION: "The size of the collection",
    CaveatKind.GRADES: "Grades",
    CaveatKind.GAINS: "What grades are worth",
    CaveatKind.GAPS: "Gaps between values",
    CaveatKind.BOUNDS: "What could not be computed",
    CaveatKind.ASSUMPTION: "What is assumed",
    CaveatKind.DEGENERATE: "Tests that cannot tell",
}
"""What each kind of caveat is called, in the order in which they are shown: data first."""


def by_kind(caveats: Iterable[Caveat]) -> dict[str, list[str]]:
    """Return the texts of caveats by what their kind is called.

    Examples
    --------
    >>> by_kind([Caveat(CaveatKind.TIES, "so many tie"), Caveat(CaveatKind.TIES, "so many tie")])
    {'Documents of equal score': ['so many tie']}
    """
    several = list(dict.fromkeys(caveats))
    found = {called: [str(caveat) for caveat in several if caveat.kind is doubt] for doubt, called in KINDS.items()}
    return {called: texts for called, texts in found.items() if texts}
