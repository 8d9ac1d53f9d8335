"""Margins: the smallest change of each assumption that overturns a conclusion about two systems.

`scale` has the margin of scale of every two systems, which every comparison shows. What else there is, is loaded when
it is asked for.
"""

from __future__ import annotations

from measurand.study.margins.scale import (
    ScaleMargins,
    margin_of,
    margin_words,
    on_interval_scale,
    scale_margins,
    weights_of,
    written_margin,
)

__all__ = [
    "ScaleMargins",
    "margin_of",
    "margin_words",
    "on_interval_scale",
    "scale_margins",
    "weights_of",
    "written_margin",
]
