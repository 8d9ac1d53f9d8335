"""Every system of a store compared with a baseline, some systems in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.data import finite, plain
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView
from measurand.display.wording import counted, pvalue
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.measures import parse
from measurand.measures.exact_ties import near
from measurand.scores import Scores
from measurand.statistics import find_test
from measurand.statistics.multiple_comparisons import WHOSE, corrected
from measurand.statistics.simultaneous import to_reference
from measurand.study.certainty import OF_INTERVAL, intervals
from measurand.study.comparison_settings import AUTO, Settings
from measurand.study.store.score_store import ScoreStore
from measurand.study.summary_interval import range_of

BY_PAIRS = ("paired_t", "sign", "signed_rank")
"""The tests of two systems that ask for no others, and draw no lots."""

TOGETHER = 16
"""So many systems are tested at a time, at most."""

SHOWN = 20
"""So many systems are printed, the best first; data have all."""

FIELDS: Mapping[str, type] = {
    "measure": str,
    "place": int,
    "system": str,
    "mean": float,
    "difference": float,
    "low": float,
    "high": float,
    "simultaneous_low": float,
    "simultaneous_high": float,
    "p": float,
    "p_corrected": float,
    "significant": bool,
    "topics": int,
    "wins": int,
    "ties": int,
    "losses": int,
}
"""The columns of frames and files."""


@frozen(kw_only=True, eq=False, repr=False)
class BaselineResult(Result):
    """All systems of a store against a baseline under one measure; arrays have a number for every system.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    systems : tuple of str
        The systems.
    baseline : str
        The system that all others are compared with.
    lower_is_better : bool
        Whether lower values are better.
    test : str
        The name of the test.
    adjusted : str
        How p-values are corrected for the number of systems.
    alpha : float
        The level of significance.
    means : array of float
        The mean of every system over its topics.
    differences, low, high : array of float
        System minus baseline, with its 95 % interval; 0 for the baseline itself.
    simultaneous_low, simultaneous_high : array of float
        The ends of 95 % intervals that hold for all systems at once (Bonferroni); NaN beside other tests than t.
    pvalues, corrected : array of float
        Before and after correction for all other systems; 1 for the baseline.
    topics, wins, ties : array of int
        How many topics both have, and on how many the system is ahead or level.
    caveats : tuple of Caveat
        What is to be known of the test.
    """

    measure: str
    systems: tuple[str, ...]
    baseline: str
    lower_is_better: bool
    test: str
    adjusted: str
    alpha: float
    means: FloatArray
    differences: FloatArray
    low: FloatArray
    high: FloatArray
    simultaneous_low: FloatArray
    simultaneous_high: FloatArray
    pvalues: FloatArray
    corrected: FloatArray
    topics: IntArray
    wins: IntArray
    ties: IntArray
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        return f"<BaselineResult under {self.measure}: {len(self.systems) - 1:,} systems against {self.baseline}>"

    @property
    def order(self) -> IntArray:
        """The places of the systems, the best mean first."""
        return np.argsort(self.means if self.lower_is_better else -self.means, kind="stable")

    @property
    def better(self) -> int:
        """How many systems are significantly better than the baseline."""
        return self._significantly(1)

    @property
    def worse(self) -> int:
        """How many systems are significantly worse than the baseline."""
        return self._significantly(-1)

    def _significantly(self, side: int) -> int:
        ahead = -self.differences if self.lower_is_better else self.differences
        return int(((self.corrected <= self.alpha) & (side * ahead > 0)).sum())

    @property
    def sentence(self) -> str:
        """How many systems are better and worse than the baseline, in a sentence."""
        others = len(self.systems) - 1
        whose = WHOSE.get(self.adjusted, "")
        after = f", after {whose} correction for {counted(others, 'pair')}" if whose and others > 1 else ""
        return (
            f"Under {self.measure}, {self.better:,} of {counted(others, 'system')} are significantly better than"
            f" {self.baseline}, and {self.worse:,} worse (p ≤ {self.alpha:g}{after})."
        )

    def rows(self, most: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield a row for every system, the best mean first.

        Parameters
        ----------
        most
            So many rows at most; by default all.
        """
        for place, at in enumerate(self.order[:most].tolist(), 1):
            same = self.systems[at] == self.baseline
            yield {
                "measure": self.measure,
                "place": place,
                "system": self.systems[at],
                "mean": float(self.means[at]),
                **{
                    name: None if same else finite(float(values[at]))
                    for name, values in (
                        ("difference", self.differences),
                        ("low", self.low),
                        ("high", self.high),
                        ("simultaneous_low", self.simultaneous_low),
                        ("simultaneous_high", self.simultaneous_high),
                        ("p", self.pvalues),
                        ("p_corrected", self.corrected),
                    )
                },
                "significant": bool(self.corrected[at] <= self.alpha) and not same,
                "topics": int(self.topics[at]),
                "wins": int(self.wins[at]),
                "ties": int(self.ties[at]),
                "losses": int(self.topics[at] - self.wins[at] - self.ties[at]),
            }

    def view(self, most: int | None = SHOWN) -> TableView:
        """Return the systems as a table, the best mean first.

        Parameters
        ----------
        most
            So many rows at most; None for all.
        """

        def number(name: str, sign: str = "") -> Any:
            return lambda row: "–" if row[name] is None else f"{row[name]:{sign}.4f}"

        columns = [
            Column("place", lambda row: f"{row['place']:,}"),
            Column("system", "system", left=True),
            Column("mean", number("mean")),
            Column("difference", number("difference", "+")),
            Column("from", number("simultaneous_low", "+"), dispensable=1),
            Column("to", number("simultaneous_high", "+"), dispensable=1),
            Column("p", lambda row: "–" if row["p"] is None else pvalue(row["p"])),
            Column("p corrected", lambda row: "–" if row["p_corrected"] is None else pvalue(row["p_corrected"])),
            Column("wins", lambda row: f"{row['wins']:,}", dispensable=2),
            Column("losses", lambda row: f"{row['losses']:,}", dispensable=2),
        ]
        rows = list(self.rows(most))
        what = (
            f"the best {len(rows):,} of {len(self.systems):,} systems" if len(rows) < len(self.systems) else "systems"
        )
        title = f"{self.measure} · {what}, against {self.baseline}"
        if np.isnan(self.simultaneous_low).all():
            columns = [column for column in columns if column.heading not in ("from", "to")]
        else:
            title += "; 95 % intervals that hold for all systems at once (Bonferroni)"
        return TableView(columns, rows, title=title, fields=FIELDS)

    def document(self) -> Document:
        """Return how many systems are better or worse than the baseline, and the best of them."""
        return Document([self.sentence, self.view()], self.caveats)

    def _main(self) -> TableView:
        return TableView([], list(self.rows()), fields=FIELDS)

    def to_dict(self) -> dict[str, Any]:
        """Return all systems, ready for JSON."""
        rows = [{name: plain(value) for name, value in row.items() if name != "measure"} for row in self.rows()]
        return {
            "test": self.test,
            "adjusted": self.adjusted,
            "pairs": len(self.systems) - 1,
            "better": self.better,
            "worse": self.worse,
            "systems": rows,
        }


@frozen(kw_only=True, eq=False, repr=False)
class BaselineComparison(Result):
    """All systems of a store against a baseline under some measures.

    Parameters
    ----------
    results : tuple of BaselineResult
        One for each measure, the primary one first.
    caveats : tuple of Caveat
        What is to be known of the scores, and what was left out.
    """

    results: tuple[BaselineResult, ...]
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        first = self.results[0]
        measures = ", ".join(each.measure for each in self.results)
        return f"<BaselineComparison: {len(first.systems) - 1:,} systems against {first.baseline} under {measures}>"

    def __iter__(self) -> Iterator[BaselineResult]:
        return iter(self.results)

    @property
    def primary(self) -> BaselineResult:
        """The result under the primary measure."""
        return self.results[0]

    @property
    def baseline(self) -> str:
        """The system that all others are compared with."""
        return self.primary.baseline

    def of(self, measure: object) -> BaselineResult:
        """Return the result under a measure.

        Parameters
        ----------
        measure : Measure or str
            The measure, or its spelling.
        """
        wanted = repr(parse(measure if isinstance(measure, str) else repr(measure)))
        for each in self.results:
            if each.measure in (wanted, str(measure)):
                return each
        raise ParameterError(f"{measure} was not compared; there is {', '.join(each.measure for each in self.results)}")

    def document(self) -> Document:
        """Return how many systems are better or worse than the baseline under each measure, and the best of them."""
        parts: list[Part] = []
        for each in self.results:
            parts += [each.sentence, each.view(), ""]
        caveats = [*self.caveats, *(caveat for each in self.results for caveat in each.caveats)]
        return Document(parts[:-1], tuple(dict.fromkeys(caveats)))

    def _main(self) -> TableView:
        return TableView([], [row for each in self.results for row in each.rows()], fields=FIELDS)

    def to_dict(self) -> dict[str, Any]:
        """Return all systems under all measures, ready for JSON."""
        return {
            "baseline": self.baseline,
            "alpha": self.primary.alpha,
            "primary": self.primary.measure,
            "measures": {each.measure: each.to_dict() for each in self.results},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def against_baseline(
    store: ScoreStore, measures: Sequence[str], settings: Settings, together: int = TOGETHER
) -> BaselineComparison:
    """Return every system of a store compared with the baseline, a few in memory at a time.

    Parameters
    ----------
    store
        The store.
    measures
        The measures, by canonical spelling, the primary one first.
    settings
        How to compare, with the baseline.
    together
        How many systems are tested at a time, at most.
    """
    baseline = str(settings.baseline)
    _check_test(settings, store)
    judged = store.judged([baseline])
    own = {spelling: parse(spelling).scores(judged) for spelling in measures}
    base = {spelling: store.values(spelling, [baseline])[0] for spelling in measures}
    found: dict[str, list[dict[str, Any]]] = {spelling: [] for spelling in measures}
    others = [system for system in store.systems if system != baseline]
    size = min(together, max(1, 2**22 // max(1, len(store.topics) * len(measures))))
    blocks = settings.progress(
        store.blocks(measures, others, size), -(-len(others) // size), "blocks of systems tested"
    )
    for table in blocks:
        for spelling, rows in found.items():
            scores = _beside(own[spelling], base[spelling], table.scores(spelling))
            rows.append(_of_block(scores, settings, len(others)))
    results = tuple(_joined(spelling, store, own[spelling], rows, settings) for spelling, rows in found.items())
    text = (
        f"{counted(len(others), 'pair')} with {baseline} were tested; other pairs, levels and margins are left out:"
        " name some systems (--systems a,b,c) to see these"
    )
    return BaselineComparison(results=results, caveats=(*store.caveats, Caveat(CaveatKind.LEFT_OUT, text)))


def _check_test(settings: Settings, store: ScoreStore) -> None:
    name = "paired_t" if settings.test == AUTO else find_test(settings.test).__name__
    if name not in BY_PAIRS or settings.strict:
        what = "strict comparisons look" if settings.strict else f"{name} looks"
        raise ParameterError(
            f"{what} at more than two systems at a time, or draws lots, and {len(store.systems):,} systems do not fit"
            " into memory; take t, sign or wilcoxon, or name some systems (--systems a,b,c)"
        )


def _beside(own: Scores, base: FloatArray, others: Scores) -> Scores:
    """Return scores with those of the baseline first; what is as close as equal exact values are becomes equal."""
    values = np.where(near(others.values, base), base, others.values)
    return evolve(own, values=np.vstack([base, values]), systems=(*own.systems, *others.systems), exact=None)


def _of_block(scores: Scores, settings: Settings, others: int) -> dict[str, Any]:
    """Return the numbers of some systems beside the baseline, which is the first of them; there are more."""
    pairs = settings.tested(scores)
    difference, low, high = intervals(scores)
    by_t = pairs.test == OF_INTERVAL
    if not by_t:
        low, high = np.full_like(low, -np.inf), np.full_like(high, np.inf)
    first, *rest = scores.goodness
    at_once = to_reference(scores, scores.systems[0], pairs=others)
    none, (least, most) = np.full(len(rest), np.nan), range_of(scores)
    return {
        "means": scores.mean().values[1:],
        "differences": difference[1:, 0],
        "low": low[1:, 0],
        "high": high[1:, 0],
        "simultaneous_low": np.maximum(at_once.low[1:], least - most) if by_t else none,
        "simultaneous_high": np.minimum(at_once.high[1:], most - least) if by_t else none,
        "pvalues": pairs.pvalues[1:, 0],
        "topics": pairs.topics[1:, 0],
        "wins": (np.array(rest) > first).sum(axis=1),
        "ties": (np.array(rest) == first).sum(axis=1),
        "test": pairs.test,
        "caveats": pairs.caveats,
    }


def _joined(
    spelling: str, store: ScoreStore, own: Scores, blocks: Sequence[Mapping[str, Any]], settings: Settings
) -> BaselineResult:
    """Return the numbers of all blocks, with the baseline in its place."""
    at = store.systems.index(str(settings.baseline))
    itself = {"means": float(own.mean().values[0]), "pvalues": 1.0}
    names = ("means", "differences", "low", "high", "simultaneous_low", "simultaneous_high")
    arrays = {
        name: np.insert(np.concatenate([block[name] for block in blocks]), at, itself.get(name, 0))
        for name in (*names, "pvalues", "topics", "wins", "ties")
    }
    tested = corrected(np.delete(arrays["pvalues"], at), settings.adjust)
    return BaselineResult(
        measure=spelling,
        systems=store.systems,
        baseline=str(settings.baseline),
        lower_is_better=own.lower_is_better,
        test=blocks[0]["test"],
        adjusted=settings.adjust,
        alpha=settings.alpha,
        corrected=np.insert(tested, at, 1.0),
        caveats=tuple(
            dict.fromkeys(each for block in blocks for each in block["caveats"] if each.kind is CaveatKind.SCALE)
        ),
        **arrays,
    )
