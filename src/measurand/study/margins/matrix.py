"""The margins of every two systems: what would have to be wrong for each conclusion of a campaign to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.calls import explains_calls, option
from measurand.display.data import plain
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import counted, pvalue
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import decimals
from measurand.execution import Progress, check_progress, silent, takes_executor
from measurand.judged import JudgedRuns
from measurand.judged.runs import check_judged
from measurand.measures import Measure
from measurand.scores import Scores
from measurand.statistics import ALPHA, find_test, need_of
from measurand.statistics.all_pairs import AllPairs, frozen_numbers
from measurand.statistics.multiple_comparisons import level as significance_level
from measurand.study.certainty import floored
from measurand.study.margins.pair import Claimed, measure_on
from measurand.study.margins.pairs_at_once import PairsAtOnce, pairs_at_once
from measurand.study.margins.scale import scale_margins, written_margin
from measurand.study.margins.ties import tie_extremes
from measurand.study.margins.unjudged_at_once import UnjudgedAtOnce, unjudged_at_once, why_not

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from measurand.study.margins.margins import Margins

NUMBERS = ("scale", "own", "topics", "unjudged")
"""The margins that are infinite where nothing overturns a conclusion."""

ENDS = ("unjudged_low", "unjudged_high", "ties_low", "ties_high")
"""The differences over all grades of unjudged documents, and over all orders of documents of equal score."""


def _read_only(values: BoolArray) -> BoolArray:
    values.setflags(write=False)
    return values


@frozen(kw_only=True, eq=False, repr=False)
class MarginsMatrix(Result):
    """The margins of every two systems under a measure; arrays are systems × systems.

    Margins are symmetric: they are those of the better system over the other, 1 (ratios) or 0 (numbers) where what is
    claimed is not true, infinite where nothing overturns it, NaN where they are not known. Differences are row minus
    column, turned round where lower is better, on the topics that both have. All numbers are floats: means within a
    share of 1e-12 of the largest value count as level, while `of` decides by exact numbers where the measure has them.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    measure : Measure
        The measure, with what the campaign shows of it.
    scores : Scores
        The scores of all systems.
    claim : Claimed
        What is claimed of the better system: that its mean is better, or that a test says so as well.
    test : str
        The name of the test.
    alpha : float
        The level of significance.
    difference : array of float
        The mean difference.
    scale : array of float
        The margin of scale κ for the order of means. For significance a lower bound: the margin of weights of topics,
        which no rescaling that overturns it falls below.
    own : array of float
        The margin of weights of topics: the smallest ratio between the largest and the smallest weight that overturns
        the conclusion.
    topics : array of float
        The smallest number of topics whose removal overturns it.
    unjudged : array of float
        The smallest number of unjudged documents that must have the highest grade to overturn the order of means. NaN
        for significance, and for measures that are not additive.
    unjudged_low, unjudged_high : array of float
        The lowest and the highest mean difference over all grades that unjudged documents could have; NaN for measures
        that are not additive.
    ties_low, ties_high : array of float
        The lowest and the highest mean difference over all orders of documents of equal score; NaN where it is not
        known which these are, or where their order plays no part.
    p : array of float
        The p-value of the test, each pair taken alone.
    ahead : array of bool
        Whether the mean of the row is better than that of the column.
    caveats : tuple of Caveat
        What is to be known of the numbers.
    """

    judged: JudgedRuns
    measure: Measure
    scores: Scores
    claim: Claimed
    test: str
    alpha: float
    difference: FloatArray = field(converter=frozen_numbers)
    scale: FloatArray = field(converter=frozen_numbers)
    own: FloatArray = field(converter=frozen_numbers)
    topics: FloatArray = field(converter=frozen_numbers)
    unjudged: FloatArray = field(converter=frozen_numbers)
    unjudged_low: FloatArray = field(converter=frozen_numbers)
    unjudged_high: FloatArray = field(converter=frozen_numbers)
    ties_low: FloatArray = field(converter=frozen_numbers)
    ties_high: FloatArray = field(converter=frozen_numbers)
    p: FloatArray = field(converter=frozen_numbers)
    ahead: BoolArray = field(converter=_read_only)
    caveats: tuple[Caveat, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of rows and columns."""
        return self.judged.systems

    @property
    def significant(self) -> BoolArray:
        """Whether the mean of the row is better than that of the column, significantly, each pair taken alone."""
        return np.asarray(self.ahead & (self.p <= self.alpha))

    @property
    def holds(self) -> BoolArray:
        """Whether what is claimed is true of the row over the column."""
        return self.ahead if self.claim is Claimed.ORDER else self.significant

    def of(self, a: str, b: str) -> Margins:
        """Return all margins of two systems, with a change that overturns the conclusion for each.

        Parameters
        ----------
        a, b : str
            The names of the systems, in any order.
        """
        from measurand.study.margins.margins import margins

        return margins(self.judged, self.measure, a, b, claim=str(self.claim), test=self.test, alpha=self.alpha)

    def __repr__(self) -> str:
        n = len(self.systems)
        held = f"{self.claim} of {int(self.holds.sum()):,} of {counted(n * (n - 1) // 2, 'pair')}"
        return f"<MarginsMatrix: {self.scores.measure}, {counted(n, 'system')}, {held}>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Return a row for every two systems, the better first, in the order of the systems."""
        for i, j in zip(*(each.tolist() for each in np.triu_indices(len(self.systems), 1)), strict=True):
            at = (j, i) if self.ahead[j, i] else (i, j)
            yield {
                "system": self.systems[at[0]],
                "against": self.systems[at[1]],
                "difference": float(self.difference[at]),
                "holds": bool(self.holds[at]),
                **{name: float(getattr(self, name)[at]) for name in (*NUMBERS, *ENDS, "p")},
                "significant": bool(self.significant[at]),
            }

    def document(self) -> Document:
        """Return the margins of every two systems."""
        kinds = {"system": str, "against": str, "difference": float, "holds": bool}
        kinds |= {**dict.fromkeys((*NUMBERS, *ENDS, "p"), float), "significant": bool}
        columns = [
            Column("system", "system", left=True),
            Column("against", "against", left=True),
            Column("difference", lambda row: _signed(row["difference"])),
            Column("scale", lambda row: written_margin(row["scale"])),
            Column("weights", lambda row: written_margin(row["own"])),
            Column("topics", lambda row: _whole(row["topics"])),
            Column("unjudged", lambda row: _whole(row["unjudged"])),
            Column("over ties", lambda row: _interval(row["ties_low"], row["ties_high"]), dispensable=1),
            Column("p", lambda row: pvalue(row["p"])),
        ]
        how = "" if self.claim is Claimed.ORDER else ", significantly"
        title = f"What would overturn that a system is ahead of another{how}, under {self.scores.measure}"
        return Document([TableView(columns, list(self.rows()), fields=kinds, title=title), self._legend], self.caveats)

    @property
    def _legend(self) -> str:
        bound = "" if self.claim is Claimed.ORDER else ", at least"
        return (
            f"scale: some differences must count so many times as much as others{bound}. weights: some topics must."
            " topics: so many must be dropped. unjudged: so many unjudged documents must have the highest grade. over"
            " ties: the difference over all orders of documents of equal score. ∞: nothing overturns it."
            f" p: {need_of(find_test(self.test)).statistic}, each pair alone."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a row for every two systems, ready for JSON.

        A number is None where it is infinite or not known; `proof` names the margins that are infinite.
        """
        return {
            "measure": self.scores.measure,
            "claim": str(self.claim),
            "test": self.test,
            "alpha": self.alpha,
            "systems": list(self.systems),
            "pairs": [_for_json(row) for row in self.rows()],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def _for_json(row: dict[str, Any]) -> dict[str, Any]:
    numbers = {name: None if isinstance(each, float) and not np.isfinite(each) else each for name, each in row.items()}
    return {**plain(numbers), "proof": [name for name in NUMBERS if isinf(row[name])]}


def _signed(value: float) -> str:
    return "–" if isnan(value) else decimals(value, 4, "+")


def _whole(value: float) -> str:
    return "–" if isnan(value) else "∞" if isinf(value) else f"{value:,.0f}"


def _interval(low: float, high: float) -> str:
    return "–" if isnan(low) else f"[{_signed(low)}, {_signed(high)}]"


@explains_calls
@takes_executor
def margins_matrix(
    judged: JudgedRuns,
    measure: Measure | str,
    *,
    claim: str = "order",
    test: str = "t",
    alpha: float = ALPHA,
    progress: Progress = silent,
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> MarginsMatrix:
    """Return the margins of every two systems under a measure.

    These are the margins that are quick for many pairs at once: scale, weights of topics, topics, orders of documents
    of equal score, and unjudged documents under additive measures. `MarginsMatrix.of` has the others.

    Parameters
    ----------
    judged : JudgedRuns
        Judged runs, as `judge` returns them.
    measure : Measure or str
        The measure, or its spelling.
    claim : {"order", "significant"}
        What is claimed of the better of two systems: that its mean is better, or that the paired t test says so as
        well.
    test : str, default "t"
        The test that p-values are of; a claim of significance is one of the t test.
    alpha : float, default 0.05
        The level of significance.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

    Examples
    --------
    >>> import measurand as md
    >>> judged = md.judge(md.sample.runs(), md.sample.qrels())
    >>> found = margins_matrix(judged, "P@10")
    >>> a, b = (found.systems.index(name) for name in ("rerank-2", "rerank-1"))
    >>> found.ahead[a, b].item(), found.topics[a, b].item()
    (True, 7.0)

    References
    ----------
    [LeshnoLevy2002]_; [BroderickGiordanoMeager2020]_
    """
    check_judged(judged)
    check_progress(progress)
    significance_level(alpha)
    claimed = Claimed(option("claim", claim, Claimed))
    if claimed is Claimed.SIGNIFICANT and find_test(test).__name__ != "paired_t":
        raise ParameterError(
            f"the significance of all pairs is that of test='t', not {test!r}; for two systems there is"
            f" margins(judged, measure, a, b, claim='significant', test={test!r})"
        )
    known, seen = measure_on(measure, judged)
    scores = known.scores(seen, progress)
    tested = floored(find_test(test)(scores), scores)
    return matrix_of_scores(judged, known, scores, tested, claim=claimed, alpha=alpha, progress=progress)


def matrix_of_scores(
    judged: JudgedRuns,
    measure: Measure,
    scores: Scores,
    tested: AllPairs,
    *,
    claim: Claimed = Claimed.ORDER,
    alpha: float = ALPHA,
    kappa: FloatArray | None = None,
    progress: Progress = silent,
) -> MarginsMatrix:
    """Return the margins of every two systems by scores that are known already.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs that were scored.
    measure : Measure
        The measure that scored them.
    scores : Scores
        Their scores.
    tested : AllPairs
        The test of all pairs, before any correction.
    claim : Claimed
        What is claimed.
    alpha : float, default 0.05
        The level of significance.
    kappa : array of float, optional
        The margin of scale of every two systems on the topics that both have, where it is known.
    progress : callable, optional
        Shows how far a long computation is.
    """
    known, seen = measure_on(measure, judged)
    pairs = pairs_at_once(scores, alpha if claim is Claimed.SIGNIFICANT else None)
    unjudged, unjudged_caveats = _unjudged(known, seen, pairs, claim, progress)
    low, high, ties_caveats = _over_ties(known, seen, progress)
    if claim is Claimed.SIGNIFICANT:
        kappa = pairs.own
    return MarginsMatrix(
        judged=judged,
        measure=known,
        scores=scores,
        claim=claim,
        test=tested.test,
        alpha=alpha,
        difference=pairs.difference,
        scale=_kappa(scores) if kappa is None else kappa,
        own=pairs.own,
        topics=pairs.topics,
        unjudged=unjudged.number,
        unjudged_low=unjudged.low,
        unjudged_high=0 - unjudged.low.T,
        ties_low=low,
        ties_high=high,
        p=tested.pvalues,
        ahead=np.nan_to_num(pairs.difference) > pairs.tolerance,
        caveats=(*scores.caveats, *unjudged_caveats, *ties_caveats),
    )


def _kappa(scores: Scores) -> FloatArray:
    """Return the margin of scale of every two systems, on the topics that both have."""
    return scale_margins(scores, shared=bool(np.isnan(scores.values).any())).kappa


def _unjudged(
    measure: Measure, judged: JudgedRuns, pairs: PairsAtOnce, claim: Claimed, progress: Progress
) -> tuple[UnjudgedAtOnce, tuple[Caveat, ...]]:
    """Return what unjudged documents can do, and why that is not known, where it is not."""
    reason, unknown = why_not(measure, judged), np.full(pairs.shared.shape, np.nan)
    if reason:
        text = f"what unjudged documents can do was not computed for all pairs, because {reason}"
        return UnjudgedAtOnce(low=unknown, number=unknown), (Caveat(CaveatKind.ASSUMPTION, text),)
    found = unjudged_at_once(measure, judged, pairs, progress)
    if claim is Claimed.ORDER:
        return found, ()
    text = "how many unjudged documents take significance away was not computed for all pairs"
    return evolve(found, number=unknown), (Caveat(CaveatKind.ASSUMPTION, text),)


def _over_ties(
    measure: Measure, judged: JudgedRuns, progress: Progress
) -> tuple[FloatArray, FloatArray, tuple[Caveat, ...]]:
    """Return the lowest and the highest mean difference over all orders of ties, and what is to be known of them."""
    systems = len(judged.systems)
    found = None if measure.on_weak_orders else tie_extremes(measure, judged, progress)
    if found is None:
        unknown = np.full((systems, systems), np.nan)
        return unknown, unknown.copy(), ()
    there = judged.counted.astype(np.float64)
    shared = there @ there.T
    low, high = ((np.where(judged.counted, each, 0.0) @ there.T) for each in (found.low, found.high))
    with np.errstate(invalid="ignore", divide="ignore"):
        lowest = (low - high.T) / np.where(shared > 0, shared, np.nan)
    np.fill_diagonal(lowest, 0.0)
    caveats: tuple[Caveat, ...] = ()
    if found.sampled.any():
        rankings = counted(int(found.sampled.sum()), "ranking")
        text = f"in {rankings} the extremes over orders of ties are those of random orders, and may lie further out"
        caveats = (Caveat(CaveatKind.TIES, text),)
    return lowest, 0 - lowest.T, caveats
