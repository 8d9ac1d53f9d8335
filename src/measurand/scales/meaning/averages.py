"""Averages: whether comparisons of them survive every permissible rescaling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.scale import Scale
from measurand.scales.meaning.candidates import random_rescalings, telling
from measurand.scales.meaning.geometric import shift_proof, shifts
from measurand.scales.meaning.linear import Form
from measurand.scales.meaning.meaning import Decision, fragile, robust, undecided
from measurand.scales.meaning.order_statistics import Middle
from measurand.scales.meaning.statements import (
    Average,
    Comparison,
    Differences,
    Relation,
    lifted,
    modes_of,
    sign_of,
)
from measurand.scales.meaning.transformations import Transformation, keeps_order

RELABELLINGS = 200
ORDER_STATISTICS = (Average.MEDIAN, Average.LOWER, Average.UPPER)


@frozen(eq=False)
class Claimed:
    """A statement about averages, and the scores of its systems (systems × topics)."""

    statement: Comparison | Differences
    rows: FloatArray
    topics: tuple[str, ...]

    @classmethod
    def of(cls, statement: Comparison | Differences, rows: FloatArray, topics: tuple[str, ...]) -> Claimed:
        """Return a statement with scores as its average takes them."""
        return cls(statement, lifted(rows, statement.average), topics)

    def sides(self, transformation: Transformation | None = None) -> tuple[float, float]:
        """Return both sides, of the scores as they are or rescaled."""
        rows = self.rows if transformation is None else transformation(self.rows)
        return self.statement.sides(rows)

    def sign(self, transformation: Transformation | None = None) -> int:
        """Return the sign of left minus right."""
        rows = self.rows if transformation is None else transformation(self.rows)
        if self.statement.average is Average.MODE:
            return int(modes_of(rows[0]) != modes_of(rows[1]))
        size = 0.0 if self.statement.average is Average.GEOMETRIC else float(np.nanmax(np.abs(rows)))
        return sign_of(*self.statement.sides(rows), size)

    def reversed_by(
        self, maps: Iterable[Transformation], true: bool, *, one_scale: bool, order: bool = True
    ) -> Transformation | None:
        """Return the first rescaling that makes the statement true if it is false, false if it is true."""
        for map_ in maps:
            positive = self.statement.average is not Average.GEOMETRIC or float(np.nanmin(map_(self.rows))) > 0
            kept = not order or keeps_order(map_, self.rows, one_scale=one_scale)
            if positive and kept and self.statement.relation.admits(self.sign(map_)) != true:
                return map_
        return None


def decide_average(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    """Return whether a statement about averages survives every permissible rescaling."""
    average, factor = claimed.statement.average, claimed.statement.factor
    if average is Average.MODE:
        return _decide_mode(claimed, scale, one_scale=one_scale)
    if scale is Scale.NOMINAL:
        return _of_labels(claimed, one_scale=one_scale)
    if average is Average.GEOMETRIC and factor != 1:
        return _decide_multiple(claimed, scale, one_scale=one_scale)
    if average is Average.GEOMETRIC and scale is Scale.INTERVAL and one_scale:
        return _decide_shifts(claimed)
    if average in ORDER_STATISTICS and not one_scale:
        return _decide_middle(claimed, scale)
    form = Form(
        claimed.rows,
        claimed.statement.weights(claimed.rows),
        claimed.topics,
        scale,
        one_scale,
        average is Average.GEOMETRIC,
    )
    return _decided(claimed, form.signs(), form.rescalings, scale, one_scale=one_scale, kind=form.shiftable)


def _decided(
    claimed: Claimed,
    signs: frozenset[int],
    rescalings: Callable[[int, int], Iterator[Transformation]],
    scale: Scale,
    *,
    one_scale: bool,
    kind: bool = False,
) -> Decision:
    """Return the decision, given every sign that the difference of the sides can take."""
    relation = claimed.statement.relation
    present = claimed.sign()
    if present not in signs:
        # rounding cannot tell the sides apart, but order can
        present = min(signs, key=lambda sign: abs(sign - present))
    true = relation.admits(present)
    targets = sorted((sign for sign in signs if relation.admits(sign) != true), key=lambda sign: sign == 0)
    if not targets:
        return robust(true, certificate(claimed.statement, signs, scale, one_scale=one_scale))
    maps = chain.from_iterable(rescalings(target, present) for target in targets)
    found = claimed.reversed_by(maps, true, one_scale=one_scale)
    if found is None:
        return undecided(true, "some rescaling changes it, but none that floating point numbers can show")
    return fragile(true, found, "a multiple of an average needs a ratio scale" if kind else "", kind=kind)


def certificate(statement: Comparison | Differences, signs: frozenset[int], scale: Scale, *, one_scale: bool) -> str:
    """Return why no rescaling changes a statement, in a clause."""
    first, second = (statement.a, statement.b) if 1 in signs else (statement.b, statement.a)
    two = isinstance(statement, Comparison)
    if scale is Scale.ORDINAL or not one_scale:
        if signs == {0}:
            return "both sides are made of the same scores" if one_scale else "the two systems tie on every topic"
        if not two:
            where = "above every score" if one_scale else "on every topic"
            return f"what is counted {where} has the same sign, so no stretching changes that of the sum"
        if statement.average in ORDER_STATISTICS and one_scale:
            return f"the scores in the middle of {first} are not below those of {second}, in order"
        if one_scale:
            return f"{first} dominates {second}: above every score {first} has at least as many topics"
        return f"{first} is never below {second} on any topic"
    if statement.average is Average.GEOMETRIC:
        return "a positive multiple of all scores multiplies both sides alike"
    map_ = "a positive multiple" if scale is Scale.RATIO else "a positive affine map"
    return f"{map_} of all scores multiplies the difference of both sides by a positive number"


def _decide_middle(claimed: Claimed, scale: Scale) -> Decision:
    rows, statement = claimed.rows, claimed.statement
    if statement.factor != 1 or scale is Scale.RATIO or np.isnan(rows).any():
        kind = statement.factor != 1 and scale < Scale.RATIO
        return _searched(claimed, scale, one_scale=False, kind=kind)
    middle = Middle(rows, claimed.topics, statement.average)

    def rescalings(target: int, _: int) -> Iterator[Transformation]:
        return middle.rescalings(target)

    return _decided(claimed, middle.signs(), rescalings, scale, one_scale=False)


def _decide_shifts(claimed: Claimed) -> Decision:
    true = claimed.statement.relation.admits(claimed.sign())
    proof = shift_proof(claimed.rows)
    if proof is not None:
        why = "multiplied out, the two products differ by terms of one sign, however scores are shifted"
        return robust(claimed.statement.relation.admits(proof), why)
    found = claimed.reversed_by(shifts(claimed.rows), true, one_scale=True)
    if found is not None:
        return fragile(true, found)
    return undecided(true, "no shift that was tried changes it")


def _decide_multiple(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    true = claimed.statement.relation.admits(claimed.sign())
    if scale is Scale.RATIO and not np.isnan(claimed.rows).any():
        return robust(true, "a positive multiple of all scores of a topic multiplies both sides alike")
    return _searched(claimed, scale, one_scale=one_scale, kind=True)


def _decide_mode(claimed: Claimed, scale: Scale, *, one_scale: bool) -> Decision:
    true = Relation.EQUAL.admits(claimed.sign())
    if one_scale:
        return robust(true, "a one-to-one map takes the most frequent scores to the most frequent scores")
    return _searched(claimed, scale, one_scale=False)


def _of_labels(claimed: Claimed, *, one_scale: bool) -> Decision:
    first, second = (np.sort(row) for row in claimed.rows[:2])
    same = first.shape == second.shape and bool(np.array_equal(first, second, equal_nan=True))
    if one_scale and same and isinstance(claimed.statement, Comparison) and claimed.statement.factor == 1:
        return robust(claimed.statement.relation.admits(0), "both sides are made of the same scores")
    return _searched(claimed, Scale.NOMINAL, one_scale=one_scale, kind=True)


def _searched(claimed: Claimed, scale: Scale, *, one_scale: bool, kind: bool = False) -> Decision:
    """Return a rescaling that changes the statement if one is found, and no decision otherwise."""
    true = claimed.statement.relation.admits(claimed.sign())
    some = telling(claimed.rows, claimed.topics, scale, claimed.rows[:2], one_scale=one_scale)
    more = random_rescalings(claimed.rows, claimed.topics, scale, one_scale=one_scale, many=RELABELLINGS, rng=0)
    order = scale > Scale.NOMINAL
    found = claimed.reversed_by(chain(some, more), true, one_scale=one_scale, order=order)
    if found is None:
        return undecided(true, f"no rescaling that was tried changes it, {RELABELLINGS} random ones included")
    return fragile(true, found, kind=kind)
