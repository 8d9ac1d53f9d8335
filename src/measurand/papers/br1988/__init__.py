"""Bollmann and Raghavan (1988): for whom expected search length may be used, and which scale it is on.

`paper` lists the exhibits in the order of the paper, `errata.toml` says where it is wrong. Exhibits by section:
`lotteries` (2 and 3), `preferences` (3), `sums_of_searches` (4 and 5) and `drawings`.

References
----------
[BollmannRaghavan1988]_
"""
