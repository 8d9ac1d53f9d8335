"""The five papers: what each of them shows, worked out anew, and their experiments, as functions of any campaign.

`reproduce` lays everything that needs no data beside what the paper prints; `errata` tells where a paper is wrong, each
with a certificate that anybody can run. Each experiment takes judgments and runs in any form that can be read, and
returns a frozen result that holds the data, a summary and caveats. A module is called by what it looks at; a paper is
a package with a module for each of its subjects.
"""

from measurand.papers.consistency_scatter import ConsistencyScatter, consistency_scatter
from measurand.papers.effectiveness import effectiveness
from measurand.papers.effectiveness_additivity import (
    EffectivenessAdditivity,
    additivity_of_scores,
    effectiveness_additivity,
)
from measurand.papers.erratum import PAPERS, Erratum, errata
from measurand.papers.fusion_gain import FusionGain, fusion_gain
from measurand.papers.information_tables import InformationRow, InformationTables, information_tables
from measurand.papers.mergeability import Mergeability, fine_grained_documents, mergeability
from measurand.papers.printed import PrintedTables, printed_tables
from measurand.papers.printed_unanimity import PrintedMeasure, printed_unanimity
from measurand.papers.reproduction import Reproduction, reproduce
from measurand.papers.scale_tables import ScaleTables, scale_tables

__all__ = [
    "PAPERS",
    "ConsistencyScatter",
    "EffectivenessAdditivity",
    "Erratum",
    "FusionGain",
    "InformationRow",
    "InformationTables",
    "Mergeability",
    "PrintedMeasure",
    "PrintedTables",
    "Reproduction",
    "ScaleTables",
    "additivity_of_scores",
    "consistency_scatter",
    "effectiveness",
    "effectiveness_additivity",
    "errata",
    "fine_grained_documents",
    "fusion_gain",
    "information_tables",
    "mergeability",
    "printed_tables",
    "printed_unanimity",
    "reproduce",
    "scale_tables",
]
