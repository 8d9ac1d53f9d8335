"""Scores: values by system and topic, with the scale they are on."""

from measurand.scale import Scale
from measurand.scores.exact_values import ExactValues
from measurand.scores.gate import Need, gate
from measurand.scores.names import place_of
from measurand.scores.scores import MEAN, MEAN_RANK, Aggregation, Scores
from measurand.scores.summary import Summary
from measurand.scores.table import Table

__all__ = [
    "MEAN",
    "MEAN_RANK",
    "Aggregation",
    "ExactValues",
    "Need",
    "Scale",
    "Scores",
    "Summary",
    "Table",
    "gate",
    "place_of",
]
