"""The document: all sections of a page in one file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from measurand.display.wording import counted
from measurand.execution import Progress, silent
from measurand.report.page import comparisons, data, fusion, measures, methods, systems, topics, verdicts
from measurand.report.page.packing import packed_array, runtime
from measurand.report.page.section import Section, kind_of
from measurand.report.page.wording import FILTERS
from measurand.study.plan import versions
from measurand.study.study import Study

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
