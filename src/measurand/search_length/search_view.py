"""The search through a result with ties, as people and programs read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from measurand.display.tables import Column, Document, Paragraph, Part, TableView, Words
from measurand.display.wording import counted
from measurand.exact import with_fraction
from measurand.search_length.lottery import DIGITS, LONGEST, lottery_view
from measurand.search_length.weak_order import WeakOrder

SHORT = 100
"""Results with more documents are not written out."""

SEARCHES = 100
"""So many searches are looked at where none is asked for."""


def search_document(order: WeakOrder, wanted: Sequence[int] = ()) -> Document:
    """Return how long it takes to find so many relevant documents in a result with ties.

    Parameters
    ----------
    order
        The result.
    wanted
        Numbers of relevant documents; for none, a line for each that can be found, up to 100.

    Examples
    --------
    >>> document = search_document(WeakOrder.parse("+-|+--|++---"), [2])
    >>> print(document.parts[3])
    Until relevant document 2, a reader inspects 2 nonrelevant documents on average: esl = 2.
    >>> [row[:2] for row in document.tables[0].cells]
    [['1', '1/3 = 0.3333'], ['2', '1/3 = 0.3333'], ['3', '1/3 = 0.3333']]
    """
    return Document(list(_parts(order, wanted)))


def _parts(order: WeakOrder, wanted: Sequence[int]) -> Iterator[Part]:
    yield Words.of(str(order) if order.documents <= SHORT else repr(order), "strong")
    size = f"{_documents(order.documents)} in {counted(len(order.ranks), 'rank')}"
    yield Paragraph(f"{size}, {order.relevant:,} of them relevant", "faint")
    yield ""
    if wanted:
        for i in dict.fromkeys(wanted):
            yield from _search(order, i)
    elif order.relevant:
        yield _every_search(order)
        if order.relevant > SEARCHES:
            yield Paragraph(f" … up to relevant document {order.relevant:,}; -i tells of any.", "faint")
    else:
        yield f"There is no relevant document: {_in_vain(order)}."


def _search(order: WeakOrder, i: int) -> Iterator[Part]:
    if i > order.relevant:
        yield f"There is no relevant document {i:,}: {_in_vain(order)}: esl = {order.nonrelevant}."
        yield ""
        return
    lottery = order.search_length(i)
    inspected = _documents(lottery.mean, "nonrelevant document")
    yield f"Until relevant document {i:,}, a reader inspects {inspected} on average: esl = {lottery.mean}."
    if lottery.variance:
        half, most = (lottery.quantile(Fraction(share)) for share in ("1/2", "19/20"))
        orders = f"half of all orders: at most {half:,}; 95 %: at most {most:,}."
        yield f"Standard deviation {sqrt(lottery.variance):.4g}; {orders}"
        yield ""
        yield lottery_view(lottery)
    else:
        yield "No tie has a say in it."
    yield ""


def _in_vain(order: WeakOrder) -> str:
    if not order.nonrelevant:
        return "a reader inspects nothing in vain"
    return f"a reader inspects {_documents(order.nonrelevant, 'nonrelevant document')} in vain"


def _documents(count: Fraction | int, what: str = "document") -> str:
    """Return a number of documents in words: large ones whole, others exactly where that is short."""
    large = isinstance(count, int) or count.denominator == 1 or count >= 1000
    return counted(round(count), what, f"{what}s") if large else f"{with_fraction(count)} {what}s"


def _every_search(order: WeakOrder) -> TableView:
    """Return a line for each number of relevant documents, as far as anybody reads."""
    columns = [
        Column("relevant", lambda i: f"{i:,}"),
        Column("esl", lambda i: with_fraction(order.esl(i))),
        Column("standard deviation", lambda i: f"{sqrt(order.variance(i)):.4g}", wrap="words"),
        Column("half: at most", lambda i: f"{order.quantile(i, Fraction(1, 2)):,}", wrap="words"),
        Column("95 %: at most", lambda i: f"{order.quantile(i, Fraction(19, 20)):,}", wrap="words"),
    ]
    return TableView(columns, range(1, min(order.relevant, SEARCHES) + 1))


def search_data(order: WeakOrder, wanted: Sequence[int] = ()) -> dict[str, Any]:
    """Return how long it takes to find so many relevant documents in a result with ties; exact numbers as text.

    Parameters
    ----------
    order
        The result.
    wanted
        Numbers of relevant documents; for none, each that can be found, up to 100.

    Examples
    --------
    >>> data = search_data(WeakOrder.parse("+-|+--|++---"), [2])
    >>> data["searches"][0]["esl"], data["searches"][0]["lottery"]
    ('2', {'1': '1/3', '2': '1/3', '3': '1/3'})
    """
    every = range(1, min(order.relevant, SEARCHES) + 1)
    return {
        "result": str(order),
        "ranks": [[rank.relevant, rank.nonrelevant] for rank in order.ranks],
        "searches": [_search_data(order, i) for i in dict.fromkeys(wanted) or every],
    }


def _search_data(order: WeakOrder, i: int) -> dict[str, Any]:
    lottery = order.search_length(i)
    short = len(lottery) <= LONGEST and lottery.total <= 10**DIGITS
    return {
        "i": i,
        "esl": str(lottery.mean),
        "mean": float(lottery.mean),
        "variance": str(lottery.variance),
        "median": lottery.quantile("1/2"),
        "lottery": {str(k): str(p) for k, p in lottery.items()} if short else None,
    }
