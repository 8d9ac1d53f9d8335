"""What would have to be wrong? The margins of a conclusion about two systems, one for each assumption behind it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from measurand.calls import explains_calls, option
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.errors import Caveat, CaveatKind
from measurand.exact import whole_number
from measurand.execution import Progress, Rng, mapped, silent, takes_executor
from measurand.judged import JudgedRuns
from measurand.letters import shown
from measurand.measures import Measure
from measurand.statistics import ALPHA
from measurand.study.margins.assumed_grades import Convention, as_convention
from measurand.study.margins.card import card, plain_line, ratio_margin, tiles
from measurand.study.margins.chance import ChanceMargin, chance_margin
from measurand.study.margins.documents import PairDocuments, pair_documents
from measurand.study.margins.gains import GainsMargin, gains_margin
from measurand.study.margins.intervals import DRAWS, LEVEL, MarginInterval, scale_interval, topics_interval
from measurand.study.margins.judgments import JudgmentsMargin, judgments_margin
from measurand.study.margins.margin import Margin
from measurand.study.margins.pair import Claimed, ComparedPair, compared_pair
from measurand.study.margins.rescaling import ScaleMargin, scale_margin
from measurand.study.margins.ties import TiesMargin, ties_margin
from measurand.study.margins.topics import TopicsMargin, topics_margin
from measurand.study.margins.unjudged import UnjudgedMargin, unjudged_margin

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from measurand.study.store.score_store import ScoreStore

LONG = ("judgments", "unjudged", "scale")
"""The margins that take longest."""

LISTED = 20
"""So many judgments are listed that matter most."""


@frozen(kw_only=True, eq=False, repr=False, slots=False)
class Margins(Result):
    """The margins of a conclusion about two systems: the smallest change of each assumption that overturns it.

    Each margin is computed when it is first asked for.

    Parameters
    ----------
    pair : ComparedPair
        The two systems under the measure, the one with the better mean first, and what is claimed of them.
    top : int
        How many judgments are listed that matter most.
    convention : Convention
        Whether the ideal ranking and the number of relevant documents grow by what unjudged documents are assumed to
        be ("grown"), or stay as they are known ("known").

    Examples
    --------
    >>> import measurand as md
    >>> judged = md.judge({"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d1": 1.0}}}, {"1": {"d1": 1}})
    >>> found = margins(judged, "RR", "a", "b")
    >>> found.topics.value, found.scale.shared.value, found.judgments.value
    (inf, inf, 1)
    """

    pair: ComparedPair
    top: int = LISTED
    convention: Convention = field(default=Convention.GROWN, converter=as_convention)

    @cached_property
    def _documents(self) -> PairDocuments:
        return pair_documents(self.pair)

    @property
    def measure(self) -> str:
        """The spelling of the measure."""
        return self.pair.scores.measure

    @property
    def ahead(self) -> str:
        """The system with the better mean."""
        return self.pair.ahead

    @property
    def behind(self) -> str:
        """The other system."""
        return self.pair.behind

    @property
    def claim(self) -> str:
        """What is claimed: "order" or "significant"."""
        return str(self.pair.claim)

    @property
    def holds(self) -> bool:
        """Whether what is claimed is true of the data as they are."""
        return self.pair.holds

    @cached_property
    def scale(self) -> ScaleMargin:
        """Other spacings of the values of the measure: `shared`, one for all topics, and `own`, weights of topics."""
        return scale_margin(self.pair)

    @cached_property
    def gains(self) -> GainsMargin:
        """Other gains of the grades."""
        return gains_margin(self.pair)

    @cached_property
    def topics(self) -> TopicsMargin:
        """How many topics must be dropped."""
        return topics_margin(self.pair)

    @cached_property
    def judgments(self) -> JudgmentsMargin:
        """How many judgments must be wrong, and which matter most."""
        return judgments_margin(self.pair, self._documents, top=self.top)

    @cached_property
    def unjudged(self) -> UnjudgedMargin:
        """What the grades of unjudged documents can do, and which to assess first."""
        return unjudged_margin(self.pair, self._documents, convention=self.convention)

    @cached_property
    def ties(self) -> TiesMargin:
        """What the order of documents of equal score can do."""
        return ties_margin(self.pair)

    @cached_property
    def chance(self) -> ChanceMargin:
        """What other topics of the kind might say."""
        return chance_margin(self.pair)

    @property
    def parts(self) -> dict[str, Margin]:
        """All margins by the assumption that they are about."""
        return {
            "chance": self.chance,
            "topics": self.topics,
            "judgments": self.judgments,
            "unjudged": self.unjudged,
            "scale": self.scale,
            "gains": self.gains,
            "ties": self.ties,
        }

    def intervals(self, *, draws: int = DRAWS, level: float = LEVEL, rng: Rng = 0) -> dict[str, MarginInterval]:
        """Return intervals of the margins of scale and of topics, by drawing topics anew.

        They are about the order of the means. That of scale is of ε = 1/(1 + κ), which is above 1/2 where the other
        system is ahead; that of topics is of the share that must be dropped. Where no topic is lost, there is a bound
        of the share of topics that would be.

        Parameters
        ----------
        draws : int, default 2000
            How many times topics are drawn.
        level : float, default 0.95
            The share of the draws that an interval holds.
        rng : int or numpy.random.Generator, default 0
            A seed, or a generator of random numbers.
        """
        each = {"scale": scale_interval, "topics": topics_interval}
        return {name: interval(self.pair, draws=draws, level=level, rng=rng) for name, interval in each.items()}

    @property
    def question(self) -> str:
        """What the margins answer."""
        if self.holds:
            return f"What would overturn “{self.conclusion(self.measure)}”?"
        return f"It is not true that {self.conclusion(self.measure)}: there is nothing to overturn."

    def conclusion(self, measure: str = "") -> str:
        """Return what is claimed of the two systems, in words.

        Parameters
        ----------
        measure : str, optional
            The measure, if it is to be named.
        """
        ahead = f"{self.ahead} is ahead of {self.behind}{f' on {measure}' if measure else ''}"
        return f"{ahead}, significantly" if self.pair.claim is Claimed.SIGNIFICANT else ahead

    @property
    def line(self) -> str:
        """All margins but that of chance, in one line."""
        return plain_line(self)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What is to be known of the margins."""
        if self.pair.judged.ranked_documents is not None or self._documents.not_looked_at is not None:
            return ()
        text = "which documents the systems share was not kept: all are taken for different ones"
        return (Caveat(CaveatKind.ASSUMPTION, text),)

    def __repr__(self) -> str:
        return f"<Margins of {self.ahead} over {self.behind} under {self.measure}: {self.line}>"

    def document(self) -> Document:
        """Return every margin: its number, how it is known, and what it says."""
        numbers = {tile.name.lower(): tile.number for tile in tiles(self)}
        numbers["gains"] = ratio_margin(self.gains) if self.holds else "–"
        # how a margin of what does not hold is known says nothing
        how = {name: str(part.how) if self.holds or name == "chance" else "" for name, part in self.parts.items()}
        rows = [
            {"assumption": name, "margin": numbers[name], "how": how[name], "says": part.sentence}
            for name, part in self.parts.items()
            if name != "gains" or part.applies
        ]
        columns = [
            Column("assumption", "assumption", left=True),
            Column("margin", "margin", left=True),
            Column("how", "how", left=True, dispensable=1),
            Column("what it says", "says", left=True),
        ]
        return Document([TableView(columns, rows, title=self.question)], self.caveats)

    def _repr_html_(self) -> str:
        return shown(str(card(self)), keep="\n")

    def to_dict(self) -> dict[str, Any]:
        """Return all margins, ready for JSON."""
        return {
            "measure": self.measure,
            "ahead": self.ahead,
            "behind": self.behind,
            "claim": self.claim,
            "holds": self.holds,
            "difference": finite(float(self.pair.differences.mean())) if self.pair.topics else None,
            "topics_compared": len(self.pair.topics),
            **{name: part.to_dict() for name, part in self.parts.items()},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


@explains_calls
@takes_executor
def margins(
    judged: JudgedRuns | ScoreStore,
    measure: Measure | str,
    a: str,
    b: str,
    *,
    claim: str = "order",
    test: str = "t",
    alpha: float = ALPHA,
    unjudged: str = "grown",
    top: int = LISTED,
    executor: Executor | None = None,
) -> Margins:
    """Return the margins of a conclusion: the smallest change of each assumption that overturns it.

    The conclusion is that the system with the better mean is better (`claim="order"`), or that a test says so as well
    (`claim="significant"`). A conclusion that becomes level is overturned. Every change that is reported has been
    applied, and the conclusion computed again.

    Parameters
    ----------
    judged : JudgedRuns or ScoreStore
        Judged runs, as `judge` returns them, or a store, which does not keep what margins of documents need.
    measure : Measure or str
        The measure, or its spelling.
    a, b : str
        The names of the two systems; `ahead` and `behind` of the result say which has the better mean.
    claim : {"order", "significant"}
        What is claimed.
    test : str, default "t"
        The test of a claim of significance: "t", "sign", "wilcoxon", …
    alpha : float, default 0.05
        The level of significance.
    unjudged : {"grown", "known"}
        Whether the ideal ranking and the number of relevant documents grow by what unjudged documents are assumed to
        be, or stay as they are known.
    top : int, default 20
        How many judgments are listed that matter most.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. All margins are computed at once then, rather than
        each when it is first asked for. Results are the same.

    Examples
    --------
    >>> import measurand as md
    >>> judged = md.judge(md.sample.runs(), md.sample.qrels())
    >>> found = margins(judged, "P@10", "rerank-2", "rerank-1")
    >>> found.ahead, found.topics.value
    ('rerank-2', 7)

    References
    ----------
    [LeshnoLevy2002]_; [DelBarrioCuestaMatran2018]_; [BernardoLedoit2000]_; [BroderickGiordanoMeager2020]_;
    [Walsh2014]_
    """
    whole_number("top", top, 0, such_as=LISTED)
    option("unjudged", unjudged, Convention)
    given: Any = judged
    # only a store has a method of this name; it is not imported, because it is built on what asks for margins
    runs: JudgedRuns = given.judged([a, b]) if callable(getattr(given, "judged", None)) else given
    pair = compared_pair(runs, measure, a, b, claim=claim, test=test, alpha=alpha)
    found = Margins(pair=pair, top=top, convention=unjudged)
    if executor is not None:
        compute_margins([found])
    return found


def compute_margins(several: Iterable[Margins], progress: Progress = silent) -> None:
    """Compute the margins of some conclusions that take long, by the executor in use, before they are asked for.

    Parameters
    ----------
    several : iterable of Margins
        The margins; what is computed is kept in them.
    progress : callable, optional
        Shows how far it is.

    Examples
    --------
    >>> import measurand as md
    >>> judged = md.judge({"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d1": 1.0}}}, {"1": {"d1": 1}})
    >>> found = margins(judged, "RR", "a", "b")
    >>> compute_margins([found])
    >>> found.judgments.value
    1
    """
    pieces = [(each, name) for each in several if each.holds for name in LONG if name not in vars(each)]
    computed = progress(mapped(_computed, pieces), len(pieces), "looking at margins")
    for (each, name), part in zip(pieces, computed, strict=True):
        vars(each)[name] = part


def _computed(piece: tuple[Margins, str]) -> Margin:
    part: Margin = getattr(*piece)
    return part
