"""What every target in Python has: cases drawn from a seed, for some seconds, and failures that can be tried again."""

from __future__ import annotations

import faulthandler
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60
"""A case that takes so many seconds does not end."""

Case = Callable[[random.Random], None]
"""Tries a case; raises Different if an answer is wrong, with the text that shows it."""


class Different(Exception):
    """An answer is not the one expected.

    Parameters
    ----------
    what
        What differs.
    text
        The input that shows it, if that is a text.
    """

    def __init__(self, what: str, text: bytes = b"") -> None:
        super().__init__(what)
        self.text = text


def run(name: str, case: Case) -> None:
    """Try cases as the arguments SEED SECONDS FOLDER [CASE] have it, and print how many, and how many differ.

    Parameters
    ----------
    name
        The name of the target.
    case
        Tries one case.
    """
    seed, folder = sys.argv[1], Path(sys.argv[3])
    begin = time.monotonic()
    differences = tried = 0
    single = int(sys.argv[4]) if len(sys.argv) > 4 else None
    # where a crash leaves the number of its case
    current = os.open(folder / f"{name}.case", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    while True:
        number = tried if single is None else single
        os.pwrite(current, b"%d\n" % number, 0)
        if tried % 50 == 0:
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            case(random.Random(f"{seed}/{number}"))
        except Different as error:
            differences += 1
            if differences <= 5:
                path = folder / f"{name}-{seed}-{number}"
                path.write_bytes(error.text)
                again = f"make fuzz TARGET={name} SEED={seed} CASE={number}"
                print(f"{name}: {error}; try it again: {again}\n  its text: {path}", file=sys.stderr)
        tried += 1
        if single is not None or time.monotonic() - begin >= float(sys.argv[2]):
            break
    faulthandler.cancel_dump_traceback_later()
    print(f"{name}\t{tried}\t{differences}\t{time.monotonic() - begin:.1f}")
    sys.exit(1 if differences else 0)
