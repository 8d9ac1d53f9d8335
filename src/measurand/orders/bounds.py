"""The worst and the best run with a given number of relevant documents."""

from __future__ import annotations

from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.orders.compare import check_order


def least_and_greatest(
    length: int, relevant: int, grades: int, order: str = "swap"
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    r"""Return the least and the greatest of the runs with exactly so many relevant documents.

    .. math:: (0^{n-k}, 1^k) \preceq r \preceq (q^k, 0^{n-k})

    Parameters
    ----------
    length, relevant
        The number n of documents and the number k of relevant ones.
    grades
        How many grades there are, from 0 to q.
    order
        One of `ORDERS`. The orders of sets give the best grade first. By "replacement" there is no
        least and no greatest run, unless all documents are relevant or none.

    Examples
    --------
    >>> least_and_greatest(length=4, relevant=2, grades=3)
    ((0, 0, 1, 1), (2, 2, 0, 0))

    References
    ----------
    [FerranteFerroMaistro2015]_, section 4, equation 1
    """
    check_order(order)
    length, relevant = whole_number("length", length, 0), whole_number("relevant", relevant, 0)
    grades = whole_number("grades", grades, 0)
    if not 0 <= relevant <= length or (relevant and grades < 2):
        raise ParameterError(f"no run of {length} documents with {grades} grades has {relevant} relevant ones")
    if order == "replacement" and 0 < relevant < length:
        raise ParameterError(
            "by replacement alone no run is the least: a relevant document at one rank is neither better nor worse"
            " than one at another; take the order 'swap'"
        )
    ones, zeros = (1,) * relevant, (0,) * (length - relevant)
    worst = ones + zeros if order.startswith("set-") else zeros + ones
    return worst, (grades - 1,) * relevant + zeros
