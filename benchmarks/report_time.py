"""Say where the seconds of a report go: `python benchmarks/report_time.py [NAME ...] [--turns N] [--json FILE]`.

The whole command `measurand report`, imports included, in a process of its own, on the built-in sample, TREC-COVID
(where ../shared/data has it) and drawn campaigns. Every few milliseconds of CPU time a timer looks at what Python is
doing, and adds the time since the last look to a phase, found by the modules that are at work; what the page asks for
late, such as margins, counts as margins and not as page. The clock is that of the process, with all its threads.
The first turn, in which Python compiles and caches are filled, is not counted.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from types import FrameType

from attrs import frozen

from campaign import COVID, Size, files
from machine import describe, load
from run import save, tell

INTERVAL = 0.002
"""How many seconds of CPU time lie between two looks."""

PYTHON, IMPORTS, OTHER, TOTAL = "Python itself", "loading modules", "everything else", "sum"

PHASES = {
    "margins": ("study/margins",),
    "levels": ("study/levels", "study/level_", "study/every_pair", "study/paired_runs", "study/matching"),
    "fusions": ("fusion/", "study/fusions"),
    "ties": ("study/tie_effect", "measures/ties"),
    "profiles of measures": ("study/profile", "axioms/", "scales/", "study/level_classes"),
    "unanimity": ("study/unanimity",),
    "reading and judging": ("trec/", "judged/", "study/campaign_data"),
    "scores": ("measures/",),
    "comparisons": (
        "study/comparison",
        "study/measure_result",
        "study/score_comparison",
        "study/both_scales",
        "statistics/",
    ),
    "documents of topics": ("study/shown_documents",),
    "charts": ("display/charts", "study/pair_plots", "study/comparison_plot", "report/page/level_graph"),
    "page": ("report/", "display/", "cli/", "study/"),
}
"""The phases, and the modules by which they are known; of several that are at work, the first counts."""


@frozen
class Campaign:
    """What a report is written on."""

    name: str
    qrels: Path
    runs: Path


def campaigns() -> list[Campaign]:
    """Return the campaigns that are here; those that are drawn are drawn now."""
    from measurand import sample

    found = [Campaign("sample", sample.qrels(), sample.folder() / "runs")]
    if COVID.exists():
        found.append(Campaign("covid", COVID / "qrels-rnd1.txt.gz", COVID / "runs"))
    for size in (Size("two", 2, 50, 1000), Size("sample", 12, 50, 100), Size("many", 129, 50, 1000)):
        drawn = files(size)
        found.append(Campaign(f"{size.systems}x{size.topics}x{size.depth}", drawn.qrels, drawn.runs[0].parent))
    return found


def phase_of(frame: FrameType | None) -> str:
    """Return the phase that a frame, or one that it was called from, belongs to."""
    places = set()
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith("<frozen importlib"):
            return IMPORTS
        _, room, inside = name.rpartition("/measurand/")
        if room:
            places.add(inside)
        frame = frame.f_back
    at_work = (phase for phase, modules in PHASES.items() if any(place.startswith(modules) for place in places))
    return next(at_work, OTHER)


def profile(campaign: Campaign, page: str) -> dict[str, float]:
    """Write a report, in this process, and return how many seconds of CPU time went into each phase."""
    spent = Counter({PYTHON: time.process_time()})
    last = time.process_time()

    def look(_: int, frame: FrameType | None) -> None:
        nonlocal last
        now = time.process_time()
        spent[phase_of(frame)] += now - last
        last = now

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    from measurand.cli.main import program

    program.main(["report", str(campaign.qrels), str(campaign.runs), "-o", page], standalone_mode=False)
    signal.setitimer(signal.ITIMER_PROF, 0)
    look(0, None)
    return dict(spent)


def one_turn(campaign: Campaign) -> dict[str, float]:
    """Return what each phase of a report takes, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = [campaign.name, str(campaign.qrels), str(campaign.runs), f"{folder}/report.html"]
        job = [sys.executable, __file__, "--worker", *words]
        done = subprocess.run(job, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"benchmark: the report on {campaign.name} failed:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def medians(turns: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the median seconds of every phase, and of their sum."""
    phases = (PYTHON, IMPORTS, *sorted(PHASES), OTHER)
    found = {phase: median(turn.get(phase, 0.0) for turn in turns) for phase in phases}
    return found | {TOTAL: median(sum(turn.values()) for turn in turns)}


def table(measured: dict[str, dict[str, float]]) -> Iterator[str]:
    """Return the lines of a table: phases, and the seconds of each campaign."""
    yield f"| CPU seconds | {' | '.join(measured)} |"
    yield f"|---|{'---:|' * len(measured)}"
    phases = next(iter(measured.values()))
    for phase in sorted(phases, key=lambda phase: (phase == TOTAL, -sum(each[phase] for each in measured.values()))):
        yield f"| {phase} | {' | '.join(f'{each[phase]:.2f}' for each in measured.values())} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="sample, covid, 2x50x1000, 12x50x100, 129x50x1000")
    parser.add_argument("--turns", type=int, default=5, metavar="N", help="how often each is measured; default 5")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number as well")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        name, qrels, runs, page = options.worker
        print(json.dumps(profile(Campaign(name, Path(qrels), Path(runs)), page)))
        return
    there = campaigns()
    unknown = set(options.names) - {campaign.name for campaign in there}
    if unknown or options.turns < 1:
        parser.error(f"there is no campaign {', '.join(unknown)}" if unknown else "--turns must be 1 or more")
    facts = describe()
    measured: dict[str, dict[str, float]] = {}
    try:
        for campaign in there:
            if not options.names or campaign.name in options.names:
                tell(f"report on {campaign.name}")
                turns = [one_turn(campaign) for _ in range(1 + options.turns)]
                measured[campaign.name] = medians(turns[1:])
    except KeyboardInterrupt:
        tell("interrupted; what was measured before is printed")
    print(facts, f"load after: {load()}", sep="\n", end="\n\n")
    print("\n".join(table(measured)) if measured else "nothing was measured")
    if options.json and measured:
        save({"machine": facts, "campaigns": measured}, options.json)


if __name__ == "__main__":
    main()
