"""What a user of ranx writes to score one run: `with_ranx.py QRELS RUN`."""

import sys

from ranx import Qrels, Run, evaluate

qrels = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec")
for measure, mean in evaluate(qrels, run, ["map", "ndcg@10", "precision@10", "mrr", "rbp.8"]).items():
    print(f"{measure}\t{mean:.4f}")
