"""Files drawn from a seed, right and damaged: a little of what `make fuzz` does for ten minutes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import measurand.native as native
from measurand.trec import lines

pytestmark = pytest.mark.skipif(not native.is_there(), reason="there is no module in C")

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def fuzz_readers(monkeypatch):
    """Return the target of `make fuzz` that compares both readers."""
    monkeypatch.syspath_prepend(ROOT)
    from fuzz import readers

    monkeypatch.setattr(readers.bulk, "PIECE", readers.bulk.PIECE)
    return readers


def test_the_fast_reader_agrees_with_the_line_reader_on_drawn_files_of_which_it_reads_many(
    fuzz_readers,
):
    for number in range(300):
        fuzz_readers.case(random.Random(number))
    rng = random.Random(0)
    drawn = [fuzz_readers.draw_file(rng, lines.RUN.columns) for _ in range(100)]
    assert sum(fuzz_readers.check(lines.RUN, data) for data in drawn) > 30


def test_a_wrong_answer_of_the_fast_reader_is_found(fuzz_readers, monkeypatch):
    monkeypatch.setattr(fuzz_readers.bulk, "read_runs", lambda content: lines.read_runs(content)[:-1])
    with pytest.raises(fuzz_readers.Different):
        fuzz_readers.check(lines.RUN, b"1 Q0 a 1 2.5 t\n")
