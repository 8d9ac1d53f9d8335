"""Broken files: one table of what can be wrong, held against every level from the lines to the command line."""

from __future__ import annotations

import gzip

import pytest

import measurand.native as native
from measurand import InputFileError, read_qrels, read_run
from measurand.trec import lines
from measurand.trec.files import Content
from measurand.trec.unpacking import unpack

GOOD_RUN = b"1 Q0 a 1 2.5 good\n1 Q0 b 2 1.5 good\n"
GOOD_QRELS = b"1 0 a 1\n1 0 b 0\n"

BROKEN = {
    "run": {
        "five columns": (b"1 Q0 a 1 2.5\n", "5 columns where a run has 6 (topic Q0 document rank score tag)", 1),
        "one column": (b"1 Q0 a 1 2.5 t\nstray\n", "1 column where a run has 6", 2),
        "five columns, spaced out": (b"1 Q0 a 1 2.5 t\n1  Q0  b  2  1.5 \n", "5 columns where a run has 6", 2),
        "after blanks and comments": (b"# head\n\n1 Q0 a 1 2.5 t\r\n\r\n1 Q0 b 2 1.5\r\n", "5 columns", 5),
        "a score that is a word": (b"1 Q0 a 1 high t\n", "score 'high' is not a number", 1),
        "a score with a comma": (b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1,5 t\n", "score '1,5' is not a number", 2),
        "a score with an underscore": (b"1 Q0 a 1 1_000 t\n", "score '1_000' is not a number", 1),
        "a score that is nan": (b"1 Q0 a 1 2.5 t\n1 Q0 b 2 nan t\n", "score 'nan' is not finite", 2),
        "a score that is infinite": (b"1 Q0 a 1 -inf t\n", "score '-inf' is not finite", 1),
        "a score beyond all doubles": (b"1 Q0 a 1 1e999 t\n", "score '1e999' is not finite", 1),
        "a document twice": (
            b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n1 Q0 a 3 0.5 t\n",
            "document a stands twice in topic 1: lines 1 and 3; remove one",
            3,
        ),
        "a document twice, topics interleaved": (
            b"\n1 Q0 a 1 2.5 t\n2 Q0 a 1 1.5 t\n1 Q0 a 2 2.5 t\n",
            "document a stands twice in topic 1: lines 2 and 4",
            4,
        ),
        "a document twice, several tags": (
            b"1 Q0 a 1 2.5 t\n1 Q0 a 1 1.5 u\n1 Q0 a 2 2.5 u\n",
            "document a stands twice in topic 1: lines 2 and 3",
            3,
        ),
        "a document of stray bytes": (b"1 Q0 a 1 2.5 t\n1 Q0 caf\xe9 2 1.5 t\n", "is not UTF-8", 2),
        "a topic of stray bytes": (b"1 Q0 a 1 2.5 t\n\xff Q0 a 1 1.5 t\n", "is not UTF-8", 2),
        "a tag of stray bytes": (b"1 Q0 a 1 2.5 caf\xe9\n", "is not UTF-8", 1),
        "UTF-16": ("1 Q0 a 1 2.5 t\n".encode("utf-16-le").join([b"\xff\xfe", b""]), "is written in UTF-16", 1),
        "UTF-16, the other way": ("1 Q0 a 1 2.5 t\n".encode("utf-16-be").join([b"\xfe\xff", b""]), "UTF-16", 1),
        "empty": (b"", "is empty: a run has lines of 6 columns (topic Q0 document rank score tag)", None),
        "blank": (b"\n \n\t\r\n", "is empty", None),
        "comments only": (b"# one\n  # two\n", "is empty", None),
        "a byte order mark only": (b"\xef\xbb\xbf", "is empty", None),
        "damaged gzip": (gzip.compress(GOOD_RUN)[:-12], "is damaged: its gzip data cannot be unpacked", None),
    },
    "qrels": {
        "three columns": (b"1 0 a\n", "3 columns where a judgment file has 4 (topic iteration document grade)", 1),
        "five columns": (b"1 0 a 1\n1 0 b 0 x\n", "5 columns where a judgment file has 4", 2),
        "a run instead": (GOOD_RUN, "6 columns where a judgment file has 4", 1),
        "half a grade below 0": (b"1 0 a 1\n1 0 b -0.5\n", "0, which is not relevant; is this a run", 2),
        "a grade that is no number": (b"1 0 a nan\n", "grade 'nan' is not a number", 1),
        "a grade that is a word": (b"1 0 a yes\n", "grade 'yes' is not a number", 1),
        "a grade with an underscore": (b"1 0 a 1_0\n", "grade '1_0' is not a number", 1),
        "a grade too high": (b"1 0 a 1\n\n1 0 b 1e13\n", "grade '1e13' is above 10^12", 3),
        "a grade too low": (b"1 0 a 1\n1 0 b -128\n", "grade '-128' is below -127", 2),
        "a grade beyond 64 bits": (b"1 0 a -99999999999999999999\n", "is below -127", 1),
        "judged twice": (
            b"1 0 a 1\n1 0 b 0\n# again\n1 0 a 2\n",
            "document a of topic 1 has grade 1 in line 1 and 2 in line 4; keep one",
            4,
        ),
        "stray bytes": (b"1 0 caf\xe9 1\n", "is not UTF-8", 1),
        "UTF-16": ("1 0 a 1\n".encode("utf-16"), "is written in UTF-16", 1),
        "empty": (b"", "is empty: a judgment file has lines of 4 columns (topic iteration document grade)", None),
        "comments only": (b"# nothing\n", "is empty", None),
        "damaged gzip": (gzip.compress(GOOD_QRELS)[:-12], "is damaged: its gzip data cannot be unpacked", None),
    },
}

TABLE = [
    pytest.param(kind, data, message, line, id=f"{kind}: {what}")
    for kind, cases in BROKEN.items()
    for what, (data, message, line) in cases.items()
]


@pytest.mark.parametrize(("kind", "data", "message", "line"), TABLE)
def test_the_line_reader_says_what_is_wrong_and_where(kind, data, message, line):
    reader = lines.read_runs if kind == "run" else lines.read_qrels
    with pytest.raises(InputFileError) as caught:
        reader(Content("broken", unpack(data, "broken")))
    assert (caught.value.path, caught.value.line) == ("broken", line)
    assert message in caught.value.why


@pytest.mark.parametrize("in_c", [False, True], ids=["by lines", "in C"])
@pytest.mark.parametrize(("kind", "data", "message", "line"), TABLE)
def test_the_public_functions_say_the_same_by_either_reader(tmp_path, monkeypatch, in_c, kind, data, message, line):
    if not in_c:
        monkeypatch.setattr(native, "_found", None)
    path = tmp_path / "broken"
    path.write_bytes(data)
    with pytest.raises(InputFileError) as caught:
        (read_run if kind == "run" else read_qrels)(path)
    place = str(path) if line is None else f"{path}:{line}"
    assert str(caught.value).startswith(f"{place}: ")
    assert message in str(caught.value)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return the working directory, with a good run and good judgments in it."""
    (tmp_path / "good.run").write_bytes(GOOD_RUN)
    (tmp_path / "good.qrels").write_bytes(GOOD_QRELS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(outcome, message: str) -> None:
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


@pytest.mark.parametrize(("kind", "data", "message", "line"), TABLE)
def test_the_command_line_says_it_in_one_line_and_prints_nothing(files, call, kind, data, message, line):
    (files / "broken").write_bytes(data)
    arguments = ("good.qrels", "good.run", "broken") if kind == "run" else ("broken", "good.run")
    before = set(files.iterdir())
    place = "broken" if line is None else f"broken:{line}"
    for more in ((), ("-o", "out.txt"), ("-f", "json")):
        outcome = call("evaluate", *arguments, *more)
        refused(outcome, message)
        assert outcome.err.startswith(f"measurand: {place}: ")
    assert set(files.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.qrels", "good.run"), "none.qrels: there is no such file"),
        (("good.qrels", "none.run"), "none.run: there is no such file"),
        (("good.qrels", "good.run", "none.run"), "none.run: there is no such file"),
        ((".", "good.run"), ".: this is a directory where one file is wanted"),
        (("good.qrels", "*.none"), "*.none: no file matches this pattern"),
        (("good.qrels", "good.run", "good.run"), "good.run:1: a run called 'good' is the same file again"),
        (("good.qrels", "good.run/below"), "good.run/below: cannot be read"),
        (("good.qrels", "good.qrels"), "good.qrels:1: 4 columns where a run has 6"),
    ],
)
def test_files_that_are_not_what_they_should_be_are_refused(files, call, arguments, message):
    refused(call("evaluate", *arguments), message)


def test_a_directory_without_runs_is_refused(files, call):
    (files / "empty").mkdir()
    refused(call("evaluate", "good.qrels", "empty"), "empty: this directory holds no file")


def test_two_systems_of_one_name_are_refused_and_both_files_named(files, call):
    (files / "other.run").write_bytes(GOOD_RUN)
    outcome = call("evaluate", "good.qrels", "good.run", "other.run", "--names", "tag")
    refused(outcome, "other.run:1: a run called 'good' is also in good.run")
    assert "--names file" in outcome.err


def test_a_run_without_a_judged_topic_is_refused(files, call):
    (files / "stray.run").write_bytes(GOOD_RUN.replace(b"1 Q0", b"301 Q0"))
    refused(call("evaluate", "good.qrels", "stray.run"), "stray.run: no topic in common with the judgments")


@pytest.mark.parametrize("pack", ["xz", "bz2", "zst"])
def test_other_damaged_archives_are_refused(files, call, pack):
    path = files / f"cut.{pack}"
    read_run(files / "good.run").to_trec(path)
    path.write_bytes(path.read_bytes()[:-6])
    refused(call("evaluate", "good.qrels", path.name), f"cut.{pack}: is damaged")
