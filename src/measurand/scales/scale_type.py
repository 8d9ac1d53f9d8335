"""The scale that a measure is on, with the certificate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from measurand.measures import Measure, as_measure
from measurand.scale import Scale
from measurand.scales.image import image
from measurand.verdict import Verdict


@frozen
class ScaleType(Verdict):
    """Whether a measure is on an interval scale, which is whether its values are equally spaced.

    Parameters
    ----------
    scale
        Interval if they are, ordinal if not. Two steps of different size are the witness then.
    """

    scale: Scale = Scale.ORDINAL


def scale_type(measure: Measure | str | Callable[..., Any], depth: int = 10, grades: int = 2) -> ScaleType:
    """Return the scale of a measure on the runs of one topic, `depth` ranks long, with the certificate.

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
    spacing = image(as_measure(measure), depth, grades).spacing()
    scale = Scale.INTERVAL if spacing else Scale.ORDINAL
    return ScaleType(spacing.holds, spacing.witness, spacing.checked, spacing.how, spacing.argument, scale)
