"""The section "Data": what was read, how much of it was judged, and what to keep in mind about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from measurand.display.wording import counted
from measurand.report.method_paragraph import order_of_ties
from measurand.report.page.caveat_kinds import by_kind
from measurand.report.page.judged_shares import share_chart, share_rows, share_words, shown_ranks
from measurand.report.page.recall_bases import grade_rows, recall_chart, recall_facts, recall_words
from measurand.report.page.section import Section
from measurand.report.page.tie_rows import tie_rows, tied_systems
from measurand.study.plan import Source
from measurand.study.study import Study

SHORT = 12
"""So many letters of a digest are shown at first."""


def section(study: Study) -> Section:
    """Return the section: files, judgments, shares, ties, caveats."""
    shares, ties = share_rows(study), tie_rows(study)
    return Section(
        name="data",
        title="Data",
        content={
            "summary": summary(study),
            "sources": [_source(source) for source in study.sources],
            "sums": digests(study.sources),
            "grades": grade_rows(study),
            "judged_documents": study.judged.judged_documents,
            "recall": recall_facts(study),
            "recall_words": recall_words(study),
            "ranks": shown_ranks(study),
            "shares": shares,
            "share_words": share_words(study),
            "incomplete": [row for row in shares if row["missing"]],
            "topics": len(study.topics),
            "skipped": study.plan.missing_topics == "skip",
            "ties": ties,
            "order_of_ties": order_of_ties(study),
            "ties_starred": any(row["most"] and not row["most"]["admitted"] for row in ties),
            "tied": tied_systems(study),
            "caveats": by_kind(study.caveats),
        },
        charts={"shares": share_chart(study), "recall": recall_chart(study)},
    )


def summary(study: Study) -> str:
    """Return how much data there is, in a sentence."""
    judgments = int(study.judged.grade_counts.sum())
    several = [counted(len(study.systems), "system"), counted(len(study.topics), "judged topic")]
    depth = counted(study.judged.depth, "document")
    cut = "cut after" if study.plan.depth is not None else "of up to"
    return f"{several[0]} on {several[1]}, with {counted(judgments, 'judgment')}; rankings {cut} {depth}."


def digests(sources: Sequence[Source]) -> str:
    r"""Return digests and names of files as `sha256sum --check` reads them.

    Examples
    --------
    >>> digests([Source(role="run", name="a\\b.run", sha256="0f"), Source(role="run", name="in memory")])
    '\\0f  a\\\\b.run\n'
    """
    lines = []
    for source in sources:
        if source.sha256 is not None:
            escaped = source.name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
            lines.append(f"{'' if escaped == source.name else chr(92)}{source.sha256}  {escaped}\n")
    return "".join(lines)


def size_in_words(size: int | None) -> str:
    """Return a number of bytes as people read it.

    Examples
    --------
    >>> size_in_words(999), size_in_words(13240), size_in_words(2_500_000), size_in_words(None)
    ('999 B', '13.2 kB', '2.5 MB', '–')
    """
    if size is None:
        return "–"
    if size < 1000:
        return f"{size} B"
    value, unit = next(
        (size / 1000**power, unit) for power, unit in ((3, "GB"), (2, "MB"), (1, "kB")) if size >= 1000**power
    )
    return f"{value:.1f} {unit}"


def _source(source: Source) -> dict[str, Any]:
    return {
        "role": source.role,
        "name": source.name,
        "size": source.size,
        "size_in_words": size_in_words(source.size),
        "short": None if source.sha256 is None else source.sha256[:SHORT],
        "sha256": source.sha256,
    }
