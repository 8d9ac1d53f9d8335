"""What would not fit into memory is refused before it is allocated."""

from __future__ import annotations

from pathlib import Path

import pytest

from measurand.errors import NotAvailable
from measurand.execution import memory

GIGA = 10**9


def test_more_than_half_of_the_memory_is_refused_with_the_numbers_and_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "memory", lambda: 8 * GIGA)
    memory.check_memory(4 * GIGA, "a table", "take less")
    with pytest.raises(NotAvailable, match=r"^a table: about 4\.1 GB of memory, and half of the 8 GB .*; take less$"):
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
