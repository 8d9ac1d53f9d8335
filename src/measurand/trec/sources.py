"""Where files come from: paths, open files, directories, patterns; plain or compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterable
from glob import glob, has_magic
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from measurand.errors import InputError, InputFileError

PathLike = str | os.PathLike[str]

_ENDINGS = (".gz", ".xz", ".bz2", ".zst")


@frozen
class Content:
    """The bytes of a file and the name by which messages call it."""

    name: str
    data: bytes

    def fail(self, line: int | None, why: str) -> InputFileError:
        """Return the error that says what is wrong with the file, and where."""
        return InputFileError(self.name, line, why)


def is_file(source: object) -> bool:
    """Say whether a source is a path or an open file rather than data."""
    return isinstance(source, str | os.PathLike) or hasattr(source, "read")


def load(source: PathLike | IO[Any]) -> Content:
    """Return the content of a path or an open file, unpacked if it is compressed.

    Gzip, xz, bzip2 and zstandard are told by their first bytes, whatever the file is called.
    """
    if hasattr(source, "read"):
        data = source.read()
        name = str(getattr(source, "name", "<open file>"))
        return Content(name, unpack(data.encode() if isinstance(data, str) else bytes(data), name))
    path = Path(source)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputFileError(str(path), None, "there is no such file") from None
    except IsADirectoryError:
        raise InputFileError(str(path), None, "this is a directory where one file is wanted") from None
    except OSError as error:
        raise InputFileError(str(path), None, f"cannot be read ({error.strerror or error})") from None
    return Content(str(path), unpack(data, str(path)))


def _unzstd(data: bytes) -> bytes:
    import zstandard

    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as reader:
        return reader.read()


_PACKINGS: tuple[tuple[bytes, str, Callable[[bytes], bytes]], ...] = (
    (b"\x1f\x8b", "gzip", gzip.decompress),
    (b"\xfd7zXZ\x00", "xz", lzma.decompress),
    (b"BZh", "bzip2", bz2.decompress),
    (b"\x28\xb5\x2f\xfd", "zstandard", _unzstd),
)


def unpack(data: bytes, name: str) -> bytes:
    """Return the bytes that a compressed file holds, or the bytes themselves."""
    for magic, packing, decompress in _PACKINGS:
        if data.startswith(magic):
            try:
                return decompress(data)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise InputFileError(
                    name, None, f"is damaged: its {packing} data cannot be unpacked ({error})"
                ) from None
            except Exception as error:  # zstandard has an error class of its own
                if type(error).__module__.partition(".")[0] != "zstandard":
                    raise
                raise InputFileError(
                    name, None, f"is damaged: its {packing} data cannot be unpacked ({error})"
                ) from None
    return data


def expand(sources: Iterable[Any]) -> list[Any]:
    """Return the sources with directories and patterns replaced by the files they stand for, sorted."""
    found: list[Any] = []
    for source in sources:
        if not isinstance(source, str | os.PathLike):
            found.append(source)
            continue
        path = Path(source)
        if path.is_dir():
            files = sorted(entry for entry in path.iterdir() if entry.is_file() and not entry.name.startswith("."))
            if not files:
                raise InputFileError(str(path), None, "this directory holds no file")
            found.extend(files)
        elif has_magic(str(source)) and not path.exists():
            matches = sorted(glob(str(source)))  # noqa: PTH207 - pathlib has no absolute patterns
            if not matches:
                raise InputError(f"{source}: no file matches this pattern")
            found.extend(Path(match) for match in matches)
        else:
            found.append(path)
    return found


def size(sources: Iterable[Any]) -> int:
    """Return how many bytes the files among the sources hold, as far as is easily known."""
    total = 0
    for source in sources:
        try:
            total += Path(source).stat().st_size if isinstance(source, str | os.PathLike) else 0
        except OSError:
            continue
    return total


def stem(path: str) -> str:
    """Return a file's name without directory, packing and last ending.

    Examples
    --------
    >>> stem("runs/bm25.norm.res.gz"), stem("bm25")
    ('bm25.norm', 'bm25')
    """
    name = Path(path).name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix in {".run", ".res", ".txt", ".trec", ".parquet"} else name
