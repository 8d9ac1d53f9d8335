"""`measurand vectors`: test vectors for authors of other tools."""

from __future__ import annotations

import click

from measurand.cli.emit import put
from measurand.cli.options import output_file


@click.command()
@output_file
def vectors(output: str | None) -> None:
    """Write test vectors as JSON: small runs, judgments, and the exact values of every measure.

    They are for authors of other tools, in any language: cases with equal scores, missing topics, unjudged documents
    and the like, and every convention in words. The bytes are the same at every call.
    """
    from measurand.display.data import json_text
    from measurand.study.vectors import vectors as made

    put(json_text(made()), output, "json")
