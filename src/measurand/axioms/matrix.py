"""The constraint matrix: which measures have which of the five properties of Amigó and others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

from measurand.axioms.examine import CONSTRAINTS, examine
from measurand.axioms.thresholds import Topic
from measurand.errors import ParameterError
from measurand.execution import Progress, Rng, silent
from measurand.measures import Measure, as_measure
from measurand.measures.space import Space
from measurand.verdict import Verdict

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


@frozen
class Row:
    """A measure with the verdicts on the five constraints.

    Parameters
    ----------
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


@frozen
class ConstraintMatrix:
    """The five constraints for several measures; iterates over its rows."""

    rows: tuple[Row, ...]
    collection: int
    recall_base: int
    depth: int

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

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
    [Amigo2018]_, Table 2
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
