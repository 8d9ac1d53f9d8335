"""Statements of any kind: their truth under many rescalings."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from measurand.arrays import FloatArray
from measurand.scales.meaning.transformations import Transformation
from measurand.verdict import How, Verdict

Claim = Callable[[FloatArray], bool]
"""Anything that is true or false of an array of scores."""


def survives(
    statement: Claim, values: object, transformations: Iterable[Transformation | Callable[[FloatArray], FloatArray]]
) -> Verdict:
    """Say whether the truth of a statement is the same before and after every one of some transformations.

    Whether it is true does not matter. The witness is the first transformation that changes its truth.

    Parameters
    ----------
    statement
        A function of an array that answers true or false.
    values
        The numbers that it is about.
    transformations
        Functions of an array; permissible ones, if the answer is to say something about meaning.

    Examples
    --------
    >>> from measurand.scales.meaning.transformations import Affine
    >>> to_miles, to_fahrenheit = Affine(0.621371), Affine(1.8, 32)
    >>> twice = lambda values: values[0] == 2 * values[1]
    >>> bool(survives(twice, [20, 10], [to_miles])), bool(survives(twice, [20, 10], [to_fahrenheit]))
    (True, False)

    References
    ----------
    [Adams1965]_; [FerranteFerroFuhr2021]_, section III-D
    """
    array = np.array(values, dtype=np.float64)
    true = bool(statement(array.copy()))
    tried = 0
    for transformation in transformations:
        tried += 1
        if bool(statement(np.asarray(transformation(array.copy())))) != true:
            why = f"it is {str(true).lower()}, and {str(not true).lower()} after {transformation}"
            return Verdict(False, transformation, f"{tried} transformations", How.COUNTEREXAMPLE, why)
    return Verdict(True, None, f"{tried} transformations", How.SAMPLED)
