"""A paper reproduced, as text that a person likes to read: what it prints beside what comes out here."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words, listing
from measurand.display.terminal import terminal_text
from measurand.display.wording import counted
from measurand.papers.erratum import Erratum
from measurand.papers.exhibit import Line, Mark, Provenance
from measurand.papers.reproduction import Reproduction, Shown
from measurand.references import citation

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
    >>> entry = Erratum(id="E01", where="Section 1", says="2", true="4", certificate=">>> 2 + 2\n4")
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
        yield Paragraph(f"Errata: {counted(len(found.errata), 'place')} where the paper is wrong or unclear", "strong")
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
    yield Words(((entry.id, "strong bad"), ("  ", ""), (entry.where, "strong")))
    texts = (("paper", entry.says), ("true", entry.true))
    yield listing(((f"{head:<5}", " ".join(text.split())) for head, text in texts), tones=["faint"], indent=2)
