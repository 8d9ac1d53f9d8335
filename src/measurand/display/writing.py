"""Writing files and sets of files: whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager, nullcontext, suppress
from time import time
from typing import TYPE_CHECKING

from measurand.errors import CallError, InputFileError, MeasurandError, ParameterError
from measurand.interrupts import held, note_printing, note_written

if TYPE_CHECKING:
    from pathlib import Path

PathLike = str | os.PathLike[str]


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
    if not os.fspath(path):
        raise ParameterError(f'an empty path names no file; write "{example}"')


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
        Whether it is kept for another time and is no result: messages do not name it, and whatever stands in its place
        is replaced, be it a link or a pipe.
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
        if kept:
            target = os.path.abspath(path)
            with made_folders(os.path.dirname(target)) if folders else nullcontext():
                write_kept(target, b"".join(parts))
            return
        target, before = _place(path)
        if (before is not None and not stat.S_ISREG(before.st_mode)) or _is_stream(path):
            whole = b"".join(parts)  # what was written there cannot be taken back
            with open(path, "ab") as file:
                note_printing()
                file.write(whole)
            return
        with made_folders(os.path.dirname(target)) if folders else nullcontext():
            _replace(target, parts, before, os.fspath(path))
    except MeasurandError:  # a part could not be made
        raise
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def write_kept(target: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file that is kept for another time into the place of whatever is there; OSError if that cannot be.

    Parameters
    ----------
    target
        Its absolute path.
    data
        What it is to hold.
    mode
        Its mode, from which the system takes what the umask has.
    """
    _replace(target, [data], None, None, mode)


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


def _replace(
    target: str, parts: Iterable[bytes], before: os.stat_result | None, called: str | None, new_mode: int = 0o666
) -> None:
    """Write a file beside its place, and move it there when it is on the disk."""
    folder = os.path.dirname(target)
    remove_leftovers(folder)
    temporary = _temporary(folder)
    try:
        # the mode of a new file is up to the system, which knows the umask
        mode = new_mode if before is None else 0o600
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(handle, "wb") as file:
            _lock(file.fileno())
            file.writelines(parts)
            file.flush()
            if before is not None:
                _as_before(file.fileno(), before)
            _sync(file.fileno())
            if os.name == "nt":  # what is open cannot be moved there; elsewhere it is locked until it has its place
                file.close()
            with held():
                os.replace(temporary, target)
                if called is not None:
                    note_written(called)
        _sync_folder(folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _as_before(handle: int, before: os.stat_result) -> None:
    """Give a file or folder the owner and the mode of what it replaces, where that is allowed and the disk has them."""
    if hasattr(os, "fchown"):
        now = os.fstat(handle)
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            with suppress(OSError):
                os.fchown(handle, before.st_uid, before.st_gid)
        # of a folder, that files in it belong to its group, and that only their owners may remove them
        mode = stat.S_IMODE(before.st_mode) & (0o3777 if stat.S_ISDIR(before.st_mode) else 0o777)
        if mode != stat.S_IMODE(os.fstat(handle).st_mode):
            with suppress(OSError):  # what remains is narrower
                os.fchmod(handle, mode)


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


def _is_temporary(name: str) -> bool:
    return name.startswith(TEMPORARY) and re.fullmatch(r"[0-9a-f]{12}\.tmp", name.removeprefix(TEMPORARY)) is not None


def _lock(handle: int) -> bool:
    """Hold a file or folder until it is closed, so that others see that somebody is at work; False if another does."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(handle, LOCK_EX | LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def remove_leftovers(folder: str) -> None:
    """Remove what a program that was killed left in a folder more than a minute ago; once in every process.

    Parameters
    ----------
    folder
        The folder.
    """
    if folder in _looked_at:
        return
    _looked_at.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _is_temporary(entry.name):
                _remove_if_left(entry)


def _remove_if_left(entry: os.DirEntry[str]) -> None:
    with suppress(OSError):
        found = entry.stat(follow_symlinks=False)
        if time() - found.st_mtime < OLD or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            return
        handle = os.open(entry.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            if not _lock(handle):
                return
        finally:
            os.close(handle)
        if stat.S_ISDIR(found.st_mode):
            from shutil import rmtree

            rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


@contextmanager
def made_folders(folder: str, mode: int = 0o777) -> Iterator[None]:
    """Make a folder, with those that lead to it; if the `with` block fails, take those away that are empty.

    Parameters
    ----------
    folder
        Its absolute path.
    mode
        The mode of those that are made, from which the system takes what the umask has.
    """
    missing, at = [], folder
    while not os.path.isdir(at) and at != os.path.dirname(at):
        missing.append(at)
        at = os.path.dirname(at)
    made: list[str] = []
    try:
        for each in reversed(missing):
            try:
                os.mkdir(each, mode)
                made.append(each)
            except FileExistsError:  # another program may have made it meanwhile
                if not os.path.isdir(each):
                    raise
        yield
    except BaseException:
        for each in reversed(made):
            with suppress(OSError):
                os.rmdir(each)
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

    try:
        target = os.path.realpath(folder)
        before = _exchangeable(folder, target)
        with made_folders(os.path.dirname(target)):
            remove_leftovers(os.path.dirname(target))
            beside = _temporary(os.path.dirname(target))
            try:
                os.mkdir(beside, 0o777 if before is None else 0o700)
                with _locked(beside) as handle:
                    names = _fill(beside, files, None if before is None else target)
                    if before is not None:
                        _link_others(target, beside, {*names}, is_ours)
                    if before is not None and handle is not None:
                        _as_before(handle, before)
                    if handle is not None:
                        _sync(handle)
                    with held():
                        old = _exchange(beside, target, before is not None)
                        note_written(os.fspath(folder))
                        _move_new_ones(old, target, lambda name: name in names or is_ours(name))
                        rmtree(old, ignore_errors=True)
            finally:
                with held():
                    rmtree(beside, ignore_errors=True)
            _sync_folder(os.path.dirname(target))
    except (OSError, ValueError) as error:
        raise _refusal(folder, error) from None
    return [Path(folder, name) for name in sorted(names)]


def check_folder(folder: PathLike) -> None:
    """Complain of a folder that `write_files` would refuse, before everything is computed for it.

    Parameters
    ----------
    folder
        The folder.
    """
    try:
        _exchangeable(folder, os.path.realpath(folder))
    except (OSError, ValueError) as error:
        raise _refusal(folder, error) from None


def _exchangeable(folder: PathLike, target: str) -> os.stat_result | None:
    """Return what is known of a folder, None if there is none yet; or complain that it cannot be exchanged."""
    if not os.fspath(folder):
        raise FileNotFoundError(errno.ENOENT, "the path is empty")
    try:
        before = os.stat(folder)
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(before.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "it is a file, and a folder is wanted")
    if not os.access(target, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    why = ""
    if os.path.samestat(before, os.stat(".")):
        why = "it is the folder that you are in"
    elif os.path.ismount(target):
        why = "a disk is mounted there"
    elif not os.access(os.path.dirname(target), os.W_OK | os.X_OK):
        why = "the folder around it may not be written to"
    if why:
        raise OSError(errno.EBUSY, f"{why}, and it is exchanged as a whole; {_own(folder)}")
    with os.scandir(target) as entries:
        for entry in entries:
            if not entry.is_symlink() and not entry.is_file():
                raise OSError(errno.ENOTEMPTY, f"it holds {entry.name}, which is no file; {_own(folder)}")
    return before


def _own(folder: PathLike) -> str:
    return f"name a folder of its own, such as {os.path.join(os.fspath(folder), 'data')}"


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
    finally:
        os.close(handle)


def _fill(folder: str, files: Iterable[tuple[str, bytes]], old: str | None) -> list[str]:
    """Write files into a new folder, each with the mode of that which it replaces, and return their names."""
    names = []
    for name, data in files:
        with open(os.path.join(folder, name), "xb") as file:
            file.write(data)
            file.flush()
            if old is not None:
                with suppress(FileNotFoundError):
                    before = os.lstat(os.path.join(old, name))
                    if stat.S_ISREG(before.st_mode):
                        _as_before(file.fileno(), before)
            _sync(file.fileno())
        names.append(name)
    return names


def _link_others(old: str, new: str, names: Set[str], is_ours: Callable[[str], bool]) -> None:
    """Give the other files of a folder a second place in a new one."""
    for name in os.listdir(old):
        if name not in names and not is_ours(name):
            try:
                os.link(os.path.join(old, name), os.path.join(new, name), follow_symlinks=False)
            except OSError as error:
                why = f"it holds {name}, which cannot be taken over ({error.strerror}); {_own(old)}"
                raise OSError(error.errno, why) from None


def _exchange(new: str, old: str, exists: bool) -> str:
    """Put a new folder into the place of an old one, and return where the old one lies then, if there is one."""
    if not exists:
        try:
            os.rename(new, old)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                raise OSError(error.errno, "another program wrote it meanwhile; run the command again") from None
            raise
        return new
    try:
        return new if _exchanged_at_once(new, old) else _exchanged_one_after_the_other(new, old)
    except OSError as error:
        raise OSError(error.errno, f"it cannot be exchanged as a whole ({error.strerror}); {_own(old)}") from None


def _exchanged_one_after_the_other(new: str, old: str) -> str:
    aside = f"{new}.before"  # not a name of something to be removed, while it is the only one
    os.rename(old, aside)
    try:
        os.rename(new, old)
    except OSError as error:
        try:
            os.rename(aside, old)
        except OSError:
            raise OSError(error.errno, f"{error.strerror}; what was there is in {aside} now") from None
        raise
    return aside


def _move_new_ones(old: str, new: str, is_ours: Callable[[str], bool]) -> None:
    """Move what somebody wrote into an old folder while a new one took its place; what is the same in both stays."""
    with suppress(OSError):  # there is none where there was no folder before
        for name in os.listdir(old):
            one, other = os.path.join(old, name), os.path.join(new, name)
            if not is_ours(name) and not (os.path.lexists(other) and os.path.samestat(os.lstat(one), os.lstat(other))):
                os.rename(one, other)


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
