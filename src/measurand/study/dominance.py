"""Dominance: on which topics a system is better than another under every measure that keeps an order of judged runs.

`dominance` compares two systems, `relations` all at once by replacement and swap; `dominance_matrix` has these counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells
from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, cells_view, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.exact import decimal, whole_number
from measurand.execution import Progress, check_progress, silent
from measurand.judged import JudgedRuns, Relevance
from measurand.judged.runs import check_judged
from measurand.orders import Comparison, Count, OwnOrder, Relation, explain
from measurand.orders.many_runs import at_least_as_good, counts_down_to, ranks_of_documents
from measurand.orders.names import AnyOrder, check_order
from measurand.scores import place_of
from measurand.statistics.pairs import check_pairs

if TYPE_CHECKING:
    import polars as pl


WIN, TIE, LOSS, INCOMPARABLE, LEFT_OUT = 1, 0, -1, 2, 3
"""What stands for how the first run relates to the second; `LEFT_OUT` if either system left the topic out."""

NAMES: Mapping[int, Relation] = {
    WIN: Relation.GREATER,
    TIE: Relation.EQUAL,
    LOSS: Relation.LESS,
    INCOMPARABLE: Relation.INCOMPARABLE,
}

RESPECTS: Mapping[str, str] = {
    "swap": "respects replacement and swap",
    "replacement": "respects replacement",
    "projection": "ranks by the first rank where runs differ",
    "set-replacement": "respects replacement in sets",
    "set-projection": "ranks by the highest grade where sets differ",
}
"""What a measure does that keeps an order."""

COUNTED: Mapping[str, str] = {"won": "wins", "tied": "ties", "lost": "losses", "open": "incomparable"}
"""What topics are counted by, and what a dominance calls the count."""

MANY = 1000
"""More topics are compared in blocks, where systems are few."""

AT_ONCE = 2**22
"""So many ranks are looked at at a time."""

COUNTS_ALONE = "These counts of single topics do not say who is ahead over all topics"
"""What numbers of topics won and lost do not mean, unless one system is at least as good on every topic."""


@frozen(kw_only=True, eq=False, repr=False)
class Dominance(Result):
    """How two systems stand to each other topic by topic under every measure that keeps an order of judged runs.

    Without a word of the order, these are the measures that respect replacement and swap.

    Parameters
    ----------
    a, b : str
        The two systems.
    topics : tuple of str
        The topics on which they were compared.
    relations : tuple of Relation
        For each topic how the judged run of `a` stands to that of `b`.
    depth : int
        How many ranks were compared.
    runs : array of int
        The judged runs of `a` and of `b` on these topics, 2 × topics × ranks.
    caveats : tuple of Caveat
        What is to be known of the comparison.
    order : str or OwnOrder
        The order of judged runs.
    relevance : Relevance, optional
        The grades that the numbers of the runs stand for, where these are no whole numbers.

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
    order: AnyOrder = "swap"
    relevance: Relevance | None = None

    @property
    def measures(self) -> str:
        """Which measures the counts speak of, in words."""
        respects = RESPECTS[self.order] if isinstance(self.order, str) else f"respects the moves of {self.order.name}"
        return f"every measure that {respects}"

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
        return self.sentence

    @property
    def sentence(self) -> str:
        """How many topics each of both is ahead on, in a sentence."""
        one_sided = len(self.topics) in (self.wins + self.ties, self.losses + self.ties)
        return (
            f"On {self.wins} of {counted(len(self.topics), 'topic')} {self.measures} ranks {self.a}"
            f" at least as high as {self.b}, on {self.losses} it ranks {self.b} at least as high as {self.a}; on"
            f" {self.ties} they have the same grades, and on {self.incomparable} such measures disagree."
            f"{'' if one_sided else f' {COUNTS_ALONE}.'}"
        )

    def document(self) -> Document:
        """Return what was found: topics won, tied, lost and undecided, and what they mean."""
        heads = ("systems", "topics won", "topics tied", "topics lost", "measures disagree")
        counts = self.wins, self.ties, self.losses, self.incomparable
        row = (f"{self.a} against {self.b}", *(f"{count:,}" for count in counts))
        table = cells_view(heads, [row], title=f"Topic by topic, under {self.measures}")
        return Document([table, self.sentence], self.caveats)

    def _place(self, topic: str) -> int:
        if topic not in self.topics:
            raise ParameterError(f"{self.a} and {self.b} were not compared on a topic {topic!r}; see .topics")
        return self.topics.index(topic)

    def why(self, topic: str) -> Comparison:
        """Return what shows how the two stand to each other on a topic.

        Parameters
        ----------
        topic : str
            The name of a topic.
        """
        first, second = self.runs[:, self._place(topic)]
        if self.relevance is None or not isinstance(self.order, str):
            return explain(first, second, self.order)
        grades = self.relevance.grades
        ours, theirs = ([grades[max(0, cell)] for cell in run.tolist()] for run in (first, second))
        return explain(ours, theirs, self.order)

    def disagreeing(self, topic: str) -> tuple[str, str] | None:
        """Return two measures that disagree on a topic, the first for `a` and the second for `b`, or nothing.

        They are known for the order "swap".

        Parameters
        ----------
        topic : str
            The name of a topic.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
        >>> dominance(judged, "s0", "s1").disagreeing("t")
        ('P(rel=1)@1', 'P(rel=1)@3')
        """
        found = self.why(topic) if self.order == "swap" else Comparison()
        places = [place for place in (found.ahead, found.behind) if isinstance(place, Count)]
        if len(places) < 2:
            return None
        ours, theirs = (f"P(rel={_written(place.grade)})@{place.rank}" for place in places)
        return ours, theirs

    def table(self) -> pl.DataFrame:
        """Return a row for every topic: the topic, and how `a` stands to `b` on it."""
        return self.to_polars()

    def _main(self) -> TableView:
        rows = [
            {"topic": topic, "relation": str(found)} for topic, found in zip(self.topics, self.relations, strict=True)
        ]
        return TableView([], rows, fields={"topic": str, "relation": str})


@explains_calls
def dominance(
    judged: JudgedRuns,
    a: str,
    b: str,
    *,
    depth: int | None = None,
    order: AnyOrder = "swap",
    progress: Progress = silent,
) -> Dominance:
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
    judged : JudgedRuns
        The judged runs.
    a, b : str
        The names of two systems.
    depth : int, optional
        How many ranks to compare, by default all.
    order : str or OwnOrder
        One of `measurand.orders.ORDERS`, or an order of your own (`measurand.orders.from_moves`): then the counts
        speak of every measure that keeps it. Moves are searched for, which takes short runs: give a `depth`.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

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

    Where only what is on top counts, the two are incomparable:

    >>> from measurand.orders import from_moves
    >>> def top(run):
    ...     return [(grade, *run[1:]) for grade in range(run[0] + 1, 3)]
    >>> dominance(judged, "s2", "s1", order=from_moves(top)).incomparable
    1

    Notes
    -----
    The condition down to rank k does not depend on ranks below k, so it holds for every cutoff up to the depth if it
    holds at the depth: what is decided is decided for P@5 and for AP@30 alike. Beyond the depth nothing is said.

    Where neither is at least as good, two measures disagree: the counts themselves, which are P at a cutoff for
    documents of a grade (see `Dominance.disagreeing`).

    The counts of topics won, tied, lost and undecided claim nothing beyond themselves. A sign test on the topics won
    and lost would drop the undecided ones, on which such measures disagree, and a measure may tie where a topic is
    won: a system that wins six topics, loses none and leaves one undecided can have the lower mean under P@3.

    What is unjudged or missing counts as grade 0. Measures that depend on more than grades by rank, at how many
    documents were retrieved (SetP) or which of them were judged (Bpref, infAP), are not covered.

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 4.2 and 5
    """
    check_order(order)
    check_progress(progress)
    ranks, first, second = depth_within(judged, depth), place_of(a, judged.systems), place_of(b, judged.systems)
    if isinstance(order, OwnOrder):
        order = order.on_whole_grades().with_grades(max(2, judged.grade_counts.shape[1]))
    if order != "swap":
        return from_relations(judged, a, b, compared(judged, (first, second), ranks, order, progress), ranks, order)
    chosen = JudgedRuns(
        systems=(a, b),
        topics=judged.topics,
        cells=judged.first(ranks)[[first, second]],
        lengths=judged.lengths[[first, second]],
        grade_counts=judged.grade_counts,
        skip_missing=judged.skip_missing,
        ranked_documents=judged.ranked_documents and tuple(judged.ranked_documents[s] for s in (first, second)),
        relevance=judged.relevance,
    )
    return from_relations(judged, a, b, relations(chosen, ranks)[0, 1], ranks)


def _written(grade: int | Fraction | str) -> str:
    return grade if isinstance(grade, str) else decimal(grade)


@frozen(kw_only=True, eq=False, repr=False)
class Dominances(Result):
    """How some pairs of systems stand to each other topic by topic, in one order of judged runs.

    Parameters
    ----------
    pairs : tuple of Dominance
        A dominance for every pair, all in the same order and down to the same rank.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(2, 0, 1), (0, 2, 1), (0, 0, 2)], (3, 2, 1))
    >>> found = dominances(judged, [("s0", "s1"), ("s2", "s1")])
    >>> [(pair.wins, pair.losses) for pair in found.pairs]
    [(1, 0), (0, 1)]
    """

    pairs: tuple[Dominance, ...]

    def __repr__(self) -> str:
        return f"<Dominances of {counted(len(self.pairs), 'pair')}>"

    def document(self) -> Document:
        """Return a row for every pair: topics won, tied, lost, and those that the order leaves open."""
        if not self.pairs:
            return Document(["There is no pair of systems to compare topic by topic."])
        first = self.pairs[0]
        name = first.order if isinstance(first.order, str) else first.order.name
        columns = [
            Column("systems", lambda pair: f"{pair.a} against {pair.b}", left=True),
            *(valued(f"topics {word}", attrgetter(field)) for word, field in COUNTED.items()),
        ]
        title = f"Topics in the order {name}, down to rank {first.depth}"
        meant = f"What is won holds for {first.measures}. {COUNTS_ALONE}."
        return Document([TableView(columns, self.pairs, title=title), meant], first.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return the order, the depth, and the counts of every pair."""
        name = None if not self.pairs else str(getattr(self.pairs[0].order, "name", self.pairs[0].order))
        counts = [{word: getattr(pair, field) for word, field in COUNTED.items()} for pair in self.pairs]
        rows = [{"a": pair.a, "b": pair.b, **counted} for pair, counted in zip(self.pairs, counts, strict=True)]
        return {"order": name, "depth": self.pairs[0].depth if self.pairs else None, "pairs": rows}


@explains_calls
def dominances(
    judged: JudgedRuns,
    pairs: Iterable[tuple[str, str]],
    *,
    depth: int | None = None,
    order: AnyOrder = "swap",
    progress: Progress = silent,
) -> Dominances:
    """Return how some pairs of systems stand to each other, each as `dominance` has it.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    pairs : iterable of pairs of str
        The names of two systems each.
    depth : int, optional
        How many ranks to compare, by default all.
    order : str or OwnOrder
        One of `measurand.orders.ORDERS`, or an order of your own.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 1))
    >>> dominances(judged, [("s0", "s1")]).pairs[0].wins
    1
    """
    asked = list(pairs)
    several = progress(asked, len(asked), "pairs compared")
    return Dominances(pairs=tuple(dominance(judged, a, b, depth=depth, order=order) for a, b in several))


def compared(
    judged: JudgedRuns, pair: tuple[int, int], depth: int, order: AnyOrder, progress: Progress = silent
) -> Cells:
    """Return how the runs of two systems, by their places, stand to each other in an order, as a code a topic.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 1))
    >>> compared(judged, (0, 1), 2, "replacement").tolist()
    [2]
    """
    codes = {relation: code for code, relation in NAMES.items()}
    runs = np.maximum(judged.first(depth)[list(pair)], 0)
    found = np.full(len(judged.topics), LEFT_OUT, dtype=np.int8)
    for t in progress(range(len(judged.topics)), len(judged.topics), "topics compared"):
        if judged.counted[list(pair), t].all():
            try:
                found[t] = codes[explain(runs[0, t], runs[1, t], order).relation]
            except NotAvailable as error:
                fewer = f"; or fewer ranks: depth={depth // 2}" if depth > 1 else ""
                raise NotAvailable(f"topic {judged.topics[t]}: {error}{fewer}") from None
    return found


def from_relations(judged: JudgedRuns, a: str, b: str, found: Cells, depth: int, order: AnyOrder = "swap") -> Dominance:
    """Return the dominance of two systems whose relations are known, one a topic.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 1))
    >>> from_relations(judged, "s0", "s1", np.array([1], dtype=np.int8), 2)
    <Dominance of s0 over s1: 1 won, 0 lost, 0 tied, 0 undecided>
    """
    kept = np.flatnonzero(found != LEFT_OUT)
    both = [place_of(a, judged.systems), place_of(b, judged.systems)]
    runs = judged.first(depth)[both][:, kept]
    runs.setflags(write=False)
    standing = tuple(NAMES[code] for code in found[kept].tolist())
    return Dominance(
        a=a,
        b=b,
        topics=tuple(judged.topics[t] for t in kept),
        relations=standing,
        depth=depth,
        runs=runs,
        caveats=(*caveats_of(judged), *left_out_caveats(len(judged.topics) - len(kept))),
        order=order,
        relevance=judged.relevance,
    )


def left_out_caveats(topics: int) -> tuple[Caveat, ...]:
    """Return that some topics are not compared.

    Parameters
    ----------
    topics
        How many topics either system left out.

    Examples
    --------
    >>> [str(caveat) for caveat in left_out_caveats(1)], left_out_caveats(0)
    (['1 topic that either left out is not compared'], ())
    """
    if not topics:
        return ()
    text = f"{counted(topics, 'topic')} that either left out {'is' if topics == 1 else 'are'} not compared"
    return (Caveat(CaveatKind.MISSING_TOPICS, text),)


def relations(judged: JudgedRuns, depth: int, progress: Progress = silent) -> Cells:
    """Return how all judged runs stand to each other within the first `depth` ranks: systems × systems × topics.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 0), (0, 1, 1)], (3, 2))
    >>> relations(judged, 3)[:, :, 0].tolist()
    [[0, 1, 2], [-1, 0, -1], [2, 1, 0]]
    """
    better = better_by_topic(judged.first(depth), progress)
    return codes_of(better, judged.counted[:, None] & judged.counted[None, :])


def better_by_topic(cells: Cells, progress: Progress = silent) -> BoolArray:
    """Return which judged runs are at least as good as which others of their topic, systems × systems × topics.

    Parameters
    ----------
    cells
        The runs, systems × topics × ranks.
    progress
        Shows progress.

    Examples
    --------
    >>> better_by_topic(np.array([[[1, 0]], [[0, 1]]]))[:, :, 0].astype(int).tolist()
    [[1, 1], [0, 1]]
    """
    n, topics, depth = cells.shape
    check_pairs(n, topics)
    better = np.empty((n, n, topics), dtype=bool)
    if topics > max(n**2, MANY):
        step = max(1, AT_ONCE // max(1, n * depth))
        blocks = [slice(start, start + step) for start in range(0, topics, step)]
        for some in progress(blocks, len(blocks), "blocks of topics compared"):
            better[:, :, some] = _better_by_counts(cells[:, some])
        return better
    for t in progress(range(topics), topics, "topics compared"):
        runs = ranks_of_documents(cells[:, t], int(cells[:, t].max(initial=0)) + 1)
        better[:, :, t] = at_least_as_good(runs, runs)
    return better


def _better_by_counts(cells: Cells) -> BoolArray:
    """Return the same as `better_by_topic`, which is quicker for few systems and many topics."""
    n, topics = cells.shape[:2]
    better = np.ones((n, n, topics), dtype=bool)
    for grade in range(1, int(cells.max(initial=0)) + 1):
        counts = counts_down_to(np.asarray(cells >= grade, dtype=np.int8), 2)[:, :, 0]
        for system, mine in enumerate(counts):
            for other, theirs in enumerate(counts):
                better[system, other] &= (mine >= theirs).all(axis=-1)
    return better


def codes_of(better: BoolArray, shared: BoolArray) -> Cells:
    """Return how judged runs stand to each other, as codes.

    Parameters
    ----------
    better
        Systems × systems × topics: whether the row is at least as good as the column.
    shared
        Systems × systems × topics: whether neither left the topic out.

    Examples
    --------
    >>> better = np.array([[1, 1], [0, 1]], dtype=bool)[:, :, None]
    >>> codes_of(better, np.ones_like(better))[:, :, 0].tolist()
    [[0, 1], [-1, 0]]
    """
    converse = better.swapaxes(0, 1)
    found = np.where(better | converse, better.astype(np.int8) - converse.astype(np.int8), np.int8(INCOMPARABLE))
    return np.where(shared, found, np.int8(LEFT_OUT))


def depth_within(judged: JudgedRuns, depth: int | None) -> int:
    """Return the number of ranks to compare, or raise an error if the judged runs have fewer.

    Examples
    --------
    >>> depth_within(JudgedRuns.on_one_topic([(1, 0, 0)], (3, 2)), None)
    3
    """
    check_judged(judged)
    if depth is None:
        return judged.depth
    if whole_number("depth", depth) > judged.depth:
        raise ParameterError(f"the judged runs have {judged.depth} ranks, so they cannot be compared down to {depth}")
    return int(depth)


def caveats_of(judged: JudgedRuns) -> tuple[Caveat, ...]:
    """Return what a reader of any comparison of these runs should know.

    Examples
    --------
    >>> caveats_of(JudgedRuns.on_one_topic([(1, 0)], (3, 2)))
    ()
    """
    if judged.groups is None or not judged.groups.tied.any():
        return judged.caveats
    text = "documents with equal scores are taken in the order of their names, the last one first, as trec_eval does"
    return (*judged.caveats, Caveat(CaveatKind.TIES, text))
