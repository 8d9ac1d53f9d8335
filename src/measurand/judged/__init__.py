"""Judged runs: systems × topics × ranks of grades, and the join that makes them."""

from measurand.judged.cells import NOTHING, POOLED, UNJUDGED
from measurand.judged.content import Judgments, Results, as_grades, as_scores, bounds_of, flatten
from measurand.judged.judge import judge
from measurand.judged.matching import row_keys
from measurand.judged.pool import Pool
from measurand.judged.runs import Hits, JudgedRuns

__all__ = [
    "NOTHING",
    "POOLED",
    "UNJUDGED",
    "Hits",
    "JudgedRuns",
    "Judgments",
    "Pool",
    "Results",
    "as_grades",
    "as_scores",
    "bounds_of",
    "flatten",
    "judge",
    "row_keys",
]
