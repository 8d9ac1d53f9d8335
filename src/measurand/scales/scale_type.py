"""The scale that a measure is on, with the certificate.

`scale_type` decides whether values are equally spaced: by all of them where runs are short, by what the definition of
a measure's family proves at any depth (`proved_spacing`), or by its ruler. Where values cannot be counted, some of them
may still show that they are not equally spaced (`measurand.scales.sampled_spacing`). Labels of scores are found in the
same way, but for the last.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, singledispatch
from itertools import pairwise
from math import log2
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.errors import MeasurandError, NotAvailable
from measurand.exact import Exact, InverseLogs, ranked, whole_number
from measurand.judged import Pool
from measurand.measures import Measure, as_measure
from measurand.measures.additive import Additive, gains_of_grades
from measurand.measures.around import AroundMeasure, innermost
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.base import USUAL_DEPTH
from measurand.measures.cascade import Cascade
from measurand.measures.catalogue import is_own
from measurand.measures.counting import Counting, Counts
from measurand.measures.counts import NumberRetrieved
from measurand.measures.defined import Defined
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.judged_share import JudgedShare, UnjudgedShare
from measurand.measures.parameters import USUAL
from measurand.measures.rank_biased_precision import Geometric
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.set_measures import SetAveragePrecision, SetFMeasure, SetPrecision
from measurand.measures.total_orders import TotalOrder
from measurand.scale import Basis, Scale, ScaleLabel, ScaleOf, as_grade_scale
from measurand.verdict import How, Verdict

if TYPE_CHECKING:
    from measurand.intervals.interval_scale import IntervalScaled

BITS = 1 << 22
"""Sums up to this many steps are written out, one bit each, where no rule decides."""

EVEN = "its values are all multiples of one step, up to the highest"

NO_MULTIPLE = "some of its values are no multiple of the least one"

WIDER = "there is a gap in its values that is wider than the first step"

FEW = 1 << 10
"""Labels of scores are found from so many runs at most, which takes a fraction of a second."""


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


@proved_spacing.register(GeometricMean)
def _(measure: GeometricMean, depth: int, grades: int) -> Verdict | None:
    return proved_spacing(measure.measure, depth, grades)


@proved_spacing.register(AroundMeasure)
def _(measure: AroundMeasure, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    interval = interval_scaled(measure)
    if interval is None or interval.ties != "unq":
        return None
    return _proved(True, "its values are ranks, equally spaced by construction", depth)


@proved_spacing.register(AveragePrecision)
@proved_spacing.register(Cascade)
@proved_spacing.register(ReciprocalRank)
def _(measure: Measure, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    first = 3 if isinstance(measure, ReciprocalRank) else 2
    if depth < first or not is_own(measure):
        return None
    return _proved(False, f"its values are not equally spaced, from {'two' if first == 2 else 'three'} ranks on", depth)


@proved_spacing.register(Counting)
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
        if is_own(measure)
        else None
    )


@proved_spacing.register(SetPrecision)
@proved_spacing.register(SetFMeasure)
@proved_spacing.register(SetAveragePrecision)
def _(measure: Counting, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    """Look at results of every size; where there are many, at the two least values, of one relevant document."""
    if not is_own(measure):
        return None
    counts = [(0, depth), (1, depth), (1, depth - 1)]
    if depth < 3:
        counts = [(found, size) for size in range(1, depth + 1) for found in range(size + 1)]
    values = [Fraction(measure.count(Counts(found, size, depth, size, size))) for found, size in counts]
    return _steps(ranked(values)[0], depth, "results of different sizes have steps of different size")


@proved_spacing.register(TotalOrder)
def _(measure: TotalOrder, depth: int, grades: int) -> Verdict | None:  # noqa: ARG001
    if not is_own(measure):
        return None
    return _proved(True, "it counts places in a total order, and every number from none to the last occurs", depth)


@proved_spacing.register(Additive)
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
    gaps: list[Any] = [high - low for low, high in pairwise(values)]
    odd = next((place for place, gap in enumerate(gaps) if gap != gaps[0]), None)
    if odd is None:
        return _proved(True, EVEN, depth)
    from measurand.intervals.images import Uneven

    witness = Uneven(0, odd, gaps[0], gaps[odd])
    return Verdict(False, witness, f"runs of {depth:,} ranks", How.PROVED, argument or str(witness))


def _proved(holds: bool, argument: str, depth: int) -> Verdict:
    return Verdict(holds, None, f"runs of {depth:,} ranks", How.PROVED, argument)


@frozen(repr=False)
class ScaleType(Verdict):
    """Whether a measure is on an interval scale.

    Parameters
    ----------
    holds : bool
        Whether it holds.
    witness : object
        What shows it.
    checked : str, default ""
        Over what it was checked.
    how : How
        How it was found: proved, checked on all, or sampled.
    argument : str, default ""
        Why, in words, where it was proved.
    scale : Scale
        Interval if the measure's values are equally spaced and the grades admit it, ordinal if not.
    equally_spaced : bool, default False
        Whether the values are equally spaced. If not, two steps of different size are the witness.
    for_these_gains : bool, default False
        Whether the values are equally spaced and the scale is ordinal all the same, because there are three grades or
        more on an ordinal scale: other gains for them would be as good, and space the values otherwise.
    """

    scale: Scale = Scale.ORDINAL
    equally_spaced: bool = False
    for_these_gains: bool = False

    @property
    def answered(self) -> str:
        """The answer in words."""
        return f"{self.scale} scale"


def scale_type(
    measure: Measure | str | Callable[..., Any],
    depth: int | None = None,
    grades: int = 2,
    *,
    grade_scale: Scale | str = Scale.ORDINAL,
) -> ScaleType:
    """Return the scale of a measure on the runs of one topic, with the certificate.

    Values that are equally spaced make an interval scale. Where a measure tells three or more grades apart, that
    holds only if the grades themselves are on a ratio scale; grades that are merely ordered could have other gains.
    Where values are too many to count, some runs are drawn: they can prove that values are not equally spaced, never
    that they are. If they prove nothing, `how` is "sampled" and no more than an ordinal scale is claimed.

    Parameters
    ----------
    measure : Measure or str or callable
        The measure, its spelling, or a function of a judged run.
    depth : int, optional
        How many ranks runs have. By default as many as the cutoff, or ten.
    grades : int, default 2
        How many grades there are, counting 0.
    grade_scale : Scale or str
        The scale that the grades are on, `"ordinal"` or `"ratio"`.

    Examples
    --------
    >>> scale_type("P", 30).scale, scale_type("RBP(p=0.5)", 1000).scale
    (<Scale.INTERVAL: 3>, <Scale.INTERVAL: 3>)
    >>> ap = scale_type("AP", 4)
    >>> ap.scale, str(ap.witness)
    (<Scale.ORDINAL: 2>, 'step 1 is 0.0625, step 2 is 0.02083')
    >>> print(scale_type("Q", 60).witness)
    the values of 3 runs would need steps of at most 9.064e-24, which makes 5.31e+22 values, and there are 1.15e+18 runs
    >>> scale_type("gP", 5, 3).for_these_gains, scale_type("gP", 5, 3, grade_scale="ratio").scale
    (True, <Scale.INTERVAL: 3>)

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-B
    """
    known = as_measure(measure)
    depth = known.cutoff or USUAL_DEPTH if depth is None else whole_number("depth", depth, such_as=USUAL_DEPTH)
    grades = whole_number("grades", grades, 2, such_as=3)
    found = _spacing(known, depth, grades)
    return _judged_by_grades(found, known, grades, as_grade_scale(grade_scale))


def _spacing(measure: Measure, depth: int, grades: int) -> Verdict:
    """Return whether values are equally spaced: by all of them, by proof, by a ruler, or by some of them."""
    from measurand.intervals.images import FITS, image

    proof = proved_spacing(measure, _reach(measure, depth), grades)
    if proof and depth * log2(max(2, grades)) > log2(FITS):
        return proof
    try:
        seen = image(measure, depth, grades).spacing()
    except NotAvailable:
        if proof is None:
            from measurand.scales.sampled_spacing import sampled_spacing

            return sampled_spacing(measure, depth, grades)
        return proof
    # two steps that differ are the better certificate; a proof may be about results of all sizes, a look never is
    return proof if seen and proof is not None and not proof else seen


def _reach(measure: Measure, depth: int) -> int:
    """Return how many ranks of a run matter to the measure."""
    return max(1, min(depth, innermost(measure).cutoff or depth))


def _judged_by_grades(spacing: Verdict, measure: Measure, grades: int, grade_scale: Scale) -> ScaleType:
    limited = spacing.holds and grade_scale < Scale.RATIO and _adds_gains(measure, grades)
    scale = Scale.INTERVAL if spacing.holds and not limited else Scale.ORDINAL
    argument = spacing.argument
    if limited:
        argument = (
            "its values are equally spaced for these gains, but the grades are ordinal, and other gains"
            " would be as good; declare grade_scale='ratio' if a grade 2 is worth twice a grade 1"
        )
    holds = spacing.holds and not limited
    verdict = spacing.witness, spacing.checked, spacing.how, argument
    return ScaleType(holds, *verdict, scale, equally_spaced=spacing.holds, for_these_gains=limited)


def _adds_gains(measure: Measure, grades: int) -> bool:
    """Return whether values depend on what three or more grades are worth."""
    inner = innermost(measure)
    if isinstance(inner, Additive) and inner.is_defined_by(Additive):
        return measure.weighs_grades and len(gains_of(inner, 1, grades)) > 1
    return measure.weighs_grades and len(measure.levels_of_relevance(grades)) > 2


@lru_cache(maxsize=1 << 10)
def scale_label(asked: ScaleOf) -> ScaleLabel:
    """Return the scale of a measure's scores without delay: by proof, from few runs, or as declared.

    Parameters
    ----------
    asked
        The measure, the depth of the judged runs, the number of grades, and their scale.

    Examples
    --------
    >>> from measurand.measures import DCG, RBP
    >>> print(scale_label(ScaleOf(DCG(b=10) @ 10, 1000)), scale_label(ScaleOf(RBP(p="1/2") @ 10, 1000, 4)), sep=" | ")
    interval | ordinal, for these gains
    """
    measure = asked.measure
    if not isinstance(measure, Measure):
        raise TypeError(f"{measure!r} is no measure")
    depth = _reach(measure, asked.depth)
    if measure.scale_for:
        return ScaleLabel(measure.declared_scale, Basis.DECLARED, f"for {measure.scale_for}")
    measure, grades = _as_seen(measure, asked.grades)
    spacing = proved_spacing(measure, depth, grades)
    if spacing is None and grades**depth > FEW:
        reason = f"too many runs of {depth} ranks to look at all of their values"
        return ScaleLabel(measure.declared_scale, Basis.DECLARED, reason)
    try:
        spacing = _spacing_of_all(measure, depth, grades) if spacing is None else spacing
    except MeasurandError as error:
        return ScaleLabel(measure.declared_scale, Basis.DECLARED, f"its values cannot be looked at: {error}")
    found = _judged_by_grades(spacing, measure, grades, asked.grade_scale)
    if found.holds and measure.declared_scale is Scale.RATIO:
        return ScaleLabel(Scale.RATIO, Basis.DECLARED, "its values are equally spaced, and its author declares a zero")
    basis = Basis.PROVED if found.how is How.PROVED else Basis.ENUMERATED
    reason = found.argument or str(found.witness or found.checked)
    return ScaleLabel(found.scale, basis, reason, found.for_these_gains)


def _spacing_of_all(measure: Measure, depth: int, grades: int) -> Verdict:
    """Return whether values are equally spaced, by looking at all of them."""
    from measurand.intervals.images import image  # what is proved, as for most measures, needs no image

    return image(measure, depth, grades).spacing()


def interval_scaled(measure: Measure) -> IntervalScaled | None:
    """Return the measure if it is the interval scale of another; the class is loaded where it may be one."""
    if not isinstance(measure, AroundMeasure):
        return None
    from measurand.intervals.interval_scale import IntervalScaled

    return measure if isinstance(measure, IntervalScaled) else None


def _as_seen(measure: Measure, grades: int) -> tuple[Measure, int]:
    """Return the measure with the grades that it tells apart: two of them, if it knows relevant and not relevant."""
    interval = interval_scaled(measure)
    if interval is not None:
        return interval, interval.grades
    if isinstance(innermost(measure), Defined):
        # a function sees the grades as they are, whatever is declared of it
        return measure, grades
    if not measure.graded:
        binary = measure(rel=USUAL).on_grades(None) if innermost(measure).parameters().get("rel") else measure
        return binary, 2
    gmax = innermost(measure).highest_grade
    return measure, grades if gmax is None else gmax + 1
