"""Parquet files that strangers made: looked through before a library gets them.

A parquet file is data pages and, at its end, a footer that says where they are and how large. Libraries believe it:
where it lies they panic, abort, or ask for more memory than there is. So `check` reads the footer and the header of
every page first, and compares all places, sizes and numbers of values with each other and with the file. The values
themselves are not read: a byte of them that was changed shows only where the file has checksums (CRC) of its pages.
What a library still makes of such values is an error or a panic, of which `unheard` keeps the terminal clean.

The numbers are in Thrift's compact encoding; the names of fields stand in the specification of Apache Parquet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BytesIO, FileIO
from threading import RLock
from time import monotonic, sleep
from typing import IO, Any, TypeAlias

from attrs import frozen

from measurand.errors import InputError
from measurand.execution.memory import MORE, Room, in_bytes

MAGIC = b"PAR1"
"""The first and the last bytes of a parquet file."""

DEEP = 24
"""So many structures may stand within each other; parquet has 8."""

HEADER = 1 << 12
"""So many bytes of a page are read first, and more if its header is longer."""

WIDTH = 16
"""About so many bytes a value takes in memory, at least."""

Readable: TypeAlias = IO[bytes] | BytesIO | FileIO
"""A file that is open for reading."""

Struct: TypeAlias = Mapping[int, Any]
"""The fields of a structure of Thrift by their numbers."""


class Thrift:
    r"""Reads structures in Thrift's compact encoding.

    Parameters
    ----------
    data
        The bytes.

    Examples
    --------
    >>> Thrift(b"\x15\x04\x18\x02ab\x00").struct()
    {1: 2, 2: b'ab'}
    """

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self, deep: int = 0) -> dict[int, Any]:
        """Return the structure that begins here."""
        if deep > DEEP:
            raise InputError("its footer is nested too deeply")
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self.number()
            kind = head & 15
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind, deep)
        return found

    def number(self) -> int:
        """Return the whole number that begins here."""
        bits = shift = 0
        while True:
            byte = self._byte()
            bits |= (byte & 127) << shift
            if byte < 128:
                return (bits >> 1) ^ -(bits & 1)
            shift += 7
            if shift > 63:
                raise InputError("a number in its footer is too long")

    def _value(self, kind: int, deep: int) -> Any:
        if kind in (4, 5, 6):
            return self.number()
        if kind == 8:
            return self._bytes(self._length())
        if kind in (9, 10):
            return self._list(deep)
        if kind == 12:
            return self.struct(deep + 1)
        if kind in (1, 2, 3):  # in a list; alone, the field itself says what it is
            return self._byte()
        if kind == 7:
            return self._bytes(8)
        raise InputError(f"its footer has a field of type {kind}, which is unknown")

    def _list(self, deep: int) -> list[Any]:
        head = self._byte()
        length = head >> 4 if head >> 4 < 15 else self._length()
        if length > len(self.data) - self.at:
            raise InputError(f"its footer has a list of {length:,} elements, and ends before them")
        return [self._value(head & 15, deep + 1) for _ in range(length)]

    def _length(self) -> int:
        number = self.number()
        return number * 2 if number >= 0 else -number * 2 - 1  # lengths have no sign

    def _byte(self) -> int:
        if self.at >= len(self.data):
            raise CutOff
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, length: int) -> bytes:
        if length > len(self.data) - self.at:
            raise CutOff
        self.at += length
        return self.data[self.at - length : self.at]


class CutOff(InputError):
    """The bytes end within a structure."""

    def __init__(self) -> None:
        super().__init__("its footer ends too early")


@frozen
class Leaf:
    """A column of the schema: its name with those of the groups it is in, its type, and whether it is in a list."""

    path: tuple[bytes, ...]
    kind: int
    repeated: bool


def check(file: Readable) -> None:
    """Refuse a parquet file of which the footer or the header of a page does not fit the file.

    Parameters
    ----------
    file
        The file, open for reading.

    Raises
    ------
    InputError
        If it is damaged, or would take more memory than `measurand.execution.memory.most_unpacked` allows.
    """
    size = file.seek(0, 2)
    end, footer = _footer(file, size)
    leaves = list(_leaves(footer.get(2)))
    groups = _structs(footer, 4)
    rows = [_number(group, 3, "the number of rows of a group") for group in groups]
    if sum(rows) != _number(footer, 3, "the number of rows"):
        raise InputError(f"its footer says {footer[3]:,} rows, and its groups have {sum(rows):,}")
    room = Room()
    for group, height in zip(groups, rows, strict=True):
        chunks = _structs(group, 1)
        if len(chunks) != len(leaves):
            raise InputError(f"a group of rows has {len(chunks):,} columns, and the schema {len(leaves):,}")
        for leaf, chunk in zip(leaves, chunks, strict=True):
            _check_chunk(file, end, leaf, chunk, height, room)


_alone = RLock()

QUIET = 0.03
"""Whoever has written nothing for so many seconds has come to an end."""


@contextmanager
def unheard(*refusals: type[BaseException]) -> Iterator[None]:
    """Keep what is written to standard error while a library reads, and drop it where the library refuses the file.

    Libraries in Rust print their panics past Python, to the file of the process. What anybody else wrote there
    meanwhile is written afterwards.

    Parameters
    ----------
    *refusals
        How the library refuses a file, or raises a panic; it may do one while another of its threads prints the other.
    """
    from tempfile import TemporaryFile  # it loads much

    with _alone, ExitStack() as stack:
        try:
            kept = stack.enter_context(TemporaryFile(buffering=0))
            stream = stack.enter_context(os.fdopen(os.dup(2), "wb", 0))
        except OSError:  # there is no standard error, or no room
            yield
            return
        os.dup2(kept.fileno(), 2)
        heard = True
        try:
            yield
        except refusals:
            heard = False
            _wait_until_quiet(kept.fileno())
            raise
        finally:
            os.dup2(stream.fileno(), 2)
            kept.seek(0)
            while heard and (said := kept.read(1 << 16)):
                stream.write(said)


def _wait_until_quiet(file: int) -> None:
    """Wait for other threads of a library, which may be about to panic too; with backtraces that takes them long."""
    patience = QUIET if os.environ.get("RUST_BACKTRACE", "0") == "0" else 40 * QUIET
    until, size = monotonic() + patience, 0
    while monotonic() < until:
        sleep(QUIET / 10)
        if os.fstat(file).st_size > size:
            until, size = monotonic() + patience, os.fstat(file).st_size


def take(room: Room, number: int) -> None:
    """Count bytes that values are about to take, and refuse what does not fit.

    Parameters
    ----------
    room
        What was counted so far.
    number
        How many more there are.
    """
    most = room.beyond(number)
    if most is not None:
        raise InputError(f"it unpacks to more than {in_bytes(most)}, which is the limit; {MORE}")


def _footer(file: Readable, size: int) -> tuple[int, Struct]:
    """Return where the footer begins, and what it says."""
    if size < 12:
        raise InputError(f"it has {size} bytes, and no parquet file has fewer than 12")
    first = _read(file, 0, 4)
    last = _read(file, size - 8, 8)
    if first != MAGIC or last[4:] != MAGIC:
        raise InputError("it does not begin and end with PAR1; it may have been cut off")
    length = int.from_bytes(last[:4], "little")
    if length > size - 12:
        raise InputError(f"its footer is said to have {length:,} bytes, and the file has {size:,}")
    return size - 8 - length, Thrift(_read(file, size - 8 - length, length)).struct()


def _read(file: Readable, place: int, length: int) -> bytes:
    file.seek(place)
    return file.read(length)


def _leaves(schema: Any) -> Iterator[Leaf]:
    """Return the columns of a schema, which is written down as a tree: each group before its members."""
    if not isinstance(schema, list) or not schema or not all(isinstance(each, dict) for each in schema):
        raise InputError("its footer has no schema")
    open_groups: list[list[Any]] = []  # members that are still to come, the name, and whether it repeats
    for place, element in enumerate(schema):
        name, members = element.get(4), element.get(5, 0)
        if not isinstance(name, bytes) or not isinstance(members, int) or members < 0 or (place and not open_groups):
            raise InputError("its schema is no tree of columns")
        repeated = element.get(3) == 2 or (bool(open_groups) and open_groups[-1][2])
        if open_groups:
            open_groups[-1][0] -= 1
        path = (*(group[1] for group in open_groups[1:]), name)
        if members or not place:
            open_groups.append([members, name, repeated and bool(place)])
        elif element.get(1) not in range(8):
            raise InputError("a column of its schema has no type")
        else:
            yield Leaf(path, element[1], repeated)
        while open_groups and not open_groups[-1][0]:
            open_groups.pop()
    if open_groups:
        raise InputError("its schema is no tree of columns")


def _check_chunk(file: Readable, end: int, leaf: Leaf, chunk: Struct, rows: int, room: Room) -> None:
    """Check one column of one group of rows: what the footer says of it, and its pages."""
    called = b".".join(leaf.path).decode("utf-8", "replace")
    facts = chunk.get(3)
    if not isinstance(facts, dict) or 1 in chunk:
        raise InputError(f"the values of column {called} are encrypted or in another file")
    if facts.get(1) != leaf.kind or facts.get(3) != list(leaf.path) or facts.get(4) not in range(8):
        raise InputError(f"its footer and its schema do not agree on column {called}")
    values = _number(facts, 5, f"the number of values of column {called}")
    if values < rows or (values > rows and not leaf.repeated):
        raise InputError(f"column {called} has {values:,} values in {rows:,} rows")
    length, start = _number(facts, 7, f"the size of column {called}"), _number(facts, 9, f"the place of {called}")
    if facts.get(11):
        start = min(start, _number(facts, 11, f"the place of {called}"))
    if not (4 if values else 0) <= start <= start + length <= end:
        raise InputError(f"column {called} is said to be at bytes {start:,} to {start + length:,} of {end:,}")
    take(room, values * WIDTH)
    if values:  # where there are none, some writers name no place
        _check_pages(file, start, start + length, values, called, facts[4], room)


def _check_pages(file: Readable, at: int, end: int, values: int, called: str, codec: int, room: Room) -> None:
    """Check the headers of the pages of a column, one after another."""
    from zlib import crc32

    first, seen = True, 0
    while seen < values or at < end:
        header, long = _page_header(file, at, end, called)
        at += long
        packed = _number(header, 3, f"the size of a page of column {called}")
        plain = _number(header, 2, f"the size of a page of column {called}")
        if packed > end - at or (codec == 0 and packed != plain):
            raise InputError(f"a page of column {called} is said to have {packed:,} bytes, and {end - at:,} are left")
        take(room, plain)
        seen += _values_of_page(header, called, first, min(packed, plain))
        crc = header.get(4)
        if isinstance(crc, int) and crc32(_read(file, at, packed)) != crc & 0xFFFFFFFF:
            raise InputError(f"a page of column {called} does not fit its checksum")
        at, first = at + packed, False
    if seen != values:
        raise InputError(f"the pages of column {called} have {seen:,} values, and its footer says {values:,}")


def _page_header(file: Readable, at: int, end: int, called: str) -> tuple[Struct, int]:
    """Return the header of the page that begins at a place, and how long it is."""
    length = HEADER
    while True:
        thrift = Thrift(_read(file, at, min(length, end - at)))
        try:
            return thrift.struct(), thrift.at
        except CutOff:
            if length >= end - at:
                raise InputError(f"column {called} ends within a page") from None
            length *= 8


def _values_of_page(header: Struct, called: str, first: bool, size: int) -> int:
    """Return how many values a page adds to its column: none if it is a dictionary or an index."""
    kind = header.get(1)
    facts = header.get({0: 5, 1: 6, 2: 7, 3: 8}.get(kind, 0)) if isinstance(kind, int) else None
    if not isinstance(facts, dict) or (kind == 2 and not first):
        raise InputError(f"a page of column {called} is of no known type, or in a wrong place")
    if kind == 1:
        return 0
    number = _number(facts, 1, f"the number of values of a page of column {called}")
    if kind == 3:
        levels = sum(_number(facts, each, f"the size of a page of column {called}") for each in (5, 6))
        if levels > size or max(_number(facts, each, f"a count in column {called}") for each in (2, 3)) > number:
            raise InputError(f"the header of a page of column {called} contradicts itself")
    return 0 if kind == 2 else number


def _number(struct: Struct, field: int, what: str) -> int:
    """Return a field that must be a number and not negative."""
    number = struct.get(field)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise InputError(f"{what} is missing or negative")
    return number


def _structs(struct: Struct, field: int) -> list[Struct]:
    """Return a field that must be a list of structures."""
    several = struct.get(field)
    if not isinstance(several, list) or not all(isinstance(each, dict) for each in several):
        raise InputError("its footer has no list of columns")
    return several
