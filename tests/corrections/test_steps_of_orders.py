"""`order` says whether the steps that it counts are those of runs or of the completion of the order (D22)."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import pytest

import measurand as md

ORDERS = ("swap", "replacement", "projection")


def longest_ways(depth, grades, order):
    """Return for every run over some grades the longest way up to it from the worst run, run by run."""
    runs = list(product(range(grades), repeat=depth))
    below = {run: [other for other in runs if md.orders.compare(other, run, order) == "less"] for run in runs}

    @cache
    def way(run):
        return max((1 + way(other) for other in below[run]), default=0)

    return {run: way(run) for run in runs}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(1, 3), (2, 2), (3, 2), (2, 3), (2, 4)])
def test_steps_are_called_steps_of_runs_only_where_runs_stand_on_all_of_them(call, order, depth, grades):
    """D22: the longest way over runs has as many steps as are said, or the completion is named."""
    ways = longest_ways(depth, grades, order)
    best, runs = (grades - 1,) * depth, [run for run in ways if max(run) == grades - 1]
    differing = False
    for run in runs:
        written = [",".join(map(str, each)) for each in (run, best)]
        found = json.loads(call("order", *written, "--order", order, "-f", "json").out)
        alike = found["ranks"] == [ways[run], ways[best]]
        differing = differing or not alike
        assert alike or found["ranks_in_completion"], run
        said = call("order", *written, "--order", order).out
        assert ("completion" in said) == found["ranks_in_completion"]
    assert differing == found["ranks_in_completion"]


def test_the_chain_of_one_swap_stands_beside_steps_of_the_completion(call):
    """D22: from 0,2 to 2,0 is one swap, and two steps of the completion."""
    said = call("order", "0,2", "2,0").out
    assert said.count("swap ranks") == 1
    assert "in the completion of the order, of 6 with 3 grades: 2 and 4" in said
    assert "one swap can be several" in said
    several = call("order", "0,2", "2,0", "1,1")
    assert "completion" in several.out
    assert json.loads(call("order", "0,2", "2,0", "1,1", "-f", "json").out)["ranks_in_completion"] is True
    assert "completion" not in call("order", "0,1", "1,0", "1,1").out
