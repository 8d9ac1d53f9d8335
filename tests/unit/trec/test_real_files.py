"""Real runs and judgments, where they lie beside the checkout: both readers read them, and read the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from measurand.trec import bulk, lines
from measurand.trec.files import load, stem

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
RUNS = sorted([*DATA.glob("trec-covid-r1/runs/*.xz"), *DATA.glob("trec-dl-passage-fusion/20*/*.gz")])
QRELS = sorted([*DATA.glob("qrels/*.gz"), *DATA.glob("trec-*/*qrels*.gz")])

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real data (shared/data) is not beside this checkout")


def content_of(rows) -> tuple:
    values = rows.document_scores if hasattr(rows, "document_scores") else rows.grades
    return getattr(rows, "name", ""), rows.topics, rows.bounds.tolist(), list(rows.documents), values.tobytes()


@pytest.mark.parametrize("path", RUNS, ids=lambda path: stem(path.name))
def test_both_readers_read_the_same_run(path):
    content = load(path)
    quick = bulk.read_runs(content)
    assert quick is not None
    assert [content_of(rows) for rows in quick] == [content_of(rows) for rows in lines.read_runs(content)]


@pytest.mark.parametrize("path", QRELS, ids=lambda path: path.name)
def test_both_readers_read_the_same_judgments(path):
    content = load(path)
    quick = bulk.read_qrels(content)
    assert quick is not None
    assert content_of(quick) == content_of(lines.read_qrels(content))
