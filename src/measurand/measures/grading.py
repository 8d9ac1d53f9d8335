"""Two kinds of measure: those that know relevant documents and others, and those that tell grades apart."""

from __future__ import annotations

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.judged import Pool
from measurand.measures.base import Measure
from measurand.measures.parameters import whole


@frozen(kw_only=True, repr=False, slots=False)
class Binary(Measure):
    """A measure that knows relevant documents and others.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = field(default=1, validator=whole(1))

    def relevant(self, cell: int) -> bool:
        """Say whether what stands at a rank is relevant."""
        return cell >= self.lowest


@frozen(kw_only=True, repr=False, slots=False)
class Graded(Measure):
    """A measure that tells grades apart and needs to know the highest.

    Parameters
    ----------
    gmax
        The highest grade of the scale; by default the highest in all the judgments.
    """

    @property
    def graded(self) -> bool:
        """Grades are distinguished."""
        return True

    gmax: int | None = field(default=None, validator=whole(1, optional=True))

    def top_grade(self, pool: Pool) -> int:
        """Return the highest grade of the scale, or complain that the judgments go beyond it."""
        if self.gmax is None:
            return pool.top_grade
        highest = max((grade for grade, count in enumerate(pool.grade_counts) if count), default=0)
        if highest > self.gmax:
            raise ParameterError(f"{self!r}: the judgments hold grade {highest}, above gmax={self.gmax}")
        return self.gmax
