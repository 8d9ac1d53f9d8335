"""Results show themselves: what a result says in its document is printed, shown in notebooks and given to programs.

A result is a frozen value that inherits from `Result` and describes itself once, in `document`; small ones need not,
their fields are what they show. All else follows:
`print(result)` and the bare name in a notebook give its tables, `to_polars` and `to_pandas` its main table as a frame,
`to_dict` all of it ready for JSON, `to_latex` its tables for a paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from attrs import fields

from measurand.display.tables import ROWS, Document, TableView, cells_view, facts, words_of
from measurand.display.wording import number
from measurand.letters import shown

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

LONGEST = 100
"""So many letters of what a result says stand in its `repr`."""


class Result:
    """What shows itself: inherit from it, and say in `document` what there is to see.

    Examples
    --------
    >>> class Found(Result):
    ...     def document(self):
    ...         return Document([cells_view(["system", "P"], [["a", "0.5"]], title="1 system")])
    >>> print(Found())
    1 system
    <BLANKLINE>
    system    P
    a       0.5
    >>> Found()
    <Found: 1 system>
    >>> Found().to_dict()
    {'text': [], 'tables': [{'title': '1 system', 'rows': [{'system': 'a', 'P': '0.5'}]}], 'caveats': []}
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        # sentences of their own have names of strangers in them
        for method in ("__repr__", "__str__"):
            if method in cls.__dict__:
                setattr(cls, method, _for_people(cls.__dict__[method]))

    def document(self) -> Document:
        """Return what the result shows: paragraphs and tables; by default its fields, a line each."""
        names = [each.name for each in fields(cast(Any, type(self))) if not each.name.startswith("_")]
        found = {name: getattr(self, name) for name in names}
        caveats = found.pop("caveats", ())
        return Document([facts((name, (briefly(value), value)) for name, value in found.items())], caveats)

    if not TYPE_CHECKING:  # checkers of types know every attribute

        def __getattr__(self, name: str) -> Any:
            # reached where there is no such attribute
            complaint = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(complaint, name=name, obj=self)
            from measurand.calls import ATTRIBUTES, nearest

            close = nearest(name, [each for each in dir(type(self)) if not each.startswith("_")], ATTRIBUTES)
            if close == "pairs" and name in ATTRIBUTES["pvalues"] + ("pvalues",):
                close = "pairs.pvalues, or pairs.to_pandas() for a row for every pair"
            if close:
                complaint += f"; did you mean {close}?{_purpose(getattr(type(self), close, None))}"
            raise AttributeError(complaint, name=name, obj=self)

    def __str__(self) -> str:
        from measurand.display.text import WIDTH, aligned_text

        return aligned_text(self.document(), rows=ROWS, width=WIDTH)

    def __repr__(self) -> str:
        if type(self).__str__ is not Result.__str__:
            # it has a sentence of its own
            return f"<{type(self).__name__}: {shortened(str(self))}>"
        shown = self.document()
        titles = [str(view.title) for view in shown.for_programs]
        said = next(filter(None, [*titles, *shown.sentences, ", ".join(_facts(shown))]), "")
        return f"<{type(self).__name__}: {shortened(said)}>"

    def _repr_html_(self) -> str:
        from measurand.display.markup import html_text

        return html_text(self.document())

    def _main(self) -> TableView:
        """Return the table that programs get as a frame: the first of the document, or else its sentences."""
        shown = self.document()
        return next(iter(shown.for_programs), sentences_view(shown))

    def to_dict(self) -> dict[str, Any]:
        """Return what the result shows, ready for JSON: its sentences, the rows of its tables, its caveats."""
        from measurand.display.data import plain

        shown = self.document()
        known = [view.data[0] for view in shown.for_programs if not any(view.headings)]
        tables = [{"title": str(view.title), "rows": plain(view.data)} for view in shown.tables]
        return {
            **{name: value for record in known for name, value in plain(record).items()},
            "text": shown.sentences,
            "tables": tables,
            "caveats": [caveat.to_dict() for caveat in shown.caveats],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return the main table as a polars frame (needs polars)."""
        from measurand.display.data import polars_frame

        return polars_frame(self._main())

    def to_pandas(self) -> pd.DataFrame:
        """Return the main table as a pandas frame (needs pandas)."""
        from measurand.display.data import pandas_frame

        return pandas_frame(self._main())

    def to_latex(self) -> str:
        """Return the tables for LaTeX, in the manner of booktabs, all rows of them."""
        from measurand.display.latex import latex_table

        shown = self.document()
        views = [part for part in shown.parts if isinstance(part, TableView)] or [sentences_view(shown)]
        return "\n".join(map(latex_table, views))


def _for_people(method: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a method that gives the same text, with letters escaped that cannot be seen."""

    @wraps(method)
    def written(self: Any) -> str:
        return shown(method(self), keep="\n")

    return written


def sentences_view(document: Document) -> TableView:
    """Return the sentences of a document as a table, for a result that has no other.

    Parameters
    ----------
    document
        The document.

    Examples
    --------
    >>> sentences_view(Document(["It holds.", ""])).data
    [{'text': 'It holds.'}]
    """
    return cells_view(["text"], [[sentence] for sentence in document.sentences])


def _purpose(attribute: object) -> str:
    """Return the first line of what is documented of a method or a property, in brackets."""
    documented = (callable(attribute) or isinstance(attribute, property)) and attribute.__doc__
    return f" ({documented.splitlines()[0]})" if documented else ""


def _facts(document: Document) -> Iterator[str]:
    """Return the facts of the tables of facts, each with its name."""
    for view in document.for_programs:
        if view.records is not None and len(view.columns) == 2:
            yield from (f"{words_of(name)} {words_of(value)}" for name, value in view.cells)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text in one line, cut where it is long.

    Parameters
    ----------
    text
        The text.
    longest
        How many letters it may have.

    Examples
    --------
    >>> shortened("a long story", 6)
    'a lon…'
    """
    line = shown(" ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


MOST = 12
"""So many items of a long sequence are shown."""


def briefly(value: Any) -> str:
    """Return any value in a few words: numbers as people read them, runs as grades, long sequences cut.

    Parameters
    ----------
    value
        The value.

    Examples
    --------
    >>> briefly((1, 0, 2)), briefly(((1, 0), (0, 1))), briefly({"a": 0.5}), briefly(tuple(range(20)))
    ('(1, 0, 2)', '(1, 0), (0, 1)', 'a: 0.5000', '(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … 20 in all)')
    """
    if getattr(value, "shape", ()):
        return f"{' × '.join(map(str, value.shape))} numbers"
    if isinstance(value, Mapping) and not isinstance(value, Result):
        items = [f"{briefly(key)}: {briefly(each)}" for key, each in list(value.items())[:MOST]]
        return ", ".join([*items, *_more(value)])
    if isinstance(value, list | tuple | frozenset | set):
        several = sorted(value, key=str) if isinstance(value, frozenset | set) else list(value)
        items = [briefly(each) for each in several[:MOST]]
        nested = any(isinstance(each, list | tuple) for each in several)
        text = ", ".join([*items, *_more(several)])
        return text if nested or not isinstance(value, tuple) else f"({text})"
    if isinstance(value, Result):
        # another result: its sentence, or else what it is
        return repr(value).strip("<>") if "\n" in str(value) else str(value)
    return number(value)


def _more(items: Sequence[Any] | Mapping[Any, Any]) -> list[str]:
    return [f"… {len(items):,} in all"] if len(items) > MOST else []
