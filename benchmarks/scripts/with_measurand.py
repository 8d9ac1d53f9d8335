"""What a user of measurand writes to score one run: `with_measurand.py QRELS RUN`."""

import sys

import measurand as md

print(md.evaluate(sys.argv[1], sys.argv[2], ["AP", "nDCG@10", "P@10", "RR"]))
