"""What may be computed with esl, given the scale it is on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from measurand.scale import Scale, as_scale

ADDED: Mapping[Scale, tuple[str, ...]] = MappingProxyType(
    {
        Scale.ORDINAL: ("median", "quantile", "minimum", "maximum", "rank", "rank correlation", "wins and losses"),
        Scale.INTERVAL: ("mean", "mean difference", "standard deviation", "pearson correlation"),
        Scale.RATIO: ("geometric mean", "ratio", "percentage", "relative improvement"),
    }
)
"""The statistics that each scale adds to those of weaker ones, by the names that `measurand.scales.types` knows."""

SENTENCES: Mapping[Scale, str] = MappingProxyType(
    {
        Scale.ORDINAL: "Medians and rank statistics of esl mean something; means and percentages do not.",
        Scale.INTERVAL: "Means and differences of esl mean something as well; percentages do not.",
        Scale.RATIO: "Means, geometric means and percentages of esl mean something.",
    }
)
"""What that comes to, in a sentence."""

NOTHING = "Nothing that is computed with esl over all lotteries stands for these preferences."


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
