from __future__ import annotations

import pytest

from measurand.errors import CaveatKind, ParameterError
from measurand.papers.agms2018.campaign import read_campaign
from measurand.trec import read_run

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0}}
RUN = {"1": {"a": 1.0, "c": 2.0, "d": 2.0, "e": 0.5}, "2": {"z": 1.0}}


def test_the_collection_is_what_is_judged_or_retrieved_at_any_depth_if_nobody_says_and_that_is_noted():
    campaign = read_campaign(QRELS, RUN, depth=1)
    size, [caveat] = campaign.size(None)
    assert size == len({"a", "b", "c", "d", "e", "z"})
    assert caveat.kind is CaveatKind.COLLECTION
    assert "6 documents" in caveat.text
    assert campaign.size(1000) == (1000, ())
    with pytest.raises(ParameterError, match="6 documents are judged or retrieved"):
        campaign.size(5)


def test_topics_are_those_with_a_relevant_document():
    assert read_campaign(QRELS, RUN, depth=1).topics == ("1",)


def test_unjudged_documents_are_counted_down_to_the_depth():
    [caveat] = read_campaign(QRELS, RUN, depth=3).unjudged()
    assert caveat.text.startswith("66.7% of the documents that are retrieved down to rank 3")
    judged = {"1": {"a": 1, "c": 0, "d": 0}}
    assert read_campaign(judged, RUN, depth=3).unjudged() == ()


def test_a_campaign_without_relevant_documents_is_refused():
    with pytest.raises(ParameterError, match="no topic has a relevant document"):
        read_campaign({"1": {"a": 0}}, RUN, depth=1)


def test_a_depth_that_is_none_is_refused():
    with pytest.raises(ParameterError, match="depth must be a whole number"):
        read_campaign(QRELS, RUN, depth=0)


def test_a_system_that_is_called_judgments_does_not_stand_for_them():
    campaign = read_campaign(QRELS, [read_run(RUN, name="judgments")], depth=5)
    signals = campaign.signals("1")
    assert signals.names == ("judgments", "judgments (2)")
    assert signals.only(campaign.gold).levels.sum() == 1
