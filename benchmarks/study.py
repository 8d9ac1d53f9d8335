"""Measure the report: `python benchmarks/study.py`.

The whole command, imports included, in a process of its own: from the files of a campaign to the page with the default
measures; how long it takes, how many seconds of processors, how much memory it has at most, how large the page is.
Each campaign twice, since the first time Python compiles what the second time it finds on disk; the second is printed,
beside what it is meant to stay below. Then, in one more process, what the margins of a page take by themselves: those
of the leading pair, and those of all pairs under every measure; and after how many seconds a browser shows the first
words of the page (Chromium, from disk, the least of three).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from attrs import frozen

from campaign import Files, Size, files
from machine import describe, load

MEMORY = 0.6
"""How many GiB a report may have at most."""


@frozen
class Goal:
    """A campaign, and how many seconds of processors its report may take."""

    size: Size
    cpu: float | None = None


GOALS = (
    Goal(Size("two", 2, 50, 1000), 3.0),
    Goal(Size("sample", 12, 50, 100), 5.0),
    Goal(Size("many", 129, 50, 1000), 15.0),
    Goal(Size("topics", 40, 1000, 100)),
    Goal(Size("systems", 300, 50, 100)),
)

MARGINS = """
import json, sys, time
from measurand.study.study import Study
study = Study.from_files(sys.argv[1], sys.argv[2:], fuse=False)
start = time.process_time()
leading = study.raw.primary.claims[0].margins
if leading is not None:
    leading.to_dict()
then = time.process_time()
for result in study.raw.results:
    result.margins_matrix
print(json.dumps([then - start, time.process_time() - then]))
"""


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


@frozen
class Measured:
    """What a report took: seconds, those of processors, peak in GiB; its page: MB, seconds until its first words."""

    wall: float
    cpu: float
    peak: float
    page: float
    paint: float | None


def measure(campaign: Files, *, painted: bool = False) -> Measured:
    """Return what a report takes in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "measurand", "report"]
        start = time.perf_counter()
        with Path(os.devnull).open("w") as nowhere:
            process = subprocess.Popen(
                [*command, str(campaign.qrels), str(campaign.runs[0].parent), "-o", str(page)], stdout=nowhere
            )
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        wall = time.perf_counter() - start
        cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20
        return Measured(wall, cpu, peak, page.stat().st_size / 1e6, first_paint(page) if painted else None)


def margins(campaign: Files) -> tuple[float, float]:
    """Return the seconds of processors that margins take: of the leading pair, and of all pairs."""
    command = [sys.executable, "-c", MARGINS, str(campaign.qrels), *map(str, campaign.runs)]
    leading, pairs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return leading, pairs


def main() -> None:
    print(describe(), f"load before: {load()}", sep="\n", end="\n\n")
    heads = (
        "campaign",
        "wall",
        "CPU",
        "goal",
        "peak, GiB",
        "goal",
        "page, MB",
        "first words, s",
        "leading margins",
        "all margins",
    )
    print(f"| {' | '.join(heads)} |\n|---|{'---:|' * (len(heads) - 1)}")
    for goal in GOALS:
        campaign = files(goal.size)
        measure(campaign)
        found, (leading, pairs) = measure(campaign, painted=True), margins(campaign)
        cells = [str(goal.size), f"{found.wall:.1f}", f"{found.cpu:.1f}", "" if goal.cpu is None else f"{goal.cpu:.0f}"]
        cells += [f"{found.peak:.2f}", "" if goal.cpu is None else f"{MEMORY}", f"{found.page:.2f}"]
        cells.append("–" if found.paint is None else f"{found.paint:.2f}")
        print(f"| {' | '.join([*cells, f'{leading:.2f}', f'{pairs:.2f}'])} |", flush=True)
    print(f"\nload after: {load()}")


if __name__ == "__main__":
    main()
