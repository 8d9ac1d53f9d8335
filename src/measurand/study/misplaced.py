"""Arguments in the wrong place: measures where runs were expected, runs among measures, another tool's order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from measurand.errors import CallError, ParameterError
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.measures import Measure, parse
from measurand.trec.sources import check_qrels, check_runs, shown


def check_inputs(what: str, qrels: object, runs: object) -> None:
    """Complain of arguments that cannot be judgments and runs, in one line with an example.

    Parameters
    ----------
    what : str
        The name of the function that they were given to.
    qrels, runs : object
        The arguments.

    Examples
    --------
    >>> check_inputs("evaluate", ["AP"], {"1": {"d1": 1}})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: a measure (AP) stands where qrels are expected; call evaluate(qrels, runs, ...
    """
    example = f'{what}("qrels.txt", ["bm25.run", "dense.run"], ["nDCG@10", "AP"])'
    usage = f"call {what}(qrels, runs, measures), as in {example}"
    for name, given in (("qrels", qrels), ("runs", runs)):
        measure = spelled_measure(given)
        if measure:
            raise CallError(f"a measure ({measure}) stands where {name} are expected; {usage}")
    check_qrels(qrels, usage)
    check_runs(runs, usage)
    _check_grades(qrels, usage)


def spelled_measure(given: object) -> str:
    """Return the spelling of a measure, or of the first of several, or nothing if it is something else.

    Examples
    --------
    >>> spelled_measure(["AP", "nDCG@10"]), spelled_measure({"1": {"d1": 1}})
    ('AP', '')
    """
    if isinstance(given, list | tuple | set | frozenset):
        spellings = [spelled_measure(each) for each in given]
        return spellings[0] if spellings and all(spellings) else ""
    if _is_measure(given):
        return str(given)
    if not isinstance(given, str) or _is_path(given):
        return ""
    try:
        parse(given)
    except ParameterError:
        return ""
    return given


def _is_measure(given: object) -> bool:
    """Return whether something is a measure, of ours or of ir_measures, whose measures are written like ours."""
    return isinstance(given, Measure) or type(given).__module__.partition(".")[0] == "ir_measures"


def _check_grades(qrels: object, usage: str) -> None:
    """Complain of scores of a run where grades are expected, as far as it can be told: by a first one such as 2.5."""
    inner = next(iter(qrels.values())) if isinstance(qrels, Mapping) else None
    first = next(iter(inner.values()), None) if isinstance(inner, Mapping) else None
    if isinstance(first, float) and not first.is_integer():
        raise CallError(f"qrels have whole numbers for grades, not {first!r}, which looks like a run's score; {usage}")


def _is_path(text: str) -> bool:
    return any(letter in text for letter in "*?[\n") or os.path.exists(text)


def check_measures(given: object) -> None:
    """Complain of what cannot be measures, in one line with an example.

    Parameters
    ----------
    given : object
        What stands where measures are expected.

    Examples
    --------
    >>> check_measures(10)
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: measures must be measures or their names, not 10 (int); write measures=["nDCG@10", "AP"]
    """
    example = 'write measures=["nDCG@10", "AP"]'
    for one in given if isinstance(given, list | tuple | set) else [given]:
        if isinstance(one, Results | Judgments | JudgedRuns):
            raise CallError(f"{shown(one)} stands where measures are expected; {example}")
        if callable(one) and not _is_measure(one):
            name = getattr(one, "__name__", "Mine")
            raise CallError(f"{name} is a function; make a measure of it: define({name}, name={name.title()!r})")
        if isinstance(one, Mapping) or (one is given and not isinstance(one, Iterable) and not _is_measure(one)):
            raise CallError(f"measures must be measures or their names, not {shown(one)}; {example}")
