"""What campaigns of 10⁶ to 10⁸ lines cost: `python benchmarks/large.py [--shape NAME]... [--lines N]... [--workers N]`.

Campaigns of several shapes are drawn by `draw.py`, scored by `measurand evaluate QRELS RUNS --store FOLDER` and then by
the same without `--store`, each in a process of its own, and removed. The table has CPU and wall seconds (CPU: of the
process and its workers) and the peak memory: the largest sum, over the processes that live at a moment, of what each
has had in memory at most. So it is never too small, except for what happens within a twentieth of a second.

It needs Linux, and 5 GB of disk for 10⁸ lines, under `--folder`.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from draw import Drawing, write
from machine import describe, load
from run import save, tell

LOOK = 0.05
"""Seconds between two looks at the memory."""

MOST = 16 << 30
"""A process that asks for more bytes of addresses gets none."""

SHAPES: dict[str, Callable[[int], Drawing]] = {
    "runs": lambda lines: Drawing(lines // 10**6, 1000, 1000),
    "topics": lambda lines: Drawing(1, lines // 1000, 1000, judgments=5),
    "compressed": lambda lines: Drawing(1, lines // 1000, 1000, judgments=5, compressed=True),
    "clicks": lambda lines: Drawing(1, lines // 100, 100, judgments=1.5),
    "files": lambda lines: Drawing(lines // 1000, 50, 20, judgments=30),
}
"""Campaigns of so many lines, by what there is more of where there are more lines."""

MANY_FILES = 10**7
"""With more lines there would be more than 10⁴ files."""

LINES = (10**6, 10**7, 10**8)


@frozen
class Cost:
    """What a command cost."""

    wall: float
    cpu: float
    peak: int
    stored: int | None
    failed: str | None = None


def family(process: int) -> Iterator[int]:
    """Return a process, and those that it and they have started."""
    yield process
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        for child in path.read_text().split():
            yield from family(int(child))


def memory(process: int) -> int:
    """Return the sum of what a process and its children have had in memory at most, each by itself."""
    total = 0
    try:
        for each in family(process):
            lines = Path(f"/proc/{each}/status").read_text().splitlines()
            total += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))
    except (FileNotFoundError, ProcessLookupError):  # one has just ended
        pass
    return total


def limited() -> None:
    """Give this process so much memory and no more."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))


def spend(words: list[str], store: Path | None) -> Cost:
    """Run a command and return what it cost."""
    peak, start = 0, time.perf_counter()
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=told, preexec_fn=limited)
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            peak = max(peak, memory(process.pid))
            time.sleep(LOOK)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        told.seek(0)
        lines = told.read().decode(errors="replace").splitlines()
    usage = ended[2]
    failed = None if process.returncode == 0 else f"status {process.returncode}: {lines[-1] if lines else ''}"
    stored = None if store is None else size_of(store)
    return Cost(wall, usage.ru_utime + usage.ru_stime, peak, stored, failed)


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(name: str, lines: int, options: argparse.Namespace) -> dict[str, Any]:
    """Draw a campaign, and return what each command costs on it."""
    drawing = SHAPES[name](lines)
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="large-") as place:
        folder, store = Path(place) / "campaign", Path(place) / "store"
        tell(f"{name}, {drawing.lines:,} lines: drawing")
        write(drawing, folder)
        inputs = [str(folder / f"qrels{drawing.ending}"), str(folder / "runs")]
        plain = [sys.executable, "-m", "measurand", "evaluate", *inputs, "--workers", str(options.workers)]
        costs = {}
        for how, words in {"stored": [*plain, "--store", str(store)], "plain": plain}.items():
            if how in options.how:
                tell(f"{name}, {drawing.lines:,} lines: {shlex.join(words[2:])}")
                costs[how] = spend(words, store if how == "stored" else None)
        size = f"{drawing.systems:,} × {drawing.topics:,} × {drawing.documents:,}"
        packed = ", gzip" if drawing.compressed else ""
        judged = f"{drawing.judgments * drawing.topics:,.0f}"
        row = {"campaign": size + packed, "lines": drawing.lines, "judgments": judged}
        return row | {"shape": name, "bytes": size_of(folder / "runs"), "costs": costs}


def told(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    cells = [row["campaign"], row["judgments"], f"{row['lines']:,}", megabytes(row["bytes"])]
    for how, fields in (("stored", ("cpu", "wall", "peak", "stored")), ("plain", ("cpu", "wall", "peak"))):
        cost = row["costs"].get(how)
        if cost is None:
            cells += [""] * len(fields)
        elif cost.failed:
            cells += [cost.failed] + [""] * (len(fields) - 1)
        else:
            found = asdict(cost)
            cells += [f"{found[name]:.1f}" if name in ("cpu", "wall") else megabytes(found[name]) for name in fields]
    return f"| {' | '.join(cells)} |"


def megabytes(number: int) -> str:
    return f"{number / 1e6:,.{1 if number < 1e7 else 0}f}"


HEAD = """\
| runs × topics × documents | judgments | lines | run files, MB | `--store`: CPU, s | wall, s | peak memory, MB \
| stored, MB | without: CPU, s | wall, s | peak memory, MB |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def lines(text: str) -> int:
    number = int(float(text))
    if number < 10**6:
        raise argparse.ArgumentTypeError(f"{text} is less than 1e6")
    return number


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--shape", action="append", choices=SHAPES, help="what there are many of; may be repeated")
    parser.add_argument("--lines", action="append", type=lines, metavar="N", help="1e6 or more; default: 1e6, 1e7, 1e8")
    parser.add_argument("--how", action="append", choices=("stored", "plain"), help="default: both")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="default: all cores")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where files are drawn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number as well")
    options = parser.parse_args()
    options.shape = options.shape or list(SHAPES)
    options.how = options.how or ["stored", "plain"]
    return options


def main() -> None:
    options = arguments()
    facts = describe()
    print(f"{facts['date']}, {facts['processor']}, {facts['cores']} cores, load {facts['load']:.1f} before\n\n{HEAD}")
    rows = []
    try:
        for name in options.shape:
            for lines in options.lines or [n for n in LINES if name != "files" or n <= MANY_FILES]:
                rows.append(measure(name, lines, options))
                print(told(rows[-1]), flush=True)
    except KeyboardInterrupt:
        tell("interrupted; the rows above are complete")
        sys.exit(130)
    print(f"\nload after: {load():.1f}")
    if options.json:
        costs = [{how: asdict(cost) for how, cost in row["costs"].items()} for row in rows]
        held = [row | {"costs": each} for row, each in zip(rows, costs, strict=True)]
        save({"machine": facts, "rows": held}, options.json)


if __name__ == "__main__":
    main()
