"""The files that the benchmark reads: drawn once, kept in `benchmarks/data`, whole or not at all.

Most are drawn. The model is the one of `measurand.sample`: documents have a latent relevance, systems see it through
noise that relatives share, judges see the top of a pool. `Campaign` itself is not used, because it keeps every
run in memory as dictionaries and its scores may tie. Here each topic goes straight to the files, with
300 judgments of grades 0 to 3, document identifiers of 16 characters, and scores of six decimals that
stay different even as 32-bit floats, so that every tool has the same ranking to evaluate. Where more grades are
wanted, each of 1, 2 and 3 is split into finer ones, and nothing else changes.

`real` is 12 runs of TREC-COVID, round 1, from `../shared/data`, with all topics repeated under other names: real
identifiers, real scores of up to 18 digits, ties, and lines that are not in the order of scores.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import frozen

DATA = Path(__file__).resolve().parent / "data"

SEED = 20151113
COLLECTION = 10_000_000
JUDGMENTS = 300
FAMILIES = 4
TOP_GRADE = 3


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
    grades = "" if size.finer == 1 else f"x{size.grades}"
    drawn = f"{size.systems}x{size.topics}x{size.depth}{grades}-{SEED}"
    folder = DATA / (f"real-{REPEATED}" if size is REAL else drawn)
    if not folder.exists():
        DATA.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=DATA, prefix="unfinished-") as unfinished:
            (repeat if size is REAL else write)(size, Path(unfinished) / "campaign")
            (Path(unfinished) / "campaign").rename(folder)
    return Files(folder / "qrels", tuple(sorted((folder / "runs").iterdir())))


def repeat(size: Size, folder: Path) -> None:  # noqa: ARG001 - as `write`
    """Write real files several times over, each time with other names for their topics."""
    from gzip import decompress
    from lzma import decompress as decompress_xz

    if not COVID.is_dir():
        raise SystemExit(f"benchmark: the real files are not there: {COVID}")
    (folder / "runs").mkdir(parents=True)
    judgments = {folder / "qrels": decompress((COVID / "qrels-rnd1.txt.gz").read_bytes())}
    runs = {folder / "runs" / path.stem: decompress_xz(path.read_bytes()) for path in (COVID / "runs").glob("*.xz")}
    for path, data in (judgments | runs).items():
        lines = [line.split(None, 1) for line in data.splitlines(keepends=True)]
        with path.open("wb") as target:
            for copy in range(REPEATED):
                target.writelines(b"%s-%d %s" % (topic, copy, rest) for topic, rest in lines)


def write(size: Size, folder: Path) -> None:
    (folder / "runs").mkdir(parents=True)
    names = [f"system-{number:03d}" for number in range(1, size.systems + 1)]
    with ExitStack() as stack:
        qrels = stack.enter_context((folder / "qrels").open("w"))
        runs = [stack.enter_context((folder / "runs" / f"{name}.run").open("w")) for name in names]
        for topic, judged, results in draw(size):
            qrels.writelines(f"{topic} 0 {document} {grade}\n" for document, grade in judged)
            for name, run, (documents, scores) in zip(names, runs, results, strict=True):
                lines = enumerate(zip(documents, scores, strict=True), 1)
                run.writelines(
                    f"{topic} Q0 {document} {rank} {score:.6f} {name}\n" for rank, (document, score) in lines
                )


Judged = list[tuple[str, int]]
Result = tuple[list[str], list[float]]


def draw(size: Size) -> Iterator[tuple[int, Judged, list[Result]]]:
    """Return topic after topic: its number, its judgments, and what each system returned for it."""
    import numpy as np

    rng = np.random.default_rng(SEED)
    candidates = 2 * size.depth
    skill = rng.permutation(np.linspace(1.5, 0.7, size.systems))[:, None]
    kin = np.arange(size.systems) % FAMILIES
    for topic in range(1001, 1001 + size.topics):
        documents = np.array([f"doc-{number:012d}" for number in rng.choice(COLLECTION, candidates, replace=False)])
        latent = rng.standard_normal(candidates)
        shared = rng.standard_normal((FAMILIES, candidates))[kin]
        own = rng.standard_normal((size.systems, candidates))
        scores = rng.normal(1.0, 0.3) * skill * latent + 0.8 * shared + 0.6 * own
        judged = _split(_judge(rng, documents, latent), size.finer, topic)
        yield topic, judged, [_best(documents, seen, size.depth) for seen in scores]


def _judge(rng: Any, documents: Any, latent: Any) -> Judged:
    """Return the judgments of a topic: a pool, of which about three in ten are relevant."""
    import numpy as np

    grades = np.zeros(len(documents), dtype=int)
    relevant = np.argsort(-latent)[: int(np.clip(rng.lognormal(4.5, 0.4), 3, 200))]
    grades[relevant] = rng.choice([1, 2, TOP_GRADE], p=[0.6, 0.28, 0.12], size=len(relevant))
    pool = np.sort(np.argsort(-(latent + 0.3 * rng.standard_normal(len(documents))))[:JUDGMENTS])
    return list(zip(documents[pool].tolist(), grades[pool].tolist(), strict=True))


def _split(judged: Judged, finer: int, topic: int) -> Judged:
    """Return judgments in which each grade but 0 has become one of several, drawn."""
    import numpy as np

    parts = np.random.default_rng([SEED, topic]).integers(finer, size=len(judged)).tolist()
    return [(name, grade and finer * (grade - 1) + part + 1) for (name, grade), part in zip(judged, parts, strict=True)]


def _best(documents: Any, scores: Any, depth: int) -> Result:
    """Return the documents that a system scores highest, best first, and scores that fall at every rank."""
    import numpy as np

    best = np.argsort(-scores)[:depth]
    steps = np.arange(depth)
    millionths = np.rint(1e6 * (4 + 0.2 * scores[best]))
    falling = np.minimum.accumulate(millionths + steps) - steps
    return documents[best].tolist(), (falling / 1e6).tolist()
