"""Recall bases of several topics: in words how they differ."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.judged import JudgedRuns
from measurand.judged.runs import differing_bases


def judged(grade_counts) -> JudgedRuns:
    counts = np.array(grade_counts, dtype=np.int64).reshape(-1, 3)
    topics = len(counts)
    return JudgedRuns(
        systems=("a",),
        topics=tuple(map(str, range(topics))),
        cells=np.zeros((1, topics, 2), dtype=np.int8),
        lengths=np.full((1, topics), 2),
        grade_counts=counts,
    )


@pytest.mark.parametrize(
    ("counts", "options", "said"),
    [
        ([[5, 2, 1], [9, 2, 1]], {}, ""),
        ([[5, 2, 1], [5, 3, 3]], {}, "the recall bases differ, from 3 to 6"),
        ([[5, 2, 1], [5, 1, 2]], {}, ""),
        ([[5, 2, 1], [5, 1, 2]], {"lowest": 2}, "the recall bases differ, from 1 to 2"),
        ([[5, 2, 1], [5, 1, 2]], {"graded": True}, "topics differ in how many documents of each grade they have"),
        ([], {}, ""),
    ],
)
def test_it_is_said_how_topics_differ_if_they_do(counts, options, said):
    assert differing_bases(judged(counts), **options) == said
