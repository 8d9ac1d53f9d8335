"""What `unanimity` finds: how rarely measures tie where all agree, the constraints they meet, and how that is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from attrs import evolve, frozen

from measurand.axioms.examine import AXIOMS, CONSTRAINTS, ERRATA, PRINTED, ConstraintMatrix, Row
from measurand.display.data import exact_number
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words, listing
from measurand.display.wording import counted, listed
from measurand.errors import Caveat, ParameterError
from measurand.information.unanimity import MeasureUnanimity, Unanimity
from measurand.measures import Measure
from measurand.measures.campaigns import in_collection
from measurand.study.evaluation import read_measures
from measurand.verdict import How, Verdict

HEADS: Mapping[str, str] = {
    "priority": "Pri",
    "deepness": "Deep",
    "deepness_threshold": "DeepTh",
    "closeness_threshold": "CloseTh",
    "confidence": "Conf",
}
"""What the constraints are called at the top of a column, as in the paper's table."""


@frozen(kw_only=True)
class UnanimityRow:
    """One measure: its unanimity on the campaign, and the constraints that it meets.

    Parameters
    ----------
    constraints
        The verdicts on the five constraints, if they were wanted.
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
        """The marks of the paper's table, 1 for a constraint that holds."""
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
class UnanimityTable(Result):
    """What `unanimity` found: a row for each measure; iterates over them, the highest unanimity first.

    Parameters
    ----------
    unanimity
        How often the measures agree, and how often each ties where all do.
    constraints
        The constraint matrix of the same measures, if it was wanted.
    orders
        The order of the systems under each measure, and how ties were decided.
    collection
        How many documents there are, as said or as assumed.
    """

    unanimity: Unanimity
    constraints: ConstraintMatrix | None
    orders: Mapping[str, Any]
    rows: tuple[UnanimityRow, ...]
    collection: int
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        return f"<UnanimityTable: {listed([row.measure for row in self], 4)}>"

    def __iter__(self) -> Iterator[UnanimityRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, measure: Measure | str) -> UnanimityRow:
        [wanted] = read_measures(measure).values()
        # measures without a size of the collection were given one
        spellings = {repr(wanted), repr(in_collection(wanted, self.collection))}
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
        >>> from measurand.study.unanimity import unanimity
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
        heading = Paragraph(Legend.TITLE, "strong faint")
        legend = listing(self._legend(), tones=["strong faint", "faint"])
        view = evolve(self.view(), title=title, about=about)
        return Document([view, "", *self._beside_the_paper(), heading, legend], self.caveats)

    def latex_table(self) -> TableView:
        """Return a table like the paper's Table 2, the highest unanimity first."""
        found, view = self.unanimity, self.view()
        title = f"All measures agree on {found.unanimous} of {found.pairs} {found.compared}."
        if self.constraints is not None:
            topic = f"a topic with {self.constraints.recall_base} relevant documents among {self.collection}"
            title += f"\nConstraints on runs of {self.constraints.depth} ranks, for {topic}."
        measure, unanimity, _, _, *marks = view.columns
        rate = Column("Tie rate", lambda row: "–" if row["tie_rate"] is None else f"{row['tie_rate']:.4f}")
        plain = [evolve(each, cell=partial(_unstarred, each)) for each in marks]
        return evolve(view, columns=[evolve(measure, cell="measure"), unanimity, rate, *plain], title=title)

    def to_latex(self) -> str:
        """Return a table like the paper's Table 2 for LaTeX, in the manner of booktabs."""
        from measurand.display.latex import latex_table

        return latex_table(self.latex_table())

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
            " them). It does not tell which measure is right. Ties count half in all shares; by another reading of the"
            " paper it is 1 + log2(1 − tie rate), in the same order.",
        )
        yield "tie rate", "the share of these pairs that the measure ties on; 0% makes MU 1, 100% makes it 0."
        if self.constraints is not None:
            yield from ((HEADS[name], f"{name.replace('_', ' ')}: {AXIOMS[name]}.") for name in CONSTRAINTS)
            yield "✓ ✗", _looked(self.constraints)

    def to_dict(self) -> dict[str, Any]:
        """Return the unanimity of measures as nested dictionaries and lists; what is not defined is None.

        Examples
        --------
        >>> from measurand.study.unanimity import unanimity
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


def _unstarred(column: Column, row: Mapping[str, Any]) -> str:
    return str(column.cell(row)).removesuffix("*")


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
