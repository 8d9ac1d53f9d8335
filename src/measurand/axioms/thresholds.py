"""Thresholds: one relevant document at the top against many that come late."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from math import lgamma, log

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.axioms.decide import answering
from measurand.axioms.space import Space
from measurand.errors import ParameterError
from measurand.exact import Exact
from measurand.judged import JudgedRuns
from measurand.measures import Measure, as_measure
from measurand.measures.define import Defined
from measurand.measures.valued import Valuer
from measurand.verdict import How, Verdict, Witness

TRUSTED = 1e-9
"""Floats of two values that differ by more than this, relative to the larger, are trusted to order them."""


class Reading(StrEnum):
    """For which numbers of late documents a threshold must hold."""

    EXISTS = "exists"
    EVENTUALLY = "eventually"


@frozen(eq=False)
class Contest:
    """One relevant document at rank 1 against `n` relevant documents behind `n` others, for every `n`.

    Parameters
    ----------
    signs
        For `n` = 1, 2, …: 1 where the one document is better, -1 where the many are, 0 for a tie.
    same_length
        Whether the run with the one document goes on with others to the length of its rival.
    """

    measure: Measure
    space: Space
    signs: IntArray
    same_length: bool

    def runs(self, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the run with one document on top and the run with `n` late ones."""
        return contestants(n, same_length=self.same_length)

    def exists(self, sign: int) -> int | None:
        """Return the first `n` with a sign, or None."""
        found = np.flatnonzero(self.signs == sign)
        return int(found[0]) + 1 if len(found) else None

    def eventually(self, sign: int) -> int | None:
        """Return the `n` from which on the sign is always the same, or None."""
        others = np.flatnonzero(self.signs != sign)
        first = int(others[-1]) + 2 if len(others) else 1
        return first if first <= len(self.signs) else None


def contestants(n: int, *, same_length: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the run with one relevant document on top, and the run with `n` behind `n` others.

    Examples
    --------
    >>> contestants(2), contestants(2, same_length=True)
    (((1,), (0, 0, 1, 1)), ((1, 0, 0, 0), (0, 0, 1, 1)))
    """
    one = (1, *[0] * (2 * n - 1)) if same_length else (1,)
    return one, (0,) * n + (1,) * n


def contest(
    measure: Measure | str,
    *,
    collection: int,
    recall_base: int,
    same_length: bool = False,
    most: int | None = None,
) -> Contest:
    """Return who wins for every number of late documents that the topic allows.

    Parameters
    ----------
    collection, recall_base
        How many documents there are, and how many of them are relevant.
    most
        Look no further than this number of late documents.

    Examples
    --------
    >>> contest("RBP(p=0.8)", collection=1000, recall_base=10).signs.tolist()
    [1, -1, -1, -1, -1, 1, 1, 1, 1, 1]

    References
    ----------
    [Amigo2018]_, section 4
    """
    known = as_measure(measure)
    space = Space(depth=1, collection=collection, recall_base=recall_base)
    valuer = Valuer(known, space.pool)
    last = min(recall_base, collection - recall_base, most or recall_base)
    if last < 1:
        raise ParameterError(
            "a threshold needs a relevant document and one that is not; raise collection or recall_base"
        )
    signs = [_sign(valuer, *contestants(n, same_length=same_length)) for n in range(1, last + 1)]
    return Contest(known, space, np.array(signs), same_length)


def _sign(valuer: Valuer, one: tuple[int, ...], many: tuple[int, ...]) -> int:
    """Return 1 if the first run is better, -1 if the second is; floats decide only what they cannot get wrong."""
    if not isinstance(valuer.measure, Defined):
        first, second = _roughly(valuer, one), _roughly(valuer, many)
        if abs(first - second) > TRUSTED * max(abs(first), abs(second)):
            return 1 if first > second else -1
    exact: tuple[Exact, Exact] = valuer.value(one), valuer.value(many)
    near = Fraction(valuer.near)
    if near and abs(exact[0] - exact[1]) <= near * max(map(abs, exact)):  # type: ignore[operator,arg-type]
        return 0
    return int(exact[0] > exact[1]) - int(exact[0] < exact[1])


def _roughly(valuer: Valuer, run: tuple[int, ...]) -> float:
    judged = JudgedRuns.on_one_topic([run], valuer.pool.grade_counts)
    return float(valuer.measure.fast(judged.condensed if valuer.measure.judged_only else judged)[0])


@answering
def deepness_threshold(
    measure: Measure,
    *,
    collection: int = 1_000_000,
    recall_base: int = 100,
    reading: Reading | str = Reading.EVENTUALLY,
    same_length: bool = False,
    most: int | None = None,
) -> Verdict:
    """Return whether one relevant document on top beats many that come late enough.

    The run `(1)` is set against `n` relevant documents behind `n` others, for every `n` that the topic allows.

    Parameters
    ----------
    collection, recall_base
        How many documents there are, and how many of them are relevant: the answer depends on them.
    reading
        `"eventually"`: for all large `n`; `"exists"`: for some `n`.
    same_length
        Give the run with one document as many ranks as its rival.
    most
        Look no further than this `n`.

    Examples
    --------
    >>> bool(deepness_threshold("RBP(p=0.8)")), bool(deepness_threshold("DCG"))
    (True, False)

    References
    ----------
    [Amigo2018]_, section 4
    """
    outcome = contest(measure, collection=collection, recall_base=recall_base, same_length=same_length, most=most)
    return _verdict(outcome, 1, Reading(reading))


@answering
def closeness_threshold(
    measure: Measure,
    *,
    collection: int = 1_000_000,
    recall_base: int = 100,
    reading: Reading | str = Reading.EXISTS,
    same_length: bool = False,
    most: int | None = None,
) -> Verdict:
    """Return whether several relevant documents that come soon enough beat one on top.

    The run `(1)` is set against `n` relevant documents behind `n` others, for every `n` that the topic allows.

    Parameters
    ----------
    collection, recall_base
        How many documents there are, and how many of them are relevant: the answer depends on them.
    reading
        `"exists"`: for some `n`; `"eventually"`: for all large `n`.
    same_length
        Give the run with one document as many ranks as its rival.
    most
        Look no further than this `n`.

    Examples
    --------
    >>> verdict = closeness_threshold("AP")
    >>> bool(verdict), verdict.witness[1]
    (True, (0, 0, 0, 1, 1, 1))

    References
    ----------
    [Amigo2018]_, section 4
    """
    outcome = contest(measure, collection=collection, recall_base=recall_base, same_length=same_length, most=most)
    return _verdict(outcome, -1, Reading(reading))


def _verdict(outcome: Contest, sign: int, reading: Reading) -> Verdict:
    last = len(outcome.signs)
    found = outcome.exists(sign) if reading is Reading.EXISTS else outcome.eventually(sign)
    length = ", both runs equally long" if outcome.same_length else ""
    size = f"{outcome.space.collection:,} documents, {outcome.space.recall_base:,} relevant"
    checked = f"every number of late documents from 1 to {last:,} ({reading}{length}); {size}"
    winner = "one document on top beats the late ones" if sign > 0 else "the late documents beat one on top"
    n = found if found is not None else last
    why = f"for n = {n:,}{' and all above' if reading is Reading.EVENTUALLY and found else ''} {winner}"
    if found is None:
        why = (
            f"{winner} for no n"
            if reading is Reading.EXISTS
            else f"at n = {n:,}, the largest, it is not so that {winner}"
        )
    runs = outcome.runs(n)
    how = How.EXHAUSTIVE if found is not None else How.COUNTEREXAMPLE
    # late runs grow long, and so do exact values of them: floats are enough to look at
    valuer = Valuer(outcome.measure, outcome.space.pool)
    values = tuple(float(valuer.value(run)) for run in runs)
    return Verdict(
        found is not None,
        Witness(runs if sign < 0 else runs[::-1], values if sign < 0 else values[::-1], why),
        checked,
        how,
    )


def information_switch(n: int, collection: int, recall_base: int) -> float:
    r"""Return the β of OIE below which `n` late relevant documents beat one on top.

    .. math:: \beta^*(n, D, R) = \frac{(2n-1) \ln D - \ln (2n)!}{n \ln D + (n-1) \ln R - 2 \ln n!}

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
