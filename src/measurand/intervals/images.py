"""The image of a measure: every value that it takes on the runs of a length.

A measure is on an interval scale if its values are equally spaced, which is a property of the set of its values alone
([FerranteFerroFuhr2021]_, section IV). `image` returns that set: written down exactly (`Image`) where the runs can be
enumerated, and otherwise as an `Outline`, whose size and spacing come from the ruler of the measure. If the values are
not equally spaced, two unequal steps are the certificate (`Uneven`). `union` and `common_scale` show what becomes of
scales when topics with different images are put together (their example 11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import gcd, lcm, log, log2
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, IntArray
from measurand.display.data import exact_number
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, facts, valued
from measurand.display.wording import counted, number
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import Exact, ranked, rational, shown, with_fraction
from measurand.intervals.ruler import Budget, Ruler
from measurand.intervals.universe import Universe
from measurand.judged import every_run
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict

LOOKED_AT = 1 << 10
"""So many runs are placed to find neighbouring values."""

CLOSE = 1e-9
"""Steps whose floats are closer than this, relative to the largest value, are compared exactly."""

FITS = 1 << 16
"""The image of a measure is enumerated for so many runs at most."""


def image(
    measure: Measure | str | Callable[..., Any], depth: int = 10, grades: int = 2, *, recall_base: int | None = None
) -> Image | Outline:
    """Return the image of a measure on all runs of `depth` ranks over so many grades.

    Where the runs are too many to enumerate, it is an `Outline`: size and spacing are known, the values are not
    written down.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    recall_base
        How many relevant documents the topic has, all of the highest grade: as many as ranks if nothing is said. Runs
        that hold more are left out.

    Examples
    --------
    >>> ap = image("AP", depth=4)
    >>> ap.size, ap.ties, float(ap.largest_gap)
    (15, {1: 14, 2: 1}, 0.25)

    References
    ----------
    [FerranteFerroFuhr2021]_, section IV-B
    """
    known = as_measure(measure)
    space = Space(depth=depth, grades=grades, recall_base=recall_base)
    if depth * log2(grades) > log2(FITS):
        if recall_base is not None:
            raise ParameterError(
                f"{grades}^{depth} runs are too many to enumerate for one recall base; at most {FITS:,}"
            )
        universe = Universe(known, depth, grades)
        return Outline(universe, space, universe.ruler(depth, space.pool, Budget()))
    valuer = space.valuer(known)
    valued = valuer.all(space.all())
    return Image(repr(known), tuple(valued.levels), valued.places, valued.unit, valued.runs, depth, grades, valuer.near)


def union(images: Sequence[Image]) -> Image:
    """Return the image that holds every value of some images.

    Parameters
    ----------
    images
        Images with rational values.

    Examples
    --------
    >>> from measurand.intervals import image
    >>> recall = [image("R", depth=3, recall_base=base) for base in (1, 2, 3)]
    >>> [str(value) for value in union(recall)], union(recall).equispaced
    (['0', '1/3', '1/2', '2/3', '1'], False)
    """
    return Image.of_values(sorted({value for image in images for value in _rationals(image)}), _names(images))


def common_scale(images: Sequence[Image]) -> Image:
    """Return the coarsest equally spaced scale that holds every value of some images: steps of a common denominator.

    Parameters
    ----------
    images
        Images with rational values.

    Examples
    --------
    >>> from measurand.intervals import image
    >>> recall = [image("R", depth=3, recall_base=base) for base in (1, 2, 3)]
    >>> [str(value) for value in common_scale(recall)]
    ['0', '1/6', '1/3', '1/2', '2/3', '5/6', '1']

    References
    ----------
    [FerranteFerroFuhr2021]_, example 11
    """
    values = sorted({value for image in images for value in _rationals(image)})
    low, below = values[0], lcm(*(value.denominator for value in values))
    steps = [int((value - low) * below) for value in values]
    step = gcd(*steps) or 1
    return Image.of_values([low + Fraction(place, below) for place in range(0, steps[-1] + 1, step)], _names(images))


def _rationals(image: Image) -> list[Fraction]:
    values = list(image)
    if not all(isinstance(value, Fraction) for value in values):
        raise ParameterError(f"the values of {image.measure} are not rational, so they have no common denominator")
    return [Fraction(value) for value in values]  # type: ignore[arg-type]


def _names(images: Sequence[Image]) -> str:
    return " and ".join(dict.fromkeys(image.measure for image in images))


@frozen(repr=False)
class Uneven(Result):
    """Two steps between neighbouring values that differ: the certificate that an image is not equally spaced.

    Parameters
    ----------
    first, second
        Which steps, counted from the lowest value, from 0.
    gap, other_gap
        How large they are.
    """

    first: int
    second: int
    gap: Any
    other_gap: Any

    def __str__(self) -> str:
        return f"step {self.first + 1} is {shown(self.gap)}, step {self.second + 1} is {shown(self.other_gap)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the steps, counted from 1, and how large they are, ready for JSON."""
        gaps = [exact_number(self.gap), exact_number(self.other_gap)]
        return {"steps": [self.first + 1, self.second + 1], "gaps": gaps, "why": str(self)}


@frozen(eq=False, repr=False)
class Outline(Result):
    """The size and the spacing of an image, from the ruler of the measure; its values are not written down.

    Parameters
    ----------
    universe
        The measure and its runs.
    space
        The topic that values are computed on.
    ruler
        What places the runs.

    Examples
    --------
    >>> from measurand.intervals import image
    >>> dcg = image("DCG(b=2)", depth=30)
    >>> dcg.size, dcg.equispaced, dcg.total
    (805306368, False, 1073741824)
    """

    universe: Universe
    space: Space
    ruler: Ruler

    @property
    def measure(self) -> str:
        """The spelling of the measure."""
        return repr(self.universe.measure)

    @property
    def depth(self) -> int:
        """How many ranks runs have."""
        return self.space.depth

    @property
    def grades(self) -> int:
        """How many grades there are."""
        return self.space.grades

    def __repr__(self) -> str:
        return f"<Outline of the image of {self.measure}: {number(self.total)} runs>"

    def document(self) -> Document:
        """Return how many values there are, on how many runs."""
        told = [("measure", self.measure), ("depth", self.depth), ("grades", self.grades), ("runs", self.total)]
        return Document([facts([*told, ("values", self.size)], title=f"Image of {self.measure}, in outline")])

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.ruler.size

    @property
    def total(self) -> int:
        """How many runs there are."""
        return self.space.size

    def __len__(self) -> int:
        return self.size

    def _refuse(self) -> NotAvailable:
        return NotAvailable(
            f"the values of {self.measure} on {self.grades}^{self.depth} runs are too many to write down; ask for a"
            " smaller depth, or place single runs with md.interval"
        )

    def __iter__(self) -> Iterator[Exact]:
        raise self._refuse()

    def gaps(self) -> list[Exact]:
        """Refuse to return the distances between neighbouring values: there are too many."""
        raise self._refuse()

    @property
    def ties(self) -> dict[int, int]:
        """A histogram of the sizes of tie groups, which takes a look at all runs."""
        raise self._refuse()

    @property
    def equispaced(self) -> bool:
        """Whether all neighbouring values are equally far apart."""
        return bool(self.spacing())

    def spacing(self) -> Verdict:
        """Return whether the values are equally spaced; if not, the witness is two unequal steps."""
        if self.ruler.consecutive:
            return Verdict(
                True, None, str(self.space), How.PROVED, "its values are whole multiples of one step, all of them"
            )
        uneven = next(self._uneven(), None)
        if uneven is None:
            raise NotAvailable(
                f"whether {self.measure} is equally spaced on {self.space} cannot be told; ask for fewer ranks"
            )
        return Verdict(False, uneven, str(self.space), How.COUNTEREXAMPLE)

    def _uneven(self) -> Iterator[Uneven]:
        """Return steps between runs with neighbouring ranks that differ from the first such step."""
        valuer = self.space.valuer(self.universe.measure)
        runs = self._lowest_runs()
        ranks = [position.rank for position in self.ruler.positions(self.universe.fold(runs))]
        known = {rank: tuple(run) for rank, run in zip(ranks, runs.tolist(), strict=True) if rank is not None}
        steps = [
            (low, _step(valuer, known[low], known[high])) for low, high in pairwise(sorted(known)) if high == low + 1
        ]
        for low, step in steps[1:]:
            if step != steps[0][1]:
                yield Uneven(steps[0][0] - 1, low - 1, steps[0][1], step)

    def _lowest_runs(self) -> Cells:
        """Return runs with nothing relevant but at the last ranks, where values are low and close."""
        levels = np.array(self.universe.levels, dtype=np.int8)
        last = min(self.depth, int(log(LOOKED_AT) / log(len(levels))))
        tails = levels[every_run(last, len(levels))]
        return np.pad(tails, ((0, 0), (self.depth - last, 0)))


def _step(valuer: Valuer, one: tuple[int, ...], other: tuple[int, ...]) -> Any:
    high: Any = valuer.level(other)
    return (high - valuer.level(one)) / valuer.measure.unit(valuer.pool, len(valuer.measure.view(one)))


@frozen(eq=False, repr=False)
class Image(Result):
    """The different values of a measure in ascending order, with how many runs have each; iterates over them.

    Parameters
    ----------
    measure
        The spelling of the measure.
    levels
        The values in units of `unit`.
    places
        For each run, where its value stands among the values, from 0.
    unit
        What levels are divided by to give values; it changes no order and no ratio of gaps.
    runs
        The runs, one a row, in the order of the dictionary.
    depth, grades
        How many ranks runs have, and how many grades there are.
    rounding
        How far apart steps may be, relative to the largest value, and still count as equal: above 0 where
        values were computed in floating point.

    Examples
    --------
    >>> rr = image("RR", depth=4)
    >>> list(rr), rr.sizes.tolist()
    ([Fraction(0, 1), Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(1, 1)], [1, 1, 2, 4, 8])
    >>> rr.equispaced, rr.largest_gap, rr.gaps()
    (False, Fraction(1, 2), [Fraction(1, 4), Fraction(1, 12), Fraction(1, 6), Fraction(1, 2)])
    """

    measure: str
    levels: tuple[Any, ...]
    places: IntArray
    unit: Exact = Fraction(1)
    runs: Cells | None = None
    depth: int = 0
    grades: int = 0
    rounding: float = 0

    @classmethod
    def of_values(cls, values: Sequence[object], name: str = "values") -> Image:
        """Return the image of a measure that takes these values, each on as many runs as it occurs here.

        Parameters
        ----------
        values
            Rational numbers, in any order.
        name
            What to call the measure.

        Examples
        --------
        >>> Image.of_values([0, 1, 2, 4, 13]).median
        Fraction(2, 1)
        """
        if not len(values):
            raise ParameterError("an image needs a value at least")
        levels, places = ranked([rational(value) for value in values])
        return cls(name, tuple(levels), places)

    def __iter__(self) -> Iterator[Exact]:
        return iter(self._values)

    @cached_property
    def _values(self) -> tuple[Exact, ...]:
        """The values in ascending order."""
        return tuple(map(self._value, self.levels))

    def __len__(self) -> int:
        return len(self.levels)

    def __repr__(self) -> str:
        return f"<Image of {self.measure}: {self.size} values on {self.total} runs>"

    def document(self) -> Document:
        """Return the values in ascending order, with how many runs have each and how far the next one is.

        Examples
        --------
        >>> image("RR", depth=2).document().tables[0].cells
        [['0', '1', '1/2 = 0.5'], ['1/2 = 0.5', '1', '1/2 = 0.5'], ['1', '2', '']]
        """
        columns = [
            valued("value", lambda place: self._value(self.levels[place]), with_fraction, left=True),
            valued("runs", lambda place: int(self.sizes[place])),
            valued("gap to the next", self._gap, lambda gap: "" if gap is None else with_fraction(gap), left=True),
        ]
        equal = "equally spaced" if self.equispaced else "not equally spaced"
        title = f"{self.measure}: {counted(self.size, 'value')} on {counted(self.total, 'run')}, {equal}"
        return Document([TableView(columns, range(self.size), title=title)])

    def _gap(self, place: int) -> Exact | None:
        return self._value(self._step(place)) if place + 1 < self.size else None

    def _value(self, level: Any) -> Exact:
        value: Exact = level / self.unit
        return value

    @cached_property
    def sizes(self) -> IntArray:
        """How many runs have each value."""
        return np.bincount(self.places, minlength=len(self.levels))

    def runs_at(self, place: int) -> list[tuple[int, ...]]:
        """Return the runs that have the value at a place.

        Parameters
        ----------
        place
            The place of the value in ascending order, from 0.

        Examples
        --------
        >>> image("AP", depth=4).runs_at(5)
        [(0, 1, 0, 1), (1, 0, 0, 0)]
        """
        if self.runs is None:
            return []
        return [tuple(run) for run in self.runs[self.places == place].tolist()]

    @property
    def size(self) -> int:
        """How many different values there are."""
        return len(self.levels)

    @property
    def total(self) -> int:
        """How many runs there are."""
        return int(self.sizes.sum())

    @property
    def lowest(self) -> Exact:
        """The least value."""
        return self._value(self.levels[0])

    @property
    def highest(self) -> Exact:
        """The greatest value."""
        return self._value(self.levels[-1])

    def _step(self, place: int) -> Any:
        return self.levels[place + 1] - self.levels[place]

    def gaps(self) -> list[Exact]:
        """Return the distances between neighbouring values, from the lowest up."""
        return [self._value(self._step(place)) for place in range(self.size - 1)]

    @cached_property
    def _odd_step(self) -> int | None:
        """The first step that differs from the lowest one, decided exactly (up to rounding, if that played a part)."""
        if self.size < 3:
            return None
        lowest = self._step(0)
        rounded = self.rounding and all(isinstance(level, Fraction) for level in self.levels)
        slack = rational(self.rounding) * max(abs(self.levels[0]), abs(self.levels[-1])) if rounded else Fraction(0)

        def differs(step: Any) -> bool:
            return bool(abs(step - lowest) > slack) if slack else bool(step != lowest)

        return next((place for place in range(1, self.size - 1) if differs(self._step(place))), None)

    @property
    def equispaced(self) -> bool:
        """Whether all neighbouring values are equally far apart, decided exactly."""
        return self._odd_step is None

    @cached_property
    def _widest(self) -> int | None:
        if self.size < 2:
            return None
        if self.equispaced:
            return 0
        places: Sequence[int] = range(self.size - 1)
        try:
            rough = np.array([float(level) for level in self.levels])
        except OverflowError:
            return max(places, key=self._step)
        # floats find the few that may be the largest, exact numbers choose among them
        steps = np.diff(rough)
        return max(np.flatnonzero(steps >= steps.max() - CLOSE * np.abs(rough).max()).tolist(), key=self._step)

    @property
    def largest_gap(self) -> Exact:
        """The largest distance between neighbouring values."""
        return Fraction(0) if self._widest is None else self._value(self._step(self._widest))

    @property
    def around_largest_gap(self) -> tuple[Exact, Exact] | None:
        """The two values on its sides."""
        if self._widest is None:
            return None
        return self._value(self.levels[self._widest]), self._value(self.levels[self._widest + 1])

    @property
    def unused(self) -> float:
        """The share of the range that lies in the largest gap."""
        if self._widest is None:
            return 0.0
        whole: Any = self.levels[-1] - self.levels[0]
        part: Any = self._step(self._widest)
        return (
            float(part / whole)
            if isinstance(whole, Fraction) and isinstance(part, Fraction)
            else float(part) / float(whole)
        )

    @property
    def ties(self) -> dict[int, int]:
        """How many values are shared by so many runs: a histogram of the sizes of tie groups."""
        sizes, counts = np.unique(self.sizes, return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))

    @property
    def mean(self) -> float:
        """The mean value of a run drawn at random."""
        total: Any = sum(level * size for level, size in zip(self.levels, self.sizes.tolist(), strict=True))
        return float(total / self.total / self.unit)

    @property
    def midpoint(self) -> float:
        """Half way between the lowest and the highest value."""
        return float((self.levels[0] + self.levels[-1]) / 2 / self.unit)

    @property
    def median(self) -> Exact:
        """The value that half of all runs reach (the lower one, if two do)."""
        half = int(np.searchsorted(np.cumsum(self.sizes), (self.total + 1) // 2))
        return self._value(self.levels[half])

    def near(self, value: object, radius: object) -> int:
        """Return how many values lie strictly closer than `radius` to a value.

        Parameters
        ----------
        value, radius
            Rational numbers.
        """
        centre, reach = rational(value), rational(radius)
        return sum(bool(centre - reach < other < centre + reach) for other in self)

    def spacing(self) -> Verdict:
        """Return whether the values are equally spaced; if not, the witness is two runs at unequal steps."""
        checked = f"all {self.total:,} runs of {self.depth} ranks and {self.grades} grades"
        if self.equispaced:
            return Verdict(True, None, checked, How.EXHAUSTIVE)
        odd = self._odd_step or 0
        gaps = (self._value(self._step(0)), self._value(self._step(odd)))
        return Verdict(False, Uneven(0, odd, *gaps), checked, How.COUNTEREXAMPLE)
