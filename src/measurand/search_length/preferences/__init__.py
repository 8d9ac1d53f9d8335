"""Preferences between lotteries: their axioms, the utilities that represent them, and the scale that esl is for them.

`check` returns *unusable*, *ordinal*, *interval* or *ratio*; each axiom returns a `Verdict` with a certificate.
`questionnaire` asks a person a few questions, and says which of the four the answers are consistent with.
"""

from measurand.search_length.preferences.checking import Answer, Report, check, permitted
from measurand.search_length.preferences.interview import (
    Answered,
    Choice,
    Question,
    Questionnaire,
    questionnaire,
)
from measurand.search_length.preferences.preference import Certificate, Preference
from measurand.search_length.preferences.representation import Contradiction, Kind, Representation, Statement, represent
from measurand.search_length.preferences.scale_axioms import (
    additivity,
    archimedean,
    by_the_mean,
    half_half,
    half_half_solutions,
    monotone_in_sums,
    repetitions,
    risk_structure,
    sign,
)
from measurand.search_length.preferences.utility_axioms import (
    completeness,
    continuity,
    independence,
    strict_weak_order,
    transitivity,
    weak_order,
)

__all__ = [
    "Answer",
    "Answered",
    "Certificate",
    "Choice",
    "Contradiction",
    "Kind",
    "Preference",
    "Question",
    "Questionnaire",
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
    "questionnaire",
    "repetitions",
    "represent",
    "risk_structure",
    "sign",
    "strict_weak_order",
    "transitivity",
    "weak_order",
]
