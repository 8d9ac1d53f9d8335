"""The papers' experiments, as functions of any campaign.

Each takes judgments and runs in any form that can be read, and returns a frozen result that holds the data, a
summary, caveats and a figure. A module is called by what it looks at and says which figure or theorem it repeats.
"""

from measurand.papers.consistency_scatter import ConsistencyScatter, consistency_scatter
from measurand.papers.effectiveness import effectiveness
from measurand.papers.effectiveness_additivity import (
    EffectivenessAdditivity,
    additivity_of_scores,
    effectiveness_additivity,
)
from measurand.papers.fusion_gain import FusionGain, fusion_gain
from measurand.papers.mergeability import Mergeability, mergeability

__all__ = [
    "ConsistencyScatter",
    "EffectivenessAdditivity",
    "FusionGain",
    "Mergeability",
    "additivity_of_scores",
    "consistency_scatter",
    "effectiveness",
    "effectiveness_additivity",
    "fusion_gain",
    "mergeability",
]
