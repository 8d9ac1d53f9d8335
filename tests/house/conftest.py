"""The source of the house, parsed once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "measurand"


@pytest.fixture(scope="session")
def modules() -> dict[str, ast.Module]:
    """Return every module of the package by its path below src/measurand."""
    paths = sorted(SOURCE.rglob("*.py"))
    return {str(path.relative_to(SOURCE)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@pytest.fixture(scope="session")
def nodes(modules) -> dict[str, list[ast.AST]]:
    """Return what every module consists of, walked through once."""
    return {path: list(ast.walk(tree)) for path, tree in modules.items()}
