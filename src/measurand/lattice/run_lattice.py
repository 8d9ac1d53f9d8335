"""The judged runs of one depth in one of the five orders: meets and joins, what runs are made of, and measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from measurand.display.tables import Document, facts
from measurand.display.wording import number
from measurand.exact import Exact
from measurand.execution import Rng
from measurand.judged.graded_runs import Run as AnyRun
from measurand.judged.graded_runs import named_grades, shown_grades
from measurand.lattice import valuation
from measurand.lattice.algebra.base import has_gaps, is_distributive, is_lattice
from measurand.lattice.finite.poset import Poset
from measurand.lattice.hasse import Hasse
from measurand.lattice.runs import Runs, run_label
from measurand.lattice.valuation import Bounds, DistanceVerdict, Extension
from measurand.lattice.valuation.additivity import CheckedRuns
from measurand.lattice.valuation.measures_on import measure_on
from measurand.measures import Measure, as_measure
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict

AnyMeasure = Measure | str | Callable[..., Any]


@frozen(repr=False)
class RunLattice(Runs):
    r"""All judged runs of so many ranks over some grades, in one of the five orders.

    Runs are tuples of grades, first rank first. Where the order is one of sets, the best grade stands first, and
    runs that are given in another order are sorted. Nothing needs a list of all runs, except `poset` and `hasse`.

    By replacement and swapping, binary runs are a distributive lattice: a run is how many relevant documents
    :math:`S_k` it has down to every rank, the join has the larger, the meet the smaller numbers. With more grades
    some runs have several minimal upper bounds and no join; then join-irreducible are those of the completion,
    the runs of one grade in one block.

    Parameters
    ----------
    order
        One of `measurand.orders.ORDERS`.
    depth
        The number of ranks of a run.
    grades
        The number of grades, grade 0 included; or the grades themselves, where they are not 0, 1, 2, …: a
        `measurand.judged.Relevance`, or all of them in ascending order. Runs are then given in these grades, and come
        back in them.

    Examples
    --------
    >>> runs = RunLattice("swap", 4, 2)
    >>> runs.join((1, 0, 0, 1), (0, 1, 1, 0)), runs.meet((1, 0, 0, 1), (0, 1, 1, 0))
    ((1, 0, 1, 0), (0, 1, 0, 1))
    >>> runs.decompose((1, 0, 1, 1))
    ((1, 0, 0, 0), (0, 1, 1, 1))
    >>> RunLattice("replacement", 3, (0, "0.3", 1)).join((0.3, 0, 1), (0, 0.3, 0))
    (0.3, 0.3, 1)

    References
    ----------
    [Giner2022]_; binary runs by replacement and swapping are the poset M(n) of [Stanley1980]_
    """

    def value(self, x: AnyRun, values: Mapping[Any, Any] | Sequence[Any] | AnyMeasure, bottom: object = 0) -> Exact:
        """Return the value of a run under a valuation, from its values on the join-irreducible runs and the bottom.

        A measure gives all of these, on a topic with as many relevant documents as there are ranks.

        Parameters
        ----------
        x
            A run.
        values
            The values of the join-irreducible runs: a mapping, all in their order, or a measure.
        bottom
            The value of the worst run. A measure has one of its own.

        Examples
        --------
        >>> from measurand.measures import AP
        >>> RunLattice("swap", 5, 2).value((1, 0, 1, 1, 0), AP), AP.of((1, 0, 1, 1, 0))
        (Fraction(29, 60), Fraction(29, 60))
        """
        return valuation.value(self.algebra, self.run(x), values, bottom)

    def document(self) -> Document:
        """Return what there is: the order, how many runs, whether they are a lattice, and a distributive one.

        Examples
        --------
        >>> print(RunLattice("swap", 4, 2).document().for_programs[0].data[0]["join_irreducible_runs"])
        10
        """
        known = [("is_lattice", self.is_lattice()), ("is_distributive", self.is_distributive())]
        said = [f"{number(bool(found))}: {found.argument or found.witness}" for _, found in known]
        told = [(name, (text, bool(found))) for text, (name, found) in zip(said, known, strict=True)]
        return Document([facts([*self._facts(), *told], title=f"Judged runs in the order {self.order!r}")])

    def is_lattice(self) -> Verdict:
        """Return whether every two runs have a join and a meet, by proof."""
        return is_lattice(self.algebra)

    def is_distributive(self) -> Verdict:
        """Return whether joins and meets distribute over each other, by proof."""
        return is_distributive(self.algebra)

    def is_valuation(
        self,
        measure: AnyMeasure,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
        rng: Rng = 0,
    ) -> Verdict:
        r"""Return whether a measure is a valuation: determined by its values on the join-irreducible runs.

        .. math:: v(x) + v(y) = v(x \vee y) + v(x \wedge y)

        By proof for families of measures, else by looking at all runs or at some. The witness is two runs that
        break the law, with their join and meet.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks.
        rng
            Generator of random numbers, or a seed: draws runs where there are too many to check them all.

        Examples
        --------
        >>> bool(RunLattice("swap", 1000, 2).is_valuation("AP"))
        True
        >>> print(RunLattice("replacement", 3, 2).is_valuation("RR").witness.runs[:2])
        ((0, 0, 1), (0, 1, 0))
        """
        topic = {"recall_base": recall_base, "collection": collection}
        return valuation.is_valuation(self.algebra, measure, **topic, rng=rng)

    def extend(
        self,
        values: Mapping[Any, Any] | Sequence[Any] | Callable[..., Any] | Measure | str,
        bottom: object = 0,
        *,
        name: str = "Extension",
        strict: bool = False,
    ) -> Extension:
        """Return the measure that has given values on the join-irreducible runs.

        Parameters
        ----------
        values
            The value of each join-irreducible run: a mapping, in which runs may be text such as "1,0,0"; all values in
            the order of the runs; a function of the run; or a measure, whose values are then taken on every topic.
            Numbers are read as written.
        bottom
            The value of the worst run. A measure has one of its own.
        name
            The name of the new measure.
        strict
            Refuse values that do not keep the order of runs.

        Examples
        --------
        >>> table = {(1, 0): "0.4", (2, 0): "0.7", (0, 1): "0.1", (0, 2): "0.3"}
        >>> mine = RunLattice("replacement", 2, 3).extend(table, name="Mine")
        >>> [str(mine.of(run)) for run in ((2, 1), (1, 2), (2, 2))], bool(mine.isotone)
        (['4/5', '7/10', '1'], True)
        """
        return valuation.extend(self.algebra, values, bottom, name=name, strict=strict)

    def is_isotone(
        self,
        measure: AnyMeasure,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
        rng: Rng = 0,
    ) -> Verdict:
        """Return whether better runs never have worse values under a measure.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks.
        rng
            Generator of random numbers, or a seed: draws runs where there are too many to check them all.

        Examples
        --------
        >>> bool(RunLattice("swap", 100, 2).is_isotone("AP")), bool(RunLattice("projection", 4, 2).is_isotone("AP"))
        (True, False)
        """
        return valuation.is_isotone(self.algebra, measure, recall_base=recall_base, collection=collection, rng=rng)

    def is_interval(
        self,
        measure: AnyMeasure,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
        rng: Rng = 0,
    ) -> Verdict:
        r"""Return whether a measure is an interval scale of the order: whether it rises alike with every step.

        .. math:: m(r) = m(\hat 0) + c \cdot \operatorname{rank}(r), \quad c > 0

        What is decided is whether the measure is an affine function of the rank that rises with it: by proof for
        families of measures, else by looking at all runs or at some. The witness is two intervals of the order, the
        ends of the one and those of the other, in which the measure does not rise in proportion to their lengths;
        where the recall base leaves runs out, these lengths may differ.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks.
        rng
            Generator of random numbers, or a seed: draws runs where there are too many to check them all.

        Examples
        --------
        >>> runs = RunLattice("swap", 10, 2)
        >>> bool(runs.is_interval("LatticeRank@10")), bool(runs.is_interval("AP"))
        (True, False)
        >>> print(RunLattice("swap", 2, 2).is_interval("AP").witness)  # doctest: +NORMALIZE_WHITESPACE
        from (0, 0) to (0, 1) is 1 step and changes the value by 1/4 = 0.25; from (1, 0) to (1, 1) is 1 step and changes
        the value by 1/2 = 0.5
        """
        topic = {"recall_base": recall_base, "collection": collection}
        return valuation.is_interval(self.algebra, measure, **topic, rng=rng)

    def distance(
        self,
        measure: AnyMeasure,
        x: AnyRun,
        y: AnyRun,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
    ) -> Exact:
        r"""Return the distance of two runs under a measure: :math:`v(x \vee y) - v(x \wedge y)`.

        Where the two have no join or meet, a valuation has those of the completion.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        x, y
            Two runs.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks.

        Examples
        --------
        >>> RunLattice("replacement", 3, 3).distance("gP", (2, 0, 0), (1, 1, 0))
        Fraction(1, 3)
        >>> RunLattice("swap", 2, 3).distance("DCG(b=2)", (0, 2), (1, 0)) == 1
        True
        """
        topic = {"recall_base": recall_base, "collection": collection}
        return valuation.distance(self.algebra, measure, self.run(x), self.run(y), **topic)

    def is_distance(
        self,
        measure: AnyMeasure,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
        rng: Rng = 0,
    ) -> DistanceVerdict:
        """Return whether a measure makes `distance` a metric or a pseudo-metric: isotone valuations do.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks.
        rng
            Generator of random numbers, or a seed: draws runs where there are too many to check them all.

        Examples
        --------
        >>> print(RunLattice("swap", 4, 2).is_distance("AP").argument)
        a valuation that keeps the order, and only a run itself is at distance 0
        >>> str(RunLattice("swap", 2, 3).is_distance("DCG(b=2)").kind)
        'pseudo-metric'
        """
        return valuation.is_distance(self.algebra, measure, recall_base=recall_base, collection=collection, rng=rng)

    def bounds(
        self,
        measure: AnyMeasure,
        x: AnyRun,
        y: AnyRun,
        *,
        recall_base: int | None = None,
        collection: int | None = None,
    ) -> Bounds:
        """Return the values of meet and join of two runs: bounds for a system that reaches one of them.

        Parameters
        ----------
        measure
            A measure, its spelling, or a function of a judged run.
        x, y
            Two runs.
        recall_base, collection
            The numbers of relevant documents and of all documents of the topic; by default as many relevant and as many
            nonrelevant documents as ranks.

        Examples
        --------
        >>> RunLattice("replacement", 3, 3).bounds("gRBP", (2, 0, 0), (1, 1, 0)).high
        Fraction(7, 25)
        """
        topic = {"recall_base": recall_base, "collection": collection}
        return valuation.bounds(self.algebra, measure, self.run(x), self.run(y), **topic)

    def poset(self) -> Poset:
        """Return the order with all its runs listed, if there are not too many."""
        return Poset.of_runs(self.algebra)

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
        >>> RunLattice("set-replacement", 5, 3).hasse("gP").level_sizes
        (1, 1, 2, 2, 3, 3, 3, 2, 2, 1, 1)
        """
        poset = self.poset()
        seen = CheckedRuns.of(self.algebra, recall_base, collection)
        valuer = None if measure is None else seen.space.valuer(measure_on(self.algebra, measure))
        ranks = "1 rank" if self.depth == 1 else f"{self.depth} ranks"
        plain = self.relevance.is_plain
        grades = f"{self.grades} grades" if plain else f"grades {named_grades(self.relevance)}"

        def value(run: Any) -> Exact | None:
            places = self._places(run)
            return valuer.value(places) if valuer is not None and seen.possible(places) else None

        return Hasse.of(
            poset,
            value,
            label=partial(run_label, apart=any(len(str(grade)) > 1 for grade in shown_grades(self.relevance))),
            relevant=lambda run: sum(place > 0 for place in self._places(run)),
            marked={self.run(run) for run in marked},
            title=f"{self.order} order, {ranks}, {grades}: {self.size:,} runs",
            measure="" if valuer is None else repr(valuer.measure if plain else as_measure(measure)),  # type: ignore[arg-type]
            topic="" if valuer is None else _topic(valuer),
            gaps=has_gaps(self.algebra),
        )


def _topic(valuer: Valuer) -> str:
    """Return what the values of a measure on runs rest on beside the runs."""
    measure = valuer.measure
    return f"recall base {valuer.pool.recall_base(measure.lowest)}" if measure.uses_recall_base else ""
