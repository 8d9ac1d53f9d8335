"""Looking at a measure: facts, properties with witnesses, scale, image, balance, valuations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from measurand.axioms import AXIOMS, Space, Topic, examine
from measurand.axioms.balance import Curve, balancing_index
from measurand.errors import FunctionFailed, ParameterError
from measurand.execution import Progress, silent
from measurand.intervals import image
from measurand.lattice import RunLattice
from measurand.measures import Measure, as_measure
from measurand.scale import ScaleOf
from measurand.scales import Image, known_scale
from measurand.study.profile.results import Profile
from measurand.verdict import Verdict

SMALL = 1 << 12
"""The image is looked at for so many runs at most."""

LATTICES = ("swap", "replacement", "set-replacement")
"""The orders on which it is looked at whether a measure is a valuation; on the total ones everything is."""

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 70, 100)
"""Run lengths of the balancing curve."""


def profile(
    measure: Measure | str | Callable[..., Any],
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    progress: Progress = silent,
) -> Profile:
    """Return what a measure is and does: facts, properties with witnesses, scale, image, balance, valuations.

    Parameters
    ----------
    measure
        A measure, its spelling, or any function of a judged run.
    depth, grades
        The runs to look at: all of them where they can be enumerated. A cutoff shows in longer runs alone.
    recall_base, collection
        How many relevant documents the topic has (as many as ranks if nothing is said), and how many there are
        in all. For the two thresholds they are 100 and 1,000,000 if nothing is said.

    Examples
    --------
    >>> err = profile("ERR", depth=6)
    >>> [name for name, verdict in err.axioms.items() if not verdict]
    ['closeness_threshold', 'confidence']
    >>> err.image.size, bool(err.spacing), err.balancing_index
    (58, False, 1)
    >>> [order for order, verdict in err.valuations.items() if verdict]
    ['swap', 'set-replacement']

    References
    ----------
    [FerranteFerroMaistro2015]_, [FerranteFerroFuhr2021]_, [Amigo2018]_
    """
    known = as_measure(measure)
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    known = space.told(known)
    topic = _topic(known, space)
    label = ScaleOf(known, space.depth, space.grades).label
    axioms: dict[str, Verdict] = {}
    for name, verdict in progress(examine(known, space, topic), len(AXIOMS), f"looking at {known!r}"):
        axioms[name] = verdict
        if name == "well_defined" and not verdict:
            return Profile(known, space, label, axioms)
    seen = _image(known, space)
    spacing = seen.spacing() if seen is not None else None
    balance, valuations = _balance(known, space), _valuations(known, space)
    return Profile(known, space, label, axioms, seen, spacing, known_scale(known), balance, valuations)


def _topic(measure: Measure, space: Space) -> Topic:
    """Return what the thresholds are looked at on: what is said, and else the usual, as far as there is room."""
    usual, own = Topic(), measure.parameters().get("collection")
    if own and space.collection and own != space.collection:
        raise ParameterError(f"{measure!r} has a collection of its own; leave out collection={space.collection}")
    documents = own or space.collection or usual.collection
    relevant = min(usual.recall_base, documents // 2) if space.recall_base is None else space.recall_base
    return Topic(collection=max(documents, relevant), recall_base=relevant)


def _valuations(measure: Measure, space: Space) -> dict[str, Verdict]:
    lattices = {order: RunLattice(order, space.depth, space.grades) for order in LATTICES}
    return {
        order: lattice.is_valuation(measure, recall_base=space.recall_base, collection=space.collection)
        for order, lattice in lattices.items()
    }


def _image(measure: Measure, space: Space) -> Image | None:
    depth = space.depth
    while depth > 1 and space.grades**depth > SMALL:
        depth -= 1
    try:
        found = image(measure, depth, space.grades, recall_base=space.recall_base)
    except FunctionFailed:
        # a function may know runs of one length alone
        return None
    return found if isinstance(found, Image) else None


def _balance(measure: Measure, space: Space) -> Curve | None:
    """Return the balancing curve, at those of the lengths that the measure and its collection allow.

    Every length has a topic with as many relevant documents as ranks.
    """
    lengths = sorted({*LENGTHS, *([space.depth] if space.depth <= LENGTHS[-1] else [])})
    points = []
    for n in lengths:
        try:
            points.append((n, balancing_index(measure, n, measure.lowest, space.grades - 1)))
        except (FunctionFailed, ParameterError):
            continue
    return Curve(repr(measure), tuple(points), measure.lowest, space.grades - 1) if points else None
