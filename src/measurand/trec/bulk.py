"""Reading regular files through loops in C: piece after piece, in one pass over the bytes.

`measurand.trec.lines` is the definition of all formats with lines: it explains what is wrong with which. What is here
returns None where anything is out of the ordinary, or where there is no module in C, so that the definition decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen

import measurand.native as native
from measurand.arrays import FloatArray, IntArray
from measurand.judged import bounds_of
from measurand.judged.names import Names
from measurand.trec.files import Content
from measurand.trec.lines import BLANK, QRELS, RUN, Format
from measurand.trec.metadata import BYTE_ORDER_MARK
from measurand.trec.run import Qrels, Run

PIECE = 1 << 20
"""So many bytes are read at a time: they stay in the processor's cache."""

ROLES = {"topic": b"t", "document": b"d", "score": b"v", "rank": b"s", "grade": b"g", "tag": b"r"}
"""What a column is to the loop in C; it goes over all others."""


def read_runs(content: Content, form: Format = RUN) -> list[Run] | None:
    """Return the runs of a file whose columns are parted by white space, one for every run tag.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    """
    rows = rows_of(content, roles_of(form))
    return None if rows is None else rows.runs(content.name)


def read_qrels(content: Content, form: Format = QRELS) -> Qrels | None:
    """Return the judgments of a file whose columns are parted by white space.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    """
    rows = rows_of(content, roles_of(form))
    return None if rows is None else rows.qrels()


def roles_of(form: Format, places: Mapping[str, int] | None = None, columns: int | None = None) -> bytes:
    """Return what each column of a file is to the loop in C.

    Parameters
    ----------
    form
        The format.
    places
        Where its columns stand, by their names; by default as the format has them.
    columns
        How many there are; by default as many as the format has.

    Examples
    --------
    >>> roles_of(RUN), roles_of(QRELS), roles_of(QRELS, {"topic": 1, "document": 0, "grade": 2}, 4)
    (b'tsdsvr', b'tsdg', b'dtgs')
    """
    wanted = dict(zip(form.columns, range(len(form.columns)), strict=True)) if places is None else places
    roles = bytearray(b"s" * (len(form.columns) if columns is None else columns))
    value = ROLES["score" if form.kind == RUN.kind else "grade"]
    for name, place in wanted.items():
        roles[place : place + 1] = value if name == form.value_name else ROLES.get(name, b"s")
    return bytes(roles)


def rows_of(content: Content, roles: bytes, separator: str = "", start: int = 0) -> Rows | None:
    """Return the rows of a regular file, or None.

    Parameters
    ----------
    content
        The file.
    roles
        What its columns are, as `roles_of` says it.
    separator
        What stands between columns: a character of a table, or nothing for any white space.
    start
        Where the first line begins.
    """
    if native.function("read_rows") is None or len(separator.encode()) > 1 or _may_lack_line_breaks(content):
        return None
    building = _Building(roles, ord(separator) if separator else 0, content)
    with content.opened() as file:
        file.seek(start or (len(BYTE_ORDER_MARK) if content.head.startswith(BYTE_ORDER_MARK) else 0))
        piece, filled = np.empty(min(PIECE, content.size + 1), dtype=np.uint8), 0
        while True:
            got = file.readinto(piece.data[filled:])
            filled += got
            done = building.add(piece[:filled], is_last=not got)
            if done is None:
                return None
            if not got:
                return building.rows()
            left = filled - done
            if left == len(piece):  # a line that is longer
                piece = np.concatenate((piece, np.empty_like(piece)))
            piece[:left] = piece[done:filled].copy()
            filled = left


def _may_lack_line_breaks(content: Content) -> bool:
    """Return whether a file may end its lines with carriage returns alone, which the line reader refuses."""
    head = content.head
    return b"\n" not in head and (b"\r" in head or content.size > len(head))


class _Building:
    """Rows as they are being read: arrays that grow, and how much of them is filled.

    Parameters
    ----------
    roles, separator
        What the columns are, and the code of what stands between them.
    content
        The file.
    """

    def __init__(self, roles: bytes, separator: int, content: Content) -> None:
        self.roles, self.separator = roles, separator
        self.read = native.function("read_rows")
        self.counts = np.zeros(4, dtype=np.int64)
        self.bytes, self.size = 0, content.size
        # a little more room than for a file whose lines are all as long as the first ones
        share = (content.size + 1) / (len(content.head) + 1)
        rows = int((content.head.count(b"\n") + 16) * share * 1.02)
        self.by_row: list[Any] = [np.empty(rows, dtype=kind) for kind in (np.int64, np.int32, np.uint64, np.float64)]
        self.spans = [np.empty((256, 3), dtype=np.int64) for _ in range(2)]
        self.text = np.empty(content.size // 2 + 1, dtype=np.uint8)

    def add(self, piece: Any, *, is_last: bool) -> int | None:
        """Add the lines of a piece; return how many of its bytes are done with, or None if it is not regular."""
        assert self.read is not None
        done = 0
        while True:
            arrays = (*self.by_row, *self.spans, self.text, self.counts)
            outcome = self.read(piece[done:], self.roles, *arrays, self.separator, is_last)
            if outcome is None:
                return None
            consumed, is_full = outcome
            done += int(consumed)
            self.bytes += consumed
            if not is_full:
                return done
            self._grow(len(piece))

    def _grow(self, piece: int) -> None:
        """Make room for as much again as there is, and for a line of any length."""
        rows, topics, tags, text = self.counts.tolist()
        if rows == len(self.by_row[0]):
            self.by_row = [_longer(array, 2 * rows + 1) for array in self.by_row]
        if max(topics, tags) == len(self.spans[0]):
            self.spans = [_longer(array, 4 * len(array)) for array in self.spans]
        if text + piece > len(self.text):
            self.text = _longer(self.text, 2 * len(self.text) + piece)

    def rows(self) -> Rows | None:
        """Return what was read, if that is anything, and no name has blanks in it that cannot be seen."""
        rows, topics, tags, text = self.counts.tolist()
        if not rows or (self.text[:text].max() > 127 and re.search(BLANK, self.text[:text].data)):
            return None
        starts, lengths, hashes, values = (array[:rows] for array in self.by_row)
        return Rows(
            Names(self.text[:text], starts, lengths, hashes), values, self.spans[0][:topics], self.spans[1][:tags]
        )


def _longer(array: Any, length: int) -> Any:
    """Return an array that begins as another and has room for more."""
    longer = np.empty((length, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


@frozen(eq=False, repr=False)
class Rows:
    """The rows of a file, in its order.

    Parameters
    ----------
    names
        The names of documents.
    values
        Their scores or grades.
    topics, tags
        Where a topic, or a run, begins: the row, and the place and the length of its name in the text of the names.
    """

    names: Names
    values: FloatArray
    topics: IntArray
    tags: IntArray

    def runs(self, source: str) -> list[Run] | None:
        """Return the runs in these rows, or None if a document stands twice in a topic.

        Parameters
        ----------
        source
            The file that they came from.
        """
        runs = []
        for name, rows in self._by_tag():
            found = self._grouped(rows)
            if found is None:
                return None
            runs.append(Run(name=name, source=source, scores=found.pop("values"), **found))
        return runs

    def qrels(self) -> Qrels | None:
        """Return the judgments in these rows, or None if a document stands twice in a topic."""
        found = self._grouped(None)
        return None if found is None else Qrels(grades=found.pop("values").astype(np.int64), **found)

    def _by_tag(self) -> Iterator[tuple[str, IntArray | None]]:
        """Return the runs by name with their rows; None for all."""
        names = self._called(self.tags)
        if len(set(names)) < 2:
            yield names[0] if names else "", None
            return
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        of_row = self._of_rows(self.tags, [number[name] for name in names])
        for name, i in number.items():
            yield name, np.flatnonzero(of_row == i)

    def _called(self, spans: IntArray) -> list[str]:
        text = self.names.arrays[0].data
        return [str(text[start : start + length], "utf-8") for _, start, length in spans.tolist()]

    def _of_rows(self, spans: IntArray, numbers: list[int]) -> IntArray:
        """Return the number of every row, from those of spans."""
        return np.repeat(np.array(numbers), np.diff(spans[:, 0], append=len(self.values)))

    def _grouped(self, rows: IntArray | None) -> dict[str, Any] | None:
        """Return topics, bounds, documents and values topic by topic; None if a document stands twice in one."""
        names = self._called(self.topics)
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        documents, values = self.names, self.values
        if rows is None and len(number) == len(names):
            topics, bounds = tuple(names), np.append(self.topics[:, 0], len(values))
        else:
            of_row = self._of_rows(self.topics, [number[name] for name in names])
            rows = np.arange(len(values)) if rows is None else rows
            mine = of_row[rows]
            numbers, firsts, sizes = np.unique(mine, return_index=True, return_counts=True)
            order = np.argsort(firsts)
            place = np.empty(len(number), dtype=np.int64)
            place[numbers[order]] = np.arange(len(order))
            rows = rows[np.argsort(place[mine], kind="stable")]
            called = list(number)
            topics, bounds = tuple(called[i] for i in numbers[order].tolist()), bounds_of(sizes[order])
            documents, values = documents.take(rows), values[rows]
        find_repeat = native.function("find_repeat")
        if find_repeat is None or find_repeat(*documents.arrays, bounds) >= 0:
            return None
        return {"topics": topics, "bounds": bounds, "documents": documents, "values": values}
