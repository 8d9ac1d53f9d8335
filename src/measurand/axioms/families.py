"""What the family of a measure proves about all runs of a length.

Replacement and swapping never lower the number of documents of at least some grade down to some rank. So it
is enough to write a measure as a sum, with weights that are not negative, of functions that grow with those
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache, partial, singledispatch
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from attrs import define

from measurand.intervals.interval_scale import IntervalScaled
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.at_least_as_good import AtLeastAsGood
from measurand.measures.cascade import Cascade
from measurand.measures.compatibility import Compatibility
from measurand.measures.counting import Counting, Counts
from measurand.measures.defined import Defined
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.inst import Inst
from measurand.measures.interpolated_precision import InterpolatedPrecision
from measurand.measures.nearly_expected_reciprocal_rank import NearlyReciprocalRank
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.relevant_ranks import RelevantRanks, Visit
from measurand.measures.space import Space
from measurand.measures.time_biased_gain import TimeBiasedGain
from measurand.measures.total_orders import RankBasedTotalOrder, SetBasedTotalOrder, TotalOrder

FAR = 400
"""Down to which rank all contributions of relevant documents are tabulated; beyond, linear ones by their slopes."""

IN_ORDER = ("replacement", "swap", "priority")
"""The properties that are about the order of runs alone."""


def proofs(measure: Measure, space: Space) -> Mapping[str, str]:
    """Return what can be proved of a measure on a space: properties by name, with the argument.

    Examples
    --------
    >>> from measurand.measures import AP, DCG
    >>> sorted(proofs(DCG, Space(depth=1000))), sorted(proofs(AP, Space(depth=100)))
    (['deepness', 'priority', 'replacement', 'swap'], ['priority', 'replacement', 'swap'])
    """
    # a function belongs to no family, and need not even have a hash
    return {} if isinstance(measure, Defined) else _kept(measure, space)


@lru_cache(maxsize=256)
def _kept(measure: Measure, space: Space) -> Mapping[str, str]:
    return MappingProxyType(by_family(measure, space))


@singledispatch
def by_family(measure: Measure, space: Space) -> dict[str, str]:  # noqa: ARG001 - for the families below
    """Return what the family of a measure proves: nothing, unless it is one of those below."""
    return {}


@by_family.register
def _(measure: GeometricMean, space: Space) -> dict[str, str]:
    return by_family(measure.measure, space) if measure.is_defined_by(GeometricMean) else {}


@by_family.register
def _(measure: IntervalScaled, space: Space) -> dict[str, str]:
    # ranks keep what is said of the order of runs, not what is said of differences
    kept = by_family(measure.ordering, space)
    return {name: f"ranks keep the order of {measure.measure!r}: {kept[name]}" for name in IN_ORDER if name in kept}


@by_family.register
def _(measure: Additive, space: Space) -> dict[str, str]:
    pool = space.pool
    top = measure.top_grade(pool)
    gains = [Fraction(0), *(measure.gain_at(grade, top) for grade in range(1, space.grades))]
    weights = _until(measure, space, measure.weight)
    dead = measure.scaling(pool, len(weights)) <= 0
    if dead or min(weights) < 0 or not _ascends(gains) or not _rises(measure, Additive):
        return {}
    found = {"replacement": "the gains never fall with the grade, the weights are not negative"}
    if not _ascends(weights[::-1]):
        return found
    found["swap"] = "the gains never fall with the grade, the weights never rise with the rank"
    if _ascends(gains, strictly=True) and _ascends(weights[::-1], strictly=True):
        found["priority"] = "the gains rise with the grade, the weights fall with the rank"
        if _convex(weights):
            found["deepness"] = "the weights fall with the rank, and fall less and less"
    return found


@by_family.register
def _(measure: Cascade, space: Space) -> dict[str, str]:
    top = measure.top_grade(space.pool)
    stops = [measure.stop(grade, top) for grade in range(space.grades)]
    worths = _until(measure, space, measure.utility)
    normalised = isinstance(measure, NormalisedExpectedReciprocalRank)
    if not _rises(measure, NormalisedExpectedReciprocalRank if normalised else Cascade):
        return {}
    if not (_ascends([Fraction(0), *stops, Fraction(1)]) and _ascends([Fraction(0), *worths[::-1]])):
        return {}
    argument = "the chance to have stopped by a rank never falls with a grade above it, nor the worth of an early stop"
    found = {"replacement": argument, "swap": argument}
    if not _counts(measure, space):
        return found
    if stops[-1] < 1 and _ascends(stops, strictly=True) and _ascends(worths[::-1], strictly=True):
        found["priority"] = "no document stops for certain, better ones more often, and every rank is worth less"
        if _convex(worths):
            found["deepness"] = "a swap gains what the two ranks differ in worth times the chance to come that far"
    return found


@by_family.register
def _(measure: Counting, space: Space) -> dict[str, str]:
    if measure.lowest >= space.grades or not _rises(measure, Counting):
        return {}
    if not _ascends(by_count(measure, space)):
        return {}
    argument = "the value depends on how many relevant documents stand above a rank, and never falls with them"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: RelevantRanks, space: Space) -> dict[str, str]:
    if measure.lowest >= space.grades or not _rises(measure, RelevantRanks):
        return {}
    if measure.graded and space.grades > measure.lowest + 1:
        return {}
    if space.depth > FAR or space.grades > 2:
        # slopes say as much as the table, which is quadratic in the depth, but for two grades
        found = _of_linear_contributions(measure, space)
        if found or space.depth > FAR:
            return found
    table = _contributions(measure, space)
    if not all(row[-1] >= 0 and _ascends(row[::-1]) for row in table):
        return {}
    argument = "the k-th relevant document never comes later, and adds no less when it comes sooner"
    found = {"replacement": argument, "swap": argument}
    if space.grades == 2 and _counts(measure, space) and all(_ascends(row[::-1], strictly=True) for row in table):
        found["priority"] = "a swap of neighbours moves one relevant document up, where it adds more"
    return found


@by_family.register
def _(measure: ReciprocalRank, space: Space) -> dict[str, str]:  # noqa: ARG001
    if not _rises(measure, ReciprocalRank):
        return {}
    argument = "the first relevant document never comes later"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: AtLeastAsGood, space: Space) -> dict[str, str]:  # noqa: ARG001
    if not _rises(measure, AtLeastAsGood):
        return {}
    argument = "what is better than a run that is at least as good as another is at least as good as that other too"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: TotalOrder, space: Space) -> dict[str, str]:  # noqa: ARG001
    kind = next((kind for kind in (SetBasedTotalOrder, RankBasedTotalOrder) if isinstance(measure, kind)), None)
    if kind is None or not _rises(measure, kind):
        return {}
    argument = "the grade that decides is never lower: the highest where sets differ, the first where rankings do"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: InterpolatedPrecision, space: Space) -> dict[str, str]:  # noqa: ARG001
    if not _rises(measure, InterpolatedPrecision):
        return {}
    argument = "at the rank where precision was highest no fewer relevant documents have been seen"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: Inst, space: Space) -> dict[str, str]:
    # Write x for the rank i plus 2T less the gain so far, which is never below 1; the reader goes on with probability
    # (1 - 1/x)². What is gained beyond rank i is at most x: a step of gain g leaves y = x - g, and by induction at most
    # g + (y/(y + 1))² (y + 1) = x - y/(y + 1). More gain by rank i, at the cost of the next, is worth (2x - 1)/x² and
    # loses at most 2(x - 1)/x³ for each unit that is gained beyond: 2(x - 1)/x², which is less.
    if 2 * measure.T < 1 or measure.top_grade(space.pool) < space.grades - 1 or not _rises(measure, Inst):
        return {}
    argument = (
        "for T from 1/2 up, more gain by a rank is worth more than what a reader who then goes on less misses below"
    )
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: NearlyReciprocalRank, space: Space) -> dict[str, str]:
    # Of those who come to a rank, the share that stops for gain below it is at most 1. A gain that rises by d at a rank
    # stops d more readers there, who would have gained at most as much below; and so many fewer look at what is below.
    # Where gains l above and h below change places, h - l more stop at the upper rank: without them those between lose
    # (h - l) S, S being the share that stops there, and the lower rank loses (h - l) P, P being the share that comes to
    # it. S + P is at most 1. So what is gained never falls, and the number of documents looked at never rises.
    top, ranks = measure.top_grade(space.pool), range(1, space.depth + 1)
    gains = [measure.gain_at(grade, top) for grade in range(space.grades)] if top >= space.grades - 1 else []
    if not gains or not _ascends([Fraction(0), *gains, Fraction(1)]) or not _rises(measure, NearlyReciprocalRank):
        return {}
    if not all(0 <= measure.patience(Fraction(rank)) <= 1 for rank in ranks):
        return {}
    argument = "readers who stop sooner for more gain gain no less, and look at no more documents"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: Compatibility, space: Space) -> dict[str, str]:  # noqa: ARG001
    if not _rises(measure, Compatibility):
        return {}
    argument = "no fewer documents of at least a grade by a rank make the overlap with the ideal ranking no smaller"
    return {"replacement": argument, "swap": argument}


@by_family.register
def _(measure: TimeBiasedGain, space: Space) -> dict[str, str]:
    if measure.lowest >= space.grades or not _rises(measure, TimeBiasedGain):
        return {}
    # A relevant document is opened more often than another by 0.25, which delays what follows by x = 0.25 d half-lives,
    # d being the time for an open document. Relevant documents that follow are at least y = 0.64 d apart, so that they
    # are worth at most 1/(2^y - 1) in units of the document, and lose at most (1 - 2^-x)/(2^y - 1) < x/y < 1 of it.
    argument = "a relevant document in the place of another adds more than those below it lose, which are reached later"
    found = {"replacement": argument, "swap": argument}
    if space.grades == 2 and measure.reach(space.depth) == space.depth:
        found["priority"] = "a swap of neighbours moves one relevant document up, where it is reached sooner"
    return found


@by_family.register
def _(measure: ObservationalEffectiveness, space: Space) -> dict[str, str]:
    pool = space.pool
    size = measure.size(pool, space.depth)
    if space.grades > 2 or measure.lowest > 1 or type(measure) is not ObservationalEffectiveness:
        return {}
    if size <= space.depth or size < space.depth + pool.recall_base():
        return {}
    found = {}
    if measure.cutoff is None or measure.cutoff >= space.depth:
        gain = "moving a relevant document from rank i + 1 to i adds β ln((i + 1)/i)"
        found = {"swap": gain, "priority": gain, "deepness": f"{gain}, which falls with i"}
        if measure.beta > measure.alpha1 and measure.collection:
            found["confidence"] = (
                "a nonrelevant document at the end, at rank n, adds (α₁ - β) ln(D/n), which is negative"
            )
    return found


def by_count(measure: Counting, space: Space) -> list[Any]:
    """Return the values of runs with 0, 1, 2, … relevant documents in the ranks that a counting measure looks at.

    Parameters
    ----------
    measure
        The measure, which keeps the definition of its family.
    space
        The runs and the topic; all documents are retrieved and judged.

    Examples
    --------
    >>> from measurand.measures import Success
    >>> [int(value) for value in by_count(Success @ 3, Space(depth=5))]
    [0, 1, 1, 1]
    """
    base, depth = space.pool.recall_base(measure.lowest), measure.reach(space.depth)
    ranks = measure.ranks(depth, base)
    seen = min(ranks, depth)
    return [Fraction(measure.count(Counts(relevant, ranks, base, seen, seen))) for relevant in range(seen + 1)]


def _of_linear_contributions(measure: RelevantRanks, space: Space) -> dict[str, str]:
    """Return what is proved at any depth where contributions are linear in the number of relevant documents."""
    # what is declared of a contribution does not hold for another that a subclass writes
    writer = next(kind for kind in type(measure).__mro__ if "contribution" in vars(kind))
    if not vars(writer).get("linear", False):
        return {}
    adds = _added(measure, space)
    bare, first = (_until(measure, space, partial(adds, count)) for count in (0, 1))
    slope = [of_one - of_none for of_none, of_one in zip(bare, first, strict=True)]
    if not all(_ascends([Fraction(0), *numbers[::-1]]) for numbers in (bare, slope)):
        return {}
    argument = "the k-th relevant document never comes later, and adds no less when it comes sooner"
    return {"replacement": argument, "swap": argument}


def _rises(measure: Measure, family: type) -> bool:
    """Return whether the argument of a family, that better runs have higher values, applies to a measure."""
    return measure.is_defined_by(family) and not measure.lower_is_better


def _until(measure: Measure, space: Space, of_rank: Any) -> list[Any]:
    """Return something of every rank, 0 beyond the cutoff."""
    seen = min(space.depth, measure.cutoff or space.depth)
    return [of_rank(rank) if rank <= seen else Fraction(0) for rank in range(1, space.depth + 1)]


def _contributions(measure: RelevantRanks, space: Space) -> list[list[Any]]:
    """Return for the k-th relevant document what it adds at rank k, k + 1, … (nothing beyond the cutoff)."""
    seen, adds = min(space.depth, measure.cutoff or space.depth), _added(measure, space)
    ranks = range(1, space.depth + 1)
    return [[adds(count, rank) if rank <= seen else Fraction(0) for rank in ranks[count - 1 :]] for count in ranks]


@define(eq=False, repr=False)
class _Arrival:
    """What has been seen on arriving at a relevant document, above which all documents are judged."""

    rank: Fraction
    relevant: int
    nonrelevant: int
    gain: Fraction | int
    ideal_gain: Fraction | int
    start: Visit
    pooled: int = 0

    @property
    def recall_base(self) -> int:
        return self.start.recall_base

    @property
    def all_nonrelevant(self) -> int:
        return self.start.all_nonrelevant


def _added(measure: RelevantRanks, space: Space) -> Callable[[int, int], Fraction]:
    """Return what a relevant document adds, of the lowest grade that counts, from how many there are and its rank."""
    start = Visit((), space.pool, measure.lowest, measure.worth)
    ideal = [*start.ideal_gains, *start.ideal_gains[-1:] * space.depth]
    least = measure.worth(measure.lowest)

    def adds(count: int, rank: int) -> Fraction:
        seen = _Arrival(Fraction(rank), count, rank - count, count * least, ideal[rank], start)
        return Fraction(measure.contribution(seen))

    return adds


def _counts(measure: Measure, space: Space) -> bool:
    """Return whether one document of the highest grade on top is worth anything on the topic."""
    best = (space.grades - 1, *[0] * (space.depth - 1))
    return measure.exact(measure.view(best), space.pool) != 0


def _ascends(numbers: list[Any], *, strictly: bool = False) -> bool:
    return all(low < high if strictly else low <= high for low, high in pairwise(numbers))


def _convex(numbers: list[Any]) -> bool:
    """Return whether numbers that fall do so by less and less."""
    return _ascends([high - low for high, low in pairwise(numbers)][::-1], strictly=True)
