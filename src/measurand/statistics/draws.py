"""Random draws of tests by resampling: signs, and topics drawn again; made where they are counted.

A piece of a test is a generator at the place where its draws begin, a few hundred bytes, rather than the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray

CHUNK = 2**10
"""How many draws are held at a time; with a block of pairs that is 32 MB."""

Draw = Callable[[int, int, np.random.Generator], FloatArray]
"""Draws so many rows for so many topics, with one random number for each row and topic."""


@frozen(eq=False)
class Draws:
    """Draws that are still to be made.

    Parameters
    ----------
    draw
        What draws them: `signs` or `topic_counts`.
    rows, topics
        How many, and for how many topics.
    generate
        A generator of their own, at the place where they begin.
    """

    draw: Draw
    rows: int
    topics: int
    generate: np.random.Generator

    def made(self) -> FloatArray:
        """Return the draws, one a row; always the same."""
        return self.draw(self.rows, self.topics, deepcopy(self.generate))


def draws_to_make(draw: Draw, number: int, topics: int, generate: np.random.Generator) -> Iterator[Draws]:
    """Return draws in chunks, to be made by whoever counts them; the generator ends up behind the last.

    Parameters
    ----------
    draw
        What draws them: `signs` or `topic_counts`.
    number, topics
        How many in all, and for how many topics.
    generate
        The generator that they come from.

    Examples
    --------
    >>> generate = np.random.default_rng(0)
    >>> [draws] = draws_to_make(signs, 2, 3, generate)
    >>> draws.made().tolist()
    [[1.0, -1.0, -1.0], [-1.0, 1.0, 1.0]]
    >>> same = np.random.default_rng(0)
    >>> drawn, after = same.random(6), same.random()
    >>> generate.random() == after
    True
    """
    for rows in chunks(number):
        yield Draws(draw, rows, topics, deepcopy(generate))
        _skip(generate, rows * topics)


def _skip(generate: np.random.Generator, number: int) -> None:
    """Put a generator to where it is after so many random numbers between 0 and 1."""
    bits = generate.bit_generator
    if not isinstance(bits, np.random.PCG64 | np.random.PCG64DXSM):
        generate.random(number)
        return
    before = bits.state
    bits.advance(number)
    after = bits.state
    # half of a random number, which stays for the next whole one
    after["has_uint32"], after["uinteger"] = before["has_uint32"], before["uinteger"]
    bits.state = after


def chunks(draws: int) -> Iterator[int]:
    """Return how many draws to hold at a time, until there are as many as asked for.

    Examples
    --------
    >>> list(chunks(2500))
    [1024, 1024, 452]
    """
    return (min(CHUNK, draws - start) for start in range(0, draws, CHUNK))


def signs(rows: int, topics: int, generate: np.random.Generator) -> FloatArray:
    """Return random signs, a row for every draw.

    Examples
    --------
    >>> signs(2, 3, np.random.default_rng(0)).tolist()
    [[1.0, -1.0, -1.0], [-1.0, 1.0, 1.0]]
    """
    # numbers rather than bits, since these are drawn one by one however many are asked for
    return np.where(generate.random((rows, topics)) < 0.5, -1.0, 1.0)


def topic_counts(rows: int, topics: int, generate: np.random.Generator) -> FloatArray:
    """Return how often each topic comes when as many are drawn as there are, a row for every draw.

    Examples
    --------
    >>> topic_counts(2, 3, np.random.default_rng(0)).tolist()
    [[2.0, 1.0, 0.0], [1.0, 0.0, 2.0]]
    """
    places = (generate.random((rows, topics)) * topics).astype(np.int64) + topics * np.arange(rows)[:, None]
    return np.bincount(places.reshape(-1), minlength=rows * topics).reshape(rows, topics).astype(np.float64)
