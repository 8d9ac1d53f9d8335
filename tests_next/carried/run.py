"""Runs tests of measurand against measurand_next, and prints how many pass, file by file: `make carried`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn

import hook  # noqa: F401
import pytest
from attrs import frozen

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FOLDERS = ("tests/cli", "tests/conformance", "tests/corrections", "tests/peers")
PATIENCE = 60  # seconds for a test: some wait for what the program has not learned yet
DIFFERENCES = tomllib.loads((HERE.parent / "differences.toml").read_text(encoding="utf-8"))["difference"]
OPTIONS = ("-qq", "--tb=no", "--no-summary", "--continue-on-collection-errors", "--confcutdir=tests/cli")


def with_hook(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment whose processes find this folder first."""
    folders = filter(None, (str(HERE), environment.get("PYTHONPATH")))
    return {**environment, "PYTHONPATH": os.pathsep.join(folders)}


class Process(subprocess.Popen):
    """A process of a test, which may have chosen its environment."""

    def __init__(self, *arguments: object, env: Mapping[str, str] | None = None, **options: object) -> None:
        super().__init__(*arguments, env=with_hook(os.environ if env is None else env), **options)


def too_long(*_: object) -> NoReturn:
    raise TimeoutError(f"not done after {PATIENCE} seconds")


@frozen
class Outcome:
    """How a call of the program ended, and what it printed."""

    code: int
    out: str
    err: str


class Carried:
    """The fixtures that those tests share, in place of tests/conftest.py, and the counts."""

    def __init__(self) -> None:
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    @pytest.fixture
    def call(self, capsys, monkeypatch) -> Callable[..., Outcome]:
        from measurand.cli import main

        for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("COLUMNS", "100")

        def program(*arguments: object) -> Outcome:
            monkeypatch.setattr(sys, "argv", ["measurand", *map(str, arguments)])
            with pytest.raises(SystemExit) as stop:
                main()
            return Outcome(stop.value.code, *capsys.readouterr())

        return program

    @pytest.fixture(scope="session")
    def data(self) -> Path:
        folder = ROOT.parent / "shared" / "data"
        return folder if folder.is_dir() else pytest.skip("no real data beside this checkout")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.counts[report.nodeid]["not yet"] += 1

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        signal.signal(signal.SIGALRM, too_long)
        signal.alarm(PATIENCE)
        try:
            return (yield)
        finally:
            signal.alarm(0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed:
            self.counts[report.nodeid.partition("::")[0]][report.outcome] += 1

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        session.exitstatus = 0  # it is a net, and no goal
        print("\n")
        differs = {each["where"]: each["what"] for each in DIFFERENCES}
        for path, count in sorted(self.counts.items()):
            passed = f"{count['passed']:5} of {count['passed'] + count['failed']:5}"
            print(f"{path:50} {'not yet' if count['not yet'] else passed:14} {differs.get(path, '')}".rstrip())
        total = sum(self.counts.values(), Counter())
        print(f"{total['passed']} of {total['passed'] + total['failed']} tests pass; {total['not yet']} files not yet")


os.chdir(ROOT)
os.environ.update(with_hook(os.environ))  # for workers, which are started otherwise
subprocess.Popen = Process
addopts = "addopts=--strict-markers --import-mode=importlib"
sys.exit(pytest.main([*OPTIONS, "-o", addopts, *(sys.argv[1:] or FOLDERS)], plugins=[Carried()]))
