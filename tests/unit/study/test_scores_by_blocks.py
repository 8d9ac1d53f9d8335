"""Scores computed block by block: those of the whole campaign, to the last bit."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from measurand import JudgedRuns
from measurand.measures.catalogue import catalogue
from measurand.study import scores_by_blocks as blocks

SYSTEMS, TOPICS, DEPTH = 5, 9, 12


@cache
def campaign() -> JudgedRuns:
    """Return runs of which many have equal exact values by different sums, and a topic without relevant documents."""
    rng = np.random.default_rng(3)
    cells = rng.choice(np.array([-1, 0, 1, 2], dtype=np.int8), size=(SYSTEMS, TOPICS, DEPTH), p=[0.1, 0.5, 0.3, 0.1])
    lengths = rng.integers(0, DEPTH + 1, (SYSTEMS, TOPICS))
    cells[np.arange(DEPTH) >= lengths[:, :, None]] = -2
    counts = np.tile([30, 8, 4], (TOPICS, 1))
    cells[:, 3] = np.minimum(cells[:, 3], 0)
    counts[3] = [30, 0, 0]
    return JudgedRuns(
        systems=tuple("abcde"),
        topics=tuple(map(str, range(TOPICS))),
        cells=cells,
        lengths=lengths,
        grade_counts=counts,
        skip_missing=True,
    )


@pytest.mark.parametrize("cells", [DEPTH, 2 * DEPTH * TOPICS, 4 * DEPTH])
def test_scores_by_blocks_are_those_of_the_whole_campaign(cells, monkeypatch):
    monkeypatch.setattr(blocks, "CELLS", cells)
    judged = campaign()
    measures = {name: each for name, each in catalogue().items() if blocks.can_be_cut(each, judged)}
    assert len(measures) > 40
    found = blocks.scores_by_blocks(judged, measures)
    for name, measure in measures.items():
        whole, cut = measure.scores(judged), found[name]
        assert whole.values.tobytes() == cut.values.tobytes(), name
        assert (whole.caveats, whole.one_scale, str(whole.scale_label)) == (
            cut.caveats,
            cut.one_scale,
            str(cut.scale_label),
        )
        assert (whole.exact is None) is (cut.exact is None)
