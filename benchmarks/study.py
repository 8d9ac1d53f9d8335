"""Measure the report: `python benchmarks/study.py`.

The whole command, imports included, in a process of its own: from the files of 129 systems × 50 topics × 1000 documents
to the page with the default measures; how long it takes, how much memory it has at most, how large the page is.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from campaign import Size, files
from machine import describe, load

SIZES = (Size("sample", 12, 50, 100), Size("many", 129, 50, 1000))


def measure(size: Size) -> tuple[float, float, float]:
    """Return the seconds and the peak memory in GiB of a report, and the size of its page in MB."""
    campaign = files(size)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        command = [sys.executable, "-c", "from measurand.cli import main; main()", "report"]
        start = time.perf_counter()
        subprocess.run(
            [*command, str(campaign.qrels), str(campaign.runs[0].parent), "-o", str(page)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        took = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        return took, peak, page.stat().st_size / 1e6


def main() -> None:
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    print("| campaign | seconds | peak memory, GiB | page, MB |\n|---|---:|---:|---:|")
    for size in SIZES:
        took, peak, large = measure(size)
        print(f"| {size} | {took:.1f} | {peak:.2f} | {large:.2f} |")
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
