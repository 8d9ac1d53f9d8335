"""Laws of fusion."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import information
from measurand.fusion import METHODS, fuse, granularity
from measurand.judged import Results

rankings = st.dictionaries(
    st.sampled_from("abcdefgh"), st.sampled_from([-2.0, -0.3, 0.0, 0.1, 0.7, 1.0, 3.0, 5.5]), min_size=1, max_size=8
)
campaigns = st.lists(rankings, min_size=1, max_size=5)

FOLLOWS_ALL = [m for m in METHODS if m not in ("combanz", "combmin", "combmed", "combmax", "mc4")]
"""The methods that never put a document below one that every run puts below it or beside it."""


def fused(runs, method, **options):
    run = fuse([{"1": ranking} for ranking in runs], method, **options)
    return dict(zip(run.documents, run.document_scores.tolist(), strict=True))


def place(ranking, document):
    return ranking.get(document, float("-inf"))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=6)
@given(runs=campaigns, data=st.data())
def test_the_order_of_the_runs_does_not_matter(method, runs, data):
    again = data.draw(st.permutations(runs))
    assert list(fused(runs, method).items()) == list(fused(again, method).items())


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=6)
@given(ranking=rankings, copies=st.integers(2, 4))
def test_copies_of_one_run_keep_its_order(method, ranking, copies):
    found = fused([ranking] * copies, method)
    for one in ranking:
        for other in ranking:
            if ranking[one] == ranking[other]:
                assert found[one] == found[other]
            elif ranking[one] > ranking[other]:
                assert found[one] > found[other]


@pytest.mark.parametrize("method", FOLLOWS_ALL)
@settings(max_examples=10)
@given(runs=campaigns)
def test_what_all_runs_agree_on_is_kept(method, runs):
    found = fused(runs, method)
    for one in found:
        for other in found:
            if all(place(ranking, one) >= place(ranking, other) for ranking in runs):
                assert found[one] >= found[other]


@pytest.mark.parametrize("norm", ["min-max", "z-score", "sum", "rank"])
@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("comb")])
@settings(max_examples=8)
@given(runs=campaigns, data=st.data())
def test_another_origin_and_unit_of_scores_changes_nothing(method, norm, runs, data):
    # powers of two and quarters, so that the new scores are exact
    quarters = [{d: round(4 * s) / 4 for d, s in ranking.items()} for ranking in runs]
    units = data.draw(
        st.lists(st.tuples(st.sampled_from([0.5, 4.0]), st.integers(-9, 9)), min_size=len(runs), max_size=len(runs))
    )
    moved = [{d: unit * s + origin for d, s in r.items()} for r, (unit, origin) in zip(quarters, units, strict=True)]
    before, after = fused(quarters, method, norm=norm), fused(moved, method, norm=norm)
    assert list(before) == list(after)
    assert after == pytest.approx(before)
    assert all((before[d] == before[e]) == (after[d] == after[e]) for d in before for e in before)


@settings(max_examples=15)
@given(runs=campaigns, method=st.sampled_from(sorted(METHODS)), weight=st.sampled_from(["1/7", 3]))
def test_equal_weights_are_no_weights(runs, method, weight):
    assert list(fused(runs, method, weights=[weight] * len(runs))) == list(fused(runs, method))


@settings(max_examples=15)
@given(runs=campaigns, method=st.sampled_from(["rrf", "borda", "bordalog", "combsum", "condorcet", "mc4"]))
def test_a_run_of_double_weight_is_two_runs(runs, method):
    doubled = fused(runs, method, weights=[2] + [1] * (len(runs) - 1))
    assert list(doubled) == list(fused([runs[0], *runs], method))


@settings(max_examples=15)
@given(runs=campaigns, depth=st.integers(1, 5), method=st.sampled_from(sorted(METHODS)))
def test_a_cut_keeps_the_first(runs, depth, method):
    assert list(fused(runs, method, depth=depth).items()) == list(fused(runs, method).items())[:depth]


@given(runs=campaigns)
def test_a_fusion_by_information_is_as_fine_as_the_information_of_its_runs(runs):
    signals = [Results.from_mapping(str(place), {"1": ranking}) for place, ranking in enumerate(runs)]
    fine = granularity(fuse([{"1": ranking} for ranking in runs], "information", depth=None))
    assert fine == {"1": information.granularity(signals)}
