"""Measure the report: `python benchmarks/study.py`.

The whole command, imports included, in a process of its own: from the files of 129 systems × 50 topics × 1000 documents
to the page with the default measures; how long it takes, how much memory it has at most, how large the page is, and
after how many seconds a browser shows the first of its words (Chromium, from disk, the least of three).
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from campaign import Size, files
from machine import describe, load

SIZES = (Size("two", 2, 50, 1000), Size("sample", 12, 50, 100), Size("many", 129, 50, 1000))

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"

TIMES = 3
"""So often a page is opened."""


def first_paint(page: Path) -> float | None:
    """Return after how many seconds a browser shows the first words of a page; None if there is no browser."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        return None
    from playwright.sync_api import sync_playwright

    seconds = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(TIMES):
            opened = browser.new_page()
            opened.goto(page.as_uri())
            opened.wait_for_function(f"{PAINTED} > 0")
            seconds.append(opened.evaluate(PAINTED) / 1000)
            opened.close()
        browser.close()
    return min(seconds)


def measure(size: Size, page: Path) -> tuple[float, float, float]:
    """Write a page; return the seconds and the peak memory in GiB of that, and the size of the page in MB."""
    campaign = files(size)
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
    with tempfile.TemporaryDirectory() as folder:
        pages = {size: Path(folder) / f"{size.name}.html" for size in SIZES}
        found = {size: measure(size, page) for size, page in pages.items()}
        # browsers come last: they are children, too, and would count as memory
        painted = {size: first_paint(page) for size, page in pages.items()}
    print("| campaign | seconds | peak memory, GiB | page, MB | first words after, s |\n|---|---:|---:|---:|---:|")
    for size, (took, peak, large) in found.items():
        shown = "–" if painted[size] is None else f"{painted[size]:.2f}"
        print(f"| {size} | {took:.1f} | {peak:.2f} | {large:.2f} | {shown} |")
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
