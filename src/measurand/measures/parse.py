"""Reading measures as people write them: ir_measures' grammar, and trec_eval's names."""

from __future__ import annotations

import ast
from typing import Any

from measurand.errors import ParameterError
from measurand.measures.base import Measure
from measurand.measures.catalogue import find, is_own_name, names

LONG = 60
"""How much of a text that cannot be read is shown."""


def parse(text: str | Measure) -> Measure:
    """Return the measure that `text` spells; a measure is returned as it is.

    Parameters
    ----------
    text
        The spelling of a measure, that of ir_measures or of trec_eval.

    Examples
    --------
    >>> parse("nDCG@10"), parse("AP(rel=2)@1000"), parse("ndcg_cut_10"), parse("gm(AP)")
    (nDCG@10, AP(rel=2)@1000, nDCG@10, gm(AP))
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise ParameterError(f"{text!r} is no measure; write it like 'nDCG@10'")
    several = parse_many(text)
    if len(several) != 1:
        raise ParameterError(f"{text!r} stands for {len(several)} measures; name one of them")
    return several[0][1]


def parse_many(text: str, *, trec: bool = False) -> list[tuple[str, Measure]]:
    """Return the measures that `text` spells, each with the name to print it by.

    Parameters
    ----------
    text
        What spells them: a measure, or a name of trec_eval such as `P.5,10`.
    trec
        Whether a word that means something to both sides is trec_eval's: `P` is then a family of
        cutoffs.
    """
    text = text.strip()
    if trec or not is_own_name(text.partition("@")[0].partition("(")[0]):
        from measurand.measures import trec_names  # loads the measures that trec_eval has

        several = trec_names.read(text)
        if several is not None:
            return several
    try:
        measure = _read(_expression(text), text)
    except RecursionError:
        raise ParameterError(f"{_short(text)!r} is nested too deeply to be a measure") from None
    return [(repr(measure), measure)]


def _no_measure(text: str) -> ParameterError:
    return ParameterError(f"{_short(text)!r} is no measure; write it like nDCG@10, AP(rel=2)@1000 or ndcg_cut_10")


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ParameterError(
            f"{_short(text)!r} is no measure; write it like nDCG@10, AP(rel=2)@1000 or ndcg_cut_10"
        ) from None


def _read(node: ast.expr, text: str) -> Measure:
    if isinstance(node, ast.Name):
        return _named(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _read(node.left, text).__matmul__(_literal(node.right, text))
    if isinstance(node, ast.Call):
        measure = _read(node.func, text)
        return measure(**_arguments(node, measure, text))
    raise _no_measure(text)


def _arguments(node: ast.Call, measure: Measure, text: str) -> dict[str, Any]:
    """Return the parameters in a call; the measure inside a wrapper such as `gm` needs no name."""
    given = [(keyword.arg, keyword.value) for keyword in node.keywords]
    if len(node.args) == 1 and "measure" in measure.parameters():
        given.insert(0, ("measure", node.args[0]))
    elif node.args:
        raise ParameterError(f"{text!r}: name the parameters, as in {measure.name}(rel=2)")
    names = [name for name, _ in given]
    if None in names or len(set(names)) < len(names):
        raise ParameterError(f"{text!r}: say every parameter once, as in {measure.name}(rel=2)")
    return {str(name): _read(value, text) if name == "measure" else _literal(value, text) for name, value in given}


def _literal(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        # as written, not as the nearest float
        return ast.get_source_segment(text, node)
    if isinstance(node, ast.Name) and find(node.id) is None:
        # a word such as the mid of ties=mid, which needs no quotes
        return node.id
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return ast.unparse(node).replace(" ", "")
    if isinstance(node, ast.Name | ast.Call) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)):
        return _read(node, text)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise ParameterError(f"{text!r}: {ast.get_source_segment(text, node)!r} is no value for a parameter") from None


def _named(name: str) -> Measure:
    measure = find(name)
    if measure is not None:
        return measure
    import difflib

    from measurand.measures import trec_names

    same = [known_name for known_name in names() if known_name.lower() == name.lower()]
    others = [other for other in (*names(), *trec_names.FAMILIES) if other != name]
    close = same or difflib.get_close_matches(name, others, n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else "; `measurand measures` lists them all"
    raise ParameterError(f"there is no measure called {name!r}{hint}")
