"""What a terminal gets: colours unless they are not wanted, and no more columns than it has."""

from __future__ import annotations

import sys

import pytest

from measurand.cli.emit import coloured, wide


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
