"""Coverage: how much of what systems returned was judged, and what there was to be found."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.judged import JudgedRuns
from measurand.measures.judged_share import Judged

RANKS = (10, 30, 100)
"""The ranks down to which the share of judged documents is counted."""


@frozen(kw_only=True, eq=False, repr=False)
class Coverage:
    """How much of what systems returned was judged, topic by topic.

    Parameters
    ----------
    shares
        By rank: which share of a system's documents down to it were judged, systems × topics; NaN where a system
        returned nothing.
    recall_base
        How many relevant documents each topic has.
    missing
        Which topics each system left out, systems × topics.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    shares: Mapping[int, FloatArray] = field(repr=False)
    recall_base: IntArray
    missing: BoolArray

    def __repr__(self) -> str:
        return f"<Coverage of {len(self.systems)} systems × {len(self.topics)} topics>"

    def of(self, systems: tuple[str, ...]) -> Coverage:
        """Return the coverage of some of the systems."""
        places = [self.systems.index(system) for system in systems]
        return evolve(
            self,
            systems=systems,
            shares={rank: share[places] for rank, share in self.shares.items()},
            missing=self.missing[places],
        )


def coverage(judged: JudgedRuns) -> Coverage:
    """Return how much of what systems returned was judged.

    Examples
    --------
    >>> found = coverage(JudgedRuns.on_one_topic([(1, -1, 0, -1)], (5, 3)))
    >>> {rank: share.tolist() for rank, share in found.shares.items()}, found.recall_base.tolist()
    ({10: [[0.5]], 30: [[0.5]], 100: [[0.5]]}, [3])
    """
    return Coverage(
        systems=judged.systems,
        topics=judged.topics,
        shares={rank: np.where(judged.present, (Judged @ rank).scores(judged).values, np.nan) for rank in RANKS},
        recall_base=judged.recall_base,
        missing=~judged.present,
    )
