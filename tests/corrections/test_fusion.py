"""Fusion by majorities: MC4 is that of Dwork and others (2001), and Copeland's count in circles (D18, D20)."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

import pytest

import measurand as md

RESTART = Fraction(1, 20)


def fused(runs, method):
    run = md.fuse([{"1": ranking} for ranking in runs], method, depth=None)
    return dict(zip(run.documents, run.document_scores.tolist(), strict=True))


def goes(here, there, runs):
    """Return whether the walk goes on: most of the lists that ranked both have the other document above."""
    both = [ranking for ranking in runs if here in ranking and there in ranking]
    return sum(ranking[there] > ranking[here] for ranking in both) > Fraction(len(both), 2)


def walk(runs):
    """Return the share of time at each document, by elimination in fractions."""
    documents = sorted({document for ranking in runs for document in ranking})
    size = len(documents)
    steps = [[Fraction(goes(one, other, runs), size) for other in documents] for one in documents]
    for at, row in enumerate(steps):
        row[at] = 1 - sum(row)
    rows = [[(i == j) - (1 - RESTART) * steps[i][j] for i in range(size)] + [RESTART / size] for j in range(size)]
    for at in range(size):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return {document: rows[at][-1] for at, document in enumerate(documents)}


def test_what_one_list_alone_has_above_a_document_of_all_lists_is_first():
    """D18: x w in one list, w in two others; the one list that ranked both has x first."""
    found = fused([{"x": 2.0, "w": 1.0}, {"w": 1.0}, {"w": 1.0}], "mc4")
    assert list(found) == ["x", "w"]
    assert list(found.values()) == pytest.approx([20 / 21, 1 / 21], abs=1e-9)


def test_mc4_is_the_walk_along_majorities_of_the_lists_that_ranked_both():
    """D18: every share, every rank and every tie, by brute force on lists that leave much out."""
    draw = random.Random(18)
    for _ in range(150):
        runs = [
            {document: float(draw.randint(0, 5)) for document in draw.sample("abcdefg", draw.randint(1, 6))}
            for _ in range(draw.randint(1, 5))
        ]
        expected, found = walk(runs), fused(runs, "mc4")
        assert list(found) == sorted(expected, key=lambda document: (expected[document], document), reverse=True)
        assert found == pytest.approx({document: float(share) for document, share in expected.items()}, rel=1e-9)
        assert len(set(found.values())) == len(set(expected.values()))


def test_lists_without_a_document_in_common_leave_the_walk_where_it_is():
    """D18: of two lists that share nothing, the first documents tie and so do the second."""
    found = fused([{"a": 2.0, "b": 1.0}, {"c": 2.0, "d": 1.0}], "mc4")
    assert list(found) == ["c", "a", "d", "b"]
    assert found["a"] == found["c"] > found["b"] == found["d"]


def copeland(documents, above):
    return {
        one: sum(
            Fraction((one, other) in above) + Fraction((one, other) not in above and (other, one) not in above, 2)
            for other in documents
            if other != one
        )
        for one in documents
    }


def circles(documents, voters):
    """Return the profiles whose majorities lead round all documents, each with the pairs that majorities decide."""
    for profile in combinations_with_replacement(list(permutations(documents)), voters):
        above = {
            pair
            for pair in permutations(documents, 2)
            if sum(order.index(pair[0]) < order.index(pair[1]) for order in profile) > voters / 2
        }
        rounds = ((documents[0], *rest) for rest in permutations(documents[1:]))
        if any(all(pair in above for pair in zip(way, (*way[1:], way[0]), strict=True)) for way in rounds):
            yield profile, above


@pytest.mark.parametrize(("documents", "tie"), [("abc", True), ("abcd", False)])
def test_copeland_ties_a_circle_of_three_and_never_one_of_four_with_three_runs(documents, tie):
    """D20: three runs are the fewest that make a circle; the count is that of brute force on every such profile."""
    assert not any(True for _ in circles(documents, 2))
    found = list(circles(documents, 3))
    assert found
    for profile, above in found[:: 1 if tie else 6]:
        scores = fused([{d: float(-at) for at, d in enumerate(order)} for order in profile], "condorcet")
        assert scores == copeland(documents, above)
        assert (len(set(scores.values())) == 1) is tie


def test_scores_within_a_part_in_a_million_million_are_equal_and_no_others():
    """D20: the tolerance is 10⁻¹², not 10⁻¹⁰."""
    for near, equal in [(5e-13, True), (5e-11, False)]:
        scores = fused([{"a": 1.0, "b": 1.0 - near, "c": 0.0}], "combsum")
        assert (scores["a"] == scores["b"]) is equal
    assert re.search(r"1e-12", md.fuse.__doc__)
