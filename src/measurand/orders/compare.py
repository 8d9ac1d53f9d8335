"""Orders of judged runs, five by name and one's own: which of two runs is better, and why, or why neither is.

`compare` returns a `Relation`; `explain` a `Comparison`, which also holds the ranks that show it; `compare_by` does so
for several assessors. `mass` is the count that the order "swap" compares, `least_and_greatest` its extreme runs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, facts
from measurand.display.wording import listed
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import Relevance
from measurand.judged.graded_runs import (
    AnyGrades,
    GradeLevels,
    NamedRun,
    Run,
    Shown,
    exact_grade,
    exact_grades,
    refuse_sets,
    same_length,
    shown_grades,
)
from measurand.orders.measurement import judged_by
from measurand.orders.names import AnyOrder, OrderOfRuns, check_order, named_order


class Relation(StrEnum):
    """The answer to "how does the first run compare with the second?"."""

    LESS = "less"
    EQUAL = "equal"
    GREATER = "greater"
    INCOMPARABLE = "incomparable"


@frozen
class Count:
    """How many documents of at least a grade, down to a rank, each of two runs has.

    Parameters
    ----------
    grade
        The lowest grade that is counted.
    rank
        The last rank that is counted; nothing for sets, which have no ranks.
    ours, theirs
        How many the first run and the second run have.

    Examples
    --------
    >>> print(Count(grade=1, rank=3, ours=1, theirs=2))
    down to rank 3 the first has 1 document of grade 1 or more against 2
    """

    grade: Shown
    rank: int | None
    ours: int
    theirs: int

    def __str__(self) -> str:
        documents = "document" if self.ours == 1 else "documents"
        return f"{self._place}the first has {self.ours} {documents} of grade {self.grade} or more against {self.theirs}"

    def after(self, other: Count | AtRank) -> str:
        """Return the text that goes on from the text of another place.

        Parameters
        ----------
        other
            Another place at which two runs were compared.
        """
        if isinstance(other, Count) and other.grade == self.grade:
            return f"{self._place}it has {self.ours} against {self.theirs}"
        text = str(self).replace("the first", "it", 1)
        return f"but {text}" if self.rank is None else text

    @property
    def _place(self) -> str:
        return "" if self.rank is None else f"down to rank {self.rank} "


@frozen
class AtRank:
    """The grades that two runs have at one rank.

    Parameters
    ----------
    rank
        The rank.
    ours, theirs
        The grades of the first and of the second run there.

    Examples
    --------
    >>> print(AtRank(rank=2, ours=0, theirs=1))
    at rank 2 the first has grade 0 against 1
    """

    rank: int
    ours: Shown
    theirs: Shown

    def __str__(self) -> str:
        return f"at rank {self.rank} the first has grade {self.ours} against {self.theirs}"

    def after(self, other: Count | AtRank) -> str:  # noqa: ARG002
        """Return the text that goes on from the text of another place.

        Parameters
        ----------
        other
            Another place at which two runs were compared.
        """
        return f"at rank {self.rank} it has {self.ours} against {self.theirs}"


Place = Count | AtRank


@frozen(repr=False)
class Comparison(Result):
    """How the first of two runs compares with the second, and the places that show it.

    Parameters
    ----------
    ahead
        The first place where the first run has more, if it counts in the order.
    behind
        The first place where the first run has less, if it counts in the order.

    Examples
    --------
    >>> crossing = Comparison(Count(1, 1, 1, 0), Count(1, 3, 1, 2))
    >>> crossing.relation
    <Relation.INCOMPARABLE: 'incomparable'>
    >>> print(crossing.why)
    down to rank 1 the first has 1 document of grade 1 or more against 0, down to rank 3 it has 1 against 2
    """

    ahead: Place | None = None
    behind: Place | None = None

    def __str__(self) -> str:
        return f"{self.relation}: {self.why}"

    def document(self) -> Document:
        """Return how the runs compare, and what shows it."""
        return Document([facts([("relation", str(self.relation)), ("why", self.why)])])

    @property
    def relation(self) -> Relation:
        """How the first run compares with the second."""
        if self.ahead is None:
            return Relation.EQUAL if self.behind is None else Relation.LESS
        return Relation.GREATER if self.behind is None else Relation.INCOMPARABLE

    @property
    def why(self) -> str:
        """What shows it, for people."""
        places = [place for place in (self.ahead, self.behind) if place is not None]
        places.sort(key=lambda place: place.rank or 0)
        if not places:
            return "the two have the same grades"
        return ", ".join([str(places[0]), *(place.after(places[0]) for place in places[1:])])


def compare(r: Run, s: Run, order: AnyOrder = "swap", relevance: Relevance | None = None) -> Relation:
    r"""Return how the judged run `r` compares with the judged run `s` of the same length.

    The order "swap", the one of the papers, is

    .. math:: r \preceq s \iff \#\{i \le k : r_i \ge g\} \le \#\{i \le k : s_i \ge g\}
        \text{ for every rank } k \text{ and grade } g;

    "set-replacement" asks for the last rank alone. "replacement" compares rank by rank; "projection" and
    "set-projection" decide at the first difference.

    Parameters
    ----------
    r, s
        Grades, first rank first: numbers, spelled numbers, or labels of `relevance`. Unjudged (-1) and
        missing (-2) documents count as grade 0. Where the order is one of sets, ranks do not matter, and
        a `Multiset` is understood.
    order
        One of `ORDERS`, or an order of your own (`from_moves`).
    relevance
        The grades there are; others are refused.

    Returns
    -------
    Relation
        Less, equal, greater or incomparable. Runs of different lengths have no relation and are refused.

    Examples
    --------
    >>> str(compare((0, 1, 1, 2, 2), (0, 1, 1, 2, 3)))
    'less'
    >>> str(compare((0, 1, 0, 1, 0), (1, 0, 0, 0, 1)))
    'incomparable'

    Notes
    -----
    The printed rank-based definition compares with the grade at rank k on its right side, which is not
    even reflexive; meant is the grade at rank i, as above.

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4; [Giner2022]_, sections 5 and 6
    """
    return explain(r, s, order, relevance).relation


def explain(r: Run, s: Run, order: AnyOrder = "swap", relevance: Relevance | None = None) -> Comparison:
    """Return how `r` compares with `s`, with the places that show it.

    Parameters
    ----------
    r, s
        Grades, first rank first: numbers, spelled numbers, or labels of `relevance`.
    order
        One of `ORDERS`, or an order of your own (`from_moves`).
    relevance
        The grades there are; others are refused.

    Examples
    --------
    >>> print(explain((1, 0, 0, 1, 0), (0, 1, 1, 0, 1)).why)
    down to rank 1 the first has 1 document of grade 1 or more against 0, down to rank 3 it has 1 against 2

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4; [Giner2022]_, sections 5 and 6
    """
    check_order(order)
    if isinstance(order, OrderOfRuns):
        return order.explain(r, s, relevance)
    if not order.startswith("set-"):
        refuse_sets(r, s)
    return _DECIDE[order](GradeLevels.of(r, s, relevance))


def by_gain(r: Run, s: Run, relevance: Relevance) -> Relation:
    r"""Return how two runs compare by the sum of their grades: a total order that extends "set-replacement".

    .. math:: r \le s \iff \sum_i r_i \le \sum_i s_i

    It is an order of its own: that grades can be added does not make the order by counts total.

    Parameters
    ----------
    r, s
        Judged runs of one length.
    relevance
        The grades, on a scale on which they can be added.

    Examples
    --------
    >>> from measurand.scale import Scale
    >>> grades = Relevance.graded(0, 1, 2, 3, scale=Scale.RATIO)
    >>> str(by_gain((0, 1, 1, 2, 2), (0, 1, 1, 1, 3), grades))
    'equal'

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4.1
    """
    first, second = exact_grades(r, relevance), exact_grades(s, relevance)
    same_length(first, second)
    ours, theirs = relevance.total(first), relevance.total(second)
    if ours == theirs:
        return Relation.EQUAL
    return Relation.LESS if ours < theirs else Relation.GREATER


def _by_counts_to_every_rank(levels: GradeLevels) -> Comparison:
    lead = [0] * len(levels.names)
    ahead: tuple[int, int] | None = None
    behind: tuple[int, int] | None = None
    for rank, (ours, theirs) in enumerate(zip(levels.first.tolist(), levels.second.tolist(), strict=True), 1):
        # no other counts change here, and the lowest grade comes first
        for level in range(theirs + 1, ours + 1):
            lead[level] += 1
            if ahead is None and lead[level] > 0:
                ahead = rank, level
        for level in range(ours + 1, theirs + 1):
            lead[level] -= 1
            if behind is None and lead[level] < 0:
                behind = rank, level
        if ahead and behind:
            break
    return Comparison(*(_count(levels, *place) if place else None for place in (ahead, behind)))


def _by_rank(levels: GradeLevels) -> Comparison:
    better, worse = levels.first > levels.second, levels.first < levels.second
    return Comparison(_at_first_rank(levels, better), _at_first_rank(levels, worse))


def _by_first_difference(levels: GradeLevels) -> Comparison:
    place = _at_first_rank(levels, levels.first != levels.second)
    if place is None:
        return Comparison()
    better = levels.first[place.rank - 1] > levels.second[place.rank - 1]
    return Comparison(ahead=place) if better else Comparison(behind=place)


def _by_counts(levels: GradeLevels) -> Comparison:
    lead = _at_least(levels.first, levels) - _at_least(levels.second, levels)
    ahead, behind = (np.flatnonzero(mask)[:1].tolist() for mask in (lead > 0, lead < 0))
    return Comparison(*(_count(levels, None, places[0]) if places else None for places in (ahead, behind)))


def _by_highest_difference(levels: GradeLevels) -> Comparison:
    lead = _at_least(levels.first, levels) - _at_least(levels.second, levels)
    apart = np.flatnonzero(lead)
    if not apart.size:
        return Comparison()
    # above the highest difference the counts agree, so that this is the difference at the grade itself
    place = _count(levels, None, int(apart[-1]))
    return Comparison(ahead=place) if lead[apart[-1]] > 0 else Comparison(behind=place)


def _at_first_rank(levels: GradeLevels, mask: BoolArray) -> AtRank | None:
    """Return the grades at the first true place, or nothing."""
    if not mask.any():
        return None
    place = int(mask.argmax())
    return AtRank(place + 1, levels.names[levels.first[place]], levels.names[levels.second[place]])


def _count(levels: GradeLevels, rank: int | None, level: int) -> Count:
    ours, theirs = (int(np.count_nonzero(row[:rank] >= level)) for row in (levels.first, levels.second))
    return Count(levels.names[level], rank, ours, theirs)


def _at_least(row: IntArray, levels: GradeLevels) -> IntArray:
    """Return how many documents have each level or more."""
    return np.cumsum(np.bincount(row, minlength=len(levels.names))[::-1])[::-1]


_DECIDE: Mapping[str, Callable[[GradeLevels], Comparison]] = {
    "swap": _by_counts_to_every_rank,
    "replacement": _by_rank,
    "projection": _by_first_difference,
    "set-replacement": _by_counts,
    "set-projection": _by_highest_difference,
}


def mass(run: Run, grade: object, rank: int | None = None, relevance: Relevance | None = None) -> int:
    r"""Return how many documents of at least `grade` a run has, down to `rank`.

    .. math:: A(r, k, g) = \#\{i \le k : r_i \ge g\}

    Parameters
    ----------
    run
        Grades, first rank first, or a multiset.
    grade
        The lowest grade that is counted.
    rank
        The last rank that is counted; all ranks by default.
    relevance
        The grades there are, where they have labels.

    Examples
    --------
    >>> mass((0, 1, 1, 2, 2), grade=1, rank=4), mass((1, 0, 2, 1), grade=2)
    (3, 1)

    References
    ----------
    [FerranteFerroMaistro2015]_, theorem 5.2; [Giner2022]_, definition 1 and remark 1
    """
    if rank is not None:
        refuse_sets(run)
    grades, least = exact_grades(run, relevance), exact_grade(grade, relevance)
    if rank is not None:
        check_rank(rank, len(grades))
    return sum(1 for value in grades[:rank] if value >= least)


def check_rank(rank: int, length: int) -> None:
    """Refuse what is no rank of a run of a length.

    Examples
    --------
    >>> check_rank(3, length=3)
    """
    if not isinstance(rank, int | np.integer) or isinstance(rank, bool) or not 1 <= rank <= length:
        raise ParameterError(f"there is no rank {rank!r} in a run of {length}; ranks are whole numbers from 1")


def least_and_greatest(length: int, relevant: int, grades: AnyGrades, order: str = "swap") -> tuple[NamedRun, NamedRun]:
    r"""Return the least and the greatest of the runs with exactly so many relevant documents.

    .. math:: (0^{n-k}, 1^k) \preceq r \preceq (q^k, 0^{n-k})

    Parameters
    ----------
    length, relevant
        The number n of documents and the number k of relevant ones.
    grades
        How many grades there are, from 0 to q, or the grades themselves.
    order
        One of `ORDERS`. The orders of sets give the best grade first. By "replacement" there is no
        least and no greatest run, unless all documents are relevant or none.

    Examples
    --------
    >>> least_and_greatest(length=4, relevant=2, grades=3)
    ((0, 0, 1, 1), (2, 2, 0, 0))
    >>> least_and_greatest(length=2, relevant=1, grades=(0, "0.3", 1))
    ((0, 0.3), (1, 0))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4, equation 1
    """
    named_order(order)
    length, relevant = whole_number("length", length, 0), whole_number("relevant", relevant, 0)
    named: Sequence[Shown] = (0,)
    if isinstance(grades, Relevance | Iterable):
        named = shown_grades(Relevance.of(grades))
    elif (number := whole_number("grades", grades, 0)) > 1:
        named = (0, 1, number - 1)
    if not 0 <= relevant <= length or (relevant and len(named) < 2):
        raise ParameterError(f"no run of {length} documents with {grades} grades has {relevant} relevant ones")
    if order == "replacement" and 0 < relevant < length:
        raise ParameterError(
            "by replacement alone no run is the least: a relevant document at one rank is neither better nor worse"
            " than one at another; take the order 'swap'"
        )
    ones, zeros = (named[min(1, len(named) - 1)],) * relevant, (named[0],) * (length - relevant)
    worst = ones + zeros if order.startswith("set-") else zeros + ones
    return worst, (named[-1],) * relevant + zeros


@frozen(repr=False)
class ByAssessor(Result, Mapping[Any, Comparison]):
    """How two rankings compare under the ground truth of each assessor: a mapping by assessor.

    Parameters
    ----------
    comparisons
        The comparison for each assessor.
    """

    comparisons: Mapping[Any, Comparison] = field(converter=dict)

    @property
    def unanimous(self) -> bool:
        """Whether the rankings stand in the same relation for all assessors."""
        return len({comparison.relation for comparison in self.comparisons.values()}) == 1

    def document(self) -> Document:
        """Return how the rankings compare for each assessor, and what shows it."""
        columns = [
            Column("assessor", lambda pair: str(pair[0]), left=True),
            Column("relation", lambda pair: str(pair[1].relation), left=True),
            Column("why", lambda pair: pair[1].why, left=True, wrap="words"),
        ]
        return Document([TableView(columns, list(self.comparisons.items()))])

    def __repr__(self) -> str:
        found = [f"{assessor} {comparison.relation}" for assessor, comparison in self.comparisons.items()]
        return f"<ByAssessor: {listed(found, 5)}>"

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
    order: AnyOrder = "swap",
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
