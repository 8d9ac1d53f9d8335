"""What the scales of measures say of the order of systems, in sentences: of that of means, or of what stands for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from measurand.display.wording import listed
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.study.margins import on_interval_scale

if TYPE_CHECKING:
    from measurand.study.measure_result import ScoresResult

Kind = TypeVar("Kind", bound=Hashable)

Under = TypeVar("Under", bound="ScoresResult")
"""A result under one measure."""

STATISTICS = {"mean rank": "mean rank within topics"}
"""What statistics are called in sentences, where it is not their name."""


def scales_paragraph(scores: Sequence[Scores], *, for_these_gains: bool) -> str:
    """Return what the scales of some measures say of the order of means, once for all.

    Parameters
    ----------
    scores
        The scores under each measure.
    for_these_gains
        Whether some depend on what each grade is worth, and grades are ordinal.

    Examples
    --------
    >>> several = [Scores(measure=name, values=[[1]], systems="a", topics="1", scale=scale)
    ...            for name, scale in (("RR", "ordinal"), ("P@10", "interval"))]
    >>> print(scales_paragraph(several, for_these_gains=False))  # doctest: +NORMALIZE_WHITESPACE
    P@10 is on an interval scale, so the order of its means is meaningful. RR is on an ordinal scale: another spacing of
    its values could change the order of two means with a finite κ, which says how uneven it would have to be.
    >>> recall = Scores(measure="R@5", values=[[1]], systems="a", topics="1", scale="interval", one_scale=False)
    >>> print(scales_paragraph([recall], for_these_gains=False)[:58])
    R@5 is on an interval scale of its own on every topic: ano
    """
    even = [each.measure for each in scores if on_interval_scale(each)]
    ordinal = [each.measure for each in scores if each.scale < Scale.INTERVAL]
    apart = [each.measure for each in scores if each.scale >= Scale.INTERVAL and not each.one_scale]
    own = [each.measure for each in scores if not each.one_scale]
    found = []
    if even:
        kind, its = ("is on an interval scale", "its") if len(even) == 1 else ("are on interval scales", "their")
        found.append(f"{listed(even)} {kind}, so the order of {its} means is meaningful.")
    if ordinal or apart:
        its = "its" if len(ordinal + apart) == 1 else "their"
        found.append(
            f"{' and '.join(_kinds(ordinal, apart))}: another spacing of {its} values could change the order of two"
            " means with a finite κ, which says how uneven it would have to be."
        )
    if own:
        found.append(
            f"The scale of {listed(own)} differs from topic to topic, and κ is for one rescaling of all topics; with"
            " each rescaled on its own, the order of two means is sure to stay only if no topic is lost."
        )
    if for_these_gains:
        found.append("Other gains for the grades are another question; the margins of two systems answer it.")
    return " ".join(found)


def _kinds(ordinal: Sequence[str], apart: Sequence[str]) -> Iterator[str]:
    """Return the scales of measures that are ordinal, and of those that have an interval scale on every topic."""
    if ordinal:
        yield f"{listed(ordinal)} {'is on an ordinal scale' if len(ordinal) == 1 else 'are on ordinal scales'}"
    if apart:
        kind = "is on an interval scale of its own" if len(apart) == 1 else "are on interval scales of their own"
        yield f"{listed(apart)} {kind} on every topic"


def ordered_by(results: Sequence[ScoresResult]) -> str:
    """Return what systems are ordered by: the mean, unless a strict comparison has something else.

    Parameters
    ----------
    results
        The results under each measure.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.compare(md.sample.qrels(), md.sample.runs(), ["RR", "P@10"], strict=True)
    >>> ordered_by(found.results), ordered_by(found.results[1:])
    ('what the scale admits (median or mean)', 'the mean')
    """
    several = list(dict.fromkeys(each.summary.statistic for each in results))
    if len(several) == 1:
        return f"the {several[0]}"
    return f"what the scale admits ({', '.join(several[:-1])} or {several[-1]})"


def averages_word(results: Sequence[ScoresResult]) -> str:
    """Return what numbers over topics are called: averages, or just numbers if the scales admit no means.

    Parameters
    ----------
    results
        The results under each measure.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.compare(md.sample.qrels(), md.sample.runs(), ["RR", "P@10"], strict=True)
    >>> averages_word(found.results), averages_word(found.results[:1])
    ('averages', 'numbers')
    """
    return "averages" if any(each.by_means for each in results) else "numbers"


def grouped(results: Iterable[Under], kind: Callable[[Under], Kind]) -> dict[Kind, list[Under]]:
    """Return results by their kind, in the order of the first of each.

    Parameters
    ----------
    results
        The results under each measure.
    kind
        Returns the kind of a result, as in the statistic that systems are ordered by.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.compare(md.sample.qrels(), md.sample.runs(), ["RR", "P@10", "RR@10"], strict=True)
    >>> {kind: len(several) for kind, several in grouped(found.results, lambda each: each.pairs.test).items()}
    {'sign': 2, 'paired_t': 1}
    """
    found: dict[Kind, list[Under]] = {}
    for result in results:
        found.setdefault(kind(result), []).append(result)
    return found


def admitted_paragraph(results: Sequence[ScoresResult]) -> str:
    """Return what a strict comparison orders systems by and tests them by, under which measures.

    Parameters
    ----------
    results
        The results under each measure.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.compare(md.sample.qrels(), md.sample.runs(), ["RR", "P@10"], strict=True)
    >>> print(admitted_paragraph(found.results))  # doctest: +NORMALIZE_WHITESPACE
    what a scale does not admit is left out, and replaced by what it admits. Systems are ordered by the median and
    compared by the sign test under RR, by the mean and the paired t test under P@10.
    """
    groups = grouped(results, lambda each: (each.summary.statistic, each.pairs.needs.statistic))
    told = [
        f"by the {STATISTICS.get(statistic, statistic)} and {'the' if place else 'compared by the'} {test} under"
        f" {listed([each.scores.measure for each in several])}"
        for place, ((statistic, test), several) in enumerate(groups.items())
    ]
    kept = "what a scale does not admit is left out, and replaced by what it admits"
    return f"{kept}. Systems are ordered {', '.join(told)}."
