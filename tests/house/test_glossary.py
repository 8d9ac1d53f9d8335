"""One word a thing: what the glossary rules out does not name anything."""

from __future__ import annotations

import ast
import re
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"


def ruled_out() -> set[str]:
    rows = [
        line.split("|")[1:-1] for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    return {word for row in rows[1:] for word in re.findall(r"^\s*([a-z_]+)\s*$", row[2])}


def public_names(nodes: list[ast.AST]) -> set[str]:
    names = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            names |= {node.name, *(argument.arg for argument in [*node.args.args, *node.args.kwonlyargs])}
        if isinstance(node, ast.ClassDef):
            names.add(node.name.lower())
    return {name for name in names if not name.startswith("_")}


def test_the_glossary_rules_words_out():
    assert {"query", "doc", "metric"} <= ruled_out()


def test_no_function_class_or_argument_is_called_by_a_word_that_is_ruled_out(nodes):
    words = ruled_out()
    used = {
        f"{path}: {name}"
        for path, several in nodes.items()
        if not str(path).startswith("compat/")  # calls of other tools keep their names
        for name in public_names(several)
        if set(name.split("_")) & words
    }
    assert used == set()
