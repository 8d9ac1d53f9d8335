"""The page: a study as one HTML file that needs neither network nor server.

The answer comes first, all other sections are folded below it. Every section is a module that turns a study into a
`Section`, with a template of the same name; `document` puts them together with the styles, the scripts and the runtime
that draws the figures.
"""

from measurand.report.page.document import document, write_report

__all__ = ["document", "write_report"]
