"""Pseudo-judgments: for each system the documents that the other systems agree on, which count as relevant.

The documents at the top of the fusion of all other systems are taken for relevant, so that no system has a say in
its own judgments. Where two runs are nearly the same, one speaks for the other all the same: `near_duplicates` finds
such pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.display.wording import counted, listed
from measurand.errors import Caveat, CaveatKind, InputError
from measurand.execution import Progress, silent
from measurand.fusion import fuse, fuse_others
from measurand.judged import bounds_of
from measurand.judged.content import documents_at
from measurand.trec import Qrels, Run

BIAS = Caveat(
    CaveatKind.ASSUMPTION,
    "scores without judgments measure agreement with the other systems: one that is better than these, or different,"
    " is scored too low; they are no substitute for judgments",
)
"""What scores by pseudo-judgments get wrong."""

ALIKE = Fraction(9, 10)
"""Runs that share this part of their first documents, on average over topics, are nearly the same."""

ROUNDING = 1e-9
"""Sums of floats are closer to the truth than this."""

SHOWN = 5
"""So many names are listed in a caveat."""


@frozen(kw_only=True, eq=False, repr=False)
class PseudoJudgments:
    """The documents that count as relevant, for each system its own.

    Parameters
    ----------
    by_system
        The judgments by the name of the system that they are for; they all have the same topics.
    tied
        In how many rankings, one for each system and topic, the name of a document decides who is at the top.
    short
        In how many all documents that were fused are at the top, because there are no more.
    dropped
        The topics that were left out, because nobody but one system retrieves anything for them.
    """

    by_system: Mapping[str, Qrels]
    tied: int
    short: int
    dropped: tuple[str, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have judgments."""
        return next(iter(self.by_system.values())).topics

    def caveats(self, top: int) -> Iterator[Caveat]:
        """Yield what a reader of scores should know about the judgments.

        Parameters
        ----------
        top
            How many documents were to be at the top.
        """
        rankings = f"of {counted(len(self.by_system) * len(self.topics), 'fused ranking')}"
        if self.dropped:
            names = listed(self.dropped, SHOWN)
            number = counted(len(self.dropped), "topic is", "topics are")
            text = f"{number} left out, because one run alone retrieves anything for it: {names}"
            yield Caveat(CaveatKind.MISSING_TOPICS, text)
        if self.short:
            text = f"in {self.short:,} {rankings} there are no more than {top} documents; all of them count as relevant"
            yield Caveat(CaveatKind.DEGENERATE, text)
        if self.tied:
            text = f"in {self.tied:,} {rankings} documents tie at the end of the top; the last identifiers are in it"
            yield Caveat(CaveatKind.TIES, text)


def pseudo_judgments(
    runs: Sequence[Run],
    method: str,
    top: int,
    *,
    norm: str | None = None,
    leave_one_out: bool = True,
    progress: Progress = silent,
) -> PseudoJudgments:
    """Return for each run the documents at the top of the fusion of the others, as judgments.

    Parameters
    ----------
    runs
        The runs, of different names.
    method, norm
        How to fuse, as for `fuse`.
    top
        How many documents of each topic count as relevant.
    leave_one_out
        Whether a run is left out of the fusion that makes its own judgments.
    progress
        Shows how far it is.

    Examples
    --------
    >>> from measurand.trec import read_runs
    >>> runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "z": 1.0}}, "c": {"1": {"y": 5.0}}}
    >>> found = pseudo_judgments(read_runs(runs), "rrf", 1)
    >>> {name: qrels.documents for name, qrels in found.by_system.items()}
    {'a': ['y'], 'b': ['y'], 'c': ['y']}
    """
    topics, dropped = _topics(runs, 2 if leave_one_out else 1)
    # one document more than is needed shows whether names decide who is in
    if leave_one_out:
        fused = fuse_others(runs, method, norm=norm, depth=top + 1, progress=progress)
    else:
        fused = dict.fromkeys((run.name for run in runs), fuse(runs, method, norm=norm, depth=top + 1))
    found = {name: _at_the_top(ranking, topics, top) for name, ranking in fused.items()}
    return PseudoJudgments(
        by_system={name: qrels for name, (qrels, _, _) in found.items()},
        tied=sum(tied for _, tied, _ in found.values()),
        short=sum(short for _, _, short in found.values()),
        dropped=dropped,
    )


def _topics(runs: Sequence[Run], least: int) -> tuple[list[str], tuple[str, ...]]:
    """Return the topics for which enough runs retrieve something, in their order, and those that have fewer."""
    number: dict[str, int] = {}
    for run in runs:
        for topic, size in zip(run.topics, np.diff(run.bounds).tolist(), strict=True):
            number[topic] = number.get(topic, 0) + (size > 0)
    kept = [topic for topic, times in number.items() if times >= least]
    if not kept:
        raise InputError("no two runs retrieve anything for the same topic; are these runs of one campaign?")
    for run in runs:
        if not set(run.topics) & set(kept):
            raise InputError(f"{run.name}: no other run retrieves anything for its topics; leave it out")
    return kept, tuple(topic for topic, times in number.items() if 0 < times < least)


def _at_the_top(fused: Run, topics: Sequence[str], top: int) -> tuple[Qrels, int, int]:
    """Return the first documents of some topics as judgments, how often they tie there, and how often there are few."""
    place = {topic: number for number, topic in enumerate(fused.topics)}
    spans = [fused.bounds[place[topic] : place[topic] + 2].tolist() for topic in topics]
    rows = np.concatenate([np.arange(start, min(start + top, stop)) for start, stop in spans])
    scores = fused.document_scores
    qrels = Qrels(
        topics=tuple(topics),
        bounds=bounds_of([min(top, stop - start) for start, stop in spans]),
        documents=documents_at(fused.documents, rows),
        grades=np.ones(len(rows), dtype=np.int64),
    )
    longer = [start + top for start, stop in spans if stop - start > top]
    tied = sum(bool(scores[end - 1] == scores[end]) for end in longer)
    return qrels, tied, len(spans) - len(longer)


def number_of_documents(sources: Iterable[Run | Qrels]) -> int:
    """Return how many different documents some runs or judgments name.

    Parameters
    ----------
    sources
        Runs, judgments, or both.

    Examples
    --------
    >>> from measurand.trec import read_qrels, read_run
    >>> number_of_documents([read_run({"1": {"x": 2.0}, "2": {"y": 1.0}}), read_qrels({"1": {"x": 1}})])
    2
    """
    return len(set(chain.from_iterable(source.documents for source in sources)))


@frozen
class NearDuplicates:
    """Two runs that are nearly the same.

    Parameters
    ----------
    a, b
        Their names.
    shared
        Which part of their first documents they share, on average over the topics of either.
    """

    a: str
    b: str
    shared: float

    def __str__(self) -> str:
        return f"{self.a} and {self.b} ({self.shared:.0%})"


def near_duplicates(runs: Sequence[Run], depth: int) -> tuple[NearDuplicates, ...]:
    """Return the pairs of runs that have nearly the same first documents, the closest pair first.

    Parameters
    ----------
    runs
        The runs.
    depth
        How many documents of each topic are looked at, in trec_eval's order.

    Examples
    --------
    >>> from measurand.trec import read_runs
    >>> runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "x": 1.0}}, "c": {"1": {"y": 5.0}}}
    >>> print(*near_duplicates(read_runs(runs), 2))
    a and b (100%)
    """
    shared, topics = _shared(runs, depth)
    first, second = np.triu_indices(len(runs), 1)
    part = (
        sum(counts[first, second] / longer for longer, counts in shared.items()) / np.maximum(topics, 1)[first, second]
    )
    pairs = []
    # floats propose, whole numbers decide
    for place in np.flatnonzero(part > float(ALIKE) - ROUNDING).tolist():
        a, b = int(first[place]), int(second[place])
        exact = sum((Fraction(int(counts[a, b]), longer) for longer, counts in shared.items()), Fraction())
        if exact >= ALIKE * int(topics[a, b]):
            pairs.append(NearDuplicates(runs[a].name, runs[b].name, float(exact / int(topics[a, b]))))
    return tuple(sorted(pairs, key=lambda pair: (-pair.shared, pair.a, pair.b)))


def _shared(runs: Sequence[Run], depth: int) -> tuple[dict[int, IntArray], IntArray]:
    """Return for every two runs how many of a topic's first documents they share, and how many topics they have.

    The first are summed over topics by how many documents the longer of the two has there.
    """
    by_topic: dict[str, dict[str, list[int]]] = {}
    for number, run in enumerate(run.down_to(depth) for run in runs):
        names = list(run.documents)
        for topic, (start, stop) in zip(run.topics, pairwise(run.bounds.tolist()), strict=True):
            seen = by_topic.setdefault(topic, {})
            for document in names[start:stop]:
                seen.setdefault(document, []).append(number)
    shape = len(runs), len(runs)
    shared: dict[int, IntArray] = {}
    topics: IntArray = np.zeros(shape, dtype=np.int64)
    for seen in by_topic.values():
        there: IntArray = np.zeros((len(seen), len(runs)), dtype=np.int64)
        for row, numbers in enumerate(seen.values()):
            there[row, numbers] = 1
        sizes = there.sum(axis=0)
        longer = np.maximum(sizes[:, None], sizes)
        both = there.T @ there
        for length in np.unique(longer[longer > 0]).tolist():
            shared.setdefault(length, np.zeros(shape, dtype=np.int64))[longer == length] += both[longer == length]
        topics += longer > 0
    return shared, topics
