"""Scales: which there are and what they admit, the image of a measure, its interval scale, and what statements mean.

Names are loaded when they are first used: every evaluation asks for the scale of its measures, and few for more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.deprecated import moved
from measurand.loading import first_used
from measurand.scales.scale_type import ScaleType, scale_type

if TYPE_CHECKING:
    from measurand.intervals.distributions import (
        Distribution,
        RunPosition,
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
    from measurand.intervals.run_positions import (
        AmongRuns,
        PositionsAmongRuns,
        among_runs,
        position_among_runs,
    )
    from measurand.scales import meaning
    from measurand.scales.admissibility import admissible, admissible_statistics, permissible, required_scale
    from measurand.scales.measure_effect import (
        MeasureEffect,
        PairCorrelation,
        ScaleEffect,
        scale_effect,
        scale_effects,
    )
    from measurand.scales.published import KnownScale, known_scale
    from measurand.scales.raw_and_interval import EXACT, Conventions, Flips
    from measurand.statistics.registry import EIGHT

__all__ = [
    "EIGHT",
    "EXACT",
    "AmongRuns",
    "Conventions",
    "Distribution",
    "Flips",
    "Image",
    "IntervalScaled",
    "KnownScale",
    "MeasureEffect",
    "Outline",
    "PairCorrelation",
    "PositionsAmongRuns",
    "Reading",
    "Readings",
    "RunPosition",
    "RunShares",
    "ScaleEffect",
    "ScaleType",
    "Uneven",
    "admissible",
    "admissible_statistics",
    "among_runs",
    "common_scale",
    "distribution",
    "enumeration_bytes",
    "image",
    "interval",
    "known_scale",
    "meaning",
    "permissible",
    "position_among_runs",
    "readings",
    "required_scale",
    "run_shares",
    "scale_effect",
    "scale_effects",
    "scale_type",
    "share_between",
    "union",
    "value_curve",
]

_find = first_used(
    __name__,
    {
        "measurand.intervals": (
            "AmongRuns",
            "Distribution",
            "Image",
            "IntervalScaled",
            "Outline",
            "PositionsAmongRuns",
            "Reading",
            "Readings",
            "RunPosition",
            "RunShares",
            "Uneven",
            "among_runs",
            "common_scale",
            "distribution",
            "enumeration_bytes",
            "image",
            "interval",
            "position_among_runs",
            "readings",
            "run_shares",
            "share_between",
            "union",
            "value_curve",
        ),
        "measurand.scales.admissibility": ("admissible", "admissible_statistics", "permissible", "required_scale"),
        "measurand.scales.meaning": (),
        "measurand.scales.measure_effect": (
            "MeasureEffect",
            "PairCorrelation",
            "ScaleEffect",
            "scale_effect",
            "scale_effects",
        ),
        "measurand.scales.published": ("KnownScale", "known_scale"),
        "measurand.scales.raw_and_interval": ("EXACT", "Conventions", "Flips"),
        "measurand.statistics.registry": ("EIGHT",),
    },
)

_moved = moved(
    __name__,
    {
        name: f"measurand.papers.{name}"
        for name in (
            "AS_PUBLISHED",
            "CountedSums",
            "DecisionShift",
            "FloatEffect",
            "FloatImage",
            "FloatShift",
            "IN_DOUBLES",
            "SetResult",
            "SetUniverse",
            "TwoRuns",
            "WITH_INFINITE_DF",
            "count_sums",
            "float_effect",
            "float_image",
            "set_scale_table",
        )
    },
)


def __getattr__(name: str) -> object:
    return _find(name) if name in __all__ else _moved(name, stacklevel=3)
