"""The names of many documents in one piece of text, which loops in C read.

A list of a million strings takes 80 MB and a tenth of a second; the text with the places of the names in it takes
little more than the file that they came from. `Names` is read like a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

import measurand.native as native
from measurand.arrays import IntArray, Keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Text = NDArray[np.uint8]
    Lengths = NDArray[np.int32]


SURROGATES = "surrogatepass"
"""What is done with half a pair of surrogates: it is told apart from all that is written, and read back as it was."""


class Names(Sequence[str]):
    """The names of documents, read like a list of strings.

    Parameters
    ----------
    text
        UTF-8, in which the names stand anywhere.
    starts
        Where each begins.
    lengths
        How many bytes each has.
    hashes
        A hash of each, as `measurand._native` makes them: equal names have equal hashes.

    Examples
    --------
    >>> names = Names.of(["d1", "d2", "d3"])
    >>> names[1], list(names[1:]), list(names.take(np.array([2, 0])))
    ('d2', ['d2', 'd3'], ['d3', 'd1'])
    """

    __slots__ = ("arrays",)

    def __init__(self, text: Text, starts: IntArray, lengths: Lengths, hashes: Keys) -> None:
        self.arrays = text, starts, lengths, hashes
        for array in self.arrays:
            array.setflags(write=False)

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        """Return names from a list of strings; half a pair of surrogates, which no file in UTF-8 has, is kept.

        Parameters
        ----------
        names
            The names.
        """
        if isinstance(names, Names):
            return names
        encoded = [name.encode(errors=SURROGATES) for name in names]
        lengths = np.array([len(name) for name in encoded], dtype=np.int32)
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        text, hashes = np.frombuffer(b"".join(encoded), dtype=np.uint8), np.empty(len(encoded), dtype=np.uint64)
        hash_names = native.function("hash_names")
        if hash_names is None:
            hashes[:] = [hash(name) & 0xFFFFFFFFFFFFFFFF for name in encoded]
        else:
            hash_names(text, starts, lengths, hashes)
        return cls(text, starts, lengths, hashes)

    @property
    def hashes(self) -> Keys:
        """A hash of each name."""
        return self.arrays[3]

    def __len__(self) -> int:
        return len(self.arrays[1])

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Names: ...
    def __getitem__(self, place: int | slice) -> str | Names:
        text, starts, lengths, hashes = self.arrays
        if isinstance(place, slice):
            if place.step not in (None, 1):  # loops in C take arrays without gaps
                return self.take(np.arange(len(self))[place])
            return Names(text, starts[place], lengths[place], hashes[place])
        start = int(starts[place])
        return text[start : start + int(lengths[place])].tobytes().decode(errors=SURROGATES)

    def __iter__(self) -> Iterator[str]:
        text, starts, lengths, _ = self.arrays
        data = text.data
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            yield str(data[start : start + length], "utf-8", SURROGATES)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Names | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment] # as lists have none

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"<Names: {shown}{', …' if len(self) > 3 else ''}>"

    def take(self, rows: IntArray) -> Names:
        """Return the names at some places.

        Parameters
        ----------
        rows
            The places.
        """
        text, starts, lengths, hashes = self.arrays
        return Names(text, starts[rows], lengths[rows], hashes[rows])

    @classmethod
    def joined(cls, several: Sequence[Names]) -> Names:
        """Return the names of several, one after the other.

        Parameters
        ----------
        several
            The names, at least of one.

        Examples
        --------
        >>> list(Names.joined([Names.of(["d1", "d2"]), Names.of(["d3"])]))
        ['d1', 'd2', 'd3']
        """
        texts, starts, lengths, hashes = zip(*(names.arrays for names in several), strict=True)
        sizes = np.array([len(text) for text in texts])
        moved = [start + before for start, before in zip(starts, (np.cumsum(sizes) - sizes).tolist(), strict=True)]
        return cls(*(np.concatenate(parts) for parts in (texts, moved, lengths, hashes)))

    def compact(self) -> Names:
        """Return names that do not keep others in memory: of few that were taken of many, the text holds all.

        Examples
        --------
        >>> names = Names.of(["d1", "d2", "d3"])
        >>> len(names[:1].arrays[0]), len(names[:1].compact().arrays[0])
        (6, 2)
        """
        return Names.of(list(self))
