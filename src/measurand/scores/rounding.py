"""Rounding: how far apart two averages may be that are equal."""

from __future__ import annotations

import numpy as np

from measurand.scores.scores import Scores

SHARE = 1e-12
"""What rounding may do to an average, as a share of the largest score."""


def rounding(scores: Scores) -> float:
    """Return the difference up to which two averages of these scores may be the same number.

    Examples
    --------
    >>> values = [[0.5, -2.0], [0.25, 1.0]]
    >>> rounding(Scores(measure="AP", values=values, systems=["a", "b"], topics=["1", "2"]))
    2e-12
    """
    return SHARE * float(np.nan_to_num(np.abs(scores.values)).max())
