"""A cluster of Dask: the same results, whatever becomes of its workers, and one line where that cannot be."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import measurand
from measurand.errors import CallError, InputFileError, NotAvailable, ParameterError
from measurand.execution import carried_out_by, cores, mapped, workers_in_use, works_far_away
from measurand.execution import cluster as of_dask
from measurand.execution.cluster import Cluster
from measurand.trec import read_run


def test_outcomes_of_a_cluster_come_in_order_and_nothing_of_them_stays_there(client):
    shared = np.arange(10_000)  # too large to travel with every piece
    for executor in (client.get_executor(), client):
        with carried_out_by(executor):
            assert workers_in_use() == 2
            assert works_far_away()
            assert list(mapped(partial(np.take, shared), range(200))) == list(range(200))
    until = time.monotonic() + 30
    while (
        left := client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
    ) and time.monotonic() < until:
        time.sleep(0.01)
    assert left == len(client.futures) == 0


def test_equal_pieces_are_done_each_for_itself_though_an_executor_says_they_are_pure(client):
    with carried_out_by(client.get_executor(pure=True)):
        assert len(set(mapped(eval, ["__import__('uuid').uuid4().hex"] * 5))) == 5


def test_a_slow_piece_does_not_keep_others_from_being_done(client, tmp_path):
    def piece(place: int) -> bool:
        if place == 20:  # more than are under way at a time
            (tmp_path / "done").touch()
        until = time.monotonic() + 60
        while place == 0 and not (tmp_path / "done").exists() and time.monotonic() < until:
            time.sleep(0.01)
        return place > 0 or (tmp_path / "done").exists()

    with carried_out_by(client):
        assert list(mapped(piece, range(25))) == [True] * 25


def test_a_worker_that_is_killed_in_the_middle_loses_and_doubles_nothing(client, tmp_path):
    shared = list(range(5000))

    def piece(shared: list[int], place: int) -> int:
        if place == 7 and not (tmp_path / "killed").exists():
            (tmp_path / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return shared[place]

    with carried_out_by(client.get_executor()):
        assert list(mapped(partial(piece, shared), range(40))) == list(range(40))
    assert (tmp_path / "killed").exists()
    client.wait_for_workers(2, timeout=60)


def test_a_piece_that_kills_every_worker_ends_the_job_in_one_line(local, client, monkeypatch):
    monkeypatch.setattr(local.scheduler, "allowed_failures", 0)

    def piece(place: int) -> None:
        if place == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    with (
        carried_out_by(client),
        pytest.raises(NotAvailable, match=r"^1 workers? .* died with piece [1-4] .*: take workers with"),
    ):
        list(mapped(piece, range(4)))
    client.wait_for_workers(2, timeout=60)


def test_an_error_of_a_worker_arrives_whole_where_its_turn_comes(client):
    def piece(place: int) -> int:
        if place == 3:
            raise InputFileError("bm25.run", 7, "5 columns where a run has 6")
        return 6 // (place - 5)

    with carried_out_by(client):
        outcomes = mapped(piece, range(9))
        assert [next(outcomes) for _ in range(3)] == [-2, -2, -2]
        with pytest.raises(InputFileError, match=r"^bm25\.run:7: 5 columns where a run has 6$") as caught:
            next(outcomes)
        assert caught.value.line == 7
        with pytest.raises(ZeroDivisionError) as other:
            list(mapped(piece, [5]))
    assert "on the worker at tcp://127.0.0.1" in other.value.__notes__[0]


def test_a_file_that_is_here_and_not_on_a_worker_is_told_with_what_to_do(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bm25.run").write_text("1 Q0 d1 1 1.0 bm25\n")
    with carried_out_by(client):
        with pytest.raises(
            InputFileError, match=r"^bm25\.run: it is there, but the worker at tcp://\S+ does not see it"
        ):
            list(mapped(read_run, ["bm25.run"]))
        with pytest.raises(InputFileError, match=r"^other\.run: there is no such file"):
            list(mapped(read_run, ["other.run"]))


def test_another_version_on_a_worker_is_told_before_a_job_and_by_a_piece(client, monkeypatch):
    def pretend(version: str) -> None:
        from measurand.execution import on_worker

        measurand.__version__ = on_worker.__version__ = version

    odd = min(client.nthreads())
    with carried_out_by(client.get_executor(workers=[odd])):
        assert list(mapped(abs, [-1])) == [1]
        client.run(pretend, "0.0.1", workers=[odd])
        told = rf"the worker at {odd} has measurand 0\.0\.1.*, but this process has measurand"
        try:
            with pytest.raises(NotAvailable, match=told):  # as one that comes later
                list(mapped(abs, range(20)))
            monkeypatch.setattr(of_dask, "_asked", {})
            with pytest.raises(NotAvailable, match=told):
                list(mapped(abs, [1]))
        finally:
            client.run(pretend, measurand.__version__)
        assert list(mapped(abs, [-2])) == [2]


# Without workers: what a client is asked, and what it answers


def test_what_pieces_share_is_sent_once_and_a_piece_is_what_it_says(here):
    shared = np.zeros(100_000)
    with carried_out_by(Cluster(here)):
        assert list(mapped(partial(np.take, shared), range(50))) == [0.0] * 50
    assert len(here.shared) == 1
    assert max(here.sent) < 100


def test_a_few_pieces_for_each_thread_are_taken_ahead_and_workers_that_come_later_get_theirs(here, monkeypatch):
    cluster, taken = Cluster(here), []
    monkeypatch.setattr(of_dask._Job, "_note", lambda *_: None)  # nothing is known to have ended

    def items() -> Iterator[int]:
        for item in range(60):
            taken.append(item)
            yield item

    with carried_out_by(cluster):
        outcomes = mapped(abs, items())
        assert next(outcomes) == 0
        assert len(taken) == 4 * 2 + 1
        here.workers = {"tcp://a:1": 2, "tcp://b:1": 3}
        cluster._counted = -1.0
        assert workers_in_use() == 5


def test_what_a_network_takes_longer_for_stays_here(here):
    with carried_out_by(Cluster(here)):
        assert list(mapped(lambda item: -item, range(5), stays_here=True)) == [0, -1, -2, -3, -4]
    assert here.sent == []
    assert Cluster(here).threads == cores()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ModuleNotFoundError("No module named 'measurand'", name="measurand"), "has no measurand,"),
        (
            ModuleNotFoundError("No module named 'attrs'", name="attrs"),
            r"cannot load measurand \(No module named 'attrs'\)",
        ),
        ((3, 8, measurand.__version__), r"has measurand \S+ and Python 3\.8, but this process has measurand"),
    ],
)
def test_what_a_worker_lacks_is_told_with_its_address(answer, words, here):
    here.answer = answer
    with (
        carried_out_by(Cluster(here)),
        pytest.raises(NotAvailable, match=rf"^the worker at tcp://a:1 {words}.*; install"),
    ):
        list(mapped(abs, [1]))


def test_no_worker_for_long_ends_a_job(here, monkeypatch):
    cluster = Cluster(here)
    here.workers = {}
    cluster.look()
    monkeypatch.setattr(of_dask, "PATIENCE", -1)
    with pytest.raises(NotAvailable, match=r"has had no worker for .* seconds; start some: dask worker"):
        cluster.look()


def test_what_cannot_travel_is_refused_in_one_line(here):
    import threading

    with carried_out_by(Cluster(here)), pytest.raises(ParameterError, match="does not travel to a worker"):
        list(mapped(partial(isinstance, threading.Lock()), [int]))


def test_a_client_that_cannot_be_waited_for_is_refused(here):
    here.asynchronous = True
    with pytest.raises(CallError, match="asynchronous"):
        Cluster(here)
