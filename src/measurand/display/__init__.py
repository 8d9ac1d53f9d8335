"""Display: what results look like.

A result describes itself once, as a `Document` of paragraphs and `TableView`s; one renderer for each format turns it
into text for a terminal, HTML for a notebook, Markdown, LaTeX, TSV, CSV, JSON or a frame. Charts, wording and the
writing of files live here as well.
"""

from measurand.display.tables import Column, Document, Legend, Paragraph, TableView, Words

__all__ = ["Column", "Document", "Legend", "Paragraph", "TableView", "Words"]
