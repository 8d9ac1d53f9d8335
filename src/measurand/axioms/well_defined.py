"""Whether a function is a measure at all: a number for every run, and always the same one."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import answering
from measurand.axioms.space import Space
from measurand.errors import FunctionFailed
from measurand.measures import Measure
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict


@answering
def well_defined(
    measure: Measure,
    depth: int = 10,
    grades: int = 2,
    *,
    recall_base: int | None = None,
    collection: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Verdict:
    """Return whether there is a finite number for every run, the same whenever it is asked for.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    depth, grades, recall_base, collection
        The runs and the topic to look at; see `Space`.
    rng
        Draws runs where there are too many to look at all.

    Examples
    --------
    >>> bool(well_defined("Bpref"))
    True
    >>> print(well_defined(lambda run: 1 / sum(run), depth=2).witness)
    function failed with ZeroDivisionError('division by zero') on (0, 0)
    """
    space = Space(depth=depth, grades=grades, recall_base=recall_base, collection=collection)
    return decide_well_defined(space.valuer(measure), space, rng)


def decide_well_defined(valuer: Valuer, space: Space, rng: int | np.random.Generator = 0) -> Verdict:
    """Return whether a measure has a number for every run, or raise what a function did instead."""
    for runs in space.parts(rng):
        rough = valuer.roughly(runs)
        if rough is None:
            valuer.all(runs)
        elif not np.isfinite(rough).all():
            run = tuple(runs[np.flatnonzero(~np.isfinite(rough))[0]].tolist())
            raise FunctionFailed(repr(valuer.measure), run, "is not finite")
    return Verdict(True, None, space.checked, space.how)
