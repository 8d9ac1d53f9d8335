"""How scores show themselves in a notebook: a table of systems, best first, with what limits its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from measurand.arrays import FloatArray
from measurand.display.markup import caveat_notes, joined, note, table
from measurand.errors import Caveat
from measurand.scores.summary import Summary, written

FEW = 6
"""So many topics have columns of their own."""

STARRED = "* The scale does not admit this number: a permissible rescaling can reverse what it says."


def scores_html(caption: str, values: FloatArray, topics: Sequence[str], summaries: Sequence[Summary]) -> str:
    """Return scores as HTML: systems by the first of some numbers, and their scores on topics, if these are few.

    Examples
    --------
    >>> summary = Summary(("a", "b"), [0.25, 0.5], "median", ())
    >>> "<caption" in scores_html("RR", np.array([[0.25], [0.5]]), ("1",), [summary])
    True
    """
    heads = ["system", *(_head(summary) for summary in summaries), *_topic_heads(topics)]
    rows = (
        [
            summaries[0].systems[place],
            *(written(summary[place], summary.statistic) for summary in summaries),
            *map(written, _on_topics(values[place], len(topics))),
        ]
        for place in summaries[0].best_first
    )
    return notes_below(table(caption, heads, rows), summaries)


def table_html(caption: str, summaries: Sequence[tuple[str, Summary]], caveats: Sequence[Caveat]) -> str:
    """Return what several measures say of the systems as HTML: a number for each, systems in the order of the first.

    Examples
    --------
    >>> summary = Summary(("a", "b"), [0.25, 0.5], "median", ())
    >>> "RR, median" in table_html("2 systems", [("RR", summary)], ())
    True
    """
    heads = ["system", *(f"{measure}, {_head(summary)}{_lower(summary)}" for measure, summary in summaries)]
    first = summaries[0][1]
    rows = (
        [first.systems[place], *(written(summary[place], summary.statistic) for _, summary in summaries)]
        for place in first.best_first
    )
    return notes_below(table(caption, heads, rows), [summary for _, summary in summaries], caveats)


def notes_below(shown: object, summaries: Sequence[Summary], caveats: Sequence[Caveat] = ()) -> str:
    """Return a table with what a star means, if there is one, and all caveats, each once.

    Examples
    --------
    >>> notes_below("", [])
    ''
    """
    star = [] if all(summary.admitted for summary in summaries) else [note(STARRED)]
    every = dict.fromkeys([*caveats, *(caveat for summary in summaries for caveat in summary.caveats)])
    return str(joined([piece for piece in (shown, *star, caveat_notes(every)) if piece], "\n"))


def _head(summary: Summary) -> str:
    return summary.statistic if summary.admitted else f"{summary.statistic}*"


def _lower(summary: Summary) -> str:
    """Say that lower is better, which of ranks everybody knows."""
    return ", lower is better" if summary.lower_is_better and summary.statistic != "mean rank" else ""


def _topic_heads(topics: Sequence[str]) -> list[str]:
    return [f"topic {topic}" for topic in topics] if len(topics) <= FEW else ["lowest", "highest"]


def _on_topics(scores: FloatArray, topics: int) -> Iterator[float]:
    if topics <= FEW:
        yield from scores.tolist()
        return
    there = scores[~np.isnan(scores)]
    yield from (float(there.min()), float(there.max())) if len(there) else (np.nan, np.nan)
