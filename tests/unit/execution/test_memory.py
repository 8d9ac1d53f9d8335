"""What would not fit into memory is refused before it is allocated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import measurand as md
from measurand.errors import NotAvailable
from measurand.execution import memory
from measurand.judged import JudgedRuns, Judgments
from measurand.judged.judge import Judging
from measurand.scores import Scores

GIGA = 10**9


def test_more_than_half_of_the_memory_is_refused_with_the_numbers_and_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "memory", lambda: 8 * GIGA)
    memory.check_memory(4 * GIGA, "a table", "take less")
    with pytest.raises(
        NotAvailable, match=r"^a table would take about 4\.1 GB of memory; the limit is 4 GB, .*; take less$"
    ):
        memory.check_memory(4_100_000_000, "a table", "take less")


def test_nothing_is_refused_where_nobody_knows_how_much_memory_there_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "memory", lambda: None)
    memory.check_memory(10**18, "a table", "take less")


def test_the_least_of_all_limits_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "_machine", lambda: [16 * GIGA])
    monkeypatch.setattr(memory, "_address_space", lambda: [6 * GIGA])
    monkeypatch.setattr(memory, "_control_groups", lambda: [8 * GIGA, 4 * GIGA])
    assert memory.memory() == 4 * GIGA


def test_limits_of_control_groups_are_found_in_the_own_group_and_those_around_it(tmp_path: Path):
    own = tmp_path / "own"
    for folder, name, text in (
        ("jobs/one", "memory.max", "max"),
        ("jobs", "memory.max", "5000"),
        ("memory/old", "memory.limit_in_bytes", "4000"),
    ):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / name).write_text(f"{text}\n")
    own.write_text("4:cpu:/x\n3:memory:/old\n0::/jobs/one\nodd\n")
    assert sorted(memory._control_groups(tmp_path, own)) == [4000, 5000]
    assert memory._control_groups(tmp_path, tmp_path / "none") == []


def test_an_address_space_that_is_limited_counts(monkeypatch: pytest.MonkeyPatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (3 * GIGA, resource.RLIM_INFINITY))
    assert memory._address_space() == [3 * GIGA]


def test_what_follows_from_sizes_of_the_input_is_refused_before_it_is_allocated(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "memory", lambda: 100 * 10**6)
    monkeypatch.setattr(memory, "SMALL", 0)
    names = [f"s{n}" for n in range(1000)]
    scores = Scores(measure="P", values=np.zeros((1000, 2)), systems=names, topics="12")
    fewer = Scores(measure="P", values=np.eye(2), systems="ab", topics="12")
    judged = JudgedRuns.on_one_topic(np.zeros((1000, 1), dtype=np.int8), (1, 1))
    qrels = Judgments.from_mapping({str(topic): {"d": topic + 1} for topic in range(120)})
    pairs = r"^499,500 pairs of 1,000 systems on \d topics? would take .* MB .*; compare fewer .*--baseline NAME\)$"
    for call, said in (
        (lambda: md.compare(judged, "P@1"), pairs),
        (lambda: md.compare(scores), pairs),
        (lambda: md.statistics.paired_t(scores), pairs),
        (lambda: judged.levels_matrix(), pairs),
        (lambda: judged.dominance_matrix(), pairs),
        (
            lambda: md.statistics.bootstrap_interval(fewer, resamples=10**6),
            "1,000,000 resamples of 2 topics would .*; ask",
        ),
        (
            lambda: md.statistics.simulate(fewer, repetitions=10**7),
            "in 10,000,000 repetitions would .*fewer repetitions",
        ),
    ):
        with pytest.raises(NotAvailable, match=said):
            call()
    monkeypatch.setattr(memory, "memory", lambda: 10**5)
    with pytest.raises(NotAvailable, match=r"^counts of 120 different grades on 120 topics would .*; round the grades"):
        _ = Judging(qrels).counts
