"""Places and the lines between them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from measurand.report.page.places import Moves, places_of
from measurand.report.page.systems import EVERYBODY, LETTER, height_of, rows_of, slope_chart, slope_description
from measurand.scores import Summary


def moves_of(raw, ranked) -> Moves:
    return Moves(np.asarray(raw, dtype=float), np.asarray(ranked, dtype=float))


@pytest.mark.parametrize("lower", [False, True])
def test_places_are_ranks_that_ties_share(lower):
    values = np.random.default_rng(0).integers(0, 6, size=20) / 7
    summary = Summary(tuple(map(str, range(20))), values, "mean", (), lower)
    assert places_of(summary).tolist() == rankdata(values if lower else -values, method="min").tolist()


def test_rounding_makes_no_places():
    summary = Summary(("a", "b"), [0.1 + 0.2, 0.3], "mean", ())
    assert places_of(summary).tolist() == [1, 1]


def test_of_few_systems_all_are_named_once_on_either_side():
    rng = np.random.default_rng(1)
    raw, ranked = (rankdata(rng.integers(0, 9, size=EVERYBODY), method="min") for _ in range(2))
    systems = [f"system {place}" for place in range(EVERYBODY)]
    rows = rows_of(moves_of(raw, ranked), systems)
    for side in (3, 4):
        written = " ".join(f"{row[side]}," for row in rows)
        assert all(written.count(f"{name},") + written.count(f"{name}  ") == 1 for name in systems)


def test_of_many_systems_names_keep_apart_and_the_best_is_named():
    rng = np.random.default_rng(2)
    raw, ranked = (rng.permutation(129) + 1 for _ in range(2))
    systems = [f"system {place}" for place in range(129)]
    rows = rows_of(moves_of(raw, ranked), systems)
    step = height_of(129) / 128
    for place, side in ((1, 3), (2, 4)):
        heights = sorted(row[place] * step for row in rows if row[side])
        assert 4 <= len(heights) <= 12
        assert min(np.diff(heights)) >= LETTER
    assert rows[0][3] == f"{rows[0][0]}  1"
    assert len(rows) == 129


def test_systems_without_a_number_have_no_line():
    rows = rows_of(moves_of([1, np.nan, 2], [2, np.nan, 1]), ("a", "b", "c"))
    assert [(row[0], row[4]) for row in rows] == [("a", "2  ▼1 a"), ("c", "1  ▲1 c")]


def test_the_description_counts_moves():
    words = slope_description("AP@10", moves_of([1, 2, 3], [1, 3, 2]))
    assert "2 of 3 change their place, by 1 place at most" in words
    assert slope_chart(words, [], 3)["description"] == words
    assert "none changes its place" in slope_description("AP@10", moves_of([1, 2], [1, 2]))
