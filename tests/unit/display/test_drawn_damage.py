"""What is kept, damaged at random: a little of what `make fuzz` does for minutes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import measurand.display.keeping as keeping
import measurand.intervals.counted_values as counted_values


@pytest.fixture
def kept(monkeypatch):
    """Return the target of `make fuzz` that damages what is kept."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[3])
    monkeypatch.setenv("MEASURAND_CACHE", "")
    monkeypatch.setattr(counted_values, "LONG", counted_values.LONG)
    from fuzz import kept

    return kept


def test_damage_changes_no_answer(kept):
    for number in range(40):
        kept.case(random.Random(number))


def test_a_digest_that_nobody_looks_at_would_be_noticed(kept, monkeypatch, tmp_path):
    def tried() -> None:
        for number in range(300):
            kept.try_parts(random.Random(number), tmp_path / str(number))

    monkeypatch.setattr(keeping, "sha256", lambda _: type("Same", (), {"hexdigest": lambda _: "0" * 64})())
    with pytest.raises(kept.Different, match="was kept"):
        tried()
