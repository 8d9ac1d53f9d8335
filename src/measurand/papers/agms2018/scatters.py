"""Figures 1 and 2: several systems together against one of them, for random picks of systems.

Figure 1 (`consistency_scatter`) compares how consistent their information is with the judgments. The paper draws 5
systems and a topic again and again, and finds most points above the diagonal. Figure 2 (`mergeability`) compares how
effective they are; the paper reports 1809 of 2000 samples where the several are better, comparing across all topics.
The paper's runs are not public, so neither can be computed again; any campaign can be looked at in the same way.

To compare like with like, Figure 2 looks at documents that information tells apart. They are found along the ranking
of one system, from the top, leaving out each document whose information an earlier one has. The paper says that they
are then told apart by every system; they are by that one and by the information of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.calls import explains_calls
from measurand.display.charts import ACCENT, GREY, MARK, Chart, draw, styled
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, ParameterError
from measurand.exact import log_sum
from measurand.execution import Progress, Rng, silent
from measurand.information import Signals
from measurand.information.consistency import consistency, heights
from measurand.information.counting import count_outscorers
from measurand.measures import Measure
from measurand.measures.observational_effectiveness import OIE, ObservationalEffectiveness
from measurand.papers.agms2018.additivity import read_weights
from measurand.papers.agms2018.campaign import Pick, Pools, draw_picks, draw_systems, read_campaign
from measurand.papers.printed.unanimity import printed_mergeability
from measurand.statistics.all_pairs import frozen_counts, frozen_numbers
from measurand.trec import Names, QrelsLike, RunsLike

if TYPE_CHECKING:
    import polars as pl

SIDES = ("above", "on", "below")
"""Where a point may lie: the many are better, as good, or worse."""

MANY = 1_000
"""From so many points on each is drawn fainter."""


@frozen(kw_only=True, eq=False, repr=False)
class Scatter(Result):
    """What one system is worth and what several are worth together, for random picks of systems.

    Picks share topics and systems, so they are no independent observations: their number says nothing about how
    certain a share is.

    Parameters
    ----------
    picks
        The picks.
    one, many
        What the picked system is worth by itself, and all systems of the pick together.
    signs
        1 where the many are better, -1 where they are worse, 0 where they are as good: decided exactly.
    depth
        How many documents of each system were looked at.
    caveats
        What is to be known of the result.
    """

    title: ClassVar[str] = ""
    quantity: ClassVar[str] = ""

    picks: tuple[Pick, ...]
    one: FloatArray = field(converter=frozen_numbers)
    many: FloatArray = field(converter=frozen_numbers)
    signs: IntArray = field(converter=frozen_counts)
    depth: int
    caveats: tuple[Caveat, ...] = ()

    def __len__(self) -> int:
        return len(self.picks)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} picks: {self.summary}>"

    @property
    def above(self) -> int:
        """How often the many are better than the one."""
        return int((self.signs > 0).sum())

    @property
    def on(self) -> int:
        """How often they are as good."""
        return int((self.signs == 0).sum())

    @property
    def below(self) -> int:
        """How often they are worse."""
        return int((self.signs < 0).sum())

    @property
    def summary(self) -> str:
        """How many points lie where, in words."""
        return f"{self.above:,} above the diagonal, {self.on:,} on it, {self.below:,} below"

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for each pick: topic, systems, the one of them, both values, and the side."""
        return super().to_polars()

    def document(self) -> Document:
        """Return how many picks lie on which side, and the first of them."""
        sides = self._sides()
        columns = [
            valued("topic", lambda place: self.picks[place].topic, lambda topic: topic or "all", left=True),
            valued("systems", lambda place: list(self.picks[place].systems), ", ".join, left=True),
            Column("system", lambda place: self.picks[place].one, left=True),
            valued("one", lambda place: float(self.one[place])),
            valued("many", lambda place: float(self.many[place])),
            Column("side", lambda place: sides[place], left=True),
            *self._further(),
        ]
        title = f"{counted(len(self), 'pick')}: {self.summary}"
        return Document([TableView(columns, range(len(self)), title=title)], self.caveats)

    def _further(self) -> list[Column]:
        """Return columns that come last."""
        return []

    def _sides(self) -> list[str]:
        return [SIDES[1 - sign] for sign in self.signs.tolist()]

    def chart(self) -> Chart:
        """Return the figure: a point for each pick, and the diagonal on which one and many are as good."""
        low, high = _limits(np.concatenate((self.one, self.many)))
        number = len(self.picks[0].systems)
        rows = [
            {"one": one, "many": many, "side": side, "topic": pick.topic, "system": pick.one}
            for one, many, side, pick in zip(
                self.one.tolist(), self.many.tolist(), self._sides(), self.picks, strict=True
            )
        ]
        axes = {"one": f"{self.quantity} of one system", "many": f"{self.quantity} of all {number} together"}
        return styled(
            f"{self.title}: {self.summary}.",
            {
                "title": {
                    "text": self.title,
                    "subtitle": [self.summary, f"{len(self):,} picks of {number} systems, first {self.depth} ranks"],
                },
                "width": 400,
                "height": 400,
                "layer": [
                    _diagonal(low, high),
                    _dots(rows, axes, [low, high]),
                ],
            },
        )

    def to_svg(self) -> str:
        """Return the figure as SVG."""
        return draw(self.chart(), "figure.svg").decode()


def _limits(values: FloatArray) -> tuple[float, float]:
    """Return where both axes begin and end, so that the diagonal is one."""
    low, high = float(values.min()), float(values.max())
    margin = 0.04 * (high - low) or 0.1
    return low - margin, high + margin


def _diagonal(low: float, high: float) -> Chart:
    x, y = ({"field": "end", "type": "quantitative"} for _ in range(2))
    mark = {"type": "line", "color": GREY, "strokeDash": [4, 3]}
    return {"data": {"values": [{"end": low}, {"end": high}]}, "mark": mark, "encoding": {"x": x, "y": y}}


def _dots(rows: list[Chart], axes: dict[str, str], limits: list[float]) -> Chart:
    encoding: Chart = {
        place: {
            "field": field,
            "type": "quantitative",
            "title": axes[field],
            "scale": {"domain": limits, "nice": False, "zero": False},
            "axis": {"tickCount": 6},
        }
        for place, field in (("x", "one"), ("y", "many"))
    }
    encoding["color"] = {
        "field": "side",
        "type": "nominal",
        "title": "diagonal",
        "scale": {"domain": list(SIDES), "range": [ACCENT, GREY, MARK]},
        "legend": {"orient": "bottom-right", "symbolOpacity": 1, "padding": 8, "titleFontWeight": "normal"},
    }
    encoding["tooltip"] = [{"field": name} for name in ("topic", "system", "one", "many")]
    return {
        "data": {"values": rows},
        "mark": {"type": "circle", "size": 28, "opacity": 0.5 if len(rows) <= MANY else 0.35, "clip": True},
        "encoding": encoding,
    }


POOLS = ("all", "picked")
"""Whose documents are set against each other."""


@frozen(kw_only=True, eq=False, repr=False)
class ConsistencyScatter(Scatter):
    """How consistent with the judgments one system is, and how consistent several are together."""

    title: ClassVar[str] = "Consistency with the judgments"
    quantity: ClassVar[str] = "consistency"


@explains_calls
def consistency_scatter(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    samples: int = 400,
    signals: int = 5,
    depth: int = 100,
    pool: str = "all",
    self_pairs: bool = False,
    rng: Rng = 0,
    names: Names = "auto",
    progress: Progress = silent,
) -> ConsistencyScatter:
    r"""Return the consistency of the information of some systems beside that of one of them, for random picks.

    .. math:: P(d \ge_g d' \mid I_\Gamma(d) \ge I_\Gamma(d')) \quad\text{against}\quad
        P(d \ge_g d' \mid \gamma(d) \ge \gamma(d')), \qquad \gamma \in \Gamma

    Pairs are those of documents that some system of the campaign retrieves. Most points above the diagonal speak for
    the paper's first assumption as a mean over pairs; the proof of its Theorem 5.1 needs it for each document.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    samples, signals, depth
        How many picks, of how many systems each, and how many documents of each system are looked at.
    pool
        Whose documents are set against each other: `"all"`, those of every system of the campaign, as in the paper, or
        `"picked"`, those of the systems of the pick.
    self_pairs
        Whether a document is also set against itself, where it is never wrong.
    rng
        A generator of random numbers, or a seed for one.
    names
        What systems are called by, as for `read_runs`: "auto", "tag" or "file".
    progress
        Shows how far it is.

    Examples
    --------
    >>> good, bad = {"d1": 3.0, "d2": 2.0, "d3": 1.0}, {"d3": 3.0, "d2": 2.0, "d1": 1.0}
    >>> from measurand.trec import read_run
    >>> systems = [read_run({"1": good}, name="good"), read_run({"1": bad}, name="bad")]
    >>> scatter = consistency_scatter({"1": {"d1": 1}}, systems, samples=1, signals=2)
    >>> scatter.picks[0].one, scatter.one.tolist(), scatter.many.tolist(), scatter.above
    ('bad', [0.3333333333333333], [0.6666666666666666], 1)

    References
    ----------
    [Amigo2018]_, section 5.1, Figure 1
    """
    if pool not in POOLS:
        raise ParameterError(f"pool must be one of {', '.join(map(repr, POOLS))}, not {pool!r}")
    campaign = read_campaign(qrels, runs, depth=depth, names=names)
    picks = draw_picks(campaign, samples, signals, rng)
    pools, gold = Pools(campaign, every=pool == "all"), campaign.gold
    found = []
    for pick in progress(picks, samples, "drawing systems"):
        told = pools.of(pick.systems, str(pick.topic))
        one = consistency(told.only(pick.one, gold), gold, self_pairs=self_pairs)
        found.append((one, consistency(told, gold, self_pairs=self_pairs)))
    return ConsistencyScatter(
        picks=picks,
        one=[float(one) for one, _ in found],
        many=[float(many) for _, many in found],
        signs=[(many > one) - (many < one) for one, many in found],
        depth=depth,
        caveats=campaign.unjudged(),
    )


TOPICS = ("all", "one")
"""What one pick is compared on."""

CLOSE = 1e-9
"""Where floats are closer than this, exact values decide."""


@frozen(kw_only=True, eq=False, repr=False)
class Mergeability(Scatter):
    """How effective one system is on documents that are told apart, and how effective several are together.

    Parameters
    ----------
    told_apart
        How many documents were looked at in each pick, on all of its topics.
    """

    title: ClassVar[str] = "Effectiveness on documents that are told apart"
    quantity: ClassVar[str] = "OIE"

    told_apart: IntArray = field(converter=frozen_counts)

    @property
    def printed(self) -> tuple[int, int]:
        """In how many picks of its Figure 2 the paper found merging to pay, and how many it drew."""
        return printed_mergeability()

    def _further(self) -> list[Column]:
        return [valued("documents", lambda place: int(self.told_apart[place]), key="told_apart")]


@explains_calls
def mergeability(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    samples: int = 2000,
    signals: int = 5,
    depth: int = 100,
    topics: str = "all",
    measure: Measure | str = OIE,
    rng: Rng = 0,
    names: Names = "auto",
    progress: Progress = silent,
) -> Mergeability:
    r"""Return the effectiveness of the information of some systems beside that of one of them, for random picks.

    .. math:: \mathrm{OIE}(I_\Gamma, g) \quad\text{against}\quad \mathrm{OIE}(\gamma, g), \qquad \gamma \in \Gamma

    Both are taken on the documents that the one system and the information of all tell apart, as if there were no
    others. Points above the diagonal are picks for which merging the systems pays.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    samples, signals, depth
        How many picks, of how many systems each, and how many documents of each system are looked at.
    topics
        `"all"` compares means over all topics that the one system answers, as the paper does; `"one"` draws a topic
        for each pick and compares on that.
    measure
        `OIE` with any weights, of which nothing else is taken; by default β is 1.2.
    rng
        A generator of random numbers, or a seed for one.
    names
        What systems are called by, as for `read_runs`: "auto", "tag" or "file".
    progress
        Shows how far it is.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> good, bad = {"d1": 3.0, "d2": 2.0, "d3": 1.0}, {"d2": 3.0, "d1": 2.0, "d4": 1.0}
    >>> systems = [read_run({"1": good}, name="good"), read_run({"1": bad}, name="bad")]
    >>> merged = mergeability({"1": {"d1": 1}}, systems, samples=1, signals=2)
    >>> merged.told_apart.tolist(), merged.above, merged.on, merged.below
    ([2], 0, 1, 0)

    References
    ----------
    [Amigo2018]_, section 5.2, Figure 2
    """
    if topics not in TOPICS:
        raise ParameterError(f"topics must be one of {', '.join(map(repr, TOPICS))}, not {topics!r}")
    weights = read_weights(measure)
    campaign = read_campaign(qrels, runs, depth=depth, names=names)
    picks = (draw_systems if topics == "all" else draw_picks)(campaign, samples, signals, rng)
    pools = Pools(campaign)
    # of few systems the same are drawn again and again
    asked = [(pick.topic, frozenset(pick.systems), pick.one) for pick in picks]
    known: dict[tuple[object, ...], _Compared] = {}
    for key, pick in progress(list(zip(asked, picks, strict=True)), samples, "drawing systems"):
        if key not in known:
            known[key] = _compared(pick, pools, weights)
    found = [known[key] for key in asked]
    return Mergeability(
        picks=picks,
        one=[each.one for each in found],
        many=[each.many for each in found],
        signs=[each.sign for each in found],
        told_apart=[each.size for each in found],
        depth=depth,
        caveats=campaign.unjudged(),
    )


def _compared(pick: Pick, pools: Pools, weights: ObservationalEffectiveness) -> _Compared:
    """Return how a pick compares on its topic, or on average over all that its one system answers."""
    asked = pools.campaign.topics if pick.topic is None else (pick.topic,)
    signals = [pools.of(pick.systems, topic) for topic in asked]
    gold = pools.campaign.gold
    found = [
        _compare(fine_grained_documents(each, pick.one, gold), weights)
        for each in signals
        if each.only(pick.one).levels.any()
    ]
    one, many = (sum(getattr(each, name) for each in found) / len(found) for name in ("one", "many"))
    terms = [term for each in found for term in each.terms]
    return _Compared.told_apart(one, many, terms, sum(each.size for each in found))


def fine_grained_documents(signals: Signals, one: str, gold: str = "judgments") -> Signals:
    """Return the documents that one signal and the information of all tell apart, found along the one from the top.

    What comes back has three signals: `"one"`, `"many"` and `"judgments"`, over these documents and no other.

    Parameters
    ----------
    signals
        All signals and the judgments.
    one
        The signal that is gone through. Documents that it does not tell of are left out; of documents that it gives
        one score, the first of which the information is new is kept.
    gold
        The name of the judgments among the signals.

    Examples
    --------
    >>> first, second = {"d1": 3, "d2": 2, "d4": 1}, {"d3": 3, "d1": 2, "d2": 1}
    >>> fine_grained_documents(Signals.of({"r1": first, "r2": second, "g": {"d1": 1, "d4": 1}}), "r2", "g").documents
    ('d3', 'd2')
    """
    own = signals.only(one).levels[:, 0]
    if not own.any():
        raise ParameterError(f"signal {one} tells of no document; take another")
    information = heights(signals.without(gold))
    kept: list[int] = []
    seen: set[int] = set()
    for place in np.argsort(-own, kind="stable").tolist():
        new = not kept or own[place] < own[kept[-1]]
        if own[place] and new and int(information[place]) not in seen:
            kept.append(place)
            seen.add(int(information[place]))
    levels = np.stack((own, information, signals.only(gold).levels[:, 0]), axis=1)[kept]
    documents = tuple(signals.documents[place] for place in kept)
    return Signals(("one", "many", "judgments"), documents, levels, len(documents))


@frozen(eq=False)
class _Compared:
    """How effective one and many are, which is better, and on how many documents.

    Parameters
    ----------
    terms
        What many are more effective than one, divided by β: numbers, and how often the logarithm of each counts.
    sign
        1 if many are better, -1 if one is, 0 if they are equal.
    """

    one: float
    many: float
    terms: Sequence[tuple[int, Fraction]]
    size: int
    sign: int

    @classmethod
    def told_apart(cls, one: float, many: float, terms: Sequence[tuple[int, Fraction]], size: int) -> _Compared:
        """Return a comparison that exact values decide where floats are close."""
        difference: Any = many - one if abs(many - one) > CLOSE else log_sum(terms)
        sign = int(difference > 0) - int(difference < 0)
        # what is the same number has one rounding
        return cls(one, many if sign else one, terms, size, sign)


def _compare(scores: Signals, weights: ObservationalEffectiveness) -> _Compared:
    """Return how one and many compare on some documents.

    Both order all documents strictly, so only the entropy together with the judgments differs, and of that only the
    logarithms of the counts.
    """
    gold, size = scores.levels[:, 2], len(scores.levels)
    one, many = (count_outscorers(np.stack((scores.levels[:, place], gold), axis=1)) for place in (0, 1))
    own, judged = _entropy(np.arange(1, size + 1)), _entropy(count_outscorers(gold[:, None]))
    apart = float(weights.alpha1) * own + float(weights.alpha2) * judged
    numbers = Counter(many.tolist())
    numbers.subtract(one.tolist())
    terms = [(count, Fraction(number, size)) for count, number in numbers.items() if number]
    alone, merged = (apart - float(weights.beta) * _entropy(counts) for counts in (one, many))
    return _Compared.told_apart(alone, merged, terms, size)


def _entropy(counts: IntArray) -> float:
    logs: FloatArray = np.log(len(counts)) - np.log(counts)
    return float(logs.mean())
