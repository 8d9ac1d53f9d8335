"""Whether and for whom expected search length may be used, and what kind of scale it is.

References
----------
[BollmannRaghavan1988]_
"""
