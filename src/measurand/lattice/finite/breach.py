"""What breaks a law of orders and lattices: the elements, and a sentence that says how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen


@frozen
class Breach:
    """Elements that break a law; unpacks into them.

    Parameters
    ----------
    law
        The law, in a word: "transitive", "join", "distributive", …
    elements
        The elements that break it.
    why
        One sentence that says how.
    results
        What the law makes of them: bounds, joins, meets.
    values
        The values of the elements and then of the results, where the law is about values.

    Examples
    --------
    >>> x, y = Breach("join", ("a", "b"), "a and b have no upper bound")
    >>> x, y
    ('a', 'b')
    """

    law: str
    elements: tuple[Any, ...]
    why: str
    results: tuple[Any, ...] = ()
    values: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, index: int) -> Any:
        return self.elements[index]

    def __str__(self) -> str:
        return self.why
