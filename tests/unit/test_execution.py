"""Carrying out a long job, one piece after another or ahead of time."""

from __future__ import annotations

import threading

import pytest

from measurand.execution import ahead, silent


def test_silence_hands_the_items_through_untouched():
    items = [1, 2, 3]
    assert silent(items, 3, "runs") is items


@pytest.mark.parametrize("lead", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 2, 10])
def test_outcomes_come_in_the_order_of_the_items(n, lead):
    assert list(ahead(lambda item: item * item, range(n), workers=lead)) == [item * item for item in range(n)]


def test_the_work_is_done_beside_the_caller():
    (worker,) = set(ahead(lambda item: threading.current_thread(), [1]))
    assert worker is not threading.current_thread()


@pytest.mark.parametrize("lead", [1, 3])
def test_no_more_items_are_taken_than_the_lead_allows(lead):
    taken = []

    def items():
        for item in range(20):
            taken.append(item)
            yield item

    for done, _ in enumerate(ahead(abs, items(), workers=lead), 1):
        assert len(taken) <= done + lead


def test_an_error_surfaces_where_its_turn_comes():
    outcomes = ahead(lambda item: 6 // item, [3, 2, 0, 1])
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

    outcomes = ahead(work, [0, 1, 2, 3])
    assert next(outcomes) == 0
    assert busy.wait(30)
    outcomes.close()  # would hang for as long as the work does
    assert not released.is_set()
    released.set()
