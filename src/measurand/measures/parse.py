"""Reading measures as people write them: ir_measures' grammar, trec_eval's names, and those of other tools."""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from measurand.errors import LONG, CallError, ParameterError, clipped, quoted
from measurand.measures.base import Measure
from measurand.measures.catalogue import find, find_spelled, is_own_name, names, well_known

PLAIN = re.compile(r"(\w+)(?:@([0-9]{1,18}))?")
"""A name and perhaps a cutoff; well-known measures are found by it without loading the others."""

LONGEST = 1_000_000
"""No measure is spelled with more characters: thousands of gains or weights fit."""

EXAMPLES = "write it like nDCG@10, AP(rel=2)@1000 or ndcg_cut_10"

CLOSE, NEAR = 0.6, 0.4
"""How alike a name must be to be suggested, and to be suggested beside such a one."""

NEAREST = 3
"""So many names are suggested."""


def parse(text: str | Measure) -> Measure:
    """Return the measure that `text` spells; a measure is returned as it is.

    Parameters
    ----------
    text
        The spelling of a measure: that of ir_measures, trec_eval, ranx or MTEB.

    Examples
    --------
    >>> parse("nDCG@10"), parse("AP(rel=2)@1000"), parse("ndcg_cut_10"), parse("gm(AP)")
    (nDCG@10, AP(rel=2)@1000, nDCG@10, gm(AP))
    >>> parse("ndcg@10"), parse("recall_at_100"), parse("hit_rate@5"), parse("map@100-l2")
    (nDCG@10, R@100, Success@5, AP(rel=2)@100)
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise ParameterError(f"{quoted(text)} is no measure; write it like 'nDCG@10'")
    try:
        several = parse_many(text)
    except ParameterError:
        parts = split_measures([text])
        if len(parts) > 1 and all(map(is_measure, parts)):
            raise ParameterError(
                f"{clipped(text)!r} is {len(parts)} measures; name them one by one: {quoted(parts)}"
            ) from None
        raise
    if len(several) != 1:
        one = f"name one of them, such as {several[0][1]!r}"
        raise ParameterError(f"{clipped(text)!r} stands for {len(several)} measures; {one}")
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
    if len(text) > LONGEST:
        raise ParameterError(
            f"{clipped(text)!r} has {len(text):,} characters, and no measure has more than {LONGEST:,}"
        )
    plain = PLAIN.fullmatch(text.strip())
    quick = well_known(plain[1]) if plain and not trec else None
    if plain and quick is not None:
        return [_named_again(quick @ int(plain[2]) if plain[2] else quick)]
    from measurand.measures import trec_names
    from measurand.measures.aliases import ALIASES, at_level, refuse, rewritten

    written, level = rewritten(text.strip())
    name = written.partition("@")[0].partition("(")[0].strip()
    refuse(name)
    other = name in ALIASES and name not in trec_names.FAMILIES
    if not other and (trec or not is_own_name(name)):
        several = trec_names.read(written)
        if several is not None:
            return several if level is None else [_named_again(at_level(each, level)) for _, each in several]
    try:
        measure = _read(_expression(written, text), written)
    except RecursionError:
        raise ParameterError(f"{clipped(text)!r} is nested too deeply to be a measure") from None
    return [_named_again(at_level(measure, level))]


def split_measures(texts: Iterable[str]) -> list[str]:
    """Return the measures in some texts, each of which may hold several.

    Parameters
    ----------
    texts
        Spellings of measures, with spaces or commas between.

    Examples
    --------
    >>> split_measures(["AP nDCG(b=2, gain='exp2')@10", "P.5,10"])
    ['AP', "nDCG(b=2, gain='exp2')@10", 'P.5,10']
    >>> split_measures(["AP@30,P@10"])
    ['AP@30', 'P@10']
    """
    return [" ".join("".join(pieces).split()) for text in texts for pieces in _split(text)]


def _split(text: str) -> Iterator[list[str]]:
    """Return the measures in a text, each in pieces."""
    pieces: list[str] = []
    depth = 0
    # a comma before a number belongs to a name of trec_eval
    for found in re.finditer(r"(\s+|,(?=\s*[A-Za-z]))|[^\s,]+|,", text):
        if found[1] and depth <= 0:
            if pieces:
                yield pieces
            pieces = []
            continue
        # spaces and commas inside parentheses belong to a measure
        pieces.append(found[0])
        depth += found[0].count("(") - found[0].count(")")
    if pieces:
        yield pieces


def is_measure(given: object) -> bool:
    """Return whether something is a measure, of ours or of ir_measures, or a text that spells one or several.

    Parameters
    ----------
    given
        Anything.

    Examples
    --------
    >>> is_measure("nDCG@10"), is_measure("bm25.run"), is_measure(parse("AP")), is_measure(10)
    (True, False, True, False)
    """
    if not isinstance(given, str):
        return isinstance(given, Measure) or type(given).__module__.partition(".")[0] == "ir_measures"
    try:
        return bool(parse_many(given))
    except ParameterError:
        return False


def check_no_measure(given: object, name: str, usage: str) -> None:
    """Complain of a measure, or of several, where judgments or runs are expected; a file of that name is none.

    Parameters
    ----------
    given
        What stands there.
    name
        What is expected.
    usage
        How to call the function, with an example.

    Examples
    --------
    >>> check_no_measure(["AP", "P@5"], "runs", 'call fuse(["bm25.run", "dense.run"])')
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: a measure (AP) stands where runs are expected; call fuse(["bm25.run", "dense.run"])
    """
    several = list(given) if isinstance(given, list | tuple | set | frozenset) else [given]
    # a file is looked for first: to know that no measure is called so, all of them are loaded
    if several and all(not _is_path(each) and is_measure(each) for each in several):
        raise CallError(f"a measure ({several[0]}) stands where {name} are expected; {usage}")


def _is_path(given: object) -> bool:
    return isinstance(given, str) and (any(letter in given for letter in "*?[\n") or os.path.exists(given))


def _named_again(measure: Measure) -> tuple[str, Measure]:
    return repr(measure), measure


def _no_measure(text: str) -> ParameterError:
    return ParameterError(f"{clipped(text)!r} is no measure; {EXAMPLES}")


def _expression(written: str, text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's own, on what may become wrong in its programs
            return ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _no_measure(text) from None


def _read(node: ast.expr, text: str, *, cut: bool = False) -> Measure:
    """Return the measure that an expression spells.

    Parameters
    ----------
    node
        The expression.
    text
        What it was read from.
    cut
        Whether a cutoff follows.
    """
    if isinstance(node, ast.Name):
        return _named(node.id, cut=cut)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _cut(_read(node.left, text, cut=True), _literal(node.right, text))
    if isinstance(node, ast.Call):
        measure = _read(node.func, text, cut=cut or any(keyword.arg == "cutoff" for keyword in node.keywords))
        return measure(**_arguments(node, measure, text))
    raise _no_measure(text)


def _cut(measure: Measure, value: Any) -> Measure:
    try:
        return measure.__matmul__(value)
    except ParameterError as error:
        raise ParameterError(
            f"{error}; write it like {measure.name}@{'0.5' if measure.at == 'recall' else 10}"
        ) from None


def _arguments(node: ast.Call, measure: Measure, text: str) -> dict[str, Any]:
    """Return the parameters in a call; the measure inside a wrapper such as `gm` needs no name."""
    given = [(keyword.arg, keyword.value) for keyword in node.keywords]
    if len(node.args) == 1 and "measure" in measure.parameters():
        given.insert(0, ("measure", node.args[0]))
    elif node.args:
        raise ParameterError(f"{clipped(text)!r}: name the parameters, as in {measure.name}(rel=2)")
    names = [name for name, _ in given]
    if None in names or len(set(names)) < len(names):
        raise ParameterError(f"{clipped(text)!r}: say every parameter once, as in {measure.name}(rel=2)")
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
        raise ParameterError(f"{clipped(text)!r}: {clipped(ast.unparse(node))!r} is no value for a parameter") from None


def _named(name: str, *, cut: bool = False) -> Measure:
    from measurand.measures.aliases import refuse

    refuse(name)
    measure = find_spelled(name, cut=cut)
    if measure is not None:
        return measure
    near = _nearest(name) if len(name) <= LONG else []
    others = " or ".join(filter(None, [", ".join(near[:-1]), near[-1]])) if near else ""
    hint = f"; did you mean {others}?" if near else "; `measurand measures` lists them all"
    raise ParameterError(f"there is no measure called {quoted(name)}{hint}")


def _nearest(name: str) -> list[str]:
    """Return the names that are most like one that is not there, each of another measure; none if none is close."""
    from difflib import SequenceMatcher

    from measurand.measures import trec_names

    families = {each: trec_names.uncut(each) for each in trec_names.FAMILIES}
    meant = {each: find_spelled(each, cut=True) for each in names()}
    alike = {
        each: SequenceMatcher(None, name.casefold(), each.casefold()).ratio()
        for each in (*meant, *(each for each in families if each not in meant))
    }
    nearest: dict[Any, str] = {}
    for each in sorted(alike, key=lambda each: -alike[each]):
        if alike[each] >= (NEAR if nearest else CLOSE):
            nearest.setdefault(meant.get(each) or families[each], each)
    return list(nearest.values())[:NEAREST]
