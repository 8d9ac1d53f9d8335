"""The report: results as text for a terminal, data for programs, and figures."""

from measurand.report.compare_data import comparison_data, comparison_tsv
from measurand.report.compare_latex import comparison_latex
from measurand.report.compare_text import comparison_text
from measurand.report.interval_data import interval_data
from measurand.report.interval_figure import interval_figure
from measurand.report.interval_text import interval_text
from measurand.report.profile_data import profile_data
from measurand.report.profile_text import WIDTH, profile_text

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
