"""Printed tables: what a paper prints, as far as it is known, checked and compared with what comes out here.

References
----------
[FerranteFerroFuhr2021]_
"""

from measurand.papers.printed.cells import NORMAL, Average, Identity, Selection, averages, identities, selections
from measurand.papers.printed.claims import Quoted, Range, Stated, Tally
from measurand.papers.printed.comparison import Compared, Comparison, differences
from measurand.papers.printed.labels import MEASURES, PAIRS, TRACKS, ordinal, pair, track
from measurand.papers.printed.tables import PrintedTables, printed_tables

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
