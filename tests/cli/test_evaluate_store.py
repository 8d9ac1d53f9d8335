"""`measurand evaluate --store`: scores in a folder, and what is printed of them."""

from __future__ import annotations

import json

import pytest

from measurand.study.store import build, store_plan

CALL = ("evaluate", "qrels", "alpha.run", "beta.run")


@pytest.fixture(autouse=True)
def one_piece(monkeypatch):
    """Have small files make one piece; where else one begins depends on the name of the folder."""
    monkeypatch.setattr(store_plan, "_begins", lambda _: False)


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "latex", "markdown"])
def test_stored_scores_are_printed_as_all_scores_are(small, call, form):
    plain = call(*CALL, "-f", form)
    assert call(*CALL, "-f", form, "--store", "scores") == plain
    assert call("evaluate", "scores", "-f", form) == plain


def test_the_numbers_over_all_topics_are_there_for_programs(small, call):
    found = json.loads(call(*CALL, "-f", "json", "--store", "scores", "-m", "P@1").out)
    assert found["measures"] == {"P@1": {"alpha": 0.0, "beta": 2 / 3}}


def test_a_second_call_resumes_or_is_refused(small, call):
    first = call(*CALL, "--store", "scores")
    refused = call(*CALL, "--store", "scores")
    assert (refused.code, refused.out) == (1, "")
    assert "holds scores already; add runs to them with --resume" in refused.err
    assert call(*CALL, "--store", "scores", "--resume") == first


def test_what_was_scored_before_a_file_was_found_wrong_is_kept(small, call, monkeypatch):
    (small / "beta.run").write_text("1 Q0 a 1 high beta\n")
    monkeypatch.setattr(store_plan, "_begins", lambda source: source.path.endswith("beta.run"))
    broken = call(*CALL, "--store", "scores")
    assert broken.code == 1
    assert broken.out == ""
    assert "beta.run:1:" in broken.err
    assert "1 piece is scored and kept in scores; go on with --resume" in broken.err


def test_what_was_scored_before_ctrl_c_is_said_to_be_kept(small, call, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "_finish", interrupted)
    stopped = call(*CALL, "--store", "scores")
    told = "measurand: interrupted; 1 piece is scored and kept in scores; go on with --resume\n"
    assert (stopped.code, stopped.out, stopped.err) == (130, "", told)


def test_a_folder_that_was_begun_is_not_called_nothing(small, call, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "_scored", interrupted)
    stopped = call(*CALL, "--store", "scores")
    assert stopped.err == "measurand: interrupted; no piece is scored yet in scores; go on with --resume\n"
    assert (small / "scores").exists()


def test_pieces_of_files_that_have_changed_do_not_count_as_scored(small, call):
    assert call(*CALL, "--store", "scores").code == 0
    (small / "beta.run").write_text("1 Q0 a 1 high beta\n")
    broken = call(*CALL, "--store", "scores", "--resume")
    assert "no piece is scored yet in scores" in broken.err
    assert "note: a later --resume is not finished: these are the scores" in call("evaluate", "scores").err


def test_what_was_refused_is_mended_and_gone_on_with(small, call):
    (small / "copy.run").write_text((small / "alpha.run").read_text())
    words = ("evaluate", "qrels", "alpha.run", "copy.run", "--store", "scores")
    refused = call(*words, "--names", "tag")
    assert "a run called 'alpha' is also in" in refused.err
    assert "go on with --resume" in refused.err
    assert call(*words, "--names", "file", "--resume").code == 0


@pytest.mark.parametrize("option", ["-q", "-n", "--strict", "--unjudged=min", "-ftrec"])
def test_options_that_say_nothing_there_are_refused(small, call, option):
    refused = call(*CALL, "--store", "scores", option)
    assert refused.code == 2
    assert "stored scores do not go with" in refused.err
    assert not (small / "scores").exists()


@pytest.mark.parametrize("option", ["--depth=1", "--ties=min", "-mAP", "-l2", "-J", "--store=other", "--resume"])
def test_how_runs_are_scored_comes_too_late_for_stored_scores(small, call, option):
    call(*CALL, "--store", "scores")
    refused = call("evaluate", "scores", option)
    assert (refused.code, refused.out) == (2, "")
    assert "goes with QRELS and RUN, not with stored scores; leave it out" in refused.err


def test_what_is_printed_of_a_store_overwrites_no_run(small, call):
    before = (small / "alpha.run").read_text()
    assert "would overwrite what is to be read" in call(*CALL, "--store", "scores", "-o", "alpha.run").err
    assert (small / "alpha.run").read_text() == before
    assert not (small / "scores").exists()


def test_a_call_that_is_refused_does_not_say_to_resume(small, call, monkeypatch):
    (small / "beta.run").write_text("1 Q0 a 1 high beta\n")
    monkeypatch.setattr(store_plan, "_begins", lambda source: source.path.endswith("beta.run"))
    call(*CALL, "--store", "scores")
    refused = call(*CALL, "--store", "scores", "-m", "P@1", "--resume")
    assert (
        refused.err
        == f"measurand: {small / 'scores'}: was begun with other measures; name the same ones, or another folder\n"
    )


def test_resume_wants_a_store(small, call):
    assert "name their folder with --store" in call(*CALL, "--resume").err
