"""The pages of the papers: what each proposes, its numbers beside ours, and its errata with their certificates."""

from __future__ import annotations

import re

from checklist import anchor, coverage_page

from measurand.papers import PAPERS, Reproduction, reproduce
from measurand.papers.erratum import Erratum, ErratumKind, errata, kinds_in_words
from measurand.papers.exhibit import Drawing, Line, Mark
from measurand.papers.printed import printed_tables
from measurand.papers.printed.unanimity import printed_unanimity
from measurand.papers.reproduction import Shown, find_paper
from measurand.references import citation

MADE = "Made by `make docs` from what `measurand reproduce {name}` finds; do not edit."


def cell(text: str) -> str:
    """Return a text as it stands in a table: its letters mean themselves."""
    return re.sub(r"([\\`*_{}\[\]<>|$#])", r"\\\1", re.sub(r"\s+", " ", text))


def prose(text: str) -> str:
    """Return a text whose letters mean themselves, but for code between backticks."""
    return "".join(part if part.startswith("`") else cell(part) for part in re.split(r"(`[^`]+`)", text))


def exhibit_part(one: Shown) -> str:
    """Return one exhibit: where it stands, what it shows, and its lines."""
    head = f'<a id="{anchor(one.exhibit.rows[0])}"></a>**{cell(one.exhibit.where)}.** {cell(one.exhibit.title)}.'
    return "\n".join([head, "", "| | paper | | ours | |\n|---|---|---|---|---|", *map(row, one.lines)])


def row(line: Line) -> str:
    """Return a line as a row of a table."""
    marks = " ".join([line.mark, *(f"[{name}](#{anchor(name)})" for name in line.errata)])
    paper, ours = line.texts
    return f"| {' | '.join([*map(cell, [line.what, paper, line.provenance or '', ours]), marks])} |"


def erratum_part(entry: Erratum) -> str:
    """Return one erratum: what the paper says, what is true, and the certificate."""
    return "\n\n".join(
        [
            f"### {entry.id}, {entry.kind} {{#{anchor(entry.id)}}}",
            f"{cell(entry.where)}. *The paper:* {prose(entry.says.strip())}",
            f"*In truth:* {prose(entry.true.strip())}",
            f"```python\n{entry.certificate.strip()}\n\n```",
        ]
    )


def paper_page(found: Reproduction) -> str:
    """Return the page of a paper."""
    name = found.paper.name
    parts = [f"# {citation(found.paper.reference)}", MADE.format(name=name), found.paper.about.strip()]
    parts += ["## Beside the paper", _summary(found), *map(exhibit_part, found)]
    parts += on_data(name)
    if found.paper.drawings:
        parts += ["## Figures", f"`measurand reproduce {name} -o DIR` writes them."]
        parts += [figure_part(name, drawing) for drawing in found.paper.drawings]
    entries = found.paper.errata
    told = ERRATA.format(name=name, id=entries[0].id, kinds=kinds_in_words(entries))
    parts += ["## Errata", told, *map(erratum_part, entries)]
    return "\n\n".join(parts) + "\n"


def on_data(name: str) -> list[str]:
    """Return what a paper's experiments are on a campaign of one's own, if it has any."""
    if name == "fff2021":
        tables = printed_tables()
        known = [
            f"{have} of {size} cells of Table {table[5:]}" for table in TABLES for have, size in [tables.known(table)]
        ]
        checks = [
            f"| {cell(one.row)} | {cell(one.says)} | {one.checked} | {cell('; '.join(one.fails)) or '–'} |"
            for one in tables.identities()
        ]
        return [SCALES.format(known=", ".join(known), checks="\n".join(checks))]
    if name == "agms2018":
        return [INFORMATION.format(rows=len(printed_unanimity()))]
    return []


def figure_part(name: str, drawing: Drawing) -> str:
    """Return a figure, with what it shows."""
    return f"![{drawing.title}](figures/{name}-{drawing.name}.svg)\n\n*{cell(drawing.title)}*"


ERRATA = (
    "By kind: {kinds}. The first two kinds are errors: *theorem*, a definition, a theorem, a step of a proof or a "
    "general claim is false as it is printed; *number*, a number, an example or an entry of a table is wrong. The "
    "others are not: *wording*, a misprint or a word, what is meant is right or nothing rests on it; *scan*, perhaps "
    "an error of the scan that was read; *remark*, what the paper leaves open, or what is added here. "
    "Each comes with a certificate, an example that anybody can run; "
    "`measurand reproduce {name} --erratum {id}` prints one and runs it."
)


SCALES = """## On a campaign

`measurand reproduce fff2021 QRELS RUN...` makes Tables 2 to 6 for any campaign, as the paper made them:
documents ranked by single-precision scores, every grade above 0 relevant alike, averages rounded to 8 decimals
before they are correlated, Matlab's conventions in the tests (in the signed rank test, differences that are
exactly 0 are left out, and the others tie where the exact values say so). `--depth` says how many ranks
are looked at, 5, 10, 20 and 30 if nothing is said; depths that are finished are kept until all are, so that an
interrupted computation goes on where it was. `-f json` and `-f latex` print the tables for programs and for
papers; in Python it is `md.papers.scale_tables`.

```console
$ measurand reproduce fff2021 sample/sample.qrels.gz sample/runs --depth 5
note: rerank-1: nothing for 3 of the 50 judged topics; they count as empty results
note: 1 of the 50 topics has no relevant document (topic 326); most measures score 0 there
12 systems (66 pairs) × 50 topics
As in Ferrante, Ferro and Fuhr (2021): ranked by single-precision scores, every grade above 0 is relevant.

Table 2. Kendall's tau of a measure with its ranks among all runs, tied runs on one rank (unq)
 depth       P  RBP_p05      RR  RBP_p03  RBP_p08  DCG_b02  DCG_b10       R      AP  nDCG_b02  nDCG_b10
…
```

The paper's runs may not be handed on. Whoever has them from TREC adds `--track T08` (or T26, T27) and sees cell
by cell what agrees, what differs and why. Two conventions of the authors make numbers differ: they ranked average
precision by the doubles that its sums come to (see [Doubles](../concepts/floats.md)), and their Tukey test had
infinite degrees of freedom after both analyses of variance. A number that comes out as printed under one of these, or
under both, names it; one that does not is unexplained. A percentage that is not that of the printed counts is a
misprint. A campaign with another number of runs or topics than the track has other runs, and no cause is sought.
`--as-published` computes all tables under both. The default is right: exact values, and the degrees of freedom that
there are.

measurand holds all printed tables: {known}. `measurand reproduce fff2021 --printed` checks what must hold in them,
whatever the campaign, and lays what the text says of ranges, averages and most cells beside what the cells come to;
`--printed FILE` takes cells from a file like `src/measurand/papers/printed/fff2021.toml`, which explains its format.

| row | what must hold | checked | fails |
|---|---|---:|---|
{checks}"""

INFORMATION = """## On a campaign

`measurand reproduce agms2018 QRELS RUN...` makes Table 2 and Figures 1 to 3 for any campaign, and lays the printed
values beside: the marks and the unanimity of all {rows} rows, which `measurand reproduce agms2018 --printed` shows
ranked, with what must hold between them. Unanimity is told without and with self pairs; the printed formula has these
([E-A-14](#e-a-14)), and the difference is taken from there. `-o DIR` writes the figures, `--collection-size N` says
how many documents there are; in Python it is `md.papers.information_tables`. The paper's runs (TREC 2004 Terabyte) are
not free."""

TABLES = ("table1", "table2", "table3", "table4", "table5", "table6")


def _summary(found: Reproduction) -> str:
    agrees, differs, silent = (len(found.marked(mark)) for mark in Mark)
    return (
        f"{agrees} values and claims of the paper agree (✓), {differs} differ (✗, with the erratum that says why), and "
        f"{silent} cannot be compared (·): curves, what we add, and what takes runs that are not public. What the "
        "paper has is *printed* (the value stands in it), *said* (its text claims it in words), or *derived* (a "
        "printed formula gives it)."
    )


def index_page() -> str:
    """Return the page that leads to the others."""
    lines = []
    for name, key in PAPERS.items():
        paper = find_paper(name)
        errors = [sum(entry.kind is kind for entry in paper.errata) for kind in list(ErratumKind)[:2]]
        counts = (len(paper.exhibits), *errors, len(paper.errata) - sum(errors))
        lines.append(f"| [{name}]({name}.md) | {cell(citation(key))} | {' | '.join(map(str, counts))} |")
    every = [entry for name in PAPERS for entry in errata(name)]
    errors = sum(entry.kind.is_error for entry in every)
    return INDEX.format(rows="\n".join(lines), errors=errors, others=len(every) - errors)


INDEX = """# The five papers

Made by `make docs`; do not edit. measurand implements five papers completely; here they are worked out anew, number by
number, with what they print beside what comes out, and with their errata, each with a certificate that you can run.
{errors} errata are errors, in a theorem or in a number; {others} are none: wording, perhaps the scan, remarks.

| command | paper | exhibits | theorem | number | wording, scan, remark |
|---|---|---:|---:|---:|---:|
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
