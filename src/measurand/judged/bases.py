"""Recall bases of several topics: where they differ, measures that depend on them have a scale for every topic."""

from __future__ import annotations

from measurand.judged.runs import JudgedRuns


def differing_bases(judged: JudgedRuns, lowest: int = 1, *, graded: bool = False) -> str:
    """Return in words how topics differ in their recall bases, or nothing if they do not.

    Parameters
    ----------
    judged
        Judged runs.
    lowest
        The lowest grade that counts as relevant.
    graded
        Whether it matters how many documents of each grade there are.

    Examples
    --------
    >>> differing_bases(JudgedRuns.on_one_topic([(1, 0)], (5, 2)))
    ''
    """
    bases = judged.recall_bases(lowest)
    if not len(bases):
        return ""
    low, high = int(bases.min()), int(bases.max())
    if low < high:
        return f"the recall bases differ, from {low} to {high}"
    counts = judged.grade_counts[:, lowest:]
    if graded and (counts != counts[:1]).any():
        return "topics differ in how many documents of each grade they have"
    return ""
