"""Fuzz measurand: every target for its share of the time, then a table of what was tried and what came of it."""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
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
PROGRAM, PORTABLE, MODULE, READER = BUILD / "native", BUILD / "portable", BUILD / "_native.so", BUILD / "_reader.so"

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wvla", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]
COMMON = ["-std=c11", *WARNINGS, *SANITIZERS]

CRASHED, HUNG = 99, 3
"""The exit codes of a program that a sanitizer stopped, and of one in C that did not end; wrong answers exit with 1."""

OPTIONS = {"ASAN_OPTIONS": f"exitcode={CRASHED}", "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={CRASHED}"}


@dataclass(frozen=True)
class Target:
    """What is fuzzed: its name, what is tried, its share of the time, and where it is run."""

    name: str
    tried: str
    share: float
    where: str

    @property
    def command(self) -> tuple[str, ...]:
        """The command without its arguments."""
        if self.where != C:
            return (sys.executable, "-m", f"fuzz.{self.name}")
        return (str(PORTABLE if self.name == "portable" else PROGRAM), self.name)


C, SANITIZED, PLAIN = "in C", "in Python, on the module in C with sanitizers", "in Python, as users have it"
"""Where a target is run."""


PORTABLY = ["-U__SIZEOF_INT128__", "-U__BYTE_ORDER__"]
"""What compilers do not have that know neither wide numbers nor the order of bytes, such as Microsoft's."""


TARGETS = (
    Target("reader", "drawn files against a plain parser", 4, C),
    Target("portable", "the same without wide numbers, as on Windows", 1, C),
    Target("truncations", "every beginning of short files, the same", 3, C),
    Target("lookup", "names by hashes against a look at all", 1, C),
    Target("ranking", "rows best first against a plain order", 1, C),
    Target("calls", "the module with wrong arguments", 3, SANITIZED),
    Target("loops", "loops of intervals against their definitions", 2, SANITIZED),
    Target("kept", "caches, parts, stores and sets of files, damaged or written in bad times", 2, PLAIN),
    Target("readers", "the fast reader against the line reader", 3, SANITIZED),
    Target("parquet", "damaged parquet files: a table or one line", 2, PLAIN),
    Target("campaigns", "run and judgment files against definitions and pytrec_eval", 4, PLAIN),
    Target("commands", "random command lines: exit status, one line, outputs", 4, PLAIN),
    Target("kills", "every command that writes, killed at random moments", 4, PLAIN),
    Target("disk", "full disks, and streams that do not work", 3, PLAIN),
    Target("spellings", "spellings of measures against definitions", 2, PLAIN),
    Target("objects", "dictionaries, rows and frames against files", 2, PLAIN),
    Target("functions", "functions of strangers as measures", 1, PLAIN),
)
"""A target in Python is a line here and a module of its name, which calls `harness.run`."""

BESIDE = (
    Target("passes", "the pass over a TREC file of measurand_next against its definition", 3, SANITIZED),
    Target("reading", "files of measurand_next, packed and damaged, against their definition", 3, SANITIZED),
)
"""Targets of measurand_next, of which the page does not speak."""

COLUMNS = ("tracebacks", "hangs", "differences", "torn outputs")
"""The ways to fail, each of which must have been seen never."""


@dataclass(frozen=True)
class Outcome:
    """What came of a target: how many cases failed in each of the ways of COLUMNS, or why it was not tried."""

    target: Target
    tried: int = 0
    failed: tuple[int, ...] = (0,) * len(COLUMNS)
    seconds: float = 0
    skipped: str = ""


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
    reader = ROOT / "src" / "measurand_next" / "native" / "reader.c"
    _compile(compiler, [*COMMON, "-shared", "-fPIC", str(reader), "-lm", "-o", str(READER)])


def _included(path: Path) -> str:
    """Return a source with what it includes of the project."""
    text = path.read_text(encoding="utf-8")
    return text + (ROOT / "native" / "arrays.h").read_text(encoding="utf-8") if '"arrays.h"' in text else text


def _compile(compiler: str, arguments: Sequence[str]) -> None:
    try:
        subprocess.run([compiler, *arguments], check=True)
    except subprocess.CalledProcessError:
        sys.exit(f"{compiler} could not build what is fuzzed, or warned of it")


def missing(compiler: str) -> str:
    """Return what is not there of a compiler and its sanitizers, in words, or nothing.

    Parameters
    ----------
    compiler
        The compiler of C.
    """
    if shutil.which(compiler) is None:
        return f"there is no compiler {compiler}"
    arguments = [compiler, *SANITIZERS, "-x", "c", "-", "-o", os.devnull]
    built = subprocess.run(arguments, input=b"int main(void) { return 0; }", stderr=subprocess.PIPE, check=False)
    return f"{compiler} has no sanitizers" if built.returncode else ""


def environment(compiler: str | None) -> dict[str, str]:
    """Return what targets in Python need; with a compiler, its sanitizers first, and memory that Python does not pool.

    Parameters
    ----------
    compiler
        The compiler of C, which knows where its sanitizers are; None for no sanitizers.
    """
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    plain = {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    if compiler is None:
        return plain
    found = subprocess.run([compiler, "-print-file-name=libasan.so"], stdout=subprocess.PIPE, text=True, check=True)
    return {
        **plain,
        **OPTIONS,
        "LD_PRELOAD": found.stdout.strip(),
        "ASAN_OPTIONS": f"{OPTIONS['ASAN_OPTIONS']}:detect_leaks=0:allocator_may_return_null=1",
        "PYTHONMALLOC": "malloc",
        "MEASURAND_NATIVE": "1",
        "MEASURAND_SANITIZED": str(MODULE),
    }


def fuzz(target: Target, seed: int, seconds: float, case: int | None, compiler: str | None) -> Outcome:
    """Run a target and return what came of it; whatever it says besides goes to the terminal.

    Parameters
    ----------
    target
        The target.
    seed, seconds
        Where its draws come from, and for how long it draws.
    case
        The number of the only case to try, or None.
    compiler
        The compiler of C, or None where there is none with sanitizers.
    """
    if target.where == C and compiler is None:
        return Outcome(target, skipped="no compiler of C with sanitizers")
    last = [] if case is None else [str(case)]
    arguments = [*target.command, str(seed), f"{seconds:.1f}", str(FAILURES), *last]
    own = {**os.environ, **OPTIONS} if target.where == C else environment(None if target.where == PLAIN else compiler)
    ran = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, env=own, cwd=ROOT, check=False)
    for line in ran.stdout.splitlines():
        name, *figures = line.split("\t")
        if name == target.name:
            return outcome(target, figures, ran.returncode)
    return _crashed(target, seed, seconds, ran.returncode)


def outcome(target: Target, figures: Sequence[str], code: int) -> Outcome:
    """Return what a target's line says: four figures of those in Python, differences alone of those in C.

    Parameters
    ----------
    target
        The target.
    figures
        What its line has besides its name.
    code
        How its process ended.
    """
    tried, *failed, seconds = figures
    if tried == "skipped":
        return Outcome(target, skipped=seconds)
    if target.where == C:
        failed = [str(int(code not in (0, 1))), "0", failed[0], "0"]
    return Outcome(target, int(tried), tuple(map(int, failed)), float(seconds))


def _crashed(target: Target, seed: int, seconds: float, code: int) -> Outcome:
    """Return what is known of a target whose process ended without its line: it crashed, or a loop did not end."""
    note, stuck = FAILURES / f"{target.name}.case", FAILURES / f"{target.name}.stuck"
    at = note.read_text().strip() if note.exists() else ""
    trace = stuck.read_text() if stuck.exists() else ""
    hung = bool(trace) or (target.where == C and code == HUNG)
    what = f"it did not end\n{trace}" if hung else f"it crashed with exit code {code}"
    print(f"{target.name}: {what}", file=sys.stderr)
    if at:
        print(f"  try it again: make fuzz TARGET={target.name} SEED={seed} CASE={at}", file=sys.stderr)
    return Outcome(target, int(at or 0) + 1, (int(not hung), int(hung), 0, 0), seconds)


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the table of what was tried and what came of it.

    Parameters
    ----------
    outcomes
        What came of every target.
    """
    head = ("target", "what is tried", "tried", *COLUMNS, "seconds")
    rows = [
        (o.target.name, o.target.tried, "skipped", *("-" for _ in COLUMNS), o.skipped)
        if o.skipped
        else (o.target.name, o.target.tried, f"{o.tried:,}", *map(str, o.failed), f"{o.seconds:.0f}")
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
    parser.add_argument("--target", choices=[target.name for target in (*TARGETS, *BESIDE)], help="only this one")
    parser.add_argument("--case", type=int, help="only this case of the target")
    parser.add_argument("--record", action="store_true", help="write the figures into docs/reliability.md")
    parser.add_argument("--compiler", default="gcc", help="gcc, by this name or another")
    asked = parser.parse_args()
    if asked.record and asked.target:
        parser.error("--record wants all targets; leave out --target")
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    targets = [target for target in (*TARGETS, *BESIDE * (not asked.record)) if asked.target in (None, target.name)]
    in_c = any(target.where != PLAIN for target in targets)
    lacking = missing(asked.compiler) if in_c else ""
    if lacking:
        print(f"{lacking}: targets in C are skipped, the others try the module that is installed; install gcc")
    elif in_c:
        build(asked.compiler)
    compiler = None if lacking else asked.compiler
    FAILURES.mkdir(parents=True, exist_ok=True)
    cores = min(os.cpu_count() or 1, len(targets))
    each = asked.seconds * cores / sum(target.share for target in targets)
    print(f"seed {seed}, {asked.seconds:.0f} seconds on {cores} cores", flush=True)
    with ThreadPoolExecutor(cores) as pool:
        jobs = [
            pool.submit(fuzz, target, seed, min(each * target.share, asked.seconds), asked.case, compiler)
            for target in targets
        ]
        outcomes = [job.result() for job in jobs]
    print(table(outcomes))
    if asked.record:
        from fuzz.promises import PAGE, page

        PAGE.write_text(page(outcomes, seed, asked.seconds, cores), encoding="utf-8")
        print(f"{PAGE.relative_to(ROOT)} has the figures")
    sys.exit(any(any(outcome.failed) for outcome in outcomes))


if __name__ == "__main__":
    main()
