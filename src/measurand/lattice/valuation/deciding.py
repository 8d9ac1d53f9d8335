"""Whether a measure is a valuation: by proof for a family of measures, on every run, or on a sample.

The proofs for the order "swap": two binary runs are two paths of numbers of relevant documents, which go up by 0 or
1. They cannot cross without meeting. So at every rank the last steps of the upper and the lower path, which are those
of join and meet, are the last steps of the two runs. Whatever adds up terms that depend on the last step and the
number before it is therefore a valuation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from itertools import islice, pairwise
from typing import Any

import numpy as np

from measurand.arrays import Cells
from measurand.errors import FunctionFailed, NotAvailable, ParameterError, brief
from measurand.exact import Exact, shown
from measurand.execution import Rng
from measurand.lattice.algebra.base import Algebra, Run, has_gaps, is_chain, is_set, member
from measurand.lattice.valuation.additivity import CELLS, SLOW_CELLS, Additivity
from measurand.lattice.valuation.extension import Extension
from measurand.lattice.valuation.reconstruction import InOrder, Reconstruction, in_order, number_of
from measurand.measures import Measure, as_measure
from measurand.measures.additive import Additive
from measurand.measures.base import Binary
from measurand.measures.cascade import Cascade
from measurand.measures.counting import Counting, Counts
from measurand.measures.defined import Defined
from measurand.measures.expected_reciprocal_rank import NormalisedExpectedReciprocalRank
from measurand.measures.expected_search_length import ExpectedSearchLength
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.relevant_ranks import RelevantRanks
from measurand.measures.search_length_reduction import SearchLengthReduction
from measurand.measures.searching import SearchLength
from measurand.measures.space import Space
from measurand.verdict import How, Verdict, Witness, unusable

PATHS = "join and meet share out what the two runs have there"

PAIRS = 500
"""Among so many runs all pairs are checked …"""

TRIED = 50
"""… else the parts of so many runs that break the rule."""


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
    """Return whether runs are, to a measure, paths of the numbers of relevant documents, in the order of such paths."""
    return algebra.order == "swap" and (algebra.grades == 2 or not measure.graded)


def _even(measure: Counting, space: Space) -> bool:
    """Return whether every relevant document adds the same."""
    base, length = space.pool.recall_base(measure.lowest), len(measure.view((0,) * space.depth))
    ranks = measure.ranks(length, base)
    reach = min(ranks, length)
    counts = (Counts(relevant, ranks, base, reach, reach) for relevant in range(min(reach, base) + 1))
    values = [Fraction(measure.count(count)) for count in counts]
    return len({high - low for low, high in pairwise(values)}) <= 1


def is_valuation(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: Rng = 0,
) -> Verdict:
    r"""Return whether a measure is a valuation on an order of runs.

    .. math:: v(x) + v(y) = v(x \vee y) + v(x \wedge y) \text{ for all runs } x, y

    A valuation is known from its values on the join-irreducible runs and the worst one; any other measure has values
    that these do not give. Where runs have no join, a valuation is what can be continued to one on the completion of
    the order, whose join-irreducible elements are runs, too.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    recall_base, collection
        The topic, as in `measurand.axioms`; pairs whose join the topic has not documents enough for are left out.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> print(is_valuation(algebra_of("swap", 1000, 2), "RR").argument)
    a relevant document adds something if none stands above, and join and meet share out what the two runs have there
    >>> verdict = is_valuation(algebra_of("replacement", 3, 2), "RR")
    >>> verdict.witness.runs
    ((0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 0))
    >>> print(verdict.witness)
    0.3333 + 0.5 = 0.8333 for (0, 0, 1) and (0, 1, 0), 0.5 + 0 = 0.5 for their join (0, 1, 1) and meet (0, 0, 0)

    References
    ----------
    [Giner2022]_, section 3
    """
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    try:
        return decide_valuation(additivity, rng)
    except FunctionFailed as failure:
        return unusable(failure)


def violation(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    x: Run,
    y: Run,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Exact:
    """Return by how much the values of two runs exceed those of their join and meet: 0 for a valuation.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    x, y
        Two runs.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> violation(algebra_of("replacement", 3, 2), "AP", (1, 0, 0), (0, 1, 1))
    Fraction(-5, 18)

    References
    ----------
    [Giner2022]_, section 3
    """
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    return additivity.square(member(algebra, x), member(algebra, y)).excess


def value(
    algebra: Algebra,
    run: Run,
    values: Mapping[Run, Any] | InOrder | Callable[[Run], Any] | Measure | str,
    bottom: object = 0,
) -> Exact:
    """Return the value of a run under a valuation, from those of the join-irreducible runs and the worst run.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    run
        The run.
    values
        The values of the join-irreducible runs that count, as a mapping or a function; or those of all, in their order,
        which is quickest, because no run is written out; or a measure, on a topic with as many relevant documents as
        there are ranks.
    bottom
        The value of the worst run. A measure has one of its own.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> value(algebra_of("replacement", 3, 3), (2, 0, 1), {(2, 0, 0): "1/5", (0, 0, 1): 0.064})
    Fraction(33, 125)

    References
    ----------
    [Giner2022]_, theorem 3, which is that of [Rota1971]_
    """
    if isinstance(values, Measure | str):
        return _recovered(algebra, member(algebra, run), as_measure(values), bottom)
    if isinstance(values, Sequence | np.ndarray):
        given = in_order(algebra, values)
        return Reconstruction(algebra, lambda place: number_of(given[place]), number_of(bottom)).of(
            member(algebra, run)
        )

    if not (isinstance(values, Mapping) or callable(values)):
        raise ParameterError(
            f"values must be a mapping of runs to numbers, a sequence, a function, or a measure, not {values!r}"
        )

    if isinstance(values, Mapping) and algebra.relevance is not None:
        # a grade can be written in many ways
        values = {member(algebra, known): number for known, number in values.items()}

    def level(place: int) -> Exact:
        irreducible = algebra.irreducible(place)
        if not isinstance(values, Mapping):
            return number_of(values(algebra.named(irreducible)))
        if irreducible not in values:
            named = algebra.named(irreducible)
            raise ParameterError(f"there is no value for {named}, which {brief(run)} is made of")
        return number_of(values[irreducible])

    return Reconstruction(algebra, level, number_of(bottom)).of(member(algebra, run))


def _recovered(algebra: Algebra, run: Run, measure: Measure, bottom: object) -> Exact:
    if bottom != 0:
        raise ParameterError(f"{measure!r} has a value of its own for the worst run; leave bottom out")
    additivity = Additivity.of(algebra, measure)
    return additivity.value_of(additivity.reconstruction.of(run))


def worst_violation(
    algebra: Algebra,
    measure: Measure | str | Callable[..., Any],
    *,
    recall_base: int | None = None,
    collection: int | None = None,
) -> Witness | None:
    """Return the pair of runs whose values differ most from those of their join and meet, None for a valuation.

    All pairs are checked, so there must not be many runs.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    measure
        A measure, its spelling, or a function of a judged run.
    recall_base, collection
        The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
        nonrelevant documents as ranks.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> worst_violation(algebra_of("replacement", 3, 2), "AP").runs
    ((0, 1, 0), (1, 0, 1), (1, 1, 1), (0, 0, 0))

    References
    ----------
    [Giner2022]_, section 3
    """
    if algebra.size > PAIRS:
        raise NotAvailable(
            f"all pairs of {algebra.size:,} runs are too many to look at; is_valuation takes any number, and {PAIRS}"
            " runs are not too many"
        )
    additivity = Additivity.of(algebra, measure, recall_base, collection)
    runs = list(map(tuple, additivity.seen.all().tolist()))
    broken = (square for square in additivity.squares(runs) if square.broken)
    worst = max(broken, key=lambda square: square.size, default=None)
    return None if worst is None else worst.witness


def decide_valuation(additivity: Additivity, rng: Rng = 0) -> Verdict:
    """Return whether a measure is a valuation: by proof, by looking at every run, or by looking at some."""
    seen, valuer = additivity.seen, additivity.valuer
    additivity.levels(np.array([seen.algebra.bottom, seen.algebra.irreducible(0)], dtype=np.int8))
    proof = argument(valuer.measure, seen.algebra, seen.space)
    if proof is not None:
        if valuer.slow and seen.fits:
            # no proof speaks for a function that fails
            additivity.levels(seen.all())
        return Verdict(True, None, f"every run of {seen}", How.PROVED, proof + _where(seen.algebra))
    looked = 0
    for runs in [seen.all()] if seen.fits else seen.some(rng):
        part = runs if seen.fits else _affordable(runs, additivity)
        looked += len(part)
        failing = additivity.failing(part)
        first = next(failing, None)
        if first is not None:
            others = islice(failing, TRIED if has_gaps(seen.algebra) and seen.fits else 0)
            witness = _shown(additivity, [first, *others])
            return Verdict(False, witness, seen.checked, How.COUNTEREXAMPLE)
    return Verdict(True, None, seen.checked if seen.fits else f"{looked:,} runs of {seen}", seen.how)


def _where(algebra: Algebra) -> str:
    """Return what must be known to read a proof: what stands for sets, and for joins that are not there."""
    if is_set(algebra):
        return "; of a set, that is the run with the best grade first"
    return "; where two runs have no join, that is said of the completion" if has_gaps(algebra) else ""


def _affordable(runs: Cells, additivity: Additivity) -> Cells:
    """Return the first of some runs, as many as can be taken apart and valued exactly."""
    most = (SLOW_CELLS if additivity.valuer.slow else CELLS) // additivity.algebra.depth
    places: set[int] = set()
    terms = additivity.algebra.terms(runs[:most])
    for nth, place in enumerate(terms.place.tolist()):
        places.add(place)
        row = int(terms.row[nth])
        if len(places) + row > most:
            return runs[: max(1, row)]
    return runs[:most]


def _shown(additivity: Additivity, failing: list[Run]) -> Witness:
    """Return what shows that a measure is no valuation, from runs that fail, the lowest first."""
    for run in failing:
        square = additivity.broken_below(run)
        if square is not None:
            return square.witness
    if additivity.algebra.size <= PAIRS:
        runs = list(map(tuple, additivity.seen.all().tolist()))
        square = next((square for square in additivity.squares(runs) if square.broken), None)
        if square is not None:
            return square.witness
    run, algebra = failing[0], additivity.algebra
    value, due = additivity.valuer.value(run), additivity.value_of(additivity.reconstruction.of(run))
    why = (
        f"{algebra.brief(run)} has {shown(value)}, and the join-irreducible runs below it make {shown(due)}; no two"
        " runs that were tried and have a join and a meet show it"
    )
    return algebra.witness((run,), (value, due), why)
