"""The front door: help, version, and calls that make no sense."""

from __future__ import annotations

import re

import click
import pytest

import measurand
from measurand import native
from measurand.cli.input_format import FilePath
from measurand.cli.main import COMMANDS, program


@pytest.mark.parametrize(("module", "said"), [(None, "without"), (pytest, "with")])
def test_the_version_is_that_of_the_package_and_says_whether_the_module_in_c_is_there(call, monkeypatch, module, said):
    monkeypatch.setattr(native, "_found", module)
    outcome = call("--version")
    expected = f"measurand {measurand.__version__} ({said} the C module)\n"
    assert (outcome.code, outcome.out, outcome.err) == (0, expected, "")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_every_command_with_what_it_does(call, flag):
    outcome = call(flag)
    assert (outcome.code, outcome.err) == (0, "")
    for name, what in COMMANDS.items():
        assert re.search(rf"^  {name}\s+{re.escape(what)}$", outcome.out, re.MULTILINE)


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(call, command, flag):
    outcome = call(command, flag)
    assert (outcome.code, outcome.err) == (0, "")
    assert re.match(rf"Usage: .* {command} ", outcome.out)
    assert len(outcome.out.splitlines()) > 3


def test_evaluate_explains_all_its_options(call):
    out = call("evaluate", "-h").out
    for option in ("-m", "-q", "-n", "-f", "-c", "-l", "-M", "-J", "-p", "-o"):
        assert re.search(rf"^  {option}, --\w", out, re.MULTILINE), option
    for option in ("--missing-topics", "--ties", "--precision", "--names", "--strict"):
        assert re.search(rf"^  {option}\b", out, re.MULTILINE), option


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Usage:"),
        (("nope",), "No such command 'nope'; there is cite, compare, "),
        (("evalute",), "measurand: No such command 'evalute'; did you mean evaluate?"),
        (("compare", "qrels", "alpha.run", "--ajust", "holm"), "No such option --ajust; did you mean --adjust?"),
        (("--nope",), "No such option"),
        (("evaluate",), "Missing argument 'QRELS'"),
        (("evaluate", "qrels"), "Missing argument 'RUN...'"),
        (("evaluate", "qrels", "alpha.run", "--nope"), "No such option"),
        (("evaluate", "qrels", "alpha.run", "-f", "xml"), "'xml' is not one of"),
        (("evaluate", "qrels", "alpha.run", "--ties", "groups"), "'groups' is not one of"),
        (("evaluate", "qrels", "alpha.run", "--precision", "half"), "'half' is not one of"),
        (("evaluate", "qrels", "alpha.run", "--missing-topics", "guess"), "'guess' is not one of"),
        (("evaluate", "qrels", "alpha.run", "--names", "path"), "'path' is not one of"),
        (("evaluate", "qrels", "alpha.run", "-M", "0"), "0 is not in the range"),
        (("evaluate", "qrels", "alpha.run", "-l", "high"), "'high' is no grade above 0"),
        (("evaluate", "qrels", "alpha.run", "-p", "18"), "18 is not in the range"),
        (("evaluate", "qrels", "alpha.run", "-o", "."), "is a directory"),
        (("evaluate", "qrels", "alpha.run", "-m"), "requires an argument"),
        (("cite",), "Missing argument 'THING...'"),
        (("measures", "-f", "xml"), "'xml' is not one of"),
        (("demo", "more"), "unexpected extra argument"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_usage_error(small, call, arguments, message):
    outcome = call(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not arguments or len(outcome.err.splitlines()) == 1


def test_an_interrupted_call_says_so(small, call, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("measurand.cli.options.judge_files", interrupt)
    outcome = call("evaluate", "qrels", "alpha.run", "-o", "out")
    assert (outcome.code, outcome.out) == (130, "")
    assert "measurand: interrupted; nothing was written" in outcome.err
    assert not (small / "out").exists()


@pytest.mark.parametrize(("command", "file"), [("evaluate", True), ("compare", True), ("report", False)])
def test_the_help_on_ties_explains_each_choice_and_names_the_measures_that_are_defined_on_them(command, file, call):
    told = " ".join(call(command, "--help").out.split()).partition("--ties [")[2]
    choices, told = told.partition("]")[0].split("|"), told.partition("]")[2].partition("on ties.")[0]
    assert choices == ["trec", *(["file"] if file else []), "expected", "min", "max"]
    for choice in choices:
        assert re.search(rf"\b{choice} \(|\({choice}\)", told)
    assert "trec, except for ESL, ESLR and OIE, which are defined" in told


def test_an_empty_path_is_refused_by_every_option_that_takes_one(call):
    context, seen = click.Context(program), 0
    for name in COMMANDS:
        for option in program.get_command(context, name).params:
            is_path = isinstance(option.type, click.Path)
            assert is_path or option.name not in ("output", "store", "against", "reference", "plot", "figure"), option
            if is_path:
                assert isinstance(option.type, FilePath)
                with pytest.raises(measurand.ParameterError, match="an empty path names no file"):
                    option.type.convert("", option, context)
                seen += 1
    assert seen > 20
    outcome = call("evaluate", "q", "r", "-m", "AP", "-o", "")
    assert (outcome.code, outcome.out) == (1, "")
    assert len(outcome.err.splitlines()) == 1


def test_links_that_go_round_in_a_circle_are_refused_as_outputs(small, call):
    (small / "round").symlink_to("round")
    for arguments in (
        ("evaluate", "qrels", "alpha.run", "-o", "round"),
        ("evaluate", "qrels", ".", "-o", "round"),
        ("report", "qrels", "alpha.run", "--data", "-o", "round"),
        ("interval", "P@2", "--plot", "a.svg", "-o", "round"),
    ):
        outcome = call(*arguments)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.splitlines()[-1].startswith(("measurand: round: cannot be written", "measurand: ./qrels"))
