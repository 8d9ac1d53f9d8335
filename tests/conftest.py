"""What every test may use: the rows of the conformance checklist, and data beside the checkout."""

from __future__ import annotations

import gc
import linecache
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import settings

# before numpy is loaded: the matrices of tests are small, and threads that wait for each other keep all cores busy
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from measurand import Study, sample
from measurand.cli import main

# how long an example takes depends on the machine and on what is loaded already; no test is timed. Laws are tried on
# a few examples, other ones in every run; --hypothesis-profile=thorough tries them on many
settings.register_profile("patient", deadline=None, max_examples=10)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("patient")

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parent.parent / "shared"


def spec_ids() -> frozenset[str]:
    """Return the ids of all rows of the conformance checklist."""
    with (TESTS / "golden" / "rows.toml").open("rb") as file:
        return frozenset(row for rows in tomllib.load(file)["rows"].values() for row in rows)


SLOW = ("tests/browser/", "tests/cli/test_demo.py", "tests/house/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that claims a row which the checklist does not have, and put the slow ones first."""
    items.sort(key=lambda item: next((at for at, folder in enumerate(SLOW) if folder in item.nodeid), len(SLOW)))
    known = spec_ids()
    for item in items:
        for mark in item.iter_markers("spec"):
            unknown = [row for row in mark.args if row not in known]
            if unknown or not mark.args:
                raise pytest.UsageError(
                    f"{item.nodeid}: the checklist has no row {', '.join(unknown) or '(none named)'}"
                )


class ForgetfulDoctests:
    """Forgets lines of source before every doctest, whose debugger asks the disk of each file whether it changed."""

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if isinstance(item, pytest.DoctestItem):
            linecache.clearcache()


def pytest_configure(config: pytest.Config) -> None:
    """Let src have what only plugins have, and no conftest beside it."""
    config.pluginmanager.register(ForgetfulDoctests())


def pytest_collection_finish() -> None:
    """Spare the garbage collector thousands of collected tests, none of which becomes garbage."""
    gc.freeze()
    gc.set_threshold(500_000, 50, 50)


def pytest_sessionfinish() -> None:
    """Look for what was never closed once, and not five times through all that is left, as pytest does at the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Give what shares fixtures to one worker: a room of unit tests, the pages in a browser, the papers, a file.

    They are handed out in their order, the slow ones first, so that no worker waits for the other at the end.
    """
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False

    class Rooms(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.partition("::")[0]
            if "paper" in path:
                return "papers"
            if path == "tests/cli/test_demo.py":
                return "tests/browser"  # both need the study of the whole sample
            length = {"tests/unit": 3, "tests/browser": 2, "src/measurand": 3}
            return "/".join(path.split("/")[: length.get("/".join(path.split("/")[:2]))])

    return Rooms(config, log)


@pytest.fixture(scope="session")
def naming() -> Callable[[object], AbstractContextManager[None]]:
    """Return a context that names what a loop is at, where something in it fails."""

    @contextmanager
    def context(what: object) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            error.add_note(f"with {what}")
            raise

    return context


@pytest.fixture(scope="session")
def sample_study() -> Study:
    """Return the study of the built-in sample, made once."""
    return Study.from_files(sample.qrels(), sample.runs())


@frozen
class Outcome:
    """How a call ended, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(capsys, monkeypatch) -> Callable[..., Outcome]:
    """Return a way to call the program with some arguments, in this process."""
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
def data() -> Path:
    """Return the folder of real runs and qrels beside the checkout, or skip."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the real data (shared/data) is not beside this checkout")
    return SHARED / "data"
