"""Arguments in the wrong place: measures where runs were expected, runs among measures, another tool's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from measurand.calls import FUNCTION_OF_A_MEASURE
from measurand.errors import CallError
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.measures.parse import check_no_measure, is_measure
from measurand.trec.sources import check_qrels, check_runs, shown

HIGHEST_USUAL = 4
"""Grades of campaigns are rarely above this, and scores of runs rarely whole numbers up to it."""


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
        check_no_measure(given, name, usage)
    check_qrels(qrels, usage)
    check_runs(runs, usage)
    _check_order(qrels, runs, usage)


def _check_order(qrels: object, runs: object, usage: str) -> None:
    """Complain of a run in the place of qrels and qrels in that of the run, as far as their first topics show it."""
    values, others = (_first_values(given) for given in (qrels, runs))
    fraction = next((value for value in values if isinstance(value, float) and not value.is_integer()), None)
    graded = others and all(isinstance(value, int) and -HIGHEST_USUAL <= value <= HIGHEST_USUAL for value in others)
    if fraction is not None and graded:
        found = f"{fraction!r} where grades are expected and {others[0]!r} where scores are"
        raise CallError(f"qrels come first: {found} look like a run and qrels in each other's place; {usage}")


def _first_values(given: object) -> list[object]:
    """Return the values of the first topic of a dictionary."""
    inner = next(iter(given.values()), None) if isinstance(given, Mapping) else None
    return list(inner.values()) if isinstance(inner, Mapping) else []


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
        if callable(one) and not is_measure(one):
            called = getattr(one, "__name__", "it")
            name = called if called.isidentifier() else "Mine"
            made = f"define({called if called.isidentifier() else '…'}, name={name!r})"
            raise CallError(f"{called} is a function; make a measure of it: {made}; {FUNCTION_OF_A_MEASURE}")
        if isinstance(one, Mapping) or (one is given and not isinstance(one, Iterable) and not is_measure(one)):
            raise CallError(f"measures must be measures or their names, not {shown(one)}; {example}")
