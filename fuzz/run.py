"""Fuzz measurand: every target for its share of the time, then a table of what was tried and what came of it."""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"
FAILURES = ROOT / "fuzz" / "failures"
PROGRAM, PORTABLE, MODULE = BUILD / "native", BUILD / "portable", BUILD / "_native.so"

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wvla", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]
COMMON = ["-std=c11", *WARNINGS, *SANITIZERS]

CRASHED = 99
"""The exit code of a program that a sanitizer stopped; wrong answers exit with 1."""

OPTIONS = {"ASAN_OPTIONS": f"exitcode={CRASHED}", "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={CRASHED}"}


@dataclass(frozen=True)
class Target:
    """What is fuzzed: its name, what is tried, its share of the time, and the command without its arguments."""

    name: str
    tried: str
    share: float
    command: tuple[str, ...]


PORTABLY = ["-U__SIZEOF_INT128__", "-U__BYTE_ORDER__"]
"""What compilers do not have that know neither wide numbers nor the order of bytes, such as Microsoft's."""


def _in_c(name: str) -> tuple[str, ...]:
    return (str(PORTABLE if name == "portable" else PROGRAM), name)


def _in_python(name: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"fuzz.{name}")


TARGETS = (
    Target("reader", "drawn files against a plain parser", 4, _in_c("reader")),
    Target("portable", "the same without wide numbers, as on Windows", 1, _in_c("portable")),
    Target("truncations", "every beginning of short files, the same", 3, _in_c("truncations")),
    Target("lookup", "names by hashes against a look at all", 1, _in_c("lookup")),
    Target("ranking", "rows best first against a plain order", 1, _in_c("ranking")),
    Target("calls", "the module with wrong arguments", 3, _in_python("calls")),
    Target("loops", "loops of intervals against their definitions", 2, _in_python("loops")),
    Target("readers", "the fast reader against the line reader", 3, _in_python("readers")),
)


@dataclass(frozen=True)
class Outcome:
    """What came of a target."""

    target: Target
    tried: int
    crashes: int
    differences: int
    seconds: float


def build(compiler: str) -> None:
    """Build the program of the targets in C, and the extension module, both with sanitizers and without a warning.

    Parameters
    ----------
    compiler
        The compiler of C, with the sanitizers of gcc.
    """
    BUILD.mkdir(parents=True, exist_ok=True)
    plain = [path for path in sorted(ROOT.glob("native/*.c")) if "Python.h" not in _included(path)]
    sources = [*sorted(ROOT.glob("fuzz/native/*.c")), *plain]
    for program, options in {PROGRAM: [], PORTABLE: PORTABLY}.items():
        arguments = [*COMMON, *options, "-D_POSIX_C_SOURCE=200809L", *map(str, sources), "-lm", "-o", str(program)]
        _compile(compiler, arguments)
    # headers of Python are not ours to warn of
    headers = ["-isystem", sysconfig.get_path("include")]
    limited = [] if sysconfig.get_config_var("Py_GIL_DISABLED") else ["-DPy_LIMITED_API=0x030B0000"]
    sources = sorted(ROOT.glob("native/*.c"))
    _compile(compiler, [*COMMON, *headers, *limited, "-shared", "-fPIC", *map(str, sources), "-lm", "-o", str(MODULE)])


def _included(path: Path) -> str:
    """Return a source with what it includes of the project."""
    text = path.read_text(encoding="utf-8")
    return text + (ROOT / "native" / "arrays.h").read_text(encoding="utf-8") if '"arrays.h"' in text else text


def _compile(compiler: str, arguments: Sequence[str]) -> None:
    try:
        subprocess.run([compiler, *arguments], check=True)
    except FileNotFoundError:
        sys.exit(f"there is no compiler {compiler}; install gcc")
    except subprocess.CalledProcessError:
        sys.exit(f"{compiler} could not build what is fuzzed, or warned of it")


def environment(compiler: str) -> dict[str, str]:
    """Return what targets in Python need: the sanitizers loaded first, and memory that Python does not pool.

    Parameters
    ----------
    compiler
        The compiler of C, which knows where its sanitizers are.
    """
    found = subprocess.run([compiler, "-print-file-name=libasan.so"], stdout=subprocess.PIPE, text=True, check=True)
    return {
        **os.environ,
        **OPTIONS,
        "LD_PRELOAD": found.stdout.strip(),
        "ASAN_OPTIONS": f"{OPTIONS['ASAN_OPTIONS']}:detect_leaks=0:allocator_may_return_null=1",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
        "OPENBLAS_NUM_THREADS": "1",
        "MEASURAND_NATIVE": "1",
        "MEASURAND_SANITIZED": str(MODULE),
    }


def fuzz(target: Target, seed: int, seconds: float, case: int | None, variables: dict[str, str]) -> Outcome:
    """Run a target and return what came of it; whatever it says besides goes to the terminal.

    Parameters
    ----------
    target
        The target.
    seed, seconds
        Where its draws come from, and for how long it draws.
    case
        The number of the only case to try, or None.
    variables
        The environment of targets in Python.
    """
    last = [] if case is None else [str(case)]
    arguments = [*target.command, str(seed), f"{seconds:.1f}", str(FAILURES), *last]
    own = variables if target.command[0] == sys.executable else {**os.environ, **OPTIONS}
    ran = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, env=own, check=False)
    for line in ran.stdout.splitlines():
        name, *figures = line.split("\t")
        if name == target.name and len(figures) == 3:
            crashes = int(ran.returncode not in (0, 1))
            return Outcome(target, int(figures[0]), crashes, int(figures[1]), float(figures[2]))
    note = FAILURES / f"{target.name}.case"
    at = note.read_text().strip() if note.exists() else ""
    if at:
        again = f"make fuzz TARGET={target.name} SEED={seed} CASE={at}"
        print(f"{target.name}: it crashed; try it again: {again}", file=sys.stderr)
    return Outcome(target, int(at or 0) + 1, 1, 0, seconds)


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the table of what was tried and what came of it.

    Parameters
    ----------
    outcomes
        What came of every target.
    """
    head = ("target", "what is tried", "tried", "crashes", "differences", "seconds")
    rows = [
        (o.target.name, o.target.tried, f"{o.tried:,}", str(o.crashes), str(o.differences), f"{o.seconds:.0f}")
        for o in outcomes
    ]
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = []
    for row in (head, *rows):
        cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def main() -> None:
    """Build, run the targets side by side on all cores, and print the table; exit 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="how long all targets take together (600)")
    parser.add_argument("--seed", type=int, help="where draws come from; by default another one every time")
    parser.add_argument("--target", choices=[target.name for target in TARGETS], help="only this one")
    parser.add_argument("--case", type=int, help="only this case of the target")
    parser.add_argument("--compiler", default="gcc", help="gcc, by this name or another")
    asked = parser.parse_args()
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    targets = [target for target in TARGETS if asked.target in (None, target.name)]
    build(asked.compiler)
    FAILURES.mkdir(parents=True, exist_ok=True)
    cores = min(os.cpu_count() or 1, len(targets))
    each = asked.seconds * cores / sum(target.share for target in targets)
    print(f"seed {seed}, {asked.seconds:.0f} seconds on {cores} cores", flush=True)
    variables = environment(asked.compiler)
    with ThreadPoolExecutor(cores) as pool:
        jobs = [
            pool.submit(fuzz, target, seed, min(each * target.share, asked.seconds), asked.case, variables)
            for target in targets
        ]
        outcomes = [job.result() for job in jobs]
    print(table(outcomes))
    sys.exit(any(outcome.crashes or outcome.differences for outcome in outcomes))


if __name__ == "__main__":
    main()
