"""Tie care: the mean, the least and the greatest value of a measure over all orders of tied documents.

Documents of equal score may stand in any order, and some measures are very sensitive to it. `over_ties` says how
much: exactly where a closed form or a look at all orders allows it, and otherwise from random orders, which it
tells.
"""
