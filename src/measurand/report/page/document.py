"""The document: all sections of a page in one HTML file, and the writing of that file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from measurand.calls import explains_calls
from measurand.display.wording import counted
from measurand.display.writing import check_path
from measurand.errors import CallError, InputFileError
from measurand.execution import Progress, silent
from measurand.report.page import comparisons, data, fusion, measures, methods, systems, topics, verdicts
from measurand.report.page.packed_numbers import packed_array, runtime
from measurand.report.page.section import FILTERS, Section, kind_of
from measurand.study.plan import versions
from measurand.study.study import Study
from measurand.trec import write_atomically

SECTIONS = (verdicts, data, systems, comparisons, topics, measures, fusion, methods)
"""The sections of a page, in this order."""


def document(study: Study, *, made: datetime | None = None, progress: Progress = silent) -> str:
    """Return a study as one HTML file.

    The same study gives the same text but for the time at which it was made, which stands in one line.

    Parameters
    ----------
    made
        When, in UTC; now if nothing is said.
    """
    several = progress(SECTIONS, len(SECTIONS), "writing the page")
    sections = [module.section(study) for module in several]
    environment = Environment(
        loader=PackageLoader("measurand.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment.get_template("page.html").render(
        title=study.plan.title or "Evaluation report",
        subtitle=_counted(study),
        sections=sections,
        charts={f"{section.name}-{name}": chart for section in sections for name, chart in section.charts.items()},
        data={section.name: section.data for section in sections},
        arrays=list(_arrays(sections)),
        runtime=runtime(),
        styles=_texts("styles"),
        scripts=_texts("scripts"),
        version=versions()["measurand"],
        made=(made or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC"),
    )


def _counted(study: Study) -> str:
    n, t, m = len(study.systems), len(study.topics), len(study.measures)
    return f"{counted(n, 'system')}, {counted(t, 'topic')}, {counted(m, 'measure')}"


def _arrays(sections: list[Section]) -> Iterator[dict[str, Any]]:
    for section in sections:
        for name, array in section.arrays.items():
            yield {"section": section.name, "name": name, "kind": kind_of(array), "packed": packed_array(array)}


def _texts(folder: str) -> list[str]:
    """Return the texts in a folder beside this module, in the order of their names."""
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
    text = document(study, progress=progress).encode()
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFileError(str(path), None, f"cannot be written ({error.strerror or error})") from None
    write_atomically(target, [text])
    return target
