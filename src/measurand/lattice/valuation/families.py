r"""What the family of a measure proves about its values on joins and meets, however many runs there are.

Down to every rank, two runs of two grades have so many relevant documents each: two paths that go up by 0 or 1. They
cannot cross without meeting. So at every rank the last steps of the upper path and of the lower one, which are those
of join and meet, are the last steps of the two runs. Whatever adds up what the last step tells is therefore a
valuation on the order "swap".
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from itertools import pairwise

from measurand.lattice.algebra.base import Algebra
from measurand.lattice.theorems import is_chain
from measurand.lattice.valuation.extension import Extension
from measurand.measures import Measure
from measurand.measures.additive import Additive
from measurand.measures.base import Binary
from measurand.measures.cascade import Cascade
from measurand.measures.counting import Counting, Counts
from measurand.measures.define import Defined
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.expected_search_length import ExpectedSearchLength
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.relevant_ranks import RelevantRanks
from measurand.measures.search_length_reduction import SearchLengthReduction
from measurand.measures.searching import SearchLength
from measurand.measures.space import Space

PATHS = "join and meet share out what the two runs have there"


def argument(measure: Measure, algebra: Algebra, space: Space) -> str | None:
    """Return why a measure is a valuation on an order of runs, if that can be proved.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> from measurand.measures import AP, DCG
    >>> space = Space(depth=1000)
    >>> argument(DCG, algebra_of("replacement", 1000, 2), space)
    'every rank adds what its grade is worth, and join and meet share out the grades of the two there'
    >>> argument(AP, algebra_of("replacement", 1000, 2), space) is None
    True

    References
    ----------
    [Giner2022]_, propositions 4 and 8
    """
    if is_chain(algebra):
        return "the runs are in one line, so that join and meet of two runs are these two"
    if isinstance(measure, Defined):
        return None
    if algebra.order == "set-replacement" and not measure.graded and isinstance(measure, Binary):
        return "it depends on the number of relevant documents alone, and join and meet share out those of the two"
    if len(measure.view(algebra.bottom)) == 1 and algebra.order in ("replacement", "swap"):
        return "it depends on the grade at rank 1 alone, and join and meet share out those of the two"
    return by_family(measure, algebra, space)


@singledispatch
def by_family(measure: Measure, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001 - for the families below
    """Return what the family of a measure proves: nothing, unless it is one of those below."""
    return None


@by_family.register
def _(measure: Extension, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    whole = measure.cutoff == algebra.depth and measure.algebra == algebra
    return "it is made of its values on the join-irreducible runs of this order" if whole else None


@by_family.register
def _(measure: Additive, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    if not measure.is_defined_by(Additive):
        return None
    if algebra.order == "swap":
        return (
            "it adds up, rank by rank and grade by grade, what one more document of that grade or more is worth there,"
            " and join and meet share out their numbers"
        )
    where = "rank" if algebra.order == "replacement" else "place of a set, best grade first,"
    return f"every {where} adds what its grade is worth, and join and meet share out the grades of the two there"


@by_family.register
def _(measure: Counting, algebra: Algebra, space: Space) -> str | None:
    if not measure.is_defined_by(Counting):
        return None
    if algebra.order == "swap":
        return "it depends on what there is down to one rank, wherever it stands, and join and meet share that out"
    if algebra.order == "replacement" and _even(measure, space):
        return "every relevant document adds the same, and join and meet share them out"
    return None


@by_family.register
def _(measure: RelevantRanks, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    if not (_sees_paths(measure, algebra) and measure.is_defined_by(RelevantRanks)):
        return None
    return f"a relevant document adds what its rank and the number of those above tell, and {PATHS}"


@by_family.register
def _(measure: ReciprocalRank, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    if not (_sees_paths(measure, algebra) and measure.is_defined_by(ReciprocalRank)):
        return None
    return f"a relevant document adds something if none stands above, and {PATHS}"


@by_family.register
def _(measure: Cascade, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    normalised = isinstance(measure, NormalisedExpectedReciprocalRank)
    family = NormalisedExpectedReciprocalRank if normalised else Cascade
    if not (_sees_paths(measure, algebra) and measure.is_defined_by(family)):
        return None
    return f"the chance to come to a rank depends on how many relevant documents stand above, and {PATHS}"


@by_family.register
def _(measure: SearchLength, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    family = SearchLengthReduction if isinstance(measure, SearchLengthReduction) else ExpectedSearchLength
    own = type(measure).inspected is SearchLength.inspected
    if not (own and _sees_paths(measure, algebra) and measure.is_defined_by(family)):
        return None
    return f"a search ends at the rank where enough has been found, or goes on with what all ranks hold, and {PATHS}"


@by_family.register
def _(measure: ObservationalEffectiveness, algebra: Algebra, space: Space) -> str | None:  # noqa: ARG001
    if not measure.is_defined_by(ObservationalEffectiveness):
        return None
    if algebra.order == "set-replacement":
        return (
            "best grade first, every place adds what its grade is worth, and join and meet share out the grades there"
        )
    if not _sees_paths(measure, algebra):
        return None
    return f"what a document tells depends on its rank and on how many relevant ones stand down to it, and {PATHS}"


def _sees_paths(measure: Measure, algebra: Algebra) -> bool:
    """Say whether runs are, to a measure, paths of the numbers of relevant documents, in the order of such paths."""
    return algebra.order == "swap" and (algebra.grades == 2 or not measure.graded)


def _even(measure: Counting, space: Space) -> bool:
    """Say whether every relevant document adds the same."""
    base, length = space.pool.recall_base(measure.lowest), len(measure.view((0,) * space.depth))
    ranks = measure.ranks(length, base)
    reach = min(ranks, length)
    counts = (Counts(relevant, ranks, base, reach, reach) for relevant in range(min(reach, base) + 1))
    values = [Fraction(measure.count(count)) for count in counts]
    return len({high - low for low, high in pairwise(values)}) <= 1
