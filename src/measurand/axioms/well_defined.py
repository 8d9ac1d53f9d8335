"""Whether a function is a measure at all: a number for every run, and always the same one."""

from __future__ import annotations

import numpy as np

from measurand.axioms.decide import question
from measurand.errors import FunctionFailed
from measurand.execution import Rng
from measurand.measures.space import Space
from measurand.measures.valued import Valuer
from measurand.verdict import Verdict


@question
def well_defined(valuer: Valuer, space: Space, rng: Rng = 0) -> Verdict:
    """Return whether there is a finite number for every run, the same whenever it is asked for.

    Examples
    --------
    >>> bool(well_defined("Bpref"))
    True
    >>> print(well_defined(lambda run: 1 / sum(run), depth=2).witness)
    function failed with ZeroDivisionError('division by zero') on (0, 0)
    """
    for runs in space.parts(rng):
        rough = valuer.roughly(runs)
        if rough is None:
            valuer.all(runs)
            valuer.confirm()
        elif not np.isfinite(rough).all():
            run = tuple(runs[np.flatnonzero(~np.isfinite(rough))[0]].tolist())
            raise FunctionFailed(repr(valuer.measure), run, "is not finite")
    return Verdict(True, None, space.checked, space.how)
