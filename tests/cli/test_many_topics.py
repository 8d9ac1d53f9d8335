"""Printing every topic takes time in proportion to their number, and little memory; too little is said in a line."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from measurand.cli import score_tables
from measurand.cli.score_tables import trec_text
from measurand.display.data import json_parts, json_text
from measurand.display.tables import Column, Document, TableView
from measurand.display.unstyled import plain_text
from measurand.scores import Scores, Table
from measurand.scores.score_table import scores_document


class Topics(tuple[str, ...]):
    """Topics that are never searched one by one."""

    def index(self, *_: object) -> int:
        raise AssertionError("a search through all topics for each of them is quadratic")


def table_of(topics: int) -> Table:
    names = Topics(f"t{n}" for n in range(topics))
    values = np.arange(2.0 * topics).reshape(2, topics) / topics
    values[1, 0] = np.nan
    scores = {name: Scores(measure=name, values=values, systems="ab", topics=names) for name in ("AP", "P@10")}
    for each in scores.values():
        object.__setattr__(each, "topics", names)
    return Table(by_measure=scores)


def printed(table: Table) -> str:
    return "".join(
        trec_text(table, [("map", "AP"), ("P_10", "P@10")], topics=True, summary=True, places=2, run_names=True)
    )


def test_topics_are_printed_in_the_order_of_their_letters_some_at_a_time(monkeypatch: pytest.MonkeyPatch):
    whole = printed(table_of(12))
    lines = [line.split("\t")[1:] for line in whole.splitlines()]
    assert [topic for topic, _ in lines[:6:2]] == ["t0", "t1", "t10"]
    assert lines[24:27] == [["all", "a"], ["all", "0.46"], ["all", "0.46"]]
    assert lines[27][0] == "t1"  # b has no score on t0
    monkeypatch.setattr(score_tables, "AT_ONCE", 5)
    assert printed(table_of(12)) == whole


def peak(topics: int, shown: object) -> int:
    found = []
    for _ in range(2):  # the first time modules are loaded, and words remembered
        table = table_of(topics)
        tracemalloc.start()
        for _part in shown(table):  # type: ignore[operator]
            pass
        found.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return min(found)


def test_what_is_held_while_topics_are_printed_hardly_grows_with_their_number():
    def trec(table: Table) -> object:
        return trec_text(table, [("map", "AP")], topics=True, summary=False, places=4, run_names=False)

    few, many = (peak(topics, trec) for topics in (1_000, 3_000))
    # of a topic its place and its name are sorted, and no line is kept
    assert many - few < 2_000 * 150
    few, many = (
        peak(topics, lambda table: plain_text(scores_document(table.view(topics=True)), 100)) for topics in (100, 400)
    )
    # a line for each of two systems, three times: as it is made, put together, and its place
    assert many - few < 300 * 2 * 400


def test_rows_of_a_table_are_made_when_they_are_asked_for():
    rows = table_of(3).view(topics=True).rows
    assert len(rows) == 8
    assert rows[-1] == list(rows)[-1] == {"system": "b", "topic": "all", "AP": 1.5, "P@10": 1.5}
    assert [row["topic"] for row in rows[2:5]] == ["t2", "all", "t0"]
    assert rows[4]["AP"] == ""
    with pytest.raises(IndexError):
        rows[8]


def test_json_in_parts_is_json(monkeypatch: pytest.MonkeyPatch):
    data = {"a": [1, 2.5, None, "\udcff é"], "b": {"c": list(range(50))}}
    whole = json_text(data)
    monkeypatch.setattr("measurand.display.data.PIECES", 7)
    assert "".join(json_parts(data)) == whole
    assert len(list(json_parts(data))) > 5


@pytest.mark.parametrize("said", ["", "Unable to allocate 18.6 GiB for an array"])
def test_memory_that_nobody_foresaw_is_one_line(small, call, monkeypatch, said):
    def greedy(*_: object, **__: object) -> None:
        raise MemoryError(*([said] if said else []))

    monkeypatch.setattr("measurand.cli.evaluate.tabulate", greedy)
    outcome = call("evaluate", "qrels", "alpha.run")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: not enough memory; take fewer")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_each_row_of_a_printed_table_is_made_once():
    made: list[int] = []
    column = Column("n", lambda row: made.append(row) or f"{row}")  # type: ignore[func-returns-value]
    assert plain_text(Document([TableView([column], [1, 20])]), 100) is not None
    assert made == [1, 20]
