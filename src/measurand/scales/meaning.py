"""Meaning: which statements about scores survive every permissible rescaling, and what flips the others.

`check` decides a statement; `survives` tries many rescalings on a function. The sentences are in `language`; what they
say and how it is decided, in `statements` (with `averages`, `significance`), `spreads`, `constants`, `correlations`,
`significant_pairs` and `compounds`; rescalings in `transformations`, answers in `robustness`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.deprecated import moved
from measurand.errors import ParameterError
from measurand.execution import Rng
from measurand.judged import JudgedRuns
from measurand.measures import Measure, parse
from measurand.scale import Scale, as_scale
from measurand.scales.compounds import Best, Compound, Junction, OnTopic, Ranking, Statement, Under, question_of
from measurand.scales.constants import AcrossMeasures, Constant
from measurand.scales.correlations import Coefficient, Correlated
from measurand.scales.language import FORMS, GRAMMAR, parse_statement
from measurand.scales.questions import Measured, PerMeasure, Question, Readings, ScoresLike
from measurand.scales.robustness import (
    Answer,
    Decision,
    Meaning,
    MeanRobustness,
    TopicScales,
    fragile,
    mean_robustness,
    undecided,
)
from measurand.scales.scored_statements import read_statement, scored_statement
from measurand.scales.significant_pairs import SignificantPairs
from measurand.scales.spreads import Spread, Spreads
from measurand.scales.statements import Average, Averages, Differences, Number, Relation, Significant
from measurand.scales.transformations import Affine, Increasing, PerTopic, Power, Relabelling, Transformation
from measurand.scales.weighted_sums import random_rescalings
from measurand.statistics.multiple_comparisons import ALPHA, level
from measurand.verdict import How, Verdict

Claim = Callable[[FloatArray], bool]
"""Anything that is true or false of an array of scores."""

SAMPLES = 1000
"""So many random rescalings are tried on a statement that is a function."""

LARGEST = 1e150
"""Scores beyond this leave floats no room to be rescaled."""

Ask = Callable[[Readings], Meaning]
"""What answers under a reading: whether all topics share a scale, by measure."""

STATEMENTS = get_args(Statement)
"""The kinds of statements."""

__all__ = [
    "FORMS",
    "GRAMMAR",
    "AcrossMeasures",
    "Affine",
    "Answer",
    "Average",
    "Averages",
    "Best",
    "Coefficient",
    "Compound",
    "Constant",
    "Correlated",
    "Differences",
    "Increasing",
    "Junction",
    "MeanRobustness",
    "Meaning",
    "Number",
    "OnTopic",
    "PerMeasure",
    "PerTopic",
    "Power",
    "Ranking",
    "Relabelling",
    "Relation",
    "Significant",
    "SignificantPairs",
    "Spread",
    "Spreads",
    "Statement",
    "TopicScales",
    "Transformation",
    "Under",
    "check",
    "mean_robustness",
    "parse_statement",
    "survives",
]


def survives(
    statement: Claim, values: object, transformations: Iterable[Transformation | Callable[[FloatArray], FloatArray]]
) -> Verdict:
    """Return whether the truth of a statement is the same before and after every one of some transformations.

    Whether it is true does not matter. The witness is the first transformation that changes its truth.

    Parameters
    ----------
    statement : callable
        A function of an array that answers true or false.
    values : array-like
        The numbers that it is about.
    transformations : iterable of Transformation or callable
        Functions of an array; permissible ones, if the answer is to be about meaning.

    Examples
    --------
    >>> from measurand.scales.transformations import Affine
    >>> to_miles, to_fahrenheit = Affine(0.621371), Affine(1.8, 32)
    >>> twice = lambda values: values[0] == 2 * values[1]
    >>> bool(survives(twice, [20, 10], [to_miles])), bool(survives(twice, [20, 10], [to_fahrenheit]))
    (True, False)

    References
    ----------
    [Adams1965]_; [FerranteFerroFuhr2021]_, section III-D
    """
    array = np.array(values, dtype=np.float64)
    true = bool(statement(array.copy()))
    tried = 0
    for transformation in transformations:
        tried += 1
        if bool(statement(np.asarray(transformation(array.copy())))) != true:
            why = f"it is {str(true).lower()}, and {str(not true).lower()} after {transformation}"
            return Verdict(False, transformation, f"{tried} transformations", How.COUNTEREXAMPLE, why)
    return Verdict(True, None, f"{tried} transformations", How.SAMPLED)


def check(
    statement: Statement | str | Claim,
    scores: ScoresLike | JudgedRuns,
    *,
    scale: Scale | str | None = None,
    one_scale: bool | None = None,
    alpha: float = ALPHA,
    samples: int = SAMPLES,
    rng: Rng = 0,
    **options: Any,
) -> Meaning:
    """Return whether a statement about scores survives every permissible rescaling of the scale they are on.

    Whether the statement is true does not matter: it means something if no rescaling changes its truth.

    Parameters
    ----------
    statement : Statement, str or callable
        A sentence ("mean of A exceeds mean of B"), a statement, or a function of the scores (systems × topics) that
        answers true or false. Sentences (`GRAMMAR`) are decided wherever that can be done, and otherwise rescalings
        are tried on them, as on functions. In "A beats B" it is the scores that know whether lower is better.
    scores : Scores, Table, mapping of str to Scores, sequence of Scores, or JudgedRuns
        The scores of systems by topic, under one measure or several: what `md.evaluate` returns will do. A sentence
        that names measures (“… under AP”) is about these; one that names none is about the only one. Judged runs are
        scored by the measures that the sentence names.
    scale, one_scale : Scale or str, and bool, optional
        The scale, and whether all topics share it; by default those of the scores.
    alpha : float, default 0.05
        The level of significance where the statement has none.
    samples, rng : int, default 1000 and 0
        How many random rescalings a function is tried on, and where they come from.
    options : object
        What else the test of a statement about significance takes.

    Returns
    -------
    Meaning
        Robust, with the proof; fragile or not meaningful, with a rescaling that changes its truth; or undecided.
        `other` is the answer if topics had scales of their own where they share one, or shared one where not.

    Examples
    --------
    >>> from measurand.scores import Scores
    >>> wine = Scores(measure="sweetness", values=[[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]], systems=("A", "B"),
    ...               topics=tuple("12345"))
    >>> means = check("mean of A exceeds mean of B", wine)
    >>> str(means.answer), means.true, means.before
    ('fragile', True, (14.6, 14.2))
    >>> print(check("median of A exceeds median of B", wine).answer)
    robust
    >>> print(check("mean of A exceeds 14", wine).transformation)
    x → 0.5 x

    References
    ----------
    [Adams1965]_; [FerranteFerroFuhr2021]_, section III-D
    """
    if isinstance(scores, JudgedRuns):
        if not isinstance(statement, str):
            raise ParameterError("judged runs are scored by the measures of a sentence; a statement needs scores")
        taken = {"scale": scale, "one_scale": one_scale, "alpha": alpha, "samples": samples, "rng": rng, **options}
        named, found = scored_statement(statement, scores)
        return hinted(check(named, found, **taken), statement, scores, **taken)
    measured = Measured.of(scores, None if scale is None else as_scale(scale), alpha, options, rng)
    if isinstance(statement, str):
        statement = read_statement(statement, measured)
    _answerable(measured)
    readings = {m: each.one_scale if one_scale is None else one_scale for m, each in measured.by_measure.items()}
    others = {measure: not together for measure, together in readings.items()}
    # a rescaling that overflows is not finite, so it is passed over
    with np.errstate(all="ignore"):
        if isinstance(statement, STATEMENTS):
            if options and not _tests(statement):
                raise ParameterError(f"only statements about significance have options, such as {next(iter(options))}")
            question = question_of(statement, measured)
            return evolve(
                _decided(statement, question, measured, readings),
                other=_decided(statement, question, measured, others),
            )
        if not callable(statement):
            raise ParameterError(f"a statement is a sentence, a statement or a function, not {statement!r}")
        if options:
            raise ParameterError(f"only statements about significance have options, such as {next(iter(options))}")
        ask = _about_anything(statement, measured, samples, rng)
        return evolve(ask(readings), other=ask(others))


def hinted(
    found: Meaning,
    text: str,
    judged: JudgedRuns,
    *,
    measure: Measure | str | None = None,
    seen: Callable[[Measure], Measure] = lambda measure: measure,
    **options: Any,
) -> Meaning:
    """Return an undecided answer on graded judgments with what would decide it: binary relevance, or grades as numbers.

    Parameters
    ----------
    found : Meaning
        The answer.
    text : str
        The sentence.
    judged : JudgedRuns
        The judged runs.
    measure : Measure or str, optional
        The measure of what names none.
    seen : callable, optional
        What is done with each measure before it is computed.
    options : object
        The options of `check`.
    """
    weighing = [each for each in map(parse, found.measures) if each.weighs_grades]
    graded = judged.several_grades and judged.grade_scale is not Scale.RATIO
    if found.answer is not Answer.UNDECIDED or not graded or not weighing or options.get("scale") is not None:
        return found

    def binary(each: Measure) -> Measure:
        each = seen(each)
        return each(rel=1) if each.weighs_grades and "rel" in each.parameters() else each

    examples = [repr(binary(each)) for each in weighing if binary(each) != each]
    ways: dict[str, tuple[JudgedRuns, Callable[[Measure], Measure]]] = {}
    if examples:
        ways[f"rel=1 ({examples[0]})"] = judged, binary
    ways['--grade-scale ratio (in Python, grade_scale="ratio")'] = evolve(judged, grade_scale=Scale.RATIO), seen
    deciding = []
    for way, (runs, chosen) in ways.items():
        statement, scores = scored_statement(text, runs, measure=measure, seen=chosen)
        if _answer(statement, scores, **options) is not Answer.UNDECIDED:
            deciding.append(way)
    hint = f"Grades are taken as ordered only; it is decided with {' or with '.join(deciding)}." if deciding else ""
    return evolve(found, hint=hint)


def _answer(
    statement: Statement,
    scores: ScoresLike,
    *,
    one_scale: bool | None = None,
    alpha: float = ALPHA,
    rng: Rng = 0,
    **_: Any,
) -> Answer:
    """Return the answer under the reading that applies, with tests as they are by default."""
    measured = Measured.of(scores, None, alpha, {}, rng)
    readings = {m: each.one_scale if one_scale is None else one_scale for m, each in measured.by_measure.items()}
    with np.errstate(all="ignore"):
        return _decided(statement, question_of(statement, measured), measured, readings).answer


def _answerable(measured: Measured) -> None:
    level(measured.alpha)
    for scores in measured.by_measure.values():
        if not scores.topics:
            raise ParameterError("there are no topics, so there is nothing to be said about scores")
        if (np.abs(scores.values) > LARGEST).any():
            raise ParameterError(
                f"scores beyond {LARGEST:g} leave no room to be rescaled; divide all by the same number"
            )


def _tests(statement: object) -> bool:
    """Return whether a statement is about significance, or a part of it is."""
    if isinstance(statement, Compound):
        return any(map(_tests, statement.parts))
    if isinstance(statement, Under | OnTopic):
        return _tests(statement.statement)
    return isinstance(statement, Significant | SignificantPairs)


def _decided(statement: Statement, question: Question, measured: Measured, readings: Readings) -> Meaning:
    """Return the answer to a question, if topics share scales as `readings` say."""
    decision = question.decide(readings)
    if decision.answer is Answer.UNDECIDED:
        decision = _on_ordinal_scales(statement, question, measured, readings) or decision
    maps = question.maps_of(decision)
    after = () if maps is None else question.numbers(maps)
    found = _meaning(str(statement), decision, measured, question.measures, readings, question.numbers(), after)
    return evolve(found, times=question.times, remark=question.remark)


def _on_ordinal_scales(
    statement: Statement, question: Question, measured: Measured, readings: Readings
) -> Decision | None:
    """Return that a statement survives every increasing map, if so: the maps of stronger scales are among them."""
    scales = {measured.scale_of(measure) for measure in question.measures}
    if max(scales) <= Scale.ORDINAL or Scale.NOMINAL in scales:
        return None
    found = question_of(statement, evolve(measured, scale=Scale.ORDINAL)).decide(readings)
    return found if found.answer is Answer.ROBUST else None


def _about_anything(statement: Claim, measured: Measured, samples: int, rng: Rng) -> Ask:
    name = getattr(statement, "__name__", "the statement").replace("<lambda>", "the statement").replace("_", " ")
    measure = measured.measure(None)
    scores, scale = measured.scores(measure), measured.scale_of(measure)
    true = bool(statement(np.array(scores.values)))

    def ask(readings: Readings) -> Meaning:
        together = readings[measure]
        maps = random_rescalings(scores.values, scores.topics, scale, one_scale=together, many=samples, rng=rng)
        verdict = survives(statement, scores.values, maps)
        found: Transformation | None = verdict.witness
        tried = f"none of {verdict.checked} that were tried changes it"
        decision = undecided(true, tried) if found is None else fragile(true, found)
        return _meaning(name, decision, measured, (measure,), readings, (), ())

    return ask


def _meaning(
    sentence: str,
    decision: Decision,
    measured: Measured,
    measures: tuple[str, ...],
    readings: Readings,
    before: tuple[float, ...],
    after: tuple[float, ...],
) -> Meaning:
    scale = min(measured.scale_of(measure) for measure in measures)
    reading = TopicScales.ONE if all(readings[measure] for measure in measures) else TopicScales.EVERY
    scales = tuple(
        (measure, measured.scale_of(measure), TopicScales.ONE if readings[measure] else TopicScales.EVERY)
        for measure in measures
    )
    named = [f"{measure}: {kind} scores, {each}" for measure, kind, each in scales]
    return Meaning(
        holds=decision.answer is Answer.ROBUST,
        witness=decision.transformation,
        checked=f"{scale} scores, {reading}" if len(measures) == 1 else "; ".join(named),
        how=decision.how,
        argument=decision.certificate,
        statement=sentence,
        answer=decision.answer,
        true=decision.true,
        scale=scale,
        reading=reading,
        before=before,
        after=after,
        scales=scales,
    )


__getattr__ = moved(__name__, {"Reading": "measurand.scales.meaning.TopicScales"})
