"""Reports: whether esl stands for somebody's preferences, on which scale, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from attrs import frozen

from measurand.scale import Scale, as_scale
from measurand.search_length.preferences.certificate import plain
from measurand.search_length.preferences.representation import Representation
from measurand.verdict import Verdict

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "completeness": "any two can be compared",
        "transitivity": "at least as good carries over",
        "strict_weak_order": "better is a strict weak order",
        "independence": "mixing in a third changes nothing",
        "continuity": "a little changes little",
        "half_half": "one fewer or one more cancel out",
        "sign": "0 is better than 1",
        "by_the_mean": "the smaller mean is better",
        "untied": "the same without ties",
        "risk_structure": "adding searches changes nothing",
        "representation": "some utility agrees",
        "affine": "no other utility agrees",
        "direction": "something is better than something",
    }
)
"""What each condition says, for people."""

ADDED: Mapping[Scale, tuple[str, ...]] = MappingProxyType(
    {
        Scale.ORDINAL: ("median", "quantile", "minimum", "maximum", "rank", "rank correlation", "wins and losses"),
        Scale.INTERVAL: ("mean", "mean difference", "standard deviation", "pearson correlation"),
        Scale.RATIO: ("geometric mean", "ratio", "percentage", "relative improvement"),
    }
)
"""The statistics that each scale adds to those of weaker ones, by the names in `measurand.scales.admissibility`."""

SENTENCES: Mapping[Scale, str] = MappingProxyType(
    {
        Scale.ORDINAL: "Medians and rank statistics of esl mean something; means and percentages do not.",
        Scale.INTERVAL: "Means and differences of esl mean something as well; percentages do not.",
        Scale.RATIO: "Means, geometric means and percentages of esl mean something.",
    }
)
"""What that comes to, in a sentence."""

NOTHING = "Nothing that is computed with esl over all lotteries stands for these preferences."


class Answer(StrEnum):
    """What esl is good for, given the preferences."""

    UNUSABLE = "unusable"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"

    @property
    def scale(self) -> Scale | None:
        """The scale that esl is on, if it can be used."""
        return None if self is Answer.UNUSABLE else Scale[self.name]


@frozen
class Report:
    """Whether esl stands for preferences, with the reasons.

    Parameters
    ----------
    answer
        Unusable, ordinal, interval or ratio.
    verdicts
        What was found of each condition, by its name.
    why
        The reasons, in sentences.
    representation
        Of stated preferences: a utility, or the contradiction between them.
    alternative
        Of stated preferences that leave it open: another utility that agrees as well as esl does.
    """

    answer: Answer
    verdicts: Mapping[str, Verdict]
    why: tuple[str, ...]
    representation: Representation | None = None
    alternative: Mapping[int, Fraction] | None = None

    @property
    def scale(self) -> Scale | None:
        """The scale that esl is on for these preferences; None if it is unusable."""
        return self.answer.scale

    @property
    def statistics(self) -> tuple[str, ...]:
        """The statistics of esl that mean something for these preferences."""
        return permitted(self.scale)

    @property
    def utility(self) -> Mapping[int, Fraction] | None:
        """A utility that agrees with stated preferences, if there is one."""
        return None if self.representation is None else self.representation.utility

    @property
    def certain(self) -> bool:
        """Whether the answer does not rest on a sample of lotteries: other lotteries could not change it."""
        if self.answer is Answer.UNUSABLE:
            return any(not verdict.holds and verdict.certain for name, verdict in self.verdicts.items())
        return all(verdict.certain for verdict in self.verdicts.values())

    def __str__(self) -> str:
        width = max(map(len, self.verdicts), default=0)
        lines = [f"expected search length: {self.answer}", *(f"  {sentence}" for sentence in self.why)]
        lines.append(f"  {in_a_sentence(self.scale)}")
        for name, verdict in self.verdicts.items():
            mark, title = "+" if verdict.holds else "-", TITLES.get(name, name)
            lines.append(f"  {mark} {name:<{width}}  {title} ({verdict.how}: {verdict.checked})")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in words and numbers that JSON knows; fractions are text.

        Examples
        --------
        >>> Report(Answer.UNUSABLE, {}, ("nothing holds",)).to_dict()["statistics"]
        []
        """
        other = self.alternative
        return {
            "answer": str(self.answer),
            "scale": None if self.scale is None else str(self.scale),
            "certain": self.certain,
            "why": list(self.why),
            "statistics": list(self.statistics),
            "verdicts": {name: _written(verdict) for name, verdict in self.verdicts.items()},
            "representation": None if self.representation is None else self.representation.to_dict(),
            "alternative": None if other is None else plain(other),
        }


def permitted(scale: Scale | str | None) -> tuple[str, ...]:
    """Return the statistics of esl that mean something on a scale; none where esl is unusable.

    Examples
    --------
    >>> permitted("ordinal")[:2], "mean" in permitted("interval"), permitted(None)
    (('median', 'quantile'), True, ())

    References
    ----------
    [BollmannRaghavan1988]_, section 5
    """
    if scale is None:
        return ()
    return tuple(name for level, names in ADDED.items() if level <= as_scale(scale) for name in names)


def in_a_sentence(scale: Scale | None) -> str:
    """Return what may be computed in a sentence.

    Examples
    --------
    >>> in_a_sentence(Scale.RATIO)
    'Means, geometric means and percentages of esl mean something.'
    """
    return NOTHING if scale is None else SENTENCES.get(scale, NOTHING)


def _written(verdict: Verdict) -> dict[str, Any]:
    witness = verdict.witness
    return {
        "holds": verdict.holds,
        "how": str(verdict.how),
        "checked": verdict.checked,
        "argument": verdict.argument,
        "witness": witness.to_dict() if hasattr(witness, "to_dict") else witness and str(witness),
    }
