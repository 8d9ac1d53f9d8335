"""Disks that are full and streams that do not work: every command that writes or prints says so in one line.

- On a disk with little room (a small tmpfs, where one can be mounted) or where files may not grow (RLIMIT_FSIZE), an
  output is there as a whole, or what was there before is there as before; caches and temporary files lie there as well,
  and do without. With room again, the next call works.
- Standard streams that are closed, full, left by their reader or short of letters: no traceback; numbers are those that
  are printed elsewhere; JSON is UTF-8.

Called as `python -m fuzz.disk SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from fuzz.harness import Different, Raised, Torn, run, show, temporary
from fuzz.program import Ended, check_said, contents, fill
from fuzz.writers import (
    INPUTS,
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

SIZE = 8 << 20
"""How many bytes the small disk has."""

NEW_MOUNTS = 0x20000
"""CLONE_NEWNS of Linux: what is mounted from then on is seen by this process and its children, and goes with them."""

disk: list[Path] = []
"""Where the small disk is, if one could be mounted."""

PATIENCE = 300.0

PRINTERS = (
    "evaluate hostile.qrels hostile.run -q",
    "evaluate hostile.qrels hostile.run -q -f json",
    "evaluate hostile.qrels hostile.run -f csv",
    "evaluate hostile.qrels hostile.run -q -f trec",
    "compare qrels a.run hostile.run",
    "compare qrels a.run hostile.run -f json",
    "compare qrels a.run hostile.run -f markdown",
    "compare qrels a.run b.run -f latex",
    "measures",
    "measures nDCG -f json",
    "measure P@3 -d 3 -f json",
    "order 1,0,1 0,1,1",
    "fuse a.run hostile.run",
    "convert hostile.run -o -",
    "cite AP",
    "learn statements",
    "explain 0.5 qrels a.run -f json",
    "evaluate qrels -",
    "evaluate qrels missing",
    "evaluate qrels noise",
    "evaluate --nonsense",
    "evaluate -h",
    "--version",
    "nonsense",
)
"""Command lines that print, some of them complaints."""

READ = (*INPUTS, "hostile.run", "hostile.qrels", "noise")

ENCODINGS = ("latin-1", "cp1252", "ascii", "utf-8", "utf-16", "cp437", "shift_jis")


def mounted(place: Path) -> bool:
    """Mount a small disk that only this process and its children see, and return whether that can be done.

    Parameters
    ----------
    place
        An empty folder.
    """
    try:
        if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS) != 0:
            return False
        calls = (["--make-rprivate", "/"], ["-t", "tmpfs", "-o", f"size={SIZE},nr_inodes=4k", "tmpfs", str(place)])
        return all(subprocess.run(["mount", *each], capture_output=True, check=False).returncode == 0 for each in calls)
    except (OSError, AttributeError):
        return False


def short_of_room(rng: random.Random) -> None:
    """Try a command that writes on a small disk with little room, or with files that may not grow.

    Parameters
    ----------
    rng
        Where the draws come from.
    """
    writer = draw_writer(rng)
    needed = sum(len(data or b"") for data in usual(writer).output.values())
    room = rng.choice((0, int(rng.random() * 1.3 * needed), 4096, 20_000))
    small = bool(disk) and rng.random() < 0.7
    show(f"measurand {' '.join(writer.words)} with {room} bytes of {'disk' if small else 'room for a file'}")
    with tempfile.TemporaryDirectory(prefix="measurand-fuzz-", dir=disk[0] if small else None) as place:
        folder = Path(place)
        fill(folder, INPUTS)
        for name in ("cache", "tmp"):
            (folder / name).mkdir()
        prepare_output(rng, folder, writer)
        before = contents(folder)
        more = _with_caches(folder, rng.random() < 0.5, None if small else max(room, 500))
        filler = folder.parent / "filler"
        try:
            if small:
                _fill_up(filler, room)
            ended = Process(writer.words, folder, more).end()
            show(f"measurand {' '.join(writer.words)}, {room} bytes, exit status {ended.code}: {ended.err.decode()}")
            _check_written(ended, folder, writer, before)
        finally:
            filler.unlink(missing_ok=True)
        shutil.rmtree(folder / "cache")
        check_next(folder, writer)


def _with_caches(folder: Path, here: bool, longest: int | None) -> Callable[[], None]:
    def more() -> None:
        if here:
            os.environ.update(MEASURAND_CACHE=str(folder / "cache"), TMPDIR=str(folder / "tmp"))
            tempfile.tempdir = None
        if longest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (longest, longest))

    return more


def _fill_up(filler: Path, room: int) -> None:
    """Write a file that leaves so much room on a disk."""
    free = shutil.disk_usage(filler.parent).free
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, free - room))


def _check_written(ended: Ended, folder: Path, writer: Writer, before: dict[str, bytes | None]) -> None:
    """Raise a failure unless a command without room has written all or nothing, and has said so."""
    check_said(ended, (0, 1))
    after = contents(folder)
    mine, mine_before = at_place(after, writer), at_place(before, writer)
    kept = ("cache", "out/store")
    others = [
        name
        for name in {**before, **after}
        if name not in mine and name not in mine_before and before.get(name, 0) != after.get(name, 0)
    ]
    others = [name for name in others if not name.startswith(kept)]
    if others:
        raise Torn(f"changed or left behind: {others}")
    if writer.is_store:
        return
    if ended.code == 0 and not is_new(mine, writer):
        raise Torn(f"exit status 0, and {writer.path} is not whole")
    if ended.code != 0 and mine != mine_before and not (is_new(mine, writer) and b"output cannot" in ended.err):
        raise Torn(f"exit status {ended.code}, and {writer.path} is not as it was")
    if ended.code != 0 and not any(word in ended.err for word in (b"No space left", b"too large", b"cannot be")):
        raise Different(f"it is not said that there is no room: {ended.err.decode()!r}")


@cache
def printed(line: str) -> Ended:
    """Return what a command prints where all streams work.

    Parameters
    ----------
    line
        Its words.
    """
    with tempfile.TemporaryDirectory(prefix="measurand-fuzz-") as place:
        fill(Path(place), READ)
        return Process(line.split(), Path(place)).end()


def _set_stream(number: int, encoding: str | None, handle: int | None) -> None:
    """Give this process a standard stream as Python would at its start; None for one that is closed."""
    name = ("stdin", "stdout", "stderr")[number]
    if handle is None and encoding is None:
        os.close(number)
        setattr(sys, name, None)
        return
    if handle is not None:
        os.dup2(handle, number)
    errors = "backslashreplace" if number == 2 else "strict"
    setattr(sys, name, open(number, "w", encoding=encoding or "utf-8", errors=errors, closefd=False))  # noqa: SIM115


def broken_streams(rng: random.Random) -> None:
    """Try a command that prints where a standard stream does not work.

    Parameters
    ----------
    rng
        Where the draws come from.
    """
    line = rng.choice(PRINTERS)
    what = rng.choice(("closed", "full", "gone", "letters", "letters"))
    number = rng.choice((0, 1, 1, 2)) if what == "closed" else 1 if what in ("gone", "letters") else rng.choice((1, 2))
    encoding = rng.choice(ENCODINGS) if what == "letters" else None
    show(f"measurand {line} where stream {number} is {what} {encoding or ''}")
    expected = printed(line)
    with tempfile.TemporaryDirectory(prefix="measurand-fuzz-") as place:
        folder = Path(place)
        fill(folder, READ)
        if rng.random() < 0.1:
            ended = _started(line.split(), folder, what, number, encoding)
        else:
            ended = Process(line.split(), folder, lambda: _spoil(what, number, encoding)).end()
    _check_printed(line, ended, expected, what, number, encoding)


def _spoil(what: str, number: int, encoding: str | None) -> None:
    if what == "gone":
        reading, writing = os.pipe()
        os.close(reading)
        _set_stream(number, "utf-8", writing)
    elif what == "full":
        _set_stream(number, "utf-8", os.open("/dev/full", os.O_WRONLY))
    else:
        _set_stream(number, encoding, None)


def _started(words: list[str], folder: Path, what: str, number: int, encoding: str | None) -> Ended:
    """Return what a process prints that a shell has started, with the stream that does not work."""
    sign = "<" if number == 0 else ">"
    mends = {"closed": f"{number}{sign}&-", "full": f"{number}>/dev/full", "gone": "", "letters": ""}
    called = [sys.executable, "-m", "measurand", *words]
    own = {**os.environ, **({} if encoding is None else {"PYTHONIOENCODING": encoding})}
    end = ' | head -c 0; exit "${PIPESTATUS[0]}"' if what == "gone" else ""
    text = f'"$@" {mends[what]}{end}'
    ran = subprocess.run(
        ["bash", "-c", text, "bash", *called],
        cwd=folder,
        env=own,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Ended(ran.returncode, ran.stdout, ran.stderr)


def _check_printed(line: str, ended: Ended, expected: Ended, what: str, number: int, encoding: str | None) -> None:
    """Raise a failure unless a command copes with a stream that does not work."""
    if b"Traceback" in ended.err or b"Exception ignored" in ended.err:
        raise Raised(f"a traceback on the error stream: {ended.err.decode('utf-8', 'replace')}")
    if what == "closed" and number == 0 and line.endswith(" -"):
        return check_said(ended, (1,))
    if number == 1 and what in ("closed", "full"):
        return check_said(ended, (1,) if expected.out and not expected.code else (1, expected.code))
    if ended.code != expected.code:
        raise Different(
            f"exit status {ended.code}, elsewhere {expected.code}: {ended.err.decode('utf-8', 'replace')!r}"
        )
    if what in ("gone", "full", "closed") and number == 1:
        return None
    if encoding not in (None, "utf-8"):
        ended.out.decode(str(encoding))
        if "json" in line and json.loads(ended.out.decode("utf-8")) != json.loads(expected.out):
            raise Different(f"JSON in {encoding} says something else")
    elif ended.out != expected.out:
        raise Torn(f"other output than elsewhere: {ended.out[-500:]!r}")
    return None


def case(rng: random.Random) -> None:
    """Try one command with little room, or with streams that do not work."""
    (short_of_room if rng.random() < 0.6 else broken_streams)(rng)


def small_disk() -> None:
    """Mount the small disk, or say that there is none."""
    place = temporary()
    if mounted(place):
        disk.append(place)
        atexit.register(subprocess.run, ["umount", str(place)], check=False)
    else:
        print("disk: no small disk can be mounted here: files that may not grow stand in for it", file=sys.stderr)


if __name__ == "__main__":
    small_disk()
    prepare()
    run("disk", case, PATIENCE)
