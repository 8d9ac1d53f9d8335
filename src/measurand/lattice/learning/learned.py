"""What was learned from statements about judged runs: a measure, or the statements that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from attrs import frozen

from measurand.display.result import Result, shortened
from measurand.display.tables import Column, Document, Part, TableView, valued
from measurand.display.wording import capitalised, counted, number
from measurand.errors import NotAvailable
from measurand.judged.graded_runs import NamedRun, shown_grades
from measurand.judged.grades import spelled
from measurand.lattice.learning.contradiction import RunContradiction
from measurand.lattice.learning.statements import RunStatement, Stated
from measurand.lattice.learning.unknowns import Unknowns
from measurand.lattice.valuation import Extension, extend
from measurand.lattice.valuation.measures_on import places_are_grades, refuse_other_grades
from measurand.measures.discount_curve import DiscountCurve, WeightedRanks
from measurand.search_length.preferences.representation import Kind

NAME = "Learned"
"""What a measure is called if nothing is said."""

EXACT = "exact"
"""No other measure does better: proved."""

FOUND = "found"
"""The measure agrees as is said; whether another does better was not decided."""

UNDECIDED = "undecided"
"""Neither a measure nor a contradiction was found."""


@frozen(repr=False)
class Disagreement(Result):
    """A statement that a measure does not agree with.

    Parameters
    ----------
    statement
        The statement.
    difference
        How much more the first run scores than the second.
    """

    statement: RunStatement
    difference: Fraction

    def __str__(self) -> str:
        return f"{self.statement}; it scores {_more(self.difference)}"


def _more(difference: Fraction) -> str:
    if difference == 0:
        return "the same"
    return f"{number(abs(difference))} {'more' if difference > 0 else 'less'}"


@frozen(repr=False, eq=False, slots=False)
class Learned(Result):
    """A measure learned from statements, or why there is none.

    Parameters
    ----------
    stated
        The statements, each once, and the order they are about.
    unknowns
        What was sought: a valuation, or a discount curve.
    how
        "exact", "found" or "undecided".
    steps
        What each step adds to the value of the runs above it; None where nothing was learned. The best run has the
        value 1, the worst 0.
    contradiction
        Statements that cannot hold together, if all cannot.
    against_order
        All statements that contradict the order itself.
    tolerance
        With slack: how far ahead the preferred run of a statement should be.
    flat
        Whether steps may be 0.
    name
        What the measure is called.
    """

    stated: Stated
    unknowns: Unknowns
    how: str
    steps: tuple[Fraction, ...] | None = None
    contradiction: RunContradiction | None = None
    against_order: tuple[RunStatement, ...] = ()
    tolerance: Fraction | None = None
    flat: bool = False
    name: str = NAME

    @property
    def statements(self) -> tuple[RunStatement, ...]:
        """The statements, each once."""
        return self.stated.statements

    def __bool__(self) -> bool:
        return self.steps is not None and not self.disagreements

    @cached_property
    def values(self) -> Mapping[NamedRun, Fraction] | None:
        """The values of the join-irreducible runs, from which those of all runs follow."""
        return None if self.steps is None else self.unknowns.values(self.steps)

    @cached_property
    def measure(self) -> Extension | WeightedRanks:
        """The measure, which works wherever a measure does; where nothing was learned, an error that says so."""
        if self.values is None:
            raise NotAvailable(f"{self.answer} Ask for the contradiction, or learn with slack=True")
        refuse_other_grades(self.stated.algebra, self.name)
        if self.discounts is not None and self.unknowns.by_grade is not None:
            label = "" if self.name == NAME else self.name
            return DiscountCurve(by_rank=self.discounts, by_grade=self.unknowns.by_grade, label=label)
        return extend(self.stated.algebra, self.values, name=self.name)

    @cached_property
    def discounts(self) -> tuple[Fraction, ...] | None:
        """The weight of each rank, if a discount curve was sought: a document of gain 1 there adds so much."""
        return None if self.steps is None else self.unknowns.discounts(self.steps)

    @cached_property
    def differences(self) -> tuple[Fraction, ...]:
        """How much more the first run of each statement scores than the second."""
        if self.steps is None:
            return ()
        return self.unknowns.differences(self.statements, self.steps)

    @property
    def margin(self) -> Fraction | None:
        """The smallest difference between a preferred run and the other; 0 or less where a preference is given up."""
        pairs = zip(self.statements, self.differences, strict=False)
        return min((gap for each, gap in pairs if each.kind is Kind.BETTER), default=None)

    @property
    def smallest_step(self) -> Fraction | None:
        """The least that a step of the order adds, those that add nothing left out."""
        least = min(filter(None, self.steps or ()), default=None)
        return None if least is None else least * self.unknowns.least_rise

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The statements that the measure does not agree with, the furthest off first."""
        pairs = zip(self.statements, self.differences, strict=False)
        found = [Disagreement(each, gap) for each, gap in pairs if not each.met_by(gap)]
        return tuple(sorted(found, key=lambda each: -abs(each.difference)))

    @property
    def total_shortfall(self) -> Fraction | None:
        """With slack: what is made as small as possible, the shortfalls of all statements times their counts."""
        if self.tolerance is None or self.steps is None:
            return None
        pairs = zip(self.statements, self.differences, strict=True)
        return sum((each.count * shortfall(each.kind, gap, self.tolerance) for each, gap in pairs), Fraction(0))

    @property
    def agreement(self) -> Fraction | None:
        """The share of the statements that the measure agrees with, each as often as it was made."""
        if self.steps is None:
            return None
        lost = sum((each.statement.count for each in self.disagreements), Fraction(0))
        return 1 - lost / self.stated.total

    def __repr__(self) -> str:
        return f"<Learned: {shortened(self.answer)}>"

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        several = _several(self.stated)
        if self.steps is None:
            if self.contradiction is None:
                return f"Undecided: whether a measure agrees with {several} could not be computed exactly."
            return f"No {self._none} agrees with {several}."
        if self.disagreements:
            total = self.stated.total
            met = total - sum((each.statement.count for each in self.disagreements), Fraction(0))
            one = "One that comes as close as any" if self.how == EXACT else "The one that was found"
            return f"No {self._none} agrees with {several}. {one} agrees with {number(met)} of {number(total)}."
        return f"A {self._kind} agrees with {several}."

    @property
    def _kind(self) -> str:
        return "discount curve" if self.unknowns.additive else "measure"

    @property
    def _none(self) -> str:
        """What there is none of: where statements lead in a circle no measure agrees, else one of another kind may."""
        if self.contradiction is not None and self.contradiction.circle:
            apart = "" if self.contradiction.strict else " and tells the best run from the worst"
            return f"measure that keeps the order{apart}"
        gains = " with these gains" if self.stated.algebra.grades > 2 else ""
        return f"discount curve{gains}" if self.unknowns.additive else "valuation"

    @property
    def _closest(self) -> str | None:
        """The closest call, in a sentence."""
        pairs = [pair for pair in zip(self.differences, self.statements, strict=False) if pair[1].kind is Kind.BETTER]
        if not pairs or self.disagreements:
            return None
        gap, closest = min(pairs, key=lambda pair: pair[0])
        call = f"{spelled(closest.one)} over {spelled(closest.other)}, by {number(gap)}"
        return f"The closest call is {call}; the worst run has the value 0, the best 1."

    @property
    def _known(self) -> str | None:
        """How the answer is known, in a sentence."""
        if self.steps is None:
            return None
        if self.tolerance is not None:
            best = "No other falls short by less (exact)" if self.how == EXACT else "Another may fall short by less"
            return (
                f"A preferred run should be ahead by {number(self.tolerance)}. All statements together fall short of"
                f" that by {number(self.total_shortfall)}, each counted as often as it was made. {best}."
            )
        least = min(filter(None, [self.margin, None if self.flat else self.smallest_step]), default=None)
        if least is None:
            return None
        best = (
            "No other keeps them further apart (exact)" if self.how == EXACT else "Another may keep them further apart"
        )
        every = "every other step" if self._flat else "every step"
        ahead = f"preferred runs are ahead by {number(least)} or more" if self.margin is not None else ""
        steps = f"{every} up in the order adds {'that much too' if ahead else f'{number(least)} or more'}"
        said = ", and ".join(filter(None, [ahead, "" if self.flat else steps]))
        return f"{capitalised(said)}. {best}."

    def document(self) -> Document:
        """Return the answer, how it is known, and the values, the weights or the contradiction."""
        parts: list[Part] = [self.answer]
        parts += [said for said in (self._closest, self._flat, self._known) if said]
        if self.steps is None and self.contradiction is not None:
            return Document([*parts, *self.contradiction.document().parts, *self._others()])
        if self.disagreements:
            parts += ["", self._disagreements_view()]
        if self.steps is not None:
            parts += ["", self.table(), "", self._use]
        return Document(parts)

    @property
    def spelling(self) -> str | None:
        """How the discount curve is written on the command line and in Python; None if there is none."""
        found = self.measure if self.steps is not None and places_are_grades(self.stated.algebra) else None
        return found.spelling if isinstance(found, WeightedRanks) else None

    @property
    def _use(self) -> str:
        """How the measure is used, in a sentence."""
        if not places_are_grades(self.stated.algebra):
            return "Measures take the grades 0, 1, 2, …, so it has values of these runs alone: learn(…).values."
        if self.spelling is not None:
            return f'To evaluate with it: -m "{self.spelling}"'
        return "It is a measure in Python: learn(…).measure, or made again from -f json with RunLattice(…).extend(…)."

    @property
    def _flat(self) -> str | None:
        """Which steps of the order count for nothing, in a sentence."""
        flat = 0 if self.steps is None else sum(not step for step in self.steps)
        if not flat or self.steps is None:
            return None
        adds = "adds" if flat == 1 else "add"
        return (
            f"{flat:,} of the {counted(len(self.steps), 'step')} of the order {adds} nothing: there a better run ties."
        )

    def _others(self) -> list[Part]:
        """What else stands in the way, in a sentence: statements against the order, and what is not looked for."""
        if self.contradiction is None or len(self.statements) == len(self.contradiction.statements):
            return []
        others = [each for each in self.against_order if each not in self.contradiction.statements]
        alone = self.contradiction.alone and not others
        rest = (
            f"Without {'it' if alone else 'these'}, others may still contradict each other. Ask for slack (--slack) to"
            " find a measure that comes as close to all as any."
        )
        if not others:
            return ["", rest]
        several = "statements contradict" if len(others) > 1 else "statement contradicts"
        named = "; ".join(map(str, others[:5])) + ("; …" if len(others) > 5 else "")
        return ["", f"{len(others):,} more {several} the order: {named}. {rest}"]

    def table(self) -> TableView:
        """Return what was found as one table: weights of ranks, values of runs, or statements that contradict."""
        if self.discounts is not None:
            return self._discounts_view(self.discounts)
        if self.values is not None:
            return self._values_view(self.values)
        if self.contradiction is not None:
            return self.contradiction.table()
        return TableView([valued("answer", "answer", left=True)], [{"answer": self.answer}], fields={"answer": str})

    def _main(self) -> TableView:
        return self.table()

    def _discounts_view(self, discounts: Sequence[Fraction]) -> TableView:
        first = discounts[0] or Fraction(1)
        rows = [
            {"rank": rank, "weight": str(weight), "of_first": float(weight / first)}
            for rank, weight in enumerate(discounts, 1)
        ]
        columns = [
            valued("rank", "rank"),
            Column("weight", lambda row: number(Fraction(row["weight"]))),
            Column("of rank 1", lambda row: f"{row['of_first']:.3f}"),
        ]
        fields = {"rank": int, "weight": str, "of_first": float}
        return TableView(columns, rows, title="Weights of ranks", fields=fields)

    def _values_view(self, values: Mapping[NamedRun, Fraction]) -> TableView:
        rows = [{"run": spelled(run), "value": str(value), "decimal": float(value)} for run, value in values.items()]
        columns = [
            Column("run", "run", left=True),
            Column("value", lambda row: number(Fraction(row["value"]))),
            Column("≈", lambda row: f"{row['decimal']:.4f}"),
        ]
        fields = {"run": str, "value": str, "decimal": float}
        return TableView(columns, rows, title="Values of the join-irreducible runs", fields=fields)

    def _disagreements_view(self) -> TableView:
        columns = [
            valued("given up", lambda each: str(_once(each.statement)), left=True),
            valued("said", lambda each: each.statement.count, number),
            valued("difference", lambda each: each.difference, number),
            valued("≈", lambda each: float(each.difference), lambda value: f"{value:.4f}", key="decimal"),
        ]
        return TableView(columns, self.disagreements, title="Statements that are given up")

    def to_dict(self) -> dict[str, Any]:
        """Return everything in words and numbers that JSON knows; fractions are text."""
        algebra = self.stated.algebra
        found = self.contradiction
        return {
            "answer": self.answer,
            "how": self.how,
            "name": self.name,
            "order": algebra.order,
            "depth": algebra.depth,
            "grades": algebra.grades if algebra.relevance is None else list(map(str, shown_grades(algebra.relevance))),
            "statements": len(self.statements),
            "margin": _text(self.margin),
            "agreement": _text(self.agreement),
            "total_shortfall": _text(self.total_shortfall),
            "values": None if self.values is None else {spelled(run): _text(v) for run, v in self.values.items()},
            "discounts": None if self.discounts is None else [_text(weight) for weight in self.discounts],
            "gains": None if self.unknowns.by_grade is None else [_text(gain) for gain in self.unknowns.by_grade],
            "spelling": self.spelling,
            "disagreements": [
                {**each.statement.to_dict(), "difference": _text(each.difference)} for each in self.disagreements
            ],
            "contradiction": None if found is None else found.to_dict(),
            "against_order": [each.to_dict() for each in self.against_order],
        }


def _once(statement: RunStatement) -> RunStatement:
    return RunStatement(statement.one, statement.kind, statement.other)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _several(stated: Stated) -> str:
    """Return how many statements there are, in words."""
    different, total = len(stated.statements), stated.total
    if different == 1:
        return "the statement"
    if different == total:
        return "both statements" if different == 2 else f"all {counted(different, 'statement')}"
    return f"all {number(total)} statements ({counted(different, 'different one')})"


def shortfall(kind: Kind, difference: Fraction, tolerance: Fraction) -> Fraction:
    """Return what a statement lacks: of being ahead by so much, of not being behind, or of being level.

    Parameters
    ----------
    kind
        The kind of the statement.
    difference
        How much more the first run scores than the second.
    tolerance
        How far ahead a preferred run should be.

    Examples
    --------
    >>> shortfall(Kind.BETTER, Fraction(1, 4), Fraction(1, 3)), shortfall(Kind.AT_LEAST, Fraction(1, 4), Fraction(1, 3))
    (Fraction(1, 12), Fraction(0, 1))
    """
    if kind is Kind.AS_GOOD:
        return abs(difference)
    wanted = tolerance if kind is Kind.BETTER else Fraction(0)
    return max(Fraction(0), wanted - difference)
