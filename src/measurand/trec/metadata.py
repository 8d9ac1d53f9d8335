"""Comments at the head of a file, and the metadata in them, as ir_metadata (https://www.ir-metadata.org) writes them.

Metadata are YAML between the comments `# ir_metadata.start` and `# ir_metadata.end`. They are kept as they stand. Their
fields are read if they are written simply, as people and repro_eval write them: mappings and lists by indentation,
words, quoted words, short lists in brackets and texts behind `|`. Of anything else, such as anchors, there are no
fields: whoever needs them has a parser of YAML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

START, END = "ir_metadata.start", "ir_metadata.end"

Line: TypeAlias = tuple[int, str]

_HEAD = re.compile(rb"(?:\s*+#[^\n]*+)*+\s*+")
"""Comments and blank lines; whoever has millions of them waits for no step of Python for each."""


@frozen
class Metadata:
    """The metadata of a run.

    Parameters
    ----------
    text
        What was written, in YAML.
    fields
        The same as nested dictionaries and lists of texts; None if it is not written simply.
    """

    text: str
    fields: Mapping[str, Any] | None = field(eq=False)


def metadata_of(comments: Sequence[str]) -> Metadata | None:
    """Return the metadata in comments, or None if there are none.

    Parameters
    ----------
    comments
        The lines, each with its `#`.

    Examples
    --------
    >>> lines = ["# ir_metadata.start", "# tag: bm25", "# method:", "#   retrieval: [bm25, rm3]", "# ir_metadata.end"]
    >>> metadata_of(lines).fields
    {'tag': 'bm25', 'method': {'retrieval': ['bm25', 'rm3']}}
    """
    from textwrap import dedent

    bare = [line.strip().removeprefix("#") for line in comments]
    marks = [line.strip() for line in bare]
    if START not in marks:
        return None
    start = marks.index(START) + 1
    end = marks.index(END, start) if END in marks[start:] else len(marks)
    text = "".join(f"{line.rstrip()}\n" for line in dedent("\n".join(bare[start:end])).split("\n"))
    return Metadata(text, fields_of(text))


def head_length(data: bytes) -> int:
    r"""Return how many bytes of a file are comments and blank lines before its first row; none unless it begins so.

    Examples
    --------
    >>> head_length(b"# bm25\n\n# k1=0.9\n1 Q0 d 1 2.5 t\n"), head_length(b"1 Q0 d 1 2.5 t\n# bm25\n")
    (17, 0)
    """
    return rows_start(data) if data.startswith(b"#") else 0


def rows_start(data: bytes) -> int:
    r"""Return where the first row of a file begins, after comments and blank lines; its length if there is none.

    Parameters
    ----------
    data
        What the file begins with.

    Examples
    --------
    >>> rows_start(b"\n# bm25\n1 Q0 d 1 2.5 t\n"), rows_start(b"# bm25")
    (8, 6)
    """
    start = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    head = _HEAD.match(data, start)
    end = start if head is None else head.end()
    return end if end == len(data) else max(start, data.rfind(b"\n", start, end) + 1)


def comments_of(data: bytes) -> tuple[str, ...]:
    r"""Return the comments at the head of a file, each with its `#`; what is not UTF-8 in them is replaced.

    Examples
    --------
    >>> comments_of(b"# bm25\n\n# k1=0.9\n1 Q0 d 1 2.5 t\n")
    ('# bm25', '# k1=0.9')
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    lines = data[: head_length(data)].decode(errors="replace").split("\n")
    return tuple(line.removesuffix("\r") for line in lines if line.strip())


def fields_of(text: str) -> Mapping[str, Any] | None:
    r"""Return the fields of a text in simple YAML, every value as a text; None if it is not simple.

    Examples
    --------
    >>> fields_of("actor:\n  name: Ada\ntools:\n- python\n- 'bm25: a ranker'\n")
    {'actor': {'name': 'Ada'}, 'tools': ['python', 'bm25: a ranker']}
    >>> fields_of("a: &anchor 1") is None
    True
    """
    try:
        reader = _Reader(text)
        found = reader.block(0)
        return found if isinstance(found, dict) and reader.done else None
    except ValueError:
        return None


class _Reader:
    """Reads simple YAML, line after line; raises ValueError at anything else."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.place = 0

    @property
    def done(self) -> bool:
        return self.next_line() is None

    def next_line(self) -> Line | None:
        """Return the next line that holds anything, with its indentation, and stay before it."""
        while self.place < len(self.lines):
            line = self.lines[self.place]
            bare = line.strip(" ")
            if bare and not bare.startswith("#"):
                if "\t" in line or bare in ("---", "...") or bare.startswith("%"):
                    raise ValueError(line)
                return _indentation(line), bare
            self.place += 1
        return None

    def block(self, indent: int) -> Any:
        """Return the mapping or list whose lines have an indentation of at least so much."""
        line = self.next_line()
        if line is None or line[0] < indent:
            return ""
        indent = line[0]
        return self.sequence(indent) if _is_item(line[1]) else self.mapping(indent)

    def sequence(self, indent: int) -> list[Any]:
        found = []
        while (line := self.next_line()) is not None and line[0] == indent and _is_item(line[1]):
            rest = line[1][1:].lstrip(" ")
            if _is_item(rest) or _key(rest) is not None:
                # what stands behind the dash begins a block, as if it stood there alone
                inner = indent + len(line[1]) - len(rest)
                self.lines[self.place] = " " * inner + rest
                found.append(self.block(inner))
                continue
            self.place += 1
            found.append(self.block(indent + 1) if not rest or rest.startswith("#") else self.value(rest, indent))
        self.check_end(indent)
        return found

    def mapping(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (line := self.next_line()) is not None and line[0] == indent and not _is_item(line[1]):
            split = _key(line[1])
            if split is None or split[0] in found:
                raise ValueError(line[1])
            self.place += 1
            key, rest = split
            found[key] = self.value(rest, indent) if rest else self.nested(indent)
        self.check_end(indent)
        return found

    def nested(self, indent: int) -> Any:
        """Return what stands under a key without a value; a list may be no further in than its key."""
        line = self.next_line()
        if line is not None and line[0] == indent and _is_item(line[1]):
            return self.sequence(indent)
        return self.block(indent + 1)

    def value(self, text: str, indent: int) -> Any:
        return self.literal(indent, keep=text == "|") if text in ("|", "|-") else _scalar(text)

    def literal(self, indent: int, *, keep: bool) -> str:
        """Return the text behind a `|`: all lines that are further in."""
        taken: list[str] = []
        while self.place < len(self.lines):
            line = self.lines[self.place]
            if line.strip(" ") and _indentation(line) <= indent:
                break
            taken.append(line)
            self.place += 1
        full = [line for line in taken if line.strip(" ")]
        if not full or not taken[0].strip(" ") or min(map(_indentation, full)) < _indentation(full[0]):
            raise ValueError("a text that is empty, or begins with a blank line or further in than it goes on")
        lines = [line[_indentation(full[0]) :] for line in taken]
        return "\n".join(lines).rstrip("\n ") + ("\n" if keep else "")

    def check_end(self, indent: int) -> None:
        line = self.next_line()
        if line is not None and line[0] > indent:
            raise ValueError(line[1])


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


_PLAIN = r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^\n]*|[-?:][^\s][^\n]*"


def _key(text: str) -> tuple[str, str] | None:
    """Return a key and what follows it on its line, or None if a line begins with no key."""
    quoted = re.match(r"'((?:[^']|'')*)' *:(?: +(.*))?$", text)
    if quoted:
        return quoted[1].replace("''", "'"), _uncommented(quoted[2] or "")
    plain = re.match(r"([^:#'\"\[\]{},&*!|>%@`?\-][^:#]*?) *:(?: +(.*))?$", text)
    return None if plain is None else (plain[1], _uncommented(plain[2] or ""))


def _uncommented(text: str) -> str:
    """Return what follows a key, nothing if it is a comment."""
    bare = text.strip(" ")
    return "" if bare.startswith("#") else bare


def _scalar(text: str) -> Any:
    """Return a value: a word, a quoted word, or a list in brackets."""
    if text[0] == "'":
        quoted = re.fullmatch(r"'((?:[^']|'')*)'(?: +#.*)?", text)
        if quoted is None:
            raise ValueError(text)
        return quoted[1].replace("''", "'")
    if text[0] == '"':
        quoted = re.fullmatch(r'"([^"\\]*)"(?: +#.*)?', text)
        if quoted is None:
            raise ValueError(text)
        return quoted[1]
    if text in ("[]", "{}"):
        return [] if text == "[]" else {}
    if text[0] == "[" and text[-1] == "]":
        parts = [part.strip(" ") for part in text[1:-1].split(",")]
        if any(not re.fullmatch(r"[\w.+/][\w.+/ \-]*|-[\w.]+", part) for part in parts):
            raise ValueError(text)
        return parts
    word = re.sub(r" +#.*$", "", text)
    if not re.fullmatch(_PLAIN, word) or re.search(r":( |$)", word):
        raise ValueError(text)
    return word
