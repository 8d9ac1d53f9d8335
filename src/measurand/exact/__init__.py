"""Exact numbers: what decides ties, order and ranks.

Most measures take rational values; `rational` reads them as written. Measures that discount by a
logarithm take values in `InverseLogs`, and their normalised forms in `Quotient`; those that count
information take values in `Logs`: exact reals that can be compared, hashed and rounded without trusting a
floating point sum.
"""

from measurand.exact.certified import Certified, enclosure_of
from measurand.exact.logarithms import (
    Exact,
    InverseLogs,
    Logs,
    Quotient,
    inverse_log,
    log,
    log_sum,
    quotient,
    weighted_sum,
)
from measurand.exact.noted import caveats_of, noted
from measurand.exact.rationals import (
    RationalLike,
    beside,
    decimals,
    least,
    ratio,
    rational,
    shown,
    spell,
    whole_number,
    with_fraction,
)
from measurand.exact.sorting import Units, ranked, units

__all__ = [
    "Certified",
    "Exact",
    "InverseLogs",
    "Logs",
    "Quotient",
    "RationalLike",
    "Units",
    "beside",
    "caveats_of",
    "decimals",
    "enclosure_of",
    "inverse_log",
    "least",
    "log",
    "log_sum",
    "noted",
    "quotient",
    "ranked",
    "ratio",
    "rational",
    "shown",
    "spell",
    "units",
    "weighted_sum",
    "whole_number",
    "with_fraction",
]
