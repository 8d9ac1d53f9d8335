"""Messages for GitHub's runner: one line each, whatever they say."""

from __future__ import annotations

import re
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from measurand.display.github import workflow_command


@given(title=st.text(), message=st.text())
def test_any_text_is_one_command_and_no_other(title, message):
    line = workflow_command("error", title, message)
    assert len(line.splitlines()) == 1
    assert "##[" not in line
    head, kept, body = re.fullmatch(r"::(error) title=([^:,]*)::(.*)", line).groups()
    assert head == "error"
    if (title + message).isprintable() and "##[" not in title + message:
        assert (unquote(kept), unquote(body)) == (title, message) or "%" in title + message


def test_percent_signs_and_line_ends_come_back_as_they_were():
    line = workflow_command("warning", "a,b: 50%", "5 %\r\n::error::no %0A")
    assert line == "::warning title=a%2Cb%3A 50%25::5 %25%0D%0A::error::no %250A"
