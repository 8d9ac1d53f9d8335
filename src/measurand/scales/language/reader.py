"""Reading a sentence: what may stand where, which names are known, and where the reading got stuck.

An *item* is a function of a reader and a position that yields every value it can read there, with the position behind
it. Names are arbitrary, so there are no tokens: an item looks at the text itself, longest names first, and sentences
are read by trying (recursive descent with alternatives).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import Factory, field, frozen

QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}
"""Quotation marks around names, and how they end."""

SHOWN = 8
"""So many expected words are named."""

Parsed: TypeAlias = Iterator[tuple[Any, int]]
"""Values that were read, with the positions behind them."""

Item: TypeAlias = "Callable[[Reader, int], Parsed]"


class Unknown(str):
    """A name that no system, topic or measure has."""

    __slots__ = ("kind",)

    kind: str

    def __new__(cls, text: str, kind: str) -> Unknown:
        """Return the name with what it was to be the name of."""
        found = super().__new__(cls, text)
        found.kind = kind
        return found


def spaced(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def _nothing(_: str) -> None:
    """Return nothing: no text spells a measure."""


def _lowered(text: str) -> str:
    """Return a text in small letters, but for those that would become two."""
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _by_length(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


@frozen(eq=False)
class Reader:
    """A sentence, and the names that may occur in it.

    Parameters
    ----------
    text : str
        The sentence, with single spaces.
    systems, topics, measures : tuple of str
        The names that are known, the longest first.
    find_measure : callable
        Returns the measure that a text spells, or nothing.
    strangers : bool
        Whether words that are no names are taken for names, to see what they were meant to be.
    """

    text: str = field(converter=spaced)
    systems: tuple[str, ...] = field(converter=_by_length)
    topics: tuple[str, ...] = field(default=(), converter=_by_length)
    measures: tuple[str, ...] = field(default=(), converter=_by_length)
    find_measure: Callable[[str], str | None] = field(default=_nothing)
    strangers: bool = False
    lower: str = field(init=False, default=Factory(lambda self: _lowered(self.text), takes_self=True))
    stuck: dict[int, list[str]] = field(init=False, factory=lambda: defaultdict(list))
    unclear: dict[int, str] = field(init=False, factory=dict)

    def start(self, position: int) -> int:
        """Return where the next word begins."""
        return position + 1 if self.text[position : position + 1] == " " else position

    def fail(self, position: int, expected: str) -> None:
        """Remember what could have stood at a position."""
        if expected not in self.stuck[position]:
            self.stuck[position].append(expected)

    def ends(self, position: int) -> bool:
        """Return whether a word that ends in a letter or digit may end here."""
        following = self.text[position : position + 1]
        return not (following.isalnum() or following == "_")

    def spells(self, position: int, phrase: str) -> int | None:
        """Return where a phrase ends that begins at a position, if it stands there, in any case."""
        end = position + len(phrase)
        if self.lower[position:end] != phrase:
            return None
        return None if phrase[-1:].isalnum() and not self.ends(end) else end

    def word_at(self, position: int) -> str:
        """Return the word at a position, with parentheses that belong to it, without punctuation behind it."""
        start = self.start(position)
        depth, end = 0, start
        while end < len(self.text) and (depth > 0 or self.text[end] != " "):
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            if depth < 0:
                break
            end += 1
        return self.text[start:end].rstrip(",;:")

    @property
    def furthest(self) -> int:
        """Where the reading got stuck."""
        return max(self.stuck, default=0)


def words(*phrases: str) -> Item:
    """Return an item that reads one of some phrases.

    Examples
    --------
    >>> list(words("is", "is at least")(Reader("A is at least B", ("A", "B")), 1))
    [('is at least', 13), ('is', 4)]
    """
    return table({phrase: phrase for phrase in phrases})


def table(phrases: Mapping[str, Any], label: str = "") -> Item:
    """Return an item that reads a phrase and yields what it stands for, the longest first.

    Parameters
    ----------
    phrases
        The phrases, in small letters, and what they stand for.
    label
        What to call them when one is missing.

    Examples
    --------
    >>> list(table({"twice": 2})(Reader("is twice", ()), 2))
    [(2, 8)]
    """
    longest = sorted(phrases, key=len, reverse=True)
    named = label or " or ".join(repr(phrase) for phrase in list(phrases)[:SHOWN])

    def item(reader: Reader, position: int) -> Parsed:
        start, found = reader.start(position), False
        for phrase in longest:
            end = reader.spells(start, phrase)
            if end is not None:
                found = True
                yield phrases[phrase], end
        if not found:
            reader.fail(start, named)
        for place, rests in _begun(reader, start, phrases).items():
            reader.fail(place, " or ".join(repr(rest) for rest in rests[:SHOWN]))

    return item


def _begun(reader: Reader, start: int, phrases: Iterable[str]) -> dict[int, list[str]]:
    """Return how phrases of which only the first words stand at a position would go on, by where they stop to fit."""
    found: dict[int, list[str]] = defaultdict(list)
    for phrase in phrases:
        position, rest = start, phrase
        while rest and (end := reader.spells(position, word := rest.partition(" ")[0])) is not None:
            position, rest = reader.start(end), rest[len(word) + 1 :]
        if rest and rest != phrase:
            found[position].append(rest)
    return found


def maybe(item: Item, default: Any = None) -> Item:
    """Return an item that may be left out.

    Examples
    --------
    >>> list(maybe(words("the"))(Reader("the mean", ()), 0))
    [('the', 3), (None, 0)]
    """

    def optional(reader: Reader, position: int) -> Parsed:
        yield from item(reader, position)
        yield default, position

    return optional


def either(*items: Item) -> Item:
    """Return an item that reads what one of several reads.

    Examples
    --------
    >>> list(either(words("a"), words("the"))(Reader("the", ()), 0))
    [('the', 3)]
    """

    def alternatives(reader: Reader, position: int) -> Parsed:
        for item in items:
            yield from item(reader, position)

    return alternatives


def sequence(*items: Item) -> Item:
    """Return an item that reads several, one after the other, and yields their values.

    Examples
    --------
    >>> list(sequence(words("mean"), words("of"))(Reader("mean of", ()), 0))
    [(('mean', 'of'), 7)]
    """

    def series(reader: Reader, position: int) -> Parsed:
        if not items:
            yield (), position
            return
        for value, end in items[0](reader, position):
            for others, last in sequence(*items[1:])(reader, end):
                yield (value, *others), last

    return series


def many(item: Item, between: Item) -> Item:
    """Return an item that reads one or more of a kind, as many as there are first.

    Examples
    --------
    >>> [value for value, _ in many(words("a"), words(","))(Reader("a , a", ()), 0)]
    [('a', 'a'), ('a',)]
    """

    def several(reader: Reader, position: int) -> Parsed:
        for value, end in item(reader, position):
            for _, further in between(reader, end):
                for others, last in several(reader, further):
                    yield (value, *others), last
            yield (value,), end

    return several


def made(item: Item, make: Callable[..., Any]) -> Item:
    """Return an item that yields what a function makes of the values of another; nothing where that is None.

    Examples
    --------
    >>> list(made(words("a"), str.upper)(Reader("a", ()), 0))
    [('A', 1)]
    """

    def item_made(reader: Reader, position: int) -> Parsed:
        for value, end in item(reader, position):
            found = make(*value) if isinstance(value, tuple) else make(value)
            if found is not None:
                yield found, end

    return item_made


def named(kind: str, *, guessed: bool = True) -> Item:
    """Return an item that reads the name of a system, a topic or a measure, in quotes or without.

    Parameters
    ----------
    kind
        "system", "topic" or "measure".
    guessed
        Whether a word that is no name stands here for one, if strangers are looked for.

    Examples
    --------
    >>> [name for name, _ in named("system")(Reader("'my run' beats", ("my", "my run")), 0)]
    ['my run']
    """

    def item(reader: Reader, position: int) -> Parsed:
        start, found = reader.start(position), set()
        known: tuple[str, ...] = getattr(reader, f"{kind}s")
        for value, end in (*_names(reader, start, known), *_quoted(reader, start, known)):
            found.add(value)
            yield value, end
        word = reader.word_at(start)
        if kind == "measure" and word and (measure := reader.find_measure(word)) is not None and measure not in found:
            found.add(measure)
            yield measure, start + len(word)
        if not found:
            reader.fail(start, f"a {kind}")
            if reader.strangers and guessed and word:
                plain = word.strip("".join(QUOTES) + "”’»")
                yield Unknown(plain, kind), start + len(word)

    return item


def _names(reader: Reader, start: int, known: tuple[str, ...]) -> Parsed:
    """Yield known names that begin at a position; of those that differ in case alone, the one that is written."""
    seen = set()
    for name in known:
        spelled = spaced(name)
        end = reader.spells(start, _lowered(spelled))
        if end is None or _lowered(spelled) in seen:
            continue
        alike = [each for each in known if _lowered(spaced(each)) == _lowered(spelled)]
        exactly = [each for each in alike if spaced(each) == reader.text[start:end]]
        seen.add(_lowered(spelled))
        if len(exactly or alike) > 1:
            reader.unclear[start] = (
                f"{reader.text[start:end]!r} may be {' or '.join(sorted(exactly or alike, key=str.swapcase))};"
                " write the name as it is"
            )
            continue
        yield (exactly or alike)[0], end


def _quoted(reader: Reader, start: int, known: tuple[str, ...]) -> Parsed:
    """Yield known names in quotation marks."""
    closing = QUOTES.get(reader.text[start : start + 1])
    if closing is None:
        return
    for name, end in _names(reader, start + 1, known):
        if reader.text[end : end + 1] == closing:
            yield name, end + 1
