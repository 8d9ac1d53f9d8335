"""The search through a result with ties, as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import sqrt

from attrs import frozen
from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.report.profile_text import printed
from measurand.report.rankings import number
from measurand.report.search_length_data import SEARCHES
from measurand.search_length import Lottery, WeakOrder

WIDTH = 100
"""The text is never wider."""

BARS = 20
"""Lotteries with more numbers than this are drawn by ranges of them."""

LONGEST = 40
"""How long the longest bar is."""

RARE = 1e-4
"""The bars at both ends take in what is rarer than this."""

EIGHTHS = " ▏▎▍▌▋▊▉"


def search_text(order: WeakOrder, wanted: Sequence[int], *, colour: bool = False, width: int | None = None) -> str:
    """Return how long it takes to find so many relevant documents in a result with ties, as text.

    Parameters
    ----------
    wanted
        Numbers of relevant documents; for none, a line for each that can be found, up to 100.

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
    width = width or WIDTH
    return printed(_parts(order, wanted, width), colour=colour, width=width)


def _parts(order: WeakOrder, wanted: Sequence[int], width: int) -> Iterator[RenderableType]:
    yield Text(str(order) if order.documents <= WIDTH else repr(order), style="bold")
    ranks = "1 rank" if len(order.ranks) == 1 else f"{len(order.ranks):,} ranks"
    yield Text(f"{_documents(order.documents)} in {ranks}, {order.relevant:,} of them relevant", style="dim")
    yield Text()
    if wanted:
        for i in dict.fromkeys(wanted):
            yield from _search(order, i, width)
    elif order.relevant:
        yield Padding(_every_search(order), (0, 0, 0, 1))
        if order.relevant > SEARCHES:
            yield Text(f" … up to relevant document {order.relevant:,}; -i tells of any.", style="dim")
    else:
        yield Text(f"There is no relevant document: {_in_vain(order)}.")


def _search(order: WeakOrder, i: int, width: int) -> Iterator[RenderableType]:
    if i > order.relevant:
        yield Text(f"There is no relevant document {i:,}: {_in_vain(order)}: esl = {order.nonrelevant}.")
        yield Text()
        return
    lottery = order.search_length(i)
    inspected = _documents(lottery.mean, "nonrelevant document")
    yield Text(f"Until relevant document {i:,}, a reader inspects {inspected} on average: esl = {lottery.mean}.")
    if lottery.variance:
        half, most = (lottery.quantile(Fraction(share)) for share in ("1/2", "19/20"))
        orders = f"half of all orders: at most {half:,}; 95 %: at most {most:,}."
        yield Text(f"Standard deviation {sqrt(lottery.variance):.4g}; {orders}")
        yield Text()
        yield Padding(_chart(lottery, width - 1), (0, 0, 0, 1))
    else:
        yield Text("No tie has a say in it.")
    yield Text()


def _in_vain(order: WeakOrder) -> str:
    if not order.nonrelevant:
        return "a reader inspects nothing in vain"
    return f"a reader inspects {_documents(order.nonrelevant, 'nonrelevant document')} in vain"


def _documents(count: Fraction | int, what: str = "document") -> str:
    """Return a number of documents in words: large ones whole, others exactly where that is short."""
    large = isinstance(count, int) or count.denominator == 1 or count >= 1000
    return f"{round(count):,} {what}{'' if count == 1 else 's'}" if large else f"{number(count)} {what}s"


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
    sums = floats.cumsum()
    # one bar for all that is rare at either end, and bars of one width for what lies between
    low, high = (int(place) for place in sums.searchsorted([RARE, sums[-1] - RARE]))
    step = -(-(high - low + 1) // (BARS - 2))
    edges = sorted({0, *range(low, high + 1, step), high + 1, len(floats)})
    shares = [(start, end, float(floats[start:end].sum())) for start, end in pairwise(edges) if start < end]
    return [_Bar(_range(first + start, first + end - 1), f"{share:.4f}", share) for start, end, share in shares]


def _range(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def _chart(lottery: Lottery, width: int) -> Table:
    bars = _bars(lottery)
    highest = max(bar.share for bar in bars)
    heads = ("nonrelevant", "probability")
    taken = max(cell_len(bar.label) for bar in bars), max(cell_len(bar.probability) for bar in bars)
    longest = min(LONGEST, width - sum(max(cell_len(head), n) + 2 for head, n in zip(heads, taken, strict=True)))
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(heads[0], justify="right", no_wrap=True)
    grid.add_column(heads[1], no_wrap=True)
    grid.add_column("", no_wrap=True)
    for bar in bars:
        grid.add_row(bar.label, bar.probability, Text(_drawn(bar.share / highest, max(1, longest)), style="green"))
    return grid


def _drawn(share: float, longest: int) -> str:
    whole, part = divmod(round(share * longest * 8), 8)
    return "█" * whole + (EIGHTHS[part] if part else "")


def _every_search(order: WeakOrder) -> Table:
    """Return a line for each number of relevant documents, as far as anybody reads."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in ("relevant", "esl", "standard deviation", "half: at most", "95 %: at most"):
        grid.add_column(head, justify="right", no_wrap=head == "esl")
    for i in range(1, min(order.relevant, SEARCHES) + 1):
        half, most = (order.quantile(i, Fraction(share)) for share in ("1/2", "19/20"))
        grid.add_row(f"{i:,}", number(order.esl(i)), f"{sqrt(order.variance(i)):.4g}", f"{half:,}", f"{most:,}")
    return grid
