"""Extension: a measure from its values on the join-irreducible runs, and whether such a measure is isotone.

`extend` makes the measure. `Steps` are what each join-irreducible run adds to the value of the runs above it; the
measure is isotone if no step goes the wrong way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import Cells, FloatArray
from measurand.errors import Caveat, CaveatKind, NotMeaningful, ParameterError
from measurand.exact import Exact, shown
from measurand.execution import Rng, generator
from measurand.judged import JudgedRuns, Pool, Relevance, distinct_runs
from measurand.judged.grades import HIGHEST_GRADE
from measurand.lattice.algebra.base import Algebra, Run, is_set
from measurand.lattice.valuation.measures_on import refuse_other_grades
from measurand.lattice.valuation.reconstruction import (
    MeasuredValues,
    Reconstruction,
    ValueTable,
    as_written,
    linear_combination,
    value_source,
)
from measurand.measures import Measure
from measurand.measures.base import Grades
from measurand.measures.defined import Defined
from measurand.measures.parameters import whole
from measurand.measures.ties.sensitivity import equivalence_classes, gain_order
from measurand.measures.valued import far_apart
from measurand.verdict import How, Verdict, Witness

STEP_CELLS = 4_000_000
"""All steps of a measure are checked as long as their runs do not hold more cells than this …"""

ASKED_CELLS = 400_000
"""… or than this, if their values must be computed."""

DRAWN = 2_000
"""Else so many are drawn."""

CHUNK = 4_096
"""So many steps are checked at a time."""


@frozen(eq=False)
class Steps:
    """The steps of a valuation.

    Parameters
    ----------
    heights
        How high the steps at some places are, as numbers that can be added.
    value
        The value of one run, for people.
    falling
        Whether lower values are better, so that all steps should go down.
    slack
        How far a step may go the wrong way because of rounding.
    rough
        The values of runs as floats, if they are to be had quickly.
    possible
        Whether a run is checked.
    most
        All steps are checked if there are not more than this.
    """

    algebra: Algebra
    heights: Callable[[Sequence[int]], Sequence[Exact]]
    value: Callable[[Run], Exact]
    falling: bool = False
    slack: Callable[[], Fraction] = Fraction
    rough: Callable[[Cells], FloatArray | None] | None = None
    possible: Callable[[Run], bool] = lambda run: True  # noqa: ARG005
    most: int = DRAWN

    @property
    def fits(self) -> bool:
        """Whether all steps can be checked."""
        return self.algebra.irreducible_count <= self.most

    def places(self, rng: Rng = 0) -> list[int]:
        """Return the join-irreducible runs to look at, as places: all, or a random part of them."""
        count = self.algebra.irreducible_count
        if self.fits:
            return list(range(count))
        # there may be more than any array of whole numbers can number
        most = max(1, min(DRAWN, self.most))
        drawn, wide = generator(rng), count.bit_length() // 8 + 2
        some = (int.from_bytes(drawn.bytes(wide), "big") % count for _ in range(most))
        return sorted(set(some))

    def flat_or_falling(self, places: Sequence[int]) -> Iterator[tuple[int, Exact]]:
        """Return which of the steps at some places do not go the right way, up or down, and how far they do."""
        sign = -1 if self.falling else 1
        for start in range(0, len(places), CHUNK):
            doubtful = self._doubtful(places[start : start + CHUNK])
            heights = self.heights(doubtful) if doubtful else []
            slack = self.slack()
            for place, rise in zip(doubtful, heights, strict=True):
                height = rise if sign == 1 else linear_combination([(sign, rise)])
                if not height > slack:
                    yield place, height

    def _doubtful(self, places: Sequence[int]) -> Sequence[int]:
        """Return the places of possible steps of which floats do not show that they go the right way."""
        if self.rough is None:
            return places
        steps = {self.algebra.step(place): place for place in places}
        pairs = [(low, high) for low, high in steps if self.possible(low) and self.possible(high)]
        return [steps[pair] for pair in not_surely_rising(pairs, self.rough, falling=self.falling)]

    def isotone(self, rng: Rng = 0) -> Verdict:
        """Return whether better runs never have worse values, with two runs that show it if not."""
        places = self.places(rng)
        for place, height in self.flat_or_falling(places):
            if height < -self.slack():
                checked = f"what the {self.algebra.irreducible_count:,} join-irreducible runs add"
                witness = wrong_way(self.algebra, *self.algebra.step(place), self.value, falling=self.falling)
                return Verdict(False, witness, checked, How.COUNTEREXAMPLE)
        ours = f"{len(places):,} of the {self.algebra.irreducible_count:,}" if not self.fits else f"all {len(places):,}"
        how = How.PROVED if self.fits else How.SAMPLED
        argument = "it is a valuation, and no join-irreducible run makes a value worse" if self.fits else ""
        return Verdict(True, None, f"what {ours} join-irreducible runs add", how, argument)

    def flat(self, rng: Rng = 0) -> tuple[Run, Run] | None:
        """Return the runs of a step that goes neither up nor down, if there is one among those checked."""
        found = self.flat_or_falling(self.places(rng))
        flat = next((place for place, height in found if abs_at_most(height, self.slack())), None)
        return None if flat is None else self.algebra.step(flat)


def wrong_way(
    algebra: Algebra, low: Run, high: Run, value: Callable[[Run], Exact], *, falling: bool = False
) -> Witness:
    """Return what shows that the better of two runs has the worse value.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> print(wrong_way(algebra_of("swap", 2, 2), (0, 1), (1, 0), lambda run: Fraction(run[1])))
    (1, 0) is better than (0, 1), and has the lower value: 0 against 1
    """
    values = value(low), value(high)
    which = "higher" if falling else "lower"
    why = f"{algebra.brief(high)} is better than {algebra.brief(low)}, and has the {which} value"
    return algebra.witness((low, high), values, f"{why}: {shown(values[1])} against {shown(values[0])}")


def not_surely_rising(
    pairs: list[tuple[Run, Run]], rough: Callable[[Cells], FloatArray | None], *, falling: bool = False
) -> list[tuple[Run, Run]]:
    """Return the pairs of runs of which floats do not show that the second has the better value.

    Examples
    --------
    >>> not_surely_rising([((0,), (1,)), ((1,), (1,))], lambda runs: runs[:, 0].astype(float))
    [((1,), (1,))]
    """
    values = rough(_rows(pairs)) if pairs else None
    if values is None:
        return pairs
    low, high = values.reshape(-1, 2).T
    rising = far_apart(low, high) & (high < low if falling else low < high)
    return [pair for pair, sure in zip(pairs, rising.tolist(), strict=True) if not sure]


def _rows(pairs: Sequence[tuple[Run, Run]]) -> Cells:
    """Return the runs of pairs, one a row."""
    return np.array([run for pair in pairs for run in pair], dtype=np.int8)


def abs_at_most(number: Exact, slack: Fraction) -> bool:
    """Return whether a number is 0, or as close to it as rounding allows.

    Examples
    --------
    >>> abs_at_most(Fraction(-1, 3), Fraction(1, 3)), abs_at_most(Fraction(1, 3), Fraction(0))
    (True, False)
    """
    return bool(-slack <= number <= slack)


@frozen(kw_only=True, repr=False, slots=False)
class Extension(Measure):
    """A measure made by `extend`: a valuation, from its values on the join-irreducible runs of an order.

    It uses as many ranks as the order has. Shorter runs are filled up with nonrelevant documents, and higher
    grades than there are count as the highest.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    source
        The values of the join-irreducible runs: a table, or a measure that gives them.
    label
        The name of the measure.
    rel
        The lowest grade that counts as relevant, where the order has two grades and the values are a table.
    cutoff, judged_only
        As in `Measure`; by default all ranks count.
    """

    name: ClassVar[str] = "Extension"
    reference: ClassVar[str] = "Giner2022"
    tells_unjudged: ClassVar[bool] = False

    algebra: Algebra = field()
    source: ValueTable | MeasuredValues = field()
    label: str = field()
    rel: int = field(default=1, validator=whole(1))

    def __attrs_post_init__(self) -> None:
        if self.rel > 1 and (self.graded or self._inner is not None):
            raise ParameterError(f"{self.label}: rel={self.rel} is for a table of values of binary runs")
        if self.cutoff is None:
            object.__setattr__(self, "cutoff", self.algebra.depth)
        elif self.cutoff > self.algebra.depth:
            raise ParameterError(
                f"{self.label} is made for {self.algebra.depth} ranks; it cannot look at {self.cutoff}"
            )

    @property
    def _inner(self) -> Measure | None:
        """The measure that gives the values, if there is no table."""
        return self.source.measure if isinstance(self.source, MeasuredValues) else None

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "by its join-irreducible runs"

    @property
    def graded(self) -> bool:
        """Whether there are more than two grades."""
        return self.algebra.grades > 2

    @property
    def uses_recall_base(self) -> bool:
        """Whether the measure that gives the values does."""
        return self._inner is not None and self._inner.uses_recall_base

    @property
    def rescaled(self) -> bool:
        """Whether the recall base only rescales the measure that gives the values."""
        return self._inner is not None and self._inner.rescaled

    @property
    def lower_is_better(self) -> bool:
        """Whether that is so for the measure that gives the values."""
        return self._inner is not None and self._inner.lower_is_better

    @property
    def lowest(self) -> int:
        """That of the measure that gives the values, else `rel`."""
        return self.rel if self._inner is None else self._inner.lowest

    @property
    def exactness(self) -> str:
        """That of the measure that gives the values, else as the table is written."""
        return "as spelled" if self._inner is None else self._inner.exactness

    @property
    def bounds(self) -> tuple[Any, Any]:
        """From the worst run to the best, if better runs never have lower values and topics do not matter."""
        if self.uses_recall_base or not (self.isotone.holds and self.isotone.certain):
            return None, None
        ends = [self.of(run) for run in (self.algebra.bottom, self.algebra.top)]
        low, high = reversed(ends) if self.lower_is_better else ends
        return as_written(low), as_written(high)

    def on_grades(self, relevance: Relevance | None) -> Self:
        """Return the measure itself; it is made for the grades 0, 1, 2, … alone.

        Parameters
        ----------
        relevance
            The grades; None for numbers that are grades themselves.
        """
        if relevance is not None:
            raise ParameterError(f"{self!r} is made for the grades 0, 1, 2, …; binarise the runs: judged.binarised()")
        return self

    @property
    def highest_grade(self) -> int | None:
        """The highest grade of the order, where a measure gives the values."""
        return self.algebra.grades - 1 if self._inner is not None else None

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return that of the measure that gives the values; a table is one scale for all topics."""
        return "" if self._inner is None else self._inner.own_scales(judged)

    @cached_property
    def isotone(self) -> Verdict:
        """Whether better runs never have worse values (on a topic that could fill all ranks), else two that show it."""
        pool = Pool.plain(self.algebra.depth, self.algebra.depth, top=self.algebra.grades - 1)
        reconstruction, largest = self.reconstruction(pool), [Fraction(0)]

        def value(run: Run) -> Exact:
            return self._over_unit(reconstruction.of(run), pool)

        if isinstance(self.source, ValueTable):
            return Steps(self.algebra, reconstruction.heights, value, most=len(self.source.levels)).isotone()
        valuer, depth = self.source.valuer(pool), self.algebra.depth

        def level(place: int) -> Exact:
            found = reconstruction.level(place)
            largest[0] = max(largest[0], abs(found)) if isinstance(found, Fraction) else largest[0]
            return found

        def slack() -> Fraction:
            return Fraction(valuer.near) * 2 * depth * largest[0]

        heights = evolve(reconstruction, level=level).heights
        return Steps(self.algebra, heights, value, self.lower_is_better, slack, most=ASKED_CELLS // depth).isotone()

    def reconstruction(self, pool: Pool) -> Reconstruction:
        """Return how runs get their values on a topic.

        Parameters
        ----------
        pool
            What is known of the topic.
        """
        source = self.source
        if isinstance(source, ValueTable):
            return Reconstruction(self.algebra, source.levels.__getitem__, source.bottom)
        valuer = source.valuer(pool)
        bottom = valuer.level(self.algebra.bottom) if source.bottom is None else source.bottom
        return Reconstruction(self.algebra, lambda place: valuer.level(self.algebra.irreducible(place)), bottom)

    def seen(self, runs: Cells) -> Cells:
        """Return runs as the order has them, one a row.

        Parameters
        ----------
        runs
            Judged runs.
        """
        cells = runs[:, : self.cutoff]
        known = (cells >= self.rel).astype(np.int8) if self.rel > 1 else np.clip(cells, 0, self.algebra.grades - 1)
        filled = np.pad(known, ((0, 0), (0, self.algebra.depth - known.shape[1])))
        return -np.sort(-filled, axis=1) if is_set(self.algebra) else filled

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        return self._over_unit(self.level(run, pool), pool)

    def level(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact sum of what the join-irreducible runs below a run add."""
        cells = np.array([min(cell, HIGHEST_GRADE) for cell in run], dtype=np.int8).reshape(1, len(run))
        return self.reconstruction(pool).all(self.seen(cells))[0]

    def unit(self, pool: Pool, length: int) -> Exact:  # noqa: ARG002 - every run is filled up to one length
        """Return what sums are divided by to give values."""
        if isinstance(self.source, ValueTable):
            return self.source.unit
        measure = self.source.valuer(pool).measure
        return measure.unit(pool, len(measure.view(self.algebra.bottom)))

    def _over_unit(self, level: Any, pool: Pool) -> Exact:
        unit: Any = self.unit(pool, self.algebra.depth)
        return level if unit == 1 else level / unit  # type: ignore[no-any-return]

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs, each different one valued exactly."""
        shape = len(judged.systems), len(judged.topics)
        runs = self.seen(judged.cells.reshape(shape[0] * shape[1], judged.depth))
        if not self.uses_recall_base:
            return self._floats(runs, judged.pools[0])
        by_topic = runs.reshape(*shape, self.algebra.depth)
        columns = [self._floats(by_topic[:, topic], pool) for topic, pool in enumerate(judged.pools)]
        return np.stack(columns, axis=1).reshape(-1)

    def _floats(self, runs: Cells, pool: Pool) -> FloatArray:
        different, which = distinct_runs(np.ascontiguousarray(runs))
        levels = self.reconstruction(pool).all(different)
        return np.array([float(self._over_unit(level, pool)) for level in levels])[which]

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        return (*Measure._caveats(self, judged), *self._of_grades(judged), *self._of_order())

    def _of_grades(self, judged: JudgedRuns) -> Iterator[Caveat]:
        highest, top = int(judged.hits.select(1, self.cutoff).grade.max(initial=0)), self.algebra.grades - 1
        inner = self._inner
        told_apart = self.graded or (inner is not None and inner.graded and not isinstance(inner, Defined))
        if told_apart and highest > top:
            text = f"{self!r} is made for grades from 0 to {top}; those above, to {highest}, count as {top}"
            yield Caveat(CaveatKind.GRADES, text)

    def _of_order(self) -> Iterator[Caveat]:
        if not self.isotone.holds:
            yield Caveat(CaveatKind.ORDER, f"{self!r} does not keep the order of runs: {self.isotone.witness}")

    def __repr__(self) -> str:
        given = [f"rel={self.rel}"] * (self.rel > 1) + ["judged_only=True"] * self.judged_only
        inside = f"({', '.join(given)})" if given else ""
        return f"{self.label}{inside}{'' if self.cutoff == self.algebra.depth else f'@{self.cutoff}'}"


_classes_of_any = equivalence_classes.dispatch(Measure)


@equivalence_classes.register
def _(measure: Extension, cells: Cells) -> Cells:
    highest = min(HIGHEST_GRADE, max(measure.rel, measure.algebra.grades - 1))
    return np.minimum(_classes_of_any(measure, cells), np.int8(highest))


@gain_order.register
def _(measure: Extension, cell: int, top: int) -> int:  # noqa: ARG001 - the order has a highest grade of its own
    return int(cell >= measure.rel) if measure.rel > 1 else min(max(0, cell), measure.algebra.grades - 1)


def extend(
    algebra: Algebra,
    values: Mapping[Any, Any] | Sequence[Any] | Callable[..., Any] | Measure | str,
    bottom: object = 0,
    *,
    name: str = "Extension",
    strict: bool = False,
) -> Extension:
    r"""Return the measure that has given values on the join-irreducible runs: the one valuation that has them.

    .. math:: v(r) = v(\hat 0) + \sum_j s_j(r) \left( v(j) - v(\hat 0) \right)

    Any values make a valuation, but not all keep the order of runs: if `isotone` of the measure does not hold,
    its scores carry a caveat.

    Parameters
    ----------
    algebra
        The order, the depth and the grades; where runs have no join, as "swap" with more than two grades, what
        counts are the runs that are one block of documents of one grade.
    values
        The value of each join-irreducible run: a mapping, in which runs may be text such as "1,0,0"; all values in the
        order of the runs; a function of the run, which is called when a value is needed; or a measure, whose values are
        then taken on every topic. Numbers are read as written. In a chain every run but the worst needs a value, so
        that a table can only be given for few runs.
    bottom
        The value of the worst run. A measure has one of its own.
    name
        How the measure is to be called.
    strict
        Refuse values that do not keep the order of runs.

    Examples
    --------
    >>> from measurand.lattice.algebra import algebra_of
    >>> table = {(1, 0): 0.4, (2, 0): 0.7, (0, 1): 0.1, (0, 2): 0.3}
    >>> mine = extend(algebra_of("replacement", 2, 3), table, name="Mine")
    >>> mine.of((2, 1)), mine.of((1, 2)), mine.isotone.holds
    (Fraction(4, 5), Fraction(7, 10), True)

    References
    ----------
    [Giner2022]_, section 7
    """
    if not (isinstance(name, str) and name.isidentifier()):
        raise ParameterError(f"{name!r} cannot name a measure; use letters, digits and _")
    refuse_other_grades(algebra, name)
    made = Extension(algebra=algebra, source=value_source(algebra, values, bottom), label=name)
    if strict and not made.isotone.holds:
        raise NotMeaningful(f"{name} does not keep the order of runs: {made.isotone.witness}; change these values")
    return made
