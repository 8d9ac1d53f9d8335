"""The gate before every statistic: the scale it needs, and the caveats of scores that are on less."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from measurand.calls import truth
from measurand.errors import Caveat, CaveatKind, NotMeaningful
from measurand.scale import Scale, ScaleLabel


class Scaled(Protocol):
    """Scores, as far as the gate is concerned."""

    @property
    def measure(self) -> str:
        """The spelling of the measure."""

    @property
    def scale_label(self) -> ScaleLabel:
        """The scale that the values of one topic are on, with how that is known."""

    @property
    def scale(self) -> Scale:
        """The scale that the values of one topic are on."""

    @property
    def one_scale(self) -> bool:
        """Whether all topics share it."""

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What is known of the scores already."""


@frozen
class Need:
    """What a statistic needs, so that no permissible rescaling changes what follows from it.

    Parameters
    ----------
    statistic
        The statistic, as in "the mean".
    scale
        The weakest scale that will do.
    across
        Whether values of different topics are put together, so that all topics must be on one scale.

    Examples
    --------
    >>> str(Need("mean", Scale.INTERVAL))
    'the mean needs an interval scale that all topics share'
    >>> str(Need("sign test", Scale.ORDINAL, across=False))
    'the sign test needs an ordinal scale on every topic'
    """

    statistic: str
    scale: Scale
    across: bool = True

    def __str__(self) -> str:
        article = "a" if self.scale in (Scale.NOMINAL, Scale.RATIO) else "an"
        where = "that all topics share" if self.across else "on every topic"
        return f"the {self.statistic} needs {article} {self.scale} scale {where}"

    def met_by(self, scores: Scaled) -> bool:
        """Return whether scores are on a scale that will do.

        Parameters
        ----------
        scores
            The scores.
        """
        return scores.scale >= self.scale and (scores.one_scale or not self.across)


def gate(need: Need, scores: Scaled, *, strict: bool = False) -> tuple[Caveat, ...]:
    """Return the caveats of a statistic of some scores; if `strict`, refuse what is not meaningful.

    Parameters
    ----------
    need
        What the statistic needs.
    scores
        The scores.
    strict
        Whether to raise `NotMeaningful` where the scores are on less.

    Examples
    --------
    >>> from measurand.scores import Scores
    >>> scores = Scores(measure="AP", values=[[0.5]], systems=("a",), topics=("1",), scale=Scale.ORDINAL)
    >>> print(*gate(Need("mean", Scale.INTERVAL), scores))
    the mean of AP needs interval scores, and these are ordinal: a legitimate rescaling can reverse comparisons

    References
    ----------
    [FerranteFerroFuhr2021]_, sections III-C and IV-C
    """
    mixed = [caveat for caveat in scores.caveats if caveat.kind is CaveatKind.SCALE]
    doubts = list(mixed) if need.across else []
    if need.across and not scores.one_scale and not mixed:
        doubts.append(Caveat(CaveatKind.SCALE, f"{scores.measure} has a scale of its own on every topic"))
    if scores.scale < need.scale:
        gains = scores.scale_label.for_these_gains
        change = "other gains for the grades" if gains else "a legitimate rescaling"
        text = (
            f"the {need.statistic} of {scores.measure} needs {need.scale} scores, and these are {scores.scale_label}:"
            f" {change} can reverse comparisons"
        )
        doubts.append(Caveat(CaveatKind.SCALE, text))
    if truth("strict", strict) and doubts:
        raise NotMeaningful(f"{doubts[0]}; {_instead(need, scores)}, or drop strict")
    return (*(caveat for caveat in scores.caveats if caveat.kind is not CaveatKind.SCALE), *doubts)


def _instead(need: Need, scores: Scaled) -> str:
    """Return what would be meaningful."""
    if need.across and not scores.one_scale:
        return "compare topic by topic (sign test, Friedman, dominance)"
    if scores.scale_label.for_these_gains and need.scale is Scale.INTERVAL:
        worth = "declare grade_scale='ratio' if a grade 2 is worth twice a grade 1"
        return f"{worth}, take rel=1 or interval({scores.measure})"
    if scores.scale is Scale.ORDINAL:
        return f"compare medians, take the sign test or interval({scores.measure})"
    return "take a statistic that needs less"
