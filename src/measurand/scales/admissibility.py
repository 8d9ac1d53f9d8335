"""Admissibility: how numbers on each type of scale may be rescaled, and which statistics they admit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact import rational, shown
from measurand.scale import Scale, as_scale
from measurand.scores.scores import GEOMETRIC_MEAN, MEAN, MEDIAN, SUM
from measurand.verdict import How, Verdict

ALSO: Mapping[str, str] = MappingProxyType(
    {
        "gmean": "geometric mean",
        "gmap": "geometric mean",
        "arithmetic mean": "mean",
        "average": "mean",
        "tau": "kendall tau",
        "kendall": "kendall tau",
        "kendall's tau": "kendall tau",
        "pearson": "pearson correlation",
        "standardization": "standardisation",
        "linear standardisation": "standardisation",
        "cohen's d": "cohen d",
        "cliff's delta": "cliff delta",
    }
)
"""Statistics under other names."""

Pair = tuple[Fraction, Fraction]

Broken = tuple[tuple[Pair, ...], str] | None


@frozen
class ScaleFacts:
    """What a type of scale means.

    Parameters
    ----------
    compares
        What its numbers express of two things or more.
    permissible
        The rescalings that lose nothing of what the numbers express.
    formula
        The same as a formula.
    statistics
        The statistics that it adds to those of weaker scales.
    """

    scale: Scale
    compares: str
    permissible: str
    formula: str
    statistics: tuple[str, ...]


SCALES: Mapping[Scale, ScaleFacts] = MappingProxyType(
    {
        facts.scale: facts
        for facts in (
            ScaleFacts(
                Scale.NOMINAL,
                "whether two are the same",
                "any one-to-one map",
                "f(x) = f(y) only if x = y",
                ("mode", "frequency", "entropy", "contingency"),
            ),
            ScaleFacts(
                Scale.ORDINAL,
                "which of two is more",
                "any strictly increasing map",
                "f(x) < f(y) if x < y",
                (
                    *(MEDIAN.statistic, "quantile", "quartile", "lower quartile", "upper quartile", "percentile"),
                    *("minimum", "maximum", "rank", "mean rank", "rank correlation", "kendall tau", "tau ap"),
                    *("spearman", "cliff delta", "dominance", "wins and losses"),
                ),
            ),
            ScaleFacts(
                Scale.INTERVAL,
                "how differences compare",
                "any positive affine map",
                "f(x) = a x + b, a > 0",
                (
                    *(MEAN.statistic, "mean difference", "standard deviation", "variance", "range"),
                    *("interquartile range", "cohen d", "pearson correlation", "z score", "standardisation"),
                ),
            ),
            ScaleFacts(
                Scale.RATIO,
                "how many times as much",
                "any positive multiple",
                "f(x) = a x, a > 0",
                (
                    *(GEOMETRIC_MEAN.statistic, "harmonic mean", "coefficient of variation", SUM.statistic),
                    *("ratio", "percentage", "relative improvement"),
                ),
            ),
        )
    }
)
"""What each type of scale means, the weakest first.

Stevens lists rank correlation under interval scales; it needs order alone, so an ordinal scale will do.
"""


def required_scale(name: str) -> Scale:
    """Return the weakest scale that a statistic or a test needs.

    Parameters
    ----------
    name : str
        The name of a statistic or a test, in any spelling.

    Examples
    --------
    >>> str(required_scale("geometric mean")), str(required_scale("rank correlation"))
    ('ratio', 'ordinal')
    >>> str(required_scale("Friedman")), str(required_scale("Student t"))
    ('ordinal', 'interval')

    References
    ----------
    [Stevens1946]_; [FerranteFerroFuhr2021]_, sections III-C and III-E
    """
    word = _words(name)
    word = ALSO.get(word, word)
    singular = word.removesuffix("s")
    for facts in SCALES.values():
        if word in facts.statistics or singular in facts.statistics:
            return facts.scale
    return _scale_of_test(word, name)


def admissible(statistic: str, scale: Scale | str) -> bool:
    """Return whether a statistic (or a test) is meaningful on a scale.

    Parameters
    ----------
    statistic : str
        The name of a statistic or a test, in any spelling.
    scale : Scale or str
        A scale type.

    Examples
    --------
    >>> admissible("geometric_mean", "interval"), admissible("mean", "interval"), admissible("median", "nominal")
    (False, True, False)

    References
    ----------
    [FerranteFerroFuhr2021]_, sections III-C and IV-A
    """
    return required_scale(statistic) <= as_scale(scale)


def admissible_statistics() -> str:
    """Return a table, to be printed, of what each scale compares, permits and admits.

    Examples
    --------
    >>> print(admissible_statistics().splitlines()[0])
    nominal: whether two are the same
    """
    lines = []
    for facts in SCALES.values():
        tests = [name.replace("_", " ") for name, scale in _tests() if scale is facts.scale]
        also = "" if facts.scale is Scale.NOMINAL else "also "
        lines += [
            f"{facts.scale}: {facts.compares}",
            f"  may be rescaled by {facts.permissible}: {facts.formula}",
            f"  {also}admits: {', '.join(facts.statistics)}",
            *([f"  {also}admits the tests: {', '.join(tests)}"] if tests else []),
        ]
    return "\n".join(lines)


def _words(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").lower().split())


def _scale_of_test(word: str, name: str) -> Scale:
    from measurand.statistics.needs import need_of
    from measurand.statistics.registry import TESTS, find_test

    short = word.removesuffix(" test")
    for text in (word, short, re.sub("^(wilcoxon|student|student's) ", "", short)):
        try:
            return need_of(find_test(text)).scale
        except ParameterError:
            continue
    known = [statistic for facts in SCALES.values() for statistic in facts.statistics]
    raise ParameterError(f"there is no statistic or test {name!r}; there is {', '.join((*known, *TESTS))}")


def _tests() -> list[tuple[str, Scale]]:
    from measurand.statistics.needs import need_of
    from measurand.statistics.registry import TESTS

    return [(name, need_of(test).scale) for name, test in TESTS.items()]


def permissible(scale: Scale | str, before: Sequence[Any], after: Sequence[Any]) -> Verdict:
    """Return whether a permissible transformation of a scale takes some values to others, place by place.

    Numbers are exact: a float stands for its decimal spelling.

    Parameters
    ----------
    scale : Scale or str
        A scale type.
    before : sequence of object
        Values on the scale.
    after : sequence of object
        What each of them becomes.

    Examples
    --------
    >>> bool(permissible("interval", [10, 20, 30], [50, 68, 86]))
    True
    >>> print(permissible("ordinal", [1, 2, 3], [1, 1, 2]))
    does not hold (counterexample): 1 < 2, but 1 and 1 are the same

    References
    ----------
    [Stevens1946]_; [FerranteFerroFuhr2021]_, section III-B
    """
    if len(before) != len(after):
        raise ParameterError(f"{len(before)} values cannot become {len(after)} values place by place")
    pairs = sorted({(rational(x), rational(y)) for x, y in zip(before, after, strict=True)})
    kind = as_scale(scale)
    checked = f"{len(pairs)} values, {SCALES[kind].permissible}"
    broken = _BREAKS[kind](pairs)
    if broken is None:
        return Verdict(True, None, checked, How.EXHAUSTIVE)
    witness, why = broken
    return Verdict(False, witness, checked, How.COUNTEREXAMPLE, why)


def _one_to_one(pairs: Sequence[Pair]) -> Broken:
    for place in (0, 1):
        for one, other in pairwise(sorted(pairs, key=lambda pair: (pair[place], pair))):
            if one[place] == other[place]:
                told = " and ".join(shown(pair[1 - place]) for pair in (one, other))
                return (one, other), (
                    f"{shown(one[0])} becomes both {told}" if place == 0 else f"{told} become the same"
                )
    return None


def _increasing(pairs: Sequence[Pair]) -> Broken:
    for one, other in pairwise(pairs):
        if one[0] == other[0]:
            return _one_to_one((one, other))
        if one[1] >= other[1]:
            relation = "are the same" if one[1] == other[1] else "are the other way round"
            return (one, other), (
                f"{shown(one[0])} < {shown(other[0])}, but {shown(one[1])} and {shown(other[1])} {relation}"
            )
    return None


def _affine(pairs: Sequence[Pair]) -> Broken:
    slopes = []
    if (broken := _increasing(pairs)) is not None:
        return broken
    for one, other in pairwise(pairs):
        slopes.append((other[1] - one[1]) / (other[0] - one[0]))
        if slopes[-1] != slopes[0]:
            return (*pairs[:2], one, other), (
                f"differences are stretched by {shown(slopes[0])} and by {shown(slopes[-1])}"
            )
    return None


def _multiple(pairs: Sequence[Pair]) -> Broken:
    if (broken := _affine(pairs)) is not None:
        return broken
    for x, y in pairs:
        if (x > 0) != (y > 0) or (x < 0) != (y < 0):
            return ((x, y),), f"{shown(x)} becomes {shown(y)}, and zero does not stay zero"
    if len(pairs) > 1 and pairs[0][0] * pairs[1][1] != pairs[1][0] * pairs[0][1]:
        return (pairs[0], pairs[1]), "zero does not stay zero"
    return None


_BREAKS: Mapping[Scale, Callable[[Sequence[Pair]], Broken]] = MappingProxyType(
    {Scale.NOMINAL: _one_to_one, Scale.ORDINAL: _increasing, Scale.INTERVAL: _affine, Scale.RATIO: _multiple}
)
