"""Settings of `measurand gate` in files: where they are found, that the command line wins, and what is refused."""

from __future__ import annotations

import json

import pytest

QRELS = "".join(f"{t} 0 d 1\n" for t in range(4))
OLD = "".join(f"{t} Q0 d 1 1.0 old\n" for t in range(4))
NEW = "".join(f"{t} Q0 x 1 2.0 new\n{t} Q0 d 2 1.0 new\n" for t in range(4))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return the root of a repository; the working directory is two folders below."""
    below = tmp_path / "root" / "jobs" / "nightly"
    below.mkdir(parents=True)
    (tmp_path / "root" / ".git").mkdir()
    for name, text in (("qrels", QRELS), ("old", OLD), ("new", NEW)):
        (below / name).write_text(text)
    monkeypatch.chdir(below)
    return tmp_path / "root"


def settings(call, *options):
    outcome = call("gate", "qrels", "old", "new", "-f", "json", *options)
    assert outcome.code in (0, 3), outcome.err
    return json.loads(outcome.out)


def limits(found):
    return {each["measure"]: each["max_drop"] for each in found["measures"]}


def test_settings_are_found_above_up_to_the_root_of_the_repository(project, call):
    (project.parent / "measurand.toml").write_text("[gate]\nmeasures = 'AP'\n")
    assert limits(settings(call)) == {"nDCG@10": 0.01}
    (project / "measurand.toml").write_text("[gate]\nmeasures = ['RR', 'P@1']\nmax-drop = 0.05\nalpha = 0.1\n")
    found = settings(call)
    assert (limits(found), found["alpha"]) == ({"RR": 0.05, "P@1": 0.05}, 0.1)
    (project / "jobs" / "measurand.toml").write_text("[gate]\nmeasures = 'P@1'\n")
    assert limits(settings(call)) == {"P@1": 0.01}


def test_settings_stand_in_pyproject_as_well(project, call):
    (project / "pyproject.toml").write_text(
        "[project]\nname = 'x'\n[tool.measurand.gate]\nmeasure = 'RR'\nmax_broken = 1\n"
    )
    found = settings(call)
    assert (limits(found), found["max_broken"], found["outcome"]) == ({"RR": 0.01}, 1, "fail")
    (project / "measurand.toml").write_text("[gate]\nmeasure = 'P@1'\n")
    assert limits(settings(call)) == {"P@1": 0.01}


def test_a_pyproject_of_others_is_passed_over(project, call):
    (project / "jobs" / "pyproject.toml").write_text("[tool.ruff]\nline-length = 120\n")
    (project / "measurand.toml").write_text("[gate]\nmeasure = 'RR'\n")
    assert limits(settings(call)) == {"RR": 0.01}


def test_the_command_line_wins(project, call):
    (project / "measurand.toml").write_text(
        "[gate]\nmeasures = ['RR', 'AP']\nmax-drop = 0.05\nfail-on-drop = true\nmax-broken = 9\nformat = 'junit'\n"
    )
    found = settings(call, "-m", "P@1", "--max-drop", "0.2", "--max-broken", "3")
    assert (limits(found), found["max_broken"], found["fail_on_drop"]) == ({"P@1": 0.2}, 3, True)


@pytest.mark.parametrize("flag", ["fail-on-drop", "fail-undecided"])
def test_the_command_line_undoes_what_is_true_in_a_file(project, call, flag):
    (project / "measurand.toml").write_text(f"[gate]\nmeasures = 'RR'\n{flag} = true\nmax-drop = 0.9\nmax-broken = 4\n")
    key = flag.replace("-", "_")
    assert settings(call, "--max-broken", "0")[key] is True
    assert settings(call, "--max-broken", "0", f"--no-{flag}")[key] is False
    (project / "measurand.toml").write_text(f"[gate]\n{flag} = false\n")
    assert settings(call, "--max-broken", "0", f"--{flag}")[key] is True
    assert settings(call)[key] is False


def test_a_file_can_be_named_and_the_note_says_which_was_read(project, call):
    (project / "measurand.toml").write_text("[gate]\nmeasure = 'RR'\n")
    (project / "other.toml").write_text("[gate]\nmeasure = 'P@1'\n")
    outcome = call("gate", "qrels", "old", "new", "-f", "json", "--config", project / "other.toml")
    assert limits(json.loads(outcome.out)) == {"P@1": 0.01}
    assert outcome.err == f"note: settings from {project / 'other.toml'}\n"


def test_limits_by_measure_are_a_table(project, call):
    (project / "measurand.toml").write_text(
        '[gate]\nmeasures = ["nDCG@10", "RR"]\nmax-drop = {"nDCG@10" = 0.02, RR = 0}\nbroken = [0.5, "RR=0.1"]\n'
    )
    found = settings(call)
    assert limits(found) == {"nDCG@10": 0.02, "RR": 0.0}
    assert [each["broken_drop"] for each in found["measures"]] == [0.5, 0.1]


def test_files_are_named_as_seen_from_the_settings(project, call):
    (project / "queries.tsv").write_text("0\tblue whales\n1\tx\n2\ty\n3\tz\n")
    (project / "measurand.toml").write_text("[gate]\nqueries = 'queries.tsv'\n")
    assert settings(call)["measures"][0]["broken"][0]["text"] == "blue whales"


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("[gate]\n\nmax-dorp = 0.1\n", 3, "gate has no setting 'max-dorp'; did you mean max-drop?"),
        ("[gate]\nblue = 1\n", 2, "gate has no setting 'blue'; it has alpha, broken, collection-size"),
        ("[gate]\noutput = 'x'\n", 2, "gate has no setting 'output'"),
        ("[gate]\nsave-baseline = 'x.csv'\n", 2, "gate has no setting 'save-baseline'"),
        ("[gate]\nconfig = 'x'\n", 2, "gate has no setting 'config'"),
        ("[gate]\nalpha = 0.7\n", 2, "alpha: 0.7 is not in the range 1e-12<=x<0.5"),
        ("[gate]\nalpha = '0.1'\n", 2, "alpha: '0.1' is no number"),
        ("[gate]\nalpha = [0.1]\n", 2, "alpha: a list is no number"),
        ("[gate]\nmax-broken = 1.5\n", 2, "max-broken: 1.5 is no whole number"),
        ("[gate]\nmax-broken = true\n", 2, "max-broken wants a value, not true"),
        ("[gate]\nfail-on-drop = 1\n", 2, "fail-on-drop is true or false, not 1"),
        ("[gate]\nformat = 'xml'\n", 2, "format: 'xml' is not one of"),
        ("[gate]\nties = 3\n", 2, "ties: 3 is no text"),
        ("[gate]\nmeasures = [true]\n", 2, "measures: true is neither a number nor a text"),
        ("[gate.max-drop]\nAP = [1]\n", 1, "max-drop: a list is neither a number nor a text"),
        ("[gat]\nalpha = 0.1\n", 1, "there is no table 'gat'; there is [gate]"),
        ("alpha = 0.1\n", 1, "there is no table 'alpha'; there is [gate]"),
        ("[gate\n", None, "is no TOML file"),
        ("[gate]\nmax-drop = 'little'\n", None, "--max-drop little: write a number from 0 up"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(project, call, text, line, complaint):
    path = project / "measurand.toml"
    path.write_text(text)
    outcome = call("gate", "qrels", "old", "new")
    assert (outcome.code, outcome.out) == (1, "")
    assert complaint in outcome.err
    assert len([each for each in outcome.err.splitlines() if not each.startswith("note: settings")]) == 1
    if line is not None:
        assert f"{path}:{line}: " in outcome.err


def test_a_named_file_without_settings_is_refused(project, call):
    (project / "pyproject.toml").write_text("[tool.ruff]\n")
    (project / "empty.toml").write_text("")
    for name, where in (("pyproject.toml", "[tool.measurand.gate]"), ("empty.toml", "[gate]")):
        outcome = call("gate", "qrels", "old", "new", "--config", project / name)
        assert (outcome.code, outcome.out) == (1, "")
        assert f"has no settings; write them below {where}" in outcome.err


def test_a_file_that_is_no_text_is_refused(project, call):
    (project / "measurand.toml").write_bytes(b"\xff\xfe[gate]")
    outcome = call("gate", "qrels", "old", "new")
    assert (outcome.code, outcome.out) == (1, "")
    assert "is no TOML file" in outcome.err
