"""A document tells much if few documents are as high in everything that is observed: evaluation and fusion from this.

References
----------
[Amigo2018]_
"""
