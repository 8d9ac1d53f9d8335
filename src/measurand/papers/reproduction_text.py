"""A paper reproduced, as text that a person likes to read: what it prints beside what comes out here."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.display.wording import counted
from measurand.papers.erratum import Erratum
from measurand.papers.exhibit import Line, Mark, Provenance
from measurand.papers.reproduction import Reproduction, Shown
from measurand.references import citation
from measurand.report.profile_text import printed

WIDTH = 110
"""The text is never wider."""

COLOURS = {Mark.AGREES: "green", Mark.DIFFERS: "bold red", Mark.SILENT: "dim"}


def reproduction_text(found: Reproduction, *, colour: bool = False, width: int | None = None) -> str:
    """Return everything that a paper shows, line by line, and its errata.

    Examples
    --------
    >>> from measurand.papers.reproduction import Reproduction, find_paper
    >>> print(reproduction_text(Reproduction(paper=find_paper("br1988"), shown=())).splitlines()[0])
    Bollmann and Raghavan (1988), A Utility-Theoretic Analysis of Expected Search Length
    """
    return printed(_parts(found), colour=colour, width=width or WIDTH)


def erratum_text(entry: Erratum, problem: str, *, colour: bool = False, width: int | None = None) -> str:
    r"""Return one erratum with its certificate, and whether that runs as it stands.

    Parameters
    ----------
    problem
        What went wrong when the certificate was run; nothing, if it shows what it should.

    Examples
    --------
    >>> entry = Erratum(id="E01", where="Section 1", says="2", true="4", certificate=">>> 2 + 2\n4")
    >>> erratum_text(entry, entry.check()).splitlines()[-3:]
    ['  4', '', 'This was run just now and shows what it should.']
    """
    width = width or WIDTH
    outcome = Text("This was run just now and shows what it should.", style="green")
    if problem:
        outcome = Text(problem.rstrip(), style="red")
    # lines of code are not broken, so that they can be copied
    code = indent(entry.certificate.strip(), "  ")
    said, found = (printed(parts, colour=colour, width=width) for parts in (_erratum(entry), [outcome]))
    return f"{said}\n{code}\n\n{found}"


def _parts(found: Reproduction) -> Iterator[RenderableType]:
    yield Text(citation(found.paper.reference), style="bold")
    yield Text(f"{found.summary}.", style="dim")
    for one in found:
        yield Text()
        yield Text(one.exhibit.where, style="bold")
        yield Padding(Text(f"{one.exhibit.title}."), (0, 0, 0, 2))
        yield Padding(_lines(one), (0, 0, 0, 2))
    if found.errata:
        places = counted(len(found.errata), "place")
        yield Text(f"\nErrata: {places} where the paper is wrong or unclear", style="bold")
    for entry in found.errata:
        yield Text()
        yield from _erratum(entry)
    yield Text("\nHow to read this", style="dim bold")
    yield Padding(_legend(found), (0, 0, 0, 1))


def _legend(found: Reproduction) -> Table:
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True, style="dim")
    lines.add_column(style="dim")
    lines.add_row("printed", "the paper's value stands in it")
    lines.add_row("said", "its text claims it in words")
    lines.add_row("derived", "it follows from a formula that is printed")
    lines.add_row("✓ ✗ ·", "agrees, to the printed digits; differs, and the erratum says why; cannot be compared")
    command = f"measurand reproduce {found.paper.name}"
    lines.add_row("more", f'{command} --only "Section 3" for a part, --erratum ID for an erratum with its certificate')
    return lines


def _lines(one: Shown) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", expand=True)
    for head, ratio in (("", 9), ("paper", 4)):
        table.add_column(head, ratio=ratio, overflow="fold")
    table.add_column("", no_wrap=True, width=len(Provenance.DERIVED), style="dim")
    table.add_column("ours", ratio=4, overflow="fold")
    table.add_column("", no_wrap=True, width=max((len(_marked(line)) for line in one.lines), default=1))
    for line in one.lines:
        paper, ours = line.texts
        table.add_row(line.what, paper, line.provenance or "", ours, Text(_marked(line), style=COLOURS[line.mark]))
    return table


def _marked(line: Line) -> str:
    return f"{line.mark} {', '.join(line.errata)}".rstrip()


def _erratum(entry: Erratum) -> Iterator[RenderableType]:
    yield Text.assemble((entry.id, "bold red"), "  ", (entry.where, "bold"))
    for head, text in (("paper", entry.says), ("true", entry.true)):
        lines = Table.grid(padding=(0, 2))
        lines.add_column(width=5, style="dim")
        lines.add_column()
        lines.add_row(head, " ".join(text.split()))
        yield Padding(lines, (0, 0, 0, 2))
