"""The calls of pytrec_eval: `import measurand.compat.pytrec_eval as pytrec_eval`, and the script stays as it is.

Names, keys and numbers are those of pytrec_eval, which has trec_eval 9 inside: topics that run and judgments share,
scores compared as 32-bit floats, ties by document, last first. Its package need not be installed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import Any, TypeVar

import numpy as np
from attrs import frozen

from measurand.compat.judging import judged_run
from measurand.errors import InputError, ParameterError
from measurand.exact import rational
from measurand.judged import JudgedRuns, Judgments, Results
from measurand.measures import Measure, trec_names
from measurand.measures.around import innermost
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.interpolated_precision import InterpolatedPrecision, IPrec
from measurand.scores.scores import GEOMETRIC_FLOOR

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

NEWER = frozenset({"rbp", "rbp_resid", "unj"})
"""Names that trec_eval has from version 10 on, and pytrec_eval has not."""

ALWAYS_ZERO = ("runid", "relstring")
"""What are texts in trec_eval are zeros in pytrec_eval."""

ELEVEN_POINTS = "11pt_avg"

RECALL = "iprec_at_recall"

FAMILIES = (*trec_names.FAMILIES, *(name for name in (*ALWAYS_ZERO, ELEVEN_POINTS) if name not in trec_names.FAMILIES))
"""The names in the order in which they are answered."""

supported_measures: set[str] = set(FAMILIES) - NEWER
"""The names of measures, without their parameters."""

supported_nicknames: dict[str, set[str]] = {
    **{name: {"runid", *members} - NEWER for name, members in trec_names.NICKNAMES.items()},
    "all_trec": set(supported_measures),
}
"""Names for several measures at once."""


@frozen(kw_only=True, repr=False)
class _OldInterpolatedPrecision(InterpolatedPrecision):
    """Interpolated precision as trec_eval had it before version 10: another number of documents for a recall."""

    def needed(self, pool: Any) -> int:
        return int(float(self.recall) * pool.recall_base(self.rel) + 0.9)


class RelevanceEvaluator:
    """Scores of runs by topic under measures of trec_eval, as pytrec_eval returns them.

    Judgments are prepared once, for as many runs as there are.

    Parameters
    ----------
    query_relevance : mapping of str to mapping of str to int
        Grades by document, by topic. Topics without judgments are left out.
    measures : iterable of str
        Names of trec_eval's (`map`, `ndcg_cut_10`, `P.5,10`), or names for several (`official`).
    relevance_level : int, default 1
        The lowest grade that counts as relevant; nDCG takes grades as they are.
    judged_docs_only_flag : bool, default False
        Whether documents without judgment are removed before anything else.

    Raises
    ------
    ValueError
        If there is no measure of a name.
    TypeError
        If judgments are not whole numbers by document, by topic.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut.5,10"})
    >>> evaluator.evaluate({"q1": {"d1": 1.0, "d2": 2.0}, "q2": {"d1": 1.0}})
    {'q1': {'map': 0.5, 'ndcg_cut_5': 0.6309297535714575, 'ndcg_cut_10': 0.6309297535714575}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        if relevance_level <= 0:
            raise TypeError("Argument relevance_level should be positive.")
        seen = {"judged_only": True} if judged_docs_only_flag else {}
        self._measures = {name: _seen(each, relevance_level, seen) for name, each in _named(measures).items()}
        grades = {topic: _grades(topic, found) for topic, found in query_relevance.items() if len(found) > 0}
        self._judgments = Judgments.from_mapping(grades) if grades else None
        self._topics = frozenset(grades)
        self._level = relevance_level

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Return the values of all measures, by topic that the run and the judgments share.

        Parameters
        ----------
        scores : mapping of str to mapping of str to float
            Scores by document, by topic.

        Raises
        ------
        TypeError
            If these are not numbers by document, by topic.

        Examples
        --------
        >>> RelevanceEvaluator({"q1": {"d1": 1}}, {"recip_rank"}).evaluate({"q1": {"d1": 0.5}})
        {'q1': {'recip_rank': 1.0}}
        """
        if not scores:
            return {}
        if not isinstance(scores, Mapping):
            raise TypeError("Argument object scores should be of type dictionary.")
        _check_scores(scores)
        shared = {topic: scores[topic] for topic in scores if topic in self._topics}
        if not shared or self._judgments is None:
            return {}
        results = Results.from_mapping("run", shared) if any(shared.values()) else None  # type: ignore[arg-type]
        judged = judged_run(results, self._judgments, "single", "trec")
        place = {topic: number for number, topic in enumerate(judged.topics)}
        values = {name: _values(each, judged) for name, each in self._measures.items()}
        if "Rndcg" in values:
            # trec_eval looks at no topic on which nothing reaches the level
            relevant = judged.recall_bases(self._level).tolist()
            values["Rndcg"] = [value if n else 0.0 for value, n in zip(values["Rndcg"], relevant, strict=True)]
        rows = zip(*(values[name] for name in values), strict=True) if values else ((),) * len(judged.topics)
        by_place = [dict(zip(values, row, strict=True)) for row in rows]
        return {topic: by_place[place[topic]] for topic in shared}


def _values(measures: tuple[Measure, ...], judged: JudgedRuns) -> list[float]:
    """Return the value of every topic: the mean of one measure or several, its logarithm for geometric means."""
    if not measures:
        return [0.0] * len(judged.topics)
    several = [measure.scores(judged).values[0].tolist() for measure in measures]
    if len(measures) > 1:
        return [sum(row) / len(row) for row in zip(*several, strict=True)]
    if isinstance(measures[0], GeometricMean):
        return [log(max(value, GEOMETRIC_FLOOR)) for value in several[0]]
    found: list[float] = several[0]
    return found


def _named(measures: Iterable[str]) -> dict[str, tuple[Measure, ...]]:
    """Return measures by the keys that pytrec_eval has for them, in trec_eval's order."""
    wanted: dict[str, list[str]] = {}
    for name in measures:
        for member in supported_nicknames.get(name, {name}):
            family, parameters = _parts(member)
            # a family that is named with parameters has these alone
            wanted.setdefault(family, []).extend(filter(None, [parameters]))
    found: dict[str, tuple[Measure, ...]] = {}
    for family in (family for family in FAMILIES if family in wanted):
        found |= _family(family, ",".join(wanted[family]))
    return found


def _parts(name: str) -> tuple[str, str]:
    """Return the family of a name and its parameters, which may follow a dot or an underscore."""
    if name in FAMILIES:
        return name, ""
    for family in sorted(FAMILIES, key=len, reverse=True):
        if name.startswith((f"{family}.", f"{family}_")) and name[len(family) + 1 :][:1].isdigit():
            return family, name[len(family) + 1 :]
    raise ValueError(f"unsupported measure {name}")


def _family(family: str, parameters: str) -> dict[str, tuple[Measure, ...]]:
    """Return the measures of a family for some parameters, or for trec_eval's own."""
    if family in ALWAYS_ZERO:
        return {family: ()}
    if family == ELEVEN_POINTS:
        return {family: tuple(_old(IPrec @ rational(f"0.{tenth}" if tenth < 10 else "1")) for tenth in range(11))}
    known = trec_names.FAMILIES[family]
    # trec_eval ignores what a measure has no use for
    spelled = f"{family}.{parameters}" if parameters and (known.at or known.reads) else family
    try:
        named = trec_names.read(spelled)
    except ParameterError as error:
        raise ValueError(f"unsupported measure {spelled}: {error}") from None
    assert named is not None  # it begins with the name of a family
    # pytrec_eval prints no parameter where a measure has one value
    return {family if known.plain is not None else key: (_old(each),) for key, each in named}


def _old(measure: Measure) -> Measure:
    """Return a measure as trec_eval 9 has it."""
    return _OldInterpolatedPrecision(recall=measure.recall) if isinstance(measure, InterpolatedPrecision) else measure


def _seen(measures: tuple[Measure, ...], level: int, changes: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Return measures with the relevance level and the treatment of unjudged documents that were asked for."""
    return tuple(
        each(**changes, **({"rel": level} if innermost(each).parameters().get("rel") == 1 else {})) for each in measures
    )


def _grades(topic: object, found: object) -> dict[str, int]:
    """Return the grades of a topic, those below 0 as one: pooled, not judged."""
    if not isinstance(topic, str):
        raise TypeError("Expected string as key.")
    if not isinstance(found, Mapping):
        raise TypeError("Expected dictionary as value.")
    if not _all_strings(found):
        raise TypeError("Expected mapping of document id to query relevance or matching score.")
    if not all(issubclass(kind, int | np.integer) for kind in set(map(type, found.values()))):
        raise TypeError("Expected relevance to be integer.")
    return {document: max(int(grade), -1) for document, grade in found.items()}


def _check_scores(scores: Mapping[str, Mapping[str, float]]) -> None:
    for found in scores.values():
        if not isinstance(found, Mapping) or not _all_strings(found) or not _all_strings(scores):
            raise TypeError("Unable to extract query/object scores.")
        if not all(issubclass(kind, int | float | np.number) for kind in set(map(type, found.values()))):
            raise TypeError("Unable to extract query/object scores.")


def _all_strings(keys: Iterable[object]) -> bool:
    return all(issubclass(kind, str) for kind in set(map(type, keys)))


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """Return one number for the values of all topics: sums of counts, geometric means, or plain means.

    Parameters
    ----------
    measure : str
        The key: sums for those that begin with `num_`, geometric means for `gm_`.
    values : iterable of float
        The values, one a topic.

    Examples
    --------
    >>> compute_aggregated_measure("map", [0.25, 0.75]), compute_aggregated_measure("num_ret", [1000.0, 500.0])
    (0.5, 1500.0)
    """
    array = np.asarray(list(values), dtype=float)
    if measure.startswith("num_"):
        return float(array.sum())
    if not len(array):
        return float("nan")
    return exp(float(array.sum()) / len(array)) if measure.startswith("gm_") else float(array.mean())


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return scores by document, by topic, from the lines of a TREC run file.

    Parameters
    ----------
    f_run : iterable of str
        The lines: an open file, say.

    Examples
    --------
    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    return _parsed(f_run, ("topic", "Q0", "document", "rank", "score", "tag"), float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return grades by document, by topic, from the lines of a TREC judgment file.

    Parameters
    ----------
    f_qrel : iterable of str
        The lines: an open file, say.

    Examples
    --------
    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    return _parsed(f_qrel, ("topic", "0", "document", "grade"), int)


Number = TypeVar("Number", int, float)


def _parsed(lines: Iterable[str], columns: Sequence[str], number: type[Number]) -> dict[str, dict[str, Number]]:
    """Return the numbers in some lines, by document, by topic; complain of a line that has none."""
    found: dict[str, dict[str, Number]] = defaultdict(dict)
    place = columns.index("score" if number is float else "grade")
    for at, line in enumerate(lines, 1):
        parts = line.split()
        if len(parts) != len(columns):
            raise InputError(f"line {at} has {len(parts)} columns, not {len(columns)}: {', '.join(columns)}")
        if parts[2] in found[parts[0]]:
            raise InputError(f"line {at}: document {parts[2]} stands twice in topic {parts[0]}; keep one line")
        try:
            found[parts[0]][parts[2]] = number(parts[place])
        except ValueError:
            raise InputError(f"line {at}: {parts[place]!r} is no {columns[place]}; repair the line") from None
    return found
