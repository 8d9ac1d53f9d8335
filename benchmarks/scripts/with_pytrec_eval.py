"""What a user of pytrec_eval writes to score one run: `with_pytrec_eval.py QRELS RUN`."""

import sys
from pathlib import Path

import pytrec_eval

with Path(sys.argv[1]).open() as lines:
    qrels = pytrec_eval.parse_qrel(lines)
with Path(sys.argv[2]).open() as lines:
    run = pytrec_eval.parse_run(lines)
scores = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10", "P_10", "recip_rank"}).evaluate(run)
for measure in ("map", "ndcg_cut_10", "P_10", "recip_rank"):
    mean = pytrec_eval.compute_aggregated_measure(measure, [topic[measure] for topic in scores.values()])
    print(f"{measure}\t{mean:.4f}")
