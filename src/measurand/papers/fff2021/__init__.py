"""Ferrante, Ferro and Fuhr (2021): means and many tests need an interval scale, and most measures are not on one.

`paper` lists the exhibits in the order of the paper, `errata.toml` says where it is wrong, `said.toml` what its text
claims about its tables. Exhibits by section: `meaningfulness` (I and III), `values_of_measures` and
`averages_over_topics` (IV), `interval_transform` (VI), `experiments` (VII and VIII), `float_traps` and `drawings`;
`four_ranks` has the runs they share. Only this paper needs `doubles`, `effect_of_doubles` and `as_published`, the
values of measures in double precision, and `set_scales`, results as sets.

References
----------
[FerranteFerroFuhr2021]_
"""
