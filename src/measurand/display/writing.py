"""Writing files: whole or not at all; and where what was computed is kept for the next time."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from measurand.errors import CallError, InputFileError

if TYPE_CHECKING:
    from pathlib import Path

PathLike = str | os.PathLike[str]

CACHE = "MEASURAND_CACHE"
"""The environment variable that names another directory for what is kept; empty, it means to keep nothing."""


def check_path(path: object, example: str) -> None:
    """Complain of what is no path of a file to write, in one line with an example.

    Parameters
    ----------
    path
        What stands where a path is expected.
    example
        A path that could stand there.

    Examples
    --------
    >>> check_path(3, "report.html")
    Traceback (most recent call last):
    ...
    measurand.errors.CallError: a path is expected, not 3; write "report.html"
    """
    if not isinstance(path, str | os.PathLike):
        raise CallError(f'a path is expected, not {path!r}; write "{example}"')


def write_whole(path: PathLike, data: bytes) -> None:
    """Write a file; on failure, or if it is interrupted, leave what was there before.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/grades", b"1 0 1")
    ...     Path(folder, "grades").read_bytes(), os.listdir(folder)
    (b'1 0 1', ['grades'])
    """
    import tempfile
    from pathlib import Path

    target = Path(path).resolve()
    temporary = None
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)  # a device or a pipe cannot be replaced, only written to
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp makes files that only the owner can read; a result is meant for others too
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()
        if isinstance(error, OSError):
            raise InputFileError(str(path), None, f"cannot be written ({error.strerror or error})") from None
        raise


def cache_directory() -> Path | None:
    """Return where what was computed is kept for the next time, or None if nowhere.

    Examples
    --------
    >>> os.environ["MEASURAND_CACHE"] = "somewhere"
    >>> cache_directory().name
    'somewhere'
    >>> del os.environ["MEASURAND_CACHE"]
    """
    from pathlib import Path

    said = os.environ.get(CACHE)
    if said is not None:
        return Path(said) if said else None
    from platformdirs import user_cache_path

    return user_cache_path("measurand", appauthor=False)
