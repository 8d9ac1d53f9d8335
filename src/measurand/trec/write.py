"""Writing files, compressed as their names say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from measurand.display.writing import PathLike, write_whole


def write_atomically(path: PathLike, chunks: Iterable[bytes]) -> None:
    """Write a file, compressed according to its ending; on failure leave what was there before.

    Parameters
    ----------
    path
        The file; its ending determines the compression.
    chunks
        The content, in parts.
    """
    write_whole(path, _pack(Path(path).suffix)(b"".join(chunks)))


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
