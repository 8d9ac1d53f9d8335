"""Reproducing a paper: everything it shows that needs no data, worked out anew and laid beside what it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.display.markup import html_text
from measurand.display.tables import Document, cells_view
from measurand.display.wording import counted
from measurand.errors import ParameterError
from measurand.execution import Progress, silent
from measurand.papers.erratum import PAPERS, Erratum
from measurand.papers.exhibit import Exhibit, Line, Mark, Paper

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
class Reproduction:
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
        return (
            f"{exhibits}: {counted(agrees, 'value')} and claims of the paper agree, {differs:,} differ"
            f" ({counted(len(self.errata), 'erratum', 'errata')}), {silent_:,} cannot be compared"
        )

    @property
    def errata(self) -> tuple[Erratum, ...]:
        """The errata of the paper; where not everything was asked for, those that are met."""
        met = {name for line in self.lines for name in line.errata}
        return tuple(entry for entry in self.paper.errata if not self.only or entry.id in met)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists, ready for JSON."""
        return {
            "paper": self.paper.name,
            "reference": self.paper.reference,
            "exhibits": [_exhibit_data(one) for one in self.shown],
            "errata": [
                {"id": entry.id, "where": entry.where, "says": entry.says, "true": entry.true}
                | {"certificate": entry.certificate}
                for entry in self.errata
            ],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for each line."""
        import polars as pl

        rows = [
            {"where": one.exhibit.where, "title": one.exhibit.title, **_line_data(line)}
            | {"errata": ", ".join(line.errata), "rows": ", ".join(one.exhibit.rows)}
            for one in self.shown
            for line in one.lines
        ]
        return pl.DataFrame(rows)

    def _repr_html_(self) -> str:
        rows = [
            (one.exhibit.where, line.what, *_cells(line), f"{line.mark} {', '.join(line.errata)}".strip())
            for one in self.shown
            for line in one.lines
        ]
        heads = ("where", "what", "paper", "", "ours", "")
        return html_text(Document([cells_view(heads, rows, title=self.paper.name), self.summary]))


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
