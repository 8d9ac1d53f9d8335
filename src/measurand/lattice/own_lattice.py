"""The judged runs of one depth in an order of one's own: Hasse diagram, joins and meets, what runs are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from attrs import field, frozen

from measurand.display.result import Result, briefly
from measurand.display.tables import Document, facts
from measurand.display.wording import counted, number
from measurand.errors import NotAvailable, ParameterError, brief
from measurand.exact import Exact, whole_number
from measurand.judged import Relevance
from measurand.judged.graded_runs import NamedRun, named_grades, shown_grades
from measurand.judged.graded_runs import Run as AnyRun
from measurand.lattice.algebra import DEEPEST, algebra_of
from measurand.lattice.finite.order import MOST, refuse_many
from measurand.lattice.finite.poset import Poset
from measurand.lattice.finite.relations import closure
from measurand.lattice.hasse import Hasse
from measurand.lattice.runs import Closest, as_given, run_label
from measurand.lattice.several_runs import SeveralRuns
from measurand.lattice.valuation.measures_on import measure_on
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.orders.compare import Relation
from measurand.orders.moves import OwnOrder
from measurand.verdict import Verdict

AnyMeasure = Measure | str | Callable[..., Any]

LISTED = 8
"""So many join-irreducible runs are named in a report."""


@frozen(eq=False, repr=False)
class OwnLattice(Result):
    """All judged runs of so many ranks over some grades, in an order of one's own.

    Every run is listed, up to 5,000, and all that moves reach from it: what holds of the order is found by looking at
    all of it. Whether it is a lattice, `is_lattice` returns; moves that go round in a circle are refused.

    Parameters
    ----------
    order
        The order, from `measurand.orders.from_moves`.
    depth
        The number of ranks of a run.
    grades
        The number of grades, grade 0 included, or the grades themselves; by default those of the order, or 2.

    Examples
    --------
    >>> from measurand.orders import adjacent_swaps, from_moves
    >>> def at_the_end(run):
    ...     return [(*run[:-1], 1)] if run[-1] == 0 else []
    >>> runs = OwnLattice(from_moves(adjacent_swaps, at_the_end, name="ladder"), 4)
    >>> bool(runs.is_distributive()), runs.join((1, 0, 0, 1), (0, 1, 1, 0)), len(runs.join_irreducibles())
    (True, (1, 0, 1, 0), 10)

    References
    ----------
    [FerranteFerroMaistro2015]_, section 7; [Giner2022]_, section 7
    """

    order: OwnOrder
    depth: int = 4
    grades: int | None = field(default=None, converter=as_given)

    relevance: Relevance = field(init=False)
    _poset: Poset = field(init=False)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.order, OwnOrder):
            raise ParameterError(
                f"{self.order!r} is no order of your own, from_moves(…); the five with a name go to RunLattice"
            )
        depth = whole_number("depth", self.depth, high=DEEPEST)
        listed = isinstance(self.grades, Relevance | Iterable)
        order = self.order.with_grades(Relevance.of(self.grades)) if listed else self.order
        grades = order.number_of_grades(order.grades if listed else self.grades)
        refuse_many(grades**depth, "runs", f"{grades}^{depth}" if depth > 20 else "")
        runs, leq = closure(order.graph(depth, grades))
        poset, relevance = Poset(tuple(map(order.named, runs)), leq), order.relevance or Relevance.of(grades)
        known = {"order": order, "depth": depth, "grades": grades, "relevance": relevance, "_poset": poset}
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<OwnLattice {self.order.name!r}: {counted(self.size, 'run')} of {counted(self.depth, 'rank')}>"

    def document(self) -> Document:
        """Return how many runs there are, whether they are a lattice and a distributive one, and what they are made of.

        Examples
        --------
        >>> from measurand.orders import from_moves, swaps
        >>> OwnLattice(from_moves(swaps), 3).document().for_programs[0].data[0]["pieces"]
        4
        """
        blocks = self.join_irreducibles()
        plain = self.relevance.is_plain
        listed = ", ".join(map(run_label if plain else briefly, islice(blocks, LISTED)))
        first = listed + (", …" if len(blocks) > LISTED else "")
        grades = self.grades if plain else named_grades(self.relevance)
        named = [("order", self.order.name), ("depth", self.depth), ("grades", grades), ("runs", self.size)]
        ends = [("worst_run", self.bottom), ("best_run", self.top)]
        told = [(name, ("none" if run is None else briefly(run), run)) for name, run in ends]
        made = [
            ("pieces", len(self._poset.components())),
            ("covers", len(self._poset.order.edges)),
            ("join_irreducible_runs", (f"{len(blocks)}: {first}", len(blocks))),
        ]
        verdicts = [("is_lattice", self.is_lattice()), ("is_distributive", self.is_distributive())]
        said = [f"{number(bool(found))}: {found.witness or found.checked}" for _, found in verdicts]
        known = [(name, (text, bool(found))) for text, (name, found) in zip(said, verdicts, strict=True)]
        return Document([facts([*named, *told, *made, *known], title=f"Judged runs in the order {self.order.name!r}")])

    @property
    def size(self) -> int:
        """How many runs there are."""
        return len(self._poset)

    @property
    def bottom(self) -> NamedRun | None:
        """The run that is worse than all others; None where there is none."""
        found: NamedRun | None = self._poset.bottom
        return found

    @property
    def top(self) -> NamedRun | None:
        """The run that is better than all others; None where there is none."""
        found: NamedRun | None = self._poset.top
        return found

    def run(self, run: AnyRun) -> NamedRun:
        """Return a run as a tuple of grades; what is unjudged or missing has grade 0.

        Parameters
        ----------
        run
            Grades, first rank first.
        """
        read = self.order.named(self.order.run(run))
        if read not in self._poset:
            grades = f"grades {named_grades(self.relevance)}"
            raise ParameterError(f"{brief(read)} is no run of {counted(self.depth, 'rank')} with {grades}")
        return read

    def compare(self, x: AnyRun, y: AnyRun) -> Relation:
        """Return how one run compares with another.

        Parameters
        ----------
        x, y
            Two runs.
        """
        return self._poset.compare(self.run(x), self.run(y))

    def below(self, x: AnyRun, y: AnyRun) -> bool:
        """Return whether one run is at most as good as another.

        Parameters
        ----------
        x, y
            Two runs.
        """
        return self._poset.below(self.run(x), self.run(y))

    def join(self, x: AnyRun, y: AnyRun) -> NamedRun:
        """Return the least run that is at least as good as both; where there is none, raise `NoJoin`.

        Parameters
        ----------
        x, y
            Two runs.
        """
        found: NamedRun = self._poset.join(self.run(x), self.run(y))
        return found

    def meet(self, x: AnyRun, y: AnyRun) -> NamedRun:
        """Return the greatest run that is at most as good as both; where there is none, raise `NoMeet`.

        Parameters
        ----------
        x, y
            Two runs.
        """
        found: NamedRun = self._poset.meet(self.run(x), self.run(y))
        return found

    def covers(self, x: AnyRun) -> tuple[NamedRun, ...]:
        """Return the runs that are better with nothing between.

        Parameters
        ----------
        x
            A run.
        """
        return self._poset.covers(self.run(x))

    def covered(self, x: AnyRun) -> tuple[NamedRun, ...]:
        """Return the runs that are worse with nothing between.

        Parameters
        ----------
        x
            A run.
        """
        return self._poset.covered(self.run(x))

    def interval(self, x: AnyRun, y: AnyRun) -> tuple[NamedRun, ...]:
        """Return the runs that are at least as good as one and at most as good as another, none before a worse one.

        Parameters
        ----------
        x, y
            Two runs.
        """
        return self._poset.interval(self.run(x), self.run(y))

    def join_irreducibles(self) -> tuple[NamedRun, ...]:
        """Return the runs that are not the least upper bound of what is strictly worse, none before a worse one."""
        return self._poset.join_irreducibles()

    def decompose(self, x: AnyRun) -> tuple[NamedRun, ...]:
        """Return join-irreducible runs whose least upper bound is a run, none of which can be left out.

        Parameters
        ----------
        x
            A run.
        """
        return self._poset.decompose(self.run(x))

    def is_lattice(self) -> Verdict:
        """Return whether every two runs have a join and a meet; the witness is a pair without."""
        return self._poset.is_lattice()

    def is_distributive(self) -> Verdict:
        """Return whether this is a lattice whose joins and meets distribute over each other."""
        return self._poset.is_distributive()

    def is_valuation(self, measure: AnyMeasure) -> Verdict:
        r"""Return whether a measure is a valuation, by a look at all pairs of runs that have a join and a meet.

        .. math:: v(x) + v(y) = v(x \vee y) + v(x \wedge y)

        The topic has as many relevant and as many nonrelevant documents as there are ranks.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.

        Examples
        --------
        >>> from measurand.orders import from_moves, replacements, swaps
        >>> runs = OwnLattice(from_moves(swaps, replacements), 4, 2)
        >>> bool(runs.is_valuation("AP")), bool(runs.is_valuation("RR"))
        (True, True)
        """
        return self._poset.is_valuation(self._values(measure, None, None))

    def poset(self) -> Poset:
        """Return the order as a poset of its runs."""
        return self._poset

    def hasse(
        self,
        measure: AnyMeasure | None = None,
        *,
        marked: Iterable[AnyRun] = (),
        recall_base: int | None = None,
        collection: int | None = None,
    ) -> Hasse:
        """Return the Hasse diagram of the order, with the values of a measure under its runs.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run; no values by default.
        marked
            Runs to be highlighted.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks. Runs with more relevant documents have no value.

        Examples
        --------
        >>> from measurand.orders import from_moves, swaps
        >>> OwnLattice(from_moves(swaps), 3).hasse("RR").level_sizes
        (4, 2, 2)
        """
        known = None if measure is None else as_measure(measure)
        grades = f"{self.grades} grades" if self.relevance.is_plain else f"grades {named_grades(self.relevance)}"
        return Hasse.of(
            self._poset,
            None if known is None else self._values(known, recall_base, collection),
            label=partial(run_label, apart=any(len(str(grade)) > 1 for grade in shown_grades(self.relevance))),
            relevant=lambda run: sum(place > 0 for place in self.order.run(run)),
            marked={self.run(run) for run in marked},
            title=f"{self.order.name}, {counted(self.depth, 'rank')}, {grades}: {self.size:,} runs",
            measure="" if known is None else repr(known),
            topic=f"recall base {recall_base or self.depth}" if known is not None and known.uses_recall_base else "",
            gaps=not self.is_lattice(),
        )

    def _values(
        self, measure: AnyMeasure, recall_base: int | None, collection: int | None
    ) -> Callable[[NamedRun], Exact | None]:
        """Return the values of a measure on a topic, None for runs with more relevant documents than it has."""
        space = Space(depth=self.depth, grades=self.grades or 2, recall_base=recall_base, collection=collection)
        valuer = space.valuer(measure_on(algebra_of("swap", self.depth, self.relevance), measure))
        most = self.depth if recall_base is None else recall_base

        def value(run: NamedRun) -> Exact | None:
            places = self.order.run(run)
            return valuer.value(places) if sum(place > 0 for place in places) <= most else None

        return value


def own_bounds(r: AnyRun, s: AnyRun, order: OwnOrder, *, others: Sequence[AnyRun] = ()) -> Closest | None:
    """Return the join and the meet of runs in an order of one's own, or their closest bounds; None of long runs.

    Parameters
    ----------
    r, s
        Two runs of one length.
    order
        The order.
    others
        Further runs of that length.

    Examples
    --------
    >>> from measurand.orders import from_moves, replacements, swaps
    >>> own_bounds((1, 0, 0, 1), (0, 1, 1, 0), from_moves(swaps, replacements))
    <Closest: above (1, 0, 1, 0), below (0, 1, 0, 1), complete yes>
    """
    known = order.among(r, s, *others)
    runs = tuple(map(known.run, (r, s, *others)))
    grades = known.number_of_grades(known.grades, *runs)
    if grades ** len(runs[0]) > MOST:
        return None
    poset, named = OwnLattice(known, len(runs[0]), grades).poset(), tuple(map(known.named, runs))
    return Closest(poset.minimal_upper_bounds(named), poset.maximal_lower_bounds(named))


def compare_in_own_order(runs: Sequence[AnyRun], order: OwnOrder) -> SeveralRuns:
    """Return how every two of some judged runs compare in an order of one's own, and the join and meet of all.

    Parameters
    ----------
    runs
        Two runs or more, of one length.
    order
        The order.

    Examples
    --------
    >>> from measurand.orders import from_moves, replacements, swaps
    >>> found = compare_in_own_order([(1, 0), (0, 1), (1, 1)], from_moves(swaps, replacements, name="both"))
    >>> [str(relation) for relation in found.relations[0]], found.bounds.above
    (['equal', 'greater', 'less'], ((1, 1),))
    """
    known = order.among(*runs)
    places = tuple(known.run(run) for run in runs)
    known = known.with_grades(known.number_of_grades(known.grades, *places))
    read = tuple(map(known.named, places))
    relations = tuple(tuple(known.explain(x, y).relation for y in read) for x in read)
    bounds = own_bounds(read[0], read[1], known, others=read[2:])
    if bounds is None:
        raise NotAvailable(
            f"runs of {counted(len(read[0]), 'rank')} are too many to find join and meet of all by your moves; compare"
            " two at a time"
        )
    return SeveralRuns(read, order.name, relations, bounds)
