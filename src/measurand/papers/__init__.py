"""The five papers: what each of them shows, worked out anew, and their experiments, as functions of any campaign.

`reproduce` lays everything that needs no data beside what the paper prints; `errata` returns where a paper is wrong
or unclear, each with its kind and a certificate that anybody can run. Each experiment takes judgments and runs in any
form that can be read, and returns a frozen result that holds the data, a summary and caveats.

A paper is a package with its exhibits by section, its errata, and what only this paper needs. `exhibit`, `erratum` and
`reproduction` are what the papers share. `scale_tables` and `information_tables` make all tables of a paper for a
campaign; `printed` reads the tables that the papers print, checks them and compares them with ours.
"""

from measurand.papers.agms2018.additivity import (
    EffectivenessAdditivity,
    additivity_of_scores,
    effectiveness,
    effectiveness_additivity,
)
from measurand.papers.agms2018.fusion_gain import FusionGain, fusion_gain
from measurand.papers.agms2018.scatters import (
    ConsistencyScatter,
    Mergeability,
    consistency_scatter,
    fine_grained_documents,
    mergeability,
)
from measurand.papers.erratum import PAPERS, Erratum, ErratumKind, errata
from measurand.papers.fff2021.as_published import (
    AS_PUBLISHED,
    IN_DOUBLES,
    WITH_INFINITE_DF,
    CountedSums,
    count_sums,
)
from measurand.papers.fff2021.doubles import FloatImage, TwoRuns, float_image
from measurand.papers.fff2021.effect_of_doubles import DecisionShift, FloatEffect, FloatShift, float_effect
from measurand.papers.fff2021.set_scales import SetResult, SetUniverse, set_scale_table
from measurand.papers.ffm2015.classical import is_additive, is_monotone, set_algebra
from measurand.papers.ffm2015.simulation import Rejections, expected_difference, rejection_rate, simulated_runs
from measurand.papers.information_tables import InformationRow, InformationTables, information_tables
from measurand.papers.printed import PrintedTables, printed_tables
from measurand.papers.printed.unanimity import PrintedMeasure, printed_unanimity
from measurand.papers.reproduction import Reproduction, reproduce
from measurand.papers.scale_tables import ScaleTables, scale_tables

__all__ = [
    "AS_PUBLISHED",
    "IN_DOUBLES",
    "PAPERS",
    "WITH_INFINITE_DF",
    "ConsistencyScatter",
    "CountedSums",
    "DecisionShift",
    "EffectivenessAdditivity",
    "Erratum",
    "ErratumKind",
    "FloatEffect",
    "FloatImage",
    "FloatShift",
    "FusionGain",
    "InformationRow",
    "InformationTables",
    "Mergeability",
    "PrintedMeasure",
    "PrintedTables",
    "Rejections",
    "Reproduction",
    "ScaleTables",
    "SetResult",
    "SetUniverse",
    "TwoRuns",
    "additivity_of_scores",
    "consistency_scatter",
    "count_sums",
    "effectiveness",
    "effectiveness_additivity",
    "errata",
    "expected_difference",
    "fine_grained_documents",
    "float_effect",
    "float_image",
    "fusion_gain",
    "information_tables",
    "is_additive",
    "is_monotone",
    "mergeability",
    "printed_tables",
    "printed_unanimity",
    "rejection_rate",
    "reproduce",
    "scale_tables",
    "set_algebra",
    "set_scale_table",
    "simulated_runs",
]
