from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src"
IMPORTS = (ast.Import, ast.ImportFrom)

ROOMS = [
    room
    for contract in tomllib.loads((TESTS.parent / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    if contract.get("containers") == ["measurand_next"]
    for room in re.findall(r"\w+", " ".join(contract["layers"]))
]


def table(name: str) -> list[dict[str, object]]:
    [rows] = tomllib.loads((TESTS / f"{name}.toml").read_text()).values()
    return rows


def test_sixty_bugs_are_planted_each_in_one_place():
    mutants = table("mutants")
    assert len({mutant["id"] for mutant in mutants}) == len(mutants) == 60
    assert {mutant["room"] for mutant in mutants} <= {*ROOMS, "floor"}
    for mutant in mutants:
        if "file" in mutant:
            assert (SOURCE / mutant["file"]).read_text().count(mutant["before"]) == 1, mutant["id"]


def test_differences_have_a_place_and_a_reason(request):
    for each in table("differences"):
        assert each["what"].endswith(".")
        assert each["why"].endswith(".")
        assert each["where"] in ROOMS or each["where"].startswith("tests/")
        for row in each["rows"]:
            spec = request.getfixturevalue("data").parent / "spec"
            assert any(row in path.read_text() for path in spec.glob("*.md"))


def test_measurand_is_imported_by_parity_alone():
    for path in TESTS.glob("*.py"):
        found = [ast.unparse(node) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, IMPORTS)]
        assert not re.search(r"^(from|import) measurand\b", "\n".join(found), re.MULTILINE), path


def test_the_version_is_known_anywhere(tmp_path):
    call = [sys.executable, "-m", "measurand_next", "--version"]
    assert re.fullmatch(r"measurand \d+\.\d+\S*\n", subprocess.check_output(call, cwd=tmp_path, text=True))


MUTANT = """
[[mutant]]
id = "{id}"
room = "room"
behaviour = "odd"
file = "measurand_next/room.py"
before = "{before}"
after = "{after}"
"""


@pytest.mark.parametrize(
    ("test", "status", "words"),
    [
        ("answer() == 4", 1, ["caught     seen", "SURVIVED   unseen", "MISPLACED  twice", "not yet    later"]),
        ("False", 2, ["without any planted bug"]),
    ],
)
def test_planted_bugs_are_caught_or_survive(tmp_path, test, status, words):
    package, tests = tmp_path / "src" / "measurand_next", tmp_path / "tests_next"
    package.mkdir(parents=True)
    tests.mkdir()
    (tmp_path / "pyproject.toml").touch()
    (package / "__init__.py").touch()
    (package / "room.py").write_text("def answer():\n    return 2 + 2  # four\n")
    (tests / "test_room.py").write_text(
        f"from measurand_next.room import answer\n\ndef test_it():\n    assert {test}\n"
    )
    shutil.copy(TESTS / "mutants.py", tests)
    planted = [("seen", "2 + 2", "2 + 3"), ("unseen", "four", "five"), ("twice", "2", "3")]
    later = '[[mutant]]\nid = "later"\nroom = "room"\nbehaviour = "odd"\n'
    (tests / "mutants.toml").write_text(
        "".join(MUTANT.format(id=name, before=before, after=after) for name, before, after in planted) + later
    )
    found = subprocess.run([sys.executable, tests / "mutants.py", "room"], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (status, "")
    for word in words:
        assert word in found.stdout


CARRIED = """
import subprocess, sys
import pytest
from measurand.errors import InputError

SAME = "from measurand import errors; from measurand_next import errors as others; assert errors is others"

def test_name():
    assert InputError.__module__ == "measurand_next.errors"

def test_process():
    subprocess.run([sys.executable, "-c", SAME], env={}, check=True)

def test_fail():
    pytest.fail()
"""


def test_what_is_carried_passes_fails_or_is_not_yet(tmp_path):
    (tmp_path / "test_one.py").write_text(CARRIED)
    (tmp_path / "test_two.py").write_text("import measurand.learned\n")
    call = [sys.executable, TESTS / "carried" / "run.py", tmp_path]
    found = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    assert re.search(r"test_one\.py +2 of +3\n", found)
    assert re.search(r"test_two\.py +not yet\n", found)
