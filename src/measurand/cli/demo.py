"""`measurand demo`: the report on the built-in sample."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from measurand import sample
from measurand.cli.emit import put
from measurand.cli.input_format import FilePath
from measurand.cli.options import waiting
from measurand.cli.report import PAGE, has_screen, write_page
from measurand.cli.streams import say
from measurand.study.study import Study

TITLE = "The built-in sample"


@click.command()
@click.option(
    "-o", "--output", type=FilePath(dir_okay=False), default=PAGE, show_default=True, help="The page; - prints it."
)
def demo(output: str) -> None:
    """Write the report on the built-in sample: 12 systems, 50 topics, grades 0 to 3."""
    if output == "-":
        from measurand.report.page import document

        put(document(_study(), progress=waiting()), None, "html")
        return
    repeated = ["measurand", "report", sample.qrels(), sample.folder() / "runs", "--title", TITLE, "-o", output]
    say(shlex.join(map(str, repeated)), "")
    write_page(_study(), Path(output), show=has_screen())


def _study() -> Study:
    return Study.from_files(sample.qrels(), sample.runs(), title=TITLE, progress=waiting())
