"""Fusing runs: what goes in, what comes out, and what is said about it."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from measurand import Run, read_run
from measurand.errors import CaveatKind, InputError, NotAvailable, ParameterError
from measurand.fusion import METHODS, NORMALISATIONS, fuse, granularity, majority, pool
from measurand.fusion.fuse import method_of
from measurand.fusion.methods import TOLERANCE
from measurand.fusion.pool import runs_of
from measurand.judged.names import Names

ONE = {"1": {"x": 9.0, "y": 8.0}, "2": {"x": 1.0}}
OTHER = {"1": {"y": 3.0, "z": 1.0}}


def scores(run, topic="1"):
    return dict(zip(run.documents_of(topic), run.document_scores[run.rows(topic)].tolist(), strict=True))


def texts(run, doubt):
    return [caveat.text for caveat in run.caveats if caveat.kind is doubt]


def campaign(seed, systems=6, topics=3, size=30, ties=4):
    """Return runs full of ties as dictionaries."""
    rng = np.random.default_rng(seed)
    return [
        {
            str(t): {f"d{d}": float(rng.integers(0, ties)) for d in rng.choice(60, size, replace=False).tolist()}
            for t in range(topics)
        }
        for _ in range(systems)
    ]


def test_paths_runs_dictionaries_and_frames_are_fused_together(tmp_path):
    import polars as pl

    (tmp_path / "a.run").write_text("1 Q0 x 1 9.0 first\n1 Q0 y 2 8.0 first\n2 Q0 x 1 1.0 first\n")
    frame = pl.DataFrame({"topic": ["1"], "document": ["y"], "score": [3.0]})
    mixed = fuse([tmp_path / "a.run", read_run(OTHER, name="b"), {"1": {"z": 2.0}}, frame, frame], "rrf")
    plain = fuse([ONE, OTHER, {"1": {"z": 2.0}}, {"1": {"y": 3.0}}, {"1": {"y": 3.0}}], "rrf")
    assert scores(mixed) == scores(plain)
    assert mixed.topics == ("1", "2")
    assert scores(fuse(tmp_path / "a.run")) == scores(fuse(str(tmp_path / "*.run"))) == scores(fuse(ONE))


def test_no_run_at_all_is_refused():
    with pytest.raises(ParameterError, match="no run was given"):
        fuse([])


@pytest.mark.parametrize("topics", [(), ("1",)])
def test_runs_that_retrieve_nothing_are_refused(topics):
    nothing = Run(
        name="a", topics=topics, bounds=np.zeros(len(topics) + 1, dtype=int), documents=[], scores=np.empty(0)
    )
    with pytest.raises(InputError, match="nothing to fuse"):
        fuse([nothing, nothing])
    fused = fuse([nothing, ONE])
    assert (fused.topics, scores(fused)) == (("1", "2"), scores(fuse([ONE])))


def test_runs_of_one_name_are_told_apart_by_a_number():
    alike = [read_run(ONE, name="a"), read_run(OTHER, name="a"), read_run(OTHER, name="a (2)")]
    assert [run.name for run in runs_of(alike)] == ["a", "a (2)", "a (2) (2)"]
    assert scores(fuse(alike[:2])) == scores(fuse([ONE, OTHER]))


def test_files_that_share_a_run_tag_are_fused(tmp_path):
    for name, run in (("x", ONE), ("y", OTHER)):
        read_run(run, name="tag").to_trec(tmp_path / f"{name}.run")
    assert [run.name for run in runs_of(tmp_path)] == ["x", "y"]
    assert scores(fuse(tmp_path)) == scores(fuse([ONE, OTHER]))


def test_what_is_fused_stays_as_it_was():
    runs = [read_run(run, name=str(i)) for i, run in enumerate(campaign(1))]
    before = [(run.document_scores.copy(), list(run.documents)) for run in runs]
    for method in METHODS:
        fuse(runs, method)
    assert all(
        (run.document_scores == s).all() and run.documents == d for run, (s, d) in zip(runs, before, strict=True)
    )


def test_topics_stand_in_the_order_of_their_first_appearance_and_missing_ones_are_told():
    fused = fuse([OTHER, {"3": {"q": 1.0}, "1": {"x": 1.0}}, ONE])
    assert fused.topics == ("1", "3", "2")
    assert texts(fused, CaveatKind.MISSING_TOPICS) == [
        "3 of 3 runs lack some of the 3 topics (run 1, run 2, run 3); there the others decide"
    ]
    assert texts(fuse([OTHER, OTHER]), CaveatKind.MISSING_TOPICS) == []


def test_the_cut_follows_identifiers_last_first_and_says_so():
    fused = fuse([{"1": dict.fromkeys("badc", 1.0)}], depth=2)
    assert fused.documents == ["d", "c"]
    assert texts(fused, CaveatKind.TIES) == [
        "2 of 2 documents share their fused score with another of their topic; they stand by identifier, last first,"
        " on 1 topic already the first; that also decides who is among the first 2 on 1 topic"
    ]
    assert texts(fuse([ONE]), CaveatKind.TIES) == []


def test_runs_may_come_by_name_and_weights_for_some_of_them():
    named = {"one": ONE, "other": read_run(OTHER, name="x")}
    assert [run.name for run in runs_of(named)] == ["one", "other"]
    assert scores(fuse(named, weights={"other": 3})) == scores(fuse([ONE, OTHER], weights=[1, 3]))


def test_without_a_depth_all_documents_are_kept():
    runs = [{"1": {f"{s}-{d}": float(d) for d in range(700)}} for s in range(2)]
    assert [len(fuse(runs, depth=depth)) for depth in (None, 1000, 3)] == [1400, 1000, 3]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.usefixtures("in_c")
def test_large_inputs_take_another_way_to_the_same_answer(method, monkeypatch):
    runs = campaign(3)
    small = fuse(runs, method, depth=20)
    monkeypatch.setattr(pool, "LARGE", 0)
    large = fuse(runs, method, depth=20)
    assert list(large.documents) == small.documents
    assert large.document_scores.tolist() == small.document_scores.tolist()
    assert isinstance(small.documents, list)
    assert not isinstance(large.documents, list)


def test_names_decide_where_hashes_are_the_same(monkeypatch):
    runs = campaign(4)
    expected = fuse(runs)
    monkeypatch.setattr(pool, "LARGE", 0)
    monkeypatch.setattr(Names, "hashes", property(lambda names: np.zeros(len(names), dtype=np.uint64)))
    assert list(fuse(runs).documents) == list(expected.documents)


@pytest.mark.parametrize("method", METHODS)
def test_one_run_alone_keeps_its_order(method):
    ranking = {"a": 5.0, "b": 3.5, "c": 3.0, "d": -2.0}
    fused = fuse([{"1": ranking}], method)
    if method == "logisr":
        assert set(fused.document_scores) == {0.0}  # the logarithm of one run
    else:
        assert fused.documents == list("abcd")


@pytest.mark.parametrize("norm", NORMALISATIONS)
@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("comb")])
def test_odd_scores_give_numbers(method, norm):
    runs = [
        {"1": {"a": 7.0, "b": 7.0}},
        {"1": {"a": -5.0}},
        {"1": {"a": 5e-324, "b": 0.0}},
        {"1": {"b": 1e200, "c": -1e200}},
    ]
    fused = fuse(runs, method, norm=norm)
    assert np.isfinite(fused.document_scores).all()
    assert sorted(fused.documents) == ["a", "b", "c"]
    if norm != "none":
        wide = fuse([{"1": {"a": 1.7e308, "b": 0.0, "c": -1.7e308}}], method, norm=norm)
        assert wide.documents == ["a", "b", "c"]


def test_a_run_of_one_score_counts():
    # min-max maps it to 1 each, so that its documents are not below those that it leaves out
    runs = [{"1": {"a": 7.0, "b": 7.0}}, {"1": {"c": 2.0, "d": 1.0}}]
    assert scores(fuse(runs, "combsum")) == {"c": 1.0, "b": 1.0, "a": 1.0, "d": 0.0}
    assert scores(fuse(runs, "combsum", norm="sum")) == {"c": 1.0, "b": 0.5, "a": 0.5, "d": 0.0}
    assert scores(fuse(runs, "combmax", norm="zmuv")) == {"c": 1.0, "b": 0.0, "a": 0.0, "d": -1.0}


def test_scores_below_zero_are_counted_from_the_lowest_and_it_is_said():
    runs = [{"1": {"a": -1.0, "b": -3.0}}, {"1": {"c": 1.0}}]
    fused = fuse(runs, "combsum", norm="none")
    assert scores(fused) == {"a": 2.0, "c": 1.0, "b": 0.0}
    assert texts(fused, CaveatKind.ASSUMPTION) == [
        "1 of 2 rankings have scores below 0; each of them is counted from its lowest score,"
        " so that a document that a run leaves out gains nothing by it"
    ]
    assert texts(fuse(runs, "combmax", norm="none"), CaveatKind.ASSUMPTION) == []


def test_scores_that_cannot_be_added_are_refused():
    with pytest.raises(InputError, match="cannot be added"):
        fuse([{"1": {"a": 1e300}}], "combsum", norm="none")


def test_fused_scores_within_the_tolerance_tie():
    # 0.1 + 0.2 and 0.3 are not the same double
    runs = [{"1": {"a": 0.1, "b": 0.3}}, {"1": {"a": 0.2}}]
    assert len(set(fuse(runs, "combsum", norm="none").document_scores)) == 1
    # the same unit fractions in another order: 1/61 + 1/62 + 1/63
    turns = [{"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"1": {"b": 3.0, "c": 2.0, "a": 1.0}}]
    turns.append({"1": {"c": 3.0, "a": 2.0, "b": 1.0}})
    assert len(set(fuse(turns).document_scores)) == 1
    # 2 ln 6 = ln 4 + ln 9
    orders = ("123b5a789", "12345a78b")
    logs = scores(fuse([{"1": dict(zip(order, range(9, 0, -1), strict=True))} for order in orders], "bordalog"))
    assert logs["a"] == logs["b"] == pytest.approx(-np.log(6))


@pytest.mark.parametrize(("apart", "different"), [(TOLERANCE / 2, 1), (2 * TOLERANCE, 2)])
@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_the_tolerance_is_relative(size, apart, different):
    runs = [{"1": {"a": size, "b": size * (1 + apart)}}]
    assert len(set(fuse(runs, "combsum", norm="none").document_scores)) == different


def test_a_chain_of_close_scores_does_not_tie_its_ends():
    step = 0.9 * TOLERANCE
    runs = [{"1": {f"{place:02}": 1 - place * step for place in range(40)}}]
    fused = fuse(runs, "combsum", norm="none")
    values = fused.document_scores.tolist()
    assert len(set(values)) == 20
    given = runs[0]["1"]
    assert all(value - given[d] <= TOLERANCE for d, value in zip(fused.documents, values, strict=True))


def test_sums_that_cancel_tie_by_the_size_of_their_terms():
    runs = [
        {"1": {"a": 0.3, "b": 0.1, "c": 3.0}},
        {"1": {"a": -0.1, "b": 0.1, "c": -3.0}},
        {"1": {"a": -0.2, "b": -0.2}},
    ]
    assert 0.3 - 0.1 - 0.2 != 0.1 + 0.1 - 0.2
    assert len(set(fuse(runs, "combanz", norm="none").document_scores)) == 1


@pytest.mark.parametrize("method", ["combsum", "combanz"])
def test_standard_scores_over_rankings_of_one_shape_tie(method):
    # the second run has the shape of the first, in another unit: above the lowest are 4 + 2 = 2 + 4 and 1 + 3 = 3 + 1
    places = ([4, 1, 3, 2, 0], [1, 1.5, 0.5, 2, 0])
    runs = [{"1": dict(zip("abcde", scores, strict=True))} for scores in places]
    fused = scores(fuse(runs, method, norm="z-score"))
    assert fused["a"] == fused["d"] > fused["b"] == fused["c"] > fused["e"]


def test_weights_go_by_name_or_by_place_and_are_read_as_written():
    runs = [read_run(ONE, name="a"), read_run(OTHER, name="b")]
    by_name, by_place = fuse(runs, weights={"b": 0.1, "a": 3}), fuse(runs, weights=[3, "1/10"])
    assert scores(by_name) == scores(by_place)
    assert scores(by_name)["z"] == pytest.approx(1 / 620)


def test_a_run_of_weight_zero_is_left_out():
    fused = fuse([ONE, OTHER], weights=[0, 1])
    assert fused.topics == ("1",)
    assert scores(fused) == scores(fuse([OTHER]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": [1]}, "2 runs and 1 weights"),
        ({"weights": [1, -1]}, "weight -1 must be 0, or from 1e-20 to 1e20"),
        ({"weights": [0, 0]}, "all weights are 0"),
        ({"weights": {"run 1": 1, "q": 1}}, "there is no run 'q'; there is run 1, run 2"),
        ({"weights": 2}, "one number a run"),
        ({"weights": {1, 2}}, "one number a run"),
        ({"weights": ["1e-21", 1]}, "must be 0, or from 1e-20 to 1e20"),
        ({"weights": ["1e21", 1]}, "must be 0, or from 1e-20 to 1e20"),
        ({"weights": [1, 2], "method": "information"}, "only the order counts"),
        ({"method": "best"}, "there is no method 'best'; there is information, bordalog"),
        ({"method": "combsum", "norm": "max"}, "there is no norm 'max'; there is min-max, z-score, sum, rank, none"),
        ({"method": "rrf", "norm": "sum"}, "nothing to normalise"),
        ({"ties": "min"}, "there is no ties 'min'; there is shared, trec"),
        ({"k": -1}, "k must be a number from 0 to 1e100, not -1"),
        ({"k": 5, "method": "borda"}, "no part of borda"),
        ({"collection_size": 10}, "none in rrf"),
        ({"collection_size": 2, "method": "borda"}, "retrieve 3 documents"),
        ({"collection_size": 10**30, "method": "bordalog"}, "from 1 to 1,000,000,000,000,000, not"),
        ({"depth": 0}, "depth"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        fuse([ONE, OTHER], **options)


def test_spelling_is_free():
    assert [method_of(m) for m in ("CombMNZ", "comb_mnz", "RRF", "log-isr", "MC4")] == [
        "combmnz", "combmnz", "rrf", "logisr", "mc4",
    ]  # fmt: skip
    assert scores(fuse([ONE], "CombSUM", norm="Min_Max")) == scores(fuse([ONE], "combsum"))


def test_the_run_is_called_by_its_method_or_as_wanted():
    assert fuse([ONE], "Comb-MNZ").name == "combmnz"
    assert fuse([ONE], name="mine").name == "mine"


def test_a_fused_run_is_written_and_read_back(tmp_path):
    fused = fuse(campaign(5), "combmnz")
    fused.to_trec(tmp_path / "fused.run")
    again = read_run(tmp_path / "fused.run")
    assert list(again.documents) == fused.documents
    assert (again.document_scores == fused.document_scores).all()


def test_pools_with_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(majority, "LARGEST", 2)
    with pytest.raises(NotAvailable, match="fuse with rrf, bordalog or borda"):
        fuse([ONE, OTHER], "condorcet")


@pytest.mark.parametrize("method", ["condorcet", "mc4"])
def test_majorities_are_the_same_in_blocks(method, monkeypatch):
    runs = campaign(6, size=40)
    whole = fuse(runs, method)
    monkeypatch.setattr(majority, "BLOCK", 7)
    parts = fuse(runs, method)
    assert parts.documents == whole.documents
    assert parts.document_scores == pytest.approx(whole.document_scores, rel=1e-9)


def test_weights_spelled_too_finely_for_votes_are_refused():
    with pytest.raises(ParameterError, match="too finely"):
        fuse([ONE, OTHER], "condorcet", weights=[1, Fraction(1, 3**40)])


def test_granularity_counts_different_scores():
    fused = fuse([{"1": {"a": 1.0, "b": 1.0, "c": 0.0}, "2": {"a": 1.0}}], depth=None)
    assert granularity(fused) == {"1": Fraction(2, 3), "2": Fraction(1)}


def test_progress_is_told_of_topics():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    fuse(campaign(7), "condorcet", progress=progress)
    assert seen == [(3, "topics")]


def test_fusing_a_little_loads_neither_polars_nor_scipy():
    code = (
        "import sys; from measurand.fusion import fuse; fuse([{'1': {'a': 1.0}}, {'1': {'b': 1.0}}], 'combmed');"
        "print([m for m in ('polars', 'scipy', 'networkx', 'numba') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_depth_beyond_all_runs_keeps_all_documents():
    runs = [{"1": {"a": 1.0, "b": 2.0}}, {"1": {"c": 1.0}}]
    assert fuse(runs, depth=10**12).documents == fuse(runs, depth=None).documents
