"""Every option that takes a number has a range: beyond it stands one line, and nothing hangs or falls over."""

from __future__ import annotations

from itertools import cycle

import click
import pytest

from measurand.cli.main import COMMANDS, program
from measurand.cli.numbers import Alpha, Grade, Whole

GIANTS = (2**63, 10**400, -1, 0, "nan", "inf", "1e-999999999", "1" * 5000, "²")

BASE = {
    "compare": ["qrels", "alpha.run", "beta.run", "-m", "AP"],
    "esl": ["qrels", "alpha.run"],
    "evaluate": ["qrels", "alpha.run", "-m", "AP"],
    "explain": ["0.5", "qrels", "alpha.run", "-m", "AP"],
    "fuse": ["alpha.run", "beta.run"],
    "gate": ["qrels", "alpha.run", "beta.run", "-m", "AP"],
    "interval": ["P@3", "1,0,1"],
    "learn": ["statements"],
    "meaning": ["qrels", "alpha.run", "beta.run", "-m", "AP", "-s", "mean of alpha exceeds mean of beta"],
    "measure": ["P"],
    "order": ["1,0", "0,1"],
    "portfolio": ["qrels", "alpha.run", "beta.run", "-m", "P@2"],
    "reproduce": ["br1988", "--only", "nothing"],
    "report": ["qrels", "alpha.run", "beta.run", "-o", "page.html"],
    "simulate": ["qrels", "alpha.run", "beta.run", "-m", "P@2"],
    "unanimity": ["qrels", "alpha.run", "beta.run", "-m", "P@2"],
}
"""Calls that are right but for the option to be tried."""

TEXTS = {
    "fuse": ("-k", "--weight"),
    "gate": ("--max-drop", "--broken"),
    "interval": ("--depth", "--max-seconds", "--max-memory"),
    "measure": ("--qmin", "--qmax"),
    "simulate": ("--effects",),
}
"""Options that are texts with numbers in them."""


LONG = ("compare", "report", "simulate", "portfolio", "unanimity")
"""Commands that take their time where a number is right."""


def numbers_of(name: str) -> list[str]:
    """Return the options of a command that take numbers."""
    command = program.get_command(click.Context(program), name)
    kinds = (Whole, Alpha, Grade, click.types.IntParamType, click.types.FloatParamType)
    return [each.opts[-1] for each in command.params if isinstance(each.type, kinds)] + [*TEXTS.get(name, ())]


def test_every_number_on_the_command_line_has_a_range_that_help_shows():
    context = click.Context(program)
    options = [each for name in COMMANDS for each in program.get_command(context, name).params]
    plain = [each.opts for each in options if isinstance(each.type, click.types._NumberParamTypeBase)]
    unbounded = [each for each in options if isinstance(each.type, click.IntRange | click.FloatRange)]
    assert [each.opts for each in unbounded if not isinstance(each.type, Whole | Alpha)] == []
    assert len(plain) == len(unbounded) > 40
    assert "1<=x<=10^12" in program.get_command(context, "evaluate").get_help(context)


def test_beyond_its_range_a_number_is_refused_in_one_line(small, call):
    (small / "statements").write_text("1,0 > 0,1\n1,1 > 1,0\n")
    assert set(BASE) >= {name for name in COMMANDS if numbers_of(name)}
    giants = cycle(GIANTS)
    for name, arguments in BASE.items():
        for option in numbers_of(name):
            # each option with four of them: the fuzz targets try all
            for giant in (next(giants) for _ in range(4)):
                if giant == 0 or (name in LONG and giant not in ("nan", -1)):
                    continue
                given = f"{option}={giant}" if option.startswith("--") else f"{option}{giant}"
                outcome = call(name, *arguments, given)
                said = outcome.err.splitlines()
                assert outcome.code in (0, 1, 2), (name, given[:60], outcome)
                assert outcome.code == 0 or len(said) == 1, (name, given[:60], outcome)
                assert outcome.code == 0 or len(said[0]) < 700, (name, given[:60], outcome)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            "evaluate qrels alpha.run -M 100000000000",
            "100,000,000,000 ranks for each of 3 rankings would take about 3 TB",
        ),
        ("interval P 1,0 -d 1000000000000", "too long for a scale; ask for 5,000 at most"),
        ("measure interval(AP@1000000)", "too long for a scale; ask for 5,000 at most"),
        ("order --hasse -d 1000000000000 -g 2", "depth must be a whole number from 1 to 1,000,000, not 1000000000000"),
        ("measure AP --recall-base 100000000000", "recall_base must be a whole number from 1 to 1,000,000"),
        ("measure math:fsum -d 5000 -g 128", "no measure"),
        ("measure --function math:fsum -d 5000 -g 128", "too many to look at; ask for fewer ranks or grades"),
        ("measure --function math:fsum -d 1000000000000", "too long to look at; ask for 5,000 at most"),
        ("compare qrels alpha.run beta.run --alpha 1e-13", "1e-13 is not in the range 1e-12<=x<1"),
        ("evaluate qrels alpha.run --workers 1000000000", "is not in the range 1<=x<=1024"),
        ("fuse alpha.run beta.run -w 1e400 -w 1", "weight a number of 401 digits must be 0, or from 1e-20"),
    ],
)
def test_what_would_never_end_or_not_fit_is_refused_before_it_begins(small, call, arguments, complaint):
    outcome = call(*arguments.split())
    assert outcome.code in (1, 2)
    assert complaint in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_settings_and_functions_in_files_that_cannot_be_read_are_told_in_one_line(small, call):
    (small / "digits.toml").write_text(f"[gate]\nmax-drop = 1{'0' * 5000}\n")
    (small / "nested.toml").write_text(f"a = {'[' * 5000}{']' * 5000}\n")
    (small / "fatal.py").write_text("class Fatal(BaseException): ...\nraise Fatal('no')\n")
    calls = [("gate", "qrels", "alpha.run", "beta.run", "--config", f"{name}.toml") for name in ("digits", "nested")]
    for arguments in (*calls, ("measure", "--function", "fatal.py:mine")):
        outcome = call(*arguments)
        assert (outcome.code, len(outcome.err.splitlines())) == (1, 1)
