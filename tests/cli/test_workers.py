"""Workers of the command line: the same output for any number of them, and none left after Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from measurand import sample

WAITING = """
import sys, time
from measurand import execution
from measurand.cli import main
from measurand.study import simulation

def wait(*_, **__):
    print("at work", flush=True)
    list(execution.mapped(time.sleep, [0.001, 60, 60, 60], in_threads=how == "threads"))

if __name__ == "__main__":
    execution.workers.STARTING = execution.workers.STARTING_THREADS = 1e-9
    how = sys.argv.pop()
    simulation.simulate = wait
    main()
"""
"""A program that is `measurand simulate`, and whose workers have nothing to do but to wait."""


def children(process: int) -> set[int]:
    """Return the processes that a process has started and that are there."""
    files = Path(f"/proc/{process}/task").glob("*/children")
    return {int(child) for file in files for child in file.read_text().split()}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", ["threads", "processes"])
def test_after_an_interruption_no_worker_is_left_and_nothing_is_written(how, tmp_path):
    script, output = tmp_path / "waiting.py", tmp_path / "found.json"
    script.write_text(WAITING)
    files = [sample.qrels(), *sample.runs()[:2]]
    call = [sys.executable, script, "simulate", *files, "-f", "json", "-o", output, "--workers", "2", how]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    # two workers, and who keeps account of what they share
    workers: set[int] = set()
    while how == "processes" and len(workers) < 2:
        workers = children(process.pid)
        time.sleep(0.01)
    # as a terminal does, all of them, when some have hardly begun
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=50)
    assert process.returncode == 130
    assert [line for line in errors.splitlines() if not line.startswith("note: ")] == [
        "measurand: interrupted; nothing was written"
    ]
    assert not output.exists()
    until = time.monotonic() + 10
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < until:
        time.sleep(0.01)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
