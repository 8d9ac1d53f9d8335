"""Section 6: information in the words of Dempster and Shafer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from measurand.errors import ParameterError
from measurand.exact import log
from measurand.information import evidence, exact_entropy, outscorer_counts
from measurand.papers.agms2018.information import RANKINGS, SETS, random_signals
from measurand.papers.exhibit import Line, exhibit, line


@exhibit("AGMS-D6.1", "AGMS-D6.2", "AGMS-6-INCL", where="Definitions 6.1 and 6.2")
def observations() -> Iterator[Line]:
    """What is seen of a document is a fuzzy set of signals."""
    seen = {document: evidence.observation(RANKINGS, document) for document in ("d1", "d2", "d3", "d9")}
    for document in ("d2", "d9"):
        yield line(f"Table 1, {document}: memberships of r1, r2, r3", tuple(seen[document][name] for name in RANKINGS))
    yield line("more is seen of d1 than of d2", seen["d2"] < seen["d1"])
    yield line("of d1 and d3, more is seen of one", seen["d1"] <= seen["d3"] or seen["d3"] <= seen["d1"])
    wide = {name: {document: 1000**value for document, value in one.items()} for name, one in RANKINGS.items()}
    same = evidence.assignment(wide, 10) == evidence.assignment(RANKINGS, 10)
    yield line("1000, 1000², 1000³ in place of 1, 2, 3 say the same", same)
    yield line("a score such as 3 is a membership as it is", _is_membership(3), derived=True, erratum="E-A-21")


def _is_membership(degree: int) -> bool:
    try:
        evidence.Observation({"r": degree})
    except ParameterError:
        return False
    return True


@exhibit("AGMS-6-BPA", "AGMS-6-BEL", where="Section 6")
def shares_of_documents() -> Iterator[Line]:
    """The share of documents of which so much is seen, in Table 1 with ten documents."""
    shares = evidence.assignment(RANKINGS, 10)
    d1, d2, d3, d4, unseen = (evidence.observation(RANKINGS, name) for name in ("d1", "d2", "d3", "d4", "d9"))
    yield line("the shares sum to", sum(shares.values()), derived=1)
    yield line("just what is seen of d1, d2, d3, d4", tuple(shares[seen] for seen in (d1, d2, d3, d4)))
    yield line("nothing at all", shares[unseen])
    yield line("at least what is seen of d2", evidence.commonality(shares, d2))
    a, both = evidence.Observation({"a": 1, "b": 0}), evidence.Observation({"a": 1, "b": 1})
    half = {a: Fraction(1, 2), both: Fraction(1, 2)}
    yield line("{a} seen in half, {a, b} in half: belief in {a}", evidence.belief(half, a), derived=1, erratum="E-A-15")
    yield line("its commonality, which the printed sum is", evidence.commonality(half, a))


@exhibit("AGMS-6-I", "AGMS-6-H", where="Section 6, information as evidence")
def information_as_evidence() -> Iterator[Line]:
    """Information is minus the logarithm of a share, and entropy its mean."""
    told = mean = True
    for signals in map(random_signals, range(SETS // 3)):
        shares, counts = evidence.assignment(signals, 9), outscorer_counts(signals, 9)
        for document, count in counts.items():
            seen = evidence.observation(signals, document)
            told &= evidence.observed_quantity(shares, seen) == log(Fraction(9, count))
        mean &= evidence.observed_entropy(shares) == exact_entropy(signals, 9)
    yield line(f"minus the logarithm is I, {SETS // 3} random sets", told, said=True)
    yield line(f"its mean is H, {SETS // 3} random sets", mean, said=True)
    shares = evidence.assignment(RANKINGS, 10)
    yield line("Table 1: the mean is H", evidence.observed_entropy(shares) == exact_entropy(RANKINGS, 10), said=True)


EXHIBITS = (observations, shares_of_documents, information_as_evidence)
