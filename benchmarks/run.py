"""Measure measurand beside pytrec_eval, ir_measures and ranx: `python benchmarks/run.py --help`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from campaign import REAL, SIZES, TINY, Files, Size, files
from contenders import COMPILER, EVALUATORS, FLOORS, Kind
from machine import describe, load
from processes import evaluations, imports, time_all
from report import markdown
from turns import Row, first_call, take_turns


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        # what numba compiles is kept here: the first process finds it empty, all others full
        with tempfile.TemporaryDirectory(prefix="numba-") as compiled:
            results = measure(options, os.environ | {"NUMBA_CACHE_DIR": compiled})
    except KeyboardInterrupt:
        tell("interrupted; no result was written")
        sys.exit(130)
    print(markdown(results), end="")
    if options.json:
        save(results, options.json)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [size.name for size in (*SIZES, REAL)]
    sizes = ", ".join(f"{size.name}: {size}" for size in (*SIZES, REAL))
    parser.add_argument("--size", choices=[*names, "all"], default="small", help=f"{sizes}; default small")
    tools = sorted({each.tool for each in (*EVALUATORS, *FLOORS)})
    parser.add_argument("--tools", nargs="+", choices=tools, default=tools, metavar="TOOL", help="default: all")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="turns of each tool; default 5")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every single measurement as well")
    options = parser.parse_args()
    if options.repeats < 1:
        parser.error("--repeats must be 1 or more")
    if options.json and not options.json.resolve().parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.parent}")
    return options


def measure(options: argparse.Namespace, environment: dict[str, str]) -> dict[str, Any]:
    chosen = [size for size in (*SIZES, REAL) if options.size in (size.name, "all")]
    for size in chosen:
        tell(f"files of {size}")
        files(size)
    results: dict[str, Any] = {"machine": describe(), "repeats": options.repeats, "tiny": str(TINY)}
    results["compile"] = None
    if COMPILER.tool in options.tools:
        tell(f"{COMPILER.tool} compiles itself")
        results["compile"] = first_call(COMPILER, files(TINY), environment)
    tell("imports")
    results["imports"] = time_all(imports(), options.repeats, environment)
    results["sizes"] = [measure_size(size, options, environment) for size in chosen]
    results["machine"]["load_after"] = load()
    return results


def measure_size(size: Size, options: argparse.Namespace, environment: dict[str, str]) -> dict[str, Any]:
    data, repeats = files(size), options.repeats
    read_ahead(data)
    evaluators, floors = ([each for each in some if each.tool in options.tools] for some in (EVALUATORS, FLOORS))
    if size is REAL:  # whose columns are parted by tabs, and by two spaces
        floors = [each for each in floors if each.tool != "polars"]
    tell(f"{size.name}: from files")
    from_files = take_turns((*evaluators, *floors), "files", data, repeats, environment)
    tell(f"{size.name}: from memory")
    from_memory = take_turns(evaluators, "memory", data, repeats, environment)
    # a run file of `many` is as long as one of `small`
    whole = []
    if size.name not in ("many", "real"):
        tell(f"{size.name}: whole processes")
        whole = time_all(evaluations(data), repeats, environment)
    return {
        "name": size.name,
        "title": str(size),
        "runs": size.systems,
        "lines": size.lines,
        "bytes": data.bytes,
        "agreement": compare(from_files, from_memory),
        "files": from_files,
        "memory": from_memory,
        "process": whole,
    }


def compare(*tasks: list[Row]) -> list[Row]:
    """Return how far each peer's scores are from measurand's; the scores themselves are taken out of the rows."""
    worst: dict[str, dict[str, float]] = {}
    for rows in tasks:
        scored = [(row, row.pop("scores")) for row in rows if "scores" in row]
        ours = scored[0][1]
        for row, scores in scored:
            if row["kind"] == Kind.PEER:
                found = worst.setdefault(row["tool"], {})
                for name in (name for name in scores if name in ours):
                    found[name] = max(found.get(name, 0.0), difference(scores[name], ours[name]))
    return [{"tool": tool, "differences": found} for tool, found in worst.items()]


def difference(theirs: list[list[float]], ours: list[list[float]]) -> float:
    return max(abs(a - b) for x, y in zip(theirs, ours, strict=True) for a, b in zip(x, y, strict=True))


def read_ahead(data: Files) -> None:
    """Read all files once, so that nobody has to wait for the disk."""
    for path in (data.qrels, *data.runs):
        with path.open("rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def save(results: dict[str, Any], path: Path) -> None:
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_text(json.dumps(results, indent=1) + "\n")
    unfinished.replace(path)


def tell(what: str) -> None:
    print(f"benchmark: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
