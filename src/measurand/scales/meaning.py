"""Meaning: which statements about scores survive every permissible rescaling, and what flips the others.

`check` decides a statement; `survives` tries many rescalings on a statement of any kind. Statements and the sentences
that spell them are in `statements`, rescalings in `transformations`, answers in `robustness`; `averages` and
`significance` decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.deprecated import moved
from measurand.errors import ParameterError
from measurand.execution import Rng
from measurand.scale import Scale, as_scale
from measurand.scales.averages import Claimed, decide_average
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
from measurand.scales.significance import Asked, decide_significance
from measurand.scales.statements import (
    FORMS,
    Average,
    Averages,
    Differences,
    Relation,
    Significant,
    Statement,
    parse_statement,
)
from measurand.scales.transformations import Affine, Increasing, PerTopic, Power, Relabelling, Transformation
from measurand.scales.weighted_sums import random_rescalings
from measurand.scores import Scores, place_of
from measurand.statistics.multiple_comparisons import ALPHA, level
from measurand.statistics.registry import find_test
from measurand.verdict import How, Verdict

Claim = Callable[[FloatArray], bool]
"""Anything that is true or false of an array of scores."""

SAMPLES = 1000
"""So many random rescalings are tried on a statement that is a function."""

LARGEST = 1e150
"""Scores beyond this leave floats no room to be rescaled."""

Ask = Callable[[bool], Meaning]
"""What answers under a reading: whether all topics share a scale."""

__all__ = [
    "FORMS",
    "Affine",
    "Answer",
    "Average",
    "Averages",
    "Differences",
    "Increasing",
    "MeanRobustness",
    "Meaning",
    "PerTopic",
    "Power",
    "Relabelling",
    "Relation",
    "Significant",
    "Statement",
    "TopicScales",
    "Transformation",
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
    scores: Scores,
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
        answers true or false. Sentences are decided wherever that can be done; functions are tried on many random
        rescalings. In "A beats B" it is the scores that know whether lower is better.
    scores : Scores
        The scores of systems by topic.
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
    >>> wine = Scores(measure="sweetness", values=[[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]], systems=("A", "B"),
    ...               topics=tuple("12345"))
    >>> means = check("mean of A exceeds mean of B", wine)
    >>> str(means.answer), means.true, means.before
    ('fragile', True, (14.6, 14.2))
    >>> print(check("median of A exceeds median of B", wine).answer)
    robust

    References
    ----------
    [Adams1965]_; [FerranteFerroFuhr2021]_, section III-D
    """
    if not isinstance(scores, Scores):
        raise ParameterError("statements are about scores, such as parse('AP').scores(judged) or Scores(…)")
    kind = scores.scale if scale is None else as_scale(scale)
    together = scores.one_scale if one_scale is None else one_scale
    if isinstance(statement, str):
        statement = parse_statement(statement, scores.systems, lower_is_better=scores.lower_is_better)
    _answerable(scores, alpha)
    if options and not isinstance(statement, Significant):
        raise ParameterError(f"only statements about significance have options, such as {next(iter(options))}")
    if isinstance(statement, Averages | Differences):
        ask = _about_averages(statement, scores, kind)
    elif isinstance(statement, Significant):
        ask = _about_significance(statement, scores, kind, alpha, _options(statement, options, rng))
    elif callable(statement):
        ask = _about_anything(statement, scores, kind, samples, rng)
    else:
        raise ParameterError(f"a statement is a sentence, a statement or a function, not {statement!r}")
    # a rescaling that overflows is not finite, so it is passed over
    with np.errstate(all="ignore"):
        return evolve(ask(together), other=ask(not together))


def _answerable(scores: Scores, alpha: float) -> None:
    level(alpha)
    if not scores.topics:
        raise ParameterError("there are no topics, so there is nothing to be said about scores")
    if (np.abs(scores.values) > LARGEST).any():
        raise ParameterError(f"scores beyond {LARGEST:g} leave no room to be rescaled; divide all by the same number")


def _options(statement: Significant, options: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """Return what the test of a statement is to be called with."""
    own = [name for name in signature(find_test(statement.test)).parameters if name not in ("scores", "semantics")]
    taken = ["semantics", *own]
    for name in options:
        if name not in taken:
            raise ParameterError(f"{statement.test} has no option {name}; there is {', '.join(taken)}")
    return {"rng": rng, **options} if "rng" in taken else options


def _about_averages(statement: Averages | Differences, scores: Scores, scale: Scale) -> Ask:
    rows = np.asarray(scores.values[_places(statement, scores)])
    if np.isnan(rows).all(axis=1).any():
        raise ParameterError("a system without a score on any topic has no average")
    if statement.average is Average.GEOMETRIC and (rows < 0).any():
        raise ParameterError(f"scores below 0, such as {np.nanmin(rows):g}, have no geometric mean; compare medians")
    claimed = Claimed.of(statement, rows, scores.topics)

    def ask(one_scale: bool) -> Meaning:
        decision = decide_average(claimed, scale, one_scale=one_scale)
        map_ = decision.transformation
        after = () if map_ is None else claimed.sides(map_)
        return _meaning(str(statement), decision, scale, one_scale, claimed.sides(), after)

    return ask


def _about_significance(
    statement: Significant, scores: Scores, scale: Scale, alpha: float, options: dict[str, Any]
) -> Ask:
    _places(statement, scores)
    asked = Asked.of(statement, scores, alpha, options)

    def ask(one_scale: bool) -> Meaning:
        decision = decide_significance(asked, scale, one_scale=one_scale)
        map_ = decision.transformation
        after = () if map_ is None else (asked.pvalue(map_),)
        return _meaning(str(statement), decision, scale, one_scale, (asked.before,), after)

    return ask


def _about_anything(statement: Claim, scores: Scores, scale: Scale, samples: int, rng: Rng) -> Ask:
    name = getattr(statement, "__name__", "the statement").replace("<lambda>", "the statement").replace("_", " ")
    true = bool(statement(np.array(scores.values)))

    def ask(one_scale: bool) -> Meaning:
        maps = random_rescalings(scores.values, scores.topics, scale, one_scale=one_scale, many=samples, rng=rng)
        verdict = survives(statement, scores.values, maps)
        found: Transformation | None = verdict.witness
        tried = f"none of {verdict.checked} that were tried changes it"
        decision = undecided(true, tried) if found is None else fragile(true, found)
        return _meaning(name, decision, scale, one_scale, (), ())

    return ask


def _places(statement: Statement, scores: Scores) -> list[int]:
    return [place_of(name, scores.systems) for name in statement.systems]


def _meaning(
    sentence: str,
    decision: Decision,
    scale: Scale,
    one_scale: bool,
    before: tuple[float, ...],
    after: tuple[float, ...],
) -> Meaning:
    reading = TopicScales.ONE if one_scale else TopicScales.EVERY
    return Meaning(
        holds=decision.answer is Answer.ROBUST,
        witness=decision.transformation,
        checked=f"{scale} scores, {reading}",
        how=decision.how,
        argument=decision.certificate,
        statement=sentence,
        answer=decision.answer,
        true=decision.true,
        scale=scale,
        reading=reading,
        before=before,
        after=after,
    )


__getattr__ = moved(__name__, {"Reading": "measurand.scales.meaning.TopicScales"})
