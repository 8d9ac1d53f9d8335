"""A little of what `make fuzz` does for ten minutes, and what is promised in docs/reliability.md."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CASES = {"campaigns": 80, "commands": 50}
"""How many cases are tried of targets that run in this process."""

FORKING = """
import sys
from fuzz import disk, kills
from fuzz.harness import attempt
kills.prepare()
failed = [attempt(kills.case, "quick", number) for number in (0, 1, 4, 6)]
failed += [attempt(disk.case, "quick", number) for number in (4, 6, 8, 9)]
sys.exit("".join(f"{each.column}: {each}" for each in failed if each) or 0)
"""
"""A few cases of targets that fork, in a process without threads."""


@pytest.fixture
def harness(monkeypatch):
    """Return the harness of `make fuzz`."""
    monkeypatch.syspath_prepend(ROOT)
    from fuzz import harness

    return harness


@pytest.mark.parametrize("name", CASES)
def test_a_short_part_of_a_target_finds_nothing(harness, monkeypatch, tmp_path, name):
    monkeypatch.setenv("MEASURAND_CACHE", str(tmp_path))
    monkeypatch.setattr("click.launch", lambda *_, **__: 0)
    module = __import__(f"fuzz.{name}", fromlist=[name])
    for number in range(CASES[name]):
        failure = harness.attempt(module.case, "quick", number)
        assert failure is None, f"{failure}\n{harness.shown[0]!r}"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")
def test_a_command_that_is_killed_or_short_of_room_leaves_its_output_whole_or_as_it_was():
    own = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    ran = subprocess.run([sys.executable, "-c", FORKING], env=own, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_what_a_target_must_find_is_found(harness, tmp_path):
    from fuzz import program

    program.fill(tmp_path)
    before = program.contents(tmp_path)
    (tmp_path / "out" / "new.json").write_bytes(b'{"a": ')
    with pytest.raises(harness.Torn):
        program.check_folder(before, program.contents(tmp_path), [])
    assert program.check_folder(before, program.contents(tmp_path), ["out/new.json"]) == ["out/new.json"]
    assert not program.whole(b'{"a": ', "json")
    assert not program.whole(b'{"a": NaN}\n', "json")
    for code, err in ((1, b"one\ntwo\n"), (7, b"one\n"), (1, "one \u202e\n".encode()), (1, b"one\x1b[31m\n")):
        with pytest.raises(harness.Different):
            program.check_said(program.Ended(code, b"", err))
    with pytest.raises(harness.Raised):
        program.check_said(program.Ended(1, b"", b"Traceback (most recent call last):\n"))


def test_every_target_tries_a_promise_and_every_test_that_is_named_exists(harness):
    from fuzz.promises import PAGE, PROMISES
    from fuzz.run import TARGETS, C

    named = {name for promise in PROMISES for name in promise.targets}
    assert {target.name for target in TARGETS} <= named
    assert all((ROOT / "fuzz" / f"{target.name}.py").exists() for target in TARGETS if target.where != C)
    for test in (test for promise in PROMISES for test in promise.tests):
        file, _, function = test.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert not function or function in functions, test
    written = PAGE.read_text(encoding="utf-8")
    assert all(promise.text in written for promise in PROMISES)
    assert all(f"| `{target.name}` |" in written for target in TARGETS)
