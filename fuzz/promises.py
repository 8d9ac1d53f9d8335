"""What measurand promises of its reliability, what tries each promise, and the page that says both with figures.

`make fuzz RECORD=1` writes the page, `docs/reliability.md`, after all targets have run. A house test sees to it that no
target is left out, and that every test that is named here exists.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fuzz.run import Outcome

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reliability.md"


@dataclass(frozen=True)
class Promise:
    """Something that holds whatever happens, and what tries it.

    Parameters
    ----------
    text
        The promise, in plain words.
    targets
        The targets of `make fuzz` that try it.
    tests
        The tests of `make test` that try it, as FILE::FUNCTION; or a file with all of its tests.
    """

    text: str
    targets: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


PROMISES = (
    Promise(
        "Scores are those of the definitions, and of pytrec_eval, whatever a run or judgment file holds. A file that"
        " cannot be right is refused and never scored.",
        ("campaigns", "parquet"),
        ("tests/cli/test_broken_input.py",),
    ),
    Promise(
        "The fast reader reads what the plain one reads, to the bit. The module in C touches no memory but its own.",
        ("reader", "portable", "truncations", "lookup", "ranking", "calls", "loops", "readers"),
        ("tests/unit/trec/test_drawn_files.py",),
    ),
    Promise(
        "Bad input and wrong calls end with one line that says what is wrong, and with a documented exit status. They"
        " never end with a traceback.",
        ("commands", "campaigns", "objects", "functions"),
        ("tests/unit/test_letters.py::test_an_error_is_one_line_for_every_splitter", "tests/cli/test_usage.py"),
    ),
    Promise(
        "Every spelling of a measure, and every number in it or in an option, is read or refused in bounded time.",
        ("spellings", "commands"),
        ("tests/unit/measures/test_ranges_of_parameters.py", "tests/cli/test_ranges_of_options.py"),
    ),
    Promise(
        "Characters that control a terminal are shown escaped in errors, notes and tables. Text that a spreadsheet"
        " would run gets an apostrophe.",
        ("commands",),
        ("tests/unit/test_letters.py", "tests/cli/test_strangers_names.py", "tests/browser/test_hostile_names.py"),
    ),
    Promise(
        "After a signal, a crash, an error or a full disk, an output file or a set of files is complete, or it is what"
        " it was before. What is said of it is true.",
        ("commands", "kills", "disk"),
        ("tests/unit/display/test_writing.py",),
    ),
    Promise(
        "A store of scores that was interrupted is finished by `--resume`, and then holds what one holds that was not.",
        ("kills", "disk", "kept"),
        ("tests/cli/test_evaluate_store.py",),
    ),
    Promise(
        "What is kept for the next time is checked when it is read. What is damaged is computed anew. What cannot be"
        " written is computed every time.",
        ("kept", "disk"),
        ("tests/unit/display/test_keeping.py",),
    ),
    Promise(
        "No command ends with a traceback because a standard stream is closed or full, has lost its reader or cannot"
        " encode a letter. JSON is always UTF-8.",
        ("disk",),
        (
            "tests/unit/test_letters.py::test_streams_that_lack_letters_get_others",
            "tests/unit/test_letters.py::test_json_is_valid_utf8_whatever_a_file_is_called",
        ),
    ),
    Promise(
        "A damaged parquet file, a file that unpacks to more than there is room for, and a line without an end are"
        " refused in one line. What is passed over in a directory is named.",
        ("parquet", "campaigns"),
        ("tests/unit/test_parquet.py", "tests/unit/trec/test_files.py", "tests/unit/trec/test_read.py"),
    ),
    Promise(
        "What would take more than half of the memory is refused before it is allocated, where its size is known.",
        (),
        (
            "tests/unit/execution/test_memory.py",
            "tests/unit/judged/test_ragged.py",
            "tests/cli/test_many_topics.py",
        ),
    ),
    Promise(
        "measurand runs no code from data. It opens no connection and starts no process that nobody asked for.",
        (),
        ("tests/house/test_supply.py",),
    ),
)


def page(outcomes: Sequence[Outcome], seed: int, seconds: float, cores: int) -> str:
    """Return the page of promises, with what came of the targets.

    Parameters
    ----------
    outcomes
        What came of every target.
    seed, seconds, cores
        Where the draws came from, how long they took together, and on how many cores.
    """
    found = {outcome.target.name: outcome for outcome in outcomes}
    rows = [f"| {each.text} | {_tried_by(each, found)} | {_figures(each, found)} |" for each in PROMISES]
    lines = [f"| `{name}` | {one.target.tried} | {_cells(one)} |" for name, one in found.items()]
    now = datetime.now(UTC).strftime("%Y-%m-%d")
    return TEMPLATE.format(
        promises="\n".join(rows),
        targets="\n".join(lines),
        run=f"{now}, commit {_commit()}, seed {seed}, {seconds:.0f} seconds on {cores} core{'s' * (cores > 1)}",
    )


TEMPLATE = """\
# Reliability

This page says what measurand promises whatever the input, the machine or a neighbour does, what tests each promise, and what came of it the last time. Who might attack is in the [threat model](threat-model.md). `make fuzz RECORD=1` makes the page; do not edit it.

Tests run whenever the project changes (`make test`), with a short part of the targets. Targets run for minutes (`make fuzz`): each draws cases from a seed, right, odd and damaged, and looks for answers that are not allowed. A case follows from the seed and its number alone, so that whatever fails can be tried again.

| promised | tested by | last figures |
|---|---|---|
{promises}

## The last run

{run}. A *traceback* is a crash, or an error that nobody explained; a *hang* is a case that did not end; a *difference* is an answer that is not the expected one; a *torn output* is a part of something that is written whole or not at all. All must be 0.

| target | what is tried | tried | tracebacks | hangs | differences | torn outputs |
|---|---|---:|---:|---:|---:|---:|
{targets}

How many cases fit into the time depends on the machine. That nothing was found is no proof that there is nothing.
"""  # noqa: E501 - a paragraph of the page is a line


def _tried_by(promise: Promise, found: dict[str, Outcome]) -> str:
    targets = [f"`{name}`" for name in promise.targets if name in found]
    tests = [f"`{each.partition('::')[0]}`" for each in promise.tests]
    return ", ".join(dict.fromkeys((*targets, *tests)))


def _figures(promise: Promise, found: dict[str, Outcome]) -> str:
    outcomes = [found[name] for name in promise.targets if name in found]
    if not outcomes:
        return "in `make test`"
    tried, failed = sum(each.tried for each in outcomes), sum(sum(each.failed) for each in outcomes)
    skipped = [f"`{each.target.name}` skipped: {each.skipped}" for each in outcomes if each.skipped]
    return "; ".join((f"{tried:,} cases, {failed} failures", *skipped))


def _cells(outcome: Outcome) -> str:
    if outcome.skipped:
        return f"skipped: {outcome.skipped} | | | | "
    return " | ".join((f"{outcome.tried:,}", *map(str, outcome.failed)))


def _commit() -> str:
    """Return the commit that is checked out, with a word if there is more than that."""
    ran = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout.strip() or "unknown"
