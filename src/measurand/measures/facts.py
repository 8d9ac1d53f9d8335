"""What a measure declares about itself.

Every fact has a default and a test. A measure states it as a class attribute (`graded: ClassVar[bool] = True`), or
as a property where it depends on the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from measurand.measures.parameters import Threshold, Usual
from measurand.scale import Scale
from measurand.scores import Aggregation

if TYPE_CHECKING:
    from measurand.judged import Relevance


class Facts:
    """The declared facts of a measure.

    Attributes
    ----------
    name
        The spelling of the measure, that of the literature.
    reference
        The key of its source in the bibliography.
    aliases
        Other names that it goes by.
    at
        The parameter that `measure @ value` sets.
    shown
        Parameters that its spelling always contains.
    synonyms
        Other names of parameters, and which parameters they mean.
    """

    __slots__ = ()

    name: ClassVar[str]
    reference: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    at: ClassVar[str] = "cutoff"
    shown: ClassVar[tuple[str, ...]] = ()
    synonyms: ClassVar[Mapping[str, str]] = {}

    @property
    def family(self) -> str:
        """The name of the family that the measure belongs to."""
        return "of its own"

    @property
    def graded(self) -> bool:
        """Whether the measure distinguishes grades of relevance."""
        return False

    judged_only: bool
    relevance: Relevance | None

    @property
    def removes_unjudged(self) -> bool:
        """Whether documents without judgment are removed before anything else, also by a measure inside."""
        return self.judged_only

    @property
    def lowest(self) -> int:
        """The lowest grade that counts as relevant; its code where grades are kept as codes."""
        rel: Threshold | None = getattr(self, "rel", None)
        if rel is None:
            return 1
        if self.relevance is None:
            return ceil(rel)
        return self.relevance.level_from(None if isinstance(rel, Usual) else rel)

    @property
    def weighs_grades(self) -> bool:
        """Whether values depend on the gain of each grade, and not on the order of grades alone."""
        return self.graded

    @property
    def needs_grade_counts(self) -> bool:
        """Whether values depend on how many documents of each grade the topic has."""
        return False

    @property
    def uses_recall_base(self) -> bool:
        """Whether values depend on the number of relevant documents of the topic."""
        return False

    @property
    def rescaled(self) -> bool:
        """Whether the recall base only multiplies all values of a topic by a constant."""
        return False

    @property
    def per_rank(self) -> bool:
        """Whether values are divided by the number of ranks."""
        return False

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest value, None where there is none."""
        return (0, 1)

    @property
    def lower_is_better(self) -> bool:
        """Whether lower values are better."""
        return False

    @property
    def scores_relevance(self) -> bool:
        """Whether values are about the quality of runs, and not only about what was judged or retrieved."""
        return self.aggregation is not Aggregation.SUM

    @property
    def about_judgments(self) -> bool:
        """Whether values say how much was judged, and nothing of how good a run is."""
        return False

    @property
    def aggregation(self) -> Aggregation:
        """How the values of topics are combined into one."""
        return Aggregation.MEAN

    @property
    def exactness(self) -> str:
        """The kind of exact numbers that values are."""
        return "rational"

    @property
    def declared_scale(self) -> Scale:
        """The scale that the values of one topic are taken to be on where it cannot be computed."""
        return Scale.ORDINAL

    @property
    def scale_for(self) -> str:
        """The readers for whom the declared scale holds, if it is not for all."""
        return ""

    @property
    def scale_reference(self) -> str:
        """The key of the source of the declared scale in the bibliography."""
        return ""

    @property
    def respects_swap(self) -> bool:
        """Whether exchanging a document with a better one right below it never makes the value worse."""
        return False

    @property
    def tells_unjudged(self) -> bool:
        """Whether documents without judgment are distinguished from documents judged not relevant."""
        return True

    @property
    def on_weak_orders(self) -> bool:
        """Whether the measure is defined on weak orders, and so takes tied documents as tied by default."""
        return False
