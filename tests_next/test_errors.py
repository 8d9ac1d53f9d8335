from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand_next.errors import (
    SHOWN,
    Caveat,
    CaveatKind,
    InputError,
    MeasurandError,
    NotAvailable,
    NotInstalled,
    NotMeaningful,
    ParameterError,
    on_one_line,
    quoted,
)

KINDS = (MeasurandError, ParameterError, InputError, NotMeaningful, NotAvailable, NotInstalled)


@given(text=st.text())
def test_whatever_is_named_what_people_read_is_one_printable_line(text):
    shown = [str(kind(text)) for kind in KINDS] + [str(InputError(text, text, 7)), str(Caveat(CaveatKind.FILES, text))]
    assert all(each.isprintable() for each in shown)


@given(text=st.text())
def test_letters_that_can_be_printed_stay_and_others_can_be_told_apart(text):
    assert on_one_line(text) == "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def test_marks_of_direction_ends_of_lines_and_half_letters_are_written_out():
    assert on_one_line("a\u202eb\u2028c\x1b[1m\ud800\r") == r"a\u202eb\u2028c\x1b[1m\ud800\r"


@pytest.mark.parametrize(
    ("place", "shown"), [((), "odd"), (("a.run",), "a.run: odd"), (("a.run", 7), "a.run:7: odd"), (("", 7), ":7: odd")]
)
def test_an_error_names_its_place(place, shown):
    assert str(InputError("odd", *place)) == shown


@pytest.mark.parametrize("kind", KINDS)
def test_errors_travel_between_processes(kind):
    error = kind("odd", "a.run", 7) if kind is InputError else kind("odd")
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is kind
    assert (str(other), other.args) == (str(error), error.args)
    assert vars(other) == vars(error)


def test_what_is_missing_names_its_extra():
    assert "pip install 'measurand[frames]'" in str(NotInstalled.of("polars", "frames", "a frame"))


class Unspeakable:
    def __repr__(self):
        raise OSError


@pytest.mark.parametrize(
    "make",
    [
        lambda: "x" * 10**7,
        lambda: b"\n" * 999,
        lambda: [1, 2],
        lambda: 10**5000,
        Unspeakable,
        lambda: Path("a\n\u202e"),
    ],
)
def test_whatever_somebody_gave_is_shown_short_and_on_one_line(make):
    shown = quoted(make())
    assert shown.isprintable()
    assert 0 < len(shown) <= 7 * SHOWN


@given(text=st.text(st.characters(categories=["L", "N"]), max_size=SHOWN))
def test_short_text_is_shown_as_python_has_it(text):
    assert quoted(text) == repr(text)
