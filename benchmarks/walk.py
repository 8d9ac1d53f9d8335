"""Counts the functions and files of measurand that a job on the built-in sample walks through.

.venv/bin/python benchmarks/walk.py
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import measurand as md

SOURCE = str(Path(md.__file__).parent)


def walked(job: Callable[[], object]) -> tuple[int, int]:
    """Return how many functions in how many files of measurand a job calls, importing left out."""
    job()  # what is loaded on demand is loaded now
    seen: set[tuple[str, int]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE) and not code.co_name.startswith("<"):
            seen.add((code.co_filename, code.co_firstlineno))

    sys.setprofile(note)
    try:
        job()
    finally:
        sys.setprofile(None)
    return len(seen), len({name for name, _ in seen})


def main() -> None:
    """Print the figures of evaluate, compare and report."""
    qrels, runs = md.sample.qrels(), md.sample.runs()
    jobs: dict[str, Callable[[], object]] = {
        "evaluate": lambda: md.evaluate(qrels, runs, ["AP", "nDCG@10", "P@10", "RR"]),
        "compare": lambda: md.compare(qrels, runs, ["AP", "nDCG@10", "P@10", "RR"]),
    }
    with tempfile.TemporaryDirectory() as folder:
        jobs["report"] = lambda: md.write_report(md.Study.from_files(qrels, runs), Path(folder) / "report.html")
        for name, job in jobs.items():
            functions, files = walked(job)
            print(f"{name}: {functions} functions in {files} files")
    modules = list(Path(SOURCE).rglob("*.py"))
    print(f"{len(modules)} modules, {sum(len(each.read_text().splitlines()) for each in modules):,} lines")


if __name__ == "__main__":
    main()
