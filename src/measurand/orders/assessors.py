"""One pair of rankings in the eyes of several assessors."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import Any

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.judged import Relevance
from measurand.orders.compare import explain
from measurand.orders.levels import exact_grade
from measurand.orders.measurement import judged_by
from measurand.orders.relation import Comparison


@frozen
class ByAssessor(Mapping[Any, Comparison]):
    """How two rankings compare under the ground truth of each assessor: a mapping by assessor."""

    comparisons: Mapping[Any, Comparison] = field(converter=dict)

    @property
    def unanimous(self) -> bool:
        """Whether the rankings stand in the same relation for all assessors."""
        return len({comparison.relation for comparison in self.comparisons.values()}) == 1

    def __getitem__(self, assessor: Any) -> Comparison:
        return self.comparisons[assessor]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)


def compare_by(
    first: Iterable[Hashable],
    second: Iterable[Hashable],
    ground_truths: Mapping[Any, Mapping[Any, Any]],
    order: str = "swap",
    relevance: Relevance | None = None,
) -> ByAssessor:
    """Compare two rankings of documents under the ground truths of several assessors.

    Parameters
    ----------
    first, second
        Documents, first rank first; for the orders of sets also sets of documents.
    ground_truths
        For each assessor, the grades of the documents; a document without one has grade 0.
    order, relevance
        As in `compare`.

    Examples
    --------
    >>> judged = compare_by(["d1", "d2"], ["d2", "d1"], {"Ann": {"d1": 1}, "Bob": {"d1": 1, "d2": 2}})
    >>> {assessor: str(comparison.relation) for assessor, comparison in judged.items()}
    {'Ann': 'greater', 'Bob': 'less'}
    >>> judged.unanimous
    False

    References
    ----------
    [FerranteFerroMaistro2015]_, section 3.1
    """
    if not ground_truths:
        raise ParameterError("there is no assessor; give the ground truth of at least one")
    # a ranking may be something that can be gone through only once
    rankings = [ranking if isinstance(ranking, Set) else tuple(ranking) for ranking in (first, second)]
    comparisons = {}
    for assessor, truth in ground_truths.items():
        grades = {d: exact_grade(truth[d], relevance) for ranking in rankings for d in ranking if d in truth}
        ours, theirs = (judged_by(grades, ranking) for ranking in rankings)
        comparisons[assessor] = explain(ours, theirs, order, relevance)
    return ByAssessor(comparisons)
