"""Scales: which there are and what they admit, the image of a measure, its interval scale, and what statements mean."""

from __future__ import annotations

from importlib import import_module

from measurand.intervals.distributions import (
    Distribution,
    RunShares,
    distribution,
    run_shares,
    share_between,
    value_curve,
)
from measurand.intervals.enumeration import enumeration_bytes
from measurand.intervals.images import Image, Outline, Uneven, common_scale, image, union
from measurand.intervals.interval_scale import IntervalScaled, interval
from measurand.intervals.reading import Reading, Readings, readings
from measurand.scales.conventions import AS_PUBLISHED, EXACT, IN_DOUBLES, WITH_INFINITE_DF, Conventions
from measurand.scales.effect import MeasureEffect, PairCorrelation, ScaleEffect
from measurand.scales.effect_of_doubles import DecisionShift, FloatEffect, FloatShift, float_effect
from measurand.scales.flips import Flips
from measurand.scales.image_in_doubles import FloatImage, TwoRuns, float_image
from measurand.scales.known import KnownScale, known_scale
from measurand.scales.rescaling import permissible
from measurand.scales.scale_effect import EIGHT, scale_effect, scale_effects
from measurand.scales.scale_type import ScaleType, scale_type
from measurand.scales.set_results import SetResult
from measurand.scales.set_scales import SetUniverse, set_scale_table
from measurand.scales.sums_in_doubles import CountedSums, count_sums
from measurand.scales.types import admissible, admissible_statistics, required_scale

__all__ = [
    "AS_PUBLISHED",
    "EIGHT",
    "EXACT",
    "IN_DOUBLES",
    "WITH_INFINITE_DF",
    "Conventions",
    "CountedSums",
    "DecisionShift",
    "Distribution",
    "Flips",
    "FloatEffect",
    "FloatImage",
    "FloatShift",
    "Image",
    "IntervalScaled",
    "KnownScale",
    "MeasureEffect",
    "Outline",
    "PairCorrelation",
    "Reading",
    "Readings",
    "RunShares",
    "ScaleEffect",
    "ScaleType",
    "SetResult",
    "SetUniverse",
    "TwoRuns",
    "Uneven",
    "admissible",
    "admissible_statistics",
    "common_scale",
    "count_sums",
    "distribution",
    "enumeration_bytes",
    "float_effect",
    "float_image",
    "image",
    "interval",
    "known_scale",
    "meaning",
    "permissible",
    "readings",
    "required_scale",
    "run_shares",
    "scale_effect",
    "scale_effects",
    "scale_type",
    "set_scale_table",
    "share_between",
    "union",
    "value_curve",
]


def __getattr__(name: str) -> object:
    # every evaluation asks for the scale of its measures, and few for the meaning of statements, which loads much
    if name == "meaning":
        return import_module("measurand.scales.meaning")
    raise AttributeError(f"module 'measurand.scales' has no attribute {name!r}")
