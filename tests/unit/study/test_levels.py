"""Levels: for which measures one system is at least as good as another, checked against the definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import measurand as md
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.measures.at_least_as_good import AtLeastAsGood
from measurand.orders import Relation, compare
from measurand.study import matching
from measurand.study.level_classes import LEVELS, Level
from measurand.study.levels_matrix import PairLevel, transitive_reduction

patient = settings(deadline=None, max_examples=30)
DATA = Path(__file__).parents[4] / "shared" / "data" / "trec-dl-passage-fusion"


def judged_runs(cells, counts=None, **options) -> JudgedRuns:
    """Return judged runs of cells by system, topic and rank."""
    array = np.array(cells, dtype=np.int8)
    return JudgedRuns(
        systems=tuple("abcdefgh"[: array.shape[0]]),
        topics=tuple(f"t{t}" for t in range(array.shape[1])),
        cells=array,
        lengths=(array != -2).sum(axis=2),
        grade_counts=np.array(counts if counts is not None else np.full((array.shape[1], 4), 9)),
        **options,
    )


@st.composite
def campaigns(draw, systems=(2, 3), topics=(1, 4), depths=(1, 4), skip=False):
    """Return small campaigns in which levels hold often: some systems have worse runs of others, on other topics."""
    n, t, depth = (draw(st.integers(*bounds)) for bounds in (systems, topics, depths))
    runs = st.lists(st.integers(-2, 3), min_size=depth, max_size=depth)
    cells = [draw(st.lists(runs, min_size=t, max_size=t)) for _ in range(n)]
    for later in range(1, n):
        if draw(st.booleans()):
            order = draw(st.permutations(range(t)))
            worse = draw(st.lists(st.integers(0, 1), min_size=depth, max_size=depth))
            cells[later] = [[cell - less for cell, less in zip(cells[0][p], worse, strict=True)] for p in order]
    array = np.maximum(np.array(cells), -2)
    if skip:
        array[np.array(draw(st.lists(st.lists(st.booleans(), min_size=t, max_size=t), min_size=n, max_size=n)))] = -2
    bases = draw(st.lists(st.integers(0, 4), min_size=t, max_size=t))
    # judgments that hold at least what was found
    found = np.array([[(array[:, k] == grade).sum() for grade in range(4)] for k in range(t)])
    return judged_runs(array, found + np.array(bases)[:, None], skip_missing=skip)


def pair_of(judged: JudgedRuns, a: str = "a", b: str = "b") -> tuple[list, list, list[int]]:
    """Return the runs of two systems on the topics that both have, as tuples of grades, and these topics."""
    i, j = judged.systems.index(a), judged.systems.index(b)
    both = judged.present[i] & judged.present[j] if judged.skip_missing else np.ones(len(judged.topics), dtype=bool)
    kept = np.flatnonzero(both).tolist()
    runs = np.maximum(judged.cells, 0)
    return [tuple(runs[i, t].tolist()) for t in kept], [tuple(runs[j, t].tolist()) for t in kept], kept


def better(r, s) -> bool:
    return compare(r, s) in (Relation.GREATER, Relation.EQUAL)


def count(runs, rank: int, grade: int) -> int:
    return sum(cell >= grade for run in runs for cell in run[:rank])


def places(judged: JudgedRuns) -> list[tuple[int, int]]:
    """Return every rank and every grade up to the highest that was judged."""
    highest = int(np.flatnonzero(judged.grade_counts.sum(axis=0)).max(initial=0))
    return list(product(range(1, judged.depth + 1), range(1, highest + 1)))


def up_sets(runs) -> list[tuple]:
    """Return the runs that generate each measure with values 0 and 1."""
    different = list(dict.fromkeys(runs))
    return [some for size in range(1, len(different) + 1) for some in combinations(different, size)]


def reaches(run, some) -> bool:
    return any(better(run, least) for least in some)


# Each level by its definition.


@given(judged=campaigns() | campaigns(skip=True))
@patient
def test_every_level_is_what_its_definition_says(judged):
    ours, theirs, kept = pair_of(judged)
    found, converse = md.levels(judged, "a", "b"), md.levels(judged, "b", "a")
    if not kept:
        assert not any(found.verdicts.values())
        assert found.sentence == "a and b have no topic in common."
        return
    additive = all(count(ours, *place) >= count(theirs, *place) for place in places(judged))
    matched = any(all(map(better, order, theirs)) for order in permutations(ours))
    assert list(map(bool, found.verdicts.values())) == [all(map(better, ours, theirs)), matched, additive]
    for level, verdict in found.verdicts.items():
        both = bool(verdict) and bool(converse.verdicts[level])
        assert verdict.tied == both
        assert verdict.strict == (bool(verdict) and not both)
    assert found.topics.tied == (ours == theirs)
    assert found.every_measure.tied == (sorted(ours) == sorted(theirs))


@given(judged=campaigns())
@patient
def test_the_reversing_measure_gives_the_other_system_the_largest_lead_that_any_measure_gives_it(judged):
    ours, theirs, _ = pair_of(judged)
    found = md.levels(judged, "a", "b")
    leads = [
        Fraction(sum(reaches(run, some) for run in theirs) - sum(reaches(run, some) for run in ours), len(ours))
        for some in up_sets(theirs)
    ]
    assert found.largest_lead == max(0, *leads)
    witness = found.every_measure.witness
    assert (witness is None) == bool(found.every_measure)
    if witness is not None:
        values = witness.scores(judged).values
        assert values[1].sum() - values[0].sum() == found.largest_lead * len(ours) > 0
        assert md.axioms.is_measurement(witness, depth=judged.depth, grades=4).how == "proved"
        exact = [[witness.of(judged.cells[s, t]) for t in range(len(ours))] for s in (0, 1)]
        assert values[:2].tolist() == exact


@given(judged=campaigns())
@patient
def test_the_witness_of_the_additive_level_is_the_smallest_rank_and_grade_at_which_the_other_has_more(judged):
    ours, theirs, _ = pair_of(judged)
    behind = [place for place in places(judged) if count(ours, *place) < count(theirs, *place)]
    assert md.levels(judged, "a", "b").additive.witness == (min(behind) if behind else None)


@given(judged=campaigns())
@patient
def test_the_witness_of_topics_is_a_topic_a_rank_and_a_grade_at_which_the_other_has_more(judged):
    ours, theirs, _ = pair_of(judged)
    verdict = md.levels(judged, "a", "b").topics
    if not verdict:
        topic, rank, grade = verdict.witness
        t = judged.topics.index(topic)
        assert not better(ours[t], theirs[t])
        assert all(map(better, ours[:t], theirs[:t]))
        assert count([ours[t]], rank, grade) < count([theirs[t]], rank, grade)


@given(judged=campaigns(), rel=st.integers(1, 2))
@patient
def test_the_level_of_ap_and_r_is_about_measures_that_are_divided_by_the_recall_base(judged, rel):
    ours, theirs, kept = pair_of(judged)
    bases = judged.recall_bases(rel)[kept].tolist()

    def relevant(runs):
        return [tuple(int(cell >= rel) for cell in run) for run, base in zip(runs, bases, strict=True) if base]

    weights = [Fraction(1, base) for base in bases if base]
    ours, theirs = relevant(ours), relevant(theirs)
    leads = [
        sum(w * (reaches(b, some) - reaches(a, some)) for a, b, w in zip(ours, theirs, weights, strict=True))
        for some in up_sets(theirs)
    ]
    found = md.levels(judged, "a", "b").recall_based(rel)
    assert found.lead == max([Fraction(0), *leads]) / len(kept)
    assert bool(found) == (found.lead == 0)
    if not found:
        means = found.witness.scores(judged).mean()
        assert means["b"] - means["a"] == pytest.approx(float(found.lead))
    else:
        for name in ("AP", "R", f"R@{max(1, judged.depth - 1)}"):
            means = md.parse(name)(rel=rel).scores(judged).mean()
            assert means["a"] >= means["b"] - 1e-12
        assert found.tied == bool(md.levels(judged, "b", "a").recall_based(rel))


@given(judged=campaigns(), some=st.data())
@patient
def test_every_measure_of_a_level_that_holds_agrees(judged, some):
    found = md.levels(judged, "a", "b")
    runs = st.lists(st.integers(0, 3), min_size=judged.depth, max_size=judged.depth)
    any_measure = AtLeastAsGood(runs=some.draw(st.lists(runs, min_size=1, max_size=3)))
    for measure in (any_measure, *map(md.parse, ("P@2", "gP@2", "RR", "ERR(gmax=3)", "AP", "nDCG", "DCG"))):
        if found.decides(measure):
            means = measure.scores(judged).mean()
            assert means["a"] >= means["b"] - 1e-12
    if found.every_measure:
        assert found.decides(any_measure)


@given(judged=campaigns(topics=(1, 6)))
@patient
def test_many_runs_are_matched_as_a_flow_with_the_same_result(judged):
    expected = md.levels(judged, "a", "b"), md.levels_matrix(judged)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "SMALL", 0)
        found = md.levels(judged, "a", "b"), md.levels_matrix(judged)
    assert found[0].largest_lead == expected[0].largest_lead
    assert (found[1].every_measure == expected[1].every_measure).all()


# All pairs at once.


@given(judged=campaigns() | campaigns(skip=True), block=st.sampled_from((1, 2**26)))
@patient
def test_the_matrix_says_of_every_pair_what_the_pair_says(judged, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("measurand.study.every_pair.BLOCK", block)
        matrix = md.levels_matrix(judged)
    for (i, a), (j, b) in product(enumerate(judged.systems), repeat=2):
        found = md.levels(judged, a, b)
        assert {level: matrix.at(level)[i, j] for level in LEVELS} == {
            level: bool(verdict) for level, verdict in found.verdicts.items()
        }
        assert matrix.p[i, j] == pytest.approx(found.p)
        assert matrix.additive_significant[i, j] == found.additive_significant
    assert (matrix.dominance.relations == md.dominance_matrix(judged).relations).all()
    assert matrix.strongest.tolist() == [
        [max([0, *(level.strength for level in LEVELS if matrix.ahead(level)[i, j])]) for j in range(len(row))]
        for i, row in enumerate(matrix.strongest)
    ]


def test_p_values_are_corrected_over_pairs_or_over_those_with_the_baseline():
    rng = np.random.default_rng(1)
    cells = rng.random((4, 30, 3)) < np.array([0.9, 0.6, 0.5, 0.1])[:, None, None]
    judged = judged_runs(cells, np.full((30, 2), 9))
    matrix = md.levels_matrix(judged)
    upper = np.triu_indices(4, 1)
    raw = np.minimum(matrix.p[upper], matrix.p.T[upper])
    ordered = np.maximum.accumulate(np.sort(raw) * np.arange(6, 0, -1)).clip(max=1)
    assert np.sort(np.minimum(matrix.corrected, matrix.corrected.T)[upper]) == pytest.approx(ordered)
    assert matrix.additive_significant.sum() >= matrix.significant.sum() > 0
    alone = md.levels_matrix(judged, baseline="a")
    assert alone.corrected[0, 3] <= matrix.corrected[0, 3]
    assert alone.corrected[1, 3] == 1
    assert [row["against"] for row in alone.to_polars().to_dicts()] == ["a"] * 3


@given(order=st.permutations(range(5)), data=st.data())
def test_arrows_lead_to_everything_that_is_behind_and_none_follows_from_others(order, data):
    import networkx as nx

    edges = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
    graph = nx.transitive_closure(nx.DiGraph([(order[min(e)], order[max(e)]) for e in edges if e[0] != e[1]]))
    ahead = np.zeros((5, 5), dtype=bool)
    for edge in graph.edges:
        ahead[edge] = True
    assert {tuple(edge) for edge in np.argwhere(transitive_reduction(ahead)).tolist()} == set(
        nx.transitive_reduction(graph).edges
    )


# Significance under every additive measure.


def largest_p(differences, test: str) -> float:
    """Return twice the largest one-sided p-value over columns, by scipy or by all signs."""
    found = []
    for column in np.array(differences, dtype=float).T:
        if not column.any():
            found.append(1.0)
        elif test == "t":
            same = (column == column[0]).all()
            p = stats.ttest_1samp(column, 0, alternative="greater").pvalue if not same else float(column[0] < 0)
            found.append(max(p, 0.5 ** np.count_nonzero(column)))
        else:
            sums = [np.dot(signs, column) for signs in product((1, -1), repeat=len(column))]
            found.append(np.mean(np.array(sums) >= column.sum()))
    return min(1.0, 2 * max(found))


@given(judged=campaigns(topics=(2, 6)), test=st.sampled_from(("t", "randomisation")))
@patient
def test_the_p_value_is_twice_the_largest_of_one_sided_tests_of_all_counts(judged, test):
    ours, theirs, _ = pair_of(judged)
    differences = [
        [count([a], *place) - count([b], *place) for place in places(judged)] for a, b in zip(ours, theirs, strict=True)
    ]
    expected = largest_p(differences, test) if places(judged) else 1
    assert md.levels(judged, "a", "b", test=test).p == pytest.approx(expected)


def test_drawn_permutations_come_near_to_all_of_them():
    cells = np.zeros((2, 12, 1))
    cells[0, :9] = cells[1, 9:] = 1
    judged = judged_runs(cells, np.full((12, 2), 9))
    exact = md.levels(judged, "a", "b", test="randomisation").p
    drawn = md.levels(judged, "a", "b", test="randomisation", permutations=4000).p
    assert exact == pytest.approx(2 * sum(stats.binom.pmf(k, 12, 0.5) for k in range(9, 13)))
    assert drawn == pytest.approx(exact, abs=0.03)
    assert drawn != exact


def test_one_topic_says_nothing_about_chance():
    found = md.levels(JudgedRuns.on_one_topic([(1, 1), (0, 0)], (3, 2)), "s0", "s1")
    assert found.p == 1
    assert found.topics.strict
    assert not found.additive_significant


def test_a_constant_difference_is_as_sure_as_signs_can_be():
    judged = judged_runs([[(1, 0)] * 4, [(0, 0)] * 4], np.full((4, 2), 9))
    assert md.levels(judged, "a", "b").p == 2 / 2**4
    assert md.levels(judged, "a", "b", test="randomisation").p == 2 / 2**4


def reranked(**scores: dict) -> JudgedRuns:
    qrels = {str(t): {"x": 1, "y": int(t > 2)} for t in range(1, 7)}
    runs = [md.read_run(dict.fromkeys(qrels, order), name=name) for name, order in scores.items()]
    return md.judge(runs, qrels)


def test_counts_of_the_same_documents_are_left_out_of_the_test():
    judged = reranked(a={"x": 3, "y": 2, "u": 1}, b={"u": 3, "x": 2, "y": 1})
    found = md.levels(judged, "a", "b")
    assert found.left_out == ((3, 1),)
    assert found.p == pytest.approx(largest_p([[1, 0], [1, 0], *[[1, 1]] * 4], "t"))
    assert "Both have the same documents down to rank 3 on every topic." in str(found.document().sentences)
    assert found.additive_significant == md.levels_matrix(judged).additive_significant[0, 1]


def test_other_documents_of_the_same_grades_are_not_left_out():
    found = md.levels(reranked(a={"x": 3, "v": 2}, b={"w": 3, "x": 2}), "a", "b")
    assert found.left_out == ()
    assert found.p == 1
    assert found.additive.strict


def test_winning_more_topics_is_another_question_than_having_more_documents():
    cells = [[(1, 0), (1, 0), (1, 0), (0, 0)], [(0, 0), (0, 0), (0, 0), (1, 1)]]
    found = md.levels(judged_runs(cells, np.full((4, 2), 9)), "a", "b")
    assert found.more_topics_won
    assert found.sign_p == pytest.approx(2 * stats.binom.cdf(1, 4, 0.5))
    cells[0][3] = (0, 0)
    cells[0][1] = cells[0][2] = (0, 0)
    lost = md.levels(judged_runs(cells, np.full((4, 2), 9)), "a", "b").more_topics_won
    assert not lost
    assert lost.witness == (1, 1)


# What people read.


@pytest.mark.parametrize(
    ("cells", "level", "said"),
    [
        ([[(1, 1)] * 2, [(0, 1)] * 2], "topics", "a is at least as good as b on every topic, down to rank 2"),
        (
            [[(1, 1), (0, 1)], [(0, 1), (1, 0)]],
            "every measure",
            "a is ahead of b under every measure that treats topics alike, down to rank 2",
        ),
        (
            [[(1, 1, 0, 0), (0, 0, 1, 1)], [(1, 0, 0, 1), (0, 1, 0, 1)]],
            "every additive measure",
            "a is ahead of b under every additive measure, down to rank 4",
        ),
    ],
)
def test_a_sentence_says_what_holds_and_to_which_rank(cells, level, said):
    found = md.levels(judged_runs(cells, np.full((2, 2), 9)), "a", "b")
    assert found.level == level
    assert found.sentence.startswith(f"{said}; ")
    assert [row["holds"] for row in found.document().tables[0].rows].count("yes") == found.level.strength


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([[(1, 0), (0, 1)], [(1, 0), (0, 1)]], "the same grades on every topic, so that every measure ties"),
        ([[(1, 0), (0, 1)], [(0, 1), (1, 0)]], "the same runs, on other topics"),
        ([[(1, 1), (0, 0)], [(1, 0), (0, 1)]], "as many documents of every grade, so that every additive measure ties"),
        (
            [[(1, 0, 0)], [(0, 1, 1)]],
            "depends on the measure: in the first 3 ranks b has 2 documents of grade 1 or more, a 1",
        ),
    ],
)
def test_ties_and_failures_are_named(cells, said):
    judged = judged_runs(cells, np.full((len(cells[0]), 2), 9))
    assert said in str(md.levels(judged, "a", "b"))


def test_the_level_of_a_pair_says_who_is_ahead_whoever_is_named_first():
    matrix = md.levels_matrix(judged_runs([[(1, 0)], [(0, 1)], [(0, 1)]], np.full((1, 2), 9)))
    assert matrix.pair("b", "a").sentence == "a is at least as good as b on every topic."
    assert matrix.pair("b", "c").sentence == "b and c are level on every topic."
    found = PairLevel(
        a="a",
        b="b",
        level=Level.EVERY_MEASURE,
        ahead="a",
        p=0.01,
        p_corrected=0.02,
        significant=True,
        depth=9,
        topics=9,
    )
    assert (
        found.words == "ahead under every measure that treats topics alike, significantly under every additive measure"
    )


def test_unjudged_documents_are_spoken_of_where_there_are_many():
    judged = judged_runs([[(1, -1)], [(0, 1)]], np.full((1, 2), 9))
    said = "25 % of the documents down to rank 2 are not judged and count as grade 0"
    assert said in [str(caveat) for caveat in md.levels(judged, "a", "b").caveats]
    assert said in [str(caveat) for caveat in md.levels_matrix(judged).caveats]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"test": "sign"}, "mean counts are compared by test='t' or 'randomisation'"),
        ({"alpha": 2}, "alpha"),
        ({"depth": 0}, "depth"),
        ({"permutations": 0}, "permutations"),
    ],
)
def test_bad_options_are_refused(options, complaint):
    judged = judged_runs([[(1, 0)], [(0, 1)]], np.full((1, 2), 9))
    with pytest.raises(ParameterError, match=complaint):
        md.levels(judged, "a", "b", **options)
    with pytest.raises(ParameterError, match=complaint):
        md.levels_matrix(judged, **options)


@pytest.mark.skipif(not DATA.exists(), reason="needs the runs of the deep learning tracks")
@pytest.mark.parametrize(("year", "shares"), [("2019", (13, 10, 0)), ("2020", (12, 4, 0))])
def test_real_campaigns_are_decided_as_often_as_a_prototype_found(year, shares):
    runs = md.read_runs(DATA / year, names="file")
    matrix = md.levels_matrix(md.judge(runs, DATA / f"{year}.qrels.gz"), depth=30)
    decided = [matrix.decided(level) for level in (Level.ADDITIVE, Level.EVERY_MEASURE)]
    assert (decided[0], matrix.additive_significant.sum(), decided[1]) == shares


# Odd campaigns.


def test_a_grade_that_no_document_of_the_shared_topics_has_is_left_out():
    binary = {str(t): {"x": 1} for t in range(12)}
    runs = {
        "a": {t: {"x": 2, "u": 1} for t in binary},
        "b": {t: {"u": 2, "x": 1} if int(t) > 1 else {"x": 2, "u": 1} for t in binary},
        "c": {"99": {"y": 1}},
    }
    several = [md.read_run(each, name=name) for name, each in runs.items()]
    judged = md.judge(several, {**binary, "99": {"y": 2}}, missing_topics="skip", depth=1)
    alone = md.judge(several[:2], binary, depth=1)
    assert md.levels(judged, "a", "b").p == md.levels(alone, "a", "b").p < 0.05
    matrix = md.levels_matrix(judged)
    assert matrix.p[0, 1] == pytest.approx(md.levels(alone, "a", "b").p)
    assert matrix.pair("a", "c").sentence == "a and c have no topic in common."
    apart = md.levels(judged, "a", "c")
    assert (apart.map("RBP").sentence, bool(apart.more_topics_won)) == ("a and c have no topic in common", False)


def test_nothing_is_decided_where_the_order_of_ties_is_left_open():
    runs = [md.read_run({"1": {"z": 1, "b": 1}}, name="a"), md.read_run({"1": {"z": 2, "b": 1}}, name="b")]
    qrels = {"1": {"z": 1, "b": 0}}
    assert md.levels(md.judge(runs, qrels), "a", "b").decides("P@1")
    opened = md.levels(md.judge(runs, qrels, ties="expected"), "a", "b")
    assert not opened.decides("P@1")
    assert any(caveat.kind == "ties" for caveat in opened.caveats)


@pytest.mark.parametrize("rng", [5, np.random.default_rng(5)])
def test_a_pair_of_the_matrix_is_drawn_as_the_matrix_was(rng):
    cells = np.random.default_rng(2).random((3, 20, 2)) < np.array([0.8, 0.5, 0.2])[:, None, None]
    matrix = md.levels_matrix(judged_runs(cells, np.full((20, 2), 9)), test="randomisation", permutations=500, rng=rng)
    assert matrix.of("a", "c").p == matrix.p[0, 2] < 1


def test_a_relevant_grade_beyond_those_that_runs_hold_is_no_error():
    judged = judged_runs([[(1, 0)], [(0, 1)]], np.full((1, 2), 9))
    assert md.levels(judged, "a", "b").recall_based(300)


def test_ranks_with_the_same_documents_are_named_in_spans():
    judged = reranked(a={"x": 3, "y": 2, "u": 1}, b={"x": 3, "y": 2, "u": 1})
    assert "down to ranks 1 to 3 on every topic" in " ".join(md.levels(judged, "a", "b").document().sentences)
