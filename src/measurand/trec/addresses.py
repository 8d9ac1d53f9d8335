"""Files at addresses, such as `s3://bucket/bm25.run.gz` and `https://…`, through the package fsspec.

Which addresses there are, fsspec decides: `https://` and `memory://` come with it, others with packages of their own,
such as s3fs for `s3://` and huggingface_hub for `hf://`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import IO, Any, TypeVar

from measurand.display.result import shortened
from measurand.errors import InputFileError, NotInstalled
from measurand.loading import needed

_ADDRESS = r"([a-z][a-z0-9+.-]+::)*[a-z][a-z0-9+.-]+://"

Found = TypeVar("Found")


def is_address(path: str) -> bool:
    """Return whether a path is an address rather than the name of a file.

    Examples
    --------
    >>> is_address("s3://runs/bm25.gz"), is_address("simplecache::https://a.org/bm25"), is_address("runs/bm25.gz")
    (True, True, False)
    """
    # the first test spares most calls of the program to compile the second
    return "://" in path and re.match(_ADDRESS, path, re.IGNORECASE) is not None


def is_pattern(address: str) -> bool:
    """Return whether an address stands for several files; `?` begins a query on the web.

    Examples
    --------
    >>> is_pattern("s3://runs/*.gz"), is_pattern("https://a.org/run?version=2")
    (True, False)
    """
    return any(letter in address for letter in ("*" if _on_the_web(address) else "*?["))


def _on_the_web(address: str) -> bool:
    return re.match(r"(.*::)?https?://", address, re.IGNORECASE) is not None


def base_name(address: str) -> str:
    """Return the last part of an address, without a query.

    Examples
    --------
    >>> base_name("https://a.org/runs/bm25.run.gz?download=1")
    'bm25.run.gz'
    """
    path = re.split(r"[?#]", address)[0] if _on_the_web(address) else address
    return path.rstrip("/").rpartition("/")[2]


def bytes_at(address: str) -> bytes:
    """Return what the file at an address holds, packed or not; or say what is wrong with it.

    Parameters
    ----------
    address
        The address.
    """

    def read() -> bytes:
        with open_address(address) as file:
            return bytes(file.read())

    return _reached(address, read)


def open_address(address: str) -> IO[bytes]:
    """Return the file at an address, open for reading.

    Parameters
    ----------
    address
        The address.
    """
    opened: IO[bytes] = _package(address).open(address, "rb").open()
    return opened


def write_at(address: str, data: bytes) -> None:
    """Write a file at an address, with the folders that lead to it.

    Parameters
    ----------
    address
        The address.
    data
        What the file is to hold.

    Examples
    --------
    >>> write_at("memory://runs/a/bm25.run", b"1 Q0 d1 1 2.5 bm25")
    >>> bytes_at("memory://runs/a/bm25.run"), exists_at("memory://runs/b")
    (b'1 Q0 d1 1 2.5 bm25', False)
    """

    def write() -> None:
        system, path = _package(address).core.url_to_fs(address)
        system.makedirs(path.rpartition("/")[0], exist_ok=True)
        system.pipe_file(path, data)

    _reached(address, write, "written")


def remove_at(address: str) -> None:
    """Remove the file at an address, if there is one.

    Parameters
    ----------
    address
        The address.
    """

    def remove() -> None:
        system, path = _package(address).core.url_to_fs(address)
        if system.exists(path):
            system.rm_file(path)

    _reached(address, remove, "removed")


def exists_at(address: str) -> bool:
    """Return whether there is a file or a folder at an address.

    Parameters
    ----------
    address
        The address.
    """

    def ask() -> bool:
        system, path = _package(address).core.url_to_fs(address)
        system.invalidate_cache()
        return bool(system.exists(path))

    return _reached(address, ask)


def size_at(address: str) -> int | None:
    """Return how many bytes the file at an address has; None where that is not told.

    Parameters
    ----------
    address
        The address.
    """

    def ask() -> int | None:
        system, path = _package(address).core.url_to_fs(address)
        size = system.size(path)
        return None if size is None else int(size)

    return _reached(address, ask)


VERSIONS = ("etag", "content-md5", "md5hash", "blobid", "lastmodified", "last-modified", "mtime", "modified", "created")
"""What kinds of addresses call that which is another one when a file was written anew; without _."""


def version_at(address: str) -> str | None:
    """Return what tells that the file at an address was written anew: its size, and what the address says besides.

    None where nothing is told.

    Parameters
    ----------
    address
        The address.

    Examples
    --------
    >>> write_at("memory://runs/dl19.run", b"1 Q0 d1 1 2.5 bm25")
    >>> before = version_at("memory://runs/dl19.run")
    >>> write_at("memory://runs/dl19.run", b"1 Q0 d2 1 2.5 bm25")
    >>> version_at("memory://runs/dl19.run") == before
    False
    """

    def ask() -> str | None:
        system, path = _package(address).core.url_to_fs(address)
        system.invalidate_cache()
        told = {str(name).lower().replace("_", ""): value for name, value in system.info(path).items()}
        found = [str(told[name]) for name in ("size", *VERSIONS) if told.get(name) is not None]
        return " ".join(found) or None

    return _reached(address, ask)


def addresses_of(pattern: str) -> list[str]:
    """Return the addresses that a pattern stands for, or those of the files in a folder, sorted.

    Parameters
    ----------
    pattern
        A pattern, such as `s3://bucket/runs/*.gz`, or the address of a folder, which ends with a slash.
    """

    def find() -> list[str]:
        system, path = _package(pattern).core.url_to_fs(pattern)
        found = system.glob(path) if is_pattern(pattern) else system.ls(path, detail=False)
        return sorted(system.unstrip_protocol(each) for each in found if not system.isdir(each))

    several = _reached(pattern, find)
    if not several:
        raise InputFileError(pattern, None, "no file matches" if is_pattern(pattern) else "this folder holds no file")
    return several


def _package(address: str) -> Any:
    try:
        return needed("fsspec", "remote", "an address")
    except NotInstalled as error:
        raise InputFileError(address, None, str(error)) from None


def _reached(address: str, ask: Callable[[], Found], deed: str = "read") -> Found:
    """Return what is found at an address; whatever goes wrong is said in one line."""
    try:
        return ask()
    except InputFileError:
        raise
    except FileNotFoundError as error:
        # what fsspec does not find it may not have reached
        why = error.__cause__
        if isinstance(why, OSError) and not isinstance(why, FileNotFoundError):
            raise InputFileError(address, None, f"cannot be reached ({_said(why)})") from None
        raise InputFileError(address, None, "there is no such file; check the address") from None
    except IsADirectoryError:
        asked = "this is a folder where one file is wanted; of runs, a slash at the end names all files in it"
        raise InputFileError(address, None, asked) from None
    except PermissionError as error:
        raise InputFileError(address, None, f"may not be {deed} ({_said(error)})") from None
    except ImportError as error:
        raise InputFileError(address, None, f"fsspec needs a package for it ({_said(error)})") from None
    except Exception as error:  # noqa: BLE001 - each kind of address has its own errors, those of networks among them
        failed = "reached" if deed == "read" else deed
        raise InputFileError(address, None, f"cannot be {failed} ({_said(error)})") from None


def _said(error: Exception) -> str:
    return shortened(str(error)) or type(error).__name__
