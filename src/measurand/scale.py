"""Scale types: what the numbers of a measure may be used for, and how the type of some scores is known."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import IntEnum, StrEnum
from importlib import import_module
from typing import Literal, TypeAlias

from attrs import field, frozen

from measurand.calls import option
from measurand.errors import ParameterError


class Scale(IntEnum):
    """The type of a scale; a stronger scale permits fewer rescalings and more statistics.

    Examples
    --------
    >>> Scale.ORDINAL < Scale.INTERVAL, str(Scale.RATIO)
    (True, 'ratio')
    """

    NOMINAL = 1
    ORDINAL = 2
    INTERVAL = 3
    RATIO = 4

    def __str__(self) -> str:
        return self.name.lower()


ScaleLike: TypeAlias = Scale | Literal["nominal", "ordinal", "interval", "ratio"]
"""A scale, or its name."""


def as_scale(scale: Scale | str) -> Scale:
    """Return a scale, or the one of that name.

    Examples
    --------
    >>> as_scale("Interval")
    <Scale.INTERVAL: 3>
    """
    if isinstance(scale, Scale):
        return scale
    name = scale.strip().upper().removesuffix(" SCALE") if isinstance(scale, str) else ""
    if name not in Scale.__members__:
        raise ParameterError(f"there is no scale {scale!r}; there is {', '.join(map(str, Scale))}")
    return Scale[name]


GradeScale: TypeAlias = Literal["ordinal", "ratio"] | Scale
"""The scale that grades are on, or its name."""

GRADE_SCALES = (Scale.ORDINAL, Scale.RATIO)
"""The scales that grades can be on."""


def as_grade_scale(scale: Scale | str) -> Scale:
    """Return the scale that grades are on: ordinal or ratio.

    Parameters
    ----------
    scale
        `"ordinal"`: a grade 2 is better than a grade 1, and nobody knows by how much. `"ratio"`: it is worth twice
        as much.

    Examples
    --------
    >>> as_grade_scale("ratio")
    <Scale.RATIO: 4>
    """
    if isinstance(scale, Scale | str) and scale in GRADE_SCALES:
        return Scale(scale)
    return as_scale(option("grade_scale", str(scale) if isinstance(scale, Scale) else scale, map(str, GRADE_SCALES)))


class Basis(StrEnum):
    """How the scale of some scores is known."""

    PROVED = "proved"
    """It follows from the definition of the measure."""
    ENUMERATED = "enumerated"
    """All values were looked at."""
    DECLARED = "declared"
    """There are too many values to look at; it is what the author of the measure declares, or else ordinal."""
    GIVEN = "given"
    """Given by the user."""


@frozen
class ScaleLabel:
    """The scale of some scores, with how it is known.

    Parameters
    ----------
    scale
        The scale that the values of one topic are on.
    basis
        How that is known.
    reason
        Why, in a sentence.
    for_these_gains
        Whether the values are equally spaced and yet on an ordinal scale, because the grades are ordinal and other
        gains for them would be as good.

    Examples
    --------
    >>> str(ScaleLabel(Scale.INTERVAL)), str(ScaleLabel(Scale.ORDINAL, for_these_gains=True))
    ('interval', 'ordinal, for these gains')
    """

    scale: Scale = field(converter=as_scale)
    basis: Basis = Basis.GIVEN
    reason: str = ""
    for_these_gains: bool = False

    def __str__(self) -> str:
        return f"{self.scale}{self._limits}"

    @property
    def _limits(self) -> str:
        return ", for these gains" if self.for_these_gains else ", as declared" if self.basis is Basis.DECLARED else ""

    @property
    def words(self) -> str:
        """The label as words in a sentence.

        Examples
        --------
        >>> ScaleLabel(Scale.RATIO, Basis.DECLARED).words
        'ratio scale, as declared'
        """
        return f"{self.scale} scale{self._limits}"

    def to_dict(self) -> dict[str, str | bool]:
        """Return the scale and how it is known, for JSON.

        Examples
        --------
        >>> ScaleLabel("interval", Basis.PROVED, "its values are ranks").to_dict()
        {'scale': 'interval', 'scale_basis': 'proved', 'scale_reason': 'its values are ranks'}
        """
        gains = {"for_these_gains": True} if self.for_these_gains else {}
        return {"scale": str(self.scale), "scale_basis": str(self.basis), "scale_reason": self.reason, **gains}

    @property
    def label(self) -> ScaleLabel:
        """The label itself, as `ScaleOf` has one."""
        return self


@frozen(repr=False)
class ScaleOf:
    """What the scale of a measure's scores depends on; the label is computed at first use.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks the judged runs have.
    grades
        How many grades there are, counting 0.
    grade_scale
        The scale that the grades are on.
    """

    measure: Hashable
    depth: int
    grades: int = 2
    grade_scale: Scale = field(default=Scale.ORDINAL, converter=as_grade_scale)

    @property
    def label(self) -> ScaleLabel:
        """The scale, with how it is known."""
        # what knows about scales stands above scores, and is loaded when the first label is asked for
        label: ScaleLabel = import_module("measurand.scales.scale_type").scale_label(self)
        return label

    def __reduce__(self) -> tuple[Callable[..., ScaleLabel], tuple[object, ...]]:
        # a measure may be a function that does not travel to another process; its label does
        label = self.label
        return ScaleLabel, (label.scale, label.basis, label.reason, label.for_these_gains)


def as_label(scale: Scale | str | ScaleLabel | ScaleOf) -> ScaleLabel | ScaleOf:
    """Return a label, from a scale if need be.

    Examples
    --------
    >>> as_label("interval").basis
    <Basis.GIVEN: 'given'>
    """
    return scale if isinstance(scale, ScaleLabel | ScaleOf) else ScaleLabel(scale)
