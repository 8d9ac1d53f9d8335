"""Sentences about judged runs: the statement, and the scores under the measures that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from attrs import evolve, fields, has

from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.measures import Measure, parse
from measurand.scales.compounds import Compound, Statement, Under
from measurand.scales.constants import AcrossMeasures
from measurand.scales.correlations import Correlated
from measurand.scales.language import parse_statement
from measurand.scales.questions import Measured
from measurand.scores import Scores


@lru_cache(maxsize=1024)
def spelled_measure(text: str) -> str | None:
    """Return the canonical spelling of the measure that a text spells; None if it spells none.

    Parameters
    ----------
    text : str
        Any text.

    Examples
    --------
    >>> spelled_measure("ndcg_cut_10"), spelled_measure("exceeds")
    ('nDCG@10', None)
    """
    try:
        return repr(parse(text))
    except (ParameterError, ValueError):
        return None


def read_statement(text: str, measured: Measured) -> Statement:
    """Return the statement that a sentence makes about scores.

    Parameters
    ----------
    text : str
        The sentence.
    measured : Measured
        The scores by measure.
    """
    first = next(iter(measured.by_measure.values()))
    return parse_statement(
        text,
        first.systems,
        lower_is_better=measured.lower_is_better,
        topics=first.topics,
        measures=tuple(measured.by_measure),
        find_measure=spelled_measure,
    )


def under(statement: Statement, measure: str) -> Statement:
    """Return a statement with a measure for all of it that names none.

    Parameters
    ----------
    statement : Statement
        What is said.
    measure : str
        The measure.

    Examples
    --------
    >>> print(under(parse_statement("A > B and tau of P and R exceeds 0.5", ["A", "B"], measures=["P", "R"]), "AP"))
    mean of A exceeds mean of B under AP and tau of P and R exceeds 0.5
    """
    if isinstance(statement, Compound):
        return evolve(statement, parts=tuple(under(part, measure) for part in statement.parts))
    return statement if named_measures(statement) else Under(statement, measure)


def named_measures(statement: Any) -> tuple[str, ...]:
    """Return the measures that a statement names, each once.

    Parameters
    ----------
    statement : Statement
        What is said.

    Examples
    --------
    >>> named_measures(parse_statement("A > B under AP and tau of AP and R is 1", ["A", "B"], measures=["AP", "R"]))
    ('AP', 'R')
    """
    return tuple(dict.fromkeys(_named(statement)))


def _named(statement: Any) -> Iterator[str]:
    if isinstance(statement, Under):
        yield statement.measure
    if isinstance(statement, AcrossMeasures | Correlated):
        yield from (statement.x, statement.y)
    if isinstance(statement, tuple):
        for part in statement:
            yield from _named(part)
    elif has(type(statement)):
        for each in fields(type(statement)):
            yield from _named(getattr(statement, each.name))


def scored_statement(
    text: str,
    judged: JudgedRuns,
    *,
    measure: Measure | str | None = None,
    seen: Callable[[Measure], Measure] = lambda measure: measure,
) -> tuple[Statement, dict[str, Scores]]:
    """Return the statement that a sentence makes about judged runs, and the scores under the measures that it names.

    Parameters
    ----------
    text : str
        The sentence.
    judged : JudgedRuns
        The judged runs.
    measure : Measure or str, optional
        The measure of what names none.
    seen : callable, optional
        What is done with each measure before it is computed, such as to leave out unjudged documents.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    >>> statement, scores = scored_statement("s0 beats s1 under ndcg_cut_10", judged)
    >>> str(statement), scores["nDCG@10"].values.round(4).tolist()
    ('mean of s0 exceeds mean of s1 under nDCG@10', [[0.6131], [0.3869]])
    """
    computed: dict[str, Measure] = {}

    def find(name: str) -> str | None:
        canonical = spelled_measure(name)
        if canonical is None:
            return None
        found = seen(parse(canonical))
        computed.setdefault(repr(found), found)
        return repr(found)

    main = None if measure is None else find(str(measure))
    if measure is not None and main is None:
        parse(str(measure))

    def lower(name: str | None) -> bool:
        chosen = computed.get(name or main or "")
        return chosen is not None and chosen.lower_is_better

    statement = parse_statement(text, judged.systems, lower_is_better=lower, topics=judged.topics, find_measure=find)
    if main is not None:
        statement = under(statement, main)
    if not _complete(statement):
        raise ParameterError(f"{text!r} names no measure; end it with: under AP (or another), or name one with -m AP")
    return statement, {name: computed[name].scores(judged) for name in named_measures(statement)}


def _complete(statement: Statement) -> bool:
    """Return whether all of a statement names measures."""
    if isinstance(statement, Compound):
        return all(map(_complete, statement.parts))
    return bool(named_measures(statement))
