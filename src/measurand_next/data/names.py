"""Names of documents by the million: one text in UTF-8, and where each name ends in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from attrs import field, frozen

from measurand_next.data.rows import Value, starts_of, unwritable, whole_numbers
from measurand_next.errors import InputError
from measurand_next.exact import IntArray
from measurand_next.native import PAD

PIECE = 1 << 20
"""So many bytes are copied at a time."""


@frozen(eq=False, repr=False)
class Names(Value, Sequence[str]):
    """A sequence of names that takes the bytes of the names and eight more for each.

    Examples
    --------
    >>> list(Names.of(["d7", "d12"])), Names.of(["d7", "d12"])[-1]
    (['d7', 'd12'], 'd12')
    """

    text: np.ndarray[Any, np.dtype[np.uint8]]  # with PAD zeros behind the last name
    ends: IntArray = field(converter=whole_numbers)

    def __attrs_post_init__(self) -> None:
        ends = self.ends
        if self.text.dtype != np.uint8 or not self.text.flags.c_contiguous:
            raise InputError("the text of names must be bytes that follow each other")
        if (np.diff(ends, prepend=0) < 0).any() or ends.max(initial=0) > len(self.text) - PAD:
            raise InputError("the ends of names must ascend, within the text")
        super().__attrs_post_init__()

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Names as they are given; half a surrogate pair, which no text may have, is kept as it is."""
        several = [name.encode("utf-8", "surrogatepass") for name in names]
        text = np.frombuffer(b"".join(several) + bytes(PAD), np.uint8)
        return cls(text, np.cumsum([len(name) for name in several], dtype=np.int64))

    @classmethod
    def cut(cls, text: np.ndarray[Any, np.dtype[np.uint8]], starts: IntArray, lengths: IntArray) -> Names:
        """Copies of names that stand anywhere in a text."""
        ends = np.cumsum(lengths, dtype=np.int64)
        size = int(ends[-1]) if len(ends) else 0
        copy = np.zeros(size + PAD, np.uint8)
        for here in range(0, size, PIECE):
            until = min(here + PIECE, size)
            rows = slice(np.searchsorted(ends, here, "right"), np.searchsorted(ends, until) + 1)  # with a part there
            begin = ends[rows] - lengths[rows]
            parts = np.minimum(ends[rows], until) - np.maximum(begin, here)
            copy[here:until] = text[np.arange(here, until) + np.repeat(starts[rows] - begin, parts)]
        return cls(unwritable(copy), unwritable(ends))

    @classmethod
    def joined(cls, several: Sequence[Names]) -> Names:
        """The names of several sequences, one after another."""
        sizes = [int(names.ends.max(initial=0)) for names in several]
        texts = [names.text[:size] for names, size in zip(several, sizes, strict=True)]
        before = np.cumsum([0, *sizes[:-1]])
        ends = [names.ends + start for names, start in zip(several, before.tolist(), strict=True)]
        return cls(np.concatenate((*texts, np.zeros(PAD, np.uint8))), np.concatenate(ends))

    def take(self, rows: IntArray) -> Names:
        """The names in some rows."""
        return Names.cut(self.text, self.starts[rows], (self.ends - self.starts)[rows])

    @cached_property
    def starts(self) -> IntArray:
        """Where each name begins."""
        return starts_of(self.ends)

    def bytes_of(self, rows: slice = slice(None)) -> list[bytes]:
        """The names in some rows, as they are in UTF-8."""
        starts, ends = self.starts[rows], self.ends[rows]
        first, last = int(starts.min(initial=len(self.text))), int(ends.max(initial=0))
        text = self.text[first:last].tobytes()
        return [text[start:end] for start, end in zip((starts - first).tolist(), (ends - first).tolist(), strict=True)]

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [name.decode("utf-8", "surrogatepass") for name in self.bytes_of(row)]
        number = range(len(self.ends))[row]
        start = self.ends[number - 1] if number else 0
        return self.text[start : self.ends[number]].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __repr__(self) -> str:
        return f"<Names: {len(self):,}>"
