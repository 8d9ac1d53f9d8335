"""Tables and documents: what a result shows, described once.

A result describes itself as a `Document`, paragraphs and tables one after the other, and a `TableView` is a table: rows
of data, and columns that say how people see them. The renderers follow: `terminal`, `markup` (HTML for notebooks),
`text` (for `print`), `markdown`, `latex` and `data` (TSV, CSV, JSON, frames) each turn any document or table into
their format. `Result`, in `result`, is what shows itself so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from attrs import evolve, field, frozen

from measurand.display.wording import number
from measurand.errors import Caveat
from measurand.letters import shown

ROWS = 30
"""Where a result shows itself, a table has so many rows and says how many more there are."""

BAR = 20
"""How many letters the longest bar has."""

NARROW = ("drop", "split", "stack")
"""What is done with a table that does not fit: columns left out, pieces one below the other, paragraphs for rows."""


@frozen(repr=False)
class Words:
    """Text in pieces, each with a tone that says what it is, not how it looks.

    Tones are "strong", "faint", "good", "bad", "unsure", "accent", "marked", "super" (superscript), "grade 0", "grade
    1", …; several may stand together, like "strong good".

    Examples
    --------
    >>> str(Words.of("robust", "strong good") + " but small")
    'robust but small'
    """

    pieces: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, text: object, tone: str = "") -> Words:
        """Return a text in one tone.

        Parameters
        ----------
        text
            The text, or words that have tones already and keep them.
        tone
            Its tone.
        """
        return text if isinstance(text, Words) else cls(((str(text), tone),))

    def __add__(self, other: object) -> Words:
        return Words((*self.pieces, *Words.of(other).pieces))

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces)


Content = Union[str, Words, "TableView", Sequence["Content"]]
"""What stands in a cell: text, a small table, or several of these one below the other."""

Row = Any
"""A row of a table: a mapping, a sequence, or any object that the columns can read."""


def _by_key(cell: Callable[[Row], Any] | str | int) -> Callable[[Row], Any]:
    if callable(cell):
        return cell
    return lambda row: row[cell]


def _by_key_or_none(value: Callable[[Row], Any] | str | int | None) -> Callable[[Row], Any] | None:
    return None if value is None else _by_key(value)


@frozen(eq=False, repr=False)
class Column:
    """How people see a column.

    Parameters
    ----------
    heading
        What stands above it.
    cell
        What it shows of a row: a function of the row, or the key under which the row has it.
    left
        Whether it holds words, which stand on the left; numbers stand on the right.
    mark
        Whether it holds marks such as ✓, which stand in the middle on paper.
    admitted
        Whether the scale admits the numbers in it; if not, the heading has a star.
    below
        A second line of the heading, such as the scale and the direction of a measure.
    dispensable
        Where there is no room, the columns with the highest number are left out first; those with 0 never.
    wrap
        Whether long cells are broken: "words" between words, "fold" anywhere, "no" not at all. By default the first
        column folds and the others are not broken.
    longest
        Cells with more letters are cut where room is dear.
    ratio, width
        The share of the room that it takes, or how wide it is, where a table fills the whole width.
    bar
        Whether the cells are numbers up to 1 that are drawn as bars.
    latex
        What stands above it in LaTeX, ready to be set; by default the heading.
    key
        By what name `TableView.select` and programs know it; by default the heading.
    value
        What programs get of a row: a function of the row, or the key under which the row has it; by default the text
        that people see.
    """

    heading: str
    cell: Callable[[Row], Any] = field(converter=_by_key)
    left: bool = False
    mark: bool = False
    admitted: bool = True
    below: str = ""
    dispensable: int = 0
    wrap: str = ""
    longest: int = 0
    ratio: int = 0
    width: int = 0
    bar: bool = False
    latex: str | None = None
    key: str = ""
    value: Callable[[Row], Any] | None = field(default=None, converter=_by_key_or_none)

    @property
    def starred(self) -> str:
        """The heading, with a star where the scale does not admit the numbers."""
        return self.heading if self.admitted else f"{self.heading}*"

    def of(self, row: Row) -> Any:
        """Return what programs get of a row: its value, or else the text that people see.

        Parameters
        ----------
        row
            The row.
        """
        if self.value is not None:
            return self.value(row)
        return words_of(self.cell(row))


@frozen(eq=False, repr=False)
class TableView:
    """A table: rows of data, and columns that say how people see them.

    Parameters
    ----------
    columns
        The columns that people see.
    rows
        The data, a row each.
    title
        What the table is of.
    about
        What to know before reading it: how rows are ordered, what they are compared with.
    fields
        For programs: the keys of the rows and the type of each, in this order.
    records
        What programs get where it is not the rows: names and values, a record each.
    indent
        How far it stands from the left of a terminal.
    gap
        How much room is between columns there.
    narrow
        What a terminal does where the table does not fit: one of `NARROW`, or a sentence that stands in its place.
    words
        Where the table is split, so many columns from the left stand in each piece; by default those that hold words.
    together
        So many columns of numbers stay side by side where the table is split.
    tight
        Whether a terminal shows it right below its title, without an empty line.
    ruled
        Whether a terminal draws a line below the headings.

    Examples
    --------
    >>> columns = [Column("system", "system", left=True), Column("mean", lambda row: f"{row['mean']:.2f}")]
    >>> view = TableView(columns, [{"system": "bm25", "mean": 0.25}], title="P@10")
    >>> view.headings, view.cells
    (['system', 'mean'], [['bm25', '0.25']])
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    title: str | Words = ""
    about: str = ""
    fields: Mapping[str, type] = field(factory=dict)
    records: Sequence[Mapping[str, Any]] | None = None
    indent: int = 1
    gap: int = 2
    narrow: str = "drop"
    words: int = 0
    together: int = 1
    tight: bool = False
    ruled: bool = False

    def __repr__(self) -> str:
        return f"<TableView: {len(self.columns)} columns, {len(self.rows)} rows>"

    @property
    def headings(self) -> list[str]:
        """What stands above the columns, with stars."""
        return [column.starred for column in self.columns]

    @property
    def cells(self) -> list[list[Any]]:
        """What people see, row by row."""
        return [[column.cell(row) for column in self.columns] for row in self.rows]

    @property
    def data(self) -> list[dict[str, Any]]:
        """What programs get, row by row: the records, the fields of the rows, or else the values of the columns."""
        if self.records is not None:
            return [dict(record) for record in self.records]
        if self.fields:
            return [{name: row.get(name) for name in self.fields} for row in self.rows]
        names = column_names(self.columns)
        return [dict(zip(names, [column.of(row) for column in self.columns], strict=True)) for row in self.rows]

    def select(self, *keys: str) -> TableView:
        """Return the table with these of its columns, in this order; what it does not have is left out.

        Parameters
        ----------
        keys
            Keys of columns, or their headings.
        """
        known = {column.key or column.heading: column for column in self.columns}
        return evolve(self, columns=[known[key] for key in keys if key in known])

    def admitted(self) -> TableView:
        """Return the table without the columns whose numbers the scale does not admit."""
        return evolve(self, columns=[column for column in self.columns if column.admitted])


def cells_view(headings: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1, **options: Any) -> TableView:
    """Return a table whose cells are written already.

    Parameters
    ----------
    headings
        What stands above the columns.
    rows
        The cells, row by row.
    left
        So many columns hold words.
    options
        What else `TableView` takes.

    Examples
    --------
    >>> cells_view(["system", "mean"], [["bm25", "0.25"]]).headings
    ['system', 'mean']
    """
    columns = [Column(heading, place, left=place < left) for place, heading in enumerate(headings)]
    return TableView(columns, rows, **options)


def listing(rows: Iterable[Sequence[Any]], *, tones: Sequence[str] = (), keep: int = 1, **options: Any) -> TableView:
    """Return a table without headings: names on the left, what is said of them beside.

    Parameters
    ----------
    rows
        Cells, row by row; rows have one length.
    tones
        The tone of each column, for text that has none.
    keep
        So many columns from the left are not broken.
    options
        What else `TableView` takes.

    Examples
    --------
    >>> [[str(cell) for cell in row] for row in listing([("MU", "unanimity")], tones=["strong"]).cells]
    [['MU', 'unanimity']]
    """
    several = list(rows)
    named = [*tones, *[""] * len(several[0] if several else ())]

    def column(place: int) -> Column:
        def cell(row: Sequence[Any]) -> Any:
            return Words.of(row[place], named[place]) if isinstance(row[place], str) else row[place]

        return Column("", cell, left=True, wrap="no" if place < keep else "words")

    return TableView([column(place) for place in range(len(several[0]) if several else 0)], several, **options)


def facts(pairs: Iterable[tuple[str, Any]], **options: Any) -> TableView:
    """Return a table of facts: a line each for people, one record for programs.

    Parameters
    ----------
    pairs
        What each is called, a word or several_words, and what it is: a number, a text, a truth. Where people see
        another text than programs get, a pair of text and value.
    options
        What else `TableView` takes.

    Examples
    --------
    >>> view = facts([("depth", 4), ("is_lattice", True), ("half", ("1/2", 0.5))])
    >>> view.cells, view.data
    ([['depth', '4'], ['is lattice', 'yes'], ['half', '1/2']], [{'depth': 4, 'is_lattice': True, 'half': 0.5}])
    """
    named = [(name, *(what if isinstance(what, tuple) else (number(what), what))) for name, what in pairs]
    columns = [
        Column("", lambda row: row[0].replace("_", " "), left=True, wrap="no"),
        Column("", 1, left=True, wrap="words"),
    ]
    return TableView(columns, named, records=[{name: value for name, _, value in named}], **options)


def valued(
    heading: str, value: Callable[[Row], Any] | str | int, write: Callable[[Any], Any] = number, **options: Any
) -> Column:
    """Return a column that programs get the values of, and people what is written of them.

    Parameters
    ----------
    heading
        What stands above it.
    value
        The value of a row: a function of the row, or the key under which the row has it.
    write
        What people see of a value.
    options
        What else `Column` takes.

    Examples
    --------
    >>> view = TableView([valued("p", "p", lambda p: f"{p:.2f}")], [{"p": 0.0312}])
    >>> view.cells, view.data
    ([['0.03']], [{'p': 0.0312}])
    """
    found = _by_key(value)
    return Column(heading, lambda row: write(found(row)), value=found, **options)


def column_names(columns: Sequence[Column]) -> list[str]:
    """Return the names by which programs know columns, no two of them alike.

    Parameters
    ----------
    columns
        The columns; those without a heading are called by their place.

    Examples
    --------
    >>> column_names([Column("p", 0), Column("p", 1), Column("", 2)])
    ['p', 'p (2)', 'column 3']
    """
    names: list[str] = []
    for place, column in enumerate(columns, 1):
        name = column.key or column.heading or f"column {place}"
        names.append(name if name not in names else f"{name} ({place})")
    return names


@frozen(eq=False, repr=False)
class Paragraph:
    """A paragraph.

    Parameters
    ----------
    words
        What it says.
    tone
        The tone of what has none.
    indent
        How far it stands from the left of a terminal.
    """

    words: str | Words
    tone: str = ""
    indent: int = 0


@frozen(eq=False, repr=False)
class Legend:
    """How to read the tables above: a paragraph for each line.

    Parameters
    ----------
    lines
        The lines, given the headings of the columns that are shown.
    """

    lines: Callable[[set[str]], Iterable[str]]

    TITLE = "How to read this"


Part = str | Words | Paragraph | TableView | Legend
"""A part of a document; an empty text is an empty line on a terminal, and nothing elsewhere."""


def _parts(parts: Iterable[Part]) -> tuple[Part, ...]:
    return tuple(parts)


def _once(caveats: Iterable[Caveat]) -> tuple[Caveat, ...]:
    return tuple(dict.fromkeys(caveats))


@frozen(eq=False, repr=False)
class Document:
    """What a result shows: paragraphs and tables, one after the other.

    Parameters
    ----------
    parts
        The parts, from top to bottom.
    caveats
        What a reader should know; terminals have them elsewhere, as notes on the error stream.
    """

    parts: tuple[Part, ...] = field(converter=_parts)
    caveats: tuple[Caveat, ...] = field(default=(), converter=_once)

    @property
    def tables(self) -> list[TableView]:
        """The tables that have headings."""
        return [part for part in self.parts if isinstance(part, TableView) and any(part.headings)]

    @property
    def for_programs(self) -> list[TableView]:
        """The tables that programs get: those with headings, and facts."""
        views = [part for part in self.parts if isinstance(part, TableView)]
        return [view for view in views if view.records is not None or any(view.headings)]

    @property
    def sentences(self) -> list[str]:
        """What it says outside its tables."""
        texts = [
            str(part.words if isinstance(part, Paragraph) else part)
            for part in self.parts
            if isinstance(part, str | Words | Paragraph)
        ]
        return [" ".join(text.split()) for text in texts if text.strip()]


def for_people(document: Document) -> Document:
    r"""Return a document in which letters are escaped that cannot be seen, or that steer a terminal.

    Parameters
    ----------
    document
        The document.

    Examples
    --------
    >>> for_people(Document(["bm25\x1b[31m"])).parts
    ('bm25\\x1b[31m',)
    """
    return evolve(document, parts=map(_shown_part, document.parts))


def _shown_part(part: Part) -> Part:
    if isinstance(part, TableView):
        return shown_view(part)
    if isinstance(part, Legend):
        lines = part.lines
        return Legend(lambda headings: [shown(line) for line in lines(headings)])
    if isinstance(part, Paragraph):
        return evolve(part, words=_shown_words(part.words))
    words: str | Words = _shown_words(part)
    return words


def shown_view(view: TableView) -> TableView:
    """Return a table in which letters are escaped that cannot be seen, or that steer a terminal.

    Parameters
    ----------
    view
        The table.
    """
    columns = [_shown_column(column) for column in view.columns]
    return evolve(view, columns=columns, title=_shown_words(view.title), about=shown(view.about))


def _shown_column(column: Column) -> Column:
    cell = column.cell
    seen = cell if column.bar else lambda row: _shown_content(cell(row))
    return evolve(column, heading=shown(column.heading), below=shown(column.below), cell=seen)


def _shown_content(content: Any) -> Any:
    if type(content) is str:  # most are
        return shown(content)
    if isinstance(content, TableView):
        return shown_view(content)
    if isinstance(content, list | tuple):
        return [_shown_content(each) for each in content]
    return _shown_words(content) if isinstance(content, Words) else content


def _shown_words(words: Any) -> Any:
    if isinstance(words, Words):
        for text, _ in words.pieces:
            if shown(text) is not text:
                break
        else:  # as nearly always
            return words
        return Words(tuple((shown(text), tone) for text, tone in words.pieces))
    return shown(words)


def lines_of(content: Content) -> Iterator[str | Words | TableView]:
    """Return what stands in a cell, line by line.

    Parameters
    ----------
    content
        What stands in the cell.

    Examples
    --------
    >>> list(lines_of("one")), list(lines_of(["one", "two"]))
    (['one'], ['one', 'two'])
    """
    if isinstance(content, str | Words | TableView):
        yield content
    else:
        for each in content:
            yield from lines_of(each)


def words_of(content: Any) -> str:
    """Return what stands in a cell as one line of plain text.

    Parameters
    ----------
    content
        What stands in the cell.

    Examples
    --------
    >>> words_of(["one", Words.of("two ", "strong")]), words_of(3)
    ('one two', '3')
    """
    if isinstance(content, TableView):
        return " ".join(words_of(cell) for row in content.cells for cell in row)
    if isinstance(content, list | tuple):
        return " ".join(map(words_of, content))
    return " ".join(str(content).split())
