"""Calls: complaints about names of parameters, options and attributes that there are not, with what was meant.

Somebody who knows ir_measures, ranx, trec_eval or scipy types their words first. `PARAMETERS`, `ATTRIBUTES` and
`FUNCTIONS` have ours for these.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from measurand.errors import CallError, ParameterError, quoted

Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "measures": ("metrics", "metric", "measure", "eval_metrics", "metric_names", "m"),
    "measure": ("metric", "measures", "metrics"),
    "runs": ("run", "systems", "results", "rankings", "run_file", "run_files", "run_dict", "sources", "source"),
    "qrels": ("qrel", "judgments", "judgements", "gold", "truth", "ground_truth", "qrel_file", "qrels_file", "labels"),
    "source": ("path", "file", "filename", "data", "run", "qrels", "df", "frame", "sources"),
    "sources": ("path", "paths", "file", "files", "runs", "run", "source"),
    "queries": ("query_file", "queries_file", "query_texts", "topic_texts", "texts", "topics_file"),
    "depth": ("cutoff", "cut", "k", "n", "topk", "top_k", "rank_cutoff", "max_rank", "level"),
    "grades": ("levels", "n_grades", "max_rel", "relevance_levels"),
    "alpha": ("max_p", "p", "p_value", "pvalue", "threshold", "significance", "significance_level"),
    "test": ("stat_test", "statistical_test", "method", "stat", "tests"),
    "tests": ("stat_test", "test"),
    "adjust": ("correction", "adjustment", "p_adjust", "multiple_testing", "multipletests", "multitest"),
    "baseline": ("baseline_name", "base", "reference", "control", "ref"),
    "draws": ("n_permutations", "permutations", "n_resamples", "resamples", "n_samples", "iterations"),
    "rng": ("seed", "random_seed", "random_state"),
    "executor": ("n_jobs", "num_workers", "workers", "threads", "pool", "parallel", "jobs", "processes"),
    "workers": ("n_jobs", "num_workers", "executor", "threads", "pool", "parallel", "jobs", "processes", "cores"),
    "progress": ("show_progress", "verbose", "tqdm"),
    "ties": ("tie", "tie_breaking", "tiebreak", "tie_break"),
    "missing_topics": ("complete", "missing", "make_comparable", "fill", "missing_queries"),
    "precision": ("dtype",),
    "grade_scale": ("scale",),
    "names": ("labels", "name", "name_by", "run_names", "system_names"),
    "name": ("label", "tag", "run_name", "run_tag", "system"),
    "collection": ("collection_size", "num_docs", "n_docs", "documents"),
    "collection_size": ("collection", "num_docs", "n_docs"),
    "norm": ("normalization", "normalisation", "normalize"),
    "method": ("kind", "algorithm", "fusion", "fusion_method"),
    "path": ("output", "file", "filename", "out", "to"),
    "recall_base": ("num_rel", "n_relevant", "R"),
    "a": ("system_a", "one", "x", "first"),
    "b": ("system_b", "other", "y", "second"),
}
"""What others call our parameters, and the options of the command line."""

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "to_pandas": (
        *("df", "to_df", "to_dataframe", "as_dataframe", "dataframe", "as_pandas", "to_frame", "frame"),
        *("per_query", "per_topic", "by_query", "by_topic", "to_csv", "to_excel"),
    ),
    "per_topic": ("per_query", "by_query", "by_topic", "pivot", "wide", "to_wide"),
    "to_dict": ("to_json", "json", "as_dict", "dict"),
    "to_latex": ("latex", "to_tex"),
    "plot": ("chart", "figure", "draw", "show"),
    "pairs": ("pvalues", "p_values", "pvalue", "p_value", "p", "comparisons", "significant", "significance"),
    "pvalues": ("p_values", "pvalue", "p_value", "p"),
    "mean": ("means", "average", "averages", "aggregate"),
    "systems": ("runs", "run_names", "system_names"),
    "topics": ("queries", "qids", "query_ids"),
    "measures": ("metrics", "metric_names"),
    "caveats": ("warnings", "notes"),
}
"""What others call attributes and methods of our results."""

FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "evaluate": ("calc_aggregate", "iter_calc", "calc", "evaluator", "relevanceevaluator", "score", "eval"),
    "evaluate_without_judgments": ("without_judgments", "pseudo_qrels", "pseudo_judgments", "pseudo_evaluate"),
    "topic_difficulty": ("query_performance_prediction", "qpp", "query_difficulty", "difficulty", "predict_difficulty"),
    "parse": ("parse_measure", "parse_trec_measure", "parse_metric", "measure_from_name"),
    "read_qrels": ("read_trec_qrels", "load_qrels", "parse_qrel", "parse_qrels"),
    "read_queries": ("load_queries", "read_topics", "load_topics", "read_trec_topics"),
    "read_run": ("read_trec_run", "load_run", "parse_run"),
    "read_runs": ("load_runs", "read_trec_runs"),
    "compare": ("significance", "ttest", "experiment", "comparison"),
    "define": ("define_measure", "define_byquery", "custom_measure", "make_measure"),
    "explain": ("which_convention", "diagnose", "reconcile"),
    "fuse": ("fusion_method", "rrf", "interpolate"),
    "gate": ("regression", "regress", "check", "guard", "quality_gate"),
    "simulate": ("simulation", "which_test", "type_one_error"),
    "tie_effect": ("tie_effects", "ties"),
    "write_report": ("report", "save_report"),
    "report": ("html", "write_report"),
    "JudgedRuns": ("judged_runs",),
}
"""What others call our functions, and the commands of the command line."""


_EVALUATE = 'evaluate("qrels.txt", ["a.run", "b.run"], ["nDCG@10", "AP"])'

EXAMPLES: Mapping[str, str] = {
    **dict.fromkeys(("evaluate", "read_qrels", "read_run", "read_runs"), _EVALUATE),
    "compare": (
        'compare("qrels.txt", ["a.run", "b.run"], "nDCG@10", adjust="holm")'
        '.to_pandas()[["system", "against", "difference", "p_corrected"]]'
    ),
    "gate": 'gate("qrels.txt", "main.run", "candidate.run", "nDCG@10", max_drop=0.02)',
    "levels": 'levels(judge(["a.run", "b.run"], "qrels.txt"), "a", "b")',
    "levels_matrix": 'levels_matrix(judge(["a.run", "b.run", "c.run"], "qrels.txt"))',
    "margins": 'margins(judge(["a.run", "b.run"], "qrels.txt"), "nDCG@10", "a", "b")',
    "margins_matrix": 'margins_matrix(judge(["a.run", "b.run", "c.run"], "qrels.txt"), "nDCG@10")',
    "define": 'define(lambda grades: sum(grades[:3]) / 3, name="Mine")',
}
"""Whole calls, for whoever has the name of a function and not yet the rest."""

PER_TOPIC = 'evaluate("qrels.txt", ["a.run", "b.run"], "nDCG@10").per_topic()'
"""Where the scores of topics are, which other tools keep elsewhere."""

UNNEEDED: Mapping[str, str] = dict.fromkeys(
    ("return_mean", "return_std", "save_results_in_run"), f"{PER_TOPIC} is a pandas frame of topics × systems"
)
"""Parameters of other tools that are not needed here, and why."""

FUNCTION_OF_A_MEASURE = (
    "the function takes the grades of the documents, first rank first, such as (2, 0, 1), unjudged ones as 0"
)
"""What the function of a measure is given."""

BOUND = {"self", "cls"}
"""Parameters that nobody writes: Python puts in what a method belongs to."""


def nearest(word: str, known: Iterable[str], others: Mapping[str, Collection[str]] | None = None) -> str | None:
    """Return which of some names is meant by a word, or None if none is near.

    Parameters
    ----------
    word : str
        What was written.
    known : iterable of str
        The names that there are.
    others : mapping of str to collections of str, optional
        What else these names are called.

    Examples
    --------
    >>> nearest("metrics", ["qrels", "runs", "measures"], PARAMETERS), nearest("trek", ["trec", "file"])
    ('measures', 'trec')
    >>> nearest("colour", ["trec", "file"]) is None
    True
    """
    names = list(known)
    plain = word.lower()
    called = [name for name in names if plain == name.lower() or plain in (others or {}).get(name, ())]
    # a word that means something else elsewhere is no slip
    meant = called or any(plain in each for each in (others or {}).values())
    return next(iter(called if meant else alike(word, names)), None)


def alike(word: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Return which names have nearly the letters of a word, the nearest first; case does not matter.

    Parameters
    ----------
    word : str
        What was written.
    known : iterable of str
        The names that there are.
    n : int, default 3
        How many are returned at most.

    Examples
    --------
    >>> alike("BM-25", ["bm25", "dense", "bm25f"])
    ['bm25', 'bm25f']
    """
    from difflib import get_close_matches

    by_letters: dict[str, str] = {}
    for name in known:
        by_letters.setdefault(name.lower(), name)
    return [by_letters[each] for each in get_close_matches(word.lower(), by_letters, n=n)]


def option(name: str, value: object, known: Iterable[str], also: str = "") -> str:
    """Return the value of an option, or complain with the values that there are and the nearest one.

    Parameters
    ----------
    name : str
        The name of the option.
    value : object
        What was given.
    known : iterable of str
        The values that it can have.
    also : str, optional
        What else it can be, in words.

    Examples
    --------
    >>> option("ties", "file", ["trec", "file"])
    'file'
    >>> option("ties", "trek", ["trec", "file"])
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: ties must be one of 'trec', 'file', not 'trek'; did you mean 'trec'?
    """
    names = [str(each) for each in known]
    if isinstance(value, str) and value in names:
        return str(value)
    close = nearest(value, names) if isinstance(value, str) else None
    hint = f"; did you mean {close!r}?" if close else f"; write {name}={names[0]!r}"
    shown = repr(str(value)) if isinstance(value, StrEnum) else quoted(value)
    rest = f", or {also}" if also else ""
    raise ParameterError(f"{name} must be one of {', '.join(map(repr, names))}{rest}, not {shown}{hint}")


def truth(name: str, value: object) -> bool:
    """Return the value of a switch, or complain that it is neither True nor False.

    Parameters
    ----------
    name : str
        The name of the parameter.
    value : object
        What was given.

    Examples
    --------
    >>> truth("strict", True)
    True
    >>> truth("strict", "yes")
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: strict must be True or False, not 'yes'; write strict=True
    """
    if type(value).__name__ in ("bool", "bool_") or (type(value) is int and value in (0, 1)):
        return bool(value)
    raise ParameterError(f"{name} must be True or False, not {quoted(value)}; write {name}=True")


class Default(str):
    """The value of an option if nothing was said, equal to the same value where it was said.

    Examples
    --------
    >>> Default("t") == "t", isinstance("t", Default)
    (True, False)
    """

    __slots__ = ()


def explains_calls(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Return a function that says in one line what is wrong with the names and the number of its arguments.

    Its signature and its documentation stay those of the function.

    Parameters
    ----------
    function : callable
        The function, whose parameters all have names.

    Examples
    --------
    >>> @explains_calls
    ... def fetch(qrels, runs, measures=None):
    ...     return 1
    >>> fetch("qrels.txt", "bm25.run", metrics=["AP"])
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: fetch has no parameter 'metrics'; did you mean measures?
    >>> fetch("qrels.txt")
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: fetch needs runs; call it as fetch(qrels, runs, measures)
    """
    # at the first call, since many functions are defined and few are called; finding it takes longer than to bind
    signature = cache(lambda: inspect.signature(function))

    @wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Outcome:
        try:
            signature().bind(*args, **kwargs)
        except TypeError:
            raise CallError(_complaint(function.__name__, signature(), args, kwargs)) from None
        return function(*args, **kwargs)

    return call


def _complaint(name: str, signature: inspect.Signature, args: tuple[object, ...], kwargs: Mapping[str, object]) -> str:
    """Return what is wrong with a call."""
    parameters = {each: one for each, one in signature.parameters.items() if each not in BOUND}
    facts = [each for each, one in parameters.items() if one.kind is one.VAR_KEYWORD]
    by_place = [each for each, one in parameters.items() if one.kind is not one.KEYWORD_ONLY and each not in facts]
    by_name = [f"{each}=…" for each, one in parameters.items() if _is_needed(one) and each not in by_place]
    usage = f"{name}({', '.join([*by_place, *by_name])})"
    strange = [each for each in kwargs if each not in parameters]
    if strange:
        close = [near for each in strange if (near := nearest(each, parameters, PARAMETERS))]
        unneeded = [UNNEEDED[each] for each in strange if each in UNNEEDED]
        if len(unneeded) == len(strange):
            return f"{name} has no parameter {', '.join(map(repr, strange))}; {unneeded[0]}"
        hint = f"did you mean {', '.join(close)}?" if len(close) == len(strange) else f"it has {', '.join(parameters)}."
        return f"{name} has no parameter {', '.join(map(repr, strange))}; {hint}{for_example(name)}"
    n = len(args) - len(signature.parameters.keys() & BOUND)
    if n > len(by_place):
        named = next((each for each in parameters if each not in by_place), None)
        hint = f"; name the others, such as {named}=…" if named else ""
        return f"{name} takes at most {len(by_place)} arguments by place, as in {usage}, not {n}{hint}"
    twice = next((each for each in by_place[:n] if each in kwargs), None)
    if twice is not None:
        return f"{name} got {twice} twice, by place and by name; call it as {usage}"
    needed = [each for each, one in parameters.items() if _is_needed(one) and each not in kwargs]
    missing = [each for each in needed if each not in by_place[:n]]
    return f"{name} needs {' and '.join(missing)}; call it as {usage}"


def for_example(name: str) -> str:
    """Return a whole call of a function, to be put after a hint; nothing where there is no need of one.

    Parameters
    ----------
    name : str
        The name of the function.

    Examples
    --------
    >>> for_example("define")
    ' For example: define(lambda grades: sum(grades[:3]) / 3, name="Mine")'
    """
    return f" For example: {EXAMPLES[name]}" if name in EXAMPLES else ""


def _is_needed(parameter: inspect.Parameter) -> bool:
    several = (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    return parameter.default is parameter.empty and parameter.kind not in several
