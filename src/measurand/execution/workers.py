"""The workers of the command line: threads and processes of this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

from measurand.execution.carriers import AT_ONCE, ahead, cannot_travel, cores, failed, handing, outcome_of
from measurand.execution.job_options import Item, Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor


class Workers:
    """So many workers on this machine: threads for what holds up no other thread, processes for everything else.

    No process is started before as much work has been done here as starting them takes, so that small jobs are not
    slowed down. Processes are started anew (`spawn`), never forked: a fork copies locks that threads of the parent
    hold. They end when `close` is called, whatever they are doing, or when this process ends in any way.

    Parameters
    ----------
    number : int, optional
        How many; by default as many as there are cores to be used.

    Examples
    --------
    >>> with Workers(2) as workers:
    ...     list(workers.mapped(abs, [-1, 2, -3]))
    [1, 2, 3]
    """

    far_away = False

    def __init__(self, number: int | None = None) -> None:
        self.number = cores() if number is None else number
        self._processes: ProcessPoolExecutor | None = None
        self._answered = False

    @property
    def alone(self) -> bool:
        """Whether there is one, which is this thread."""
        return self.number == 1

    @property
    def threads(self) -> int:
        """How many threads of this process may be taken for what is done here."""
        return self.number

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def mapped(
        self,
        function: Callable[[Item], Outcome],
        items: Iterable[Item],
        *,
        in_threads: bool = False,
        stays_here: bool = False,  # noqa: ARG002 - all are here
    ) -> Iterator[Outcome]:
        """Return `function` of each item, in order, from threads or processes where there is enough to do for them.

        Parameters
        ----------
        function
            A function of a module, or a `functools.partial` of one. If it cannot be sent to a process, all is done
            here.
        items
            What it is called with.
        in_threads
            Whether threads are taken, not processes.
        stays_here
            It makes no difference.
        """
        rest, spent = iter(items), 0.0
        patience = STARTING_THREADS if in_threads else STARTING if self._processes is None else 0.0
        while self.number == 1 or spent < patience:
            began = perf_counter()
            some = list(islice(rest, 1))
            if not some:
                return
            outcome = function(some[0])
            spent += perf_counter() - began
            yield outcome
        few = list(islice(rest, 2))
        if len(few) < 2 and (in_threads or self._processes is None):
            yield from map(function, few)
        elif in_threads:
            yield from ahead(function, chain(few, rest), self.number)
        else:
            yield from self._by_processes(function, chain(few, rest))

    def _by_processes(self, function: Callable[[Item], Outcome], items: Iterable[Item]) -> Iterator[Outcome]:
        """Return `function` of each item, in order, from processes; until one of these answers, some are done here."""
        hand = handing(self._started(), function)
        waiting: deque[tuple[Item, Future[Outcome]]] = deque()

        def first() -> Outcome:
            item, coming = waiting.popleft()
            # what cannot be sent is done here
            return function(item) if cannot_travel(coming.exception()) else outcome_of(coming)

        try:
            for item in items:
                here = not self._answered and len(waiting) >= self.number
                waiting.append((item, _done(function, item) if here else self._sent(hand, item)))
                if len(waiting) > (AT_ONCE * self.number if self._answered else MEANWHILE):
                    yield first()
            while waiting:
                yield first()
        finally:
            for _, coming in waiting:
                coming.cancel()

    def _sent(self, hand: Callable[[Item], Future[Outcome]], item: Item) -> Future[Outcome]:
        """Return what will come of a piece that is sent to a process."""
        with _interrupts_held():
            coming = hand(item)
        if not self._answered:
            coming.add_done_callback(self._note_answer)
        return coming

    def _note_answer(self, _: object) -> None:
        self._answered = True

    def _started(self) -> Executor:
        """Return the processes, which are started when there is something for them to do."""
        if self._processes is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            # a worker has one core, and libraries of linear algebra would each take all
            for library in ("OPENBLAS", "MKL", "OMP"):
                os.environ.setdefault(f"{library}_NUM_THREADS", "1")
            number = min(self.number, 61) if os.name == "nt" else self.number  # Windows waits for no more
            self._processes = ProcessPoolExecutor(number, get_context("spawn"), initializer=_begin_worker)
        return self._processes

    def close(self) -> None:
        """End the processes at once: what was wanted of them has come back."""
        pool, self._processes, self._answered = self._processes, None, False
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(cancel_futures=True)


STARTING, STARTING_THREADS = 3.0, 0.02
"""So many seconds are worked here before processes, or threads, are started: most jobs that have not ended by then take
longer than to start them, which is one to two seconds for processes."""

MEANWHILE = 64
"""So many pieces are held at most while processes start."""


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold signals that end the program back in a `with` block, so that processes started there never see them."""
    from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, SIGTERM

    try:
        from signal import SIGHUP, pthread_sigmask
    except ImportError:  # on Windows
        yield
        return
    before = pthread_sigmask(SIG_BLOCK, [SIGINT, SIGTERM, SIGHUP])
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _begin_worker() -> None:
    """Prepare a process to work: it leaves signals to its parent, and ends when that has ended."""
    from multiprocessing import parent_process
    from signal import SIG_IGN, SIGINT, SIGTERM, signal
    from threading import Thread

    for number in (SIGINT, SIGTERM):
        signal(number, SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """Wait until another process has ended, and end this one."""
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


def _done(function: Callable[[Item], Outcome], item: Item) -> Future[Outcome]:
    """Return what comes of a piece that is done here, an error too, as if it came from elsewhere."""
    from concurrent.futures import Future

    done: Future[Outcome] = Future()
    try:
        done.set_result(function(item))
    except Exception as error:  # noqa: BLE001 - it surfaces where its turn comes
        return failed(error)
    return done
