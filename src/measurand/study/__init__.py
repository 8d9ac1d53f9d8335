"""The whole flow in one place: from files to scores, and from scores to what can be said.

`evaluation` goes from files to tables of scores, `comparison` from there to who is better. Nothing is loaded here,
because a small evaluation takes less time than loading what comparisons need.
"""
