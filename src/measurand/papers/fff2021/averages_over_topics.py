"""Section IV-C: averages over topics that have scales of their own, and the correlation of rankings of systems."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.set_scales import SetUniverse
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


EXHIBITS = (
    tau_with_ties,
    overall_and_topic_by_topic,
    tau_of_temperatures,
    thresholds,
    recall_on_three_topics,
)
