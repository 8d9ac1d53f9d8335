"""Means and many tests need an interval scale; most measures are not on one, and can be put on one.

References
----------
[FerranteFerroFuhr2021]_
"""
