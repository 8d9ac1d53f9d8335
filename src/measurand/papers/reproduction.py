"""Reproducing a paper: everything it shows that needs no data, worked out anew and laid beside what it prints.

`reproduce` works the exhibits out; `reproduction_document` and its neighbours describe what is shown of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from textwrap import indent
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.calls import explains_calls
from measurand.columns import PlainTable
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words, cells_view, listing
from measurand.display.terminal import terminal_text
from measurand.display.wording import counted
from measurand.errors import ParameterError
from measurand.execution import Progress, silent
from measurand.papers.erratum import PAPERS, Erratum, kinds_in_words
from measurand.papers.exhibit import Exhibit, Line, Mark, Paper, Provenance
from measurand.references import citation

if TYPE_CHECKING:
    import polars as pl


@frozen(kw_only=True)
class Shown:
    """An exhibit with its lines worked out.

    Parameters
    ----------
    exhibit
        The exhibit.
    lines
        Its lines.
    """

    exhibit: Exhibit
    lines: tuple[Line, ...]


@frozen(kw_only=True, repr=False)
class Reproduction(Result):
    """A paper with everything worked out that needs no data; iterates over its exhibits.

    Parameters
    ----------
    paper
        The paper.
    shown
        Its exhibits, worked out.
    only
        What was asked for, if it was not everything.
    """

    paper: Paper
    shown: tuple[Shown, ...]
    only: str = ""

    def __iter__(self) -> Iterator[Shown]:
        return iter(self.shown)

    def __repr__(self) -> str:
        return f"<Reproduction of {self.paper.name}: {self.summary}>"

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in order."""
        return tuple(line for one in self.shown for line in one.lines)

    def marked(self, mark: Mark) -> tuple[Line, ...]:
        """Return the lines with a mark.

        Parameters
        ----------
        mark
            The mark.
        """
        return tuple(line for line in self.lines if line.mark is mark)

    @property
    def unexplained(self) -> tuple[Line, ...]:
        """The lines on which the paper and we differ and no erratum says why, or an erratum is named for nothing."""
        return tuple(line for line in self.lines if not line.is_explained)

    @property
    def summary(self) -> str:
        """How much agrees, in words."""
        agrees, differs, silent_ = (len(self.marked(mark)) for mark in Mark)
        exhibits = counted(len(self.shown), "exhibit")
        errors = sum(entry.kind.is_error for entry in self.errata)
        others = counted(len(self.errata) - errors, "other erratum", "other errata")
        return (
            f"{exhibits}: {counted(agrees, 'value')} and claims agree, {differs:,} differ"
            f" ({counted(errors, 'error')}, {others}), {silent_:,} cannot be compared"
        )

    @property
    def errata(self) -> tuple[Erratum, ...]:
        """The errata of the paper; where not everything was asked for, those that are met or stand there."""
        met = {name for line in self.lines for name in line.errata}
        asked = self.only.casefold()
        return tuple(entry for entry in self.paper.errata if entry.id in met or asked in entry.where.casefold())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists, ready for JSON."""
        return {
            "paper": self.paper.name,
            "reference": self.paper.reference,
            "exhibits": [_exhibit_data(one) for one in self.shown],
            "errata": [
                {"id": entry.id, "kind": str(entry.kind), "where": entry.where, "says": entry.says, "true": entry.true}
                | {"certificate": entry.certificate}
                for entry in self.errata
            ],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for each line (needs polars)."""
        rows = self._main().data
        return PlainTable.of_rows(rows, dict.fromkeys(rows[0] if rows else ())).to_polars()

    def _main(self) -> TableView:
        rows = [
            {"where": one.exhibit.where, "title": one.exhibit.title, **_line_data(line)}
            | {"errata": ", ".join(line.errata), "rows": ", ".join(one.exhibit.rows)}
            for one in self.shown
            for line in one.lines
        ]
        return TableView([], rows, records=rows)

    def document(self) -> Document:
        """Return every line: what the paper has, what we have, and whether they agree."""
        rows = [
            (one.exhibit.where, line.what, *_cells(line), f"{line.mark} {', '.join(line.errata)}".strip())
            for one in self.shown
            for line in one.lines
        ]
        heads = ("where", "what", "paper", "", "ours", "")
        return Document([cells_view(heads, rows, left=6, title=self.paper.name), self.summary])


def _exhibit_data(one: Shown) -> dict[str, Any]:
    exhibit = one.exhibit
    lines = [_line_data(line) | {"errata": list(line.errata)} for line in one.lines]
    return {"rows": list(exhibit.rows), "where": exhibit.where, "title": exhibit.title, "lines": lines}


def _line_data(line: Line) -> dict[str, Any]:
    paper, ours = line.texts
    return {
        "what": line.what,
        "paper": None if line.paper is None else paper,
        "provenance": line.provenance and str(line.provenance),
        "ours": ours,
        "mark": str(line.mark),
    }


def _cells(line: Line) -> tuple[str, str, str]:
    paper, ours = line.texts
    return paper, line.provenance or "", ours


def find_paper(name: str) -> Paper:
    """Return a paper by its name, such as ffm2015.

    Parameters
    ----------
    name
        The name of the paper, such as ffm2015.

    Examples
    --------
    >>> find_paper("ffm2015").reference
    'FerranteFerroMaistro2015'
    """
    if name not in PAPERS:
        raise ParameterError(f"there is no paper {name}; there is {', '.join(PAPERS)}")
    found: Paper = import_module(f"measurand.papers.{name}.paper").PAPER
    return found


@explains_calls
def reproduce(name: str, only: str = "", *, progress: Progress = silent) -> Reproduction:
    """Return everything in a paper that needs no data, worked out anew beside what it prints.

    Parameters
    ----------
    name
        ffm2015, fff2021, br1988, g2022 or agms2018.
    only
        A text: only exhibits whose place, title or row of the checklist has it, such as "Figure 3".
    progress
        Shows how far it is.

    Examples
    --------
    >>> found = reproduce("br1988", only="Example 2.2")
    >>> found.lines[1].texts, found.unexplained
    (('2', '2'), ())
    """
    paper = find_paper(name)
    wanted = [exhibit for exhibit in paper.exhibits if _is_about(exhibit, only)]
    if not wanted:
        places = ", ".join(dict.fromkeys(exhibit.where for exhibit in paper.exhibits))
        raise ParameterError(f"{name} shows nothing about {only}; there is: {places}")
    exhibits = progress(wanted, len(wanted), name)
    shown = tuple(Shown(exhibit=exhibit, lines=tuple(exhibit.lines())) for exhibit in exhibits)
    return Reproduction(paper=paper, shown=shown, only=only)


def _is_about(exhibit: Exhibit, text: str) -> bool:
    told = (exhibit.where, *_one_by_one(exhibit.where), exhibit.title, *exhibit.rows)
    return any(text.casefold() in each.casefold() for each in told)


_NUMBER = r"[\dIVX][\w.-]*"

_SEVERAL = re.compile(rf"\b([A-Z][a-z]+)s ({_NUMBER}(?:(?:,| and| to) {_NUMBER})*)")
"""Several places of one kind, such as Figures 1, 2 and 3, or Propositions 5 to 7."""


def _one_by_one(where: str) -> Iterator[str]:
    """Return each of the places that are named together: Figure 1, Figure 2, Figure 3."""
    for kind, numbers in _SEVERAL.findall(where):
        yield from (f"{kind} {number}" for number in re.findall(_NUMBER, numbers))
        for first, last in re.findall(r"(\d+) to (\d+)", numbers):
            yield from (f"{kind} {number}" for number in range(int(first) + 1, int(last)))


WIDTH = 110
"""The text is never wider."""

TONES = {Mark.AGREES: "good", Mark.DIFFERS: "strong bad", Mark.SILENT: "faint"}


def reproduction_document(found: Reproduction) -> Document:
    """Return everything that a paper shows, line by line, and its errata.

    Parameters
    ----------
    found
        The paper, worked out anew.

    Examples
    --------
    >>> from measurand.papers.reproduction import Reproduction, find_paper
    >>> print(reproduction_document(Reproduction(paper=find_paper("br1988"), shown=())).parts[0].words)
    Bollmann and Raghavan (1988), A Utility-Theoretic Analysis of Expected Search Length
    """
    return Document(list(_parts(found)))


def erratum_text(entry: Erratum, problem: str, *, colour: bool = False, width: int | None = None) -> str:
    r"""Return one erratum with its certificate, and whether that runs as it stands.

    Parameters
    ----------
    entry
        The erratum.
    problem
        What went wrong when the certificate was run; nothing, if it shows what it should.
    colour
        Whether the text has colours.
    width
        How wide it may be; the lines of the certificate are not broken.

    Examples
    --------
    >>> entry = Erratum(id="E01", kind="number", where="Section 1", says="2", true="4", certificate=">>> 2 + 2\n4")
    >>> erratum_text(entry, entry.check()).splitlines()[-3:]
    ['  4', '', 'This was run just now and shows what it should.']
    """
    outcome = Paragraph("This was run just now and shows what it should.", "good")
    if problem:
        outcome = Paragraph(problem.rstrip(), "bad")
    # lines of code are not broken, so that they can be copied
    code = indent(entry.certificate.strip(), "  ")
    documents = Document(list(_erratum(entry))), Document([outcome])
    said, found = (terminal_text(each, colour=colour, width=width or WIDTH) for each in documents)
    return f"{said}\n{code}\n\n{found}"


def _parts(found: Reproduction) -> Iterator[Part]:
    yield Paragraph(citation(found.paper.reference), "strong")
    yield Paragraph(f"{found.summary}.", "faint")
    for one in found:
        yield ""
        yield Paragraph(one.exhibit.where, "strong")
        yield Paragraph(f"{one.exhibit.title}.", indent=2)
        yield _lines(one)
    if found.errata:
        yield ""
        yield Paragraph(f"Errata, errors and others: {kinds_in_words(found.errata)}", "strong")
    for entry in found.errata:
        yield ""
        yield from _erratum(entry)
    yield ""
    yield Paragraph(Legend.TITLE, "strong faint")
    yield listing(_legend(found), tones=["faint", "faint"])


def _legend(found: Reproduction) -> Iterator[tuple[str, str]]:
    yield "printed", "the paper's value stands in it"
    yield "said", "its text claims it in words"
    yield "derived", "it follows from a formula that is printed"
    yield "✓ ✗ ·", "agrees, to the printed digits; differs, and the erratum says why; cannot be compared"
    yield "theorem, number", "errata that are errors: something is false as it is printed"
    yield "wording, scan, remark", "errata that are none: a misprint, perhaps the scan, what is left open or added here"
    command = f"measurand reproduce {found.paper.name}"
    yield "more", f'{command} --only "Section 3" for a part, --erratum ID for an erratum with its certificate'


def _lines(one: Shown) -> TableView:
    columns = [
        Column("", lambda line: line.what, left=True, ratio=9, wrap="fold"),
        Column("paper", lambda line: line.texts[0], left=True, ratio=4, wrap="fold"),
        Column("", _provenance, left=True, width=len(Provenance.DERIVED)),
        Column("ours", lambda line: line.texts[1], left=True, ratio=4, wrap="fold"),
        Column("", _marked, left=True, width=max((len(str(_marked(line))) for line in one.lines), default=1)),
    ]
    return TableView(columns, one.lines, indent=2)


def _provenance(line: Line) -> Words:
    return Words.of(line.provenance or "", "faint")


def _marked(line: Line) -> Words:
    return Words.of(f"{line.mark} {', '.join(line.errata)}".rstrip(), TONES[line.mark])


def _erratum(entry: Erratum) -> Iterator[Part]:
    tone = "strong bad" if entry.kind.is_error else "strong"
    yield Words(((entry.id, tone), (f"  {entry.kind}  ", "faint"), (entry.where, "strong")))
    texts = (("paper", entry.says), ("true", entry.true))
    yield listing(((f"{head:<5}", " ".join(text.split())) for head, text in texts), tones=["faint"], indent=2)
