"""The papers are reproduced: whatever differs is explained, every erratum is certified, every row has its home."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from measurand.papers import PAPERS, errata, reproduce
from measurand.papers.exhibit import Mark
from measurand.papers.reproduction import find_paper

DOCS = Path(__file__).resolve().parents[2] / "docs"

ERRATA = [(name, entry) for name in PAPERS for entry in errata(name)]


@pytest.fixture
def checklist(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    return importlib.import_module("checklist")


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    return importlib.import_module("papers_pages")


@pytest.mark.parametrize("name", PAPERS)
def test_whatever_differs_from_a_paper_is_explained_by_an_erratum_of_it_and_the_page_tells_the_same(
    name, pages, checklist
):
    found = reproduce(name)
    assert [one.exhibit.where for one in found if not one.lines or not one.exhibit.title] == []
    assert found.unexplained == ()
    assert [line.what for line in found.lines if (line.paper is None) != (line.provenance is None)] == []
    assert {entry for line in found.lines for entry in line.errata} <= {entry.id for entry in errata(name)}
    # what no test carries is compared with the paper, not only shown
    silent = [one.exhibit for one in found if all(line.mark is Mark.SILENT for line in one.lines)]
    assert [row for exhibit in silent for row in exhibit.rows if row not in checklist.carried()] == []
    assert (DOCS / f"papers/{name}.md").read_text(encoding="utf-8") == pages.paper_page(found), "run make docs"


@pytest.mark.parametrize(("name", "entry"), ERRATA, ids=[entry.id for _, entry in ERRATA])
def test_the_certificate_of_an_erratum_runs_by_itself(name, entry):
    assert ">>> import measurand as md" in entry.certificate
    assert any(example.want for example in doctest.DocTestParser().get_examples(entry.certificate))
    assert entry.check() == ""


def test_a_certificate_that_shows_something_else_is_told():
    entry = errata("ffm2015")[0]
    wrong = type(entry)(id="E00", kind="number", where="", says="", true="", certificate=">>> 1 + 1\n3\n")
    assert "Got:\n    2" in wrong.check()


def test_every_erratum_of_the_checklist_belongs_to_one_paper(checklist):
    listed = [row for group, rows in checklist.rows().items() if group.startswith("errata") for row in rows]
    assert sorted(entry.id for _, entry in ERRATA) == sorted(listed)


def test_the_readme_counts_the_errata_that_are_errors():
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    errors = sum(entry.kind.is_error for _, entry in ERRATA)
    assert re.findall(r"(\d+) err(?:ata|ors)", readme) == [str(errors)]


def test_no_row_is_shown_twice():
    shown = [row for name in PAPERS for exhibit in find_paper(name).exhibits for row in exhibit.rows]
    assert sorted(row for row in set(shown) if shown.count(row) > 1) == []


def test_every_row_of_the_checklist_is_shown_by_a_paper_or_has_one_home_among_the_tests(checklist, pages):
    assert checklist.problems(checklist.carried(), checklist.rows(), checklist.shown()) == []
    made = {"papers/index.md": pages.index_page(), "papers/coverage.md": checklist.coverage_page()}
    assert [path for path, text in made.items() if (DOCS / path).read_text(encoding="utf-8") != text] == [], (
        "run make docs"
    )


def test_rows_that_nothing_covers_or_two_files_carry_and_unknown_ids_are_found(checklist):
    places = {"A": {"one.py": []}, "B": {"one.py": [], "two.py": []}, "Z": {"one.py": []}}
    assert checklist.problems(places, {"group": ["A", "B", "C", "D"]}, ["A", "D", "Y"]) == [
        "C is covered by no test",
        "B has several homes: one.py, two.py",
        "the checklist has no row Z, which one.py carries",
        "the checklist has no row Y, which a paper shows",
    ]


@pytest.mark.parametrize("name", PAPERS)
def test_the_figures_of_a_paper_are_drawn_and_lie_beside_its_page(name):
    drawings = find_paper(name).drawings
    assert all(drawing.draw().to_svg().startswith("<svg") for drawing in drawings)
    there = {path.stem for path in (DOCS / "papers/figures").glob(f"{name}-*.svg")}
    assert there == {f"{name}-{drawing.name}" for drawing in drawings}
