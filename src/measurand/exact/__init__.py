"""Exact numbers: what decides ties, order and ranks.

Most measures take rational values; `rational` reads them as written. Measures that discount by a
logarithm take values in `InverseLogs`, their normalised forms in `Quotient`, means of these over several ranks in
`QuotientSum`; those that count information take values in `Logs`, those that decay with time in `PowersOfTwo`: exact
reals that can be compared, hashed and rounded without trusting a floating point sum.

All but rational numbers is loaded when it is first used: plain scores need none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.exact.rationals import (
    LARGEST,
    LEAST_LEVEL,
    MOST,
    MOST_DRAWS,
    RationalLike,
    beside,
    decimal,
    decimals,
    least,
    ratio,
    rational,
    shown,
    spell,
    whole_number,
    with_fraction,
)
from measurand.loading import first_used

if TYPE_CHECKING:
    from measurand.exact.certified import Certified, enclosure_of
    from measurand.exact.logarithms import (
        Exact,
        InverseLogs,
        Logs,
        Quotient,
        QuotientSum,
        inverse_log,
        log,
        log_sum,
        quotient,
        quotient_sum,
        weighted_sum,
    )
    from measurand.exact.noted_numbers import caveats_of, noted
    from measurand.exact.powers import PowersOfTwo, power_sum
    from measurand.exact.sorting import Units, ranked, units

__all__ = [
    "LARGEST",
    "LEAST_LEVEL",
    "MOST",
    "MOST_DRAWS",
    "Certified",
    "Exact",
    "InverseLogs",
    "Logs",
    "PowersOfTwo",
    "Quotient",
    "QuotientSum",
    "RationalLike",
    "Units",
    "beside",
    "caveats_of",
    "decimal",
    "decimals",
    "enclosure_of",
    "inverse_log",
    "least",
    "log",
    "log_sum",
    "noted",
    "power_sum",
    "quotient",
    "quotient_sum",
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

if not TYPE_CHECKING:
    __getattr__ = first_used(
        __name__,
        {
            "measurand.exact.certified": ("Certified", "enclosure_of"),
            "measurand.exact.logarithms": (
                *("Exact", "InverseLogs", "Logs", "Quotient", "QuotientSum"),
                *("inverse_log", "log", "log_sum", "quotient", "quotient_sum", "weighted_sum"),
            ),
            "measurand.exact.noted_numbers": ("caveats_of", "noted"),
            "measurand.exact.powers": ("PowersOfTwo", "power_sum"),
            "measurand.exact.sorting": ("Units", "ranked", "units"),
        },
    )
