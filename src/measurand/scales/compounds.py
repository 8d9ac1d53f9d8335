"""Compound statements: under a measure, on a topic, joined by "and", "or" and "not", rankings and "the best".

A compound survives if those of its parts that survive settle its truth. Otherwise rescalings that change a part are
tried on the whole: parts about one measure share its rescaling, and each measure has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import Any

from attrs import evolve, field, frozen

from measurand.errors import ParameterError
from measurand.scales.constants import AcrossMeasures, AcrossQuestion, Constant, ConstantQuestion
from measurand.scales.correlations import Correlated, CorrelationQuestion
from measurand.scales.forms import settled_by_form
from measurand.scales.joint_rescaling import Joint, joint_rescaling
from measurand.scales.pair_questions import AverageQuestion, pair_question
from measurand.scales.questions import (
    AS_THEY_ARE,
    Maps,
    Measured,
    PerMeasure,
    Question,
    Readings,
    searched,
    together,
    widened,
)
from measurand.scales.robustness import Answer, Decision, robust
from measurand.scales.significant_pairs import CountQuestion, SignificantPairs
from measurand.scales.spreads import Spreads
from measurand.scales.statements import Average, Averages, Differences, Relation, Significant
from measurand.scores import Scores

MOST = 300
"""So many rescalings are tried on the whole at most."""

EACH = 60
"""So many rescalings of each part are tried at most."""


@frozen
class Under:
    """A statement about the scores of one measure.

    Parameters
    ----------
    statement : Statement
        What is said.
    measure : str
        The measure.

    Examples
    --------
    >>> str(Under(Averages("mean", "A", "B"), "AP"))
    'mean of A exceeds mean of B under AP'
    """

    statement: Any
    measure: str

    def __str__(self) -> str:
        return f"{self.statement} under {self.measure}"


@frozen
class OnTopic:
    """A statement about the scores on one topic.

    Parameters
    ----------
    statement : Averages, Constant, AcrossMeasures or Differences
        What is said; the mean of one score is the score.
    topic : str
        The topic.

    Examples
    --------
    >>> str(OnTopic(Averages("mean", "A", "B"), "301"))
    'score of A exceeds score of B on topic 301'
    """

    statement: Any
    topic: str

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.statement, Averages | Constant | AcrossMeasures | Differences | Best | Ranking):
            what = "spread" if isinstance(self.statement, Spreads) else "test or correlation"
            raise ParameterError(f"there is no {what} of scores on one topic: leave out 'on topic {self.topic}'")

    def __str__(self) -> str:
        said = self.statement
        words = said.worded("score") if isinstance(said, Averages | Constant) and said.of_means else str(said)
        return f"{words} on topic {self.topic}"


def _several(given: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(given)


class Junction(StrEnum):
    """How parts make a whole."""

    AND = "and"
    OR = "or"
    NOT = "not"


@frozen
class Compound:
    """Statements joined by "and" or "or", or denied.

    Parameters
    ----------
    junction : Junction
        How they are joined.
    parts : tuple of Statement
        The statements; one that is denied.

    Examples
    --------
    >>> a, b = Averages("mean", "A", "B"), Averages("median", "A", "B")
    >>> print(Compound("and", (a, b)))
    mean of A exceeds mean of B and median of A exceeds median of B
    >>> print(Compound("not", (a,)))
    it is not true that mean of A exceeds mean of B
    """

    junction: Junction = field(converter=Junction)
    parts: tuple[Any, ...] = field(converter=_several)

    def __attrs_post_init__(self) -> None:
        if not self.parts or (self.junction is Junction.NOT and len(self.parts) > 1):
            raise ParameterError("'not' denies one statement; 'and' and 'or' join several")

    def __str__(self) -> str:
        parts = [f"({part})" if isinstance(part, Compound) else str(part) for part in self.parts]
        return f"it is not true that {parts[0]}" if self.junction is Junction.NOT else f" {self.junction} ".join(parts)


@frozen
class Ranking:
    """Systems in descending order of an average: A > B > C.

    Parameters
    ----------
    systems : tuple of str
        The systems, that with the highest value first; two at least.
    average : Average
        What they are ordered by.

    Examples
    --------
    >>> str(Ranking(("A", "B", "C"))), str(Ranking(("A", "B", "C"), "median"))
    ('A > B > C', 'A > B > C by median')
    """

    systems: tuple[str, ...] = field(converter=_several)
    average: Average = field(converter=Average, default=Average.MEAN)

    def __attrs_post_init__(self) -> None:
        if len(self.systems) < 2 or len(set(self.systems)) < len(self.systems):
            raise ParameterError("a ranking has two systems or more, each once")

    def __str__(self) -> str:
        return " > ".join(self.systems) + ("" if self.average is Average.MEAN else f" by {self.average}")


@frozen
class Best:
    """One system is better than every other, or worse, by an average.

    Parameters
    ----------
    system : str
        The system.
    average : Average
        What systems are compared by.
    worst : bool
        Whether it is worse than every other.

    Examples
    --------
    >>> str(Best("A")), str(Best("A", "median", worst=True))
    ('A is the best', 'A is the worst by median')
    """

    system: str
    average: Average = field(converter=Average, default=Average.MEAN)
    worst: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """The system that it names."""
        return (self.system,)

    def __str__(self) -> str:
        by = "" if self.average is Average.MEAN else f" by {self.average}"
        return f"{self.system} is the {'worst' if self.worst else 'best'}{by}"


Atomic = Averages | Differences | Significant | Spreads | Constant | AcrossMeasures | Correlated | SignificantPairs

Statement = Atomic | Best | Ranking | OnTopic | Under | Compound
"""Any statement that can be checked."""


def comparisons(statement: Best | Ranking, scores: Scores) -> tuple[Averages, ...]:
    """Return the comparisons that make a ranking, or the best system.

    Parameters
    ----------
    statement : Best or Ranking
        What is said.
    scores : Scores
        The scores that it is said of.

    Examples
    --------
    >>> scores = Scores(measure="M", values=[[1], [2], [3]], systems="ABC", topics="1")
    >>> [str(each) for each in comparisons(Best("A"), scores)]
    ['mean of A exceeds mean of B', 'mean of A exceeds mean of C']
    """
    if isinstance(statement, Ranking):
        return tuple(Averages(statement.average, a, b) for a, b in pairwise(statement.systems))
    others = [name for name in scores.systems if name != statement.system]
    if not others:
        raise ParameterError(f"{statement.system} is the only system; there is none to compare it with")
    relation = Relation.better(scores.lower_is_better != statement.worst)
    return tuple(Averages(statement.average, statement.system, other, relation) for other in others)


def question_of(statement: Statement, measured: Measured, measure: str | None = None) -> Question:
    """Return a statement as a question about scores.

    Parameters
    ----------
    statement : Statement
        What is said.
    measured : Measured
        The scores by measure.
    measure : str, optional
        The measure that is meant where the statement names none; by default the only one.
    """
    if isinstance(statement, Under):
        return question_of(statement.statement, measured, measured.measure(statement.measure))
    if isinstance(statement, OnTopic):
        inner = question_of(statement.statement, measured.on(statement.topic), measure)
        return TopicQuestion(statement, inner, next(iter(measured.by_measure.values())).topics)
    if isinstance(statement, Compound):
        parts = tuple(question_of(part, measured, measure) for part in statement.parts)
        return CompoundQuestion(statement, measured, parts, statement.junction)
    if isinstance(statement, AcrossMeasures | Correlated):
        for name in (statement.x, statement.y):
            measured.measure(name)
        cls: Callable[..., Question] = AcrossQuestion if isinstance(statement, AcrossMeasures) else CorrelationQuestion
        return cls(statement, measured)
    measure = measured.measure(measure)
    if isinstance(statement, Best | Ranking):
        measured.rows(measure, statement.systems)
        parts = tuple(
            pair_question(part, measured, measure) for part in comparisons(statement, measured.scores(measure))
        )
        return CompoundQuestion(statement, measured, parts, Junction.AND)
    if isinstance(statement, Constant):
        return ConstantQuestion(statement, measured, measure)
    if isinstance(statement, SignificantPairs):
        return CountQuestion(statement, measured, measure)
    return pair_question(statement, measured, measure)


@frozen(eq=False)
class TopicQuestion(Question):
    """A question about one topic, answered with rescalings of all topics."""

    statement: OnTopic
    inner: Question
    topics: tuple[str, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of what is said."""
        return self.inner.measures

    @property
    def times(self) -> Fraction:
        """By what the second number of what is said was multiplied."""
        return self.inner.times

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled."""
        return self.inner.holds(maps)

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the numbers of what is said."""
        return self.inner.numbers(maps)

    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives; increasing maps of one topic's scores are those of all scores."""
        decision = self.inner.decide(readings)
        maps = self.inner.maps_of(decision)
        if maps is None:
            return decision
        wide = self._wide(maps)
        single = next(iter(wide.values())) if len(self.measures) == 1 else PerMeasure(wide)
        return evolve(decision, transformation=single)

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings of all topics."""
        return (self._wide(maps) for maps in self.inner.candidates(readings))

    def _wide(self, maps: Maps) -> Maps:
        return {measure: widened(map_, self.topics) for measure, map_ in maps.items()}


@frozen(eq=False)
class CompoundQuestion(Question):
    """Several questions that make one."""

    statement: Any
    measured: Measured
    parts: tuple[Question, ...]
    junction: Junction

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of all parts, each once."""
        return tuple(dict.fromkeys(chain.from_iterable(part.measures for part in self.parts)))

    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether the whole is true of the scores, rescaled; None where a part says nothing of them."""
        found = [part.holds(maps) for part in self.parts]
        return None if None in found else self.joined(found)

    def joined(self, truths: list[bool | None]) -> bool | None:
        """Return the truth of the whole from that of its parts, None where those that are known do not settle it.

        Parameters
        ----------
        truths
            That of each part, None where it is not known.
        """
        if self.junction is Junction.NOT:
            return None if truths[0] is None else not truths[0]
        settles = self.junction is Junction.OR
        if settles in truths:
            return settles
        return None if None in truths else not settles

    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the averages of a ranking; what is denied has its own; nothing of others."""
        if self.junction is Junction.NOT:
            return self.parts[0].numbers(maps)
        if isinstance(self.statement, Ranking):
            sides = [part.numbers(maps) for part in self.parts]
            return (*(left for left, _ in sides), sides[-1][1])
        if isinstance(self.statement, Best):
            sides = [part.numbers(maps) for part in self.parts]
            others = [right for _, right in sides]
            rising = self.parts[0].statement.relation is Relation.ABOVE
            return sides[0][0], (max if rising else min)(others)
        return ()

    def decide(self, readings: Readings) -> Decision:
        """Return whether the whole survives every permissible rescaling."""
        decisions = [part.decide(readings) for part in self.parts]
        kept = [each.true if each.answer is Answer.ROBUST else None for each in decisions]
        settled = self.joined(kept)
        if settled is not None:
            return robust(settled, self._reason(decisions, settled))
        true = bool(self.holds())
        if settled_by_form(self) is true:
            return robust(true, "its form alone settles it, whatever the scores are")
        joint = self._together(readings, true)
        if joint is not None and joint.proof:
            return robust(true, joint.proof)
        first = chain(self._of_parts(decisions), [] if joint is None else joint.maps)
        unsettled = [each for each in decisions if each.answer is not Answer.ROBUST]
        kind = all(each.answer is Answer.NOT_MEANINGFUL for each in unsettled)
        reason = (
            "" if any(each.transformation is None for each in unsettled) else "each of its open parts changes alone"
        )
        found = searched(self, self.measured, readings, most=MOST, first=first, kind=kind, reason=reason)
        reasons = [each.certificate for each in unsettled if each.certificate]
        return evolve(found, certificate=reasons[0]) if kind and reasons and found.transformation is not None else found

    def _reason(self, decisions: list[Decision], settled: bool) -> str:
        """Return what keeps the whole as it is, in a clause."""
        kept = [(part, each) for part, each in zip(self.parts, decisions, strict=True) if each.answer is Answer.ROBUST]
        if self.junction is Junction.NOT or len(self.parts) == 1:
            return kept[0][1].certificate
        deciding = self.junction is Junction.OR
        if settled is deciding:
            part, each = next(pair for pair in kept if pair[1].true is deciding)
            return f"“{part.statement}{self._under(part)}” stays {str(each.true).lower()} alone: {each.certificate}"
        reasons = list(dict.fromkeys(f"{each.certificate}{self._under(part)}" for part, each in kept))
        more = f"; and so on for all {len(self.parts)} parts" if len(reasons) > 3 else ""
        return "; ".join(reasons[:3]) + more

    def _under(self, part: Question) -> str:
        """Return the measure of a part where others have other measures, behind what is said of it."""
        own = len(self.measures) > 1 and len(part.measures) == 1
        return f" under {part.measures[0]}" if own else ""

    def _of_parts(self, decisions: list[Decision]) -> Iterator[Maps]:
        """Yield what changes single parts, and what changes parts of different measures at once."""
        found = [part.maps_of(each) for part, each in zip(self.parts, decisions, strict=True)]
        maps = [each for each in found if each is not None]
        yield from maps
        for one, other in combinations(maps, 2):
            if not set(one) & set(other):
                yield {**one, **other}

    def _together(self, readings: Readings, true: bool) -> Joint | None:
        """Return rescalings that change all parts as it takes, or the proof that there are none."""
        averages = [part for part in self.parts if isinstance(part, AverageQuestion)]
        every = len(averages) == len(self.parts) and len(self.measures) == 1
        # one part changes "and" if it is true, and "or" if it is false: that has been tried
        if not every or true is not (self.junction is Junction.OR) or self.junction is Junction.NOT:
            return None
        wanted = self.junction is Junction.AND
        measure = self.measures[0]
        scores, scale = self.measured.scores(measure), self.measured.scale_of(measure)
        claims = [(part.statement, part.claimed.rows) for part in averages]
        return joint_rescaling(
            claims, scores.topics, scale, one_scale=readings[measure], wanted=wanted, measure=measure
        )

    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield what the parts propose, in turn."""
        return together([part.candidates(readings) for part in self.parts], EACH)
