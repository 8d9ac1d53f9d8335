"""Counting many buckets at once, as on a GPU, against counting one after the other."""

from __future__ import annotations

import sys

import pytest

from measurand.errors import NotAvailable
from measurand.intervals.counted_values import Checkpoints, load
from measurand.intervals.reachable_values import average_precision_walk
from measurand.intervals.shipped_tables import Device, differences, main, make


@pytest.mark.parametrize("depth", [1, 4, 11, 18, 20])
@pytest.mark.parametrize("at_once", [1, 1 << 14, 1 << 22])
def test_many_buckets_at_once_have_as_many_values_as_one_after_the_other(depth, at_once):
    expected, found = make(depth), make(depth, Device.processor(at_once))
    assert found.edges.tolist() == expected.edges.tolist()
    assert found.counts.tolist() == expected.counts.tolist()


def test_the_shipped_table_of_depth_25_is_made_again():
    shipped = load("AP-25", average_precision_walk(25).highest)
    made = make(25)
    assert made.edges.tolist() == shipped.edges.tolist()
    assert made.counts.tolist() == shipped.counts.tolist()


def test_another_cut_gives_the_same_and_a_wrong_count_is_noticed():
    table = make(20)
    wrong = table.counts.copy()
    wrong[9] += 1
    for device in (None, Device.processor()):
        assert differences(20, table, len(table.edges), device) == 0
        assert differences(20, Checkpoints(table.edges, wrong), len(table.edges), device) == 2


def test_tables_are_made_and_checked_on_the_command_line(tmp_path):
    made = list(main(["make", "12", "13", "--directory", str(tmp_path)]))
    said = made + list(main(["check", "12", "14", "--directory", str(tmp_path)]))
    assert [line.split(", ")[0] for line in said] == [
        "depth 12: 3,047 values",
        "depth 13: 6,733 values",
        "depth 12: 0 buckets differ",
        "depth 13: 0 buckets differ",
        "depth 14: no table",
    ]


def test_without_cupy_a_gpu_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(NotAvailable, match="pip install --group gpu"):
        Device.gpu()
