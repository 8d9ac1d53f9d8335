r"""Letters that do something to whoever reads them: terminals, spreadsheets, streams and readers of JSON.

Names of systems, topics, documents and files come from strangers. Where people read them, letters that cannot be seen
or that steer a terminal are written as Python writes them, ``\x1b`` (`shown`); files and programs get them as they are.
In CSV and TSV, text that a spreadsheet would run stands behind an apostrophe (`harmless`), which `unharmed` takes away.
JSON has no half of a pair of surrogates (`json_escaped`), and a stream that lacks a letter gets another in its place
(the error handler `STAND_IN`).
"""

from __future__ import annotations

import codecs
import re

__all__ = ["STAND_IN", "harmless", "json_escaped", "on_one_line", "shown", "unharmed"]

# patterns are compiled where they are first needed: most programs need none
_EMOJI = "\u203c-\u3299\U0001f000-\U0001faff"
_JOINING = f"\u0620-\u1cff{_EMOJI}"

UNSEEN = (
    # controls, blanks other than the space, soft hyphen, fillers
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    # spaces, zero widths, ends of lines, overrides and isolates of direction, invisible signs
    "\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164"
    # surrogates, variation selectors, marks of byte order and of annotations, what is no character
    "\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    # shorthand and musical formats, tags, more variation selectors
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    # joiners, but between letters of scripts from Arabic to Vedic, and emoji; what colours emoji, but behind one
    f"|(?<![{_JOINING}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![{_JOINING}])|(?<![{_EMOJI}])\ufe0f"
)
"""Letters that cannot be seen, or that change how others are seen; not joiners where writing needs them."""

SURROGATES = "[\ud800-\udfff]"
"""Halves of pairs, which UTF-8 cannot hold: letters of names of files that are not UTF-8, and of damaged JSON."""

FORMULA = "'*(?:[\t\r\n]|[\\s\x00\ufeff\u200b]*[=+@\uff1d\uff0b\uff0d\uff20-])"
"""How text begins that a spreadsheet runs, also after blanks and in letters of full width, or that was mended once."""

NUMBER = r"\s*[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)\s*"
"""A number in decimals, or one that is not finite, which no spreadsheet runs."""

STAND_IN = "measurand"
"""The error handler for streams that lack letters: bytes of file names as they were, look-alikes, escapes."""

_ALIKE = {
    **dict.fromkeys("─━╌–—−‐‑", "-"),
    "│": "|",
    "█": "#",
    "…": "...",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "→": "->",
    "←": "<-",
    "✓": "yes",
    "✗": "no",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
}


def shown(text: str, keep: str = "") -> str:
    r"""Return text as people can read it: letters that cannot be seen, or that steer a terminal, are escaped.

    Parameters
    ----------
    text
        The text.
    keep
        Letters that stay as they are, such as the end of a line.

    Examples
    --------
    >>> print(shown("bm25\x1b[31m"), shown("a\u202eb"), shown("é 中"))
    bm25\x1b[31m a\u202eb é 中
    >>> print(shown("a\u200cb"), shown("می\u200cخواهم") == "می\u200cخواهم")
    a\u200cb True
    >>> print(shown("one\ntwo\x85", keep="\n"))
    one
    two\x85
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(UNSEEN, lambda found: found[0] if found[0] in keep else _escape(found[0]), text)


def on_one_line(text: str) -> str:
    r"""Return a message as one line: lines that it has are joined, all else that cannot be seen is escaped.

    Parameters
    ----------
    text
        The message.

    Examples
    --------
    >>> print(on_one_line("no such column:\n  a\x85b"))
    no such column: a\x85b
    """
    if "\n" in text:
        text = " ".join(filter(None, (line.strip(" \t\r") for line in text.split("\n"))))
    return shown(text)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def harmless(text: str) -> str:
    """Return text as a spreadsheet shows it: what it would run stands behind an apostrophe; a number stays as it is.

    Parameters
    ----------
    text
        What stands in a cell.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-bm25"), harmless("bm25"), harmless("-0.5")
    ("'=1+1", "'-bm25", 'bm25', '-0.5')
    """
    if text[:1].isalnum():  # as nearly all do
        return text
    return f"'{text}" if re.match(FORMULA, text) and not re.fullmatch(NUMBER, text) else text


def unharmed(text: str) -> str:
    """Return the text that `harmless` was given.

    Parameters
    ----------
    text
        What stands in a cell.

    Examples
    --------
    >>> unharmed("'=1+1"), unharmed("'t is"), unharmed(harmless("'=1+1"))
    ('=1+1', "'t is", "'=1+1")
    """
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text


def json_escaped(text: str, letters: str = SURROGATES) -> str:
    r"""Return JSON with some letters as escapes of JSON, which mean the same to whoever reads it.

    Parameters
    ----------
    text
        JSON; the letters stand within its strings alone.
    letters
        A pattern of which letters; by default those that UTF-8 cannot hold.

    Examples
    --------
    >>> print(json_escaped('{"name": "a\udcff"}'))
    {"name": "a\udcff"}
    """
    return re.sub(letters, lambda found: _units(found[0]), text)


def _units(letter: str) -> str:
    """Return a letter as JSON escapes it, in units of 16 bits; the ends of lines between strings stay."""
    if letter in "\n\r\t ":
        return letter
    data = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[place : place + 2].hex()}" for place in range(0, len(data), 2))


def _stand_in(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    if error.encoding.lower().replace("_", "-") == "utf-8" and "\udc80" <= letter <= "\udcff":
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    return _ALIKE.get(letter) or _escape(letter), error.start + 1


codecs.register_error(STAND_IN, _stand_in)
