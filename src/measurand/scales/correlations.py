"""Correlations of measures: whether "the tau of P@10 and RBP is .7858" survives every rescaling of both.

A rank correlation looks at the order of the systems alone. So it survives what keeps that order: within topics and of
single scores every increasing map, of means every positive affine map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations, pairwise
from math import isnan

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.questions import (
    AS_THEY_ARE,
    Maps,
    Measured,
    Question,
    Readings,
    on_topics,
    rescalings,
    searched,
    together,
)
from measurand.scales.robustness import Decision, mean_robustness, robust
from measurand.scales.statements import Average, Averages, Number, Relation, as_number, average_of, sign_of
from measurand.scales.transformations import Transformation
from measurand.scales.weighted_sums import Form
from measurand.scores import Scores
from measurand.statistics.correlation import kendall, tau_ap

MOST = 250
"""So many rescalings are tried at most."""

PAIRS = 40
"""So many pairs of systems at most are turned round one by one."""

TOPICS = "topic"
"""What systems are ranked by if not by an average: every topic by itself."""


class Coefficient(StrEnum):
    """Which correlation of two rankings."""

    TAU = "tau"
    TAU_AP = "tau_ap"
    SPEARMAN = "spearman"


@frozen
class Correlated:
    """The rank correlation of two measures against a number.

    Parameters
    ----------
    coefficient : Coefficient
        Kendall's tau-b, the AP correlation, or Spearman's rho; all with ties.
    x, y : str
        The measures; of the AP correlation the first is the truth.
    relation : Relation
        How the correlation stands to the number.
    number : Number
        The number, which holds to the digits that are written.
    by : str, default "mean"
        What systems are ranked by: "mean" or "median" over topics, or "topic" for the mean of the correlations on
        every topic.

    Examples
    --------
    >>> str(Correlated("tau", "P@10", "RBP(p=0.5)", "equals", ".7858"))
    'tau of P@10 and RBP(p=0.5) equals .7858'
    >>> str(Correlated("spearman", "P", "AP", "exceeds", "0.9", by="topic"))
    'spearman of P and AP by topic exceeds 0.9'
    """

    coefficient: Coefficient = field(converter=Coefficient)
    x: str
    y: str
    relation: Relation = field(converter=Relation)
    number: Number = field(converter=as_number)
    by: str = field(default=str(Average.MEAN), converter=str)

    def __attrs_post_init__(self) -> None:
        if self.by not in (str(Average.MEAN), str(Average.MEDIAN), TOPICS):
            raise ParameterError(f"a correlation is by mean, by median or by topic, not by {self.by}")

    def __str__(self) -> str:
        by = "" if self.by == Average.MEAN else f" by {self.by}"
        return f"{self.coefficient} of {self.x} and {self.y}{by} {self.relation} {self.number}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that it names: none."""
        return ()


@frozen(eq=False)
class CorrelationQuestion(Question):
    """A statement about a correlation, put to the scores of two measures."""

    statement: Correlated
    measured: Measured

    def __attrs_post_init__(self) -> None:
        if isnan(self._value()):
            raise ParameterError(
                f"{self.statement.x} and {self.statement.y} have no correlation: all systems tie in one"
            )

    @property
    def measures(self) -> tuple[str, ...]:
        """Both measures, once."""
        return tuple(dict.fromkeys((self.statement.x, self.statement.y)))

    def _value(self, maps: Maps = AS_THEY_ARE) -> float:
        said = self.statement
        first, second = (_rescaled(self.measured.scores(name), maps, name) for name in (said.x, said.y))
        return correlation(first, second, said.coefficient, said.by)

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the correlation and the number."""
        return self._value(maps), float(self.statement.number.value)

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled; None where there is no correlation."""
        value = self._value(maps)
        relation = self.statement.relation
        return None if isnan(value) else relation.admits(self.statement.number.sign_of(value, relation))

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling of both measures, each by itself."""
        reasons = {measure: self._order_kept(measure, readings) for measure in self.measures}
        open_ = [measure for measure, reason in reasons.items() if not reason]
        true = bool(self.holds())
        if self.statement.x == self.statement.y:
            return robust(true, "a measure orders systems as it does itself, on every scale")
        if not open_:
            return robust(true, "; ".join(dict.fromkeys(reasons.values())))
        bounds = self._bounds(readings, open_)
        if bounds is not None and len(self._admitted(*bounds)) == 1:
            return robust(true, f"on every scale it is between {bounds[0]:.4g} and {bounds[1]:.4g}")
        reason = f"rescalings of {' and of '.join(open_)} change the order of systems"
        return searched(self, self.measured, readings, most=MOST, reason=reason)

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings of one measure or the other that change the order of systems, or may do so."""
        free = [measure for measure in self.measures if not self._order_kept(measure, readings)]
        yield from together([self._of_one(measure, readings) for measure in free], MOST // max(1, len(free)))

    def _of_one(self, measure: str, readings: Readings) -> Iterator[Maps]:
        scores, scale = self.measured.scores(measure), self.measured.scale_of(measure)
        for map_ in turned_pairs(scores, scale, one_scale=readings[measure]):
            yield {measure: map_}
        pair = scores.values[: min(2, len(scores.systems))]
        for map_ in rescalings(scores, scale, pair, one_scale=readings[measure]):
            yield {measure: map_}

    def _admitted(self, low: float, high: float) -> set[bool]:
        """Return whether the statement is true, false or either where the correlation lies between bounds."""
        number, relation = self.statement.number, self.statement.relation
        ends = {number.sign_of(low, relation), number.sign_of(high, relation)}
        between = set(range(min(ends), max(ends) + 1))
        return {relation.admits(sign) for sign in between}

    def _bounds(self, readings: Readings, open_: list[str]) -> tuple[float, float] | None:
        """Return between which numbers Kendall's tau of means is on every scale; None where that is not known."""
        said = self.statement
        ordinal = all(self.measured.scale_of(measure) > Scale.NOMINAL for measure in self.measures)
        if said.coefficient is not Coefficient.TAU or said.by != Average.MEAN or not ordinal:
            return None
        both = [self.measured.scores(measure) for measure in (said.x, said.y)]
        if any(np.isnan(scores.values).all(axis=1).any() for scores in both):
            return None
        signs, free = [], []
        for measure, scores in zip((said.x, said.y), both, strict=True):
            upper = np.triu_indices(len(scores.systems), 1)
            ranked = ranked_by(scores, Average.MEAN)
            signs.append(np.sign(ranked[upper[0]] - ranked[upper[1]]))
            found = mean_robustness(evolve(scores, one_scale=readings[measure]), scale=self.measured.scale_of(measure))
            free.append(found.fragile[upper] if measure in open_ else np.zeros(len(upper[0]), dtype=bool))
        return tau_bounds(signs, free)

    def _order_kept(self, measure: str, readings: Readings) -> str:
        """Return why no permissible rescaling of a measure changes the order of systems, or nothing if one may."""
        scores, scale = self.measured.scores(measure), self.measured.scale_of(measure)
        one_scale, by = readings[measure], self.statement.by
        if scale is Scale.NOMINAL:
            return ""
        if by == TOPICS:
            return "the order of systems within a topic is the same on every scale"
        if one_scale and by == Average.MEDIAN and _odd(scores.values):
            return "a median of an odd number of scores is one of them, and their order is the same on every scale"
        if one_scale and scale >= Scale.INTERVAL:
            return f"positive affine maps of all scores keep the order of {by}s"
        if by == Average.MEAN:
            found = mean_robustness(evolve(scores, one_scale=one_scale), scale=scale)
            if not found.fragile.any():
                return "of every two systems one is ahead on every scale, or they tie on all"
        return ""


def correlation(x: Scores, y: Scores, coefficient: Coefficient, by: str) -> float:
    """Return the correlation of two measures; NaN where all systems tie in one ranking.

    Examples
    --------
    >>> a = {"systems": "ABC", "topics": "12"}
    >>> p, r = (Scores(measure="M", values=v, **a) for v in ([[1, 2], [2, 3], [3, 5]], [[1, 1], [3, 3], [2, 2]]))
    >>> round(correlation(p, r, Coefficient.TAU, "mean"), 4), correlation(p, r, Coefficient.SPEARMAN, "topic")
    (0.3333, 0.5)
    """
    if by == TOPICS:
        if coefficient is not Coefficient.SPEARMAN:
            return float((kendall if coefficient is Coefficient.TAU else tau_ap)(x, y, "topic"))
        found = [_spearman(a, b) for a, b in zip(x.goodness.T, y.goodness.T, strict=True)]
        defined = [value for value in found if not isnan(value)]
        return float(np.mean(defined)) if defined else float("nan")
    first, second = (ranked_by(scores, Average(by)) for scores in (x, y))
    missing = np.isnan(first + second)
    first, second = (np.where(missing, np.nan, row) for row in (first, second))
    if coefficient is Coefficient.SPEARMAN:
        return _spearman(first, second)
    return float((kendall if coefficient is Coefficient.TAU else tau_ap)(first, second))


def tau_bounds(signs: Sequence[FloatArray], free: Sequence[BoolArray]) -> tuple[float, float] | None:
    """Return the bounds of Kendall's tau-b if some pairs of systems may stand as they like.

    Ties of such pairs do not take it any further: they take as much from what agrees as from what is divided by.

    Parameters
    ----------
    signs
        How every pair stands, in both rankings: -1, 0 or 1.
    free
        Which pairs may stand otherwise, in both rankings.

    Examples
    --------
    >>> one = np.array([1.0, 1.0, 1.0])
    >>> tau_bounds([one, one], [np.array([True, False, False]), np.zeros(3, dtype=bool)])
    (0.3333333333333333, 1.0)
    """
    loose = free[0] | free[1]
    kept = float((signs[0] * signs[1])[~loose].sum())
    apart = [int(((sign != 0) | each).sum()) for sign, each in zip(signs, free, strict=True)]
    if not all(apart):
        return None
    size = float(np.sqrt(apart[0] * apart[1]))
    low, high = (kept + way * int(loose.sum()) for way in (-1, 1))
    return max(-1.0, low / size), min(1.0, high / size)


def ranked_by(scores: Scores, average: Average) -> FloatArray:
    """Return an average of every system, the higher the better, equal where only rounding tells them apart.

    Examples
    --------
    >>> scores = Scores(measure="M", values=[[0.1, 0.2], [0.3, 0.0]], systems="AB", topics="12")
    >>> ranked_by(scores, Average.MEAN).tolist()
    [0.15, 0.15]
    """
    averages = np.array([average_of(row, average) if (~np.isnan(row)).any() else np.nan for row in scores.goodness])
    size = float(np.nanmax(np.abs(scores.values)))
    order = np.argsort(averages, kind="stable")
    for before, place in pairwise(order.tolist()):
        if sign_of(float(averages[place]), float(averages[before]), size) == 0:
            averages[place] = averages[before]
    return averages


def turned_pairs(scores: Scores, scale: Scale, *, one_scale: bool) -> Iterator[Transformation]:
    """Yield rescalings that turn the means of two systems round, pair by pair, the closest first.

    Examples
    --------
    >>> wine = Scores(measure="M", values=[[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]], systems="AB", topics="12345")
    >>> means = next(turned_pairs(wine, Scale.ORDINAL, one_scale=True))(wine.values).mean(axis=1)
    >>> bool(means[0] < means[1])
    True
    """
    if scale is Scale.NOMINAL:
        return
    fragile = mean_robustness(evolve(scores, one_scale=one_scale), scale=scale).fragile
    means = np.nanmean(scores.values, axis=1)
    pairs = [pair for pair in combinations(range(len(means)), 2) if fragile[pair]]
    for a, b in sorted(pairs, key=lambda pair: abs(float(means[pair[0]] - means[pair[1]])))[:PAIRS]:
        rows = np.asarray(scores.values[[a, b]])
        weights = Averages(Average.MEAN, scores.systems[a], scores.systems[b]).weights(rows)
        present = int(np.sign(means[a] - means[b]))
        form = Form(rows, weights, scores.topics, scale, one_scale)
        for target in (-present,) if present else (1, -1):
            yield from form.rescalings(target, present or -target)


def _odd(values: FloatArray) -> bool:
    return bool(((~np.isnan(values)).sum(axis=1) % 2 == 1).all())


def _rescaled(scores: Scores, maps: Maps, measure: str) -> Scores:
    map_ = on_topics(maps, scores.topics).get(measure)
    return scores if map_ is None else evolve(scores, values=map_(scores.values), exact=None)


def _spearman(a: FloatArray, b: FloatArray) -> float:
    """Return Pearson's correlation of the ranks of two rows, equal numbers sharing a rank."""
    from scipy.stats import rankdata

    there = ~np.isnan(a + b)
    first, second = (rankdata(row[there]) for row in (a, b))
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    return float(np.corrcoef(first, second)[0, 1])
