"""Writing runs and judgments as TREC files."""

from __future__ import annotations

import gzip

import pytest

from measurand import InputError, InputFileError, MeasurandError, read_qrels, read_run
from measurand.trec import write_atomically

RUN = {"7": {"a": 1.0, "b": 3.5, "c": 1.0}, "5": {"a": -0.1}}


def test_a_run_is_written_topic_by_topic_ranked_as_trec_eval_ranks(tmp_path):
    read_run(RUN, name="bm25").to_trec(tmp_path / "a.run")
    assert (tmp_path / "a.run").read_text().splitlines() == [
        "7 Q0 b 1 3.5 bm25",
        "7 Q0 c 2 1.0 bm25",
        "7 Q0 a 3 1.0 bm25",
        "5 Q0 a 1 -0.1 bm25",
    ]


def test_judgments_are_written_in_their_order(tmp_path):
    read_qrels({"7": {"b": 2, "a": -1}, "5": {"a": 0}}).to_trec(tmp_path / "a.qrels")
    assert (tmp_path / "a.qrels").read_text() == "7 0 b 2\n7 0 a -1\n5 0 a 0\n"


def test_equal_content_makes_equal_packed_files(tmp_path):
    run = read_run(RUN, name="bm25")
    for name in ("a.gz", "b.gz"):
        run.to_trec(tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2", ".zst", ".run", ""])
def test_the_ending_decides_how_a_file_is_packed(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    read_run(RUN, name="bm25").to_trec(path)
    packed = not path.read_bytes().startswith(b"7 Q0 b 1 3.5 bm25\n")
    assert packed == (ending in {".gz", ".xz", ".bz2", ".zst"})
    assert read_run(path).document_scores.tolist() == [3.5, 1.0, 1.0, -0.1]


@pytest.mark.parametrize("word", ["", " ", "two words", "tab\there", "line\nbreak"])
def test_a_name_that_would_break_a_line_is_refused(tmp_path, word):
    path = tmp_path / "a.run"
    for run in (
        read_run({"1": {"a": 1.0}, "2": {word: 1.0}}, name="r"),
        read_run({"1": {"a": 1.0}, word: {"a": 1.0}}, name="r"),
    ):
        with pytest.raises(InputError, match="cannot stand in a"):
            run.to_trec(path)
    with pytest.raises(InputError, match="cannot stand in a"):
        read_qrels({"1": {"a": 1, word: 1}}).to_trec(path)
    assert list(tmp_path.iterdir()) == []


def test_a_run_name_that_would_break_a_line_is_refused(tmp_path):
    with pytest.raises(InputError, match="run name 'two words' cannot stand"):
        read_run(RUN, name="two words").to_trec(tmp_path / "a.run")


def test_a_topic_that_would_be_taken_for_a_comment_is_refused(tmp_path):
    with pytest.raises(InputError, match="topic '#1' cannot stand"):
        read_qrels({"#1": {"a": 1}}).to_trec(tmp_path / "a.qrels")


def test_a_failing_writer_leaves_what_was_there_before(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("before")

    def chunks():
        yield b"half"
        raise InputError("the other half is missing")

    with pytest.raises(InputError, match="the other half is missing"):
        write_atomically(path, chunks())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_text("before")
    write_atomically(path, [b"after", b"wards"])
    assert gzip.decompress(path.read_bytes()) == b"afterwards"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_is_as_readable_as_any_other(tmp_path):
    (tmp_path / "other").write_text("")
    write_atomically(tmp_path / "ours", [b""])
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("folder", ["missing", "a-file"])
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path, folder):
    (tmp_path / "a-file").write_text("")
    with pytest.raises(InputFileError, match=rf"{folder}/a\.run: cannot be written"):
        read_run(RUN, name="r").to_trec(tmp_path / folder / "a.run")


def test_a_directory_cannot_be_written_over_and_nothing_is_left_behind(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(MeasurandError, match="taken"):
        read_run(RUN, name="r").to_trec(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("name", ["a b", "", "\ud800", "#1", "\ufeff1"])
def test_a_topic_that_would_not_survive_is_not_written(name, tmp_path):
    with pytest.raises(MeasurandError, match="cannot"):
        read_run({name: {"d": 1.0}}, name="r").to_trec(tmp_path / "r.run")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path):
    (tmp_path / "file").write_text("before")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    read_run(RUN, name="r").to_trec(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() != "before"


TIED = {"1": {"a": 1.0, "c": 2.0, "d": 2.0, "e": 0.5}, "2": {"z": 1.0}, "3": {}}


def test_a_run_is_cut_to_its_best_documents_as_trec_eval_ranks_them():
    run = read_run(TIED, name="r").down_to(2)
    assert [run.documents_of(topic) for topic in ("1", "2")] == [["d", "c"], ["z"]]
    assert (run.name, run.document_scores.tolist()) == ("r", [2.0, 2.0, 1.0])
    whole = read_run(TIED, name="r").down_to(10**12)
    assert (whole.documents, whole.topics) == (["d", "c", "a", "e", "z"], read_run(TIED, name="r").topics)


def test_a_run_from_a_parquet_file_is_cut_the_same(tmp_path):
    read_run(TIED, name="r").to_parquet(tmp_path / "r.parquet")
    cut = read_run(tmp_path / "r.parquet").down_to(3)
    assert list(cut.documents) == read_run(TIED, name="r").down_to(3).documents


def test_a_run_that_was_read_in_c_is_cut_the_same(tmp_path):
    path = tmp_path / "r.run"
    read_run(TIED, name="r").to_trec(path)
    cut = read_run(path, name="r").down_to(3)
    assert list(cut.documents) == read_run(TIED, name="r").down_to(3).documents


@pytest.mark.parametrize("rank", [0, -1, 1.5, None])
def test_a_rank_that_is_none_is_refused(rank):
    with pytest.raises(MeasurandError, match="rank must be a whole number from 1 up"):
        read_run(TIED, name="r").down_to(rank)


@pytest.mark.parametrize("name", ["a\tb", "a\nb", " a", "", '"a"', "#a", "\ufeffa", "a\ud800"])
def test_a_name_that_would_not_survive_in_a_table_is_not_written(name, tmp_path):
    for nested in ({"1": {name: 1}}, {name: {"d": 1}}):
        for write in (read_qrels(nested).to_beir, read_run(nested).to_msmarco):
            with pytest.raises(InputError, match="cannot"):
                write(tmp_path / "a.tsv")
    assert list(tmp_path.iterdir()) == []


def test_json_is_a_line_for_each_topic(tmp_path):
    read_run(RUN, name="r").to_json(tmp_path / "r.json")
    assert (tmp_path / "r.json").read_text() == '{\n"7": {"a": 1.0, "b": 3.5, "c": 1.0},\n"5": {"a": -0.1}\n}\n'
    with pytest.raises(InputError, match="cannot be written as UTF-8"):
        read_run({"1": {"\ud800": 1.0}}).to_json(tmp_path / "s.json")
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


@pytest.mark.parametrize("write", ["to_trec", "to_msmarco"])
@pytest.mark.parametrize("name", ["a ", " a", "a b"])
def test_names_with_spaces_are_not_written_where_spaces_part_columns(tmp_path, write, name):
    with pytest.raises(InputError, match="cannot stand in a"):
        getattr(read_run({"1": {name: 1.0, "a": 2.0}}, name="x"), write)(tmp_path / "x")
    assert not list(tmp_path.iterdir())
