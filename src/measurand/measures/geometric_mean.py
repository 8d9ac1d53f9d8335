"""The geometric mean of a measure over topics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from attrs import evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.errors import CaveatKind, ParameterError, quoted
from measurand.exact import Exact
from measurand.judged import JudgedRuns, Pool
from measurand.measures.around import AroundMeasure
from measurand.measures.average_precision import AP
from measurand.measures.base import Grades, Measure
from measurand.measures.lone_runs import RunOnTopic
from measurand.scores import Aggregation, Scale


def _check(wrapper: Any, attribute: Any, value: object) -> None:  # noqa: ARG001 - attrs' signature
    if not isinstance(value, Measure):
        raise ParameterError(f"gm: measure must be a measure such as AP, not {quoted(value)}")


@frozen(kw_only=True, repr=False)
class GeometricMean(AroundMeasure):
    r"""Another measure, averaged over topics by the geometric mean.

    .. math:: \exp \left( \frac{1}{n} \sum_t \ln \max(m_t, 0.00001) \right)

    A topic's value is that of the measure inside.

    Parameters
    ----------
    measure
        The measure inside.

    Examples
    --------
    >>> gm(AP @ 100), gm(AP).of([1, 0, 1, 0], recall_base=4)
    (gm(AP@100), Fraction(5, 12))

    References
    ----------
    [Robertson2006]_
    """

    name: ClassVar[str] = "gm"
    reference: ClassVar[str] = "Robertson2006"
    aggregation: ClassVar[Aggregation] = Aggregation.GEOMETRIC

    measure: Measure = field(default=AP, validator=_check)

    def __call__(self, measure: Measure | None = None, **parameters: Any) -> Self:
        """Return the geometric mean of another measure, or of this one with parameters changed."""
        inner = self.measure if measure is None else measure
        return evolve(self, measure=inner(**parameters) if parameters else inner)

    def __matmul__(self, value: object) -> Self:
        """Return the geometric mean of the measure with its cutoff changed."""
        return evolve(self, measure=self.measure @ value)

    def __repr__(self) -> str:
        return f"{self.name}({self.measure!r})"

    @property
    def graded(self) -> bool:
        """That of the measure inside."""
        return self.measure.graded

    @property
    def uses_recall_base(self) -> bool:
        """That of the measure inside."""
        return self.measure.uses_recall_base

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """Those of the measure inside."""
        return self.measure.bounds

    @property
    def tells_unjudged(self) -> bool:
        """That of the measure inside."""
        return self.measure.tells_unjudged

    @property
    def scale_for(self) -> str:
        """That of the measure inside."""
        return self.measure.scale_for

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return that of the measure inside."""
        return self.measure.own_scales(judged)

    def own_scales_by(self, judged: JudgedRuns) -> CaveatKind | None:
        """Return that of the measure inside."""
        return self.measure.own_scales_by(judged)

    def top_grade(self, pool: Pool) -> int:
        """Return that of the measure inside."""
        return self.measure.top_grade(pool)

    def view(self, run: Grades) -> Grades:
        """Return what the measure inside looks at."""
        return self.measure.view(run)

    @property
    def exactness(self) -> str:
        """That of the measure inside."""
        return self.measure.exactness

    @property
    def weighs_grades(self) -> bool:
        """As the measure that it averages."""
        return self.measure.weighs_grades

    @property
    def declared_scale(self) -> Scale:
        """That of the measure inside."""
        return self.measure.declared_scale

    @property
    def family(self) -> str:
        """That of the measure inside."""
        return self.measure.family

    def _of(self, run: RunOnTopic) -> Exact:
        return self.measure._of(run)

    def key(self, run: Sequence[int]) -> Exact:
        """Return the key of the measure inside."""
        return self.measure.key(run)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        return self.measure.exact(run, pool)

    def level(self, run: Grades, pool: Pool) -> Exact:
        return self.measure.level(run, pool)

    def unit(self, pool: Pool, length: int) -> Exact:
        return self.measure.unit(pool, length)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        return self.measure.fast(judged.condensed if self.measure.judged_only else judged)


gm = GeometricMean()
