"""Ties: the mean, the least and the greatest value of a measure over all orders of tied documents.

Documents of equal score may stand in any order, and some measures are very sensitive to it. `over_ties` computes
how much: exactly where a closed form or a look at all orders allows it, and otherwise from random orders, which it
notes. `closed_forms` and `sensitivity` hold what depends on the family of a measure.
"""

from __future__ import annotations

from measurand.execution import Progress, silent
from measurand.judged import JudgedRuns
from measurand.measures.base import Measure
from measurand.measures.campaigns import TiedValues, tied_values


@tied_values.register
def _(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> TiedValues:
    from measurand.measures.ties.over_ties import values_on_ties  # loaded when ties are looked at

    return values_on_ties(measure, judged, progress)
