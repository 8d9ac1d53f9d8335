"""Different sums by ranges of values, where sums of different states coincide.

Checkpoints as bytes: what is damaged or foreign is not read.

Where checkpoints are kept: sound files are used, anything else is passed over.

Exact rulers of walks against every run.
"""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.intervals import counted_values
from measurand.intervals.counted_values import (
    MAGIC,
    Checkpoints,
    Rows,
    WalkRuler,
    cache_directory,
    cascade_ruler,
    count_between,
    count_up_to,
    edges_of,
    keep,
    load,
    shipped_directory,
    weighted_ruler,
)
from measurand.intervals.reachable_values import Stretches, average_precision_walk, distinct
from measurand.intervals.ruler import Budget, Certainty
from measurand.judged.universes import every_run

numbers = st.lists(st.integers(0, 60), min_size=1, max_size=12).map(lambda some: distinct([np.array(some)]))


@given(states=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=3), cuts=st.sets(st.integers(-1, 130)))
def test_sums_between_any_keys_are_counted_once(states, cuts):
    before, after = zip(*states, strict=True)
    image = {a + b for firsts, seconds in states for a in firsts.tolist() for b in seconds.tolist()}
    keys = np.array(sorted(cuts), dtype=np.int64)
    # every second interval, so that there are gaps
    lows, highs = keys[:-1:2], keys[1::2]
    counted = count_between(Rows.of(Stretches(0, before, after)), lows, highs)
    assert counted.tolist() == [
        sum(low < key <= high for key in image) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)
    ]


@pytest.mark.parametrize("large", [8, 1 << 24])
@given(
    states=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=3),
    keys=st.sets(st.integers(0, 130), min_size=2),
    data=st.data(),
)
def test_sums_up_to_several_keys_are_counted_together(large, states, keys, data):
    before, after = zip(*states, strict=True)
    image = {a + b for firsts, seconds in states for a in firsts.tolist() for b in seconds.tolist()}
    ascending = np.array(sorted(keys))
    middle = data.draw(st.integers(1, len(ascending) - 1))
    groups, lows = [ascending[:middle], ascending[middle:]], [-1, int(ascending[middle - 1])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted_values, "LARGE", large)
        counted = count_up_to(Rows.of(Stretches(0, before, after)), np.array(lows), groups)
    assert counted.tolist() == [
        sum(low < one <= key for one in image)
        for low, group in zip(lows, groups, strict=True)
        for key in group.tolist()
    ]


@pytest.mark.parametrize(("large", "at_once"), [(64, 256), (1 << 22, 3)])
def test_large_intervals_are_cut_and_many_are_shared_out(monkeypatch, large, at_once):
    monkeypatch.setattr(counted_values, "LARGE", large)
    monkeypatch.setattr(counted_values, "AT_ONCE", at_once)
    monkeypatch.setattr(counted_values, "FULL", 16)
    walk = average_precision_walk(12)
    stretches = Stretches.of(walk, 1 << 20, cut=5)
    edges = edges_of(stretches)
    counts = count_between(Rows.of(stretches), np.concatenate([[-1], edges[:-1]]), edges)
    assert len(edges) > 10
    assert counts.sum() == 3047


def test_intervals_are_counted_alone_where_there_are_many_rows(monkeypatch):
    monkeypatch.setattr(counted_values, "ROWS_AT_ONCE", 1)
    rows = Rows.of(Stretches.of(average_precision_walk(8), 1 << 20, cut=4))
    highs = np.arange(0, 6720, 840)
    assert count_between(rows, highs - 840, highs).sum() == 224
    assert count_between(rows, highs[:0], highs[:0]).tolist() == []


def test_buckets_hold_about_the_same_number_of_sums():
    stretches = Stretches.of(average_precision_walk(20), 1 << 26)
    states = zip(stretches.before, stretches.after, strict=True)
    sums = np.sort(np.concatenate([np.add.outer(*pair).reshape(-1) for pair in states]))
    filled = np.diff(np.searchsorted(sums, edges_of(stretches), side="right"), prepend=0)
    assert filled.sum() == stretches.pairs
    assert filled.max() < 2 * filled.mean()


def test_there_are_no_more_edges_than_a_file_has_room_for_and_they_are_round_but_the_last(monkeypatch):
    stretches = Stretches.of(average_precision_walk(20), 1 << 26)
    assert len(edges_of(stretches)) > 24
    monkeypatch.setattr(counted_values, "MOST_EDGES", 24)
    *edges, last = edges_of(stretches).tolist()
    assert 20 < len(edges) < 24
    assert last == stretches.highest
    assert min(edges) >= math.gcd(*edges) > last / (24 * 4 * counted_values.STEPS)


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


FILE = "AP-10.v2.checkpoints"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(counted_values, "LONG", 0)
    return tmp_path / "kept"


def ruler():
    return WalkRuler.of(average_precision_walk(10), "AP-10")


def pretended():
    """Checkpoints that are sound and wrong, so that one sees that they are used."""
    return Checkpoints(np.array([average_precision_walk(10).highest]), np.array([7]))


def test_what_took_long_is_kept_and_used_again(cache):
    assert ruler().size == 810
    assert [path.name for path in cache.iterdir()] == [FILE]
    keep(pretended(), "AP-10")
    assert ruler().size == 7


def test_what_took_no_time_is_not_kept(cache, monkeypatch):
    monkeypatch.setattr(counted_values, "LONG", 1 << 20)
    assert ruler().size == 810
    assert not cache.exists()


def test_counting_afresh_looks_at_nothing_kept(cache):
    keep(pretended(), "AP-10")
    assert WalkRuler.of(average_precision_walk(10), "AP-10", afresh=True).size == 810


@pytest.mark.parametrize("damage", [lambda sound: sound[:-3], lambda sound: b"", lambda sound: sound + b"!"])
def test_a_damaged_file_is_counted_again_and_replaced(cache, damage):
    assert ruler().size == 810
    sound = (cache / FILE).read_bytes()
    (cache / FILE).write_bytes(damage(sound))
    assert ruler().size == 810
    assert (cache / FILE).read_bytes() == sound


def test_a_damaged_shipped_table_is_counted_again(cache, tmp_path, monkeypatch):
    shipped = tmp_path / "shipped"
    monkeypatch.setattr(counted_values, "shipped_directory", lambda: shipped)
    keep(pretended(), "AP-10", shipped)
    assert ruler().size == 7
    (shipped / FILE).write_bytes((shipped / FILE).read_bytes()[:-1])
    assert ruler().size == 810
    assert (cache / FILE).exists()


def test_a_directory_that_cannot_be_written_is_left_alone(cache):
    cache.write_text("a file stands where the directory would be")
    assert ruler().size == 810
    assert cache.read_text() == "a file stands where the directory would be"


def test_a_write_that_is_broken_off_leaves_nothing(cache, monkeypatch):
    def broken(self, name):
        raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoints, "to_bytes", broken)
    with pytest.raises(KeyboardInterrupt):
        keep(pretended(), "AP-10")
    assert not cache.exists()


def test_two_processes_may_keep_the_same_checkpoints_at_once(cache):
    code = (
        "import numpy as np\n"
        "from measurand.intervals.counted_values import Checkpoints, keep, load\n"
        "for _ in range(20):\n"
        "    keep(Checkpoints(np.arange(3, 5000, 3), np.arange(1, 1667)), 'AP-10')\n"
        "    assert load('AP-10', 4998).size == 1666\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ)) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert [path.name for path in cache.iterdir()] == [FILE]
    assert load("AP-10", 4998).size == 1666


def test_an_empty_variable_means_that_nothing_is_kept(monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    assert cache_directory() is None
    keep(pretended(), "AP-10")
    assert load("AP-10", average_precision_walk(10).highest) is None


def test_without_the_variable_the_directory_is_the_users(monkeypatch):
    monkeypatch.delenv("MEASURAND_CACHE", raising=False)
    assert cache_directory().name == "measurand"


@pytest.mark.parametrize("depth", range(25, 43))
def test_tables_to_depth_42_come_with_the_package_below_a_megabyte(monkeypatch, depth):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    found = (shipped_directory() / f"AP-{depth}.v2.checkpoints").stat()
    assert found.st_mode & 0o444 == 0o444
    assert found.st_size < 1_000_000
    assert load(f"AP-{depth}", average_precision_walk(depth).highest) is not None


ERR = [2, 4, 8, 16, 32, 58, 122, 250, 506, 1010, 2034, 4026, 8122, 15858, 30650, 63204, 128412, 255650]
ERR_OF_3_GRADES = [3, 9, 24, 68, 212, 652, 2022, 6071, 16112, 50761, 160704, 484636]
ERR_OF_4_GRADES = [4, 16, 62, 249, 947, 3908, 15340, 61391, 239325]


def err(depth, highest=1, budget=None):
    stops = [Fraction(2**grade - 1, 2**highest) for grade in range(highest + 1)]
    return cascade_ruler(stops, [Fraction(1, rank) for rank in range(1, depth + 1)], budget)


def stopping_value(run, highest):
    total, going = Fraction(0), Fraction(1)
    for rank, grade in enumerate(run, 1):
        stop = Fraction(2**grade - 1, 2**highest)
        total, going = total + going * stop / rank, going * (1 - stop)
    return total


def agrees_with(ruler, runs, values):
    """Whether a ruler ranks and shares out all runs as their exact values do."""
    run_counts = Counter(values)
    image = sorted(run_counts)
    ranks = {value: rank for rank, value in enumerate(image, 1)}
    below, total = {}, 0
    for value in image:
        below[value], total = total, total + run_counts[value]
    positions = ruler.positions(runs)
    assert {(position.how, position.size) for position in positions} == {(Certainty.EXACT, len(image))}
    assert [position.rank for position in positions] == [ranks[value] for value in values]
    assert ruler.shares(runs) == [(below[value], run_counts[value]) for value in values]
    return True


@pytest.mark.parametrize("highest", [1, 2, 3])
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_all_ranks_of_err_are_those_of_its_exact_values(depth, highest):
    runs = every_run(depth, highest + 1)
    assert agrees_with(err(depth, highest), runs, [stopping_value(run, highest) for run in runs.tolist()])


def test_all_ranks_of_err_are_right_with_many_buckets(monkeypatch):
    monkeypatch.setattr(counted_values, "FULL", 64)
    ruler, runs = err(12), every_run(12, 2)
    assert len(ruler.checkpoints().edges) > 20
    assert agrees_with(ruler, runs, [stopping_value(run, 1) for run in runs.tolist()])


def test_runs_are_placed_in_any_order_and_as_often_as_they_occur():
    ruler, runs = err(6), every_run(6, 2)
    mixed = np.random.default_rng(0).integers(0, 64, 200)
    ranks = [position.rank for position in ruler.positions(runs)]
    assert [position.rank for position in ruler.positions(runs[mixed])] == [ranks[at] for at in mixed.tolist()]
    assert ruler.positions(runs[:0]) == []
    assert ruler.shares(runs[:0]) == []


@pytest.mark.parametrize("depth", range(1, 19))
def test_err_has_as_many_values_as_were_counted_by_hand(depth):
    assert err(depth).size == ERR[depth - 1]


@pytest.mark.parametrize(("highest", "sizes"), [(2, ERR_OF_3_GRADES), (3, ERR_OF_4_GRADES)])
def test_graded_err_has_as_many_values_as_were_counted_by_hand(highest, sizes):
    assert [err(depth, highest).size for depth in range(1, len(sizes) + 1)] == sizes


def test_err_has_64_bit_keys_to_depth_28():
    assert err(28) is not None
    assert err(29) is None


@settings(max_examples=20, deadline=None)
@given(
    weights=st.lists(st.fractions(-1, 2, max_denominator=12), min_size=1, max_size=5),
    gains=st.lists(st.fractions(-1, 3, max_denominator=4), min_size=1, max_size=3),
)
def test_all_ranks_of_rational_weights_are_those_of_the_exact_sums(weights, gains):
    runs = every_run(len(weights), len(gains))
    values = [sum((w * gains[g] for w, g in zip(weights, run, strict=True)), Fraction(0)) for run in runs.tolist()]
    assert agrees_with(weighted_ruler(weights, gains), runs, values)


def test_equal_weights_have_few_values_at_any_depth():
    ruler = weighted_ruler([Fraction(1)] * 100, [Fraction(0), Fraction(1)])
    half = np.repeat([[1, 0]], 50, axis=1).astype(np.int8)
    assert [position.rank for position in ruler.positions(half)] == [51]
    with pytest.raises(NotAvailable, match="how many runs share"):
        ruler.shares(half)


def test_weights_beyond_64_bits_have_no_ruler():
    assert weighted_ruler([Fraction(1, 10**rank) for rank in range(25)], [Fraction(0), Fraction(1)]) is None


def test_what_would_take_too_long_is_refused_before_it_begins():
    with pytest.raises(NotAvailable, match=r"about 3 s, more than the 1 s .* max_seconds=5"):
        err(28, budget=Budget(seconds=1))


def test_what_would_take_too_much_memory_is_refused_before_it_begins():
    with pytest.raises(NotAvailable, match="more than 1 MiB"):
        err(28, budget=Budget(memory=1 << 20))


@pytest.mark.parametrize("budget", [Budget(seconds=0.01), Budget(memory=1 << 16)])
def test_runs_that_cannot_be_placed_in_time_lie_between_two_checkpoints(monkeypatch, budget):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    walk = average_precision_walk(26)
    runs = np.random.default_rng(0).integers(0, 2, (100, 26), dtype=np.int8)
    exact = WalkRuler.of(walk, "AP-26").positions(runs)
    bounds = WalkRuler.of(walk, "AP-26", budget).positions(runs)
    assert {position.how for position in exact} == {Certainty.EXACT}
    assert {position.how for position in bounds} == {Certainty.CERTIFIED}
    assert all(bound.low <= place.low <= bound.high for bound, place in zip(bounds, exact, strict=True))
    assert max(bound.width for bound in bounds) < 1e-3


def test_how_many_runs_share_a_value_is_refused_where_it_takes_too_long():
    ruler = WalkRuler.of(average_precision_walk(28), "AP-28", Budget(seconds=0.01))
    with pytest.raises(NotAvailable, match="how many runs share"):
        ruler.shares(every_run(28, 1))


def test_progress_hands_the_parts_through():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    ruler = WalkRuler.of(average_precision_walk(24), "AP-24", afresh=True)
    assert ruler.checkpoints(progress).size == 8482100
    assert seen == [(2, "counting values")]
