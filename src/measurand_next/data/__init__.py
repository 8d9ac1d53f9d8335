"""Judgments, runs, judged runs and scores: what everything else is computed from."""

from measurand_next.data.judged import JudgedRuns
from measurand_next.data.qrels import Qrels
from measurand_next.data.run import Run
from measurand_next.data.scale import Scale
from measurand_next.data.scores import Scores

__all__ = ["JudgedRuns", "Qrels", "Run", "Scale", "Scores"]
