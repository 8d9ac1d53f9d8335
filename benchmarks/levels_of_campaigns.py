"""Measures how many pairs are decided at which level: `python benchmarks/levels_of_campaigns.py QRELS RUN...`.

Without files it is the built-in sample. Prints a Markdown table, a row for each depth, first with grades as they are
and then with those from `--rel` on as relevant and nothing else: in how many pairs one system is ahead on every topic,
under every measure, under every additive measure, significantly so by t tests of the mean counts, each pair alone and
after Holm's correction; and how many of the pairs decided under every additive measure AP, nDCG and RR, cut at this
depth, put the other way round. The tables in `docs/concepts/levels.md` are its output.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from measurand import judge, levels_matrix, sample
from measurand.judged import JudgedRuns
from measurand.measures import AP, RR, nDCG
from measurand.study.level_classes import Level

DEPTHS = (10, 30, 100)


def shares(judged: JudgedRuns, depth: int) -> Iterator[str]:
    """Return the cells of a row: shares of all pairs, and numbers of those that measures turn round."""
    found = levels_matrix(judged, depth=depth)
    decided = found.ahead(Level.ADDITIVE)
    counts = [found.decided(level) for level in (Level.TOPICS, Level.EVERY_MEASURE, Level.ADDITIVE)]
    for count in (*counts, int(found.additive_significant.sum()), int(found.significant.sum())):
        yield f"{count:,} ({count / found.pairs:.0%})".replace("%", " %")
    for measure in (AP, nDCG, RR):
        means = (measure @ depth).scores(judged).values.mean(axis=1)
        # the row is ahead at the level, and the column under the measure
        yield f"{int((decided & (np.subtract.outer(means, means) < -1e-12)).sum()):,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("qrels", nargs="?", help="judgments; by default the sample's")
    parser.add_argument("runs", nargs="*", help="run files, or a directory of them")
    parser.add_argument("--depth", type=int, nargs="+", default=DEPTHS)
    parser.add_argument("--rel", type=int, default=1, help="the lowest grade that is relevant, in the second half")
    given = parser.parse_args()
    judged = judge(given.runs, given.qrels) if given.qrels else judge(sample.runs(), sample.qrels())
    binary = judged.binarised(given.rel)
    systems, topics = len(judged.systems), len(judged.topics)
    print(f"{systems} systems, {topics} topics, {systems * (systems - 1) // 2:,} pairs\n")
    print("| grades | depth | topics | every measure | every additive | significantly | after Holm | AP | nDCG | RR |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, runs in (("all", judged), (f"from {given.rel} on", binary)):
        for depth in given.depth:
            print("|", " | ".join([name, str(depth), *shares(runs, depth)]), "|")


if __name__ == "__main__":
    main()
