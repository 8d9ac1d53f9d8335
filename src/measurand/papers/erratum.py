"""Errata: where a paper is wrong or unclear, what is true, and a certificate that anybody can run."""

from __future__ import annotations

import doctest
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from attrs import field, frozen

from measurand.display.result import Result
from measurand.display.tables import Document, facts
from measurand.errors import ParameterError

PAPERS: Mapping[str, str] = MappingProxyType(
    {
        "ffm2015": "FerranteFerroMaistro2015",
        "fff2021": "FerranteFerroFuhr2021",
        "br1988": "BollmannRaghavan1988",
        "g2022": "Giner2022",
        "agms2018": "Amigo2018",
    }
)
"""The five papers: what the command line calls them, and their keys in the bibliography."""


class ErratumKind(StrEnum):
    """How much an erratum says against a paper: the first two are errors, the others are not."""

    THEOREM = "theorem"
    """A definition, a theorem, a step of a proof or a general claim is false as it is printed."""
    NUMBER = "number"
    """A number, an example or an entry of a table is wrong."""
    WORDING = "wording"
    """A misprint or a word; what is meant is right, or nothing rests on it."""
    SCAN = "scan"
    """Perhaps an error of the scan that was read."""
    REMARK = "remark"
    """No error: what the paper leaves open, or what is added here."""

    @property
    def is_error(self) -> bool:
        """Whether something in the paper is false."""
        return self in {ErratumKind.THEOREM, ErratumKind.NUMBER}


def _kind(text: str) -> ErratumKind:
    if text not in set(ErratumKind):
        raise ParameterError(f"there is no kind of erratum {text}; there is {', '.join(ErratumKind)}")
    return ErratumKind(text)


@frozen(kw_only=True, repr=False)
class Erratum(Result):
    """One place where a paper is wrong or unclear.

    Parameters
    ----------
    id
        What the checklist calls it.
    kind
        A theorem, a number, wording, perhaps the scan, or a remark.
    where
        Where it stands in the paper.
    says
        What the paper says, in our words.
    true
        What is true.
    certificate
        An example for Python's prompt that shows it.
    """

    id: str
    kind: ErratumKind = field(converter=_kind)
    where: str
    says: str
    true: str
    certificate: str

    def document(self) -> Document:
        """Return what the paper says, what is true, and the example that shows it."""
        told = [("kind", str(self.kind)), ("where", self.where), ("says", self.says), ("true", self.true)]
        example = [("certificate", (self.certificate.strip().split("\n"), self.certificate))]
        return Document([facts([("id", self.id), *told, *example])])

    def check(self) -> str:
        """Run the certificate; return what went wrong, which is nothing where it shows what it should."""
        test = doctest.DocTestParser().get_doctest(self.certificate, {}, self.id, None, None)
        reports: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=reports.append)
        return "".join(reports)


@cache
def errata(paper: str) -> tuple[Erratum, ...]:
    """Return the errata of a paper.

    Parameters
    ----------
    paper
        The name of the paper, such as ffm2015.

    Examples
    --------
    >>> errata("ffm2015")[0].id, str(errata("ffm2015")[0].kind), errata("ffm2015")[0].check()
    ('E01', 'wording', '')
    """
    try:
        text = (files("measurand.papers") / paper / "errata.toml").read_text(encoding="utf-8")
    except OSError:
        raise ParameterError(f"there is no paper {paper} with errata; measurand.papers.PAPERS names them") from None
    return tuple(Erratum(**entry) for entry in tomllib.loads(text)["erratum"])


def kinds_in_words(entries: Iterable[Erratum]) -> str:
    """Return how many errata there are of each kind.

    Parameters
    ----------
    entries
        The errata.

    Examples
    --------
    >>> kinds_in_words(errata("br1988"))
    '2 theorem, 5 wording, 1 scan, 3 remark'
    """
    counts = Counter(entry.kind for entry in entries)
    return ", ".join(f"{counts[kind]} {kind}" for kind in ErratumKind if counts[kind])


def find_erratum(paper: str, name: str) -> Erratum:
    """Return one erratum of a paper, by its id.

    Parameters
    ----------
    paper
        The name of the paper, such as ffm2015.
    name
        The id of the erratum, in capitals or not.
    """
    for entry in errata(paper):
        if entry.id.casefold() == name.casefold():
            return entry
    others = [other for other in PAPERS if any(entry.id.casefold() == name.casefold() for entry in errata(other))]
    if others:
        raise ParameterError(f"{name} is an erratum of {others[0]}: measurand reproduce {others[0]} --erratum {name}")
    raise ParameterError(f"{paper} has no erratum {name}; there is {', '.join(entry.id for entry in errata(paper))}")
