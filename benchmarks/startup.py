"""What a small evaluation costs from start to end, beside ir_measures: `python benchmarks/startup.py --help`.

Nearly all of it is Python and packages coming up. The two commands take turns, and CPU seconds are counted, so that the
figure can be had on a machine that has other things to do; bytecode is written in a first turn that does not count.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from itertools import chain
from pathlib import Path
from statistics import median

from contenders import Kind
from measurand import sample
from measurand.trec.files import load
from processes import BIN, Command, spend

MEASURES = ("nDCG@10", "AP", "P@10")
LIMIT = 1.2


def main() -> None:
    options = arguments()
    # bytecode is part of an installation
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    print(f"CPU seconds, median of {options.repeats}; measurand may take {LIMIT} times as long as ir_measures\n")
    print("| run | measurand evaluate | ir_measures | ratio |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, topics in (("one topic", 1), ("50 topics", 50)):
            ours, theirs = measure(Path(folder), topics, options.repeats, environment)
            print(f"| {name} of the sample | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} |")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15, metavar="N", help="turns of each; default 15")
    return parser.parse_args()


def measure(folder: Path, topics: int, repeats: int, environment: dict[str, str]) -> tuple[float, float]:
    """Return the median CPU seconds of measurand and of ir_measures on so many topics of a run of the sample."""
    inputs = [str(cut(path, topics, folder)) for path in (sample.qrels(), sample.runs()[0])]
    asked = chain.from_iterable(("-m", measure) for measure in MEASURES)
    ours = Command("measurand", Kind.OURS, MEASURES, (str(BIN / "measurand"), "evaluate", *inputs, *asked))
    theirs = Command("ir_measures", Kind.PEER, MEASURES, (str(BIN / "ir_measures"), *inputs, *MEASURES))
    costs: dict[str, list[float]] = {ours.tool: [], theirs.tool: []}
    for turn in range(repeats + 1):
        for command in (ours, theirs):
            cost = spend(command, environment)["cpu"]
            if turn:
                costs[command.tool].append(cost)
    print(f"benchmark: {topics} topics done", file=sys.stderr, flush=True)
    return median(costs[ours.tool]), median(costs[theirs.tool])


def cut(path: Path, topics: int, folder: Path) -> Path:
    """Write the lines of the first topics of a file, unpacked, and return where they are."""
    lines = load(path).data.splitlines(keepends=True)
    kept = list(dict.fromkeys(line.split()[0] for line in lines))[:topics]
    target = folder / path.stem
    target.write_bytes(b"".join(line for line in lines if line.split()[0] in kept))
    return target


if __name__ == "__main__":
    main()
