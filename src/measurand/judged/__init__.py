"""Judged runs: systems × topics × ranks of grades, and the join that makes them.

Sets of grades and universes of runs are loaded when they are first used: no evaluation needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measurand.judged.content import Judgments, Results, as_grades, as_scores, bounds_of, flatten
from measurand.judged.grades import HIGHEST_GRADE, NOTHING, POOLED, UNJUDGED, Pool, as_cells
from measurand.judged.hits import Hits
from measurand.judged.judge import judge, no_relevant
from measurand.judged.ranking import Ties
from measurand.judged.runs import JudgedRuns, differing_bases
from measurand.judged.tie_groups import OverTies, TieGroups
from measurand.loading import first_used

if TYPE_CHECKING:
    from measurand.judged.relevance import Relevance
    from measurand.judged.universes import (
        JudgedRun,
        Multiset,
        count_ranked_runs,
        count_set_runs,
        distinct_runs,
        every_run,
        judged_rankings,
        ranked_runs,
        set_runs,
    )

__all__ = [
    "HIGHEST_GRADE",
    "NOTHING",
    "POOLED",
    "UNJUDGED",
    "Hits",
    "JudgedRun",
    "JudgedRuns",
    "Judgments",
    "Multiset",
    "OverTies",
    "Pool",
    "Relevance",
    "Results",
    "TieGroups",
    "Ties",
    "as_cells",
    "as_grades",
    "as_scores",
    "bounds_of",
    "count_ranked_runs",
    "count_set_runs",
    "differing_bases",
    "distinct_runs",
    "every_run",
    "flatten",
    "judge",
    "judged_rankings",
    "no_relevant",
    "ranked_runs",
    "set_runs",
]

_UNIVERSES = (
    *("JudgedRun", "Multiset", "count_ranked_runs", "count_set_runs", "distinct_runs", "every_run", "judged_rankings"),
    *("ranked_runs", "set_runs"),
)

if not TYPE_CHECKING:
    __getattr__ = first_used(
        __name__, {"measurand.judged.relevance": ("Relevance",), "measurand.judged.universes": _UNIVERSES}
    )
