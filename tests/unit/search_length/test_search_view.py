"""The search through a result with ties, as text: what the chart shows, and that it fits."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from rich.cells import cell_len

from measurand.display.terminal import terminal_text
from measurand.search_length import WeakOrder
from measurand.search_length.search_view import search_document


def search_text(order, wanted, **options):
    return terminal_text(search_document(order, wanted), **options)


def bars(text: str) -> list[tuple[int, int, float, int]]:
    """Return the first and the last number of every bar, its probability and its length."""
    found = []
    for line in text.splitlines():
        bar = re.match(r" +([\d,]+)(?:–([\d,]+))? +(?:\d+/\d+ = )?([01]\.\d+|[01]) *([█-▏]*)$", line)
        if bar:
            first, last = (int((end or bar[1]).replace(",", "")) for end in bar.groups()[:2])
            found.append((first, last, float(bar[3]), len(bar[4])))
    return found


@pytest.mark.parametrize(
    ("ranks", "i"),
    [([(60_000, 60_000)], 5), ([(60_000, 60_000)], 30_000), ([(1, 28)], 1), ([(4, 23)], 4), ([(5, 5), (2, 27)], 6)],
)
def test_the_bars_of_a_long_lottery_take_in_every_number_once(ranks, i):
    order = WeakOrder(ranks)
    drawn = bars(search_text(order, [i]))
    lottery = order.search_length(i)
    assert 5 < len(drawn) <= 20
    assert (drawn[0][0], drawn[-1][1]) == (lottery.low, lottery.high)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(drawn))
    assert sum(bar[2] for bar in drawn) == pytest.approx(1, abs=1e-3)


def test_the_bars_show_where_the_numbers_are_and_not_only_that_most_are_small():
    drawn = bars(search_text(WeakOrder([(60_000, 60_000)]), [5]))
    assert max(bar[2] for bar in drawn) < 0.3
    assert sum(bar[3] > 0 for bar in drawn) > 8


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_longest_bar_fits(width):
    text = search_text(WeakOrder.parse("+-|+--|++---"), [2], width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    assert {bar[3] for bar in bars(text)} == {min(40, width - 28)}


def test_heads_are_broken_where_there_is_no_room():
    text = search_text(WeakOrder.parse("+-|+--|++---"), [], width=60)
    assert "…" not in text
    assert "1/2 = 0.5" in text


@pytest.mark.parametrize(
    ("ranks", "i", "said"),
    [([(60_000, 60_000)], 30_000, "30,000"), ([(3, 1)], 3, "3/4 = 0.75"), ([(1, 1), (1, 0)], 2, "1")],
)
def test_large_averages_are_told_whole_and_others_exactly(ranks, i, said):
    assert f"a reader inspects {said} nonrelevant document" in search_text(WeakOrder(ranks), [i])
