"""Runs on an interval scale as data for programs."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isinf
from typing import Any

from measurand.report.profile_data import as_float, verdict_data
from measurand.scales import Reading, Readings

DIGITS = 4000
"""Python does not write numbers with more digits."""


def interval_data(read: Readings) -> dict[str, Any]:
    """Return runs on an interval scale as nested dictionaries and lists.

    Numbers that are not known, not finite or too large to be written are None; the depth of runs without end is
    "inf".

    Examples
    --------
    >>> from measurand.scales import interval, readings
    >>> data = interval_data(readings(interval("DCG(b=2)@4"), [(0, 0, 1, 1)]))
    >>> data["size"], data["runs"][0]["rank"], data["runs"][0]["how"]
    (12, 5, 'exact')
    """
    spacing = read.spacing
    return {
        "measure": repr(read.scale.measure),
        "depth": "inf" if read.depth == inf else read.depth,
        "grades": read.scale.grades,
        "ties": read.scale.ties,
        "size": _whole(read.size),
        "total": _whole(read.total),
        "spacing": None if spacing is None else verdict_data(spacing, "neighbouring values are equally far apart"),
        "runs": [_reading(one) for one in read.runs],
        "seconds": round(read.seconds, 3),
    }


def _reading(one: Reading) -> dict[str, Any]:
    position = one.position
    return {
        "run": list(one.run),
        "value": as_float(one.value),
        "rank": float(one.rank) if isinstance(one.rank, Fraction) else _whole(one.rank),
        "low": float(position.low),
        "high": float(position.high),
        "position": float(position),
        "log10": None if isinf(position.log10) else position.log10,
        "how": str(position.how),
        "assumption": position.assumption,
    }


def _whole(number: int | None) -> int | None:
    return None if number is None or number >= 10**DIGITS else number
