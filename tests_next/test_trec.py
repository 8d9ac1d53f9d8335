from __future__ import annotations

import gzip
import io
import os
import re
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand_next import native
from measurand_next.errors import CaveatKind, InputError, ParameterError
from measurand_next.read import judge, read_qrels, read_run, read_runs, sources, trec

QRELS = b"1 0 d1 1\n1 0 d2 0\n"
RUN = b"1 Q0 d1 1 2.0 tag\n1 Q0 d2 2 1.0 tag\n"


@pytest.fixture(params=["C", "Python"], autouse=True)
def reader(request, monkeypatch):
    """Everything holds for both readers."""
    if request.param == "Python":
        monkeypatch.setattr(native, "library", lambda: None)
    elif native.library() is None:
        pytest.skip("the loops in C were not built")
    return request.param


def run_of(data: bytes, name: str | None = None):
    return read_run(io.BytesIO(data), name)


def qrels_of(data: bytes):
    return read_qrels(io.BytesIO(data))


WRONG_RUNS = {
    "5 columns": (RUN + b"1 Q0 d3 3 0.5\n", 3, "columns"),
    "judgments": (b"# of 2024\n\n1 0 d1 1\n", 3, "judgment file"),
    "no number": (RUN + b"1 Q0 d3 3 high tag\n", 3, "not a number"),
    "as Python writes numbers": (b"1 Q0 d1 1 1_000 tag\n", 1, "not a number"),
    "NaN": (RUN + b"1 Q0 d3 3 nan tag\n", 3, "finite"),
    "above all floats": (RUN + b"1 Q0 d3 3 1e309 tag\n", 3, "finite"),
    "twice": (RUN + b"2 Q0 d1 1 3 tag\n1 Q0 d1 3 0.5 tag\n", 4, "lines 1 and 4"),
    "Latin-1": (RUN + b"1 Q0 caf\xe9 3 0.5 tag\n", 3, "UTF-8"),
    "a topic in Latin-1": (RUN + b"caf\xe9 Q0 d1 3 0.5 tag\n", 3, "UTF-8"),
    "UTF-16": ("1 Q0 d1 1 2.0 tag\n".encode("utf-16"), 1, "UTF-16"),
    "carriage returns": (RUN.replace(b"\n", b"\r"), 1, "carriage returns"),
    "carriage returns but for the first": (RUN[:18] + RUN[18:].replace(b"\n", b"\r") * 9, 2, "carriage returns"),
    "carriage returns, cut": (RUN.replace(b"\n", b"\r")[:-5], 1, "carriage returns"),
    "carriage returns behind a long line": (RUN[:-1] + b" x\n" + RUN.replace(b"\n", b"\r"), 3, "carriage returns"),
    "nothing": (b"", None, "empty"),
    "comments": (b"# nothing\n\n", None, "empty"),
    "JSON": (b'{"1": {"d1": 2.0}}', 1, "formats"),
    "longer JSON": (b'{"1": {"d1": 2.0, "d2": 1.0, "d3": 0.5}}', 1, "formats"),
    "the first of two": (b"1 Q0 d1 1 2 t\n1 Q0 d1 2 1 t\n1 Q0 d2 3 x t\n1 Q0\n", 2, "lines 1 and 2"),
    "the first of two others": (b"1 Q0 d1 1 2 t\n1 Q0 d2 3 x t\n1 Q0\n1 Q0 d1 2 1 t\n", 2, "not a number"),
    "cut inside its tag": (RUN + b"1 Q0 d3 3 0.5 ta", 3, "truncated"),
    "after the same line a hundred thousand times": (RUN[:18] * 100_000, 2, "lines 1 and 2"),
    "a tag for each document": (b"".join(b"1 Q0 d 1 1 %d\n" % tag for tag in range(10_002)), None, "run tag"),
}


@pytest.mark.parametrize("wrong", WRONG_RUNS)
def test_what_is_wrong_with_a_run_is_said_with_its_line(wrong, tmp_path):
    data, line, word = WRONG_RUNS[wrong]
    path = tmp_path / "bm25.run"
    path.write_bytes(data)
    place = str(path) if line is None else f"{path}:{line}: "
    for read in (lambda: read_run(path), lambda: judge(io.BytesIO(QRELS), path)):
        with pytest.raises(InputError, match=f"^{re.escape(place)}.*{word}"):
            read()


WRONG_QRELS = {
    "labels": (QRELS + b"1 0 d3 relevant\n", 3, "labels"),
    "infinite": (QRELS + b"1 0 d3 inf\n", 3, "number"),
    "contradiction": (QRELS + b"1 0 d1 2\n", 3, "line 1 and 2 in line 3"),
    "subtopics": (b"1 1 d1 1\n1 2 d1 0\n", 2, "subtopics"),
    "no subtopics": (b"1 0 d1 1\n1 Q0 d1 0\n", 2, "keep one$"),
    "a run": (RUN, 1, "is this a run"),
    "text": (b"This is not a file of judgments but text.\n", 1, "more than 7 columns"),
    "a grade below all floats": (QRELS + b"1 0 d3 1e-400\n", 3, "decimals"),
    "below all grades": (QRELS + b"1 0 d3 -128\n", 3, "below"),
    "grades for each document": (b"".join(b"1 0 d%d %d\n" % (n, n) for n in range(10_002)), 10_002, "different"),
    "scores for each document": (b"".join(b"1 0 d%d .%d\n" % (n, 10_000 + n) for n in range(10_002)), 10_002, "run"),
}


@pytest.mark.parametrize("wrong", WRONG_QRELS)
def test_what_is_wrong_with_judgments_is_said_with_its_line(wrong, tmp_path):
    data, line, word = WRONG_QRELS[wrong]
    path = tmp_path / "qrels"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}:{line}: .*{word}"):
        read_qrels(path)


ODD_RUNS = {
    "a byte order mark": (b"\xef\xbb\xbf" + RUN, None),
    "a giant rank": (RUN.replace(b"1 2.0", b"9223372036854775808 2.0"), None),
    "carriage returns and line feeds": (RUN.replace(b"\n", b"\r\n"), None),
    "tabs, blanks and comments": (
        b"# best\n\n" + RUN.replace(b" ", b" \t ").replace(b"\n", b" \x0b\n\n#1 2 3 4 5 6\n"),
        None,
    ),
    "no line feed at the end": (RUN[:-1], None),
    "blanks at the end": (RUN[:-1] + b"  ", None),
    "a seventh column": (RUN.replace(b"tag", b"tag x", 1), CaveatKind.EXTRA_COLUMNS),
}


@pytest.mark.parametrize("odd", ODD_RUNS)
def test_odd_runs_are_read(odd):
    data, caveat = ODD_RUNS[odd]
    run = run_of(data)
    assert (run.name, run.to_dict()) == ("tag", {"1": {"d1": 2.0, "d2": 1.0}})
    assert [each.kind for each in run.caveats] == [caveat] * (caveat is not None)


def test_names_that_look_alike_are_other_names_and_that_is_said():
    run = run_of("1 Q0 d1\u00a0 1 2 tag\n1 Q0 d1 2 1 tag\n文 Q0 \u200bd1 1 2 tag\n".encode())
    assert list(run.documents) == ["d1\u00a0", "d1", "\u200bd1"]
    [caveat] = run.caveats
    assert caveat.kind is CaveatKind.BLANKS
    assert str(caveat).startswith("<open file>:1: 2 names")
    for data in (b"1 Q0 d\0 1 2 tag\n", b"\0\0001 Q0 d 1 2 tag\n"):  # as a crash may leave them
        assert [each.kind for each in run_of(data).caveats] == [CaveatKind.BLANKS]


def test_values_say_where_they_come_from(tmp_path):
    path = tmp_path / "e5.run"
    path.write_bytes(b"# model: e5\n# k: 100\n" + RUN + b"# end\n")
    run = read_run(path)
    assert (run.source, run.comments) == (str(path), "# model: e5\n# k: 100")
    assert qrels_of(b"# by us\n" + QRELS).comments == "# by us"


def test_topics_that_come_back_and_several_tags():
    lines = [b"2 Q0 a 1 3 y", b"1 Q0 a 1 2 x", b"2 Q0 b 2 2 y", b"1 Q0 b 2 1 x", b"1 Q0 a 1 9 y", b"2 Q0 c 1 4 y"]
    runs = read_runs([io.BytesIO(b"\n".join(lines))])
    assert {run.name: run.to_dict() for run in runs} == {
        "y": {"2": {"a": 3, "b": 2, "c": 4}, "1": {"a": 9}},
        "x": {"1": {"a": 2, "b": 1}},
    }
    assert [run.topics for run in runs] == [("2", "1"), ("1",)]
    with pytest.raises(InputError, match=r"2 runs.*x"):
        run_of(b"\n".join(lines))
    assert run_of(b"\n".join(lines), "x").topics == ("1",)
    ended = RUN + b"2 Q0 d1 1 1 ta\n"  # whole, though a tag begins so
    assert [run.name for run in read_runs(io.BytesIO(ended))] == ["tag", "ta"]


def test_grades_are_exact():
    grades = ["0.7", "1/3", "-1", "2", "0.99999999999999999", "1e-3", "1.0", "-0", "+3", "100000"]
    qrels = qrels_of("".join(f"1 0 d{place} {grade}\n" for place, grade in enumerate(grades)).encode())
    assert [qrels.values[code] for code in qrels.codes] == [Fraction(grade) for grade in grades]


def test_judgments_that_are_repeated_count_once():
    qrels = qrels_of(QRELS + b"2 0 d1 1\n" + QRELS + b"1 0 d1 1.0\n")
    assert qrels.to_dict() == {"1": {"d1": 1, "d2": 0}, "2": {"d1": 1}}
    [caveat] = qrels.caveats
    assert (caveat.kind, "3 repeated" in caveat.text) == (CaveatKind.REPEATED_JUDGMENT, True)


names = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=20).filter(
    lambda name: (
        not name.startswith("#")
        and name.split() == [name]
        and not re.search("[\u034f\u115f\u1160\u2800\u3164\uffa0]", name)
    )
)
scores = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-100, 100, places=3).map(str),
    st.integers(2**52, 2**53).map("{}.5".format),  # half way between two floats
    st.from_regex(r"[-+]?[0-9]{0,19}\.?[0-9]{1,25}(e[-+]?[0-9]{1,2})?", fullmatch=True),
)
gaps = st.sampled_from([" ", " ", " ", "\t", "  ", " \r"])


@given(st.dictionaries(st.tuples(names, names, names), scores, min_size=1, max_size=20), st.data())
def test_a_run_is_its_lines(rows, data):
    """By the definition: six columns between white space; numbers as Python reads them."""
    order = data.draw(st.permutations(list(rows)))
    lines = [data.draw(gaps).join([topic, "Q0", name, "1", rows[topic, name, tag], tag]) for topic, name, tag in order]
    expected: dict[str, dict[str, dict[str, float]]] = {}
    for topic, name, tag in order:
        expected.setdefault(tag, {}).setdefault(topic, {})[name] = float(rows[topic, name, tag])
    found = read_runs([io.BytesIO("".join(f"{line}\n" for line in lines).encode())])
    assert [(run.name, run.to_dict()) for run in found] == list(expected.items())
    # dictionaries do not tell 0.0 from -0.0
    assert all(repr(list(run.to_dict().values())) == repr(list(expected[run.name].values())) for run in found)


@pytest.fixture
def campaign(tmp_path):
    """Two run files that share their tag, a third in another folder, and judgments."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "qrels").write_bytes(QRELS)
    (tmp_path / "runs" / "bm25.run").write_bytes(RUN)
    (tmp_path / "runs" / "dense.run.gz").write_bytes(gzip.compress(RUN))
    (tmp_path / "other.run").write_bytes(RUN.replace(b"tag", b"mine"))
    return tmp_path


def test_systems_of_one_tag_are_called_by_their_files(campaign):
    judged = judge(campaign / "qrels", campaign / "runs")
    assert judged.systems == ("bm25", "dense")
    assert any(caveat.text.startswith("both files have the run tag tag") for caveat in judged.caveats)
    (campaign / "runs" / "second.run").write_bytes(RUN.replace(b"tag", b"first") + RUN)
    three = judge(campaign / "qrels", campaign / "runs")
    assert three.systems == ("bm25", "dense", "second/first", "second/tag")
    assert any(caveat.text.startswith("3 of 3 files") for caveat in three.caveats)
    (campaign / "runs" / "second.run").unlink()
    assert [run.name for run in read_runs(str(campaign / "runs" / "*"))] == ["bm25", "dense"]
    assert judge(campaign / "qrels", [campaign / "runs" / "bm25.run", campaign / "other.run"]).systems == (
        "tag",
        "mine",
    )
    named = judge(campaign / "qrels", {"a": campaign / "other.run", "b": campaign / "other.run"})
    assert named.systems == ("a", "b")
    (campaign / "bm25.run").write_bytes(RUN)
    two = [campaign / "bm25.run", campaign / "runs" / "bm25.run"]
    for files in (two, iter(two)):
        assert judge(campaign / "qrels", files).systems == (str(campaign / "bm25"), str(campaign / "runs" / "bm25"))
    (campaign / "bm25.txt").write_bytes(RUN)
    two = [campaign / "bm25.run", campaign / "bm25.txt"]
    assert judge(campaign / "qrels", two).systems == tuple(map(str, two))


def test_two_systems_of_one_name_are_refused(campaign):
    twice = [campaign / "other.run"] * 2
    for read in (read_runs, lambda runs: judge(campaign / "qrels", runs)):
        with pytest.raises(InputError, match="mine"):
            read(twice)


def test_runs_and_judgments_in_either_order(campaign):
    path, judgments = campaign / "other.run", {"1": {"d1": 1, "d2": 0}}
    run = read_run(path)
    expected = judge(judgments, run).grades.tolist()
    for qrels in (campaign / "qrels", read_qrels(judgments), io.BytesIO(QRELS)):
        if hasattr(qrels, "read"):
            assert judge(path, qrels).grades.tolist() == expected
            continue
        for runs in (path, run, [path], iter([run]), {"mine": path}, {"mine": run}, f"{campaign}/o*.run"):
            assert judge(runs, qrels).grades.tolist() == expected
    for runs in (path, run, {"mine": run.to_dict()}):
        assert judge(runs, judgments).grades.tolist() == expected
    for first, second in [(path, path), (path, run), (path, {})]:
        with pytest.raises(InputError, match=r"is this a run|nothing there"):
            judge(first, second)


def test_sources_of_all_kinds(campaign):
    values = {"1": {"d1": 2.0, "d2": 1.0}}
    several = [values, read_run(values, "b"), io.BytesIO(RUN), io.StringIO(RUN.decode().replace("tag", "text"))]
    judged = judge({"1": {"d1": 1, "d2": 0}}, several)
    assert judged.systems == ("run", "b", "tag", "text")
    assert judged.grades.tolist() == [[[1, 0]]] * 4
    assert judge(campaign / "qrels", (read_run(values, name) for name in "ab")).systems == ("a", "b")
    for wrong in (7, b"1 0 d1 1", [QRELS]):
        with pytest.raises(ParameterError, match="path"):
            read_qrels(wrong)


def test_what_stands_in_the_place_of_documents_is_refused(campaign):
    for wrong in ({"d1": 1}, {"1": ["d1"]}, {"1": None}):
        with pytest.raises(InputError, match="where its documents belong"):
            read_run(wrong)
    with pytest.raises(TypeError, match="dept"):
        judge(campaign / "qrels", campaign / "other.run", dept=5)


def test_caveats_of_files_and_folders_travel(campaign):
    (campaign / "runs" / "empty").mkdir()
    (campaign / "runs" / "odd.run").write_bytes(RUN[:-1] + b" more\n")
    wanted = {CaveatKind.FILES, CaveatKind.EXTRA_COLUMNS, CaveatKind.NAMES}
    assert wanted <= {caveat.kind for caveat in judge(campaign / "qrels", campaign / "runs").caveats}
    assert wanted <= {caveat.kind for run in read_runs(campaign / "runs") for caveat in run.caveats}


def test_a_run_of_other_topics_is_named(campaign):
    (campaign / "strange.run").write_bytes(RUN.replace(b"1 Q0", b"9 Q0"))
    for runs in (campaign / "strange.run", [read_run(campaign / "strange.run")]):
        with pytest.raises(InputError, match=rf"^{re.escape(str(campaign / 'strange.run'))}: no topic in common"):
            judge(campaign / "qrels", runs)


def test_errors_of_threads_are_those_of_the_first_file(campaign, monkeypatch):
    monkeypatch.setattr(sources, "LARGE", 0)
    files = [campaign / f"{number}.run" for number in range(20)]
    for number, file in enumerate(files):
        file.write_bytes(RUN.replace(b"tag", b"%d" % number) if number < 7 else b"1 Q0\n")
    for _ in range(5):
        with pytest.raises(InputError, match=rf"^{re.escape(str(files[7]))}:1: "):
            judge(campaign / "qrels", files)


def test_judged_files_are_judged_runs(sample, monkeypatch):
    """The pass over a file gives what its values give, names too, for any number of threads."""
    qrels, paths = sample / "sample.qrels.gz", sorted((sample / "runs").glob("*.run.gz"))[:4]
    expected = judge(qrels, read_runs(paths), documents=True)
    for large in (0, 1 << 60):
        monkeypatch.setattr(sources, "LARGE", large)
        judged = judge(qrels, paths, documents=True)
        assert (judged.systems, judged.topics) == (expected.systems, expected.topics)
        assert np.array_equal(judged.codes, expected.codes)
        assert np.array_equal(judged.ends, expected.ends)
        assert list(judged.documents) == list(expected.documents)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_are_read_once(tmp_path):
    from threading import Thread

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for data in (RUN, b"1 Q0\n"):
        writer = Thread(target=Path(pipe).write_bytes, args=[data])
        writer.start()
        if data == RUN:
            assert judge(pipe, io.BytesIO(QRELS)).grades.tolist() == [[[1, 0]]]
        else:
            with pytest.raises(InputError, match="columns"):
                judge(pipe, io.BytesIO(QRELS))
        writer.join()


def test_files_that_take_too_much_memory_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "long.run"
    monkeypatch.setattr("measurand_next.read.trec.LARGE", 1 << 16)
    monkeypatch.setenv("MEASURAND_MOST_UNPACKED", "2MB")
    path.write_bytes(b"".join(b"1 Q0 d%d 1 1 t\n" % number for number in range(60_000)))
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: .*memory"):
        judge(io.BytesIO(QRELS), path)
    path.write_bytes(b"".join(b"1 Q0 d%0200d 1 1 t\n" % number for number in range(5_000)))  # longer, of fewer rows
    assert len(read_run(path)) == 5_000


def test_what_is_beyond_ascii_is_looked_at_in_pieces(monkeypatch):
    monkeypatch.setattr(trec, "PIECE", 3)
    run = run_of("1 Q0 dé文😀 1 2.0 täg\n".encode())
    assert (run.name, list(run.documents)) == ("täg", ["dé文😀"])
    assert trec._has_plain_names(np.frombuffer("é文😀".encode(), np.uint8))
    assert not trec._has_plain_names(np.frombuffer("é文😀".encode()[:-1], np.uint8))


@pytest.mark.parametrize("many", [1, native.MANY])
def test_there_is_room_for_all_rows(many, monkeypatch):
    """The loops in C write where they are told that there is room."""
    monkeypatch.setattr(native, "MANY", many)
    for line in (b"1 0 d 1", b"1 Q d 1 1 t"):
        for rows in (1, 2, 7):
            for end in (b"", b"\n"):
                data = np.frombuffer(b"\n".join([line] * rows) + end, np.uint8)
                assert native.row_limit(data, len(data), len(line.split())) >= rows
                assert native.count_lines(data, len(data)) >= rows


def test_the_loops_can_be_switched_off_and_tell_when_there_is_no_memory(reader, monkeypatch):
    if reader == "C":
        monkeypatch.setenv("MEASURAND_NATIVE", "0")
        assert native._load() is None
        monkeypatch.setattr(native, "library", lambda: SimpleNamespace(read_rows=lambda *_: native.Status.NO_MEMORY))
        with pytest.raises(MemoryError):
            run_of(RUN)
