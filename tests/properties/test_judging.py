"""Ranking and judging, against a few lines of plain Python."""

from __future__ import annotations

import numpy as np
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.judged import NOTHING, POOLED, UNJUDGED, Judgments, Results, judge
from measurand.judged.grade_index import GradeIndex
from measurand.judged.names import Names
from measurand.judged.ranking import Precision, Ties, rank

DOCUMENTS = ["a", "b", "B", "aa", "d10", "d9", "é", "文", "\U00010000", "\uffff", "#", ""]

documents = st.sampled_from(DOCUMENTS)
near = [1.0, 1.0 + 2.0**-52, 1.0 + 2.0**-30, 0.0, -0.0, -1.0, 0.1, 0.1 + 2.0**-40, 5e-324]
scores = st.one_of(st.sampled_from(near), st.floats(-1e30, 1e30, allow_nan=False))


def nested(topics: str, values, **sizes):
    inner = st.dictionaries(documents, values, min_size=1, max_size=9)
    return st.dictionaries(st.sampled_from(topics), inner, min_size=1, max_size=len(topics), **sizes)


def as_names(rows, *, collide=False):
    """Return results or judgments with their documents as loops in C have them, with few hashes or with many."""
    names = Names.of(rows.documents)
    text, starts, lengths, _ = names.arrays
    return evolve(rows, documents=Names(text, starts, lengths, lengths.astype(np.uint64)) if collide else names)


def naive_ranking(run: dict[str, float], ties: str, precision: str) -> list[str]:
    if ties == "file":
        return list(run)
    shown = {d: np.float32(s) if precision == "single" else s for d, s in run.items()}
    return sorted(run, key=lambda document: (shown[document], document), reverse=True)


def naive_cell(grades: dict[str, int], document: str) -> int:
    grade = grades.get(document)
    return UNJUDGED if grade is None else POOLED if grade == -1 else max(0, grade)


@settings(max_examples=60)
@given(run=nested("12345", scores), ties=st.sampled_from(Ties), precision=st.sampled_from(Precision), data=st.data())
def test_a_ranking_is_what_sorting_gives(run, ties, precision, data):
    wanted = data.draw(st.lists(st.sampled_from(range(len(run))), min_size=1, unique=True))
    expected = [naive_ranking(run[list(run)[position]], ties, precision) for position in wanted]
    for results in (Results.from_mapping("r", run), as_names(Results.from_mapping("r", run))):
        ranking = rank(results, np.array(wanted), ties, precision)
        assert [results.documents[row] for row in ranking.rows.tolist()] == [d for topic in expected for d in topic]
        if ties is Ties.GROUPS:
            kind = np.float32 if precision is Precision.SINGLE else np.float64
            shown = [
                [kind(run[list(run)[position]][d]) for d in topic]
                for position, topic in zip(wanted, expected, strict=True)
            ]
            tied = [i > 0 and topic[i] == topic[i - 1] for topic in shown for i in range(len(topic))]
            assert ranking.tied.tolist() == tied


@settings(max_examples=15)
@given(run=nested("12345", scores), qrels=nested("123", st.integers(-3, 4)), collide=st.booleans())
def test_dictionary_and_join_find_the_same_grades_whatever_the_hashes(run, qrels, collide):
    results, judgments = Results.from_mapping("r", run), Judgments.from_mapping(qrels)
    expected = [naive_cell(qrels.get(topic, {}), document) for topic in run for document in run[topic]]
    in_c = [as_names(rows, collide=collide) for rows in (results, judgments)]
    for mine, theirs in ((results, judgments), (results, in_c[1]), in_c):
        assert GradeIndex(theirs).cells(mine).tolist() == expected


def naive_cells(run, qrels, ties="trec", precision="double", depth=None) -> dict[str, list[int]]:
    return {
        topic: [naive_cell(qrels[topic], document) for document in naive_ranking(run.get(topic, {}), ties, precision)][
            :depth
        ]
        for topic in qrels
    }


@settings(max_examples=15)
@given(
    runs=st.lists(nested("1239", scores).filter(lambda run: set(run) & set("12")), min_size=1, max_size=3),
    qrels=nested("12", st.integers(-3, 4)).filter(lambda qrels: len(qrels) == 2),
    ties=st.sampled_from(Ties),
    precision=st.sampled_from(Precision),
    depth=st.one_of(st.none(), st.integers(1, 6)),
)
def test_judged_runs_are_those_of_plain_python(runs, qrels, ties, precision, depth):
    several = [Results.from_mapping(str(number), run) for number, run in enumerate(runs)]
    judged = judge(several, Judgments.from_mapping(qrels), ties=ties, precision=precision, depth=depth)
    for number, run in enumerate(runs):
        expected = naive_cells(run, qrels, ties, precision, depth)
        assert {topic: list(judged.run(str(number), topic)) for topic in qrels} == expected
        for t, topic in enumerate(qrels):
            assert judged.cells[number, t, len(expected[topic]) :].tolist() == [NOTHING] * (
                judged.depth - len(expected[topic])
            )
    by_names = judge(
        map(as_names, several), as_names(Judgments.from_mapping(qrels)), ties=ties, precision=precision, depth=depth
    )
    assert by_names.cells.tolist() == judged.cells.tolist()
    counts = [
        [sum(max(0, g) == grade and g != -1 for g in inner.values()) for grade in range(5)] for inner in qrels.values()
    ]
    assert judged.grade_counts.tolist() == [row[: judged.grade_counts.shape[1]] for row in counts]


@settings(max_examples=25)
@given(run=nested("12", scores), qrels=nested("12", st.integers(-2, 3)))
def test_condensing_is_judging_without_the_documents_that_were_not_judged(run, qrels):
    if not set(run) & set(qrels):
        return
    condensed = judge(Results.from_mapping("r", run), Judgments.from_mapping(qrels)).condensed
    for topic, cells in naive_cells(run, qrels).items():
        assert list(condensed.run("r", topic)) == [cell for cell in cells if cell >= 0]
    assert condensed.condensed.cells.tolist() == condensed.cells.tolist()


@settings(max_examples=15)
@given(run=nested("12", scores), data=st.data())
def test_the_order_of_the_lines_plays_no_part(run, data):
    qrels = Judgments.from_mapping({topic: {"a": 1, "b": 0, "é": 2} for topic in "12"})
    shuffled = {
        topic: {document: run[topic][document] for document in data.draw(st.permutations(list(run[topic])))}
        for topic in data.draw(st.permutations(list(run)))
    }
    one, other = (judge(Results.from_mapping("r", each), qrels) for each in (run, shuffled))
    assert one.cells.tolist() == other.cells.tolist()
