"""Rooms stay habitable: small modules, short functions, names that are concepts."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import measurand

SOURCE = Path(__file__).resolve().parents[2] / "src" / "measurand"

DRAWERS = {"util", "utils", "helper", "helpers", "common", "misc", "core", "tools"}


def functions(nodes: list[ast.AST]) -> list[ast.FunctionDef]:
    return [node for node in nodes if isinstance(node, ast.FunctionDef)]


def code_lines(function: ast.FunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1


def test_no_module_has_more_than_600_lines():
    long = {path.name: n for path in SOURCE.rglob("*.py") if (n := len(path.read_text().splitlines())) > 600}
    assert long == {}


def test_no_function_has_more_than_40_lines_of_code(nodes):
    long = [f"{path}:{f.name}" for path, several in nodes.items() for f in functions(several) if code_lines(f) > 40]
    assert long == []


def test_no_room_is_a_drawer_for_everything(modules):
    assert [path for path in modules if DRAWERS & set(Path(path).with_suffix("").parts)] == []


def test_imports_are_absolute_and_name_what_they_import(nodes):
    loose = [
        f"{path}:{node.lineno}"
        for path, several in nodes.items()
        for node in several
        if isinstance(node, ast.ImportFrom) and (node.level or any(alias.name == "*" for alias in node.names))
    ]
    assert loose == []


def test_the_library_never_prints_and_only_the_command_line_talks(nodes):
    talkative = [
        f"{path}:{node.lineno}"
        for path, several in nodes.items()
        for node in several
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert talkative == []


SHARED = {"measurand.papers.exhibit", "measurand.display.charts", "measurand.display.tables"}
"""What the papers share; besides it they use what users have."""


def imported(tree: ast.Module) -> list[tuple[str, str]]:
    """Return what a module takes from measurand: the module it takes from, and the name."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return [(str(node.module), each.name) for node in froms for each in node.names if "measurand" in str(node.module)]


def test_the_papers_are_reproduced_with_what_users_have(modules):
    homes = {name for names in measurand._HOMES.values() for name in names} | set(measurand.papers.__all__)
    named = {f"measurand/{path}".removesuffix(".py").replace("/", "."): tree for path, tree in modules.items()}
    # experiments that users have as well, and what these are made of, are no exhibits
    offered = {getattr(getattr(measurand.papers, name), "__module__", "") for name in measurand.papers.__all__}
    offered |= {module for name in offered & set(named) for module, _ in imported(named[name])}
    hidden = [
        f"{path}: {module}.{name}"
        for path, tree in modules.items()
        if path.startswith("papers/") and path.count("/") == 2
        if f"measurand/{path}".removesuffix(".py").replace("/", ".") not in offered
        for module, name in imported(tree)
        if module not in SHARED
        and not module.startswith("measurand.display")
        and not module.startswith(f"measurand.papers.{path.split('/')[1]}")
        and name not in homes
        and name not in getattr(importlib.import_module(module), "__all__", ())
    ]
    assert hidden == []
