"""Where checkpoints are kept: sound files are used, anything else is passed over."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from measurand.intervals import counted_values as checkpoint_cache
from measurand.intervals import counted_values as walk_ruler
from measurand.intervals.counted_values import Checkpoints, WalkRuler, cache_directory, keep, load, shipped_directory
from measurand.intervals.reachable_values import average_precision_walk

FILE = "AP-10.v1.checkpoints"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(walk_ruler, "LONG", 0)
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
    monkeypatch.setattr(walk_ruler, "LONG", 1 << 20)
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
    monkeypatch.setattr(checkpoint_cache, "shipped_directory", lambda: shipped)
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
    assert list(cache.iterdir()) == []


def test_two_processes_may_keep_the_same_checkpoints_at_once(cache):
    code = (
        "import numpy as np\n"
        "from measurand.intervals.counted_values import Checkpoints, keep, load\n"
        "for _ in range(200):\n"
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


@pytest.mark.parametrize("depth", range(25, 35))
def test_tables_to_depth_34_come_with_the_package(monkeypatch, depth):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    assert (shipped_directory() / f"AP-{depth}.v1.checkpoints").stat().st_mode & 0o444 == 0o444
    assert load(f"AP-{depth}", average_precision_walk(depth).highest) is not None
