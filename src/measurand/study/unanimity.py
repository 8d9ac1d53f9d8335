"""The unanimity of measures on a campaign, with the constraints that each of them meets: the paper's Table 2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve, frozen

from measurand.axioms.examine import AXIOMS, CONSTRAINTS
from measurand.axioms.matrix import ERRATA, PRINTED, ConstraintMatrix, Row
from measurand.display.data import exact_number
from measurand.display.markup import html_text
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words, listing
from measurand.display.wording import counted
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.execution import Progress, silent
from measurand.information.unanimity import MeasureUnanimity, Unanimity
from measurand.information.unanimity import unanimity as unanimity_of_scores
from measurand.judged import JudgedRuns
from measurand.measures import Measure, parse
from measurand.study.evaluation import asked_for, read_measures
from measurand.study.exact_order import ExactOrder, exact_order
from measurand.study.typical_topic import TypicalTopic, collection_of
from measurand.verdict import How, Verdict

HEADS: Mapping[str, str] = {
    "priority": "Pri",
    "deepness": "Deep",
    "deepness_threshold": "DeepTh",
    "closeness_threshold": "CloseTh",
    "confidence": "Conf",
}
"""What the constraints are called at the top of a column, as in the paper's table."""

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
        spellings = {repr(wanted), repr(wanted.in_collection(self.collection))}
        found = [row for row in self.rows if row.measure in spellings]
        if not found:
            raise ParameterError(f"{wanted!r} was not asked for; there is {', '.join(row.measure for row in self)}")
        return found[0]

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

    def view(self) -> TableView:
        """Return the table of measures, the highest unanimity first.

        For programs, there is 1 or 0 for each constraint that was looked at, and nothing where a function failed; a
        second column has the mark of the paper's table where the measure stands there.
        """
        looked = () if self.constraints is None else CONSTRAINTS
        columns = [
            Column("measure", lambda row: self._called(row["measure"]), left=True, latex="Measure"),
            Column("MU", lambda row: "–" if row["unanimity"] is None else f"{row['unanimity']:.4f}"),
            Column("tie rate", lambda row: _share(row["tie_rate"]), dispensable=1),
            Column("tied", lambda row: f"{row['tied']:,}", dispensable=2),
            *(Column(HEADS[name], partial(self._mark, name), left=True, mark=True) for name in looked),
        ]
        marks = (*looked, *(f"{name}_printed" for name in looked))
        records = [_record(row) for row in self.rows]
        return TableView(columns, records, fields={**FIELDS, **dict.fromkeys(marks, str)})

    def document(self) -> Document:
        r"""Return what was found: a table of measures, the highest unanimity first, and how to read it.

        Examples
        --------
        >>> from measurand.trec import read_run
        >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
        >>> table = unanimity({"1": {"d1": 1}}, runs, ["RR", "P@2"], constraints=False)
        >>> table.document().tables[0].cells
        [['RR', '1.0000', '0.0%', '0'], ['P@2', '0.0000', '100.0%', '1']]
        """
        found = self.unanimity
        on = f"{counted(found.systems, 'system')} and {counted(found.topics, 'topic')}"
        title = f"Unanimity of {counted(len(self), 'measure')} on {on}"
        agreed = f"All agree on {found.unanimous:,} of {found.pairs:,} {found.compared}"
        apart = f"; {counted(self.told_apart, 'group')} of equal floats told apart" if self.told_apart else ""
        share = f"{found.unanimous / found.pairs:.1%}"
        about = f"{agreed} ({share}). Ties were decided on {self.decided_on}{apart}."
        legend = [Paragraph(Legend.TITLE, "strong faint"), listing(self._legend(), tones=["strong faint", "faint"])]
        view = evolve(self.view(), title=title, about=about)
        return Document([view, "", *self._beside_the_paper(), *legend], self.caveats)

    def latex_table(self) -> TableView:
        """Return a table like the paper's Table 2, the highest unanimity first."""
        found, view = self.unanimity, self.view()
        title = f"All measures agree on {found.unanimous} of {found.pairs} {found.compared}."
        if self.constraints is not None:
            topic = f"a topic with {self.constraints.recall_base} relevant documents among {self.collection}"
            title += f"\nConstraints on runs of {self.constraints.depth} ranks, for {topic}."
        measure, unanimity, _, _, *marks = view.columns
        rate = Column("Tie rate", lambda row: "–" if row["tie_rate"] is None else f"{row['tie_rate']:.4f}")
        plain = [evolve(each, cell=lambda row, each=each: _unstarred(each.cell(row))) for each in marks]
        return evolve(view, columns=[evolve(measure, cell="measure"), unanimity, rate, *plain], title=title)

    def _called(self, measure: str) -> str:
        """Return a measure's name, without the size of the collection where it is that of the table."""
        size = rf"collection={self.collection}(?=[,)])"
        return re.sub(rf", {size}|\({size}\)|(?<=\(){size}, ", "", measure)

    def _mark(self, name: str, record: Mapping[str, Any]) -> Words:
        row = next(row for row in self.rows if row.measure == record["measure"])
        if row.constraints is None:
            return Words()
        return sign(row.constraints.verdicts[name]) + Words.of("*" if name in row.differing else "", "unsure")

    def _beside_the_paper(self) -> Iterator[Part]:
        """Return where the paper's table has another mark: because it errs, or because its topic is another one."""
        differing = [
            (f"{self._called(row.measure)} {HEADS[name]}", erratum)
            for row in self
            for name, erratum in row.differing.items()
        ]
        if not differing:
            return
        yield Paragraph("* In Table 2 of Amigó and others (2018) this mark is the opposite:", indent=1)
        wrong = [f"{mark} ({erratum})" for mark, erratum in differing if erratum]
        elsewhere = [mark for mark, erratum in differing if not erratum]
        hang = "it depends" if len(elsewhere) == 1 else "they depend"
        lines = [("  wrong there", f"{', '.join(wrong)}; docs/concepts/information.md tells why")] if wrong else []
        if elsewhere:
            lines.append(("  other topic", f"{', '.join(elsewhere)}: {hang} on how many documents are relevant"))
        yield listing(lines)
        yield ""

    def _legend(self) -> Iterator[tuple[str, str]]:
        yield (
            "MU",
            "metric unanimity, log2(2 − tie rate), from 0 to 1. It only tells how rarely a measure ties on pairs of"
            " systems that no measure orders the other way (two systems on one topic; pairs on which all tie are among"
            " them). It does not tell which measure is right.",
        )
        yield "tie rate", "the share of these pairs that the measure ties on; 0% makes MU 1, 100% makes it 0."
        if self.constraints is not None:
            yield from ((HEADS[name], f"{name.replace('_', ' ')}: {AXIOMS[name]}.") for name in CONSTRAINTS)
            yield "✓ ✗", _looked(self.constraints)

    def to_dict(self) -> dict[str, Any]:
        """Return the unanimity of measures as nested dictionaries and lists; what is not defined is None.

        Examples
        --------
        >>> from measurand.trec import read_run
        >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
        >>> data = unanimity({"1": {"d1": 1}}, runs, ["RR", "P@2"], constraints=False).to_dict()
        >>> [(row["measure"], row["unanimity"], row["tie_rate"]["exact"]) for row in data["measures"]]
        [('RR', 1.0, '0'), ('P@2', 0.0, '1')]
        """
        found, matrix = self.unanimity, self.constraints
        names = ("systems", "topics", "pairs", "unanimous", "left_out", "self_pairs")
        return {
            **{name: getattr(found, name) for name in names},
            "ties": {"decided_on": self.decided_on, "told_apart": self.told_apart},
            "collection": self.collection,
            "recall_base": None if matrix is None else matrix.recall_base,
            "ranks": None if matrix is None else matrix.depth,
            "measures": [self._measure(row) for row in self],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def _measure(self, row: UnanimityRow) -> dict[str, Any]:
        found, order, rate = row.found, self.orders[row.measure], row.found.tie_rate
        return {
            "measure": row.measure,
            "unanimity": found.value,
            "tie_rate": None if rate is None else exact_number(rate),
            "tied": found.tied,
            "probabilities": {name: str(getattr(found, name)) for name in ("prefers", "all_agree", "joint")},
            "ties": {"exact": order.exact, "told_apart": order.told_apart, "open": order.open},
            "constraints": None if row.constraints is None else _constraints(row, row.constraints),
        }

    def _repr_html_(self) -> str:
        return html_text(self.document())


FIELDS = {"measure": str, "unanimity": float, "tie_rate": float, "tied": int, "unanimous": int, "pairs": int}
"""What is known of a measure, for programs, before the constraints."""


def sign(verdict: Verdict) -> Words:
    """Return the mark of a constraint: that it holds, was never seen broken, is broken, or open.

    Parameters
    ----------
    verdict
        The verdict on it.

    Examples
    --------
    >>> str(sign(Verdict(True))), str(sign(Verdict(True, how=How.SAMPLED))), str(sign(Verdict(False)))
    ('✓', '(✓)', '✗')
    """
    if verdict.how is How.FAILED:
        return Words.of("?", "strong unsure")
    if verdict and not verdict.certain:
        return Words.of("(✓)", "good")
    return Words.of("✓", "good") if verdict else Words.of("✗", "bad")


def _unstarred(mark: Words) -> str:
    return str(mark).removesuffix("*")


def _share(share: float | None) -> str:
    return "–" if share is None else "<0.1%" if 0 < share < 0.0005 else f"{share:.1%}"


def _record(row: UnanimityRow) -> dict[str, Any]:
    """Return what is known of a measure, for programs."""
    found, rate = row.found, row.found.tie_rate
    values = (row.measure, found.value, None if rate is None else float(rate), found.tied, found.unanimous, found.pairs)
    record: dict[str, Any] = dict(zip(FIELDS, values, strict=True))
    if row.constraints is not None:
        printed = row.printed or [""] * len(CONSTRAINTS)
        for name, mark, other in zip(CONSTRAINTS, row.constraints.marks, printed, strict=True):
            record[name] = "" if row.constraints.verdicts[name].how is How.FAILED else mark
            record[f"{name}_printed"] = other
    return record


def _constraints(row: UnanimityRow, constraints: Row) -> dict[str, Any]:
    printed = dict(zip(CONSTRAINTS, row.printed or "", strict=row.printed is not None))
    return {
        name: {
            **constraints.verdicts[name].to_dict(AXIOMS[name]),
            "printed": None if name not in printed else printed[name] == "1",
            "erratum": row.differing.get(name) or None,
        }
        for name in CONSTRAINTS
    }


def _looked(matrix: ConstraintMatrix) -> str:
    verdicts = [verdict for row in matrix for verdict in row.verdicts.values()]
    tried = " (✓): no run that was tried breaks it." if any(v and not v.certain for v in verdicts) else ""
    failed = " ?: the function failed on a run." if any(v.how is How.FAILED for v in verdicts) else ""
    return (
        f"on runs of {matrix.depth} ranks, for a topic with {matrix.recall_base:,} relevant documents among"
        f" {matrix.collection:,}.{tried}{failed}"
    )


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
