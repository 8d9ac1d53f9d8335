"""What every test of all pairs must do: laws over the closed-form and rank tests, and the result's own methods."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measurand.errors import CaveatKind, InputError, NotMeaningful, ParameterError
from measurand.scale import Scale
from measurand.scores import Need, Scores
from measurand.statistics.all_pairs import AllPairs
from measurand.statistics.needs import need_of
from measurand.statistics.rank_tests import friedman, kruskal_wallis, rank_sum, signed_rank
from measurand.statistics.resampling import randomisation
from measurand.statistics.sign_test import sign
from measurand.statistics.t_test import paired_t
from measurand.statistics.variance import one_way_anova, two_way_anova

TWO_READINGS = (sign, rank_sum, signed_rank)
TESTS = (*TWO_READINGS, paired_t, one_way_anova, two_way_anova, kruskal_wallis, friedman)
CASES = [(test, how) for test in TESTS for how in ([{"semantics": "matlab"}, {}] if test in TWO_READINGS else [{}])]
LEVELS = 6

every_test = pytest.mark.parametrize(("test", "how"), CASES, ids=lambda value: getattr(value, "__name__", str(value)))
ordinal_tests = pytest.mark.parametrize(
    ("test", "how"), [(test, how) for test, how in CASES if need_of(test).scale is Scale.ORDINAL]
)
topic_by_topic_tests = pytest.mark.parametrize(
    ("test", "how"), [(test, how) for test, how in CASES if not need_of(test).across]
)
few_examples = settings(max_examples=8, deadline=None)


def scored(values, **facts) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    facts = {"measure": "P@10", "scale": Scale.INTERVAL, **facts}
    return Scores(values=values, systems=systems, topics=topics, **facts)


levels = st.tuples(st.integers(1, 4), st.integers(1, 18)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, LEVELS - 1))
)
increasing = st.lists(st.floats(-3, 3), min_size=LEVELS, max_size=LEVELS, unique=True).map(sorted).map(np.array)


def same(one: AllPairs, other: AllPairs) -> None:
    assert one.pvalues == pytest.approx(other.pvalues, rel=1e-7, abs=1e-12)


@every_test
@few_examples
@given(values=levels)
def test_p_values_are_probabilities_and_statistics_are_turned_by_turning_the_pair(test, how, values):
    found = test(scored(values / 10), **how)
    assert ((found.pvalues >= 0) & (found.pvalues <= 1)).all()
    assert (found.pvalues == found.pvalues.T).all()
    assert (np.diag(found.pvalues) == 1).all()
    for antisymmetric in (found.statistic, found.differences):
        assert not np.isnan(antisymmetric).any()
        assert (antisymmetric == -antisymmetric.T).all()
        assert (np.sign(antisymmetric) * np.sign(found.differences) >= 0).all()


@every_test
@few_examples
@given(values=levels, data=st.data())
def test_the_order_of_systems_and_topics_does_not_matter(test, how, values, data):
    rows = data.draw(st.permutations(range(len(values))))
    columns = data.draw(st.permutations(range(values.shape[1])))
    found, turned = test(scored(values / 10), **how), test(scored(values[rows][:, columns] / 10), **how)
    assert turned.pvalues == pytest.approx(found.pvalues[np.ix_(rows, rows)], rel=1e-7, abs=1e-12)
    assert turned.differences == pytest.approx(found.differences[np.ix_(rows, rows)], rel=1e-7, abs=1e-12)


@ordinal_tests
@few_examples
@given(values=levels, increase=increasing)
def test_an_ordinal_test_is_left_alone_by_every_increasing_map(test, how, values, increase):
    found, mapped = test(scored(values), **how), test(scored(increase[values]), **how)
    assert (found.pvalues == mapped.pvalues).all()
    assert (found.statistic == mapped.statistic).all()
    assert (found.differences == mapped.differences).all()


@topic_by_topic_tests
@few_examples
@given(values=levels, data=st.data())
def test_a_test_within_topics_is_left_alone_by_an_increasing_map_for_each_topic(test, how, values, data):
    maps = [data.draw(increasing) for _ in range(values.shape[1])]
    mapped = np.stack([each[column] for each, column in zip(maps, values.T, strict=True)], axis=1)
    assert (test(scored(values), **how).pvalues == test(scored(mapped), **how).pvalues).all()


@every_test
@few_examples
@given(values=levels, slope=st.floats(0.01, 100), shift=st.floats(-10, 10))
def test_every_test_is_left_alone_by_affine_maps(test, how, values, slope, shift):
    same(test(scored(values / 10), **how), test(scored(slope * (values / 10) + shift), **how))


@every_test
@pytest.mark.parametrize("value", [np.inf, -np.inf, 1.1e300])
def test_infinite_scores_are_refused_by_the_name_of_the_system_and_topic(test, how, value):
    values = np.ones((2, 4))
    values[1, 2] = value
    with pytest.raises(InputError, match=rf"system s1 has P@10 = {value:.4g}".replace("+", r"\+") + " on topic t2"):
        test(scored(values), **how)


@every_test
@pytest.mark.parametrize("size", [2.0**-600, 2.0**500])
def test_tiny_and_huge_scores_are_tested_as_well(test, how, size):
    values = np.random.default_rng(1).random((3, 12))
    same(test(scored(values), **how), test(scored(values * size), **how))


@pytest.mark.parametrize("test", [signed_rank, paired_t, one_way_anova, two_way_anova])
def test_an_interval_test_can_be_changed_by_an_increasing_map(test):
    values = np.random.default_rng(2).random((4, 20))
    assert not np.allclose(test(scored(values)).pvalues, test(scored(values**4)).pvalues)


@pytest.mark.parametrize("test", [rank_sum, kruskal_wallis])
def test_a_test_across_topics_can_be_changed_by_maps_that_differ_by_topic(test):
    values = np.random.default_rng(2).random((4, 20))
    assert not np.allclose(test(scored(values)).pvalues, test(scored(values + np.arange(20))).pvalues)


@every_test
def test_one_system_alone_has_nothing_to_differ_from(test, how):
    found = test(scored([[0.1, 0.4, 0.2]]), **how)
    assert found.pvalues.tolist() == [[1.0]]
    assert found.table().height == 0


@every_test
@pytest.mark.parametrize("topics", [0, 1])
def test_without_two_topics_nothing_can_be_tested_and_the_caveat_says_so(test, how, topics):
    found = test(scored(np.arange(3.0 * topics).reshape(3, topics)), **how)
    assert (found.pvalues == 1).all()
    # who is ahead, and no more
    assert found.statistic[0].tolist() == [0.0, -1.0 * topics, -1.0 * topics]
    assert "nothing can be tested" in str(next(c for c in found.caveats if c.kind is CaveatKind.DEGENERATE))


@every_test
def test_systems_with_the_same_scores_have_a_p_value_of_one(test, how):
    for row in ([0.3] * 20, list(np.random.default_rng(3).random(20))):
        found = test(scored([row, row, row]), **how)
        assert (found.pvalues == 1).all()
        assert (found.statistic == 0).all()


@every_test
def test_scores_that_are_all_the_same_are_explained(test, how):
    found = test(scored(np.full((3, 5), 0.7)), **how)
    assert (found.pvalues == 1).all()
    assert [c.kind for c in found.caveats] == [CaveatKind.DEGENERATE]


@every_test
def test_a_constant_system_is_compared_like_any_other(test, how):
    values = np.random.default_rng(4).random((2, 30))
    found = test(scored([*values, np.full(30, -1.0)]), **how)
    assert (found.pvalues[2, :2] < 0.001).all()
    assert (found.differences[2, :2] < 0).all()


@pytest.mark.parametrize("test", [paired_t, two_way_anova])
def test_a_difference_that_never_changes_is_infinitely_many_errors_wide(test):
    row = np.arange(10) / 10
    found = test(scored([row + 0.1, row]))
    assert (found.statistic[0, 1], found.pvalues[0, 1]) == (np.inf, 0.0)
    assert found.caveats


@pytest.mark.parametrize("test", [paired_t, two_way_anova])
def test_a_difference_that_is_nothing_but_rounding_is_none(test):
    found = test(scored([[0.1 + 0.2, 0.1 * 3, 0.9], [0.3, 0.3, 0.9]]))
    assert (found.differences[0, 1], found.statistic[0, 1], found.pvalues[0, 1]) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(("test", "how"), [(t, h) for t, h in CASES if t in (*TWO_READINGS, paired_t)])
@few_examples
@given(values=levels, data=st.data())
def test_pairs_are_compared_on_the_topics_that_both_have(test, how, values, data):
    missing = data.draw(arrays(np.bool_, values.shape))
    found = test(scored(np.where(missing, np.nan, values / 10)), **how)
    for a, b in zip(*np.triu_indices(len(values), 1), strict=True):
        shared = ~(missing[a] | missing[b])
        alone = test(scored(values[np.ix_([a, b], shared)] / 10), **how)
        assert found.topics[a, b] == shared.sum()
        assert found.pvalues[a, b] == pytest.approx(alone.pvalues[0, 1], rel=1e-9)
        assert found.statistic[a, b] == pytest.approx(alone.statistic[0, 1], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("test", [one_way_anova, two_way_anova, kruskal_wallis, friedman])
@few_examples
@given(values=levels, data=st.data())
def test_all_systems_are_compared_on_the_topics_that_all_have(test, values, data):
    missing = data.draw(arrays(np.bool_, values.shape))
    assume(missing.any())
    found = test(scored(np.where(missing, np.nan, values / 10)))
    alone = test(scored(values[:, ~missing.any(axis=0)] / 10))
    assert (found.pvalues == alone.pvalues).all()
    said = [str(c) for c in found.caveats if c.kind is CaveatKind.MISSING_TOPICS]
    assert [text.split(" topics")[0] for text in said] == [f"{missing.any(axis=0).sum()} of {values.shape[1]}"]


@every_test
def test_scores_on_too_weak_a_scale_get_a_caveat_or_are_refused(test, how):
    values = np.random.default_rng(8).random((3, 12))
    ordinal, own = scored(values, scale=Scale.ORDINAL), scored(values, one_scale=False)
    assert bool(test(ordinal, **how).caveats) == (need_of(test).scale > Scale.ORDINAL)
    assert bool(test(own, **how).caveats) == need_of(test).across
    for scores in (ordinal, own):
        if need_of(test).met_by(scores):
            assert test(scores, strict=True, **how).pvalues.shape == (3, 3)
        else:
            with pytest.raises(NotMeaningful):
                test(scores, strict=True, **how)


@every_test
def test_the_result_names_the_test_its_need_and_its_conventions(test, how):
    found = test(scored(np.random.default_rng(8).random((3, 12))), **how)
    assert found.test == test.__name__
    assert found.needs == need_of(test)
    assert found.references
    assert found.semantics == (how.get("semantics", "scipy") if test in TWO_READINGS else "")


@pytest.mark.parametrize("test", TWO_READINGS)
def test_unknown_conventions_are_refused(test):
    with pytest.raises(ParameterError, match="semantics must be one of 'scipy', 'matlab', not 'R'"):
        test(scored([[0.1], [0.2]]), semantics="R")


@every_test
def test_something_else_than_scores_is_refused(test, how):
    for given_instead in ([[[0.1], [0.2]]], []):
        with pytest.raises(ParameterError, match="takes scores"):
            test(*given_instead, **how)


@pytest.mark.parametrize("test", [test for test in TESTS if test not in TWO_READINGS])
def test_tests_on_which_all_agree_take_the_conventions_that_others_take(test):
    scores = scored(np.random.default_rng(8).random((3, 12)))
    assert (test(scores, semantics="matlab").pvalues == test(scores).pvalues).all()
    with pytest.raises(ParameterError, match="semantics must be one of 'scipy', 'matlab', not 'R'"):
        test(scores, semantics="R")


@pytest.fixture
def found() -> AllPairs:
    pvalues = np.array([[1.0, 0.01, 0.04], [0.01, 1.0, 0.03], [0.04, 0.03, 1.0]])
    differences = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    return AllPairs(
        test="t", measure="AP", systems=tuple("abc"), pvalues=pvalues, differences=differences, statistic=differences,
        topics=np.full((3, 3), 5), needs=Need("t test", Scale.INTERVAL), references=(),
    )  # fmt: skip


def test_pairs_are_looked_up_by_name(found):
    assert found.of("c", "a") == found.of("a", "c") == 0.04
    with pytest.raises(ParameterError, match="no system 'd'"):
        found.of("a", "d")


def test_among_many_systems_those_are_named_that_were_perhaps_meant():
    names = tuple(f"bm{i}" for i in range(40))
    found = sign(Scores(measure="P", values=np.zeros((40, 2)), systems=names, topics=("1", "2")))
    with pytest.raises(ParameterError, match=r"no system 'bm-17' among 40; did you mean bm17.*\?$"):
        found.of("bm1", "bm-17")


def test_the_result_travels_between_processes(found):
    again = pickle.loads(pickle.dumps(evolve(found, details={"df": 4.0})))
    assert again.table().equals(found.table())
    assert dict(again.details) == {"df": 4.0}
    assert not again.pvalues.flags.writeable


def test_no_system_differs_from_itself_and_alpha_is_a_probability(found):
    assert found.significant(0.9).tolist() == (~np.eye(3, dtype=bool)).tolist()
    for alpha in (0, 1, 5):
        with pytest.raises(ParameterError, match="alpha must lie between 0 and 1"):
            found.significant(alpha)


def test_corrected_p_values_stay_symmetric_and_are_not_corrected_twice(found):
    holm = found.adjust("holm")
    assert holm.pvalues.tolist() == [[1.0, 0.03, 0.06], [0.03, 1.0, 0.06], [0.06, 0.06, 1.0]]
    assert found.adjust("none").pvalues.tolist() == found.pvalues.tolist()
    assert holm.adjusted == "holm"
    with pytest.raises(ParameterError, match="corrected already, by holm"):
        holm.adjust("bh")


def test_the_table_has_a_row_for_every_pair(found):
    table = found.adjust("holm").table()
    assert table.columns == ["system", "against", "difference", "statistic", "topics", "p", "p_corrected"]
    assert table.rows()[2] == ("a", "c", 2.0, 2.0, 5, 0.04, 0.06)
    assert table.rows() == [tuple(pair) for pair in found.adjust("holm")]
    assert len(found) == table.height == 3
    assert all(pair.p == pair.p_corrected for pair in found)
    assert repr(found) == "<AllPairs: t of AP, 3 systems, 3 of 3 pairs with p ≤ 0.05>"


def test_the_result_cannot_be_changed_and_must_be_square(found):
    with pytest.raises(ValueError):
        found.pvalues[0, 1] = 0
    with pytest.raises(TypeError):
        found.details["f"] = 1
    with pytest.raises(ParameterError, match="pvalues must be 3 × 3"):
        evolve(found, pvalues=np.ones((2, 2)))


def test_too_few_draws_for_so_many_pairs_are_noticed():
    many = Scores(
        measure="P",
        values=np.random.default_rng(0).random((12, 30)),
        systems=tuple("abcdefghijkl"),
        topics=tuple(str(topic) for topic in range(30)),
        scale=Scale.INTERVAL,
    )
    few, enough = (randomisation(many, permutations=draws) for draws in (500, 2640))
    assert few.caveats == enough.caveats == ()
    assert [str(caveat) for caveat in few.adjust("holm").caveats] == [
        "with 500 draws and 66 pairs no corrected p-value can be below 0.13; draw 2,640 or take randomised_tukey"
    ]
    assert few.adjust("bh").caveats == enough.adjust("holm").caveats == ()
    assert few.adjust("bonferroni", baseline="a").caveats == ()
