"""`measurand reproduce`: the papers beside what comes out, and their tables for any campaign."""

from __future__ import annotations

import importlib
import json
import re
from importlib.resources import files

import pytest

FILES = ["qrels", "alpha.run", "beta.run"]


def test_a_paper_is_printed_with_marks_and_errata_and_its_figures_are_written(call, tmp_path):
    outcome = call("reproduce", "br1988", "-o", tmp_path / "figures")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert any(line.endswith("✓") for line in lines)
    assert any(line.endswith("✗ E-BR-1") for line in lines)
    assert all(f"\nE-BR-{number}  " in outcome.out for number in range(1, 12))
    drawn = sorted((tmp_path / "figures").iterdir())
    assert drawn
    assert all(path.read_text(encoding="utf-8").startswith("<svg") for path in drawn)
    assert "written to" in outcome.err


def test_an_erratum_is_certified_on_the_spot(call):
    outcome = call("reproduce", "ffm2015", "--erratum", "e05")
    assert outcome.code == 0
    assert ">>> import measurand as md" in outcome.out
    assert outcome.out.endswith("This was run just now and shows what it should.\n")
    assert "ffm2015 has no erratum E99; there is E01" in call("reproduce", "ffm2015", "--erratum", "E99").err


def test_tables_of_a_campaign_come_with_the_labels_of_the_paper(small, call, tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", str(tmp_path / "cache"))
    outcome = call("reproduce", "fff2021", *FILES, "--depth", 2, "--depth", 3, "-f", "json")
    found = json.loads(outcome.out)
    assert outcome.code == 0
    assert list(found)[:4] == ["table2", "table3", "table4", "table56"]
    assert list(found["table2"]) == ["2", "3"]
    assert found["table2"]["3"]["RBP_p05"] == 1
    assert set(found["table4"]["3"]["nDCG_b02 vs DCG_b02"]) == {"msr", "rnk", "delta"}
    assert set(found["table56"]["3"]["AP"]["paired_t"]) == {"sig", "s2ns", "ns2s", "delta"}
    assert list((tmp_path / "cache" / "reproduce").iterdir()) == []


def test_tables_of_a_campaign_are_printed_and_set(small, call, tmp_path):
    outcome = call("reproduce", "fff2021", *FILES, "--depth", 2, "-o", tmp_path / "out")
    titles = [line[:8] for line in outcome.out.splitlines() if line.startswith("Table ")]
    assert (outcome.code, titles) == (0, [f"Table {number}." for number in range(2, 7)])
    assert (tmp_path / "out" / "tables.tex").read_text(encoding="utf-8").count(r"\begin{tabular}") == 6
    assert json.loads((tmp_path / "out" / "tables.json").read_text(encoding="utf-8"))["campaign"]["systems"] == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["g2022", *FILES], "g2022 has no experiment on runs; leave out qrels"),
        (["fff2021", "qrels"], "no runs: write measurand reproduce fff2021 qrels RUN..."),
        (["ffm2015", "--track", "T08"], "--track is for tables of a campaign"),
        (["agms2018", "-f", "latex"], "only the tables of measurand reproduce fff2021 QRELS RUN... come as -f latex"),
        (["agms2018", *FILES, "--depth", 5, "--depth", 10], "agms2018 looks at one depth"),
        (["fff2021", "nowhere", "alpha.run"], "nowhere"),
        (["fff2021", "--depth", 5], "--depth is for campaigns"),
        (["fff2021", *FILES, "--collection-size", 9], "--collection-size is for measurand reproduce agms2018"),
        (["fff2021", *FILES, "--printed", "qrels"], "--printed goes with --track"),
        (["fff2021", "--as-published"], "--as-published is for tables of a campaign"),
        (["br1988", "--as-published"], "br1988 has no such tables: --as-published is for tables of a campaign"),
        (["agms2018", *FILES, "--as-published"], "--as-published is for tables of a campaign"),
        (["g2022", "--printed"], "--printed is for fff2021 and agms2018"),
        (["agms2018", *FILES, "--printed", "qrels"], "--printed goes with a campaign for fff2021 alone"),
        (["fff2021", "--printed", "--only", "Table 2"], "leave out --only, --erratum and -o"),
        (["agms2018", "--printed", "qrels"], "papers/printed/agms2018.toml"),
        (["agms2018", "--printed", "qrels"], "qrels: is not a file of printed tables (TOML: "),
        (["fff2021", "--printed", "qrels"], "begin with a copy of the one that comes with measurand, /"),
        (["fff2021", "--printed", "nope"], "nope: there is no such file; check the path"),
        (["agms2018", "--printed", "nope"], "nope: there is no such file; check the path"),
        (["br1988", "--erratum", "E-BR-1", "-f", "json"], "--erratum prints one erratum as text"),
        (["br1988", "-o", ""], "-o: an empty path names no file"),
        (["br1988", "-o", "-"], "name a folder, as in -o figures"),
        (["br1988", "-o", "qrels"], "-o qrels: qrels is no folder that can be written to"),
        (["br1988", "-o", "qrels/folder/figures"], "qrels is no folder that can be written to"),
    ],
)
def test_what_does_not_go_together_is_refused(small, call, arguments, complaint):
    outcome = call("reproduce", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert complaint in outcome.err


def test_an_unknown_paper_is_an_error_of_usage(call):
    assert call("reproduce", "sakai2020").code == 2


def test_a_certificate_that_fails_is_shown_and_fails_the_command(call, monkeypatch):
    monkeypatch.setattr("measurand.papers.erratum.Erratum.check", lambda _: "Got: 3\n")
    outcome = call("reproduce", "ffm2015", "--erratum", "E01")
    assert (outcome.code, outcome.out.endswith("Got: 3\n")) == (1, True)


def test_printed_tables_are_laid_beside_where_the_paper_has_such_cells(small, call):
    beside, nothing = (call("reproduce", "fff2021", *FILES, "--depth", d, "--track", "T08").out for d in (5, 2))
    other = (
        "T08 has 129 runs on 50 topics; this campaign has 2 on 3: these are other runs, which is why numbers differ."
    )
    assert f"Beside the printed tables, T08\n {other}\n " in beside
    assert re.search(r"\d+ of \d+ printed numbers agree, \d+ differ", beside)
    assert "unexplained" not in beside
    assert "Nothing computed here is known to be printed there" in nothing


def test_completed_tables_are_compared_and_what_cannot_be_in_them_is_told(small, call, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text((files("measurand.papers.printed") / "fff2021.toml").read_text(encoding="utf-8"), encoding="utf-8")
    outcome = call("reproduce", "fff2021", *FILES, "--depth", 5, "--track", "T08", "--printed", mine)
    assert outcome.code == 0
    # the misprint that the paper has
    assert (
        f"note: {mine}: T27_30, AP, two_way_anova, ns2s_percent: 8.50 %, but 73 of 913 are 8.00 % (FFF-T56-pct)"
        in outcome.err
    )


def test_whoever_interrupts_is_told_truly_what_is_kept_and_a_damaged_part_is_made_anew(
    small, call, tmp_path, monkeypatch, caplog
):
    tables, made = importlib.import_module("measurand.papers.scale_tables"), []

    def interrupted(judged, measures, depth, *rest, _do=tables.scale_effects, **options):
        made.append(depth)
        if depth == 3:
            raise KeyboardInterrupt
        return _do(judged, measures, depth, *rest, **options)

    folder = tmp_path / "cache" / "reproduce"
    monkeypatch.setenv("MEASURAND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tables, "scale_effects", interrupted)
    tables.KeptParts(folder, "aa").made("depth-9", dict)  # of another computation
    words = ("reproduce", "fff2021", *FILES, "--depth", 2, "--depth", 3)
    goes_on = f"measurand: interrupted; depth 2: kept in {folder}, and the same command goes on from there\n"
    outcome = call(*words)
    assert (outcome.code, outcome.err, made) == (130, goes_on, [2, 3])
    assert (call(*words).err, made) == (goes_on, [2, 3, 3])
    [part] = folder.glob("depth-2.*")
    part.write_bytes(part.read_bytes().replace(b"0.", b"1.", 1))
    assert (call(*words).err, made) == (goes_on, [2, 3, 3, 2, 3])
    assert caplog.messages == [f"note: {part} is damaged; what it should hold is made anew"]
    monkeypatch.setenv("MEASURAND_CACHE", "")
    assert call(*words).err == "measurand: interrupted; nothing was written\n"


def test_printed_tables_are_checked_without_a_campaign(small, call):
    text = call("reproduce", "fff2021", "--printed")
    assert text.code == 0
    assert "4 of 4 in Table 1, 132 of 132 in Table 2" in text.out
    assert "T27_30, AP, two_way_anova, ns2s_percent: 8.50 %, but 73 of 913 are 8.00 %" in text.out
    assert "44.138" in text.out
    assert "44.128" in text.out
    marked = {line.split()[-1] for line in text.out.splitlines() if "✗ E" in line}
    assert marked == {"E33", "E34", "E38", "E40"}
    data = json.loads(call("reproduce", "fff2021", "-f", "json", "--printed").out)
    # what the paper does not say is ours alone, and has no mark
    assert all((one["agrees"] is None) == (one["text"] is None) for one in data["stated"])
    assert {one["row"]: one["checked"] for one in data["identities"]}["FFF-T56-pct"] == 792


def test_a_file_of_ones_own_is_checked_in_place_of_the_printed_tables(small, call, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('[[group]]\ntable = 2\ntracks = ["T08_30"]\ncells = {R = 0.5}\n', encoding="utf-8")
    outcome = call("reproduce", "fff2021", "--printed", mine)
    assert (outcome.code, "1 of 132 in Table 2" in outcome.out) == (0, True)


def test_the_printed_table_of_unanimity_is_ranked_and_checked(small, call, tmp_path):
    outcome = call("reproduce", "agms2018", "--printed")
    assert outcome.code == 0
    rows = [line.split()[0:2] for line in outcome.out.splitlines() if " 0." in line and "●" in line]
    assert [row[0] for row in rows][-1] == "RR@10"
    assert len(rows) == 15
    assert "ERR 0.901, but ERR@50 0.903" in outcome.out
    mine = tmp_path / "mine.toml"
    row = '[[table2.measure]]\nlabel = "AP"\nspellings = ["AP"]\nmarks = "11010"\nmu = "0.5"\n'
    mine.write_text(row + row.replace('"AP"', '"AP@5"', 1).replace("0.5", "0.6"), encoding="utf-8")
    data = json.loads(call("reproduce", "agms2018", "-f", "json", "--printed", mine).out)
    assert [one["fails"] for one in data["identities"]] == [["AP 0.5, but AP@5 0.6"]]
    mine.write_text(row.replace("11010", "11"), encoding="utf-8")
    assert "marks are 5 of 0 and 1" in call("reproduce", "agms2018", "--printed", mine).err


def test_tables_as_published_say_so(small, call):
    outcome = call("reproduce", "fff2021", *FILES, "--depth", 5, "--as-published", "--track", "T08")
    assert outcome.code == 0
    assert "As published: AP is ranked among the different doubles" in outcome.out
