"""Flat arrays: one number for each judged run, system by system and topic by topic."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.arrays import FloatArray, IntArray
from measurand.judged import JudgedRuns


def gather(row: IntArray, weights: Any, judged: JudgedRuns) -> FloatArray:
    """Return the sum of `weights` over the rows they belong to, rank after rank."""
    return np.asarray(np.bincount(row, weights, len(judged.systems) * len(judged.topics)), dtype=np.float64)


def by_topic(values: Any, judged: JudgedRuns) -> FloatArray:
    """Return a number per topic repeated for every system, flat."""
    return np.tile(np.asarray(values, dtype=np.float64), len(judged.systems))


def ideal_gains(judged: JudgedRuns, rel: int) -> IntArray:
    """Return the sums of the grades of each topic's ideal ranking down to each rank from 0, topics × ranks."""
    table = np.zeros((len(judged.topics), judged.depth + 1), dtype=np.int64)
    for topic, pool in enumerate(judged.pools):
        ideal = [grade for grade in pool.ideal(judged.depth) if grade >= rel]
        table[topic, 1 : len(ideal) + 1] = ideal
    return np.cumsum(table, axis=1)
