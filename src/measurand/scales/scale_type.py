"""The scale that a measure is on, with the certificate; the label of scores is found in the same way."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import log2
from typing import Any

from attrs import frozen

from measurand.errors import MeasurandError, NotAvailable
from measurand.measures import Measure, as_measure
from measurand.measures.additive import Additive
from measurand.measures.base import USUAL_DEPTH
from measurand.measures.geometric_mean import innermost
from measurand.measures.interval_scale import IntervalScaled
from measurand.scale import Basis, Scale, ScaleLabel, ScaleOf, as_grade_scale
from measurand.scales.image import FITS, image
from measurand.scales.spacing import gains_of, proved_spacing
from measurand.verdict import How, Verdict

FEW = 1 << 10
"""The label of scores looks at so many runs at most, which takes a fraction of a second."""


@frozen
class ScaleType(Verdict):
    """Whether a measure is on an interval scale.

    Parameters
    ----------
    scale
        Interval if the measure's values are equally spaced and the grades admit it, ordinal if not.
    equally_spaced
        Whether the values are equally spaced. If not, two steps of different size are the witness.
    for_these_gains
        Whether the values are equally spaced and the scale is ordinal all the same, because there are three grades or
        more on an ordinal scale: other gains for them would be as good, and space the values otherwise.
    """

    scale: Scale = Scale.ORDINAL
    equally_spaced: bool = False
    for_these_gains: bool = False


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

    Parameters
    ----------
    measure
        The measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have. By default as many as the cutoff, or ten.
    grades
        How many grades there are, counting 0.
    grade_scale
        The scale that the grades are on, `"ordinal"` or `"ratio"`.

    Examples
    --------
    >>> scale_type("P", 30).scale, scale_type("RBP(p=0.5)", 1000).scale
    (<Scale.INTERVAL: 3>, <Scale.INTERVAL: 3>)
    >>> ap = scale_type("AP", 4)
    >>> ap.scale, str(ap.witness)
    (<Scale.ORDINAL: 2>, 'step 1 is 0.0625, step 2 is 0.02083')
    >>> scale_type("gP", 5, 3).for_these_gains, scale_type("gP", 5, 3, grade_scale="ratio").scale
    (True, <Scale.INTERVAL: 3>)

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-B
    """
    known = as_measure(measure)
    depth = known.cutoff or USUAL_DEPTH if depth is None else depth
    found = _spacing(known, depth, grades)
    return _judged_by_grades(found, known, grades, as_grade_scale(grade_scale))


def _spacing(measure: Measure, depth: int, grades: int) -> Verdict:
    """Return whether values are equally spaced: by looking at all of them, by proof, or by the measure's ruler."""
    proof = proved_spacing(measure, _reach(measure, depth), grades)
    if proof and depth * log2(max(2, grades)) > log2(FITS):
        return proof
    try:
        seen = image(measure, depth, grades).spacing()
    except NotAvailable:
        if proof is None:
            raise
        return proof
    # two steps that differ are the better certificate; a proof may be about results of all sizes, a look never is
    return proof if seen and proof is not None and not proof else seen


def _reach(measure: Measure, depth: int) -> int:
    """Return how many ranks of a run the measure looks at."""
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
    """Say whether values depend on what three or more grades are worth."""
    inner = innermost(measure)
    if isinstance(inner, Additive) and inner.is_defined_by(Additive):
        return measure.weighs_grades and len(gains_of(inner, 1, grades)) > 1
    return measure.weighs_grades and len(measure.levels_of_relevance(grades)) > 2


@lru_cache(maxsize=1 << 10)
def scale_label(asked: ScaleOf) -> ScaleLabel:
    """Return the scale of a measure's scores without delay: by proof, by a look at few runs, or as declared.

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
        spacing = image(measure, depth, grades).spacing() if spacing is None else spacing
    except MeasurandError as error:
        return ScaleLabel(measure.declared_scale, Basis.DECLARED, f"its values cannot be looked at: {error}")
    found = _judged_by_grades(spacing, measure, grades, asked.grade_scale)
    if found.holds and measure.declared_scale is Scale.RATIO:
        return ScaleLabel(Scale.RATIO, Basis.DECLARED, "its values are equally spaced, and its author declares a zero")
    basis = Basis.PROVED if found.how is How.PROVED else Basis.ENUMERATED
    reason = found.argument or str(found.witness or found.checked)
    return ScaleLabel(found.scale, basis, reason, found.for_these_gains)


def _as_seen(measure: Measure, grades: int) -> tuple[Measure, int]:
    """Return the measure with the grades that it tells apart: two of them, if it knows relevant and not relevant."""
    if isinstance(measure, IntervalScaled):
        return measure, measure.grades
    if not measure.graded:
        binary = measure(rel=1) if innermost(measure).parameters().get("rel") else measure
        return binary, 2
    gmax = innermost(measure).parameters().get("gmax")
    return measure, grades if gmax is None else gmax + 1
