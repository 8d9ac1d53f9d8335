"""What a worker of a cluster does with a piece of a job, and what it sends back.

A piece travels as bytes, with the version of measurand that made them. So neither the scheduler nor a worker of another
version takes them apart, and a piece weighs what was written.
"""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from measurand import __version__
from measurand.errors import InputFileError
from measurand.execution.carriers import alone
from measurand.execution.travelling import packed, packed_with_code


class Held:
    """A function that many pieces of a job share; a worker that has it unpacks it once.

    Parameters
    ----------
    packed
        The function, pickled.

    Examples
    --------
    >>> Held(pickle.dumps(abs)).function(-1)
    1
    """

    def __init__(self, packed: bytes) -> None:
        self.packed = packed

    def __reduce__(self) -> tuple[type[Held], tuple[bytes]]:
        return type(self), (self.packed,)

    def __sizeof__(self) -> int:
        return 2 * len(self.packed)  # with the function, by which Dask decides what to move where

    @cached_property
    def function(self) -> Callable[[Any], Any]:
        """The function."""
        function: Callable[[Any], Any] = pickle.loads(self.packed)
        return function


@frozen
class Failure:
    """An error that a piece ended with.

    Parameters
    ----------
    error
        The error.
    worker
        The address of the worker on which it arose.
    trace
        Where it arose, for those who look for a mistake in measurand.
    unseen
        The file, if it is one that the worker does not see.
    """

    error: Exception
    worker: str
    trace: str
    unseen: str | None = None


@frozen
class OtherVersion:
    """That the worker has another version of measurand than who sent the piece.

    Parameters
    ----------
    worker
        The address of the worker.
    version
        The version that it has.
    """

    worker: str
    version: str


def carry_out(version: str, function: bytes | Held, item: bytes) -> bytes:
    """Return what comes of a piece, pickled: a tuple of the outcome, or a `Failure`, or an `OtherVersion`.

    Parameters
    ----------
    version
        The version of measurand that made the piece.
    function, item
        What is called, and with what, pickled.

    Examples
    --------
    >>> pickle.loads(carry_out(__version__, pickle.dumps(abs), pickle.dumps(-2)))
    (2,)
    >>> print(pickle.loads(carry_out(__version__, pickle.dumps(int), pickle.dumps("two"))).error)
    invalid literal for int() with base 10: 'two'
    """
    if version != __version__:
        return pickle.dumps(OtherVersion(_address(), __version__))
    try:
        called = (function if isinstance(function, Held) else Held(function)).function
        return pack((alone(called, pickle.loads(item)),))
    except Exception as error:  # noqa: BLE001 - it surfaces at who asked
        return _packed_failure(Failure(error, _address(), traceback.format_exc(), _unseen(error)))


def pack(thing: Any) -> bytes:
    """Return something pickled, as Dask does it: a function that no module holds travels with its code.

    Parameters
    ----------
    thing
        The thing.

    Examples
    --------
    >>> pickle.loads(pack([1, 2]))
    [1, 2]
    """
    try:
        found = packed(thing)
    except Exception:  # noqa: BLE001 - whatever pickle cannot do
        found = b"__main__"
    if b"__main__" not in found:  # which is another module elsewhere
        return found
    return packed_with_code(thing)


def _packed_failure(failure: Failure) -> bytes:
    """Return a failure pickled; what cannot travel of its error is left behind."""
    error = failure.error
    try:
        found = pack(failure)
        pickle.loads(found)  # some errors can be written and not read
    except Exception:  # noqa: BLE001 - whatever an error's author thought of
        return pickle.dumps(evolve(failure, error=RuntimeError(f"{type(error).__name__}: {error}")))
    return found


def _unseen(error: Exception) -> str | None:
    """Return the file that an error speaks of if it is not there."""
    path = error.path if isinstance(error, InputFileError) else getattr(error, "filename", None)
    if not isinstance(path, str) or "://" in path or os.path.exists(path):  # noqa: PTH110 - pathlib takes time to load
        return None
    return path


def _address() -> str:
    """Return the address of this worker."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return "this process"
