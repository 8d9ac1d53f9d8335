"""The files that the benchmark reads: drawn once, kept in `benchmarks/data`, whole or not at all.

Most are drawn by `draw.py`, with 300 judgments a topic of grades 0 to 3, document identifiers of 16 characters, and
scores that stay different even as 32-bit floats, so that every tool has the same ranking to evaluate. Where more grades
are wanted, each of 1, 2 and 3 is split into finer ones, and nothing else changes.

`real` is 12 runs of TREC-COVID, round 1, from `../shared/data`, with all topics repeated under other names: real
identifiers, real scores of up to 18 digits, ties, and lines that are not in the order of scores.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from draw import SEED, TOP_GRADE, Drawing, whole, write

DATA = Path(__file__).resolve().parent / "data"


@frozen
class Size:
    """How many runs, topics and documents of each there are, and into how many each grade but 0 is split."""

    name: str
    systems: int
    topics: int
    depth: int
    finer: int = 1

    @property
    def grades(self) -> int:
        """The number of different grades, that of documents that are not relevant included."""
        return 1 + TOP_GRADE * self.finer

    @property
    def lines(self) -> int:
        """The number of lines of all run files together."""
        return self.systems * self.topics * self.depth

    def __str__(self) -> str:
        return f"{self.systems} runs × {self.topics} topics × {self.depth} documents"


@frozen
class Files:
    """The files of a campaign."""

    qrels: Path
    runs: tuple[Path, ...]

    @property
    def bytes(self) -> int:
        """The size of all run files together."""
        return sum(path.stat().st_size for path in self.runs)


# ranx stays on one thread for good once it has seen fewer than ten topics, so even the tiny campaign has more
TINY = Size("tiny", 2, 12, 50)
SIZES = (Size("small", 20, 50, 1000), Size("large", 5, 1000, 1000), Size("many", 129, 50, 1000))


REAL = Size("real", 12, 600, 1000)
REPEATED = 20
COVID = DATA.parents[2] / "shared" / "data" / "trec-covid-r1"
"""Where the real files are, if they are there."""


def files(size: Size) -> Files:
    """Return the files of a size, which are written if they are not there yet."""
    drawn = f"{size.systems}x{size.topics}x{size.depth}x{size.grades}-{SEED}"
    folder = DATA / (f"real-{REPEATED}" if size is REAL else drawn)
    if not folder.exists():
        DATA.mkdir(exist_ok=True)
        if size is REAL:
            repeat(folder)
        else:
            drawing = Drawing(
                size.systems, size.topics, size.depth, ties=0, finer=size.finer, identifiers="gov2", seed=SEED
            )
            write(drawing, folder)
    return Files(folder / "qrels", tuple(sorted((folder / "runs").iterdir())))


def repeat(folder: Path) -> None:
    """Write real files several times over, each time with other names for their topics."""
    from gzip import decompress
    from lzma import decompress as decompress_xz

    if not COVID.is_dir():
        raise SystemExit(f"benchmark: the real files are not there: {COVID}")
    with whole(folder) as unfinished:
        (unfinished / "runs").mkdir()
        files = {COVID / "qrels-rnd1.txt.gz": unfinished / "qrels"}
        files |= {path: unfinished / "runs" / path.stem for path in (COVID / "runs").glob("*.xz")}
        for path, written in files.items():
            data = (decompress if path.suffix == ".gz" else decompress_xz)(path.read_bytes())
            lines = [line.split(None, 1) for line in data.splitlines(keepends=True)]
            with written.open("wb") as target:
                for copy in range(REPEATED):
                    target.writelines(b"%s-%d %s" % (topic, copy, rest) for topic, rest in lines)
