"""The printed tables of Ferrante, Ferro and Fuhr (2021): their cells, what must hold, and comparisons."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from math import sqrt

import numpy as np
import pytest

from measurand import interval, parse
from measurand.errors import InputFileError, ParameterError
from measurand.papers.exhibit import Mark, Provenance
from measurand.papers.fff2021 import printed_tables as printed_exhibits
from measurand.papers.fff2021 import value_curves
from measurand.papers.printed import (
    MEASURES,
    PAIRS,
    averages,
    differences,
    identities,
    ordinal,
    printed_tables,
)
from measurand.papers.printed.labels import TESTS_IN_ORDER, WITH_RECALL_BASE, WITHOUT_RECALL_BASE
from measurand.scales import EIGHT
from measurand.statistics import similarity

TRACKS = ("T08_30", "T26_30", "T27_30")


@pytest.fixture
def printed():
    return printed_tables()


@pytest.fixture
def completed(tmp_path):
    """Return a function that writes the packaged file with something added, and gives its path."""
    known = (files("measurand.papers") / "fff2021.toml").read_text(encoding="utf-8")

    def write(text: str, *, whole: bool = True):
        path = tmp_path / "mine.toml"
        path.write_text((known if whole else "") + text, encoding="utf-8")
        return path

    return write


def made_up(cell) -> dict:
    """Return tables 5 and 6 of three tracks from a function of track, measure and test."""
    return {t: {m: {test: cell(t, m, test) for test in EIGHT} for m in MEASURES} for t in TRACKS}


# What is known.


def test_the_fixture_has_all_cells(printed):
    known = {f"table{n}": printed.known(f"table{n}") for n in (1, 2, 3, 4, 5, 6, 56)}
    sizes = {"table1": 12, "table2": 132, "table3": 132, "table4": 165, "table5": 168, "table6": 96, "table56": 264}
    assert known == {name: (size, size) for name, size in sizes.items()}
    assert sum(sizes[f"table{n}"] for n in (2, 3, 4, 56)) == 693


def test_cells_are_as_printed(printed):
    tables = printed.tables
    assert tables["table2"]["T26_30"]["RR"] == 0.6725
    assert tables["table3"]["T27_20"]["R"] == 0.7352
    assert tables["table4"]["T26_30"]["RR vs DCG_b10"] == {"msr": 0.8209, "rnk": 0.5475, "delta": -33.3}
    signed = {"sig": 5027, "s2ns": 29, "s2ns_percent": 0.58, "ns2s": 110, "ns2s_percent": 2.19, "delta": 2.77}
    assert tables["table56"]["T08_30"]["RBP_p03"]["signed_rank"] == signed
    assert tables["table56"]["T08_30"]["AP"]["sign"]["sig"] == 5233


def test_pairs_measures_and_tests_stand_as_in_the_paper(printed):
    first = printed.tables["table4"]["T08_30"]
    assert tuple(first) == PAIRS
    assert [PAIRS[place] for place in (0, 1, 8, 21, 54)] == [
        "P vs RBP_p05",
        "P vs RR",
        "RBP_p05 vs RR",
        "R vs P",
        "nDCG_b10 vs DCG_b10",
    ]
    cells = printed.tables["table56"]["T08_30"]
    assert tuple(cells) == (*WITHOUT_RECALL_BASE, *WITH_RECALL_BASE)
    assert {tuple(tests) for tests in cells.values()} == {TESTS_IN_ORDER}


def test_table_1_is_average_precision_with_a_recall_base_of_four(printed):
    runs = {"A": ("1110", "1001"), "B": ("1101", "1010"), "C": ("0010", "0101"), "D": ("0001", "0110")}
    for name, cells in printed.tables["table1"].items():
        values = [parse("AP").of(tuple(map(int, run)), recall_base=4) for run in runs[name]]
        assert [cells["topic1"], cells["topic2"]] == [round(float(value), 4) for value in values]
        assert cells["mean"] == round(float(sum(values) / 2), 4)


def test_known_cells_are_what_must_hold_on_any_campaign(printed):
    tables = printed.tables
    assert (
        {row["P"] for row in tables["table2"].values()} == {row["RBP_p05"] for row in tables["table2"].values()} == {1}
    )
    assert {row["DCG_b10"] for track, row in tables["table2"].items() if track.endswith(("05", "10"))} == {1}
    for track in TRACKS:
        cells = tables["table56"][track]
        assert {cells[measure][test]["delta"] for measure in ("P", "RBP_p05") for test in EIGHT} == {0}
        assert {cells["RR"][test]["delta"] for test in ordinal()} == {0}
        assert {cells["nDCG_b10"][test]["delta"] for test in ("sign", "friedman")} == {0}


def test_tables_are_copies(printed):
    printed.tables["table2"]["T08_30"]["R"] = 0
    assert printed.tables["table2"]["T08_30"]["R"] == 0.7948


# The text against the tables.


def test_tallies_say_in_how_many_cells_something_holds(printed):
    found = [(one.table, one.holds, one.among) for one in printed.tallies]
    assert found == [(3, 12, 12), (3, 5, 12), (56, 25, 33), (56, 9, 33), (56, 7, 33)]
    with pytest.raises(ParameterError, match="pigs fly"):
        printed.tally("pigs fly")


@pytest.mark.spec("FFF-T2-prose", "E33")
def test_ranges_in_the_text_are_not_always_those_of_the_cells(printed):
    text = {of: printed.range_of(table, of) for table, of in ((2, "RBP_p08"), (2, "AP"), (4, "AP vs DCG"))}
    assert [f"{found.lowest:.2f}" == f"{found.text['lowest']:.2f}" for found in text.values()] == [True] * 3
    assert [f"{found.highest:.2f}" for found in text.values()] == ["0.97", "0.87", "0.98"]
    assert [f"{found.text['highest']:.2f}" for found in text.values()] == ["0.96", "0.86", "0.97"]
    ndcg = printed.range_of(2, "nDCG_b10")
    assert [round(100 * (1 - end), 2) for end in (ndcg.highest, ndcg.lowest)] == [0.18, 9.32]


@pytest.mark.spec("FFF-T2-prose", "E33")
def test_the_least_loss_of_ndcg_is_as_said_where_the_text_excepts_nothing():
    found = {each.what: (each.mark, each.errata) for each in printed_exhibits.ranges_of_table_2.lines()}
    assert found["least loss of nDCG there: 2.41 %"] == (Mark.AGREES, ())
    assert found["greatest loss of nDCG there: 9.32 %"] == (Mark.DIFFERS, ("E33",))


def test_that_cells_fall_with_mean_ranks_is_said_of_all_measures_together():
    found = {each.what: each for each in printed_exhibits.ranges_of_table_3.lines()}
    assert found["cells lower than in Table 2, of 132"].ours == 79
    general = found["cells are lower than in Table 2 in general"]
    assert (general.provenance, general.mark) == (Provenance.SAID, Mark.AGREES)
    assert found["RR is higher than in Table 2, of 12 tracks"].mark is Mark.SILENT
    assert [what for what, each in found.items() if each.errata] == ["lowest tau of P with mean ranks: 0.8785"]


def test_the_largest_changes_of_table_4_are_told_by_their_direction():
    found = {each.what: each for each in printed_exhibits.correlations_agree.lines()}
    assert found["largest increase, Δ%, in Table 4, from both taus"].texts == ("25.82", "25.82")
    assert found["largest decrease"].texts == ("-33.30", "-33.30")


def test_the_paper_speaks_of_the_number_of_ties_and_the_share_is_ours():
    found = {each.what: each for each in value_curves.ties_of_dcg.lines()}
    said = found["ties explain the trend"]
    assert (said.provenance, said.ours, said.errata) == (Provenance.SAID, False, ("E36",))
    share = found["base 2: share of distinct values, N = 2, 5, 10, 20, 30, 63"]
    assert (share.mark, set(share.ours)) == (Mark.SILENT, {Fraction(3, 4)})


def test_what_is_stated_of_the_cells_is_what_they_come_to(printed):
    stated = printed.stated()
    assert [one.fails for one in stated if one.fails] == []
    # of one range only words say which cells it is over
    assert [one.says for one in stated if not one.checked] == [
        "Table 3, RR (the track on which Table 2 has 0.6725): lowest 0.9832, highest 0.9832"
    ]


def test_what_is_stated_otherwise_than_the_cells_say_is_told(completed):
    tally = (
        "\n[[tally]]\ntable = 3\nsection = ''\nsource = 'E34'\n"
        "what = 'P is higher than in Table 2'\nholds = 1\namong = 12\n"
    )
    [wrong] = [one for one in printed_tables(completed(tally)).stated() if one.fails]
    assert wrong.fails == ("Table 3: P is higher than in Table 2: holds 1, by the cells 0",)
    assert printed_tables(completed(tally)).tally("P is higher than in Table 2").holds == 0


def test_where_cells_are_unknown_what_is_stated_stands(completed):
    text = "[[range]]\ntable = 2\nsection = ''\nsource = 'E33'\nof = ['AP']\nlowest = 0.1\nhighest = 0.2\n"
    found = printed_tables(completed(text, whole=False))
    assert (found.range_of(2, "AP").lowest, [one.checked for one in found.stated()]) == (0.1, [0])


@pytest.mark.spec("FFF-T2-prose")
def test_known_cells_are_within_the_ranges(printed):
    whole = [found for found in printed.ranges if found.table in (2, 3) and not found.only]
    for found in whole:
        for row in printed.tables[f"table{found.table}"].values():
            assert all(found.lowest <= row[name] <= (found.highest or 1) for name in set(found.of) & set(row))


@pytest.mark.spec("FFF-IV-C-8588")
def test_the_correlation_of_precision_and_recall_counts_as_similar():
    # the value itself needs the runs of TREC-8
    assert similarity(0.8588) == "similar"


# Identities.


def test_the_only_identity_that_fails_is_the_misprint(printed):
    found = {one.row: (one.checked, len(one.fails)) for one in printed.identities()}
    assert found == {
        "FFF-T2-ident": (6, 0),
        "FFF-T3": (36, 0),
        "FFF-T4": (165, 0),
        "FFF-T4-ident": (120, 0),
        "FFF-T56-pct": (792, 1),
        "FFF-T56-ident": (96, 0),
    }


def test_wrong_cells_are_found():
    cell = {"sig": 7, "s2ns": 2, "ns2s": 1, "s2ns_percent": 28.57, "ns2s_percent": 14.92, "delta": 42.86}
    taus = {"AP vs P": {"msr": 0.8, "rnk": 0.7, "delta": -12.5}, "R vs AP": {"rnk": 0.71}}
    tables = {
        "table4": {"T08_30": taus | {"R vs P": {"msr": 0.7948, "rnk": 1.0, "delta": 25.83}}},
        "table56": {"T08_30": {"P": {"sign": cell | {"ns2s_percent": 14.29}}, "R": {"sign": cell | {"sig": 9}}}},
    }
    found = {one.row: (one.checked, len(one.fails)) for one in identities(tables)}
    assert found["FFF-T4"] == (2, 0)  # 25.82, but the taus are rounded
    assert found["FFF-T4-ident"] == (2, 1)
    assert found["FFF-T56-pct"] == (6, 3)
    assert found["FFF-T56-ident"] == (1, 1)


def test_a_change_in_percent_of_nothing_is_not_checked():
    nothing = {"table4": {"T08_30": {"AP vs P": {"msr": 0.0, "rnk": 0.5, "delta": 3.0}}}}
    assert [one.checked for one in identities(nothing)] == [0] * 6


# Averages.


@pytest.mark.spec("FFF-T56-sum1", "FFF-T56-sum2", "FFF-T56-25", "E38")
def test_every_average_tells_the_cells_it_is_over():
    sig = 200

    def cell(track, measure, test):
        lost, won = (0, 0) if measure in ("P", "RBP_p05") or test in ordinal() else (26, 10)
        if measure in ("R", "AP", "nDCG_b02", "nDCG_b10"):
            lost, won = (4, 8) if test in ordinal() else (20, 90)
        return {"sig": sig, "s2ns": lost, "ns2s": won}

    found = {one.name: one for one in averages(made_up(cell))}
    assert [one.cells for one in found.values()] == [60, 48, 48, 156, 264]
    assert dict(found["table 5, interval tests"].means) == pytest.approx({"s2ns": 13, "ns2s": 5})
    assert dict(found["table 6, ordinal tests"].means) == pytest.approx({"s2ns": 2, "ns2s": 4})
    assert dict(found["table 6, interval tests"].means) == pytest.approx({"s2ns": 10, "ns2s": 45})
    deltas = [18] * 60 + [6] * 48 + [55] * 48
    mean = Fraction(sum(deltas), 156)
    assert found["cells that can change"].means["delta"] == pytest.approx(float(mean))
    spread = sqrt(sum((delta - mean) ** 2 for delta in deltas) / 155)
    assert found["cells that can change"].error == pytest.approx(1.96 * spread / sqrt(156))
    assert found["all cells"].means["delta"] == pytest.approx(float(mean * 156 / 264))


@pytest.mark.spec("FFF-T56-sum2", "FFF-T56-25", "E38")
def test_averages_that_are_said_to_be_around_a_number_differ_where_they_are_not_near_it():
    lines = list(printed_exhibits.averages_over_cells.lines())
    assert {str(each.paper).split()[0] for each in lines if each.paper is not None} == {"around"}
    assert [(*each.texts, each.errata) for each in lines if each.mark is Mark.DIFFERS] == [
        ("around 2", "1.25", ("E38",)),
        ("around 25", "14.8", ("E38",)),
        ("around 11", "6.5", ("E38",)),
    ]


@pytest.mark.spec("FFF-T56-25", "E38")
def test_the_quoted_mean_is_over_the_cells_that_can_change(printed):
    quoted = {one.name: one for one in printed.quoted}
    change, every = quoted["cells that can change"], quoted["all cells"]
    assert (round(change.cells["delta"]), round(change.cells["error"])) == (change.text["delta"], change.text["error"])
    assert change.cells["delta"] * 156 / 264 == pytest.approx(every.cells["delta"], abs=0.01)


@pytest.mark.spec("FFF-T56-sum2", "E38")
def test_the_misprint_is_in_the_average_of_percentages_and_not_in_that_of_counts(printed):
    won = [
        {one.name: one for one in averages(printed.tables["table56"], by=by)}["table 6, interval tests"].means["ns2s"]
        for by in ("percentages", "counts")
    ]
    assert [f"{mean:.3f}" for mean in won] == ["44.138", "44.128"]
    with pytest.raises(ParameterError, match="by counts or by percentages"):
        averages(printed.tables["table56"], by="pigs")


def test_cells_without_significant_pairs_are_left_out_and_missing_ones_refused():
    def cell(track, measure, test):
        return {"sig": 0 if track == "T08_30" else 10, "s2ns": 0, "ns2s": 1}

    first, *_ = averages(made_up(cell))
    assert (first.cells, first.undefined) == (40, 20)
    with pytest.raises(ParameterError, match="T08_30, RBP_p03, signed_rank"):
        averages({"T08_30": {}})


# Comparisons.


def test_taus_agree_to_four_digits_and_counts_exactly(printed):
    ours = {
        "table2": {"30": {"R": 0.79484, "RBP_p03": 0.9497}, "7": {"P": 0.1}},
        "table4": {30: {"R vs P": {"msr": 0.7948, "rnk": 1.0, "delta": 25.8}}},
        "table56": {"30": {"R": {"one_way_anova": {"sig": np.int64(409), "s2ns": 1, "ns2s": 1514, "delta": 370.2}}}},
    }
    found = differences(ours, printed, "T08")
    assert [(one.cell, one.key, one.agrees) for one in found] == [
        ("RBP_p03", "tau", False),
        ("R", "tau", True),
        ("R vs P", "msr", True),
        ("R vs P", "rnk", True),
        ("R vs P", "delta", False),
        ("R, one_way_anova", "sig", True),
        ("R, one_way_anova", "s2ns", False),
        ("R, one_way_anova", "ns2s", True),
        ("R, one_way_anova", "delta", False),
    ]
    assert found.largest("table56") == 1
    assert {one.cell for one in found.missing if one.table == "table2"} == set(MEASURES) - {"R", "RBP_p03"}
    assert [(one.key, one.agrees) for one in found.shares] == [("s2ns_percent", False), ("ns2s_percent", True)]
    with pytest.raises(ParameterError, match="T08, T26, T27"):
        differences(ours, printed, "T9")


def laid_out(printed, collection):
    """Return the printed tables of a collection as if they were computed."""
    return {
        name: {str(int(track[-2:])): cells for track, cells in printed.tables[name].items() if track[:3] == collection}
        for name in ("table2", "table3", "table4", "table56")
    }


@pytest.mark.parametrize("collection", ["T08", "T26", "T27"])
def test_each_collection_has_605_numbers_and_176_percentages_beside_counts(printed, collection):
    found = differences(laid_out(printed, collection), printed, collection, {})
    assert (len(found.agree), len(found.numbers), len(found.shares), found.missing) == (605, 605, 176, ())
    # the misprint of Table 6 is the one percentage that its counts do not have
    misprint = {"misprint": 1} if collection == "T27" else {}
    assert found.causes == misprint
    assert [(one.cell, one.key) for one in found.differ] == (
        [("AP, two_way_anova", "ns2s_percent")] if misprint else []
    )


@pytest.mark.parametrize(
    ("doubles", "degrees", "both", "cause"),
    [
        (5233, 1, 2, "doubles"),
        (1, 5233, 2, "degrees of freedom"),
        (1, 2, 5233, "doubles, degrees of freedom"),
        (5233, 5233, 1, "doubles or degrees of freedom"),
        (1, 2, 3, "unexplained"),
    ],
)
def test_the_cause_of_a_difference_is_what_gives_the_printed_number(printed, doubles, degrees, both, cause):
    def tables(sig):
        return {"table56": {"30": {"AP": {"sign": {"sig": sig, "s2ns": 0, "ns2s": 0, "delta": 0.0}}}}}

    names = ("doubles", "degrees of freedom", "doubles, degrees of freedom")
    otherwise = dict(zip(names, map(tables, (doubles, degrees, both)), strict=True))
    found = differences(tables(9), printed, "T08", otherwise)
    assert [(one.key, one.cause) for one in found.differ] == [("sig", cause)]
    assert found.causes == {cause: 1}
    assert {one.cause for one in found.agree} == {""}
    assert {one.cause for one in differences(tables(9), printed, "T08").differ} == {""}


# Completing the file.


def test_a_file_of_ones_own_may_have_some_cells_alone_and_pairs_in_either_direction(completed):
    path = completed(
        '\n[[group]]\ntable = 4\nsection = "VIII-B"\nsource = "mine"\ntracks = ["T08_30"]\n'
        '[group.cells]\n"P vs AP" = {msr = 0.8, rnk = 0.7, delta = -12.50}\n',
        whole=False,
    )
    printed = printed_tables(path)
    assert printed.known("table4") == (1, 165)
    assert printed.tables["table4"]["T08_30"]["AP vs P"]["rnk"] == 0.7
    assert {one.row: one.checked for one in printed.identities()}["FFF-T4"] == 1


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ('table = 7\ntracks = ["T08_30"]', "table is 2, 3, 4, 5 or 6, not 7"),
        ('table = 2\ntracks = ["T09_30"]\ncells = {P = 1.0}', "there is no track T09_30"),
        ('table = 2\ntracks = ["T08_30"]\ncells = {MAP = 1.0}', "there is no measure MAP"),
        ('table = 2\ntracks = ["T08_30"]\ncells = {AP = 79.48}', "T08_30 AP is a number from -1 to 1, not 79.48"),
        ('table = 2\ntracks = ["T08_30"]\ncells = {R = 0.7949}', "R is 0.7949, but another group says 0.7948"),
        ('table = 4\ntracks = ["T08_05"]\ncells = {}', "there is no track T08_05"),
        ('table = 5\ntracks = ["T08_30"]\ncells = {R = {sign = {sig = 1}}}', "there is no measure R"),
        ('table = 6\ntracks = ["T08_30"]\ncells = {R = {t = {sig = 1}}}', "there is no test t"),
        ('table = 6\ntracks = ["T08_30"]\ncells = {R = {sign = 5}}', "where a number is to be named"),
        ('table = 6\ntracks = ["T08_30"]\ncells = {R = {sign = {sig = 1.5}}}', "whole number from 0 up, not 1.5"),
        ('table = 6\ntracks = ["T08_30"]\ncells = {AP = {rank_sum = {sig = 1, s2ns = 2}}}', "s2ns is larger than sig"),
        ('table = 2\ntrack = "T08_30"\ncells = {}', "track means nothing here"),
        ("table = 2\ncells = {P = 1.0}", "names no tracks"),
        ('table = 2\ntracks = ["T08_30"]', "either cells, or one cell"),
        ('table = [2]\ntracks = ["T08_30"]\ncells = {P = 1.0}', "table is 2, 3, 4, 5 or 6, not [2]"),
        ('table = 2\ntracks = "T08_30"\ncells = {P = 1.0}', "tracks is a list of names, not 'T08_30'"),
        ('table = 2\ntracks = ["T08_30"]\nmeasures = []\ncell = 1.0', "measures is a list of names, not []"),
        ('table = 2\ntracks = ["T08_30"]\nmeasures = ["P"]\ncells = {P = 1.0}', "either cells, or one cell"),
        (
            'table = 6\ntracks = ["T08_30"]\ntests = ["sign"]\ncells = {R = {sign = {sig = 1}}}',
            "tests goes with one cell",
        ),
        ('table = 6\ntracks = ["T08_30"]\ncells = {R = {}}', "T08_30 R is {}, where a test is to be named"),
        ('table = 2\ntracks = ["T08_30"]\ncells = {AP = nan}', "not nan"),
        ('table = 4\ntracks = ["T08_30"]\ncells = {"P vs AP" = {delta = inf}}', "is a percentage, not inf"),
        ('table = 5\ntracks = ["T27_30"]\ncells = {RR = {sign = {sig = 2557}}}', "more than the 2556 pairs"),
        ('table = 2\nsource = 3\ntracks = ["T08_30"]\ncells = {P = 1.0}', "source is text, not 3"),
    ],
)
def test_what_cannot_be_right_is_refused_with_file_and_place(completed, group, said):
    first = '[[group]]\ntable = 2\ntracks = ["T08_30"]\ncells = {R = 0.7948}\n'
    path = completed(f"{first}\n[[group]]\n{group}\n", whole=False)
    with pytest.raises(InputFileError, match=r"mine\.toml") as refused:
        printed_tables(path)
    assert said in str(refused.value)


def test_files_that_are_none_are_refused(tmp_path):
    with pytest.raises(InputFileError, match="cannot be read"):
        printed_tables(tmp_path / "nowhere.toml")
    (tmp_path / "mine.toml").write_bytes(b"caf\xe9")
    with pytest.raises(InputFileError, match=r"mine\.toml: is no UTF-8 text"):
        printed_tables(tmp_path / "mine.toml")


RANGE = '[[range]]\ntable = 2\nsection = ""\nsource = ""\nof = ["P"]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table = = 2", "is no TOML"),
        ("# nothing\n", "holds no tables"),
        ("[[groups]]\ntable = 2\n", "groups: means nothing here; there is paper, table1, group"),
        ("group = 3\n", "group: has entries that each begin with [[group]], and is not 3"),
        ("table1 = 3\n", "table1: has section, source and [table1.cells]"),
        ("[[count]]\ntable = 6\n", "count 1: lacks section, source, track"),
        (RANGE + "maximum = 1\n", "range 1: maximum means nothing here"),
        (RANGE, "range 1: lacks lowest and highest"),
        (RANGE + 'lowest = "x"\n', "range 1: lowest is a number, not 'x'"),
        (RANGE + "lowest = 0.6\nhighest = 0.5\n", "lowest, 0.6, is larger than highest, 0.5"),
        (RANGE + "lowest = 0.6\ntext = {low = 1}\n", "text is numbers for some of lowest, highest"),
        ('[[average]]\nname = "x"\nsection = ""\nsource = ""\ncells = {}\n', "name is one of table 5, interval tests"),
        (
            '[[tally]]\ntable = 3\nsection = ""\nsource = ""\nwhat = ""\nholds = 5\namong = 3\n',
            "holds is at most among, 3, not 5",
        ),
    ],
)
def test_parts_that_cannot_be_right_are_refused_with_file_and_place(completed, text, said):
    with pytest.raises(InputFileError, match=r"mine\.toml") as refused:
        printed_tables(completed(text, whole=False))
    assert said in str(refused.value)


def test_a_file_may_begin_with_a_mark_of_its_encoding(tmp_path):
    (tmp_path / "mine.toml").write_text("[table1.cells]\nA = {mean = 0.5}\n", encoding="utf-8-sig")
    assert printed_tables(tmp_path / "mine.toml").tables["table1"] == {"A": {"mean": 0.5}}


def test_the_two_names_of_dense_ranks_mean_the_same():
    assert interval("RR@4", ties="uniq") == interval("RR@4", ties="unq")
