"""Real campaigns: the figures that their organisers and editors published."""

import csv
from pathlib import Path

import pytest

import measurand as md

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
COVID = DATA / "trec-covid-r1"
FUSION = DATA / "trec-dl-passage-fusion"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the campaigns' data is not beside the checkout")

COLUMNS = {"ndcg@10": "nDCG@10", "p@5": "P@5", "RBP(p=.5)": "RBP(p=0.5)", "bpref": "Bpref", "MAP": "AP"}
"""What the leaderboard calls our measures."""

LEADERBOARD = list(csv.DictReader((COVID / "leaderboard.csv").read_text().splitlines())) if COVID.exists() else []

EXTREMES = [
    ("2019", "nDCG@10", ("BM25.2019.100.norm", "0.4795"), ("prf_rerank_beta05.2019.100.norm", "0.7409")),
    ("2020", "nDCG@10", ("BM25.2020.100.norm", "0.4936"), ("splade.100.norm", "0.7225")),
    ("2019", "AP", ("BM25.2019.100.norm", "0.2907"), ("prf_rank_beta05.2019.100.norm", "0.4616")),
    ("2020", "AP", ("BM25.2020.100.norm", "0.3143"), ("splade.100.norm", "0.4826")),
]
"""The worst and the best system of each year."""


@pytest.mark.parametrize("official", LEADERBOARD, ids=lambda row: row["run"])
def test_a_submitted_run_scores_as_on_the_official_leaderboard(official):
    table = md.evaluate(COVID / "qrels-rnd1.txt.gz", COVID / "runs" / f"{official['run']}.xz", COLUMNS.values())
    ours = {column: f"{table.scores(measure).mean()[0]:.4f}" for column, measure in COLUMNS.items()}
    assert {"run": table.systems[0], **ours} == official


@pytest.mark.parametrize(("year", "measure", "worst", "best"), EXTREMES)
def test_the_worst_and_the_best_ranker_of_a_year_score_as_published(year, measure, worst, best):
    table = md.evaluate(FUSION / f"{year}.qrels.gz", FUSION / year, measure, names="file")
    ranked = sorted(table.scores(measure).mean().to_dict().items(), key=lambda pair: pair[1])
    assert [(system, f"{mean:.4f}") for system, mean in (ranked[0], ranked[-1])] == [worst, best]
    assert len(ranked) == 8
