"""The document: all sections of a page in one HTML file, and the writing of that file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from measurand.calls import explains_calls
from measurand.display.writing import check_path
from measurand.errors import CallError
from measurand.execution import Progress, silent
from measurand.letters import json_escaped
from measurand.report.page import answer, comparisons, data, fusion, measures, methods, systems, topics
from measurand.report.page.packed_numbers import packed, packed_array, runtime
from measurand.report.page.section import FILTERS, Section, kind_of
from measurand.study.plan import versions
from measurand.study.study import Study
from measurand.trec import write_atomically

SECTIONS = (systems, comparisons, topics, measures, fusion, data, methods)
"""The folded sections of a page, in the order of the questions that people ask; the answer comes before them."""


def document(study: Study, *, made: datetime | None = None, progress: Progress = silent) -> str:
    """Return a study as one HTML file.

    The same study gives the same text but for the time at which it was made, which stands in one line.

    Parameters
    ----------
    made
        When, in UTC; now if nothing is said.
    """
    several = progress((answer, *SECTIONS), 1 + len(SECTIONS), "writing the page")
    first, *sections = (module.section(study) for module in several)
    every = [first, *sections]
    return (
        _templates()
        .get_template("page.html")
        .render(
            title=study.plan.title or "Evaluation report",
            subtitle=answer.subtitle(study),
            answer=first,
            choices=comparisons.choices(study),
            sections=[section for section in sections if section.hint],
            charts={f"{section.name}-{name}": chart for section in every for name, chart in section.charts.items()},
            data={section.name: section.data for section in every},
            arrays=list(_arrays(every)),
            texts=list(_texts(every)),
            runtime=runtime(),
            styles=_files("styles"),
            scripts=_files("scripts"),
            version=versions()["measurand"],
            made=(made or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC"),
        )
    )


@cache
def _templates() -> Environment:
    """Return where templates come from, each of which is compiled once."""
    environment = Environment(
        loader=PackageLoader("measurand.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment


def _arrays(sections: list[Section]) -> Iterator[dict[str, Any]]:
    for section in sections:
        for name, array in section.arrays.items():
            yield {"section": section.name, "name": name, "kind": kind_of(array), "packed": packed_array(array)}


def _texts(sections: list[Section]) -> Iterator[dict[str, Any]]:
    for section in sections:
        for name, text in section.texts.items():
            data = json_escaped(json.dumps(text, ensure_ascii=False, separators=(",", ":"))).encode()
            yield {"section": section.name, "name": name, "packed": packed(data)}


def _files(folder: str) -> list[str]:
    """Return the texts of the files in a folder beside this module, in the order of their names."""
    place = files("measurand.report.page") / folder
    return [each.read_text(encoding="utf-8") for each in sorted(place.iterdir(), key=lambda each: each.name)]


def _check_study(given: object) -> None:
    if not isinstance(given, Study):
        kind = type(given).__name__
        raise CallError(f'a Study is expected, not {kind}, as in Study.from_files("qrels.txt", ["bm25.run"])')


@explains_calls
def write_report(study: Study, path: str | os.PathLike[str], *, progress: Progress = silent) -> Path:
    """Write the page of a study, whole or not at all, and return its path.

    Parameters
    ----------
    study
        The study.
    path
        The file; folders on the way to it are made.
    progress
        Shows how far the computation is.

    Examples
    --------
    >>> import measurand as md
    >>> from tempfile import TemporaryDirectory
    >>> study = md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 2.0, "y": 1.0}}, "P@1")
    >>> with TemporaryDirectory() as folder:
    ...     write_report(study, f"{folder}/report.html").read_text()[:15]
    '<!doctype html>'
    """
    _check_study(study)
    check_path(path, "report.html")
    text = document(study, progress=progress).encode(errors="backslashreplace")
    write_atomically(path, [text], folders=True)
    return Path(path)
