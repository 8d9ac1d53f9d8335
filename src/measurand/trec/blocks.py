"""Large run files in blocks of whole topics, so that none has to fit into memory.

A block begins where a topic begins and ends where one ends. Where a plain file is cut depends on the file and the size
of blocks alone, so that several machines can each take some blocks of it: a topic belongs to the block in which its
first line begins. A packed file is unpacked piece by piece and cut on the way, by one machine.

Only TREC's own format is cut. The lines of a topic must stand together, which whoever puts the blocks together checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from attrs import evolve

from measurand.errors import Caveat, InputFileError
from measurand.trec.addresses import is_address, open_address, size_at, version_at
from measurand.trec.files import Content, ReadableFile, bytes_of, packing_of, unpacked
from measurand.trec.formats import read_runs
from measurand.trec.formats.recognise import first_line, is_trec
from measurand.trec.lines import RUN
from measurand.trec.metadata import BYTE_ORDER_MARK, rows_start
from measurand.trec.run import Run

BLOCK = 32 << 20
"""About so many bytes are in a block."""

LINES = 1 << 16
"""So many bytes hold a few lines at least."""


class Block(NamedTuple):
    """Some whole topics of a run file.

    Parameters
    ----------
    data
        Their lines.
    start
        Where these begin in the file, unpacked.
    """

    data: bytes
    start: int


def size_of(path: str) -> int | None:
    """Return how many bytes a file has; None where nobody tells.

    Parameters
    ----------
    path
        A path or an address.
    """
    if is_address(path):
        return size_at(path)
    try:
        return Path(path).stat().st_size
    except OSError:
        bytes_of(path)  # says what is wrong
        raise


def changed_at(path: str) -> int | str | None:
    """Return when a file was last changed, in nanoseconds; at an address what it tells of its version, or None.

    Parameters
    ----------
    path
        A path or an address.
    """
    return version_at(path) if is_address(path) else Path(path).stat().st_mtime_ns


def is_packed(path: str) -> bool:
    """Return whether a file is compressed.

    Parameters
    ----------
    path
        A path or an address.
    """
    with open_address(path) if is_address(path) else Path(path).open("rb") as file:
        return packing_of(file.read(8)) is not None


def can_be_cut(path: str, form: str | None = None) -> bool:
    """Return whether a file is of TREC's format, by its first line.

    Parameters
    ----------
    path
        A path or an address.
    form
        The format that it is said to have, if any.
    """
    if form is not None:
        return form == "trec"
    with unpacked(path) as file:
        head = more = file.read(LINES) + file.readline(LINES)
        while more and rows_start(head) == len(head):  # comments alone
            more = file.read(LINES) + file.readline(LINES)
            head += more
    return is_trec(first_line(head).text.split(), RUN)


def ranges_of(size: int, block: int = BLOCK) -> list[tuple[int, int]]:
    """Return where a file of some size is cut, before topics are looked at.

    Parameters
    ----------
    size
        How many bytes it has.
    block
        About how many a block is to have.

    Examples
    --------
    >>> ranges_of(100, 30)
    [(0, 33), (33, 66), (66, 100)]
    """
    number = max(1, round(size / block))
    edges = [size * at // number for at in range(number + 1)]
    return list(pairwise(edges))


def block_at(path: str, start: int, end: int) -> Block | None:
    """Return the topics of a plain file whose first lines begin in a range of bytes, or None if there are none.

    Parameters
    ----------
    path
        A path or an address.
    start, end
        The range, the end left out.
    """
    with unpacked(path) as file:
        first, last = _topic_start(file, start), _topic_start(file, end)
        if first >= last:
            return None
        file.seek(first)
        data = file.read(last - first)
    if len(data) < last - first:
        raise InputFileError(path, None, "became shorter while it was read; read it again when it is whole")
    return Block(data, first)


def _topic_start(file: ReadableFile, place: int) -> int:
    """Return where the first topic begins whose first line begins at a place or behind it; the end if none does.

    Comments before the first topic of the file belong to it, so that no block has nothing else.
    """
    topic, at = _topic_before(file, place)
    if topic is None:
        return 0
    file.seek(at)
    while chunk := file.read(LINES):
        chunk += file.readline()
        for line in chunk.split(b"\n"):
            word = _topic_of(line)
            if word is not None and word != topic:
                return at
            at += len(line) + 1
        at -= 1  # a piece has one line break less than it has lines
    return at


def _topic_before(file: ReadableFile, place: int) -> tuple[bytes | None, int]:
    """Return the topic of the last line that begins before a place, None if none has one, and where that line ends."""
    back = LINES
    while True:
        start = max(0, place - back)
        file.seek(start)
        before = file.read(place - start)
        if before and not before.endswith(b"\n"):
            before += file.readline()
        topic = _last_topic(before, whole=start == 0)
        if topic is not None or start == 0:
            return topic, start + len(before)
        back *= 4  # a very long line, or many comments


def _last_topic(lines: bytes, *, whole: bool) -> bytes | None:
    """Return the topic of the last line that has one; the first line may be cut unless the file begins with it."""
    several = lines.removeprefix(BYTE_ORDER_MARK).split(b"\n") if whole else lines.split(b"\n")[1:]
    for line in reversed(several):
        word = _topic_of(line)
        if word is not None:
            return word
    return None


def _topic_of(line: bytes) -> bytes | None:
    """Return the first word of a line; None if it is blank or a comment, or no block may begin with it.

    Examples
    --------
    >>> _topic_of(b"301 Q0 d1 1 2.5 bm25"), _topic_of(b"# a comment")
    (b'301', None)
    """
    words = line.split(None, 1)
    # at the beginning of a block a byte order mark would not be taken for a part of the topic
    return words[0] if words and not words[0].startswith((b"#", BYTE_ORDER_MARK)) else None


def streamed(path: str, block: int = BLOCK) -> Iterator[Block]:
    """Return the topics of a file, plain or packed, block after block.

    Parameters
    ----------
    path
        A path or an address.
    block
        About how many bytes a block is to have.
    """
    start, held = 0, b""
    with unpacked(path) as file:
        while more := file.read(block):
            held += more + file.readline()
            cut = _last_start(held)
            if cut:
                yield Block(held[:cut], start)
                start, held = start + cut, held[cut:]
        if held.strip():
            yield Block(held, start)


def _last_start(lines: bytes) -> int:
    """Return where the last topic of some lines begins; 0 if there is one alone."""
    at, topic = len(lines), None
    while at:
        begin = lines.rfind(b"\n", 0, at - 1) + 1
        line = lines[begin:at]
        word = _topic_of(line if begin else line.removeprefix(BYTE_ORDER_MARK))
        if topic is None:
            topic = word
        elif word is not None and word != topic:
            return at
        at = begin
    return 0


def runs_of(path: str, block: Block, *, compiled: bool) -> list[Run]:
    """Return the runs in a block, one for every run tag; what is wrong is said with its line in the file.

    Parameters
    ----------
    path
        The file.
    block
        The block.
    compiled
        Whether loops in C may read it.
    """
    try:
        found = read_runs(Content(path, block.data), "trec", compiled)
    except InputFileError as error:
        if error.line is None or not block.start:
            raise
        return read_runs(Content(path, block.data, _lines_before(path, block.start)), "trec", compiled)
    if block.start:  # to count the lines before each block would take longer than to read it
        found = [evolve(run, caveats=tuple(map(_without_line, run.caveats))) for run in found]
    return found


_EXTRA = re.compile(r"(.*?)(:\d+)?: (\d+) (lines have more than .*)", re.DOTALL)
"""How it is told that lines have too many columns: the file, the first such line, and how many there are."""


def _without_line(caveat: Caveat) -> Caveat:
    return evolve(caveat, text=_EXTRA.sub(r"\1: \3 \4", caveat.text))


def joined_caveats(caveats: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what is to be known of the blocks of a file as it is said of the file: each thing once.

    Parameters
    ----------
    caveats
        Kinds and sentences, block after block.

    Examples
    --------
    >>> some = ["a.run:7: 2 lines have more than 6 columns", "a.run: 3 lines have more than 6 columns"]
    >>> joined_caveats(("extra-columns", text) for text in some)
    [('extra-columns', 'a.run:7: 5 lines have more than 6 columns')]
    """
    lines: dict[tuple[str, ...], list[int]] = {}
    for kind, text in caveats:
        told = _EXTRA.fullmatch(text)
        if told is None:
            lines.setdefault((kind, text), [])
            continue
        file, line, number, rest = told.groups()
        known = next((key for key in lines if len(key) == 4 and key[::3] == (kind, rest) and key[1] == file), None)
        lines.setdefault(known or (kind, file, line or "", rest), []).append(int(number))
    return [
        (key[0], f"{key[1]}{key[2]}: {sum(numbers)} {key[3]}" if numbers else key[1]) for key, numbers in lines.items()
    ]


def _lines_before(path: str, place: int) -> int:
    """Return how many lines stand before a place in a file."""
    lines = 0
    with unpacked(path) as file:
        while place and (chunk := file.read(min(place, 1 << 20))):
            lines += chunk.count(b"\n")
            place -= len(chunk)
    return lines
