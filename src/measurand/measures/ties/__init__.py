"""Tie care: the mean, the least and the greatest value of a measure over all orders of tied documents.

Documents of equal score may stand in any order, and some measures are very sensitive to it. `over_ties` says how
much: exactly where a closed form or a look at all orders allows it, and otherwise from random orders, which it
tells.
"""

from measurand.measures.ties.over_ties import over_ties
from measurand.measures.ties.spread import Spread, Tieable
from measurand.measures.ties.tied_runs import Group, TiedRun, TiedRuns
from measurand.measures.ties.values import ValuesOverTies

__all__ = ["Group", "Spread", "Tieable", "TiedRun", "TiedRuns", "ValuesOverTies", "over_ties"]
