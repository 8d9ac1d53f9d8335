"""What a terminal gets: colours unless they are not wanted, and no more columns than it has."""

from __future__ import annotations

import sys

import pytest

from measurand.cli.emit import coloured, wide
from measurand.errors import InputError

CURSOR = "\x1b[?25h"
"""What makes a terminal show its cursor."""


@pytest.fixture
def terminal(monkeypatch) -> None:
    """Make standard output a terminal of 60 columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_colours_unless_its_user_wants_none(monkeypatch):
    assert coloured(None)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured(None)


@pytest.mark.usefixtures("terminal")
def test_a_file_gets_neither_colours_nor_narrow_text():
    assert not coloured("out.txt")
    assert (wide(100, "out.txt"), wide(100, None), wide(40, None)) == (100, 60, 40)


def test_what_is_no_terminal_gets_neither(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert not coloured(None)
    assert wide(100, None) == 100


@pytest.mark.parametrize(
    ("stop", "said"),
    [(KeyboardInterrupt(), "interrupted; nothing was written"), (InputError("this is wrong"), "this is wrong")],
)
@pytest.mark.parametrize("where", ["measurand.report.page.answer.section", "measurand.study.study.compare"])
@pytest.mark.usefixtures("small")
def test_a_progress_bar_is_taken_away_before_the_program_says_why_it_ends(where, stop, said, call, monkeypatch):
    def end(*_, **__):
        raise stop

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(where, end)
    shown = call("report", "qrels", "alpha.run", "beta.run", "-m", "P@2").err
    assert "\N{BOX DRAWINGS HEAVY HORIZONTAL}" in shown
    assert shown.endswith(f"\x1b[2K{CURSOR}measurand: {said}\n")


@pytest.mark.usefixtures("small")
def test_the_cursor_is_there_after_an_interruption_while_a_bar_begins(call, monkeypatch):
    def end(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("rich.live.Live.refresh", end)
    shown = call("report", "qrels", "alpha.run", "-m", "P@2").err
    assert shown.endswith(f"{CURSOR}measurand: interrupted; nothing was written\n")
