"""Whole processes, from start to end, imports included."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from attrs import frozen

from campaign import Files
from contenders import FOUR, SIX, Kind
from turns import Row, add

BIN = Path(sys.executable).parent
SCRIPTS = Path(__file__).resolve().parent / "scripts"


@frozen
class Command:
    """A command line, and what it is in the tables."""

    tool: str
    kind: Kind
    measures: tuple[str, ...]
    words: tuple[str, ...]


def evaluations(data: Files) -> list[Command]:
    """Return the commands that print the means of one run."""
    inputs = (str(data.qrels), str(data.runs[0]))
    ir_measures = (str(BIN / "ir_measures"), *inputs)
    return [
        Command("`measurand evaluate`", Kind.OURS, SIX, _measurand(inputs, SIX)),
        Command("`measurand evaluate`", Kind.OURS, FOUR, _measurand(inputs, FOUR)),
        Command("pytrec_eval, script", Kind.PEER, FOUR, _script("with_pytrec_eval.py", inputs)),
        Command("`ir_measures`", Kind.PEER, FOUR, (*ir_measures, *FOUR)),
        Command("`ir_measures`", Kind.PEER, (*FOUR, "RBP(p=0.8, rel=1)"), (*ir_measures, *FOUR, "RBP(rel=1,p=0.8)")),
        Command("ranx, script", Kind.PEER, (*FOUR, "RBP(p=0.8)"), _script("with_ranx.py", inputs)),
    ]


def _measurand(inputs: tuple[str, ...], measures: tuple[str, ...]) -> tuple[str, ...]:
    options = [word for measure in measures for word in ("-m", measure)]
    return (str(BIN / "measurand"), "evaluate", *inputs, *options)


def _script(name: str, inputs: tuple[str, ...]) -> tuple[str, ...]:
    return (sys.executable, str(SCRIPTS / name), *inputs)


def imports() -> list[Command]:
    """Return the commands that do nothing but import."""
    statements = {
        "pass": Kind.FLOOR,
        "import numpy": Kind.FLOOR,
        "import polars": Kind.FLOOR,
        "import measurand": Kind.OURS,
        "import measurand; measurand.evaluate": Kind.OURS,
        "import pytrec_eval": Kind.PEER,
        "import ir_measures": Kind.PEER,
        "import ranx": Kind.PEER,
    }
    return [Command(f"`{text}`", kind, (), (sys.executable, "-c", text)) for text, kind in statements.items()]


def time_all(commands: Sequence[Command], repeats: int, environment: dict[str, str]) -> list[Row]:
    """Return what each command cost, turn by turn, after one turn that is not counted."""
    shuffled = random.Random(0)
    rows = [
        {"tool": command.tool, "kind": command.kind, "measures": command.measures, "wall": [], "cpu": []}
        for command in commands
    ]
    for command in commands:
        spend(command, environment)
    pairs = list(zip(commands, rows, strict=True))
    for _ in range(repeats):
        for command, row in shuffled.sample(pairs, len(pairs)):
            add(row, spend(command, environment))
    return rows


def spend(command: Command, environment: dict[str, str]) -> Row:
    """Run a command and return what it cost."""
    wall, spent = perf_counter(), _cpu()
    done = subprocess.run(command.words, capture_output=True, text=True, env=environment, check=False)
    cost = {"wall": perf_counter() - wall, "cpu": _cpu() - spent}
    if done.returncode:
        sys.exit(f"benchmark: {' '.join(command.words)} failed:\n{done.stderr}")
    return cost


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
