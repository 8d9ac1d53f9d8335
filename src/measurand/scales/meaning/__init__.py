"""Meaning: which statements about scores survive every permissible rescaling, and what flips the others."""

from measurand.scales.meaning.checking import check
from measurand.scales.meaning.meaning import Answer, Meaning, Reading
from measurand.scales.meaning.robustness import MeanRobustness, mean_robustness
from measurand.scales.meaning.sampled import survives
from measurand.scales.meaning.statements import (
    Average,
    Averages,
    Differences,
    Relation,
    Significant,
    Statement,
)
from measurand.scales.meaning.transformations import (
    Affine,
    Increasing,
    PerTopic,
    Power,
    Relabelling,
    Transformation,
)
from measurand.scales.meaning.wording import FORMS, parse_statement

__all__ = [
    "FORMS",
    "Affine",
    "Answer",
    "Average",
    "Averages",
    "Differences",
    "Increasing",
    "MeanRobustness",
    "Meaning",
    "PerTopic",
    "Power",
    "Reading",
    "Relabelling",
    "Relation",
    "Significant",
    "Statement",
    "Transformation",
    "check",
    "mean_robustness",
    "parse_statement",
    "survives",
]
