"""Unpacking: gz, xz, bz2 and zst, known by their first bytes, and no more of them than fits into memory.

Whatever is read whole is read piece by piece (`drained`), so that a file that unpacks to too much, and a line without
an end, are refused before they fill the memory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import BufferedIOBase, BufferedReader, BytesIO, RawIOBase
from typing import IO, Any, TypeAlias

from measurand.errors import InputFileError, MeasurandError, NotInstalled
from measurand.execution.memory import MORE, Room, in_bytes, most_unpacked
from measurand.loading import needed

ReadableFile: TypeAlias = IO[bytes] | BufferedIOBase
"""A file that is open for reading."""

PIECE = 1 << 20
"""Files that are read whole are read so many bytes at a time, so that one that does not end is noticed."""

LONGEST_LINE = 1 << 26
"""A line has no more bytes."""

PARQUET = b"PAR1"
"""The first bytes of a parquet file."""


CHANGED = "was changed while it was read; read it again when nothing writes to it"
"""What is said of a file that is not what it was when its reading began."""


def state_of(file: str | int) -> tuple[int, ...]:
    """Return what tells whether a file was changed: its size, when that was last, and which file it is.

    Parameters
    ----------
    file
        Its path, or the number of the open file; there is nothing to tell of a path where there is no file.
    """
    try:
        found = os.stat(file)  # noqa: PTH116 - as in files.py, pathlib takes long to load
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev


_PACKINGS = ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstandard"))


def packing_of(data: bytes) -> str | None:
    """Return how data is compressed, by its first bytes, or None if it is not.

    Parameters
    ----------
    data
        The bytes of a file, or the first of them.
    """
    return next((packing for magic, packing in _PACKINGS if data.startswith(magic)), None)


def unpack(data: bytes, name: str) -> bytes:
    """Return the bytes that a compressed file holds, or the bytes themselves.

    Parameters
    ----------
    data
        The bytes of the file.
    name
        What messages call the file.
    """
    packing = packing_of(data)
    if packing is None:
        return data
    try:
        with unpacking(BytesIO(data), packing) as stream:
            return drained(stream, name, len(data))
    except NotInstalled as error:
        raise InputFileError(name, None, str(error)) from None
    except MeasurandError:
        raise
    except Exception as error:  # noqa: BLE001 - each library has its own way to say that the data is damaged
        raise not_unpacked(name, packing, error) from None


def not_unpacked(name: str, packing: str, error: Exception) -> InputFileError:
    """Return what is said where a library cannot unpack a file: it is damaged, or asks for too much memory.

    Parameters
    ----------
    name
        What messages call the file.
    packing
        How it is packed.
    error
        What the library said.
    """
    if not isinstance(error, MemoryError) and "memory" not in str(error).lower():
        return InputFileError(name, None, f"is damaged: its {packing} data cannot be unpacked ({error})")
    why = f"to unpack its {packing} data takes more memory than {in_bytes(widest())}, which is the limit; {MORE}"
    return InputFileError(name, None, why)


def drained(file: Any, name: str, packed: int | None = None) -> bytes:
    """Return all that an open file holds, or refuse it once it is more than fits, or has a line without an end.

    How much fits is `measurand.execution.memory.most_unpacked`.

    Parameters
    ----------
    file
        The file; what it holds is read piece by piece.
    name
        What messages call it.
    packed
        How many bytes it has as it lies on disk, if it is being unpacked.
    """
    room, held, line, lines = Room(), BytesIO(), 0, False
    while piece := file.read(PIECE):
        if isinstance(piece, str):
            piece = piece.encode()
        if not held.tell():  # compressed data, parquet and JSON have no lines
            lines = not piece.startswith(PARQUET) and packing_of(piece) is None
            lines = lines and not piece.lstrip().startswith((b"{", b"["))
        held.write(piece)
        last = piece.rfind(b"\n")
        line = len(piece) - last - 1 if last >= 0 else line + len(piece)
        most = room.beyond(len(piece))
        if most is not None:
            raise too_large(name, most, packed)
        if lines and line > LONGEST_LINE:
            raise too_long(name, held.getvalue().count(b"\n") + 1)
    return held.getvalue()


def too_large(name: str, most: int, packed: int | None = None) -> InputFileError:
    """Return the error of a file that holds more than fits into memory.

    Parameters
    ----------
    name
        What messages call it.
    most
        How many bytes fit.
    packed
        How many bytes it has as it lies on disk, if it is being unpacked.
    """
    what = "holds" if packed is None else f"has {in_bytes(packed)} and unpacks to"
    return InputFileError(name, None, f"{what} more than {in_bytes(most)}, which is the limit; {MORE}")


def too_long(name: str, line: int | None = None) -> InputFileError:
    """Return the error of a file with a line that does not end.

    Parameters
    ----------
    name
        What messages call it.
    line
        The number of the line, if it is known.
    """
    return InputFileError(name, line, f"a line has more than {in_bytes(LONGEST_LINE)}; is this a file of text?")


def unpacking(file: Any, packing: str) -> ReadableFile:
    """Return the content of a packed file as it is read; each library is loaded when it is needed.

    Parameters
    ----------
    file
        The file, open for reading.
    packing
        How it is packed, as `packing_of` says it.
    """
    if packing == "gzip":
        import gzip

        return gzip.open(file)
    if packing == "xz":
        from lzma import FORMAT_XZ, LZMADecompressor

        return BufferedReader(_Frames(file, lambda: LZMADecompressor(FORMAT_XZ, memlimit=widest()), padding=4))
    if packing == "bzip2":
        # not bz2.open, which takes a damaged stream behind the first for garbage and ends there without a word
        from bz2 import BZ2Decompressor

        return BufferedReader(_Frames(file, BZ2Decompressor))
    if sys.version_info >= (3, 14):
        from compression import zstd

        limit = {zstd.DecompressionParameter.window_log_max: widest().bit_length() - 1}
        return BufferedReader(_Frames(file, lambda: zstd.ZstdDecompressor(options=limit)))
    zstandard = needed("zstandard", "zstd", "this file, which zstd compressed,")
    return BufferedReader(_Frames(file, zstandard.ZstdDecompressor(max_window_size=widest()).decompressobj))


WIDE = 1 << 27
"""So many bytes any archive may ask for to be unpacked; those that are made in usual ways ask for less."""


def widest() -> int:
    """Return how many bytes an archive may ask for to be unpacked: how far back it may refer."""
    return min(max(most_unpacked() or 0, WIDE), 1 << 31)


FED = 1 << 12
"""A decompressor gets so many bytes at a time: what comes of them, 128 MB at most, is never large."""


class _Frames(RawIOBase):
    """What the frames of a file hold, one after another; one that ends too early or is followed by none is noticed.

    Parameters
    ----------
    file
        The file.
    new_frame
        Makes the decompressor of a frame.
    padding
        Zeros may stand behind a frame, as many of them as are a multiple of this, as in xz; 0 where none may.
    """

    def __init__(self, file: Any, new_frame: Callable[[], Any], *, padding: int = 0) -> None:
        self._file, self._new_frame, self._padding = file, new_frame, padding
        self._frame: Any = None
        self._packed, self._plain = b"", memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        while not self._plain:
            # of a few bytes bzip2 makes any number; what such a decompressor holds back comes without further ones
            held = not getattr(self._frame, "needs_input", True)
            packed = b"" if held else self._next_packed()
            if not packed and not held:
                if self._frame is not None:
                    raise EOFError("it ends too early")
                return 0
            frame = self._frame or self._new_frame()
            most = (PIECE,) if hasattr(frame, "needs_input") else ()
            self._plain = memoryview(frame.decompress(packed, *most))
            self._packed, self._frame = frame.unused_data, None if frame.eof else frame
        given = self._plain[: len(target)]
        target[: len(given)] = given
        self._plain = self._plain[len(given) :]
        return len(given)

    def _next_packed(self) -> bytes:
        """Return the next packed bytes, none at the end of the file; padding between frames is gone over."""
        zeros = 0
        while packed := self._packed or self._file.read(FED):
            if not self._padding or self._frame is not None:
                break
            bare = packed.lstrip(b"\0")
            zeros += len(packed) - len(bare)
            self._packed = packed = bare
            if bare:
                break
        if zeros % (self._padding or 1):
            raise EOFError(f"{zeros} zeros stand behind its data, which is no multiple of {self._padding}")
        return bytes(packed)
