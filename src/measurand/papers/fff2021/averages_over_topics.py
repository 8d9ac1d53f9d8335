"""Sections IV-C and IV-D: averages over topics, whose scales may differ.

Section IV-C: topics with scales of their own, and the correlation of rankings of systems. Section IV-D: precision,
recall and F1 of results of different sizes on topics with different recall bases. The paper writes S[N, K] for all
results of at most N documents on topics with at most K relevant ones; a result is how many relevant documents it
holds, how many documents, and the recall base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from measurand.exact import Exact
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.set_scales import SetResult, SetUniverse
from measurand.scales import common_scale, union
from measurand.scores import Scores
from measurand.statistics import kendall, similarity


@exhibit("FFF-IV-C-tau", where="Section IV-C, Kendall's tau")
def tau_with_ties() -> Iterator[Line]:
    """A ranking with ties agrees with itself, if pairs that are tied in both rankings count for nothing."""
    tau = kendall([1, 1, 2, 3], [1, 1, 2, 3])
    yield line("tau of 1, 1, 2, 3 with itself", Fraction(tau))
    # each ranking has one tie, the same pair in both
    as_printed = Fraction(tau.concordant - tau.discordant, tau.concordant + tau.discordant + tau.ties_both)
    yield line("the same, all ties of a ranking counted", as_printed)
    yield line("a ranking has tau 1 with itself, as printed", as_printed == 1, said=True, erratum="E16")
    yield line("tau with a ranking of ties alone is undefined", bool(kendall([1, 1, 1], [1, 2, 3]).undefined))


def _campaign(counts: dict[str, tuple[int, ...]], size: int, recall_bases: tuple[int, ...]) -> JudgedRuns:
    """Return systems that retrieve so many relevant documents among so many, on topics with these recall bases."""
    cells = [[[1] * relevant + [0] * (size - relevant) for relevant in found] for found in counts.values()]
    return JudgedRuns(
        systems=tuple(counts),
        topics=tuple(f"t{place}" for place, _ in enumerate(recall_bases, 1)),
        cells=np.array(cells, dtype=np.int8),
        lengths=np.full((len(counts), len(recall_bases)), size),
        grade_counts=np.array([(99, base) for base in recall_bases]),
    )


@exhibit(*("FFF-IV-C-overall", "FFF-IV-C-tbt", "FFF-IV-C-toy"), where="Section IV-C, overall and topic by topic")
def overall_and_topic_by_topic() -> Iterator[Line]:
    """Precision and recall agree on every topic and reverse the systems: A finds 2 and 1, B finds 1 and 3."""
    judged = _campaign({"A": (2, 1), "B": (1, 3)}, 5, (2, 10))
    precision, recall = (parse(name).scores(judged) for name in ("P@5", "R@5"))
    yield line("mean P of A and B", tuple(precision.mean()))
    yield line("mean R of A and B", tuple(recall.mean()))
    by_topic = kendall(precision, recall, kind="topic").by_topic
    yield line("tau of P and R on each topic", tuple(map(Fraction, by_topic)), said=(1, 1))
    yield line("tau of their means", Fraction(kendall(precision, recall)))


@exhibit("FFF-IV-C-CF", where="Section IV-C, Celsius and Fahrenheit")
def tau_of_temperatures() -> Iterator[Line]:
    """One affine map for all days leaves both kinds of correlation at 1."""
    day, town = np.indices((50, 20))
    celsius = (17 * day + 5 * town**2 + day * town) % 46 - 10
    towns, days = tuple(map(str, range(20))), tuple(map(str, range(50)))
    c, f = (
        Scores(measure=unit, values=values.T.astype(float), systems=towns, topics=days, scale="interval")
        for unit, values in (("°C", celsius), ("°F", celsius * 9 / 5 + 32))
    )
    yield line("overall", Fraction(kendall(c, f)), said=1)
    yield line("day by day", Fraction(kendall(c, f, kind="topic")), said=1)


@exhibit("FFF-IV-C-rule", where="Section IV-C, thresholds")
def thresholds() -> Iterator[Line]:
    """What a correlation is usually taken for."""
    yield line("tau above 0.9", similarity(0.95), said="equivalent")
    yield line("tau between 0.8 and 0.9", similarity(0.85), said="similar")
    yield line("tau below 0.8", similarity(0.75), said="different")
    yield line("tau of P and R on TREC-8, 0.8588", similarity(0.8588), said="similar")


@exhibit("FFF-Ex11", where="Section IV-C, Example 11")
def recall_on_three_topics() -> Iterator[Line]:
    """Recall on topics with 1, 2 and 3 relevant documents: no equal steps, or values that cannot be."""
    images = [SetUniverse(9, base).image("R") for base in (1, 2, 3)]
    mixed, common = union(images), common_scale(images)
    yield line("all values", tuple(map(str, mixed)), printed=("0", "1/3", "1/2", "2/3", "1"))
    yield line("they are equally spaced", mixed.equispaced, said=False)
    sixths = ("0", "1/6", "1/3", "1/2", "2/3", "5/6", "1")
    yield line("on a common denominator", tuple(map(str, common)), printed=sixths)
    yield line("of these no topic takes", tuple(str(x) for x in common if x not in set(mixed)), printed=("1/6", "5/6"))
    possible = [base for base in range(1, 7) if Fraction(1, 6) in set(SetUniverse(9, base).image("R"))]
    yield line("recall bases up to 6 that allow 1/6", tuple(possible), said=(6,))


UP_TO = SetUniverse.up_to
MOST = 6
"""Claims about all N and K are looked at up to here."""


def _image(universe: SetUniverse, measure: str) -> tuple[str, ...]:
    return tuple(map(str, universe.image(measure)))


def _lowest(n: int, k: int, measure: str) -> list[Exact]:
    """Return the three lowest values on S[n, k]."""
    return list(UP_TO(n, k).image(measure))[:3]


def _holds_everywhere(claim: Callable[[int, int], bool]) -> bool:
    return all(claim(n, k) for n, k in product(range(1, MOST + 1), repeat=2))


@exhibit("FFF-IV-D-S", where="Section IV-D, S[N, K]")
def results() -> Iterator[Line]:
    """How many results there are."""
    listed = "(0, 1, 1) (0, 1, 2) (0, 2, 1) (0, 2, 2) (1, 1, 1) (1, 1, 2) (1, 2, 1) (1, 2, 2) (2, 2, 2)"
    yield line("S[2, 2]", " ".join(sorted(map(str, UP_TO(2, 2).results))), printed=listed)
    for n in range(1, 5):
        yield line(f"results in S[{n}, 1] to S[{n}, 4]", tuple(len(UP_TO(n, k).results) for k in range(1, 5)))


@exhibit("FFF-IV-D-cell", where="Section IV-D, one size and one recall base")
def one_size_and_recall_base() -> Iterator[Line]:
    """With one size and one recall base all three are interval scales, and multiples of each other."""
    cells = {(n, base): SetUniverse(n, base) for n, base in product(range(1, MOST + 1), repeat=2)}
    even = all(cell.interval(measure) for cell in cells.values() for measure in "PRF")
    yield line("P, R and F1 are equally spaced", even, said=True)
    recall = all(cell.affine("P", "R").argument == f"R = {Fraction(*at)} P" for at, cell in cells.items())
    yield line("R is n/RB times P", recall, derived=True)
    f_one = all(
        cell.affine("P", "F").argument == f"F = {Fraction(2 * n, n + base)} P" for (n, base), cell in cells.items()
    )
    yield line("F1 is 2n/(n + RB) times P", f_one, derived=True)


@exhibit("FFF-IV-D1-img", "FFF-IV-D1-int", "FFF-IV-D1-fixn", where="Section IV-D1, precision")
def precision_of_sets() -> Iterator[Line]:
    """Precision is on an interval scale if results have at most two documents, or all the same size."""
    yield line("values on S[1, 4]", _image(UP_TO(1, 4), "P"), printed=("0", "1"))
    yield line("values on S[2, 4]", _image(UP_TO(2, 4), "P"), printed=("0", "1/2", "1"))
    yield line("values on S[3, 1]", _image(UP_TO(3, 1), "P"), printed=("0", "1/3", "1/2", "1"))
    yield line("values on S[3, 2]", _image(UP_TO(3, 2), "P"), printed=("0", "1/3", "1/2", "2/3", "1"))
    interval = _holds_everywhere(lambda n, k: bool(UP_TO(n, k).interval("P")) == (n <= 2))
    yield line(f"N, K ≤ {MOST}: interval scale exactly if N ≤ 2", interval, said=True)
    lowest = _holds_everywhere(lambda n, k: n < 3 or _lowest(n, k, "P") == [0, Fraction(1, n), Fraction(1, n - 1)])
    yield line(f"3 ≤ N ≤ {MOST}: lowest values 0, 1/N, 1/(N−1)", lowest, said=True)
    fixed = [SetUniverse(5, range(1, k + 1)) for k in range(1, 9)]
    yield line("5 documents in each result, K ≤ 8: P is interval", all(one.interval("P") for one in fixed), said=True)
    yield line("… and R is interval, for K =", tuple(k for k, one in enumerate(fixed, 1) if one.interval("R")))


def _reversed(one: SetResult, two: SetResult) -> bool:
    """Return whether the paper's condition for a reversal holds."""
    if not one.relevant:
        return False
    sizes, found = Fraction(two.retrieved, one.retrieved), Fraction(two.relevant, one.relevant)
    return sizes < found < Fraction(two.recall_base, one.recall_base)


@exhibit("FFF-IV-D2-int", "FFF-IV-D2-rev", where="Section IV-D2, recall")
def recall_of_sets() -> Iterator[Line]:
    """Recall is on an interval scale if recall bases are 1 or 2, or all the same; it may contradict precision."""
    interval = _holds_everywhere(lambda n, k: bool(UP_TO(n, k).interval("R")) == (k <= 2))
    yield line(f"N, K ≤ {MOST}: interval scale exactly if K ≤ 2", interval, said=True)
    lowest = _holds_everywhere(lambda n, k: k < 3 or _lowest(n, k, "R") == [0, Fraction(1, k), Fraction(1, k - 1)])
    yield line(f"3 ≤ K ≤ {MOST}: lowest values 0, 1/K, 1/(K−1)", lowest, said=True)
    fixed = [SetUniverse(range(1, n + 1), 5) for n in range(1, 9)]
    yield line("recall base 5 alone, N ≤ 8: R is interval", all(one.interval("R") for one in fixed), said=True)
    yield line("… and P is interval, for N =", tuple(n for n, one in enumerate(fixed, 1) if one.interval("P")))
    one, two = SetResult(1, 2, 1), SetResult(1, 1, 2)
    yield line("P of (1, 2, 1) and (1, 1, 2)", (one.precision, two.precision), printed=(Fraction(1, 2), 1))
    yield line("R of (1, 2, 1) and (1, 1, 2)", (one.recall, two.recall), printed=(1, Fraction(1, 2)))
    universe = UP_TO(4, 4)
    meant = {pair for pair in product(universe.results, repeat=2) if _reversed(*pair)}
    exact = set(universe.reversals()) == meant
    yield line("reversed exactly if n₂/n₁ < r₂/r₁ < RB₂/RB₁, S[4, 4]", exact, said=True)
    yield line("pairs reversed on S[4, 4] and S[5, 3]", len(meant) + len(UP_TO(5, 3).reversals()))


@exhibit("FFF-IV-D3-F1", "FFF-IV-D3-int", where="Section IV-D3, F1")
def f_of_sets() -> Iterator[Line]:
    """F1 is on an interval scale for one document and one relevant document alone."""
    defined = all(result.precision and result.recall for result in UP_TO(2, 2).results)
    yield line("the harmonic mean exists on all of S[2, 2]", defined, said=True, erratum="E27")
    nothing = {result.f for result in UP_TO(2, 2).results if not result.relevant}
    yield line("2r/(n + RB) where nothing is found", tuple(nothing))
    printed = {
        (1, 1): ("0", "1"),
        (2, 1): ("0", "2/3", "1"),
        (1, 2): ("0", "2/3", "1"),
        (2, 2): ("0", "1/2", "2/3", "1"),
    }
    for (n, k), values in printed.items():
        yield line(f"values on S[{n}, {k}]", _image(UP_TO(n, k), "F"), printed=values)
    yield line("values on S[3, 2]", _image(UP_TO(3, 2), "F"))
    interval = _holds_everywhere(lambda n, k: bool(UP_TO(n, k).interval("F")) == (n == k == 1))
    yield line(f"N, K ≤ {MOST}: interval scale exactly if N = K = 1", interval, said=True)
    lowest = _holds_everywhere(
        lambda n, k: max(n, k) < 3 or _lowest(n, k, "F") == [0, Fraction(2, n + k), Fraction(2, n + k - 1)]
    )
    yield line(f"N or K ≥ 3, ≤ {MOST}: lowest 0, 2/(N+K), 2/(N+K−1)", lowest, said=True)


@exhibit("FFF-IV-D4-tau", where="Section IV-D4, correlation")
def correlation_of_set_measures() -> Iterator[Line]:
    """Precision and recall can both be interval scales and yet no multiples of each other."""
    cells = {(n, k): UP_TO(n, k) for n, k in product(range(1, 5), repeat=2)}
    both = [at for at, one in cells.items() if one.interval("P") and one.interval("R") and not one.affine("P", "R")]
    yield line(
        "N, K ≤ 4: P and R interval but not affine on S[N, K]",
        tuple(map(str, both)),
        said=("(2, 2)",),
        erratum="E28",
    )
    yield line("pairs that they reverse there", tuple(len(cells[at].reversals()) for at in both))
    for at in ((1, 2), (2, 2), (3, 3)):
        taus = tuple(round(float(cells[at].correlation(*pair)), 4) for pair in ("PR", "PF", "RF"))
        yield line(f"tau of P and R, P and F1, R and F1 on S[{at[0]}, {at[1]}]", taus)
    found = cells[2, 2].correlation("P", "R")
    yield line("P and R on S[2, 2]: pairs alike, opposed", (found.concordant, found.discordant))
    yield line("… tied in P alone, in R alone, in both", (found.ties_x, found.ties_y, found.ties_both))


EXHIBITS = (
    tau_with_ties,
    overall_and_topic_by_topic,
    tau_of_temperatures,
    thresholds,
    recall_on_three_topics,
    results,
    one_size_and_recall_base,
    precision_of_sets,
    recall_of_sets,
    f_of_sets,
    correlation_of_set_measures,
)
