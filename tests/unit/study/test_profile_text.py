"""Profiles as text for people."""

from __future__ import annotations

from fractions import Fraction

import pytest
from rich.cells import cell_len
from rich.text import Text

from measurand.axioms import AXIOMS
from measurand.display.terminal import terminal_text
from measurand.exact import with_fraction
from measurand.measures import catalogue, define
from measurand.study.profile import profile
from measurand.verdict import How, strip


def profile_text(found, **options):
    return terminal_text(found.document(), **options)


ESCAPE = "\x1b["


def flowing(text: str) -> str:
    """Return a text without its line breaks and columns."""
    return " ".join(text.split())


@pytest.mark.parametrize(("depth", "grades"), [(5, 2), (4, 3)])
def test_the_text_of_every_measure_tells_every_statement_in_a_hundred_columns(profile_of, depth, grades, naming):
    for name in catalogue():
        with naming(name):
            found = profile_of(name, depth, grades)
            text = profile_text(found)
            assert text.startswith(repr(found.measure))
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert ESCAPE not in text
            for line in text.splitlines():
                assert cell_len(line) <= 100
                assert line == line.rstrip()
            told = flowing(text)
            for statement, sentence in AXIOMS.items():
                assert flowing(f"{statement.replace('_', ' ')} {sentence}") in told
            for order in found.valuations:
                assert f" {order} its values on " in told
            told_of_steps = told.partition("Interval scale of an order")[2]
            for order, verdict in found.steps.items():
                why = "every step up in the order" if verdict else flowing(str(verdict.witness))
                assert f" {order} {why}" in told_of_steps
            verdicts = [*found.axioms.values(), *found.valuations.values(), *found.steps.values()]
            assert text.count("✓") == sum(map(bool, verdicts))
            undecided = sum(verdict.how is How.FAILED for verdict in verdicts)
            assert text.count("✗") == len(verdicts) - text.count("✓") - undecided
            assert flowing(found.definition) in told
            size = (
                f"{found.image.size} values"
                if found.image.size > 1
                else f"one value, {with_fraction(found.image.lowest)},"
            )
            assert f"{size} on {grades**depth} runs" in told
            kept = found.axioms["is_measurement"].order and found.image.size > 1
            assert (flowing(found.balance.reading) in told) is bool(kept)


@pytest.mark.parametrize("name", ["AP", "ERR", "NumQ", "P"])
def test_colours_come_when_asked_for_and_change_no_word(profile_of, name):
    found = profile_of(name)
    coloured = profile_text(found, colour=True)
    assert ESCAPE in coloured
    plain = "\n".join(line.rstrip() for line in Text.from_ansi(coloured).plain.splitlines())
    assert plain.strip() == profile_text(found).strip()


def test_colours_do_not_depend_on_the_surroundings(profile_of, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert ESCAPE not in profile_text(profile_of("P"))
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE in profile_text(profile_of("P"), colour=True)


def test_a_terminal_that_says_its_width_does_not_change_the_text(profile_of, monkeypatch):
    wide = profile_text(profile_of("P"))
    monkeypatch.setenv("COLUMNS", "40")
    assert profile_text(profile_of("P")) == wide


@pytest.mark.parametrize("width", [60, 80, 140])
def test_a_width_is_kept(profile_of, width):
    text = profile_text(profile_of("ERR"), width=width)
    assert max(map(cell_len, text.splitlines())) <= width


def test_the_runs_that_break_a_property_stand_with_their_values():
    text = profile_text(profile(lambda run: sum(rank * g for rank, g in enumerate(run, 1)), depth=3))
    lines = [flowing(line) for line in text.splitlines()]
    first = lines.index("moving the better document up lowers the value")
    assert lines[first + 1 : first + 3] == ["0 1 0 2", "1 0 0 1"]


def test_unequal_steps_are_told(profile_of):
    assert "unequal, so ordinal at most: step 1 is 0.25, step 2 is 0.08333" in profile_text(profile_of("RR"))
    assert "equal: on these runs" in profile_text(profile_of("P"))


def test_a_function_that_is_no_measure_is_told_with_the_run():
    text = profile_text(profile(lambda run: None, depth=3))
    assert "function answered None on (0, 0, 0), which is no finite number" in flowing(text)
    assert text.count("✗") == 1
    assert "✓" not in text


def test_a_function_for_one_length_alone_is_told_where_it_failed():
    text = flowing(profile_text(profile(lambda run: {5: sum(run)}[len(run)], depth=5)))
    assert "failed with KeyError" in text
    assert " ranks 5 index 5 Valuation ✓ swap " in text


@pytest.mark.parametrize("doc", ["Gain in [0, 1].", "Gain [bold]of[/bold] a run.", "Gain [/b] of a run."])
def test_brackets_in_what_a_function_says_of_itself_are_no_markup(doc):
    def gain(run):
        return sum(run)

    gain.__doc__ = doc
    assert f"\n{doc}\n" in profile_text(profile(gain, depth=2))


def test_brackets_in_facts_are_no_markup():
    made = define(sum, name="Gain", graded=True, exactness="to [/b] of a digit")
    assert "to [/b] of a digit" in profile_text(profile(made, depth=2))


def test_answers_beyond_the_floats_have_a_text():
    assert "well defined" in profile_text(profile(lambda run: 10**400 * sum(run), depth=3))


@pytest.mark.parametrize(
    ("run", "shown"),
    [((), "nothing"), ((1, 0, 2), " 1  0  2 "), ((0,) * 24, " 0 " * 24), ((0,) * 25, " 25×0 "), ((7,), " 7 ")],
)
def test_runs_are_strips_of_grades(run, shown):
    assert str(strip(run)) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0", "0"), ("-3", "-3"), ("1/3", "1/3 = 0.3333"), ("1/1001", "0.000999"), ("-1/2", "-1/2 = -0.5")],
)
def test_numbers_are_short(value, shown):
    assert with_fraction(Fraction(value)) == shown
