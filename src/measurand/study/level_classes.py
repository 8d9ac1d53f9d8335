"""Which measures a level of agreement covers: the classes of measures behind "A is ahead under every such measure".

A level says for which measures one system is at least as good as another on the mean over topics, judging by the first
ranks of every run, where documents that are absent or not judged count as not relevant. The weakest level that decides
the mean of a measure follows from what is proved of the measure (`measurand.axioms.families`), from its declared facts,
and from what its definition looks at, never from its name.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from functools import lru_cache, singledispatch
from itertools import pairwise
from typing import Any, TypeGuard, cast

from measurand.axioms.families import by_count, proofs
from measurand.calls import option
from measurand.errors import ParameterError
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import HIGHEST_GRADE, Pool
from measurand.measures import Measure, catalogue
from measurand.measures.additive import Additive
from measurand.measures.around import AroundMeasure, innermost
from measurand.measures.at_least_as_good import AtLeastAsGood
from measurand.measures.base import USUAL_DEPTH, Graded
from measurand.measures.cascade import Cascade
from measurand.measures.catalogue import is_own
from measurand.measures.counting import Counting, Counts
from measurand.measures.defined import Defined
from measurand.measures.geometric_mean import GeometricMean
from measurand.measures.reciprocal_rank import ReciprocalRank
from measurand.measures.space import Space
from measurand.measures.total_orders import RankBasedTotalOrder, SetBasedTotalOrder
from measurand.scores import Aggregation

ENDLESS = sys.maxsize
"""Stands for runs of which nobody knows how long they are."""

BEST_KNOWN = ("nDCG", "AP", "P", "RR", "R", "RBP", "DCG", "ERR", "Success")
"""The measures that are named first."""

FEW = 10
"""The class of a well-known measure is the same for all cutoffs; it is asked for at this one."""


class Level(StrEnum):
    """For which measures one system is at least as good as another, the strongest level first.

    A stronger level is greater and implies the weaker ones.

    Examples
    --------
    >>> Level.TOPICS > Level.EVERY_MEASURE > Level.ADDITIVE > Level.THIS_MEASURE
    True
    >>> print(f"A is ahead {Level.ADDITIVE.words}")
    A is ahead under every additive measure
    >>> Level("additive") is Level.ADDITIVE
    True
    """

    TOPICS = "topics"
    EVERY_MEASURE = "every measure"
    ADDITIVE = "every additive measure"
    THIS_MEASURE = "this measure"

    @classmethod
    def _missing_(cls, value: object) -> Level:
        # by the names that verdicts have, and members
        spelled = str(value).replace("_", " ").casefold()
        named = {member.name.replace("_", " ").casefold(): member for member in cls}
        if spelled in named:
            return named[spelled]
        return cls(option("level", str(value), [*cls, "additive"]))

    @property
    def words(self) -> str:
        """The level as it stands in a sentence."""
        return {
            Level.TOPICS: "on every topic",
            Level.EVERY_MEASURE: "under every measure that treats topics alike",
            Level.ADDITIVE: "under every additive measure",
            Level.THIS_MEASURE: "under this measure",
        }[self]

    def ahead(self, of: str = "") -> str:
        """Return that a system is ahead at this level, as it stands in a sentence.

        Parameters
        ----------
        of
            The other system; by default it is not named.

        Examples
        --------
        >>> Level.TOPICS.ahead("B"), Level.ADDITIVE.ahead()
        ('at least as good as B on every topic', 'ahead under every additive measure')
        """
        if self is Level.TOPICS:
            return f"at least as good{f' as {of}' if of else ''} {self.words}"
        return f"ahead{f' of {of}' if of else ''} {self.words}"

    @property
    def class_name(self) -> str:
        """The measures that agree, as a name for their class."""
        return {
            Level.TOPICS: "every measure, even one that differs by topic",
            Level.EVERY_MEASURE: "every measure that treats topics alike",
            Level.ADDITIVE: "every additive measure",
            Level.THIS_MEASURE: "this measure",
        }[self]

    @property
    def measures(self) -> str:
        """The definition of the class of measures that agree."""
        respected = "every measure that respects replacement and swap"
        return {
            Level.TOPICS: f"{respected}, even one that differs from topic to topic",
            Level.EVERY_MEASURE: f"{respected} and is the same on all topics",
            Level.ADDITIVE: "every sum of discounts of ranks times gains of grades, the same on all topics, whose"
            " discounts never rise with the rank and whose gains never fall with the grade",
            Level.THIS_MEASURE: "this measure",
        }[self]

    @property
    def strength(self) -> int:
        """How many levels are weaker."""
        return len(Level) - 1 - list(Level).index(self)

    def __lt__(self, other: str) -> bool:
        return self.strength < Level(other).strength

    def __le__(self, other: str) -> bool:
        return self.strength <= Level(other).strength

    def __gt__(self, other: str) -> bool:
        return self.strength > Level(other).strength

    def __ge__(self, other: str) -> bool:
        return self.strength >= Level(other).strength


LEVELS = (Level.TOPICS, Level.EVERY_MEASURE, Level.ADDITIVE)
"""The levels that are about a class of measures, the strongest first."""


def level_of(measure: Measure, *, depth: int, grades: int, deepest: int | None = None) -> Level:
    """Return the weakest level that is enough to decide the mean of a measure.

    `Level.ADDITIVE` is enough for a sum of discounts of ranks times gains of grades, the same on all topics, whose
    discounts never rise and whose gains never fall; `Level.EVERY_MEASURE` for any measure that is the same on all
    topics and respects replacement and swap; `Level.TOPICS` for one that respects them on every topic. A measure of
    which that is not proved, or that looks deeper than the level, is decided by nothing but itself.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks of every run the level looks at.
    grades
        How many grades there are, 0 included.
    deepest
        How many ranks the longest run has. If nothing is said it may be of any length, so that only measures with a
        cutoff look no deeper than the level.

    Examples
    --------
    >>> from measurand.measures import AP, RBP, RR
    >>> [str(level_of(measure @ 30, depth=30, grades=2)) for measure in (RBP, RR, AP)]
    ['every additive measure', 'every measure', 'topics']
    >>> level_of(RBP, depth=30, grades=2), level_of(RBP, depth=30, grades=2, deepest=20)
    (<Level.THIS_MEASURE: 'this measure'>, <Level.ADDITIVE: 'every additive measure'>)
    """
    measure = _on_whole_grades(measure)
    try:
        space = _looked_at(measure, depth, grades, deepest)
        return Level.THIS_MEASURE if space is None else _level_on(measure, space)
    except ParameterError:  # gains or a highest grade that do not fit so many grades, runs too long for proofs
        return Level.THIS_MEASURE


def _on_whole_grades(measure: Measure) -> Measure:
    """Return a measure as it is for whole grades: which others there are decides no level."""
    return measure if isinstance(measure, AtLeastAsGood) else measure.on_grades(None)


def _looked_at(measure: Measure, depth: int, grades: int, deepest: int | None) -> Space | None:
    """Return the runs that a measure looks at; None if it looks deeper than a level, or is a function."""
    looked = measure.reach(ENDLESS if deepest is None else deepest)
    # a function belongs to no family, and need not even have a hash
    if looked > depth or isinstance(innermost(measure), Defined):
        return None
    if measure.parameters().get("gain", "linear") in ("linear", "exp2"):
        # what holds for so many grades holds for more
        grades = min(grades, HIGHEST_GRADE + 1)
    # grades that no document has change nothing
    # what is proved of a measure holds whatever the number of grades; spaces have no more than these
    return Space(depth=looked, grades=min(HIGHEST_GRADE + 1, max(grades, measure.lowest + 1)))


def is_additive(measure: Measure, *, depth: int, grades: int, deepest: int | None = None) -> bool:
    """Return whether the level of additive measures is enough to decide the mean of a measure.

    Parameters
    ----------
    measure
        The measure.
    depth, grades, deepest
        As in `level_of`.

    Examples
    --------
    >>> from measurand.measures import AP, DCG
    >>> [is_additive(measure @ 5, depth=5, grades=2) for measure in (AP, DCG)]
    [False, True]
    """
    try:
        space = _looked_at(measure, depth, grades, deepest)
        # what takes no proof comes first
        return space is not None and _same_on_all_topics(measure, space) and _level_on(measure, space) is Level.ADDITIVE
    except ParameterError:
        return False


def is_covered(measure: Measure, level: Level, *, depth: int, grades: int, deepest: int | None = None) -> bool:
    """Return whether a level decides the mean of a measure.

    Parameters
    ----------
    measure
        The measure.
    level
        The level that holds.
    depth, grades, deepest
        As in `level_of`.

    Examples
    --------
    >>> from measurand.measures import RR, Bpref
    >>> [is_covered(measure @ 5, Level.TOPICS, depth=5, grades=2) for measure in (RR, Bpref)]
    [True, False]
    """
    needed = level_of(measure, depth=depth, grades=grades, deepest=deepest)
    return needed is not Level.THIS_MEASURE and level >= needed


def differs_by_recall_base_alone(measure: Measure) -> bool:
    """Return whether values are those of a measure of binary runs, the same on all topics, over the recall base.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import AP, F, R
    >>> [differs_by_recall_base_alone(measure) for measure in (AP @ 10, R(rel=2), F)]
    [True, True, False]
    """
    measure = _on_whole_grades(measure)
    own = is_own(measure) and not isinstance(measure, AroundMeasure)
    if not own or measure.graded or not measure.rescaled:
        return False
    depth, grades = measure.reach(USUAL_DEPTH), measure.lowest + 1
    if level_of(measure, depth=depth, grades=grades, deepest=depth) is not Level.TOPICS:
        return False
    # the recall base does no more than rescale, so that one run tells by how much
    run = measure.view((measure.lowest, *[0] * (depth - 1)))
    bases = (1, 2, 2 * (measure.cutoff or depth) + 1)
    # a value, which is a fraction, times the recall base
    return len({cast(Any, measure.exact(run, Pool.plain(base, depth, grades - 1))) * base for base in bases}) == 1


def is_sum_of_gains(measure: Measure) -> TypeGuard[Additive]:
    """Return whether a measure of this package is a sum of discounts times gains, divided by whatever.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> from measurand.measures import RBP, RR, nDCG
    >>> [is_sum_of_gains(measure) for measure in (RBP, nDCG, RR)]
    [True, True, False]
    """
    return isinstance(measure, Additive) and is_own(measure) and measure.is_defined_by(Additive)


def is_divided_alike(measure: Additive, depth: int) -> bool:
    """Return whether a sum of discounts times gains is divided by the same number on all topics.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks it looks at.

    Examples
    --------
    >>> from measurand.measures import RBP, nDCG
    >>> is_divided_alike(RBP, 10), is_divided_alike(nDCG, 10)
    (True, False)
    """
    try:
        measure.scaling(cast(Pool, _Unknown()), depth)
    except _Looked:
        return False
    return True


def covered_in_words(level: Level, *, depth: int, grades: int) -> str:
    """Return the measures of the catalogue that a level covers as a short list of names, the best-known first.

    Measures are cut at the depth. Those well-known ones that are covered only where they look at nothing but the first
    rank follow, cut there.

    Parameters
    ----------
    level
        The level that holds.
    depth
        How many ranks of every run the level looks at.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> print(covered_in_words(Level.ADDITIVE, depth=9, grades=3))    # doctest: +ELLIPSIS
    P, RBP, DCG, DiscountCurve, gP, gRBP, ... RBTO, SDCG (cut at 9 or less), RR@1, ERR@1, Success@1
    """
    whole, first = _covered(level, depth, grades)
    names = ", ".join(map(_short, whole))
    known = [f"{measure.name}@1" for measure in first if measure.name in BEST_KNOWN]
    return ", ".join([f"{names} (cut at {depth} or less)", *known] if names else known)


@lru_cache(maxsize=64)
def best_known(level: Level, *, grades: int) -> tuple[str, ...]:
    """Return the names of the best-known measures that a level covers if they look no deeper than it.

    Parameters
    ----------
    level
        The level.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> best_known(Level.ADDITIVE, grades=2), best_known(Level.EVERY_MEASURE, grades=2)
    (('P', 'RBP', 'DCG'), ('P', 'RR', 'RBP', 'DCG', 'ERR', 'Success'))
    """
    known = catalogue()
    return tuple(name for name in BEST_KNOWN if is_covered(known[name] @ FEW, level, depth=FEW, grades=grades))


def examples(level: Level, *, grades: int) -> str:
    """Return the three best-known measures that a level covers.

    Parameters
    ----------
    level
        The level.
    grades
        How many grades there are, 0 included.

    Examples
    --------
    >>> examples(Level.ADDITIVE, grades=2), examples(Level.TOPICS, grades=4)
    ('P, RBP, DCG, …', 'nDCG, AP, P, …')
    """
    return ", ".join([*best_known(level, grades=grades)[:3], "…"])


def _covered(level: Level, depth: int, grades: int) -> tuple[list[Measure], list[Measure]]:
    """Return the measures that a level covers cut at its depth, and others that it covers cut at the first rank."""
    whole, first = [], []
    for measure in sorted(catalogue().values(), key=_familiarity):
        if not _tells_runs_apart(measure, grades):
            continue
        if is_covered(_cut(measure, depth), level, depth=depth, grades=grades):
            whole.append(_cut(measure, depth))
        elif is_covered(_cut(measure, 1), level, depth=depth, grades=grades):
            first.append(_cut(measure, 1))
    return whole, first


def _familiarity(measure: Measure) -> tuple[int, str]:
    known = BEST_KNOWN.index(measure.name) if measure.name in BEST_KNOWN else len(BEST_KNOWN)
    return known, measure.name.lower()


def _cut(measure: Measure, rank: int) -> Measure:
    return measure @ rank if measure.at == "cutoff" else measure(cutoff=rank)


def _short(measure: Measure) -> str:
    """Return the name of a measure, with what `@` means where that is no cutoff."""
    if isinstance(measure, AroundMeasure):
        return f"{measure.name}({_short(measure.measure)})"
    return measure.name if measure.at == "cutoff" else f"{measure.name}@{measure.parameters()[measure.at]}"


def _tells_runs_apart(measure: Measure, grades: int) -> bool:
    """Return whether a run that holds the only relevant document is worth anything else than one without it."""
    inside = innermost(measure)
    top = max(grades - 1, inside.lowest)
    pool = Pool.plain(1, 1, top)
    return bool(inside.exact((top,), pool) != inside.exact((0,), pool))


@lru_cache(maxsize=256)
def _level_on(measure: Measure, space: Space) -> Level:
    """Return the weakest level that is enough for a measure that looks at the runs of a space."""
    if not _sees_grades_alone(measure, space) or not {"replacement", "swap"} <= proofs(measure, space).keys():
        return Level.THIS_MEASURE
    if measure.aggregation is Aggregation.GEOMETRIC or not _same_on_all_topics(measure, space):
        # the arguments of families hold on every topic for the measures of this package, which are tested
        return Level.TOPICS if is_own(measure) and is_own(innermost(measure)) else Level.THIS_MEASURE
    # one rank has one discount, and what a grade is worth there is its gain
    return Level.ADDITIVE if space.depth == 1 or _is_sum(measure, space) else Level.EVERY_MEASURE


def _sees_grades_alone(measure: Measure, space: Space) -> bool:
    """Return whether documents that are absent or not judged count as documents that are not relevant."""
    if measure.judged_only or measure.tells_unjudged:
        return False
    if isinstance(measure, IntervalScaled) and measure.measure.graded and measure.grades < space.grades:
        return False
    if isinstance(measure, AroundMeasure):
        return _sees_grades_alone(measure.measure, space)
    return not isinstance(measure, Counting) or not _asked(measure, space) & {"retrieved", "judged"}


@singledispatch
def _same_on_all_topics(measure: Measure, space: Space) -> bool:  # noqa: ARG001 - for the families below
    """Return whether a run is worth the same on every topic of a campaign: declared, and shown of strangers."""
    return is_own(measure) and not (measure.uses_recall_base or measure.needs_grade_counts)


@_same_on_all_topics.register
def _(measure: GeometricMean, space: Space) -> bool:
    return _same_on_all_topics(measure.measure, space)


@_same_on_all_topics.register
def _(measure: IntervalScaled, space: Space) -> bool:
    # ranks are the same where the order of runs is
    return not measure.uses_recall_base and (is_own(measure.measure) or _same_on_all_topics(measure.measure, space))


@_same_on_all_topics.register
def _(measure: Additive, space: Space) -> bool:
    return _has_usual_top_grade(measure) and is_divided_alike(measure, space.depth)


@_same_on_all_topics.register
def _(measure: Counting, space: Space) -> bool:
    return type(measure).ranks is Counting.ranks and "recall_base" not in _asked(measure, space)


@_same_on_all_topics.register
def _(measure: Cascade, space: Space) -> bool:  # noqa: ARG001
    return measure.is_defined_by(Cascade) and _has_usual_top_grade(measure)


@_same_on_all_topics.register
def _(measure: ReciprocalRank, space: Space) -> bool:  # noqa: ARG001
    return measure.is_defined_by(ReciprocalRank)


def _has_usual_top_grade(measure: Measure) -> bool:
    """Return whether the highest grade is the one of all the judgments, or given."""
    return type(measure).top_grade in (Measure.top_grade, Graded.top_grade)


@singledispatch
def _is_sum(measure: Measure, space: Space) -> bool:  # noqa: ARG001 - for the families below
    """Return whether a measure that respects replacement and swap is a sum of discounts times gains."""
    return False


@_is_sum.register
def _(measure: Additive, space: Space) -> bool:  # noqa: ARG001
    # replacement and swap are proved only where discounts never rise and gains never fall
    return True


@_is_sum.register
def _(measure: RankBasedTotalOrder, space: Space) -> bool:  # noqa: ARG001
    # a digit of the number is a gain, its place a discount
    return True


@_is_sum.register
def _(measure: SetBasedTotalOrder, space: Space) -> bool:
    # with two grades it counts relevant documents; with more, the second of a grade is worth less than the first
    return len(measure.levels_of_relevance(space.grades)) == 2


@_is_sum.register
def _(measure: Counting, space: Space) -> bool:
    return len({high - low for low, high in pairwise(by_count(measure, space))}) <= 1


@_is_sum.register
def _(measure: IntervalScaled, space: Space) -> bool:
    # if every number of relevant documents has a value of its own, the ranks of values are these numbers
    inside, ranks = measure.ordering, measure.universe.ranks(space.depth)
    if measure.ties != "unq" or not isinstance(inside, Counting) or ranks > sys.maxsize:
        return False
    values = by_count(inside, Space(depth=int(ranks), grades=space.grades))
    return all(low < high for low, high in pairwise(values))


class _Looked(Exception):
    """Raised where a measure looks at something that it is not shown."""


class _Unknown:
    """A topic that may not be looked at."""

    def __getattr__(self, name: str) -> Any:
        raise _Looked(name)


class _Recording:
    """Counts that note which of them a measure asks for."""

    def __init__(self, counts: Counts, asked: set[str]) -> None:
        self._counts, self._asked = counts, asked

    def __getattr__(self, name: str) -> Any:
        self._asked.add(name)
        return getattr(self._counts, name)


def _asked(measure: Counting, space: Space) -> set[str]:
    """Return which counts a counting measure asks for."""
    asked: set[str] = set()
    base, depth = space.pool.recall_base(measure.lowest), measure.reach(space.depth)
    ranks = measure.ranks(depth, base)
    for relevant in range(min(ranks, depth) + 1):
        counts = Counts(relevant, ranks, base, depth, depth)
        measure.count(cast(Counts, _Recording(counts, asked)))
    return asked
