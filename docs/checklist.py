"""The page of the conformance checklist: which test covers which row, and where a row is reproduced."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from measurand.papers import PAPERS
from measurand.papers.reproduction import find_paper

TESTS = Path(__file__).resolve().parents[1] / "tests"

PAPERS_TEST = "tests/house/test_papers.py"
"""The file of tests that works out all exhibits and runs the certificates of all errata."""

HEAD = """# Coverage of the conformance checklist

Made by `make docs` from the tests; do not edit. The five papers were turned into a checklist: every definition,
theorem, example and table is a row with an id and a number that was checked by brute force; every place where a
paper is wrong or unclear is an entry of the errata (E…); every way in which doubles get it wrong is a trap (F…).
*Shown* links to where a row is worked out beside what the paper prints, or, for errata, to the entry with its
certificate; all of these are worked out and compared by `tests/house/test_papers.py`. What is to be tested beyond that
has one home: the file of tests that carries the id of the row, as `@pytest.mark.spec("…")`. A test fails if a row is
neither shown nor carried, if it is carried by two files, or if an id is not in the checklist.
"""

TITLES = {
    "FFM": "Ferrante, Ferro and Maistro (2015)",
    "FFF": "Ferrante, Ferro and Fuhr (2021)",
    "errata-utility-and-interval": "Errata of these two papers",
    "float-traps": "Traps of doubles",
    "BR": "Bollmann and Raghavan (1988)",
    "G": "Giner (2022)",
    "AGMS": "Amigó, Giner, Mizzaro and Spina (2018)",
    "errata-search-length-lattice-information": "Errata of these three papers",
    "conventions": "Conventions",
}
"""What the groups of the checklist are about."""


def rows() -> dict[str, list[str]]:
    """Return the ids of all rows of the checklist, by group."""
    with (TESTS / "golden" / "rows.toml").open("rb") as file:
        found: dict[str, list[str]] = tomllib.load(file)["rows"]
    return found


@cache
def carried() -> dict[str, dict[str, list[str]]]:
    """Return the ids that tests carry, each with the files and the tests in them that carry it."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(TESTS.rglob("test_*.py")):
        for test, row in _marks(ast.parse(path.read_text(encoding="utf-8"))):
            found[row][str(path.relative_to(TESTS.parent))].append(test)
    return {row: dict(places) for row, places in found.items()}


def _marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Return the tests of a module with the rows that each of them carries; these are written out, never computed."""
    for test in ast.walk(tree):
        if isinstance(test, ast.FunctionDef | ast.ClassDef):
            for mark in test.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.spec":
                    yield from ((test.name, ast.literal_eval(row)) for row in mark.args)


def problems(
    places: Mapping[str, Mapping[str, object]], wanted: Mapping[str, list[str]], shown: Collection[str] = ()
) -> list[str]:
    """Return what is wrong: rows neither carried nor shown, rows with several homes, and ids that are no rows.

    Parameters
    ----------
    places
        The rows that tests carry, each with the files.
    wanted
        The rows of the checklist, by group.
    shown
        The rows that exhibits work out, and the errata that have a certificate.
    """
    known = [row for group in wanted.values() for row in group]
    unknown = {row: found for row, found in places.items() if row not in known}
    return [
        *(f"{row} is covered by no test" for row in known if row not in places and row not in shown),
        *(f"{row} has several homes: {', '.join(places[row])}" for row in known if len(places.get(row, ())) > 1),
        *(f"the checklist has no row {row}, which {', '.join(found)} carries" for row, found in unknown.items()),
        *(f"the checklist has no row {row}, which a paper shows" for row in shown if row not in known),
    ]


def shown() -> dict[str, str]:
    """Return where rows and errata are shown, as links from the page of the checklist."""
    links: dict[str, str] = {}
    for name in PAPERS:
        paper = find_paper(name)
        for exhibit in paper.exhibits:
            links |= {row: f"[{exhibit.where}]({name}.md#{anchor(exhibit.rows[0])})" for row in exhibit.rows}
        links |= {entry.id: f"[{entry.where}]({name}.md#{anchor(entry.id)})" for entry in paper.errata}
    return links


def anchor(row: str) -> str:
    """Return what a link to a row is called."""
    return row.lower().replace(".", "-")


def coverage_page() -> str:
    """Return the page."""
    places, links, wanted = carried(), shown(), rows()
    tests = sum(len(tests) for files in places.values() for tests in files.values())
    count = sum(map(len, wanted.values()))
    alone = sum(row not in places for ids in wanted.values() for row in ids)
    parts = [HEAD, f"{count} rows, carried by tests {tests} times; {alone} of them are shown and need no other test.\n"]
    for group, ids in wanted.items():
        parts.append(f"## {TITLES[group]}\n\n| row | tested in | tests | shown |\n|---|---|---:|---|")
        for row in ids:
            [(file, names)] = places.get(row, {PAPERS_TEST: [row]}).items()
            parts.append(f"| {row} | `{file}` | {len(names)} | {links.get(row, '')} |")
        parts.append("")
    return "\n".join(parts)
