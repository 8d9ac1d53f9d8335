"""One run under any convention: measurand's own measures value topics, on judged runs that a convention changes.

An order of documents gives judged runs of its own; what a value is divided by changes the judgments that the measure
sees, or multiplies its value; topics are averaged last. What was computed once is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import ceil, log
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray, IntArray
from measurand.display.wording import listed
from measurand.errors import InputError, ParameterError
from measurand.exact import ratio
from measurand.judged import JudgedRuns, Judgments, Results, judge
from measurand.judged.content import documents_at
from measurand.judged.grades import CodedGrades
from measurand.measures import Measure
from measurand.measures.average_precision import AveragePrecision
from measurand.measures.campaigns import on_judged, tied_values, with_campaign
from measurand.measures.discounted_gain import DiscountedCumulatedGain, NormalisedDiscountedCumulatedGain
from measurand.measures.exact_ties import floats
from measurand.measures.f_measure import FMeasure
from measurand.measures.precision import P, Precision
from measurand.measures.rank_biased_precision import Geometric
from measurand.measures.recall import R, Recall
from measurand.measures.set_measures import SetFMeasure, SetP, SetPrecision
from measurand.scores import Aggregation
from measurand.study.explain.convention import Barren, Base, Convention, Mean, Negative, Order, Topics
from measurand.trec import QrelsLike, RunLike, read_qrels, read_runs
from measurand.trec.files import load

MANY = 2_000_000
"""The rank column of longer runs is not looked at, which would take longer than all else."""

FLOOR = 1e-5
"""Geometric means raise values to this, as trec_eval does."""

_RANKINGS: Mapping[Order, Any] = {
    Order.SINGLE: {"precision": "single"},
    Order.EXPECTED: {"ties": "expected"},
}
_TIED = (Order.ASCENDING, Order.STABLE, Order.REVERSED, Order.EXPECTED)


class Bench:
    """One run and judgments, to be measured under one convention after another.

    Parameters
    ----------
    results
        The run.
    judgments
        The judgments.
    ranks
        The rank column of the run, row by row, if it is known.

    Examples
    --------
    >>> from measurand.measures import RR
    >>> run = Results.from_mapping("a", {"1": {"d1": 1.0, "d2": 1.0}, "3": {"d1": 1.0}})
    >>> bench = Bench(run, Judgments.from_mapping({"1": {"d1": 1}, "2": {"d1": 1}}))
    >>> bench.orders
    (<Order.TREC: 'trec'>, <Order.ASCENDING: 'ascending'>, <Order.EXPECTED: 'expected'>)
    >>> conventions = [Convention(measure=RR, order=order, topics=Topics.SHARED) for order in bench.orders]
    >>> [bench.value(convention) for convention in conventions]
    [0.5, 1.0, 0.75]
    """

    def __init__(self, results: Results, judgments: Judgments, ranks: IntArray | None = None) -> None:
        self.results, self.judgments, self.ranks = results, judgments, ranks
        self._judged: dict[tuple[Order, Negative], JudgedRuns] = {}
        self._values: dict[tuple[Any, ...], FloatArray] = {}

    @cached_property
    def plain(self) -> JudgedRuns:
        """The judged runs in trec_eval's order."""
        return self.judged(Order.TREC)

    @property
    def top(self) -> int:
        """The highest grade of the judgments, rounded up."""
        return ceil(self.plain.gains[-1])

    @cached_property
    def negatives(self) -> tuple[Negative, ...]:
        """What negative grades can be, if there are any: the usual choice first."""
        return tuple(Negative) if (self.judgments.grades < 0).any() else (Negative.OWN,)

    @cached_property
    def present(self) -> Any:
        """For which judged topics the run has anything."""
        return self.plain.present[0]

    @cached_property
    def _same(self) -> dict[Order, Order]:
        """Which order every order is the same as: itself, or an earlier one that ranks these documents alike."""
        kept, same = [Order.TREC], {Order.TREC: Order.TREC}
        for order in Order:
            if order is Order.TREC or (order is Order.RANKS and self.ranks is None):
                continue
            same[order] = next((known for known in kept if self._alike(order, known)), order)
            if same[order] is order:
                kept.append(order)
        return same

    def _alike(self, order: Order, known: Order) -> bool:
        if Order.EXPECTED in (order, known) or (order in _TIED and not self.tied):
            return not self.tied
        one, other = self.judged(order), self.judged(known)
        return one.depth == other.depth and bool((one.cells == other.cells).all())

    @cached_property
    def tied(self) -> bool:
        """Whether documents of equal score stand on any judged topic."""
        ties = self.plain.ties
        return ties is not None and ties.any

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that rank these documents differently, trec_eval's first."""
        return tuple(order for order, same in self._same.items() if order is same)

    def knows(self, convention: Convention) -> bool:
        """Return whether the bench can compute a convention.

        Parameters
        ----------
        convention
            The convention.
        """
        measure, base = convention.measure, convention.base
        impossible = (
            convention.order not in self._same,
            # which documents stand above the cutoff depends on the order of equal scores
            base is Base.FIRST and convention.order is Order.EXPECTED and self.tied,
            base is Base.NATURAL and getattr(measure, "b", None) is not None,
            base is Base.RAW and not measure.graded,
            convention.mean is Mean.MICRO and (base is not Base.OWN or convention.barren is not Barren.OWN),
        )
        return not any(impossible)

    def named(self, topic: object) -> str | None:
        """Return the name of a judged topic, or complain that there are no judgments for it; None stays None.

        Parameters
        ----------
        topic
            The topic.
        """
        if topic is not None and str(topic) not in self.plain.topics:
            known = listed(self.plain.topics)
            raise ParameterError(f"topic {topic} has no judgments; there are judgments for {known}")
        return None if topic is None else str(topic)

    def essential(self, convention: Convention) -> Convention:
        """Return a convention without the choices that make no difference to this run.

        Parameters
        ----------
        convention
            The convention.
        """
        shared = convention.topics is Topics.SHARED or not self.unjudged_topics
        return evolve(
            convention,
            order=Order.TREC if self._same[convention.order] is Order.TREC else convention.order,
            negative=convention.negative if len(self.negatives) > 1 else Negative.OWN,
            topics=Topics.JUDGED if self.present.all() and shared else convention.topics,
            barren=convention.barren if self._without(convention).any() else Barren.OWN,
        )

    @property
    def unjudged_topics(self) -> int:
        """How many topics of the run have no judgments."""
        return len(self.results.topics) - int(self.present.sum())

    def judged(self, order: Order, negative: Negative = Negative.OWN) -> JudgedRuns:
        """Return the judged runs in an order.

        Parameters
        ----------
        order
            The order of documents.
        negative
            What negative grades are.
        """
        key = order, negative
        if key not in self._judged:
            options = _RANKINGS.get(order, {} if order is Order.TREC else {"ties": "file"})
            self._judged[key] = judge(self._ordered(order), self._graded(negative), documents=False, **options)
        return self._judged[key]

    def _graded(self, negative: Negative) -> Judgments:
        """Return the judgments with negative grades as they are taken."""
        if negative is Negative.OWN:
            return self.judgments
        codes = self.judgments.codes
        changed = np.where(codes < 0, -1 if negative is Negative.UNJUDGED else 0, codes)
        return evolve(self.judgments, grades=CodedGrades(changed, self.judgments.relevance))

    def _ordered(self, order: Order) -> Results:
        """Return the run with its documents in an order, best first."""
        run = self.results
        if order in (Order.TREC, Order.FILE, *_RANKINGS):
            return run
        topic, place = np.repeat(np.arange(len(run.topics)), np.diff(run.bounds)), np.arange(len(run))
        best = -run.document_scores
        keys: dict[Order, Callable[[], tuple[Any, ...]]] = {
            Order.ASCENDING: lambda: (_by_name(run.documents), best),
            Order.STABLE: lambda: (place, best),
            Order.REVERSED: lambda: (-place, best),
            Order.RANKS: lambda: (place, self.ranks),
            Order.WORST: lambda: (place, -best),
        }
        rows: IntArray = np.lexsort([*keys[order](), topic])
        return evolve(run, documents=documents_at(run.documents, rows), scores=run.document_scores[rows])

    def by_topic(self, convention: Convention) -> FloatArray:
        """Return the value of every judged topic under a convention.

        Parameters
        ----------
        convention
            The convention.
        """
        order = self._same[convention.order]
        key = convention.measure, order, convention.negative, convention.base
        if key not in self._values:
            judged = self.judged(order, convention.negative)
            self._values[key] = _BASES[convention.base](on_judged(convention.measure, judged), judged)
        return self._values[key]

    def value(self, convention: Convention, topic: str | None = None) -> float:
        """Return the number that a convention gives.

        Parameters
        ----------
        convention
            The convention.
        topic
            The topic whose value it is; by default all are averaged.
        """
        values, barren = self.by_topic(convention), self._without(convention)
        if convention.barren in (Barren.ONE, Barren.NOTHING_FOUND_ONE):
            values = np.where(barren, 1.0, values)
        if topic is not None:
            return float(values[self.plain.topics.index(topic)])
        weights = self._weights(convention) if convention.mean is Mean.MICRO else np.ones(len(values))
        keep = self._counted(convention)
        values, weights = values[keep], weights[keep]
        if convention.topics is Topics.RUN:
            left = self.unjudged_topics
            values, weights = np.append(values, np.zeros(left)), np.append(weights, np.ones(left))
        return _averaged(values, weights, convention)

    def counts(self, convention: Convention, topic: str) -> bool:
        """Return whether a judged topic is one that a convention averages over.

        Parameters
        ----------
        convention
            The convention.
        topic
            The topic.
        """
        return bool(self._counted(convention)[self.plain.topics.index(topic)])

    def _counted(self, convention: Convention) -> Any:
        """Return which judged topics a convention averages over."""
        keep = np.ones(len(self.plain.topics), dtype=bool) if convention.topics is Topics.JUDGED else self.present
        return keep & ~self._without(convention) if convention.barren is Barren.SKIPPED else keep

    def barren(self, measure: Measure) -> Any:
        """Return which judged topics have no document that a measure takes for relevant.

        Parameters
        ----------
        measure
            The measure.
        """
        return self.plain.recall_bases(on_judged(measure, self.plain).lowest) == 0

    def _without(self, convention: Convention) -> Any:
        """Return which judged topics have nothing relevant, in the judgments or among the documents retrieved."""
        if convention.barren is not Barren.NOTHING_FOUND_ONE:
            return self.barren(convention.measure)
        lowest = on_judged(convention.measure, self.plain).lowest
        return ~(self.plain.cells[0] >= lowest).any(axis=1) & self.present

    def _weights(self, convention: Convention) -> FloatArray:
        """Return what the values of topics are quotients of: the divisors, by which a micro-average weighs them."""
        judged = self.judged(self._same[convention.order], convention.negative)
        measure = on_judged(convention.measure, judged)
        return np.asarray(_DIVISORS[type(measure)](measure, judged), dtype=np.float64)


def bench_of(qrels: QrelsLike, run: RunLike) -> Bench:
    """Return one run and judgments, read from wherever they are, or complain of several runs.

    Parameters
    ----------
    qrels
        The judgments.
    run
        The run.
    """
    judgments, runs = read_qrels(qrels), read_runs(run)
    if len(runs) != 1:
        raise InputError(f"a number is that of one run, and there are {len(runs)}; name one file with one run in it")
    bench = Bench(runs[0], judgments, rank_column(run, runs[0]))
    bench.plain  # noqa: B018 - files that do not belong together are complained of here
    return bench


LONGEST = 18
"""A rank has no more digits than this."""


def rank_column(source: object, run: Results) -> IntArray | None:
    """Return the ranks that a file of TREC's format has for the documents of a run; None if it has no such column.

    Parameters
    ----------
    source
        What the run was read from.
    run
        The run.
    """
    if not isinstance(source, str | os.PathLike) or len(run) > MANY or not Path(source).is_file():
        return None
    ranks: dict[tuple[bytes, bytes], int] = {}
    content = load(source)
    for number, line in enumerate(content.data.splitlines(), 1):
        fields = line.split()
        if len(fields) == 6 and fields[3].isdigit() and not fields[0].startswith(b"#"):
            if len(fields[3].lstrip(b"0")) > LONGEST:
                raise content.fail(number, f"rank {fields[3][:40].decode()} is beyond any ranking; repair the line")
            ranks[fields[0], fields[2]] = int(fields[3])
    topics = [
        topic.encode()
        for topic, size in zip(run.topics, np.diff(run.bounds).tolist(), strict=True)
        for _ in range(size)
    ]
    found = [ranks.get((topic, str(name).encode()), -1) for topic, name in zip(topics, run.documents, strict=True)]
    return np.array(found, dtype=np.int64) if found and min(found) >= 0 else None


def _by_name(documents: Iterable[str]) -> IntArray:
    """Return numbers that order documents by their names."""
    names = list(documents)
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names], dtype=np.int64)


def _averaged(values: FloatArray, weights: FloatArray, convention: Convention) -> float:
    """Return one number for the values of topics, as a convention has it; nothing averages to 0."""
    if not len(values) or not weights.sum():
        return 0.0
    if convention.measure.aggregation is Aggregation.SUM and convention.mean is Mean.ARITHMETIC:
        return float(values.sum())
    if convention.mean is Mean.MEDIAN:
        return float(np.median(values))
    if convention.mean is Mean.GEOMETRIC:
        return float(np.exp(np.log(np.maximum(values, FLOOR)).mean()))
    return float((values * weights).sum() / weights.sum())


def _own(measure: Measure, judged: JudgedRuns) -> FloatArray:
    """Return the values of all topics as measurand computes them."""
    judged = judged.weak if measure.on_weak_orders else judged
    known = with_campaign(measure, judged)
    values = floats(known, judged) if judged.groups is None else tied_values(measure, judged).values
    return np.asarray(values[0], dtype=np.float64)


def _seen(measure: Measure, judged: JudgedRuns) -> JudgedRuns:
    """Return the judged runs that a measure looks at, unjudged documents removed if it wants them removed."""
    return judged.condensed if measure.judged_only else judged


def _found(cells: Any, width: int) -> IntArray:
    """Return how many documents of each grade stand among some cells, topics × grades."""
    return np.stack([(cells[0] == grade).sum(axis=1) for grade in range(width)], axis=1).astype(np.int64)


def _among(deep: bool) -> Callable[[Measure, JudgedRuns], FloatArray]:
    """Return how topics are valued if retrieved documents alone are there to be found."""

    def values(measure: Measure, judged: JudgedRuns) -> FloatArray:
        cells = _seen(measure, judged).cells
        found = _found(cells if deep else cells[:, :, : measure.cutoff], judged.grade_counts.shape[1])
        if isinstance(measure, NormalisedDiscountedCumulatedGain):
            return _own(measure, evolve(judged, grade_counts=found))
        relevant = found[:, measure.lowest :].sum(axis=1)
        return np.asarray(ratio(_own(measure, judged) * judged.recall_bases(measure.lowest), relevant))

    return values


def _uncut(measure: Any, judged: JudgedRuns) -> FloatArray:
    cut, whole = measure.scalings(judged), measure(cutoff=None).scalings(judged)
    return np.asarray(ratio(_own(measure, judged) * cut, whole))


def _capped(measure: Measure, judged: JudgedRuns) -> FloatArray:
    relevant = judged.recall_bases(measure.lowest)
    return np.asarray(ratio(_own(measure, judged) * relevant, np.minimum(relevant, measure.cutoff or judged.depth)))


def _capped_retrieved(measure: Measure, judged: JudgedRuns) -> FloatArray:
    found = (_seen(measure, judged).cells[0] >= measure.lowest).sum(axis=1)
    values = _own(measure, judged) * judged.recall_bases(measure.lowest)
    return np.asarray(ratio(values, np.minimum(found, measure.cutoff or judged.depth)))


def _short(measure: Measure, judged: JudgedRuns) -> FloatArray:
    ranks = measure.cutoff or judged.depth
    return np.asarray(ratio(_own(measure, judged) * ranks, np.minimum(_seen(measure, judged).lengths[0], ranks)))


def _raw(measure: Measure, judged: JudgedRuns) -> FloatArray:
    return _own(measure, judged) * float(judged.gains[-1])


def _unsquared(measure: Any, judged: JudgedRuns) -> FloatArray:
    shared = {name: getattr(measure, name) for name in ("cutoff", "rel", "judged_only")}
    precision = _own((SetP if isinstance(measure, SetFMeasure) else P)(**shared), judged)
    recall, beta = _own(R(**shared), judged), float(measure.beta)
    return np.asarray(ratio((1 + beta) * precision * recall, beta * precision + recall))


def _natural(measure: Measure, judged: JudgedRuns) -> FloatArray:
    return _own(measure, judged) / log(2)


_BASES: Mapping[Base, Callable[[Any, JudgedRuns], FloatArray]] = {
    Base.OWN: _own,
    Base.UNCUT: _uncut,
    Base.RETRIEVED: _among(deep=True),
    Base.FIRST: _among(deep=False),
    Base.CAPPED: _capped,
    Base.CAPPED_RETRIEVED: _capped_retrieved,
    Base.SHORT: _short,
    Base.RAW: _raw,
    Base.UNSQUARED: _unsquared,
    Base.NATURAL: _natural,
}

_DIVISORS: Mapping[type, Callable[[Any, JudgedRuns], Any]] = {
    Recall: lambda measure, judged: judged.recall_bases(measure.lowest),
    SetPrecision: lambda measure, judged: _seen(measure, judged).lengths[0],
    NormalisedDiscountedCumulatedGain: lambda measure, judged: measure.scalings(judged),
}


def bases_of(measure: Measure, top: int) -> Sequence[Base]:
    """Return what else the values of a measure can be divided by.

    Parameters
    ----------
    measure
        The measure.
    top
        The highest grade of the judgments.

    Examples
    --------
    >>> from measurand.measures import AP, nDCG
    >>> [str(base) for base in bases_of(AP @ 10, 1)], [str(base) for base in bases_of(nDCG, 1)]
    (['capped', 'capped-retrieved', 'first', 'retrieved'], ['retrieved'])
    """
    cut = measure.cutoff is not None
    if isinstance(measure, NormalisedDiscountedCumulatedGain):
        return [*((Base.UNCUT, Base.FIRST) if cut else ()), Base.RETRIEVED]
    if isinstance(measure, DiscountedCumulatedGain):
        return [Base.NATURAL] if measure.b is None else []
    if isinstance(measure, AveragePrecision):
        return [*((Base.CAPPED, Base.CAPPED_RETRIEVED, Base.FIRST) if cut else ()), Base.RETRIEVED]
    if isinstance(measure, Recall):
        return [Base.CAPPED, Base.RETRIEVED] if cut else []
    if isinstance(measure, Precision):
        return [Base.SHORT]
    if isinstance(measure, FMeasure):
        return [Base.UNSQUARED] if measure.beta != 1 else []
    return [Base.RAW] if isinstance(measure, Geometric) and measure.graded and top > 1 else []


def means_of(measure: Measure) -> Sequence[Mean]:
    """Return how else the values of a measure can be averaged.

    Parameters
    ----------
    measure
        The measure.
    """
    usual = [Mean.GEOMETRIC, Mean.MEDIAN]
    return [*usual, Mean.MICRO] if type(measure) in _DIVISORS else usual
