"""All properties of a measure at once, and the constraint matrix of several measures.

`examine` values each run once for all properties. `constraint_matrix` has the five constraints of Amigó and others for
several measures, beside the marks of the paper's Table 2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial

from attrs import field, frozen

from measurand.axioms.measurement import measurement_verdict
from measurand.axioms.properties import DECISIONS
from measurand.axioms.thresholds import Contest, NoContest, Topic, contest
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import FunctionFailed, ParameterError
from measurand.execution import Progress, Rng, silent
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.verdict import How, Verdict, first_broken, unusable

CONSTRAINTS = ("priority", "deepness", "deepness_threshold", "closeness_threshold", "confidence")
"""The five constraints of Amigó and others, in the order of their table."""

AXIOMS: Mapping[str, str] = {
    "well_defined": "there is a finite number for every run, and always the same one",
    "replacement": "a better document in place of another does not hurt",
    "swap": "a better document that changes places with a worse one above does not hurt",
    "is_measurement": "the order by replacement and swapping is kept (both of the above), and no value is below 0",
    "priority": "a better document that changes places with its worse neighbour above helps",
    "deepness": "such a change helps more near the top",
    "deepness_threshold": "one relevant document on top beats many that come late enough",
    "closeness_threshold": "several relevant documents that come soon beat one on top",
    "confidence": "a document that is not relevant, put at the end, costs something",
}
"""Every property that is checked, each in a sentence."""

PRINTED: Mapping[str, str] = {
    "OIE(beta=1.2, collection=1000000)": "11111",
    "OIE(beta=1, collection=1000000)": "11100",
    "RBP(p=0.8)": "11110",
    "RBP(p=0.9)": "11110",
    "RBP(p=0.99)": "11110",
    "DCG": "11010",
    "AP": "11010",
    "P@100": "00110",
    "P@50": "00110",
    "P@20": "00110",
    "P@10": "00110",
    "DCG@50": "00110",
    "DCG@20": "00110",
    "ERR@50": "00100",
    "ERR@20": "00100",
    "ERR": "11100",
    "RR@10": "00100",
}
"""The measures of the paper's Table 2 with its marks, 1 for a constraint that holds according to it."""

ERRATA: Mapping[tuple[str, str], str] = {
    ("OIE(beta=1.2, collection=1000000)", "deepness_threshold"): "E-A-1",
    ("OIE(beta=1, collection=1000000)", "deepness_threshold"): "E-A-4",
    ("OIE(beta=1, collection=1000000)", "closeness_threshold"): "E-A-4",
    ("AP", "deepness"): "E-A-5",
}
"""The marks of Table 2 that are wrong, and the entry of the errata that says why."""


def examine(
    measure: Measure,
    space: Space,
    topic: Topic | None = None,
    *,
    wanted: Collection[str] = AXIOMS,
    rng: Rng = 0,
) -> Iterator[tuple[str, Verdict]]:
    """Yield the properties of a measure by name, each with its verdict.

    Parameters
    ----------
    measure
        The measure.
    space
        The runs to check.
    topic
        The topic of the two thresholds; `Topic()` by default.
    wanted
        The properties to decide, of `AXIOMS`; all by default.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.

    Examples
    --------
    >>> from measurand.measures import RR
    >>> [name for name, verdict in examine(RR, Space(depth=5)) if verdict]
    ['well_defined', 'replacement', 'swap', 'is_measurement', 'deepness_threshold']
    """
    valuer, topic = space.valuer(measure), topic or Topic()

    @cache
    def outcome() -> Contest:
        return contest(measure, collection=topic.collection, recall_base=topic.recall_base, grades=space.grades)

    ways: dict[str, Callable[[], Verdict]] = {
        name: partial(decision, valuer, space, rng) for name, decision in DECISIONS.items()
    }
    ways = {name: cache(way) for name, way in ways.items()}

    def measurement() -> Verdict:
        try:
            kept = first_broken([ways["replacement"](), ways["swap"]()])
        except FunctionFailed:
            # the answers may be infinite, which a measurement's may be
            return measurement_verdict(valuer.allowing_infinity(), space, rng)
        return measurement_verdict(valuer, space, rng, kept=kept)

    ways["is_measurement"] = measurement
    ways["deepness_threshold"] = lambda: outcome().deepness()
    ways["closeness_threshold"] = lambda: outcome().closeness()
    for name in AXIOMS:
        if name in wanted:
            try:
                verdict = ways[name]()
            except FunctionFailed as failure:
                verdict = unusable(failure)
            except NoContest as reason:
                verdict = Verdict(False, None, str(reason), How.FAILED)
            yield name, verdict


@frozen(repr=False)
class Row(Result):
    """A measure with the verdicts on the five constraints.

    Parameters
    ----------
    measure
        The spelling of the measure.
    verdicts
        The verdict on each of `CONSTRAINTS`.
    printed
        The marks of the paper's table, if the measure stands there.
    """

    measure: str
    verdicts: Mapping[str, Verdict] = field(hash=False)
    printed: str | None = None

    @property
    def marks(self) -> str:
        """1 for each constraint that holds, 0 for each that does not."""
        return "".join(str(int(bool(self.verdicts[name]))) for name in CONSTRAINTS)

    @property
    def differing(self) -> tuple[str, ...]:
        """The constraints on which the verdict is not the paper's, whether it errs or has another topic in mind."""
        marks = zip(CONSTRAINTS, self.marks, self.printed or self.marks, strict=True)
        return tuple(name for name, ours, theirs in marks if ours != theirs)

    @property
    def errata(self) -> dict[str, str]:
        """The constraints on which the paper's table is wrong, each with the entry of the errata that says why."""
        return {name: ERRATA[self.measure, name] for name in self.differing if (self.measure, name) in ERRATA}

    @property
    def corrected(self) -> dict[str, Verdict]:
        """The constraints on which the paper's table is wrong, each with the verdict that shows it."""
        return {name: self.verdicts[name] for name in self.errata}


def _met(name: str, row: Row) -> bool | None:
    """Return whether a constraint is met; None where that could not be decided."""
    return None if row.verdicts[name].how is How.FAILED else bool(row.verdicts[name])


def _mark(met: bool | None) -> str:
    return "?" if met is None else "✓" if met else "✗"


@frozen(repr=False)
class ConstraintMatrix(Result):
    """The five constraints for several measures; iterates over its rows.

    Parameters
    ----------
    rows
        A row for every measure.
    collection, recall_base
        The number of documents, and how many of them are relevant.
    depth
        The number of ranks of a run.
    """

    rows: tuple[Row, ...]
    collection: int
    recall_base: int
    depth: int

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def document(self) -> Document:
        """Return which constraints each measure meets."""
        heads = {name: name.replace("_", " ") for name in CONSTRAINTS}
        marks = [valued(head, partial(_met, name), _mark, mark=True, key=name) for name, head in heads.items()]
        topic = f"a topic with {self.recall_base:,} relevant documents among {self.collection:,}"
        title = f"Constraints that {counted(len(self.rows), 'measure')} meet, on runs of {self.depth} ranks for {topic}"
        names = Column("measure", lambda row: row.measure, left=True)
        return Document([TableView([names, *marks], self.rows, title=title)])

    def __repr__(self) -> str:
        return f"<ConstraintMatrix: {counted(len(self.rows), 'measure')} on runs of {self.depth} ranks>"

    def __getitem__(self, measure: str | Measure) -> Row:
        wanted = repr(as_measure(measure))
        found = [row for row in self.rows if row.measure == wanted]
        if not found:
            raise ParameterError(f"there is no row {wanted}; there is {', '.join(row.measure for row in self.rows)}")
        return found[0]


def constraint_matrix(
    measures: Iterable[Measure | str] | None = None,
    *,
    collection: int = 1_000_000,
    recall_base: int = 600,
    depth: int = 131,
    rng: Rng = 0,
    progress: Progress = silent,
) -> ConstraintMatrix:
    """Return which measures have priority, deepness, the two thresholds, and confidence.

    Parameters
    ----------
    measures
        Measures or their spellings; by default those of the paper's Table 2.
    collection, recall_base
        The number of documents, and how many of them are relevant; the thresholds depend on both.
    depth
        The number of ranks of a run; a cutoff shows only in runs that are longer.
    rng
        Generator of random numbers, or a seed: draws runs where there are too many to check them all.
    progress
        Shows how far the computation is.

    Examples
    --------
    >>> matrix = constraint_matrix(["AP", "RR@10"], collection=10_000, recall_base=20, depth=30)
    >>> [(row.measure, row.marks, row.printed, list(row.corrected)) for row in matrix]
    [('AP', '10010', '11010', ['deepness']), ('RR@10', '00100', '00100', [])]

    References
    ----------
    [Amigo2018]_, Table 2; the constraints are those of [Amigo2013]_
    """
    wanted = [as_measure(measure) for measure in (PRINTED if measures is None else measures)]
    space = Space(depth=depth, grades=2, collection=collection, recall_base=recall_base)
    topic = Topic(collection=collection, recall_base=recall_base)
    rows = [
        Row(
            repr(measure), dict(examine(measure, space, topic, wanted=CONSTRAINTS, rng=rng)), PRINTED.get(repr(measure))
        )
        for measure in progress(wanted, len(wanted), "constraints")
    ]
    return ConstraintMatrix(tuple(rows), collection, recall_base, depth)
