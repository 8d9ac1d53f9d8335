"""The unanimity of measures on a campaign, with the constraints that each of them meets: the paper's Table 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from measurand.axioms.matrix import ERRATA, PRINTED, ConstraintMatrix, Row
from measurand.display.markup import caveat_notes, joined, table
from measurand.display.wording import counted
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.execution import Progress, silent
from measurand.information.unanimity import MeasureUnanimity, Unanimity
from measurand.information.unanimity import unanimity as unanimity_of_scores
from measurand.judged import JudgedRuns
from measurand.measures import Measure, parse
from measurand.measures.base import in_collection
from measurand.study.evaluation import asked_for, read_measures
from measurand.study.exact_order import ExactOrder, exact_order
from measurand.study.typical_topic import TypicalTopic, collection_of

PAPER_CUTOFF = 100
"""Where names of Table 2 without a cutoff presumably end.

The text speaks of cutoffs 20, 50 and 100, the table has P@10 and RR@10 as well. OIE is run at 100, so DCG and ERR
without a cutoff presumably are too; we take it for AP and RBP likewise. The marks of DCG and ERR are those of the
measures without any cutoff: at 100 these would lose priority and deepness.
"""

LISTED_COLLECTION = 1_000_000
"""The size of the collection that the measures of Table 2 are listed with here."""

NOT_OF_ORDER = (Doubt.SCALE, Doubt.ASSUMPTION, Doubt.NO_CUTOFF)
"""What does not matter where nothing counts but the order of systems on a topic."""


@frozen(kw_only=True)
class UnanimityRow:
    """One measure: its unanimity on the campaign, and the constraints that it meets.

    Parameters
    ----------
    constraints
        The verdicts on the five constraints, if they were asked for.
    name
        How the measure stands in the paper's Table 2, if it does.
    """

    found: MeasureUnanimity
    constraints: Row | None = None
    name: str | None = None

    @property
    def measure(self) -> str:
        """The measure's spelling."""
        return self.found.measure

    @property
    def printed(self) -> str | None:
        """The marks of the paper's table, 1 for a constraint that it says holds."""
        return None if self.name is None else PRINTED[self.name]

    @property
    def differing(self) -> dict[str, str]:
        """The constraints on which ours is not the paper's mark, each with its entry of the errata, if it has one.

        Where it has none, the mark depends on the topic: on the size of the collection and the number of relevant
        documents.
        """
        if self.constraints is None or self.name is None:
            return {}
        row = evolve(self.constraints, printed=self.printed)
        return {constraint: ERRATA.get((self.name, constraint), "") for constraint in row.differing}


@frozen(kw_only=True, repr=False)
class UnanimityTable:
    """What `unanimity` found: a row for each measure; iterates over them, the highest unanimity first.

    Parameters
    ----------
    unanimity
        How often the measures agree, and how often each ties where all do.
    constraints
        The constraint matrix of the same measures, if it was asked for.
    orders
        The order of the systems under each measure, and how ties were decided.
    collection
        How many documents there are, as said or as assumed.
    """

    unanimity: Unanimity
    constraints: ConstraintMatrix | None
    orders: Mapping[str, ExactOrder]
    rows: tuple[UnanimityRow, ...]
    collection: int
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        return f"<UnanimityTable: {', '.join(row.measure for row in self)}>"

    def __iter__(self) -> Iterator[UnanimityRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, measure: Measure | str) -> UnanimityRow:
        [wanted] = read_measures(measure).values()
        # who did not know how many documents there are was told
        spellings = {repr(wanted), repr(in_collection(wanted, self.collection))}
        found = [row for row in self.rows if row.measure in spellings]
        if not found:
            raise ParameterError(f"{wanted!r} was not asked for; there is {', '.join(row.measure for row in self)}")
        return found[0]

    def _repr_html_(self) -> str:
        found = self.unanimity
        pairs = f"all agree on {found.unanimous:,} of {found.pairs:,} {found.compared}"
        caption = f"Unanimity of {counted(len(self), 'measure')}: {pairs}; ties decided on {self.decided_on}"
        rows = [(row.measure, *_shown(row.found)) for row in self]
        shown = table(caption, ("measure", "unanimity", "tie rate", "ties"), rows)
        return str(joined([shown, caveat_notes(self.caveats)], "\n"))

    @property
    def exact(self) -> bool:
        """Whether exact values decided all ties."""
        return all(order.exact for order in self.orders.values())

    @property
    def decided_on(self) -> str:
        """What decided ties, in words."""
        return "exact values" if self.exact else "exact values where these are known, else floats"

    @property
    def told_apart(self) -> int:
        """How many groups of systems have one score as floats, but different ones in truth."""
        return sum(order.told_apart for order in self.orders.values())


def _shown(found: MeasureUnanimity) -> tuple[str, str, str]:
    """Return the unanimity of a measure, its tie rate and its ties, as people read them."""
    value, rate = found.value, found.tie_rate
    return "–" if value is None else f"{value:.4f}", "–" if rate is None else f"{float(rate):.1%}", f"{found.tied:,}"


def unanimity(
    *inputs: Any,
    collection: int | None = None,
    recall_base: int | None = None,
    ranks: int | None = None,
    constraints: bool = True,
    self_pairs: bool = False,
    progress: Progress = silent,
    **reading: Any,
) -> UnanimityTable:
    """Return the unanimity of measures on a campaign, with the constraints that each of them meets.

    Call it as `unanimity(judged, measures)` or as `unanimity(qrels, runs, measures)`, like `evaluate`, with the same
    options for reading and judging. Without measures it takes those of the paper's Table 2. Ties are decided on exact
    values, not on floats.

    Parameters
    ----------
    collection
        How many documents there are. Measures that were not told are told; by default those that were judged, with
        room for rankings, which is noted.
    recall_base
        How many of them are relevant, for the constraints; by default the median over the topics, at least 1.
    ranks
        How many ranks the constraints are looked at on; by default more than the largest cutoff.
    constraints
        Whether to look at the five constraints at all.
    self_pairs
        Whether to compare each system with itself as well, as the paper's formula has it.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> one = read_run({"1": {"d1": 2.0, "d2": 1.0}, "2": {"d1": 1.0, "d2": 2.0}}, name="one")
    >>> other = read_run({"1": {"d1": 1.0, "d2": 2.0}, "2": {"d1": 1.0, "d2": 2.0}}, name="other")
    >>> judgments = {"1": {"d1": 1}, "2": {"d2": 1}}
    >>> table = unanimity(judgments, [one, other], ["P@2", "RR"], collection=100)
    >>> [(row.measure, row.found.tie_rate, row.constraints.marks) for row in table]
    [('RR', Fraction(2, 3), '11100'), ('P@2', Fraction(1, 1), '01000')]

    References
    ----------
    [Amigo2018]_, Table 2
    """
    judged, wanted = asked_for("unanimity", _completed(inputs), reading, progress)
    topic = TypicalTopic.of(judged, wanted.values(), collection, recall_base, ranks)
    measures = list(dict.fromkeys(topic.told(measure, judged) for measure in wanted.values()))
    several = progress(measures, len(measures), "order under each measure")
    orders = {repr(measure): exact_order(measure, judged) for measure in several}
    found = unanimity_of_scores(*(order.scores for order in orders.values()), self_pairs=self_pairs, progress=progress)
    matrix = topic.matrix(measures, progress) if constraints else None
    return UnanimityTable(
        unanimity=found,
        constraints=matrix,
        orders=orders,
        rows=tuple(_rows({repr(measure): measure for measure in measures}, found, matrix)),
        collection=topic.collection,
        caveats=tuple(dict.fromkeys(_caveats(judged, orders, found, topic.assumed(measures, matrix)))),
    )


def paper_measures(collection: int | None = None, *, cutoff: int | None = None) -> list[Measure]:
    """Return the measures of the paper's Table 2.

    Parameters
    ----------
    collection
        How many documents there are; whoever wants to know is told later if nothing is said.
    cutoff
        Where the measures end that the table names without a cutoff, presumably `PAPER_CUTOFF`; by default nowhere.

    Examples
    --------
    >>> paper_measures(5000)[:3]
    [OIE(beta=1.2, collection=5000), OIE(beta=1, collection=5000), RBP(p=0.8)]
    >>> paper_measures(cutoff=PAPER_CUTOFF)[-3:]
    [ERR@20, ERR@100, RR@10]
    """
    measures = [parse(name) for name in PRINTED]
    measures = [measure(collection=collection) if collection_of(measure) else measure for measure in measures]
    return [measure if cutoff is None or measure.cutoff else measure @ cutoff for measure in measures]


def _completed(inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a function was called with, and the paper's measures where none were named."""
    named = 2 if inputs and isinstance(inputs[0], JudgedRuns) else 3
    if len(inputs) == named and inputs[-1] is None:
        inputs = inputs[:-1]
    return (*inputs, paper_measures()) if len(inputs) == named - 1 else tuple(inputs)


def _rows(measures: Mapping[str, Measure], found: Unanimity, matrix: ConstraintMatrix | None) -> Iterator[UnanimityRow]:
    verdicts = {} if matrix is None else {row.measure: row for row in matrix}
    for row in found.best_first:
        name = _name(measures[row.measure])
        yield UnanimityRow(found=row, constraints=verdicts.get(row.measure), name=name)


def _name(measure: Measure) -> str | None:
    """Return how the paper's table has a measure, whatever the size of the collection."""
    named = repr(measure(collection=LISTED_COLLECTION) if collection_of(measure) else measure)
    return named if named in PRINTED else None


def _caveats(
    judged: JudgedRuns, orders: Mapping[str, ExactOrder], found: Unanimity, assumed: Iterator[Caveat]
) -> Iterator[Caveat]:
    yield from judged.caveats
    for order in orders.values():
        yield from (caveat for caveat in order.scores.caveats if caveat.doubt not in NOT_OF_ORDER)
    yield from found.caveats
    yield from assumed
    unsure = [measure for measure, order in orders.items() if not order.exact]
    if unsure:
        text = f"ties of {', '.join(unsure)} were decided on floats where exact values are not known"
        yield Caveat(Doubt.TIES, text)
