"""The bytes of one file, unpacked: read piece by piece, and refused where they are damaged, change or do not fit."""

from __future__ import annotations

import bz2
import errno
import io
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from glob import glob
from itertools import chain
from pathlib import Path, PurePath
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from measurand_next.errors import Caveat, CaveatKind, InputError, MeasurandError, NotInstalled, quoted
from measurand_next.native import PAD
from measurand_next.read.memory import RAISE_LIMIT, file_limit, in_bytes, limit_below

FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or a file that is open for reading."""

PIECE = 1 << 18  # read at a time, so that what does not end is noticed
FED = 1 << 12  # packed bytes at a time: of so many come at most 128 MB
LONGEST_LINE = 1 << 26
WINDOW = 1 << 27  # any packed file may refer so many bytes back
LISTED = 5  # of what was passed over
PACKINGS = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}
PACKINGS |= {bytes([sign]) + b"\x2a\x4d\x18": "zstd" for sign in range(0x50, 0x60)}  # frames that are to be skipped
MAGIC = max(map(len, PACKINGS))
PADDING = {"gzip": 1, "xz": 4}  # so many zeros, or any multiple, may stand behind packed data
PACKED_ENDINGS = (".gz", ".xz", ".bz2", ".zst")
FORMAT_ENDINGS = (".run", ".res", ".txt", ".trec", ".qrels", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet")


class Buffer:
    """An array that files are read into, one after another, with PAD bytes to spare behind the last.

    Attributes
    ----------
    array
        Replaced by a longer one where a file needs it; what it holds is overwritten by the next file.
    size
        How many bytes of it are those of the file.
    """

    __slots__ = ("array", "size")

    def __init__(self) -> None:
        self.array: NDArray[np.uint8] = np.empty(1 << 20, np.uint8)
        self.size = 0

    def reserve(self, more: int) -> None:
        """Make room for more bytes behind those that there are."""
        needed = self.size + more + PAD
        if needed > len(self.array):
            longer = np.empty(needed + self.size // 2, np.uint8)
            longer[: self.size] = self.array[: self.size]
            self.array = longer

    def append(self, data: bytes) -> None:
        self.reserve(len(data))
        self.array.data[self.size : self.size + len(data)] = data
        self.size += len(data)

    def last_line(self, known: int) -> int:
        """Where the last line begins, if a line begins at ``known``."""
        for end in range(self.size, known, -PIECE):
            start = max(known, end - PIECE)
            found = self.array[start:end].tobytes().rfind(b"\n")
            if found >= 0:
                return start + found + 1
        return known

    def has_lines(self) -> bool:
        """Whether this is text in lines, rather than JSON or parquet."""
        head = self.array[: min(self.size, PIECE)].tobytes()
        return not (head.startswith(b"PAR1") or head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")))


class File:
    """One file: a path or an open file, packed (gzip, xz, bzip2, zstd, by its first bytes) or not.

    Nothing is read before it is asked for. A file on disk can be read again and is then the same, or refused; what
    comes only once, as from a pipe, is kept.

    Attributes
    ----------
    name
        What messages call it.

    Examples
    --------
    >>> File(io.StringIO("1 0 d1 2")).data
    b'1 0 d1 2'
    """

    __slots__ = ("_kept", "_source", "_state", "name")

    def __init__(self, source: FileLike) -> None:
        path = os.fsdecode(source) if isinstance(source, str | os.PathLike) and not hasattr(source, "read") else None
        name: object = getattr(source, "name", None) if path is None else path
        self._source = source if path is None else path
        self.name = name if isinstance(name, str) and name else "<open file>"
        self._kept: bytes | None = None
        self._state: tuple[int, ...] | None = None  # of a file on disk, when it was first read

    @property
    def size(self) -> int:
        """How many bytes it has on disk, packed or not; 0 where nobody knows."""
        found = _found(self._source) if isinstance(self._source, str) else None
        return found.st_size if found and stat.S_ISREG(found.st_mode) else 0

    @property
    def data(self) -> bytes:
        """All that it holds, unpacked."""
        if self._kept is None:
            buffer = Buffer()
            self._kept = buffer.array[: self.read(buffer)].tobytes()
        return self._kept

    def read(self, buffer: Buffer) -> int:
        """Fill a buffer with all that the file holds, unpacked; return how many bytes that is."""
        buffer.size = 0
        if self._kept is not None:
            buffer.append(self._kept)
            return buffer.size
        if isinstance(self._source, str):
            self._read_path(self._source, buffer)
        else:
            self._fill(buffer, self._source, 0)
        if self._state is None:
            self._kept = buffer.array[: buffer.size].tobytes()
        return buffer.size

    def check_room(self, needed: int) -> None:
        """Refuse the file if what is made of it takes more memory than there is for a file."""
        self._check_limit(needed, "takes", " of memory to read")

    def _check_limit(self, size: int, does: str, what: str = "") -> None:
        limit = limit_below(size)
        if limit is not None:
            why = f"{does} more than {in_bytes(limit)}{what}, which is the limit; {RAISE_LIMIT}"
            raise InputError(why, self.name)

    def _read_path(self, path: str, buffer: Buffer) -> None:
        with open_path(path) as file:
            found = os.fstat(file.fileno())
            if stat.S_ISBLK(found.st_mode) or (stat.S_ISCHR(found.st_mode) and not file.isatty()):
                raise InputError("is a device, and no file", path)
            if not stat.S_ISREG(found.st_mode):
                self._fill(buffer, file, 0)
                return
            self._state = self._state or _state(file)
            try:
                self._fill(buffer, file, found.st_size)
            finally:
                if self._state != _state(file):
                    why = "was changed while it was read; read it again when nothing writes to it"
                    raise InputError(why, path) from None

    def _fill(self, buffer: Buffer, file: Any, on_disk: int) -> None:
        """Fill a buffer; what is too much, or a line without an end, is noticed after each piece."""
        pieces = _pieces(file, self.name)
        head = next(pieces, b"")
        while len(head) < MAGIC and (more := next(pieces, b"")):
            head += more
        pieces = chain([head], pieces)
        packing = next((packing for magic, packing in PACKINGS.items() if head.startswith(magic)), None)
        if packing is None:
            does = "holds"
            self._check_limit(on_disk, does)
            buffer.reserve(on_disk)
        else:
            does = f"has {in_bytes(on_disk)} and unpacks to" if on_disk else "unpacks to"
            fed = (piece[at : at + FED] for piece in pieces for at in range(0, len(piece), FED))
            pieces = unpacked(fed, packing, self.name)
        line = 0
        for piece in pieces:
            buffer.append(piece)
            self._check_limit(buffer.size, does)
            if buffer.size - line > LONGEST_LINE and buffer.has_lines():
                line = buffer.last_line(line)
                if buffer.size - line > LONGEST_LINE:
                    number = 1 + sum(
                        buffer.array[at : min(at + PIECE, line)].tobytes().count(b"\n") for at in range(0, line, PIECE)
                    )
                    raise InputError(
                        f"a line has more than {in_bytes(LONGEST_LINE)}; is this a file of text?", self.name, number
                    )


def _state(file: IO[bytes]) -> tuple[int, ...]:
    found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev


def _pieces(file: Any, name: str) -> Iterator[bytes]:
    """What an open file gives; text becomes UTF-8, and what Python could not decode the bytes that it was."""
    try:
        while len(piece := file.read(PIECE)):  # None, of a socket that does not wait, is an error
            yield piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else bytes(piece)
    except Exception as error:  # noqa: BLE001 - whatever a stranger's read raises
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"cannot be read ({why})", name) from None


def unpacked(packed: Iterable[bytes], packing: str, name: str) -> Iterator[bytes]:
    """What a packed file holds, piece by piece; it is refused where it is damaged."""
    try:
        yield from _streams(packed, _decompressor(packing, name), PADDING.get(packing, 0))
    except MeasurandError:
        raise
    except Exception as error:  # noqa: BLE001 - each library has its own way to say that data is damaged
        if isinstance(error, MemoryError) or "memory" in str(error).lower():
            limit = in_bytes(_window())
            why = f"to unpack its {packing} data takes more memory than {limit}, which is the limit; {RAISE_LIMIT}"
        else:
            why = f"is damaged: its {packing} data cannot be unpacked ({error})"
        raise InputError(why, name) from None


def _streams(packed: Iterable[bytes], new_stream: Callable[[], Any], padding: int) -> Iterator[bytes]:
    """What the streams of a file hold, one after another; each is whole, and nothing but padding stands behind."""
    stream: Any = None
    zeros = 0
    for piece in packed:
        rest = piece
        while rest:
            if stream is None:
                bare = rest.lstrip(b"\0") if padding else rest
                zeros += len(rest) - len(bare)
                if not bare:
                    break
                _check_padding(zeros, padding)
                rest, zeros, stream = bare, 0, new_stream()
            yield from _decompressed(rest, stream)
            rest, stream = (stream.unused_data, None) if stream.eof else (b"", stream)
    _check_padding(zeros, padding)
    if stream is not None:
        raise EOFError("it ends too early")


def _decompressed(packed: bytes, stream: Any) -> Iterator[bytes]:
    if not hasattr(stream, "needs_input"):  # gzip and zstandard: of a few bytes they make only so many
        yield stream.decompress(packed)
        return
    yield stream.decompress(packed, PIECE)
    while not (stream.needs_input or stream.eof):
        yield stream.decompress(b"", PIECE)


def _check_padding(zeros: int, padding: int) -> None:
    if padding and zeros % padding:
        raise EOFError(f"{zeros} zeros stand behind its data, which is no multiple of {padding}")


def _decompressor(packing: str, name: str) -> Callable[[], Any]:
    """What makes the decompressor of a stream."""
    included: dict[str, Callable[[], Any]] = {
        "gzip": lambda: zlib.decompressobj(wbits=31),
        "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_window()),
        "bzip2": bz2.BZ2Decompressor,
    }
    if packing in included:
        return included[packing]
    if sys.version_info >= (3, 14):
        from compression import zstd

        options = {zstd.DecompressionParameter.window_log_max: _window().bit_length() - 1}
        return lambda: zstd.ZstdDecompressor(options=options)
    try:
        import zstandard
    except ImportError:
        raise InputError(str(NotInstalled.of("zstandard", "zstd", "unpacking zstd data")), name) from None
    return zstandard.ZstdDecompressor(max_window_size=_window()).decompressobj


def _window() -> int:
    """How many bytes a packed file may refer back, which is what unpacking takes beside what comes of it."""
    return min(max(file_limit() or 0, WINDOW), 1 << 31)


def is_address(path: str) -> bool:
    """Whether a path is an address such as ``s3://bucket/bm25.run``."""
    return "://" in path and re.match("[a-z][a-z0-9+.:-]+://", path, re.IGNORECASE) is not None


def check_named(path: str) -> None:
    """Refuse an empty path."""
    if not path:
        raise InputError("an empty path names no file; perhaps a variable is empty")


def open_path(path: str) -> io.FileIO:
    """Open a file to read its bytes, or say what is wrong with its path."""
    check_named(path)
    if is_address(path):
        raise InputError("reading from addresses comes later; copy the file to this machine", path)
    try:
        return Path(path).open("rb", buffering=0)
    except ValueError as error:
        raise InputError(f"is no name of a file ({error})", quoted(path)) from None
    except OSError as error:
        if "\n" in path or error.errno == errno.ENAMETOOLONG:
            why = "there is no such file; this is text and no path; give an open file, such as io.StringIO(text)"
            raise InputError(why, quoted(path)) from None
        if isinstance(error, FileNotFoundError):
            why = f"there is no such file; {_instead(path)}"
        elif isinstance(error, IsADirectoryError):
            why = "this is a directory where one file is wanted"
        else:
            why = f"cannot be read ({error.strerror})"
        raise InputError(why, path) from None


def _instead(path: str) -> str:
    """What may be meant by a path where nothing is."""
    here = Path(path)
    if here.is_symlink():
        return f"this is a link to {here.readlink()}, which is not there"
    if not here.parent.is_dir():
        return f"check the path: there is no directory {here.parent}"
    there = {Path(other).name.lower(): other for other in _inside(str(here.parent))}
    close = get_close_matches(here.name.lower(), there, n=1)
    return f"did you mean {there[close[0]]}?" if close else f"check the path, in {here.parent.resolve()}"


def is_several(source: Any) -> bool:
    """Whether something is the path of a folder, or a pattern such as runs/*.gz, which stand for several files."""
    if not isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        return False
    path = os.fsdecode(source)
    found = _found(path) if path else None
    if found is not None:
        return stat.S_ISDIR(found.st_mode)
    return not is_address(path) and re.search(r"[*?[]", path) is not None and re.search(r"[\n\0]", path) is None


def expand(path: str) -> tuple[list[str], tuple[Caveat, ...]]:
    """The regular files of a folder or a pattern, sorted; a caveat names others, and hidden ones of a folder."""
    folder = Path(path).is_dir()
    there = _inside(path) if folder else sorted(glob(path, recursive=True))  # noqa: PTH207 - pathlib has no absolute patterns
    files = [each for each in there if _is_regular(each) and not (folder and Path(each).name.startswith("."))]
    others = [Path(each).name for each in sorted({*there}.difference(files))]
    listed = ", ".join(others[:LISTED]) + f" and {len(others) - LISTED:,} more" * (len(others) > LISTED)
    if not files:
        none = "this directory holds no file" if folder else "no file matches this pattern"
        raise InputError(f"{none}, only {listed}" if others else none, path)
    text = f"{path}: passed over what is hidden or no file: {listed}"
    return files, (Caveat(CaveatKind.FILES, text),) if others else ()


def _inside(folder: str) -> list[str]:
    try:
        return sorted(map(str, Path(folder).iterdir()))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", folder) from None


def _is_regular(path: str) -> bool:
    found = _found(path)
    return found is not None and stat.S_ISREG(found.st_mode)


def _found(path: str) -> os.stat_result | None:
    """What the system knows of a path; None where nothing is, or nothing can be."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def stem(path: str) -> str:
    """A file's name without folders, the ending of its packing and that of a format: `runs/bm25.run.gz` is `bm25`."""
    name = PurePath(path)
    for endings in (PACKED_ENDINGS, FORMAT_ENDINGS):
        name = name.with_suffix("") if name.suffix in endings else name
    return os.fsencode(name.name).decode(errors="backslashreplace")
