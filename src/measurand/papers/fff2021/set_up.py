"""Section VII and the beginning of Section VIII-A: measures, collections, lengths of runs, and how means are ranked."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, log10

import numpy as np

from measurand.intervals import image
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.fff2021.synthetic import campaign
from measurand.papers.printed import MEASURES
from measurand.scales import interval
from measurand.scores import Scores
from measurand.statistics import kendall, sign


@exhibit(
    *("FFF-VII-meas", "FFF-VII-data", "FFF-VII-lenient", "FFF-VII-len", "FFF-VII-alpha"),
    where="Section VII, with the pairs of Tables 5 and 6",
)
def set_up() -> Iterator[Line]:
    """Eleven measures, three collections, four lengths of runs."""
    based = [label for label, spelling in MEASURES.items() if parse(spelling).uses_recall_base]
    yield line("measures without and with a recall base", (len(MEASURES) - len(based), len(based)), derived=(7, 4))
    for collection, runs, pairs in (("T08", 129, 8256), ("T26", 75, 2775), ("T27", 72, 2556)):
        yield line(f"pairs of systems, {collection} with {runs} runs", comb(runs, 2), printed=pairs)
    yield line("judged runs of 5 ranks", image("P", 5).total, printed=32)
    for depth, power in ((10, 3), (20, 6), (30, 9)):
        total = image("P", depth).total
        yield line(f"judged runs of {depth} ranks", total)
        yield line("which is about ten to the power of", round(log10(total)), printed=power)
    graded, binary = interval("DCG(b=2)@3").scores(JudgedRuns.on_one_topic([(0, 1, 2), (0, 1, 1)], (5, 2, 2))).values
    yield line("grades 0, 1, 2 count as 0, 1, 1", bool(graded == binary), said=True)
    six = Scores(measure="P", values=np.array([[1.0] * 6, [0.0] * 6]), systems=("a", "b"), topics=tuple("123456"))
    level = float(sign(six).of("a", "b"))
    yield line("p of six wins of six, sign test", level)
    yield line("significant at a level α equal to p", bool(sign(six).significant(level)[0, 1]))


@exhibit("FFF-VIII-A-round", "FFF-VIII-A-all", where="Section VIII-A")
def averages() -> Iterator[Line]:
    """Averages are rounded before they are ranked, and all systems are kept."""
    counts = np.array([[0, 0, 3], [0, 1, 2]])
    p = Scores(measure="P@5", values=counts / 5, systems=("a", "b"), topics=("1", "2", "3"))
    one, other = p.mean()
    yield line("P@5 of (0, 0, 3) and (0, 1, 2): floats are equal", bool(one == other))
    yield line("they tie after rounding to eight digits", kendall(p, [1, 2]).ties_x == 1)
    tau = kendall(parse("P@10").scores(campaign()), parse("AP@10").scores(campaign()))
    yield line("correlation; systems in it, of twelve", (tau.method, tau.n))


EXHIBITS = (set_up, averages)
