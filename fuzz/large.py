"""Files of 50 MB, whole and damaged, each of which takes less than 500 MB to read: `python -m fuzz.large`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

SIZE = 50_000_000
LIMIT = 500
PATIENCE = 120  # seconds

PROGRAM = """
import sys
from measurand_next.errors import MeasurandError
from measurand_next.read import judge, read_qrels, read_runs

what, path = sys.argv[1:]
try:
    if what == "judge":
        found = judge({"1": {"d1": 1}, "5": {"d5": 1}}, path)
    else:
        found = read_qrels(path) if "qrels" in path else read_runs(path)
except MeasurandError as error:
    found = error
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1000, str(found)[-60:])
"""


def usual(number: int) -> bytes:
    """Return a line as runs have them."""
    return b"%d Q0 clueweb09-en0000-%02d-%07d %d %d.5 run\n" % (number // 1000 + 1, number % 97, number, 1, -number)


KINDS: dict[str, tuple[Callable[[int], bytes], bytes]] = {
    "usual": (usual, b""),
    "one short line at the end": (usual, b"1 Q0 d\n"),
    "one score at the end that is none": (usual, b"1 Q0 d 1 high run\n"),
    "a blank at the end that nobody sees": (usual, "1 Q0 d\u00a0 1 1 run\n".encode()),
    "the last line twice": (usual, usual(SIZE // len(usual(999_999)) - 1)),
    "a seventh column": (lambda number: usual(number)[:-1] + b" x\n", b""),
    "topics that come back": (lambda number: b"%d" % (number % 800) + usual(number)[usual(number).index(b" ") :], b""),
    "short lines": (lambda number: b"%x Q %x 1 1 t\n" % (number // 1000, number), b""),
    "one topic": (lambda number: b"1 Q %x 1 1 t\n" % number, b""),
    "one line again and again": (lambda _: b"1 Q d 1 1 t\n", b""),
    "a tag for each line": (lambda number: b"1 Q d 1 1 %x\n" % number, b""),
    "names of 9 kB": (lambda number: b"1 Q %s%x 1 1 t\n" % (b"d" * 9000, number), b""),
    "comments": (lambda _: b"# a b c d e\n", b""),
    "one word": (lambda _: b"x" * 100, b""),
    "one line of words": (lambda _: b"xx " * 100, b""),
    "one line of JSON": (lambda number: b'{"q%d": {"d%d": %d}}, ' % (number, number, number), b""),
    "carriage returns alone": (lambda number: usual(number)[:-1] + b"\r", b"1 Q0"),
    "qrels": (lambda number: b"%d 0 clueweb09-en0000-%07d %d\n" % (number // 1000, number, number % 3), b""),
    "qrels, each twice": (lambda number: b"%d 0 clueweb09-en0000-%07d 1\n" % (number // 1000, number // 2), b""),
    "qrels, a grade for each": (lambda number: b"%d 0 d%07d 0.%06d\n" % (number // 1000, number, number), b""),
}
"""What the lines of a file are, by their numbers, and what stands behind them."""


def lines(make: Callable[[int], bytes]) -> Iterator[bytes]:
    """Return lines until they have 50 MB."""
    size = number = 0
    while size < SIZE:
        line = make(number)
        size, number = size + len(line), number + 1
        yield line


def main() -> None:
    """Read each kind of file in a process of its own, and say how much memory that took."""
    above = 0
    with TemporaryDirectory() as folder:
        for kind, (make, end) in KINDS.items():
            path = Path(folder, "qrels" if "qrels" in kind else "run")
            path.write_bytes(b"".join(lines(make)) + end)
            for what in ("read",) if "qrels" in kind else ("read", "judge"):
                command = [sys.executable, "-c", PROGRAM, what, str(path)]
                answer = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
                peak, said = answer.strip().split(" ", 1)
                above += int(peak) > LIMIT
                print(f"{what:6}{kind:40}{peak:>5} MB  {said}", flush=True)
    if above:
        sys.exit(f"{above} took more than {LIMIT} MB")


if __name__ == "__main__":
    main()
