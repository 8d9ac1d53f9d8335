"""Judged runs as elements of lattices: which measures are fixed by their values on a few runs.

References
----------
[Giner2022]_
"""
