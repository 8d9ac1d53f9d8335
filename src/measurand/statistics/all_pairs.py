"""All pairs: the results of a test of every two systems of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from attrs import asdict, evolve, field, frozen
from attrs.converters import optional

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.charts import Figure
from measurand.display.data import plain
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import capitalised, counted, pvalue
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import decimals
from measurand.scores import Need, place_of
from measurand.statistics.multiple_comparisons import ALPHA, CORRECTED, SHORT, corrected, correction, level
from measurand.statistics.plot import pairs_chart

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

TUKEY = "tukey"
"""How p-values are called that hold for all pairs at once by construction."""


def frozen_numbers(values: object) -> FloatArray:
    """Return a copy of numbers as an array that cannot be changed.

    Examples
    --------
    >>> frozen_numbers([1, 2]).flags.writeable
    False
    """
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


def frozen_counts(values: object) -> IntArray:
    """Return a copy of whole numbers as an array that cannot be changed.

    Examples
    --------
    >>> frozen_counts([1.0, 2.0]).tolist()
    [1, 2]
    """
    array = np.array(values, dtype=np.int64)
    array.setflags(write=False)
    return array


def read_only(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a copy of a mapping that cannot be changed.

    Examples
    --------
    >>> dict(read_only({"df": 4.0}))
    {'df': 4.0}
    """
    return MappingProxyType(dict(content))


class PairResult(NamedTuple):
    """Two systems and their test: the one that is ahead against the other, or a system against the baseline."""

    system: str
    against: str
    difference: float
    statistic: float
    topics: int
    p: float
    p_corrected: float


@frozen(kw_only=True, eq=False, repr=False)
class AllPairs(Result):
    """The results of a test of every two systems, with what limits their meaning.

    Iterating yields a `PairResult` for every tested pair, the smallest p-value first.

    Parameters
    ----------
    test : str
        The name of the test, as in `measurand.statistics`.
    measure : str
        The spelling of the measure.
    systems : tuple of str
        The names of the systems.
    pvalues : array of float
        Systems × systems, symmetric, 1 on the diagonal; never NaN.
    differences : array of float
        Systems × systems: what the test compares, row minus column. Means are those of the values as they are, so
        that a negative difference is in favour of the row where lower is better; numbers of topics and ranks are
        counted by goodness, and a positive difference is in favour of the row.
    statistic : array of float
        Systems × systems: the value of the test statistic, positive where the row is ahead, whichever values are
        better.
    topics : array of int
        How many topics each pair was compared on, systems × systems.
    needs : Need
        The scale that the test needs.
    references : tuple of str
        Keys of what to cite for the test.
    semantics : str, default ""
        Whose conventions it follows: "scipy", "matlab", or "" where there is one reading alone.
    adjusted : str, default "none"
        How the p-values are corrected for being many.
    details : mapping of str to float
        Other numbers of the test, by name: degrees of freedom, mean square errors, …
    caveats : tuple of Caveat
        What limits the meaning of the numbers.
    baseline : str, optional
        The system that the others were compared with, if one was named; the other pairs were not tested.
    uncorrected : array of float, optional
        The p-values before they were corrected; None where they were not, or by Tukey's method alone.
    """

    test: str
    measure: str
    systems: tuple[str, ...]
    pvalues: FloatArray = field(converter=frozen_numbers)
    differences: FloatArray = field(converter=frozen_numbers)
    statistic: FloatArray = field(converter=frozen_numbers)
    topics: IntArray = field(converter=frozen_counts)
    needs: Need
    references: tuple[str, ...]
    semantics: str = ""
    adjusted: str = "none"
    details: Mapping[str, float] = field(factory=dict, converter=read_only)
    caveats: tuple[Caveat, ...] = ()
    baseline: str | None = None
    uncorrected: FloatArray | None = field(default=None, converter=optional(frozen_numbers))

    def __attrs_post_init__(self) -> None:
        square = (len(self.systems),) * 2
        for name in ("pvalues", "differences", "statistic", "topics"):
            if getattr(self, name).shape != square:
                raise ParameterError(f"{name} must be {square[0]} × {square[1]}")

    def __repr__(self) -> str:
        size = counted(len(self.systems), "system")
        return f"<AllPairs: {self.test} of {self.measure}, {size}, {self._differing('pair')}>"

    @property
    def tested(self) -> list[tuple[int, int]]:
        """The pairs that were tested, each once, by their rows: all, or those with the baseline."""
        place = None if self.baseline is None else self.place(self.baseline)
        above = zip(*(each.tolist() for each in np.triu_indices(len(self.systems), 1)), strict=True)
        return [pair for pair in above if place is None or place in pair]

    def _differing(self, what: str) -> str:
        """Return how many of the tested pairs differ."""
        tested = self.tested
        differing = sum(bool(self.pvalues[pair] <= ALPHA) for pair in tested)
        return f"{differing:,} of {counted(len(tested), what)} with p ≤ {ALPHA}"

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(AllPairs, **asdict(self, recurse=False) | {"details": dict(self.details)}), ()

    def place(self, system: str) -> int:
        """Return the row of a system.

        Parameters
        ----------
        system : str
            The name of a system.
        """
        return place_of(system, self.systems)

    def of(self, a: str, b: str) -> float:
        """Return the p-value of two systems.

        Parameters
        ----------
        a : str
            The name of one system.
        b : str
            The name of the other system.
        """
        return float(self.pvalues[self.place(a), self.place(b)])

    def significant(self, alpha: float = ALPHA) -> BoolArray:
        """Return which pairs differ at a level of significance: where p ≤ alpha.

        Parameters
        ----------
        alpha : float, default 0.05
            The level of significance.
        """
        found: BoolArray = self.pvalues <= level(alpha)
        return found & ~np.eye(len(self.systems), dtype=bool)

    def adjust(self, method: str | None, *, baseline: str | None = None) -> AllPairs:
        """Return the same with p-values corrected for the number of pairs: "holm", "bonferroni", "bh" or "none".

        What Tukey's method has made good for all pairs at once stays as it is.

        Parameters
        ----------
        method : str or None
            One of `CORRECTIONS`: "none", "bonferroni", "holm" or "bh".
        baseline : str, optional
            Correct for the pairs with this system alone; the other pairs are not tested then, and get p = 1.

        References
        ----------
        [Holm1979]_; [BenjaminiHochberg1995]_
        """
        method = correction(method)
        if self.adjusted not in ("none", TUKEY):
            raise ParameterError(f"the p-values are corrected already, by {self.adjusted}")
        rows, columns = np.triu_indices(len(self.systems), 1)
        if baseline is not None:
            place = self.place(baseline)
            kept = (rows == place) | (columns == place)
            rows, columns = rows[kept], columns[kept]
        done = self.adjusted == TUKEY
        pvalues = np.ones_like(self.pvalues)
        pvalues[rows, columns] = corrected(self.pvalues[rows, columns], "none" if done else method)
        pvalues[columns, rows] = pvalues[rows, columns]
        caveats = () if done else self._out_of_reach(method, len(rows))
        adjusted = TUKEY if done else method
        every = (*self.caveats, *caveats)
        before = self.pvalues if adjusted in SHORT else None
        return evolve(self, pvalues=pvalues, adjusted=adjusted, caveats=every, baseline=baseline, uncorrected=before)

    def _out_of_reach(self, method: str, pairs: int) -> tuple[Caveat, ...]:
        """Return a caveat if so few lots were drawn that no p-value of so many pairs can be small."""
        draws = self.details.get("permutations", self.details.get("resamples", inf))
        all_exact = self.details.get("exact pairs", 0) >= len(self.systems) * (len(self.systems) - 1) / 2
        if method not in ("holm", "bonferroni") or all_exact or pairs <= ALPHA * (1 + draws):
            return ()
        lowest, enough = pairs / (1 + draws), int(2 * pairs / ALPHA)
        text = (
            f"with {int(draws):,} draws and {pairs:,} pairs no corrected p-value can be below {min(1.0, lowest):.2g};"
            f" draw {enough:,} or take randomised_tukey"
        )
        return (Caveat(CaveatKind.DEGENERATE, text),)

    def __iter__(self) -> Iterator[PairResult]:
        raw = self.pvalues if self.uncorrected is None else self.uncorrected
        numbers = (self.differences, self.statistic, self.topics, raw, self.pvalues)
        for a, b in self._best_first:
            yield PairResult(self.systems[a], self.systems[b], *(each[a, b].item() for each in numbers))

    def __len__(self) -> int:
        return len(self.tested)

    def __bool__(self) -> bool:
        # also that of one system, which has no pairs
        return True

    @property
    def _best_first(self) -> list[tuple[int, int]]:
        """The tested pairs, the smallest p-value first: who is ahead before the other, or each before the baseline."""
        fixed = None if self.baseline is None else self.place(self.baseline)
        alone = self.pvalues if self.uncorrected is None else self.uncorrected
        found = sorted(self.tested, key=lambda pair: (float(self.pvalues[pair]), float(alone[pair])))
        return [(b, a) if (a == fixed if fixed is not None else self.statistic[a, b] < 0) else (a, b) for a, b in found]

    def table(self) -> pl.DataFrame:
        """Return a frame with a row for every pair, the smallest p-value first; the columns are those of `PairResult`.

        Examples
        --------
        >>> from measurand.scores import Scores
        >>> from measurand.statistics import sign
        >>> scores = Scores(measure="RR", values=[[1.0] * 4, [0.5] * 4, [0.5] * 4], systems="abc", topics="1234")
        >>> sign(scores).adjust("holm").table()["system", "against", "p", "p_corrected"].rows()
        [('a', 'b', 0.125, 0.375), ('a', 'c', 0.125, 0.375), ('b', 'c', 1.0, 1.0)]
        """
        return self.to_polars()

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for every pair: system, against, difference, statistic, topics, p, p_corrected."""
        return super().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for every pair: system, against, difference, statistic, topics, p, p_corrected."""
        return super().to_pandas()

    def _main(self) -> TableView:
        fields = {**dict.fromkeys(PairResult._fields, float), "system": str, "against": str, "topics": int}
        return TableView([], [pair._asdict() for pair in self], fields=fields)

    def to_dict(self) -> dict[str, Any]:
        """Return the test, what it was asked of, and a row for every pair of systems, ready for JSON.

        Examples
        --------
        >>> from measurand.scores import Scores
        >>> from measurand.statistics import sign
        >>> found = sign(Scores(measure="RR", values=[[1.0] * 8, [0.5] * 8], systems="ab", topics="12345678"))
        >>> [(pair["system"], pair["against"], pair["p"]) for pair in found.to_dict()["pairs"]]
        [('a', 'b', 0.0078125)]
        """
        return {
            "test": self.test,
            "measure": self.measure,
            "systems": list(self.systems),
            "adjusted": self.adjusted,
            "baseline": self.baseline,
            "semantics": self.semantics or None,
            "details": plain(self.details),
            "pairs": plain(self._main().data),
            "references": list(self.references),
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def plot(self) -> Figure:
        """Return a drawing: a cell for every two systems, larger the smaller p is, formed by who is ahead.

        Examples
        --------
        >>> from measurand.scores import Scores
        >>> from measurand.statistics import sign
        >>> sign(Scores(measure="RR", values=[[1.0] * 8, [0.5] * 8], systems="ab", topics="12345678")).plot()
        Figure('Sign test of RR: 1 of 1 pair of systems with p ≤ 0.05.')
        """
        return Figure(pairs_chart(self._named, self._corrected, self.systems, self.pvalues, self.statistic))

    @property
    def _named(self) -> str:
        return f"{capitalised(self.needs.statistic)} of {self.measure}"

    @property
    def _corrected(self) -> str:
        return f"p-values {CORRECTED[self.adjusted]}"

    def document(self) -> Document:
        """Return what the test shows: the pairs of systems, who is ahead first, and the smallest p-value first.

        Examples
        --------
        >>> from measurand.scores import Scores
        >>> from measurand.statistics import sign
        >>> scores = Scores(measure="RR", values=[[1.0] * 8, [0.5] * 8], systems="ab", topics="12345678")
        >>> sign(scores).document().tables[0].cells
        [['a', 'b', '+8', '8', '0.0078', '✓']]
        """
        # numbers of topics and of ranks
        whole = bool((self.differences == np.rint(self.differences)).all() and self.differences.any())
        short = SHORT.get(self.adjusted)
        deciding = f"p ({short})" if short else "p"
        columns = (
            Column("system", lambda pair: pair.system, left=True),
            Column("against", lambda pair: pair.against, left=True),
            Column("difference", lambda pair: _difference(pair.difference, whole=whole)),
            Column("topics", lambda pair: f"{pair.topics:,}"),
            *([Column("p", lambda pair: pvalue(pair.p))] if short else []),
            Column(deciding, lambda pair: pvalue(pair.p_corrected)),
            Column(f"{deciding} ≤ {ALPHA}", lambda pair: "✓" if pair.p_corrected <= ALPHA else "", mark=True),
        )
        title = f"{self._named}: {self._differing('pair of systems')}, {self._corrected}"
        return Document([TableView(columns, list(self), title=title)], self.caveats)


def _difference(value: float, *, whole: bool) -> str:
    return f"{value:+,.0f}" if whole else decimals(value, 4, "+")
