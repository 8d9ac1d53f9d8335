"""Rulers: where a run stands among all the values of a measure, without looking at every run.

The ways to build one live in the modules `additive`, `geometric`, `walks` and `ordered`, loaded when they are needed.
"""

from measurand.rulers.position import NONE, PROVED, SCHANUEL, Certainty, Position
from measurand.rulers.ruler import Budget, Ruler

__all__ = ["NONE", "PROVED", "SCHANUEL", "Budget", "Certainty", "Position", "Ruler"]
