"""What is kept, damaged in any way, and asked again: caches, parts of an interrupted computation, stores of scores.

A file that was kept is flipped, cut, lengthened, emptied, exchanged with another, replaced by a folder, a pipe, a link
or a loop of links, given to others, or removed; or a folder is. Then the same is asked again:

- of a cache, or of parts, the same answer, made anew if need be; and what is said to be kept is there, and sound;
- of a store, the same numbers or one line of error that is measurand's; `--resume` gives the same numbers or one line,
  and after it, if it did, the store gives them too;
- a write that fails (full disk, rights, a share that is gone) leaves what was there.

Called as `python -m fuzz.kept SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import atexit
import errno
import logging
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import measurand as md
import measurand.display.keeping as keeping
import measurand.display.writing as writing
import measurand.intervals.counted_values as counted_values
from fuzz.harness import Different, Torn, run, show
from measurand.errors import MeasurandError
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.papers.scale_tables import KeptParts
from measurand.study.store.scoring import _judging

logging.getLogger("measurand").addHandler(logging.NullHandler())

QRELS = {str(topic): {f"d{document}": (topic + document) % 3 for document in range(4)} for topic in range(1, 5)}
ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO, errno.ESTALE)
CALLS = ("fsync", "replace", "mkdir", "open", "rename", "link")
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk in memory, where there is one
PART = {"tau": 0.25, "cells": [1, None, 0.5], "name": "Ä\udcff"}


def files_in(folder: Path) -> list[Path]:
    """Return the files in a folder and in those within that can still be damaged."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(path for path in found if path.stat().st_size < 1 << 30)


def flipped(rng: random.Random, path: Path) -> None:
    """Change one byte of a file, or several."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 1, 3, 20))):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def rewritten(rng: random.Random, path: Path) -> None:
    """Cut a file, lengthen it, or write something else into it."""
    data = path.read_bytes()
    at = rng.randrange(len(data) + 1)
    others = [each for each in files_in(path.parent) if each != path]
    path.write_bytes(
        rng.choice(
            (
                data[:at],
                data[at:],
                data + data[:at],
                b"",
                b"\0" * len(data),
                b"{}",
                b"[" * 20_000,
                b'{"format": 1, "version": "0.1"}',
                rng.randbytes(100),
                rng.choice(others).read_bytes() if others else data,
            )
        )
    )


def replaced(rng: random.Random, path: Path) -> None:
    """Put something that is no file into the place of one."""
    path.unlink()
    how = rng.randrange(6)
    if how == 0:
        path.mkdir()
    elif how == 1:
        os.mkfifo(path)
    elif how == 2:
        path.symlink_to(path.name)
    elif how == 3:
        path.symlink_to("/dev/zero")
    elif how == 4:
        path.touch()
        os.truncate(path, 1 << 40)  # holes, no bytes
    # otherwise it is gone


def other_rights(rng: random.Random, path: Path) -> None:
    """Let others write to a file or its folder, or give it to them, or let nobody read it."""
    place = rng.choice((path, path.parent))
    if rng.random() < 0.3 and os.geteuid() == 0:
        os.chown(place, 12345, 12345)
    else:
        place.chmod(rng.choice((0o666, 0o777, 0o000, 0o620)) | (0o100 if place.is_dir() else 0))


DAMAGES = (flipped, flipped, flipped, rewritten, rewritten, replaced, replaced, other_rights)


def damage(rng: random.Random, folder: Path) -> None:
    """Damage one or two things in a folder, and say which.

    Parameters
    ----------
    rng
        Where the draws come from.
    folder
        The folder.
    """
    said = []
    for _ in range(rng.choice((1, 1, 2))):
        files = files_in(folder)
        if not files:
            break
        path, how = rng.choice(files), rng.choice(DAMAGES)
        if rng.random() < 0.05 and path.parent != folder:
            shutil.rmtree(path.parent)
            if rng.random() < 0.5:
                path.parent.touch()
            said.append(f"no folder {path.parent.name}")
            break
        how(rng, path)
        said.append(f"{how.__name__} {path.relative_to(folder)}")
    show("\n".join(said))


@contextmanager
def failing(rng: random.Random) -> Iterator[bool]:
    """Have one call of the system fail from some moment on, or none."""
    name, number, after = rng.choice(CALLS), rng.choice(ERRORS), rng.randrange(4)
    if rng.random() < 0.7:
        yield False
        return
    do, done = getattr(os, name), [0]

    def fails(*given: Any, **options: Any) -> Any:
        done[0] += 1
        writes = name != "open" or (len(given) > 1 and given[1] & os.O_CREAT)
        if done[0] > after and writes:
            raise OSError(number, os.strerror(number))
        return do(*given, **options)

    setattr(os, name, fails)
    try:
        yield True
    finally:
        setattr(os, name, do)


def forget() -> None:
    """Forget what a process knows from earlier cases."""
    writing._looked_at.clear()
    keeping.tell_once.cache_clear()
    _judging.cache_clear()


def check_nothing_torn(folder: Path) -> None:
    """Raise Torn if something that was being written is left."""
    left = [path.name for path in folder.rglob(f"{writing.TEMPORARY}*")]
    if left:
        raise Torn(f"{left} left behind")


def try_ruler(rng: random.Random, folder: Path) -> None:
    """Ask for ranks with checkpoints that were kept, and damaged."""

    def asked() -> list[int]:
        ruler = WalkRuler.of(average_precision_walk(7), "AP-7")
        runs = np.array([[0, 0, 1, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 1]], dtype=np.int8)
        return [ruler.size, *(int(position.rank) for position in ruler.positions(runs))]

    expected = asked()
    damage(rng, folder)
    with failing(rng):
        again = asked()
    if again != expected or asked() != expected:
        raise Different(f"{again} where {expected} was kept")


def try_parts(rng: random.Random, folder: Path) -> None:
    """Ask for the parts of a computation that were kept, and damaged."""
    parts = KeptParts(folder / "reproduce", "aa")
    for depth in (5, 10):
        parts.made(f"depth-{depth}", lambda depth=depth: PART | {"depth": depth})
    damage(rng, folder)
    with failing(rng):
        for depth in (5, 10):
            found = parts.made(f"depth-{depth}", lambda depth=depth: PART | {"depth": depth})
            if found != PART | {"depth": depth}:
                raise Different(f"{found} where depth {depth} was kept")
    said = parts.outcome()
    forget()
    for depth in (5, 10):
        there = keeping.kept(parts._path(f"depth-{depth}"), partial(keeping.unsealed, f"depth-{depth}.aa.json"))
        if (there is not None) != (f"depth {depth}" in said.partition(":")[0].split(", ")):
            raise Different(f"{said!r} is said, and depth {depth} is {'' if there else 'not '}kept")
    parts.forget()


@cache
def finished() -> tuple[Path, Path, list[list[float]]]:
    """Return run files, a finished store of them, and the numbers that it gives; made once."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-kept-", dir=FAST))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    runs = folder / "runs"
    runs.mkdir()
    for name in ("bm25", "rm3"):
        lines = [
            f"{topic} Q0 d{(topic + place * place + len(name)) % 7} 0 {9 - place} {name}\n"
            for topic in range(1, 5)
            for place in range(3)
        ]
        (runs / f"{name}.run").write_text("".join(dict.fromkeys(lines)))
    return runs, folder / "scores", numbers(stored(runs, folder / "scores"))


def stored(runs: Path, folder: Path, *, resume: bool = False) -> Any:
    """Store scores."""
    return md.store_scores(QRELS, sorted(runs.iterdir()), ["AP", "P@2"], into=folder, resume=resume, block=200)


def numbers(store: Any) -> list[list[float]]:
    """Return all numbers that a store has, read in both ways."""
    return [*store.values("AP").tolist(), *store.table()["P@2"].values.tolist(), store.means("P@2").tolist()]


def answer(ask: Callable[[], Any], expected: list[list[float]]) -> bool:
    """Return whether something gives the numbers expected; False if it complains in one line."""
    try:
        found = numbers(ask())
    except MeasurandError as error:
        if len(str(error).splitlines()) != 1 or not str(error).strip():
            raise Different(f"a complaint is no line: {error!r}") from None
        return False
    if found != expected:
        raise Different(f"{found} where {expected} was stored")
    return True


def try_store(rng: random.Random, folder: Path) -> None:
    """Ask a store that was damaged, have it mended, and ask again."""
    runs, kept, expected = finished()
    scores = folder / "scores"
    shutil.copytree(kept, scores)
    damage(rng, scores)
    before = answer(lambda: md.open_scores(scores), expected)
    forget()
    with failing(rng):
        mended = answer(lambda: stored(runs, scores, resume=True), expected)
    forget()
    after = answer(lambda: md.open_scores(scores), expected)
    if (before or mended) and not after:
        raise Torn("a store gives no numbers any more that gave them before")
    if not mended and answer(lambda: stored(runs, scores, resume=True), expected):
        forget()
        if not answer(lambda: md.open_scores(scores), expected):
            raise Torn("a store was mended, and gives no numbers")


def try_set(rng: random.Random, folder: Path) -> None:
    """Write a set of files over another while calls of the system fail: one of both is there, and others' files are."""
    out, new = folder / "out", rng.random() < 0.3
    old: dict[str, bytes] = {} if new else {"a.csv": b"old", "b.csv": b"old"}
    after = {"a.csv": b"new", "c.csv": b"new"}
    if not new:
        writing.write_files(out, old.items())
        (out / "mine").symlink_to("nowhere") if rng.random() < 0.5 else (out / "mine").write_bytes(b"mine")
    at_once, slowly = writing._exchanged_at_once, rng.random() < 0.5
    if slowly:
        writing._exchanged_at_once = lambda *_: False
    try:
        with failing(rng):
            writing.write_files(out, after.items(), lambda name: name.endswith(".csv"))
        written = True
    except MeasurandError as error:
        written, told = False, str(error).partition("what was there is in ")[2].partition(" now")[0]
        if told:  # not even that could be undone
            Path(told).rename(out)
    finally:
        writing._exchanged_at_once = at_once
    found = {path.name: path.read_bytes() for path in out.glob("*.csv")} if out.exists() else {}
    if found != (after if written else old):
        raise Torn(f"{found} is there where the set was {'' if written else 'not '}written")
    if not new and not os.path.lexists(out / "mine"):
        raise Torn("a file of somebody else's is gone")


def case(rng: random.Random) -> None:
    """Try one case."""
    finished()
    forget()
    with tempfile.TemporaryDirectory(prefix="fuzz-kept-", dir=FAST, ignore_cleanup_errors=True) as place:
        folder = Path(place) / "cache"
        folder.mkdir(mode=0o700)
        os.environ["MEASURAND_CACHE"] = str(folder)
        counted_values.LONG = 0
        rng.choice((try_ruler, try_parts, try_store, try_store, try_set))(rng, folder)
        check_nothing_torn(folder)


if __name__ == "__main__":
    run("kept", case)
