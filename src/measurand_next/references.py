"""The bibliography: the only place with bibliographic text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from measurand_next.errors import ParameterError, quoted

__all__ = ["author_year", "bibliography", "bibtex", "citation"]

ACCENTS = {
    "'": "\N{COMBINING ACUTE ACCENT}",
    '"': "\N{COMBINING DIAERESIS}",
    "v": "\N{COMBINING CARON}",
    "H": "\N{COMBINING DOUBLE ACUTE ACCENT}",
}

ENTRY = re.compile(r"^@\w+\{(?P<key>\w+),.*?^\}$", re.MULTILINE | re.DOTALL)

CHECKED = re.compile(r",\n *(?:confirmed|unconfirmed) *= \{.*\}(?=\n\}$)")
"""The last field of a stored entry: where it was confirmed, or which fields could not be, and why."""


@cache
def bibliography() -> dict[str, str]:
    """Every reference as BibTeX, by its key; a comment before it says what of it could not be confirmed.

    Examples
    --------
    >>> bibliography()["MoffatZobel2008"].splitlines()[0]
    '@article{MoffatZobel2008,'
    """
    text = files("measurand_next").joinpath("references.bib").read_text(encoding="utf-8")
    entries = {}
    for entry in ENTRY.finditer(text):
        doubt = _field(entry.group(), "unconfirmed")
        entries[entry["key"]] = (f"% Not confirmed: {doubt}\n" if doubt else "") + CHECKED.sub("", entry.group())
    return entries


def bibtex(keys: Iterable[str]) -> str:
    """References as BibTeX, each once, in the order of their first mention.

    Examples
    --------
    >>> bibtex(["Holm1979", "Kendall1945", "Holm1979"]).count("@")
    2
    """
    known, keys = bibliography(), dict.fromkeys(keys)
    for key in keys:
        if key not in known:
            raise ParameterError(f"there is no reference {quoted(key)}; there is {', '.join(sorted(known))}")
    return "\n\n".join(known[key] for key in keys)


def citation(key: str) -> str:
    """Who wrote a reference, when, and its title.

    Examples
    --------
    >>> citation("MoffatZobel2008")
    'Moffat and Zobel (2008), Rank-biased Precision for Measurement of Retrieval Effectiveness'
    """
    entry = bibtex([key])
    return f"{_authors(entry)} ({_field(entry, 'year')}), {_field(entry, 'title')}"


def author_year(key: str) -> str:
    """Who wrote a reference and when, as it stands between brackets.

    Examples
    --------
    >>> author_year("MoffatZobel2008")
    'Moffat and Zobel, 2008'
    """
    entry = bibtex([key])
    return f"{_authors(entry)}, {_field(entry, 'year')}"


def _authors(entry: str) -> str:
    names = _field(entry, "author").split(" and ")
    # without a comma a surname is the last word, with "van" and "del" before it
    surnames = [name.partition(",")[0] if "," in name else re.findall(r"(?:\b[a-z]+ )*\S+$", name)[0] for name in names]
    if len(surnames) > 3:
        return f"{surnames[0]} and others"
    return " and ".join(filter(None, [", ".join(surnames[:-1]), surnames[-1]]))


def _field(entry: str, name: str) -> str:
    """A field of an entry as plain text; empty where there is none."""
    found = re.search(rf"^\s*{name}\s*=\s*\{{(.*?)\}},?$", entry, re.MULTILINE | re.DOTALL)
    text = " ".join(found.group(1).split()) if found else ""
    accented = re.sub(
        r"""\\(['"]|[vH](?=\{))\{?(\w)\}?""", lambda hit: normalize("NFC", hit[2] + ACCENTS[hit[1]]), text
    )
    return re.sub(r"[{}]|\\(?=[_&%$#])", "", accented)
