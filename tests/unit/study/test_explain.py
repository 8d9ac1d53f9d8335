"""Explanations: every convention against a definition that is written out, and what is said of them."""

from __future__ import annotations

import json
from itertools import permutations, product
from math import exp, log, log2
from statistics import mean, median

import numpy as np
import pytest

import measurand as md
from measurand.errors import InputError, NotAvailable, ParameterError
from measurand.measures.parameters import gain_of
from measurand.study.explain.bench import Bench
from measurand.study.explain.convention import Barren, Base, Convention, Mean, Negative, Order, Topics
from measurand.study.explain.other_tools import TOOLS
from measurand.study.explain.search import conventions
from measurand.study.explain.written_number import Match, WrittenNumber

# equal scores, a topic that is missing (4), one without judgments (9), one without relevant documents (3), negative
# grades, unjudged documents (u, v), short rankings, scores that differ in double precision alone
QRELS = {
    "1": {"a": 3, "b": 0, "c": 1, "d": 2, "e": 1, "f": -2},
    "2": {"a": 1, "b": 2, "c": 0, "d": 0, "e": -1},
    "3": {"a": 0, "b": 0},
    "4": {"a": 2, "b": 1},
    "5": {"a": 1, "b": 3},
}
RUN = {
    "1": {"c": 2.0, "b": 2.0, "u": 2.0, "a": 1.0, "f": 0.5, "d": 0.25},
    "2": {"e": 3.0, "v": 2.5, "a": 2.0, "c": 1.5, "b": 1.5},
    "3": {"a": 1.0, "b": 0.5},
    "5": {"b": 0.922262145, "u": 0.922262145375258},
    "9": {"a": 1.0},
}
JUDGED_RUN = {topic: documents for topic, documents in RUN.items() if topic in QRELS}
RANKS = {"1": "abcduf", "2": "bacev", "3": "ab", "5": "bu", "9": "a"}


@pytest.fixture(scope="module")
def bench():
    run, qrels = md.read_run(RUN, name="r"), md.read_qrels(QRELS)
    ranks = [RANKS[topic].index(d) for topic in run.topics for d in run.documents_of(topic)]
    return Bench(run, qrels, np.array(ranks))


def orders(topic, order):
    """Return every order of the documents of a topic that a rule leaves open, best first."""
    scores, documents = RUN.get(topic, {}), list(RUN.get(topic, {}))
    if order is Order.SINGLE:
        scores = {d: float(np.float32(score)) for d, score in scores.items()}
    match order:
        case Order.FILE:
            return [documents]
        case Order.RANKS:
            return [list(RANKS.get(topic, ""))]
        case Order.WORST:
            return [sorted(documents, key=lambda d: scores[d])]
        case Order.STABLE:
            return [sorted(documents, key=lambda d: -scores[d])]
        case Order.REVERSED:
            return [sorted(documents, key=lambda d: (-scores[d], -documents.index(d)))]
        case Order.ASCENDING:
            return [sorted(sorted(documents), key=lambda d: -scores[d])]
        case Order.EXPECTED:
            tied = [[d for d in documents if scores[d] == score] for score in sorted(set(scores.values()))[::-1]]
            return [[d for part in each for d in part] for each in product(*map(permutations, tied))]
    return [sorted(sorted(documents, reverse=True), key=lambda d: -scores[d])]


def judgments(topic, negative):
    """Return the grades of judged documents; None for those that were pooled and not judged."""
    known = {Negative.OWN: (-1,), Negative.UNJUDGED: (-1, -2), Negative.ZERO: ()}[negative]
    return {d: None if grade in known else max(grade, 0) for d, grade in QRELS[topic].items()}


def value(topic, convention):
    """Return the value of a topic, by the words of the convention."""
    values = [on_ranking(ranking, topic, convention) for ranking in orders(topic, convention.order)]
    return mean(values)


def on_ranking(ranking, topic, convention):
    measure, base = convention.measure, convention.base
    judged = judgments(topic, convention.negative)
    if measure.judged_only:
        ranking = [d for d in ranking if judged.get(d) is not None]
    k = measure.cutoff
    grades = [judged.get(d) or 0 for d in ranking]
    pool = sorted((grade for grade in judged.values() if grade), reverse=True)
    if base in (Base.RETRIEVED, Base.FIRST, Base.CAPPED_RETRIEVED):
        pool = sorted(grades[: k if base is Base.FIRST else None], reverse=True)
    if measure.name in ("nDCG", "DCG"):
        found = dcg(grades[:k], measure)
        best = dcg(pool[: None if base is Base.UNCUT else k], measure)
        if measure.name == "DCG":
            return found / log(2) if base is Base.NATURAL else found
        return found / best if best else 0
    rel = measure.rel
    hits = [grade >= rel for grade in grades[:k]]
    relevant = sum(grade >= rel for grade in pool)
    if base in (Base.CAPPED, Base.CAPPED_RETRIEVED):
        relevant = min(relevant, k)
    match measure.name:
        case "AP":
            total = sum(sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit)
            return total / relevant if relevant else 0
        case "R":
            return sum(hits) / relevant if relevant else 0
        case "P":
            return sum(hits) / (min(k, len(grades)) if base is Base.SHORT and grades else k)
        case "RR":
            return next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0)


def dcg(grades, measure):
    def discount(rank):
        return log2(rank + 1) if measure.b is None else max(1, log(rank) / log(measure.b))

    return sum(float(gain_of(measure.gain, grade)) / discount(rank) for rank, grade in enumerate(grades, 1))


def number(convention):
    """Return the average over topics, by the words of the convention."""
    measure, topics = convention.measure, list(QRELS)
    if convention.topics is not Topics.JUDGED:
        topics = [topic for topic in topics if topic in RUN]
    lowest = 1 if measure.name in ("nDCG", "DCG") else measure.rel

    def barren(topic):
        if convention.barren is Barren.NOTHING_FOUND_ONE:
            return topic in RUN and not any(QRELS[topic].get(d, 0) >= lowest for d in RUN[topic])
        return not any(grade >= lowest for grade in QRELS[topic].values())

    if convention.barren is Barren.SKIPPED:
        topics = [topic for topic in topics if not barren(topic)]
    ones = convention.barren in (Barren.ONE, Barren.NOTHING_FOUND_ONE)
    values = [1 if ones and barren(topic) else value(topic, convention) for topic in topics]
    if convention.topics is Topics.RUN:
        values += [0] * len(RUN.keys() - QRELS.keys())
    match convention.mean:
        case Mean.MEDIAN:
            return median(values)
        case Mean.GEOMETRIC:
            return exp(mean(log(max(each, 1e-5)) for each in values))
    return mean(values)


@pytest.mark.parametrize("spelled", ["nDCG@3", "DCG@2", "AP@3", "P@4", "R@3", "RR"])
def test_conventions_give_what_their_words_say(bench, spelled):
    plain = md.parse(spelled)
    tried = [one for _, one in conventions(plain, bench, (0, 1, 2), one_topic=False) if one.mean is not Mean.MICRO]
    assert len(tried) > 100
    orders = [Convention(measure=plain, order=order) for order in Order]
    # all with one departure, and a sample of those with two
    for convention in [*orders, *tried[:40], *tried[40::7]]:
        assert bench.value(convention) == pytest.approx(number(convention), abs=1e-12), convention


def test_micro_averages_are_quotients_of_sums(bench):
    found = sum(QRELS[topic].get(d, 0) > 0 for topic in QRELS for d in orders(topic, Order.TREC)[0][:3])
    relevant = sum(grade > 0 for grades in QRELS.values() for grade in grades.values())
    assert bench.value(Convention(measure=md.R @ 3, mean=Mean.MICRO)) == pytest.approx(found / relevant)


def test_raw_grades_and_beta_that_is_not_squared(bench):
    graded, raw = (bench.value(Convention(measure=md.RBP(p="0.8"), base=base)) for base in (Base.OWN, Base.RAW))
    assert raw == pytest.approx(3 * graded)
    unsquared = bench.value(Convention(measure=md.SetF(beta=4), base=Base.UNSQUARED))
    assert unsquared == pytest.approx(bench.value(Convention(measure=md.SetF(beta=2))))


def test_only_orders_that_differ_are_tried_and_choices_that_change_nothing_are_left_out():
    bench = Bench(md.read_run({"1": {"a": 2.0, "b": 1.0}}, name="r"), md.read_qrels({"1": {"a": 1, "b": 0}}))
    assert bench.orders == (Order.TREC, Order.WORST)
    elaborate = Convention(
        measure=md.AP, order=Order.EXPECTED, topics=Topics.RUN, barren=Barren.SKIPPED, negative=Negative.ZERO
    )
    assert bench.essential(elaborate) == Convention(measure=md.AP)


@pytest.mark.parametrize(
    ("written", "matching", "other"),
    [
        ("0.4310", 0.43096, 0.43111),
        (0.431, 0.43149, 0.4321),
        ("43.1%", 0.4313, 0.4325),
        ("0,43", 0.434, 0.44),
        ("1", 0.6, 2.1),
        ("0.31", 0.305, 0.32),
    ],
)
def test_decimals_say_how_precise_a_number_is(written, matching, other):
    number = WrittenNumber.read(written)
    assert (number.match(matching), number.match(other)) == (Match.ROUNDED, None)


@pytest.mark.parametrize("bad", ["", "nDCG", "nan", "inf", True, None, "0.1.2", "1e99"])
def test_what_is_no_number_is_refused_in_one_line(bad):
    with pytest.raises(ParameterError, match=r"^[^\n]+$"):
        md.explain(bad, QRELS, RUN)


def test_the_simplest_convention_comes_first_and_the_tools_that_follow_it_are_named():
    plain = md.evaluate(QRELS, RUN, "nDCG@3").scores("nDCG@3").mean()[0]
    found = md.explain(f"{plain:.6f}", QRELS, RUN, "nDCG@3")
    assert found.candidates[0].best.convention == Convention(measure=md.nDCG @ 3)
    assert "trec_eval 10.0 -c -m ndcg_cut.3" in found.candidates[0].tools
    assert found.sentence.startswith(f"This run's nDCG@3 is {plain:.8f}, which rounds to {plain:.6f}, as in trec_eval")
    assert str(found).startswith(found.sentence.split(",")[0])


def test_a_measure_without_cutoff_stands_for_the_usual_ones_and_no_measure_for_usual_measures():
    qrels, run = {"1": QRELS["1"]}, {"1": {"b": 3.0, "c": 2.0, "d": 1.0, "a": 0.5}}
    value = md.evaluate(qrels, run, "nDCG@3").scores("nDCG@3").mean()[0]
    for named in ("nDCG", None):
        assert md.explain(f"{value:.6f}", qrels, run, named).candidates[0].best.words == "nDCG@3"


def test_a_percentage_and_a_truncated_number_are_recognised():
    value = md.evaluate(QRELS, RUN, "AP").scores("AP").mean()[0]
    percent = md.explain(f"{100 * value:.3f}", QRELS, RUN, "AP@10").candidates[0]
    assert (percent.number.percent, percent.best.words) == (True, "AP@10")
    # 2/3 with three decimals, truncated
    truncated = md.explain("0.666", {"1": dict.fromkeys("abc", 1)}, {"1": {"a": 2.0, "b": 1.0}}, "R@10").candidates[0]
    assert (truncated.match, truncated.best.words) == (Match.TRUNCATED, "R@10")


def test_a_topic_has_no_average():
    found = md.explain("0.5", QRELS, RUN, "RR", topic="5")
    words = {word for each in found.candidates for word in each.best.convention.departures(each.best.plain)}
    assert found.topic == "5"
    assert not any("mean" in word and "orders" not in word for word in words)
    with pytest.raises(ParameterError, match="topic 77 has no judgments; there are judgments for 1, 2, 3, 4 and 5"):
        md.explain("0.5", QRELS, RUN, "RR", topic="77")


def test_where_nothing_gives_the_number_the_nearest_is_named():
    found = md.explain("0.123456789", QRELS, RUN, "RR@10")
    assert found.found == 0
    assert " variants gives 0.123456789. Is it the right run? The nearest is RR" in found.sentence
    distances = [each.distance for each in found.candidates]
    assert distances == sorted(distances)


def test_what_a_measure_refuses_is_left_out_and_one_that_refuses_everything_says_why():
    # gains of 2^g − 1 up to grade 3 and a highest grade of 4 contradict each other
    assert md.explain("0.5", QRELS, RUN, "gP@3", topic="1").tried > 50
    with pytest.raises(NotAvailable, match="no float can hold"):
        md.explain("0.5", QRELS, RUN, "RBTO@5000")
    with pytest.raises(ParameterError, match="name that one"):
        md.explain("0.5", QRELS, RUN, "interval(AP@5)")


def test_several_runs_are_refused(tmp_path):
    both = tmp_path / "both.run"
    both.write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n1 Q0 a 1 2 y\n")
    with pytest.raises(InputError, match="a number is that of one run, and there are 2"):
        md.explain("0.5", QRELS, both)


def test_the_rank_column_of_a_file_is_an_order(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 0\n")
    (tmp_path / "run").write_text("1 Q0 b 2 9 x\n1 Q0 a 3 8 x\n1 Q0 c 1 7 x\n")
    found = md.explain("0.3333", tmp_path / "qrels", tmp_path / "run", "RR@10")
    assert found.candidates[0].best.convention.order is Order.RANKS


def test_explanations_and_tables_can_be_written_as_json_and_frames():
    found, table = md.explain("0.5", QRELS, RUN, "P@2"), md.values_by_tool(QRELS, RUN, "nDCG@10")
    written = json.loads(json.dumps(found.to_dict()))
    assert written["candidates"][0]["convention"]["measure"] == repr(found.candidates[0].best.convention.measure)
    assert found.to_polars().height == len(found.candidates)
    assert table.to_polars()["value"].to_list() == [each["value"] for each in table.to_dict()["values"]]
    assert table.to_polars().height == len(table.values) > len(TOOLS)


def called(spelled, run=None):
    table = md.values_by_tool(QRELS, run or JUDGED_RUN, spelled)
    return {each.tool: (each.call, each.value, each.differs) for each in table.values}


def test_calls_are_written_as_the_tools_read_them():
    level = called("AP(rel=2)")
    assert (level["ranx"][0], level["trec_eval"][0]) == ("map-l2", "-m map -l 2")
    assert level["pytrec_eval"][0] == "map relevance_level=2"
    persistent = called("RBP(rel=2, p=0.5)")
    assert persistent["ir_measures"][0] == "RBP(rel=2,p=0.5)"
    assert called("RBP(rel=1, p=0.5)")["ir_measures"][1] != persistent["ir_measures"][1]
    assert list(called("RBP(p='1/3')")) == ["measurand"]


def test_a_tool_that_keeps_unjudged_documents_is_not_said_to_remove_them():
    assert called("P(judged_only=True)@3")["pytrec_eval"][2].startswith("unjudged documents kept")


def test_a_tool_that_fails_where_a_topic_has_no_judgments_gives_no_number_there():
    assert {"MTEB", "BEIR"} <= set(called("RR@3"))
    assert not {"MTEB", "BEIR"} & set(called("RR@3", RUN))


def test_a_tool_that_leaves_a_topic_out_has_no_value_for_it():
    missing = {each.tool for each in md.values_by_tool(QRELS, JUDGED_RUN, "P@3", topic="4").values}
    barren = {each.tool for each in md.values_by_tool(QRELS, JUDGED_RUN, "P@3", topic="3").values}
    assert not {"pytrec_eval", "BEIR", "MTEB", "trectools"} & missing
    assert {"ir_measures", "ranx"} <= missing
    assert {"pytrec_eval", "BEIR"} <= barren
    assert "sentence-transformers" not in barren
    assert not any("pytrec_eval" in tool for tool in md.explain("0", QRELS, RUN, "P@3", topic="4").candidates[0].tools)


def test_what_tools_make_of_fractional_grades_and_of_geometric_means_is_not_said():
    table = md.values_by_tool({"1": {"a": 0.7}}, {"1": {"a": 1.0}}, "AP")
    assert table.sentence.endswith("what other tools make of grades that are no whole numbers was not checked.")
    with pytest.raises(ParameterError, match=r"not gm\(AP\); name AP"):
        md.values_by_tool(QRELS, RUN, "gm(AP)")


def test_every_tool_has_a_call_that_a_bench_knows(bench):
    called = {
        (each.tool, each.version)
        for name in ("nDCG@3", "nDCG")
        for each in md.values_by_tool(QRELS, JUDGED_RUN, name).values
    }
    assert {(tool.name, tool.version) for tool in TOOLS} <= called
