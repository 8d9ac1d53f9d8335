"""Test vectors: small runs and judgments with the exact values of every measure, for authors of other tools.

They are made from the catalogue, so a new measure is in them without a line here. Where a value is a fraction it is
given as such; where it is not, its decimals come from an enclosure that leaves no doubt about the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from inspect import getdoc
from typing import Any

from attrs import frozen

from measurand.errors import MeasurandError
from measurand.exact import Certified, enclosure_of
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.measures import Measure, MeasureLike, parse
from measurand.measures.campaigns import with_campaign
from measurand.measures.catalogue import beside
from measurand.scores import Aggregation

VERSION = 1
"""The version of the format: it changes when a field changes its meaning or goes."""

DIGITS = 30
"""So many digits of a number that is no fraction are given."""

LONGEST = 400
"""Fractions with more bits below the line are given by their decimals alone."""

CONVENTIONS: Mapping[str, str] = {
    "ranking": "by score, highest first, compared as doubles; the rank column and the order of lines play no part",
    "equal scores": "by document id, descending, byte by byte; measures with on_weak_orders take the mean over all"
    " orders of equal scores, or are defined on them",
    "unjudged documents": "count as not relevant, unless judged_only is true: then they are removed first",
    "negative grades": "-1 is a document that was pooled and not judged; lower grades are judged not relevant",
    "missing topics": "a judged topic that the run leaves out is an empty result and counts in the mean",
    "topics without judgments": "are left out",
    "topics without relevant documents": "count in the mean, with the value given",
    "no cutoff": "N or k of a definition, where no cutoff is given, is the length of the longest ranking of a judged"
    " topic of the case, unjudged documents included",
    "highest grade": "gmax, where nothing is given, is the highest grade of all judgments of the case",
    "number of ranks": "N, without a cutoff, is the length of the longest ranking of the case, before documents are"
    " removed; shorter rankings end in ranks where nothing stands",
}
"""What holds for all values of the file."""


@frozen(eq=False)
class Case:
    """A small run with judgments.

    Parameters
    ----------
    name, about
        What it is called, and what it shows.
    qrels
        Judgments: topic, document and grade, a word each.
    run
        What a system returned: topic, document, rank and score.
    """

    name: str
    about: str
    qrels: Sequence[str]
    run: Sequence[str]

    @property
    def qrels_lines(self) -> list[str]:
        """The judgments as lines of a TREC file."""
        return [f"{topic} 0 {document} {grade}" for topic, document, grade in map(str.split, self.qrels)]

    @property
    def run_lines(self) -> list[str]:
        """The run as lines of a TREC file."""
        return [
            f"{topic} Q0 {document} {rank} {score} run" for topic, document, rank, score in map(str.split, self.run)
        ]

    def judged(self) -> JudgedRuns:
        """Return the judged run."""
        scores: dict[str, dict[str, float]] = {}
        for topic, document, _, score in map(str.split, self.run):
            scores.setdefault(topic, {})[document] = float(score)
        grades: dict[str, dict[str, int]] = {}
        for topic, document, grade in map(str.split, self.qrels):
            grades.setdefault(topic, {})[document] = int(grade)
        return judge(Results.from_mapping("run", scores), Judgments.from_mapping(grades))


CASES = (
    Case(
        "plain",
        "one topic, relevant or not, all retrieved documents judged, one relevant document not retrieved",
        ("1 a 1", "1 b 0", "1 c 1", "1 d 0", "1 e 1", "1 f 0"),
        ("1 a 1 5", "1 b 2 4", "1 c 3 3", "1 d 4 2"),
    ),
    Case(
        "graded",
        "grades from 0 to 3 on two topics",
        ("1 a 3", "1 b 0", "1 c 2", "1 d 1", "1 e 3", "1 f 2", "2 a 0", "2 b 1", "2 c 2", "2 d 0"),
        ("1 a 1 0.9", "1 b 2 0.8", "1 c 3 0.7", "1 d 4 0.6", "2 a 1 3.5", "2 b 2 2.5", "2 c 3 1.5", "2 d 4 0.5"),
    ),
    Case(
        "ties",
        "equal scores: their order is by document id, descending, so the relevant document a comes last of three",
        ("1 a 1", "1 b 0", "1 c 0", "1 d 1", "2 x 2", "2 y 0", "2 z 1"),
        ("1 a 1 2", "1 b 2 2", "1 c 3 2", "1 d 4 1", "2 x 1 1", "2 y 2 1", "2 z 3 1"),
    ),
    Case(
        "close scores",
        "scores that are equal in single precision and different in double precision",
        ("1 a 1", "1 b 0"),
        ("1 a 1 0.922262145375258", "1 b 2 0.922262145"),
    ),
    Case(
        "order of lines",
        "neither the order of the lines nor the rank column is that of the scores, and topics are mixed",
        ("1 a 1", "1 b 0", "1 c 2", "2 a 0", "2 b 1"),
        ("1 b 1 1", "2 a 1 7", "1 a 2 2", "2 b 2 8", "1 c 3 3"),
    ),
    Case(
        "missing topic",
        "topic 3 is judged and not in the run, topic 9 is in the run and not judged",
        ("1 a 1", "2 a 0", "2 b 1", "3 a 1"),
        ("1 a 1 2", "2 a 1 2", "2 b 2 1", "9 a 1 1"),
    ),
    Case(
        "unjudged",
        "documents u and v are not judged",
        ("1 a 1", "1 b 0", "1 c 2", "1 d 1"),
        ("1 u 1 5", "1 a 2 4", "1 b 3 3", "1 v 4 2", "1 c 5 1"),
    ),
    Case(
        "no relevant",
        "topic 2 has judgments, and no relevant document",
        ("1 a 1", "1 b 0", "2 a 0", "2 b 0"),
        ("1 a 1 2", "1 b 2 1", "2 a 1 2", "2 b 2 1"),
    ),
    Case(
        "negative grades",
        "grade -1 is pooled and not judged, grade -2 is judged not relevant",
        ("1 a -2", "1 b 1", "1 c 0", "1 d -1", "1 e 2"),
        ("1 a 1 5", "1 d 2 4", "1 b 3 3", "1 c 4 2", "1 e 5 1"),
    ),
    Case(
        "short ranking",
        "two documents are retrieved, fewer than every cutoff, and five are relevant",
        ("1 a 1", "1 b 1", "1 c 1", "1 d 1", "1 e 1", "1 f 0"),
        ("1 a 1 2", "1 f 2 1"),
    ),
    Case(
        "perfect",
        "all relevant documents, best first, and nothing else",
        ("1 a 2", "1 b 1", "1 c 0"),
        ("1 a 1 2", "1 b 2 1"),
    ),
)
"""The runs and judgments."""

REFUSED: tuple[Mapping[str, Any], ...] = (
    {
        "name": "duplicate document",
        "why": "a topic of the run has a document twice",
        "qrels": ["1 0 a 1", "1 0 b 0"],
        "run": ["1 Q0 a 1 9 run", "1 Q0 b 2 8 run", "1 Q0 a 3 1 run"],
    },
    {
        "name": "duplicate judgment",
        "why": "a document of a topic is judged twice, differently",
        "qrels": ["1 0 a 1", "1 0 a 0"],
        "run": ["1 Q0 a 1 9 run"],
    },
    {
        "name": "score that is no number",
        "why": "a score is not a number",
        "qrels": ["1 0 a 1"],
        "run": ["1 Q0 a 1 nan run"],
    },
    {
        "name": "no common topic",
        "why": "no topic of the run is judged",
        "qrels": ["1 0 a 1"],
        "run": ["2 Q0 a 1 9 run"],
    },
)
"""Input that has no value: a tool must refuse it."""

_FORMULA = re.compile(r"^\.\. math::(.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)

_VARIANTS: tuple[Mapping[str, Any], ...] = (
    {},
    {"cutoff": 3},
    {"cutoff": 10},
    {"rel": 2},
    {"judged_only": True},
    {"gain": "exp2"},
    {"b": 2},
    {"p": "1/2"},
    {"beta": 2},
    {"gmax": 4},
)
"""Which parameters of a measure are changed, one at a time; those that it does not have are passed over."""


def variants(measure: Measure) -> list[Measure]:
    """Return a measure as it is and with parameters changed, each once.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> variants(AP)
    [AP, AP@3, AP@10, AP(rel=2), AP(judged_only=True)]
    """
    found: dict[Measure, None] = {}
    for changes in _VARIANTS:
        if changes.keys() <= measure.parameters().keys():
            try:
                found[measure(**changes)] = None
            except MeasurandError:
                continue  # a measure may refuse what others of its parameters contradict
    return list(found)


def vectors(measures: Iterable[MeasureLike] | None = None) -> dict[str, Any]:
    """Return the test vectors, ready for JSON; the same at every call.

    Parameters
    ----------
    measures
        The measures; by default all of the catalogue.

    Examples
    --------
    >>> made = vectors(["AP", "nDCG"])
    >>> [case["name"] for case in made["cases"]][:3], made["version"]
    (['plain', 'graded', 'ties'], 1)
    >>> made["measures"][0]["parameters"]
    {'cutoff': None, 'judged_only': False, 'rel': 1}
    >>> values = made["cases"][0]["values"]
    >>> next(each for each in values if each["measure"] == "AP")["topics"]["1"]
    {'exact': '5/9', 'decimal': '0.555555555555555555555555555556'}
    """
    from measurand import __version__

    named = (measure for _, measure in sorted(beside().items(), key=lambda item: (item[0].lower(), item[0])))
    chosen = [each for measure in (named if measures is None else map(parse, measures)) for each in variants(measure)]
    return {
        "format": "measurand test vectors",
        "version": VERSION,
        "made_by": f"measurand {__version__}",
        "conventions": dict(CONVENTIONS),
        "measures": [_described(measure) for measure in chosen],
        "cases": [_case(case, chosen) for case in CASES],
        "refused": [dict(each) for each in REFUSED],
    }


def _described(measure: Measure) -> dict[str, Any]:
    """Return what a measure is: its parameters, its formula, and how topics are averaged."""
    documented = getdoc(type(measure)) or ""
    formula = _FORMULA.search(documented)
    return {
        "measure": repr(measure),
        "name": measure.name,
        "parameters": {name: _parameter(value) for name, value in measure.parameters().items()},
        "definition": documented.partition("\n")[0],
        "formula": " ".join(formula[1].split()) if formula else None,
        "reference": measure.reference,
        "averaged_by": str(measure.aggregation),
        "on_weak_orders": bool(measure.on_weak_orders),
        "lower_is_better": bool(measure.lower_is_better),
    }


def _parameter(value: Any) -> Any:
    """Return a parameter for JSON: numbers that are not whole as fractions, tables of gains as lists."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple):
        return [_parameter(part) for part in value]
    return repr(value) if isinstance(value, Measure) else str(value)


def _case(case: Case, chosen: Sequence[Measure]) -> dict[str, Any]:
    """Return a case with the values of all measures."""
    judged = case.judged()
    cells = {topic: [None if cell < 0 else cell for cell in judged.run("run", topic)] for topic in judged.topics}
    return {
        "name": case.name,
        "about": case.about,
        "qrels": case.qrels_lines,
        "run": case.run_lines,
        "grades_by_rank": cells,
        "values": [value for measure in chosen for value in _values(measure, judged)],
    }


def _values(measure: Measure, judged: JudgedRuns) -> Iterator[dict[str, Any]]:
    """Return the values of a measure on all topics and their mean; nothing where the measure refuses the data."""
    try:
        scores = measure.scores(judged)
        exact = [_exact(measure, judged, place) for place in range(len(judged.topics))]
    except MeasurandError:
        return
    floats = scores.values[0].tolist()
    topics = {topic: _number(value, number) for topic, value, number in zip(judged.topics, exact, floats, strict=True)}
    yield {"measure": repr(measure), "topics": topics, "overall": _overall(measure, exact, float(scores.mean()[0]))}


def _exact(measure: Measure, judged: JudgedRuns, place: int) -> Any:
    """Return the exact value on a topic; None where it is a mean over orders of equal scores."""
    if measure.on_weak_orders and judged.ties is not None and judged.ties.bits[0, place].any():
        return None
    known = with_campaign(measure, judged)
    return known.exact(known.view(judged.row(0, place)), judged.pools[place])


def _overall(measure: Measure, exact: Sequence[Any], number: float) -> dict[str, Any]:
    """Return what the values of topics are averaged to, or their sum for measures that count."""
    if measure.aggregation is Aggregation.GEOMETRIC or any(value is None for value in exact):
        return _number(None, number)
    n = 1 if measure.aggregation is Aggregation.SUM else len(exact)
    if all(isinstance(value, int | Fraction) for value in exact):
        return _number(Fraction(sum(exact, Fraction(0)), n), number)
    return {"exact": None, "decimal": _rounded(exact, n)}


def _number(exact: Any, number: float) -> dict[str, Any]:
    """Return a number for JSON: the fraction where it is one, and its decimals."""
    if exact is None:
        return {"exact": None, "decimal": format(number, ".15g")}
    if isinstance(exact, Certified):
        return {"exact": None, "decimal": _rounded([exact], 1)}
    fraction = Fraction(exact)
    short = fraction.denominator.bit_length() <= LONGEST
    return {"exact": str(fraction) if short else None, "decimal": _rounded([fraction], 1)}


def _rounded(values: Sequence[Any], n: int) -> str:
    """Return the sum of exact numbers, divided by n, to so many digits that are certain."""
    rational = [Fraction(value) for value in values if not isinstance(value, Certified)]
    if len(rational) == len(values):
        total = sum(rational, Fraction(0)) / n
        return _plain(Context(prec=DIGITS).divide(Decimal(total.numerator), Decimal(total.denominator)))
    context = Context(prec=4 * DIGITS, rounding=ROUND_HALF_EVEN)
    for digits in (2 * DIGITS, 3 * DIGITS):
        ends = [Decimal(0), Decimal(0)]
        for value in values:
            ends = [context.add(end, part) for end, part in zip(ends, enclosure_of(value, digits), strict=True)]
        low, high = (_plain(Context(prec=DIGITS).divide(end, Decimal(n))) for end in ends)
        if low == high:
            return low
    return low


def _plain(number: Decimal) -> str:
    """Return a decimal without an exponent, and without zeros at its end."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
