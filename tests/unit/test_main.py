"""The process of the command line: what it sets before anything is loaded, and how it ends."""

from __future__ import annotations

import gc
import os
import sys

import pytest

from measurand import cli
from measurand.__main__ import WORKERS, start

THREADS = "OPENBLAS_NUM_THREADS"


class EndedAtOnce(Exception):
    """Stands for the end of the process."""


@pytest.fixture
def ending(monkeypatch):
    """Return a function that starts a command which exits with a code, and returns how the process ends."""

    def at_once(code):
        raise EndedAtOnce(code)

    def ended(code, *words):
        def main(called):
            sys.exit(code)

        monkeypatch.setattr(cli, "main", main)
        monkeypatch.setattr(sys, "argv", ["measurand", *words])
        with pytest.raises((EndedAtOnce, SystemExit)) as stop:
            start()
        return stop.type, stop.value.args[0]

    monkeypatch.setattr(os, "_exit", at_once)
    monkeypatch.setattr(gc, "set_threshold", lambda _: None)
    monkeypatch.delenv(THREADS, raising=False)
    for name in WORKERS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    return ended


def test_the_process_ends_at_once_where_all_went_well_and_in_good_order_otherwise(ending):
    assert ending(0) == (EndedAtOnce, 0)
    assert ending(1) == (SystemExit, 1)
    assert ending("the output is closed") == (SystemExit, "the output is closed")


@pytest.mark.parametrize("name", sorted(WORKERS))
def test_python_ends_threads_and_processes_that_were_started(name, ending, monkeypatch):
    monkeypatch.setitem(sys.modules, name, sys)
    assert ending(0) == (SystemExit, 0)


@pytest.mark.parametrize(
    ("given", "command", "threads"),
    [(None, "evaluate", "1"), (None, "compare", None), ("4", "evaluate", "4")],
    ids=["evaluate", "another command", "the user's own number"],
)
def test_numpy_starts_no_threads_for_an_evaluation_unless_it_is_told_to(given, command, threads, ending, monkeypatch):
    if given is not None:
        monkeypatch.setenv(THREADS, given)
    ending(0, command)
    assert os.environ.get(THREADS) == threads
    os.environ.pop(THREADS, None)
