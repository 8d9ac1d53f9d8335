"""A made-up campaign on which everything that must hold on any campaign can be seen."""

from __future__ import annotations

from functools import cache

import numpy as np

from measurand.judged import JudgedRuns
from measurand.papers.printed import MEASURES
from measurand.scales import ScaleEffect, scale_effect

SYSTEMS, TOPICS, DEPTH = 12, 30, 10


@cache
def campaign() -> JudgedRuns:
    """Return twelve systems of growing quality on thirty topics with recall bases from 4 to 40."""
    rng = np.random.default_rng(7)
    bases = np.array([4 + 3 * (topic % 13) for topic in range(TOPICS)])
    quality = np.linspace(0.15, 0.6, SYSTEMS)[:, None, None]
    ease = (rng.uniform(0.4, 1.5, TOPICS) * np.minimum(1, bases / DEPTH))[None, :, None]
    chance = quality * ease * np.linspace(1.3, 0.7, DEPTH)
    cells = (rng.random((SYSTEMS, TOPICS, DEPTH)) < chance).astype(np.int8)
    # nobody finds more relevant documents than there are
    cells[cells.cumsum(axis=2) > bases[None, :, None]] = 0
    return JudgedRuns(
        systems=tuple(f"system {number}" for number in range(1, SYSTEMS + 1)),
        topics=tuple(f"topic {number}" for number in range(1, TOPICS + 1)),
        cells=cells,
        lengths=np.full((SYSTEMS, TOPICS), DEPTH),
        grade_counts=np.stack([np.full(TOPICS, 100), bases], axis=1),
    )


@cache
def effect() -> ScaleEffect:
    """Return what the transform does to the eleven measures on the made-up campaign."""
    return scale_effect(campaign(), list(MEASURES.values()), DEPTH)
