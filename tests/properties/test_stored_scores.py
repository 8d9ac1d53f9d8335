"""Stored scores are those of `evaluate`, however the files are cut."""

from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md

MEASURES = ["nDCG@5", "AP", "ERR@5", "gm(AP)", "NumRelRet", "ESL(i=1, collection=100)"]

topics = st.lists(st.sampled_from(["1", "2", "10", "qé", "x"]), unique=True)
ranking = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=9, unique_by=lambda row: row[0]
)


@st.composite
def campaigns(draw: st.DrawFn) -> tuple[dict[str, dict[str, int]], list[bytes]]:
    """Judgments, and run files with ties, topics that are left out, and topics without judgments."""
    judged = draw(topics.filter(bool))
    grades = st.dictionaries(st.integers(0, 9).map(lambda number: f"d{number}"), st.integers(-1, 2), min_size=1)
    qrels = {topic: draw(grades) for topic in judged}
    return qrels, [draw(run_files(qrels, f"sys{number}")) for number in range(draw(st.integers(1, 3)))]


@st.composite
def run_files(draw: st.DrawFn, qrels: dict[str, dict[str, int]], tag: str) -> bytes:
    """A run file, of which one topic at least has judgments."""
    returned = draw(topics.filter(lambda names: any(name in qrels for name in names)))
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    head = draw(st.sampled_from(["", "# a comment\n", "\n"]))
    rows = [(topic, document, score) for topic in returned for document, score in draw(ranking)]
    lines = [f"{topic} Q0 d{document} 0 {score / 2} {tag}" for topic, document, score in rows]
    return (head + ending.join(lines) + draw(st.sampled_from(["", ending]))).encode()


@settings(max_examples=25)
@given(
    campaign=campaigns(),
    block=st.sampled_from([20, 100, 300, 10_000]),
    is_packed=st.booleans(),
    options=st.fixed_dictionaries(
        {
            "depth": st.sampled_from([None, 3]),
            "ties": st.sampled_from([None, "trec", "expected"]),
            "missing_topics": st.sampled_from(["zero", "skip"]),
        }
    ),
)
def test_stored_scores_are_those_of_evaluate(
    campaign: tuple[Any, list[bytes]], block: int, is_packed: bool, options: dict[str, Any]
) -> None:
    qrels, texts = campaign
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.run") for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(gzip.compress(text) if is_packed else text)
        expected = md.evaluate(qrels, paths, MEASURES, **options)
        store = md.store_scores(qrels, paths, MEASURES, into=Path(folder, "scores"), block=block, **options)
        found = md.open_scores(Path(folder, "scores")).table()
        for scores in expected:
            assert np.array_equal(found[scores.measure].values, scores.values, equal_nan=True)
            assert np.allclose(store.values(scores.measure), scores.values, rtol=1e-12, atol=0, equal_nan=True)
            assert np.allclose(store.means(scores.measure), scores.summary().values, rtol=1e-12, atol=0, equal_nan=True)
        assert [str(caveat) for caveat in found.caveats] == [str(caveat) for caveat in expected.caveats]
        shallow, whole = store.judged(depth=2), store.judged().down_to(2)
        assert np.array_equal(shallow.cells, whole.cells)
        if whole.ties is not None and shallow.ties is not None:
            assert np.array_equal(shallow.ties.tails, whole.ties.tails)
            assert np.array_equal(shallow.ties.bits, whole.ties.bits)
