"""The conclusion of a comparison: who leads, how sure that is, what other measures say, what to check first."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from measurand.arrays import BoolArray
from measurand.display.result import Result
from measurand.display.tables import Document, Paragraph, Part, TableView, Words
from measurand.errors import CaveatKind
from measurand.statistics.pairs import FEWEST
from measurand.study.checks import Check, checks_of, empty_results, fragile_topics
from measurand.study.claim import claim
from measurand.study.headlines import headline_of
from measurand.study.lead import Lead, lead_of, most_lost, name_of_correction, name_of_test
from measurand.study.level_classes import Level, examples, is_covered
from measurand.study.margins.card import Tile, tiles
from measurand.study.sentences import Line, lines_of

if TYPE_CHECKING:
    from measurand.measures import Measure
    from measurand.study.comparison import SystemComparison
    from measurand.study.margins.margins import Margins
    from measurand.study.measure_result import MeasureResult


class Kind(StrEnum):
    """What kind of comparison a conclusion is about."""

    ALONE = "alone"
    """One system, with nothing to compare it with."""

    TWO = "two"
    """Two systems."""

    MANY = "many"
    """Three systems or more, every two of which are compared."""

    BASELINE = "baseline"
    """Three systems or more, all compared with one of them."""


@frozen(kw_only=True, repr=False)
class MeasureConclusion(Result):
    """What is concluded under one measure.

    Parameters
    ----------
    measure : str
        The spelling of the measure.
    statistic : str
        What systems are ordered by: "mean"; if the comparison is strict, what the scale admits.
    lower_is_better : bool
        Whether the lower value is the better one.
    leaders : tuple of str
        The systems with the best value, several where they tie.
    value : float
        That value.
    lead : Lead or None
        The leader against the next; of two systems, the first of the conclusion against the other; with a baseline,
        the best other system against it. None if there is one system.
    reference : str or None
        The system that `better` and the others are about: the leader, the baseline, or of two the second.
    better, worse, unseparated, untested : tuple of str
        The systems that the test puts significantly ahead of the reference, and behind it, best first; those that it
        does not separate from it, after correction; and those that share too few topics with it to be tested.
    close : tuple of str
        Of those that are not separated, those that are not without correction either.
    compared, tested, differing : int
        How many pairs are compared, how many of them share topics enough to be tested, and how many differ
        significantly.
    test, correction : str
        The test in words, and whose correction p-values have, "" where there is one pair.
    odd : tuple of Check
        That systems score no more than an empty result, where the measure lets these lead.
    """

    measure: str
    statistic: str
    lower_is_better: bool
    leaders: tuple[str, ...]
    value: float
    lead: Lead | None
    reference: str | None
    better: tuple[str, ...]
    worse: tuple[str, ...]
    unseparated: tuple[str, ...]
    close: tuple[str, ...]
    untested: tuple[str, ...]
    compared: int
    tested: int
    differing: int
    test: str
    correction: str
    odd: tuple[Check, ...] = ()

    def __repr__(self) -> str:
        return f"<MeasureConclusion under {self.measure}: {', '.join(self.leaders) or 'nobody'} first>"

    @property
    def how(self) -> str:
        """The test and its correction, as they stand in brackets."""
        return self.test if "Tukey" in self.test else ", ".join(filter(None, (self.test, self.correction)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        names = ("leaders", "better", "worse", "unseparated", "close", "untested")
        words = ("measure", "statistic", "lower_is_better", "reference", "test", "correction")
        counts = ("compared", "tested", "differing")
        return {
            **{name: getattr(self, name) for name in (*words, *counts)},
            "value": None if self.value != self.value else self.value,
            **{name: list(getattr(self, name)) for name in names},
            "lead": None if self.lead is None else self.lead.to_dict(),
        }


@frozen(kw_only=True, eq=False, repr=False)
class Conclusion(Result):
    """What a comparison says, as a headline, a few lines, and the numbers behind them.

    Parameters
    ----------
    kind : Kind
        Whether there is one system, two, many, or many against a baseline.
    systems : tuple of str
        The systems, best first under the primary measure.
    topics : int
        How many topics there are.
    alpha : float
        The level of significance.
    baseline : str or None
        The system that all others are compared with, if one was named.
    measures : tuple of MeasureConclusion
        What is concluded under each measure, the primary one first.
    everywhere : tuple of str
        Of the systems that the leader beats (of those that beat the baseline; of two, the other one), those for which
        the same order holds under every additive measure, on these topics.
    surely : tuple of str
        Those of them for which it is significant under every additive measure, after correction.
    depth : int
        To which rank that is.
    additive : str
        The best-known additive measures.
    result : MeasureResult
        The comparison under the primary measure, from which margins and checks are computed when they are asked for.
    scored_by : tuple of Measure
        The measures.
    left_out : tuple of str
        What was left out because there is too much of it, in sentences without a full stop.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.compare(md.sample.qrels(), md.sample.runs(), "P@10").conclusion
    >>> print(found.headline)
    rerank-2 leads on P@10, but rerank-1 is not separated from it with or without correction for 66 pairs.
    >>> found.kind, found.lead.against, len(found.worse)
    (<Kind.MANY: 'many'>, 'rerank-1', 10)
    """

    kind: Kind
    systems: tuple[str, ...]
    topics: int
    alpha: float
    baseline: str | None
    measures: tuple[MeasureConclusion, ...]
    everywhere: tuple[str, ...]
    surely: tuple[str, ...]
    depth: int
    additive: str
    result: MeasureResult = field(repr=False)
    scored_by: tuple[Measure, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def primary(self) -> MeasureConclusion:
        """What is concluded under the primary measure."""
        return self.measures[0]

    @property
    def others(self) -> tuple[MeasureConclusion, ...]:
        """What is concluded under the other measures."""
        return self.measures[1:]

    @property
    def measure(self) -> str:
        """The spelling of the primary measure."""
        return self.primary.measure

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems with the best value under the primary measure, several where they tie."""
        return self.primary.leaders

    @property
    def lead(self) -> Lead | None:
        """The two systems that the conclusion is about first, and how far they are apart."""
        return self.primary.lead

    @property
    def reference(self) -> str | None:
        """The system that `better` and the others are about: the leader, the baseline, or of two the second."""
        return self.primary.reference

    @property
    def better(self) -> tuple[str, ...]:
        """The systems that are significantly better than the reference."""
        return self.primary.better

    @property
    def worse(self) -> tuple[str, ...]:
        """The systems that are significantly worse than the reference."""
        return self.primary.worse

    @property
    def unseparated(self) -> tuple[str, ...]:
        """The systems that the test does not separate from the reference, after correction."""
        return self.primary.unseparated

    @property
    def close(self) -> tuple[str, ...]:
        """Those of them that it does not separate without correction either."""
        return self.primary.close

    @property
    def tested(self) -> bool:
        """Whether anything could be tested: not on one topic, nor where systems share none."""
        return self.topics >= FEWEST and bool(self.better or self.worse or self.unseparated)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """What to check before believing any of it, most important first."""
        odd = (check for each in self.measures for check in each.odd)
        return (*odd, *checks_of(self.result, self.lead, self.scored_by))

    @cached_property
    def dropped(self) -> tuple[str, ...]:
        """Few topics without which the lead would no longer be significant; none if it takes many."""
        return fragile_topics(self.result, self.lead)

    @cached_property
    def primary_is_additive(self) -> bool:
        """Whether what holds under every additive measure holds under the primary one."""
        levels, measure = self.result.levels, self.result.scored_by
        return is_covered(
            measure, Level.ADDITIVE, depth=levels.depth, grades=levels.grades, deepest=levels.judged.depth
        )

    @cached_property
    def lost(self) -> tuple[tuple[str, float, float], ...]:
        """The topics on which the first system of `lead` loses most, at most three: topic, and the scores of both.

        The score of the other system comes first. There are none where differences are not looked at.
        """
        return () if self.lead is None or self.lead.difference is None else most_lost(self.result, self.lead)

    @cached_property
    def margins(self) -> Margins | None:
        """What would overturn that one of the two systems of `lead` is ahead; None where neither is.

        Each margin is computed when it is first asked for, which may take a while.
        """
        if self.lead is None:
            return None
        return claim(self.result, self.lead.system, self.lead.against).margins

    @property
    def card(self) -> tuple[Tile, ...]:
        """The six tiles of what would overturn the lead, none where there is no lead; computing them may take long."""
        return () if self.margins is None else tiles(self.margins)

    @property
    def headline(self) -> str:
        """The conclusion in one or two sentences."""
        return headline_of(self)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """What supports the headline, most important first."""
        return tuple(lines_of(self))

    def __repr__(self) -> str:
        return f"<Conclusion: {self.headline}>"

    def parts(self) -> list[Part]:
        """Return headline and lines, as a document has them."""
        found: list[Part] = [Paragraph(self.headline, "strong")]
        for line in self.lines:
            tone = "faint" if line.quiet else ""
            strong = ((f"{line.strong} ", "strong"),) if line.strong else ()
            found.append(Paragraph(Words((*strong, (line.text, ""))), tone, indent=1))
        return found

    def document(self) -> Document:
        """Return the headline and the lines."""
        return Document(self.parts())

    def _main(self) -> TableView:
        rows = [{"about": line.about, "strong": line.strong, "text": line.text} for line in self.lines]
        rows = [{"about": "headline", "strong": self.headline, "text": ""}, *rows]
        return TableView([], rows, fields=dict.fromkeys(("about", "strong", "text"), str))

    def to_dict(self) -> dict[str, Any]:
        """Return the sentences and what they rest on, ready for JSON."""
        return {
            "headline": self.headline,
            "lines": [line.to_dict() for line in self.lines],
            "checks": [check.to_dict() for check in self.checks],
            "kind": str(self.kind),
            "primary": self.measure,
            "systems": list(self.systems),
            "topics": self.topics,
            "alpha": self.alpha,
            "baseline": self.baseline,
            "measures": [each.to_dict() for each in self.measures],
            "every_additive_measure": {
                "systems": list(self.everywhere),
                "significantly": list(self.surely),
                "depth": self.depth,
            },
            "topics_to_drop": list(self.dropped),
            "topics_lost": [dict(zip(("topic", "against", "system"), each, strict=True)) for each in self.lost],
        }


def conclude(comparison: SystemComparison) -> Conclusion:
    """Return the conclusion of a comparison.

    Parameters
    ----------
    comparison : SystemComparison
        The comparison.

    Examples
    --------
    >>> import measurand as md
    >>> print(conclude(md.compare(md.sample.qrels(), md.sample.runs()[:1], "P@10")).headline)
    dense-1 scores 0.654 on P@10. There is nothing to compare it with.
    """
    result = comparison.primary
    kind = _kind(len(result.order), comparison.baseline)
    pair = _pair(comparison) if kind is Kind.TWO else None
    measures = tuple(_under(each, pair) for each in comparison.results)
    return Conclusion(
        kind=kind,
        systems=result.systems,
        topics=len(result.scores.topics),
        alpha=comparison.alpha,
        baseline=comparison.baseline,
        measures=measures,
        everywhere=_everywhere(comparison.levels.ahead(Level.ADDITIVE), comparison, measures[0], kind),
        surely=_everywhere(comparison.levels.significant, comparison, measures[0], kind),
        depth=comparison.levels.depth,
        additive=examples(Level.ADDITIVE, grades=comparison.levels.grades),
        result=result,
        scored_by=tuple(each.scored_by for each in comparison.results),
        left_out=tuple(str(each) for each in comparison.caveats if each.kind is CaveatKind.LEFT_OUT),
    )


def _kind(systems: int, baseline: str | None) -> Kind:
    if systems < 2:
        return Kind.ALONE
    if systems == 2:
        return Kind.TWO
    return Kind.MANY if baseline is None else Kind.BASELINE


def _pair(comparison: SystemComparison) -> tuple[str, str]:
    """Return two systems: the candidate and the baseline, or the one that leads under the primary measure first.

    Where that puts both level, the first measure that does not decides.
    """
    if comparison.baseline is not None:
        return next(name for name in comparison.primary.systems if name != comparison.baseline), comparison.baseline
    first, second = comparison.primary.systems
    leads = (lead_of(each, first, second) for each in comparison.results)
    return (second, first) if next((lead.ahead for lead in leads if lead.ahead), first) == second else (first, second)


def leaders_of(result: MeasureResult) -> tuple[str, ...]:
    """Return the systems with the best value under a measure, several where they tie, in their order.

    Parameters
    ----------
    result
        The comparison under the measure.
    """
    places = result.places
    return tuple(system for system in result.systems if places.get(system) == 1)


def _under(result: MeasureResult, pair: tuple[str, str] | None) -> MeasureConclusion:
    """Return what is concluded under one measure."""
    leaders, systems = leaders_of(result), result.systems
    reference = _reference(result, pair)
    lead = _lead(result, pair, leaders)
    groups: dict[str, list[str]] = {"better": [], "worse": [], "unseparated": [], "close": [], "untested": []}
    if reference is not None:
        row, significant = result.pairs.place(reference), result.pairs.significant(result.alpha)
        for place in result.order:
            if place == row:
                continue
            group = _group(result, place, row, bool(significant[place, row]))
            groups[group].append(result.scores.systems[place])
            if group == "unseparated" and not result.uncorrected.pvalues[place, row] <= result.alpha:
                groups["close"].append(result.scores.systems[place])
    return MeasureConclusion(
        measure=result.scores.measure,
        statistic=result.summary.statistic,
        lower_is_better=result.summary.lower_is_better,
        leaders=leaders,
        value=result.summary[systems[0]],
        lead=lead,
        reference=reference,
        **{name: tuple(group) for name, group in groups.items()},
        compared=result.compared,
        tested=_tested(result),
        differing=result.significant,
        test=name_of_test(result),
        correction=name_of_correction(result),
        odd=empty_results(result),
    )


def _tested(result: MeasureResult) -> int:
    """Return how many of the compared pairs share topics enough to be tested."""
    places = (tuple(pair) for pair in result.ranked_pairs)
    return sum(bool(result.pairs.topics[pair] >= FEWEST) for pair in places)


def _group(result: MeasureResult, place: int, row: int, significant: bool) -> str:
    """Return how a system stands to the reference."""
    if result.pairs.topics[place, row] < FEWEST:
        return "untested"
    statistic = result.pairs.statistic[place, row]
    if not significant or statistic == 0:
        return "unseparated"
    return "better" if statistic > 0 else "worse"


def _reference(result: MeasureResult, pair: tuple[str, str] | None) -> str | None:
    if len(result.order) < 2:
        return None
    if pair is not None:
        return pair[1]
    return result.systems[0] if result.baseline is None else result.baseline


def _lead(result: MeasureResult, pair: tuple[str, str] | None, leaders: tuple[str, ...]) -> Lead | None:
    """Return the two systems that are spoken of first under a measure."""
    systems = result.systems
    if len(systems) < 2:
        return None
    if pair is not None:
        return lead_of(result, *pair)
    if result.baseline is not None:
        best = next(system for system in systems if system != result.baseline)
        return _for_all(result, lead_of(result, best, result.baseline))
    other = next((system for system in systems if system not in leaders), systems[1])
    return lead_of(result, systems[0], other)


def _for_all(result: MeasureResult, lead: Lead) -> Lead:
    """Return the lead of the best of several with the interval that holds for all of them, since it was chosen."""
    found = result.simultaneous
    if lead.low is None or found is None:
        return lead
    place = result.scores.systems.index(lead.system)
    low, high = float(found.low[place]), float(found.high[place])
    if not (isfinite(low) and isfinite(high)):
        return evolve(lead, low=None, high=None)
    by = "Dunnett" if found.resampled else "Bonferroni"
    return evolve(lead, low=low, high=high, simultaneous=by, together=found.pairs)


def _everywhere(
    ahead: BoolArray, comparison: SystemComparison, primary: MeasureConclusion, kind: Kind
) -> tuple[str, ...]:
    """Return the systems for which what is concluded of them holds wherever one is `ahead` of another."""
    if kind is Kind.ALONE or primary.reference is None:
        return ()
    place = comparison.levels.systems.index
    reference = place(primary.reference)
    if kind is Kind.MANY:
        return tuple(each for each in primary.worse if ahead[reference, place(each)])
    if kind is Kind.BASELINE:
        return tuple(each for each in primary.better if ahead[place(each), reference])
    lead = primary.lead
    if lead is None or lead.ahead is None or lead.behind is None:
        return ()
    return (lead.behind,) if ahead[place(lead.ahead), place(lead.behind)] else ()
