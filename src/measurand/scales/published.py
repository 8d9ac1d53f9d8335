"""What the literature has proved about the scales of measures.

`scale_type` decides the scale of any measure by itself; this is what others have published, with the condition and the
reference, for the profile of a measure to set beside.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch

from attrs import frozen

from measurand.display.result import Result
from measurand.measures import Measure
from measurand.measures.around import AroundMeasure
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.cascade import Cascade
from measurand.measures.discounted_gain import DiscountedCumulatedGain
from measurand.measures.f_measure import FMeasure
from measurand.measures.generalized_precision import GeneralizedPrecision, GeneralizedRecall
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.precision import Precision
from measurand.measures.rank_biased_precision import Geometric
from measurand.measures.recall import Recall
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.scale import Scale
from measurand.scales.scale_type import interval_scaled

INTERVAL_SCALES = "FerranteFerroFuhr2021"


@frozen(repr=False)
class KnownScale(Result):
    """A proved statement about the scale of a measure.

    Parameters
    ----------
    scale : Scale
        The scale that it is on.
    condition : str
        Under which condition, or why it is no more.
    reference : str
        The key of who proved it.
    """

    scale: Scale
    condition: str
    reference: str = INTERVAL_SCALES


@singledispatch
def known_scale(measure: Measure) -> KnownScale | None:  # noqa: ARG001 - for the measures below
    """Return what is proved about the scale of a measure on one topic, or None.

    Parameters
    ----------
    measure : Measure
        A measure.

    Examples
    --------
    >>> from measurand.measures import AP, RBP
    >>> known_scale(RBP(p=0.5)).scale, known_scale(RBP(p=0.8)).scale, known_scale(AP).condition
    (<Scale.INTERVAL: 3>, <Scale.ORDINAL: 2>, 'its values are not equally spaced, from two ranks on')

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-B
    """
    return None


@known_scale.register(GeometricMean)
def _(measure: GeometricMean) -> KnownScale | None:
    return known_scale(measure.measure)


@known_scale.register(AroundMeasure)
def _(measure: AroundMeasure) -> KnownScale | None:
    interval = interval_scaled(measure)
    if interval is None:
        return None
    if interval.ties == "unq":
        return KnownScale(Scale.INTERVAL, "its values are ranks, equally spaced by construction")
    return KnownScale(Scale.ORDINAL, "ranks of runs are not equally spaced where runs tie; ties='unq' are")


@known_scale.register(Precision)
@known_scale.register(Recall)
@known_scale.register(FMeasure)
def _(measure: Measure) -> KnownScale:  # noqa: ARG001
    return KnownScale(Scale.INTERVAL, "its values are equally spaced on runs of one length")


@known_scale.register(GeneralizedPrecision)
@known_scale.register(GeneralizedRecall)
def _(measure: GeneralizedPrecision | GeneralizedRecall) -> KnownScale:
    if measure.gain == "linear":
        return KnownScale(Scale.INTERVAL, "if the grades are on a ratio scale; ordinal otherwise")
    return KnownScale(Scale.ORDINAL, "interval only if the gains of the grades are equally spaced")


@known_scale.register(Geometric)
def _(measure: Geometric) -> KnownScale:
    if measure.p == Fraction(1, 2):
        return KnownScale(Scale.INTERVAL, "for two grades, because p = 1/2; for more, if they are on a ratio scale")
    if measure.p.numerator == 1:
        grades = measure.p.denominator
        return KnownScale(Scale.ORDINAL, f"for two grades; interval with {grades} or more on a ratio scale")
    other = "p = 1/m (m or more grades on a ratio scale)"
    return KnownScale(Scale.ORDINAL, f"interval for p = 1/2 (two grades) or {other} alone")


@known_scale.register(AveragePrecision)
@known_scale.register(Cascade)
def _(measure: Measure) -> KnownScale:  # noqa: ARG001
    return KnownScale(Scale.ORDINAL, "its values are not equally spaced, from two ranks on")


@known_scale.register(ReciprocalRank)
def _(measure: ReciprocalRank) -> KnownScale:  # noqa: ARG001
    return KnownScale(Scale.ORDINAL, "its values are not equally spaced, from three ranks on")


@known_scale.register(DiscountedCumulatedGain)
def _(measure: DiscountedCumulatedGain) -> KnownScale:
    where = "from two ranks on" if measure.b is None else f"below rank {measure.b}, where the discount begins"
    return KnownScale(Scale.ORDINAL, f"its values are not equally spaced {where}")
