"""The effect of scales: what correlations and tests say of measures, and of the same measures made interval scales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, field, frozen

from measurand.display.markup import html_text
from measurand.display.tables import Document, aligned_text, cells_view
from measurand.errors import Caveat, ParameterError
from measurand.measures import Measure
from measurand.measures.define import as_measure
from measurand.scale import Scale
from measurand.scales.flips import Flips
from measurand.statistics.correlation import Correlation
from measurand.statistics.needs import need_of
from measurand.statistics.registry import TESTS

if TYPE_CHECKING:
    import polars as pl


def _read_only(mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(mapping))


def cut(measure: Measure, depth: int) -> Measure:
    """Return a measure with a cutoff: its own, or else the depth.

    Examples
    --------
    >>> cut(as_measure("AP"), 30), cut(as_measure("P@5"), 30)
    (AP@30, P@5)
    """
    return evolve(measure, cutoff=depth) if measure.cutoff is None else measure


@frozen
class PairCorrelation:
    r"""How alike two measures rank the systems, with their own scores and with interval-scaled ones.

    .. math:: \Delta\% = 100 \, \frac{\tau_\mathrm{ranked} - \tau_\mathrm{raw}}{\tau_\mathrm{raw}}

    Parameters
    ----------
    raw, ranked
        Kendall's tau of the systems' averages; NaN if a measure ties all systems.

    Examples
    --------
    >>> PairCorrelation(0.5, 0.25).delta, PairCorrelation(0.0, 0.5).delta
    (-50.0, None)

    References
    ----------
    [FerranteFerroFuhr2021]_, table 4
    """

    raw: float
    ranked: float

    @property
    def delta(self) -> float | None:
        """The change in percent of the raw correlation; None where that is 0 or undefined."""
        if isnan(self.raw) or isnan(self.ranked) or self.raw == 0:
            return None
        return 100 * (self.ranked - self.raw) / self.raw


@frozen(eq=False)
class MeasureEffect:
    """What becomes of one measure when its scores are replaced by interval-scaled ones.

    Parameters
    ----------
    measure
        Its spelling, with the cutoff.
    tau
        Kendall's tau between the averages of both: do they rank the systems alike?
    tau_mid
        The same with mean ranks of tied runs, which are not an interval scale; None where these cannot be had.
    tau_by_topic
        The mean of the taus topic by topic, which are 1 wherever not all systems tie and positions are exact: the
        transform keeps the order on a topic.
    flips
        By test: which pairs of systems change between significant and not.
    surrogate
        Whether the measure depends on the recall base, so that one interval scale stands in for those of the topics.
    """

    measure: str
    tau: float
    tau_mid: float | None
    tau_by_topic: Correlation
    flips: Mapping[str, Flips] = field(converter=_read_only)
    surrogate: bool

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(MeasureEffect, **asdict(self, recurse=False) | {"flips": dict(self.flips)}), ()


@frozen(kw_only=True, eq=False, repr=False)
class ScaleEffect:
    """What becomes of correlations and significance tests when measures are replaced by interval-scaled ones.

    Parameters
    ----------
    effects
        One for each measure, in the order in which they were asked for.
    correlations
        How alike each two measures rank the systems, by their spellings.
    alpha
        A pair is significant where p ≤ alpha.
    semantics
        Whose conventions the tests follow.
    systems, topics
        How many there are.

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 2 to 6
    """

    effects: tuple[MeasureEffect, ...]
    correlations: Mapping[tuple[str, str], PairCorrelation] = field(converter=_read_only)
    depth: int
    alpha: float
    semantics: str
    systems: int
    topics: int
    caveats: tuple[Caveat, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(ScaleEffect, **asdict(self, recurse=False) | {"correlations": dict(self.correlations)}), ()

    def __repr__(self) -> str:
        return f"<ScaleEffect: {len(self.effects)} measures, {self.systems} systems × {self.topics} topics>"

    @property
    def measures(self) -> tuple[str, ...]:
        """The spellings of the measures, with their cutoffs."""
        return tuple(effect.measure for effect in self.effects)

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests."""
        return tuple(self.effects[0].flips)

    @property
    def pairs(self) -> int:
        """How many pairs of systems there are."""
        return self.systems * (self.systems - 1) // 2

    def of(self, measure: Measure | str) -> MeasureEffect:
        """Return what becomes of one measure, given as a measure or in any spelling, with or without its cutoff."""
        spelling = repr(cut(as_measure(measure), self.depth))
        for effect in self.effects:
            if effect.measure == spelling:
                return effect
        raise ParameterError(f"{spelling} was not looked at; there is {', '.join(self.measures)}")

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return three frames: "self" (tables 2 and 3), "correlations" (table 4), "significance" (tables 5 and 6).

        The column `ordinal` of the last marks the tests that need no more than an ordinal scale, grey in the paper.
        S2NS reads as a tendency of raw scores to false positives, NS2S to false negatives.
        """
        import polars as pl

        return {
            "self": pl.DataFrame([_self_row(effect) for effect in self.effects], schema=_SELF, orient="row"),
            "correlations": pl.DataFrame(
                [(a, b, _number(pair.raw), _number(pair.ranked), pair.delta) for (a, b), pair in self._pairs],
                schema=_CORRELATIONS,
                orient="row",
            ),
            "significance": pl.DataFrame(
                [row for effect in self.effects for row in _flip_rows(effect)], schema=_SIGNIFICANCE, orient="row"
            ),
        }

    @property
    def _pairs(self) -> Sequence[tuple[tuple[str, str], PairCorrelation]]:
        return tuple(self.correlations.items())

    def to_dict(self) -> dict[str, Any]:
        """Return the columns of the paper's tables 2 to 6, ready for JSON; what is undefined is None."""
        depth = str(self.depth)
        return {
            "table2": {depth: {effect.measure: _number(effect.tau) for effect in self.effects}},
            "table3": {depth: {effect.measure: _number(effect.tau_mid) for effect in self.effects}},
            "table4": {
                depth: {
                    f"{a} vs {b}": {"msr": _number(pair.raw), "rnk": _number(pair.ranked), "delta": pair.delta}
                    for (a, b), pair in self._pairs
                }
            },
            "table56": {depth: {effect.measure: _cells(effect) for effect in self.effects}},
        }

    @property
    def _heading(self) -> str:
        size = f"{self.systems} systems ({self.pairs:,} pairs) × {self.topics} topics"
        return f"{size}, depth {self.depth}, alpha {self.alpha}, {self.semantics} semantics"

    def document(self) -> Document:
        """Return what was found: a row for each measure, with what a test decides on either scale."""
        rows = [
            (effect.measure, _shown(effect.tau), _shown(effect.tau_mid), *_flipped(effect)) for effect in self.effects
        ]
        view = cells_view(("measure", "tau", "tau mid", *self.tests), rows, title=self._heading)
        return Document([view, LEGEND], self.caveats)

    def _repr_html_(self) -> str:
        return html_text(self.document())

    def __str__(self) -> str:
        return aligned_text(self.document())


LEGEND = (
    "tau: with its interval-scaled self.  12 -3 +4: 12 significant pairs, of which 3 are not (false positives?)"
    " and besides which 4 are (false negatives?) on the interval scale"
)


_SELF = {
    "measure": str,
    "tau": float,
    "tau_mid": float,
    "tau_by_topic": float,
    "undefined_topics": int,
    "surrogate": bool,
}
_CORRELATIONS = {"a": str, "b": str, "raw": float, "ranked": float, "delta": float}
_SIGNIFICANCE = {
    "measure": str,
    "test": str,
    "ordinal": bool,
    "sig": int,
    "s2ns": int,
    "s2ns_percent": float,
    "ns2s": int,
    "ns2s_percent": float,
    "delta": float,
    "ranked": int,
}


def _number(value: float | None) -> float | None:
    """Return a plain float, or None for what is undefined."""
    return None if value is None or isnan(value) else float(value)


def _shown(value: float | None) -> str:
    known = _number(value)
    return "–" if known is None else f"{known:.4f}"


def _flipped(effect: MeasureEffect) -> list[str]:
    return [f"{flips.sig} -{flips.s2ns} +{flips.ns2s}" for flips in effect.flips.values()]


def _self_row(effect: MeasureEffect) -> tuple[Any, ...]:
    by_topic = effect.tau_by_topic
    taus = _number(effect.tau), _number(effect.tau_mid), _number(by_topic)
    return (effect.measure, *taus, by_topic.undefined, effect.surrogate)


def _flip_rows(effect: MeasureEffect) -> list[tuple[Any, ...]]:
    return [
        (
            effect.measure,
            test,
            need_of(TESTS[test]).scale < Scale.INTERVAL,
            flips.sig,
            flips.s2ns,
            flips.s2ns_percent,
            flips.ns2s,
            flips.ns2s_percent,
            flips.delta,
            flips.ranked,
        )
        for test, flips in effect.flips.items()
    ]


def _cells(effect: MeasureEffect) -> dict[str, dict[str, float | None]]:
    return {
        test: {"sig": flips.sig, "s2ns": flips.s2ns, "ns2s": flips.ns2s, "delta": flips.delta}
        for test, flips in effect.flips.items()
    }
