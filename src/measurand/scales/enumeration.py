"""What it takes to write down every run, as the transform was first computed."""

from __future__ import annotations

from measurand.exact import whole_number


def enumeration_bytes(depth: int, grades: int = 2, bits: int = 64) -> int:
    r"""Return how many bytes all runs of a depth take, :math:`c^N N b / 8`, if a grade takes so many bits.

    Examples
    --------
    >>> enumeration_bytes(30) // 2**30, enumeration_bytes(40, bits=1) // 2**40
    (240, 5)

    References
    ----------
    [FerranteFerroFuhr2021]_, section VI-D
    """
    depth, grades, bits = whole_number("depth", depth), whole_number("grades", grades, 2), whole_number("bits", bits)
    return int(-(-(grades**depth * depth * bits) // 8))
