"""Scales: the exact image of a measure, the scale it is on, and its transformation into an interval scale."""

from measurand.measures.interval_scale import IntervalScaled, interval
from measurand.scales.image import Image, image
from measurand.scales.known import KnownScale, known_scale
from measurand.scales.outline import Outline
from measurand.scales.scale_type import ScaleType, scale_type
from measurand.scales.uneven import Uneven

__all__ = [
    "Image",
    "IntervalScaled",
    "KnownScale",
    "Outline",
    "ScaleType",
    "Uneven",
    "image",
    "interval",
    "known_scale",
    "scale_type",
]
