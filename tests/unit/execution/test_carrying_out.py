"""Carrying out a long job: one piece after another, ahead of time, or by workers."""

from __future__ import annotations

import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from measurand.errors import CallError, NotAvailable, ParameterError
from measurand.execution import Workers, ahead, carried_out_by, carriers, cores, mapped, silent, works_alone
from measurand.execution import workers as of_command_line


class Failing(Executor):
    """Workers of which nothing comes but an error."""

    def __init__(self, error):
        self.error = error

    def submit(self, fn, /, *args, **kwargs):
        coming: Future[None] = Future()
        coming.set_exception(self.error)
        return coming


def test_silence_hands_the_items_through_untouched():
    items = [1, 2, 3]
    assert silent(items, 3, "runs") is items


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 2, 10])
def test_outcomes_come_in_the_order_of_the_items(n, workers):
    assert list(ahead(lambda item: item * item, range(n), workers=workers)) == [item * item for item in range(n)]


def test_the_work_is_done_beside_the_caller():
    (worker,) = set(ahead(lambda item: threading.current_thread(), [1], workers=2))
    assert worker is not threading.current_thread()


@pytest.mark.parametrize("workers", [1, 3])
def test_no_more_items_are_taken_than_the_workers_need(workers):
    taken = []

    def items():
        for item in range(20):
            taken.append(item)
            yield item

    for done, _ in enumerate(ahead(abs, items(), workers=workers), 1):
        assert len(taken) <= done + workers


def test_an_error_surfaces_where_its_turn_comes():
    outcomes = ahead(lambda item: 6 // item, [3, 2, 0, 1], workers=2)
    assert (next(outcomes), next(outcomes)) == (2, 3)
    with pytest.raises(ZeroDivisionError):
        next(outcomes)


def test_nothing_new_is_taken_after_an_error():
    taken = []

    def items():
        for item in range(100):
            taken.append(item)
            yield item

    def fail(item):
        raise ValueError(item)

    with pytest.raises(ValueError, match=r"^0$"):
        list(ahead(fail, items(), workers=2))
    assert len(taken) <= 3


def test_a_caller_who_stops_early_leaves_no_worker_behind():
    before = set(threading.enumerate())
    outcomes = ahead(abs, range(100), workers=3)
    assert next(outcomes) == 0
    outcomes.close()
    workers = set(threading.enumerate()) - before
    for worker in workers:
        worker.join(30)
    assert not any(worker.is_alive() for worker in workers)


def test_abandoning_the_work_waits_for_nothing():
    busy, released = threading.Event(), threading.Event()

    def work(item: int) -> int:
        if item:
            busy.set()
            released.wait(30)
        return item

    outcomes = ahead(work, [0, 1, 2, 3], workers=2)
    assert next(outcomes) == 0
    assert busy.wait(30)
    outcomes.close()  # would hang for as long as the work does
    assert not released.is_set()
    released.set()


# Executors


def test_an_executor_has_a_few_pieces_for_each_worker_and_no_more():
    taken = []

    def items():
        for item in range(50):
            taken.append(item)
            yield item

    with ThreadPoolExecutor(3) as threads, carried_out_by(threads):
        for done, outcome in enumerate(mapped(abs, items()), 1):
            assert outcome == done - 1
            assert len(taken) <= done + 2 * 3


def test_an_error_of_an_executor_surfaces_where_its_turn_comes_and_ends_the_rest():
    with ThreadPoolExecutor(1) as threads, carried_out_by(threads):
        outcomes = mapped(lambda item: 6 // item, [3, 0, *range(1, 1000)])
        assert next(outcomes) == 2
        with pytest.raises(ZeroDivisionError):
            next(outcomes)


def test_a_worker_has_no_workers_of_its_own():
    with ThreadPoolExecutor(2) as threads, carried_out_by(threads):
        assert not works_alone()
        assert list(mapped(lambda _: works_alone(), range(3))) == [True, True, True]
        assert list(ahead(lambda _: works_alone(), range(3))) == [True, True, True]
    assert works_alone()


def test_what_has_no_method_but_map_will_do():
    with carried_out_by(SimpleNamespace(map=map)):
        assert list(mapped(abs, [-1, 2])) == [1, 2]


def test_a_number_is_no_executor():
    with pytest.raises(CallError, match=r"write executor=ThreadPoolExecutor\(3\)"), carried_out_by(3):
        pass


def test_what_cannot_travel_is_refused_to_an_executor_in_one_line():
    with (
        carried_out_by(Failing(TypeError("cannot pickle a function"))),
        pytest.raises(ParameterError, match="does not travel to another process; take threads"),
    ):
        list(mapped(abs, [1]))


def test_a_worker_that_dies_is_told_in_one_line():
    with (
        carried_out_by(Failing(BrokenExecutor("terminated abruptly"))),
        pytest.raises(NotAvailable, match="a worker process ended before its work was done; take fewer workers"),
    ):
        list(mapped(abs, [1]))


def test_a_worker_that_died_before_the_next_piece_is_told_in_one_line(monkeypatch):
    broken = Executor()

    def submit(*_):
        raise BrokenExecutor("not usable anymore")

    monkeypatch.setattr(broken, "submit", submit)
    workers = Workers(2)
    monkeypatch.setattr(workers, "_started", lambda: broken)
    monkeypatch.setattr(of_command_line, "STARTING", 0)
    for executor in (broken, workers):
        with carried_out_by(executor), pytest.raises(NotAvailable, match="a worker process ended before"):
            list(mapped(abs, [-1, 2, -3]))


# Workers of the command line


def test_workers_have_as_many_threads_as_they_are_wherever_their_outcomes_are_taken(monkeypatch):
    monkeypatch.setattr(of_command_line, "STARTING_THREADS", 0)
    monkeypatch.setattr(of_command_line, "cores", lambda: 1)
    together = threading.Barrier(3)
    with carried_out_by(Workers(3)):
        outcomes = mapped(lambda _: together.wait(5), range(3), in_threads=True)
    assert sorted(outcomes) == [0, 1, 2]


@pytest.mark.parametrize("in_threads", [True, False])
def test_nothing_is_started_for_a_small_job(in_threads, monkeypatch):
    monkeypatch.setattr(Workers, "_started", None)
    monkeypatch.setattr(of_command_line, "ahead", None)
    with carried_out_by(Workers(4)):
        assert list(mapped(abs, [-1, 2, -3], in_threads=in_threads)) == [1, 2, 3]


def test_one_worker_is_this_one(monkeypatch):
    monkeypatch.setattr(of_command_line, "STARTING", 0)
    monkeypatch.setattr(of_command_line, "STARTING_THREADS", 0)
    here = threading.current_thread()
    with carried_out_by(Workers(1)):
        for in_threads in (True, False):
            assert set(mapped(lambda _: threading.current_thread(), range(3), in_threads=in_threads)) == {here}


def test_what_cannot_travel_is_done_here(monkeypatch):
    workers = Workers(2)
    monkeypatch.setattr(workers, "_started", lambda: Failing(TypeError("cannot pickle a function")))
    monkeypatch.setattr(of_command_line, "STARTING", 0)
    with carried_out_by(workers):
        assert list(mapped(abs, [-1, 2, -3, 4, -5])) == [1, 2, 3, 4, 5]


def test_until_processes_answer_some_pieces_are_done_here(monkeypatch):
    workers, never = Workers(2), Executor()
    monkeypatch.setattr(never, "submit", lambda *_: Future())
    monkeypatch.setattr(workers, "_started", lambda: never)
    monkeypatch.setattr(of_command_line, "STARTING", 0)
    monkeypatch.setattr(of_command_line, "MEANWHILE", 5)
    done = []

    def items():
        yield from range(5)
        raise KeyboardInterrupt  # while the first two are still away

    with carried_out_by(workers), pytest.raises(KeyboardInterrupt):
        list(mapped(done.append, items()))
    assert done == [2, 3, 4]


# Cores


@pytest.mark.parametrize(
    ("files", "share"),
    [
        ({"cpu.max": "max 100000"}, None),
        ({"cpu.max": "150000 100000"}, 1.5),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
        ({"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"}, 3.0),
        ({}, None),
        ({"cpu.max": "nonsense"}, None),
    ],
)
def test_a_container_may_grant_fewer_cores(files, share, tmp_path, monkeypatch):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
    assert carriers._share_of_container(str(tmp_path)) == share
    everything = cores()
    monkeypatch.setattr(carriers, "_share_of_container", lambda: 0.5)
    assert everything >= cores() == 1
