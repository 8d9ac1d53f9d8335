"""The line reader: the definition of both formats."""

from __future__ import annotations

import pytest

from measurand.errors import CaveatKind, InputFileError
from measurand.trec import lines
from measurand.trec.files import Content
from measurand.trec.run import Run

PLAIN = b"1 Q0 d1 1 2.5 tag\n1 Q0 d2 2 1.5 tag\n2 Q0 d1 1 0.5 tag\n"


def run_of(data: bytes):
    (rows,) = lines.read_runs(Content("x.run", data))
    return rows


def qrels_of(data: bytes):
    return lines.read_qrels(Content("x.qrels", data))


def content_of(rows) -> tuple:
    values = rows.document_scores if isinstance(rows, Run) else rows.grades
    return getattr(rows, "name", ""), rows.topics, rows.bounds.tolist(), list(rows.documents), values.tolist()


def test_rows_stand_topic_by_topic_with_their_bounds():
    assert content_of(run_of(PLAIN)) == ("tag", ("1", "2"), [0, 2, 3], ["d1", "d2", "d1"], [2.5, 1.5, 0.5])


def test_interleaved_topics_are_gathered_in_the_order_of_their_first_lines():
    rows = run_of(b"2 Q0 a 1 9 t\n1 Q0 b 1 8 t\n2 Q0 c 2 7 t\n1 Q0 a 2 6 t\n2 Q0 d 3 5 t\n")
    assert content_of(rows) == ("t", ("2", "1"), [0, 3, 5], ["a", "c", "d", "b", "a"], [9, 7, 5, 8, 6])


def test_runs_with_different_tags_are_parted_in_the_order_of_their_first_lines():
    data = b"1 Q0 a 1 9 second\n1 Q0 a 1 8 first\n2 Q0 b 1 7 second\n"
    several = lines.read_runs(Content("x.run", data))
    assert [content_of(rows) for rows in several] == [
        ("second", ("1", "2"), [0, 1, 2], ["a", "b"], [9, 7]),
        ("first", ("1",), [0, 1], ["a"], [8]),
    ]


@pytest.mark.parametrize("blank", [b"", b"   ", b"\t", b"\r", b"# a comment", b"   # one further in", b"#"])
def test_blank_lines_and_comments_hold_nothing_and_are_counted(blank):
    data = blank + b"\n1 0 a 1\n" + blank + b"\n1 0 b none\n"
    with pytest.raises(InputFileError) as caught:
        qrels_of(data)
    assert caught.value.line == 4


def test_lines_after_a_byte_order_mark_are_counted_from_one():
    with pytest.raises(InputFileError) as caught:
        qrels_of(b"\xef\xbb\xbf1 0 a none\n")
    assert caught.value.line == 1


def test_the_first_broken_line_of_several_is_named():
    with pytest.raises(InputFileError) as caught:
        qrels_of(b"1 0 a 1\n1 0 b\n1 0 c\n")
    assert caught.value.line == 2


def test_grades_are_whole_numbers_and_may_be_negative():
    assert qrels_of(b"1 0 a -2\n1 0 b +3\n1 0 c 007\n1 0 d 127\n").grades.tolist() == [-2, 3, 7, 127]


def test_scores_are_read_to_the_last_bit():
    written = ["0.1", "1e-5", "-3", "+4.", ".5", "5e-324", "1.7976931348623157e308", "0.30000000000000004"]
    data = "".join(f"1 Q0 d{i} 1 {text} t\n" for i, text in enumerate(written))
    assert run_of(data.encode()).document_scores.tolist() == [float(text) for text in written]


def test_a_judgment_said_again_is_kept_once_with_a_caveat():
    rows = qrels_of(b"1 0 a 1\n1 0 b 0\n2 0 a 2\n1 Q0 a 1\n1 0 a 01\n")
    assert content_of(rows) == ("", ("1", "2"), [0, 2, 3], ["a", "b", "a"], [1, 0, 2])
    (caveat,) = rows.caveats
    assert caveat.kind is CaveatKind.REPEATED_JUDGMENT
    assert caveat.text == "x.qrels: 2 judgments said more than once, always with the same grade"


def test_further_columns_of_a_run_are_ignored_with_a_caveat_that_names_the_first_line():
    rows = run_of(b"# seven columns\n1 Q0 a 1 9 t\n1 Q0 b 2 8 t more\n1 Q0 c 3 7 t and more\n")
    assert content_of(rows) == ("t", ("1",), [0, 3], ["a", "b", "c"], [9, 8, 7])
    (caveat,) = rows.caveats
    assert caveat.kind is CaveatKind.EXTRA_COLUMNS
    assert caveat.text.startswith("x.run:3: 2 lines have more than 6 columns")


def test_a_caveat_about_further_columns_stays_with_the_run_that_has_them():
    several = lines.read_runs(Content("x.run", b"1 Q0 a 1 9 one\n1 Q0 a 1 9 two more\n"))
    assert [len(rows.caveats) for rows in several] == [0, 1]


def test_a_regular_file_has_no_caveats():
    assert run_of(PLAIN).caveats == ()
    assert qrels_of(b"1 0 a 1\n").caveats == ()


def test_bytes_that_nobody_reads_need_not_be_text():
    assert content_of(run_of(b"1 \xff d \xfe 1 t\n"))[1:] == (("1",), [0, 1], ["d"], [1])
    assert content_of(qrels_of(b"1 \xff d 1\n"))[1:] == (("1",), [0, 1], ["d"], [1])


def test_carriage_returns_alone_are_no_line_ends():
    with pytest.raises(InputFileError, match="carriage returns alone"):
        lines.read_runs(Content("mac.run", b"1 Q0 a 1 1 t\r1 Q0 b 1 1 t\r"))
