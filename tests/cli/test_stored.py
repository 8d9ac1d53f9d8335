"""Commands that read stored scores: compare FOLDER, report FOLDER."""

import json

import pytest

import measurand as md
from measurand.study.store import choosing
from measurand.study.store.folder import Folder


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stored") / "scores"
    md.store_scores(md.sample.qrels(), md.sample.runs()[:4], ["P@10", "RR"], into=folder)
    return str(folder)


def test_compare_prints_what_the_files_give(store, call):
    files = [str(path) for path in md.sample.runs()[:4]]
    options = ["-m", "P@10", "-m", "RR", "-f", "tsv"]
    assert call("compare", store, "-f", "tsv").out == call("compare", str(md.sample.qrels()), *files, *options).out


def test_compare_has_all_systems_against_the_baseline_where_not_all_fit(store, call, monkeypatch):
    monkeypatch.setattr(choosing, "FITS", 1)
    found = json.loads(call("compare", store, "--baseline", "dense-1", "-f", "json").out)
    assert found["measures"]["P@10"]["pairs"] == 3
    assert len(found["measures"]["RR"]["systems"]) == 4
    shown = call("compare", store, "--baseline", "dense-1")
    assert "3 pairs with dense-1 were tested; other pairs, levels and margins are left out" in shown.err


def test_a_report_says_what_was_left_out(store, call, tmp_path):
    page = tmp_path / "page.html"
    told = call("report", store, "--systems", "dense-1,dense-2", "-o", str(page))
    assert "Left out: 2 of 4 systems are not looked at: only those that were named are" in " ".join(told.out.split())
    assert "2 of 4 systems are not looked at" in page.read_text()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["compare", "STORE", "--levels"], "--levels goes with QRELS and RUN, not with stored scores; leave it out"),
        (["compare", "STORE", "--depth", "5"], "depth"),
        (["compare", "STORE", "--scale", "interval"], "--scale interval goes with QRELS and RUN"),
        (["report", "STORE", "--topics", "301"], "--topics goes with QRELS and RUN, not with stored scores"),
        (["compare", "STORE", "-m", "AP@7", "--systems", "nobody"], "there is no system 'nobody'"),
        (["report", "nowhere"], "Missing argument 'RUN...'"),
        (["compare", "QRELS", "RUN", "--systems", "a"], "--systems names systems of stored scores"),
    ],
)
def test_what_does_not_go_with_stored_scores_is_refused_in_one_line(store, call, words, why):
    given = {"STORE": store, "QRELS": str(md.sample.qrels()), "RUN": str(md.sample.runs()[0])}
    told = call(*(given.get(word, word) for word in words))
    assert told.code in (1, 2)
    assert why in told.err
    assert told.out == ""


def test_a_store_that_is_not_finished_is_refused(store, call, tmp_path):
    begun = Folder.at(tmp_path / "begun")
    begun.write("measurand.json", Folder.at(store).read("measurand.json"))
    told = call("compare", begun.place)
    assert "is not finished: 0 of 1 piece" in told.err
