"""Reading measures as people write them: ir_measures' grammar, and trec_eval's names."""

from __future__ import annotations

import ast
from typing import Any

from measurand.errors import ParameterError
from measurand.measures import trec_names
from measurand.measures.base import Measure
from measurand.measures.catalogue import find, names


def parse(text: str) -> Measure:
    """Return the measure that `text` spells.

    Examples
    --------
    >>> parse("nDCG@10"), parse("AP(rel=2)@1000"), parse("ndcg_cut_10"), parse("gm(AP)")
    (nDCG@10, AP(rel=2)@1000, nDCG@10, gm(AP))
    """
    several = parse_many(text)
    if len(several) != 1:
        raise ParameterError(f"{text!r} stands for {len(several)} measures; name one of them")
    return several[0][1]


def parse_many(text: str, *, trec: bool = False) -> list[tuple[str, Measure]]:
    """Return the measures that `text` spells, each with the name to print it by.

    Parameters
    ----------
    trec
        Whether a word that means something to both sides is trec_eval's: `P` is then a family of
        cutoffs.
    """
    text = text.strip()
    if trec or find(text.partition("@")[0].partition("(")[0]) is None:
        several = trec_names.read(text)
        if several is not None:
            return several
    measure = _read(_expression(text), text)
    return [(repr(measure), measure)]


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ParameterError(f"{text!r} is no measure; write it like nDCG@10, AP(rel=2)@1000 or ndcg_cut_10") from None


def _read(node: ast.expr, text: str) -> Measure:
    if isinstance(node, ast.Name):
        return _named(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _read(node.left, text).__matmul__(_literal(node.right, text))
    if isinstance(node, ast.Call):
        measure = _read(node.func, text)
        given = {str(keyword.arg): _literal(keyword.value, text) for keyword in node.keywords if keyword.arg}
        if node.args:
            if len(node.args) > 1 or "measure" not in measure.parameters():
                raise ParameterError(f"{text!r}: name the parameters, as in {measure.name}(rel=2)")
            given["measure"] = _read(node.args[0], text)
        return measure(**given)
    raise ParameterError(f"{text!r} is no measure; write it like nDCG@10, AP(rel=2)@1000 or ndcg_cut_10")


def _literal(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        # as written, not as the nearest float
        return ast.get_source_segment(text, node)
    if isinstance(node, ast.Name | ast.Call) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)):
        return _read(node, text)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ParameterError(f"{text!r}: {ast.get_source_segment(text, node)!r} is no value for a parameter") from None


def _named(name: str) -> Measure:
    measure = find(name)
    if measure is not None:
        return measure
    import difflib

    close = difflib.get_close_matches(name, [*names(), *trec_names.FAMILIES], n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else "; `measurand measures` lists them all"
    raise ParameterError(f"there is no measure called {name!r}{hint}")
