"""Dominance of one system over another: a comparison that needs no choice of measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from measurand.arrays import Cells
from measurand.display.markup import html_text
from measurand.display.tables import Document, cells_view
from measurand.display.wording import counted
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.judged import JudgedRuns
from measurand.orders import Comparison, Count, Relation, explain
from measurand.scores import place_of
from measurand.study.dominance.relations import LEFT_OUT, NAMES, caveats_of, depth_within, relations

if TYPE_CHECKING:
    import polars as pl

DOMINANCE = (
    "dominance: topics won–tied–lost (undecided). Won: no measure that respects replacement and swap puts the system"
    " behind; undecided: such measures disagree."
)
"""What the counts of topics are."""

COUNTS_ALONE = "These counts alone do not say who is ahead over all topics: such measures may agree on that or not"
"""What numbers of topics won and lost do not mean, unless one system is at least as good on every topic."""


@frozen(kw_only=True, eq=False, repr=False)
class Dominance:
    """How two systems stand to each other topic by topic under every measure that respects replacement and swap.

    Parameters
    ----------
    a, b
        The two systems.
    topics
        The topics on which they were compared.
    relations
        For each topic how the judged run of `a` stands to that of `b`.
    depth
        How many ranks were compared.
    runs
        The judged runs of `a` and of `b` on these topics, 2 × topics × ranks.

    Examples
    --------
    >>> from measurand import judge, read_qrels, read_run
    >>> qrels = read_qrels({"1": {"x": 1}, "2": {"x": 1, "y": 2}})
    >>> a = read_run({"1": {"x": 2.0, "y": 1.0}, "2": {"x": 2.0, "y": 1.0}}, name="a")
    >>> b = read_run({"1": {"y": 2.0, "x": 1.0}, "2": {"z": 2.0, "y": 1.0}}, name="b")
    >>> found = dominance(judge([a, b], qrels), "a", "b")
    >>> found.wins, found.losses, found.ties, found.incomparable, found.won
    (2, 0, 0, 0, ('1', '2'))
    >>> found.why("1").why
    'down to rank 1 the first has 1 document of grade 1 or more against 0'
    """

    a: str
    b: str
    topics: tuple[str, ...]
    relations: tuple[Relation, ...]
    depth: int
    runs: Cells
    caveats: tuple[Caveat, ...] = ()

    def _where(self, relation: Relation) -> tuple[str, ...]:
        return tuple(topic for topic, found in zip(self.topics, self.relations, strict=True) if found is relation)

    @property
    def won(self) -> tuple[str, ...]:
        """The topics on which `a` is better: at least as good under every measure, better under some."""
        return self._where(Relation.GREATER)

    @property
    def lost(self) -> tuple[str, ...]:
        """The topics on which `b` is better."""
        return self._where(Relation.LESS)

    @property
    def tied(self) -> tuple[str, ...]:
        """The topics on which both have the same grades at the same ranks, so that every measure ties."""
        return self._where(Relation.EQUAL)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The topics on which measures disagree."""
        return self._where(Relation.INCOMPARABLE)

    @property
    def wins(self) -> int:
        """On how many topics `a` is better."""
        return len(self.won)

    @property
    def losses(self) -> int:
        """On how many topics `b` is better."""
        return len(self.lost)

    @property
    def ties(self) -> int:
        """On how many topics both have the same grades at the same ranks."""
        return len(self.tied)

    @property
    def incomparable(self) -> int:
        """On how many topics measures disagree."""
        return len(self.undecided)

    def __repr__(self) -> str:
        counts = f"{self.wins} won, {self.losses} lost, {self.ties} tied, {self.incomparable} undecided"
        return f"<Dominance of {self.a} over {self.b}: {counts}>"

    def __str__(self) -> str:
        n = len(self.topics)
        one_sided = n in (self.wins + self.ties, self.losses + self.ties)
        return (
            f"On {self.wins} of {counted(n, 'topic')} every measure that respects replacement and swap ranks {self.a}"
            f" at least as high as {self.b}, on {self.losses} it ranks {self.b} at least as high as {self.a}; on"
            f" {self.ties} they have the same grades, and on {self.incomparable} such measures disagree."
            f"{'' if one_sided else f' {COUNTS_ALONE}.'}"
        )

    def document(self) -> Document:
        """Return what was found: topics won, tied, lost and undecided, and what they mean."""
        heads = ("systems", "topics won", "topics tied", "topics lost", "measures disagree")
        counts = self.wins, self.ties, self.losses, self.incomparable
        row = (f"{self.a} against {self.b}", *(f"{count:,}" for count in counts))
        title = "Topic by topic, under every measure that respects replacement and swap"
        return Document([cells_view(heads, [row], title=title), str(self)], self.caveats)

    def _repr_html_(self) -> str:
        return html_text(self.document())

    def _place(self, topic: str) -> int:
        if topic not in self.topics:
            raise ParameterError(f"{self.a} and {self.b} were not compared on a topic {topic!r}; see .topics")
        return self.topics.index(topic)

    def why(self, topic: str) -> Comparison:
        """Return what shows how the two stand to each other on a topic."""
        return explain(*self.runs[:, self._place(topic)])

    def disagreeing(self, topic: str) -> tuple[str, str] | None:
        """Return two measures that disagree on a topic, the first for `a` and the second for `b`, or nothing.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
        >>> dominance(judged, "s0", "s1").disagreeing("t")
        ('P(rel=1)@1', 'P(rel=1)@3')
        """
        found = self.why(topic)
        places = [place for place in (found.ahead, found.behind) if isinstance(place, Count)]
        if len(places) < 2:
            return None
        ours, theirs = (f"P(rel={place.grade})@{place.rank}" for place in places)
        return ours, theirs

    def table(self) -> pl.DataFrame:
        """Return a row for every topic: the topic, and how `a` stands to `b` on it."""
        import polars as pl

        kinds = {"topic": pl.String, "relation": pl.String}
        return pl.DataFrame({"topic": self.topics, "relation": [str(found) for found in self.relations]}, kinds)


def dominance(judged: JudgedRuns, a: str, b: str, *, depth: int | None = None) -> Dominance:
    r"""Return how two systems stand to each other under every measure that respects replacement and swap.

    On a topic `a` is at least as good as `b` if, down to every rank, it has at least as many documents of every
    grade or more:

    .. math:: \#\{i \le k : a_i \ge g\} \ge \#\{i \le k : b_i \ge g\}
        \text{ for every rank } k \text{ and grade } g.

    That is so exactly when swaps and replacements lead from the run of `b` to the run of `a`. Hence every measure
    that respects replacement and swap (AP, P, RR, RBP, ERR, …; DCG and nDCG unless their gains fall with the grade)
    gives `a` at least as good a score there. It may give both the same, as P does after a swap: what is said is "at
    least as good".

    Parameters
    ----------
    a, b
        The names of two systems.
    depth
        How many ranks to compare, all if nothing is said.

    Returns
    -------
    Dominance
        The relation on every topic; topics that either left out are left out if the runs were judged with
        `missing_topics="skip"`.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(2, 0, 1), (0, 2, 1), (0, 0, 2)], (3, 2, 1))
    >>> dominance(judged, "s0", "s1").relations
    (<Relation.GREATER: 'greater'>,)
    >>> print(dominance(judged, "s2", "s1"))  # doctest: +NORMALIZE_WHITESPACE
    On 0 of 1 topic every measure that respects replacement and swap ranks s2 at least as high as s1, on 1 it ranks s1
    at least as high as s2; on 0 they have the same grades, and on 0 such measures disagree.

    Notes
    -----
    The condition down to rank k does not look below k, so that it holds for every cutoff up to the depth if it
    holds at the depth: what is decided is decided for P@5 and for AP@30 alike. Beyond the depth nothing is said.

    Where neither is at least as good, two measures disagree: the counts themselves, which are P at a cutoff for
    documents of a grade (see `Dominance.disagreeing`).

    The counts of topics won, tied, lost and undecided claim nothing beyond themselves. A sign test on the topics won
    and lost would drop the undecided ones, on which such measures disagree, and a measure may tie where a topic is
    won: a system that wins six topics, loses none and leaves one undecided can have the lower mean under P@3.

    What is unjudged or missing counts as grade 0. Measures that look at more than grades by rank, at how many
    documents were retrieved (SetP) or which of them were judged (Bpref, infAP), are not covered.

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 4.2 and 5
    """
    first, second, ranks = place_of(a, judged.systems), place_of(b, judged.systems), depth_within(judged, depth)
    chosen = JudgedRuns(
        systems=(a, b),
        topics=judged.topics,
        cells=judged.cells[[first, second], :, :ranks],
        lengths=judged.lengths[[first, second]],
        grade_counts=judged.grade_counts,
        skip_missing=judged.skip_missing,
    )
    return from_relations(judged, a, b, relations(chosen, ranks)[0, 1], ranks)


def from_relations(judged: JudgedRuns, a: str, b: str, found: Cells, depth: int) -> Dominance:
    """Return the dominance of two systems whose relations are known, one a topic.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 1))
    >>> from_relations(judged, "s0", "s1", np.array([1], dtype=np.int8), 2)
    <Dominance of s0 over s1: 1 won, 0 lost, 0 tied, 0 undecided>
    """
    kept = np.flatnonzero(found != LEFT_OUT)
    both = [place_of(a, judged.systems), place_of(b, judged.systems)]
    runs = judged.cells[both][:, kept, :depth]
    runs.setflags(write=False)
    standing = tuple(NAMES[code] for code in found[kept].tolist())
    return Dominance(
        a=a,
        b=b,
        topics=tuple(judged.topics[t] for t in kept),
        relations=standing,
        depth=depth,
        runs=runs,
        caveats=(*caveats_of(judged), *_left_out(len(judged.topics) - len(kept))),
    )


def _left_out(topics: int) -> tuple[Caveat, ...]:
    if not topics:
        return ()
    text = f"{counted(topics, 'topic')} that either left out {'is' if topics == 1 else 'are'} not compared"
    return (Caveat(Doubt.MISSING_TOPICS, text),)
