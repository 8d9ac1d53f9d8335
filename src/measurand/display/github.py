"""GitHub Actions: messages that its runner shows beside a workflow, and where the summary of a job goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The environment variable that names the file whose Markdown is shown as the summary of the job."""

Level = Literal["notice", "warning", "error"]

_DATA: Mapping[str, str] = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY: Mapping[str, str] = {**_DATA, ":": "%3A", ",": "%2C"}


def workflow_command(level: Level, title: str, message: str) -> str:
    r"""Return the line that makes GitHub's runner show a message.

    Parameters
    ----------
    level
        How it is shown.
    title
        What stands above it.
    message
        What it says.

    Examples
    --------
    >>> workflow_command("error", "gate: AP", "It fell.\n::error::not a command")
    '::error title=gate%3A AP::It fell.%0A::error::not a command'
    """
    return f"::{level} title={_escaped(title, _PROPERTY)}::{_escaped(message, _DATA)}"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(_letters(text, escapes)).replace("##[", "## [")  # an older form, which is looked for anywhere


def _letters(text: str, escapes: Mapping[str, str]) -> Iterator[str]:
    for letter in text:
        # other control characters have no meaning here, and might for a terminal
        yield escapes[letter] if letter in escapes else letter if letter.isprintable() else " "
