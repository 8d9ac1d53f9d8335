"""The report: results as text for a terminal, data for programs, and figures."""

from measurand.report.figures import FIGURE_FORMATS, draw, figure_format, profile_figure
from measurand.report.profile_data import profile_data
from measurand.report.profile_text import WIDTH, profile_text

__all__ = ["FIGURE_FORMATS", "WIDTH", "draw", "figure_format", "profile_data", "profile_figure", "profile_text"]
