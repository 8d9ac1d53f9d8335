"""Being at least as good as one of some runs: the simplest measures that respect replacement and swap."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, Cells, FloatArray
from measurand.display.wording import counted
from measurand.errors import ParameterError
from measurand.exact import Exact, decimal
from measurand.judged import JudgedRuns, Pool, as_cells
from measurand.judged.grades import MOST_LEVELS
from measurand.judged.hits import by_topic
from measurand.measures.base import Grades, Measure
from measurand.measures.parameters import Threshold, read_threshold, threshold
from measurand.orders.many_runs import at_least_as_good, ranks_of_documents

if TYPE_CHECKING:
    from measurand.judged import Relevance


def _runs(runs: Sequence[Sequence[int]]) -> tuple[Grades, ...]:
    several = tuple(tuple(max(0, cell) for cell in as_cells(run)) for run in runs)
    if not several:
        raise ParameterError("name at least one run to compare with, as in AtLeastAsGood(runs=[(1, 0, 1)])")
    highest = max((cell for run in several for cell in run), default=0)
    if highest > MOST_LEVELS:
        raise ParameterError(f"grades are whole numbers up to {MOST_LEVELS:,}, not {highest}")
    return several


@frozen(kw_only=True, repr=False)
class AtLeastAsGood(Measure):
    r"""Whether a run is at least as good as one of some runs, by replacement and swap: 1 if it is, 0 if not.

    .. math:: m(r) = \begin{cases} 1 & \text{if } s \preceq r \text{ for some of the runs } s \\
        0 & \text{otherwise} \end{cases}

    A run that is better than one with the value 1 has the value 1 too, so that the measure respects replacement and
    swap. Where two systems are not decided under every measure, one of these measures puts the other system first:
    `measurand.levels` finds it.

    Parameters
    ----------
    runs
        The runs, as grades by rank.
    over
        The lowest relevant grade: documents below it count as grade 0, those from it on as grade 1, and the value is
        divided by the number of relevant documents of the topic, as those of AP and R are. By default grades are as
        they are, and nothing is divided.

    Examples
    --------
    >>> reached = AtLeastAsGood(runs=[(0, 1, 1)])
    >>> [reached.of(run) for run in ((0, 1, 1), (1, 0, 1), (1, 0, 0))]
    [Fraction(1, 1), Fraction(1, 1), Fraction(0, 1)]

    References
    ----------
    [Strassen1965]_
    """

    name: ClassVar[str] = "AtLeastAsGood"
    reference: ClassVar[str] = "Strassen1965"
    graded: ClassVar[bool] = True
    weighs_grades: ClassVar[bool] = False
    respects_swap: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = False

    runs: tuple[Grades, ...] = field(converter=_runs)
    over: Threshold | None = field(default=None, converter=read_threshold, validator=threshold(optional=True))

    @property
    def lowest(self) -> int:
        """The lowest grade that counts as relevant."""
        if self.over is None:
            return 1
        return ceil(self.over) if self.relevance is None else self.relevance.level_from(self.over)

    def on_grades(self, relevance: Relevance | None) -> Self:
        """Return the measure itself, whose runs have grades of their own.

        Parameters
        ----------
        relevance
            The grades; other ones than those of its runs are refused.
        """
        if relevance is not None and relevance != self.relevance:
            raise ParameterError(f"the runs of {self!r} have other grades than these judged runs")
        return self

    @property
    def uses_recall_base(self) -> bool:
        """Values are divided by the recall base if `over` is given."""
        return self.over is not None

    @property
    def rescaled(self) -> bool:
        """The recall base only divides."""
        return self.over is not None

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run."""
        [reached] = self._reach(np.array([run], dtype=np.int32))
        if self.over is None:
            return Fraction(int(reached))
        base = pool.recall_base(self.lowest)
        return Fraction(int(reached), base) if base else Fraction(0)

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs."""
        cells = judged.cells.reshape(-1, judged.depth)[:, : self.cutoff]
        reached = self._reach(cells).astype(np.float64)
        if self.over is None:
            return reached
        base = by_topic(judged.recall_bases(self.lowest), judged)
        return np.divide(reached, base, out=np.zeros_like(reached), where=base > 0)

    def _reach(self, cells: Cells) -> BoolArray:
        """Return which runs are at least as good as one of those of the measure."""
        length = max(cells.shape[1], *map(len, self.runs))
        both = np.zeros((len(cells) + len(self.runs), length), dtype=cells.dtype)
        both[: len(cells), : cells.shape[1]] = cells
        for row, run in zip(both[len(cells) :], self.runs, strict=True):
            row[: len(run[: self.cutoff])] = run[: self.cutoff]
        if self.over is not None:
            both = (both >= self.lowest).astype(np.int8)
        ranks = ranks_of_documents(both, int(both.max(initial=0)) + 1)
        return np.asarray(at_least_as_good(ranks[: len(cells)], ranks[len(cells) :]).any(axis=1))

    def __repr__(self) -> str:
        over = "" if self.over is None else f" over the number of documents of grade {decimal(self.over)} or more"
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"AtLeastAsGood({counted(len(self.runs), 'run')}{over}){at}"
