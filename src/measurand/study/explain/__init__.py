"""Which convention gives a number: `explain` searches conventions, `values_by_tool` is the reverse.

A convention (`convention.py`) is one value: the measure with its parameters, the order of documents, what a value is
divided by, which topics count, and how they are averaged. `bench.py` computes a run under any convention, `search.py`
lists those to try, the simplest first, `other_tools.py` has those of other tools, and `explanation.py` what is said.
"""
