"""Functions that say which moves there are: their names, what they take, and their answers, read and checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from measurand.display.wording import counted
from measurand.errors import ParameterError, brief
from measurand.orders.compared_by_moves import Grades

Moves = Callable[..., Iterable[Sequence[Any]]]
"""From a run, and if it wants that the number of grades, to runs that are better."""


def function_name(function: Any) -> str:
    """Return how a function is called in sentences.

    Examples
    --------
    >>> from measurand.orders import adjacent_swaps
    >>> function_name(adjacent_swaps), function_name(lambda run: [])
    ('adjacent_swaps', 'the function')
    """
    name = str(getattr(function, "__name__", type(function).__name__))
    return name if name.isidentifier() else "the function"


def wants_grades(function: Moves) -> bool:
    """Return whether a function takes the number of grades: it needs two arguments, or calls its second one grades."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    taken = [each for each in parameters if each.kind in kinds]
    # a second one with a default may carry what the function knows, as in lambda run, k=k: …
    needed = [each for each in taken if each.default is each.empty]
    return len(needed) == 2 or (len(needed) < 2 <= len(taken) and taken[1].name == "grades")


def remembered(read: dict[Any, Grades], name: str, run: Grades, after: Any, grades: int) -> Grades:
    """Return a run that a function named, checked when it is seen for the first time."""
    seen = type(after) is tuple and len(after) == len(run) and after != run and _hashable(after)
    found = read.get((grades, after)) if seen else None
    if found is None:
        found = checked(name, run, after, grades)
        read[grades, found] = found
    return found


def _hashable(cells: tuple[Any, ...]) -> bool:
    try:
        hash(cells)
    except TypeError:
        return False
    return True


def checked(name: str, run: Grades, after: Any, grades: int) -> Grades:
    """Return a run that a function named, or refuse it."""
    where = f"{name} leads from {brief(run)} to"
    try:
        cells = tuple(after)
        found = cells if set(map(type, cells)) <= {int} else tuple(map(int, cells))
        whole = not isinstance(after, str | bytes) and all(map(lambda x, y: bool(x == y), found, cells))
    except (TypeError, ValueError, OverflowError):
        whole, found = False, ()
    if not whole:
        raise ParameterError(
            f"{where} {after!r}, which is no run of whole grades; return a list of runs, each a tuple of grades"
        )
    if len(found) != len(run):
        raise ParameterError(f"{where} {brief(found)}, which has {counted(len(found), 'rank')}; moves keep the length")
    if found == run:
        raise ParameterError(f"{where} the same run; a move makes a run better")
    if found and not 0 <= min(found) <= max(found) < grades:
        raise ParameterError(
            f"{where} {brief(found)}, but grades are 0 to {grades - 1}; leave such moves out (a second parameter of the"
            " function is given the number of grades)"
        )
    return found
