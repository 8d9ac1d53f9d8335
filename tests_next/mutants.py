"""Plants the bugs of mutants.toml, one at a time, to see whether the tests of their room catch them: `make mutants`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

TESTS = {
    "floor": ("errors", "interrupts", "main", "native", "parallel", "references", "verdict"),
    "data": ("data", "judge", "names", "qrels", "run", "scores"),
    "read": ("files", "judge", "memory", "read", "trec"),
}
"""How the files of tests of a room begin, behind `test_`; those of other rooms begin as the room is called."""

LIBRARY = "measurand_next/native/reader.c"
COMPILER = ("cc", "-std=c11", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off")


class Copy:
    """What the tests need, in a folder of its own; data stays where it is, beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.source, self.tests = self.root / "src", self.root / "tests_next"
        no = shutil.ignore_patterns("__pycache__", "parity", ".hypothesis")
        shutil.copytree(ROOT / "src" / "measurand_next", self.source / "measurand_next", ignore=no)
        shutil.copytree(ROOT / "tests_next", self.tests, ignore=no)
        shutil.copy(ROOT / "pyproject.toml", self.root)
        for link, target in (
            (self.source / "measurand", ROOT / "src" / "measurand"),
            (folder / "shared", ROOT.parent / "shared"),
        ):
            if target.exists():
                link.symlink_to(target)

    def tests_of(self, room: str) -> list[Path]:
        return sorted({path for start in TESTS.get(room, (room,)) for path in self.tests.glob(f"test_{start}*.py")})

    def test(self, room: str, seconds: float | None = None) -> int:
        """How the tests of a room end, as pytest has it; 1 too where they do not end."""
        options = ("-x", "-q", "--tb=no", "--no-header", "-p", "no:cacheprovider")
        call = [sys.executable, "-m", "pytest", *options, *map(str, self.tests_of(room))]
        environment = {name: value for name, value in os.environ.items() if name != "MEASURAND_NATIVE"}
        environment |= {"PYTHONPATH": str(self.source), "PYTHONDONTWRITEBYTECODE": "1"}
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(call, cwd=self.root, env=environment, start_new_session=True, **silent)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return 1
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def plant(self, file: str, text: str) -> None:
        """Write a file; what is in C is compiled."""
        (self.source / file).write_text(text, encoding="utf-8")
        if file == LIBRARY:
            folder = (self.source / file).parent
            for library in folder.glob("_reader*.so"):
                subprocess.run([*COMPILER, "-o", library, folder / "reader.c", "-lm"], check=True)


def result_of(copy: Copy, mutant: dict[str, Any], seconds: float) -> str:
    """What becomes of a planted bug: caught, SURVIVED, or MISPLACED where it is not clear what to replace."""
    sound = (copy.source / mutant["file"]).read_text(encoding="utf-8")
    if sound.count(mutant["before"]) != 1:
        return "MISPLACED"
    copy.plant(mutant["file"], sound.replace(mutant["before"], mutant["after"]))
    try:
        return "caught" if copy.test(mutant["room"], seconds) else "SURVIVED"
    finally:
        copy.plant(mutant["file"], sound)


def main(wanted: list[str]) -> int:
    mutants = tomllib.loads((ROOT / "tests_next" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    rooms = dict.fromkeys(mutant["room"] for mutant in mutants)
    if unknown := set(wanted) - set(rooms):
        print(f"there is no room {', '.join(sorted(unknown))}; there is {', '.join(rooms)}")
        return 2
    results = []
    with TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for room in wanted or rooms:
            own = [mutant for mutant in mutants if mutant["room"] == room]
            begun = monotonic()
            if any("file" in mutant for mutant in own) and copy.test(room):
                print(f"the tests of {room} fail, or are not there, without any planted bug")
                return 2
            seconds = 30 + 5 * (monotonic() - begun)
            for mutant in own:
                results.append(result_of(copy, mutant, seconds) if "file" in mutant else "not yet")
                print(f"{results[-1]:9}  {mutant['id']}: {mutant['behaviour']}", flush=True)
    print(", ".join(f"{results.count(result)} {result}" for result in dict.fromkeys(results)))
    return int(not {"caught", "not yet"}.issuperset(results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
