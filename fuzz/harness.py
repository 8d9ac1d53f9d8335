"""What every target in Python has: cases drawn from a seed, for some seconds, and failures that can be tried again.

A target is a module with a function `case`, called as `python -m fuzz.NAME SEED SECONDS FOLDER [CASE]`, which ends with
`run(name, case)`. It prints one line: its name, how many cases were tried, how many of them failed in each of the four
ways, and the seconds, separated by tabs.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import ClassVar

PATIENCE = 60.0
"""A case that takes so many seconds does not end."""

SHOWN = 5
"""Of so many failures of a target the text is kept; the others are only counted."""

Case = Callable[[random.Random], None]
"""Tries a case; raises a Failure if something is wrong, with the text that shows it."""


class Failure(Exception):
    """A case went wrong; which of its four subclasses it is says in which column it is counted.

    Parameters
    ----------
    what
        What is wrong.
    text
        The input that shows it, if that is a text; otherwise what `show` was last told.
    """

    column: ClassVar[str] = ""

    def __init__(self, what: str, text: bytes | str = b"") -> None:
        super().__init__(what)
        self.text = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


class Raised(Failure):
    """A crash, or an exception that is none of the errors measurand explains: a traceback for whoever called."""

    column = "tracebacks"


class Hung(Failure):
    """A case did not end in time."""

    column = "hangs"


class Different(Failure):
    """An answer is not the one expected."""

    column = "differences"


class Torn(Failure):
    """Of something that is written whole or not at all, a part is there."""

    column = "torn outputs"


KINDS = (Raised, Hung, Different, Torn)
"""In the order of the columns."""

shown: list[bytes] = [b""]


def show(text: bytes | str) -> None:
    """Say what the current case tries, so that a failure nobody foresaw can show it.

    Parameters
    ----------
    text
        The input of the case.
    """
    shown[0] = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


class _Late(KeyboardInterrupt):
    """The time of a case is over; nothing catches it, not even what turns the errors of strangers into messages."""


def _too_late(_number: int, _frame: FrameType | None) -> None:
    raise _Late


def attempt(case: Case, seed: str, number: int, patience: float = PATIENCE) -> Failure | None:
    """Try one case and return how it failed, or None.

    Parameters
    ----------
    case
        Tries a case.
    seed, number
        What the case follows from, and nothing else.
    patience
        So many seconds a case may take.
    """
    show(b"")
    before = signal.signal(signal.SIGALRM, _too_late)
    signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        case(random.Random(f"{seed}/{number}"))
    except Failure as error:
        return error
    except _Late:
        return Hung(f"it did not end within {patience:.0f} seconds\n{traceback.format_exc()}")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is what we look for
        return Raised(f"{type(error).__name__} is no error of measurand\n{traceback.format_exc()}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return None


def _keep(failure: Failure, name: str, seed: str, number: int, folder: Path) -> None:
    """Write the text of a failure to a file, and say how to try its case again."""
    path = folder / f"{name}-{seed}-{number}"
    path.write_bytes(failure.text or shown[0])
    again = f"make fuzz TARGET={name} SEED={seed} CASE={number}"
    print(f"{name}: {failure.column}: {failure}\n  try it again: {again}\n  its text: {path}", file=sys.stderr)


def run(name: str, case: Case, patience: float = PATIENCE) -> None:
    """Try cases as the arguments SEED SECONDS FOLDER [CASE] have it, and print how many, and how many failed.

    Parameters
    ----------
    name
        The name of the target.
    case
        Tries one case.
    patience
        So many seconds a case may take.
    """
    seed, seconds, folder = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    single = int(sys.argv[4]) if len(sys.argv) > 4 else None
    begin, armed = time.monotonic(), -1.0
    counts = dict.fromkeys(KINDS, 0)
    tried = 0
    # where a crash leaves the number of its case, and a loop in C that never ends a traceback
    current = os.open(folder / f"{name}.case", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    stuck = (folder / f"{name}.stuck").open("w")
    while True:
        number = tried if single is None else single
        os.pwrite(current, b"%d\n" % number, 0)
        if time.monotonic() >= armed + 1:
            faulthandler.dump_traceback_later(2 * patience + 1, exit=True, file=stuck)
            armed = time.monotonic()
        failure = attempt(case, seed, number, patience)
        if failure is not None:
            counts[type(failure)] += 1
            if sum(counts.values()) <= SHOWN:
                _keep(failure, name, seed, number, folder)
        tried += 1
        if single is not None or time.monotonic() - begin >= seconds:
            break
    faulthandler.cancel_dump_traceback_later()
    print(name, tried, *counts.values(), f"{time.monotonic() - begin:.1f}", sep="\t")
    sys.exit(1 if any(counts.values()) else 0)


def temporary() -> Path:
    """Return a new folder, which is taken away when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="measurand-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def skip(name: str, why: str) -> None:
    """Say that a target cannot be tried here, and end; the table says so too.

    Parameters
    ----------
    name
        The name of the target.
    why
        What is missing.
    """
    print(name, "skipped", why, sep="\t")
    sys.exit(0)
