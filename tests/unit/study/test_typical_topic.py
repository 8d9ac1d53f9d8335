"""The typical topic of a campaign, on which constraints are looked at."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.study.unanimity import TypicalTopic, collection_of


def judged(*grade_counts: tuple[int, ...]) -> JudgedRuns:
    """Return one judged run of one rank on each of some topics."""
    n = len(grade_counts)
    return JudgedRuns(
        systems=("s",),
        topics=tuple(map(str, range(n))),
        cells=np.zeros((1, n, 1), dtype=np.int8),
        lengths=np.ones((1, n), dtype=np.int64),
        grade_counts=np.array(grade_counts, dtype=np.int64),
    )


def topic_of(names: list[str], *counts: tuple[int, ...], **said) -> TypicalTopic:
    return TypicalTopic.of(judged(*counts), [parse(name) for name in names], **said)


@pytest.mark.parametrize(
    ("relevant", "median"), [([3], 3), ([1, 9, 4], 4), ([1, 2, 3, 90], 2), ([0, 0, 5], 1), ([0], 1)]
)
def test_the_recall_base_is_the_lower_median_and_at_least_one(relevant, median):
    assert topic_of(["AP"], *((5, n) for n in relevant)).recall_base == median


def test_what_is_said_is_taken():
    topic = topic_of(["P@500"], (5, 3), collection=1000, recall_base=7, ranks=40)
    assert topic == TypicalTopic(collection=1000, recall_base=7, ranks=40, said=True)


def test_every_cutoff_shows():
    assert [topic_of([name], (5, 3), collection=10**6).ranks for name in ("AP", "P@130", "P@131", "P@500")] == [
        131,
        131,
        132,
        501,
    ]


def test_the_collection_is_large_enough_for_the_runs_that_are_looked_at():
    assert topic_of(["P@500"], (5, 3)).collection == 504
    assert topic_of(["AP"], (50_000, 30), (50_000, 30)).collection == 100_060 + 1
    # where its size is said, the runs are shorter
    assert topic_of(["AP"], (5, 3), collection=20).ranks == 17
    assert topic_of(["AP", "OIE(collection=10)"], (5, 3), collection=20).ranks == 7
    assert topic_of(["AP"], (5, 3), collection=2).ranks == 1


def test_only_measures_that_were_not_told_are_told():
    data = judged((5, 3))
    said, unsaid = (TypicalTopic.of(data, [], size) for size in (1000, None))
    assert repr(said.told(parse("OIE"), data)) == "OIE(beta=1.2, collection=1000)"
    assert repr(said.told(parse("ESL"), data)) == "ESL(i=1, collection=1000)"
    assert said.told(parse("OIE(collection=9)"), data) == parse("OIE(collection=9)")
    assert said.told(parse("AP"), data) == parse("AP")
    assert collection_of(unsaid.told(parse("OIE"), data)) == unsaid.collection == 134
    # a search goes on among judged documents, and says so itself
    assert unsaid.told(parse("ESL"), data) == parse("ESL")


@pytest.mark.parametrize("around", ["{}", "gm({})", "interval({})", "gm(interval({}))"])
def test_a_measure_inside_another_is_told_and_asked_like_any(around):
    data = judged((5, 3))
    unsaid = TypicalTopic.of(data, [])
    told = unsaid.told(parse(around.format("OIE@5")), data)
    assert repr(told) == around.format("OIE(beta=1.2, collection=134)@5")
    assert collection_of(told) == 134
    [caveat] = unsaid.assumed([told], None)
    assert "134 are assumed for OIE:" in caveat.text


def test_that_the_size_was_assumed_is_said_where_it_matters():
    data = judged((5, 3))
    unsaid, said = TypicalTopic.of(data, []), TypicalTopic.of(data, [], 1000)
    oie, ap = unsaid.told(parse("OIE"), data), parse("AP")
    matrix = unsaid.matrix([ap])
    [caveat] = unsaid.assumed([ap, oie], matrix)
    assert "134 are assumed for OIE and the constraints:" in caveat.text
    assert "are assumed for the constraints:" in next(unsaid.assumed([ap], matrix)).text
    assert list(unsaid.assumed([ap], None)) == []
    assert list(said.assumed([said.told(parse("OIE"), data)], matrix)) == []


@pytest.mark.parametrize("wrong", [{"collection": 0}, {"recall_base": 0}, {"ranks": -1}, {"collection": 2.5}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(ParameterError, match="must be a whole number from 1 up"):
        topic_of(["AP"], (5, 3), **wrong)
