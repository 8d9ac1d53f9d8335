"""Statements about judged runs: this one rather than that one, said so many times; read from lists and from files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from measurand.display.result import Result
from measurand.errors import MeasurandError, ParameterError
from measurand.exact import rational, spell
from measurand.judged import NOTHING, as_cells
from measurand.judged.graded_runs import AnyGrades, NamedRun, exact_grade, exact_grades
from measurand.judged.grades import read_cells, spelled, written_grades
from measurand.lattice.algebra import algebra_of
from measurand.lattice.algebra.base import Algebra, member
from measurand.search_length.preferences.representation import WORDS, Kind, as_kind
from measurand.trec.files import FileLike, is_file, load

MOST = 10**9
"""A statement counts so often at most, so that floats can weigh one against another."""

COMMENT = "#"
"""Lines of files that begin so are skipped."""

HEADER = "better"
"""A file may begin with a line of names of columns, of which this is the first."""


def _run(run: Any) -> NamedRun:
    """Return a judged run; what is unjudged or missing counts as grade 0."""
    try:
        cells = read_cells(run) if isinstance(run, str) else as_cells(run)
    except ParameterError:
        real = _real(run)
        if real is None:
            raise
        return real
    if not cells:
        raise ParameterError("a run without any rank cannot be compared; write grades such as (1, 0, 2)")
    if min(cells) < NOTHING:
        raise ParameterError(f"{spelled(cells)} is no judged run: below grade 0 there are -1 for unjudged, -2 for none")
    return tuple(max(0, cell) for cell in cells)


def _real(run: Any) -> NamedRun | None:
    """Return a run in which some grades are no whole numbers; None if it is no such run."""
    try:
        grades = exact_grades(written_grades(run.strip()) if isinstance(run, str) else run)
    except ParameterError:
        return None
    return grades if any(not isinstance(grade, int) for grade in grades) else None


def _count(value: Any) -> Fraction:
    count = rational(value)
    if not 0 < count <= MOST:
        raise ParameterError(f"a statement is made once or more often, up to {MOST:,} times, not {value} times")
    return count


@frozen(repr=False)
class RunStatement(Result):
    """One judged run is preferred to another, as good, or at least as good.

    Parameters
    ----------
    one
        The first run: its grades by rank, as a sequence or as text such as "1,0,0,1". Unjudged (-1) and missing (-2)
        documents count as grade 0; nothing else is below 0.
    kind
        How it compares with the second: ">" is preferred to, "~" is as good as, ">=" is at least as good as.
    other
        The second run.
    count
        How often this was said: a number above 0.

    Examples
    --------
    >>> print(RunStatement((1, 0, 0), ">", "0,1,1", 3))
    1,0,0 is preferred to 0,1,1 (3 times)
    """

    one: NamedRun = field(converter=_run)
    kind: Kind = field(converter=as_kind)
    other: NamedRun = field(converter=_run)
    count: Fraction = field(default=Fraction(1), converter=_count)

    @property
    def runs(self) -> tuple[NamedRun, NamedRun]:
        """Both runs."""
        return self.one, self.other

    def __str__(self) -> str:
        often = "" if self.count == 1 else f" ({spell(self.count)} times)"
        return f"{spelled(self.one)} {WORDS[self.kind]} {spelled(self.other)}{often}"

    def met_by(self, difference: Fraction) -> bool:
        """Return whether a measure agrees, given by how much the first run scores more than the second.

        Parameters
        ----------
        difference
            The score of the first run less that of the second.

        Examples
        --------
        >>> RunStatement((1, 0), ">", (0, 1)).met_by(Fraction(0)), RunStatement((1, 0), "~", (0, 1)).met_by(Fraction(0))
        (False, True)
        """
        return {Kind.BETTER: difference > 0, Kind.AS_GOOD: difference == 0, Kind.AT_LEAST: difference >= 0}[self.kind]

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers that JSON knows.

        Examples
        --------
        >>> RunStatement((1, 0), ">", (0, 1)).to_dict()
        {'one': '1,0', 'kind': '>', 'other': '0,1', 'count': '1'}
        """
        return {
            "one": spelled(self.one),
            "kind": str(self.kind),
            "other": spelled(self.other),
            "count": spell(self.count),
        }


def as_statement(value: Any) -> RunStatement:
    """Return a statement from a pair (the first run is preferred), or from what else people write.

    Examples
    --------
    >>> print(as_statement([(1, 0), (0, 1), 3]))
    1,0 is preferred to 0,1 (3 times)
    >>> print(as_statement(("1,0", "~", "0,1")))
    1,0 is as good as 0,1
    """
    if isinstance(value, RunStatement):
        return value
    parts = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
    if len(parts) in (3, 4) and _is_kind(parts[1]):
        return RunStatement(*parts)
    if len(parts) in (2, 3):
        return RunStatement(parts[0], Kind.BETTER, *parts[1:])
    raise ParameterError(
        f"{value!r} is no statement; write (run, run) for 'the first is preferred', (run, run, count),"
        " (run, '~', run) or (run, '>=', run)"
    )


def _is_kind(value: Any) -> bool:
    return isinstance(value, str) and not any(letter.isdigit() for letter in value)


@frozen(eq=False)
class Stated:
    """Statements on the runs of one order, each once.

    Parameters
    ----------
    algebra
        The order, the depth and the grades.
    statements
        The statements; the counts of those that are made several times are added up.
    """

    algebra: Algebra
    statements: tuple[RunStatement, ...]

    @classmethod
    def of(cls, source: Any, order: str, depth: int | None = None, grades: AnyGrades | None = None) -> Stated:
        """Return statements from a file, a list, or a mapping of pairs to counts.

        Parameters
        ----------
        source
            What `learn` takes.
        order
            One of `measurand.orders.ORDERS`.
        depth, grades
            How many ranks runs have and how many grades there are, or which; by default as many as in the statements.

        Examples
        --------
        >>> stated = Stated.of([((1, 0), (0, 1)), ((1, 0), (0, 1), 2)], "swap")
        >>> stated.algebra, [str(each) for each in stated.statements]
        (SwapOrder(depth=2, grades=2), ['1,0 is preferred to 0,1 (3 times)'])
        """
        read = list(_read(source))
        if not read:
            raise ParameterError("there is no statement; state at least one preference, such as ((1, 0), (0, 1))")
        runs = [run for statement, _ in read for run in statement.runs]
        ranks = len(runs[0]) if depth is None else depth
        algebra = algebra_of(order, ranks, _occurring(runs) if grades is None else grades)
        found: dict[tuple[NamedRun, Kind, NamedRun], RunStatement] = {}
        for statement, fail in read:
            try:
                one, other = (member(algebra, run) for run in statement.runs)
                if statement.kind is Kind.AS_GOOD and other > one:
                    one, other = other, one
                same = (algebra.named(one), statement.kind, algebra.named(other))
                often = found[same].count if same in found else 0
                found[same] = RunStatement(*same, often + statement.count)
            except ParameterError as error:
                lengths = {len(run) for run in statement.runs}
                raise fail(f"{error}{_lengths(ranks) if depth is None and lengths != {ranks} else ''}") from None
        return cls(algebra, tuple(found.values()))

    @property
    def total(self) -> Fraction:
        """How many statements there are, each as often as it was made."""
        return sum((statement.count for statement in self.statements), Fraction(0))


def _occurring(runs: Iterable[NamedRun]) -> AnyGrades:
    """Return how many grades runs of whole grades need; where some are no whole numbers, 0 and those that occur."""
    found = {exact_grade(grade) for run in runs for grade in run}
    if all(isinstance(grade, int) for grade in found):
        return max(2, int(max(found)) + 1)
    return sorted(found | {0})


def _lengths(depth: int) -> str:
    return f"; the first run has {'1 rank' if depth == 1 else f'{depth} ranks'}, and all must have as many"


Failure = Callable[[str], MeasurandError]
"""Makes an error that says where a statement stands."""


def _read(source: Any) -> Iterator[tuple[RunStatement, Failure]]:
    """Return the statements of a source, and how to complain of each."""
    if is_file(source):
        yield from _from_file(source)
        return
    if isinstance(source, Mapping):
        source = [_weighed(pair, count) for pair, count in source.items()]
    if not isinstance(source, Iterable):
        raise ParameterError(f"statements are a file, or a list like [(run, run), (run, '~', run)], not {source!r}")
    for place, value in enumerate(source, 1):

        def fail(why: str, place: int = place) -> MeasurandError:
            return ParameterError(f"statement {place:,}: {why}")

        try:
            yield as_statement(value), fail
        except ParameterError as error:
            raise fail(str(error)) from None


def _weighed(pair: Any, count: Any) -> tuple[Any, ...]:
    if isinstance(pair, RunStatement) or not isinstance(pair, Sequence) or isinstance(pair, str):
        raise ParameterError(f"a mapping has pairs of runs as keys, and counts as values; {pair!r} is no pair of runs")
    return (*pair, count)


def _from_file(source: FileLike) -> Iterator[tuple[RunStatement, Failure]]:
    content = load(source)
    try:
        text = content.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise content.fail(None, "is no text in UTF-8; write a line 'better<TAB>worse<TAB>count' for each") from None
    first, empty = True, True
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(COMMENT):
            continue
        cells = [cell.strip() for cell in (line.rstrip().split("\t") if "\t" in line.rstrip() else line.split())]
        if first and cells[0].lower() == HEADER:
            first = False
            continue
        first = False

        def fail(why: str, number: int = number) -> MeasurandError:
            return content.fail(number, why)

        empty = False
        yield _of_cells(cells, fail), fail
    if empty:
        raise content.fail(None, "has no statement; write a line 'better<TAB>worse<TAB>count' for each")


def _of_cells(cells: list[str], fail: Failure) -> RunStatement:
    """Return the statement of a line."""
    if len(cells) not in (2, 3, 4) or (len(cells) == 4 and not _is_kind(cells[1])):
        raise fail(
            f"{len(cells)} columns where a statement has two runs, and a count if it was made more than once;"
            " write 1,0,0<TAB>0,1,1<TAB>3"
        )
    try:
        return as_statement(cells)
    except ParameterError as error:
        raise fail(str(error)) from None
