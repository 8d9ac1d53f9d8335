"""The page: a study as one HTML file that needs neither network nor server.

Every section is a module that turns a study into a `Section`, with a template of the same name; `document` puts them
together with the styles, the scripts and the runtime that draws the figures.
"""

from measurand.report.page.document import document, write_report
from measurand.report.page.summing_up import in_short

__all__ = ["document", "in_short", "write_report"]
