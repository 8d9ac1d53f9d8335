"""The report: the page of a study, and the whole study as JSON, as frames and as LaTeX.

Other results show themselves: they have a `document` for people and `to_dict` for programs, and `measurand.display` has
a renderer for each format.
"""

from __future__ import annotations

from typing import Any

from measurand.deprecated import deprecate

__all__ = [
    "WIDTH",
    "comparison_data",
    "comparison_latex",
    "comparison_text",
    "comparison_tsv",
    "interval_data",
    "interval_figure",
    "interval_text",
    "profile_data",
    "profile_text",
]

_INSTEAD = {
    "WIDTH": "measurand.display.terminal.WIDTH",
    "comparison_data": "comparison.to_dict()",
    "comparison_latex": "latex_table(comparison.view(result).latex_table())",
    "comparison_text": "terminal_text(comparison.document())",
    "comparison_tsv": "separated(comparison.view(result).table() for result in comparison.results)",
    "interval_data": "measurand.intervals.reading.readings_data",
    "interval_figure": "measurand.intervals.interval_figure.interval_figure",
    "interval_text": "terminal_text(readings_document(read))",
    "profile_data": "profile.to_dict()",
    "profile_text": "terminal_text(profile.document())",
}
"""What has taken the place of each name."""


def __getattr__(name: str) -> Any:
    if name not in _INSTEAD:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    deprecate(f"measurand.report.{name}", _INSTEAD[name])
    return _old()[name]


def _old() -> dict[str, Any]:
    """Return the names that are kept for old programs."""
    from measurand.display.data import separated
    from measurand.display.latex import latex_table
    from measurand.display.terminal import WIDTH, terminal_text
    from measurand.intervals.interval_figure import interval_figure
    from measurand.intervals.reading import readings_data, readings_document

    def views(comparison: Any) -> list[Any]:
        return [comparison.view(result) for result in comparison.results]

    return {
        "WIDTH": WIDTH,
        "comparison_data": lambda comparison: comparison.to_dict(),
        "comparison_latex": lambda comparison: "\n".join(latex_table(each.latex_table()) for each in views(comparison)),
        "comparison_text": lambda comparison, *, matrix=False, colour=False, width=None: terminal_text(
            comparison.document(matrix=matrix), colour=colour, width=width or 120
        ),
        "comparison_tsv": lambda comparison: separated(each.table() for each in views(comparison)),
        "interval_data": readings_data,
        "interval_figure": interval_figure,
        "interval_text": lambda read, **options: terminal_text(readings_document(read), **options),
        "profile_data": lambda profile: profile.to_dict(),
        "profile_text": lambda profile, **options: terminal_text(profile.document(), **options),
    }
