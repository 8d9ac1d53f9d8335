"""The scale that a measure is on, with the certificate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from measurand.errors import NotAvailable
from measurand.measures import Measure, as_measure
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.cascade import Cascade
from measurand.measures.catalogue import own
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.scale import Scale
from measurand.scales.image import image
from measurand.scales.known import known_scale
from measurand.verdict import How, Verdict

UNEVEN = (AveragePrecision, Cascade, ReciprocalRank)
"""Measures that are proved not to be equally spaced from some ranks on, whatever else."""

LOOKED_AT = 10
"""How many ranks runs have if nothing says otherwise."""


@frozen
class ScaleType(Verdict):
    """Whether a measure is on an interval scale, which is whether its values are equally spaced.

    Parameters
    ----------
    scale
        Interval if they are, ordinal if not. Two steps of different size are the witness then.
    """

    scale: Scale = Scale.ORDINAL


def scale_type(measure: Measure | str | Callable[..., Any], depth: int | None = None, grades: int = 2) -> ScaleType:
    """Return the scale of a measure on the runs of one topic, `depth` ranks long, with the certificate.

    Without a depth runs are as long as the cutoff, or ten ranks. Where values cannot be placed, what the
    literature proves is the answer.

    Examples
    --------
    >>> scale_type("P", 30).scale, scale_type("RBP(p=0.5)", 1000).scale
    (<Scale.INTERVAL: 3>, <Scale.INTERVAL: 3>)
    >>> ap = scale_type("AP", 4)
    >>> ap.scale, str(ap.witness)
    (<Scale.ORDINAL: 2>, 'step 1 is 0.0625, step 2 is 0.02083')

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-B
    """
    known = as_measure(measure)
    depth = known.cutoff or LOOKED_AT if depth is None else depth
    try:
        spacing = image(known, depth, grades).spacing()
    except NotAvailable:
        proved = known_scale(known)
        # what holds whatever the depth, the grades and the gains, and of our own definitions alone
        if proved is None or not isinstance(known, UNEVEN):
            raise
        if type(known) not in {type(measure) for measure in own().values()}:
            raise
        return ScaleType(False, None, f"runs of {depth:,} ranks", How.PROVED, proved.condition, proved.scale)
    scale = Scale.INTERVAL if spacing else Scale.ORDINAL
    return ScaleType(spacing.holds, spacing.witness, spacing.checked, spacing.how, spacing.argument, scale)
