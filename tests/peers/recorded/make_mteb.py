"""Write what MTEB leaves of a task: its result and its predictions, for two models that draw lots.

Call it as `python make_mteb.py FOLDER`, where mteb 2.26.24 is installed.
"""

import json
import random
import sys
from pathlib import Path

import mteb
from datasets import Dataset
from mteb.abstasks import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models.model_meta import ModelMeta

random.seed(11)
CORPUS = [{"id": f"d{i}", "text": f"text {i}", "title": ""} for i in range(30)]
QUERIES = [{"id": f"q{i}", "text": f"query {i}"} for i in range(6)]
RELEVANT = {
    query["id"]: {document["id"]: random.choice([0, 1, 2]) for document in random.sample(CORPUS, 5)}
    for query in QUERIES
}


class Tiny(AbsTaskRetrieval):
    """A task of six queries."""

    ignore_identical_ids = False
    metadata = TaskMetadata(
        name="Tiny",
        dataset={"path": "none/none", "revision": "1"},
        description="Six queries.",
        reference=None,
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="ndcg_at_10",
        date=("2020-01-01", "2020-01-02"),
        domains=["Written"],
        task_subtypes=[],
        license="cc0-1.0",
        annotations_creators="derived",
        dialect=[],
        sample_creation="found",
        bibtex_citation="",
    )

    def load_data(self, **options):
        """Take the documents and queries above."""
        part = {"corpus": Dataset.from_list(CORPUS), "queries": Dataset.from_list(QUERIES)}
        self.dataset = {"default": {"test": {**part, "relevant_docs": RELEVANT, "top_ranked": None}}}
        self.data_loaded = True


class Lots:
    """A model that draws lots, in quarters, so that there are ties."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.mteb_model_meta = ModelMeta.create_empty({"name": f"lots/seed-{seed}", "revision": "1"})

    def index(self, corpus, **options):
        """Note the documents."""
        self.ids = [row["id"] for row in corpus]

    def search(self, queries, *, top_k, **options):
        """Return twenty documents for every query."""
        return {
            query["id"]: {document: self.rng.randrange(40) / 4 for document in self.rng.sample(self.ids, 20)}
            for query in queries
        }


folder = Path(sys.argv[1])
for seed in (1, 2):
    out = folder / f"seed-{seed}"
    found = mteb.evaluate(Lots(seed), Tiny(), prediction_folder=out, cache=None, overwrite_strategy="always")
    found.task_results[0].to_disk(out / "Tiny.json")
(folder / "relevant_docs.json").write_text(json.dumps(RELEVANT))
