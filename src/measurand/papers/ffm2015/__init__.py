"""Ferrante, Ferro and Maistro (2015): which runs are better whatever the measure, and which measures respect it.

`paper` lists the exhibits in the order of the paper, `errata.toml` says where it is wrong. Exhibits by section:
`representation` (2 and 3), `orders` (4), `measurements` (5), `balance` (6) and `figures`; `examples` has the runs they
share. Only this paper needs `classical`, measures of sets, and `simulation`, the two systems of Figure 1b.

References
----------
[FerranteFerroMaistro2015]_
"""
