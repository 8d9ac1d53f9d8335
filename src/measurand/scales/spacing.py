"""Whether the values of a measure are equally spaced: decided by the definition of its family, at any depth."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from itertools import pairwise
from math import log2
from typing import Any

from measurand.exact import Exact, InverseLogs, ranked
from measurand.intervals.families import gains_of_grades
from measurand.intervals.images import Uneven
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import Pool
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.cascade import Cascade
from measurand.measures.catalogue import own
from measurand.measures.counting import Counting, Counts
from measurand.measures.counts import NumberRetrieved
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.judged_share import JudgedShare, UnjudgedShare
from measurand.measures.rank_biased_precision import Geometric
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.set_measures import SetAveragePrecision, SetFMeasure, SetPrecision
from measurand.verdict import How, Verdict

BITS = 1 << 22
"""Sums up to this many steps are written out, one bit each, where no rule decides."""

EVEN = "its values are all multiples of one step, up to the highest"
NO_MULTIPLE = "some of its values are no multiple of the least one"
WIDER = "there is a gap in its values that is wider than the first step"


@singledispatch
def proved_spacing(measure: Measure, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001 - for the families below
    """Return whether the values on runs of a depth are equally spaced, if the definition of the family decides it.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks runs have, down to the cutoff.
    grades
        How many grades the measure tells apart, counting 0.

    Examples
    --------
    >>> from measurand.measures import DCG, RBP, AP
    >>> proved_spacing(DCG(b=10), 10, 2).holds, proved_spacing(DCG(b=10), 11, 2).holds
    (True, False)
    >>> proved_spacing(RBP(p="1/2"), 1000, 2).holds, proved_spacing(AP, 1000, 2).argument
    (True, 'its values are not equally spaced, from two ranks on')

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-B
    """
    return None


@proved_spacing.register
def _(measure: GeometricMean, depth: int, grades: int) -> Verdict | None:
    return proved_spacing(measure.measure, depth, grades)


@proved_spacing.register
def _(measure: IntervalScaled, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    if measure.ties != "unq":
        return None
    return _proved(True, "its values are ranks, equally spaced by construction", depth)


@proved_spacing.register(AveragePrecision)
@proved_spacing.register(Cascade)
@proved_spacing.register(ReciprocalRank)
def _(measure: Measure, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    first = 3 if isinstance(measure, ReciprocalRank) else 2
    if depth < first or not _is_ours(measure):
        return None
    return _proved(False, f"its values are not equally spaced, from {'two' if first == 2 else 'three'} ranks on", depth)


@proved_spacing.register
def _(measure: Counting, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    """Look at every number of relevant documents, on which alone the value depends."""
    if not measure.is_defined_by(Counting) or measure.tells_unjudged:
        return None
    base = Pool.plain(depth, depth, 1).recall_base()
    ranks = measure.ranks(depth, base)
    reach = min(ranks, depth)
    counts = (Counts(relevant, ranks, base, reach, reach) for relevant in range(reach + 1))
    return _steps(ranked([Fraction(measure.count(count)) for count in counts])[0], depth)


@proved_spacing.register(JudgedShare)
@proved_spacing.register(UnjudgedShare)
@proved_spacing.register(NumberRetrieved)
def _(measure: Measure, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    return (
        _proved(True, "it counts documents, and every number from none to all occurs", depth)
        if _is_ours(measure)
        else None
    )


@proved_spacing.register(SetPrecision)
@proved_spacing.register(SetFMeasure)
@proved_spacing.register(SetAveragePrecision)
def _(measure: Counting, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    """Look at results of every size; where there are many, at the two least values, of one relevant document."""
    if not _is_ours(measure):
        return None
    counts = [(0, depth), (1, depth), (1, depth - 1)]
    if depth < 3:
        counts = [(found, size) for size in range(1, depth + 1) for found in range(size + 1)]
    values = [Fraction(measure.count(Counts(found, size, depth, size, size))) for found, size in counts]
    return _steps(ranked(values)[0], depth, "results of different sizes have steps of different size")


@proved_spacing.register
def _(measure: Additive, depth: int, grades: int) -> Verdict | None:
    """Look at sums of weights and gains as whole numbers: they are equally spaced if they leave none out."""
    if not measure.is_defined_by(Additive):
        return None
    gains = gains_of(measure, depth, grades)
    if isinstance(measure, Geometric) and gains:
        found = _of_powers(measure.p, gains, depth)
        if found is not None or depth * log2(1 / measure.p) > log2(BITS):
            return found
    weights = [weight for rank in range(1, depth + 1) if (weight := measure.weight(rank)) != 0]
    if not gains or not weights or any(gain < 0 for gain in gains):
        return None
    if any(isinstance(weight, InverseLogs) for weight in weights):
        return _with_logarithms(weights, depth)
    known = [weight for weight in weights if isinstance(weight, Fraction)]
    if any(weight < 0 for weight in known):
        return None
    return _whole_sums(sorted(known), gains, depth)


def gains_of(measure: Additive, depth: int, grades: int) -> list[Fraction]:
    """Return the different gains of so many grades that are worth something, in ascending order."""
    return sorted({gain for gain in gains_of_grades(measure, grades, Pool.plain(depth, depth, grades - 1)) if gain})


def _of_powers(p: Fraction, gains: list[Fraction], depth: int) -> Verdict | None:
    """Decide the spacing of sums of powers of p without writing them down, which takes long where runs are deep."""
    worths = _multiples(gains)
    if depth > 1 and (p.numerator > 1 or worths is None):
        return _proved(False, NO_MULTIPLE, depth)
    if worths and worths == list(range(1, len(worths) + 1)):
        # each weight is 1/p times the next, which the gains below it have to reach
        even = depth == 1 or len(worths) >= p.denominator - 1
        return _proved(even, EVEN if even else WIDER, depth)
    return None


def _with_logarithms(weights: list[Fraction | InverseLogs], depth: int) -> Verdict | None:
    """Return that values are uneven where two weights have no common measure."""
    rational = [weight for weight in weights if isinstance(weight, Fraction)]
    if not rational:
        return None
    # a single document at one rank and at another: two values without a common measure are no multiples of one step
    return _proved(False, "the weights of two ranks have an irrational ratio", depth)


def _whole_sums(weights: list[Fraction], gains: list[Fraction], depth: int) -> Verdict | None:
    """Decide the spacing of all sums of an ascending list of weights, each times a gain or nothing."""
    # the least value is the first step, of which all others must be multiples
    coins, worths = _multiples(weights), _multiples(gains)
    if coins is None or worths is None:
        return _proved(False, NO_MULTIPLE, depth)
    if worths == list(range(1, len(worths) + 1)):
        most = len(worths)
        reached = 0
        for coin in coins:
            if coin > reached + 1:
                return _proved(False, WIDER, depth)
            reached += most * coin
        return _proved(True, EVEN, depth)
    if sum(coins) * worths[-1] > BITS:
        return None
    sums = 1
    for coin in coins:
        sums |= sum_of_bits(sums, coin, worths)
    full = (1 << (sum(coins) * worths[-1] + 1)) - 1
    return _proved(sums == full, EVEN if sums == full else "there are gaps of different width in its values", depth)


def _multiples(parts: list[Fraction]) -> list[int] | None:
    """Return an ascending list of numbers in units of the first, if all are multiples of it."""
    found = []
    for part in parts:
        multiple = part / parts[0]
        if multiple.denominator > 1:
            return None
        found.append(multiple.numerator)
    return found


def sum_of_bits(sums: int, coin: int, worths: list[int]) -> int:
    """Return the sums that one more coin makes of those that there are, as the bits of a number."""
    found = 0
    for worth in worths:
        found |= sums << (coin * worth)
    return found


def _steps(values: list[Exact], depth: int, argument: str = "") -> Verdict:
    gaps: list[Any] = [high - low for low, high in pairwise(values)]  # type: ignore[operator]
    odd = next((place for place, gap in enumerate(gaps) if gap != gaps[0]), None)
    if odd is None:
        return _proved(True, EVEN, depth)
    witness = Uneven(0, odd, gaps[0], gaps[odd])
    return Verdict(False, witness, f"runs of {depth:,} ranks", How.PROVED, argument or str(witness))


def _proved(holds: bool, argument: str, depth: int) -> Verdict:
    return Verdict(holds, None, f"runs of {depth:,} ranks", How.PROVED, argument)


def _is_ours(measure: Measure) -> bool:
    """Say whether the measure is of the catalogue: somebody else's may derive from it and change everything."""
    return type(measure) in {type(known) for known in own().values()}
