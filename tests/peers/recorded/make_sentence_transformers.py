"""Write what InformationRetrievalEvaluator of sentence-transformers leaves: means as CSV, predictions as JSONL.

Call it as `python make_sentence_transformers.py FOLDER`, where sentence-transformers 6.2.0 is installed. The model is
made here: every word has a random vector.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer, models, pre_tokenizers

random.seed(7)
WORDS = [f"w{i}" for i in range(60)]
tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(["[UNK]", *WORDS])}, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()

corpus = {f"d{i}": " ".join(random.choices(WORDS, k=8)) for i in range(40)}
corpus["d40"] = corpus["d3"]  # two documents that always tie
queries = {f"q{i}": " ".join(random.choices(WORDS, k=3)) for i in range(6)}
relevant = {query: set(random.sample(sorted(corpus), 4)) for query in queries}

folder = Path(sys.argv[1])
folder.mkdir(exist_ok=True, parents=True)
weights = np.random.default_rng(7).normal(size=(61, 8)).astype("float32")
model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)])
evaluator = InformationRetrievalEvaluator(queries, corpus, relevant, name="tiny", write_predictions=True, map_at_k=[10])
evaluator(model, output_path=str(folder))
(folder / "relevant_docs.json").write_text(json.dumps({query: sorted(found) for query, found in relevant.items()}))
