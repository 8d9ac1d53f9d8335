"""Measure the reproduction of the papers: `python benchmarks/papers.py`.

The whole command, imports included, in a process of its own: each paper without data; Tables 2 to 6 of Ferrante, Ferro
and Fuhr (2021) at the four depths of the paper, and Table 2 and Figures 1 to 3 of Amigó and others (2018), from the
files of campaigns.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from campaign import Size, files
from machine import describe, load
from measurand.papers import PAPERS

SIZES = (Size("sample", 12, 50, 100), Size("many", 129, 50, 1000))


def seconds(*arguments: str) -> float:
    """Return how long `measurand reproduce` takes, with nothing kept from before."""
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from measurand.cli import main; main()", "reproduce", *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"MEASURAND_CACHE": cache},
        )
        return time.perf_counter() - start


def main() -> None:
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    print("| what | seconds |\n|---|---:|")
    for name in PAPERS:
        print(f"| {name}, all that needs no data | {seconds(name):.1f} |")
    for size in SIZES:
        campaign = files(size)
        given = [str(campaign.qrels), str(campaign.runs[0].parent)]
        print(f"| fff2021, {size}, depths 5, 10, 20, 30 | {seconds('fff2021', *given):.1f} |")
        print(f"| agms2018, {size} | {seconds('agms2018', *given):.1f} |")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"\nPeak memory {peak:.2f} GiB. Load after: {load()}")


if __name__ == "__main__":
    main()
