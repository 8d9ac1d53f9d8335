"""A measure of effectiveness should respect what everybody agrees on: a better document in a place, or moved up.

References
----------
[FerranteFerroMaistro2015]_
"""
