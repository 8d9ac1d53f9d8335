"""`measurand measures`: the catalogue on the command line."""

from __future__ import annotations

import json

import pytest

from measurand.measures import catalogue


def test_every_measure_is_listed_with_its_scale(call):
    outcome = call("measures")
    assert (outcome.code, outcome.err) == (0, "")
    lines = {line.split()[0]: line for line in outcome.out.splitlines() if line.strip()}
    for name, measure in catalogue().items():
        assert str(measure.scale) in lines[name]


def test_the_list_comes_in_the_order_of_the_alphabet(call):
    names = [line.split()[0] for line in call("measures").out.splitlines() if line[1:2].strip()]
    listed = [name for name in names if name in catalogue()]
    assert listed == sorted(catalogue(), key=lambda name: (name.lower(), name))


def test_a_measure_is_explained_with_its_parameters_and_facts(call):
    out = call("measures", "nDCG@10").out
    assert out.startswith("nDCG@10\n\nDiscounted cumulated gain as a share of that of the ideal ranking.\n")
    assert "\n  cutoff       10\n" in out
    assert "\n  scale        ordinal, on 10 ranks of two grades\n" in out
    assert "\n  reference    JarvelinKekalainen2002\n" in out


def test_several_measures_are_explained_in_the_order_asked_for(call):
    out = call("measures", "rbp_0.8", "AP(rel=2)").out
    assert out.startswith("gRBP(p=0.8)\n\n")
    assert "\n\nAP(rel=2)\n\n" in out


def test_programs_get_every_fact_of_every_measure(call):
    entries = json.loads(call("measures", "-f", "json").out)
    assert list(entries) == [repr(measure) for measure in catalogue().values()]
    for measure in catalogue().values():
        entry = entries[repr(measure)]
        assert measure.facts().items() <= entry.items()
        assert list(entry["parameters"]) == list(measure.parameters())
        assert entry["definition"]


def test_programs_may_ask_for_some(call):
    entries = json.loads(call("measures", "nDCG@10", "map", "-f", "json").out)
    assert list(entries) == ["nDCG@10", "AP"]
    assert entries["nDCG@10"]["parameters"]["cutoff"] == "10"


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_measure_that_is_none_is_refused_with_a_suggestion(call, form):
    outcome = call("measures", "AP", "nDGC", "-f", form)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: there is no measure called 'nDGC'; did you mean ")
