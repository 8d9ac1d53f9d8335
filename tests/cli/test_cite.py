"""`measurand cite`: what a paper must cite."""

from __future__ import annotations

import re

import pytest

from measurand.cli.cite import STATISTICS
from measurand.fusion.methods import METHODS, REFERENCES
from measurand.measures import catalogue
from measurand.references import FOUNDATIONS, bibliography
from measurand.statistics import TESTS


def keys(out: str) -> list[str]:
    return re.findall(r"^@\w+\{(\w+),", out, re.MULTILINE)


def test_the_references_of_measures_are_printed_in_order(call):
    outcome = call("cite", "nDCG@10", "RBP")
    assert (outcome.code, outcome.err) == (0, "")
    assert keys(outcome.out) == ["JarvelinKekalainen2002", "MoffatZobel2008"]
    assert outcome.out == "\n\n".join(bibliography()[key] for key in keys(outcome.out)) + "\n"


def test_one_reference_of_several_things_is_printed_once(call):
    assert keys(call("cite", "RBP", "gRBP", "MoffatZobel2008").out) == ["MoffatZobel2008"]


@pytest.mark.parametrize("key", ["FerranteFerroMaistro2015", "Robertson2006"])
def test_a_reference_may_be_asked_for_by_its_key(call, key):
    assert keys(call("cite", key).out) == [key]


def test_where_an_entry_was_confirmed_is_not_printed_and_a_doubt_is_one_comment(call):
    sure, unsure = call("cite", "Giner2023").out, call("cite", "BuckleyVoorhees2005").out
    assert "Evaluation Measures Defined on Some Axiomatic Models of Preferences" in sure
    assert "10.1145/3632171" in sure
    assert "confirmed" not in sure
    assert unsure.count("onfirmed") == 1
    assert unsure.startswith("% Not confirmed: last page")


def test_every_measure_can_be_cited(call):
    for name, measure in catalogue().items():
        assert keys(call("cite", name).out) == [measure.reference, *FOUNDATIONS.get(name, ())]


def test_every_fusion_can_be_cited(call):
    for method in METHODS:
        assert keys(call("cite", method).out) == list(REFERENCES[method])


def test_an_unknown_thing_is_refused_and_nothing_is_printed(call):
    outcome = call("cite", "RBP", "Nobody1900")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: there is no measure called 'Nobody1900'")
    assert "MoffatZobel2008" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_test_is_cited_by_its_own_name_or_the_one_that_people_say(call):
    assert keys(call("cite", "nDCG@10", "paired_t").out) == ["JarvelinKekalainen2002", "Student1908"]
    assert call("cite", "t").out == call("cite", "paired_t").out


def test_every_test_can_be_cited(call):
    for name in TESTS:
        assert keys(call("cite", name).out)


@pytest.mark.parametrize("thing", STATISTICS)
def test_what_is_no_measure_can_be_cited_too(call, thing):
    assert keys(call("cite", thing).out) == list(STATISTICS[thing])
