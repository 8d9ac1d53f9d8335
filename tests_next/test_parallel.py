from __future__ import annotations

import io
import os
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from multiprocessing import active_children
from operator import floordiv
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import fields
from hypothesis import given
from hypothesis import strategies as st

from measurand_next.data.judged import JudgedRuns
from measurand_next.data.qrels import Qrels
from measurand_next.errors import InputError, NotAvailable, ParameterError
from measurand_next.parallel import workers
from measurand_next.parallel.workers import AHEAD, SMALL, cores, processes, progress, threads
from measurand_next.parallel.workers import map as mapped


class Stranger:
    """Somebody's worker in another process, whose tasks another thread pickles at some later time."""

    def __init__(self):
        self.thread, self.sent = ThreadPoolExecutor(1), []

    def submit(self, function, /, *args):
        return self.thread.submit(self.work, function, args)

    def work(self, *task):
        self.sent.append(pickle.dumps(task))
        function, args = pickle.loads(self.sent[-1])
        return function(*args)


@pytest.fixture(scope="module")
def pool():
    with processes(2) as executor:
        yield executor


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0", silence_logs=50
    ) as client:
        yield client


@pytest.fixture(params=["none", "threads", "stranger", "processes", "client", "executor of a client"])
def executor(request):
    """Whoever may carry out work."""
    if request.param == "threads":
        with ThreadPoolExecutor(3) as executor:
            yield executor
    elif request.param == "processes":
        yield request.getfixturevalue("pool")
    elif "client" in request.param:
        client = request.getfixturevalue("client")
        yield client if request.param == "client" else client.get_executor(pure=True)
    else:
        yield Stranger() if request.param == "stranger" else None


def test_outcomes_are_the_same_and_in_order_whoever_works(executor):
    some = np.random.default_rng(1).normal(size=(60, 7))
    found = list(mapped(np.sum, some, executor=executor))
    assert [each.hex() for each in found] == [np.sum(each).hex() for each in some]


LARGE = bytes(range(256)) * (SMALL // 128)


def test_a_large_function_does_the_same(executor):
    places = range(0, len(LARGE), 9999)
    assert list(mapped(LARGE.__getitem__, places, executor=executor)) == [LARGE[place] for place in places]


@given(items=st.lists(st.integers(), max_size=30), number=st.integers(1, 5))
def test_any_number_of_threads_does_the_same(items, number):
    with threads(number) as executor:
        assert list(mapped(abs, items, executor=executor)) == [abs(each) for each in items]


def test_an_error_surfaces_where_its_turn_comes(executor):
    outcomes = mapped(partial(floordiv, 6), [3, 2, 0, 1], executor=executor)
    assert (next(outcomes), next(outcomes)) == (2, 3)
    with pytest.raises(ZeroDivisionError):
        next(outcomes)


def test_an_error_arrives_whole(executor):
    with pytest.raises(InputError, match=r"^a\.run:7: odd$") as found:
        list(mapped(eval, [RAISING.format("InputError('odd', 'a.run', 7)")], executor=executor))
    assert (found.value.path, found.value.line) == ("a.run", 7)


RAISING = "(_ for _ in ()).throw(__import__('measurand_next.errors', fromlist=['x']).{})"


def test_an_error_of_another_process_says_where_it_arose():
    with pytest.raises(ZeroDivisionError) as found:
        list(mapped(eval, ["1 / 0"], executor=Stranger()))
    assert "in a worker" in found.value.__notes__[0]


class Unreadable(Exception):
    """It can be written, and not read."""

    def __reduce__(self):
        return int, ("odd",)


def refuse(_):
    raise Unreadable("odd")


def test_an_error_that_does_not_travel_is_told():
    with pytest.raises(RuntimeError, match=r"^Unreadable: odd$"):
        list(mapped(refuse, [1], executor=Stranger()))


def test_an_error_of_the_items_surfaces_where_their_turn_comes(executor):
    outcomes = mapped(abs, (6 // number for number in (-3, 0, 1)), executor=executor)
    assert next(outcomes) == 2
    with pytest.raises(ZeroDivisionError):
        next(outcomes)


def test_a_worker_has_no_workers_of_its_own():
    others = Stranger()
    with threads(1) as executor:
        outer = mapped(lambda item: list(mapped(abs, [item], executor=others)), [-1, 2], executor=executor)
        assert list(outer) == [[1], [2]]
    assert not others.sent


@pytest.mark.parametrize("number", [1, 3])
def test_a_few_items_for_each_worker_are_taken_ahead_and_none_after_an_error(number):
    taken = []

    def items():
        for item in range(100):
            taken.append(item)
            yield item

    with threads(number) as executor:
        outcomes = mapped(partial(floordiv, 6), items(), executor=executor)
        with pytest.raises(ZeroDivisionError):
            next(outcomes)
        assert len(taken) == AHEAD * number
        assert next(outcomes, None) is None
        for done, _ in enumerate(mapped(abs, items(), executor=executor), 1):
            assert len(taken) < done + 2 * AHEAD * number


def test_whoever_stops_early_has_the_rest_cancelled():
    begun, end, done = threading.Event(), threading.Event(), []

    def work(item):
        if item:
            begun.set()
            end.wait(20)
        done.append(item)

    with ThreadPoolExecutor(1) as executor:
        outcomes = mapped(work, range(4), executor=executor)
        next(outcomes)
        assert begun.wait(20)
        outcomes.close()
        end.set()
    assert done == [0, 1]


def test_nobody_waits_for_threads_at_work():
    end = threading.Event()
    with threads(1) as executor:
        coming, later = executor.submit(end.wait, 20), executor.submit(abs, 1)
    assert not coming.done()
    assert later.cancelled()
    end.set()


# What travels


class Slow:
    """Takes so long to be pickled by another thread that the one that asks computes something meanwhile."""

    def __init__(self):
        self.begun, self.filled = threading.Event(), threading.Event()

    def __reduce__(self):
        if threading.current_thread() is not threading.main_thread():
            self.begun.set()
            self.filled.wait(10)
        return int, ()


class Value:
    """A value that keeps what is computed of it among its attributes."""

    def __init__(self):
        self.slow, self.number = Slow(), 7

    @cached_property
    def twice(self):
        return 2 * self.number


def test_computing_while_workers_are_sent_the_same_values_breaks_nothing():
    values = [Value(), Value(), Value()]

    def items():
        for value in values:
            yield value
            value.slow.begun.wait(0.1)  # where another thread pickles it, that has begun
            assert value.twice == 14
            value.slow.filled.set()

    assert list(mapped(Value.__dict__["twice"].func, items(), executor=Stranger())) == [14] * 3


@pytest.mark.parametrize(
    "value",
    [Qrels.of({"1": {"d1": 2, "d2": 0}, "2": {"d1": 1}}), JudgedRuns.on_one_topic([(1, 0), (0,)], (3, 1))],
    ids=["Qrels", "JudgedRuns"],
)
def test_values_travel_without_what_was_computed_of_them(value):
    before = pickle.dumps(value)
    kept = {*type(value).__slots__} - {each.name for each in fields(type(value))} - {"__weakref__"}
    assert len(kept) > 3
    assert not hasattr(value, "__dict__")
    for name in kept:
        getattr(value, name)
    assert pickle.dumps(value) == before


class Forgetful(Stranger):
    """A worker that never has the function of an earlier item."""

    def work(self, *task):
        workers._functions.clear()
        return super().work(*task)


@pytest.mark.parametrize("kind", [Stranger, Forgetful])
def test_a_large_function_is_sent_only_where_it_is_missing(kind, monkeypatch):
    monkeypatch.setattr(workers, "cores", lambda: 1)
    executor = kind()
    assert list(mapped(LARGE.__getitem__, range(20), executor=executor)) == list(range(20))
    large = sum(len(each) > SMALL for each in executor.sent)
    assert large == (1 if kind is Stranger else 20)


def test_a_client_is_sent_a_large_function_once(client, monkeypatch):
    sent, submit = [], client.submit

    def count(function, *args, **options):
        sent.append(len(pickle.dumps([each for each in args if isinstance(each, bytes)])))
        return submit(function, *args, **options)

    monkeypatch.setattr(client, "submit", count)
    assert list(mapped(LARGE.__getitem__, range(20), executor=client)) == list(range(20))
    assert [size > SMALL for size in sent] == [True] + [False] * 20


def test_equal_items_are_computed_each_for_itself(client):
    assert len(set(mapped(eval, ["__import__('uuid').uuid4()"] * 5, executor=client.get_executor(pure=True)))) == 5


@pytest.mark.parametrize("call", [lambda lock: (partial(isinstance, lock), [int]), lambda lock: (id, [lock])])
def test_what_does_not_travel_is_refused_and_threads_take_it(call):
    function, items = call(threading.Lock())
    executor = Stranger()
    with pytest.raises(ParameterError, match="travel"):
        list(mapped(function, [*items, 1], executor=executor))
    assert not executor.sent
    with threads(1) as executor:
        assert len(list(mapped(function, items, executor=executor))) == 1


@pytest.mark.parametrize(
    ("missing", "kind"), [("odd_module name", NotAvailable), ("os odd_name", ParameterError)], ids=["module", "name"]
)
def test_what_a_worker_cannot_find_is_told(missing, kind):
    function = "c{}\n{}\n.".format(*missing.split()).encode()  # as pickle writes a name of a module
    answer = workers._carry_out(workers._versions(), b"digest", function, pickle.dumps(1))
    with pytest.raises(kind, match="odd"):
        raise pickle.loads(answer)[1]


def test_workers_of_another_version_are_refused(monkeypatch):
    versions = iter([("1", "3.11"), ("2", "3.11")])
    monkeypatch.setattr(workers, "_versions", lambda: next(versions, ("2", "3.11")))
    with pytest.raises(NotAvailable, match=r"a worker has measurand 2 .*, this process measurand 1 "):
        list(mapped(abs, [1], executor=Stranger()))


@pytest.mark.parametrize("odd", [4, None.__class__, "4"])
def test_what_is_no_executor_is_refused(odd):
    with pytest.raises(ParameterError, match="ThreadPoolExecutor"):
        mapped(abs, [1], executor=odd)


# Workers that are gone


def test_a_worker_that_dies_is_told_in_its_turn_in_one_line(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with processes(1) as executor:
        asked = ["__import__('os').environ['OMP_NUM_THREADS']", "__import__('os')._exit(1)", "3"]
        outcomes = mapped(eval, asked, executor=executor)
        assert next(outcomes) == "1"  # a worker has one core
        with pytest.raises(NotAvailable, match=r"BrokenExecutor.*take fewer workers"):
            list(outcomes)
        with pytest.raises(NotAvailable, match="worker"):
            list(mapped(abs, [1], executor=executor))
    assert "OMP_NUM_THREADS" not in os.environ


def test_processes_are_killed_while_they_send_something_large():
    before = {*active_children()}
    with processes(2) as executor:
        outcomes = mapped(bytes, [30_000_000] * 9, executor=executor)
        assert len(next(outcomes)) == 30_000_000
    assert {*active_children()} == before
    with pytest.raises(NotAvailable):
        list(outcomes)


def test_a_cluster_without_workers_is_given_up(monkeypatch):
    class Client:
        asynchronous = False

        def submit(self, *_, **__):
            return SimpleNamespace(result=self.wait, cancel=int)

        def wait(self, _):
            raise TimeoutError

        def nthreads(self):
            return {}

    Client.__module__ = "distributed.client"
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(workers, "monotonic", lambda: float(next(clock)))
    with pytest.raises(NotAvailable, match="dask worker"):
        list(mapped(abs, [1], executor=Client()))


def test_an_asynchronous_client_is_refused():
    given = {"__module__": "distributed.client", "asynchronous": True, "submit": int}
    with pytest.raises(ParameterError, match="asynchronous"):
        mapped(abs, [1], executor=type("Client", (), given)())


# Cores and progress


@pytest.mark.parametrize(
    ("files", "share"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, 1e9),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.5),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1e9),
        ({}, 1e9),
    ],
)
def test_a_container_may_have_a_share_of_the_cores(files, share, tmp_path, monkeypatch):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert workers._share_of_container(str(tmp_path)) == share
    monkeypatch.setattr(workers, "_share_of_container", lambda: share)
    assert cores() <= max(1, round(share + 0.49))


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_progress_is_shown_on_a_terminal_alone(kind, monkeypatch):
    from tqdm import std

    clock = iter(range(0, 1000, 3))  # a step every three seconds
    monkeypatch.setattr(std, "time", lambda: float(next(clock)))
    monkeypatch.setattr(sys, "stderr", kind())
    assert list(mapped(abs, (-1, 2, -3), progress="runs")) == [1, 2, 3]
    assert list(progress(iter("ab"), "files", total=2)) == ["a", "b"]
    shown = sys.stderr.getvalue()
    assert ("runs" in shown and "1/3" in shown and "1/2" in shown) == (kind is Terminal)
    assert bool(shown) == (kind is Terminal)
