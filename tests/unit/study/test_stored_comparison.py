"""Comparisons, levels, margins and studies of stored scores are those of the same runs in memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind, NotAvailable, ParameterError
from measurand.statistics import pairs
from measurand.study.against_baseline import against_baseline
from measurand.study.comparison_settings import Settings
from measurand.study.store import choosing

DOCUMENTS = "abcdef"
SYSTEMS = ("s", "t", "u", "v")


@st.composite
def campaigns(draw):
    """Judgments of up to five topics, and four runs that may leave topics out and have ties."""
    topics = [str(number) for number in range(1, draw(st.integers(2, 5)) + 1)]
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2), min_size=1)
    results = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([1.0, 2.0, 3.0, 4.5]), min_size=1)
    qrels = {topic: draw(grades) for topic in topics}
    runs = {
        system: {topic: draw(results) for topic in topics if topic == "1" or draw(st.integers(0, 3))}
        for system in SYSTEMS
    }
    return qrels, runs


def stored(folder, qrels, runs, measures, **options):
    for system, content in runs.items():
        md.read_run(content, name=system).to_trec(folder / f"{system}.run")
    paths = [folder / f"{system}.run" for system in runs]
    return md.store_scores(qrels, paths, measures, into=folder / "scores", **options)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    return md.store_scores(md.sample.qrels(), md.sample.runs(), into=folder / "scores")


@given(campaigns(), st.integers(1, 3), st.sampled_from(["t", "sign", "wilcoxon"]), st.sampled_from(["zero", "skip"]))
@settings(max_examples=12)
def test_blocks_of_systems_give_the_numbers_of_a_comparison_in_memory(
    tmp_path_factory, campaign, together, test, missing
):
    qrels, runs = campaign
    measures = ["P@2", "RR", "Success@3"]
    store = stored(tmp_path_factory.mktemp("blocks"), qrels, runs, measures, missing_topics=missing)
    whole = md.compare(qrels, runs, measures, baseline="t", test=test, missing_topics=missing)
    found = against_baseline(store, store.measures, Settings(baseline="t", test=test), together)
    at = SYSTEMS.index("t")
    for result in found:
        known = whole.of(result.measure)
        assert np.array_equal(result.pvalues, known.uncorrected.pvalues[:, at])
        assert np.array_equal(result.corrected, known.pairs.pvalues[:, at])
        assert np.array_equal(result.means, known.means.values, equal_nan=True)
        assert np.array_equal(result.differences, known.effects.mean_difference[:, at], equal_nan=True)
        assert np.array_equal(result.low, known.effects.low[:, at], equal_nan=True)
        others = np.arange(len(SYSTEMS)) != at
        assert np.array_equal(result.wins[others], known.effects.wins[others, at])
        assert np.array_equal(result.ties[others], known.effects.ties[others, at])
        assert next(result.rows())["system"] == known.systems[0]


def test_systems_that_fit_are_compared_as_in_memory_but_for_what_needs_documents(sample):
    found, whole = md.compare(sample).to_dict(), md.compare(md.sample.qrels(), md.sample.runs()).to_dict()
    for margins in found["margins"]:
        assert margins["judgments"]["value"] is None
        assert margins["judgments"]["sentence"] == "not looked for: scores were stored without the names of documents"
        assert margins["unjudged"]["sentence"] == margins["judgments"]["sentence"]
    for data in (found, whole):
        del data["margins"]
    assert found == whole


def test_where_not_all_fit_the_best_are_compared_and_it_is_said_how_many_are_left_out(sample, monkeypatch):
    monkeypatch.setattr(choosing, "FITS", 50 * sample.depth * 3)
    found = md.compare(sample, "nDCG@10", baseline=None)
    assert found.primary.systems == ("rerank-2", "rerank-1", "rerank-3")
    whole = md.compare(
        md.judge(md.sample.runs(), md.sample.qrels()).part(["rerank-1", "rerank-2", "rerank-3"]), "nDCG@10"
    )
    assert np.array_equal(found.primary.pairs.pvalues, whole.primary.pairs.pvalues)
    [said] = [str(caveat) for caveat in found.caveats if caveat.kind is CaveatKind.LEFT_OUT]
    assert said.startswith("9 of 12 systems are not looked at: only the best by nDCG@10 are, on all topics")
    assert [str(line) for line in found.conclusion.lines if line.about == "left_out"] == [f"Left out: {said}."]


def test_with_a_baseline_all_systems_are_compared_with_it_even_if_they_do_not_fit(sample, monkeypatch):
    monkeypatch.setattr(choosing, "FITS", 1)
    found = md.compare(sample, ["P@10", "nDCG@10"], primary="nDCG@10", baseline="dense-1")
    assert isinstance(found, md.BaselineComparison)
    assert (found.primary.measure, found.primary.better, found.primary.worse) == ("nDCG@10", 2, 3)
    assert len(found.to_polars()) == 24
    assert "11 pairs with dense-1 were tested; other pairs, levels and margins are left out" in str(found)
    with pytest.raises(ParameterError, match=r"take t, sign or wilcoxon, or name some systems"):
        md.compare(sample, baseline="dense-1", test="friedman")


def test_with_a_baseline_all_systems_are_compared_with_it_where_their_pairs_do_not_fit(sample, monkeypatch):
    monkeypatch.setattr(pairs, "PAIR_BYTES", 10**15)
    found = md.compare(sample, ["P@10", "nDCG@10"], baseline="dense-1")  # as the refusal of all pairs advises
    assert isinstance(found, md.BaselineComparison)
    for systems in (None, sample.systems):
        with pytest.raises(NotAvailable, match=r"^66 pairs of 12 systems .*compare FOLDER --baseline NAME"):
            md.compare(sample, ["P@10", "nDCG@10"], systems=systems)


def test_named_systems_are_compared_alone(sample):
    found = md.compare(sample, "AP", systems="dense-1,lexical-2")
    assert found.primary.systems == ("dense-1", "lexical-2")
    with pytest.raises(ParameterError, match=r"there is no system .dense-9"):
        md.compare(sample, systems=["dense-9"])
    with pytest.raises(ParameterError, match="systems are named of stored scores"):
        md.compare(md.sample.qrels(), md.sample.runs(), systems="dense-1")


def test_levels_and_margins_of_two_systems_come_from_a_store(sample):
    judged = md.judge(md.sample.runs(), md.sample.qrels())
    pair = "hybrid-1", "lexical-1"
    several = [md.levels(each, *pair, depth=20).to_dict() | {"caveats": []} for each in (sample, judged)]
    assert several[0] == several[1]
    found, known = (md.margins(each, "P@10", *pair) for each in (sample, judged))
    assert [each.to_dict() for each in (found.topics, found.scale, found.ties)] == [
        each.to_dict() for each in (known.topics, known.scale, known.ties)
    ]


def test_a_study_of_a_store_has_the_numbers_of_one_of_files_and_no_fusions(sample, monkeypatch):
    monkeypatch.setattr(choosing, "FITS", 50 * sample.depth * 3)
    study = md.Study.from_store(sample, "P@10", baseline="lexical-1")
    assert study.systems == ("lexical-1", "rerank-1", "rerank-2")
    whole = md.evaluate(md.sample.qrels(), md.sample.runs(), "P@10")
    at = [whole.scores("P@10").systems.index(system) for system in study.systems]
    assert np.array_equal(study.scores("P@10").values, whole.scores("P@10").values[at])
    assert study.fusions is None
    said = [line.text for line in study.conclusion.lines if line.about == "left_out"]
    assert [text.partition(":")[0] for text in said] == [
        "9 of 12 systems are not looked at",
        "runs are not fused, and what other judgments would change is not looked for",
    ]
