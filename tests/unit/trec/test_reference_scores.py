"""Files of means and standard deviations, which trec_eval's -Z reads."""

from __future__ import annotations

from io import BytesIO

import pytest

from measurand import InputFileError
from measurand.scores.standardised import Reference
from measurand.trec.reference_scores import read_reference, reference_lines


def read(text):
    return read_reference(BytesIO(text.encode()))


def test_what_is_written_is_read_again_with_every_digit():
    known = {"map": {"301": (1 / 3, 0.1), "302": (0.25, 0.0)}, "P_5": {"301": (0.6, 1e-9)}}
    text = "".join(reference_lines(Reference(known)))
    assert text.splitlines()[0] == "301 map 0.3333333333333333 0.1"
    assert read(text).by_measure == known


def test_tabs_empty_lines_comments_and_line_ends_of_windows_do_not_matter():
    assert read("# means\r\n\r\n301\tmap\t0.5   0.1\r\n").by_measure == {"map": {"301": (0.5, 0.1)}}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("301 map 0.5", ":1: 3 columns where there are 4"),
        ("301 map 0.5 0.1 0.2", ":1: 5 columns"),
        ("301 map 0.5 0.1\n301 P_5 0.5 much", ":2: 'much' is no number"),
        ("301 map nan 0.1", ":1: 'nan' is no number"),
        ("301 map 0.5 -0.1", ":1: the standard deviation -0.1 is below 0"),
        ("301 map 0.5 0.1\n301 map 0.5 0.1", ":2: map on topic 301 stands here for the second time"),
        ("# nothing\n", ": is empty"),
    ],
)
def test_what_is_no_such_file_is_refused_with_its_place(text, complaint):
    with pytest.raises(InputFileError, match=complaint):
        read(text)
