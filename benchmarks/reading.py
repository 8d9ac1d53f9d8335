"""Reading and judging TREC files, measurand_next beside measurand: `python benchmarks/reading.py QRELS RUN...`.

Both read and judge the same files in processes of their own, in turns, and the files again rearranged: lines shuffled
within topics, all lines shuffled, names of documents 17 bytes longer. Prints the least CPU time of the turns, of all
threads and of the system, the ratio of the two, and what reading added to the peak of memory.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

LONGER = b"-a-longer-name-17"


def used() -> tuple[float, float]:
    """Return the CPU seconds and the peak of memory, in MB, of this process until now."""
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime, now.ru_maxrss / 1e3


def work(package: str, qrels: str, runs: Sequence[str]) -> None:
    """Judge once for each line of the standard input, and answer with CPU seconds and MB."""
    judge: Callable[[], object]
    if package == "measurand":
        import measurand

        judge = lambda: measurand.judge(runs, qrels)  # noqa: E731
    else:
        from measurand_next.read import judge as judge_next

        judge = lambda: judge_next(qrels, runs)  # noqa: E731
    _, loaded = used()
    for _ in sys.stdin:
        before, _ = used()
        judge()
        after, peak = used()
        print(after - before, peak - loaded, flush=True)


def take_turns(qrels: Path, runs: Sequence[Path], turns: int) -> dict[str, tuple[float, float]]:
    """Return the least CPU seconds and the memory of each package."""
    workers = {
        package: subprocess.Popen(
            [sys.executable, __file__, "--work", package, qrels, *runs],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for package in ("measurand", "measurand_next")
    }
    answers: dict[str, list[list[float]]] = {package: [] for package in workers}
    for _ in range(turns):
        for package, worker in workers.items():
            worker.stdin.write("\n")
            worker.stdin.flush()
            answers[package].append([float(number) for number in worker.stdout.readline().split()])
    for worker in workers.values():
        worker.communicate()
    return {package: (min(cpu for cpu, _ in all_), all_[-1][1]) for package, all_ in answers.items()}


def arrangements(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Return a run file in several arrangements."""
    drawn = random.Random(0)
    lines = data.splitlines(keepends=True)
    topics = [list(group) for _, group in groupby(lines, lambda line: line.split(maxsplit=1)[0])]
    yield "as it is", data
    yield "lines shuffled within topics", b"".join(b"".join(drawn.sample(topic, len(topic))) for topic in topics)
    yield "names 17 bytes longer", b"".join(longer(line, 2) for line in lines)
    yield "all lines shuffled", b"".join(drawn.sample(lines, len(lines)))


def longer(line: bytes, column: int) -> bytes:
    """Return a line with a longer name of a document."""
    words = line.split()
    words[column] += LONGER
    return b" ".join(words) + b"\n"


def main() -> None:
    """Compare the two and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    asked = parser.parse_args()
    if asked.work:
        work(asked.work, str(asked.qrels), list(map(str, asked.runs)))
        return
    print(f"{'files':30}{'measurand':>22}{'measurand_next':>22}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for place in range(4):
            runs, kind = [], ""
            for run in asked.runs:
                kind, data = list(arrangements(run.read_bytes()))[place]
                runs.append(Path(folder, run.name))
                runs[-1].write_bytes(data)
            qrels = Path(folder, "qrels")
            lines = asked.qrels.read_bytes().splitlines(keepends=True)
            qrels.write_bytes(b"".join(longer(line, 2) if "longer" in kind else line for line in lines))
            (old, more), (new, less) = take_turns(qrels, runs, asked.turns).values()
            texts = (f"{seconds * 1e3:.1f} ms {peak:6.1f} MB" for seconds, peak in ((old, more), (new, less)))
            print(f"{kind:30}" + "".join(f"{text:>22}" for text in texts) + f"{new / old:8.2f}", flush=True)


if __name__ == "__main__":
    main()
