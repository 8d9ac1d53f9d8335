"""The interval scale of a measure, as a measure: `interval(AP@30)`.

A measure such as AP orders runs, but its values are not equally far apart, so that their means and differences have no
meaning. The transform of [FerranteFerroFuhr2021]_ (their equation 2) replaces a value by its rank among all the
different values that the measure takes on the runs of a depth, brought to [0, 1]. Ranks are equally far apart by
construction, and the order stays as it was. `IntervalScaled` is that transform: it sees judged runs and exact values,
never rounded scores, and has a ruler (`measurand.intervals.families`) compute the ranks. Each position carries whether
it is exact, certified between two bounds, or estimated. What it costs is up to the ruler and bounded by `max_seconds`
and `max_memory`; positions of the same runs are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any, ClassVar, Self

import numpy as np
from attrs import evolve, field, fields, frozen

from measurand.arrays import Cells, FloatArray
from measurand.deprecated import deprecate
from measurand.errors import CallError, NotAvailable, ParameterError
from measurand.exact import Exact, rational, whole_number
from measurand.execution import Progress, silent
from measurand.intervals.families import same_order_everywhere
from measurand.intervals.ruler import Budget, Certainty, Position
from measurand.intervals.scored_positions import ScoredPositions
from measurand.intervals.universe import Universe
from measurand.judged import HIGHEST_GRADE, JudgedRuns, Pool, as_cells
from measurand.judged.runs import check_judged
from measurand.measures.around import AroundMeasure
from measurand.measures.average_precision import AP
from measurand.measures.base import Grades, Measure
from measurand.measures.campaigns import on_judged, with_campaign
from measurand.measures.defined import as_measure
from measurand.measures.exact_ties import floats, plain_values
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.lone_runs import RunOnTopic
from measurand.measures.parameters import (
    one_of,
    positive,
    ranks_or_endless,
    read_ranks,
    read_whole,
    spell_parameter,
    whole,
)
from measurand.measures.ties.over_ties import over_ties
from measurand.measures.ties.sensitivity import equivalence_classes, gain_order
from measurand.scores import Scale, Scores

TIES = ("unq", "mid", "min", "max")
"""Ranks of tied runs: dense ranks; or their mean, lowest or highest place among all runs."""

TOPIC = "topic"
"""Each topic has the scale of its own recall base."""

_SAME: Any = object()
"""Stands for the measure that is inside already."""

USUAL = Budget()
"""What a ruler may cost if nothing is said."""

REMEMBERED, REMEMBERED_BYTES = 16, 1 << 22
"""So many answers are kept, each for runs of so many bytes at most: enough for the measures of a study."""


def _check_measure(wrapper: Any, attribute: Any, value: Measure) -> None:  # noqa: ARG001 - attrs' signature
    if isinstance(value, GeometricMean | IntervalScaled):
        raise ParameterError(f"interval takes a measure of one topic such as AP@30, not {value!r}")


def _read_ties(name: str) -> str:
    # the paper spells it both ways
    return "unq" if name == "uniq" else name


def read_recall_base(value: Any) -> int | str | None:
    """Return a recall base: a whole number, "topic" for that of each topic, or None.

    Examples
    --------
    >>> read_recall_base("5"), read_recall_base("topic"), read_recall_base(None)
    (5, 'topic', None)
    """
    if value is None or value == TOPIC:
        return TOPIC if value == TOPIC else None
    if isinstance(value, str) and not value.isdecimal():
        raise ParameterError(f"recall_base must be a whole number, or 'topic', not {value!r}")
    return whole_number("recall_base", int(value) if isinstance(value, str) else value, 0)


@frozen(kw_only=True, repr=False)
class IntervalScaled(AroundMeasure):
    r"""Another measure, its values replaced by where they stand among all the values it can take, from 0 to 1.

    .. math:: \frac{\varphi(m) - 1}{n - 1}, \qquad \varphi(m) = \#\{x \in M : x \le m\}

    The set :math:`M` holds the different values of the measure on all runs of a depth, :math:`n` in number; the
    topic plays no part. Neighbouring values are equally far apart, which makes the scale an interval scale.

    Parameters
    ----------
    measure
        The measure inside.
    depth
        How many ranks runs have: the cutoff of the measure, or else the length of the run, if nothing is said.
        `"inf"` for runs without end (RBP and gRBP). Shorter runs are filled up with nonrelevant documents.
    grades
        How many grades there are, 0 included. Measures that know relevant documents and others need two.
    ties
        `"unq"`, or `"uniq"`, ranks values. `"mid"`, `"min"` and `"max"` rank runs and give tied runs the mean, the
        lowest or the highest of their places; these ranks are not equally spaced.
    max_seconds, max_memory
        What may be spent: seconds, and bytes for tables.
    recall_base
        How many relevant documents the topic has: values that only runs with more of them have are left out. `"topic"`
        takes that of each topic, which gives every topic a scale of its own; then positions of different topics are
        not on one scale. By default all runs count, on every topic.

    Examples
    --------
    >>> dcg = interval("DCG(b=2)@4")
    >>> dcg.size, dcg.rank([0, 0, 1, 1]), dcg.rank([1, 0, 0, 1]), dcg.of([1, 0, 0, 1])
    (12, 5, 6, Fraction(5, 11))
    >>> interval(AP @ 30)
    interval(AP@30)
    >>> interval("R@10", recall_base=5).size, interval("R@10", recall_base="topic").of([1, 0, 1], recall_base=4)
    (6, Fraction(1, 2))

    References
    ----------
    [FerranteFerroFuhr2021]_
    """

    name: ClassVar[str] = "interval"
    reference: ClassVar[str] = "FerranteFerroFuhr2021"
    tells_unjudged: ClassVar[bool] = False

    measure: Measure = field(default=AP, converter=as_measure, validator=_check_measure)
    depth: int | float | None = field(default=None, converter=read_ranks, validator=ranks_or_endless)
    grades: int = field(default=2, validator=whole(2))
    ties: str = field(default="unq", converter=_read_ties, validator=one_of(*TIES))
    max_seconds: Fraction = field(default=rational(USUAL.seconds), converter=rational, validator=positive)
    max_memory: int = field(default=USUAL.memory, converter=read_whole, validator=whole(1))
    recall_base: int | str | None = field(default=None, converter=read_recall_base)

    def __attrs_post_init__(self) -> None:
        if self.grades > HIGHEST_GRADE + 1:
            raise ParameterError(f"{self.grades} grades are too many; no grade is above {HIGHEST_GRADE}")
        self.universe  # noqa: B018 - raises where parameters do not fit together

    @property
    def universe(self) -> Universe:
        """The runs whose values are ranked; those of all topics where each has its own."""
        base = self.recall_base if isinstance(self.recall_base, int) else None
        return Universe(self.measure, self.depth, self.grades, base)

    def on_topic(self, pool: Pool) -> Self:
        """Return the scale of a topic: that of its own recall base, if every topic has its own.

        Parameters
        ----------
        pool
            What the judgments of the topic hold.
        """
        if self.recall_base != TOPIC:
            return self
        base = pool.recall_base(self.measure.lowest)
        ranks = self.universe.ranks(base) if self.fixed else inf
        # more relevant documents than ranks leave out no run
        return self.__call__(recall_base=None if base >= ranks else base)

    def view(self, run: Grades) -> Grades:
        """Return what the measure inside looks at, as long as the ruler is deep."""
        # higher grades than there can be count as the highest, and are refused where grades are distinguished
        seen = tuple(min(cell, HIGHEST_GRADE) for cell in self.measure.view(run))
        ranks = self.universe.scaled_ranks(len(seen))
        return seen if ranks == inf else (*seen[: int(ranks)], *[0] * (int(ranks) - len(seen)))

    def reach(self, depth: int) -> int:
        """Return down to which rank the scale looks, in runs of a depth."""
        return int(min(self.universe.ranks(depth), depth))

    @property
    def budget(self) -> Budget:
        """What rulers may cost."""
        return Budget(float(self.max_seconds), self.max_memory)

    def __call__(self, measure: Measure | str | Callable[..., Any] = _SAME, **parameters: Any) -> Self:
        """Return the interval scale of another measure, or of this one with parameters changed."""
        if self is interval and measure is _SAME and not parameters:
            raise CallError("interval needs a measure; write interval('AP@30')")
        inner = self.measure if measure is _SAME else as_measure(measure)
        own = {name: parameters.pop(name) for name in list(parameters) if name in _OWN}
        changed: Self = evolve(self, measure=inner(**parameters) if parameters else inner, **own)
        return changed

    def __matmul__(self, value: object) -> Self:
        """Return the interval scale of the measure with its cutoff changed."""
        return self.__call__(self.measure @ value)

    def __repr__(self) -> str:
        own = {name: getattr(self, name) for name, default in _OWN.items() if getattr(self, name) != default}
        spelled = [
            f"{name}={'inf'!r}" if value == inf else f"{name}={spell_parameter(value)}" for name, value in own.items()
        ]
        return f"{self.name}({', '.join([repr(self.measure), *spelled])})"

    @property
    def graded(self) -> bool:
        """Whether the measure inside tells the grades apart that there are."""
        return self.measure.graded and self.grades > 2

    @property
    def uses_recall_base(self) -> bool:
        """Whether the topic decides which runs the measure inside prefers, or which runs there are."""
        return not same_order_everywhere(self.measure) or self.recall_base == TOPIC

    @property
    def ordering(self) -> Measure:
        """The measure inside, cut as the scale is: it orders runs as the scale does."""
        return (
            self.measure if self.depth in (None, inf) else evolve(self.measure, cutoff=int(self.universe.ranks(None)))
        )

    @property
    def fixed(self) -> bool:
        """Whether runs of all lengths stand on one scale."""
        return self.depth is not None or self.measure.cutoff is not None

    @property
    def highest_grade(self) -> int | None:
        """The highest grade of the scale."""
        return self.universe.levels[-1]

    @property
    def surrogate(self) -> bool:
        """Whether ranks stand in for values that have another scale on every topic."""
        return self.measure.uses_recall_base

    @property
    def weighs_grades(self) -> bool:
        """Ranks claim nothing of what a grade is worth."""
        return False

    @property
    def declared_scale(self) -> Scale:
        """Interval, by construction, if tied runs share a rank of their own."""
        return Scale.INTERVAL if self.ties == "unq" else Scale.ORDINAL

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return f"ranks of {self.measure.family} values"

    @property
    def size(self) -> int:
        """How many different values the measure takes."""
        if self.recall_base == TOPIC:
            raise NotAvailable(f"{self!r} has a size for every recall base; say which one: recall_base=5")
        if self.universe.ranks(None) == inf:
            raise NotAvailable(f"{self.measure!r} takes infinitely many values on runs without end")
        return self.universe.ruler(None, None, self.budget).size

    def rank(self, run: Sequence[int], recall_base: int | None = None, *, descending: bool = False) -> int | Fraction:
        r"""Return :math:`\varphi`, the rank of the run's value among all values, from 1; it is exact or refused.

        Parameters
        ----------
        run
            Grades, first rank first.
        recall_base
            How many relevant documents the topic has, as in `of`.
        descending
            Whether the highest value has rank 1, in place of the lowest.

        Examples
        --------
        >>> rr = interval("RR@4")
        >>> [rr.rank(run) for run in ([1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0])]
        [5, 2, 1]
        >>> interval("RR@4", ties="mid").rank([0, 0, 1, 0])
        Fraction(7, 2)
        """
        position = self.position(run, recall_base)
        if self.ties == "unq":
            if position.rank is None or (descending and position.size is None):
                raise NotAvailable(f"{self!r} has no exact rank for this run; .position(run) says what is known")
            return (position.size or 0) + 1 - position.rank if descending else position.rank
        total = self.on_topic(Pool.described(as_cells(run), recall_base, None, self.lowest)).universe.total(len(run))
        rank = position.low * (total - 1) + 1
        return total + 1 - rank if descending else rank

    def position(
        self,
        run: Sequence[int],
        recall_base: int | None = None,
        grade_counts: Sequence[int] | None = None,
        *,
        grades: int | None = None,
        progress: Progress = silent,
    ) -> Position:
        """Return where the run stands, from 0 to 1, with bounds and how they were obtained.

        The exact position is also what `of` returns, or refuses where it is not known; `value` returns the middle of
        the bounds.

        Parameters
        ----------
        run
            Grades, first rank first; longer runs are cut to the depth of the scale, and shorter ones filled up.
        recall_base, grade_counts
            What the topic holds, as in `of`; it matters only if the measure inside orders runs otherwise on other
            topics.
        grades
            How many grades there are, 0 included; by default as many as the scale has.
        progress
            Shows how far a long computation is.

        Examples
        --------
        >>> position = interval("DCG(b=2)@30").position([1, 0, 1, 0, 0])
        >>> position.rank, position.size, str(position.how), position.assumption
        (299412, 805306368, 'exact', 'proved for this depth')
        """
        return self._position(RunOnTopic(run, recall_base, grade_counts, grades), progress)

    def _position(self, told: RunOnTopic, progress: Progress = silent) -> Position:
        """Return where a run stands."""
        scale = self if told.grades is None else self.__call__(grades=told.grades)
        seen = scale.view(told.run)
        base = (
            scale.recall_base if told.recall_base is None and isinstance(scale.recall_base, int) else told.recall_base
        )
        pool = Pool.described(seen, base, told.grade_counts, scale.lowest, scale.highest_grade)
        scale = scale.on_topic(pool)
        return scale.positions(scale.universe.digits(seen), pool, progress)[0]

    def _of(self, run: RunOnTopic) -> Exact:
        return self._exactly(self._position(run))

    def _value(self, run: RunOnTopic) -> float:
        # where the position is not known exactly, the middle of its bounds
        return float(self._position(run))

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the position of a run, if it is known exactly."""
        scale = self.on_topic(pool)
        return self._exactly(scale.positions(scale.universe.digits(run), pool)[0])

    def levels(self, runs: Sequence[Grades], pool: Pool) -> list[Exact]:
        """Return the positions of runs of one length, if they are known exactly.

        Parameters
        ----------
        runs
            Runs as `view` returns them.
        pool
            The topic.
        """
        if not runs:
            return []
        scale = self.on_topic(pool)
        return [self._exactly(position) for position in scale.positions(scale.universe.digits(*runs), pool)]

    def _exactly(self, position: Position) -> Fraction:
        if position.how is not Certainty.EXACT:
            raise NotAvailable(f"{self!r} is {position.how} here, not exact; .position(run) has the bounds")
        return position.low

    def positions(self, runs: Cells, pool: Pool, progress: Progress = silent) -> list[Position]:
        """Return where runs stand; those of the same runs on the same scale are computed once.

        Parameters
        ----------
        runs
            Runs in the digits of the ruler (`Universe.digits`), one a row.
        pool
            The topic, which matters only if it decides which runs the measure prefers.
        progress
            Shows how far a long computation is.
        """
        if same_order_everywhere(self.measure) and runs.nbytes <= REMEMBERED_BYTES:
            return list(_remembered(_Question(self, runs.shape, runs.astype(np.int8).tobytes(), pool, progress)))
        return self._computed(runs, pool, progress)

    def _computed(self, runs: Cells, pool: Pool, progress: Progress) -> list[Position]:
        ruler = self.universe.ruler(runs.shape[1], pool, self.budget)
        if self.ties == "unq":
            return ruler.positions(runs, progress)
        total = self.universe.total(runs.shape[1])
        return [Position.among_runs(self.ties, *share, total, ruler.assumption) for share in ruler.shares(runs)]

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the positions of all runs."""
        return self.scored_positions(judged).values

    def scores(self, judged: JudgedRuns, progress: Progress = silent) -> Scores:
        """Return the positions of all runs, with the caveats that limit their meaning.

        Parameters
        ----------
        judged
            The judged runs.
        progress
            Shows how far a long computation is.
        """
        check_judged(judged)
        known = on_judged(self, judged)
        if known is not self:
            return known.scores(judged, progress)
        judged = judged.weak if self.on_weak_orders else judged
        positions = self.around(with_campaign(self.measure, judged)).scored_positions(judged, progress)
        values = positions.values.reshape(len(judged.systems), len(judged.topics))
        ties = None if judged.groups is None else over_ties(self, judged, progress, plain=values)
        values = values if ties is None else ties.values
        if judged.skip_missing:
            values = np.where(judged.present, values, np.nan)
        return Scores(
            measure=repr(self),
            values=values,
            systems=judged.systems,
            topics=judged.topics,
            scale=self.scale,
            # a measure that topics share may have other values where the recall base is another
            one_scale=not (self.own_scales(judged) or self.measure.own_scales(judged)),
            lower_is_better=self.lower_is_better,
            caveats=(*self.all_caveats(judged, values), *positions.caveats(judged), *(ties.caveats() if ties else ())),
            history=(f"positions among the values of {self.measure!r}",),
        )

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return why every topic has a scale of its own, or nothing if all topics share one."""
        if self.recall_base != TOPIC:
            return super().own_scales(judged)
        ranks = int(self.universe.ranks(judged.depth))
        bases = {min(pool.recall_base(self.measure.lowest), ranks) for pool in judged.pools}
        if len(bases) < 2:
            return ""
        return f"each is that of the topic's recall base, from {min(bases)} to {max(bases)} in {ranks} ranks"

    def placed(self, judged: JudgedRuns, progress: Progress = silent) -> ScoredPositions:
        """Return `scored_positions`, under its old name.

        Parameters
        ----------
        judged
            The judged runs.
        progress
            Shows how far a long computation is.
        """
        deprecate("IntervalScaled.placed", "IntervalScaled.scored_positions")
        return self.scored_positions(judged, progress)

    def scored_positions(self, judged: JudgedRuns, progress: Progress = silent) -> ScoredPositions:
        """Return the positions of all judged runs.

        Parameters
        ----------
        judged
            The judged runs.
        progress
            Shows how far a long computation is.
        """
        given = judged.grade_counts.shape[1]
        if self.measure.graded and judged.relevance is not None and self.grades != given:
            # to take all grades above the first for the first would say little
            wanted = f"write grades={given}" if given <= HIGHEST_GRADE + 1 else "round them"
            raise ParameterError(f"{self!r} tells {self.grades} grades apart, and the judgments have {given}: {wanted}")

        def positions(runs: Cells, pool: Pool) -> list[Position]:
            scale = self.on_topic(pool)
            return scale.positions(scale.universe.possible(runs), pool, progress)

        return ScoredPositions.of(judged, self.universe, positions, by_topic=self.recall_base == TOPIC)


@frozen
class _Question:
    """Runs to be placed, equal to others where the scale and the grades are; the topic does not change the order."""

    scale: IntervalScaled
    shape: tuple[int, ...]
    grades: bytes
    pool: Pool = field(eq=False)
    progress: Progress = field(eq=False)


@lru_cache(maxsize=REMEMBERED)
def _remembered(question: _Question) -> list[Position]:
    runs = np.frombuffer(question.grades, dtype=np.int8).reshape(question.shape)
    return question.scale._computed(runs, question.pool, question.progress)


@gain_order.register
def _(measure: IntervalScaled, cell: int, top: int) -> Any:
    return gain_order(measure.measure, min(cell, measure.grades - 1) if measure.measure.graded else cell, top)


_classes_of_any = equivalence_classes.dispatch(Measure)


@equivalence_classes.register
def _(measure: IntervalScaled, cells: Cells) -> Cells:
    seen = _classes_of_any(measure, cells)
    highest = np.int8(measure.grades - 1)
    return equivalence_classes(measure.measure, np.minimum(seen, highest) if measure.measure.graded else seen)


@plain_values.register
def _(measure: IntervalScaled, judged: JudgedRuns) -> FloatArray:
    # equal positions are equal floats
    return floats(measure, judged)


_OWN = {
    attribute.name: attribute.default
    for attribute in fields(IntervalScaled)
    if attribute.name in ("depth", "grades", "ties", "max_seconds", "max_memory", "recall_base")
}

interval = IntervalScaled()
