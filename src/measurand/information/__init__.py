"""Observational information: how much signals, such as rankings and judgments, tell about documents."""

from measurand.information import evidence
from measurand.information.consistency import consistency
from measurand.information.quantity import (
    Outscorers,
    entropy,
    exact_entropy,
    granularity,
    outscorer_counts,
    outscorers,
    outscores,
    quantity,
)
from measurand.information.signals import Signals
from measurand.information.unanimity import MeasureUnanimity, Unanimity, unanimity

__all__ = [
    "MeasureUnanimity",
    "Outscorers",
    "Signals",
    "Unanimity",
    "consistency",
    "entropy",
    "evidence",
    "exact_entropy",
    "granularity",
    "outscorer_counts",
    "outscorers",
    "outscores",
    "quantity",
    "unanimity",
]
