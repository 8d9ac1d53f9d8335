"""Dominance: which system is better on a topic under every measure that respects replacement and swap."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import parse
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.judged import JudgedRuns, TieGroups
from measurand.orders import ORDERS, Relation, adjacent_swaps, compare, from_moves, replacements, swaps
from measurand.study.dominance import COUNTS_ALONE, dominance
from measurand.study.dominance_matrix import dominance_matrix

patient = settings(deadline=None)  # the first example may have to load scipy
CODES = {Relation.GREATER: 1, Relation.EQUAL: 0, Relation.LESS: -1, Relation.INCOMPARABLE: 2}
TURNED = {1: -1, 0: 0, -1: 1, 2: 2, 3: 3}
RESPECTING = (
    *("AP", "AP@3", "P", "P@1", "P@4", "P(rel=2)@3", "RR", "RR@2", "RBP(p=0.3)", "RBP(p=0.8)@3", "DCG", "DCG(b=2)@4"),
    *("nDCG", "nDCG@2", "ERR(gmax=3)", "ERR(gmax=3)@3", "R@2", "gRBP(p=0.5)"),
)


def judged_runs(cells, **options) -> JudgedRuns:
    """Return judged runs of cells by system, topic and rank."""
    array = np.array(cells, dtype=np.int8)
    lengths = options.pop("lengths", (array != -2).sum(axis=2))
    return JudgedRuns(
        systems=tuple("abcdefgh"[: array.shape[0]]),
        topics=tuple(f"t{t}" for t in range(array.shape[1])),
        cells=array,
        lengths=np.array(lengths),
        grade_counts=np.full((array.shape[1], 4), 9),
        **options,
    )


@st.composite
def campaigns(draw, systems=(1, 4), topics=(1, 3), depths=(1, 6), cells=(-3, 3)):
    shape = [draw(st.integers(*bounds)) for bounds in (systems, topics, depths)]
    size = int(np.prod(shape))
    flat = draw(st.lists(st.integers(*cells), min_size=size, max_size=size))
    return judged_runs(np.reshape(flat, shape), lengths=np.full(shape[:2], shape[2]))


# The relation on a topic is that of the order.


@given(judged=campaigns())
@patient
def test_every_pair_of_systems_stands_on_every_topic_as_the_order_says(judged):
    matrix = dominance_matrix(judged)
    for (i, a), (j, b), (t, topic) in product(*map(enumerate, (judged.systems, judged.systems, judged.topics))):
        expected = compare(judged.cells[i, t], judged.cells[j, t])
        assert matrix.relations[i, j, t] == CODES[expected]
        found = dominance(judged, a, b)
        assert found.relations[t] is expected
        assert found.why(topic).relation is expected


@pytest.mark.parametrize(("depth", "grades"), [(1, 2), (2, 2), (3, 2), (4, 2), (3, 3)])
def test_all_runs_of_a_length_stand_to_each_other_as_the_order_says(depth, grades):
    runs = list(product(range(grades), repeat=depth))
    found = dominance_matrix(JudgedRuns.on_one_topic(runs, (9,) * grades)).relations[:, :, 0]
    assert found.tolist() == [[CODES[compare(r, s)] for s in runs] for r in runs]


@pytest.mark.spec("FFF-Fig2-incomp")
def test_measures_disagree_on_the_ten_incomparable_pairs_of_four_ranks():
    runs = ["".join(run) for run in product("01", repeat=4)]
    matrix = dominance_matrix(JudgedRuns.on_one_topic([tuple(map(int, run)) for run in runs], (9, 4)))
    assert {(runs[i], runs[j]) for i, j in np.argwhere(np.triu(matrix.incomparable))} == {
        ("0011", "0100"),
        ("0011", "1000"),
        ("0101", "1000"),
        ("0110", "1000"),
        ("0110", "1001"),
        ("0111", "1000"),
        ("0111", "1001"),
        ("0111", "1010"),
        ("0111", "1100"),
        ("1011", "1100"),
    }


@given(judged=campaigns(depths=(2, 6)), data=st.data())
@patient
def test_what_is_decided_at_a_depth_is_decided_at_every_cutoff_above(judged, data):
    cutoff = data.draw(st.integers(1, judged.depth))
    deep, shallow = dominance_matrix(judged).relations, dominance_matrix(judged, depth=cutoff).relations
    assert np.isin(shallow[deep == 1], (0, 1)).all()
    assert (shallow[deep == 0] == 0).all()
    cut = judged_runs(judged.cells[:, :, :cutoff])
    assert (dominance_matrix(cut).relations == shallow).all()
    a, b = judged.systems[0], judged.systems[-1]
    assert dominance(judged, a, b, depth=cutoff).relations == dominance(cut, a, b).relations


def test_ranks_beyond_16_bits_are_told_apart():
    cells = np.zeros((2, 1, 40_000), dtype=np.int8)
    cells[0, 0, 39_000] = cells[1, 0, 39_999] = 1
    assert dominance(judged_runs(cells), "a", "b").wins == 1


@pytest.mark.parametrize("spelling", RESPECTING)
@pytest.mark.parametrize(("depth", "grades"), [(5, 2), (4, 3), (3, 4)])
def test_every_measure_that_respects_the_order_scores_the_better_of_two_runs_at_least_as_high(spelling, depth, grades):
    runs = list(product(range(grades), repeat=depth))
    found = dominance_matrix(JudgedRuns.on_one_topic(runs, (9,) * grades)).relations[:, :, 0]
    values = [parse(spelling).of(run, grade_counts=(9,) * grades) for run in runs]
    assert all(values[better] >= values[worse] for better, worse in np.argwhere(found == 1))


@given(judged=campaigns(systems=(2, 3), topics=(1, 2), cells=(-2, 3)))
@settings(max_examples=10, deadline=None)
def test_no_measure_contradicts_what_is_decided_where_documents_are_unjudged_or_missing(judged):
    matrix, counts = dominance_matrix(judged), (9, 9, 9, 9)
    for spelling, t in product(RESPECTING, range(len(judged.topics))):
        values = [parse(spelling).of(run, grade_counts=counts) for run in judged.cells[:, t]]
        assert all(values[a] >= values[b] for a, b in np.argwhere(matrix.relations[:, :, t] == 1))
        assert all(values[a] == values[b] for a, b in np.argwhere(matrix.relations[:, :, t] == 0))


@given(judged=campaigns(systems=(2, 2)))
@patient
def test_where_neither_wins_two_measures_are_named_that_disagree(judged):
    found = dominance(judged, "a", "b")
    for t, topic in enumerate(found.topics):
        named = found.disagreeing(topic)
        assert (named is None) == (topic not in found.undecided)
        if named:
            mine, other = map(parse, named)
            a, b = judged.cells[:, t]
            assert mine.of(a) > mine.of(b)
            assert other.of(a) < other.of(b)


# What is counted.


@given(judged=campaigns(topics=(1, 6)))
@patient
def test_counts_and_topics_agree_between_pairs_and_all_at_once(judged):
    matrix = dominance_matrix(judged)
    for (i, a), (j, b) in product(enumerate(judged.systems), repeat=2):
        one, same = dominance(judged, a, b), matrix.of(a, b)
        assert one.relations == same.relations
        assert one.topics == same.topics == judged.topics
        counts = (one.wins, one.losses, one.ties, one.incomparable)
        assert counts == tuple(int(m[i, j]) for m in (matrix.wins, matrix.losses, matrix.ties, matrix.incomparable))
        assert counts == tuple(map(len, (one.won, one.lost, one.tied, one.undecided)))
        assert sum(counts) == len(judged.topics)
        assert sorted(one.won + one.lost + one.tied + one.undecided) == sorted(judged.topics)
        assert matrix.everywhere(a, b) == (one.losses == one.incomparable == 0)


@given(judged=campaigns())
@patient
def test_turning_a_comparison_round_turns_what_it_says(judged):
    matrix = dominance_matrix(judged)
    turned = np.vectorize(TURNED.get)(matrix.relations).transpose(1, 0, 2)
    assert (matrix.relations == turned).all()
    assert (matrix.wins == matrix.losses.T).all()


@given(judged=campaigns(systems=(1, 5), depths=(1, 3), cells=(0, 1)))
@patient
def test_an_undominated_system_is_beaten_by_nobody_on_all_topics(judged):
    def beats(a, b):
        found = dominance(judged, a, b)
        return found.wins and not found.losses and not found.incomparable

    expected = tuple(b for b in judged.systems if not any(beats(a, b) for a in judged.systems))
    assert dominance_matrix(judged).undominated() == expected
    assert expected


def test_progress_is_shown_topic_by_topic():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    dominance_matrix(judged_runs([[[1], [0]]]), progress=progress)
    assert seen == [(2, "topics compared")]


# The counts claim nothing beyond themselves.


def decided(wins: int, losses: int) -> JudgedRuns:
    """Return two systems of which the first wins and loses so many topics."""
    return judged_runs([[[1, 0]] * wins + [[0, 1]] * losses, [[0, 1]] * wins + [[1, 0]] * losses])


def test_a_system_that_wins_six_topics_and_loses_none_can_have_the_lower_mean():
    judged = judged_runs([[[1, 0, 0]] * 7, [[0, 1, 0]] * 6 + [[0, 1, 1]]])
    found = dominance(judged, "a", "b")
    assert (found.wins, found.ties, found.losses, found.incomparable) == (6, 0, 0, 1)
    above, below = parse("RR@3").scores(judged).mean(), parse("P@3").scores(judged).mean()
    assert above["a"] > above["b"]
    assert below["a"] < below["b"]
    assert str(found).endswith(f"{COUNTS_ALONE}.")


def test_the_counts_do_not_say_that_either_system_may_come_first():
    # no measure that respects the order puts b first: 5 m(11) + m(00) is never below 5 m(00) + m(10)
    judged = judged_runs([[[1, 1]] * 5 + [[0, 0]], [[0, 0]] * 5 + [[1, 0]]])
    found = dominance(judged, "a", "b")
    assert (found.wins, found.losses, found.incomparable) == (5, 1, 0)
    assert str(found).endswith(f"{COUNTS_ALONE}.")


@given(judged=campaigns(systems=(2, 2), topics=(1, 5)))
@patient
def test_where_a_system_is_at_least_as_good_on_every_topic_no_mean_puts_it_behind(judged):
    found = dominance(judged, "a", "b")
    settled = len(judged.topics) in (found.wins + found.ties, found.losses + found.ties)
    assert (COUNTS_ALONE in str(found)) is not settled
    assert dominance_matrix(judged).settled is settled
    if dominance_matrix(judged).everywhere("a", "b"):
        for spelling in ("P@2", "RR", "RBP(p=0.8)", "DCG"):
            means = parse(spelling).scores(judged).mean()
            assert means["a"] >= means["b"] - 1e-12


def test_no_test_is_made_on_the_topics_won_and_lost():
    matrix = dominance_matrix(decided(6, 0))
    assert not {"pvalue", "pvalues", "adjust"} & (set(dir(matrix)) | set(dir(matrix.of("a", "b"))))
    assert "pvalue" not in matrix.table().columns


# What people read.


def test_a_dominance_counts_topics_and_says_what_the_counts_do_not_mean():
    judged = judged_runs(
        [
            [[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]],
            [[0, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]],
        ]
    )
    assert str(dominance(judged, "a", "b")) == (
        "On 1 of 4 topics every measure that respects replacement and swap ranks a at least as high as b, on 1 it ranks"
        " b at least as high as a; on 1 they have the same grades, and on 1 such measures disagree. These counts of"
        " single topics do not say who is ahead over all topics."
    )
    assert repr(dominance(judged, "a", "b")) == "<Dominance of a over b: 1 won, 1 lost, 1 tied, 1 undecided>"
    assert repr(dominance_matrix(judged)) == "<DominanceMatrix: 2 systems × 2 systems, 4 topics × 3 ranks>"


def test_tables_have_a_row_for_every_topic_and_for_every_pair():
    judged = judged_runs([[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 1], [0, 1]]])
    assert dominance(judged, "a", "b").table().rows() == [("t0", "greater"), ("t1", "equal")]
    table = dominance_matrix(judged).table()
    assert table.columns == ["a", "b", "wins", "losses", "ties", "incomparable"]
    assert table.rows() == [("a", "b", 1, 0, 1, 0), ("a", "c", 1, 1, 0, 0), ("b", "c", 0, 1, 1, 0)]


def test_results_cannot_be_written_to():
    matrix = dominance_matrix(decided(2, 1))
    for array in (matrix.relations, matrix.wins, matrix.better_everywhere, matrix.of("a", "b").runs):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


# Odd input.


def test_a_system_against_itself_ties_on_every_topic():
    found = dominance(judged_runs([[[1, 0], [0, 2]]]), "a", "a")
    assert (found.wins, found.losses, found.ties, found.incomparable) == (0, 0, 2, 0)


@pytest.mark.parametrize("pair", [("a", "x"), ("x", "a")])
def test_an_unknown_system_is_refused_with_those_there_are(pair):
    judged = decided(1, 1)
    for ask in (lambda a, b: dominance(judged, a, b), dominance_matrix(judged).of, dominance_matrix(judged).everywhere):
        with pytest.raises(ParameterError, match="there is no system 'x'; there is a, b"):
            ask(*pair)


def test_an_unknown_topic_is_refused():
    with pytest.raises(ParameterError, match="not compared on a topic 'x'"):
        dominance(decided(1, 1), "a", "b").why("x")


@pytest.mark.parametrize("depth", [0, -1, 3, 1.5])
def test_an_impossible_depth_is_refused(depth):
    with pytest.raises(ParameterError):
        dominance_matrix(decided(1, 1), depth=depth)
    with pytest.raises(ParameterError):
        dominance(decided(1, 1), "a", "b", depth=depth)


def test_one_system_is_undominated_and_has_no_pairs():
    matrix = dominance_matrix(judged_runs([[[1, 0]]]))
    assert matrix.undominated() == ("a",)
    assert matrix.table().rows() == []
    assert matrix.table().columns[:2] == ["a", "b"]


@pytest.mark.parametrize("depth", [0, 2])
def test_empty_runs_tie(depth):
    judged = judged_runs(np.full((2, 3, depth), -2), lengths=np.zeros((2, 3), dtype=int))
    found = dominance(judged, "a", "b")
    assert (found.ties, found.depth) == (3, depth)
    assert found.why("t0").why == "the two have the same grades"


def test_an_empty_run_loses_to_one_that_found_something_relevant_and_ties_with_one_that_did_not():
    judged = judged_runs([[[-2, -2], [-2, -2]], [[0, -1], [0, 1]]])
    assert dominance(judged, "a", "b").relations == (Relation.EQUAL, Relation.LESS)


def test_unjudged_and_pooled_documents_count_as_grade_0():
    judged = judged_runs([[[-1, -3, 1]], [[0, 0, 1]]])
    assert dominance(judged, "a", "b").ties == 1


def test_no_topics_at_all_decide_nothing():
    judged = judged_runs(np.zeros((2, 0, 3)))
    found = dominance(judged, "a", "b")
    assert found.topics == ()
    assert not dominance_matrix(judged).everywhere("a", "b")
    assert found.table().rows() == []
    assert "On 0 of 0 topics" in str(found)


def test_topics_that_either_left_out_are_left_out_if_missing_topics_are_skipped():
    cells = [[[1, 0], [-2, -2], [0, 1]], [[0, 1], [1, 0], [0, 1]], [[-2, -2], [-2, -2], [-2, -2]]]
    zero, skip = judged_runs(cells), judged_runs(cells, skip_missing=True)
    assert dominance(zero, "a", "b").relations == (Relation.GREATER, Relation.LESS, Relation.EQUAL)
    matrix = dominance_matrix(skip)
    for found in (dominance(skip, "a", "b"), matrix.of("a", "b")):
        assert found.topics == ("t0", "t2")
        assert found.relations == (Relation.GREATER, Relation.EQUAL)
        assert found.runs.tolist() == [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]
        assert [found.why(topic).relation for topic in found.topics] == list(found.relations)
        assert Caveat(CaveatKind.MISSING_TOPICS, "1 topic that either left out is not compared") in found.caveats
        with pytest.raises(ParameterError, match="t1"):
            found.why("t1")
    assert matrix.relations[0, 1].tolist() == [1, 3, 0]
    assert matrix.everywhere("a", "b")
    assert not matrix.everywhere("a", "c")
    assert not matrix.everywhere("c", "a")
    nothing = dominance(skip, "b", "c")
    assert nothing.topics == ()
    assert Caveat(CaveatKind.MISSING_TOPICS, "3 topics that either left out are not compared") in nothing.caveats


def test_caveats_of_the_judged_runs_travel_along_and_tie_groups_add_one():
    few = Caveat(CaveatKind.FEW_JUDGED, "few documents are judged")
    cells = np.array([[[1, 0]], [[0, 1]]], dtype=np.int8)
    groups = TieGroups(cells, np.array([[[False, True]], [[False, False]]]))
    judged = judged_runs(cells, caveats=(few,), groups=groups)
    matrix = dominance_matrix(judged)
    assert [caveat.kind for caveat in matrix.caveats] == [CaveatKind.FEW_JUDGED, CaveatKind.TIES]
    assert dominance(judged, "a", "b").caveats[:2] == matrix.caveats
    untied = judged_runs(cells, caveats=(few,), groups=TieGroups(cells, np.zeros((2, 1, 2), dtype=bool)))
    assert dominance_matrix(untied).caveats == (few,)
    cut = judged_runs(cells[:, :, :1], groups=groups)  # the depth leaves the tie group one document
    assert [caveat.kind for caveat in dominance_matrix(cut).caveats] == [CaveatKind.TIES]


def test_on_real_runs_no_measure_contradicts_what_dominance_decides(data):
    from measurand import judge, read_qrels, read_runs

    folder = data / "trec-covid-r1"
    judged = judge(read_runs(sorted((folder / "runs").iterdir())), read_qrels(folder / "qrels-rnd1.txt.gz"), depth=100)
    matrix = dominance_matrix(judged)
    won = matrix.relations == 1
    assert won.any()
    for spelling in ("AP", "P@10", "RR", "RBP(p=0.8)", "nDCG@30", "ERR@20", "R@100"):
        values = parse(spelling).scores(judged).values
        # rounding may part scores that are equal, by next to nothing
        assert (values[:, None] >= values[None] - 1e-12)[won].all()
    for i, t in product(range(len(judged.systems)), range(0, len(judged.topics), 7)):
        assert matrix.relations[i, 0, t] == CODES[compare(judged.cells[i, t], judged.cells[0, t])]


# The order may be another one, or one's own.


OWN = from_moves(swaps, replacements, name="own", grades=4)


@given(judged=campaigns(systems=(2, 2), depths=(1, 3)))
@patient
def test_in_any_order_topics_are_won_and_lost_as_the_order_says(judged):
    for order in (*ORDERS, OWN, from_moves(adjacent_swaps)):
        found = dominance(judged, "a", "b", order=order)
        expected = [compare(judged.cells[0, t], judged.cells[1, t], order) for t in range(len(judged.topics))]
        assert list(found.relations) == expected
        counts = (found.wins, found.losses, found.ties, found.incomparable)
        names = (Relation.GREATER, Relation.LESS, Relation.EQUAL, Relation.INCOMPARABLE)
        assert counts == tuple(map(expected.count, names))
        assert found.why(judged.topics[0]).relation is expected[0]
    assert dominance(judged, "a", "b", order=OWN).relations == dominance(judged, "a", "b").relations


def test_counts_in_an_order_of_one_s_own_say_for_which_measures_they_hold():
    judged = judged_runs([[[0, 1, 0]], [[0, 0, 1]]])
    found = dominance(judged, "a", "b", order=from_moves(adjacent_swaps, name="ladder"))
    assert str(found).startswith("On 1 of 1 topic every measure that respects the moves of ladder ranks a at least")
    assert found.document().tables[0].title.endswith("under every measure that respects the moves of ladder")
    assert found.disagreeing("t0") is None


def test_runs_of_one_rank_are_not_advised_to_be_shorter():
    order = from_moves(lambda run, grades: [(run[0] + 2,)] if run[0] + 2 < grades else [], most=1)
    judged = judged_runs([[[0]], [[1]]])
    with pytest.raises(NotAvailable) as told:
        dominance(judged, "a", "b", depth=1, order=order)
    assert "depth=0" not in str(told.value)


def test_a_topic_whose_runs_are_too_long_to_compare_is_named():
    judged = judged_runs([[[0, 1, 0, 0, 1, 0]], [[1, 0, 0, 0, 0, 2]]])
    order = from_moves(swaps, replacements, most=300)
    with pytest.raises(NotAvailable, match=r"^topic t0: .* 303 runs .* or fewer ranks: depth=3"):
        dominance(judged, "a", "b", order=order)


def test_topics_that_a_system_left_out_are_left_out_in_every_order():
    judged = judged_runs([[[1, 0], [1, 0]], [[0, 1], [-2, -2]]], lengths=[[2, 2], [2, 0]], skip_missing=True)
    assert dominance(judged, "a", "b", order="replacement").topics == ("t0",)
