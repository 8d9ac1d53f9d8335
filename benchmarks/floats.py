"""What do doubles change in the results of campaigns? `python benchmarks/floats.py DATA`.

DATA is a folder with trec-covid-r1 and trec-dl-passage-fusion as in shared/data. Besides these, a campaign of 129
systems on 50 topics is drawn at random, because real campaigns of that size cannot be handed on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import measurand as md
from measurand.papers import FloatShift, float_effect

MEASURES = ("P", "AP", "nDCG", "nDCG(b=2)", "nDCG(b=10)", "ERR", "RBP(p=0.8)")
SYSTEMS, TOPICS = 129, 50


def real(folder: Path, depth: int) -> Iterator[tuple[str, md.JudgedRuns]]:
    covid = folder / "trec-covid-r1"
    yield "TREC-COVID round 1", judged(covid / "runs", covid / "qrels-rnd1.txt.gz", depth)
    for year in ("2019", "2020"):
        runs = folder / "trec-dl-passage-fusion" / year
        yield f"TREC DL {year}", judged(runs, runs.parent / f"{year}.qrels.gz", depth)


def judged(runs: Path, qrels: Path, depth: int) -> md.JudgedRuns:
    return md.judge(md.read_runs([runs], names="file"), md.read_qrels(qrels), depth=depth)


def drawn(depth: int) -> md.JudgedRuns:
    """Return runs of good and bad systems on easy and hard topics, with relevant documents that thin out."""
    rng = np.random.default_rng(1)
    quality, ease = rng.beta(2, 3, (SYSTEMS, 1, 1)), rng.beta(2, 3, (1, TOPICS, 1))
    thinning = 0.4 + 0.6 / np.sqrt(np.arange(1, depth + 1))
    cells = (rng.random((SYSTEMS, TOPICS, depth)) < np.clip(0.8 * (quality + ease) * thinning, 0, 1)).astype(np.int8)
    relevant = np.maximum(cells.sum(axis=2).max(axis=0), rng.integers(10, 120, TOPICS))
    return md.JudgedRuns(
        systems=tuple(f"s{n}" for n in range(SYSTEMS)),
        topics=tuple(f"t{n}" for n in range(TOPICS)),
        cells=cells,
        lengths=np.full((SYSTEMS, TOPICS), depth),
        grade_counts=np.stack([1000 - relevant, relevant], axis=1),
    )


def shaken(shift: FloatShift) -> str:
    return ", ".join(f"{name} {test.largest:.2g}" for name, test in shift.tests.items() if test.largest > 1e-9)


def main(folder: Path) -> None:
    for depth in (10, 30):
        for name, campaign in (*real(folder, depth), ("drawn at random", drawn(depth))):
            effect = float_effect(campaign, MEASURES, depth)
            print(f"{name}, {depth} ranks. {effect}")
            for shift in effect.shifts:
                if shaken(shift):
                    print(f"largest change of a p-value under {shift.measure}: {shaken(shift)}")
            print()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
