"""The pages of the papers: what each proposes, its numbers beside ours, and its errata with their certificates."""

from __future__ import annotations

import re

from checklist import anchor, coverage_page

from measurand.papers import PAPERS, Reproduction, reproduce
from measurand.papers.erratum import Erratum
from measurand.papers.exhibit import Line, Mark
from measurand.papers.paper import Drawing
from measurand.papers.reproduction import Shown, find_paper
from measurand.references import citation

MADE = "Made by `make docs` from what `measurand reproduce {name}` finds; do not edit."


def cell(text: str) -> str:
    """Return a text as it stands in a table: its letters mean themselves."""
    return re.sub(r"([\\`*_{}\[\]<>|$#])", r"\\\1", " ".join(text.split()))


def exhibit_part(one: Shown) -> str:
    """Return one exhibit: where it stands, what it shows, and its lines."""
    head = f'<a id="{anchor(one.exhibit.rows[0])}"></a>**{cell(one.exhibit.where)}.** {cell(one.exhibit.title)}.'
    return "\n".join([head, "", "| | paper | ours | |\n|---|---|---|---|", *map(row, one.lines)])


def row(line: Line) -> str:
    """Return a line as a row of a table."""
    marks = " ".join([line.mark, *(f"[{name}](#{anchor(name)})" for name in line.errata)])
    return f"| {' | '.join([*map(cell, [line.what, *line.texts]), marks])} |"


def erratum_part(entry: Erratum) -> str:
    """Return one erratum: what the paper says, what is true, and the certificate."""
    return "\n\n".join(
        [
            f"### {entry.id} {{#{anchor(entry.id)}}}",
            f"{cell(entry.where)}. *The paper:* {cell(entry.says)}",
            f"*In truth:* {cell(entry.true)}",
            f"```python\n{entry.certificate.strip()}\n\n```",
        ]
    )


def paper_page(found: Reproduction) -> str:
    """Return the page of a paper."""
    name = found.paper.name
    parts = [f"# {citation(found.paper.reference)}", MADE.format(name=name), found.paper.about.strip()]
    parts += ["## Beside the paper", _summary(found), *map(exhibit_part, found)]
    if found.paper.drawings:
        parts += ["## Figures", f"`measurand reproduce {name} -o DIR` writes them."]
        parts += [figure_part(name, drawing) for drawing in found.paper.drawings]
    errata = found.paper.errata
    parts += ["## Errata", ERRATA.format(name=name, id=errata[0].id), *map(erratum_part, errata)]
    return "\n\n".join(parts) + "\n"


def figure_part(name: str, drawing: Drawing) -> str:
    """Return a figure, with what it shows."""
    return f"![{drawing.title}](figures/{name}-{drawing.name}.svg)\n\n*{cell(drawing.title)}*"


ERRATA = (
    "Each comes with a certificate, an example that anybody can run; "
    "`measurand reproduce {name} --erratum {id}` prints one and runs it."
)


def _summary(found: Reproduction) -> str:
    agrees, differs, silent = (len(found.marked(mark)) for mark in Mark)
    return (
        f"{agrees} printed values agree (✓), {differs} differ (✗, with the erratum that says why), and {silent} values "
        "are not printed in the paper (·): curves, claims without a number, and what we add."
    )


def index_page() -> str:
    """Return the page that leads to the others."""
    lines = []
    for name, key in PAPERS.items():
        paper = find_paper(name)
        lines.append(f"| [{name}]({name}.md) | {cell(citation(key))} | {len(paper.exhibits)} | {len(paper.errata)} |")
    return INDEX.format(rows="\n".join(lines))


INDEX = """# The five papers

Made by `make docs`; do not edit. measurand implements five papers completely; here they are worked out anew, number by
number, with what they print beside what comes out, and with their errors, each with a certificate that you can run.

| command | paper | exhibits | errata |
|---|---|---:|---:|
{rows}

```sh
measurand reproduce ffm2015                                   # everything that needs no data, ✓ or ✗ with the erratum
measurand reproduce g2022 -o figures                          # … and the figures
measurand reproduce fff2021 QRELS RUN...                      # Tables 2 to 6 for a campaign of yours
measurand reproduce agms2018 QRELS RUN... -o figures          # Table 2 and Figures 1 to 3 for a campaign of yours
measurand reproduce fff2021 --erratum E36                     # one erratum, with its certificate
```

```python
>>> import measurand as md
>>> found = md.papers.reproduce("br1988")
>>> found.unexplained                                         # where the paper and we differ, and no erratum says why
()

```

[Coverage](coverage.md) tells which test covers which row of the checklist that the papers were turned into.
[What doubles do to ties](../concepts/floats.md) tells why published figures of AP carry an artefact.
"""


def pages() -> dict[str, str]:
    """Return every page that is made here, by its path under docs/."""
    made = {f"papers/{name}.md": paper_page(reproduce(name)) for name in PAPERS}
    return made | {"papers/index.md": index_page(), "papers/coverage.md": coverage_page()}


def figures() -> dict[str, str]:
    """Return the figures of the papers, as SVG, by their path under docs/."""
    papers = [find_paper(name) for name in PAPERS]
    return {
        f"papers/figures/{paper.name}-{drawing.name}.svg": drawing.draw().to_svg()
        for paper in papers
        for drawing in paper.drawings
    }
