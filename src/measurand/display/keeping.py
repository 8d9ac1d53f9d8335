"""What was computed and is kept for another time: where, for whom, and whether it still is what was kept.

A cache is a convenience: where nothing can be kept or read, everything is computed, and nobody is told. Of what is
there but cannot be relied on a line says so, and it is made anew: a file that is damaged, too large or no file at all,
and a file or folder that belongs to another user or that others may write to.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, TypeVar

from measurand.display.writing import made_folders, write_kept
from measurand.execution.memory import most_at_once
from measurand.letters import on_one_line

Found = TypeVar("Found")

CACHE = "MEASURAND_CACHE"
"""The environment variable that names another directory for what is kept; empty, it means to keep nothing."""

MOST = 1 << 26
"""What is kept is smaller; a larger file was not written by us."""

NOTHING = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
"""The numbers of errors that say that there is nothing."""


def cache_directory() -> Path | None:
    """Return where what was computed is kept for the next time, or None if nowhere.

    Examples
    --------
    >>> os.environ["MEASURAND_CACHE"] = "somewhere"
    >>> cache_directory().name
    'somewhere'
    >>> del os.environ["MEASURAND_CACHE"]
    """
    said = os.environ.get(CACHE)
    if said is not None:
        return Path(said) if said else None
    from platformdirs import user_cache_path

    if not os.path.isabs(os.environ.get("XDG_CACHE_HOME", "")) and not _has_home():
        return None
    found = user_cache_path("measurand", appauthor=False)
    return found if found.is_absolute() else None


def _has_home() -> bool:
    """Return whether the user has a folder: a system's user may have one that is not there, or none at all."""
    home = os.path.expanduser("~")
    return os.environ.get("HOME", home) != "" and os.path.isabs(home) and os.path.isdir(home)


def kept(path: Path, read: Callable[[bytes], Found]) -> Found | None:
    """Return what was kept in a file; None if nothing was, or if it cannot be relied on, which is said.

    Parameters
    ----------
    path
        The file.
    read
        Makes something of its bytes; a ValueError says that they are damaged.
    """
    try:
        return read(_own_bytes(path))
    except ValueError as error:
        tell_once(f"{path} {error}; what it should hold is made anew")
    except OSError as error:
        if error.errno not in NOTHING:
            tell_once(f"{path} cannot be read ({error.strerror or error}); what it should hold is made anew")
    return None


def keep(path: Path, data: bytes) -> bool:
    """Keep a file for its user alone, where that can be done, and return whether it was.

    Parameters
    ----------
    path
        The file; folders on the way to it are made, for their user alone.
    data
        What it is to hold.
    """
    target = Path(os.path.abspath(path))
    try:
        with made_folders(str(target.parent), 0o700):
            _check_own(target.parent.stat(), target.parent)
            write_kept(str(target), data, 0o600)
    except (OSError, ValueError):
        return False
    return True


def _own_bytes(path: Path) -> bytes:
    """Return what a regular file of this user holds; ValueError if it is none. Nothing is waited for."""
    _check_own(os.stat(path.parent), path.parent)
    with _regular(path, "O_NOFOLLOW") as file:
        found = os.fstat(file.fileno())
        if found.st_size > MOST:
            raise ValueError(f"has {found.st_size:,} bytes, which are too many")
        _check_own(found, path)
        return file.read(MOST)


def regular_bytes(path: str) -> bytes:
    """Return what a regular file holds; ValueError if it is none, such as a pipe, for which nobody waits.

    Parameters
    ----------
    path
        The file.
    """
    with _regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        most = most_at_once() if size > MOST else None
        if most is not None and size > most:
            raise ValueError(f"has {size:,} bytes, which do not fit into memory")
        return file.read()


def _regular(path: str | Path, *flags: str) -> IO[bytes]:
    names = ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK", *flags)
    handle = os.open(path, os.O_RDONLY | sum(getattr(os, name, 0) for name in names))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ValueError("is no file")
    return os.fdopen(handle, "rb")


def _check_own(found: os.stat_result, path: Path) -> None:
    """Complain of a file or folder that somebody else may have written."""
    if os.name == "nt":
        return
    if found.st_uid != os.geteuid():
        raise ValueError(f"is not used: {path} belongs to another user")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ValueError(f"is not used: others may write to {path} (chmod go-w)")


SEAL = b'{"sha256": "%s", "held": '
"""How a sealed file begins; behind it stand what is sealed and a brace, so that all of it is JSON."""


def sealed(name: str, value: Any) -> bytes:
    """Return a value as JSON with a digest of it and of what it is called.

    Parameters
    ----------
    name
        What it is called.
    value
        Anything that JSON can hold.

    Examples
    --------
    >>> unsealed("grades", sealed("grades", [1, 0, 1]))
    [1, 0, 1]
    >>> unsealed("grades", sealed("grades", [1, 0, 1]).replace(b"0", b"1"))
    Traceback (most recent call last):
    ...
    ValueError: is damaged
    """
    text = json.dumps([name, value]).encode()
    return SEAL % sha256(text).hexdigest().encode() + text + b"}"


def unsealed(name: str, data: bytes) -> Any:
    """Return a value that was sealed; ValueError if it is damaged or another one.

    Parameters
    ----------
    name
        What it is called.
    data
        What `sealed` returned.
    """
    text = data[len(SEAL % ("0" * 64).encode()) : -1]
    if data != SEAL % sha256(text).hexdigest().encode() + text + b"}":
        raise ValueError("is damaged")
    called, value = json.loads(text)
    if called != name:
        raise ValueError(f"holds {called}")
    return value


def tell(text: str) -> None:
    """Say that something that was kept is not used; `logging` decides where, by default on the error stream.

    Parameters
    ----------
    text
        A line.
    """
    from logging import getLogger

    getLogger("measurand").warning("note: %s", on_one_line(text))


tell_once = cache(tell)
"""The same, but no more often in a process."""
