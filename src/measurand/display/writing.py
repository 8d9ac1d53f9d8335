"""Writing files and sets of files: whole or not at all; and where what was computed is kept for the next time."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager, nullcontext, suppress
from time import time
from typing import TYPE_CHECKING

from measurand.errors import CallError, InputFileError, MeasurandError
from measurand.interrupts import held, note_written

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


def write_whole(path: PathLike, data: bytes | Iterable[bytes], *, kept: bool = False, folders: bool = False) -> None:
    """Write a file; on failure, or if it is interrupted, leave what was there before.

    The file is on the disk before it replaces another. It has the mode of the file that it replaces, and that of any
    new file where there was none. A link is followed; a device or a pipe is written to as it is.

    Parameters
    ----------
    path
        Where to write it.
    data
        What it is to hold, whole or in parts, which are taken one after the other.
    kept
        Whether it is kept for another time and is no result, so that messages do not name it.
    folders
        Whether folders on the way to it are made; they are taken away if nothing is written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/new/grades", b"1 0 1", folders=True)
    ...     Path(folder, "new", "grades").read_bytes(), os.listdir(f"{folder}/new")
    (b'1 0 1', ['grades'])
    """
    parts = [data] if isinstance(data, bytes) else data
    try:
        target, before = _place(path)
        if (before is not None and not stat.S_ISREG(before.st_mode)) or _is_stream(path):
            whole = b"".join(parts)  # what was written there cannot be taken back
            with open(path, "ab") as file:  # noqa: PTH123 - what is not replaced is only written to
                file.write(whole)
            return
        folder = os.path.dirname(target)
        with _made(folder) if folders else nullcontext():
            _replace(target, parts, before, None if kept else os.fspath(path))
    except MeasurandError:  # a part could not be made
        raise
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def _refusal(path: PathLike, error: Exception) -> InputFileError:
    why = getattr(error, "strerror", None) or str(error)
    return InputFileError(os.fspath(path), None, f"cannot be written ({why})")


def _is_stream(path: PathLike) -> bool:
    """Return whether a path is a stream that this process has open already, a file perhaps, with more in it."""
    return os.fspath(path).startswith(("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"))


def _place(path: PathLike) -> tuple[str, os.stat_result | None]:
    """Return where a file really is, and what is there now; complain of what cannot be a file."""
    said = os.fspath(path)
    try:
        before = os.stat(said)
    except FileNotFoundError:
        before = None
    if not said or (said.endswith("/") and before is None) or (before is not None and stat.S_ISDIR(before.st_mode)):
        raise IsADirectoryError(errno.EISDIR, "it is a directory; name a file" if said else "the path is empty")
    if before is not None and stat.S_ISREG(before.st_mode) and not os.access(said, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return os.path.realpath(said), before


def _replace(target: str, parts: Iterable[bytes], before: os.stat_result | None, called: str | None) -> None:
    """Write a file beside its place, and move it there when it is on the disk."""
    folder = os.path.dirname(target)
    _remove_leftovers(folder)
    temporary = _temporary(folder)
    try:
        # the mode of a new file is up to the system, which knows the umask
        mode = 0o666 if before is None else 0o600
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(handle, "wb") as file:
            _lock(file.fileno())
            file.writelines(parts)
            file.flush()
            if before is not None:
                _as_before(file.fileno(), before)
            _sync(file.fileno())
            with held():
                os.replace(temporary, target)  # noqa: PTH105
                if called is not None:
                    note_written(called)
        _sync_folder(folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108 - pathlib takes time to load
        raise


def _as_before(handle: int, before: os.stat_result) -> None:
    """Give a file or folder the owner, where that is allowed, and the mode of what it replaces."""
    if hasattr(os, "fchown"):
        now = os.fstat(handle)
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            with suppress(OSError):
                os.fchown(handle, before.st_uid, before.st_gid)
        os.fchmod(handle, stat.S_IMODE(before.st_mode) & 0o777)


def _sync(handle: int) -> None:
    """Wait until a file or folder is on the disk, where the file system can say so."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def _sync_folder(folder: str) -> None:
    if os.name != "nt":
        with suppress(OSError):  # what was moved is moved; no more can be done
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


TEMPORARY = ".measurand-"
"""How the names of files and folders begin that are being written; short, for any name that they replace."""

OLD = 60.0
"""What was last written so many seconds ago, and nobody holds, was left by a program that was killed."""

_looked_at: set[str] = set()


def _temporary(folder: str) -> str:
    return os.path.join(folder, f"{TEMPORARY}{os.urandom(6).hex()}.tmp")


def _lock(handle: int) -> bool:
    """Hold a file or folder until it is closed, so that others see that somebody is at work; False if another does."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(handle, LOCK_EX | LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _remove_leftovers(folder: str) -> None:
    """Remove what a program that was killed left in a folder; once in every process."""
    if folder in _looked_at:
        return
    _looked_at.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(TEMPORARY) and entry.name.endswith(".tmp"):
                _remove_if_left(entry)


def _remove_if_left(entry: os.DirEntry[str]) -> None:
    with suppress(OSError):
        found = entry.stat(follow_symlinks=False)
        if time() - found.st_mtime < OLD or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            return
        handle = os.open(entry.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            if not _lock(handle):
                return
        finally:
            os.close(handle)
        if stat.S_ISDIR(found.st_mode):
            from shutil import rmtree

            rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)  # noqa: PTH108


@contextmanager
def _made(folder: str) -> Iterator[None]:
    """Make a folder, with those that lead to it; if the `with` block fails, take those away that are empty."""
    missing, at = [], folder
    while not os.path.isdir(at) and at != os.path.dirname(at):
        missing.append(at)
        at = os.path.dirname(at)
    try:
        for each in reversed(missing):
            with suppress(FileExistsError) if os.path.isdir(each) else nullcontext():
                os.mkdir(each)  # noqa: PTH102
        yield
    except BaseException:
        for each in missing:
            with suppress(OSError):
                os.rmdir(each)  # noqa: PTH106
        raise


def write_files(
    folder: PathLike, files: Iterable[tuple[str, bytes]], is_ours: Callable[[str], bool] = lambda _: False
) -> list[Path]:
    """Write a set of files into a folder, all of them at once or none, and return their paths.

    They are written into a new folder, which takes the place of the old one when all are on the disk. Other files of
    the old folder stay. A folder that holds folders of its own, or that the program was started in, cannot be
    exchanged, and is refused.

    Parameters
    ----------
    folder
        The folder; those that lead to it are made.
    files
        The files, by name.
    is_ours
        Whether a file of this name in the old folder is one of an earlier set, which goes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     [path.name for path in write_files(f"{place}/out", [("a.csv", b"1"), ("b.csv", b"2")])]
    ['a.csv', 'b.csv']
    """
    from pathlib import Path
    from shutil import rmtree

    target = os.path.realpath(folder)
    try:
        before = _exchangeable(folder, target)
        with _made(os.path.dirname(target)):
            _remove_leftovers(os.path.dirname(target))
            beside = _temporary(os.path.dirname(target))
            try:
                os.mkdir(beside)  # noqa: PTH102
                with _locked(beside) as handle:
                    names = _fill(beside, files)
                    others = set() if before is None else _others_linked(target, beside, {*names}, is_ours)
                    if before is not None and handle is not None:
                        _as_before(handle, before)
                    with held():
                        _exchange(beside, target, before is not None, {*names, *others}, is_ours)
                        note_written(os.fspath(folder))
            finally:
                with held():
                    rmtree(beside, ignore_errors=True)
            _sync_folder(os.path.dirname(target))
    except (OSError, ValueError) as error:
        raise _refusal(folder, error) from None
    return [Path(folder, name) for name in sorted(names)]


def _exchangeable(folder: PathLike, target: str) -> os.stat_result | None:
    """Return what is known of a folder, None if there is none yet; or complain that it cannot be exchanged."""
    try:
        before = os.stat(folder)
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(before.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "it is a file, and a folder is wanted")
    if not os.access(target, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if os.path.samestat(before, os.stat(".")):
        raise OSError(errno.EBUSY, "it is the folder that you are in, and is exchanged as a whole; name another")
    with os.scandir(target) as entries:
        for entry in entries:
            if not entry.is_symlink() and not entry.is_file():
                raise OSError(errno.ENOTEMPTY, f"it holds {entry.name}, which is no file; name a new folder")
    return before


@contextmanager
def _locked(folder: str) -> Iterator[int | None]:
    """Hold a folder within a `with` block; None where folders cannot be opened."""
    if os.name == "nt":
        yield None
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle)
        yield handle
        _sync(handle)
    finally:
        os.close(handle)


def _fill(folder: str, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """Write files into a new folder, and return their names."""
    names = []
    for name, data in files:
        with open(os.path.join(folder, name), "xb") as file:  # noqa: PTH123
            file.write(data)
            file.flush()
            _sync(file.fileno())
        names.append(name)
    return names


def _others_linked(old: str, new: str, names: Set[str], is_ours: Callable[[str], bool]) -> set[str]:
    """Give the other files of a folder a second place in a new one, and return their names."""
    others = {name for name in os.listdir(old) if name not in names and not is_ours(name)}
    for name in others:
        os.link(os.path.join(old, name), os.path.join(new, name), follow_symlinks=False)
    return others


def _exchange(new: str, old: str, exists: bool, known: Set[str], is_ours: Callable[[str], bool]) -> None:
    """Put a new folder into the place of an old one, which then lies where the new one was."""
    if not exists:
        os.rename(new, old)  # noqa: PTH104
        return
    if not _exchanged_at_once(new, old):
        aside = f"{new}.before"  # not a name of something to be removed, while it is the only one
        os.rename(old, aside)  # noqa: PTH104
        try:
            os.rename(new, old)  # noqa: PTH104
        except BaseException:
            os.rename(aside, old)  # noqa: PTH104
            raise
        os.rename(aside, new)  # noqa: PTH104
    for name in os.listdir(new):
        if name not in known and not is_ours(name):  # somebody wrote it in the meantime
            os.rename(os.path.join(new, name), os.path.join(old, name))  # noqa: PTH104


def _exchanged_at_once(one: str, other: str) -> bool:
    """Exchange two folders in one step, and return whether the system can."""
    import ctypes

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    here, exchange = -100, 2
    if call(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number))


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
