"""Reading regular files through loops in C: piece after piece, in one pass over the bytes.

`measurand.trec.lines` is the definition of all formats with lines: it explains what is wrong with which. What is here
returns None where anything is out of the ordinary, or where there is no module in C, so that the definition decides.
It makes objects of every line, which take many times the memory of the file; so it is asked about the piece where
something is wrong first, or about the two lines that do not go together, and about the whole file only if it finds
nothing wrong there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BufferedReader
from itertools import chain
from typing import Any

import numpy as np
from attrs import fields, frozen

import measurand.native as native
from measurand.arrays import FloatArray, IntArray
from measurand.execution.memory import Room
from measurand.judged import bounds_of
from measurand.judged.names import Names
from measurand.trec.files import Content
from measurand.trec.lines import BLANK, QRELS, RUN, Format, Lines, lines_of, qrels_of, runs_of
from measurand.trec.metadata import BYTE_ORDER_MARK
from measurand.trec.run import Qrels, Run, repeated
from measurand.trec.unpacking import LONGEST_LINE

PIECE = 1 << 20
"""So many bytes are read at a time: they stay in the processor's cache."""

ROW = 44
"""So many bytes a row takes at most: where its name begins and ends, its hash, its value, its place in a table."""

MANY = 1 << 22
"""From so many rows on documents that stand twice are looked for on the way."""

ROLES = {"topic": b"t", "document": b"d", "score": b"v", "rank": b"s", "grade": b"g", "tag": b"r"}
"""What a column is to the loop in C; it goes over all others."""


@frozen
class Definition:
    """The reader that decides, which is asked about parts of a file.

    Parameters
    ----------
    read
        Returns the lines of a part, or says what is wrong with one.
    take
        Makes runs or judgments of lines of a part, or says what is wrong with them.
    """

    read: Callable[[Content], Lines]
    take: Callable[[Content, Lines], object]

    @classmethod
    def of(cls, form: Format) -> Definition:
        """Return the reader of a format whose columns are parted by white space."""
        make = runs_of if form.kind == RUN.kind else qrels_of
        return cls(lambda part: lines_of(part, form), lambda part, found: make(part, form, found))

    def look_at(self, *parts: Content) -> None:
        """Say what is wrong with parts of a file, if anything is."""
        several = [self.read(part) for part in parts]
        names = [each.name for each in fields(Lines)]
        found = Lines(*([*chain.from_iterable(getattr(each, name) for each in several)] for name in names))
        if found.numbers:
            self.take(parts[0], found)


def read_runs(content: Content, form: Format = RUN, *, explain: bool = False) -> list[Run] | None:
    """Return the runs of a file whose columns are parted by white space, one for every run tag.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    explain
        Whether what is wrong is said, if the definition finds it in a part of the file.
    """
    rows = rows_of(content, roles_of(form), definition=Definition.of(form) if explain else None)
    return None if rows is None else rows.runs(content.name)


def read_qrels(content: Content, form: Format = QRELS, *, explain: bool = False) -> Qrels | None:
    """Return the judgments of a file whose columns are parted by white space.

    Parameters
    ----------
    content
        The file.
    form
        What its columns are.
    explain
        Whether what is wrong is said, if the definition finds it in a part of the file.
    """
    rows = rows_of(content, roles_of(form), definition=Definition.of(form) if explain else None)
    return None if rows is None else rows.qrels(content.name)


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


def rows_of(
    content: Content, roles: bytes, separator: str = "", start: int = 0, definition: Definition | None = None
) -> Rows | None:
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
    definition
        What says what is wrong with a part of the file; None to say nothing.
    """
    if native.function("read_rows") is None or len(separator.encode()) > 1 or _may_lack_line_breaks(content):
        return None
    at = start or (len(BYTE_ORDER_MARK) if content.head.startswith(BYTE_ORDER_MARK) else 0)
    doubts = _Doubts(content, separator, at, definition)
    building = _Building(roles, ord(separator) if separator else 0, content, doubts)
    with content.opened() as file:
        file.seek(at)
        piece, filled = np.empty(min(PIECE, content.size + 1), dtype=np.uint8), 0
        while True:
            got = file.readinto(piece.data[filled:])
            filled += got
            done = building.add(piece[:filled], is_last=not got)
            if done is None:
                doubts.about_piece(piece[:filled], at, is_last=not got or at + filled == content.size)
                return None
            if not got:
                return building.rows()
            at += done
            left = filled - done
            if left > LONGEST_LINE:
                return None
            if left == len(piece):  # a line that is longer
                piece = np.concatenate((piece, np.empty_like(piece)))
            piece[:left] = piece[done:filled].copy()
            filled = left


def _may_lack_line_breaks(content: Content) -> bool:
    """Return whether a file may end its lines with carriage returns alone, which the line reader refuses."""
    head = content.head
    return b"\n" not in head and (b"\r" in head or content.size > len(head))


@frozen
class _Doubts:
    """Has the definition look at parts of a file in which something is wrong.

    Parameters
    ----------
    content
        The file.
    separator
        What stands between its columns; nothing for any white space.
    start
        Where its first line begins.
    definition
        What says what is wrong; None to say nothing.
    """

    content: Content
    separator: str
    start: int
    definition: Definition | None

    def about_piece(self, piece: Any, at: int, *, is_last: bool) -> None:
        """Say what is wrong with the lines of a piece, if anything is.

        Parameters
        ----------
        piece
            The piece.
        at
            Where it begins in the file.
        is_last
            Whether the file ends with it; otherwise its last line goes on.
        """
        data = piece.tobytes()
        whole = data if is_last else data[: data.rfind(b"\n") + 1]
        # where a cell is quoted, a row may go on in the next piece
        if self.definition is not None and not (self.separator and b'"' in whole):
            self.definition.look_at(self._part(whole, self._lines_before(at)))

    def about_rows(self, *rows: int) -> None:
        """Say what is wrong with some rows, given by their numbers in the file, if anything is."""
        if self.definition is not None:
            self.definition.look_at(*(self._part(line, number) for number, line in self._found(rows)))

    def _part(self, data: bytes, lines_before: int) -> Content:
        return Content(self.content.name, data, self.content.before + lines_before)

    def _lines_before(self, place: int) -> int:
        lines = 0
        with self.content.opened() as file:
            while place and (piece := file.read(min(place, PIECE))):
                lines += piece.count(b"\n")
                place -= len(piece)
        return lines

    def _found(self, rows: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Return how many lines stand before rows of the file, and the rows, in their order there."""
        row, before = -1, self._lines_before(self.start)
        with self.content.opened() as file, BufferedReader(file) as lines:
            lines.seek(self.start)
            for number, line in enumerate(lines, before):
                if line == b"\n" if self.separator else line.lstrip()[:1] in (b"", b"#"):
                    continue
                row += 1
                if row in rows:
                    yield number, line
                if row == max(rows):
                    return


class _Building:
    """Rows as they are being read: arrays that grow, and how much of them is filled.

    Parameters
    ----------
    roles, separator
        What the columns are, and the code of what stands between them.
    content
        The file.
    doubts
        Who is told where a document stands twice.
    """

    def __init__(self, roles: bytes, separator: int, content: Content, doubts: _Doubts) -> None:
        self.roles, self.separator = roles, separator
        self.content, self.doubts, self.room, self.many = content, doubts, Room(), MANY
        self.room.beyond(content.held)
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
            before = self._taken()
            outcome = self.read(piece[done:], self.roles, *arrays, self.separator, is_last)
            if outcome is None or self._has_repeat():
                return None
            most = self.room.beyond(self._taken() - before)
            if most is not None:
                raise self.content.too_much(most)
            consumed, is_full = outcome
            done += int(consumed)
            self.bytes += consumed
            if not is_full:
                return done
            self._grow(len(piece))

    def _taken(self) -> int:
        """Return how many bytes the rows take so far."""
        return ROW * int(self.counts[0]) + int(self.counts[3])

    def _has_repeat(self) -> bool:
        """Return whether a document of a run stands twice in a topic so far, which is looked for now and then."""
        rows, topics, tags, text = self.counts.tolist()
        if rows < self.many or tags > 1 or ROLES["score"] not in self.roles:
            return False
        self.many *= 4
        names = Names(self.text[:text], *(array[:rows] for array in self.by_row[:3]))
        repeat = _repeat(names, np.append(self.spans[0][:topics, 0], rows))
        if repeat:
            self.doubts.about_rows(*repeat)
        return bool(repeat)

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
        names = Names(self.text[:text], starts, lengths, hashes)
        return Rows(names, values, self.spans[0][:topics], self.spans[1][:tags], self.doubts)


def _repeat(names: Names, bounds: IntArray) -> tuple[int, ...] | None:
    """Return where the first name stands that is twice within bounds; nothing if none is, None if nobody knows."""
    find_repeat = native.function("find_repeat")
    if find_repeat is None:
        return None
    later = int(find_repeat(*names.arrays, bounds))
    if later < 0:
        return ()
    first = int(bounds[np.searchsorted(bounds, later, side="right") - 1])
    alike = first + np.flatnonzero(names.hashes[first:later] == names.hashes[later])
    return next(place for place in alike.tolist() if names[place] == names[later]), later


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
    doubts
        Who is told where rows do not go together.
    """

    names: Names
    values: FloatArray
    topics: IntArray
    tags: IntArray
    doubts: _Doubts

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

    def qrels(self, source: str) -> Qrels | None:
        """Return the judgments in these rows, each once, or None if two contradict each other.

        Parameters
        ----------
        source
            The file that they came from.
        """
        found, repeats = self._grouped(None, repeatable=True), 0
        if found is None:
            once = self._once()
            found = None if once is None else self._grouped(once)
            repeats = 0 if once is None else len(self.values) - len(once)
        if found is None:
            return None
        return Qrels(grades=found.pop("values").astype(np.int64), caveats=repeated(repeats, source), **found)

    def _once(self) -> IntArray | None:
        """Return the rows without those that say again what one before them says; None if two contradict each other."""
        (_, topics), names, values = self._topics(), self.names, self.values
        order = np.lexsort((names.hashes, topics))
        again = np.zeros(len(order), dtype=bool)
        again[1:] = (np.diff(topics[order]) == 0) & (names.hashes[order[1:]] == names.hashes[order[:-1]])
        first = np.maximum.accumulate(np.where(again, 0, np.arange(len(order))))
        earlier, later = order[first[again]], order[again]
        are_same = native.function("are_same")
        if are_same is None or not are_same(*names.take(earlier).arrays, *names.take(later).arrays):
            return None  # two names have one hash
        apart = np.flatnonzero(values[earlier] != values[later])
        if len(apart):
            worst = apart[np.lexsort((later[apart], topics[later[apart]]))[0]]
            self.doubts.about_rows(int(earlier[worst]), int(later[worst]))
            return None
        kept = np.ones(len(order), dtype=bool)
        kept[later] = False
        return np.flatnonzero(kept)

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

    def _topics(self) -> tuple[dict[str, int], IntArray]:
        """Return the topics with their numbers, in the order in which they appear, and the number of each row's."""
        names = self._called(self.topics)
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        return number, self._of_rows(self.topics, [number[name] for name in names])

    def _grouped(self, rows: IntArray | None, *, repeatable: bool = False) -> dict[str, Any] | None:
        """Return topics, bounds, documents and values topic by topic; None if a document stands twice in one."""
        names = self._called(self.topics)
        documents, values = self.names, self.values
        if rows is None and len(set(names)) == len(names):
            topics, bounds = tuple(names), np.append(self.topics[:, 0], len(values))
        else:
            number, of_row = self._topics()
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
        repeat = _repeat(documents, bounds)
        if repeat and not repeatable:
            self.doubts.about_rows(*(repeat if rows is None else rows[list(repeat)].tolist()))
        if repeat is None or repeat:
            return None
        return {"topics": topics, "bounds": bounds, "documents": documents, "values": values}
