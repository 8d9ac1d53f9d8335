"""Observational information effectiveness: the fast way against the exact one, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, permutations, product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand import ParameterError, evaluate, parse, read_qrels
from measurand.errors import CaveatKind
from measurand.exact import Logs, log_sum
from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, Judgments, Results, judge
from measurand.measures import OIE
from measurand.measures.campaigns import in_collection, with_campaign
from measurand.measures.ties.signals import Signals

COLLECTION = 12

QRELS = {"1": {"a": 1, "b": 2, "c": 0}, "2": {"a": 1}, "3": {"z": 0}}
RUN = {"1": {"x": 3.0, "b": 2.0, "a": 1.0}, "2": {"b": 2.0, "a": 1.0}, "3": {"a": 1.0}}


@st.composite
def judged_runs(draw):
    """Several runs on several topics, with unjudged, pooled and missing documents."""
    depth = draw(st.integers(1, 7))
    systems, topics, top = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    cells = np.full((systems, topics, depth), NOTHING, dtype=np.int8)
    for system in range(systems):
        for topic in range(topics):
            run = draw(st.lists(st.sampled_from([POOLED, UNJUDGED, *range(top + 1)]), max_size=depth))
            cells[system, topic, : len(run)] = run
    counts = draw(
        st.lists(st.lists(st.integers(0, 5), min_size=top + 1, max_size=top + 1), min_size=topics, max_size=topics)
    )
    # judgments know every judged document that some system found
    found = np.stack([(cells == grade).sum(axis=2).max(axis=0) for grade in range(top + 1)], axis=1)
    return JudgedRuns(
        systems=tuple(f"s{i}" for i in range(systems)),
        topics=tuple(f"t{i}" for i in range(topics)),
        cells=cells,
        lengths=(cells != NOTHING).sum(axis=2),
        grade_counts=np.array(counts, dtype=np.int64) + found,
    )


weights = st.fractions(Fraction(1, 10), 3, max_denominator=10)


@st.composite
def measures(draw):
    measure = OIE(
        alpha1=draw(weights),
        alpha2=draw(weights),
        beta=draw(weights),
        collection=draw(st.none() | st.integers(30, 10**6)),
        rel=draw(st.none() | st.integers(1, 3)),
        judged_only=draw(st.booleans()),
    )
    return measure @ draw(st.none() | st.integers(1, 9))


@settings(max_examples=20)
@given(judged_runs(), measures())
def test_the_fast_way_is_the_exact_one(judged, measure):
    scores = measure.scores(judged).values
    measure = with_campaign(measure, judged)
    values = measure.fast(judged.condensed if measure.judged_only else judged).reshape(judged.cells.shape[:2])
    for system, topic in np.ndindex(values.shape):
        run = tuple(judged.cells[system, topic].tolist())
        exact = float(measure.exact(measure.view(run), judged.pools[topic]))
        assert values[system, topic] == pytest.approx(exact, rel=1e-9, abs=1e-12)
        assert scores[system, topic] == pytest.approx(exact, rel=1e-9, abs=1e-12)


@settings(max_examples=12)
@given(judged_runs(), measures())
def test_a_level_is_the_value_in_the_units_of_the_topic(judged, measure):
    for topic, pool in enumerate(judged.pools):
        run = measure.view(tuple(judged.cells[0, topic].tolist()))
        level, unit = measure.level(run, pool), measure.unit(pool, len(run))
        assert unit > 0
        assert level == measure.exact(run, pool) * unit
        if isinstance(level, Logs):
            assert all(coefficient.denominator == 1 for _, coefficient in level.terms)


def test_unjudged_documents_count_as_not_relevant_and_missing_ones_not_at_all():
    measure = OIE(collection=20)
    assert measure.of((1, -1, 1), recall_base=3) == measure.of((1, 0, 1), recall_base=3)
    assert measure.of((1, -3, 1), recall_base=3) == measure.of((1, 0, 1), recall_base=3)
    assert measure.of((1, 0, -2), recall_base=3) == measure.of((1, 0), recall_base=3)
    assert measure.of((1, 0, 0), recall_base=3) != measure.of((1, 0), recall_base=3)


def test_a_cutoff_leaves_documents_unretrieved():
    measure = OIE(collection=20)
    assert (measure @ 2).of((1, 0, 1), recall_base=3) == measure.of((1, 0), recall_base=3)


def test_a_lowest_grade_makes_two_kinds_of_documents():
    run, counts = (2, 1, 0, 3), (10, 2, 2, 2)
    assert OIE(collection=20, rel=2).of(run, grade_counts=counts) == OIE(collection=20).of(
        (1, 0, 0, 1), grade_counts=(12, 4)
    )
    assert OIE(collection=20, rel=1).of(run, grade_counts=counts) == OIE(collection=20).of(
        (1, 1, 0, 1), grade_counts=(10, 6)
    )
    assert OIE(collection=20, rel=1).of(run, grade_counts=counts) != OIE(collection=20).of(run, grade_counts=counts)
    assert (OIE.graded, OIE(rel=1).graded) == (True, False)


# No relevant documents


@pytest.mark.parametrize("depth", [1, 3])
def test_without_relevant_documents_only_the_ranking_counts(depth):
    expected = (1 - Fraction(6, 5)) * log_sum([(Fraction(30, rank), Fraction(1, 30)) for rank in range(1, depth + 1)])
    assert OIE(collection=30).of((0,) * depth, recall_base=0) == expected
    judged = JudgedRuns.on_one_topic([(0,) * depth], (5, 0))
    assert OIE(collection=30).scores(judged).values[0, 0] == pytest.approx(float(expected))


def test_an_empty_run_without_relevant_documents_is_worth_nothing():
    assert OIE(collection=30).of((), recall_base=0) == 0
    judged = JudgedRuns.on_one_topic([(NOTHING, NOTHING)], (5, 0))
    assert OIE(collection=30).scores(judged).values.tolist() == [[0.0]]
    assert OIE.scores(judged).values.tolist() == [[0.0]]


def test_an_empty_run_on_nothing_is_worth_nothing():
    assert OIE.of((), recall_base=0) == 0


# The size of the collection


def test_a_collection_that_cannot_hold_the_documents_is_refused():
    assert OIE(collection=4).of((1, 0, 1), recall_base=3) is not None
    with pytest.raises(ParameterError, match=r"a topic has 5 documents .* a collection of 4 cannot hold them"):
        OIE(collection=4).of((1, 0, 1), recall_base=4)
    judged = JudgedRuns.on_one_topic([(0, 0, 1), (1, 0, 1)], (10, 4))
    with pytest.raises(ParameterError, match=r"a topic has 6 documents .* a collection of 5 cannot hold them"):
        OIE(collection=5).scores(judged)
    assert OIE(collection=6).scores(judged).values.shape == (2, 1)


@given(judged_runs(), st.integers(1, 30))
def test_the_fast_way_refuses_what_the_exact_one_refuses(judged, size):
    measure = OIE(collection=size)

    def refuses(action) -> bool:
        try:
            action()
        except ParameterError:
            return True
        return False

    one_by_one = any(
        refuses(lambda run=run, pool=pool: measure.exact(tuple(run.tolist()), pool))
        for runs in judged.cells
        for run, pool in zip(runs, judged.pools, strict=True)
    )
    assert refuses(lambda: measure.fast(judged)) is one_by_one


@pytest.mark.parametrize(
    "wrong",
    [
        {"collection": 0},
        {"collection": -5},
        {"collection": 1.5},
        {"collection": True},
        {"beta": 0},
        {"beta": -1},
        {"alpha1": 0},
        {"alpha2": "x"},
        {"rel": 0},
        {"gamma": 1},
    ],
    ids=str,
)
def test_parameters_that_cannot_be_are_refused(wrong):
    with pytest.raises(ParameterError):
        OIE(**wrong)


def test_a_note_says_that_the_collection_was_assumed():
    caveats = [
        caveat for caveat in evaluate(QRELS, RUN, "OIE").scores("OIE").caveats if caveat.kind is CaveatKind.COLLECTION
    ]
    assert len(caveats) == 1
    assert "collection=" in caveats[0].text
    known = evaluate(QRELS, RUN, "OIE(collection=1000)").scores("OIE(collection=1000)")
    assert CaveatKind.COLLECTION not in {caveat.kind for caveat in known.caveats}


def test_the_assumed_collection_holds_the_relevant_documents_and_the_ranks():
    assert OIE.of((1, 0, 1), recall_base=5) == OIE(collection=8).of((1, 0, 1), recall_base=5)
    assert (OIE @ 2).of((1, 0, 1), recall_base=5) == (OIE(collection=7) @ 2).of((1, 0, 1), recall_base=5)


def test_it_is_spelled_with_its_weight():
    assert repr(OIE) == "OIE(beta=1.2)"
    assert parse("OIE(beta=1, collection=1000000)@100") == OIE(beta=1, collection=10**6) @ 100


def test_a_large_collection_has_the_value_of_the_closed_form():
    size, base, run = 25_000_000, 40, (1, 0) * 40
    alone = sum(log(size / rank) for rank in range(1, 81))
    joint = sum(log(size / rank) for rank in range(2, 81, 2)) + sum(log(size / k) for k in range(1, 41))
    expected = (alone + base * log(size / base) - 1.2 * joint) / size
    measure = OIE(collection=size)
    assert measure.value(run, recall_base=base) == pytest.approx(expected, rel=1e-9)
    judged = JudgedRuns.on_one_topic([run], (size - base, base))
    assert measure.scores(judged).values[0, 0] == pytest.approx(expected, rel=1e-9)


def test_equal_values_have_equal_scores_close_to_zero():
    measure = OIE(alpha1="1.2", alpha2="1.2", beta="1.2", collection=12)
    runs = [(0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 1, 0, 1, 0, 0), (0, 1, 0, 1, 0, 1)]
    assert [measure.of(run, recall_base=6) for run in runs] == [0, 0, 0, 0]
    judged = JudgedRuns.on_one_topic(runs, (6, 6))
    assert measure.scores(judged).values[:, 0].tolist() == [0.0, 0.0, 0.0, 0.0]


def test_a_campaign_tells_how_many_documents_there_are_at_the_least():
    # a, b, c and z are judged, a for two topics; rankings have three ranks
    judged = judge([Results.from_mapping("a", RUN)], Judgments.from_mapping(QRELS))
    assert (judged.judged_documents, judged.assumed_collection) == (4, 4 + 3)
    told = OIE(collection=7).scores(judged)
    assert OIE.scores(judged).values.tolist() == told.values.tolist()
    assert [c.text for c in OIE.scores(judged).caveats if c.kind is CaveatKind.COLLECTION] == [
        "OIE(beta=1.2) is not told how many documents there are and takes 7: those that were judged, and as many more"
        " as rankings are long, 3; say it: collection=… (--collection-size)"
    ]


def test_the_score_of_a_system_does_not_depend_on_which_others_there_are():
    runs = [Results.from_mapping(name, {"1": {f"{name}{i}": 3.0 - i for i in range(3)}}) for name in "xyz"]
    qrels = Judgments.from_mapping({"1": {"x1": 1, "y2": 1, "q": 0}})
    alone, together = OIE.scores(judge(runs[:1], qrels)), OIE.scores(judge(runs, qrels))
    assert alone.values[0].tolist() == together.values[0].tolist()


def test_judgments_in_a_frame_name_as_many_documents_as_in_a_dictionary():
    import polars as pl

    rows = [(topic, document, grade) for topic, grades in QRELS.items() for document, grade in grades.items()]
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row")
    runs = [Results.from_mapping("a", RUN)]
    assert judge(runs, read_qrels(frame)).judged_documents == judge(runs, read_qrels(QRELS)).judged_documents == 4


def orders_doubted(measure, judged):
    return [caveat.text for caveat in measure.scores(judged).caveats if caveat.kind is CaveatKind.ORDER]


def test_a_relevant_document_that_lowers_the_score_is_reported():
    judged = JudgedRuns.on_one_topic([(1,), (NOTHING,)], (50, 50))
    measure = OIE(beta="1.2", collection=100)
    assert (np.diff(measure.scores(judged).values[:, 0]) > 0).all()
    assert "1 of the 1 relevant documents" in orders_doubted(measure, judged)[0]
    assert not any("relevant documents" in text for text in orders_doubted(OIE(beta="1.1", collection=100), judged))


def test_an_empty_result_that_beats_the_perfect_one_is_reported():
    judged = JudgedRuns.on_one_topic([(NOTHING, NOTHING)], (2, 4))
    assert "an empty result scores more" in orders_doubted(OIE(beta="1.9", collection=6), judged)[0]
    assert not any("scores more" in text for text in orders_doubted(OIE(beta="1.2", collection=1000), judged))


@settings(max_examples=20)
@given(judged_runs(), measures())
def test_what_is_said_of_falling_scores_is_true_of_every_step(judged, measure):
    """Each relevant document counts that scores less than the run that ends before it, and empty runs that win."""
    caveats = orders_doubted(measure, judged)
    seen, known = judged.condensed if measure.judged_only else judged, with_campaign(measure, judged)(judged_only=False)
    fallen, empties = 0, 0
    for topic, pool in enumerate(judged.pools):

        def value(run, pool=pool):
            return known.exact(run[: known.cutoff], pool)

        ideal = tuple(cell for cell in pool.ideal() if cell >= (known.rel or 1))
        empties += value(()) > value(ideal[: known.cutoff])
        for system in range(len(judged.systems)):
            run = tuple(seen.cells[system, topic, : seen.lengths[system, topic]].tolist())[: known.cutoff]
            hits = [rank for rank, cell in enumerate(run) if cell >= (known.rel or 1)]
            fallen += sum(value(run[: rank + 1]) < value(run[:rank]) for rank in hits)
    assert bool(fallen) == any("lower the score" in text for text in caveats)
    if fallen:
        assert any(f": {fallen} of the " in text for text in caveats)
    assert bool(empties) == any(f"on {empties} of the " in text for text in caveats)


@pytest.mark.parametrize("around", ["gm({})", "interval({})", "gm(interval({}))"])
def test_a_measure_around_it_knows_the_same_collection_and_says_the_same(around):
    judged = JudgedRuns.on_one_topic([(1, 0, 1), (0, 1, 0), (-1, -1, 1)], (4, 3))
    unsaid, said = (parse(around.format(inside)) for inside in ("OIE@3", "OIE(collection=10)@3"))
    assert judged.assumed_collection == 10
    assert unsaid.scores(judged).values.tolist() == said.scores(judged).values.tolist()
    assert with_campaign(unsaid, judged) == said == in_collection(unsaid, 10) == in_collection(said, 99)
    found = [caveat.kind for caveat in unsaid.scores(judged).caveats]
    assert CaveatKind.COLLECTION in found
    assert CaveatKind.ORDER in found
    assert CaveatKind.COLLECTION not in [caveat.kind for caveat in said.scores(judged).caveats]


def test_only_measures_that_want_to_know_are_told_the_size_of_the_collection():
    names = ["AP", "OIE", "OIE(collection=7)@5", "ESL(i=2)", "gm(interval(OIE@5))"]
    assert [repr(in_collection(parse(name), 50)) for name in names] == [
        "AP",
        "OIE(beta=1.2, collection=50)",
        "OIE(beta=1.2, collection=7)@5",
        "ESL(i=2, collection=50)",
        "gm(interval(OIE(beta=1.2, collection=50)@5))",
    ]


@pytest.mark.parametrize(
    ("runs", "counts", "known"),
    [
        ([(POOLED, UNJUDGED, 1)], (0, 1), 4),
        ([(NOTHING, NOTHING)], (0, 0), 2),
        ([(UNJUDGED, 0), (UNJUDGED, UNJUDGED)], (1, 0), 3),
    ],
)
def test_there_is_room_for_documents_without_a_judgment(runs, counts, known):
    judged = JudgedRuns.on_one_topic(runs, counts)
    assert judged.assumed_collection == judged.condensed.assumed_collection == known
    assert with_campaign(OIE, judged).collection == known


def test_a_run_cut_shorter_needs_less_room():
    judged = JudgedRuns.on_one_topic([(UNJUDGED, UNJUDGED, UNJUDGED, 1)], (2, 1))
    assert [judged.down_to(depth).assumed_collection for depth in (1, 2, 4)] == [4, 5, 7]


def by_definition(run, grades, beta) -> float:
    """Return the score of documents with scores, counting for each document of the collection who is as good."""
    documents = sorted({*run, *grades})
    documents += [f"others {n}" for n in range(COLLECTION - len(documents))]
    ranking, judgments = (lambda d: run.get(d, -1.0)), (lambda d: grades.get(d, 0))

    def entropy(*signals):
        as_good = [sum(all(s(o) >= s(d) for s in signals) for o in documents) for d in documents]
        return sum(log(COLLECTION / number) for number in as_good) / COLLECTION

    return entropy(ranking) + entropy(judgments) - beta * entropy(ranking, judgments)


def over_orders(run, grades, beta, depth, cutoff, judged_only) -> float:
    """Return the mean of that over all orders of tied documents, each of which is cut where nobody looks further."""
    groups = [[d for d in run if run[d] == score] for score in sorted(set(run.values()), reverse=True)]
    values = []
    for orders in product(*(permutations(group) for group in groups)):
        seen = [d for d in list(chain(*orders))[:depth] if d in grades or not judged_only][:cutoff]
        values.append(by_definition({d: run[d] for d in seen}, grades, beta))
    return sum(values) / len(values)


ties = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 3).map(float), min_size=1, max_size=5)


@settings(max_examples=20, deadline=None)
@given(
    run=ties,
    grades=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 2), min_size=1),
    depth=st.none() | st.integers(1, 4),
    cutoff=st.none() | st.integers(1, 4),
    judged_only=st.booleans(),
)
def test_the_value_of_a_tied_run_is_that_of_the_definition_and_a_mean_where_a_group_is_cut(
    run, grades, depth, cutoff, judged_only
):
    measure = OIE(collection=COLLECTION, cutoff=cutoff, judged_only=judged_only)
    judged = judge([Results.from_mapping("s", {"1": run})], Judgments.from_mapping({"1": grades}), depth=depth)
    expected = over_orders(run, grades, 1.2, depth, cutoff, judged_only)
    assert measure.scores(judged).values.item() == pytest.approx(expected, abs=1e-12)
    assert float(Signals.of(measure, judged.weak).exact(0)) == pytest.approx(expected, abs=1e-12)


def test_a_tied_run_has_one_value_and_no_order_of_it_need_have_that():
    run, grades = {"a": 1.0, "b": 1.0, "c": 0.5}, {"a": 1, "c": 1}

    def found(rule):
        return evaluate({"1": grades}, {"1": run}, [OIE(collection=12)], ties=rule).scores(OIE(collection=12))

    assert found(None).values.item() == pytest.approx(by_definition(run, grades, 1.2))
    assert found("groups").values.item() == found(None).values.item()
    assert not [caveat for caveat in found(None).caveats if caveat.kind is CaveatKind.TIES]
    in_order = [found(rule).values.item() for rule in ("min", "max", "expected", "trec")]
    assert found(None).values.item() not in in_order
    strict = [by_definition({first: 3.0, second: 2.0, "c": 1.0}, grades, 1.2) for first, second in ("ab", "ba")]
    assert in_order == pytest.approx([min(strict), max(strict), sum(strict) / 2, strict[1]])


def test_a_group_that_the_cutoff_cuts_is_told():
    scores = evaluate({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}, [OIE(collection=9) @ 1]).scores(
        "OIE(collection=9)@1"
    )
    [caveat] = [caveat for caveat in scores.caveats if caveat.kind is CaveatKind.TIES]
    assert str(caveat).startswith("in 1 of 1 rankings the last rank that OIE(beta=1.2, collection=9)@1 looks at cuts")


def test_tied_runs_of_equal_value_have_equal_scores():
    runs = [{"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0}, {"b": 2.0, "a": 2.0, "d": 1.0, "c": 1.0}, {"c": 1.0, "d": 1.0}]
    several = [Results.from_mapping(f"s{n}", {"1": run}) for n, run in enumerate(runs)]
    values = OIE(collection=99).scores(judge(several, Judgments.from_mapping({"1": {"a": 1, "c": 2}}))).values
    assert values[0] == values[1] != values[2]
