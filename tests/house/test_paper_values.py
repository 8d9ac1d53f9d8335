"""What a paper prints or says is typed from it, never computed: no line compares the program with itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from measurand.papers import PAPERS

ROOT = Path(__file__).resolve().parents[2] / "src/measurand/papers"

READ = {"printed_tables", "printed_unanimity"}
"""Functions that read tables that were typed from a paper into a file."""

PLAIN = {"Fraction", "MappingProxyType", "dict", "enumerate", "met", "str", "tuple", "zip"}
"""Functions that say no more than their arguments."""

Part = tuple[int, ...]
"""Which part of a value a name gets, or of each element of it, from the outside in."""


SCOPES = (ast.Module, ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


class Module:
    """The source of a module: which of its expressions are typed, and which are computed.

    An expression is typed if all that it is made of is: constants, names that have no other values than typed ones,
    what is read from a file of printed tables, and plain functions of these.
    """

    def __init__(self, text: str):
        self.tree = ast.parse(text)
        self.around: dict[ast.AST, ast.AST] = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }

    def calls(self, name: str) -> list[ast.Call]:
        """Return the calls of a function."""
        found = (node for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        return [node for node in found if isinstance(node.func, ast.Name) and node.func.id == name]

    def computed(self) -> list[str]:
        """Return where a line prints or says for the paper what is computed."""
        given = [each for call in self.calls("line") for each in call.keywords if each.arg in ("printed", "said", None)]
        return [f"{each.value.lineno}: {ast.unparse(each)}" for each in given if not self.is_typed(each.value)]

    def is_typed(self, node: ast.AST, seen: frozenset[ast.AST] = frozenset()) -> bool:
        """Say whether an expression is typed; seen are the expressions that this one is asked for."""
        if node in seen:
            return True
        seen |= {node}
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                values = list(self._values(name, node))
                return bool(values) and all(self._part_is_typed(*value, seen) for value in values)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                parts = [*args, *(each.value for each in keywords)]
                return name in READ | PLAIN and all(self.is_typed(part, seen) for part in parts)
            case ast.Lambda() | ast.Await() | ast.NamedExpr():
                return False
        return all(self.is_typed(part, seen) for part in ast.iter_child_nodes(node))

    def _part_is_typed(self, node: ast.expr, part: Part, seen: frozenset[ast.AST]) -> bool:
        """Say whether a part of each element of what is looped over is typed, such as a column of a table."""
        if not part:
            return self.is_typed(node, seen)
        first, *rest = part
        match node:
            case ast.Call(func=ast.Name(id="zip"), args=args):
                return self._part_is_typed(args[first], tuple(rest), seen)
            case ast.Call(func=ast.Name(id="enumerate"), args=args):
                return not first or self._part_is_typed(args[0], tuple(rest), seen)
            case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items")) if (
                None not in keys
            ):
                columns = [(key, value) for key, value in zip(keys, values, strict=True) if key is not None]
            case ast.Tuple(elts=rows) | ast.List(elts=rows) if all(isinstance(row, ast.Tuple) for row in rows):
                columns = [tuple(row.elts) for row in rows if isinstance(row, ast.Tuple)]
            case _:
                return self.is_typed(node, seen)
        return self._part_is_typed(ast.Tuple([row[first] for row in columns]), tuple(rest), seen)

    def _values(self, name: str, node: ast.AST) -> Iterator[tuple[ast.expr, Part]]:
        """Return what a name stands for: what the innermost scope around a place gives it."""
        scope: ast.AST = node
        while scope is not self.tree:
            scope = self.around.get(scope, self.tree)
            if isinstance(scope, SCOPES):
                found = [*self._assigned(name, scope), *self._passed(name, scope)]
                if found:
                    yield from found
                    return

    def _assigned(self, name: str, scope: ast.AST) -> Iterator[tuple[ast.expr, Part]]:
        for node in _inside(scope):
            match node:
                case (
                    ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value)
                ):
                    for found, part in _names(target):
                        if found == name:
                            alone = part and isinstance(value, ast.Tuple) and part[0] < len(value.elts)
                            yield (value.elts[part[0]], part[1:]) if alone else (value, ())
                case ast.For(target=target, iter=looped) | ast.comprehension(target=target, iter=looped):
                    yield from ((looped, part) for found, part in _names(target) if found == name)

    def _passed(self, name: str, scope: ast.AST) -> Iterator[tuple[ast.expr, Part]]:
        """Return what is passed for a parameter of a function, wherever it is called."""
        if isinstance(scope, ast.FunctionDef):
            parameters = [each.arg for each in (*scope.args.args, *scope.args.kwonlyargs)]
            for call in self.calls(scope.name) if name in parameters else ():
                given = dict(zip(parameters, call.args, strict=False)) | {
                    each.arg: each.value for each in call.keywords
                }
                if name in given:
                    yield given[name], ()


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a scope, without those of scopes inside it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, SCOPES):
            yield from _inside(child)


def _names(target: ast.expr, part: Part = ()) -> Iterator[tuple[str, Part]]:
    """Return the names that are given a value, and which part of it each gets."""
    if isinstance(target, ast.Name):
        yield target.id, part
    elif isinstance(target, ast.Tuple | ast.List):
        for place, each in enumerate(target.elts):
            yield from _names(each, (*part, place))


@pytest.mark.parametrize("name", PAPERS)
def test_what_a_paper_prints_or_says_is_typed_and_not_computed(name):
    modules = {path.name: Module(path.read_text(encoding="utf-8")) for path in sorted((ROOT / name).glob("*.py"))}
    assert any(module.calls("line") for module in modules.values())
    assert {path: module.computed() for path, module in modules.items() if module.computed()} == {}


@pytest.mark.parametrize("name", PAPERS)
def test_no_line_is_answered_by_what_the_literature_has_proved(name):
    modules = {path.name: Module(path.read_text(encoding="utf-8")) for path in (ROOT / name).glob("*.py")}
    assert [path for path, module in modules.items() if module.calls("known_scale")] == []


@pytest.mark.parametrize(
    "text",
    [
        "line('a', ours, printed=(1, Fraction(1, 2), '0.5'))",
        "TABLE = {'P': True}\nfor name, holds in TABLE.items():\n    line(name, ours(name), said=holds)",
        "for name, holds in zip(ours, (True, False)):\n    line(name, name, said=holds)",
        "for value, (one, said) in (({}, (f(), 1)), ({}, (f(), 2))):\n    line('a', one, said=said)",
        "for place, (value, text) in enumerate(zip(ours, ('1', '2'))):\n    line('a', value, printed=text)",
        "def f(ours, text):\n    line('a', ours, printed=text)\nf(run(), '0.5')\nf(run(), text='0.6')",
        "cells = printed_tables().cells\nline('a', ours, printed=f'{cells[0]:.2f}')",
        "line('a', ours, derived=f(ours))",
        "line('a', ours)",
        "cells = {row: row.mu for row in printed_tables()}\nfor row in ours:\n    line('a', row, printed=cells['P'])",
    ],
)
def test_typed_values_are_told(text):
    assert Module(text).computed() == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("line('a', ours, printed=f(2))", "f(2)"),
        ("line('a', ours, said=ours > 1)", "ours > 1"),
        ("found = measure.of((1, 0))\nline('a', 1, printed=found)", "found"),
        ("for name, holds in zip((1, 2), ours):\n    line(name, name, said=holds)", "holds"),
        ("for name, holds in ((1, True), (2, f())):\n    line(name, name, said=holds)", "holds"),
        ("text = '0.5'\ntext = f(text)\nline('a', ours, printed=text)", "text"),
        ("def g(ours, text):\n    line('a', ours, printed=text)\ng(run(), '0.5')\ng(run(), run())", "text"),
        ("line('a', ours, printed=[run(x) for x in (1, 2)])", "[run(x) for x in (1, 2)]"),
        ("ours = f()\nline('a', ours, printed='1' if ours > 1 else '2')", "'1' if ours > 1 else '2'"),
        ("ours = f()\nline('a', ours, printed='{:.4f}'.format(ours))", "'{:.4f}'.format(ours)"),
        ("ours = f()\nline('a', ours, printed='{x:.4f}'.format(x=ours))", "'{x:.4f}'.format(x=ours)"),
        ("line('a', 1, said=[True for x in runs if f(x)])", "[True for x in runs if f(x)]"),
        ("line('a', 1, said=[True for x in (1, 2) if f(x)])", "[True for x in (1, 2) if f(x)]"),
        ("line('a', 1, said=[1 for x in run()])", "[1 for x in run()]"),
        ("ours = f()\nline('a', ours, printed=('1', '2')[ours > 1])", "('1', '2')[ours > 1]"),
        ("ours = f()\nline('a', ours, printed=f'{1:.{ours}f}')", "f'{1:.{ours}f}'"),
        ("given = {'printed': f()}\nline('a', 1, **given)", "given"),
        ("line('a', 1, said=tuple((lambda: run())()))", "tuple((lambda: run())())"),
    ],
)
def test_computed_values_are_told(text, value):
    [found] = Module(text).computed()
    assert found.endswith((f"={value}", f"**{value}"))
