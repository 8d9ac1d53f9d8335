"""Commands that write, killed at random moments, and aimed at while a file is being written.

Whenever SIGKILL, SIGTERM, SIGINT or SIGHUP comes:

- what was to be written is there as a whole, or what was there before is there as before;
- after all but SIGKILL nothing else is left, the exit status says which signal it was, the message what was written;
- the next call works, and takes away what SIGKILL left; stored scores that were begun are gone on with, and end the
  same.

Called as `python -m fuzz.kills SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from pathlib import Path

from fuzz.harness import Different, Raised, Torn, run, show
from fuzz.program import Ended, contents, fill
from fuzz.writers import (
    INPUTS,
    LEFT,
    Process,
    Writer,
    at_place,
    check_next,
    draw_writer,
    is_new,
    prepare,
    prepare_output,
    usual,
)

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

PATIENCE = 300.0


def disturb(rng: random.Random, process: Process, folder: Path, writer: Writer, signals: list[int]) -> str:
    """Send signals to a process, at a moment that is drawn or as soon as something is being written; return when.

    Parameters
    ----------
    rng
        Where the draws come from.
    process
        The process.
    folder, writer
        Where and what it writes.
    signals
        The signals, one after the other.
    """
    aimed = rng.random() < 0.6
    wait = rng.random() * 1.1 * usual(writer).seconds
    begin = time.monotonic()
    while not process.is_done() and (aimed or time.monotonic() - begin < wait):
        if aimed and _is_writing(folder / "out", writer):
            break
        time.sleep(0 if aimed else 0.0005)
    if aimed:
        time.sleep(rng.choice((0, 0, 0.0005, 0.002, 0.01, 0.1)) * rng.random())
    for number in signals:
        process.kill(number)
        time.sleep(rng.choice((0, 0.001, 0.02)))
    return "while it was writing" if aimed else f"after {wait:.4f} seconds"


def _is_writing(folder: Path, writer: Writer) -> bool:
    with os.scandir(folder) as entries:
        return any(each.name.startswith(LEFT) or (writer.is_store and each.name == writer.target) for each in entries)


def check(ended: Ended, folder: Path, writer: Writer, before: dict[str, bytes | None], signals: list[int]) -> None:
    """Raise a failure unless all is as it must be after a signal.

    Parameters
    ----------
    ended
        How the process ended.
    folder
        The folder of the inputs.
    writer
        What was called.
    before
        What was there before.
    signals
        The signals that it got, or had got if it had not ended before.
    """
    err = ended.err.decode()
    if "Traceback" in err or "Warning:" in err:
        raise Raised(f"a traceback on the error stream: {err[-2000:]}")
    codes = {0, *(-number for number in signals), *(128 + number for number in signals)}
    if ended.code not in codes:
        raise Different(f"exit status {ended.code} after {signals}: {err!r}")
    after = contents(folder)
    mine = at_place(after, writer)
    others = [name for name in {**before, **after} if name not in mine and before.get(name, 0) != after.get(name, 0)]
    others = [name for name in others if name not in at_place(before, writer)]
    if others and not (signal.SIGKILL in signals and all(name.startswith(f"out/{LEFT}") for name in others)):
        raise Torn(f"changed or left behind: {others}")
    if writer.is_store:
        return
    unchanged = mine == at_place(before, writer)
    new = is_new(mine, writer)
    if not unchanged and not new:
        raise Torn(f"{writer.path} is neither as before nor whole: {[(n, len(d or b'')) for n, d in mine.items()]}")
    if ended.code == 0 and not new:
        raise Torn(f"exit status 0, and {writer.path} is not there")
    if ended.code > 128:
        lines = err.splitlines()
        said = lines[-1] if lines else ""
        if len([line for line in lines if not line.startswith("note: ")]) != 1:
            raise Different(f"{len(lines)} lines on the error stream: {err!r}")
        if new and not unchanged and "written" in said and (writer.path not in said or "nothing was" in said):
            raise Different(f"{writer.path} was written, and it is said: {said}")
        if unchanged and not new and "nothing was written" not in said and "may not be all" not in said:
            raise Different(f"{writer.path} was not written, and it is said: {said}")


def case(rng: random.Random) -> None:
    """Try one command and one moment."""
    writer = draw_writer(rng)
    signals: list[int] = [rng.choice(SIGNALS)]
    if rng.random() < 0.1:
        signals.append(rng.choice(SIGNALS))
    show(f"measurand {' '.join(writer.words)} and {signals}")
    usual(writer)
    with tempfile.TemporaryDirectory(prefix="measurand-fuzz-") as place:
        folder = Path(place)
        fill(folder, INPUTS)
        prepare_output(rng, folder, writer)
        before = contents(folder)
        process = Process(writer.words, folder)
        when = disturb(rng, process, folder, writer, signals)
        ended = process.end()
        show(f"measurand {' '.join(writer.words)} and {signals} {when}, exit status {ended.code}: {ended.err.decode()}")
        check(ended, folder, writer, before, signals)
        check_next(folder, writer)


if __name__ == "__main__":
    prepare()
    run("kills", case, PATIENCE)
