"""The search through a result with ties, as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

from attrs import frozen
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.report.profile_text import printed
from measurand.report.rankings import number
from measurand.search_length import Lottery, WeakOrder

WIDTH = 100
"""The text is never wider."""

BARS = 20
"""Lotteries with more numbers than this are drawn by ranges of them."""

LONGEST = 40
"""How long the longest bar is."""

EIGHTHS = " ▏▎▍▌▋▊▉"


def search_text(order: WeakOrder, wanted: Sequence[int], *, colour: bool = False, width: int | None = None) -> str:
    """Return how long it takes to find so many relevant documents in a result with ties, as text.

    Parameters
    ----------
    wanted
        Numbers of relevant documents; for none, a line for each that can be found.

    Examples
    --------
    >>> print(search_text(WeakOrder.parse("+-|+--|++---"), [2]))  # doctest: +NORMALIZE_WHITESPACE
    +-|+--|++---
    10 documents in 3 ranks, 4 of them relevant
    <BLANKLINE>
    Until relevant document 2, a reader inspects 2 nonrelevant documents on average: esl = 2.
    Standard deviation 0.8165; half of all orders: at most 2; 95 %: at most 3.
    <BLANKLINE>
     nonrelevant  probability
               1  1/3 = 0.3333  ████████████████████████████████████████
               2  1/3 = 0.3333  ████████████████████████████████████████
               3  1/3 = 0.3333  ████████████████████████████████████████
    <BLANKLINE>
    """
    return printed(_parts(order, wanted), colour=colour, width=width or WIDTH)


def _parts(order: WeakOrder, wanted: Sequence[int]) -> Iterator[RenderableType]:
    yield Text(str(order) if order.documents <= WIDTH else repr(order), style="bold")
    ranks = "1 rank" if len(order.ranks) == 1 else f"{len(order.ranks):,} ranks"
    yield Text(f"{_documents(order.documents)} in {ranks}, {order.relevant:,} of them relevant", style="dim")
    yield Text()
    if wanted:
        for i in wanted:
            yield from _search(order, i)
    else:
        yield Padding(_every_search(order), (0, 0, 0, 1))


def _search(order: WeakOrder, i: int) -> Iterator[RenderableType]:
    lottery = order.search_length(i)
    inspected = _documents(lottery.mean, "nonrelevant document")
    if i > order.relevant:
        yield Text(f"There is no relevant document {i:,}: a reader inspects all {inspected}: esl = {lottery.mean}.")
        yield Text()
        return
    spread = sqrt(lottery.variance)
    half, most = (lottery.quantile(Fraction(share)) for share in ("1/2", "19/20"))
    yield Text(f"Until relevant document {i:,}, a reader inspects {inspected} on average: esl = {lottery.mean}.")
    if lottery.variance:
        orders = f"half of all orders: at most {half:,}; 95 %: at most {most:,}."
        yield Text(f"Standard deviation {spread:.4g}; {orders}")
        yield Text()
        yield Padding(_chart(lottery), (0, 0, 0, 1))
    else:
        yield Text("No tie has a say in it.")
    yield Text()


def _documents(count: Fraction | int, what: str = "document") -> str:
    shown = f"{count:,}" if isinstance(count, int) else number(count)
    return f"{shown} {what}{'' if count == 1 else 's'}"


@frozen
class _Bar:
    label: str
    probability: str
    share: float


def _bars(lottery: Lottery) -> list[_Bar]:
    """Return a bar for each number, or for each of some ranges of numbers where there are many."""
    if len(lottery) <= BARS:
        return [_Bar(f"{k:,}", number(p), float(p)) for k, p in lottery.items()]
    floats, first = lottery.floats(), lottery.low
    step = -(-len(floats) // BARS)
    parts = [(start, floats[start : start + step]) for start in range(0, len(floats), step)]
    return [
        _Bar(_range(first + start, first + start + len(part) - 1), f"{part.sum():.4f}", float(part.sum()))
        for start, part in parts
    ]


def _range(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def _chart(lottery: Lottery) -> Table:
    bars = _bars(lottery)
    highest = max(bar.share for bar in bars)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("nonrelevant", justify="right", no_wrap=True)
    grid.add_column("probability", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for bar in bars:
        grid.add_row(bar.label, bar.probability, Text(_drawn(bar.share / highest), style="green"))
    return grid


def _drawn(share: float) -> str:
    whole, part = divmod(round(share * LONGEST * 8), 8)
    return "█" * whole + (EIGHTHS[part] if part else "")


def _every_search(order: WeakOrder) -> Table:
    """Return a line for each number of relevant documents, as far as there are any."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in ("relevant", "esl", "standard deviation", "half: at most", "95 %: at most"):
        grid.add_column(head, justify="right", no_wrap=True)
    for i, esl in enumerate(order.esls(), 1):
        half, most = (order.quantile(i, Fraction(share)) for share in ("1/2", "19/20"))
        grid.add_row(f"{i:,}", number(esl), f"{sqrt(order.variance(i)):.4g}", f"{half:,}", f"{most:,}")
    return grid
