"""R01: what workers get is pickled by the thread that asks, when it asks, and travels without caches."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import cached_property
from multiprocessing import get_context

import pytest

import measurand as md
from measurand.execution import Workers, carried_out_by, mapped
from measurand.execution import workers as of_command_line
from measurand.execution.on_worker import pack


class Feeding(Executor):
    """Workers that are fed as those of a process pool: what was submitted is pickled later, by a thread of its own."""

    def submit(self, fn, /, *args, **kwargs):
        coming: Future[object] = Future()
        threading.Thread(target=self._feed, args=(coming, (fn, args, kwargs)), daemon=True).start()
        return coming

    def _feed(self, coming, task):
        try:
            function, args, kwargs = pickle.loads(pickle.dumps(task))
            coming.set_result(function(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it surfaces where its turn comes
            coming.set_exception(error)


class Slow:
    """Takes so long to be pickled by another thread than this one that the asking thread computes something."""

    def __init__(self):
        self.begun, self.filled = threading.Event(), threading.Event()

    def __reduce__(self):
        if threading.current_thread() is not threading.main_thread():
            self.begun.set()
            self.filled.wait(10)
        return int, ()


class Value:
    """A value that keeps what is computed of it."""

    def __init__(self):
        self.slow, self.number = Slow(), 7

    @cached_property
    def twice(self):
        return 2 * self.number


def twice(value):
    return value.twice


@pytest.fixture(params=["an executor", "processes of the command line"])
def executor(request, monkeypatch):
    if request.param == "an executor":
        return Feeding()
    workers = Workers(2)
    monkeypatch.setattr(of_command_line, "STARTING", 0)
    monkeypatch.setattr(workers, "_started", Feeding)
    return workers


def test_computing_while_workers_are_fed_breaks_nothing(executor):
    """R01: "dictionary changed size during iteration" where the asking thread fills a cache of what it handed over."""
    values = [Value(), Value(), Value()]

    def items():
        for value in values:
            yield value
            # now it has been handed over; where another thread pickles it, that has begun
            value.slow.begun.wait(0.2)
            assert value.twice == 14
            value.slow.filled.set()

    with carried_out_by(executor):
        assert list(mapped(twice, items())) == [14, 14, 14]


class Late(Executor):
    """Workers that are sent everything at the last moment, and note whether that is what was handed over."""

    def __init__(self):
        self.same = []

    def submit(self, fn, /, *args, **kwargs):
        handed, executor = pickle.dumps((fn, args, kwargs)), self

        class Coming(Future):
            def result(self, timeout=None):
                sent = pickle.dumps((fn, args, kwargs))
                executor.same.append(sent == handed)
                function, given, named = pickle.loads(sent)
                return function(*given, **named)

        return Coming()


def _judged(topics=12):
    names = [str(topic) for topic in range(topics)]
    qrels = {topic: {f"d{place}": (place * int(topic) + place) % 3 for place in range(8)} for topic in names}
    runs = {
        system: {topic: {f"d{(step * place + int(topic)) % 11}": -place for place in range(6)} for topic in names}
        for system, step in (("a", 1), ("b", 2), ("c", 3))
    }
    return md.judge(runs, qrels)


def test_what_was_handed_to_an_executor_is_what_it_sends_whatever_is_computed_meanwhile():
    """R01: margins keep what comes of one piece while the next ones wait to be sent."""
    executor, judged = Late(), _judged()
    found = md.margins(judged, "AP", "a", "b", executor=executor)
    assert executor.same == [True] * 3
    assert found.to_dict() == md.margins(judged, "AP", "a", "b").to_dict()


@pytest.mark.parametrize("measure", ["AP", "nDCG@5"])
def test_values_travel_without_their_caches_and_come_to_the_same(measure):
    """R01: no more is sent of a value that was computed with; what comes of it is the same, exactly."""
    fresh, used = (md.margins(_judged(), measure, "a", "b") for _ in range(2))
    before = used.to_dict()
    assert len(pack(used)) <= len(pack(fresh))
    assert pickle.loads(pack(used)).to_dict() == before


def test_a_measure_of_ones_own_that_does_not_travel_is_refused_in_one_line():
    """R01: what cannot be pickled is found out by the thread that asks, and said as before."""
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as processes,
        carried_out_by(processes),
        pytest.raises(md.ParameterError, match="does not travel to another process; take threads"),
    ):
        list(mapped(lambda item: item, [1, 2]))
