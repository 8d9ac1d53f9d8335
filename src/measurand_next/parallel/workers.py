"""Work for several workers: in order, with the same result for any number of them."""

from __future__ import annotations

import builtins
import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from hashlib import blake2b
from math import ceil
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from warnings import catch_warnings, simplefilter

import measurand_next
from measurand_next.errors import MeasurandError, NotAvailable, ParameterError, quoted
from measurand_next.parallel.interrupts import SIGNALS, held

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

AHEAD = 4  # items for each worker that are taken ahead of time, so that none waits behind a slow one
SMALL = 1 << 16  # bytes of a function that travel with every item; those of a larger one only where they are missing
PATIENCE = 60.0  # seconds without any worker after which a cluster is given up


class Executor(Protocol):
    """Whoever carries out calls: an executor of `concurrent.futures` or the like, or a client of Dask."""

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Any: ...


def map(  # noqa: A001 - it is what Python's own is, with workers
    function: Callable[[Item], Outcome],
    items: Iterable[Item],
    *,
    executor: Executor | None = None,
    progress: str = "",
    total: int | None = None,
) -> Iterator[Outcome]:
    """Call a function with each item, in order, by the workers of an executor.

    What another process gets is pickled here and now. An error surfaces where its item's turn comes, and nothing is
    started after it. Calls inside a worker have that worker alone.

    Parameters
    ----------
    function
        A function of a module, or a `functools.partial` of one; for threads, any. Its outcome follows from the item.
    items
        What it is called with. A few for each worker are taken ahead of time.
    executor
        Any of `concurrent.futures`, or a client of Dask; without one, this thread does it all.
    progress
        What is done, for a progress bar on a terminal; without it there is none.
    total
        The number of items, where they are a generator.

    Examples
    --------
    >>> with threads(2) as executor:
    ...     list(map(abs, [-1, 2, -3], executor=executor))
    [1, 2, 3]
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    outcomes: Iterator[Outcome]
    if executor is None or _in_worker.get():
        outcomes = builtins.map(function, items)
    else:
        outcomes = _in_order(_workers(executor)(executor, function), items)
    return _bar(outcomes, progress, total) if progress else outcomes


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Hand items through, with a progress bar where somebody watches a terminal for more than two seconds.

    Examples
    --------
    >>> list(progress([1, 2], "runs"))
    [1, 2]
    """
    if sys.stderr is None or not sys.stderr.isatty():
        return iter(items)
    from tqdm import tqdm

    return iter(tqdm(items, what, total, leave=False, delay=2, dynamic_ncols=True))


_bar = progress  # where a parameter has that name


# Who carries it out


def _workers(executor: Executor) -> type[_Threads]:
    """How an executor's workers are reached."""
    from concurrent import futures

    if not callable(getattr(executor, "submit", None)):
        number = executor if isinstance(executor, int) else ""
        raise ParameterError(
            f"executor must be one of concurrent.futures, not {quoted(executor)}; write ThreadPoolExecutor({number})"
        )
    if type(executor).__module__.partition(".")[0] == "distributed":
        return _Cluster
    interpreters = getattr(futures, "InterpreterPoolExecutor", ())  # since Python 3.14
    threads = isinstance(executor, futures.ThreadPoolExecutor) and not isinstance(executor, interpreters)
    return _Threads if threads else _Processes


class _Threads:
    """Threads of this process, which get the function and the items themselves."""

    def __init__(self, executor: Any, function: Callable[[Any], Any]) -> None:
        self.executor, self.function = executor, function

    def number(self) -> int:
        """How many workers there are, or should be."""
        number = getattr(self.executor, "_max_workers", None)
        return number if isinstance(number, int) else cores()

    def send(self, item: Any) -> tuple[Any, Callable[[], Any]]:
        """Have a worker call the function: its future, and what waits for the outcome."""
        coming = self.executor.submit(_alone, self.function, item)
        return coming, coming.result


class _Processes(_Threads):
    """Workers of other processes, which get bytes: another thread may send them while this one computes."""

    def __init__(self, executor: Any, function: Callable[[Any], Any]) -> None:
        super().__init__(executor, function)
        self.packed: Any = _packed(function)
        self.digest = blake2b(self.packed, digest_size=16).digest()
        self.always, self.sent = len(self.packed) <= SMALL, 0
        self.options: dict[str, Any] = {}

    def send(self, item: Any) -> tuple[Any, Callable[[], Any]]:
        packed = _packed(item)
        self.sent += 1
        coming = self.submit(packed, with_function=self.always or self.sent <= self.number())
        return coming, partial(self.outcome, coming, packed)

    def submit(self, item: bytes, *, with_function: bool) -> Any:
        with _complaining(), held():  # an executor starts its processes here
            function = self.packed if with_function else b""
            return self.executor.submit(_carry_out, _versions(), self.digest, function, item, **self.options)

    def outcome(self, coming: Any, item: bytes) -> Any:
        answer = self.wait(coming) or self.wait(self.submit(item, with_function=True))
        outcome, error = pickle.loads(answer)
        if error is not None:
            raise error
        return outcome

    def wait(self, coming: Any) -> bytes:
        while True:
            with suppress(TimeoutError), _complaining():
                answer: bytes = coming.result(5)
                return answer
            self.number()  # is anybody there?


class _Cluster(_Processes):
    """Workers of Dask: the function is the outcome of a task, which each worker gets once and Dask can repeat."""

    def __init__(self, executor: Any, function: Callable[[Any], Any]) -> None:
        client = getattr(executor, "_client", executor)
        if client.asynchronous:
            raise ParameterError("an asynchronous client of Dask cannot be waited for; write Client(…) without it")
        super().__init__(client, function)
        # equal items too are computed each for itself
        self.options = {**getattr(executor, "_kwargs", {}), "pure": False}
        self.workers, self.counted, self.seen = 1, -1.0, monotonic()
        if not self.always:
            with _complaining(), catch_warnings():
                simplefilter("ignore")  # of a large task, which is what sends it once
                self.packed, self.always = client.submit(bytes, self.packed, **self.options), True

    def number(self) -> int:
        if monotonic() - self.counted > 1:
            with _complaining():
                self.workers = sum(self.executor.nthreads().values())
            self.counted = monotonic()
            if self.workers:
                self.seen = self.counted
            elif self.counted - self.seen > PATIENCE:
                raise NotAvailable(f"the cluster has had no worker for {PATIENCE:.0f} seconds; start some: dask worker")
        return max(1, self.workers)


@contextmanager
def _complaining() -> Iterator[None]:
    """Say in one line that workers are gone; errors of the work itself are outcomes."""
    try:
        yield
    except (MeasurandError, TimeoutError):
        raise
    except Exception as error:  # noqa: BLE001 - every executor has its own
        raise NotAvailable(
            f"the executor has failed ({type(error).__name__}: {error}); where a worker died, mostly memory does not"
            " suffice: take fewer workers"
        ) from None


def _in_order(workers: _Threads, items: Iterable[Any]) -> Iterator[Any]:
    """What comes of each item, in order, with the next ones under way."""
    waiting: deque[tuple[Any, Callable[[], Any]]] = deque()
    sent = builtins.map(workers.send, items)
    more = True
    try:
        while True:
            while more and len(waiting) < AHEAD * workers.number():
                try:
                    waiting.append(next(sent))
                except StopIteration:
                    more = False
                except Exception as error:  # noqa: BLE001 - it surfaces where its turn comes
                    waiting.append(_failed(error))
                    more = False
            if not waiting:
                return
            yield waiting.popleft()[1]()
    finally:
        for coming, _ in waiting:
            with suppress(Exception):  # a cluster may be gone
                coming.cancel()


def _failed(error: Exception) -> tuple[Any, Callable[[], Any]]:
    """An error in the place of what was sent."""
    from concurrent.futures import Future

    coming: Future[Any] = Future()
    coming.set_exception(error)
    return coming, coming.result


# What travels


def _packed(thing: object) -> bytes:
    """Something pickled, with its code where no module of other processes has it."""
    found, why = b"", ""
    try:
        found = pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - whatever pickle cannot do
        why = f" ({error})"
    if found and b"__main__" not in found:  # which is another module elsewhere
        return found
    with suppress(Exception):
        import cloudpickle  # comes with Dask

        found = cloudpickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
    if not found:
        raise ParameterError(f"{quoted(thing)} does not travel to another process{why}; take threads")
    return found


def _versions() -> tuple[str, str]:
    """What has to be the same on all workers for the same results."""
    return getattr(measurand_next, "__version__", "?"), ".".join(builtins.map(str, sys.version_info[:2]))


# In a worker

_in_worker: ContextVar[bool] = ContextVar("in_worker", default=False)

_functions: dict[bytes, Callable[[Any], Any]] = {}
"""The functions that were last sent to this worker, by the digest of what was sent."""


def _alone(function: Callable[[Item], Outcome], item: Item) -> Outcome:
    """Call a function that has this worker and no other."""
    token = _in_worker.set(True)
    try:
        return function(item)
    finally:
        _in_worker.reset(token)


def _carry_out(versions: tuple[str, str], digest: bytes, function: bytes, item: bytes) -> bytes:
    """What comes of an item, pickled: an outcome, or an error; nothing where the function is missing here."""
    if versions != _versions():
        there, here = ("measurand {} on Python {}".format(*each) for each in (_versions(), versions))
        return _packed_error(NotAvailable(f"a worker has {there}, this process {here}; install the same on all"))
    try:
        called = _functions.get(digest)
        if called is None:
            if not function:
                return b""
            called = _functions[digest] = _unpacked(function)
            for other in list(_functions)[:-2]:
                _functions.pop(other, None)
        return _packed((_alone(called, _unpacked(item)), None))
    except Exception as error:  # noqa: BLE001 - it surfaces at who asked
        return _packed_error(error)


def _unpacked(packed: bytes) -> Any:
    try:
        return pickle.loads(packed)
    except ModuleNotFoundError as error:
        raise NotAvailable(f"a worker has no module {error.name}; install it there") from None
    except AttributeError as error:
        raise ParameterError(
            f"what a program defines does not travel to another process; take threads ({error})"
        ) from None


def _packed_error(error: Exception) -> bytes:
    from traceback import format_exc

    if not isinstance(error, MeasurandError):
        error.add_note(f"in a worker:\n{format_exc()}")
    with suppress(Exception):
        packed = _packed((None, error))
        pickle.loads(packed)  # some errors can be written and not read
        return packed
    return _packed((None, RuntimeError(f"{type(error).__name__}: {error}")))


# Workers of this machine


def cores() -> int:
    """How many cores this process may use: those it is bound to, or a container's share.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    if hasattr(os, "process_cpu_count"):
        bound = os.process_cpu_count()  # since Python 3.13
    else:
        bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(bound or 1, ceil(_share_of_container())))


def _share_of_container(folder: str = "/sys/fs/cgroup") -> float:
    """How many cores' time a container grants its processes on Linux."""
    # cgroups of version 2 have both numbers in one file, those of version 1 in two
    for names in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        with suppress(OSError, ValueError):
            texts = " ".join(Path(folder, name).read_text(encoding="ascii") for name in names)
            quota, period = builtins.map(int, texts.split())  # "max" is no number, and no limit
            if quota > 0 and period > 0:
                return quota / period
    return 1e9


@contextmanager
def threads(number: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """Threads, as many as there are cores, for work outside Python's lock; nobody waits for those still at work.

    Examples
    --------
    >>> with threads(2) as executor:
    ...     executor.submit(abs, -1).result()
    1
    """
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(number or cores(), thread_name_prefix="measurand")
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def processes(number: int | None = None) -> Iterator[Executor]:
    """Processes of this machine, as many as there are cores, which are killed at the end of the block.

    They are started anew (`spawn`), leave signals to this process, and end when it ends in any way.

    Examples
    --------
    >>> with processes(2) as executor:
    ...     list(map(abs, [-1, 2, -3], executor=executor))
    [1, 2, 3]
    """
    from multiprocessing import get_context, resource_tracker

    if os.name != "nt":
        resource_tracker.ensure_running()  # which ends by letting signals through, those held back too
    spawn, started, pipes = get_context("spawn"), [], []
    # a worker has one core, and libraries of linear algebra would each take all
    alone = {f"{library}_NUM_THREADS" for library in ("OPENBLAS", "MKL", "OMP")} - os.environ.keys()
    try:
        with held():
            os.environ.update(dict.fromkeys(alone, "1"))
            for _ in range(number or cores()):
                here, there = spawn.Pipe()
                process = spawn.Process(target=_serve, args=(there,))
                process.start()
                there.close()
                started.append(process)
                pipes.append(here)
        with threads(len(pipes)) as pool:
            yield _Piped(pool, pipes)
    finally:
        for name in alone:
            os.environ.pop(name, None)
        for process in started:
            process.kill()
        for process in started:
            process.join()


class _Piped:
    """An executor of processes with a pipe each: that one has died is noticed in the middle of what it sends, too."""

    def __init__(self, pool: ThreadPoolExecutor, pipes: Iterable[Connection]) -> None:
        from queue import SimpleQueue

        self.pool, self._max_workers = pool, pool._max_workers
        self.idle: SimpleQueue[Connection] = SimpleQueue()
        for pipe in pipes:
            self.idle.put(pipe)

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Any:
        return self.pool.submit(self.call, function, args)

    def call(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        from concurrent.futures import BrokenExecutor

        pipe = self.idle.get()
        try:
            pipe.send((function, args))
            outcome, error = pipe.recv()
        except (EOFError, OSError):
            raise BrokenExecutor("a process has ended") from None
        finally:
            self.idle.put(pipe)
        if error is not None:
            raise error
        return outcome


def _serve(pipe: Connection) -> None:
    """Work for the process at the other end: leave signals to it, and end when it has ended."""
    from signal import SIG_IGN, signal
    from threading import Thread

    for number in SIGNALS:
        signal(number, SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            function, args = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(*args), None
            except Exception as error:  # noqa: BLE001 - it surfaces at who asked
                answer = None, error
            pipe.send(answer)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
