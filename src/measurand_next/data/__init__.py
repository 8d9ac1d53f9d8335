"""Judgments, runs, judged runs and scores: what everything else is computed from."""
