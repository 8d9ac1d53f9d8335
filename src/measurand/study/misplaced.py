"""Arguments in the wrong place: measures where runs were expected, runs among measures, another tool's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from measurand.calls import FUNCTION_OF_A_MEASURE
from measurand.errors import CallError
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.measures.parse import check_no_measure, is_measure
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
        check_no_measure(given, name, usage)
    check_qrels(qrels, usage)
    check_runs(runs, usage)
    _check_grades(qrels, usage)


def _check_grades(qrels: object, usage: str) -> None:
    """Complain of scores of a run where grades are expected, as far as it can be told: by a first one such as 2.5."""
    inner = next(iter(qrels.values())) if isinstance(qrels, Mapping) else None
    first = next(iter(inner.values()), None) if isinstance(inner, Mapping) else None
    if isinstance(first, float) and not first.is_integer():
        raise CallError(f"qrels have whole numbers for grades, not {first!r}, which looks like a run's score; {usage}")


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
