"""Every property of a measure at once, valuing each run once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, partial

from measurand.axioms.measurement import measurement_verdict
from measurand.axioms.properties import DECISIONS
from measurand.axioms.thresholds import Contest, NoContest, Topic, contest
from measurand.errors import FunctionFailed
from measurand.execution import Rng
from measurand.measures import Measure
from measurand.measures.space import Space
from measurand.verdict import How, Verdict, first_broken, unusable

CONSTRAINTS = ("priority", "deepness", "deepness_threshold", "closeness_threshold", "confidence")
"""The five constraints of Amigó and others, in the order of their table."""

AXIOMS: Mapping[str, str] = {
    "well_defined": "there is a finite number for every run, and always the same one",
    "replacement": "a better document in place of another does not hurt",
    "swap": "a better document that changes places with a worse one above does not hurt",
    "is_measurement": "the order by replacement and swapping is kept (both of the above), and no value is below 0",
    "priority": "a better document that changes places with its worse neighbour above helps",
    "deepness": "such a change helps more near the top",
    "deepness_threshold": "one relevant document on top beats many that come late enough",
    "closeness_threshold": "several relevant documents that come soon beat one on top",
    "confidence": "a document that is not relevant, put at the end, costs something",
}
"""Every property that is checked, each in a sentence."""


def examine(
    measure: Measure,
    space: Space,
    topic: Topic | None = None,
    *,
    wanted: Collection[str] = AXIOMS,
    rng: Rng = 0,
) -> Iterator[tuple[str, Verdict]]:
    """Yield the properties of a measure by name, each with its verdict.

    Parameters
    ----------
    measure
        The measure.
    space
        The runs to check.
    topic
        The topic of the two thresholds; `Topic()` by default.
    wanted
        The properties to decide, of `AXIOMS`; all by default.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Examples
    --------
    >>> from measurand.measures import RR
    >>> [name for name, verdict in examine(RR, Space(depth=5)) if verdict]
    ['well_defined', 'replacement', 'swap', 'is_measurement', 'deepness_threshold']
    """
    valuer, topic = space.valuer(measure), topic or Topic()

    @cache
    def outcome() -> Contest:
        return contest(measure, collection=topic.collection, recall_base=topic.recall_base)

    ways: dict[str, Callable[[], Verdict]] = {
        name: partial(decision, valuer, space, rng) for name, decision in DECISIONS.items()
    }
    ways = {name: cache(way) for name, way in ways.items()}

    def measurement() -> Verdict:
        try:
            kept = first_broken([ways["replacement"](), ways["swap"]()])
        except FunctionFailed:
            # the answers may be infinite, which a measurement's may be
            return measurement_verdict(valuer.allowing_infinity(), space, rng)
        return measurement_verdict(valuer, space, rng, kept=kept)

    ways["is_measurement"] = measurement
    ways["deepness_threshold"] = lambda: outcome().deepness()
    ways["closeness_threshold"] = lambda: outcome().closeness()
    for name in AXIOMS:
        if name in wanted:
            try:
                verdict = ways[name]()
            except FunctionFailed as failure:
                verdict = unusable(failure)
            except NoContest as reason:
                verdict = Verdict(False, None, str(reason), How.FAILED)
            yield name, verdict
