"""The printed tables of Ferrante, Ferro and Fuhr (2021): their cells, what must hold, and comparisons."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand import interval, parse
from measurand.errors import InputFileError, ParameterError
from measurand.papers.exhibit import Mark, Provenance, agree
from measurand.papers.fff2021 import experiments
from measurand.papers.printed import (
    MEASURES,
    PAIRS,
    Range,
    Tally,
    averages,
    differences,
    identities,
    ordinal,
    printed_tables,
)
from measurand.papers.printed.labels import TESTS_IN_ORDER, WITH_RECALL_BASE, WITHOUT_RECALL_BASE
from measurand.scales import EIGHT
from measurand.statistics import similarity

ALL_TRACKS = tuple(f"{name}_{depth}" for name in ("T08", "T26", "T27") for depth in ("05", "10", "20", "30"))
TRACKS = ("T08_30", "T26_30", "T27_30")


@pytest.fixture
def printed():
    return printed_tables()


@pytest.fixture
def completed(tmp_path):
    """Return a function that writes the packaged file with something added, and gives its path."""
    known = (files("measurand.papers.printed") / "fff2021.toml").read_text(encoding="utf-8")

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
    sizes = {"table1": 4, "table2": 132, "table3": 132, "table4": 165, "table5": 168, "table6": 96, "table56": 264}
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


def test_table_1_has_means_of_average_precision_with_a_recall_base_of_four(printed):
    runs = {"A": ("1110", "1001"), "B": ("1101", "1010"), "C": ("0010", "0101"), "D": ("0001", "0110")}
    for name, cells in printed.tables["table1"].items():
        values = [parse("AP").of(tuple(map(int, run)), recall_base=4) for run in runs[name]]
        assert cells == {"mean": round(float(sum(values) / 2), 4)}


def test_values_on_topics_are_read_and_are_no_cells_of_table_1(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[table1.cells]\nA = {topic1 = 0.75, topic2 = 0.375, mean = 0.5625}\n", encoding="utf-8")
    found = printed_tables(path)
    assert (found.known("table1"), found.tables["table1"]) == ((1, 4), {"A": {"mean": 0.5625}})
    path.write_text("[table1.cells]\nA = {topic1 = 75, mean = 0.5625}\n", encoding="utf-8")
    with pytest.raises(InputFileError, match="A topic1 is a number from -1 to 1, not 75"):
        printed_tables(path)


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


def differing(printed, erratum: str) -> dict:
    """Return what the text says and what the cells come to, where they differ and an erratum says so."""
    lines = [one.line for one in printed.stated()]
    return {each.what: (each.paper, each.ours) for each in lines if each.errata == (erratum,)}


def test_wherever_the_text_and_the_cells_differ_an_erratum_says_so_and_nowhere_else(printed):
    lines = [one.line for one in printed.stated()]
    assert [each.what for each in lines if not each.is_explained] == []
    assert {erratum for each in lines for erratum in each.errata} == {"E33", "E34", "E38", "E40"}
    assert len([each for each in lines if each.mark is Mark.AGREES]) == 27


@pytest.mark.spec("FFF-T2-prose", "E33")
def test_ranges_in_the_text_are_not_always_those_of_the_cells(printed):
    assert differing(printed, "E33") == {
        "Table 2, RBP_p08: highest": ("0.96", 0.9661),
        "Table 2, AP: highest": ("0.86", 0.8701),
        "Table 2, nDCG_b02 and nDCG_b10, nDCG_b10 not at N = 5 and 10, loss in percent: highest": ("10", 9.32),
        "Table 4, AP vs DCG_b02 and AP vs DCG_b10, rnk: highest": ("0.97", 0.9757),
    }


@pytest.mark.spec("FFF-T2-prose", "E33")
def test_the_least_loss_of_ndcg_is_as_said_where_the_text_excepts_nothing(printed):
    [least] = [one.line for one in printed.stated() if "nDCG_b10 not at" in one.line.what and "lowest" in one.line.what]
    assert (least.mark, round(float(least.ours), 2)) == (Mark.AGREES, 2.41)


def test_mean_ranks_of_ties_lower_the_taus_as_the_text_says_but_those_of_rr(printed):
    assert differing(printed, "E34") == {"Table 3, P: lowest": ("0.90", 0.8785)}
    found = {one.line.what: one.line for one in printed.stated()}
    trend = found["a measure is lower in Table 3 than in Table 2: in most cells (in 79 of 132)"]
    assert (trend.provenance, trend.mark) == (Provenance.SAID, Mark.AGREES)
    assert found["RR is lower in Table 3 than in Table 2: in most cells (in 0 of 12)"].mark is Mark.SILENT
    # the text does not speak of the track on which RR rises the most
    silent = {
        one.line.what: one.line.ours for one in printed.stated() if one.line.paper is None and "T26" in one.line.what
    }
    assert silent == {"Table 2, RR, T26_30": 0.6725, "Table 3, RR, T26_30": 0.9832}


def test_one_parametric_test_of_three_finds_fewer_pairs_in_most_cells(printed):
    assert differing(printed, "E40") == {
        "paired_t finds more pairs than signed_rank: in most cells (in 8 of 33)": (True, False)
    }


@pytest.mark.spec("FFF-T56-sum2", "FFF-T56-25", "E38")
def test_averages_in_the_text_are_not_always_those_of_the_cells(printed):
    found = {what: (text, round(ours, 2)) for what, (text, ours) in differing(printed, "E38").items()}
    assert found == {
        "table 6, ordinal tests: pairs lost, %": ("around 2", 1.25),
        "all cells: pairs lost or won, %": ("around 25", 14.8),
        "all cells: ±, %": ("around 11", 6.5),
    }


def test_the_text_is_held_against_the_cells_of_the_file_that_is_given(completed):
    cells = "".join(f"{measure} = 0.95\n" for measure in MEASURES)
    text = f"[[group]]\ntable = 2\ntracks = {list(ALL_TRACKS)}\n[group.cells]\n{cells}"
    found = {one.line.what: one.line for one in printed_tables(completed(text, whole=False)).stated()}
    assert {what.partition(",")[0] for what in found} == {"Table 2"}
    assert (found["Table 2, AP"].mark, found["Table 2, AP"].errata) == (Mark.DIFFERS, ("E33",))
    assert (found["Table 2, RBP_p03"].mark, found["Table 2, RBP_p03"].errata) == (Mark.AGREES, ())


@given(taus=st.lists(st.integers(-10_000, 10_000), min_size=24, max_size=24), below=st.integers(-9_999, 10_001))
def test_the_ends_of_a_range_are_those_of_the_cells_within_its_bounds(taus, below):
    values = iter(taus)
    tables = {"table2": {track: {"R": next(values), "AP": next(values)} for track in ALL_TRACKS}}
    within = [tau for tau in taus if tau < below]
    meant = Range(row="", section="", table=2, of=["R", "AP"], below=below)
    assert meant.ends(tables) == ((min(within), max(within)) if within else None)
    del tables["table2"]["T27_30"]["AP"]
    assert meant.ends(tables) is None


@given(pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=12, max_size=12))
def test_a_tally_counts_the_tracks_on_which_a_tau_falls(pairs):
    columns = zip(*pairs, strict=True)
    tables = {
        name: {track: {"RR": tau} for track, tau in zip(ALL_TRACKS, column, strict=True)}
        for name, column in zip(("table2", "table3"), columns, strict=True)
    }
    falls = Tally(row="", section="", kind="lower", of=["RR"])
    assert falls.count(tables) == (sum(after < before for before, after in pairs), 12)


def test_the_largest_changes_of_table_4_are_told_by_their_direction():
    found = {each.what: each for each in experiments.correlations_agree.lines()}
    assert found["largest increase, Δ%, in Table 4, from both taus"].texts == ("25.82", "25.82")
    assert found["largest decrease"].texts == ("-33.30", "-33.30")


def test_the_paper_speaks_of_the_number_of_ties_and_the_share_is_ours():
    found = {each.what: each for each in experiments.ties_of_dcg.lines()}
    said = found["ties explain the trend"]
    assert (said.provenance, said.ours, said.errata) == (Provenance.SAID, False, ("E36",))
    share = found["base 2: share of distinct values, N = 2, 5, 10, 20, 30, 63"]
    assert (share.mark, set(share.ours)) == (Mark.SILENT, {Fraction(3, 4)})


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


@pytest.mark.spec("FFF-T56-25", "E38")
def test_the_quoted_mean_is_over_the_cells_that_can_change(printed):
    found = {one.line.what: one.line for one in printed.stated() if one.row == "FFF-T56-25"}
    for what in ("pairs lost or won, %", "±, %"):
        change, every = found[f"cells that can change: {what}"], found[f"all cells: {what}"]
        assert (change.paper, agree(every.paper, change.ours)) == (None, True)
    mean = found["cells that can change: pairs lost or won, %"].ours
    assert mean * 156 / 264 == pytest.approx(found["all cells: pairs lost or won, %"].ours, abs=0.01)


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
    assert (found.causes, found.causes_of_shares) == ({}, misprint)
    assert [(one.cell, one.key) for one in found.differ] == (
        [("AP, two_way_anova", "ns2s_percent")] if misprint else []
    )


def test_percentages_that_differ_are_listed_whether_or_not_their_counts_do(printed):
    def tables(sig, lost, won):
        cell = {"sig": sig, "s2ns": lost, "ns2s": won, "delta": 100 * (lost + won) / sig}
        return {"table56": {"30": {"AP": {"two_way_anova": cell}}}}

    as_printed = printed.tables["table56"]["T27_30"]["AP"]["two_way_anova"]
    found = differences(
        tables(900, 0, 80),
        printed,
        "T27",
        {"degrees of freedom": tables(*(as_printed[key] for key in ("sig", "s2ns", "ns2s")))},
    )
    causes = {one.key: one.cause for one in found.differ}
    assert (causes["sig"], causes["ns2s"]) == ("degrees of freedom",) * 2
    # 73 of 913 are not 8.50 %, under whatever convention
    assert causes["ns2s_percent"] == "misprint"
    assert [one.as_printed for one in found.differ if one.key == "ns2s_percent"] == ["8.50"]
    assert found.causes_of_shares["misprint"] == 1
    assert "misprint" not in found.causes


def test_every_printed_number_is_shown_with_the_digits_of_the_paper(printed):
    shown = {
        (one.table, one.track, one.cell, one.key): one.as_printed
        for collection in ("T08", "T26")
        for one in differences(laid_out(printed, collection), printed, collection)
    }
    assert shown["table2", "T08_10", "RBP_p03", "tau"] == "0.9500"
    assert shown["table2", "T08_10", "R", "tau"] == "0.8030"
    assert shown["table4", "T26_30", "RR vs DCG_b10", "delta"] == "-33.30"
    assert shown["table56", "T08_30", "AP, sign", "sig"] == "5233"


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
    with pytest.raises(InputFileError, match="there is no such file; check the path"):
        printed_tables(tmp_path / "nowhere.toml")
    (tmp_path / "mine.toml").write_bytes(b"caf\xe9")
    with pytest.raises(
        InputFileError, match=r"mine\.toml: is not a file of printed tables \(no UTF-8 text\); begin with a copy"
    ):
        printed_tables(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table = = 2", "is not a file of printed tables (TOML: "),
        ("# nothing\n", "holds no tables"),
        ("[[groups]]\ntable = 2\n", "groups: means nothing here; there is paper, table1, group"),
        ("group = 3\n", "group: has entries that each begin with [[group]], and is not 3"),
        ("table1 = 3\n", "table1: has section, source and [table1.cells]"),
        ("[[range]]\ntable = 2\n", "holds no tables"),
    ],
)
def test_parts_that_cannot_be_right_are_refused_with_file_and_place(completed, text, said):
    with pytest.raises(InputFileError, match=r"mine\.toml") as refused:
        printed_tables(completed(text, whole=False))
    assert said in str(refused.value)


def test_what_a_file_of_ones_own_says_about_cells_is_passed_over(completed):
    about = "[[range]]\ntable = 2\nlowest = 0.1\n[[count]]\npairs = 7\n[[tally]]\nholds = 3\n[[average]]\ncells = {}\n"
    found, packaged = printed_tables(completed(f"\n{about}")), printed_tables()
    assert (found.cells, found.stated()) == (packaged.cells, packaged.stated())


def test_a_file_may_begin_with_a_mark_of_its_encoding(tmp_path):
    (tmp_path / "mine.toml").write_text("[table1.cells]\nA = {mean = 0.5}\n", encoding="utf-8-sig")
    assert printed_tables(tmp_path / "mine.toml").tables["table1"] == {"A": {"mean": 0.5}}


def test_the_two_names_of_dense_ranks_mean_the_same():
    assert interval("RR@4", ties="uniq") == interval("RR@4", ties="unq")
