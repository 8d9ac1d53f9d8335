"""Systems on the topics that all of them have."""

from __future__ import annotations

import numpy as np

from measurand.errors import CaveatKind
from measurand.scores import Scores
from measurand.statistics.pairs import complete


def scored(values) -> Scores:
    values = np.asarray(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure="P@10", values=values, systems=systems, topics=topics)


def test_topics_that_not_all_systems_have_are_left_out_and_counted():
    values = np.random.default_rng(0).random((7, 6))
    values[np.random.default_rng(1).random((7, 6)) < 0.1] = np.nan
    left = complete(scored(values))
    assert left.values.tolist() == values[:, ~np.isnan(values).any(axis=0)].tolist()
    assert 0 < left.values.shape[1] < 6
    assert left.caveats[0].kind is CaveatKind.MISSING_TOPICS


def test_nothing_is_said_where_nothing_is_missing():
    assert complete(scored([[0.1, 0.2]])).caveats == ()
