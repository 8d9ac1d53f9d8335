"""Scores of campaigns of any size, kept as a partitioned parquet data set.

`store_scores` (`build.py`) plans the work (`store_plan.py`), has its pieces scored (`scoring.py`) wherever the executor
in use does it, and writes an index. `ScoreStore` (`score_store.py`) reads back what is asked for.
"""
