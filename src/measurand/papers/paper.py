"""Papers: what each of them shows, and what it draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import field, frozen

from measurand.papers.erratum import Erratum, errata
from measurand.papers.exhibit import Exhibit


class Drawn(Protocol):
    """Something that can be drawn."""

    def to_svg(self) -> str:
        """Return the drawing as SVG."""


@frozen(kw_only=True)
class Drawing:
    """A figure of a paper, drawn here.

    Parameters
    ----------
    name
        What its file is called, without the ending, such as figure-1a.
    title
        What it shows.
    """

    name: str
    title: str
    draw: Callable[[], Drawn] = field(repr=False)


@frozen(kw_only=True)
class Paper:
    """A paper that is reproduced.

    Parameters
    ----------
    name
        What the command line calls it.
    reference
        Its key in the bibliography.
    about
        What it proposes, in our words: paragraphs in Markdown.
    exhibits
        What it shows that needs no data, in its order.
    drawings
        Its figures that need no data.
    """

    name: str
    reference: str
    about: str
    exhibits: tuple[Exhibit, ...] = field(repr=False)
    drawings: tuple[Drawing, ...] = field(default=(), repr=False)

    @property
    def errata(self) -> tuple[Erratum, ...]:
        """Where the paper is wrong."""
        return errata(self.name)
