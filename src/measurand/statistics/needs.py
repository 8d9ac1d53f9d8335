"""What a test declares: the scale it needs, and whether it puts values of different topics together."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec, cast

import numpy as np

from measurand.calls import explains_calls, option, truth
from measurand.errors import Caveat, InputError, ParameterError
from measurand.scale import Scale
from measurand.scores import Need, Scores, gate
from measurand.statistics.all_pairs import TUKEY, AllPairs
from measurand.statistics.pairs import PairOutcome, square

Given = ParamSpec("Given")

SEMANTICS = ("scipy", "matlab")

LARGEST = 1e300
"""Beyond this size, differences and sums of scores are no numbers any more."""


def declares(
    statistic: str,
    scale: Scale,
    *references: str,
    across: bool = True,
    simultaneous: bool = False,
    of_means: bool = False,
) -> Callable[[Callable[Given, PairOutcome]], Callable[Given, AllPairs]]:
    """Return what makes a test of all pairs out of a function: it declares the scale and guards the gate.

    The function takes scores first and a keyword `strict`, which makes the gate refuse scores that are on less
    than the test needs. It is given their goodness, so that it may take higher for better.

    Parameters
    ----------
    statistic
        What the test is called in sentences.
    scale
        The weakest scale whose permissible rescalings leave the test alone.
    references
        Who proposed it.
    across
        Whether values of different topics are put together.
    simultaneous
        Whether p-values hold for all pairs at once, as Tukey's do.
    of_means
        Whether the differences are those of means, which are in the measure's own values.
    """
    need = Need(statistic, scale, across)

    def decorate(function: Callable[Given, PairOutcome]) -> Callable[Given, AllPairs]:
        own, explained = signature(function), explains_calls(function)

        @wraps(function)
        def test(*args: Given.args, **kwargs: Given.kwargs) -> AllPairs:
            scores = cast(Scores, args[0] if args else kwargs.pop("scores", None))
            if "semantics" in kwargs and "semantics" not in own.parameters:
                # both agree here, and whoever calls several tests alike may pass it
                check_semantics(str(kwargs.pop("semantics")))
            caveats = admitted(need, scores, strict=truth("strict", kwargs.get("strict", False)))
            outcome, n = explained(scores.by_goodness(), *args[1:], **kwargs), len(scores.systems)  # type: ignore[arg-type]
            differences = 0 - outcome.differences if of_means and scores.lower_is_better else outcome.differences
            return AllPairs(
                test=function.__name__,
                measure=scores.measure,
                systems=scores.systems,
                pvalues=square(outcome.pvalues, n, diagonal=1),
                differences=square(differences, n, turned=True),
                statistic=square(outcome.statistic, n, turned=True),
                topics=square(outcome.topics, n, diagonal=(~np.isnan(scores.values)).sum(axis=1)),
                needs=need,
                references=references,
                semantics=outcome.semantics,
                adjusted=TUKEY if simultaneous else "none",
                details=outcome.details,
                caveats=(*caveats, *outcome.caveats),
            )

        test.__signature__ = own.replace(return_annotation="AllPairs")  # type: ignore[attr-defined]
        test.__annotations__ = {**function.__annotations__, "return": "AllPairs"}
        test.need = need  # type: ignore[attr-defined]
        test.references = references  # type: ignore[attr-defined]
        return test

    return decorate


def admitted(need: Need, scores: Scores, *, strict: bool = False) -> tuple[Caveat, ...]:
    """Return what limits the meaning of a statistic of scores; refuse what are no scores, and infinite ones.

    Examples
    --------
    >>> scores = Scores(measure="P", values=[[np.inf]], systems=("a",), topics=("1",))
    >>> admitted(Need("sign test", Scale.ORDINAL), scores)
    Traceback (most recent call last):
    measurand.errors.InputError: system a has P = inf on topic 1, and the sign test takes numbers up to 1e+300
    """
    if not isinstance(scores, Scores):
        raise ParameterError(f"the {need.statistic} takes scores, such as parse('AP').scores(judged)")
    beyond = np.argwhere(np.abs(scores.values) > LARGEST)
    if len(beyond):
        system, topic = beyond[0]
        which = f"system {scores.systems[system]} has {scores.measure} = {scores.values[system, topic]:.4g}"
        where = f"on topic {scores.topics[topic]}"
        raise InputError(f"{which} {where}, and the {need.statistic} takes numbers up to {LARGEST}")
    return gate(need, scores, strict=strict)


def need_of(test: Callable[..., AllPairs]) -> Need:
    """Return what a test declares that it needs.

    Parameters
    ----------
    test : callable
        A test of `measurand.statistics`.

    Examples
    --------
    >>> from measurand.statistics import sign
    >>> str(need_of(sign))
    'the sign test needs an ordinal scale on every topic'
    """
    need: Need = getattr(test, "need")  # noqa: B009 - no attribute that functions have by themselves
    return need


def references_of(test: Callable[..., AllPairs]) -> tuple[str, ...]:
    """Return the keys of what a test is to be cited with.

    Examples
    --------
    >>> from measurand.statistics import sign
    >>> references_of(sign)
    ('DixonMood1946',)
    """
    references: tuple[str, ...] = getattr(test, "references")  # noqa: B009
    return references


def check_semantics(semantics: str) -> str:
    """Return the name of a set of conventions, or complain that there is none of that name.

    Examples
    --------
    >>> check_semantics("matlab")
    'matlab'
    """
    return option("semantics", semantics, SEMANTICS)
