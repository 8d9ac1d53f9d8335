"""The bibliography: the only place with bibliographic text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from unicodedata import normalize

from measurand.errors import ParameterError

__all__ = ["author_year", "bibliography", "bibtex", "citation"]

_ACCENTS = {
    "'": "\N{COMBINING ACUTE ACCENT}",
    '"': "\N{COMBINING DIAERESIS}",
    "v": "\N{COMBINING CARON}",
    "H": "\N{COMBINING DOUBLE ACUTE ACCENT}",
}

_ENTRY = re.compile(r"^@\w+\{(?P<key>\w+),.*?^\}$", re.MULTILINE | re.DOTALL)

_CHECKED = re.compile(r",\n *(?:confirmed|unconfirmed) *= \{.*\}(?=\n\}$)")
"""The last field of each stored entry: where it was confirmed, or which fields could not be, and why."""


STATISTICS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "kendall": ("Kendall1945",),
        "tau_ap": ("Yilmaz2008", "UrbanoMarrero2017"),
        "holm": ("Holm1979",),
        "bh": ("BenjaminiHochberg1995",),
        "cohens_d": ("Cohen1988",),
        "cliffs_delta": ("Cliff1993",),
        "rank_biserial": ("Kerby2014",),
        "letters": ("Piepho2004", "Gramm2007"),
        "interval": ("FerranteFerroFuhr2021",),
        "scale_margin": ("LeshnoLevy2002",),
        "margins": (
            *("LeshnoLevy2002", "DelBarrioCuestaMatran2018", "BernardoLedoit2000"),
            *("BroderickGiordanoMeager2020", "Walsh2014"),
        ),
        "scale_effect": ("FerranteFerroFuhr2021",),
        "esl": ("Cooper1968", "BollmannRaghavan1988", "Fishburn1979", "Krantz1971"),
        "ties": ("McSherryNajork2008",),
        "dominance": ("FerranteFerroMaistro2015",),
        "levels": ("FerranteFerroMaistro2015", "Strassen1965", "Hall1935", "Berger1982"),
        "meaning": ("Adams1965", "FerranteFerroFuhr2021"),
        "unanimity": ("AmigoSpinaCarrillo2018", "Amigo2018"),
    }
)
"""The keys of what is cited for what is no measure, no test and no fusion, by what `measurand cite` calls it."""

FOUNDATIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ESL": STATISTICS["esl"][1:],
        "LatticeRank": ("Stanley1980", "Birkhoff1940", "Rota1971"),
    }
)
"""The keys of what a measure rests on beside its own reference, by its name."""


@cache
def bibliography() -> dict[str, str]:
    """Return every entry, as BibTeX, by its key.

    Where an entry was confirmed is stored with it and not printed. What could not be confirmed is a comment before it.

    Examples
    --------
    >>> bibliography()["MoffatZobel2008"].splitlines()[0]
    '@article{MoffatZobel2008,'
    """
    text = (files("measurand.references") / "references.bib").read_text(encoding="utf-8")
    return {entry["key"]: _printed(entry.group()) for entry in _ENTRY.finditer(text)}


def bibtex(keys: Iterable[str]) -> str:
    """Return the entries of these keys, each once, in the order of the first mention.

    Parameters
    ----------
    keys : iterable of str
        Keys of `bibliography`.
    """
    known, keys = bibliography(), list(keys)
    unknown = [key for key in keys if key not in known]
    if unknown:
        raise ParameterError(f"there is no reference {', '.join(unknown)}; there is {', '.join(sorted(known))}")
    return "\n\n".join(known[key] for key in dict.fromkeys(keys))


def citation(key: str) -> str:
    """Return who wrote a reference, when, and what it is called.

    Parameters
    ----------
    key : str
        A key of `bibliography`.

    Examples
    --------
    >>> citation("MoffatZobel2008")
    'Moffat and Zobel (2008), Rank-biased Precision for Measurement of Retrieval Effectiveness'
    """
    entry = bibtex([key])
    return f"{_authors(entry)} ({_field(entry, 'year')}), {_field(entry, 'title')}"


def author_year(key: str) -> str:
    """Return who wrote a reference, and when, as it stands between brackets.

    Parameters
    ----------
    key : str
        A key of `bibliography`.

    Examples
    --------
    >>> author_year("MoffatZobel2008")
    'Moffat and Zobel, 2008'
    """
    entry = bibtex([key])
    return f"{_authors(entry)}, {_field(entry, 'year')}"


def _printed(stored: str) -> str:
    doubt = _field(stored, "unconfirmed")
    return (f"% Not confirmed: {doubt}\n" if doubt else "") + _CHECKED.sub("", stored)


def _authors(entry: str) -> str:
    names = _field(entry, "author").split(" and ")
    surnames = [name.partition(",")[0] if "," in name else name.split()[-1] for name in names]
    if len(surnames) > 3:
        surnames = [surnames[0], "others"]
    return " and ".join(filter(None, [", ".join(surnames[:-1]), surnames[-1]]))


def _field(entry: str, name: str) -> str:
    found = re.search(rf"^\s*{name}\s*=\s*\{{(.*?)\}},?$", entry, re.MULTILINE | re.DOTALL)
    text = " ".join(found.group(1).split()) if found else ""
    accented = re.sub(
        r"""\\(['"]|[vH](?=\{))\{?(\w)\}?""", lambda hit: normalize("NFC", hit[2] + _ACCENTS[hit[1]]), text
    )
    return re.sub(r"[{}]", "", accented)
