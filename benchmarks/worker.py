"""The process in which one tool works on one task, turn by turn.

It is told its job in one argument (JSON), warms up on a tiny campaign, and then answers each line on its input:
`turn` does the task once and answers with what that cost, `scores` answers with the scores of the last turn.
Whatever the tool itself prints goes to the error stream.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any


def cpu() -> float:
    """Return the processor seconds of this process, with all its threads and children."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def peak() -> int:
    """Return the most bytes that this process has had in memory at a time."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def timed(task: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    wall, spent = perf_counter(), cpu()
    result = task()
    return result, {"wall": perf_counter() - wall, "cpu": cpu() - spent}


def prepare(tool: Any, task: str, files: Sequence[Path], measures: Sequence[str]) -> Callable[[], Any]:
    """Return what is to be timed; for the task `memory` the files are read now."""
    qrels, *runs = files
    if task == "files":
        return lambda: tool.score_files(qrels, runs, measures)
    held = tool.read(qrels, runs)
    return lambda: tool.score_held(held, measures)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**facts: Any) -> None:
        print(json.dumps(facts), file=answers, flush=True)

    job = json.loads(sys.argv[1])
    tiny, files = ([Path(name) for name in job[which]] for which in ("tiny", "files"))
    tool, load = timed(lambda: import_module(f"tools.{job['tool']}"))
    _, first = timed(lambda: prepare(tool, job["task"], tiny, job["measures"])())
    task = prepare(tool, job["task"], files, job["measures"])
    say(load=load["wall"], first=first["wall"])
    result = None
    for line in iter(sys.stdin.readline, ""):
        if line.strip() == "scores":
            say(scores=tool.by_topic(result))
            continue
        result = None
        gc.collect()
        result, spent = timed(task)
        say(**spent, peak=peak())


if __name__ == "__main__":
    main()
