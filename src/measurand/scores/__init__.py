"""Scores: values by system and topic, with the scale they are on."""

from measurand.scale import Scale
from measurand.scores.gate import Need, gate
from measurand.scores.score_table import Table
from measurand.scores.scores import MEAN, MEAN_RANK, Aggregation, ExactValues, Scores
from measurand.scores.summary import Summary, place_of

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
