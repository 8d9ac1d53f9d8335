"""Every property of a measure at once, valuing each run once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache

import numpy as np
from attrs import frozen

from measurand.axioms.confidence import decide_confidence
from measurand.axioms.decide import decide, unusable
from measurand.axioms.deepness import DEEPNESS
from measurand.axioms.priority import PRIORITY
from measurand.axioms.replacement import REPLACEMENT
from measurand.axioms.space import Space
from measurand.axioms.swap import SWAP
from measurand.axioms.thresholds import Contest, contest
from measurand.axioms.well_defined import decide_well_defined
from measurand.errors import FunctionFailed
from measurand.measures import Measure
from measurand.verdict import Verdict, first_broken

CONSTRAINTS = ("priority", "deepness", "deepness_threshold", "closeness_threshold", "confidence")
"""The five constraints of Amigó and others, in the order of their table."""

AXIOMS = ("well_defined", "replacement", "swap", "is_measurement", *CONSTRAINTS)
"""Every property that is looked at."""


@frozen(kw_only=True)
class Topic:
    """How many documents there are and how many of them are relevant, for the two thresholds.

    Examples
    --------
    >>> Topic()
    Topic(collection=1000000, recall_base=100)
    """

    collection: int = 1_000_000
    recall_base: int = 100


def examine(
    measure: Measure,
    space: Space,
    topic: Topic | None = None,
    *,
    wanted: Collection[str] = AXIOMS,
    rng: int | np.random.Generator = 0,
) -> Iterator[tuple[str, Verdict]]:
    """Return the properties of a measure by name, each with its verdict, as they are found out.

    Parameters
    ----------
    space
        The runs to look at.
    topic
        What the thresholds are looked at on.
    wanted
        Which of `AXIOMS` to look at.

    Examples
    --------
    >>> from measurand.measures import RR
    >>> [name for name, verdict in examine(RR, Space(depth=5)) if verdict]
    ['well_defined', 'replacement', 'swap', 'is_measurement', 'deepness_threshold']
    """
    valuer, topic = space.valuer(measure), topic or Topic()

    @cache
    def outcome() -> Contest:
        return contest(valuer.measure, collection=topic.collection, recall_base=topic.recall_base)

    ways: dict[str, Callable[[], Verdict]] = {
        "well_defined": lambda: decide_well_defined(valuer, space, rng),
        "replacement": lambda: decide(REPLACEMENT, valuer, space, rng),
        "swap": lambda: decide(SWAP, valuer, space, rng),
        "is_measurement": lambda: first_broken([ways["replacement"](), ways["swap"]()]),
        "priority": lambda: decide(PRIORITY, valuer, space, rng),
        "deepness": lambda: decide(DEEPNESS, valuer, space, rng),
        "deepness_threshold": lambda: outcome().deepness(),
        "closeness_threshold": lambda: outcome().closeness(),
        "confidence": lambda: decide_confidence(valuer, space, rng),
    }
    for name, way in ways.items():
        if name in wanted:
            try:
                verdict = way()
            except FunctionFailed as failure:
                verdict = unusable(failure)
            yield name, verdict
