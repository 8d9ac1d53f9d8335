"""Files that MTEB and sentence-transformers wrote: predictions give their numbers, means are refused."""

import csv
import json
from pathlib import Path

import pytest

import measurand as md

RECORDED = Path(__file__).resolve().parent / "recorded"
MTEB = RECORDED / "mteb"
SENTENCE_TRANSFORMERS = RECORDED / "sentence-transformers"

NAMES = {"ndcg": "nDCG", "map": "AP", "recall": "R", "precision": "P"}
"""MTEB's names and ours."""


@pytest.mark.parametrize("model", ["seed-1", "seed-2"])
def test_predictions_of_mteb_give_the_means_of_its_result(model):
    result = json.loads((MTEB / model / "Tiny.json").read_text())["scores"]["test"][0]
    qrels = json.loads((MTEB / "relevant_docs.json").read_text())
    wanted = {f"{theirs}_at_{k}": f"{ours}@{k}" for theirs, ours in NAMES.items() for k in (1, 5, 10, 100)}
    table = md.evaluate(qrels, MTEB / model / "Tiny_predictions.json", list(wanted.values()))
    assert table.systems == (f"lots/{model}",)
    for theirs, ours in wanted.items():
        assert table[ours].mean()[0] == pytest.approx(result[theirs], abs=1e-5), theirs


def test_predictions_of_two_models_are_compared():
    qrels = json.loads((MTEB / "relevant_docs.json").read_text())
    paths = [MTEB / model / "Tiny_predictions.json" for model in ("seed-1", "seed-2")]
    assert sorted(md.compare(qrels, paths, "nDCG@10").primary.systems) == ["lots/seed-1", "lots/seed-2"]
    assert md.gate(qrels, *paths, "nDCG@10").candidate == "lots/seed-2"


def test_predictions_of_sentence_transformers_give_the_means_of_its_result():
    result = SENTENCE_TRANSFORMERS / "Information-Retrieval_evaluation_tiny_results.csv"
    [row] = csv.DictReader(result.read_text().splitlines())
    relevant = json.loads((SENTENCE_TRANSFORMERS / "relevant_docs.json").read_text())
    qrels = {topic: dict.fromkeys(documents, 1) for topic, documents in relevant.items()}
    wanted = {"Accuracy@5": "Success@5", "Recall@10": "R@10", "MRR@10": "RR@10", "NDCG@10": "nDCG@10"}
    path = SENTENCE_TRANSFORMERS / "Information-Retrieval_evaluation_tiny_predictions_cosine.jsonl"
    # documents of equal score stand there in the order of its ranking
    table = md.evaluate(qrels, path, list(wanted.values()), ties="file")
    for theirs, ours in wanted.items():
        assert table[ours].mean()[0] == pytest.approx(float(row[f"cosine-{theirs}"])), theirs


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        (MTEB / "seed-1" / "Tiny.json", "prediction_folder"),
        (SENTENCE_TRANSFORMERS / "Information-Retrieval_evaluation_tiny_results.csv", "write_predictions=True"),
    ],
)
def test_means_are_refused_with_what_to_keep_instead(path, instead):
    for call in (lambda: md.compare(path), lambda: md.evaluate({"q1": {"d1": 1}}, path)):
        with pytest.raises(md.InputFileError, match=f"holds means over topics, .*{instead}"):
            call()
