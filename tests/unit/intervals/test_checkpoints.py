"""Checkpoints as bytes: what is damaged or foreign is not read."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from measurand.intervals.counted_values import MAGIC, Checkpoints
from measurand.intervals.reachable_values import Stretches, average_precision_walk


@pytest.fixture
def kept():
    return Checkpoints(np.array([3, 12, 48]), np.array([2, 6, 15])).to_bytes("AP-4")


def test_what_is_written_is_read_again(kept):
    read = Checkpoints.from_bytes(kept, "AP-4", 48)
    assert read.edges.tolist() == [3, 12, 48]
    assert read.counts.tolist() == [2, 6, 15]


def test_no_changed_byte_goes_unnoticed(kept):
    for place in range(len(kept)):
        damaged = bytearray(kept)
        damaged[place] ^= 1
        assert Checkpoints.from_bytes(bytes(damaged), "AP-4", 48) is None


def test_no_file_cut_short_is_read(kept):
    assert all(Checkpoints.from_bytes(kept[:length], "AP-4", 48) is None for length in range(len(kept)))


@pytest.mark.parametrize(("name", "highest"), [("AP-5", 48), ("AP-4", 49)])
def test_checkpoints_of_another_measure_are_not_read(kept, name, highest):
    assert Checkpoints.from_bytes(kept, name, highest) is None


@pytest.mark.parametrize(("edges", "counts"), [([12, 3, 48], [2, 6, 15]), ([3, 12, 48], [2, 2, 15]), ([], [])])
def test_what_cannot_be_checkpoints_is_not_read_though_its_digest_is_right(edges, counts):
    wrong = Checkpoints(np.array(edges, dtype=np.int64), np.array(counts, dtype=np.int64)).to_bytes("AP-4")
    assert Checkpoints.from_bytes(wrong, "AP-4", 48) is None


def test_a_file_that_is_not_packed_is_not_read_though_its_digest_is_right():
    loose = MAGIC + b" 1\n" + hashlib.sha256(b"loose").digest() + b"loose"
    assert Checkpoints.from_bytes(loose, "AP-4", 48) is None


def test_any_cut_gives_the_same_number_of_values():
    walk = average_precision_walk(18)
    assert {Checkpoints.build(Stretches.of(walk, 1 << 28, cut)).size for cut in (5, 9, 12)} == {172712}
