"""Exact numbers, and formulas that run on them as on floats."""

from measurand_next.exact.arrays import (
    EXACT,
    FLOATS,
    Array,
    BoolArray,
    FloatArray,
    IntArray,
    Number,
    Numbers,
    fraction,
    inverse_log,
    is_exact,
    least,
    power,
    ratio,
)
from measurand_next.exact.reals import Exact, Real

__all__ = [
    "EXACT",
    "FLOATS",
    "Array",
    "BoolArray",
    "Exact",
    "FloatArray",
    "IntArray",
    "Number",
    "Numbers",
    "Real",
    "fraction",
    "inverse_log",
    "is_exact",
    "least",
    "power",
    "ratio",
]
