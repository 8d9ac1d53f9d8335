"""Scales: the exact image of a measure, the scale it is on, and its transformation into an interval scale."""

from measurand.measures.interval_scale import IntervalScaled, interval
from measurand.scales.distribution import Distribution, distribution, share_between, value_curve
from measurand.scales.enumeration import enumeration_bytes
from measurand.scales.image import Image, image
from measurand.scales.known import KnownScale, known_scale
from measurand.scales.mixing import common_scale, union
from measurand.scales.outline import Outline
from measurand.scales.reading import Reading, Readings, readings
from measurand.scales.sampled import RunShares, run_shares
from measurand.scales.scale_type import ScaleType, scale_type
from measurand.scales.uneven import Uneven

__all__ = [
    "Distribution",
    "Image",
    "IntervalScaled",
    "KnownScale",
    "Outline",
    "Reading",
    "Readings",
    "RunShares",
    "ScaleType",
    "Uneven",
    "common_scale",
    "distribution",
    "enumeration_bytes",
    "image",
    "interval",
    "known_scale",
    "readings",
    "run_shares",
    "scale_type",
    "share_between",
    "union",
    "value_curve",
]
