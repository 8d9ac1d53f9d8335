"""What a small evaluation costs from start to end, beside other tools: `python benchmarks/startup.py --help`.

Nearly all of it is Python and packages coming up. The commands take turns, and the cheapest turn of each counts, so
that the figures can be had on a machine that has other things to do; bytecode is written in a first turn that does not
count. CPU seconds are those of all threads: numpy starts one on every core, which works for a moment and then waits.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from contenders import FOUR, Kind
from measurand import sample
from measurand.trec.files import load
from processes import BIN, SCRIPTS, Command, time_all
from turns import Row

PYTREC_EVAL, IR_MEASURES = "pytrec_eval, script", "ir_measures"
GOALS = {PYTREC_EVAL: 1.3, IR_MEASURES: 1.0}
"""How many times as long as these `measurand evaluate` may take."""

OPTIONS = ("--version", "--help")
FLOORS = ("pass", "import numpy", "import numpy, attrs")


def main() -> None:
    options = arguments()
    # bytecode is part of an installation
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    goals = " and ".join(f"{goal} times as long as {tool}" for tool, goal in GOALS.items())
    print(f"seconds, the least of {options.repeats} turns; measurand evaluate may take {goals}\n")
    with tempfile.TemporaryDirectory() as folder:
        for name, topics in (("one topic", 1), ("50 topics", 50)):
            inputs = [str(cut(path, topics, Path(folder))) for path in (sample.qrels(), sample.runs()[0])]
            rows = time_all(evaluations(inputs), options.repeats, environment)
            print("\n".join(table(f"{name} of the sample", rows, rows)), "\n")
            print(f"benchmark: {name} done", file=sys.stderr, flush=True)
        print("\n".join(table("no evaluation", time_all(others(), options.repeats, environment), rows)))
    print("\nThe commands:\n")
    for command in (*evaluations(["QRELS", "RUN"]), *others()):
        print(f"    {shlex.join([Path(command.words[0]).name, *command.words[1:]])}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15, metavar="N", help="turns of each; default 15")
    return parser.parse_args()


def evaluations(inputs: Sequence[str]) -> list[Command]:
    """Return the commands that score a run by the same four measures."""
    asked = chain.from_iterable(("-m", measure) for measure in FOUR)
    scripts = {"measurand, script": Kind.OURS, PYTREC_EVAL: Kind.PEER}
    return [
        Command("measurand evaluate", Kind.OURS, FOUR, (str(BIN / "measurand"), "evaluate", *inputs, *asked)),
        *(
            Command(tool, kind, FOUR, (sys.executable, str(SCRIPTS / f"with_{tool.partition(',')[0]}.py"), *inputs))
            for tool, kind in scripts.items()
        ),
        Command(IR_MEASURES, Kind.PEER, FOUR, (str(BIN / "ir_measures"), *inputs, *FOUR)),
    ]


def others() -> list[Command]:
    """Return commands that evaluate nothing: how little there can be."""
    ours = [Command(f"measurand {option}", Kind.OURS, (), (str(BIN / "measurand"), option)) for option in OPTIONS]
    floors = [Command(text, Kind.FLOOR, (), (sys.executable, "-c", text)) for text in FLOORS]
    return [*ours, *floors]


def table(title: str, rows: Sequence[Row], peers: Sequence[Row]) -> Iterator[str]:
    """Return a table of what commands cost, and how many times as much as peers do."""
    beside = [next(row for row in peers if row["tool"] == tool) for tool in GOALS]
    ratios = " | ".join(f"× {tool.partition(',')[0]}" for tool in GOALS)
    yield f"| {title} | CPU | {ratios} | wall | {ratios} |"
    yield f"|---|{'---:|' * (2 + 2 * len(GOALS))}"
    for row in rows:
        cells = [cell for cost in ("cpu", "wall") for cell in _cells(row, beside, cost)]
        yield f"| {row['tool']} | {' | '.join(cells)} |"


def _cells(row: Row, beside: Sequence[Row], cost: str) -> list[str]:
    least = min(row[cost])
    return [f"{least:.3f}", *(f"{least / min(peer[cost]):.2f}" for peer in beside)]


def cut(path: Path, topics: int, folder: Path) -> Path:
    """Write the lines of the first topics of a file, unpacked, and return where they are."""
    lines = load(path).data.splitlines(keepends=True)
    kept = list(dict.fromkeys(line.split()[0] for line in lines))[:topics]
    target = folder / path.stem
    target.write_bytes(b"".join(line for line in lines if line.split()[0] in kept))
    return target


if __name__ == "__main__":
    main()
