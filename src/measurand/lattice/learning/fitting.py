"""Fitting a measure to statements about judged runs: the linear programs whose solutions are its steps.

`learn` seeks the steps of a measure that keeps the order, by linear programming: floats propose, fractions decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, IntArray
from measurand.errors import NotAvailable, ParameterError
from measurand.exact.linear_optimum import LinearProgram, optimum, products, propose, whole
from measurand.judged.graded_runs import AnyGrades
from measurand.lattice.learning.contradiction import contradiction, contradicts_order
from measurand.lattice.learning.learned import EXACT, FOUND, NAME, UNDECIDED, Learned
from measurand.lattice.learning.statements import RunStatement, Stated
from measurand.lattice.learning.unknowns import Unknowns
from measurand.measures.discount_curve import check_label
from measurand.search_length.preferences.representation import Kind
from measurand.trec.files import FileLike

ENTRIES = 5_000_000
"""Statements times unknowns: with more of them the linear program would not fit."""

PARTS = 2
"""With slack, a preferred run should be ahead by an average step divided by this."""

COUNTED = 1 << 60
"""Counts of statements are below this, as multiples of one number."""

ROUNDED = 10**6
"""Where no corner can be computed, steps are rounded to such parts of the average step."""


def learn(
    statements: FileLike | Iterable[Any] | Mapping[Any, Any],
    order: str = "swap",
    *,
    depth: int | None = None,
    grades: AnyGrades | None = None,
    additive: bool = False,
    gains: Sequence[Any] | None = None,
    slack: bool = False,
    flat: bool = False,
    name: str = NAME,
) -> Learned:
    r"""Return a measure that agrees with statements such as "this run rather than that one", or why there is none.

    What is sought are steps :math:`h_j \ge 0`, one for each join-irreducible run: every choice of them makes a
    valuation that keeps the order, and every such valuation is made so. The worst run has the value 0, the best 1.

    .. math:: v(r) = \sum_{j \preceq r} h_j, \qquad \sum_j h_j = 1, \qquad
        v(x_i) - v(y_i) \ge t \text{ for } x_i \succ y_i, \qquad h_j \ge t, \qquad t \to \max

    So each step of the order counts as a statement as well, and of all measures that agree the one is returned that
    keeps preferred runs and better runs furthest apart. Where equal steps agree with everything they are the answer.
    Statements that two runs are equally good may leave steps nothing; those are not counted.

    Parameters
    ----------
    statements
        Statements: `(run, run)` says that the first run is preferred, `(run, run, count)` that this was said so many
        times, `(run, "~", run)` that both are equally good, `(run, ">=", run)` that the first is at least as good.
        Runs are grades by rank, or text such as "1,0,0,1". Or a mapping of pairs of runs to counts. Or a file with a
        line for each statement, with tabs between: better, worse and a count if it was made more than once.
    order
        One of `measurand.orders.ORDERS`: what the measure keeps, whatever is said.
    depth, grades
        How many ranks runs have and how many grades there are, or which; by default as many as in the statements, or
        where some are no whole numbers, 0 and those that occur.
    additive
        Seek a discount curve: the value of a run is the sum of weights of ranks times gains of grades. By swapping, the
        weights do not rise from rank to rank.
    gains
        Of a discount curve: the gain of each grade, from grade 0; by default the grade itself.
    slack
        Where no measure agrees with all statements, return the one that comes closest. A preferred run should be ahead
        by half of what a step is worth where all steps are equal; what it lacks, times how often the statement was
        made, is summed up over all statements, and the sum made as small as possible. (The sum of what is lacking, not
        the number of statements that are given up.) Every step is worth at least as much.
    flat
        Let a better run score the same as a worse one: steps may be 0, and are not counted. With few statements most
        are.
    name
        What the measure is called in tables; if nothing is said a discount curve is spelled out.

    Returns
    -------
    Learned
        With the `measure`, the exact `values` of the join-irreducible runs, the `discounts` of a discount curve, the
        `margin`, and `how` it is known; or with the `contradiction`.

    Examples
    --------
    >>> votes = [("1,0,0", "0,1,1"), ("0,1,1", "0,1,0")]
    >>> found = learn(votes, additive=True)
    >>> [str(weight) for weight in found.discounts], found.how
    (['4/7', '2/7', '1/7'], 'exact')
    >>> found.measure.of((1, 0, 1))
    Fraction(5, 7)
    >>> print(learn([*votes, ("0,1,0", "1,0,0")]).contradiction.headline)  # doctest: +NORMALIZE_WHITESPACE
    This statement contradicts the order 'swap': 0,1,0 is preferred to 1,0,0.

    References
    ----------
    [Giner2022]_, section 7
    """
    check_label(name or None)
    stated = Stated.of(statements, order, depth, grades)
    unknowns = Unknowns.of(stated.algebra, additive=additive, gains=gains)
    problem = _Problem.of(unknowns, stated.statements)
    fitted = problem.furthest_apart(flat=flat)
    if fitted is not None:
        steps, how = fitted
        return Learned(stated, unknowns, how, steps, flat=flat, name=name)
    wrong = tuple(each for each in stated.statements if contradicts_order(each, order))
    found = contradiction(unknowns, stated.statements)
    if not slack:
        how = UNDECIDED if found is None else EXACT
        return Learned(stated, unknowns, how, None, found, wrong, flat=flat, name=name)
    steps, how = problem.closest(flat=flat)
    tolerance = Fraction(unknowns.least_rise, PARTS * problem.total)
    return Learned(stated, unknowns, how, steps, found, wrong, tolerance, flat, name)


@frozen(eq=False)
class _Problem:
    """The linear programs that statements make.

    Parameters
    ----------
    unknowns
        What is sought.
    statements
        The statements.
    rows
        How much more often each step counts for the first run of a statement than for the second.
    """

    unknowns: Unknowns
    statements: tuple[RunStatement, ...]
    rows: IntArray

    @classmethod
    def of(cls, unknowns: Unknowns, statements: tuple[RunStatement, ...]) -> _Problem:
        width = len(unknowns.top)
        if width * len(statements) > ENTRIES:
            raise NotAvailable(
                f"{len(statements):,} different statements about {width:,} unknown steps are too many; learn fewer"
                " ranks, or a discount curve (additive)"
            )
        return cls(unknowns, statements, unknowns.rows(statements))

    @property
    def width(self) -> int:
        """How many unknowns there are."""
        return int(self.rows.shape[1])

    @property
    def total(self) -> int:
        """The value of the best run where every step is 1."""
        return int(self.unknowns.top.sum())

    def of_kind(self, kind: Kind) -> IntArray:
        """Return the rows of the statements of a kind."""
        return self.rows[[statement.kind is kind for statement in self.statements]]

    def furthest_apart(self, *, flat: bool) -> tuple[tuple[Fraction, ...], str] | None:
        """Return the steps that keep runs furthest apart, and how that is known; None if no steps agree."""
        strict, weak, equal = (self.of_kind(kind) for kind in (Kind.BETTER, Kind.AT_LEAST, Kind.AS_GOOD))
        free, sure = (np.zeros(self.width, dtype=bool), True) if flat else self._free(weak, equal)
        rising = self.unknowns.least_rise * np.eye(self.width, dtype=np.int64)[free]
        apart = np.concatenate([strict, rising, self.unknowns.top[None]])
        above = np.concatenate([np.pad(-apart, ((0, 0), (0, 1)), constant_values=1), np.pad(-weak, ((0, 0), (0, 1)))])
        level = np.pad(np.concatenate([equal, self.unknowns.top[None]]), ((0, 0), (0, 1)))
        right = np.zeros(len(above) + len(level), dtype=np.int64)
        # an average step is 1
        right[-1] = self.total
        gains = np.zeros(self.width + 1, dtype=np.int64)
        gains[-1] = 1
        program = LinearProgram(gains, np.concatenate([above, level]), right, equations=len(level))
        best = optimum(program)
        if best is not None and best.value > 0:
            even = self._evenly(program.best_only(best.prices)) if best.prices is not None else None
            return self._scaled((even or best.solution)[: self.width]), EXACT if best.proved and sure else FOUND
        proposed = propose(program) if best is None else None
        rounded = None if proposed is None else self._rounded(proposed[0][:-1])
        return (rounded, FOUND) if rounded is not None and self._agree(rounded) else None

    def _evenly(self, program: LinearProgram) -> tuple[Fraction, ...] | None:
        """Return an admissible vector whose largest step is as small as can be; None if it is not found."""
        extra = np.hstack([np.eye(self.width, program.rows.shape[1], dtype=np.int64), np.full((self.width, 1), -1)])
        rows = np.concatenate([extra, np.pad(program.rows, ((0, 0), (0, 1)))])
        right = np.concatenate([np.zeros(self.width, dtype=np.int64), program.right])
        gains = np.zeros(rows.shape[1], dtype=np.int64)
        gains[-1] = -1
        most = None if program.most is None else np.append(program.most, -1)
        best = optimum(LinearProgram(gains, rows, right, program.equations, most))
        return None if best is None else best.solution[:-1]

    def _free(self, weak: IntArray, equal: IntArray) -> tuple[BoolArray, bool]:
        """Return the steps that statements which are not strict allow to be above 0, and whether that is proved."""
        if not len(weak) and not len(equal):
            return np.ones(self.width, dtype=bool), True
        unit = np.eye(self.width, dtype=np.int64)
        stated = np.pad(np.concatenate([-weak, equal]), ((0, 0), (0, self.width)))
        rows = np.concatenate([np.hstack([-unit, unit]), stated])
        gains = np.repeat(np.array([0, 1]), self.width)
        best = optimum(LinearProgram(gains, rows, np.zeros(len(rows), dtype=np.int64), len(equal), 2 * gains - 1))
        if best is None:
            return np.ones(self.width, dtype=bool), False
        return np.array([part > 0 for part in best.solution[self.width :]]), best.proved

    def closest(self, *, flat: bool) -> tuple[tuple[Fraction, ...], str]:
        """Return the steps with the smallest total shortfall, and how that is known.

        The dual program is solved, whose rows are the steps: it has few of them, however many statements there are.
        """
        level = np.array([statement.kind is Kind.AS_GOOD for statement in self.statements], dtype=bool)
        counts = self._counts()
        strict = [statement.kind is Kind.BETTER for statement in self.statements]
        wanted = self.unknowns.least_rise * np.array(strict, dtype=np.int64)
        # a step is 1, or more by what is sought
        ahead = wanted - (0 if flat else self.rows.sum(axis=1))
        left = self.total * (PARTS if flat else PARTS - 1)
        top = self.unknowns.top
        columns = np.concatenate([self.rows, -self.rows[level], top[None], -top[None]]).T
        gains = np.concatenate([ahead, -ahead[level], [left, -left]])
        most = np.concatenate([counts, counts[level], [-1, -1]])
        program = LinearProgram(gains, np.ascontiguousarray(columns), np.zeros(self.width, dtype=np.int64), most=most)
        best = optimum(program)
        if best is not None and best.prices is not None:
            even = self._evenly(self._as_close(program, best.solution, counts, level))
            return self._scaled([step + (not flat) for step in even or best.prices]), EXACT
        proposed = propose(program)
        if proposed is None:
            raise NotAvailable("the linear program of the statements was not solved; leave out some, or slack")
        return self._rounded(proposed[1] + (not flat)), FOUND

    def _counts(self) -> IntArray:
        """Return how often each statement was made, as whole numbers."""
        numerators, _ = whole([statement.count for statement in self.statements])
        if max(numerators) >= COUNTED:
            raise ParameterError("the counts of the statements have no short common denominator; round them")
        return np.array(numerators, dtype=np.int64)

    def _as_close(
        self, program: LinearProgram, weights: Sequence[Fraction], counts: IntArray, level: BoolArray
    ) -> LinearProgram:
        """Return the constraints of all steps that come as close, given the weights of the dual program.

        A statement that weighs nothing is met, one that weighs all it can is not met by more than it demands, and one
        between is met exactly; a step that the weights make costly is nothing.
        """
        own = list(weights[: len(counts)])
        for place, back in zip(np.flatnonzero(level).tolist(), weights[len(counts) :], strict=False):
            own[place] -= back
        full = np.array([weight == most for weight, most in zip(own, counts.tolist(), strict=True)])
        least = np.where(level, -counts, 0).tolist()
        none = np.array([weight == low for weight, low in zip(own, least, strict=True)])
        tight = ~(full | none)
        ahead = program.gains[: len(counts)]
        rows = np.concatenate([self.rows[full], -self.rows[none], self.rows[tight], self.unknowns.top[None]])
        right = np.concatenate([ahead[full], -ahead[none], ahead[tight], program.gains[-2:-1]])
        numerators, _ = whole(weights)
        idle = products(program.rows, numerators) < 0
        most = np.where(idle.astype(bool), 0, -1)
        return LinearProgram(np.zeros(self.width, dtype=np.int64), rows, right, int(tight.sum()) + 1, most)

    def _scaled(self, steps: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return steps with which the best run has the value 1."""
        total = sum((int(often) * step for often, step in zip(self.unknowns.top, steps, strict=True)), Fraction(0))
        return tuple(step / total for step in steps)

    def _rounded(self, steps: Any) -> tuple[Fraction, ...]:
        """Return steps near floats, none below 0."""
        return self._scaled([max(Fraction(0), Fraction(float(step)).limit_denominator(ROUNDED)) for step in steps])

    def _agree(self, steps: Sequence[Fraction]) -> bool:
        """Return whether steps agree with all statements, exactly."""
        found = self.unknowns.differences(self.statements, steps)
        return all(each.met_by(gap) for each, gap in zip(self.statements, found, strict=True))
