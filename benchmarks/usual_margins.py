"""Measures how large margins usually are: `python benchmarks/usual_margins.py [DATA]`.

Without DATA it is the built-in sample. DATA is a directory with TREC-COVID round 1 (`trec-covid-r1`), the deep
learning tracks of 2019 and 2020 (`trec-dl-passage-fusion`) and matrices of scores (`score-matrices`); what is missing
there is left out. Prints Markdown tables of the margins of the order of two means: the 5 % quantile, the median and
the 95 % quantile over pairs, those that a t test calls significant (p ≤ 0.05, each pair alone) apart from the others.
Grades from 2 on are relevant in the deep learning tracks. Quantiles are values that occur, so that ∞ may be one. The
tables in `docs/concepts/margins.md` are its output.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator, Sequence
from math import inf, isinf
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from measurand import judge, margins, margins_matrix, sample
from measurand.judged import JudgedRuns
from measurand.scores import Scores
from measurand.statistics import ALPHA, paired_t
from measurand.study.margins import scale_margins, written_margin
from measurand.study.margins.pairs_at_once import pairs_at_once

MEASURES = ("nDCG@10", "AP", "P@10", "RR")
SPELLED = {"ap": "AP", "p10": "P@10", "rr": "RR", "ndcg20": "nDCG@20", "err20": "ERR@20"}
"""Measures as the names of files have them."""

QUANTILES = (0.05, 0.5, 0.95)
NUMBERS = ("κ", "weights", "topics", "significance: topics")
DOCUMENTS = ("judgments", "of them", "unjudged", "of these")

Row: TypeAlias = dict[str, Any]


def campaigns(data: Path | None) -> Iterator[tuple[str, JudgedRuns, int]]:
    """Return names, judged runs, and from which grade on a document is relevant."""
    yield "sample", judge(sample.runs(), sample.qrels()), 1
    if data is None:
        return
    for year in ("2019", "2020"):
        folder = data / "trec-dl-passage-fusion"
        if (folder / year).is_dir():
            yield f"DL {year}", judge(folder / year, folder / f"{year}.qrels.gz"), 2
    covid = data / "trec-covid-r1"
    if covid.is_dir():
        yield "TREC-COVID 1", judge(covid / "runs", covid / "qrels-rnd1.txt.gz"), 1


def matrices(data: Path) -> Iterator[tuple[str, str, Scores]]:
    """Return the names of a track and of a measure, and scores."""
    for path in sorted((data / "score-matrices").glob("*.csv.gz")):
        track, _, name = path.name.removesuffix(".csv.gz").partition("_")
        measure = SPELLED.get(name, name)
        with gzip.open(path, "rt") as lines:
            systems = next(lines).strip().split(",")
            values = np.loadtxt(lines, delimiter=",").T
        topics = tuple(map(str, range(values.shape[1])))
        yield track, measure, Scores(measure=measure, values=values, systems=tuple(systems), topics=topics)


def of_differences(scores: Scores, kappa: Any) -> Iterator[tuple[tuple[int, int], Row]]:
    """Return for every two systems what follows from their scores."""
    order, significance = pairs_at_once(scores), pairs_at_once(scores, ALPHA)
    p = paired_t(scores).pvalues
    for i, j in zip(*np.triu_indices(len(scores.systems), 1), strict=True):
        if order.holds[i, j]:
            shared = order.shared[i, j]
            yield (
                (i, j),
                {
                    "significant": bool(p[i, j] <= ALPHA),
                    "κ": kappa[i, j],
                    "weights": order.own[i, j],
                    "topics": order.topics[i, j] / shared,
                    "significance: topics": significance.topics[i, j] / shared,
                },
            )


def of_documents(judged: JudgedRuns, measure: str, a: str, b: str) -> Row:
    """Return what other judgments, and grades of unjudged documents, can do to the order of two means."""
    found = margins(judged, measure, a, b, top=0)
    judgments, unjudged = found.judgments, found.unjudged
    return {
        "judgments": judgments.value,
        "of them": judgments.value / judgments.of,
        "unjudged": unjudged.value,
        "of these": unjudged.value / max(1, unjudged.documents),
        "found": judgments.how != "exact",
    }


def spelled(measure: str, lowest: int) -> str:
    """Return a measure that counts documents from some grade on as relevant."""
    if lowest == 1 or measure.startswith("nDCG"):
        return measure
    name, at, cutoff = measure.partition("@")
    return f"{name}(rel={lowest}){at}{cutoff}"


def quantiles(values: Sequence[float], *, share: bool = False, whole: bool = False) -> str:
    """Return the quantiles of some margins, as a cell of a table."""
    if not values:
        return "–"
    found = np.quantile(np.array(values, dtype=float), QUANTILES, method="inverted_cdf").tolist()
    if share:
        return " · ".join("∞" if isinf(each) else f"{100 * each:.2g} %" for each in found)
    return " · ".join("∞" if isinf(each) else f"{each:,.0f}" if whole else written_margin(each) for each in found)


def table(rows: Sequence[Row], keys: Sequence[str], names: Sequence[str]) -> None:
    """Print the margins of groups of pairs."""
    print("|", " | ".join(["", "pairs", *names]), "|")
    print("|" + "---|" * (len(names) + 2))
    for group in dict.fromkeys(tuple(row[key] for key in keys) for row in rows):
        for significant in (True, False):
            here = [
                row for row in rows if tuple(row[key] for key in keys) == group and row["significant"] == significant
            ]
            label = f"{', '.join(group)}: {'significant' if significant else 'not significant'}"
            cells = [label, f"{len(here):,}"]
            for name in names:
                values = [row[name] for row in here]
                empty = name.startswith("significance") and not significant
                share = name in ("topics", "significance: topics", "of them", "of these")
                cells.append("–" if empty else quantiles(values, share=share, whole=name in DOCUMENTS))
            print("|", " | ".join(cells), "|")
    print()


def tables(rows: Sequence[Row], names: Sequence[str], *, each: bool) -> None:
    """Print the margins under each measure, of all campaigns together and perhaps of each."""
    table(rows, ("measure",), names)
    if each:
        table(rows, ("measure", "campaign"), names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="a directory of campaigns; by default the sample alone")
    parser.add_argument("--each", action="store_true", help="every campaign as well, in rows of its own")
    given = parser.parse_args()
    rows = []
    for name, judged, lowest in campaigns(given.data):
        print(f"{name}: {len(judged.systems)} systems, {len(judged.topics)} topics", file=sys.stderr)
        for measure in MEASURES:
            known = margins_matrix(judged, spelled(measure, lowest))
            for (i, j), row in of_differences(known.scores, known.scale):
                a, b = known.systems[i], known.systems[j]
                more = of_documents(judged, spelled(measure, lowest), a, b)
                rows.append({"campaign": name, "measure": measure, **row, **more})
    tables(rows, NUMBERS, each=given.each)
    tables(rows, DOCUMENTS, each=given.each)
    for measure in MEASURES:
        here = [row for row in rows if row["measure"] == measure]
        open_to = sum(row["unjudged"] < inf for row in here)
        found = sum(row["found"] for row in here)
        print(f"{measure}: {len(here)} pairs; unjudged documents overturn {open_to}; judgments not exact: {found}")
    if given.data is not None:
        print()
        rows = []
        for track, measure, scores in matrices(given.data):
            kappa = scale_margins(scores).kappa
            rows += [{"campaign": track, "measure": measure, **row} for _, row in of_differences(scores, kappa)]
        tables(rows, NUMBERS, each=given.each)


if __name__ == "__main__":
    main()
