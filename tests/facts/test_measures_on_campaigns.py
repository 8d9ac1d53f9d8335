"""The vectorised scores of whole campaigns against the exact definition, run by run."""

from collections import defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns
from measurand.measures import catalogue, parse
from measurand.measures.campaigns import with_campaign

VARIANTS = [
    "AP(judged_only=True)@5",
    "AP(rel=2)",
    "Accuracy(rel=2, judged_only=True)@5",
    "BPM(T='7/3', gain='exp2')@5",
    "BPMD(K=3, T='3/2', hb='1/3', hc=2)",
    "Bpref(rel=3)@6",
    "Compat(p=0.8)@6",
    "DCG(b=2, gain='exp2')",
    "ERR(gmax=5)@4",
    "F(beta='1/3')@5",
    "INST(T='3/2')@7",
    "IPrec(rel=2)@0.3",
    "Judged@4",
    "NERR8(gmax=5)@4",
    "NERR9@20",
    "Q(beta='1/2', rel=2)@6",
    "RBP(p='1/3', rel=2)",
    "RBP(p=0.5)",
    "RelativeP(rel=2)@5",
    "Rprec(multiple=1.4)",
    "SDCG(gmax=4)@3",
    "SetF(beta=2, judged_only=True)",
    "TBG(halflife=50, rel=2, words=300)@4",
    "Unjudged@4",
    "gR(gain='exp2')@5",
    "gRBP(gain='exp2', p=0.9)",
    "gm(nDCG@5)",
    "infAP(rel=2)",
    "nDCG(b=3)@6",
    "nDCG(gain='1=3,2=1')@4",
    "nERR@3",
]

CLOSE = 1e-12


@st.composite
def campaigns(draw):
    """Return judged runs of some systems on some topics, ragged, with gaps in the judgments."""
    systems, topics, depth = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 12))
    top = draw(st.integers(1, 4))
    cell = st.sampled_from([UNJUDGED, POOLED, 0, *range(top + 1)])
    runs = st.lists(cell, max_size=depth).map(lambda run: run + [NOTHING] * (depth - len(run)))
    drawn = draw(st.lists(runs, min_size=systems * topics, max_size=systems * topics))
    cells = np.array(drawn, dtype=np.int8).reshape(systems, topics, depth)
    # at least as many documents of each grade as any system found, and some that none found
    found = np.stack([(cells == grade).sum(axis=2).max(axis=0) for grade in range(top + 1)], axis=1)
    beyond = draw(st.lists(st.integers(0, 4), min_size=found.size, max_size=found.size))
    return JudgedRuns(
        systems=tuple(f"s{s}" for s in range(systems)),
        topics=tuple(f"t{t}" for t in range(topics)),
        cells=cells,
        lengths=(cells != NOTHING).sum(axis=2),
        grade_counts=found + np.array(beyond).reshape(found.shape),
    )


@settings(max_examples=15, deadline=None)
@given(judged=campaigns())
def test_scores_are_the_exact_values_and_equal_where_these_are_equal(judged):
    for spelling in (*catalogue(), *VARIANTS):
        measure = with_campaign(parse(spelling), judged)
        scores = parse(spelling).scores(judged).values
        for t, counts in enumerate(judged.grade_counts):
            floats = defaultdict(set)
            for s in range(len(judged.systems)):
                exact = measure.of(judged.cells[s, t], grade_counts=counts)
                assert abs(scores[s, t] - float(exact)) <= CLOSE * max(1, abs(float(exact))), spelling
                floats[exact].add(scores[s, t])
            assert all(len(same) == 1 for same in floats.values()), spelling
