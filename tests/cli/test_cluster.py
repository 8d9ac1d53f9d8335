"""--cluster: the same output, and one line where the cluster cannot be had, goes away or is left by Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from measurand import sample
from measurand.execution import cluster

SERVER = """
from time import sleep
from distributed import LocalCluster

with LocalCluster(n_workers=1, processes=False, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1",
                  protocol="tcp", silence_logs=50) as cluster:
    print(cluster.scheduler_address, flush=True)
    while True:
        sleep(1)
"""
"""A scheduler and a worker with one thread, in one process."""

WAITING = """
import sys, time
from pathlib import Path
from measurand import execution
from measurand.cli import main
from measurand.study import simulation

folder = Path(sys.argv.pop())

def wait(*_, **__):
    def piece(_):
        (folder / "begun").touch()
        while not (folder / "released").exists():
            time.sleep(0.01)

    list(execution.mapped(piece, range(3)))

if __name__ == "__main__":
    simulation.simulate = wait
    main()
"""
"""A program that is `measurand simulate`, and whose pieces wait until they are released."""


@pytest.fixture(scope="module")
def scheduler() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process of a small cluster, and its address."""
    process = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process, process.stdout.readline().strip()
    process.kill()
    process.wait()
    process.stdout.close()


def begun(address: str, folder: Path) -> subprocess.Popen[str]:
    """Return a process whose first piece is under way on the cluster."""
    script = folder / "waiting.py"
    script.write_text(WAITING)
    files = [str(sample.qrels()), *map(str, sample.runs()[:2])]
    output = ["-f", "json", "-o", str(folder / "found.json")]
    call = [sys.executable, str(script), "simulate", *files, *output, "--cluster", address, str(folder)]
    process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (folder / "begun").exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)
    return process


def said(process: subprocess.Popen[str]) -> list[str]:
    """Return what a process says to the end, but for notes on the data."""
    _, errors = process.communicate(timeout=60)
    return [line for line in errors.splitlines() if not line.startswith("note: ")]


def test_ctrl_c_leaves_the_cluster_and_writes_nothing(scheduler, tmp_path):
    process = begun(scheduler[1], tmp_path)
    os.kill(process.pid, signal.SIGINT)
    try:
        assert said(process) == ["measurand: interrupted; nothing was written"]
    finally:
        (tmp_path / "released").touch()
    assert process.returncode == 130
    assert not (tmp_path / "found.json").exists()


def test_a_cluster_prints_what_one_process_does(scheduler, small, call):
    files = ["qrels", "alpha.run", "beta.run"]
    for command in (
        ["evaluate", *files, "-m", "AP", "-m", "nDCG@2"],
        ["compare", *files, "-m", "P@2", "--test", "bootstrap"],
    ):
        alone = call(*command)
        assert alone.code == 0
        assert call(*command, "--cluster", scheduler[1]) == alone


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--cluster", "nowhere"], "measurand: 'nowhere' is no address of a scheduler ("),
        (["--cluster", "http://host:80"], "measurand: 'http://host:80' is no address of a scheduler ("),
        (["--cluster", "tls://host:80"], "measurand: tls://host:80 needs certificates"),
        (["--cluster", "no.json"], "measurand: no.json: there is no such file; the scheduler writes it"),
        (["--cluster", "qrels"], "measurand: qrels: there is no address of a scheduler in it; the scheduler writes it"),
        (["--cluster", "tcp://127.0.0.1:1"], "measurand: no scheduler answers at tcp://127.0.0.1:1; start one"),
        (["--cluster", "tcp://host:1", "--workers", "2"], "measurand evaluate: --workers is for this machine and"),
    ],
)
def test_a_cluster_that_cannot_be_had_is_told_in_one_line(given, told, small, call, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECTING", 0.1)
    found = call("evaluate", "qrels", "alpha.run", *given)
    assert found.code in (1, 2)
    assert found.err.startswith(told)
    assert found.err.count("\n") == 1


def test_dask_that_is_not_installed_is_told_with_what_installs_it(small, call, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = call("evaluate", "qrels", "alpha.run", "--cluster", "tcp://host:1")
    assert (found.code, found.err) == (1, "measurand: --cluster needs distributed: pip install 'measurand[cluster]'\n")


def test_a_scheduler_file_is_as_good_as_the_address(scheduler, small, call):
    (small / "scheduler.json").write_text(json.dumps({"address": scheduler[1]}))
    assert call("evaluate", "qrels", "alpha.run", "--cluster", "scheduler.json").code == 0


def test_a_scheduler_that_goes_away_in_the_middle_is_told_in_one_line(scheduler, tmp_path):
    server, address = scheduler
    process = begun(address, tmp_path)
    server.kill()
    assert said(process) == [
        f"measurand: the scheduler of the cluster at {address} is gone; start the cluster and run it again"
    ]
    assert process.returncode == 1
    assert not (tmp_path / "found.json").exists()
