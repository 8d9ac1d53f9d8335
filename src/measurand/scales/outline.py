"""What is known of an image that is too large to be written down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import Cells
from measurand.errors import NotAvailable
from measurand.exact import Exact
from measurand.judged import every_run
from measurand.measures.space import Space
from measurand.measures.universe import Universe
from measurand.measures.valued import Valuer
from measurand.rulers import Ruler
from measurand.scales.uneven import Uneven
from measurand.verdict import How, Verdict

LOOKED_AT = 1 << 10
"""So many runs are placed to find neighbouring values."""


@frozen(eq=False, repr=False)
class Outline:
    """The size and the spacing of an image, from the ruler of the measure; its values are not written down.

    Examples
    --------
    >>> from measurand.scales import image
    >>> dcg = image("DCG(b=2)", depth=30)
    >>> dcg.size, dcg.equispaced, dcg.total
    (805306368, False, 1073741824)
    """

    universe: Universe
    space: Space
    ruler: Ruler

    @property
    def measure(self) -> str:
        """The spelling of the measure."""
        return repr(self.universe.measure)

    @property
    def depth(self) -> int:
        """How many ranks runs have."""
        return self.space.depth

    @property
    def grades(self) -> int:
        """How many grades there are."""
        return self.space.grades

    def __repr__(self) -> str:
        return f"<Outline of the image of {self.measure}: {self.total} runs>"

    @property
    def size(self) -> int:
        """How many different values there are."""
        return self.ruler.size

    @property
    def total(self) -> int:
        """How many runs there are."""
        return self.space.size

    def __len__(self) -> int:
        return self.size

    def _refuse(self) -> NotAvailable:
        return NotAvailable(
            f"the values of {self.measure} on {self.grades}^{self.depth} runs are too many to write down; ask for a"
            " smaller depth, or place single runs with md.interval"
        )

    def __iter__(self) -> Iterator[Exact]:
        raise self._refuse()

    def gaps(self) -> list[Exact]:
        """Refuse to return the distances between neighbouring values: there are too many."""
        raise self._refuse()

    @property
    def ties(self) -> dict[int, int]:
        """A histogram of the sizes of tie groups, which takes a look at all runs."""
        raise self._refuse()

    @property
    def equispaced(self) -> bool:
        """Whether all neighbouring values are equally far apart."""
        return bool(self.spacing())

    def spacing(self) -> Verdict:
        """Return whether the values are equally spaced; if not, the witness is two unequal steps."""
        if self.ruler.consecutive:
            return Verdict(
                True, None, str(self.space), How.PROVED, "its values are whole multiples of one step, all of them"
            )
        uneven = next(self._uneven(), None)
        if uneven is None:
            raise NotAvailable(
                f"whether {self.measure} is equally spaced on {self.space} cannot be told; ask for fewer ranks"
            )
        return Verdict(False, uneven, str(self.space), How.COUNTEREXAMPLE)

    def _uneven(self) -> Iterator[Uneven]:
        """Return steps between runs with neighbouring ranks that differ from the first such step."""
        valuer = self.space.valuer(self.universe.measure)
        runs = self._lowest_runs()
        ranks = [position.rank for position in self.ruler.positions(self.universe.fold(runs))]
        known = {rank: tuple(run) for rank, run in zip(ranks, runs.tolist(), strict=True) if rank is not None}
        steps = [
            (low, _step(valuer, known[low], known[high])) for low, high in pairwise(sorted(known)) if high == low + 1
        ]
        for low, step in steps[1:]:
            if step != steps[0][1]:
                yield Uneven(steps[0][0] - 1, low - 1, steps[0][1], step)

    def _lowest_runs(self) -> Cells:
        """Return runs with nothing relevant but at the last ranks, where values are low and close."""
        levels = np.array(self.universe.levels, dtype=np.int8)
        last = min(self.depth, int(log(LOOKED_AT) / log(len(levels))))
        tails = levels[every_run(last, len(levels))]
        return np.pad(tails, ((0, 0), (self.depth - last, 0)))


def _step(valuer: Valuer, one: tuple[int, ...], other: tuple[int, ...]) -> Any:
    high: Any = valuer.level(other)
    return (high - valuer.level(one)) / valuer.measure.unit(valuer.pool, len(valuer.measure.view(one)))
