"""Writing files: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from measurand.errors import InputFileError
from measurand.trec.sources import PathLike


def write_atomically(path: PathLike, chunks: Iterable[bytes]) -> None:
    """Write a file, compressed as its ending says; on failure leave what was there before."""
    import tempfile

    data = _pack(Path(path).suffix)(b"".join(chunks))
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


def _pack(ending: str) -> Callable[[bytes], bytes]:
    """Return what compresses a file of this ending; each library is loaded when it is needed."""
    if ending == ".gz":
        import gzip

        return lambda data: gzip.compress(data, mtime=0)  # a fixed time makes equal content equal files
    if ending == ".xz":
        import lzma

        return lzma.compress
    if ending == ".bz2":
        import bz2

        return bz2.compress
    if ending == ".zst":
        import zstandard

        return zstandard.ZstdCompressor().compress
    return lambda data: data
