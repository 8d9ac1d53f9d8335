"""The campaigns that benchmarks draw are what they are said to be, so that what is measured on them means something."""

from __future__ import annotations

import gzip
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import measurand as md

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "draw.py"


@pytest.fixture(scope="module")
def draw():
    spec = importlib.util.spec_from_file_location("draw", SCRIPT)
    module = sys.modules["draw"] = importlib.util.module_from_spec(spec)  # where attrs looks for a class's module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["draw"]


@pytest.fixture
def written(draw, tmp_path):
    """Return what writes a campaign and returns its files, judgments first."""

    def write(name, systems, topics, documents, **settings):
        draw.write(draw.Drawing(systems, topics, documents, **settings), tmp_path / name)
        return sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())

    return write


def test_more_topics_and_more_systems_continue_the_same_files(written):
    few = written("few", 2, 70, 1000)
    many = written("many", 3, 140, 1000)
    assert [path.name for path in many] == [path.name for path in few] + ["system-003.run"]
    for short, long in zip(few, many[:3], strict=True):
        assert long.read_bytes().startswith(short.read_bytes())
        assert long.stat().st_size > 1.5 * short.stat().st_size


def test_compressed_files_hold_the_same_lines(written):
    plain, compressed = written("plain", 1, 140, 1000), written("compressed", 1, 140, 1000, compressed=True)
    assert [gzip.decompress(path.read_bytes()) for path in compressed] == [path.read_bytes() for path in plain]


@pytest.mark.parametrize("identifiers", ["passages", "gov2"])
def test_scores_fall_but_for_the_ties_that_were_asked_for_and_no_document_comes_twice(written, identifiers):
    _, path = written("drawn", 1, 20, 500, ties=0.1, identifiers=identifiers)
    lines = [line.split() for line in path.read_text().splitlines()]
    assert [int(line[3]) for line in lines] == list(range(1, 501)) * 20
    assert len({(line[0], line[2]) for line in lines}) == len(lines)
    scores = np.array([float(line[4]) for line in lines], np.float32).reshape(20, 500)
    assert (np.diff(scores, axis=1) <= 0).all()
    assert 0.08 < (np.diff(scores, axis=1) == 0).mean() < 0.12


def test_judgments_are_as_many_as_asked_for_with_the_grades_asked_for(written):
    qrels, _ = written("whole", 1, 40, 50, judgments=30, finer=2)
    grades = md.read_qrels(qrels).to_dict()
    assert {len(judged) for judged in grades.values()} == {30}
    assert {grade for judged in grades.values() for grade in judged.values()} == set(range(7))
    qrels, _ = written("clicks", 1, 2000, 2, judgments=1.25)
    numbers = [len(judged) for judged in md.read_qrels(qrels).to_dict().values()]
    assert set(numbers) == {1, 2}
    assert 1.2 < np.mean(numbers) < 1.3


def test_relevant_documents_stand_near_the_top_and_systems_differ(written):
    qrels, *runs = written("drawn", 6, 50, 100, judgments=60)
    table = md.evaluate(qrels, runs, ["P@10", "P@100"])
    early, late = (table.scores(measure).mean() for measure in ("P@10", "P@100"))
    assert (np.array(early) > 2 * np.array(late)).all()
    assert max(early) > min(early) + 0.1
