"""Giner (2022): judged runs as elements of lattices, and measures that are fixed by their values on a few runs.

`paper` lists the exhibits in the order of the paper, `errata.toml` says where it is wrong. Exhibits by section:
`lattices` (3), `judged_runs` (4, and the operations of 2, 5 and 6), `sets` (5), `rankings` (6), `few_values` (7) and
`figures`.

References
----------
[Giner2022]_
"""
