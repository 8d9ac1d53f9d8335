"""What goes wrong by somebody's doing, and what is merely suspicious: one line each, with its place and what to do."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

SHOWN = 60
"""So many characters of what somebody gave stand in a message."""


class MeasurandError(Exception):
    """The base of all errors that measurand raises on purpose; whatever it names, it is one line."""

    def __str__(self) -> str:
        return on_one_line(super().__str__())


class ParameterError(MeasurandError, ValueError):
    """A measure or an option that does not exist, or a value it does not take."""


class InputError(MeasurandError, ValueError):
    """Data that cannot be used: why, and in which file and line that stands where it is known.

    Examples
    --------
    >>> print(InputError("5 columns where a run has 6", "bm25.run", 7))
    bm25.run:7: 5 columns where a run has 6
    """

    def __init__(self, why: str, path: str = "", line: int | None = None) -> None:
        super().__init__(why)
        self.why, self.path, self.line = why, path, line

    def __str__(self) -> str:
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return on_one_line(f"{where}: {self.why}" if where else self.why)


class NotMeaningful(MeasurandError):
    """A statement was asked for, strictly, that the scale of the scores does not support."""


class NotAvailable(MeasurandError):
    """What cannot be computed at this size, or not within what may be spent on it."""


class NotInstalled(MeasurandError, ImportError):
    """A package is missing that only an extra of measurand installs."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> NotInstalled:
        return cls(f"{purpose} needs {package}: pip install 'measurand[{extra}]'")


class CaveatKind(StrEnum):
    """What a caveat is about: stable words for programs."""

    MISSING_TOPICS = "missing-topics"
    UNJUDGED_TOPICS = "unjudged-topics"
    FEW_JUDGED = "few-judged"
    SPARSE_JUDGMENTS = "sparse-judgments"
    NO_RELEVANT = "no-relevant"
    REPEATED_JUDGMENT = "repeated-judgment"
    EXTRA_COLUMNS = "extra-columns"
    GRADES = "grades"
    BLANKS = "blanks"
    NAMES = "names"
    FILES = "files"


@frozen
class Caveat:
    """Something that a reader of a number should know; it travels with the number.

    Examples
    --------
    >>> print(Caveat(CaveatKind.MISSING_TOPICS, "bm25: nothing for 2 of 50 topics"))
    bm25: nothing for 2 of 50 topics
    """

    kind: CaveatKind
    text: str

    def __str__(self) -> str:
        return on_one_line(self.text)


def on_one_line(text: str) -> str:
    """A text whose line breaks, control characters and the like are written as in Python, so that it is one line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def short(text: str) -> str:
    """A name that somebody gave, on one line and cut where it is long."""
    return on_one_line(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


def quoted(value: object) -> str:
    """What somebody gave, as it would be written in Python: one short line, whatever it is."""
    try:
        text = repr(value[: SHOWN + 1] if isinstance(value, str | bytes) else value)
    except Exception:  # noqa: BLE001 - whatever a stranger's __repr__ raises, or a number of a million digits
        text = f"something of type {type(value).__name__}"
    return on_one_line(text if len(text) <= SHOWN + 2 else f"{text[:SHOWN]}…")
