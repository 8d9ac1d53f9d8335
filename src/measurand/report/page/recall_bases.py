"""What there was to be found: the judgments by grade, and the relevant documents of each topic."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.display.charts import ACCENT, Chart
from measurand.display.wording import counted
from measurand.measures.geometric_mean import innermost
from measurand.study.study import Study

NAMED = 12
"""So many topics are named in a sentence."""


def grade_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every grade: how many judgments have it, which share, and on how many topics."""
    counts = study.judged.grade_counts
    total = int(counts.sum())
    return [
        {
            "grade": grade,
            "count": int(of_grade.sum()),
            "share": int(of_grade.sum()) / total if total else None,
            "topics": int((of_grade > 0).sum()),
        }
        for grade, of_grade in enumerate(counts.T)
    ]


def recall_facts(study: Study) -> dict[str, Any]:
    """Return the least, the median and the greatest recall base, and the topics that have nothing to find."""
    bases = study.coverage.recall_base
    return {
        "least": int(bases.min()),
        "median": float(np.median(bases)),
        "greatest": int(bases.max()),
        "none": [topic for topic, base in zip(study.topics, bases.tolist(), strict=True) if not base],
    }


def recall_words(study: Study) -> list[str]:
    """Return what the recall bases mean for the measures, in sentences."""
    told = []
    for name, measure in study.measures.items():
        cutoff = innermost(measure).cutoff
        if innermost(measure).name != "P" or cutoff is None:
            continue
        few = int((study.judged.recall_bases(measure.lowest) < cutoff).sum())
        if few:
            many = "topic has" if few == 1 else "topics have"
            told.append(
                f"{few:,} {many} fewer than {cutoff} relevant documents: nobody can reach 1 under {name} there."
            )
    none = recall_facts(study)["none"]
    if none:
        names = ", ".join(none[:NAMED]) + (", …" if len(none) > NAMED else "")
        what = "They tell no two systems apart" if len(none) > 1 else "It tells no two systems apart"
        told.append(
            f"{counted(len(none), 'topic')} without any relevant document: {names}. {what}, and still"
            f" {'count' if len(none) > 1 else 'counts'} in averages over topics."
        )
    return told


def recall_chart(study: Study) -> Chart:
    """Return a histogram of recall bases."""
    values = [
        {"topic": topic, "base": base}
        for topic, base in zip(study.topics, study.coverage.recall_base.tolist(), strict=True)
    ]
    facts = recall_facts(study)
    x = {"field": "base", "type": "quantitative", "bin": {"maxbins": 24, "minstep": 1}}
    x |= {"title": "relevant documents of a topic", "axis": {"tickMinStep": 1, "format": "d"}}
    y = {"aggregate": "count", "type": "quantitative", "title": "topics", "axis": {"tickMinStep": 1, "format": "d"}}
    return {
        "description": f"How many topics have how many relevant documents: from {facts['least']} to"
        f" {facts['greatest']}, {facts['median']:g} in the middle.",
        "width": "container",
        "height": 160,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": values},
        "mark": {"type": "bar", "color": ACCENT},
        "encoding": {"x": x, "y": y, "tooltip": [{**x, "title": "relevant documents"}, {**y, "title": "topics"}]},
    }
