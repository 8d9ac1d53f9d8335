"""Reading through the front door: what files may look like, and what systems are called."""

from __future__ import annotations

import gzip
import io

import pytest

import measurand.native as native
from measurand import InputError, InputFileError, ParameterError, Run, read_qrels, read_run, read_runs
from measurand.errors import CaveatKind

PLAIN = {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}

SPELLINGS = {
    "spaces": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t\n",
    "tabs": b"1\tQ0\ta\t1\t2.5\tt\n1\tQ0\tb\t2\t1.5\tt\n2\tQ0\ta\t1\t0.5\tt\n",
    "spaces and tabs": b"1 Q0\ta \t 1  2.5 t\n  1\tQ0   b 2 1.5\tt  \n2 \tQ0 a 1 0.5\t t\t\n",
    "crlf": b"1 Q0 a 1 2.5 t\r\n1 Q0 b 2 1.5 t\r\n2 Q0 a 1 0.5 t\r\n",
    "blank lines": b"\n\n1 Q0 a 1 2.5 t\n  \n1 Q0 b 2 1.5 t\n\t\n\n2 Q0 a 1 0.5 t\n\n",
    "comments": b"# 1 Q0 z 1 9 t\n1 Q0 a 1 2.5 t\n #inside\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t\n#",
    "no final newline": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t",
    "byte order mark": b"\xef\xbb\xbf1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t\n",
    "interleaved topics": b"1 Q0 a 1 2.5 t\n2 Q0 a 1 0.5 t\n1 Q0 b 2 1.5 t\n",
    "ranks from 0": b"1 Q0 a 0 2.5 t\n1 Q0 b 1 1.5 t\n2 Q0 a 0 0.5 t\n",
    "ranks against the scores": b"1 Q0 a 2 2.5 t\n1 Q0 b 1 1.5 t\n2 Q0 a 7 0.5 t\n",
    "ranks that are words": b"1 Q0 a first 2.5 t\n1 Q0 b - 1.5 t\n2 Q0 a x 0.5 t\n",
    "any second column": b"1 0 a 1 2.5 t\n1 I b 2 1.5 t\n2 ? a 1 0.5 t\n",
    "a seventh column": b"1 Q0 a 1 2.5 t x\n1 Q0 b 2 1.5 t\n2 Q0 a 1 0.5 t x y\n",
    "scores spelled otherwise": b"1 Q0 a 1 +25e-1 t\n1 Q0 b 2 0.15E1 t\n2 Q0 a 1 .5 t\n",
}


@pytest.mark.parametrize("data", SPELLINGS.values(), ids=SPELLINGS)
def test_a_run_may_be_spelled_in_many_ways(run_in, data):
    assert run_in(data) == PLAIN


@pytest.mark.parametrize(
    "data",
    [
        b"1 0 a 1\n1 0 b -1\n2 0 a 3\n",
        b"1\tQ0\ta\t1\r\n1\t \tI\tb\t-1\r\n\r\n2 iteration a 3",
        b"\xef\xbb\xbf# judged\n2 x a 3\n1 0 a 1\n2 x a 3\n1 # b -1\n",
    ],
    ids=["plain", "tabs and crlf", "comments and repeats"],
)
def test_judgments_may_be_spelled_in_many_ways(qrels_in, data):
    assert qrels_in(data) == {"1": {"a": 1, "b": -1}, "2": {"a": 3}}


@pytest.mark.parametrize("score", ["1e-5", "-2.75", "-1e300", "0", "-0.0", "123456789.123456789", "1e-400"])
def test_a_score_is_the_double_that_its_text_says(run_in, score):
    assert run_in(f"1 Q0 a 1 {score} t\n".encode()) == {"1": {"a": float(score)}}


@pytest.mark.parametrize(
    "word", ["a#b", "d#", "clueweb12-0000wb-00-00000", "документ", "文書1", "café", "a,b;c", '"q"']
)
def test_names_may_hold_anything_but_white_space(run_in, qrels_in, word):
    assert run_in(f"{word} Q0 {word} 1 1 {word}\n".encode()) == {word: {word: 1.0}}
    assert qrels_in(f"{word} 0 {word} 1\n".encode()) == {word: {word: 1}}


def test_a_document_name_may_begin_with_a_hash(run_in):
    assert run_in(b"1 Q0 #a 1 1 #t\n") == {"1": {"#a": 1.0}}


def test_a_topic_that_begins_with_a_hash_is_a_comment(run_in):
    assert run_in(b"1 Q0 a 1 1 t\n#2 Q0 a 1 1 t\n") == {"1": {"a": 1.0}}


def test_further_columns_and_repeated_judgments_come_with_a_caveat(reader):
    (caveat,) = read_run(io.BytesIO(SPELLINGS["a seventh column"])).caveats
    assert caveat.kind is CaveatKind.EXTRA_COLUMNS
    (caveat,) = read_qrels(io.BytesIO(b"1 0 a 1\n1 0 a 1\n")).caveats
    assert caveat.kind is CaveatKind.REPEATED_JUDGMENT


def test_a_run_is_called_by_its_tag_or_as_one_wishes(reader):
    assert read_run(io.BytesIO(SPELLINGS["spaces"])).name == "t"
    assert read_run(io.BytesIO(SPELLINGS["spaces"]), name="mine").name == "mine"


def test_a_run_that_is_read_already_is_returned():
    run = read_run(PLAIN, name="mine")
    assert read_run(run) is run
    qrels = read_qrels({"1": {"a": 1}})
    assert read_qrels(qrels) is qrels


def test_a_name_given_for_a_run_that_is_read_already_is_not_lost():
    assert read_run(read_run(PLAIN, name="before"), name="after").name == "after"


def test_one_of_several_runs_in_a_file_is_taken_by_its_tag(reader):
    data = b"1 Q0 a 1 9 t\n1 Q0 b 1 8 u\n"
    assert read_run(io.BytesIO(data), name="u").documents_of("1") == ["b"]


@pytest.mark.parametrize("name", [None, "neither"])
def test_several_runs_where_one_is_wanted_are_refused_with_their_tags(reader, name):
    with pytest.raises(InputError, match=r"holds 2 runs \(t, u\)"):
        read_run(io.BytesIO(b"1 Q0 a 1 9 t\n1 Q0 b 1 8 u\n"), name=name)


def _folder(tmp_path):
    (tmp_path / "one.run").write_bytes(b"1 Q0 a 1 9 t\n")
    (tmp_path / "two.run.gz").write_bytes(gzip.compress(b"1 Q0 a 1 9 u\n1 Q0 a 1 9 v\n"))
    return tmp_path


def test_runs_come_from_directories_patterns_and_lists_in_order(tmp_path, reader):
    folder = _folder(tmp_path)
    for sources in (folder, str(folder), str(folder / "*run*"), [folder / "one.run", str(folder / "two.run.gz")]):
        assert [run.name for run in read_runs(sources)] == ["t", "u", "v"]


def test_runs_may_be_called_by_their_files(tmp_path, reader):
    assert [run.name for run in read_runs(_folder(tmp_path), names="file")] == ["one", "two/u", "two/v"]


def test_runs_are_called_by_tag_or_file_and_nothing_else(tmp_path):
    with pytest.raises(ParameterError, match="'tag', 'file', not 'path'"):
        read_runs(_folder(tmp_path), names="path")


def test_two_files_with_one_tag_are_refused_and_both_named(tmp_path, reader):
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_bytes(b"1 Q0 a 1 9 t\n")
    with pytest.raises(InputFileError) as caught:
        read_runs(tmp_path, names="tag")
    assert str(caught.value).startswith(f"{tmp_path / 'b.run'}:1: a run called 't' is also in {tmp_path / 'a.run'}")
    assert [run.name for run in read_runs(tmp_path, names="file")] == ["a", "b"]


def test_one_file_given_twice_is_refused(tmp_path, reader):
    (tmp_path / "a.run").write_bytes(b"1 Q0 a 1 9 t\n")
    with pytest.raises(InputFileError, match="is the same file again"):
        read_runs([tmp_path / "a.run", tmp_path / "a.run"])


def test_two_unnamed_dictionaries_are_not_called_files():
    with pytest.raises(InputError) as caught:
        read_runs([{"1": {"a": 1.0}}, {"1": {"a": 2.0}}])
    assert "file again" not in str(caught.value)
    assert ":1:" not in str(caught.value)


def test_runs_in_memory_and_in_files_may_be_mixed(tmp_path, reader):
    mine = read_run(PLAIN, name="mine")
    several = read_runs([mine, _folder(tmp_path) / "one.run", io.BytesIO(b"1 Q0 a 1 1 open\n")])
    assert [run.name for run in several] == ["mine", "t", "open"]


@pytest.mark.parametrize("one", [PLAIN, io.BytesIO(b"1 Q0 a 1 1 run\n"), read_run(PLAIN)], ids=["dict", "open", "run"])
def test_a_single_source_needs_no_list(one):
    (run,) = read_runs(one)
    assert isinstance(run, Run)
    assert run.name == "run"


@pytest.mark.parametrize("nothing", [5, None, b"1 Q0 a 1 1 t", 2.5])
def test_what_cannot_be_read_from_is_refused_by_the_name_of_its_type(nothing):
    with pytest.raises(ParameterError, match=r"(None|\(\w+\)) is nothing that a run can be read from"):
        read_run(nothing)
    with pytest.raises(ParameterError, match=r"qrels must be a path.* not .*; call read_qrels"):
        read_qrels(nothing)


def test_a_grade_far_below_zero_is_refused_with_its_line(reader):
    with pytest.raises(InputFileError) as caught:
        read_qrels(io.BytesIO(b"1 0 a 1\n1 0 b -99999999999999999999\n"))
    assert caught.value.line == 2


def test_repr_says_what_was_read():
    assert repr(read_run(PLAIN, name="bm25")) == "<Run 'bm25': 2 topics, 3 documents>"
    assert repr(read_qrels({"1": {"a": 1}})) == "<Qrels: 1 topic, 1 judgment>"


def test_a_topic_that_does_not_occur_has_no_documents():
    assert read_run(PLAIN).documents_of("3") == []


BLANKS = ["\u00a0", "\u2003", "\u3000", "\ufeff", "\u200b", "\u2060", "\x85"]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("blank", BLANKS)
def test_blanks_that_nobody_sees_around_a_name_are_named_with_their_place_by_both_readers(
    monkeypatch, tmp_path, blank, compiled
):
    monkeypatch.setattr(native, "is_there", lambda: compiled)
    path = tmp_path / "a.txt"
    number = f"U+{ord(blank):04X}"
    for line, what in (
        (f"1 Q0 d2{blank} 1 2.5 a", f"document {f'd2{blank}'!r}"),
        (f"1{blank} Q0 d2 1 2.5 a", f"topic {f'1{blank}'!r}"),
        (f"1 Q0 {blank}d2 1 2.5 a", f"document {f'{blank}d2'!r}"),
    ):
        path.write_text(f"1 Q0 d1 1 3 a\n{line}\n", encoding="utf-8")
        [said] = read_run(path).caveats
        assert said.kind is CaveatKind.BLANKS
        why = "1 name begins or ends with blanks that cannot be seen, such as"
        assert said.text == f"{path}:2: {why} {what}, at an end of which is {number}"
    path.write_text(f"1 0 d1 1\n1 0 d2{blank} 0\n2 0 {blank}d3 1\n", encoding="utf-8")
    [said] = read_qrels(path).caveats
    assert f":2: 2 names begin or end with blanks that cannot be seen, such as document {f'd2{blank}'!r}" in said.text


def test_other_letters_and_blanks_within_a_name_are_no_reason_for_a_caveat(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 0 \u65e5\u3000\u672c 1\n1 0 d\xe9j\xe0 0\n", encoding="utf-8")
    found = read_qrels(path)
    assert found.caveats == ()
    assert found.to_dict() == {"1": {"\u65e5\u3000\u672c": 1, "d\xe9j\xe0": 0}}


@pytest.mark.parametrize("compiled", [True, False])
def test_the_lowest_whole_number_of_64_bits_is_no_grade_for_either_reader(monkeypatch, tmp_path, compiled):
    monkeypatch.setattr(native, "is_there", lambda: compiled)
    path = tmp_path / "q.txt"
    for grade in (-(2**63), -(2**63) + 1, -(2**63) - 1):
        path.write_text(f"1 0 d1 {grade}\n1 0 d2 1\n")
        with pytest.raises(InputError, match=f"q.txt:1: grade '{grade}' is below -127"):
            read_qrels(path)
