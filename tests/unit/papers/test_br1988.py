"""What Bollmann and Raghavan show, worked out anew."""

from __future__ import annotations

from measurand.papers.br1988.drawings import half_and_half, searches_of_the_example
from measurand.papers.br1988.lotteries import inspected, weak_orders
from measurand.papers.br1988.preferences import which_scale
from measurand.papers.exhibit import Mark, Provenance
from measurand.papers.reproduction import find_paper
from measurand.search_length import WeakOrder


def test_weak_orders_are_all_there_and_none_twice():
    counts = [len(weak_orders(n)) for n in (1, 2, 3, 4, 5)]
    assert counts == [2, 7, 24, 82, 280]
    assert all(len({WeakOrder.parse(text) for text in weak_orders(n)}) == count for n, count in enumerate(counts, 1))


def test_going_through_every_order_of_inspection_gives_the_lottery_of_the_search():
    for text in weak_orders(4):
        order = WeakOrder.parse(text)
        assert all(inspected(order, i) == order.search_length(i) for i in range(1, 6))


def test_no_row_is_answered_twice_and_every_erratum_of_substance_is_met():
    paper = find_paper("br1988")
    rows = [row for exhibit in paper.exhibits for row in exhibit.rows]
    assert len(set(rows)) == len(rows) == 37
    met = {
        name
        for exhibit in paper.exhibits
        for line in exhibit.lines()
        if line.mark is Mark.DIFFERS
        for name in line.errata
    }
    # three are remarks, and of two that are wording no line speaks
    unmet = {"E-BR-4", "E-BR-5", "E-BR-6", "E-BR-7", "E-BR-9"}
    assert met == {entry.id for entry in paper.errata} - unmet


def test_what_the_paper_neither_prints_nor_says_has_no_value_of_it():
    lines = {line.what: line for exhibit in find_paper("br1988").exhibits for line in exhibit.lines()}
    ours = ("P is a retrieval result, for some i up to 20", "mean of 100 (1/100) or 2 (99/100)")
    assert [lines[what].mark for what in ours] == [Mark.SILENT, Mark.SILENT]
    printed = [what for what, line in lines.items() if line.provenance is Provenance.PRINTED]
    # a yes or a no is a claim, never a value that is printed
    assert not any(isinstance(lines[what].paper, bool) for what in printed)


def test_what_the_scan_may_have_lost_is_told_as_such_and_example_4_1_is_not_said_to_show_the_claim():
    entries = {entry.id: entry for entry in find_paper("br1988").errata}
    assert ["scan" in entries[name].says for name in ("E-BR-1", "E-BR-10")] == [True, True]
    assert "not said that this example shows" in entries["E-BR-4"].says


def test_whose_mean_means_something_is_named():
    lines = {line.what: line for line in which_scale.lines()}
    found = lines["among expectations its mean means something (Section 5: no)"]
    assert (found.ours, found.errata) == (True, ("E-BR-11",))


def test_the_drawings_show_the_means_of_the_examples():
    panels = searches_of_the_example().to_dict()["hconcat"]
    assert [panel["title"]["subtitle"] for panel in panels] == ["mean 1/2", "mean 2", "mean 4", "mean 5"]
    assert "as good as none or two" in half_and_half().to_svg()
