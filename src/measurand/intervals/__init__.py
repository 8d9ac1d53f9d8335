"""Interval scales of measures: where a value stands among all the values that a measure can take.

`interval(measure)` is the door: a measure whose values are the ranks of another measure's values among all of them
[FerranteFerroFuhr2021]_. Nobody writes those values down, since there are more of them than runs can be enumerated. A
`Ruler` places a run without, and `measurand.intervals.families` chooses one by the family of the measure. The other
public functions describe the same set of values: `image` (the values, their number and spacing), `distribution` (how
runs are spread over them), `readings` (some runs on a scale).

Names are loaded when they are first used, because every evaluation knows the measure `interval` and few use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.loading import first_used

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
    from measurand.intervals.families import family_ruler
    from measurand.intervals.images import Image, Outline, Uneven, common_scale, image, union
    from measurand.intervals.interval_scale import IntervalScaled, interval
    from measurand.intervals.reading import Reading, Readings, readings
    from measurand.intervals.ruler import NONE, PROVED, SCHANUEL, Budget, Certainty, Position, Ruler
    from measurand.intervals.run_positions import (
        AmongRuns,
        PositionsAmongRuns,
        among_runs,
        position_among_runs,
    )
    from measurand.intervals.universe import Universe

__all__ = [
    "NONE",
    "PROVED",
    "SCHANUEL",
    "AmongRuns",
    "Budget",
    "Certainty",
    "Distribution",
    "Image",
    "IntervalScaled",
    "Outline",
    "Position",
    "PositionsAmongRuns",
    "Reading",
    "Readings",
    "Ruler",
    "RunPosition",
    "RunShares",
    "Uneven",
    "Universe",
    "among_runs",
    "common_scale",
    "distribution",
    "enumeration_bytes",
    "family_ruler",
    "image",
    "interval",
    "position_among_runs",
    "readings",
    "run_shares",
    "share_between",
    "union",
    "value_curve",
]

__getattr__ = first_used(
    __name__,
    {
        "measurand.intervals.run_positions": (
            "AmongRuns",
            "PositionsAmongRuns",
            "among_runs",
            "position_among_runs",
        ),
        "measurand.intervals.distributions": (
            "Distribution",
            "RunPosition",
            "RunShares",
            "distribution",
            "run_shares",
            "share_between",
            "value_curve",
        ),
        "measurand.intervals.enumeration": ("enumeration_bytes",),
        "measurand.intervals.families": ("family_ruler",),
        "measurand.intervals.images": ("Image", "Outline", "Uneven", "common_scale", "image", "union"),
        "measurand.intervals.interval_scale": ("IntervalScaled", "interval"),
        "measurand.intervals.reading": ("Reading", "Readings", "readings"),
        "measurand.intervals.ruler": ("NONE", "PROVED", "SCHANUEL", "Budget", "Certainty", "Position", "Ruler"),
        "measurand.intervals.universe": ("Universe",),
    },
)


def __dir__() -> list[str]:
    return __all__
