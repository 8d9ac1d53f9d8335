"""Measures from preferences: the measure that agrees with "this run rather than that one", or why there is none.

`statements` reads what people said, `unknowns` is what is sought (the steps of a valuation, or of a discount curve),
`fitting` finds it by linear programming, `contradiction` finds statements that cannot hold together, and `learned` is
the answer.
"""

from measurand.lattice.learning.contradiction import RunContradiction
from measurand.lattice.learning.fitting import learn
from measurand.lattice.learning.learned import Disagreement, Learned
from measurand.lattice.learning.statements import RunStatement

__all__ = ["Disagreement", "Learned", "RunContradiction", "RunStatement", "learn"]
