"""Which operations on judged runs, taken together, make an order, and which one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from measurand.display.result import Result
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import Multiset, Relevance
from measurand.judged.graded_runs import AnyGrades, NamedRun
from measurand.lattice.algebra import ALGEBRAS, DEEPEST, Run
from measurand.lattice.finite.poset import Poset, listed
from measurand.orders.chain import replacements, swaps

OPERATIONS: Mapping[str, str] = {
    "replacement": "a document one grade better in place of another",
    "swapping": "a better document changes places with a worse one above it",
    "projection": "the next run, when the first difference decides",
}
"""The operations by name, each with the step up that it allows."""

UNIVERSES = ("sets", "ranks")
RANKS = ("anywhere", "first", "last")


@frozen(repr=False)
class Combination(Result):
    """Some operations on sets or rankings, and the order that their steps generate.

    Parameters
    ----------
    operations
        Names of `OPERATIONS`.
    universe
        "sets" or "ranks".
    order
        The order that follows from the steps, a name of `measurand.orders.ORDERS`; None if it is none of them.
    why
        Why it is this one, or why the combination is rejected.

    Examples
    --------
    >>> print(COMBINATIONS[0])
    replacement on sets: set-replacement; documents of every grade or more are counted
    """

    operations: tuple[str, ...]
    universe: str
    order: str | None
    why: str

    @property
    def admissible(self) -> bool:
        """Whether the operations give one of the orders on judged runs."""
        return self.order is not None

    def __str__(self) -> str:
        return f"{' and '.join(self.operations)} on {self.universe}: {self.order or 'rejected'}; {self.why}"


_TOTAL = "every step of the other operations also goes up where the first difference decides"

COMBINATIONS: tuple[Combination, ...] = (
    Combination(("replacement",), "sets", "set-replacement", "documents of every grade or more are counted"),
    Combination(("projection",), "sets", "set-projection", "the highest grade that differs decides: a chain"),
    Combination(("replacement", "projection"), "sets", "set-projection", f"{_TOTAL}: nothing new beside projection"),
    Combination(("replacement",), "ranks", "replacement", "runs are compared rank by rank"),
    Combination(
        ("swapping",),
        "ranks",
        None,
        "a swap keeps the documents, so that runs with different ones are never compared: the diagram falls apart",
    ),
    Combination(("projection",), "ranks", "projection", "the first rank that differs decides: a chain"),
    Combination(
        ("replacement", "swapping"),
        "ranks",
        "swap",
        "a step may also be made in two, which makes it no cover; what follows from the steps is an order all the same",
    ),
    Combination(("replacement", "projection"), "ranks", "projection", f"{_TOTAL}: nothing new beside projection"),
    Combination(("swapping", "projection"), "ranks", "projection", f"{_TOTAL}: nothing new beside projection"),
    Combination(
        ("replacement", "swapping", "projection"), "ranks", "projection", f"{_TOTAL}: nothing new beside projection"
    ),
)
"""All combinations of the operations; on sets there is no swapping."""


def combinations(universe: str | None = None) -> tuple[Combination, ...]:
    """Return the combinations of operations with the order that each generates.

    Parameters
    ----------
    universe
        "sets" or "ranks"; both by default.

    Examples
    --------
    >>> [combination.order for combination in combinations("sets")]
    ['set-replacement', 'set-projection', 'set-projection']
    >>> [combination.operations for combination in combinations() if not combination.admissible]
    [('swapping',)]

    Notes
    -----
    The paper also rejects replacement at every rank with swapping, and all three operations, since some steps
    can be made in two (`detours`). Such steps are no covers, but the order that follows from them is not harmed:
    it is "swap" and "projection".

    References
    ----------
    [Giner2022]_, sections 5 and 6
    """
    if universe is None:
        return COMBINATIONS
    _one_of("universe", universe, UNIVERSES)
    return tuple(combination for combination in COMBINATIONS if combination.universe == universe)


def generated(
    operations: Iterable[str], depth: int, grades: AnyGrades, universe: str = "ranks", replace: str = "anywhere"
) -> Poset:
    """Return all judged runs in the least order in which every step of some operations goes up.

    Parameters
    ----------
    operations
        Names of `OPERATIONS`.
    depth
        The number of ranks of a run.
    grades
        The number of grades, grade 0 included, or the grades themselves.
    universe
        "ranks" for rankings, "sets" for sets, written best grade first.
    replace
        The ranks at which documents are replaced: "anywhere", or the "first" or "last" alone.

    Examples
    --------
    >>> anywhere = generated(["replacement", "swapping"], depth=2, grades=3)
    >>> last = generated(["replacement", "swapping"], depth=2, grades=3, replace="last")
    >>> int(anywhere.leq.sum()), int(last.leq.sum())
    (41, 39)

    References
    ----------
    [Giner2022]_, sections 5 and 6
    """
    runs, higher = _steps(operations, depth, grades, universe, replace)
    return Poset.from_pairs([(run, better) for run, some in higher.items() for better in some], runs)


def detours(
    operations: Iterable[str], depth: int, grades: AnyGrades, universe: str = "ranks", replace: str = "anywhere"
) -> tuple[tuple[NamedRun, NamedRun, NamedRun], ...]:
    """Return the steps that can also be made in two: the run, the one on the way, and the better run.

    Parameters
    ----------
    operations
        Names of `OPERATIONS`.
    depth
        The number of ranks of a run.
    grades
        The number of grades, grade 0 included, or the grades themselves.
    universe
        "ranks" for rankings, "sets" for sets, written best grade first.
    replace
        The ranks at which documents are replaced: "anywhere", or the "first" or "last" alone.

    Examples
    --------
    >>> ((0, 0, 0), (0, 1, 0), (1, 0, 0)) in detours(["replacement", "swapping"], depth=3, grades=2)
    True
    >>> detours(["replacement"], depth=3, grades=2)
    ()

    References
    ----------
    [Giner2022]_, section 6
    """
    _, higher = _steps(operations, depth, grades, universe, replace)
    return tuple(
        (run, between, better)
        for run, some in higher.items()
        for between in some
        for better in higher[between]
        if better in some
    )


def _steps(
    operations: Iterable[str], depth: int, grades: AnyGrades, universe: str, replace: str
) -> tuple[tuple[NamedRun, ...], dict[NamedRun, list[NamedRun]]]:
    """Return the runs, and where one step leads from each."""
    names = _names(operations)
    _one_of("universe", universe, UNIVERSES)
    _one_of("replace", replace, RANKS)
    if universe == "sets" and (replace != "anywhere" or "swapping" in names):
        raise ParameterError("sets have no ranks: documents are not swapped in them, and are replaced anywhere")
    # the runs as they follow each other where the first difference decides
    known = Relevance.of(grades) if isinstance(grades, Relevance | Iterable) else None
    number = whole_number("grades", grades, 2) if known is None else len(known.grades)
    chain = ALGEBRAS["set-projection" if universe == "sets" else "projection"]
    algebra = chain(whole_number("depth", depth, high=DEEPEST), number, known)
    runs = listed(algebra)
    following: dict[Run, Run] = dict(pairwise(runs))
    higher: dict[Run, list[Run]] = {}
    for run in runs:
        some: list[Run] = []
        if "replacement" in names:
            some += _replaced(run, algebra.grades, universe, replace)
        if "swapping" in names:
            some += _whole(swaps(run))
        if "projection" in names and run in following:
            some.append(following[run])
        higher[run] = list(dict.fromkeys(some))
    named = algebra.named
    return tuple(map(named, runs)), {named(run): list(map(named, some)) for run, some in higher.items()}


def _replaced(run: Run, grades: int, universe: str, replace: str) -> Sequence[Run]:
    if universe == "sets":
        return _whole(replacements(Multiset.of(run), grades))
    better = _whole(replacements(run, grades))
    if replace == "anywhere":
        return better
    rest = slice(1, None) if replace == "first" else slice(None, -1)
    return [other for other in better if other[rest] == run[rest]]


def _whole(runs: Iterator[tuple[Any, ...]]) -> list[Run]:
    return [tuple(map(int, run)) for run in runs]


def _names(operations: Iterable[str]) -> frozenset[str]:
    names = [operations] if isinstance(operations, str) or not isinstance(operations, Iterable) else [*operations]
    for name in names:
        _one_of("operations", name, tuple(OPERATIONS))
    if not names:
        raise ParameterError(f"name at least one operation of {', '.join(OPERATIONS)}")
    return frozenset(names)


def _one_of(name: str, value: Any, known: Sequence[str]) -> None:
    if value not in known:
        raise ParameterError(f"{name} cannot be {value!r}; there is {', '.join(known)}")
