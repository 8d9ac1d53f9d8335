"""Tools side by side: each in a fresh process of its own, all taking turns, so that noise hits all alike."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from campaign import TINY, Files, files
from contenders import Contender

WORKER = Path(__file__).resolve().parent / "worker.py"

Row = dict[str, Any]


class Worker:
    """A contender at work; leaving the `with` block ends its process."""

    def __init__(self, contender: Contender, task: str, data: Files, environment: dict[str, str]) -> None:
        self.contender = contender
        tiny = files(TINY)
        job = {
            "tool": contender.tool,
            "task": task,
            "measures": contender.measures,
            "tiny": [str(tiny.qrels), *map(str, tiny.runs)],
            "files": [str(data.qrels), *map(str, data.runs)],
        }
        # in a session of its own it does not hear Ctrl-C: whoever started it ends it
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER), json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def hear(self) -> Row:
        """Return the next answer."""
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"benchmark: {self.contender.tool} stopped with exit code {self.process.wait()}; see above")
        return json.loads(answer)

    def ask(self, what: str) -> Row:
        """Return the answer to `turn` or `scores`."""
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        return self.hear()


def take_turns(
    contenders: Sequence[Contender], task: str, data: Files, repeats: int, environment: dict[str, str]
) -> list[Row]:
    """Return what each contender needed for a task, turn by turn, and the scores that it found."""
    shuffled = random.Random(0)
    rows: list[Row] = []
    with ExitStack() as stack:
        pairs = []
        for contender in contenders:
            worker = stack.enter_context(Worker(contender, task, data, environment))
            row = {"tool": contender.tool, "kind": contender.kind, "measures": contender.measures} | worker.hear()
            rows.append(row | {"wall": [], "cpu": []})
            pairs.append((worker, rows[-1]))
        for _ in range(repeats):
            for worker, row in shuffled.sample(pairs, len(pairs)):
                add(row, worker.ask("turn"))
        for worker, row in pairs:
            if row["measures"]:
                row["scores"] = worker.ask("scores")["scores"]
    return rows


def add(row: Row, spent: Row) -> None:
    """Add what one turn cost to a row; the peak is that of the first turn."""
    row["wall"].append(spent["wall"])
    row["cpu"].append(spent["cpu"])
    if "peak" in spent:
        row.setdefault("peak", spent["peak"])


def first_call(contender: Contender, data: Files, environment: dict[str, str]) -> Row:
    """Return how long a contender takes to load and to answer for the first time."""
    with Worker(contender, "files", data, environment) as worker:
        return {"tool": contender.tool} | worker.hear()
