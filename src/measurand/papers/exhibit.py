"""Exhibits: what a paper shows (an example, a table, a figure, a claim) beside what comes out here.

A `Line` is one number or claim, an `Exhibit` a function that yields lines, a `Drawing` a figure, and a `Paper` all of
these.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from fractions import Fraction
from functools import cache, wraps
from math import inf
from typing import Protocol, TypeAlias

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.papers.erratum import Erratum, errata

Printed: TypeAlias = "bool | int | Fraction | str | tuple[Printed, ...]"
"""What a paper prints. A decimal number is written as text, because its digits say how exact it is meant."""

Found: TypeAlias = "bool | int | Fraction | float | str | tuple[Found, ...] | None"
"""What comes out here."""

DECIMAL = re.compile(r"[-+−]?\d*\.?\d+")
"""A number as a paper prints it."""

AROUND = re.compile(rf"around ({DECIMAL.pattern})")
"""A number that a paper calls an approximate one: everything within a tenth of it agrees."""


class Mark(StrEnum):
    """How what comes out here stands to what the paper prints."""

    AGREES = "✓"
    DIFFERS = "✗"
    SILENT = "·"
    """There is nothing to compare: the paper has nothing of the kind, or it takes data that are not public."""


class Missing(StrEnum):
    """What stands in place of our value where nothing can be worked out here."""

    RUNS = "needs the runs"


class Provenance(StrEnum):
    """Where the paper's value of a line comes from."""

    PRINTED = "printed"
    """The value itself stands in the paper: in a table, a figure or the text."""
    SAID = "said"
    """The text claims it in words: a yes or a no, a relation, a number written out."""
    DERIVED = "derived"
    """It is not printed, but follows from a formula, a definition or a table that is."""


@frozen(kw_only=True)
class Line:
    """One number or claim: the paper's, and ours.

    Parameters
    ----------
    what
        What it is about, short.
    ours
        What comes out here; computed, never typed. Or what is missing to work it out.
    paper
        The paper's value; None where it has nothing of the kind, as with most curves.
    provenance
        Where that value comes from; None exactly where there is none.
    errata
        The entries of the errata that explain why the two differ.

    Examples
    --------
    >>> line("AP of 1010", Fraction(5, 12), printed="0.4167").mark
    <Mark.AGREES: '✓'>
    >>> line("AP of 1010", Fraction(5, 12), printed=Fraction(1, 2)).is_explained
    False
    """

    what: str
    ours: Found
    paper: Printed | None = None
    provenance: Provenance | None = None
    errata: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if (self.paper is None) != (self.provenance is None):
            raise ParameterError(f"{self.what}: a value of the paper has an origin, and an origin has a value")

    @property
    def mark(self) -> Mark:
        """Whether both agree: exactly, or to the digits that the paper prints."""
        if self.paper is None or isinstance(self.ours, Missing):
            return Mark.SILENT
        return Mark.AGREES if agree(self.paper, self.ours) else Mark.DIFFERS

    @property
    def is_explained(self) -> bool:
        """Whether errata are named exactly where the two differ."""
        return (self.mark is Mark.DIFFERS) == bool(self.errata)

    @property
    def texts(self) -> tuple[str, str]:
        """What the paper prints and what comes out here, as text; a number with as many digits as there."""
        return "–" if self.paper is None else shown(self.paper), shown(self.ours, like=self.paper)


def line(
    what: str,
    ours: Found,
    *,
    printed: Printed | None = None,
    said: Printed | None = None,
    derived: Printed | None = None,
    erratum: str = "",
) -> Line:
    """Return a line. At most one of `printed`, `said` and `derived` is given.

    Parameters
    ----------
    what
        What it is about, short.
    ours
        What comes out here; computed, never typed. Or what is missing to work it out.
    printed
        What the paper prints: a value that one can put a finger on. Typed, never computed.
    said
        What its text claims, as a yes or no or a relation. Typed, never computed.
    derived
        What follows from a formula or a table that it prints. Never computed by the code that is compared.
    erratum
        The id of what explains the difference, or several, separated by commas.

    Examples
    --------
    >>> line("01 against 10", "less", said="equal", erratum="E05").errata
    ('E05',)
    >>> line("01 against 10", "less", said="equal").provenance
    <Provenance.SAID: 'said'>
    """
    given = {Provenance.PRINTED: printed, Provenance.SAID: said, Provenance.DERIVED: derived}
    known = {provenance: value for provenance, value in given.items() if value is not None}
    if len(known) > 1:
        raise ParameterError(f"the paper's value of {what} has one origin, not {len(known)}: {', '.join(known)}")
    provenance, value = next(iter(known.items()), (None, None))
    errata = tuple(filter(None, re.split(r",\s*", erratum)))
    return Line(what=what, ours=ours, paper=value, provenance=provenance, errata=errata)


def agree(paper: Printed, ours: Found) -> bool:
    """Return whether a printed value is ours: a decimal number to its last digit, everything else exactly.

    Where a paper says "around", ours may be off by a tenth of its number.

    Parameters
    ----------
    paper
        What the paper prints.
    ours
        What comes out here.

    Examples
    --------
    >>> agree("0.33", Fraction(1, 3)), agree("0.34", Fraction(1, 3)), agree(("1", 2), (1.0, 2))
    (True, False, True)
    >>> agree("around 45", 44.14), agree("around 2", 1.25)
    (True, False)
    """
    if isinstance(paper, tuple):
        return isinstance(ours, tuple) and len(paper) == len(ours) and all(map(agree, paper, ours))
    # True is no 1 here, and a float is no exact number
    if isinstance(paper, bool) or isinstance(ours, bool):
        return paper is ours
    if isinstance(paper, str) and isinstance(ours, int | float | Fraction) and -inf < ours < inf:
        if DECIMAL.fullmatch(paper):
            return _rounds_to(paper, Fraction(ours))
        if about := AROUND.fullmatch(paper):
            said = _number(about[1])
            return abs(Fraction(ours) - said) <= abs(said) / 10
    return paper == ours and not isinstance(ours, float)


def _rounds_to(paper: str, ours: Fraction) -> bool:
    digits = len(paper.partition(".")[2])
    # a value on the border may be printed either way; the second term is for what floats lose there
    border = Fraction(1, 2 * 10**digits) + Fraction(1, 10**12)
    return abs(ours - _number(paper)) <= border


def _number(paper: str) -> Fraction:
    return Fraction(paper.replace("−", "-"))


def shown(value: object, like: object = None) -> str:
    """Return a value as text; a number with as many digits as a printed one has.

    Parameters
    ----------
    value
        The value: a number, a text, yes or no, None, or a tuple of these.
    like
        A printed number whose digits are to be matched.

    Examples
    --------
    >>> shown(Fraction(1, 3)), shown(Fraction(1, 3), like="0.33"), shown(0.1 + 0.2), shown((True, 2, None))
    ('1/3', '0.33', '0.3', 'yes, 2, none')
    """
    if isinstance(value, tuple):
        likes = like if isinstance(like, tuple) and len(like) == len(value) else [None] * len(value)
        return ", ".join(map(shown, value, likes))
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    if isinstance(value, int | float | Fraction) and isinstance(like, str) and DECIMAL.fullmatch(like):
        return f"{float(value):.{len(like.partition('.')[2])}f}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else str(value)


@frozen(kw_only=True)
class Exhibit:
    """Something that a paper shows, with the rows of the conformance checklist that it answers.

    Parameters
    ----------
    rows
        The ids of the rows.
    where
        Where it stands in the paper.
    title
        What it shows, in our words.
    lines
        A function that works everything out.
    """

    rows: tuple[str, ...]
    where: str
    title: str
    lines: Callable[[], Iterable[Line]] = field(repr=False)


def exhibit(*rows: str, where: str) -> Callable[[Callable[[], Iterable[Line]]], Exhibit]:
    """Return a decorator that makes an exhibit of a function: its docstring's first line is the title.

    Parameters
    ----------
    rows
        The ids of the rows of the checklist that it answers.
    where
        Where it stands in the paper.

    Examples
    --------
    >>> @exhibit("FFM-5-mu", where="Section 5")
    ... def half_of_four() -> list[Line]:
    ...     '''Precision of a run with two relevant documents of four.'''
    ...     return [line("P of 1001", Fraction(2, 4), printed="0.5")]
    >>> half_of_four.title, [each.mark for each in half_of_four.lines()]
    ('Precision of a run with two relevant documents of four', [<Mark.AGREES: '✓'>])
    """
    if not rows:
        raise ParameterError("an exhibit names the rows of the checklist that it answers")

    def made(lines: Callable[[], Iterable[Line]]) -> Exhibit:
        @cache
        @wraps(lines)
        def worked_out() -> tuple[Line, ...]:
            return tuple(lines())

        title = (inspect.getdoc(lines) or "").partition("\n")[0].removesuffix(".")
        return Exhibit(rows=rows, where=where, title=title, lines=worked_out)

    return made


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
    draw
        A function that draws it.
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
        """Where the paper is wrong or unclear."""
        return errata(self.name)
