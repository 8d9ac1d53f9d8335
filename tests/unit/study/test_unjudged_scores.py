"""Scores as low or as high as the grades of unjudged documents could make them."""

from __future__ import annotations

import pytest

import measurand as md
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns

JUDGED = JudgedRuns.on_one_topic([(1, -1, -1), (0, 1, 0)], (5, 1))


@pytest.mark.parametrize(
    ("which", "names"),
    [
        ("min", ["lowest P@3", "Judged@3"]),
        ("max", ["highest P@3", "Judged@3"]),
        ("bounds", ["lowest P@3", "P@3", "highest P@3", "Judged@3"]),
    ],
)
def test_bounds_are_named_as_such_and_shares_of_judged_documents_stay(which, names):
    table = md.evaluate(JUDGED, ["P@3", "Judged@3"], unjudged=which)
    assert list(table.measures) == names


def test_a_measure_is_found_by_the_name_that_it_was_asked_for_by():
    assert JUDGED.evaluate("map", unjudged="min")["map"].measure == "lowest AP"
    assert JUDGED.evaluate("map", unjudged="bounds")["AP"].measure == "AP"


def test_what_the_bounds_are_travels_with_them():
    [caveat] = JUDGED.evaluate("AP", unjudged="max").caveats
    assert str(caveat) == (
        "highest values of AP over all grades that the unjudged documents that a run retrieves could have, each run"
        " alone; for AP the ideal ranking and the recall base grow by what is assumed to be relevant, and relevant"
        " documents that the run did not retrieve could change the value further"
    )


def test_bounds_that_may_not_be_reached_are_said_to_be_such():
    judged = JudgedRuns.on_one_topic([[1, *[-1] * 20]], (5, 1))
    *_, caveat = judged.evaluate("Bpref", unjudged="bounds").caveats
    assert str(caveat) == (
        "for up to 1 of 1 run, Bpref may not be as low or as high as these bounds, which are certain"
    )


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: JUDGED.evaluate("AP", unjudged="lowest"), "unjudged must be one of 'min', 'max', 'bounds'"),
        (
            lambda: JudgedRuns.on_one_topic([[-1] * 20], (5, 1)).evaluate("ESL(collection=99)", unjudged="max"),
            "ESL(i=1, collection=99) has no bound for 1 topic with many unjudged documents; cut the runs",
        ),
    ],
)
def test_what_cannot_be_had_is_refused_in_one_line(call, complaint):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value).startswith(complaint)
