"""The loops in C, called on numpy's arrays; where they could not be built Python does the same, more slowly."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from secrets import randbits
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from measurand_next.errors import InputError

PAD = 64
"""So many bytes behind a text can be read, and those behind a file are overwritten."""

PIECE = 1 << 18  # bytes that are looked at at once
MANY = 1 << 22  # from so many rows on, memory for all that there may be is too much

AROUND = 3  # so many slots at the end of a group repeat those at its beginning

GROUP = np.dtype(
    [(name, np.int64) for name in ("topic", "first", "count", "start", "length", "tag_start", "tag_length")]
)

INDEX: dict[str, Any] = {
    "text": np.uint8,
    "starts": np.int64,
    "lengths": np.int32,
    "codes": np.int32,
    "bounds": np.int64,
    "offsets": np.int64,
    "slots": np.uint32,
    "entries": np.dtype([("low", np.uint64), ("high", np.uint64), ("length", np.int32), ("code", np.int32)]),
}
OUTPUT: dict[str, Any] = {
    "codes": np.int32,
    "tied": np.bool_,
    "starts": np.int64,
    "lengths": np.int32,
    "values": np.float64,
    "owners": np.int32,
    "groups": GROUP,
}
COUNTS = ("group_count", "rows", "beyond_ascii")


class _Index(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in INDEX] + [("topics", ctypes.c_int64)]


class _Output(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in OUTPUT] + [(name, ctypes.c_int64) for name in COUNTS]


class Status(IntEnum):
    """How a pass ended."""

    DONE = 0
    NOT_PLAIN = 1
    SCATTERED = 2
    NO_MEMORY = 3


SINGLE, AS_THEY_STAND = 1, 2


def twice_judged() -> InputError:
    return InputError("a document stands twice in a topic of the judgments; keep one")


def library() -> ctypes.CDLL | None:
    """The loops, or None where they were not built, or are switched off by MEASURAND_NATIVE=0."""
    return _library


def _load() -> ctypes.CDLL | None:
    if os.environ.get("MEASURAND_NATIVE") == "0":
        return None
    built = (Path(__file__).parent / f"_reader{suffix}" for suffix in EXTENSION_SUFFIXES)
    try:
        found = ctypes.CDLL(str(next(path for path in built if path.exists())))
    except (StopIteration, OSError):
        return None
    found.set_secret((ctypes.c_uint64 * 3)(*(randbits(64) | 1 for _ in range(3))))
    return found


_library = _load()  # before there are threads, and anything is hashed


@frozen(eq=False)
class Index:
    """The judgments, arranged for looking up.

    Group t of the names holds the documents of topic t, and the last group the topics, whose codes are their numbers.
    """

    arrays: dict[str, NDArray[Any]]
    struct: Any  # what points to them

    @classmethod
    def of(
        cls, text: NDArray[np.uint8], ends: NDArray[np.int64], bounds: NDArray[np.int64], codes: NDArray[Any]
    ) -> Index:
        """Arrange names that follow each other in a text, with PAD bytes behind it."""
        found = library()
        assert found is not None
        sizes = [AROUND + (1 << max(2, (2 * size - 1).bit_length())) for size in np.diff(bounds).tolist()]
        starts = np.concatenate(([0], ends[:-1]))
        given = {
            "text": text,
            "starts": starts,
            "lengths": ends - starts,
            "codes": codes,
            "bounds": bounds,
            "offsets": np.concatenate(([0], np.cumsum(sizes))),
            "slots": np.empty(sum(sizes), np.uint32),
            "entries": np.empty(len(ends) + len(bounds), INDEX["entries"]),
        }
        arrays = {name: np.ascontiguousarray(given[name], kind) for name, kind in INDEX.items()}
        struct = _Index(**{name: array.ctypes.data for name, array in arrays.items()}, topics=len(bounds) - 2)
        if found.build_index(ctypes.byref(struct)) < 0:
            raise twice_judged()
        return cls(arrays, struct)


@frozen(eq=False)
class Rows:
    """What a pass gives: documents group after group, of one topic and one tag each.

    Attributes
    ----------
    status
        How the pass ended; only where that is DONE does anything else hold.
    beyond_ascii
        Whether some byte is above 127, or 0.
    groups
        Their topics, -1 without judgments; their rows; where the names of topic and tag stand in the text.
    codes
        Of grades, -1 for documents without judgments.
    tied, starts, lengths, values, owners
        Whether a score is that of the rank before, where names stand in the text, scores or grades, and which group a
        row is of: where asked for.
    """

    status: Status
    beyond_ascii: bool
    arrays: dict[str, NDArray[Any]]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.arrays[name]
        except KeyError:
            raise AttributeError(name) from None


def read(
    data: NDArray[np.uint8],
    size: int,
    columns: int,
    *,
    index: Index | None = None,
    wanted: Iterable[str],
    options: int = 0,
) -> Rows:
    """Read the rows of a file, whose bytes lie in an array with PAD more."""
    assert len(data) >= size + PAD
    most = row_limit(data, size, columns)
    arrays = _arrays(wanted, most) | {"groups": np.empty(most, GROUP)}
    struct = _Output(**_places(arrays))
    return _called("read_rows", (data, ctypes.c_size_t(size), columns, index), arrays, struct, options)


def row_limit(data: NDArray[np.uint8], size: int, columns: int) -> int:
    """At most so many rows are in a file: no line is shorter than its columns and blanks."""
    limit = size // (2 * columns) + 1
    return limit if limit < MANY else min(limit, count_lines(data, size))


def count_lines(data: NDArray[np.uint8], size: int) -> int:
    """How many lines a file has, with what stands behind the last line break."""
    pieces = range(0, size, PIECE)
    return 1 + sum(int(np.count_nonzero(data[start : min(start + PIECE, size)] == ord("\n"))) for start in pieces)


def judge(
    text: NDArray[np.uint8],
    starts: NDArray[Any],
    lengths: NDArray[Any],
    scores: NDArray[np.float64],
    ends: NDArray[Any],
    topics: NDArray[Any],
    *,
    index: Index | None,
    wanted: Iterable[str],
    options: int = 0,
) -> Rows:
    """Judge rows that are in memory, group after group, of which topics and ends are given."""
    groups = np.zeros(len(topics), GROUP)
    groups["topic"] = topics
    arrays = _arrays(wanted, len(starts)) | {"groups": groups}
    struct = _Output(**_places(arrays), group_count=len(topics))
    given = (
        text,
        np.ascontiguousarray(starts, np.int64),
        np.ascontiguousarray(lengths, np.int32),
        np.ascontiguousarray(scores, np.float64),
        np.concatenate(([0], ends)).astype(np.int64),
    )
    return _called("judge_rows", (*given, index), arrays, struct, options)


def _arrays(wanted: Iterable[str], most: int) -> dict[str, NDArray[Any]]:
    """Arrays as long as what is written can be; their pages that are not written cost nothing."""
    return {name: np.empty(most, OUTPUT[name]) for name in wanted}


def _places(arrays: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    return {name: array.ctypes.data for name, array in arrays.items()}


def _called(
    function: str, given: Sequence[Any], arrays: dict[str, NDArray[Any]], struct: _Output, options: int
) -> Rows:
    """Call a loop, which has Python's lock released, and cut its arrays to what was written."""
    passed = (
        ctypes.c_void_p(each.ctypes.data)
        if isinstance(each, np.ndarray)
        else ctypes.byref(each.struct)
        if isinstance(each, Index)
        else each
        for each in given
    )
    status = Status(getattr(library(), function)(*passed, ctypes.byref(struct), options))
    if status is Status.NO_MEMORY:
        raise MemoryError
    sizes = {"groups": struct.group_count}
    cut = {name: array[: sizes.get(name, struct.rows)] for name, array in arrays.items()}
    return Rows(status, bool(struct.beyond_ascii), cut)
