"""`measurand measure`: profiles of measures and of functions, on the command line."""

from __future__ import annotations

import json
import sys
from textwrap import dedent

import pytest

from measurand.axioms import AXIOMS
from measurand.display.terminal import terminal_text
from measurand.study.profile import profile


def profile_text(found, **options):
    return terminal_text(found.document(), **options)


SHALLOW = ("-d", "3")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a working directory of its own; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    before = set(sys.modules)
    yield tmp_path
    assert not list(tmp_path.rglob("__pycache__")), "something was written beside the user's files"
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def module(folder):
    """Return a way to write a module into the working directory."""

    def write(name, text):
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
        return path

    return write


GAIN = """
    from fractions import Fraction

    def gain(run):
        "The grades, summed."
        return Fraction(sum(run))

    def share(run, recall_base):
        return Fraction(sum(run), recall_base)

    def third(run):
        return sum(run) + sum(run[2:3])

    class Scores:
        @staticmethod
        def total(run):
            return sum(run)

    LIMIT = 10
"""


def refused(outcome) -> str:
    """Return the complaint of a call that was wrong: one line on the error stream, and nothing else."""
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("measurand: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.endswith("\n")
    return outcome.err.removeprefix("measurand: ").rstrip("\n")


# Measures.


def test_a_graded_measure_with_a_cutoff(call):
    outcome = call("measure", "ERR@10", "--grades", 4)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == profile_text(profile("ERR@10", depth=10, grades=4))
    assert outcome.out.startswith("ERR@10")
    told = " ".join(outcome.out.split())
    for sentence in AXIOMS.values():
        assert sentence in told
    assert "10 ranks and 4 grades" in told
    assert "\x1b" not in outcome.out


def test_the_options_reach_the_profile(call):
    out = call("measure", "R", "-d", 4, "-g", 3, "--recall-base", 8, "--collection", 50, "-f", "json").out
    data = json.loads(out)
    assert (data["depth"], data["grades"], data["recall_base"], data["collection"]) == (4, 3, 8, 50)
    assert data["image"]["highest"]["exact"] == "1/2"


def test_the_defaults_are_ten_ranks_and_two_grades(call):
    data = json.loads(call("measure", "P", "-f", "json").out)
    assert (data["depth"], data["grades"], data["recall_base"], data["collection"]) == (10, 2, 10, None)


@pytest.mark.parametrize("spelling", ["AP", "P", "nDCG(b=2)@3", "recip_rank", "gP(gain={1: 1, 2: 3})"])
def test_programs_get_json(call, spelling):
    outcome = call("measure", spelling, *SHALLOW, "-g", 3, "-f", "json")
    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out) == json.loads(json.dumps(profile(spelling, 3, 3).to_dict()))
    assert list(json.loads(outcome.out)["axioms"]) == list(AXIOMS)


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_profile_may_be_written_to_a_file(call, folder, form):
    printed = call("measure", "P", *SHALLOW, "-f", form).out
    outcome = call("measure", "P", *SHALLOW, "-f", form, "-o", "profile.txt")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert (folder / "profile.txt").read_text() == printed
    assert [path.name for path in folder.iterdir()] == ["profile.txt"]


# Figures.


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.json", b"{"), ("a.SVG", b"<svg")]
)
def test_a_figure_is_drawn_beside_the_text(call, folder, name, start):
    outcome = call("measure", "RR", *SHALLOW, "--figure", name)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == call("measure", "RR", *SHALLOW).out
    assert (folder / name).read_bytes().startswith(start)
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("name", ["a.pdf", "a", "a.svg.gz"])
def test_a_figure_of_another_kind_is_refused_before_anything_is_written(call, folder, name):
    complaint = refused(call("measure", "RR", *SHALLOW, "--figure", name, "-o", "profile.txt"))
    assert complaint == f"{name}: the name of a figure ends in .svg, .png, .html, .json"
    assert list(folder.iterdir()) == []


def test_a_figure_that_cannot_be_written_is_told(call, folder):
    assert "nowhere/a.svg" in refused(call("measure", "RR", *SHALLOW, "--figure", "nowhere/a.svg"))
    assert list(folder.iterdir()) == []


def test_a_file_that_cannot_be_written_is_told(call, folder):
    assert "nowhere/a.txt" in refused(call("measure", "RR", *SHALLOW, "-o", "nowhere/a.txt"))


def test_a_measure_without_any_balancing_index_has_a_figure(call, folder):
    assert call("measure", "ERR", *SHALLOW, "-g", 4, "--figure", "err.svg").code == 0
    assert "none: a run full of grade 1" in (folder / "err.svg").read_text()


def test_a_function_that_is_no_measure_has_no_figure_but_a_profile(call, folder, module):
    module("bad", "def bad(run): return None")
    outcome = call("measure", "--function", "bad:bad", *SHALLOW, "--figure", "bad.svg")
    assert outcome.code == 0
    assert "answered None" in outcome.out
    assert "bad.svg" in outcome.err
    assert not (folder / "bad.svg").exists()


# Functions.


@pytest.mark.parametrize("where", ["mine_beside", "mine_beside.py", "./mine_beside.py"])
def test_a_function_in_the_working_directory(call, module, where):
    module("mine_beside", GAIN)
    outcome = call("measure", "--function", f"{where}:gain", *SHALLOW)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("gain\nThe grades, summed.\n")


def test_a_function_in_a_file_elsewhere(call, module):
    path = module("inner/mine_elsewhere", GAIN)
    for where in (path, "inner/mine_elsewhere.py"):
        assert call("measure", "--function", f"{where}:gain", *SHALLOW).out.startswith("gain\n")


def test_a_function_in_a_package(call, module):
    module("packed/__init__", "")
    module("packed/mine", GAIN)
    assert call("measure", "--function", "packed.mine:gain", *SHALLOW).out.startswith("gain\n")


def test_a_function_inside_a_class(call, module):
    module("mine_nested", GAIN)
    assert call("measure", "--function", "mine_nested:Scores.total", *SHALLOW).out.startswith("total\n")


def test_a_function_of_the_standard_library(call):
    outcome = call("measure", "--function", "math:fsum", *SHALLOW)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("fsum\n")


def test_a_function_may_ask_for_the_recall_base(call, module):
    module("mine_base", GAIN)
    out = call("measure", "--function", "mine_base:share", *SHALLOW, "--recall-base", 6, "-f", "json").out
    assert json.loads(out)["image"]["highest"]["exact"] == "1/2"


def test_a_function_with_a_fault_is_told_with_the_runs_that_show_it(call, module):
    module("mine_third", GAIN)
    data = json.loads(call("measure", "--function", "mine_third:third", "-d", 4, "-f", "json").out)
    swap = data["axioms"]["swap"]
    assert not swap["holds"]
    assert swap["witness"]["runs"][0] == [0, 0, 1, 0]
    assert [value["exact"] for value in swap["witness"]["values"]] == ["2", "1"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise ValueError('first\\nsecond')", r"failed with ValueError('first\nsecond')"),
        ("return float('nan')", "answered nan"),
        ("return 'high'", "answered 'high'"),
        ("return 1 / sum(run)", "failed with ZeroDivisionError"),
    ],
)
def test_a_function_that_is_no_measure_is_told_and_the_call_succeeds(call, module, body, told):
    module("mine_bad", f"def bad(run): {body}")
    outcome = call("measure", "--function", "mine_bad.py:bad", *SHALLOW)
    assert (outcome.code, outcome.err) == (0, "")
    assert told in " ".join(outcome.out.split())


def test_a_function_that_answers_beyond_the_floats_is_told(call, module):
    module("mine_big", "def big(run): return 10**400 * sum(run)")
    for form in ("table", "json"):
        assert call("measure", "--function", "mine_big.py:big", *SHALLOW, "-f", form).code == 0


def test_a_function_that_ends_the_program_is_told(call, module):
    module("mine_exit", "import sys\ndef leave(run): sys.exit(4)")
    outcome = call("measure", "--function", "mine_exit.py:leave", *SHALLOW)
    assert outcome.code != 4
    assert "SystemExit" in outcome.out + outcome.err


@pytest.mark.parametrize("where", ["mine_data", "mine_data.py"])
def test_a_file_may_hold_a_data_class(call, module, where):
    text = """
        from __future__ import annotations
        from dataclasses import dataclass

        @dataclass
        class Weight:
            p: float = 0.5

        def weighted(run):
            return Weight().p * sum(run)
    """
    module("mine_data", text)
    outcome = call("measure", "--function", f"{where}:weighted", *SHALLOW)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("where", ["mine_visiting", "mine_visiting.py", "./mine_visiting.py"])
def test_a_file_may_import_its_neighbours(call, module, where):
    module("neighbour", GAIN)
    module("mine_visiting", "from neighbour import gain")
    outcome = call("measure", "--function", f"{where}:gain", *SHALLOW)
    assert (outcome.code, outcome.err) == (0, "")


# What is refused.


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nowhere_to_be_found:gain", "nowhere_to_be_found cannot be imported: ModuleNotFoundError"),
        ("nowhere.py:gain", "there is no file nowhere.py"),
        ("mine_refused:missing", "mine_refused has no 'missing'; it has"),
        ("mine_refused.py:missing", "mine_refused.py has no 'missing'; it has"),
        ("mine_refused:LIMIT", "mine_refused:LIMIT is no function but int"),
        ("mine_refused:Scores.LIMIT", "mine_refused has no 'Scores.LIMIT'"),
        ("mine_refused", "names no function; write it like mymodule:myfunction or file.py:myfunction"),
        ("mine_refused:", "names no function"),
        (":gain", "names no function"),
        ("", "names no function"),
        (":", "names no function"),
    ],
)
def test_a_function_that_is_not_there_is_refused(call, module, name, complaint):
    module("mine_refused", GAIN)
    assert complaint in refused(call("measure", "--function", name, *SHALLOW))


@pytest.mark.parametrize("ending", ["", ".py"])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def gain(run)\n    return 1\n", "SyntaxError: expected ':' (mine_broken.py, line 1)"),
        ("  x = 1\n y = 2\n", "IndentationError"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import nowhere_to_be_found", "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("raise ValueError('first\\nsecond')", "ValueError: first"),
        ("raise RuntimeError", "RuntimeError"),
        ("import sys\nsys.exit(3)", "SystemExit"),
    ],
)
def test_a_module_that_cannot_be_imported_is_refused(call, folder, text, complaint, ending):
    (folder / "mine_broken.py").write_text(text)
    told = refused(call("measure", "--function", f"mine_broken{ending}:gain", *SHALLOW))
    assert f"mine_broken{ending} cannot be imported: " in told
    assert complaint in told


def test_a_file_that_is_no_python_is_refused(call, folder):
    (folder / "mine_bytes.py").write_bytes(b"\xff\xfe\x00")
    assert "mine_bytes.py cannot be imported" in refused(call("measure", "--function", "mine_bytes.py:f"))


@pytest.mark.parametrize("arguments", [(), ("AP", "--function", "math:fsum"), ("-f", "json")])
def test_one_of_a_measure_and_a_function_is_wanted(call, arguments):
    outcome = call("measure", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert "Name a MEASURE or a --function module:name, one of the two." in outcome.err


@pytest.mark.parametrize(
    ("spelling", "complaint"),
    [
        ("nDGC@10", "there is no measure called 'nDGC'; did you mean "),
        ("nothing", "there is no measure called 'nothing'"),
        ("", "'' is no measure"),
        ("P@0", "cutoff must be a whole number from 1 up"),
        ("AP(", "AP("),
        ("RBP(p=2)", "p"),
    ],
)
def test_a_measure_that_is_none_is_refused(call, folder, spelling, complaint):
    told = refused(call("measure", spelling, "-o", "profile.txt", "--figure", "a.svg"))
    assert complaint in told
    assert list(folder.iterdir()) == []


def test_more_relevant_documents_than_there_are_documents_are_refused(call):
    told = refused(call("measure", "AP", *SHALLOW, "--collection", 5, "--recall-base", 6))
    assert told == "a collection of 5 documents is too small for 6 relevant documents"


def test_a_small_collection_is_understood(call):
    outcome = call("measure", "AP", *SHALLOW, "--collection", 50)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("AP", "-d", "0"), "0 is not in the range"),
        (("AP", "-d", "many"), "'many' is not a valid integer"),
        (("AP", "-g", "1"), "1 is not in the range"),
        (("AP", "-g", "200"), "200 is not in the range"),
        (("AP", "--recall-base", "-1"), "-1 is not in the range"),
        (("AP", "--collection", "0"), "0 is not in the range"),
        (("AP", "-f", "xml"), "'xml' is not one of"),
        (("AP", "P"), "unexpected extra argument"),
        (("AP", "-o", "."), "is a directory"),
        (("AP", "--figure", "."), "is a directory"),
        (("AP", "--function"), "requires an argument"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_usage_error(call, folder, arguments, message):
    outcome = call("measure", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_what_a_module_prints_when_it_is_imported_does_not_spoil_the_data(call, folder):
    (folder / "mine_loud.py").write_text("print('hello')\ndef f(run):\n    print('hi')\n    return sum(run)\n")
    outcome = call("measure", "--function", "mine_loud.py:f", "-d", 2, "-f", "json")
    assert outcome.out.startswith("{")
    assert "hello" in outcome.err


def test_text_and_figure_do_not_go_into_one_file(call, folder):
    outcome = call("measure", "P", "-d", 2, "-o", "both.svg", "--figure", "both.svg")
    assert outcome.code == 2
    assert not (folder / "both.svg").exists()


def test_values_beyond_all_floats_are_shown(call, folder):
    (folder / "mine_huge.py").write_text(
        "def f(run):\n    return sum(10**400 * g * i * i for i, g in enumerate(run, 1))\n"
    )
    assert "e+400" in call("measure", "--function", "mine_huge.py:f", "-d", 3).out


def test_the_balance_is_shown_for_grades_that_are_real_numbers(call):
    balance = json.loads(call("measure", "gP", "-d", 3, "--qmin", "0.3", "--qmax", "1", "-f", "json").out)["balance"]
    assert (balance["qmin"], balance["qmax"]) == ("3/10", 1)
    assert dict(balance["points"])[20] == 17
    refused = call("measure", "AP", "-d", 3, "--qmin", "0.3", "--qmax", "0.9")
    assert (refused.code, refused.out) == (1, "")
    assert "AP counts no grade below 1" in refused.err
