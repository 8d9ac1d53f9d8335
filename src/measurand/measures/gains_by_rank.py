"""Measures of the gains at the ranks of a run and of the ideal ranking, rank by rank."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.judged import JudgedRuns, Pool
from measurand.measures.base import Measure
from measurand.measures.discounted_gain import read_gain_of_dcg
from measurand.measures.parameters import Gain, check_gain, gain_of


@frozen(kw_only=True, repr=False)
class GainsByRank(Measure):
    """The base of measures that compare the gains of a run with those of the ideal ranking, rank by rank.

    Parameters
    ----------
    gain
        `"linear"`: the grade; `"exp2"`: 2 to the grade, minus 1; or a mapping from grades to gains, which never fall
        with the grade and leave none out below the highest that they name; grades above it are worth themselves.
        Gains that may fall can be had as trec_eval writes them, `"1=3,2=1"`: there, any grade left out is worth itself.
    """

    reference: ClassVar[str] = "BuckleyVoorhees2005"
    graded: ClassVar[bool] = True
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False
    synonyms: ClassVar[dict[str, str]] = {"gains": "gain"}

    gain: Gain = field(default="linear", converter=read_gain_of_dcg, validator=check_gain)

    def gain_of_cell(self, cell: int) -> Fraction:
        """Return the gain of what stands at a rank.

        Parameters
        ----------
        cell
            A grade, or a negative code.
        """
        return gain_of(self.gain, self.worth(cell))

    def ideal(self, pool: Pool) -> tuple[Fraction, ...]:
        """Return the gains of the ideal ranking, best first: of all documents of the topic that gain anything.

        Parameters
        ----------
        pool
            What the judgments of the topic hold.
        """
        return _ideal(self, pool)

    def gain_tables(self, judged: JudgedRuns) -> Iterator[FloatArray]:
        """Return the gains of each system, topics × ranks, to the cutoff and 0 below it.

        Parameters
        ----------
        judged
            The judged runs.
        """
        top = max(judged.grade_counts.shape[1] - 1, int(judged.hits.grade.max(initial=0)))
        # negative codes index from the end
        table = np.array([*(float(self.gain_of_cell(grade)) for grade in range(top + 1)), 0.0, 0.0, 0.0])
        for cells in judged.cells:
            gains = table[cells]
            gains[:, self.reach(judged.depth) :] = 0
            yield gains

    def ideal_table(self, judged: JudgedRuns) -> FloatArray:
        """Return the gains of the ideal rankings, topics × ranks, as deep as the runs or the longest of them.

        Parameters
        ----------
        judged
            The judged runs.
        """
        ideals = [self.ideal(pool) for pool in judged.pools]
        gains = np.zeros((len(ideals), max([judged.depth, *map(len, ideals)])))
        for row, ideal in zip(gains, ideals, strict=True):
            row[: len(ideal)] = [float(gain) for gain in ideal]
        return gains


@lru_cache(maxsize=4096)
def _ideal(measure: GainsByRank, pool: Pool) -> tuple[Fraction, ...]:
    counted = [(measure.gain_of_cell(grade), count) for grade, count in enumerate(pool.grade_counts) if count]
    return tuple(worth for worth, count in sorted(counted, reverse=True) if worth > 0 for _ in range(count))
