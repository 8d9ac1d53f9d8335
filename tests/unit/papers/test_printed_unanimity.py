"""Table 2 of Amigó, Giner, Mizzaro and Spina (2018) as printed: its order, and what must hold between its values."""

from __future__ import annotations

from measurand.papers.printed.unanimity import (
    RANKED,
    PrintedMeasure,
    by_unanimity,
    checked_unanimity,
    printed_unanimity,
)


def test_all_fifteen_unanimities_are_printed_and_ranked():
    ranked = by_unanimity(printed_unanimity())
    printed = "0.928 0.927 0.926 0.914 0.910 0.910 0.905 0.903 0.901 0.900 0.886 0.886 0.876 0.829 0.162"
    assert [row.mu for row in ranked] == printed.split()
    assert tuple(row.label for row in ranked) == RANKED


def test_equal_unanimities_stand_in_the_order_of_the_table_whatever_the_order_of_a_file():
    ranked = [row.label for row in by_unanimity(reversed(printed_unanimity()))]
    assert (ranked[4:6], ranked[10:12]) == (["AP", "P@100"], ["ERR@20", "DCG@20"])
    mine = PrintedMeasure(label="MINE", spellings=("P",), marks="00000", mu="0.886")
    assert [row.label for row in by_unanimity([mine, *printed_unanimity()])][10:13] == ["ERR@20", "DCG@20", "MINE"]


def test_a_measure_that_sees_more_ranks_is_printed_as_less_unanimous_once():
    [deeper] = checked_unanimity(printed_unanimity())
    assert (deeper.checked, deeper.fails) == (7, ("ERR 0.901, but ERR@50 0.903",))


def test_what_follows_from_a_printed_value_is_passed_over_in_a_file_of_ones_own(tmp_path):
    mine = tmp_path / "mine.toml"
    row = '[[table2.measure]]\nlabel = "AP"\nspellings = ["AP"]\nmarks = "11010"\nmu = "0.910"\n'
    mine.write_text(f'{row}mu_source = "quoted"\ntie_rate = "0.5"\n', encoding="utf-8")
    [ap] = printed_unanimity(mine)
    assert (ap.mu, checked_unanimity([ap])[0].checked) == ("0.910", 0)
