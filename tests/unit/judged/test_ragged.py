"""Judged runs that are kept each to its own end are what a table of all ranks would be, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.execution import memory
from measurand.judged import JudgedRuns, Judgments, OverTies, Results, judge, ragged
from measurand.judged.ragged import Ragged
from measurand.measures import parse
from measurand.measures.catalogue import catalogue

SCORES = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 4).map(float), min_size=1)
RUNS = st.dictionaries(st.sampled_from("123456"), SCORES, min_size=1)
GRADES = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-1, 3), min_size=1)


def as_rows(call: Any) -> Any:
    """Return what a call gives where every table is kept as rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ragged, "LARGE", 0)
        patch.setattr(ragged, "SPARSE", 0)
        return call()


def pair_of(draw: Any, depth: int | None, missing: str = "zero") -> tuple[JudgedRuns, JudgedRuns]:
    """Return judged runs as a table, and the same as rows."""
    qrels = Judgments.from_mapping(draw(st.fixed_dictionaries(dict.fromkeys("123456", GRADES))))
    runs = [Results.from_mapping(name, draw(RUNS)) for name in "xy"]
    found = [call(lambda: judge(runs, qrels, depth=depth, missing_topics=missing)) for call in (lambda f: f(), as_rows)]
    assert [each.is_ragged for each in found] == [False, True]
    return found[0], found[1]


def same(one: JudgedRuns, other: JudgedRuns) -> None:
    assert one.depth == other.depth
    for name in ("cells", "lengths", "grade_counts", "grades", "present"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.cells.dtype == other.cells.dtype
    assert one.pools == other.pools
    for name in ("row", "rank", "grade"):
        assert np.array_equal(getattr(one.hits, name), getattr(other.hits, name)), name
    assert (one.ties is None) == (other.ties is None)
    if one.ties is not None:
        assert np.array_equal(one.ties.bits, other.ties.bits)
        assert np.array_equal(one.ties.tails, other.ties.tails)
        assert np.array_equal(one.ties.lengths, other.ties.lengths)
        assert one.ties.any == other.ties.any
    assert str(one) == str(other)


@settings(max_examples=12)
@given(st.data(), st.sampled_from([None, 2, 5]))
def test_views_of_rows_are_those_of_the_table(data: st.DataObject, depth: int | None):
    table, rows = pair_of(data.draw, depth)
    topics = data.draw(st.lists(st.integers(0, 5), unique=True, min_size=1))
    same(table, rows)
    for change in (
        lambda judged: judged.condensed,
        lambda judged: judged.down_to(1),
        lambda judged: judged.down_to(3),
        lambda judged: judged.down_to(4).down_to(2),
        lambda judged: judged.part(["y"], topics),
        lambda judged: judged.part(["y", "x"]).down_to(2),
        lambda judged: judged.binarised(2),
        lambda judged: judged.opened(OverTies.EXPECTED),
        lambda judged: judged.opened(OverTies.MAX).down_to(2),
        lambda judged: judged.weak.condensed,
    ):
        one, other = change(table), as_rows(lambda change=change: change(rows))
        same(one, other)
        if one.groups is not None:
            assert np.array_equal(one.groups.cells, other.groups.cells)
            assert np.array_equal(one.groups.tied, other.groups.tied)
    assert [table.row(s, t) for s in range(2) for t in range(6)] == [rows.row(s, t) for s in range(2) for t in range(6)]
    assert np.array_equal(table.first(2), rows.first(2))
    assert table.run("x", "1") == rows.run("x", "1")


def test_scores_of_rows_are_those_of_the_table_to_the_bit():
    rng = np.random.default_rng(5)
    lengths, documents = [1, 3, 2, 40, 0, 7, 2, 3], [f"d{n}" for n in range(60)]
    topics = [str(place) for place in range(len(lengths))]

    def some(number: int, low: int, high: int) -> dict[str, int]:
        return {document: int(rng.integers(low, high)) for document in rng.permutation(documents)[:number]}

    qrels = Judgments.from_mapping({topic: some(30, -1, 4) for topic in topics})
    returned = [topic for topic in zip(topics, lengths, strict=True) if topic[1]]
    runs = [Results.from_mapping(name, {topic: some(n, 0, 20) for topic, n in returned}) for name in "xyz"]
    table, rows = judge(runs, qrels), as_rows(lambda: judge(runs, qrels))
    # values of AP on 40 ranks would take long to count
    every = [measure for name, measure in catalogue().items() if name != "interval"]
    around = [parse(f"{name}(AP(judged_only=True)@2)") for name in ("gm", "interval")]
    measures = [*around, *(each for measure in every for each in (measure, *_more(measure)))]
    assert len(measures) > 150
    for measure in measures:
        one, other = _scores(measure, table), as_rows(lambda measure=measure: _scores(measure, rows))
        if repr(measure) == "RnDCG@5":  # adds the zeros of a table in another order
            np.testing.assert_allclose(np.frombuffer(one[0]), np.frombuffer(other[0]), rtol=1e-15)
        else:
            assert one == other, measure


def _more(measure: Any) -> Any:
    parameters = measure.parameters()
    return [measure(**{name: value}) for name, value in (("cutoff", 5), ("judged_only", True)) if name in parameters]


def _scores(measure: Any, judged: JudgedRuns) -> Any:
    try:
        scores = measure.scores(judged)
    except Exception as error:  # noqa: BLE001 - both must fail alike
        return str(error)
    return scores.values.tobytes(), [str(caveat) for caveat in scores.caveats]


def test_one_long_topic_among_many_short_ones_takes_memory_for_what_is_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "memory", lambda: 10**9)
    topics = [str(place) for place in range(2000)]
    long = {f"d{n}": -float(n) for n in range(100_000)}
    qrels = Judgments.from_mapping({t: {"d0": 1, "d99999": 1} for t in topics})
    judged = judge(Results.from_mapping("x", {t: {"d0": 1.0} for t in topics} | {"7": long}), qrels, documents=False)
    assert judged.is_ragged
    assert parse("AP").scores(judged).values[0, :8].tolist() == [0.5] * 7 + [0.50001]
    said = (
        r"^a table of 1 × 2,000 rankings as deep as the longest, 100,000 ranks, would take about 2 GB .*; cut rankings"
    )
    with pytest.raises(NotAvailable, match=said):
        _ = judged.cells
    assert judged.down_to(1000).cells.shape == (1, 2000, 1000)


def test_a_table_that_is_small_or_well_filled_is_kept_as_one():
    values, few = np.zeros(10, dtype=np.int8), np.array([[9, 1]])
    assert not isinstance(Ragged(values, few, 9).kept(), Ragged)
    assert not ragged.is_sparse(np.full((1, 10), 10**8), 2 * 10**8, 1)
    assert ragged.is_sparse(np.full((1, 10), 10**6), 10**8, 1)
