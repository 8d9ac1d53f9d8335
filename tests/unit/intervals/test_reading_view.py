"""Runs on an interval scale, as text and as data."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from attrs import evolve

from measurand.display.terminal import terminal_text
from measurand.intervals.reading import bounds, count, place, readings_data, readings_document
from measurand.intervals.ruler import PROVED, SCHANUEL, Certainty, Position
from measurand.scales import Reading, interval, readings


def interval_text(read, **options):
    return terminal_text(readings_document(read), **options)


def read_with(position: Position):
    """Return the readings of one run that stands at a position."""
    read = readings(interval("Q@3"), [(1, 0, 0)])
    return evolve(read, runs=(Reading((1, 0, 0), Fraction(1, 3), position, position.rank),))


@pytest.mark.parametrize(
    ("assumption", "words"),
    [
        (PROVED, "Assumed: linear independence of inverse logarithms, which is proved for this depth."),
        (
            SCHANUEL,
            "Assumed: linear independence of inverse logarithms, which is not proved (it follows from Schanuel's",
        ),
        ("pigs can fly", "Assumed: pigs can fly."),
    ],
)
def test_the_assumption_is_told_in_words(assumption, words):
    read = read_with(Position.at(3, 7, assumption))
    assert words in interval_text(read)
    assert readings_data(read)["runs"][0]["assumption"] == assumption


def test_an_assumption_is_told_once_and_none_not_at_all():
    assert "Assumed" not in interval_text(readings(interval("Q@3"), [(1, 0, 0), (0, 1, 0)]))
    read = readings(interval("DCG@5"), [(1, 0, 0, 0, 0), (0, 1, 0, 0, 0)])
    assert interval_text(read).count("Assumed: linear independence") == 1


def test_an_estimate_says_how_sure_it_is():
    read = read_with(Position(low=Fraction(1, 4), high=Fraction(1, 2), how=Certainty.ESTIMATED))
    text = interval_text(read)
    assert "0.25 to 0.5" in text
    assert "0.375" in text
    assert "estimated, 95 % sure" in text
    one = readings_data(read)["runs"][0]
    assert (one["rank"], one["low"], one["high"], one["position"], one["how"]) == (None, 0.25, 0.5, 0.375, "estimated")


def test_exact_positions_need_no_bounds():
    assert "bounds" not in interval_text(read_with(Position.at(3, 7)))
    assert "bounds" in interval_text(read_with(Position.between(3, 4, 7)))


def test_a_size_that_is_not_known_is_told():
    read = evolve(readings(interval("Q@3"), [(1, 0, 0)]), size=None)
    assert "The number of different values is not known on 8 runs of 3 ranks and 2 grades." in interval_text(read)
    assert readings_data(read)["size"] is None


def test_one_value_and_one_rank_are_singular():
    assert "1 value on 2 runs of 1 rank and 2 grades." in interval_text(readings(interval("NumQ@1")))


@pytest.mark.parametrize("width", [30, 50, 80, 100])
def test_the_text_fits_the_width(width):
    read = readings(interval("Q@12"), [(1, 0) * 6, (1,) * 12])
    lines = interval_text(read, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)


def test_colour_is_asked_for():
    read = readings(interval("Q@3"), [(1, 0, 0)])
    assert "\x1b[" in interval_text(read, colour=True)
    assert "\x1b[" not in interval_text(read)


def test_data_are_json_whatever_the_size():
    huge = 10**5000
    read = read_with(Position.at(3, huge))
    found = json.loads(json.dumps(readings_data(evolve(read, size=huge, total=huge)), allow_nan=False))
    assert (found["size"], found["total"]) == (None, None)
    one = found["runs"][0]
    assert one["rank"] == 3
    assert one["position"] == 0
    assert one["log10"] == pytest.approx(-4999.69897)
    assert "2.0e-5000" in interval_text(read)


def test_values_beyond_the_floats_have_no_number_in_data():
    read = readings(interval(lambda run: 10**400 * sum(run), depth=2), [(1, 0)])
    assert readings_data(read)["runs"][0]["value"] is None
    assert "1.000e+400" in interval_text(read)


@pytest.mark.parametrize(
    ("whole", "text"),
    [(0, "0"), (1234, "1,234"), (Fraction(7, 2), "3.5"), (10**15 - 1, "999,999,999,999,999"), (10**15, "1.00e+15")],
)
def test_counts_are_readable(whole, text):
    assert count(whole) == text


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (Position.at(1, 7), "0"),
        (Position.at(7, 7), "1"),
        (Position.at(2, 10**5), "1.0e-5"),
        (Position.at(3, 10**300), "2.0e-300"),
        (Position.between(2, 4, 21), "0.1"),
    ],
)
def test_positions_are_readable(position, text):
    assert place(position) == text


def test_bounds_can_be_told_apart():
    for low, high, size in (
        (2, 3, 10**6),
        (500_000, 500_001, 10**6),
        (1, 2, 10**400),
        (7 * 10**8, 7 * 10**8 + 1, 10**9),
    ):
        one, other = bounds(Position.between(low, high, size)).split(" to ")
        assert float(one) < float(other) or size == 10**400
        assert one != other
