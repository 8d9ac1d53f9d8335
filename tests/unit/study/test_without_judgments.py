"""Evaluation without judgments: the same as fusing the others by hand, and what it refuses and says."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind, InputError, NotMeaningful, ParameterError
from measurand.study.without_judgments import BIAS

rankings = st.dictionaries(
    st.sampled_from([f"d{place}" for place in range(7)]), st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=6
)
campaigns = st.lists(
    st.dictionaries(st.sampled_from("123"), rankings, min_size=1, max_size=3), min_size=3, max_size=5
).map(lambda runs: {f"s{place}": run for place, run in enumerate(runs)})

METHODS = ["bordalog", "combsum"]
MEASURES = ["OIE(collection=50)", "AP", "nDCG@2", "RR"]

THREE = {
    "a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}, "2": {"x": 1.0}},
    "b": {"1": {"y": 3.0, "x": 2.0, "z": 1.0}, "2": {"y": 1.0}},
    "c": {"1": {"z": 3.0, "x": 2.0, "y": 1.0}, "3": {"z": 1.0}},
}


ORDERS = {"a": "vyuzxw", "b": "xzyuwv", "c": "uxywzv"}


def shared_topics(runs):
    topics = dict.fromkeys(topic for run in runs.values() for topic in run)
    return [topic for topic in topics if sum(topic in run for run in runs.values()) > 1]


def by_hand(runs, method, top):
    """Return scores by measure, system and topic, from the definition."""
    topics, found = shared_topics(runs), {}
    for name, run in runs.items():
        others = [other for each, other in runs.items() if each != name]
        fused = md.fuse(others, method, depth=top)
        qrels = {topic: dict.fromkeys(fused.documents_of(topic), 1) for topic in topics}
        table = md.evaluate(qrels, md.read_run(run, name=name), MEASURES)
        for measure in MEASURES:
            found.setdefault(measure, []).append(table.scores(measure).values[0].tolist())
    return found


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=8)
@given(runs=campaigns, top=st.integers(1, 4))
def test_scores_are_those_by_the_top_of_the_fusion_of_the_others(method, runs, top):
    assume(all(set(run) & set(shared_topics(runs)) for run in runs.values()))
    found = md.evaluate_without_judgments(runs, MEASURES, method=method, top=top)
    assert found.topics == tuple(shared_topics(runs))
    assert {name: found.scores(name).values.tolist() for name in MEASURES} == by_hand(runs, method, top)


@settings(max_examples=6)
@given(runs=campaigns, names=st.permutations(["p", "q", "r", "s", "t"]))
def test_what_systems_are_called_changes_nothing(runs, names):
    assume(all(set(run) & set(shared_topics(runs)) for run in runs.values()))
    renamed = dict(zip(names, runs.values(), strict=False))
    found, again = (md.evaluate_without_judgments(each, MEASURES, top=2) for each in (runs, renamed))
    for measure in MEASURES:
        assert np.array_equal(found[measure].values, again[measure].values)


@settings(max_examples=10)
@given(orders=st.lists(st.permutations("uvwxyz"), min_size=3, max_size=4), top=st.integers(1, 5))
def test_a_copy_of_a_system_never_lowers_its_score(orders, top):
    runs = {f"s{place}": {"1": dict(zip(order, range(6, 0, -1), strict=True))} for place, order in enumerate(orders)}
    alone = md.evaluate_without_judgments(runs, "AP", method="rrf", top=top)
    beside = md.evaluate_without_judgments({**runs, "copy": runs["s0"]}, "AP", method="rrf", top=top)
    assert beside["AP"].of("s0", "1") >= alone["AP"].of("s0", "1")
    assert {beside.duplicates[0].a, beside.duplicates[0].b} <= {*runs, "copy"}


def test_with_every_system_in_the_fusion_all_have_the_same_judgments():
    found = md.evaluate_without_judgments(THREE, "AP", top=2, leave_one_out=False)
    fused = md.fuse(THREE, "bordalog", depth=2)
    assert found.topics == ("1", "2", "3")
    assert {qrels.documents_of("1") == fused.documents_of("1") for qrels in found.judgments.values()} == {True}


def test_the_bias_travels_with_every_score():
    found = md.evaluate_without_judgments(THREE, top=2)
    assert found.caveats[0] == BIAS
    assert all(BIAS in scores.caveats for scores in found.table)
    assert "too low" in str(found)
    compared = md.evaluate_without_judgments(THREE, top=2, against={"1": {"x": 1}})
    assert str(BIAS) in " ".join(str(compared.agreement("AP")).split())


def test_who_agrees_most_is_said_first_and_where_measures_disagree():
    [first, trust] = md.evaluate_without_judgments(THREE, ["AP", "nDCG"], top=1).sentences()
    assert first.startswith("b agrees most with the other systems. That does not make it the best. Scores without")
    assert "docs/how-to/without-judgments.md" in trust
    # measures may disagree
    table = md.evaluate_without_judgments(THREE, ["AP", "RR"], top=1)
    shifted = evolve(table.table, by_measure={"AP": table["AP"], "RR": evolve(table["RR"], values=-table["RR"].values)})
    [first, _] = evolve(table, table=shifted).sentences()
    assert first.startswith("Who agrees most with the other systems depends on the measure: b under AP and ")
    assert "That does not make any of them the best." in first


def test_small_numbers_have_more_decimals_unless_their_number_is_given():
    found = md.evaluate_without_judgments(THREE, ["OIE", "AP"], top=1, collection_size=10_000_000)
    [_, small, usual] = (str(cell) for cell in found.view().cells[0])
    assert len(usual) == len("0.0000") < len(small)
    [_, small, usual] = (str(cell).lstrip("-") for cell in found.view(places=9).cells[0])
    assert len(small) == len(usual) == len("0.000000000")


def test_runs_that_share_exactly_nine_of_ten_documents_are_nearly_the_same():
    documents = [f"d{place}" for place in range(10)]
    other = [*documents[:9], "e"]
    runs = {
        name: {str(topic): {d: float(-place) for place, d in enumerate(each)} for topic in range(50)}
        for name, each in (("a", documents), ("b", other), ("c", ["f", *documents[1:9], "e"]))
    }
    found = md.evaluate_without_judgments(runs, "AP", top=10)
    assert [(pair.a, pair.b, pair.shared) for pair in found.duplicates] == [("a", "b", 0.9), ("b", "c", 0.9)]


def test_what_is_known_of_the_files_is_said_as_it_is(tmp_path):
    for name, run in THREE.items():
        lines = [f"{t} Q0 {d} 1 {score} same" for t, docs in run.items() for d, score in docs.items()]
        (tmp_path / name).write_text("\n".join(lines))
    texts = [str(caveat) for caveat in md.evaluate_without_judgments(sorted(tmp_path.iterdir()), "AP").caveats]
    assert "all 3 runs have the tag same, so systems are called by their files" in texts


def test_what_was_assumed_or_left_out_is_said():
    found = md.evaluate_without_judgments(THREE, top=3)
    kinds = {caveat.kind: str(caveat) for caveat in found.caveats}
    texts = [str(caveat) for caveat in found.caveats]
    assert "1 topic is left out, because one run alone retrieves anything for it: 3" in texts
    assert "the 3 documents that the runs retrieve" in kinds[CaveatKind.COLLECTION]
    # on every topic the others have three documents at most
    assert "in 6 of 6 fused rankings there are no more than 3 documents" in kinds[CaveatKind.DEGENERATE]
    assert "c: nothing for 1 of the 2 topics, counted as empty results" in texts


def test_documents_that_tie_at_the_end_of_the_top_are_counted():
    # y and x have ranks 1 and 2 in the one run, and 2 and 1 in the other
    found = md.evaluate_without_judgments({name: {"1": THREE[name]["1"]} for name in "abc"}, "AP", top=1)
    assert found.judgments["c"].documents == ["y"]
    assert any("documents tie at the end of the top" in str(caveat) for caveat in found.caveats)


def test_near_duplicates_are_named_and_refused_strictly():
    twins = {**THREE, "a2": THREE["a"]}
    found = md.evaluate_without_judgments(twins, "AP", top=2)
    assert [(pair.a, pair.b, pair.shared) for pair in found.duplicates][:1] == [("a", "a2", 1.0)]
    with pytest.raises(NotMeaningful, match="a and a2"):
        found.check_strict()


def test_too_few_systems_are_refused_in_one_line():
    two = {name: THREE[name] for name in "ab"}
    with pytest.raises(InputError, match="there are 2 runs, and it takes three"):
        md.evaluate_without_judgments(two)
    assert md.evaluate_without_judgments(two, leave_one_out=False).systems == ("a", "b")


def test_a_run_whose_topics_nobody_else_has_is_refused():
    with pytest.raises(InputError, match="lonely: no other run retrieves anything for its topics"):
        md.evaluate_without_judgments({**THREE, "lonely": {"9": {"x": 1.0}}})
    with pytest.raises(InputError, match="no two runs"):
        md.evaluate_without_judgments({name: {name: {"x": 1.0}} for name in "abc"})


@pytest.mark.parametrize("measure", ["Bpref", "Judged@10", "AP(judged_only=True)"])
def test_measures_that_ask_what_was_judged_are_refused(measure):
    with pytest.raises(ParameterError, match="without judgments"):
        md.evaluate_without_judgments(THREE, measure)


def test_what_cannot_be_runs_is_refused_with_an_example():
    for wrong in ("AP", md.judge(THREE, {"1": {"x": 1}}), []):
        with pytest.raises(ParameterError, match="evaluate_without_judgments"):
            md.evaluate_without_judgments(wrong)


def test_a_collection_smaller_than_what_is_retrieved_is_refused():
    with pytest.raises(ParameterError, match="too small a collection"):
        md.evaluate_without_judgments(THREE, collection_size=2)


def test_against_judgments_the_orders_and_the_places_are_compared():
    qrels = {"1": {"x": 1}, "7": {"x": 1}}
    found = md.evaluate_without_judgments(THREE, "RR", top=1, against=qrels)
    compared = found.agreement("recip_rank")
    # by judgments a has 1, b and c have 1/2; without them the others of a agree on y or z, at ranks 2 and 3
    truth = md.evaluate({"1": {"x": 1}}, THREE, "RR").scores("RR").mean()
    assert (compared.topics, compared.judged.to_dict()) == (1, truth.to_dict())
    pseudo = found["RR"].values[:, found.topics.index("1")].tolist()
    assert list(compared.without) == pseudo
    assert float(compared.tau) == pytest.approx(md.statistics.kendall([1, 0.5, 0.5], pseudo), nan_ok=True)
    assert compared.best == "a"
    assert compared.place_of_best == 1 + sum(value > pseudo[0] for value in pseudo)


def test_scores_without_and_by_judgments_are_those_of_one_collection():
    # the judgments name documents that no run retrieves
    qrels = {"1": {"x": 1, **{f"unseen-{n}": 0 for n in range(20)}}}
    found = md.evaluate_without_judgments(THREE, "OIE", against=qrels)
    truth = md.evaluate(qrels, THREE, f"OIE(beta=1.2, collection={found.collection_size})")
    assert list(found.agreement().judged) == pytest.approx(list(truth.scores(truth.measures[0]).mean()))


def test_judgments_of_other_topics_cannot_be_compared_with():
    with pytest.raises(InputError, match="no topic of the runs"):
        md.evaluate_without_judgments(THREE, against={"99": {"x": 1}})
    with pytest.raises(ParameterError, match="against=qrels"):
        md.evaluate_without_judgments(THREE).agreement()


def test_on_the_sample_the_best_system_is_far_too_low():
    found = md.evaluate_without_judgments(md.sample.runs(), "AP", against=md.sample.qrels())
    compared = found.agreement()
    assert (compared.best, compared.place_of_best, round(compared.tau, 2)) == ("rerank-2", 7, 0.42)


def test_notes_that_differ_in_numbers_alone_are_said_once_with_the_name_of_a_system():
    # in so small a collection late relevant documents lower OIE, of each system other ones
    runs = {name: {"1": dict(zip(order, range(9, 0, -1), strict=False))} for name, order in ORDERS.items()}
    texts = [str(caveat) for caveat in md.evaluate_without_judgments(runs, "OIE", top=3)["OIE"].caveats]
    [said] = [text for text in texts if "lower the score of their run" in text]
    assert said.startswith("a: OIE(")
    assert said.endswith("(and the like of 2 other systems)")


def test_search_lengths_can_be_had_without_judgments():
    found = md.evaluate_without_judgments(THREE, "ESL", top=1, collection_size=10)
    assert found["ESL"].lower_is_better
    assert found["ESL"].of("b", "1") == by_hand_esl(THREE, "b")


def by_hand_esl(runs, system):
    others = {name: run for name, run in runs.items() if name != system}
    [relevant] = md.fuse(others, "bordalog", depth=1).documents_of("1")
    return sorted(runs[system]["1"], key=runs[system]["1"].get, reverse=True).index(relevant)
