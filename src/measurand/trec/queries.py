"""The texts of topics: what somebody asked, by topic, from files, frames and dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from measurand.calls import explains_calls
from measurand.columns import columns_of, values_of
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import counted
from measurand.errors import CallError, Caveat, CaveatKind, InputError
from measurand.trec.datasets import dataset_of, queries_of
from measurand.trec.files import Content, FileLike, is_file, load
from measurand.trec.lines import decoded, unmarked
from measurand.trec.sources import FrameLike, is_frame, looked_at, shown
from measurand.trec.topic_formats import TEXT, TOPIC, Entry, entries_of

USAGE = 'call read_queries("queries.tsv") or read_queries({"1": "blue whales"})'
"""How to call `read_queries`."""


def _frozen(texts: Mapping[str, str]) -> Mapping[str, str]:
    from types import MappingProxyType

    return MappingProxyType({topic: " ".join(text.split()) for topic, text in texts.items()})


@frozen(eq=False, repr=False)
class Queries(Result, Mapping[str, str]):
    """The texts of topics, by topic, in the order of their source, each in one line; nothing can be put into it.

    Parameters
    ----------
    texts
        The texts, by topic.
    source
        The file that they came from.
    caveats
        What a reader should know of them.

    Examples
    --------
    >>> queries = read_queries({"1": "blue whales", "2": "black bears"})
    >>> queries["2"], list(queries), queries.get("3")
    ('black bears', ['1', '2'], None)
    >>> queries
    <Queries: 2 topics>
    """

    texts: Mapping[str, str] = field(factory=dict, converter=_frozen)
    source: str = ""
    caveats: tuple[Caveat, ...] = ()

    def __getitem__(self, topic: str) -> str:
        return self.texts[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"<Queries: {counted(len(self), 'topic')}>"

    def __reduce__(self) -> tuple[type[Queries], tuple[Any, ...]]:
        return type(self), (dict(self.texts), self.source, self.caveats)

    def document(self) -> Document:
        """Return the texts: a row for each topic."""
        columns = [
            Column("topic", lambda each: each[0], left=True),
            Column("text", lambda each: each[1], left=True),
        ]
        return Document([TableView(columns, list(self.items()), title=counted(len(self), "topic"))], self.caveats)

    def to_dict(self) -> dict[str, str]:
        """Return the texts by topic, as `read_queries` takes them."""
        return dict(self.texts)

    def on_topics(self, topics: Sequence[str]) -> Queries:
        """Return the texts of some topics, in the order given, with a caveat if some have none.

        Parameters
        ----------
        topics
            The names of the topics.

        Raises
        ------
        InputError
            If none of them has a text.

        Examples
        --------
        >>> found = read_queries({"1": "blue whales", "2": "black bears"}).on_topics(["2", "7"])
        >>> dict(found)
        {'2': 'black bears'}
        >>> print(*found.caveats)
        texts of 1 of 2 topics are not among those given
        """
        found = {topic: self.texts[topic] for topic in topics if topic in self.texts}
        if topics and not found:
            have = "the file has" if self.source else "the texts have"
            ids = f"the judgments have {topics[0]!r}, …; {have} {next(iter(self))!r}, …"
            place = f"{self.source}: " if self.source else ""
            raise InputError(f"{place}no topic of the judgments has a text here ({ids}); do both belong together?")
        missing = len(topics) - len(found)
        caveats = self.caveats
        if missing:
            place = f"in {self.source}" if self.source else "among those given"
            text = f"texts of {missing} of {len(topics)} topics are not {place}"
            caveats = (*caveats, Caveat(CaveatKind.MISSING_TEXTS, text))
        return evolve(self, texts=found, caveats=caveats)


QueriesLike: TypeAlias = FileLike | FrameLike | Mapping[str, str] | Queries
"""What `read_queries` reads: a file, a frame, `{topic: text}`, or texts that were read before."""


@explains_calls
@looked_at
def read_queries(source: QueriesLike) -> Queries:
    """Return the texts of topics.

    Parameters
    ----------
    source
        A file (a path or an open one; gz, xz, bz2 and zst are unpacked) whose format is found by its content: TSV
        (`id<TAB>text`, with or without a header), CSV with a header, JSON (`{id: text}`), JSONL (an object a line, such
        as `{"_id": "1", "text": "blue whales"}`), TREC topics (`<top>` or `<topic>`), parquet; or a polars, pandas or
        Arrow frame, or `{topic: text}`; or an id of ir_datasets, where that package is installed, or a dataset of it.

    Examples
    --------
    >>> from io import StringIO
    >>> dict(read_queries(StringIO("<top><num> Number: 301 <title> Organized Crime <desc> What? </top>")))
    {'301': 'Organized Crime'}
    >>> read_queries({"1": "blue whales"})["1"]
    'blue whales'
    """
    if isinstance(source, Queries):
        return source
    if isinstance(source, Mapping):
        return _from_mapping(source)
    dataset = dataset_of(source)
    if dataset is not None:
        return Queries(_kept(Content(dataset.name, b""), _numbered(queries_of(dataset))), dataset.name)
    if is_file(source):
        return _from_file(load(source))
    if is_frame(source):
        return _from_frame(source)
    wanted = "a path, an open file, a frame or {topic: text}"
    raise CallError(f"texts of topics must be {wanted}, not {shown(source)}; {USAGE}")


def _numbered(pairs: Iterable[tuple[str, str]]) -> Iterator[Entry]:
    return (Entry(line, *pair) for line, pair in enumerate(pairs, 1))


def _from_mapping(source: Mapping[Any, Any]) -> Queries:
    for topic, text in source.items():
        if not isinstance(text, str):
            raise InputError(f"topic {topic!r} maps to {type(text).__name__}; wanted is {{topic: text}}; {USAGE}")
    texts = {str(topic): text for topic, text in source.items()}
    if len(texts) < len(source):
        raise InputError("two keys of the dictionary are the same name, such as 1 and '1'; make them all strings")
    for topic, text in texts.items():
        if not _can_be_written(topic + text):
            raise InputError(f"the text of topic {topic!r} {_UNWRITABLE}")
    return Queries(texts)


_UNWRITABLE = "has half a character of UTF-16, which cannot be written as UTF-8; repair it"


def _can_be_written(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _from_file(content: Content) -> Queries:
    if content.is_parquet:
        from measurand.trec import frames

        try:
            return evolve(_from_frame(frames.parquet(content)), source=content.name)
        except InputError as error:
            raise content.fail(None, str(error).removeprefix(f"{content.name}: ")) from None
    content.check_objects(b"\n," if content.head.lstrip()[:1] in (b"{", b"[") else b"\n<", 450)
    entries = list(entries_of(content, decoded(content, unmarked(content))))
    content.check_unchanged()
    return Queries(_kept(content, entries), content.name, _overlong(content, entries))


def _kept(content: Content, entries: Iterable[Entry]) -> dict[str, str]:
    """Return texts by topic; a topic without name, with two texts, or none at all are errors, empty texts left out."""
    found: dict[str, tuple[int, str]] = {}
    for entry in entries:
        topic, text = entry.topic.strip(), " ".join(entry.text.split())
        if not topic:
            raise content.fail(entry.line, "this text belongs to no topic: its id is empty; repair the line")
        if not _can_be_written(topic + text):
            raise content.fail(entry.line, f"the text of topic {topic!r} {_UNWRITABLE}")
        line, before = found.setdefault(topic, (entry.line, text))
        if before != text:
            where = f"lines {line} and {entry.line}" if line != entry.line else f"line {line}"
            raise content.fail(entry.line, f"topic {topic} has two texts ({where}); keep one")
    texts = {topic: text for topic, (_, text) in found.items() if text}
    if not texts:
        raise content.fail(None, "has no text of any topic")
    return texts


def _overlong(content: Content, entries: Sequence[Entry]) -> tuple[Caveat, ...]:
    lines = [entry.line for entry in entries if entry.extra]
    if not lines:
        return ()
    have = "line has" if len(lines) == 1 else "lines have"
    text = f"{content.name}:{lines[0]}: {len(lines)} {have} more than 2 columns; what follows the text is ignored"
    return (Caveat(CaveatKind.EXTRA_COLUMNS, text),)


def _from_frame(source: Any) -> Queries:
    columns = columns_of(source)
    if columns is None:
        raise CallError(f"texts of topics cannot be read from {shown(source)}; {USAGE}")
    by_name = {name.lower(): name for name in columns}
    topic, text = (next((by_name[name] for name in names if name in by_name), None) for names in (TOPIC, TEXT))
    if topic is None or text is None:
        lacks = " or ".join(names[0] for names, name in ((("topic",), topic), (("text",), text)) if name is None)
        have = f"the frame has no column {lacks}; it has {', '.join(columns)}"
        raise InputError(f"{have}; name the columns topic and text")
    pairs = zip(values_of(columns[topic]), values_of(columns[text]), strict=True)
    rows = [(a, b) for a, b in pairs if b is not None]
    if any(a is None for a, _ in rows):
        raise InputError(f"column {topic!r} has missing values")
    return Queries(_kept(Content("the frame", b""), _numbered((str(a), str(b)) for a, b in rows)))
