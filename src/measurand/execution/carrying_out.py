"""Carrying out a long job by the executor in use: that of `executor=`, or the workers of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from measurand.errors import CallError
from measurand.execution.carriers import IN_USE, AnyExecutor, Carrier
from measurand.execution.job_options import Item, Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor

Given = ParamSpec("Given")


def check_executor(executor: object) -> None:
    """Complain of what cannot carry out jobs, in one line with an example.

    Parameters
    ----------
    executor
        What stands where an executor, or None, is expected.

    Examples
    --------
    >>> check_executor(4)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: executor must be one of concurrent.futures, not 4; write executor=ThreadPool...
    """
    known = executor is None or hasattr(executor, "mapped")
    if not known and not callable(getattr(executor, "map", None)):
        example = f"executor=ThreadPoolExecutor({executor if isinstance(executor, int) else ''})"
        raise CallError(f"executor must be one of concurrent.futures, not {executor!r}; write {example}")


@contextmanager
def carried_out_by(executor: Executor | Carrier | None) -> Iterator[None]:
    """Have the pieces of long jobs done by an executor, within a `with` block.

    Parameters
    ----------
    executor
        Any executor of `concurrent.futures` or Dask, `Workers` or a `Cluster`; None leaves it at the one in use.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as threads, carried_out_by(threads):
    ...     list(mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    check_executor(executor)
    before = IN_USE.set(IN_USE.get() if executor is None else _carrier(executor))
    try:
        yield
    finally:
        IN_USE.reset(before)


def _carrier(executor: Any) -> Carrier:
    """Return who carries out what is handed to an executor."""
    if hasattr(executor, "mapped"):
        carrier: Carrier = executor
        return carrier
    if type(executor).__module__.partition(".")[0] == "distributed":
        from measurand.execution.cluster import Cluster  # rarely used

        return Cluster.of(executor)
    return AnyExecutor(executor)


def takes_executor(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Return a function whose parameter `executor` carries out what it computes.

    Parameters
    ----------
    function
        The function; it need not look at the parameter.

    Examples
    --------
    >>> @takes_executor
    ... def sizes(numbers, *, executor=None):
    ...     return list(mapped(abs, numbers))
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> sizes([-1, 2], executor=ThreadPoolExecutor(2))
    [1, 2]
    """

    @wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Outcome:
        executor: Any = kwargs.get("executor")
        with carried_out_by(executor):
            return function(*args, **kwargs)

    return call


def mapped(
    function: Callable[[Item], Outcome], items: Iterable[Item], *, in_threads: bool = False, stays_here: bool = False
) -> Iterator[Outcome]:
    """Return `function` of each item, in order, by the executor in use; one after another where there is none.

    An error surfaces where its item's turn comes, and nothing new is started after it. A few items for each worker are
    taken ahead of time, no more.

    Parameters
    ----------
    function
        A function of a module, or a `functools.partial` of one with small arguments, for it may be sent to another
        process with each item; to a worker of a cluster large ones are sent once.
    items
        What it is called with.
    in_threads
        Whether `Workers` take threads, because the work is done outside Python's lock for the most part, as numpy's on
        large arrays.
    stays_here
        Whether a `Cluster` leaves it to threads of this process, because a network takes longer than the work.

    Examples
    --------
    >>> list(mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    carrier = IN_USE.get()
    if carrier is None:
        return map(function, items)
    return carrier.mapped(function, items, in_threads=in_threads, stays_here=stays_here)
