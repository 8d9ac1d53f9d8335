"""Tables with a header, CSV and TSV: a line names the columns, every line below it is a row, and none a comment.

BEIR's judgments are such files (`query-id`, `corpus-id`, `score`). Python's csv module is the definition;
loops in C read what has neither quotation marks nor anything else out of the ordinary.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, field, frozen

from measurand.trec import bulk, lines
from measurand.trec.column_names import (
    DOCUMENT,
    GRADE,
    NAME,
    RANK,
    RANKED,
    SCORE,
    SUBTOPIC,
    SUBTOPICS,
    TOPIC,
    is_ranking,
    place_of,
    plain,
)
from measurand.trec.files import Content
from measurand.trec.formats.ranks import RANKS, by_rank, is_ranks
from measurand.trec.formats.recognise import FirstLine, first_line, header_separator
from measurand.trec.formats.three_columns import GRADES, SCORES
from measurand.trec.lines import Format, Lines
from measurand.trec.metadata import rows_start
from measurand.trec.run import Qrels, Run

PADS = " \t\r\x0b\x0c"
"""What may stand around a field and is no part of it."""


@frozen
class Header:
    """The line that names the columns of a table.

    Parameters
    ----------
    line
        The line.
    separator
        What parts its columns; "" for spaces.
    names
        The names, as they are spelled there.
    """

    line: FirstLine
    separator: str
    names: tuple[str, ...]
    plain: tuple[str, ...] = field(init=False)

    @plain.default
    def _plain(self) -> tuple[str, ...]:
        return tuple(map(plain, self.names))

    def places(self, content: Content, wanted: Format) -> tuple[Format, dict[str, int]]:
        """Return what is read from the rows, and where it stands in them.

        Parameters
        ----------
        content
            The file, for complaints.
        wanted
            Scores, for which ranks will do, or grades.
        """
        parts = place_of(self.plain, SUBTOPIC) if wanted is not SCORES else None
        if parts is not None:
            raise content.fail(self.line.number, f"{SUBTOPICS} {self.names[parts]}")
        if wanted is not SCORES and is_ranking(self.plain):
            raise content.fail(self.line.number, f"{RANKED} {self.names[self.plain.index('rank')]}")
        spellings = SCORE if wanted is SCORES else GRADE
        form, value = wanted, place_of(self.plain, spellings)
        if value is None and wanted is SCORES:
            form, value = RANKS, place_of(self.plain, RANK)
        found = {
            "topic": place_of(self.plain, TOPIC),
            "document": place_of(self.plain, DOCUMENT),
            form.value_name: value,
            "tag": place_of(self.plain, NAME) if wanted is SCORES else None,
        }
        missing = [name for name in wanted.columns if found.get(name, value) is None]
        if missing:
            known = {"topic": TOPIC, "document": DOCUMENT}.get(missing[0], spellings)
            why = f"the header ({', '.join(self.names)}) names no {missing[0]}; rename one column to {known[0]}"
            raise content.fail(self.line.number, f"{why} (or {', '.join(known[1:5])}, …)")
        for place in found.values():
            if place is not None and self.plain.count(self.plain[place]) > 1:
                why = f"two columns of the header ({', '.join(self.names)}) are called {self.names[place]}; remove one"
                raise content.fail(self.line.number, why)
        return form, {name: place for name, place in found.items() if place is not None}


def header_of(content: Content) -> Header:
    """Return the header of a table, or complain that the first line is none.

    Parameters
    ----------
    content
        The file.
    """
    head = content.head
    first = first_line(head)
    if first.end == len(head) or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        # a line and no more, or more than a head of comments: all of it tells
        head = lines.unmarked(content) and content.data
        first = first_line(head)
    separator = header_separator(first.text)
    text = lines.decoded(content, head[first.start : first.end])
    if separator is None:
        shown = text.strip()[:60]
        why = "is no header: a table names its columns in the first line, such as query-id, corpus-id, score"
        raise content.fail(first.number, f"{shown!r} {why}" if shown else "is empty: it has neither header nor rows")
    parts = text.split(separator) if separator else text.split()
    return Header(first, separator, tuple(part.strip(f"{PADS}\"'") for part in parts))


def read_runs(content: Content, quick: bool) -> list[Run]:
    """Return the runs of a table, one for every name in its column of runs, if it has one."""
    header = header_of(content)
    form, places = header.places(content, SCORES)
    rows = _rows_in_c(content, header, form, places) if quick else None
    runs = None if rows is None else rows.runs(content.name)
    if runs is None or (form is RANKS and not all(is_ranks(run.document_scores) for run in runs)):
        runs = lines.runs_of(content, form, _all_lines(content, header, places, form))
    return [by_rank(run) for run in runs] if form is RANKS else runs


def read_qrels(content: Content, quick: bool) -> Qrels:
    """Return the judgments of a table."""
    header = header_of(content)
    form, places = header.places(content, GRADES)
    rows = _rows_in_c(content, header, form, places) if quick else None
    found = None if rows is None else rows.qrels(content.name)
    return found or lines.qrels_of(content, form, _all_lines(content, header, places, form))


def _rows_in_c(content: Content, header: Header, form: Format, places: dict[str, int]) -> bulk.Rows | None:
    """Return the rows of a table, if nothing in it is out of the ordinary."""
    if not header.separator:
        return None  # text is parted at spaces beyond ASCII too
    roles = bulk.roles_of(form, places, len(header.names))
    definition = _definition(header, form, places)
    return bulk.rows_of(content, roles, header.separator, header.line.end + 1, definition)


def _definition(header: Header, form: Format, places: dict[str, int]) -> bulk.Definition:
    """Return the reader of parts of a table."""
    text = header.separator.join(header.names).encode()
    first = evolve(header, line=FirstLine(1, 0, len(text), text))
    make = lines.qrels_of if form is GRADES else lines.runs_of

    def read(part: Content) -> Lines:
        return _lines(Content(part.name, text + b"\n" + part.data, part.before - 1), first, places, form)

    return bulk.Definition(read, lambda part, found: make(part, form, found))


def _all_lines(content: Content, header: Header, places: dict[str, int], form: Format) -> Lines:
    """Return the rows of a table, one at least."""
    content.check_objects(b"\n", 400)
    found = _lines(content, header, places, form)
    if not found.numbers:
        raise content.fail(None, "has a header and no rows")
    return found


def _lines(content: Content, header: Header, places: dict[str, int], form: Format) -> Lines:
    """Return the rows of a table with the numbers of their lines."""
    numbers: list[int] = []
    columns: dict[str, list[bytes]] = {name: [] for name in places}
    for number, row in _rows(content, header):
        if len(row) != len(header.names):
            many = f"{len(row)} column{'s' if len(row) > 1 else ''} where the header has {len(header.names)}"
            raise content.fail(number, f"{many} ({', '.join(header.names)}); repair the line")
        numbers.append(number)
        for name, place in places.items():
            text = row[place].strip(PADS)
            if not text:
                raise content.fail(number, f"column {header.names[place]} is empty; repair the line")
            columns[name].append(text.encode())
    return Lines(numbers, columns["topic"], columns["document"], columns[form.value_name], columns.get("tag", ()))


def _rows(content: Content, header: Header) -> Iterator[tuple[int, list[str]]]:
    """Return the rows of a table that hold anything, without the header, with the numbers of their lines."""
    data = lines.unmarked(content)
    start = rows_start(data)  # comments above the header may be written in anything
    text = lines.decoded(content, data[:start].decode(errors="replace").encode() + data[start:])
    if not header.separator:
        for number, line in enumerate(text.split("\n"), 1):
            if number > header.line.number and line.strip():
                yield content.before + number, line.split()
        return
    import csv
    from io import StringIO

    rest = text.split("\n", header.line.number)[header.line.number :]
    rows = csv.reader(StringIO("".join(rest), newline=""), delimiter=header.separator, strict=True)
    first = before = content.before + header.line.number
    while True:
        number = before + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise content.fail(first + rows.line_num, f"is no CSV ({error}); repair the line") from None
        if row is None:
            return
        before = first + rows.line_num
        if any(part.strip() for part in row):
            yield number, row
