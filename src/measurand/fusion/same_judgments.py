"""What is to be known wherever fusions are scored beside the systems that they are made of."""

from __future__ import annotations

from measurand.errors import Caveat, Doubt

SAME_JUDGMENTS = Caveat(
    Doubt.ASSUMPTION,
    "systems and fusions are scored on the same judgments, and every fusion draws on every system:"
    " what is best here may not be best on other topics",
)
"""Nothing was held back to check on."""
