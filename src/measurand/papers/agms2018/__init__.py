"""Amigó, Giner, Mizzaro and Spina (2018): evaluation and fusion from observational information.

`paper` lists the exhibits in the order of the paper, `errata.toml` says where it is wrong. Exhibits by section:
`information` (3), `effectiveness` and `unanimity` (4), `fusion` (5 and 6) and `drawings`. The experiments on campaigns
are `scatters` (Figures 1 and 2), `fusion_gain` (Figure 3) and `additivity` (Theorem 5.1); `campaign` has what they
share.

References
----------
[Amigo2018]_
"""
