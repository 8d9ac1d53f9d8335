"""Headlines say of each measure what was tested there, and no more."""

from __future__ import annotations

import pytest
from attrs import evolve

import measurand as md
from measurand.study.headlines import headline_of
from measurand.study.lead import Outcome


@pytest.fixture(scope="module")
def conclusion():
    pair = [path for path in md.sample.runs() if path.name.startswith(("lexical-3", "dense-3"))]
    return md.compare(md.sample.qrels(), pair, ["nDCG@10", "AP", "P@10"]).conclusion


def with_outcomes(conclusion, *outcomes, favoured=None):
    measures = [
        evolve(each, lead=evolve(each.lead, outcome=outcome, favoured=favoured or each.lead.favoured))
        for each, outcome in zip(conclusion.measures, outcomes, strict=True)
    ]
    return evolve(conclusion, measures=tuple(measures))


def test_what_is_said_of_all_measures_is_so_under_all(conclusion):
    sure, other = Outcome.SIGNIFICANT, Outcome.UNTESTED
    assert headline_of(with_outcomes(conclusion, sure, sure, sure)).endswith("That is hardly chance on any of them.")
    assert headline_of(with_outcomes(conclusion, sure, sure, other)).endswith(
        "On nDCG@10 and AP that is hardly chance."
    )
    assert headline_of(with_outcomes(conclusion, sure, other, other)).endswith("On nDCG@10 that is hardly chance.")


def test_measures_under_which_a_test_favours_the_other_system_share_a_sentence(conclusion):
    contrary = with_outcomes(conclusion, *[Outcome.CONTRARY] * 3, favoured="lexical-3")
    assert headline_of(contrary) == (
        "dense-3 scores higher than lexical-3 on all three measures."
        " On nDCG@10, AP and P@10 the t test favours lexical-3."
    )
