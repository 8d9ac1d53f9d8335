"""What the documents say is true: their examples run, their links lead somewhere, the reference is fresh."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page):
    outcome = doctest.testfile(str(page), module_relative=False)
    assert outcome.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_to_files(page):
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_reference_of_measures_is_what_the_code_says():
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert (ROOT / "docs/reference/measures.md").read_text(encoding="utf-8") == build.measures_page(), "run make docs"


def test_every_dependency_stands_in_the_readme_with_its_reason():
    wanted = re.search(r"^dependencies = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert wanted is not None
    names = re.findall(r'"([a-z-]+)', wanted.group(1))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert names
    assert [name for name in names if f"| [{name}](" not in readme] == []
