"""Parameter maps: who is ahead for which value of a parameter."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measurand as md
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.study.parameter_map import parameter_map

DEPTH = 5


def campaign(a, b, *, top=2, skip=False) -> JudgedRuns:
    """Return two systems that have these runs, one a topic; an empty run is a topic left out."""
    depth = max(map(len, [*a, *b]))
    cells = np.array([[[*run, *[-2] * (depth - len(run))] for run in runs] for runs in (a, b)], dtype=np.int8)
    return JudgedRuns(
        systems=("A", "B"),
        topics=tuple(str(topic) for topic in range(len(a))),
        cells=cells,
        lengths=(cells != -2).sum(axis=2),
        grade_counts=np.full((len(a), top + 1), 9),
        skip_missing=skip,
    )


cells = st.sampled_from([0, 0, 1, 1, 2, -1, -2])
runs = st.lists(cells, min_size=DEPTH, max_size=DEPTH)
pairs = st.integers(1, 4).flatmap(lambda n: st.tuples(*[st.lists(runs, min_size=n, max_size=n)] * 2))


def leader(measure, a, b) -> str | None:
    """Return who has the higher mean, by the definition of the measure."""
    one, other = (sum((measure.of(run, grades=3) for run in runs), Fraction(0)) for runs in (a, b))
    return None if one == other else "A" if one > other else "B"


persistences = st.builds(Fraction, st.integers(1, 39), st.just(40))


@given(pair=pairs, p=persistences, name=st.sampled_from(["RBP", "RBP(rel=2)@3", "gRBP(gain='exp2')", "gRBP(gmax=2)"]))
def test_at_any_p_the_leader_is_who_has_the_higher_mean(pair, p, name):
    found = parameter_map(campaign(*pair), "A", "B", name)
    assert found.at(p) == leader(md.parse(name)(p=p), *pair)


@given(pair=pairs, name=st.sampled_from(["P", "P(rel=2)", "gP", "DCG", "DCG(b=2)", "DCG(gain={1: 1, 2: 4})", "RBP"]))
def test_at_any_cutoff_the_leader_is_who_has_the_higher_mean(pair, name):
    found = parameter_map(campaign(*pair), "A", "B", name, over="cutoff")
    for cutoff in range(1, DEPTH + 1):
        assert found.at(cutoff) == leader(md.parse(name) @ cutoff, *pair)


@given(pair=pairs)
def test_at_any_base_the_leader_is_who_has_the_higher_mean(pair):
    found = parameter_map(campaign(*pair), "A", "B", "DCG", over="b")
    for base in range(2, DEPTH + 3):
        assert found.at(base) == leader(md.measures.DCG(b=base), *pair)


@given(pair=pairs, grade=st.integers(1, 2), share=st.integers(0, 12), name=st.sampled_from(["DCG", "gP", "gRBP"]))
def test_for_any_gain_the_leader_is_who_has_the_higher_mean(pair, grade, share, name):
    found = parameter_map(campaign(*pair), "A", "B", name, over="gain", grade=grade)
    gain = Fraction(share, 6) if grade == 1 else 1 + Fraction(share, 3)
    gains = {1: gain, 2: 2} if grade == 1 else {1: 1, 2: gain}
    assert found.at(gain) == leader(md.parse(name)(gain=gains), *pair)


maps = st.sampled_from([("RBP", None), ("DCG", 1), ("DCG", 2), ("gP", 2), ("P", None), ("DCG", None)])


@given(pair=pairs, asked=maps)
def test_segments_and_changes_are_where_the_leader_is(pair, asked):
    name, grade = asked
    found = parameter_map(campaign(*pair), "A", "B", name, grade=grade)
    for one, other in pairwise(found.segments):
        assert one.high is not None
        assert one.high.low + found.steps <= other.low.high
    for each in found.segments:
        high = each.low.high + 2 if each.high is None else each.high.low
        inside = [int(each.low.low), int(high)] if found.steps else [(each.low.high + high) / 2]
        if each.high is None or each.low.low != each.high.high or found.steps:
            assert {found.at(value) for value in inside} == {each.leader}
    leaders = [each.leader for each in found.segments if each.leader]
    assert len(found.changes) == sum(one != other for one, other in pairwise(leaders))
    if not found.steps:
        exact = [value.exact for value in (*found.changes, *found.touches) if value.exact is not None]
        assert [found.at(value) for value in exact] == [None] * len(exact)


@given(pair=pairs, asked=maps)
def test_turned_round_the_map_says_the_same(pair, asked):
    name, grade = asked
    judged = campaign(*pair)
    one, other = (parameter_map(judged, *names, name, grade=grade) for names in (("A", "B"), ("B", "A")))
    assert [each.leader for each in one.segments] == [each.leader for each in other.segments]
    assert [(each.low, each.high) for each in one.changes] == [(each.low, each.high) for each in other.changes]


# at rank 1 A has a lead of 1, at rank 2 one of -4, at rank 3 one of 4: (1 - 2 p)**2
TOUCHING = (
    [(1, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)],
    [(0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0)],
)


@pytest.mark.parametrize(
    ("runs", "name", "options", "sentence"),
    [
        (([(1, 0, 0)], [(0, 1, 1)]), "RBP", {}, "A is ahead for p < 0.618, B above"),
        (([(0, 1, 0)], [(1, 0, 0)]), "RBP", {}, "B is ahead for every p"),
        (([(0, 1, 0)], [(0, 1, -1)]), "RBP", {}, "A and B are level for every p"),
        (TOUCHING, "RBP", {}, "A is ahead for every p but 0.5, where they are level"),
        (([(1, 0, 0, 1)], [(0, 1, 1, 0)]), "P", {}, "A is ahead at cutoff 1, B at 3; level at 2 and 4"),
        (([(1, 0, 0, 0)], [(0, 1, 1, 1)]), "P", {}, "A is ahead at cutoff 1, B from 3 on; level at 2"),
        (([(1, 0, 1)], [(0, 1, 0)]), "P", {}, "A is ahead from cutoff 1 on; but level at 2"),
        (([(1, 0, 0, 0)], [(0, 1, 0, 0)]), "P", {}, "A is ahead at cutoff 1; level from 2 on"),
        (([(1, 0, 0, 0)], [(0, 1, 0, 0)]), "DCG", {}, "A is ahead at every cutoff from 1 to 4"),
        (([(1,)], [(0,)]), "DCG", {}, "A is ahead at cutoff 1"),
        (([(1,)], [(1,)]), "gP", {}, "A and B are level at cutoff 1"),
        (([(1, 0, 0, 0)], [(0, 0, 0, 1)]), "DCG", {"over": "b"}, "A is ahead at bases 2 to 3; level at 4"),
        (([(2, 0)], [(1, 1)]), "gP", {"grade": 2}, "B is ahead where grade 2 is worth less than 2, A above"),
        (([(2, 0)], [(1, 0)]), "gP", {"grade": 2}, "A is ahead whatever grade 2 is worth from 1 up but 1, where they"),
        (([(2, 0)], [(0, 0)]), "gP", {"grade": 1}, "A is ahead whatever grade 1 is worth from 0 to 2"),
        (([(0,), *[(1,)] * 3], [(1,)] * 4), "RBP", {}, "B is ahead for every p"),
    ],
)
def test_the_sentence_says_who_is_ahead_where(runs, name, options, sentence):
    assert parameter_map(campaign(*runs), "A", "B", name, **options).sentence.startswith(sentence)


def test_many_changes_are_counted_not_listed():
    alternating = [tuple(int(rank % 4 in those) for rank in range(16)) for those in ((0, 3), (1, 2))]
    found = parameter_map(campaign([alternating[0]], [alternating[1]]), "A", "B", "P")
    assert len(found.changes) == 7
    assert found.sentence == "the lead changes 7 times; A is ahead first, at cutoff 1, and B last, at 15"


def test_values_close_to_an_end_are_written_with_enough_digits():
    judged = campaign([(1, 0)], [(0, 2)])
    found = parameter_map(judged, "A", "B", "gRBP(gain={1: 1, 2: 100001})")
    assert found.sentence == "A is ahead for p < 0.00001, B above"


def test_the_cutoff_of_the_measure_comes_before_the_depth():
    judged = campaign([(1, 0, 0, 0)], [(0, 0, 0, 1)])
    assert repr(parameter_map(judged, "A", "B", "RBP@4", depth=2).measure) == "RBP(p=0.8)@4"
    assert repr(parameter_map(judged, "A", "B", "RBP", depth=2).measure) == "RBP(p=0.8)@2"
    assert parameter_map(judged, "A", "B", "P@9").ends[1].exact == 4


def test_topics_that_either_left_out_do_not_count_where_they_are_skipped():
    a, b = [(1, 0), (), (0, 0)], [(0, 1), (1, 1), ()]
    assert parameter_map(campaign(a, b), "A", "B", "P").at(2) == "B"
    found = parameter_map(campaign(a, b, skip=True), "A", "B", "P")
    assert (found.at(1), found.at(2), found.topics) == ("A", None, 1)
    assert "2 topics that either left out are not compared" in [caveat.text for caveat in found.caveats]


@pytest.mark.parametrize("name", ["AP", "nDCG@10", "RR", "gR", "Success@5", "gm(AP)", "DCG(judged_only=True)", "Bpref"])
def test_a_measure_that_is_no_sum_of_gains_is_refused_with_those_that_are(name):
    with pytest.raises(ParameterError, match=r"^[^.\n]* has no map; maps are of RBP and gRBP over p, DCG, SDCG, P, gP"):
        parameter_map(campaign([(1,)], [(0,)]), "A", "B", name)


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("DCG", {"over": "p"}, "DCG has no map over 'p', only over cutoff, b and gain"),
        ("P", {"over": "gain"}, "P has no map over 'gain', only over cutoff;"),
        ("P", {"over": "cutof"}, "over must be one of 'cutoff', not 'cutof'; did you mean 'cutoff'?"),
        ("DCG", {"over": "gain"}, "needs the grade whose gain it is; write grade=1"),
        ("DCG", {"over": "gain", "grade": 4}, "there is no grade 4; the grades are 1 to 3"),
        ("DCG", {"over": "b", "grade": 1}, "grade=1 belongs to over='gain', not to over='b'"),
        ("DCG(gain='1=5,3=4')", {"grade": 2}, "a lower grade than 2 is worth 5, a higher one 4;"),
    ],
)
def test_what_cannot_be_mapped_is_said_in_one_sentence(name, options, complaint):
    with pytest.raises(ParameterError) as error:
        parameter_map(campaign([(1, 0)], [(0, 2)], top=3), "A", "B", name, **options)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("options", "value"),
    [({}, 1), ({}, 0), ({"over": "cutoff"}, 3), ({"over": "cutoff"}, 0), ({"over": "cutoff"}, 1.5)],
)
def test_a_value_that_the_parameter_cannot_have_is_refused(options, value):
    found = parameter_map(campaign([(1, 0)], [(0, 2)]), "A", "B", "RBP", **options)
    with pytest.raises(ParameterError, match="must be"):
        found.at(value)


@pytest.mark.parametrize(
    ("name", "grade", "value"),
    [
        ("DCG", 2, "3.5"),
        ("SDCG", 2, "3.5"),
        ("gP", 2, "3.5"),
        ("INSQ@3", 1, "0.5"),
        ("gRBP", 1, "0.5"),
        ("RBP", None, "0.3"),
    ],
)
def test_differences_are_those_of_the_means(name, grade, value):
    a, b = [(1, 0, 2), (0, 2, 1)], [(0, 1, 2), (2, 0, 0)]
    found = parameter_map(campaign(a, b), "A", "B", name, grade=grade)
    gains = {"gain": {1: 1, 2: 2} | {grade: value}} if grade else {"p": value}
    measure = md.parse(name)(**gains)
    ours, theirs = (sum(measure.value(run, grades=3) for run in runs) for runs in (a, b))
    assert found.differences(np.array([float(value)]))[0] == pytest.approx((ours - theirs) / 2)


def test_a_change_of_a_logarithmic_measure_is_enclosed_as_closely_as_one_likes():
    found = parameter_map(campaign([(2, 0, 0, 0)], [(0, 1, 1, 1)]), "A", "B", "DCG", grade=2)
    (change,) = found.changes
    close = change.narrowed("1e-60")
    assert change.exact is None
    assert close.high - close.low <= Fraction(1, 10**60)
    assert (found.at(close.low), found.at(close.high)) == ("B", "A")


def test_programs_get_segments_with_exact_ends():
    found = parameter_map(campaign([(1, 0)], [(0, 2)], top=2), "A", "B", "RBP")
    assert found.to_polars().rows() == [(0.0, 0.5, "A"), (0.5, 1.0, "B")]
    data = json.loads(json.dumps(found.to_dict()))
    assert data["changes"] == [{"low": "1/2", "high": "1/2", "value": 0.5}]
    assert data["sentence"] == "A is ahead for p < 0.5, B above"


@pytest.mark.parametrize("name", ["RBP", "DCG", "gP"])
@pytest.mark.parametrize("runs", [([(1, 0, 0)], [(0, 1, 1)]), ([(1,)], [(1,)]), TOUCHING])
def test_the_drawing_has_the_sentence_above_it_and_a_colour_for_everyone_who_leads(name, runs):
    found = parameter_map(campaign(*runs), "A", "B", name)
    chart = found.plot().to_dict()
    assert " ".join(chart["title"]["text"]) == found.sentence
    there = {"level" if each.leader is None else f"{each.leader} is ahead" for each in found.segments}
    assert set(chart["layer"][1]["encoding"]["color"]["scale"]["domain"]) == there
    drawn = {row["who"] for row in chart["layer"][1]["data"]["values"]}
    assert drawn == there


def test_the_drawing_of_a_gain_without_an_upper_end_shows_the_change():
    found = parameter_map(campaign([(2, 0)], [(1, 1)]), "A", "B", "gP", grade=2)
    chart = found.plot().to_dict()
    low, high = chart["layer"][1]["encoding"]["x"]["scale"]["domain"]
    assert low < 2 < high
    assert [row["text"] for row in chart["layer"][-1]["data"]["values"]] == ["2"]
