"""Caveats by kind, each kind with a plain word for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from measurand.errors import Caveat, Doubt

KINDS: Mapping[Doubt, str] = {
    Doubt.MISSING_TOPICS: "Topics that systems left out",
    Doubt.UNJUDGED_TOPICS: "Topics without judgments",
    Doubt.FEW_JUDGED: "Few documents judged",
    Doubt.NO_RELEVANT: "Topics with nothing to find",
    Doubt.REPEATED_JUDGMENT: "Judgments given twice",
    Doubt.EXTRA_COLUMNS: "Columns too many in a file",
    Doubt.TIES: "Documents of equal score",
    Doubt.ORDER: "The order of documents",
    Doubt.SCALE: "What a scale does not admit",
    Doubt.FLOOR: "Scores below the floor of a geometric mean",
    Doubt.NO_CUTOFF: "Measures without a cutoff",
    Doubt.COLLECTION: "The size of the collection",
    Doubt.GRADES: "Grades",
    Doubt.GAINS: "What grades are worth",
    Doubt.GAPS: "Gaps between values",
    Doubt.BOUNDS: "What could not be computed",
    Doubt.ASSUMPTION: "What is assumed",
    Doubt.DEGENERATE: "Tests that cannot tell",
}
"""What each kind of caveat is called, in the order in which they are shown: data first."""


def by_kind(caveats: Iterable[Caveat]) -> dict[str, list[str]]:
    """Return the texts of caveats by what their kind is called.

    Examples
    --------
    >>> by_kind([Caveat(Doubt.TIES, "so many tie"), Caveat(Doubt.TIES, "so many tie")])
    {'Documents of equal score': ['so many tie']}
    """
    several = list(dict.fromkeys(caveats))
    found = {called: [str(caveat) for caveat in several if caveat.doubt is doubt] for doubt, called in KINDS.items()}
    return {called: texts for called, texts in found.items() if texts}
