"""Every public name is explained, and every measure shows a number and names its source."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from measurand.measures import catalogue
from measurand.references import bibliography

SOURCE = Path(__file__).resolve().parents[2] / "src" / "measurand"


def public_without_docstring(tree: ast.Module) -> list[str]:
    found = [] if ast.get_docstring(tree) else ["module"]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            overload = any(isinstance(name, ast.Name) and name.id == "overload" for name in node.decorator_list)
            found += [] if overload or ast.get_docstring(node) else [node.name]
    return found


def test_every_public_function_class_and_module_has_a_docstring(modules):
    missing = {path: names for path, tree in modules.items() if (names := public_without_docstring(tree))}
    assert missing == {}


@pytest.mark.parametrize("measure", catalogue().values(), ids=repr)
def test_a_measure_documents_itself_with_a_number_and_its_source(measure):
    text = inspect.getdoc(type(measure)) or ""
    assert ">>>" in text
    assert f"[{measure.reference}]_" in text


def test_every_reference_that_is_cited_exists():
    cited = {key for path in SOURCE.rglob("*.py") for key in re.findall(r"\[(\w+\d{4})\]_", path.read_text())}
    assert cited <= set(bibliography())


DOCS = SOURCE.parents[1] / "docs"

PAPERS = {"FerranteFerroMaistro2015", "FerranteFerroFuhr2021", "BollmannRaghavan1988", "Giner2022", "Amigo2018"}


def test_every_reference_is_used_or_is_one_of_the_five_papers():
    cited = {key for path in SOURCE.rglob("*.py") for key in re.findall(r"\[(\w+\d{4})\]_", path.read_text())}
    pages = [path for path in DOCS.rglob("*.md") if "reference" not in path.parts]
    named = {key for key in bibliography() for page in pages if f"#{key.lower()}" in page.read_text(encoding="utf-8")}
    assert set(bibliography()) - cited - named - PAPERS == set()
