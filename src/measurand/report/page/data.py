"""The section "Data": what was read, how much of it was judged, and what to keep in mind about it.

Its parts are the files, the judgments by grade and topic, the judged shares, the effect of ties, and the caveats.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.charts import ACCENT, MARK, Chart
from measurand.display.wording import counted, percent
from measurand.errors import Caveat, CaveatKind
from measurand.exact import decimal
from measurand.measures.around import innermost
from measurand.report.method_paragraph import order_of_ties
from measurand.report.page.section import Section
from measurand.report.page.topics import MOST
from measurand.study.coverage import Coverage
from measurand.study.plan import Source
from measurand.study.scale_paragraphs import averages_word
from measurand.study.study import Study
from measurand.study.tie_effect import TieEffect

KINDS: Mapping[CaveatKind, str] = {
    CaveatKind.MISSING_TOPICS: "Topics that systems left out",
    CaveatKind.UNJUDGED_TOPICS: "Topics without judgments",
    CaveatKind.MISSING_TEXTS: "Topics without a text",
    CaveatKind.FEW_JUDGED: "Few documents judged",
    CaveatKind.NO_RELEVANT: "Topics with nothing to find",
    CaveatKind.REPEATED_JUDGMENT: "Judgments given twice",
    CaveatKind.EXTRA_COLUMNS: "Columns too many in a file",
    CaveatKind.FORMAT: "What a file was taken for",
    CaveatKind.LEFT_OUT: "What was left out",
    CaveatKind.FILES: "Files that were passed over",
    CaveatKind.BLANKS: "Blanks in names",
    CaveatKind.NAMES: "Names of systems",
    CaveatKind.TIES: "Documents of equal score",
    CaveatKind.ORDER: "The order of documents",
    CaveatKind.SCALE: "Scales of measures",
    CaveatKind.FLOOR: "Scores below the floor of a geometric mean",
    CaveatKind.NO_CUTOFF: "Measures without a cutoff",
    CaveatKind.COLLECTION: "The size of the collection",
    CaveatKind.GRADES: "Grades",
    CaveatKind.GAINS: "What grades are worth",
    CaveatKind.GAPS: "Gaps between values",
    CaveatKind.BOUNDS: "What could not be computed",
    CaveatKind.ASSUMPTION: "What is assumed",
    CaveatKind.CONVENTION: "What other tools read otherwise",
    CaveatKind.DEGENERATE: "Tests that cannot tell",
}
"""What each kind of caveat is called, in the order in which they are shown: data first."""


def by_kind(caveats: Iterable[Caveat]) -> dict[str, list[str]]:
    """Return the texts of caveats by what their kind is called.

    Examples
    --------
    >>> by_kind([Caveat(CaveatKind.TIES, "so many tie"), Caveat(CaveatKind.TIES, "so many tie")])
    {'Documents of equal score': ['so many tie']}
    """
    several = list(dict.fromkeys(caveats))
    found = {called: [str(caveat) for caveat in several if caveat.kind is doubt] for doubt, called in KINDS.items()}
    return {called: texts for called, texts in found.items() if texts}


LOW = 0.5
"""A system of whose first documents a smaller share was judged is spoken of."""

NAMED = 5
"""So many systems are named in a sentence."""


def shown_ranks(study: Study) -> tuple[int, ...]:
    """Return down to which ranks shares are told: not further than rankings go."""
    ranks = tuple(study.coverage.shares)
    return tuple(rank for rank in ranks if rank <= study.judged.depth) or ranks[:1]


def mean_shares(coverage: Coverage, rank: int) -> FloatArray:
    """Return the mean share of judged documents of each system, over the topics for which it returned any.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.coverage import coverage
    >>> mean_shares(coverage(JudgedRuns.on_one_topic([(1, -1), (-2, -2)], (5, 3))), 10).tolist()
    [0.5, nan]
    """
    shares = np.where(coverage.missing, np.nan, coverage.shares[rank])
    there = ~np.isnan(shares).all(axis=1)
    means = np.full(len(shares), np.nan)
    means[there] = np.nanmean(shares[there], axis=1)
    return means


def share_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every system: its mean shares, how much it returned, and which topics it left out."""
    coverage, ranks = study.coverage, shown_ranks(study)
    shares = {rank: mean_shares(coverage, rank) for rank in ranks}
    lengths = np.median(study.judged.lengths, axis=1)
    return [
        {
            "system": system,
            "shares": [_told(shares[rank][place]) for rank in ranks],
            "returned": float(lengths[place]),
            "missing": [topic for topic, out in zip(study.topics, coverage.missing[place], strict=True) if out],
        }
        for place, system in enumerate(study.systems)
    ]


def share_words(study: Study) -> list[str]:
    """Return what the shares mean for comparisons, in sentences with this study's numbers."""
    rank = shown_ranks(study)[0]
    shares = mean_shares(study.coverage, rank)
    known = np.flatnonzero(~np.isnan(shares))
    if not len(known):
        return ["No system returned anything."]
    lowest, highest = known[shares[known].argmin()], known[shares[known].argmax()]
    told = [
        f"Down to rank {rank}, {percent(float(shares[lowest]))} of the documents of {study.systems[lowest]} were judged"
        f" and {percent(float(shares[highest]))} of those of {study.systems[highest]}"
        f"{': the least and the most' if len(known) > 2 else ''}."
        if len(known) > 1
        else f"Down to rank {rank}, {percent(float(shares[lowest]))} of the documents of the system were judged."
    ]
    low = [study.systems[place] for place in known if shares[place] < LOW]
    if low:
        names = ", ".join(low[:NAMED]) + (", …" if len(low) > NAMED else "")
        less = f"less than half of the first {rank} documents were judged"
        told.append(f"Of {counted(len(low), 'system')} ({names}) {less}: their scores may be far too low.")
    return told


def share_chart(study: Study) -> Chart:
    """Return a drawing: a tick for every system at its mean share, down to each rank."""
    rows = [
        {"rank": f"first {rank}", "system": system, "share": round(float(share), 4)}
        for rank in shown_ranks(study)
        for system, share in zip(study.systems, mean_shares(study.coverage, rank), strict=True)
        if not np.isnan(share)
    ]
    order = [f"first {rank}" for rank in shown_ranks(study)]
    x: Chart = {
        "field": "share",
        "type": "quantitative",
        "title": "share of documents that were judged, mean over topics",
    }
    x |= {"axis": {"format": ".0%", "grid": True}, "scale": {"domain": [0, 1]}}
    y = {"field": "rank", "type": "nominal", "title": None, "sort": order}
    tooltip = [{"field": "system"}, {"field": "share", "type": "quantitative", "format": ".1%"}]
    tick = {"type": "tick", "color": ACCENT, "thickness": 2, "height": 22, "opacity": 0.7}
    middle = {"mark": {"type": "point", "color": MARK, "filled": True, "size": 70, "shape": "diamond"}}
    return {
        "description": "The share of judged documents down to each rank: a tick for every system, a diamond for the"
        " median system.",
        "width": "container",
        "height": 38 * len(order),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": rows},
        "layer": [
            {"mark": tick, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
            {**middle, "encoding": {"x": {**x, "aggregate": "median"}, "y": y}},
        ],
    }


def _told(share: float) -> float | None:
    return None if np.isnan(share) else float(share)


MOST_GRADES = 20
"""So many grades have a row each."""

NAMED_TOPICS = 12
"""So many topics are named in a sentence."""


def grade_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every grade: how many judgments have it, which share, and on how many topics."""
    counts = study.judged.grade_counts
    total = int(counts.sum())
    return [
        {
            "grade": study.judged.grade_name(grade),
            "count": int(of_grade.sum()),
            "share": int(of_grade.sum()) / total if total else None,
            "topics": int((of_grade > 0).sum()),
        }
        for grade, of_grade in enumerate(counts.T)
    ]


def few_grade_rows(study: Study) -> list[dict[str, Any]]:
    """Return the rows of grades, those of many grades joined: each row then is a tenth of the range of grades."""
    judged = study.judged
    if len(judged.gains) <= MOST_GRADES:
        return grade_rows(study)
    highest, counts, rows = judged.gains[-1], judged.grade_counts, []
    ends = [bisect_left(judged.gains, highest * part / 10) for part in range(1, 10)]
    for start, end in pairwise([0, *ends, len(judged.gains)]):
        part = counts[:, start:end]
        if not part.any():
            continue
        named = " – ".join(dict.fromkeys(judged.grade_name(grade) for grade in (start, end - 1)))
        number, total = int(part.sum()), int(counts.sum())
        rows.append({"grade": named, "count": number, "share": number / total, "topics": int(part.any(axis=1).sum())})
    return rows


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
        names = ", ".join(none[:NAMED_TOPICS]) + (", …" if len(none) > NAMED_TOPICS else "")
        what = "They tell no two systems apart" if len(none) > 1 else "It tells no two systems apart"
        told.append(
            f"{counted(len(none), 'topic')} without any relevant document: {names}. {what}, and still"
            f" {'count' if len(none) > 1 else 'counts'} in {averages_word(study.raw.results)} over topics."
        )
    return told


def recall_chart(study: Study) -> Chart:
    """Return a histogram of recall bases."""
    bases = study.coverage.recall_base
    if len(bases) > MOST:
        several, counts = np.unique(bases, return_counts=True)
        values = [{"base": base, "count": count} for base, count in zip(several.tolist(), counts.tolist(), strict=True)]
    else:
        values = [{"topic": topic, "base": base} for topic, base in zip(study.topics, bases.tolist(), strict=True)]
    facts = recall_facts(study)
    x = {"field": "base", "type": "quantitative", "bin": {"maxbins": 24, "minstep": 1}}
    x |= {"title": "relevant documents of a topic", "axis": {"tickMinStep": 1, "format": "d"}}
    y = {"aggregate": "count", "type": "quantitative", "title": "topics", "axis": {"tickMinStep": 1, "format": "d"}}
    y |= {"aggregate": "sum", "field": "count"} if len(bases) > MOST else {}
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


def tie_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every measure: where ties matter, whom trec_eval's order flatters or hurts, and how much.

    What trec_eval's order does is seen against the mean over all orders, and left out where a strict study does not
    admit means.
    """
    several = study.ties.by_measure.items()
    return [{"measure": name, **_row(effect, means=study.result(name).by_means)} for name, effect in several]


def _row(effect: TieEffect, *, means: bool) -> dict[str, Any]:
    rankings = int((~np.isnan(effect.trec.values)).sum())
    matters = {"matters": int(effect.matters.sum()), "rankings": rankings, "means": means}
    if not means:
        return matters
    return matters | {
        "flattered": int(effect.flattered.sum()),
        "hurt": int(effect.hurt.sum()),
        "farthest": effect.farthest(),
        "most": _most_moved(effect),
    }


def _most_moved(effect: TieEffect) -> dict[str, Any] | None:
    """Return the system whose mean over topics trec_eval's order moves most."""
    if not (effect.flattered | effect.hurt).any():
        return None
    moved = np.nan_to_num(np.asarray(effect.trec.mean().values) - np.asarray(effect.expected.mean().values))
    place = int(np.abs(moved).argmax())
    better = moved[place] if not effect.trec.lower_is_better else -moved[place]
    return {
        "system": effect.trec.systems[place],
        "by": float(moved[place]),
        "flattered": bool(better > 0),
    }


def tied_systems(study: Study) -> list[dict[str, Any]]:
    """Return the systems that have documents of equal score, those with the greatest share first."""
    effects = list(study.ties.by_measure.values())
    tied = effects[0].tied
    rows = [
        {
            "system": system,
            "tied": float(tied[place]),
            "matters": [int(effect.matters[place].sum()) for effect in effects],
        }
        for place, system in enumerate(study.systems)
        if tied[place]
    ]
    return sorted(rows, key=lambda row: -row["tied"])


SHORT = 12
"""So many letters of a digest are shown at first."""


def section(study: Study) -> Section:
    """Return the section: files, judgments, shares, ties, caveats."""
    shares, ties = share_rows(study), tie_rows(study)
    return Section(
        name="data",
        title="What was the data?",
        hint="files, judged shares, ties, missing topics",
        content={
            "summary": summary(study),
            "sources": [_source(source) for source in study.sources],
            "sums": digests(study.sources),
            "comments": [
                {"name": source.name, "text": "\n".join(source.comments)} for source in study.sources if source.comments
            ],
            "grades": few_grade_rows(study),
            "relevant_from": "1" if study.judged.relevance is None else decimal(study.judged.relevance.threshold),
            "judged_documents": study.judged.judged_documents,
            "recall": recall_facts(study),
            "recall_words": recall_words(study),
            "ranks": shown_ranks(study),
            "shares": shares,
            "share_words": share_words(study),
            "incomplete": [row for row in shares if row["missing"]],
            "topics": len(study.topics),
            "skipped": study.plan.missing_topics == "skip",
            "averages": averages_word(study.raw.results),
            "ties": ties,
            "order_of_ties": order_of_ties(study),
            "strict": study.plan.strict,
            "means": any(row["means"] for row in ties),
            "tied": tied_systems(study),
            "caveats": by_kind(study.caveats),
        },
        # of one or two systems the table says as much
        charts={"recall": recall_chart(study)} | ({"shares": share_chart(study)} if len(study.systems) > 2 else {}),
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
