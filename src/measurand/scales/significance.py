"""Significance: whether a test would decide otherwise after a permissible rescaling.

`Cone` is everything that increasing maps can make of the differences of two systems, of which it finds the extreme t.
Where every topic is rescaled in its own way, signed ranks keep their signs and may have any sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from inspect import signature
from itertools import chain, islice
from math import inf, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.questions import widened
from measurand.scales.robustness import Decision, fragile, robust, undecided
from measurand.scales.statements import Significant
from measurand.scales.transformations import Affine, PerTopic, Transformation, keeps_order, through
from measurand.scales.weighted_sums import candidate_rescalings, random_rescalings
from measurand.scores import Need, Scores

BLENDS = (0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 0.999, 0.9999, 1 - 1e-6, 1 - 1e-8)
"""How far towards an extreme map the maps go that are tried, the gentlest first."""

TOGETHER = frozenset(("one_way_anova", "two_way_anova", "kruskal_wallis", "friedman", "randomised_tukey"))
"""Tests to which every system matters, not only the two that are compared."""

RELABELLINGS = 50

TRIED = (400, 20, 300_000)
"""How many rescalings are tried at most and at least, and at how many pairs of systems a test may look in between."""

SLOW: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {"randomised_tukey": (8, 2, 16_000), "randomisation": (120, 20, 300_000), "bootstrap": (120, 20, 300_000)}
)
"""The same for tests that draw their p-values."""

BORDER = 1e-9
"""p-values closer to alpha than this are left undecided: rounding could have put them there."""


@frozen(eq=False)
class PairTest:
    """A statement about significance, and the scores that it is about.

    Parameters
    ----------
    scores
        The systems that matter to the test.
    test, options
        The test itself, and what it takes beside the scores.
    """

    statement: Significant
    scores: Scores
    alpha: float
    test: Callable[..., Any]
    options: dict[str, Any]

    @classmethod
    def of(cls, statement: Significant, scores: Scores, alpha: float, options: dict[str, Any]) -> PairTest:
        """Return the question with the scores that matter to it."""
        from measurand.statistics.registry import find_test

        test = find_test(statement.test)
        if statement.a == statement.b:
            raise ParameterError(f"a test needs two systems, not {statement.a!r} twice")
        if test.__name__ not in TOGETHER:
            rows = [scores.systems.index(name) for name in statement.systems]
            scores = evolve(scores, values=scores.values[rows], systems=statement.systems)
        return cls(statement, scores, statement.alpha or alpha, test, options)

    @property
    def need(self) -> Need:
        """What the test declares that it needs."""
        from measurand.statistics.needs import need_of

        return need_of(self.test)

    @property
    def pair(self) -> FloatArray:
        """The scores of the two systems."""
        return np.asarray(self.scores.values[self._rows])

    @property
    def goodness(self) -> FloatArray:
        """The scores of the two systems, the higher the better."""
        return np.asarray(self.scores.goodness[self._rows])

    @property
    def _rows(self) -> list[int]:
        return [self.scores.systems.index(name) for name in self.statement.systems]

    @cached_property
    def before(self) -> float:
        """The p-value of the two systems, of the scores as they are."""
        return self._tested(None)[0]

    @cached_property
    def true(self) -> bool:
        """Whether the statement is true of the scores as they are."""
        return self.holds(None)

    def pvalue(self, transformation: Transformation) -> float:
        """Return the p-value of the two systems, of the scores rescaled."""
        return self._tested(transformation)[0]

    def holds(self, transformation: Transformation | None) -> bool:
        """Return whether the statement is true of the scores, rescaled."""
        pvalue, ahead = self._tested(transformation)
        way = {"better": ahead > 0, "worse": ahead < 0}.get(self.statement.way, True)
        return pvalue <= self.alpha and way

    @property
    def directions(self) -> tuple[int, ...]:
        """The signs of the difference of the two systems' values that the statement is about."""
        if not self.statement.way:
            return (1, -1)
        return (1,) if (self.statement.way == "better") != self.scores.lower_is_better else (-1,)

    def _tested(self, transformation: Transformation | None) -> tuple[float, float]:
        """Return the p-value, and the test statistic, which is positive where the first system is ahead."""
        scores = self.scores
        if transformation is not None:
            scores = evolve(scores, values=transformation(scores.values))
        found = self.test(scores, **self.options)
        a, b = (found.place(name) for name in self.statement.systems)
        return float(found.pvalues[a, b]), float(found.statistic[a, b])

    @property
    def _tries(self) -> int:
        """How many rescalings are tried."""
        pairs = len(self.scores.systems) * (len(self.scores.systems) - 1) // 2
        most, least, looks = SLOW.get(self.test.__name__, TRIED)
        return min(most, max(looks // pairs, least))

    def changed(self, maps: Iterable[Transformation], *, one_scale: bool, order: bool = True) -> Transformation | None:
        """Return the first rescaling after which the test decides otherwise."""
        for map_ in islice(maps, self._tries):
            allowed = not order or keeps_order(map_, self.scores.values, one_scale=one_scale)
            if allowed and self.holds(map_) != self.true:
                return map_
        return None


def options_of(test: str, options: dict[str, Any], rng: Any) -> dict[str, Any]:
    """Return what a test is to be called with, or complain of an option that it has not.

    Examples
    --------
    >>> options_of("sign", {}, 0)
    {}
    """
    from measurand.statistics.registry import find_test

    own = [name for name in signature(find_test(test)).parameters if name not in ("scores", "semantics")]
    taken = ["semantics", *own]
    for name in options:
        if name not in taken:
            raise ParameterError(f"{test} has no option {name}; there is {', '.join(taken)}")
    return {"rng": rng, **options} if "rng" in taken else options


def decide_significance(asked: PairTest, scale: Scale, *, one_scale: bool) -> Decision:
    """Return whether the decision of a test survives every permissible rescaling."""
    name, need = asked.test.__name__, asked.need
    true = asked.true
    if scale is Scale.NOMINAL:
        return _of_labels(asked, true, one_scale=one_scale)
    if scale >= need.scale and (one_scale or not need.across):
        return robust(true, invariance(need))
    if name == "paired_t":
        return _decide_t(asked, true, scale, one_scale=one_scale)
    significant = asked.before <= asked.alpha
    if name == "signed_rank" and (reason := never_changes(asked.goodness, asked.alpha, significant=significant)):
        return robust(true, reason)
    maps = likely_changes(asked, scale, one_scale=one_scale)
    found = asked.changed(maps, one_scale=one_scale)
    if found is not None:
        return fragile(true, found)
    return undecided(true, f"none of the rescalings that were tried changes what the {need.statistic} decides")


@frozen(eq=False)
class Cone:
    r"""Differences of two systems by topic as :math:`d = A u`, where any :math:`u > 0` comes of some rescaling.

    If all topics share a scale, `u` are the lengths of the gaps between the scores that occur, and `A` says which
    gaps lie between the two scores of a topic. If every topic has its own, `u` are the sizes of its differences.

    Student's t grows with the cosine of the angle between `d` and (1, …, 1). So it is largest at the projection
    of (1, …, 1) on the cone, and among differences that cannot change direction it is smallest on an edge.

    Parameters
    ----------
    edges
        The matrix `A`, topics × edges.
    lengths
        What `u` is for the scores as they are.
    """

    rows: FloatArray
    topics: tuple[str, ...]
    one_scale: bool
    edges: FloatArray
    lengths: FloatArray
    values: FloatArray

    @classmethod
    def of(cls, rows: FloatArray, topics: tuple[str, ...], *, one_scale: bool) -> Cone:
        """Return the cone of the scores of two systems, which have no gaps.

        Examples
        --------
        >>> cone = Cone.of(np.array([[1.0, 4.0], [2.0, 2.0]]), ("1", "2"), one_scale=True)
        >>> cone.edges.tolist(), cone.lengths.tolist()
        ([[-1.0, 0.0], [0.0, 1.0]], [1.0, 2.0])
        """
        if not one_scale:
            differences = rows[0] - rows[1]
            return cls(rows, topics, False, np.diag(np.sign(differences)), np.abs(differences), np.empty(0))
        values = np.unique(rows)
        above = rows[:, :, None] > values[None, None, :-1]
        edges = above[0].astype(np.float64) - above[1]
        return cls(rows, topics, True, edges, np.diff(values), values)

    @property
    def pulls(self) -> FloatArray:
        """How each edge moves the sum of the differences."""
        return np.asarray(self.edges.sum(axis=0))

    def furthest(self, sign: int) -> tuple[FloatArray, float]:
        """Return the lengths at which t is largest in a direction, and the cosine there."""
        from scipy.optimize import nnls

        lengths, _ = nnls(self.edges, np.full(len(self.edges), float(sign)), maxiter=50 * self.edges.shape[1])
        return lengths, self.cosine(lengths)

    def nearest(self) -> tuple[FloatArray, float]:
        """Return the lengths at which t is closest to 0, among edges, and the cosine there."""
        sizes = np.sqrt((self.edges**2).sum(axis=0))
        cosines = np.divide(np.abs(self.pulls), sizes, out=np.full(len(sizes), np.inf), where=sizes > 0)
        best = int(np.argmin(cosines))
        lengths = np.zeros(len(sizes))
        lengths[best] = 1.0
        return lengths, self.cosine(lengths)

    def turning(self) -> tuple[FloatArray, float]:
        """Return lengths of the opposite direction alone, and how far towards them the sum is 0."""
        present = float(self.pulls @ self.lengths)
        against = np.where(np.sign(self.pulls) == -np.sign(present), self.lengths, 0.0)
        total, other = abs(present) / self.lengths.sum(), abs(float(self.pulls @ against)) / against.sum()
        return against, total / (total + other)

    def cosine(self, lengths: FloatArray) -> float:
        """Return the cosine between the differences and (1, …, 1)."""
        differences = self.edges @ lengths
        size = sqrt(float(differences @ differences))
        return float(differences.sum()) / (size * sqrt(len(differences))) if size > 0 else 0.0

    def towards(self, lengths: FloatArray, blends: tuple[float, ...] = BLENDS) -> Iterator[Transformation]:
        """Yield rescalings that go some way from the scores as they are to given lengths."""
        here, there = self.lengths / self.lengths.sum(), lengths / lengths.sum()
        for blend in blends:
            mixed = (1 - blend) * here + blend * there
            yield from self._one(mixed) if self.one_scale else self._own(mixed)

    def _one(self, mixed: FloatArray) -> Iterator[Transformation]:
        after = self.values[0] + (self.values[-1] - self.values[0]) * np.concatenate([[0.0], mixed.cumsum()])
        yield from through(self.values, after)

    def _own(self, mixed: FloatArray) -> Iterator[Transformation]:
        moved = np.flatnonzero(self.lengths > 0)
        slopes = mixed[moved] * self.lengths.sum() / self.lengths[moved]
        yield PerTopic(self.topics, {self.topics[t]: Affine.near(s) for t, s in zip(moved, slopes, strict=True)})


def t_pvalue(cosine: float, topics: int) -> float:
    """Return the two-sided p-value of Student's t from the cosine between differences and (1, …, 1).

    Examples
    --------
    >>> t_pvalue(0.0, 10), t_pvalue(1.0, 10)
    (1.0, 0.0)
    """
    from scipy.special import stdtr

    if topics < 2:
        return 1.0
    rest = 1 - cosine * cosine
    if rest <= 1e-15:
        return 0.0
    return float(2 * stdtr(topics - 1, -abs(cosine) * sqrt((topics - 1) / rest)))


def arrangements(pair: FloatArray, topics: tuple[str, ...]) -> Iterator[Transformation]:
    """Yield rescalings of topics that put the differences of one sign below those of the other, or between them.

    Tied sizes make the ranks of a sign alike, which makes the normal approximation most extreme; different sizes
    do the same for the exact distribution. Mixed as evenly as possible, the rank sums balance.

    Examples
    --------
    >>> wins = next(arrangements(np.array([[3.0, 1.0], [1.0, 2.0]]), ("1", "2")))
    >>> wins(np.array([[3.0, 1.0], [1.0, 2.0]])).tolist()
    [[3.0, 1.0], [1.0, 2.0]]
    """
    differences = pair[0] - pair[1]
    signs = np.sign(differences)
    moved = np.flatnonzero(signs != 0)
    for last in (1, -1):
        larger = signs[moved] == last
        order = np.argsort(larger, kind="stable")
        sizes = np.empty(len(moved))
        sizes[order] = np.arange(1, len(moved) + 1)
        for wanted in (sizes, np.where(larger, 2.0, 1.0)):
            yield _sized(differences, moved, wanted, topics)
    yield _sized(differences, moved, _balanced(signs[moved]), topics)


def never_changes(pair: FloatArray, alpha: float, *, significant: bool) -> str:
    """Return why no rescaling of topics changes what signed ranks decide, or nothing if that is not known.

    If all differences have one sign, the ranks make no difference to the exact p-value, which is 2 / 2^n. And
    whatever the ranks, the p-value is at least twice the chance that all topics of one sign come out so.

    Parameters
    ----------
    pair
        The goodness of the two systems, topic by topic.
    """
    both = ~np.isnan(pair).any(axis=0)
    signs = np.sign(pair[0, both] - pair[1, both])
    ahead, behind = int((signs > 0).sum()), int((signs < 0).sum())
    n = ahead + behind
    if not n:
        return "no topic tells the two systems apart"
    # the normal approximation of n ranks without ties, the weakest that there is, with continuity correction
    weakest = (n * (n + 1) / 4 - 0.5) / np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    if significant and not (ahead and behind) and 2.0 ** (1 - n) <= alpha and _two_sided(weakest) <= alpha:
        return "one system is never behind on any topic, so its ranks have all the same sign"
    strongest = max(ahead, behind)
    # at best all ranks of a sign are tied on top of the others
    if not significant and 2.0 ** (1 - strongest) > alpha and _two_sided(np.sqrt(strongest)) > alpha:
        return f"{n} topics with {ahead} wins and {behind} losses are too few for any ranks to be significant"
    return ""


def _two_sided(z: float) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(-z))


def _balanced(signs: FloatArray) -> FloatArray:
    """Return sizes that bring the sums of ranks of both signs close together."""
    ranks = np.arange(len(signs), 0, -1)
    left = {1.0: int((signs > 0).sum()), -1.0: int((signs < 0).sum())}
    sums, chosen = {1.0: 0, -1.0: 0}, []
    for rank in ranks.tolist():
        # the rarer sign needs the larger ranks; then whichever sum lags behind
        sign = min((s for s in (1.0, -1.0) if left[s]), key=lambda s: (sums[s], left[s]))
        left[sign] -= 1
        sums[sign] += rank
        chosen.append((sign, rank))
    sizes = np.empty(len(signs))
    for sign in (1.0, -1.0):
        sizes[signs == sign] = [rank for s, rank in chosen if s == sign]
    return sizes


def _sized(differences: FloatArray, moved: IntArray, sizes: FloatArray, topics: tuple[str, ...]) -> Transformation:
    slopes = sizes / np.abs(differences[moved])
    return PerTopic(topics, {topics[int(t)]: Affine.near(slope) for t, slope in zip(moved, slopes, strict=True)})


def invariance(need: Need) -> str:
    """Return why permissible rescalings do not change what a test finds, in a clause.

    Parameters
    ----------
    need
        What the test declares that it needs.
    """
    if need.scale is Scale.ORDINAL:
        where = "over all topics" if need.across else "within topics"
        return f"the {need.statistic} looks at the order of scores {where} and at nothing else"
    return f"the {need.statistic} gives the same p-value after any positive affine map"


def _of_labels(asked: PairTest, true: bool, *, one_scale: bool) -> Decision:
    scores = asked.scores
    maps = random_rescalings(scores.values, scores.topics, Scale.NOMINAL, one_scale=one_scale, many=RELABELLINGS, rng=0)
    found = asked.changed(maps, one_scale=one_scale, order=False)
    if found is not None:
        return fragile(true, found, "labels have no order and no distances", kind=True)
    return undecided(true, f"none of {RELABELLINGS} relabellings changes what the {asked.need.statistic} decides")


def _decide_t(asked: PairTest, true: bool, scale: Scale, *, one_scale: bool) -> Decision:
    cone = _cone(asked, one_scale=one_scale)
    topics = cone.topics
    if len(topics) < 2 or not cone.edges.any():
        some = (
            "a single topic decides nothing" if len(topics) else "there is no topic on which both systems have a score"
        )
        return robust(true, "no topic tells the two systems apart" if len(topics) > 1 else some)
    reached, maps = (
        _towards_nothing(cone, asked.alpha) if true else _towards_something(cone, asked.alpha, asked.directions)
    )
    if maps is None:
        return robust(true, _kept_side(asked, true, reached))
    wide = map(partial(widened, topics=asked.scores.topics), maps)
    found = asked.changed(chain(wide, likely_changes(asked, scale, one_scale=one_scale)), one_scale=one_scale)
    if found is not None:
        return fragile(true, found)
    return undecided(true, f"p gets to {reached:.9g} at its extreme, which no rescaling that was tried shows")


def _kept_side(asked: PairTest, true: bool, reached: float) -> str:
    """Return on which side of alpha the p-value stays, in a clause; of scales on which a system is as it is said."""
    said = asked.statement
    if true:
        return f"p stays below {asked.alpha:g} whatever the rescaling: at its extreme it is {reached:.3g}"
    if said.way and reached == inf:
        return f"on no scale is {said.a} on average {said.way} than {said.b}"
    where = f" where {said.a} is {said.way}" if said.way else ""
    return f"p never gets below {asked.alpha:g}{where}, whatever the rescaling: at its extreme it is {reached:.3g}"


def _cone(asked: PairTest, *, one_scale: bool) -> Cone:
    """Return the cone of the two systems' differences, on the topics that both have."""
    pair = asked.pair
    both = np.flatnonzero(~np.isnan(pair[0] + pair[1]))
    return Cone.of(pair[:, both], tuple(asked.scores.topics[t] for t in both), one_scale=one_scale)


def _towards_nothing(cone: Cone, alpha: float) -> tuple[float, Iterator[Transformation] | None]:
    """Return the largest p-value that rescalings lead to, and rescalings that lead there, if it is above alpha."""
    pulls = cone.pulls
    if (pulls > 0).any() and (pulls < 0).any() and pulls @ cone.lengths != 0:
        lengths, crossing = cone.turning()
        return 1.0, cone.towards(lengths, tuple(share * crossing for share in (0.3, 0.5, 0.7, 0.85, 0.95, 1.0)))
    lengths, cosine = cone.nearest()
    reached = t_pvalue(cosine, len(cone.topics))
    return reached, (cone.towards(lengths) if reached > alpha - BORDER else None)


def _towards_something(
    cone: Cone, alpha: float, directions: tuple[int, ...]
) -> tuple[float, Iterator[Transformation] | None]:
    """Return the smallest p-value that rescalings lead to, and rescalings that lead there, if it is not above alpha.

    Where none leads to a difference in one of the directions, there is no such p-value: it is infinite.
    """
    found = []
    for sign in directions:
        lengths, cosine = cone.furthest(sign)
        if cosine * sign > 0:
            found.append((t_pvalue(cosine, len(cone.topics)), sign, lengths))
    if not found:
        return inf, None
    found.sort(key=lambda each: each[0])
    reached = found[0][0]
    if reached > alpha + BORDER:
        return reached, None
    return reached, chain.from_iterable(cone.towards(lengths) for p, _, lengths in found if p <= alpha + BORDER)


def likely_changes(asked: PairTest, scale: Scale, *, one_scale: bool) -> Iterator[Transformation]:
    """Yield rescalings that may change a decision: plain ones, extremes of t, extremes of signed ranks."""
    scores, pair = asked.scores, asked.pair
    yield from candidate_rescalings(scores.values, scores.topics, scale, pair, one_scale=one_scale)
    cone = _cone(asked, one_scale=one_scale)
    if not one_scale:
        yield from (widened(map_, scores.topics) for map_ in arrangements(cone.rows, cone.topics))
    if scale is Scale.ORDINAL or not one_scale:
        for sign in (1, -1):
            lengths, cosine = cone.furthest(sign) if cone.edges.any() else (cone.lengths, 0.0)
            if cosine:
                yield from (widened(map_, scores.topics) for map_ in cone.towards(lengths))
        if (cone.pulls > 0).any() and (cone.pulls < 0).any() and cone.pulls @ cone.lengths != 0:
            lengths, crossing = cone.turning()
            shares = tuple(share * crossing for share in (0.5, 0.8, 1.0))
            yield from (widened(map_, scores.topics) for map_ in cone.towards(lengths, shares))
