"""Doubles: the values of a measure as a plain program computes them, term by term in double precision.

`doubles` computes them. `float_image` is the image of a measure in doubles: which runs tie if floating point numbers
decide, and which tie in truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import fsum, log
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document, cells_view
from measurand.display.wording import counted
from measurand.errors import NotAvailable, ParameterError
from measurand.exact import Exact, ratio, whole_number
from measurand.intervals.ruler import Budget
from measurand.intervals.universe import Universe
from measurand.judged import POOLED, JudgedRuns, Pool, as_cells, every_run
from measurand.measures import Measure, as_measure
from measurand.measures.additive import Additive
from measurand.measures.cascade import Cascade
from measurand.measures.defined import Defined
from measurand.measures.discounted_gain import NormalisedDiscountedCumulatedGain
from measurand.measures.relevant_ranks import RelevantRanks
from measurand.measures.space import Space
from measurand.measures.valued import Valuer

Add: TypeAlias = Callable[[FloatArray], FloatArray]

PART = 1 << 16
"""So many runs are scored at a time."""


def doubles(measure: Measure, runs: Cells, pool: Pool, arithmetic: str = "left to right") -> FloatArray:
    """Return the values of runs of one length on a topic, in double precision and with no help from exact numbers.

    Every rank adds a term, and each step is rounded as the processor rounds it: a weight times a gain, where the
    weight of a discount is 1 divided by the discount; a number of relevant documents divided by a rank; a worth times
    the probability of stopping times that of coming so far. The sum is divided last, by the recall base or by the
    ideal run's sum, added up alike. A measure that is no such sum (P, R, RR, …) is scored by its own vectorised path,
    before exact numbers settle anything and whatever the arithmetic.

    Parameters
    ----------
    measure
        The measure.
    runs
        Judged runs of one length, one a row.
    pool
        What the judgments say of the topic.
    arithmetic
        How terms are added: "left to right", as a loop does; "pairwise", as numpy adds up the rows of a table, eight
        partial sums side by side from eight ranks on; "fsum", as `math.fsum`, which rounds once at the end.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> runs = np.array([[0, 0, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0]], dtype=np.int8)
    >>> doubles(AP, runs, Pool((6, 6))).tolist()
    [0.3499999999999999, 0.35000000000000003]
    """
    add = check_arithmetic(arithmetic)
    if isinstance(measure, Defined):
        raise ParameterError(f"{measure!r} is a function of yours, and what it does inside is not known here")
    if measure.judged_only:
        runs = JudgedRuns.on_one_topic(runs, pool.grade_counts).condensed.cells[:, 0]
    if _terms_of(measure) is None:
        return measure.fast(JudgedRuns.on_one_topic(runs, pool.grade_counts))
    sums = undivided(measure, runs, pool, add)
    return ratio(sums, _divisor(measure, pool, runs[:, : measure.cutoff].shape[1], add))


def undivided(measure: Measure, runs: Cells, pool: Pool, add: Add | None = None) -> FloatArray:
    """Return the sums of runs over their ranks in double precision, before they are divided by anything.

    Parameters
    ----------
    measure
        A measure that is a sum over ranks.
    runs
        Judged runs of one length, one a row.
    pool
        What the judgments say of the topic.
    add
        How terms are added; from left to right if nothing is said.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> undivided(AP, np.array([[0, 0, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0]], dtype=np.int8), Pool((6, 6))).tolist()
    [2.0999999999999996, 2.1]
    """
    terms = _terms_of(measure)
    if terms is None:
        raise ParameterError(f"{measure!r} is no sum over ranks")
    seen, adding = runs[:, : measure.cutoff], add or _left_to_right
    parts = [adding(terms(measure, seen[start : start + PART], pool)) for start in range(0, len(seen), PART)]
    return np.concatenate([np.zeros(0), *parts])


def check_arithmetic(arithmetic: str) -> Add:
    """Return how to add up the rows of a table, or say which ways there are.

    Parameters
    ----------
    arithmetic
        "left to right", "pairwise" or "fsum".

    Examples
    --------
    >>> tenths = np.full((1, 10), 0.1)
    >>> [check_arithmetic(name)(tenths).item() for name in ("left to right", "pairwise", "fsum")]
    [0.9999999999999999, 1.0, 1.0]
    """
    if arithmetic not in ARITHMETICS:
        raise ParameterError(f"numbers are added up {', '.join(map(repr, ARITHMETICS))}; not {arithmetic!r}")
    return ARITHMETICS[arithmetic]


def _left_to_right(terms: FloatArray) -> FloatArray:
    sums = np.zeros(len(terms))
    for column in terms.T:
        sums = sums + column
    return sums


def _pairwise(terms: FloatArray) -> FloatArray:
    return np.asarray(np.ascontiguousarray(terms).sum(axis=1))


def _fsum(terms: FloatArray) -> FloatArray:
    return np.array([fsum(row) for row in terms.tolist()])


ARITHMETICS = MappingProxyType({"left to right": _left_to_right, "pairwise": _pairwise, "fsum": _fsum})
"""How a row of terms can be added up."""


def _divisor(measure: Measure, pool: Pool, length: int, add: Add) -> float:
    """Return what a sum is divided by: the recall base, the ideal run added up in the same way, or a number."""
    if isinstance(measure, RelevantRanks):
        return float(pool.recall_base(measure.lowest))
    if isinstance(measure, NormalisedDiscountedCumulatedGain):
        ideal = measure.ideal(pool)
        row = np.array([[*ideal, *[0] * (length - len(ideal))]], dtype=np.int8)
        return add(_weighed(measure, row, pool)).item()
    return float(measure.scaling(pool, length)) if isinstance(measure, Additive) else 1.0


def _terms_of(measure: Measure) -> Callable[..., FloatArray] | None:
    """Return what makes the terms of a measure of a family; None if it is no sum over ranks."""
    for family, terms in ((Additive, _weighed), (RelevantRanks, _visited), (Cascade, _stopped)):
        if isinstance(measure, family) and measure.is_defined_by(family):
            return terms
    return None


def _weighed(measure: Additive, runs: Cells, pool: Pool) -> FloatArray:
    weights = np.array([_weight(measure.weight(rank)) for rank in range(1, runs.shape[1] + 1)])
    gains = np.array(measure.gains(measure.top_grade(pool)))
    gains[0] = 0.0
    return np.asarray(weights * gains[np.maximum(runs, 0)])


def _weight(weight: Exact) -> float:
    """Return the weight of a rank: a discount is rounded, and then 1 divided by it, as programs do."""
    # from the exact discount, because logarithms in floats are not the same on every machine
    return float(weight) if isinstance(weight, Fraction) else 1 / float(1 / weight)  # type: ignore[operator]


def _visited(measure: RelevantRanks, runs: Cells, pool: Pool) -> FloatArray:
    return np.where(runs >= measure.lowest, measure.contribution(_SeenAtRanks(runs, pool, measure.lowest)), 0.0)


def _stopped(measure: Cascade, runs: Cells, pool: Pool) -> FloatArray:
    top = measure.top_grade(pool)
    stops = np.array([0.0, *(float(measure.stop(grade, top)) for grade in range(1, top + 1))])[np.maximum(runs, 0)]
    worths = np.array([float(measure.utility(rank)) for rank in range(1, runs.shape[1] + 1)])
    so_far = np.cumprod(1 - stops, axis=1)
    return np.asarray(worths * stops * np.hstack([np.ones((len(runs), 1)), so_far[:, :-1]]))


@frozen(eq=False, slots=False)
class _SeenAtRanks:
    """What has been seen on arriving at every rank of some runs, as tables of runs × ranks."""

    runs: Cells
    pool: Pool
    rel: int

    @cached_property
    def _hits(self) -> IntArray:
        return np.asarray(self.runs >= self.rel, dtype=np.int64)

    @property
    def rank(self) -> FloatArray:
        return np.arange(1, self.runs.shape[1] + 1, dtype=np.float64)

    @property
    def relevant(self) -> IntArray:
        return np.cumsum(self._hits, axis=1)

    @property
    def nonrelevant(self) -> IntArray:
        return np.cumsum((self.runs >= 0) & (self.runs < self.rel), axis=1)

    @property
    def pooled(self) -> IntArray:
        return np.cumsum(self.runs == POOLED, axis=1)

    @property
    def gain(self) -> IntArray:
        return np.cumsum(self._hits * self.runs, axis=1)

    @property
    def ideal_gain(self) -> IntArray:
        best = np.zeros(self.runs.shape[1], dtype=np.int64)
        grades = [grade for grade in self.pool.ideal(len(best)) if grade >= self.rel]
        best[: len(grades)] = grades
        return np.cumsum(best)

    @property
    def recall_base(self) -> int:
        return self.pool.recall_base(self.rel)

    @property
    def all_nonrelevant(self) -> int:
        return self.pool.nonrelevant(self.rel)


FITS = 1 << 21
"""So many runs are scored at most."""

FEW = 1 << 12
"""So many runs are valued one by one; where there are more, a ruler ranks them."""

SHOWN = 5
"""So many pairs of runs are shown."""


@frozen
class TwoRuns:
    """Two runs that doubles and exact values disagree on.

    Parameters
    ----------
    one, other
        The runs.
    doubles
        What they come to in doubles.
    tied
        Whether they tie in truth.

    Examples
    --------
    >>> print(TwoRuns((0, 1), (1, 0), (0.25, 0.5), tied=True))
    01 and 10 tie, but their doubles are 0.25 and 0.5
    >>> print(TwoRuns((0, 1), (1, 0), (0.5, 0.5), tied=False))
    01 and 10 differ, but both come to 0.5
    """

    one: tuple[int, ...]
    other: tuple[int, ...]
    doubles: tuple[float, float]
    tied: bool

    def __str__(self) -> str:
        runs = f"{_strip(self.one)} and {_strip(self.other)}"
        if self.tied:
            return f"{runs} tie, but their doubles are {self.doubles[0]!r} and {self.doubles[1]!r}"
        return f"{runs} differ, but both come to {self.doubles[0]!r}"


@frozen(eq=False, repr=False, slots=False)
class FloatImage(Result):
    """The different doubles that a measure comes to on many runs, beside its different values.

    Parameters
    ----------
    measure
        The spelling of the measure.
    arithmetic
        How terms were added.
    digits
        To how many decimals the doubles were rounded; None if they were left as they are.
    values
        The double of each run.
    places
        Where the exact value of each run stands among the exact values, from 0.
    runs
        The runs, one a row, in the order of the dictionary.

    Examples
    --------
    >>> ap = float_image("AP", depth=6)
    >>> ap.exact, ap.size, ap.split, ap.merged
    (54, 55, 1, 0)
    >>> print(ap.splits()[0])
    001111 and 100110 tie, but their doubles are 0.3499999999999999 and 0.35000000000000003
    """

    measure: str
    arithmetic: str
    digits: int | None
    values: FloatArray
    places: IntArray
    runs: Cells

    @cached_property
    def _double_places(self) -> IntArray:
        return np.unique(self.values, return_inverse=True)[1].reshape(-1)

    @property
    def size(self) -> int:
        """How many different doubles there are."""
        return int(self._double_places.max()) + 1

    @property
    def exact(self) -> int:
        """How many different values there are."""
        return int(self.places.max()) + 1

    @cached_property
    def _broken(self) -> IntArray:
        return _disagreements(self.places, self._double_places)

    @cached_property
    def _blurred(self) -> IntArray:
        return _disagreements(self._double_places, self.places)

    @property
    def split(self) -> int:
        """How many values have several doubles: so many groups of tied runs are broken."""
        return len(self._broken)

    @property
    def merged(self) -> int:
        """How many doubles stand for several values: so many groups of different runs seem to tie."""
        return len(self._blurred)

    def splits(self, most: int = SHOWN) -> list[TwoRuns]:
        """Return pairs of runs that tie and have different doubles: one for each broken tie, the lowest value first.

        Parameters
        ----------
        most
            How many pairs to return at most.
        """
        return [self._pair(*pair, tied=True) for pair in self._broken[:most].tolist()]

    def merges(self, most: int = SHOWN) -> list[TwoRuns]:
        """Return pairs of runs that differ and have the same double, the lowest one first.

        Parameters
        ----------
        most
            How many pairs to return at most.

        Examples
        --------
        >>> print(float_image("RBP(p=0.3)", depth=6, digits=2).merges()[0])
        000000 and 000001 differ, but both come to 0.0
        """
        return [self._pair(*pair, tied=False) for pair in self._blurred[:most].tolist()]

    def _pair(self, one: int, other: int, *, tied: bool) -> TwoRuns:
        first, second = (tuple(self.runs[run].tolist()) for run in (one, other))
        return TwoRuns(first, second, (float(self.values[one]), float(self.values[other])), tied)

    def __repr__(self) -> str:
        return f"<FloatImage of {self.measure}: {self.exact:,} values, {self.size:,} doubles>"

    def __str__(self) -> str:
        return "\n".join([*self._sentences(), *map(str, [*self.splits(1), *self.merges(1)])])

    def _sentences(self) -> list[str]:
        rounded = "" if self.digits is None else f" and rounded to {counted(self.digits, 'decimal')}"
        heading = (
            f"{self.measure}, {counted(len(self.runs), 'run')} of {counted(self.runs.shape[1], 'rank')}:"
            f" {counted(self.exact, 'value')}, {counted(self.size, 'double')} (added {self.arithmetic}{rounded})."
        )
        ties = counted(self.split, "tie is broken", "ties are broken") if self.split else "no tie is broken"
        blurs = counted(self.merged, "double stands", "doubles stand") if self.merged else "no double stands"
        return [heading, f"In doubles {ties}, and {blurs} for several values."]

    def document(self) -> Document:
        """Return what was found, and the first pairs of runs that doubles break or blur."""
        rows = [[_strip(pair.one), _strip(pair.other), *_told(pair)] for pair in (*self.splits(), *self.merges())]
        view = cells_view(("run", "run", "in truth they", "doubles"), rows, left=4, title="First pairs")
        return Document([" ".join(self._sentences()), view])


def float_image(
    measure: Measure | str | Callable[..., Any],
    depth: int,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    head: Sequence[int] = (),
    arithmetic: str = "left to right",
    digits: int | None = None,
) -> FloatImage:
    """Return what happens to the values of a measure if double precision decides which runs tie.

    All runs of `depth` ranks are scored as a plain program does it, and held against their exact values. Equal
    values that were added up in different orders may come to different doubles, so that ties break; and different
    values may come to the same double, by rounding or because a small weight is lost beside a large sum.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function that becomes one.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included.
    recall_base
        What a sum is divided by where the measure divides by the recall base; as many as ranks if nothing is said.
        No run is left out, whatever it holds.
    head
        Grades that all runs begin with; what follows takes every form.
    arithmetic
        How terms are added: "left to right", as a loop does; "pairwise", as numpy adds up the rows of a table;
        "fsum", rounded once at the end.
    digits
        Round to so many decimals, which is a usual but no good remedy.

    Returns
    -------
    FloatImage
        How many doubles and values there are, which ties break and which values melt into one.

    Examples
    --------
    >>> print(float_image("ERR", depth=10, arithmetic="pairwise"))
    ERR, 1,024 runs of 10 ranks: 1,010 values, 1,011 doubles (added pairwise).
    In doubles 1 tie is broken, and no double stands for several values.
    0010100001 and 0011000000 tie, but their doubles are 0.22916666666666669 and 0.22916666666666666
    >>> rounded = float_image("RBP(p=0.3)", depth=18, digits=8)
    >>> rounded.exact, rounded.size
    (262144, 77824)

    Notes
    -----
    For sums over ranks the counts are the same on every machine: weights come from exact numbers, and the rest is
    adding, multiplying and dividing, which doubles do alike everywhere. A matrix product is another matter: its order
    of adding depends on the machine.

    See Also
    --------
    image : the exact values
    float_effect : what it does to the results of a campaign

    References
    ----------
    [FerranteFerroFuhr2021]_, section VI; the traps are not in the paper
    """
    known = as_measure(measure)
    check_arithmetic(arithmetic)
    space = Space(depth=depth, grades=grades, recall_base=recall_base)
    begin = as_cells(head)
    runs = _runs(known, space, begin)
    values = doubles(known, runs, space.pool, arithmetic)
    if digits is not None:
        # no double has more decimals than that
        values = np.round(values, min(whole_number("digits", digits, 0), 300))
    return FloatImage(repr(known), arithmetic, digits, values, _places(known, space, begin), runs)


def _runs(measure: Measure, space: Space, head: tuple[int, ...]) -> Cells:
    """Return all runs that begin as they should, if they are not too many."""
    levels = np.array(measure.levels_of_relevance(space.grades), dtype=np.int8)
    free = space.depth - len(head)
    if free < 1 or not set(head) <= set(levels.tolist()):
        raise ParameterError(
            f"all runs are to begin with {_strip(head)}; that takes less than {space.depth} ranks, and grades of"
            f" {', '.join(map(str, levels.tolist()))}"
        )
    if free * log(len(levels)) > log(FITS) + 1e-9:
        most = int(log(FITS) / log(len(levels)) + 1e-9)
        raise ParameterError(
            f"{len(levels)}^{free} runs are too many to score one by one; ask for {most} ranks at most, or say how"
            " runs begin: head=(1, 0, …)"
        )
    tails = levels[every_run(free, len(levels))]
    return np.hstack([np.tile(np.array(head, dtype=np.int8), (len(tails), 1)), tails])


@lru_cache(maxsize=16)  # doubles are added in several ways, and exact values in one
def _places(measure: Measure, space: Space, head: tuple[int, ...]) -> IntArray:
    """Return where each run stands among the different exact values of all of them, from 0."""
    places = _computed_places(space.valuer(measure), _runs(measure, space, head), space)
    places.flags.writeable = False
    return places


def _computed_places(valuer: Valuer, runs: Cells, space: Space) -> IntArray:
    if len(runs) <= FEW:
        return valuer.all(runs).places
    universe = Universe(valuer.measure, space.depth, space.grades)
    positions = universe.ruler(space.depth, space.pool, Budget()).positions(universe.fold(universe.cut(runs)))
    ranks = [position.rank for position in positions]
    if None in ranks:
        raise NotAvailable(
            f"the exact ranks of {len(runs):,} runs under {valuer.measure!r} cannot be had; ask for fewer"
        )
    return np.unique(np.array(ranks), return_inverse=True)[1].reshape(-1)


def _disagreements(groups: IntArray, labels: IntArray) -> IntArray:
    """Return, for each group whose members differ in their labels, its first member and the first that differs."""
    order = np.argsort(groups, kind="stable")
    new = np.concatenate([[True], np.diff(groups[order]) > 0])
    leader = order[np.flatnonzero(new)][np.cumsum(new) - 1]
    differs = np.flatnonzero(labels[order] != labels[leader])
    _, first = np.unique(leader[differs], return_index=True)
    # groups in their own order, not in that of their first members
    first = np.sort(first)
    return np.stack([leader[differs][first], order[differs][first]], axis=1)


def _strip(run: Sequence[int]) -> str:
    return ("" if all(0 <= cell <= 9 for cell in run) else ",").join(map(str, run)) or "nothing"


def _told(pair: TwoRuns) -> list[str]:
    one, other = map(repr, pair.doubles)
    return ["tie", f"{one}, {other}"] if pair.tied else ["differ", one]
