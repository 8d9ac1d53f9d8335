"""Whether a fusion of all systems is better than each of them: Figure 3.

The paper compares Borda's rule, and the mean logarithm of ranks that information becomes where signals are
independent, with all systems of a campaign. Documents are ranked by *minus* that mean; the sign in the paper's formula
is a misprint (E-A-7).

Fused scores may tie, and those of information often do. Runs are taken for weak orders, so that no score depends
on the names of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from measurand.calls import explains_calls
from measurand.display.charts import ACCENT, GREY, INK, Chart, draw, styled
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.execution import Progress, silent
from measurand.fusion import fuse, method_of
from measurand.fusion.methods import SAME_JUDGMENTS, SIZED
from measurand.judged import judge
from measurand.measures import Measure, parse
from measurand.measures.campaigns import in_collection
from measurand.measures.observational_effectiveness import OIE
from measurand.papers.agms2018.campaign import Campaign, read_campaign
from measurand.scores import Scores
from measurand.scores.scores import rounding
from measurand.scores.summary import unlike
from measurand.trec import Names, QrelsLike, Run, RunsLike, read_runs

if TYPE_CHECKING:
    import polars as pl

METHODS = ("information", "bordalog", "borda")
"""The fusions of the paper."""

FEW = 3
"""So many fusions are named in the title of a figure, more are counted."""


@frozen(kw_only=True, eq=False, repr=False)
class FusionGain(Result):
    """The scores of all systems and of their fusions.

    Parameters
    ----------
    scores
        By measure: systems first, then fusions.
    kinds
        Whether a name is that of a `"system"` or of a `"fusion"`.
    collection_size
        How many documents there are, as said or as assumed.
    depth
        How many documents of each system are fused, and how many of each fusion are scored.
    caveats
        What is to be known of the result.
    """

    scores: Mapping[str, Scores]
    kinds: Mapping[str, str]
    collection_size: int
    depth: int
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        return f"<FusionGain: {self.summary()}>"

    def fusions(self) -> tuple[str, ...]:
        """Return the names of the fusions."""
        return tuple(name for name, kind in self.kinds.items() if kind == "fusion")

    def beaten(self, name: str, measure: Measure | str | None = None) -> int:
        """Return how many systems have a worse average than something, be it a fusion or a system.

        Parameters
        ----------
        name
            The name of a fusion or a system.
        measure
            The measure; the first if none is named.
        """
        if name not in self.kinds:
            raise ParameterError(f"there is no {name}; there is {', '.join(self.kinds)}")
        spelling = self._spelling(measure)
        good, least = self._goodness(spelling), rounding(self.scores[spelling])
        return sum(good[name] - good[system] > least for system in self._systems())

    def summary(self, measure: Measure | str | None = None) -> str:
        """Return how many systems each fusion beats, in words.

        Parameters
        ----------
        measure
            The measure; the first if none is named.
        """
        parts = [f"{name} beats {self.beaten(name, measure)}" for name in self.fusions()]
        return f"{', '.join(parts)} of {len(self._systems())} systems"

    def _short(self, measure: str) -> str:
        fusions, systems = self.fusions(), len(self._systems())
        if len(fusions) <= FEW:
            return self.summary(measure)
        best = sum(self.beaten(name, measure) == systems for name in fusions)
        return f"{best} of {len(fusions)} fusions beat all {systems} systems"

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with measure, name, kind and average, the best of each measure first.

        The average is what the measure is reported by: the mean over topics, or the geometric mean for gm.
        """
        return super().to_polars()

    def document(self) -> Document:
        """Return the average of every system and fusion, the best of each measure first."""
        words = [Column(name, name, left=True) for name in ("measure", "name", "kind")]
        rows = [row for measure in self.scores for row in self._rows(measure)]
        fields = {"measure": str, "name": str, "kind": str, "average": float}
        view = TableView([*words, valued("average", "average")], rows, title=self.summary(), fields=fields)
        return Document([view], self.caveats)

    def chart(self, measure: Measure | str | None = None) -> Chart:
        """Return the figure: the average of every system and fusion under a measure, the first if none is named.

        Parameters
        ----------
        measure
            The measure; the first if none is named.
        """
        spelling = self._spelling(measure)
        average = f"{self.scores[spelling].summary().statistic} of {spelling}"
        names = [str(row["name"]) for row in self._rows(spelling)]
        shown = {"system": GREY, "fusion": ACCENT}
        y = {"field": "name", "type": "nominal", "sort": names, "title": None, "axis": {"labelLimit": 260}}
        x: Chart = {"field": "average", "type": "quantitative", "title": average}
        legend = {"orient": "top", "direction": "horizontal"}
        kind = {"field": "kind", "type": "nominal", "title": None, "legend": legend}
        colour = {**kind, "scale": {"domain": list(shown), "range": list(shown.values())}}
        bars = {"mark": {"type": "bar"}, "encoding": {"y": y, "x": x, "color": colour}}
        zero = {"mark": {"type": "rule", "color": INK, "strokeWidth": 0.5}, "encoding": {"x": {"datum": 0}}}
        subtitle = [self._short(spelling), f"first {self.depth} ranks; all are scored on the same judgments"]
        return styled(
            f"The {average} of systems and of their fusions: {self.summary(spelling)}.",
            {
                "title": {"text": "Fusion against systems", "subtitle": subtitle},
                "width": 440,
                "height": {"step": 16 if len(names) <= 60 else 11},
                "data": {"values": self._rows(spelling)},
                "layer": [bars, zero],
            },
        )

    def to_svg(self, measure: Measure | str | None = None) -> str:
        """Return the figure as SVG.

        Parameters
        ----------
        measure
            The measure; the first if none is named.
        """
        return draw(self.chart(measure), "figure.svg").decode()

    def _systems(self) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind == "system"]

    def _spelling(self, measure: Measure | str | None) -> str:
        if measure is None:
            return next(iter(self.scores))
        spelling = repr(in_collection(parse(measure), self.collection_size))
        if spelling not in self.scores:
            raise ParameterError(f"{spelling} was not asked for; there is {', '.join(self.scores)}")
        return spelling

    def _goodness(self, spelling: str) -> dict[str, float]:
        """Return the averages, the higher the better."""
        average = self.scores[spelling].summary()
        return dict(zip(average.systems, average.goodness.tolist(), strict=True))

    def _rows(self, spelling: str) -> list[dict[str, object]]:
        good, averages = self._goodness(spelling), self.scores[spelling].summary().to_dict()
        return [
            {"measure": spelling, "name": name, "kind": self.kinds[name], "average": averages[name]}
            for name in sorted(good, key=lambda name: -good[name])
        ]


@explains_calls
def fusion_gain(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    methods: str | Iterable[str] = METHODS,
    measures: Measure | str | Iterable[Measure | str] = OIE,
    collection_size: int | None = None,
    depth: int = 100,
    names: Names = "auto",
    progress: Progress = silent,
) -> FusionGain:
    """Return the scores of all systems of a campaign beside those of their fusions.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    methods
        Ways to fuse, as `fuse` knows them.
    measures
        By default OIE with β = 1.2.
    collection_size
        How many documents there are, for fusions and measures that want to know; by default those that are judged or
        retrieved, which is noted.
    depth
        How many documents of each system are fused, and how many of each fusion are scored.
    names
        What systems are called by, as for `read_runs`: "auto", "tag" or "file".
    progress
        Shows how far it is.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> one, other = {"d1": 3.0, "d2": 2.0, "d3": 1.0}, {"d2": 3.0, "d1": 2.0, "d4": 1.0}
    >>> systems = [read_run({"1": one}, name="one"), read_run({"1": other}, name="other")]
    >>> gain = fusion_gain({"1": {"d1": 1, "d2": 1}}, systems, methods="borda", measures="P@2")
    >>> gain.to_polars().select("name", "average").rows()
    [('one', 1.0), ('other', 1.0), ('borda', 1.0)]

    References
    ----------
    [Amigo2018]_, section 5.2, Figure 3
    """
    everything = read_runs(runs, names=names)
    campaign = read_campaign(qrels, everything, depth=depth)
    size, doubts = campaign.size(collection_size)
    several = [methods] if isinstance(methods, str) else list(methods)
    if not several:
        raise ParameterError("no fusion was asked for; name one, such as borda")
    kinds = {run.name: "system" for run in campaign.runs}
    fused = []
    for run in progress(_fusions(campaign, several, size), len(several), "fusing"):
        called = _said(evolve(run, name=unlike(run.name, kinds)), campaign)
        kinds[called.name] = "fusion"
        fused.append(called)
    longest = max(int(np.diff(run.bounds).max()) for run in (*everything, *fused))
    judged = judge([*everything, *fused], campaign.judgments, depth=min(depth, longest), ties="groups")
    wanted = _measures(measures)
    told = [in_collection(measure, size) for measure in wanted]
    scores = {repr(measure): measure.scores(judged) for measure in told}
    if not (told != wanted or any(method_of(method) in SIZED for method in several)):
        doubts = ()
    found = (caveat for score in scores.values() for caveat in (*score.caveats, *score.summary().caveats))
    caveats = dict.fromkeys((*doubts, SAME_JUDGMENTS, *campaign.unjudged(), *judged.caveats, *found))
    return FusionGain(scores=scores, kinds=kinds, collection_size=size, depth=depth, caveats=tuple(caveats))


def _said(fused: Run, campaign: Campaign) -> Run:
    """Return a fusion whose caveats name it, those of the systems left to them."""
    known = {caveat for run in campaign.runs for caveat in run.caveats}
    own = [caveat for caveat in fused.caveats if caveat not in known and caveat.kind is not CaveatKind.TIES]
    own.extend(_ties(fused, campaign.depth))
    return evolve(fused, caveats=tuple(Caveat(caveat.kind, f"{fused.name}: {caveat.text}") for caveat in own))


def _ties(fused: Run, depth: int) -> Iterator[Caveat]:
    """Return how many documents of a fusion tie, and on how many topics it ranks nothing."""
    tied = nothing = 0
    for topic in fused.topics:
        scores = fused.document_scores[fused.rows(topic)]
        equal = scores[1:] == scores[:-1]
        tied += int((np.append(equal, False) | np.insert(equal, 0, False))[:depth].sum())
        nothing += len(scores) > 1 and bool(equal.all())
    if tied:
        share = f"{counted(tied, 'document')} down to rank {depth} share their fused score with another of their topic"
        which = f"; on {nothing} of the {counted(len(fused.topics), 'topic')} all documents do, and nothing is ranked"
        text = f"{share}{which if nothing else ''}; scores are the mean over all orders, or those of weak orders (OIE)"
        yield Caveat(CaveatKind.TIES, text)


def _fusions(campaign: Campaign, methods: list[str], size: int) -> Iterator[Run]:
    for method in methods:
        sized = size if method_of(method) in SIZED else None
        # where fused scores tie, any document may be among the first: none is left out
        yield fuse(list(campaign.runs), method, depth=None, collection_size=sized, name=method)


def _measures(measures: Measure | str | Iterable[Measure | str]) -> list[Measure]:
    wanted = [parse(measure) for measure in ([measures] if isinstance(measures, Measure | str) else measures)]
    if not wanted:
        raise ParameterError("no measure was asked for; name one, such as AP or nDCG@10")
    return wanted
