"""Questions: statements put to scores, so that rescalings of every measure can be tried on them.

A `Question` is true or false of the scores as they are, and of scores after rescalings (`Maps`, one for each measure);
it decides itself, and proposes rescalings to whoever asks several things at once. `Measured` has the scores by measure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.display.wording import listed
from measurand.errors import ParameterError
from measurand.scale import Scale
from measurand.scales.robustness import Decision, fragile, undecided
from measurand.scales.transformations import Affine, PerTopic, Transformation, keeps_order
from measurand.scales.weighted_sums import candidate_rescalings, random_rescalings
from measurand.scores import Scores, Table, place_of
from measurand.statistics.multiple_comparisons import ALPHA

RANDOM = 120
"""So many random rescalings are tried."""

Maps = Mapping[str, Transformation]
"""Rescalings by measure; measures that are not named stay as they are."""

Readings = Mapping[str, bool]
"""Whether all topics share one scale, by measure."""

ScoresLike = Scores | Table | Mapping[str, Scores] | Iterable[Scores]
"""The scores of one measure, or of several."""

AS_THEY_ARE: Maps = MappingProxyType({})


def _kept(maps: Mapping[str, Transformation]) -> Mapping[str, Transformation]:
    return MappingProxyType(dict(maps))


@frozen
class PerMeasure:
    """A rescaling of its own for some measures; the others stay as they are.

    Parameters
    ----------
    maps : mapping of str to Transformation
        The rescalings by measure.

    Examples
    --------
    >>> print(PerMeasure({"AP": Affine(2), "P@10": Affine(1, 3)}))
    AP: x → 2 x; P@10: x → x + 3
    """

    maps: Mapping[str, Transformation] = field(converter=_kept)

    def __reduce__(self) -> tuple[type[PerMeasure], tuple[dict[str, Transformation]]]:
        # a read-only mapping does not travel between processes by itself
        return PerMeasure, (dict(self.maps),)

    def __getitem__(self, measure: str) -> Transformation:
        """Return the rescaling of a measure; the one that changes nothing where it has none."""
        return self.maps.get(measure, Affine(1))

    def __str__(self) -> str:
        return "; ".join(f"{measure}: {map_}" for measure, map_ in self.maps.items())


@frozen(eq=False)
class Measured:
    """Scores of the same systems on the same topics, by measure, and how to look at them.

    Parameters
    ----------
    by_measure : mapping of str to Scores
        The scores.
    scale : Scale, optional
        The scale to take all of them for; by default their own.
    alpha : float
        The level of significance where a statement has none.
    options : mapping of str to object
        What else tests take.
    rng : Rng
        Where tests draw from.
    """

    by_measure: Mapping[str, Scores]
    scale: Scale | None = None
    alpha: float = ALPHA
    options: Mapping[str, Any] = field(factory=dict)
    rng: Any = 0

    @classmethod
    def of(
        cls, scores: ScoresLike, scale: Scale | None, alpha: float, options: Mapping[str, Any], rng: Any
    ) -> Measured:
        """Return the scores of one measure or several, all with systems and topics in the same order."""
        if isinstance(scores, Scores):
            several = [scores]
        elif isinstance(scores, Table):
            several = list(scores)
        elif isinstance(scores, Mapping):
            several = [evolve(each, measure=str(m)) if isinstance(each, Scores) else each for m, each in scores.items()]
        else:
            given: object = scores
            several = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
        if not several or not all(isinstance(each, Scores) for each in several):
            raise ParameterError("statements are about scores, such as parse('AP').scores(judged) or Scores(…)")
        aligned = [several[0], *(_aligned(several[0], each) for each in several[1:])]
        found = {each.measure: each for each in aligned}
        if len(found) < len(aligned):
            raise ParameterError("two scores are of the same measure; give them as a dictionary with different names")
        return cls(found, scale, alpha, options, rng)

    def lower_is_better(self, name: str | None) -> bool:
        """Return whether lower values of a measure are better; of the only one where none is named."""
        if name is None and len(self.by_measure) == 1:
            return next(iter(self.by_measure.values())).lower_is_better
        return name in self.by_measure and self.by_measure[str(name)].lower_is_better

    def measure(self, name: str | None) -> str:
        """Return a measure by its name, or the only one."""
        if name is not None:
            if name not in self.by_measure:
                raise ParameterError(f"there are no scores of {name}; there is {', '.join(self.by_measure)}")
            return name
        if len(self.by_measure) > 1:
            some = listed(list(self.by_measure), 6)
            first = next(iter(self.by_measure))
            raise ParameterError(f"the statement names no measure, and there is {some}; end it with: under {first}")
        return next(iter(self.by_measure))

    def scores(self, name: str | None) -> Scores:
        """Return the scores of a measure."""
        return self.by_measure[self.measure(name)]

    def scale_of(self, name: str | None) -> Scale:
        """Return the scale of a measure."""
        return self.scores(name).scale if self.scale is None else self.scale

    def rows(self, name: str | None, systems: Iterable[str]) -> FloatArray:
        """Return the scores of some systems under a measure."""
        scores = self.scores(name)
        return np.asarray(scores.values[[place_of(system, scores.systems) for system in systems]])

    def on(self, topic: str) -> Measured:
        """Return the scores on one topic alone."""
        found = {}
        for measure, scores in self.by_measure.items():
            if topic not in scores.topics:
                known = listed(list(scores.topics), 6)
                raise ParameterError(f"there is no topic {topic!r}; there is {known}")
            place = scores.topics.index(topic)
            found[measure] = evolve(scores, values=scores.values[:, [place]], topics=(topic,), exact=None)
        return evolve(self, by_measure=found)

    def permits(self, maps: Maps, readings: Readings) -> bool:
        """Return whether floats after rescalings keep the order of the scores, where the scales have one."""
        return all(
            self.scale_of(measure) is Scale.NOMINAL
            or keeps_order(map_, self.by_measure[measure].values, one_scale=readings[measure])
            for measure, map_ in maps.items()
        )


def _aligned(first: Scores, other: Scores) -> Scores:
    """Return scores with systems and topics in the order of others."""
    for what, ours, theirs in (("systems", first.systems, other.systems), ("topics", first.topics, other.topics)):
        if sorted(ours) != sorted(theirs):
            raise ParameterError(f"{first.measure} and {other.measure} must have the same {what}; judge the same runs")
    if (first.systems, first.topics) == (other.systems, other.topics):
        return other
    rows, columns = [other.systems.index(s) for s in first.systems], [other.topics.index(t) for t in first.topics]
    values = other.values[np.ix_(rows, columns)]
    return evolve(other, values=values, systems=first.systems, topics=first.topics, exact=None)


class Question(ABC):
    """A statement, put to scores."""

    statement: Any

    @property
    @abstractmethod
    def measures(self) -> tuple[str, ...]:
        """The measures whose rescaling may change it."""

    @property
    def times(self) -> Fraction:
        """By what the second of its numbers was multiplied."""
        return Fraction(1)

    @property
    def remark(self) -> str:
        """What is to be known of how it is read, in a sentence; nothing if it is plain."""
        return ""

    @abstractmethod
    def holds(self, maps: Maps = AS_THEY_ARE) -> bool | None:
        """Return whether it is true of the scores, rescaled; None where it says nothing of them."""

    @abstractmethod
    def numbers(self, maps: Maps = AS_THEY_ARE) -> tuple[float, ...]:
        """Return the two sides, the p-value or the number that it is about, of the scores, rescaled."""

    @abstractmethod
    def decide(self, readings: Readings) -> Decision:
        """Return whether it survives every permissible rescaling; `maps_of` has the rescaling by measure."""

    @abstractmethod
    def candidates(self, readings: Readings) -> Iterator[Maps]:
        """Yield rescalings that may change it, the plain ones first."""

    def maps_of(self, decision: Decision) -> Maps | None:
        """Return the rescalings of a decision by measure, if it has any."""
        map_ = decision.transformation
        if map_ is None:
            return None
        return map_.maps if isinstance(map_, PerMeasure) else {self.measures[0]: map_}


def on_topics(maps: Maps, topics: tuple[str, ...]) -> Maps:
    """Return rescalings of scores on some of the topics.

    Examples
    --------
    >>> print(on_topics({"AP": PerTopic(("1", "2"), {"1": Affine(2), "2": Affine(3)})}, ("2",))["AP"])
    topic 2: x → 3 x
    """
    return {measure: _narrowed(map_, topics) for measure, map_ in maps.items()}


def widened(map_: Transformation, topics: tuple[str, ...]) -> Transformation:
    """Return a rescaling of some topics as one of all topics, of which the others stay as they are.

    Examples
    --------
    >>> widened(PerTopic(("2",), {"2": Affine(3)}), ("1", "2")).topics
    ('1', '2')
    """
    return evolve(map_, topics=topics) if isinstance(map_, PerTopic) else map_


def _narrowed(map_: Transformation, topics: tuple[str, ...]) -> Transformation:
    if not isinstance(map_, PerTopic) or map_.topics == topics:
        return map_
    return PerTopic(topics, {topic: each for topic, each in map_.maps.items() if topic in topics})


def rescalings(scores: Scores, scale: Scale, pair: FloatArray, *, one_scale: bool) -> Iterator[Transformation]:
    """Yield rescalings of all scores of a measure: other units and zeros, likely ones, random ones.

    Examples
    --------
    >>> wine = Scores(measure="M", values=[[1, 2], [3, 4]], systems=("A", "B"), topics=("1", "2"))
    >>> print(next(rescalings(wine, Scale.RATIO, wine.values, one_scale=True)))
    x → 2 x
    """
    values, topics = scores.values, scores.topics
    size = float(f"{float(np.nanmax(values) - np.nanmin(values)) or 1.0:.1g}")
    if scale > Scale.NOMINAL:
        yield from (Affine(slope) for slope in (2, 0.5, 10, 0.1, 1000))
    if scale in (Scale.ORDINAL, Scale.INTERVAL):
        yield from (Affine(1, shift * size) for shift in (1, -1, 10, -10))
    yield from candidate_rescalings(values, topics, scale, pair, one_scale=one_scale)
    yield from random_rescalings(values, topics, scale, one_scale=one_scale, many=RANDOM, rng=0)


def together(questions: Iterable[Iterator[Maps]], most: int) -> Iterator[Maps]:
    """Yield what several propose, in turn, up to a number from each.

    Examples
    --------
    >>> list(together([iter([{"AP": 1}, {"AP": 2}]), iter([{"P": 3}])], 5))
    [{'AP': 1}, {'P': 3}, {'AP': 2}]
    """
    left = [islice(each, most) for each in questions]
    while left:
        still = []
        for each in left:
            found = next(each, None)
            if found is not None:
                yield found
                still.append(each)
        left = still


def searched(
    question: Question,
    asked: Measured,
    readings: Readings,
    *,
    most: int,
    first: Iterable[Maps] = (),
    kind: bool = False,
    reason: str = "",
) -> Decision:
    """Return a rescaling that changes a statement if one is found, and no decision otherwise.

    Parameters
    ----------
    most
        How many rescalings are tried at most.
    first
        Rescalings to try before those that the question proposes.
    kind
        Whether no statement of its kind means anything on this scale.
    reason
        What is known of it beside.
    """
    true, tried = bool(question.holds()), 0
    for maps in islice(chain(first, question.candidates(readings)), most):
        tried += 1
        if changes(question, asked, readings, maps, true):
            return fragile(true, _plain(maps, question), kind=kind)
    why = f"none of {tried} rescalings that were tried changes it"
    return undecided(true, f"{why}, though {reason}" if reason else why)


def changes(question: Question, asked: Measured, readings: Readings, maps: Maps, true: bool) -> bool:
    """Return whether permissible rescalings give a statement the other truth."""
    if not asked.permits(maps, readings):
        return False
    holds = question.holds(maps)
    return holds is not None and holds != true


def _plain(maps: Maps, question: Question) -> Any:
    """Return rescalings by measure, or the rescaling of the only one."""
    return next(iter(maps.values())) if len(question.measures) == 1 else PerMeasure(maps)
