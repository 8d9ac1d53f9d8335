"""Measures whose gains go from 0 to 1: grades, or what they are worth, as a share of the highest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.measures.base import Graded, Measure
from measurand.measures.parameters import Gain, check_gain, read_gain, share_of_gain


class ScaledGrades(Graded):
    """Measures that divide by the highest grade there is, or by its gain, as those of cwl_eval do."""

    def __call__(self, *, min_rel: int = 0, **parameters: Any) -> Self:
        """Return a copy with these parameters changed.

        Parameters
        ----------
        min_rel
            The highest grade that is worth nothing, as ir_measures says it: gains are counted from there.
        parameters
            The parameters of the measure.

        Examples
        --------
        >>> from measurand.measures import BPM
        >>> BPM(min_rel=1, max_rel=3)
        BPM(gmax=3, gain={1: 0, 2: 1, 3: 2})
        """
        changed = Measure.__call__(self, **parameters)
        if min_rel == 0:
            return changed
        whole_number("min_rel", min_rel, 0)
        if "gain" not in self.parameters() or not isinstance(changed.gmax, int) or changed.gmax <= min_rel:
            wanted = "a measure of gains and a higher max_rel, as in BPM(min_rel=1, max_rel=3)"
            raise ParameterError(f"{self.name}: min_rel={min_rel} needs {wanted}")
        return Measure.__call__(changed, gain={grade: max(0, grade - min_rel) for grade in range(1, changed.gmax + 1)})


@frozen(kw_only=True, repr=False, slots=False)
class ScaledGains(ScaledGrades):
    """Measures of any gain, divided by that of the highest grade.

    Parameters
    ----------
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains.
    """

    gain: Gain = field(default="linear", converter=read_gain, validator=check_gain)

    def gain_at(self, grade: int, top: int) -> Fraction:
        """Return the gain of a grade as a share of the highest.

        Parameters
        ----------
        grade
            The grade.
        top
            The highest grade.
        """
        return share_of_gain(self.gain, self.worth(grade), self.worths(top))
