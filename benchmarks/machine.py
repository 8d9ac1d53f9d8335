"""Where and with what the numbers were measured."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median

PACKAGES = (
    "measurand",
    "numpy",
    "polars",
    "pytrec-eval-terrier",
    "ir-measures",
    "cwl-eval",
    "ranx",
    "numba",
)


def describe() -> dict[str, object]:
    """Return the machine, its load at this moment, and the versions of everything that takes part."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "load": load(),
        "versions": {"Python": platform.python_version()} | {name: version(name) for name in PACKAGES},
    }


def load() -> float:
    """Return how many processes wanted to run, on average over the last minute."""
    return os.getloadavg()[0]


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def seconds(work: Callable[[], object], turns: int = 3) -> float:
    """Return the median seconds of some calls, after one that is not counted."""
    work()
    taken = []
    for _ in range(turns):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return median(taken)
