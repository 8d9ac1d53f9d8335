"""What a rank correlation compares: two rankings of the same systems, of all topics together or of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.scale import Scale
from measurand.scores import MEAN, Need, Scores, Summary
from measurand.statistics.needs import admitted
from measurand.statistics.rounding import power_of_ten

KINDS = ("overall", "topic")

DECIMALS = 8
"""To how many decimals means are rounded before they are compared."""

ORDER = Need("rank correlation", Scale.ORDINAL, across=False)

Ranked = Scores | Summary | Sequence[float] | FloatArray
"""What can be ranked: scores, one number per system with their names, or plain numbers."""


def _frozen(values: FloatArray) -> FloatArray:
    values.setflags(write=False)
    return values


@frozen(eq=False)
class Rankings:
    """Two rankings of the same systems by numbers, the higher the better, once or topic by topic.

    Parameters
    ----------
    x, y
        Topics × systems; one row if all topics are taken together. NaN in both where a system has no number.
    caveats
        What limits the meaning of the numbers.
    """

    x: FloatArray = field(converter=_frozen)
    y: FloatArray = field(converter=_frozen)
    caveats: tuple[Caveat, ...] = ()

    @property
    def systems(self) -> int:
        """How many systems are ranked."""
        return int(self.x.shape[1])


def rankings(
    x: Ranked, y: Ranked, kind: str = "overall", *, decimals: int | None = DECIMALS, strict: bool = False
) -> Rankings:
    """Return two rankings of the same systems, brought into the same order.

    Scores and their averages rank by goodness, so that a measure where lower is better and one where higher is may
    agree. Plain numbers are taken as they are, the higher the better.

    Parameters
    ----------
    kind
        "overall" ranks by mean over topics, "topic" ranks on every topic.
    decimals
        Means are rounded to so many decimals, in units of the power of ten at or above the largest of them, so
        that rounding errors decide nothing; None compares them as they are. Scores on a topic and plain numbers
        are always compared as they are.
    strict
        Whether to refuse means of scores that are not on an interval scale.

    Examples
    --------
    >>> a = Scores(measure="P@5", values=[[0, 0, .6], [0, .2, .4]], systems=("s", "t"), topics=("1", "2", "3"))
    >>> rankings(a, a).x.tolist(), rankings(a, a, decimals=None).x.tolist()
    ([[0.2, 0.2]], [[0.19999999999999998, 0.20000000000000004]])

    References
    ----------
    [FerranteFerroFuhr2021]_, sections IV-C and VIII-A
    """
    if kind not in KINDS:
        raise ParameterError(f"there is no kind {kind!r} of correlation; there is {', '.join(KINDS)}")
    y = _aligned(x, y)
    if kind == "topic":
        rows = [_by_topic(one) for one in (x, y)]
        caveats = [admitted(ORDER, one, strict=strict) for one in (x, y) if isinstance(one, Scores)]
    else:
        caveats = [_of_means(one, strict) for one in (x, y)]
        rows = [_overall(one, decimals)[None, :] for one in (x, y)]
    if rows[0].shape != rows[1].shape:
        raise ParameterError(f"{rows[0].shape[-1]} numbers cannot be ranked against {rows[1].shape[-1]}")
    missing = np.isnan(rows[0]) | np.isnan(rows[1])
    first, second = (np.where(missing, np.nan, row) for row in rows)
    return Rankings(first, second, tuple(dict.fromkeys([*sum(caveats, ()), *_incomplete(missing, kind)])))


def _aligned(x: Ranked, y: Ranked) -> Ranked:
    """Return `y` with systems and topics in the order of `x`."""
    if not isinstance(x, Scores) or not isinstance(y, Scores):
        if isinstance(x, Scores | Summary) and isinstance(y, Scores | Summary):
            _same("systems", x.systems, y.systems, ordered=True)
        return y
    _same("systems", x.systems, y.systems)
    _same("topics", x.topics, y.topics)
    if (x.systems, x.topics) == (y.systems, y.topics):
        return y
    rows, columns = ([theirs.index(name) for name in ours] for ours, theirs in _names(x, y))
    return evolve(y, values=y.values[np.ix_(rows, columns)], systems=x.systems, topics=x.topics)


def _names(x: Scores, y: Scores) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(x.systems, y.systems), (x.topics, y.topics)]


def _same(what: str, ours: tuple[str, ...], theirs: tuple[str, ...], *, ordered: bool = False) -> None:
    if ours == theirs or (not ordered and sorted(ours) == sorted(theirs)):
        return
    alone = sorted(set(ours) ^ set(theirs))
    why = f"{', '.join(alone[:3])}{', …' if len(alone) > 3 else ''} in one alone" if alone else "in another order"
    raise ParameterError(f"both must have the same {what}, and there is {why}; judge the same runs for both")


def _by_topic(scores: Ranked) -> FloatArray:
    if not isinstance(scores, Scores):
        raise ParameterError("plain numbers have no topics; give scores, or take kind='overall'")
    return scores.goodness.T.copy()


def _overall(ranked: Ranked, decimals: int | None) -> FloatArray:
    """Return one number per system, the higher the better."""
    if isinstance(ranked, Scores):
        present = ~np.isnan(ranked.goodness)
        counts = present.sum(axis=1)
        sums = np.where(present, ranked.goodness, 0.0).sum(axis=1)
        return _rounded(np.where(counts > 0, sums / np.maximum(1, counts), np.nan), decimals)
    if isinstance(ranked, Summary):
        return _rounded(ranked.goodness.copy(), decimals)
    try:
        numbers = np.array(ranked, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("a correlation takes scores, means of scores, or numbers, one per system") from None
    if numbers.ndim != 1:
        raise ParameterError(f"plain numbers must be one per system, not an array of {numbers.ndim} dimensions")
    return numbers


def _rounded(means: FloatArray, decimals: int | None) -> FloatArray:
    if decimals is None:
        return means
    unit = power_of_ten(np.nanmax(np.abs(means), initial=0.0))
    return np.asarray(np.round(means / unit, decimals) * unit)


def _of_means(ranked: Ranked, strict: bool) -> tuple[Caveat, ...]:
    if isinstance(ranked, Scores):
        return admitted(MEAN, ranked, strict=strict)
    return ranked.caveats if isinstance(ranked, Summary) else ()


def _incomplete(missing: BoolArray, kind: str) -> list[Caveat]:
    left_out = int(missing.sum())
    if not left_out:
        return []
    what = "scores of systems on topics" if kind == "topic" else "systems"
    return [Caveat(Doubt.MISSING_TOPICS, f"{left_out} {what} have no number and are left out of the correlation")]
