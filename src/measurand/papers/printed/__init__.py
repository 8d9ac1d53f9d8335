"""Printed tables: what a paper prints, as far as it is known, checked and compared with what comes out here.

References
----------
[FerranteFerroFuhr2021]_
"""

from measurand.papers.printed.averages import NORMAL, Average, Selection, averages, selections
from measurand.papers.printed.comparison import Compared, Comparison, differences
from measurand.papers.printed.identities import Identity, identities
from measurand.papers.printed.labels import MEASURES, PAIRS, TRACKS, ordinal, pair, track
from measurand.papers.printed.reading import printed_tables
from measurand.papers.printed.said import Quoted, Range, Stated, Tally
from measurand.papers.printed.tables import PrintedTables

__all__ = [
    "MEASURES",
    "NORMAL",
    "PAIRS",
    "TRACKS",
    "Average",
    "Compared",
    "Comparison",
    "Identity",
    "PrintedTables",
    "Quoted",
    "Range",
    "Selection",
    "Stated",
    "Tally",
    "averages",
    "differences",
    "identities",
    "ordinal",
    "pair",
    "printed_tables",
    "selections",
    "track",
]
