"""The unanimity of measures on a campaign, with the constraints that each of them meets.

Who is better on a topic, and who ties, is decided by exact values (`exact_order`). Constraints are tried on the typical
topic of the campaign (`TypicalTopic`).

References
----------
[Amigo2018]_, table 2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median_low
from typing import overload

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, Cells, IntArray
from measurand.axioms.examine import PRINTED, ConstraintMatrix, constraint_matrix
from measurand.calls import explains_calls
from measurand.errors import Caveat, CaveatKind, NotAvailable
from measurand.exact import Exact, ranked, whole_number
from measurand.execution import Progress, silent
from measurand.information.unanimity import Unanimity
from measurand.information.unanimity import unanimity as unanimity_of_scores
from measurand.judged import JudgedRuns, Pool
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike, parse
from measurand.measures.around import innermost
from measurand.measures.campaigns import in_collection, with_campaign
from measurand.measures.ties.sensitivity import equivalence_classes
from measurand.scale import GradeScale
from measurand.scores import Scores
from measurand.scores.ranks import MISSING, places
from measurand.study.evaluation import inputs_of
from measurand.study.unanimity_table import UnanimityRow, UnanimityTable
from measurand.trec import Names, QrelsLike, RunsLike

RANKS = 131
"""So many ranks the constraints are checked on, if no measure has a larger cutoff."""

PAPER_CUTOFF = 100
"""Where names of Table 2 without a cutoff presumably end.

The text speaks of cutoffs 20, 50 and 100, the table has P@10 and RR@10 as well. OIE is run at 100, so DCG and ERR
without a cutoff presumably are too; we take it for AP and RBP likewise. The marks of DCG and ERR are those of the
measures without any cutoff: at 100 these would lose priority and deepness.
"""

LISTED_COLLECTION = 1_000_000
"""The size of the collection that the measures of Table 2 are listed with here."""

NOT_OF_ORDER = (CaveatKind.SCALE, CaveatKind.ASSUMPTION, CaveatKind.NO_CUTOFF)
"""What does not matter where nothing counts but the order of systems on a topic."""


@overload
def unanimity(
    judged: JudgedRuns,
    /,
    measures: MeasuresLike | None = None,
    *,
    collection: int | None = None,
    recall_base: int | None = None,
    ranks: int | None = None,
    constraints: bool = True,
    self_pairs: bool = False,
    progress: Progress = silent,
) -> UnanimityTable: ...
@overload
def unanimity(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    collection: int | None = None,
    recall_base: int | None = None,
    ranks: int | None = None,
    constraints: bool = True,
    self_pairs: bool = False,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
) -> UnanimityTable: ...
@explains_calls  # type: ignore[misc] # judged runs have their measures in the place of runs
def unanimity(
    qrels: QrelsLike | JudgedRuns,
    runs: RunsLike | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    collection: int | None = None,
    recall_base: int | None = None,
    ranks: int | None = None,
    constraints: bool = True,
    self_pairs: bool = False,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
) -> UnanimityTable:
    """Return the unanimity of measures on a campaign, with the constraints that each of them meets.

    Call it as `unanimity(judged, measures)` or as `unanimity(qrels, runs, measures)`, like `evaluate`, with the same
    options for reading and judging. Without measures it takes those of the paper's Table 2. Ties are decided on exact
    values, not on floats.

    Parameters
    ----------
    qrels : path, frame, dict, Qrels or JudgedRuns
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`.
    runs : path, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts.
    measures : Measure or str, or an iterable of these
        The measures; by default those of the paper's Table 2.
    collection : int, optional
        How many documents there are. Given to measures that have no such number; by default those that were judged,
        with room for rankings, which is noted.
    recall_base : int, optional
        How many of them are relevant, for the constraints; by default the median over the topics, at least 1.
    ranks : int, optional
        How many ranks the constraints are checked on; by default more than the largest cutoff.
    constraints : bool, default True
        Whether to check the five constraints.
    self_pairs : bool, default False
        Whether to compare each system with itself as well, as the paper's formula has it.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> one = read_run({"1": {"d1": 2.0, "d2": 1.0}, "2": {"d1": 1.0, "d2": 2.0}}, name="one")
    >>> other = read_run({"1": {"d1": 1.0, "d2": 2.0}, "2": {"d1": 1.0, "d2": 2.0}}, name="other")
    >>> judgments = {"1": {"d1": 1}, "2": {"d2": 1}}
    >>> table = unanimity(judgments, [one, other], ["P@2", "RR"], collection=100)
    >>> [(row.measure, row.found.tie_rate, row.constraints.marks) for row in table]
    [('RR', Fraction(2, 3), '11100'), ('P@2', Fraction(1, 1), '01000')]

    References
    ----------
    [AmigoSpinaCarrillo2018]_; [Amigo2018]_, Table 2
    """
    judged, wanted = inputs_of(
        "unanimity",
        qrels,
        runs,
        measures,
        names=names,
        depth=depth,
        ties=ties,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
        default=paper_measures(),
        progress=progress,
        documents=False,
    )
    topic = TypicalTopic.of(judged, wanted.values(), collection, recall_base, ranks)
    several = list(dict.fromkeys(topic.with_collection(measure, judged) for measure in wanted.values()))
    scored = progress(several, len(several), "order under each measure")
    orders = {repr(measure): exact_order(measure, judged) for measure in scored}
    found = unanimity_of_scores(*(order.scores for order in orders.values()), self_pairs=self_pairs, progress=progress)
    matrix = topic.matrix(several, progress) if constraints else None
    return UnanimityTable(
        unanimity=found,
        constraints=matrix,
        orders=orders,
        rows=tuple(_rows({repr(measure): measure for measure in several}, found, matrix)),
        collection=topic.collection,
        caveats=tuple(dict.fromkeys(_caveats(judged, orders, found, topic.assumed(several, matrix)))),
    )


def paper_measures(collection: int | None = None, *, cutoff: int | None = None) -> list[Measure]:
    """Return the measures of the paper's Table 2.

    Parameters
    ----------
    collection
        How many documents there are; by default it is given to measures that need it later.
    cutoff
        Where the measures end that the table names without a cutoff, presumably `PAPER_CUTOFF`; by default nowhere.

    Examples
    --------
    >>> paper_measures(5000)[:3]
    [OIE(beta=1.2, collection=5000), OIE(beta=1, collection=5000), RBP(p=0.8)]
    >>> paper_measures(cutoff=PAPER_CUTOFF)[-3:]
    [ERR@20, ERR@100, RR@10]
    """
    measures = [parse(name) for name in PRINTED]
    measures = [measure(collection=collection) if collection_of(measure) else measure for measure in measures]
    return [measure if cutoff is None or measure.cutoff else measure @ cutoff for measure in measures]


@frozen(kw_only=True, eq=False, repr=False)
class ExactOrder:
    """Where each system stands on each topic under a measure, and how that was decided.

    Parameters
    ----------
    scores
        For values the places of the systems on each topic, from 0, higher ones better.
    told_apart
        How many groups of systems have one score as floats, but different ones in truth.
    open
        How many groups of systems are left tied because floats are all that is known of them.
    """

    scores: Scores
    told_apart: int
    open: int

    def __repr__(self) -> str:
        return f"<ExactOrder of {len(self.scores.systems)} systems by {self.scores.measure}>"

    @property
    def exact(self) -> bool:
        """Whether systems tie exactly when their exact values are equal."""
        return not self.open


def exact_order(measure: Measure, judged: JudgedRuns, progress: Progress = silent) -> ExactOrder:
    """Return the order of systems on each topic, in which two of them tie exactly when their exact values are equal.

    Equal exact values have equal floats, but deep in a ranking so may different ones: the weight of a rank drowns in
    a sum of larger ones. So exact values decide between judged runs that differ but have one float. Floats alone
    decide between runs with ties whose order was left open, and where a position on an interval scale is not exact.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> judged = JudgedRuns.on_one_topic([(1, *[0] * 98, 1), (1, *[0] * 99)], (100, 2))
    >>> rbp = parse("RBP(p=0.5)")
    >>> rbp.scores(judged).values.tolist(), exact_order(rbp, judged).scores.values.tolist()
    ([[0.5], [0.5]], [[1.0], [0.0]])
    """
    judged = judged.weak if measure.on_weak_orders else judged
    scores = measure.scores(judged, progress)
    levels = places(scores.goodness.T)
    ties = _Ties(with_campaign(measure, judged), judged)
    groups = list(_groups(levels))
    within, told_apart, unknown = np.zeros(levels.shape, dtype=np.int64), 0, 0
    for topic, systems in progress(groups, len(groups), f"ties of {measure!r}"):
        found = ties.places(systems, topic)
        if found is None:
            unknown += 1
        elif found.any():
            told_apart += 1
            within[topic, systems] = found
    exact = places(np.where(levels == MISSING, np.nan, levels * len(judged.systems) + within))
    values = np.where(exact == MISSING, np.nan, exact).T
    return ExactOrder(scores=evolve(scores, values=values, lower_is_better=False), told_apart=told_apart, open=unknown)


def _groups(levels: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Return the systems that share a level on a topic, for each that several have."""
    topics, systems = levels.shape
    keys = (levels + systems * np.arange(topics)[:, None])[levels != MISSING]
    rows = np.flatnonzero(levels != MISSING)
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sizes = np.diff(first, append=len(order))
    for start, size in zip(first[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        members = rows[order[start : start + size]]
        yield int(members[0]) // systems, members % systems


@frozen(eq=False)
class _Ties:
    """What decides between systems whose scores are equal as floats."""

    measure: Measure
    judged: JudgedRuns
    forms: Cells = field(init=False)
    tied: BoolArray | None = field(init=False)
    known: dict[tuple[bytes, Pool], Exact] = field(factory=dict, init=False)

    @forms.default
    def _forms(self) -> Cells:
        """The judged runs, with everything alike that the measure cannot tell apart."""
        seen = self.judged.condensed if self.measure.removes_unjudged else self.judged
        return equivalence_classes(self.measure, seen.first(self.measure.reach(self.judged.depth)))

    @tied.default
    def _tied(self) -> BoolArray | None:
        """Which runs have ties whose order was left open, systems × topics."""
        return None if self.judged.groups is None else np.asarray(self.judged.groups.tied.any(axis=2))

    def places(self, systems: IntArray, topic: int) -> IntArray | None:
        """Return the place of each of some systems among them, from 0 for the worst; None if it cannot be had."""
        if self.tied is not None and self.tied[systems, topic].any():
            return None
        forms = self.forms[systems, topic]
        if not (forms != forms[0]).any():
            return np.zeros(len(systems), dtype=np.int64)
        seen = [form.tobytes() for form in forms]
        first = dict(zip(seen, systems.tolist(), strict=True))
        try:
            levels, found = ranked([self._known(form, system, topic) for form, system in first.items()])
        except NotAvailable:
            return None
        turned = len(levels) - 1 - found if self.measure.lower_is_better else found
        place_of = dict(zip(first, turned.tolist(), strict=True))
        return np.array([place_of[form] for form in seen], dtype=np.int64)

    def _known(self, form: bytes, system: int, topic: int) -> Exact:
        """Return an exact value, computed once for all topics that have the same judgments."""
        asked = form, self.judged.pools[topic]
        if asked not in self.known:
            self.known[asked] = self._exact(system, topic)
        return self.known[asked]

    def _exact(self, system: int, topic: int) -> Exact:
        cells = self.judged.row(system, topic)
        return self.measure.exact(self.measure.view(cells), self.judged.pools[topic])


@frozen(kw_only=True)
class TypicalTopic:
    """The topic that the constraints are checked on.

    Parameters
    ----------
    collection, recall_base
        How many documents there are, and how many of them are relevant.
    ranks
        How many ranks runs have.
    collection_given
        Whether the size of the collection was given.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    >>> TypicalTopic.of(judged, [])
    TypicalTopic(collection=133, recall_base=2, ranks=131, collection_given=False)
    """

    collection: int
    recall_base: int
    ranks: int
    collection_given: bool

    @classmethod
    def of(
        cls,
        judged: JudgedRuns,
        measures: Iterable[Measure],
        collection: int | None = None,
        recall_base: int | None = None,
        ranks: int | None = None,
    ) -> TypicalTopic:
        """Return the typical topic of judged runs, on which every cutoff shows, as far as nothing else is said."""
        several = list(measures)
        relevant = max(1, int(median_low(judged.recall_base.tolist() or [1])))
        relevant = relevant if recall_base is None else whole_number("recall_base", recall_base)
        needed = max([RANKS, *(1 + measure.cutoff for measure in several if measure.cutoff)])
        needed = needed if ranks is None else whole_number("ranks", ranks)
        if collection is None:
            size = max(judged.assumed_collection, relevant + needed)
        else:
            size = whole_number("collection, the number of documents there are,", collection)
        if ranks is None:
            # a run and the relevant documents that it does not retrieve must find room
            sizes = [size, *(collection_of(measure) or size for measure in several)]
            needed = max(1, min(needed, min(sizes) - relevant))
        return cls(collection=size, recall_base=relevant, ranks=needed, collection_given=collection is not None)

    def with_collection(self, measure: Measure, judged: JudgedRuns) -> Measure:
        """Return a measure with the number of documents, if it needs it and has none."""
        wants = self.collection_given or with_campaign(measure, judged) != measure
        return in_collection(measure, self.collection) if wants else measure

    def matrix(self, measures: Sequence[Measure], progress: Progress = silent) -> ConstraintMatrix:
        """Return which of the five constraints measures meet on this topic."""
        return constraint_matrix(
            measures, collection=self.collection, recall_base=self.recall_base, depth=self.ranks, progress=progress
        )

    def assumed(self, measures: Sequence[Measure], matrix: ConstraintMatrix | None) -> Iterator[Caveat]:
        """Return the caveat that the size of the collection was assumed, where it matters."""
        about = [innermost(measure).name for measure in measures if collection_of(measure) == self.collection]
        what = [*dict.fromkeys(about), *(["the constraints"] if matrix is not None else [])]
        if what and not self.collection_given:
            yield Caveat(
                CaveatKind.COLLECTION,
                f"nobody said how many documents there are; {self.collection:,} are assumed for {' and '.join(what)}:"
                " those that were judged, with room for rankings; say it: collection=… (--collection-size)",
            )


def collection_of(measure: Measure) -> int | None:
    """Return the number of documents that a measure, or another one inside it, was given.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> [collection_of(parse(name)) for name in ("gm(interval(OIE(collection=50)@5))", "OIE", "AP")]
    [50, None, None]
    """
    given_size: int | None = innermost(measure).parameters().get("collection")
    return given_size


def _rows(measures: Mapping[str, Measure], found: Unanimity, matrix: ConstraintMatrix | None) -> Iterator[UnanimityRow]:
    verdicts = {} if matrix is None else {row.measure: row for row in matrix}
    for row in found.best_first:
        name = _name(measures[row.measure])
        yield UnanimityRow(found=row, constraints=verdicts.get(row.measure), name=name)


def _name(measure: Measure) -> str | None:
    """Return how the paper's table has a measure, whatever the size of the collection."""
    named = repr(measure(collection=LISTED_COLLECTION) if collection_of(measure) else measure)
    return named if named in PRINTED else None


def _caveats(
    judged: JudgedRuns, orders: Mapping[str, ExactOrder], found: Unanimity, assumed: Iterator[Caveat]
) -> Iterator[Caveat]:
    yield from judged.caveats
    for order in orders.values():
        yield from (caveat for caveat in order.scores.caveats if caveat.kind not in NOT_OF_ORDER)
    yield from found.caveats
    yield from assumed
    unsure = [measure for measure, order in orders.items() if not order.exact]
    if unsure:
        text = f"ties of {', '.join(unsure)} were decided on floats where exact values are not known"
        yield Caveat(CaveatKind.TIES, text)
