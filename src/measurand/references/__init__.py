"""The bibliography: the only place with bibliographic text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from measurand.errors import ParameterError

__all__ = ["bibliography", "bibtex"]

_ENTRY = re.compile(r"^@\w+\{(?P<key>\w+),.*?^\}$", re.MULTILINE | re.DOTALL)


@cache
def bibliography() -> dict[str, str]:
    """Return every entry, as BibTeX, by its key.

    Examples
    --------
    >>> bibliography()["MoffatZobel2008"].splitlines()[0]
    '@article{MoffatZobel2008,'
    """
    text = (files("measurand.references") / "references.bib").read_text(encoding="utf-8")
    return {entry["key"]: entry.group() for entry in _ENTRY.finditer(text)}


def bibtex(keys: Iterable[str]) -> str:
    """Return the entries of these keys, each once, in the order of the first mention."""
    known, keys = bibliography(), list(keys)
    unknown = [key for key in keys if key not in known]
    if unknown:
        raise ParameterError(f"there is no reference {', '.join(unknown)}; there is {', '.join(sorted(known))}")
    return "\n\n".join(known[key] for key in dict.fromkeys(keys))
