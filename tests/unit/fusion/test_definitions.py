"""Every method against its definition, in fractions, on small inputs full of ties."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.fusion import METHODS, NORMALISATIONS, fuse
from measurand.fusion.majority import TELEPORT
from measurand.fusion.methods import TOLERANCE

DIGITS = 60

NUMBERS = [-3.0, -1.5, -0.1, 0.0, 0.1, 0.2, 0.3, 0.30000000000000004, 0.5, 1.0, 2.0, 2.5, 7.0, 1e-9, 1e6]

rankings = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(NUMBERS), min_size=1, max_size=6)
campaigns = st.lists(rankings, min_size=1, max_size=5)
weightings = st.lists(
    st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(1, 10)]), min_size=5, max_size=5
)


def rank(ranking, document, ties):
    score = ranking[document]
    if ties == "shared":
        return sum(other >= score for other in ranking.values())
    return 1 + sum((other, name) > (score, document) for name, other in ranking.items())


def root(number):
    with localcontext(prec=DIGITS + 20):
        return Fraction((Decimal(number.numerator) / Decimal(number.denominator)).sqrt())


def ln(number):
    with localcontext(prec=DIGITS + 20):
        return Fraction((Decimal(number.numerator) / Decimal(number.denominator)).ln())


def normalised(ranking, norm, ties):
    scores = {document: Fraction(score) for document, score in ranking.items()}
    low, high, size = min(scores.values()), max(scores.values()), len(scores)
    if norm == "min-max":
        return {d: (s - low) / (high - low) if high > low else Fraction(1) for d, s in scores.items()}
    if norm == "sum":
        total = sum(s - low for s in scores.values())
        return {d: (s - low) / total if total else Fraction(1, size) for d, s in scores.items()}
    if norm == "rank":
        return {d: 1 - Fraction(rank(ranking, d, ties) - 1, size) for d in scores}
    if norm == "z-score":
        mean = sum(scores.values()) / size
        spread = root(sum((s - mean) ** 2 for s in scores.values()) / size)
        return {d: (s - mean) / spread if spread else Fraction(0) for d, s in scores.items()}
    return scores


def from_lowest(scores):
    low = min(scores.values())
    return {d: s - low for d, s in scores.items()} if low < 0 else scores


def by_score(method, runs, weights, norm, ties):
    lists = [normalised(ranking, norm, ties) for ranking in runs]
    if method in ("combsum", "combmnz"):
        lists = [from_lowest(scores) for scores in lists]
    values = {}
    for document in {d for ranking in runs for d in ranking}:
        terms = [w * scores[document] for w, scores in zip(weights, lists, strict=True) if document in scores]
        values[document] = {
            "combsum": sum(terms),
            "combmnz": sum(terms) * len(terms),
            "combanz": sum(terms) / len(terms),
            "combmax": max(terms),
            "combmin": min(terms),
            "combmed": median(terms),
        }[method]
    return values


def by_rank(method, runs, weights, ties, k, size):
    values, last = {}, size or max(map(len, runs)) + 1
    for document in {d for ranking in runs for d in ranking}:
        found = [(w, rank(r, document, ties)) for w, r in zip(weights, runs, strict=True) if document in r]
        every = [(w, rank(r, document, ties) if document in r else last) for w, r in zip(weights, runs, strict=True)]
        squares = sum(w / Fraction(r) ** 2 for w, r in found)
        values[document] = {
            "rrf": lambda found=found: sum(w / (k + r) for w, r in found),
            "isr": lambda found=found, squares=squares: len(found) * squares,
            "logisr": lambda found=found, squares=squares: ln(Fraction(len(found))) * squares,
            "borda": lambda every=every: -sum(w * r for w, r in every) / sum(weights),
            "bordalog": lambda every=every: -sum(w * ln(Fraction(r)) for w, r in every) / sum(weights),
        }[method]()
    return values


def beats(one, other, runs, weights, ties):
    """Return by how many votes a document is ahead of another."""
    margin = 0
    for weight, ranking in zip(weights, runs, strict=True):
        places = [rank(ranking, d, ties) if d in ranking else len(ranking) + 1 for d in (one, other)]
        margin += weight * ((places[0] < places[1]) - (places[0] > places[1]))
    return margin


def leads(one, other, runs, weights):
    """Return whether most of the runs that retrieve both documents put the other one above."""
    both = [(weight, ranking) for weight, ranking in zip(weights, runs, strict=True) if {one, other} <= set(ranking)]
    return 2 * sum(weight for weight, r in both if r[other] > r[one]) > sum(weight for weight, _ in both)


def by_majority(runs, weights, ties):
    documents = sorted({d for ranking in runs for d in ranking})
    margins = {d: [beats(d, e, runs, weights, ties) for e in documents if e != d] for d in documents}
    return {d: sum(Fraction((m > 0) * 2 + (m == 0), 2) for m in margins[d]) for d in documents}


def outscorers(runs, ties):
    documents = sorted({d for ranking in runs for d in ranking})

    def level(ranking, document):
        return -rank(ranking, document, ties) if document in ranking else -len(ranking) - 1

    return {d: sum(all(level(r, e) >= level(r, d) for r in runs) for e in documents) for d in documents}


def check(fused, values, size=0):
    """Check that a run of one topic has the documents in the order of the exact values, equal within the tolerance.

    Parameters
    ----------
    size
        The size of the largest term, where terms may cancel.
    """
    exact = {d: round(value, DIGITS) for d, value in values.items()}
    scores = dict(zip(fused.documents, fused.document_scores.tolist(), strict=True))
    assert list(scores) == sorted(scores, key=lambda d: (scores[d], d), reverse=True)
    assert set(scores) == set(exact)
    for one in exact:
        assert scores[one] == pytest.approx(float(exact[one]), rel=1e-9, abs=1e-9 * max(1.0, size))
        for other in exact:
            largest = max(abs(exact[one]), abs(exact[other]), size)
            if scores[one] > scores[other]:
                assert exact[one] > exact[other]
            elif scores[one] == scores[other]:
                assert abs(exact[one] - exact[other]) <= len(exact) * TOLERANCE * largest


@pytest.mark.parametrize("norm", NORMALISATIONS)
@pytest.mark.parametrize("method", [m for m in METHODS if m.startswith("comb")])
@settings(max_examples=8, deadline=None)
@given(runs=campaigns, weights=weightings, ties=st.sampled_from(["shared", "trec"]), weighted=st.booleans())
def test_normalised_scores_are_combined_as_defined(method, norm, runs, weights, ties, weighted):
    weights = weights[: len(runs)] if weighted else [Fraction(1)] * len(runs)
    fused = fuse([{"1": r} for r in runs], method, norm=norm, weights=weights if weighted else None, ties=ties)
    check(fused, by_score(method, runs, weights, norm, ties), 2 * max(abs(s) for r in runs for s in (3.0, *r.values())))


@pytest.mark.parametrize("method", ["rrf", "isr", "logisr", "borda", "bordalog"])
@settings(max_examples=10, deadline=None)
@given(
    runs=campaigns,
    weights=weightings,
    ties=st.sampled_from(["shared", "trec"]),
    weighted=st.booleans(),
    k=st.sampled_from([Fraction(60), Fraction(0), Fraction(1, 3)]),
    size=st.sampled_from([None, 7, 1000]),
)
def test_ranks_are_combined_as_defined(method, runs, weights, ties, weighted, k, size):
    weights = weights[: len(runs)] if weighted else [Fraction(1)] * len(runs)
    options = {"k": k} if method == "rrf" else {"collection_size": size} if method.startswith("borda") else {}
    fused = fuse([{"1": r} for r in runs], method, weights=weights if weighted else None, ties=ties, **options)
    check(fused, by_rank(method, runs, weights, ties, k, options.get("collection_size")))


@settings(max_examples=25, deadline=None)
@given(runs=campaigns, weights=weightings, ties=st.sampled_from(["shared", "trec"]), weighted=st.booleans())
def test_condorcet_counts_the_documents_that_a_majority_puts_below(runs, weights, ties, weighted):
    weights = weights[: len(runs)] if weighted else [Fraction(1)] * len(runs)
    fused = fuse([{"1": r} for r in runs], "condorcet", weights=weights if weighted else None, ties=ties)
    check(fused, by_majority(runs, weights, ties))


@settings(max_examples=25, deadline=None)
@given(runs=campaigns, ties=st.sampled_from(["shared", "trec"]), size=st.sampled_from([None, 7, 10**6]))
def test_information_counts_the_documents_that_are_as_high_everywhere(runs, ties, size):
    fused = fuse([{"1": r} for r in runs], "information", collection_size=size, ties=ties)
    counts = outscorers(runs, ties)
    check(fused, {d: ln(Fraction(size or len(counts), count)) for d, count in counts.items()})


@settings(max_examples=10, deadline=None)
@given(runs=campaigns, weights=weightings)
def test_mc4_is_where_the_walk_along_majorities_stays(runs, weights):
    weights = weights[: len(runs)]
    fused = fuse([{"1": r} for r in runs], "mc4", weights=weights)
    documents = sorted({d for ranking in runs for d in ranking})
    size = len(documents)
    steps = np.zeros((size, size))
    for i, one in enumerate(documents):
        for j, other in enumerate(documents):
            steps[i, j] = leads(one, other, runs, weights)
        steps[i, i] = size - steps[i].sum()
    walk = (1 - TELEPORT) * steps / size + TELEPORT / size
    shares = dict(zip(fused.documents, fused.document_scores.tolist(), strict=True))
    here = np.array([shares[d] for d in documents])
    assert here.sum() == pytest.approx(1, abs=1e-8)
    assert here @ walk == pytest.approx(here, rel=1e-8)
