"""Writing files: whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from measurand.errors import InputFileError
from measurand.trec.sources import PathLike


def write_atomically(path: PathLike, chunks: Iterable[bytes]) -> None:
    """Write a file, compressed as its ending says; on failure leave what was there before."""
    target = Path(path)
    data = _pack(target.suffix)(b"".join(chunks))
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputFileError(str(target), None, f"cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp makes files that only the owner can read; a result is meant for others too
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _pack(ending: str) -> Callable[[bytes], bytes]:
    def zstd(data: bytes) -> bytes:
        import zstandard

        return zstandard.ZstdCompressor().compress(data)

    # a fixed time stamp makes equal content equal files
    packings: dict[str, Callable[[bytes], bytes]] = {
        ".gz": lambda data: gzip.compress(data, mtime=0),
        ".xz": lzma.compress,
        ".bz2": bz2.compress,
        ".zst": zstd,
    }
    return packings.get(ending, lambda data: data)
