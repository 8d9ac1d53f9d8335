"""Results show themselves: what a result says in its document is printed, shown in notebooks and given to programs.

A result is a frozen value that inherits from `Result` and describes itself once, in `document`. All else follows:
`print(result)` and the bare name in a notebook give its tables, `to_polars` and `to_pandas` its main table as a frame,
`to_dict` all of it ready for JSON, `to_latex` its tables for a paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measurand.display.tables import ROWS, Document, TableView, cells_view

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

    def document(self) -> Document:
        """Return what the result shows: paragraphs and tables."""
        raise NotImplementedError

    def __str__(self) -> str:
        from measurand.display.text import WIDTH, aligned_text

        return aligned_text(self.document(), rows=ROWS, width=WIDTH)

    def __repr__(self) -> str:
        shown = self.document()
        titles = [str(view.title) for view in shown.for_programs]
        said = " ".join(next(filter(None, [*titles, *shown.sentences]), "").split())
        return f"<{type(self).__name__}: {said if len(said) <= LONGEST else said[: LONGEST - 1] + '…'}>"

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
        tables = [{"title": str(view.title), "rows": plain(view.data)} for view in shown.for_programs]
        return {
            "text": shown.sentences,
            "tables": tables,
            "caveats": [caveat.to_dict() for caveat in shown.caveats],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return the main table as a polars frame."""
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
