"""The margin of judgments against all other grades that the judgments of small campaigns could have."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.judged import Pool
from measurand.measures import parse
from measurand.study.margins.documents import pair_documents
from measurand.study.margins.judgments import judgments_margin
from measurand.study.margins.margin import How
from measurand.study.margins.pair import compared_pair

DOCUMENTS = ("d1", "d2", "d3", "d4", "d5")

last = md.define(lambda run: max((i * g for i, g in enumerate(run, 1)), default=0), name="Last", graded=True)
share = md.define(
    lambda run, base: sum(g > 0 for g in run) ** 2 / (1 + base), name="Share", uses_recall_base=True, bounds=(0, 9)
)

ADDITIVE = ["P@2", "RBP(p=0.5)@3", "DCG@3", "gP@2", "NumRelRet", "Success@1", "RBP(rel=2)@3", "P(judged_only=True)@2"]
OTHERS = ["AP", "AP(rel=2)", "nDCG", "nDCG@2", "RR", "ERR@3", "Bpref", "R@2", "F", "Rprec", "Q", "gR@2", "Success@2"]


@st.composite
def campaigns(draw, topics=2, highest=2):
    """Return runs of two systems and judgments of some documents, few enough to try all other grades."""
    runs: dict[str, dict[str, dict[str, float]]] = {"a": {}, "b": {}}
    judgments: dict[str, dict[str, int]] = {}
    for topic in map(str, range(1, topics + 1)):
        for system in runs.values():
            returned = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, 4))]
            system[topic] = {name: 9.0 - place for place, name in enumerate(returned)}
        named = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, 4))]
        judgments[topic] = {name: draw(st.integers(0, highest)) for name in named}
    judgments["1"][next(iter(judgments["1"]))] = highest
    return runs, judgments


def pair_of(campaign, measure, **claim):
    runs, judgments = campaign
    return compared_pair(md.judge(runs, judgments), measure, "a", "b", **claim)


def smallest(campaign, pair):
    """Return the fewest changed judgments that overturn an order, trying all grades of all documents."""
    runs, judgments = campaign
    measure, highest = pair.measure, max(grade for grades in judgments.values() for grade in grades.values())
    tables = [
        lowest_differences(runs, judgments[topic], topic, pair, measure, highest, pair.judged.depth)
        for topic in pair.topics
    ]
    sizes = [sorted(table) for table in tables]
    done = [
        sum(chosen)
        for chosen in product(*sizes)
        if sum(table[size] for table, size in zip(tables, chosen, strict=True))
        <= (0 if pair.exact is not None else pair.tolerance * len(tables))
    ]
    return min(done, default=inf)


def lowest_differences(runs, judgments, topic, pair, measure, highest, depth):
    """Return the lowest difference of a topic for every number of changed judgments."""
    found: dict[int, object] = {}
    rational = pair.exact is not None
    for grades in product(range(highest + 1), repeat=len(judgments)):
        other = dict(zip(judgments, grades, strict=True))
        pool = Pool(tuple(grades.count(grade) for grade in range(highest + 1)))
        values = []
        for system in (pair.ahead, pair.behind):
            ordered = [other.get(name, -1) for name in runs[system][topic]]
            value = measure.exact(measure.view((*ordered, *[-2] * (depth - len(ordered)))), pool)
            values.append(value if rational else float(value))
        size = sum(other[name] != judgments[name] for name in judgments)
        difference = values[0] - values[1]
        found[size] = min(found.get(size, difference), difference)
    return found


def check(campaign, measure):
    pair = pair_of(campaign, measure)
    margin = judgments_margin(pair, pair_documents(pair))
    right = smallest(campaign, pair)
    assert margin.at_least <= right <= margin.value
    if margin.how is How.EXACT:
        assert margin.value == right
    if margin.value < inf:
        assert len(margin.certificate) == margin.value
        changed = pair.measure.scores(margin.certificate.apply())
        lead = changed.goodness[0].mean() - changed.goodness[1].mean()
        assert lead <= pair.tolerance
    return margin


@settings(max_examples=60)
@given(campaign=campaigns(), measure=st.sampled_from(ADDITIVE))
def test_the_margin_of_an_additive_measure_is_the_smallest_number_of_changes_there_is(campaign, measure):
    assert check(campaign, measure).how is How.EXACT


@settings(max_examples=150)
@given(campaign=campaigns(), measure=st.sampled_from(OTHERS).map(parse) | st.sampled_from([last, share]))
def test_the_margin_of_other_measures_is_exact_where_few_documents_were_judged(campaign, measure):
    assert check(campaign, measure).how is How.EXACT
