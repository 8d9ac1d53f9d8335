"""Preferences between lotteries: their axioms, the utilities that agree with them, and what esl is for them.

`check` answers *unusable*, *ordinal*, *interval* or *ratio*; each axiom returns a `Verdict` with a certificate.
"""

from measurand.search_length.preferences.certificate import Certificate
from measurand.search_length.preferences.checking import check
from measurand.search_length.preferences.linearity import by_the_mean, half_half, half_half_solutions, sign
from measurand.search_length.preferences.order_axioms import (
    completeness,
    strict_weak_order,
    transitivity,
    weak_order,
)
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.report import Answer, Report, permitted
from measurand.search_length.preferences.representation import Contradiction, Representation, represent
from measurand.search_length.preferences.risk_structure import (
    additivity,
    archimedean,
    monotone_in_sums,
    repetitions,
    risk_structure,
)
from measurand.search_length.preferences.statement import Kind, Statement
from measurand.search_length.preferences.utility_axioms import (
    continuity,
    independence,
)

__all__ = [
    "Answer",
    "Certificate",
    "Contradiction",
    "Kind",
    "Preference",
    "Report",
    "Representation",
    "Statement",
    "additivity",
    "archimedean",
    "by_the_mean",
    "check",
    "completeness",
    "continuity",
    "half_half",
    "half_half_solutions",
    "independence",
    "monotone_in_sums",
    "permitted",
    "repetitions",
    "represent",
    "risk_structure",
    "sign",
    "strict_weak_order",
    "transitivity",
    "weak_order",
]
