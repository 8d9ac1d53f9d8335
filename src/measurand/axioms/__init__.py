"""Axioms: properties of a measure, proved for its family, checked on every run, or refuted by a pair of runs.

Each function takes a measure, its spelling, or any function of a judged run, and returns a `Verdict`. Whether lower
values are better is a fact of a measure; of a function, higher values are better.
"""

from measurand.axioms.examine import AXIOMS, CONSTRAINTS, ConstraintMatrix, constraint_matrix, examine
from measurand.axioms.measurement import MeasurementVerdict, is_measurement
from measurand.axioms.properties import confidence, deepness, priority, replacement, swap, well_defined
from measurand.axioms.thresholds import (
    Contest,
    Reading,
    Topic,
    closeness_threshold,
    contest,
    deepness_threshold,
    information_switch,
)
from measurand.measures.space import Space
from measurand.verdict import How, Verdict, Witness

__all__ = [
    "AXIOMS",
    "CONSTRAINTS",
    "ConstraintMatrix",
    "Contest",
    "How",
    "MeasurementVerdict",
    "Reading",
    "Space",
    "Topic",
    "Verdict",
    "Witness",
    "closeness_threshold",
    "confidence",
    "constraint_matrix",
    "contest",
    "deepness",
    "deepness_threshold",
    "examine",
    "information_switch",
    "is_measurement",
    "priority",
    "replacement",
    "swap",
    "well_defined",
]
