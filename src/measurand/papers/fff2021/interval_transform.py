"""Section VI: the transform that gives every value its rank among all values, and with it equal steps."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import log10

from measurand.intervals import image
from measurand.measures import define, parse
from measurand.papers.exhibit import Line, Printed, exhibit, line
from measurand.papers.printed import MEASURES
from measurand.scales import enumeration_bytes, interval

FOUR = tuple(product((0, 1), repeat=4))
"""All runs of four ranks, in the order of the binary numbers that they spell."""


def run(text: str) -> tuple[int, ...]:
    """Return a judged run that is written as digits."""
    return tuple(map(int, text))


@exhibit("FFF-VI-eq2", "FFF-VI-interval", where="Section VI, equation (2), with the ranks of Section VI-A")
def rank_of_a_value() -> Iterator[Line]:
    """The rank of a value of DCG is the number of values up to it."""
    measure, scale = parse("DCG(b=2)@4"), interval("DCG(b=2)@4")
    for text, rank in (("1111", 12), ("1110", 11), ("1101", 10), ("1011", 9), ("0001", 2), ("0000", 1)):
        yield line(f"φ of {text}, DCG {measure.value(run(text)):.3f}", scale.rank(run(text)), printed=rank)
    values = sorted({scale.of(each) for each in FOUR})
    equal = values == [Fraction(place, scale.size - 1) for place in range(scale.size)]
    yield line("all steps between transformed values are equal", equal, said=True)
    inside = all(0 <= measure.value(each) <= 1 for each in FOUR)
    yield line("values of DCG lie in [0, 1], the domain of φ", inside, said=True, erratum="E32")


@exhibit("FFF-VI-eq1", where="Section VI, after equation (2), with the systems of Table 1")
def order_of_systems() -> Iterator[Line]:
    """The transform keeps the order of runs on a topic, but not the order of averages."""
    measure, scale = parse("AP@4"), interval("AP@4")
    a, b = (run("1110"), run("1001")), (run("1101"), run("1010"))
    for topic in (0, 1):
        same = (measure.key(a[topic]) < measure.key(b[topic])) == (scale.rank(a[topic]) < scale.rank(b[topic]))
        yield line(f"Table 1, topic {topic + 1}: AP and φ order A and B alike", same, said=True)
    means = [sum(measure.value(each, recall_base=4) for each in system) / 2 for system in (a, b)]
    ranks = [Fraction(sum(scale.rank(each) for each in system), 2) for system in (a, b)]
    yield line("mean AP of A and B", tuple(means), printed=("0.5625", "0.5521"))
    yield line("mean rank of A and B", tuple(ranks))
    alike = (means[0] > means[1]) == (ranks[0] > ranks[1])
    yield line("A and B ordered alike on average", alike, said=True, erratum="E41")


@exhibit("FFF-VI-ties", where="Section VI, how ties are ranked")
def ranks_of_ties() -> Iterator[Line]:
    """Four ways to rank tied values; only the first has equal steps."""
    values = ("0", "0.25", "0.4", "0.4", "0.7")
    five = define(lambda run: Fraction(values[run[0]]), name="Five", graded=True)
    printed: dict[str, tuple[Printed, ...]] = {
        "unq": (1, 2, 3, 3, 4),
        "mid": (1, 2, Fraction(7, 2), Fraction(7, 2), 5),
        "min": (1, 2, 3, 3, 5),
        "max": (1, 2, 4, 4, 5),
    }
    for ties, ranks in printed.items():
        scale = interval(five, depth=1, grades=5, ties=ties)
        yield line(f"{ties} ranks of {', '.join(values)}", tuple(scale.rank((n,)) for n in range(5)), printed=ranks)
    for ties, even in {"unq": True, "mid": False, "min": False, "max": False}.items():
        scale = interval(five, depth=1, grades=5, ties=ties)
        steps = {high - low for low, high in pairwise(sorted({scale.rank((n,)) for n in range(5)}))}
        yield line(f"{ties} ranks are equally spaced", len(steps) == 1, said=even)


@exhibit(
    "FFF-VI-RBP05",
    "FFF-VI-RR",
    "FFF-VI-P",
    "FFF-VI-RBP03",
    where="Section VI, closed forms, and Section VIII-A1 on RBP",
)
def closed_forms() -> Iterator[Line]:
    """Ranks that can be written down: RBP, RR, P, for runs of four ranks."""
    halves, reciprocal, precision = (interval(name) for name in ("RBP(p=0.5)@4", "RR@4", "P@4"))
    yield line("RBP, p = 1/2, 1111: printed 2^N m", halves.rank(run("1111")), derived=15, erratum="E29")
    yield line("RR, 1000: printed N + 1 − 1/m", reciprocal.rank(run("1000")), derived=4, erratum="E30")
    yield line("RR, 0001: printed N + 1 − 1/m", reciprocal.rank(run("0001")), derived=1, erratum="E30")
    yield line("RR, 0000: printed N + 1 − 1/0", reciprocal.rank(run("0000")), derived="undefined", erratum="E30")
    rbp, rr = ({each: Fraction(str(parse(name).of(each))) for each in FOUR} for name in ("RBP(p=0.5)", "RR"))
    yield line("RBP: φ = 2^N m + 1 for all runs", all(halves.rank(each) == 16 * rbp[each] + 1 for each in FOUR))
    found = [each for each in FOUR if any(each)]
    yield line("RR: φ = N + 2 − 1/m where m > 0", all(reciprocal.rank(each) == 6 - 1 / rr[each] for each in found))
    yield line("P: φ is one more than the relevant", all(precision.rank(each) == sum(each) + 1 for each in FOUR))
    impatient = interval("RBP(p=0.3)@4")
    same = all(impatient.rank(each) == halves.rank(each) for each in FOUR)
    yield line("RBP, p = 0.3: the same ranks as p = 1/2", same, said=True)
    yield line("RBP, p = 0.3: φ of 1001, binary number and one", impatient.rank(run("1001")))


@exhibit("FFF-VI-A-proc1", "FFF-VI-A-proc2", "FFF-VI-A-sort", where="Section VI-A, Procedures 1 and 2")
def procedures() -> Iterator[Line]:
    """Ranking all runs of DCG, and looking up the rank of one."""
    measure, scale = parse("DCG(b=2)@4"), interval("DCG(b=2)@4")
    ranks = tuple(scale.rank(each) for each in FOUR)
    yield line("different values of DCG on four ranks", scale.size, printed=12)
    yield line("ranks of runs 0 to 15", ranks)
    for text, index, value, rank in (("0011", 3, "1.131", 5), ("1001", 9, "1.500", 6)):
        found = FOUR.index(run(text)), measure.value(run(text)), scale.rank(run(text))
        yield line(f"{text}: number, value, rank", found, printed=(index, value, rank))
    ap = interval("AP@4")
    mirrored = all(ap.rank(each, descending=True) == ap.size + 1 - ap.rank(each) for each in FOUR)
    yield line("ranks from the top mirror those from the bottom", mirrored, said=True)


@exhibit("FFF-VI-B-len", where="Section VI-B")
def length_of_runs() -> Iterator[Line]:
    """Scales of different lengths of runs have different sizes, so they do not mix."""
    for depth, size in ((5, 24), (10, 768), (15, 24576)):
        yield line(f"values of DCG on {depth} ranks", interval("DCG(b=2)", depth=depth).size, printed=size)
    law = all(interval("DCG(b=2)", depth=depth).size == 3 * 2 ** (depth - 2) for depth in (2, 3, 20, 30, 63))
    yield line("they are 3 · 2^(N−2) at N = 2, 3, 20, 30, 63", law)
    yield line("rank of 10 among runs of two ranks", interval("DCG(b=2)", depth=2).rank((1, 0)))
    yield line("rank of 10, filled up to 1000", interval("DCG(b=2)", depth=4).rank((1, 0)))


@exhibit("FFF-VI-C1", "FFF-VI-C2", "FFF-VI-C2-feas", where="Section VI-C")
def topics_together() -> Iterator[Line]:
    """Without a recall base all topics share a scale; with one, a scale stands in for theirs."""
    alone, with_base = (
        ("P", "RBP_p05", "RR", "RBP_p03", "RBP_p08", "DCG_b02", "DCG_b10"),
        ("R", "AP", "nDCG_b02", "nDCG_b10"),
    )
    for labels, shared in ((alone, True), (with_base, False)):
        for label in labels:
            ours = not interval(MEASURES[label]).surrogate
            yield line(f"topics share the scale of {label}", ours, said=shared)
    for (depth, base), measure in product(((5, 3), (10, 5)), ("DCG(b=2)", "AP")):
        feasible, every = image(measure, depth, recall_base=base), image(measure, depth)
        what = f"values of {measure} on {depth} ranks: recall base {base}, any"
        yield line(what, (feasible.size, every.size))


@exhibit("FFF-Ex12", where="Section VI-C, Example 12")
def example_12() -> Iterator[Line]:
    """Recall on two ranks: the transform forgets the recall base."""
    recall, scale = parse("R"), interval("R@2")
    two = tuple(product((0, 1), repeat=2))
    for base, printed, far in ((2, ("0", "1/2", "1/2", "1"), "1/2"), (3, ("0", "1/3", "1/3", "2/3"), "1/3")):
        values = [Fraction(str(recall.of(each, recall_base=base))) for each in two]
        ranks = tuple(scale.rank(each, recall_base=base) for each in two)
        yield line(f"recall base {base}: R of 00, 01, 10, 11", tuple(map(str, values)), printed=printed)
        yield line(f"recall base {base}: their ranks", ranks, printed=(1, 2, 2, 3))
        steps = str(values[3] - values[2]), ranks[3] - ranks[2]
        yield line(f"recall base {base}: step to 11, in R and in ranks", steps, printed=(far, 1))


@exhibit("FFF-VI-D-mem", "FFF-VI-D-graded", "FFF-VI-D-fast", where="Section VI-D")
def cost() -> Iterator[Line]:
    """What writing down all runs takes, and ranks at thirty ranks without it."""
    yield line("40 ranks, 1 bit a digit, TiB", enumeration_bytes(40, bits=1) // 2**40, printed=40, erratum="E31")
    yield line("40 ranks, 1 byte a digit, TiB", enumeration_bytes(40, bits=8) // 2**40)
    yield line("40 ranks, 8 bytes a digit, TiB", enumeration_bytes(40) // 2**40, printed=320)
    yield line("30 ranks, 8 bytes a digit, GiB", enumeration_bytes(30) // 2**30, printed=240)
    for grades, power in ((2, 9), (4, 18)):
        runs = image("DCG(b=2)", 30, grades=grades).total
        yield line(f"runs of 30 ranks and {grades} grades", runs)
        yield line("which is about ten to the power of", round(log10(runs)), printed=power)
    scale = interval("DCG(b=2)@30")
    yield line("values of DCG on 30 ranks", scale.size)
    for name, text in (("1, then nothing", "1"), ("five relevant first", "11111"), ("10 fifteen times", "10" * 15)):
        yield line(f"φ of {name}", scale.rank(run(text.ljust(30, "0"))))


EXHIBITS = (
    rank_of_a_value,
    order_of_systems,
    ranks_of_ties,
    closed_forms,
    procedures,
    length_of_runs,
    topics_together,
    example_12,
    cost,
)
