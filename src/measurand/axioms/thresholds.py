"""Thresholds: one relevant document at the top against many that come late."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain, islice, repeat
from math import lgamma, log
from typing import Any

import numpy as np
from attrs import asdict, frozen

from measurand.arrays import Cells, IntArray
from measurand.display.result import Result
from measurand.display.tables import Document, facts
from measurand.errors import FunctionFailed, ParameterError
from measurand.exact import whole_number
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import NOTHING, Pool
from measurand.measures import Measure, as_measure
from measurand.measures.base import Grades
from measurand.measures.space import Space
from measurand.measures.valued import Valuer, far_apart
from measurand.verdict import How, Verdict, Witness, unusable

MOST = 2_000
"""How many late documents are tried at most, by default: the effort grows with their square."""

TOGETHER = 64
"""How many pairs of runs are scored at a time."""

COLLECTION, RECALL_BASE = 1_000_000, 100
"""The topic on which thresholds are checked, by default."""


@frozen(kw_only=True)
class Topic:
    """How many documents there are and how many of them are relevant, for the two thresholds.

    Parameters
    ----------
    collection
        The number of documents.
    recall_base
        The number of relevant documents.

    Examples
    --------
    >>> Topic()
    Topic(collection=1000000, recall_base=100)
    """

    collection: int = COLLECTION
    recall_base: int = RECALL_BASE


class NoContest(ParameterError):
    """The topic has no relevant document, or no other."""


class Reading(StrEnum):
    """For which numbers of late documents a threshold must hold."""

    EXISTS = "exists"
    EVENTUALLY = "eventually"


def read_reading(reading: Reading | str) -> Reading:
    """Return the reading with a given name.

    Examples
    --------
    >>> read_reading("exists")
    <Reading.EXISTS: 'exists'>
    """
    if reading not in list(Reading):
        raise ParameterError(f"there is no reading {reading!r}; say {' or '.join(Reading)}")
    return Reading(reading)


@frozen(eq=False, repr=False)
class Contest(Result):
    """One relevant document at rank 1 against `n` relevant documents behind `n` others, for every `n`.

    Parameters
    ----------
    measure
        The measure.
    space
        The topic.
    signs
        For `n` = 1, 2, …: 1 where the one document is better, -1 where the many are, 0 for a tie.
    same_length
        Whether the run with one relevant document goes on with nonrelevant ones to the length of its rival.
    complete
        Whether every `n` that the topic allows was checked.
    """

    measure: Measure
    space: Space
    signs: IntArray
    same_length: bool
    complete: bool = True

    def document(self) -> Document:
        """Return for how many late documents which run wins."""
        won = {name: int((self.signs == sign).sum()) for name, sign in (("one_wins", 1), ("ties", 0), ("many_win", -1))}
        title = f"{self.measure!r}: one relevant document at rank 1 against n behind n others"
        first, last = self.first(-1, Reading.EXISTS), self.first(1, Reading.EVENTUALLY)
        told = [("first_n_for_which_the_many_win", first), ("the_one_wins_for_all_n_from", last)]
        return Document([facts([("measure", repr(self.measure)), *won.items(), *told], title=title)])

    def first(self, sign: int, reading: Reading | str) -> int | None:
        """Return the first `n` with a sign, or from which on all have it.

        Parameters
        ----------
        sign
            1 where the one document wins, -1 where the many do, 0 for a tie.
        reading
            `"exists"`: some `n` has the sign; `"eventually"`: all from there on have it.
        """
        if read_reading(reading) is Reading.EXISTS:
            found = np.flatnonzero(self.signs == sign)
            return int(found[0]) + 1 if len(found) else None
        others = np.flatnonzero(self.signs != sign)
        first = int(others[-1]) + 2 if len(others) else 1
        return first if first <= len(self.signs) else None

    def deepness(self, reading: Reading | str = Reading.EVENTUALLY) -> Verdict:
        """Return whether the one document on top wins.

        Parameters
        ----------
        reading
            `"eventually"`: for all large `n`; `"exists"`: for some `n`.
        """
        return self._verdict(1, read_reading(reading), "the one document on top wins")

    def closeness(self, reading: Reading | str = Reading.EXISTS) -> Verdict:
        """Return whether the late documents win.

        Parameters
        ----------
        reading
            `"exists"`: for some `n`; `"eventually"`: for all large `n`.
        """
        return self._verdict(-1, read_reading(reading), "the late documents win")

    def _verdict(self, sign: int, reading: Reading, wins: str) -> Verdict:
        last, exists = len(self.signs), reading is Reading.EXISTS
        n = self.first(sign, reading)
        if exists:
            why = f"there is no n for which {wins}" if n is None else f"for n = {n:,} {wins}"
        else:
            why = f"not even for the largest n, {last:,}, {wins}" if n is None else f"from n = {n:,} on {wins}"
        one, many = contestants(n or last, self.measure.lowest, same_length=self.same_length)
        runs = (many, one) if sign > 0 else (one, many)
        valuer = _valuer(self.space, self.measure)
        witness = Witness(runs, tuple(map(valuer.value, runs)), why)
        # an example that was asked for is one, however many were not looked at
        how = How.EXHAUSTIVE if self.complete or (exists and n is not None) else How.SAMPLED
        return Verdict(n is not None, witness, self._checked(), how)

    def _checked(self) -> str:
        size = f"{self.space.collection:,} documents, {self.space.recall_base:,} relevant"
        length = " (both runs equally long)" if self.same_length else ""
        lowest, highest = self.measure.lowest, self.space.grades - 1
        grades = f", all of grade {lowest} of {highest}" if highest > lowest else ""
        return f"n relevant documents behind n others, n from 1 to {len(self.signs):,}{length}; {size}{grades}"


def _valuer(space: Space, measure: Measure) -> Valuer:
    """Return a measure on a topic whose relevant documents are all of the lowest grade that counts, as in both runs."""
    counts, relevant = [0] * space.grades, space.recall_base or 0
    counts[0] = (space.collection or 0) - relevant
    counts[measure.lowest] = relevant
    return Valuer.of(space.valuer(measure).measure, Pool(tuple(counts)))


def contestants(n: int, grade: int = 1, *, same_length: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the run with one relevant document on top, and the run with `n` behind `n` others.

    Examples
    --------
    >>> contestants(2), contestants(2, same_length=True)
    (((1,), (0, 0, 1, 1)), ((1, 0, 0, 0), (0, 0, 1, 1)))
    """
    one = (grade, *[0] * (2 * n - 1)) if same_length else (grade,)
    return one, (0,) * n + (grade,) * n


def contest(
    measure: Measure | str | Callable[..., Any],
    *,
    collection: int,
    recall_base: int,
    grades: int = 2,
    same_length: bool = False,
    most: int | None = None,
) -> Contest:
    """Return which run wins for every number of late documents that the topic allows.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    collection, recall_base
        The number of documents of the topic, and how many of them are relevant.
    grades
        How many grades there are, 0 included; all relevant documents are of the lowest that counts.
    same_length
        Whether the run with one relevant document goes on with nonrelevant ones to the length of its rival.
    most
        The largest number of late documents that is tried; 2,000 by default.

    Examples
    --------
    >>> contest("RBP(p=0.8)", collection=1000, recall_base=10).signs.tolist()
    [1, -1, -1, -1, -1, 1, 1, 1, 1, 1]

    References
    ----------
    [Amigo2013]_, as [Amigo2018]_, section 4, has it
    """
    collection, recall_base = whole_number("collection", collection), whole_number("recall_base", recall_base, 0)
    if not 0 < recall_base < collection:
        what = f"{recall_base:,} of {collection:,} documents"
        raise NoContest(f"{what} are relevant: there is nothing to set against each other")
    known = as_measure(measure)
    if isinstance(known, IntervalScaled) and not same_length and not known.fixed:
        raise NoContest(f"{known!r} has another scale for runs of every length; give it a depth")
    number = max(whole_number("grades", grades, 2), known.lowest + 1)
    space = Space(depth=1, grades=number, collection=collection, recall_base=recall_base)
    valuer = _valuer(space, known)
    others = collection - recall_base
    # a run of 2n ranks with one relevant document needs 2n - 1 others
    possible = min(recall_base, (others + 1) // 2 if same_length else others)
    last = min(possible, MOST if most is None else whole_number("most", most))
    pairs = (contestants(n, known.lowest, same_length=same_length) for n in range(1, last + 1))
    return Contest(known, space, np.array(list(_signs(valuer, pairs))), same_length, last == possible)


def _signs(valuer: Valuer, pairs: Iterable[tuple[Grades, Grades]]) -> Iterator[int]:
    """Return 1 where the first run is better, -1 where the second is; floats decide only what they cannot get wrong."""
    pairs = iter(pairs)
    # the first pair by itself: whether floats are right is tried on a whole run
    for size in chain([1], repeat(TOGETHER)):
        part = list(islice(pairs, size))
        if not part:
            return
        first, second = (valuer.rough_goodness(_filled(runs)) for runs in zip(*part, strict=True))
        if first is None or second is None:
            yield from (valuer.compare(one, many) for one, many in part)
            continue
        apart, higher = far_apart(first, second).tolist(), (first > second).tolist()
        for (one, many), known, better in zip(part, apart, higher, strict=True):
            yield (1 if better else -1) if known else valuer.compare(one, many)


def _filled(runs: Sequence[Grades]) -> Cells:
    """Return runs as rows, the shorter ones filled with what is no document."""
    cells = np.full((len(runs), max(map(len, runs))), NOTHING, dtype=np.int8)
    for row, run in zip(cells, runs, strict=True):
        row[: len(run)] = run
    return cells


def deepness_threshold(
    measure: Measure | str | Callable[..., Any],
    depth: int | None = None,  # noqa: ARG001 - as every question; the topic says how long the runs are
    grades: int = 2,
    *,
    collection: int = COLLECTION,
    recall_base: int = RECALL_BASE,
    reading: Reading | str = Reading.EVENTUALLY,
    same_length: bool = False,
    most: int | None = None,
) -> Verdict:
    """Return whether one relevant document on top beats many that come late enough.

    The run `(1)` is compared with `n` relevant documents behind `n` others, for every `n` that the topic allows.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        Accepted as by every axiom, and without effect: the topic determines the length of the runs.
    grades
        How many grades there are, 0 included; all relevant documents are of the lowest that counts.
    collection, recall_base
        The number of documents of the topic, and how many of them are relevant.
    reading
        `"eventually"`: the one document must win for all large `n`; `"exists"`: for some `n`.
    same_length
        Whether the run with one relevant document goes on with nonrelevant ones to the length of its rival.
    most
        The largest number of late documents that is tried; 2,000 by default.

    Examples
    --------
    >>> bool(deepness_threshold("RBP(p=0.8)")), bool(deepness_threshold("DCG"))
    (True, False)

    References
    ----------
    [Amigo2013]_, as [Amigo2018]_, section 4, has it
    """
    topic = Topic(collection=collection, recall_base=recall_base)
    return _settled(measure, topic, grades, same_length, most, lambda outcome: outcome.deepness(reading))


def closeness_threshold(
    measure: Measure | str | Callable[..., Any],
    depth: int | None = None,  # noqa: ARG001 - as every question; the topic says how long the runs are
    grades: int = 2,
    *,
    collection: int = COLLECTION,
    recall_base: int = RECALL_BASE,
    reading: Reading | str = Reading.EXISTS,
    same_length: bool = False,
    most: int | None = None,
) -> Verdict:
    """Return whether several relevant documents that come soon enough beat one on top.

    The run `(1)` is compared with `n` relevant documents behind `n` others, for every `n` that the topic allows.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        Accepted as by every axiom, and without effect: the topic determines the length of the runs.
    grades
        How many grades there are, 0 included; all relevant documents are of the lowest that counts.
    collection, recall_base
        The number of documents of the topic, and how many of them are relevant.
    reading
        `"exists"`: the late documents must win for some `n`; `"eventually"`: for all large `n`.
    same_length
        Whether the run with one relevant document goes on with nonrelevant ones to the length of its rival.
    most
        The largest number of late documents that is tried; 2,000 by default.

    Examples
    --------
    >>> verdict = closeness_threshold("AP")
    >>> bool(verdict), verdict.witness[1]
    (True, (0, 0, 0, 1, 1, 1))

    References
    ----------
    [Amigo2013]_, as [Amigo2018]_, section 4, has it
    """
    topic = Topic(collection=collection, recall_base=recall_base)
    return _settled(measure, topic, grades, same_length, most, lambda outcome: outcome.closeness(reading))


def _settled(
    measure: Measure | str | Callable[..., Any],
    topic: Topic,
    grades: int,
    same_length: bool,
    most: int | None,
    verdict: Callable[[Contest], Verdict],
) -> Verdict:
    try:
        return verdict(contest(measure, **asdict(topic), grades=grades, same_length=same_length, most=most))
    except FunctionFailed as failure:
        return unusable(failure)


def information_switch(n: int, collection: int, recall_base: int) -> float:
    r"""Return the β of OIE below which `n` late relevant documents beat one on top.

    .. math:: \beta^*(n, D, R) = \frac{(2n-1) \ln D - \ln (2n)!}{n \ln D + (n-1) \ln R - 2 \ln n!}

    Parameters
    ----------
    n
        The number of late relevant documents.
    collection
        The number of documents.
    recall_base
        The number of relevant documents.

    Examples
    --------
    >>> round(information_switch(2, 50, 2), 4), round(information_switch(100, 25_000_000, 100), 3)
    (1.2001, 1.765)

    References
    ----------
    [Amigo2018]_, Theorem 4.2, corrected
    """
    above = (2 * n - 1) * log(collection) - lgamma(2 * n + 1)
    return above / (n * log(collection) + (n - 1) * log(recall_base) - 2 * lgamma(n + 1))
