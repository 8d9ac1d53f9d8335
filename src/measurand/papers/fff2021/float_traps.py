"""The traps of double precision: what goes wrong if floats decide which runs tie, and what is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor, log

import numpy as np

from measurand.axioms.balance import balancing_index
from measurand.judged import JudgedRuns, every_run
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.doubles import float_image
from measurand.papers.fff2021.effect_of_doubles import float_effect
from measurand.scales import interval
from measurand.scores import Scores
from measurand.statistics import kendall, signed_rank


def both(measure: str, depth: int, grades: int = 2, *, name: str = "", pairwise: bool = False) -> Iterator[Line]:
    """Return how many different values and doubles a measure has on all runs of a depth."""
    found = float_image(measure, depth, grades, arithmetic="pairwise" if pairwise else "left to right")
    where = f"{name or measure}, {depth} ranks" + (f", {grades} grades" if grades > 2 else "")
    yield line(f"{where}: distinct values", found.exact)
    yield line(f"{where}: distinct doubles{', by numpy rows' if pairwise else ''}", found.size)


@exhibit("F1", where="Double precision, trap F1")
def average_precision() -> Iterator[Line]:
    """Equal average precisions, added up in different orders, become different doubles."""
    six = float_image("AP", 6)
    yield line("AP, 6 ranks: distinct values", six.exact)
    yield line("AP, 6 ranks: distinct doubles", six.size)
    yield line("the same, one relevant document", float_image("AP", 6, recall_base=1).size)
    broken = six.splits()[0]
    yield line("the tie that breaks", ", ".join("".join(map(str, run)) for run in (broken.one, broken.other)))
    yield line("its doubles", ", ".join(map(repr, broken.doubles)))
    yield from both("AP", 8)
    yield from both("AP", 10, pairwise=True)


@exhibit("F2", where="Double precision, trap F2")
def discounted_gain() -> Iterator[Line]:
    """Sums of discounted gains depend on the order of adding, which a matrix product does not disclose."""
    yield from both("DCG(b=2)", 10, name="DCG base 2")
    yield from both("DCG(b=10)", 14, name="DCG base 10", pairwise=True)
    yield from both("DCG(b=10)", 16, name="DCG base 10", pairwise=True)


@exhibit("F3", where="Double precision, trap F3")
def expected_reciprocal_rank() -> Iterator[Line]:
    """Equal expected reciprocal ranks part from ten ranks on."""
    yield from both("ERR", 9)
    yield from both("ERR", 10)


@exhibit("F4", where="Double precision, trap F4")
def graded() -> Iterator[Line]:
    """With more than two grades adding from left to right is no help either."""
    yield from both("DCG(b=2)", 8, 3, name="DCG base 2")
    yield from both("DCG(b=2)", 9, 3, name="DCG base 2")
    yield from both("DCG(b=2, gain=exp2)", 8, 3, name="DCG base 2, gains 0 1 3")
    yield from both("gRBP(p=0.5)", 2, 4, name="gRBP .5")
    yield from both("ERR", 5, 4)


@exhibit("F5", where="Double precision, trap F5")
def equal_differences() -> Iterator[Line]:
    """Equal differences of precision differ in the last bit, so that the signed rank test loses ties."""
    yield line(".3 − .1, .5 − .3, .9 − .7: distinct doubles", len({0.3 - 0.1, 0.5 - 0.3, 0.9 - 0.7}))
    counts = np.array([[3, 5, 9, 2, 7, 8, 4], [1, 3, 7, 3, 6, 4, 2]])
    exact, shares = (_scores("P@10", values) for values in (counts, counts / 10))
    same = signed_rank(exact).of("a", "b") == signed_rank(shares).of("a", "b")
    yield line("signed rank test of counts and of shares: same p here", same)


@exhibit("F6", where="Double precision, trap F6")
def rounding() -> Iterator[Line]:
    """Rounding makes different values equal, and breaks a tie that lies on a border."""
    rbp = float_image("RBP(p=0.8)", 15, digits=8)
    yield line("RBP .8, 15 ranks: distinct values", rbp.exact)
    yield line("RBP .8, 15 ranks: distinct to 8 decimals", rbp.size)
    ap = float_image("AP", 12, digits=4)
    yield line("AP, 12 ranks: distinct values", ap.exact)
    yield line("AP, 12 ranks: distinct to 4 decimals", ap.size)
    yield line("a tie that is printed as no tie", ", ".join(map(repr, ap.splits()[0].doubles)))


@exhibit("F7", where="Double precision, trap F7")
def lost_weights() -> Iterator[Line]:
    """The weight of a deep rank is lost beside the sum of those above it."""
    for measure, depth in (("RBP(p=0.3)", 31), ("RBP(p=0.3)", 32), ("RBP(p=0.5)", 53), ("RBP(p=0.5)", 54)):
        found = float_image(measure, depth, head=(1, *[0] * (depth - 11)))
        yield line(f"{measure}: doubles of the 1,024 ends of {depth} ranks", found.size)


@exhibit("F8", where="Double precision, trap F8")
def balance() -> Iterator[Line]:
    """The balancing index of RBP with p = 1/2 is 1, and 2 in doubles from 54 ranks on."""
    for n in (53, 54):
        yield line(f"RBP .5, {n} ranks: in doubles", floor(log(0.5 + 0.5**n) / log(0.5) + 1))
        yield line(f"RBP .5, {n} ranks: exactly", balancing_index("RBP(p=0.5)", n))


@exhibit("F9", where="Double precision, trap F9")
def averages() -> Iterator[Line]:
    """Equal means of doubles differ in the last bit."""
    scores = _scores("P@5", np.array([[0, 0, 3], [0, 1, 2]]) / 5)
    yield line("means of (0, 0, 3)/5 and (0, 1, 2)/5", ", ".join(repr(float(mean)) for mean in scores.mean()))
    yield line("exactly", tuple(Fraction(sum(found), 15) for found in ((0, 0, 3), (0, 1, 2))))
    yield line("ties that Kendall's tau sees, unrounded", kendall(scores, [1, 2], decimals=None).ties_x)
    yield line("ties that it sees, means rounded to 8 decimals", kendall(scores, [1, 2]).ties_x)


@exhibit("F10", where="Double precision, trap F10")
def by_topic() -> Iterator[Line]:
    """A measure no longer agrees with its own exact order, topic by topic."""
    judged = JudgedRuns.on_one_topic(every_run(8, 2), (8, 8))
    found = float_effect(judged, "AP", depth=8, tests=()).of("AP")
    yield line("256 runs as systems: pairs that tie under AP@8", found.tied)
    yield line("of these, broken in doubles", found.split)
    yield line("Kendall's tau with the exact order is 1", found.tau == 1)
    settled = kendall(parse("AP").scores(judged), interval("AP@8").scores(judged), kind="topic")
    yield line("the same of the scores that measurand gives", float(settled) == 1)


@exhibit("F11", where="Double precision, trap F11")
def safe_cases() -> Iterator[Line]:
    """One division of whole numbers is rounded alike wherever the quotient is the same."""
    for measure in ("P", "R", "RR"):
        found = float_image(measure, 10)
        yield line(f"{measure}, 10 ranks: doubles, values", (found.size, found.exact))
    yield line("r/30 for 0 to 30 relevant documents: doubles", len({r / 30 for r in range(31)}))
    yield line("the values of P at 30 ranks", interval("P@30").size)


def _scores(measure: str, values: Sequence[Sequence[float]] | np.ndarray) -> Scores:
    return Scores(measure=measure, values=values, systems=("a", "b"), topics=tuple(map(str, range(len(values[0])))))


EXHIBITS = (
    average_precision,
    discounted_gain,
    expected_reciprocal_rank,
    graded,
    equal_differences,
    rounding,
    lost_weights,
    balance,
    averages,
    by_topic,
    safe_cases,
)
