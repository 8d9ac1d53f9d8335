"""Several images at once: what becomes of scales when topics with different ones are put together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from measurand.errors import ParameterError
from measurand.scales.image import Image


def union(images: Sequence[Image]) -> Image:
    """Return the image that holds every value of some images.

    Examples
    --------
    >>> from measurand.scales import image
    >>> recall = [image("R", depth=3, recall_base=base) for base in (1, 2, 3)]
    >>> [str(value) for value in union(recall)], union(recall).equispaced
    (['0', '1/3', '1/2', '2/3', '1'], False)
    """
    return Image.of_values(sorted({value for image in images for value in _rationals(image)}), _names(images))


def common_scale(images: Sequence[Image]) -> Image:
    """Return the coarsest equally spaced scale that holds every value of some images: steps of a common denominator.

    Examples
    --------
    >>> from measurand.scales import image
    >>> recall = [image("R", depth=3, recall_base=base) for base in (1, 2, 3)]
    >>> [str(value) for value in common_scale(recall)]
    ['0', '1/6', '1/3', '1/2', '2/3', '5/6', '1']

    References
    ----------
    [FerranteFerroFuhr2021]_, example 11
    """
    values = sorted({value for image in images for value in _rationals(image)})
    low, below = values[0], lcm(*(value.denominator for value in values))
    steps = [int((value - low) * below) for value in values]
    step = gcd(*steps) or 1
    return Image.of_values([low + Fraction(place, below) for place in range(0, steps[-1] + 1, step)], _names(images))


def _rationals(image: Image) -> list[Fraction]:
    values = list(image)
    if not all(isinstance(value, Fraction) for value in values):
        raise ParameterError(f"the values of {image.measure} are not rational, so they have no common denominator")
    return [Fraction(value) for value in values]  # type: ignore[arg-type]


def _names(images: Sequence[Image]) -> str:
    return " and ".join(dict.fromkeys(image.measure for image in images))
