"""Measures how well systems and topics are ordered without judgments: `python benchmarks/without_judgments.py [DATA]`.

DATA is the folder with `trec-dl-passage-fusion` and `trec-covid-r1`; the built-in sample is always there. Prints three
Markdown tables: Kendall's tau between the means without judgments and those by judgments, AP and OIE, for every method
of fusion and number of documents at the top; where the best system and near duplicates stand with the defaults; tau
between the entropy of the runs (and the number of different documents) and the difficulty of topics, by depth. The
tables in `docs/how-to/without-judgments.md` are its output.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import measurand as md
from measurand import sample

TOPS = (5, 10, 20, 30, 50, 100)
METHODS = ("bordalog", "information", "borda", "rrf", "isr", "combsum", "combmnz", "condorcet")
DEPTHS = (10, 20, 50, 100, 1000)

Campaigns = dict[str, tuple[Path, list[md.Run]]]


def campaigns(data: Path | None) -> Campaigns:
    """Return judgments and runs by the name of the campaign."""
    found: dict[str, tuple[Path, list[Path]]] = {}
    if data is not None:
        passages, covid = data / "trec-dl-passage-fusion", data / "trec-covid-r1"
        for year in ("2019", "2020"):
            found[f"DL {year}"] = passages / f"{year}.qrels.gz", sorted((passages / year).iterdir())
        found["COVID"] = covid / "qrels-rnd1.txt.gz", sorted((covid / "runs").iterdir())
    found["sample"] = sample.qrels(), list(sample.runs())
    return {name: (qrels, md.read_runs(runs, names="file")) for name, (qrels, runs) in found.items()}


def print_methods(every: Campaigns) -> None:
    """Print tau of AP and of OIE for each method and number of documents at the top."""
    print("| method | top |", " | ".join(f"{name}, AP | {name}, OIE" for name in every), "|")
    print("|---|---:|" + "---:|" * (2 * len(every)))
    for method in METHODS:
        for top in TOPS:
            cells = []
            for qrels, runs in every.values():
                found = md.evaluate_without_judgments(runs, ["AP", "OIE"], method=method, top=top, against=qrels)
                cells += [f"{found.agreement(measure).tau:.2f}" for measure in ("AP", "OIE")]
            print("|", " | ".join([f"`{method}`", str(top), *cells]), "|", flush=True)


def print_places(every: Campaigns) -> None:
    """Print tau, tau_AP and the place of the best system with the defaults."""
    print("\n| campaign | systems | topics | measure | τ | τ_AP | best system by judgments | its place without |")
    print("|---|---:|---:|---|---:|---:|---|---:|")
    for name, (qrels, runs) in every.items():
        found = md.evaluate_without_judgments(runs, ["AP", "OIE"], against=qrels)
        for measure in ("AP", "OIE"):
            each = found.agreement(measure)
            cells = [name, len(runs), each.topics, measure, f"{each.tau:.2f}", f"{each.tau_ap:.2f}", each.best]
            print("|", " | ".join(map(str, [*cells, each.place_of_best])), "|", flush=True)


def print_topics(every: Campaigns) -> None:
    """Print tau between entropy and difficulty, and between the number of documents and difficulty, by depth."""
    print("\n| depth |", " | ".join(f"{name}, entropy | {name}, documents" for name in every), "|")
    print("|---:|" + "---:|" * (2 * len(every)))
    for depth in DEPTHS:
        several = [md.topic_difficulty(runs, qrels, depth=depth) for qrels, runs in every.values()]
        cells = [f"{tau:.2f}" for found in several for tau in (found.tau, found.tau_of_documents)]
        print("|", " | ".join([str(depth), *cells]), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="the folder with the campaigns; by default the sample alone")
    every = campaigns(parser.parse_args().data)
    print_methods(every)
    print_places(every)
    print_topics(every)


if __name__ == "__main__":
    main()
