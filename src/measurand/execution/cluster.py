"""The workers of a Dask cluster: `executor=client.get_executor()`, and `--cluster` of the command line.

A job goes to the cluster a few pieces for each thread at a time. What all of its pieces share is sent to each worker
once: it is the outcome of a task that Dask can repeat, so that it is not lost with a worker. A piece whose worker is
lost is repeated by Dask; each has a key of its own, and its outcome is taken once, in its turn.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import takewhile
from sys import version_info
from threading import Event
from time import monotonic
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from measurand import __version__
from measurand.errors import CallError, InputFileError, MeasurandError, NotAvailable, ParameterError
from measurand.execution.carriers import ahead, cores
from measurand.execution.job_options import Item, Outcome
from measurand.execution.on_worker import Failure, OtherVersion, pack
from measurand.loading import needed

AT_ONCE, HELD = 4, 16
"""So many pieces for each thread of the cluster are under way at a time, and so many with those that have ended and
wait for their turn behind a slow one."""

SMALL = 2048
"""A function of so many bytes travels with every piece; a larger one is sent to each worker once."""

CONNECTING = 10
"""After so many seconds a scheduler that does not answer is given up."""

LOOKING, LOOKING_AGAIN = 5.0, 0.1
"""Every so many seconds without an outcome, it is asked whether there are workers; sooner where some was lost."""

PATIENCE = 60
"""After so many seconds without any worker a job is given up."""

QUESTION = "(*__import__('sys').version_info[:2], __import__('measurand').__version__)"
"""What is evaluated by workers and the scheduler, which may have no measurand."""

_THERE = "__import__('measurand.execution.on_worker', fromlist=['on_worker'])"

HOLD, CARRY_OUT = f"{_THERE}.Held(packed)", f"{_THERE}.carry_out(version, function, item)"
"""What workers evaluate for pieces; a function of measurand would kill those that have none before they can say so."""

_asked: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""Whose versions are known to be the same as ours, by client."""


class Cluster:
    """The workers that a client of Dask reaches.

    Parameters
    ----------
    client : distributed.Client
        The client; whoever made it closes it.
    options : mapping, optional
        What its method `submit` is told of every piece: `workers`, `resources`, `retries`, `allow_other_workers`.
    """

    alone, far_away = False, True

    def __init__(self, client: Any, options: Mapping[str, Any] | None = None) -> None:
        if client.asynchronous:
            raise CallError("a client of Dask that is asynchronous cannot be waited for; write Client(…) without it")
        self.client = client
        # what is asked twice is computed twice, for a generator of random numbers is not what it was
        self.options = {name: value for name, value in (options or {}).items() if name != "pure"}
        self.address = getattr(client.scheduler, "address", "?")
        self._number, self._counted, self._seen = 0, -1.0, monotonic()

    @classmethod
    def of(cls, executor: Any) -> Cluster:
        """Return the cluster behind `client.get_executor()`, or behind the client itself.

        Parameters
        ----------
        executor
            An executor of Dask, or a client.
        """
        return cls(getattr(executor, "_client", executor), getattr(executor, "_kwargs", None))

    @property
    def number(self) -> int:
        """How many threads the workers have now; 1 if there is no worker, for one may come."""
        if monotonic() - self._counted > 1:
            self._count()
        return max(1, self._number)

    @property
    def threads(self) -> int:
        """How many threads of this process may be taken for what is done here."""
        return cores()

    def mapped(
        self,
        function: Callable[[Item], Outcome],
        items: Iterable[Item],
        *,
        in_threads: bool = False,  # noqa: ARG002 - workers are processes
        stays_here: bool = False,
    ) -> Iterator[Outcome]:
        """Return `function` of each item, in order, from the cluster or from threads here.

        Parameters
        ----------
        function
            A function of a module that workers have, or a `functools.partial` of one.
        items
            What it is called with.
        in_threads
            It makes no difference.
        stays_here
            Whether threads of this process are taken, not the cluster.
        """
        return ahead(function, items, self.threads) if stays_here else self._sent(function, items)

    def _sent(self, function: Callable[[Item], Outcome], items: Iterable[Item]) -> Iterator[Outcome]:
        self.check()
        job = _Job(self, function)
        try:
            for item in items:
                while job.is_full():
                    yield from job.ended()
                job.send(item)
            while job.away:
                yield from job.ended()
        finally:
            job.cancel()

    def check(self) -> None:
        """Complain of workers, or a scheduler, with another version of measurand or Python than this process has."""
        known = _asked.setdefault(self.client, set())
        new = [worker for worker in self._count() if worker not in known]
        with self._answering():
            found = self.client.run(eval, QUESTION, workers=new, on_error="return") if new else {}
            if "scheduler" not in known:
                found["scheduler"] = self._of_scheduler()
        ours = (*version_info[:2], __version__)
        others = {who: words for who, answer in found.items() if (words := _difference(answer, ours))}
        if others:
            shown = [f"the {_called(who)} {words}" for who, words in others.items()]
            more = f", and so on with {len(shown) - 3} more" if len(shown) > 3 else ""
            mine = f"measurand {__version__} and Python {ours[0]}.{ours[1]}"
            raise NotAvailable(f"{', '.join(shown[:3])}{more}, but this process has {mine}; install the same on all")
        known.update(who for who, answer in found.items() if answer == ours)

    def _of_scheduler(self) -> Any:
        """Return what versions the scheduler has, or the error that it has none."""
        try:
            return self.client.run_on_scheduler(eval, QUESTION)
        except ImportError as error:
            return error

    def look(self) -> None:
        """Complain if there has been no worker for long."""
        if not self._count() and monotonic() - self._seen > PATIENCE:
            raise NotAvailable(
                f"the cluster at {self.address} has had no worker for {PATIENCE} seconds; start some: dask worker"
                f" {self.address}"
            )

    def _count(self) -> dict[str, int]:
        """Return how many threads each worker has."""
        with self._answering():
            found: dict[str, int] = self.client.nthreads()
        self._number, self._counted = sum(found.values()), monotonic()
        if found:
            self._seen = self._counted
        return found

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Complain if the scheduler does not answer what is asked within a `with` block."""
        try:
            if self.client.status in ("closed", "closing"):
                raise self.gone()
            yield
        except (OSError, AttributeError, TypeError) as error:  # the last two where the client was closed meanwhile
            raise self.gone() from error

    def gone(self) -> NotAvailable:
        """Return the complaint that the scheduler is no longer there."""
        return NotAvailable(
            f"the scheduler of the cluster at {self.address} is gone; start the cluster and run it again"
        )


def _called(who: str) -> str:
    return who if who == "scheduler" else f"worker at {who}"


def _difference(answer: Any, ours: tuple[int, int, str]) -> str | None:
    """Return in words how somebody's versions differ from ours, if that is known."""
    if isinstance(answer, ImportError):
        return "has no measurand" if answer.name == "measurand" else f"cannot load measurand ({answer})"
    if isinstance(answer, Exception) or answer == ours:
        return None  # one that does not answer now is found out by its pieces
    return f"has measurand {answer[2]} and Python {answer[0]}.{answer[1]}"


class _Job:
    """A job under way: which pieces are with the cluster, in order.

    Parameters
    ----------
    cluster
        Who carries it out.
    function
        What is called for every piece.
    """

    def __init__(self, cluster: Cluster, function: Callable[[Any], Any]) -> None:
        self.cluster, self.client = cluster, cluster.client
        self.name = f"measurand-{uuid4().hex}"
        self.news = Event()
        self.away: deque[Any] = deque()
        self.sent = self.finished = self.taken = 0
        self.function: Any = _packed(function)

    def _submit(self, what: object, expression: str, **names: Any) -> Any:
        from warnings import catch_warnings, filterwarnings

        with self.cluster._answering(), catch_warnings():
            # what is large and shared is sent once; other pieces are as small as their makers could make them
            filterwarnings("ignore", "Sending large graph", UserWarning)
            key = f"{self.name}-{what}"
            return self.client.submit(eval, expression, names, key=key, pure=False, **self.cluster.options)

    def send(self, item: Any) -> None:
        """Hand the next piece to the cluster."""
        if not self.sent and len(self.function) > SMALL:
            self.function = self._submit("function", HOLD, packed=self.function)
        self.sent += 1
        piece = {"version": __version__, "function": self.function, "item": _packed(item)}
        future = self._submit(self.sent, CARRY_OUT, **piece)
        future.add_done_callback(self._note)
        self.away.append(future)

    def _note(self, _: object) -> None:
        self.finished += 1  # in one thread of Dask
        self.news.set()

    def is_full(self) -> bool:
        """Return whether as many pieces are with the cluster as it should have."""
        threads = self.cluster.number
        return self.sent - self.finished >= AT_ONCE * threads or len(self.away) >= HELD * threads

    def ended(self) -> Iterator[Any]:
        """Return what comes of the first pieces that have ended; of none when it took some time."""
        self.news.clear()
        first = list(takewhile(lambda future: future.status == "finished", self.away))
        if not first:
            status = self.away[0].status
            if status not in ("pending", "lost"):
                raise self._complaint(self.away[0])
            # what was lost with a worker is repeated, and that is no news
            if not self.news.wait(LOOKING if status == "pending" else LOOKING_AGAIN):
                self.cluster.look()
            return
        outcomes = self._gathered(first)
        for _ in first:
            self.away.popleft()
        del first
        for outcome in outcomes:
            self.taken += 1
            yield self._opened(pickle.loads(outcome))

    def _gathered(self, futures: list[Any]) -> list[bytes]:
        """Return what the cluster holds of some pieces; Dask repeats those that were lost with a worker meanwhile."""
        from asyncio import run_coroutine_threadsafe
        from concurrent.futures import CancelledError

        coming = run_coroutine_threadsafe(self._gather(futures), self.client.loop.asyncio_loop)
        try:
            while True:
                with suppress(TimeoutError):
                    outcomes: list[bytes] = coming.result(LOOKING)
                    return outcomes
                self.cluster.look()
        except (OSError, CancelledError):
            raise self.cluster.gone() from None
        except MeasurandError:
            raise
        except Exception as error:
            ended = [future for future in futures if future.status != "finished"]
            raise (self._complaint(ended[0]) if ended else self._unknown(error)) from error
        finally:
            coming.cancel()

    async def _gather(self, futures: list[Any]) -> Any:
        return await self.client.gather(futures, asynchronous=True)

    def _complaint(self, future: Any) -> MeasurandError:
        """Return in one line why a piece was not carried out."""
        number = int(future.key.rpartition("-")[2])
        if future.status != "error":
            return self._cancelled(number)
        error = future.exception()
        # what workers cannot even begin with is mostly of another version
        _asked.pop(self.client, None)
        self.cluster.check()
        if type(error).__name__ == "KilledWorker":
            last = getattr(error.last_worker, "address", error.last_worker)
            died = error.allowed_failures + 1
            return NotAvailable(
                f"{died} worker{'s' if died > 1 else ''} of the cluster died with piece {number} of the job, the last"
                f" at {last}; mostly their memory does not suffice: take workers with more of it, or fewer threads each"
            )
        return self._unknown(error)

    def _cancelled(self, number: int) -> MeasurandError:
        """Return why a piece was cancelled: the scheduler is gone, or somebody did it."""
        if self.client.status != "running":
            return self.cluster.gone()
        return NotAvailable(
            f"piece {number} of the job was cancelled by the cluster at {self.cluster.address}; run it again"
        )

    def _unknown(self, error: object) -> MeasurandError:
        return NotAvailable(f"the cluster at {self.cluster.address} cannot carry out the job: {error}")

    def _opened(self, answer: Any) -> Any:
        """Return the outcome of a piece, or raise the error that it ended with."""
        if isinstance(answer, OtherVersion):
            raise NotAvailable(
                f"the worker at {answer.worker} has measurand {answer.version}, but this process has measurand"
                f" {__version__}; install the same on all"
            )
        if isinstance(answer, Failure):
            raise _explained(answer, self.taken)
        return answer[0]

    def cancel(self) -> None:
        """Tell the cluster that what is still away is not wanted any more."""
        if self.away and self.client.status == "running":
            with suppress(Exception):  # it goes anyway when the client does
                self.client.cancel(list(self.away), force=True)
        self.away.clear()
        self.function = None


def _packed(thing: object) -> bytes:
    """Return something pickled, or complain in one line that it cannot travel."""
    try:
        return pack(thing)
    except Exception as error:  # noqa: BLE001 - whatever pickle cannot do
        raise ParameterError(
            f"part of the job does not travel to a worker of the cluster ({error}); define measures of your own by a"
            " function of a module"
        ) from None


def _explained(failure: Failure, number: int) -> Exception:
    """Return the error that a piece ended with, with what is to be said of the worker."""
    error, worker = failure.error, failure.worker
    if failure.unseen is not None and os.path.exists(failure.unseen):  # noqa: PTH110 - pathlib takes time to load
        why = f"it is there, but the worker at {worker} does not see it; give a path that all workers share, in full"
        return InputFileError(failure.unseen, None, f"{why}, or an address such as s3://bucket/file")
    if isinstance(error, MeasurandError):
        return error
    if isinstance(error, ModuleNotFoundError):
        return NotAvailable(f"the worker at {worker} has no module {error.name}; install it on all workers")
    if isinstance(error, MemoryError):
        return NotAvailable(
            f"the worker at {worker} has not enough memory for piece {number} of the job; take a larger"
        )
    if isinstance(error, OSError) and isinstance(error.filename, str):
        return InputFileError(error.filename, None, f"the worker at {worker} cannot read it ({error.strerror})")
    error.add_note(f"on the worker at {worker}:\n{failure.trace}")
    return error


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a cluster, check its versions, and close the connection behind a `with` block.

    Parameters
    ----------
    address
        That of the scheduler, such as tcp://host:8786, or the file that it wrote (`--scheduler-file`).
    """
    from warnings import catch_warnings, simplefilter

    distributed = needed("distributed", "cluster", "--cluster")
    where = _address_of(address)
    with _quiet():
        try:
            with catch_warnings():
                simplefilter("ignore")  # of versions, which are checked below
                client = distributed.Client(where, timeout=CONNECTING, set_as_default=False, name="measurand")
        except Exception as error:  # noqa: BLE001 - of the network, of certificates
            raise _no_answer(where, error) from None
        try:
            cluster = Cluster(client)
            with suppress(TimeoutError):
                client.wait_for_workers(1, timeout=CONNECTING)
            cluster.check()
            if not cluster._number:
                raise NotAvailable(f"the cluster at {where} has no workers; start some: dask worker {where}")
            yield cluster
        finally:
            with suppress(Exception):  # it is on its way out
                client.close(timeout=CONNECTING / 2)


def _address_of(scheduler: str) -> str:
    """Return the address of a scheduler, which stands in the file that it wrote if that is given."""
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    address = scheduler
    if scheduler.endswith(".json") or os.path.isfile(scheduler):  # noqa: PTH113 - pathlib takes time to load
        address = _in_file(scheduler)
    try:
        place = get_address_host_port(address)
    except (ValueError, TypeError) as error:
        raise ParameterError(
            f"{address!r} is no address of a scheduler ({_short(error)}); write it like tcp://host:8786"
        ) from None
    if address.startswith("tls:") and not Security().get_connection_args("client").get("ssl_context"):
        raise ParameterError(f"{address} needs certificates, which Dask's configuration names (distributed.comm.tls)")
    if not address.startswith(("ucx:", "inproc:")):
        _knock(address, place)
    return address


def _knock(address: str, place: tuple[str, int]) -> None:
    """Complain if nobody is there: a client would try again and again, and is hard to interrupt."""
    from socket import create_connection

    try:
        create_connection(place, CONNECTING).close()
    except OSError as error:
        raise _no_answer(address, error) from None


def _no_answer(address: str, error: Exception) -> NotAvailable:
    return NotAvailable(f"no scheduler answers at {address}; start one: dask scheduler ({_short(error)})")


def _in_file(path: str) -> str:
    """Return the address in a file that a scheduler wrote."""
    import json

    how = "the scheduler writes it: dask scheduler --scheduler-file FILE"
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes time to load
            return str(json.load(file)["address"])
    except FileNotFoundError:
        raise InputFileError(path, None, f"there is no such file; {how}") from None
    except OSError as error:
        raise InputFileError(path, None, f"cannot be read ({error.strerror or error})") from None
    except (ValueError, KeyError, TypeError):
        raise InputFileError(path, None, f"there is no address of a scheduler in it; {how}") from None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:120]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Dask logs from the terminal, within a `with` block: errors say it in one line."""
    import logging

    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
