"""Judgments, runs, judged runs: against lists and dictionaries of Python."""

from __future__ import annotations

import pickle
from contextlib import nullcontext
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from measurand_next import native
from measurand_next.data import names as names_module
from measurand_next.data.judge import Grouped, Judging
from measurand_next.data.judged import NOTHING, UNJUDGED, JudgedRuns
from measurand_next.data.names import Names
from measurand_next.data.qrels import POOLED, Qrels
from measurand_next.data.run import Run
from measurand_next.errors import Caveat, CaveatKind, InputError, NotAvailable, ParameterError
from measurand_next.exact import fraction
from measurand_next.native import PAD

TOPICS = ["1", "q2", "文", "topic-of-more-than-16-bytes-1", "topic-of-more-than-16-bytes-2"]
LONG = [f"a-name-of-more-than-16-bytes-{end}" for end in ("", "0", "1", "10", "ÿ")]
DOCUMENTS = ["d1", "d2", "d10", "D1", "é", "文書", "\U0001f600", "\uffff", "\udc80", "a b", "", *LONG]
GRADES = [(0, 1), (-1, 0, 1, 3), (-2, 0, 1.0, "2"), (0, 0.5, "0.25", "2/3", 2), (-1, 1, 500), (0,), (True, False), (1,)]
SCORES = [
    (1,),
    (0, 1, 2),
    (0.1, 0.1 + 2**-56, 0.3, 0.1 + 0.2),
    (-1.5, 0.0, -0.0, 1e-320, 1e300),
    (1e39, 2e39, -1e39, 3.5),
]


@st.composite
def campaigns(draw):
    """Judgments and runs as dictionaries: many ties, gaps, odd names; the first topic is in all of them."""
    grades, topics = draw(st.sampled_from(GRADES)), draw(st.permutations(TOPICS))
    rows = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=9, unique=True)

    def drawn(topics, values):
        return {topic: {name: draw(st.sampled_from(values)) for name in draw(rows)} for topic in topics}

    judged, returned = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    systems = draw(st.lists(st.sampled_from(["bm25", "Übung", ""]), min_size=1, max_size=2, unique=True))
    runs = {
        system: drawn(draw(st.permutations(topics[:1] + topics[2 : 1 + returned])), draw(st.sampled_from(SCORES)))
        for system in systems
    }
    return drawn(topics[:judged], grades), runs


def worth(grade):
    return fraction(int(grade) if isinstance(grade, bool) else grade)


def judge(judgments, runs, **options):
    judging = Judging(Qrels.of(judgments), **options)
    return judging.together(
        ranked for name, run in runs.items() for ranked in judging.judge(Grouped.of(Run.of(name, run)))
    )


def rankings(judged, column):
    """A list for each system and topic."""
    return [column[start:end] for start, end in zip(judged.starts.tolist(), judged.ends.tolist(), strict=True)]


def rankings_by_hand(judgments, runs, ties, precision):
    """Score, document and grade, best first, of each system and topic."""

    def key(row):
        score = np.float32(row[0]) if precision == "single" else row[0]
        return score, row[1].encode("utf-8", "surrogatepass")

    for run in runs.values():
        for topic, grades in judgments.items():
            rows = [(score, name, grades.get(name)) for name, score in run.get(topic, {}).items()]
            yield [(key(row)[0], *row[1:]) for row in (rows if ties == "file" else sorted(rows, key=key, reverse=True))]


@pytest.fixture(params=["in C", "in Python"])
def loops(request):
    if request.param == "in C" and not native.library():
        pytest.skip("the loops in C were not built")
    with patch.object(native, "library", lambda: None) if request.param == "in Python" else nullcontext():
        yield


@pytest.mark.usefixtures("loops")
@pytest.mark.filterwarnings("ignore:overflow")
@given(
    campaigns(),
    st.sampled_from(["trec", "file", "groups", None]),
    st.sampled_from(["single", "double"]),
    st.none() | st.integers(1, 6),
)
def test_judging_is_sorting_and_looking_up(campaign, ties, precision, depth):
    judgments, runs = campaign
    judged = judge(judgments, runs, ties=ties, precision=precision, depth=depth, documents=True)
    assert (judged.systems, judged.topics) == (tuple(runs), tuple(judgments))
    found = rankings(judged, list(zip(judged.documents, judged.codes.tolist(), strict=True)))
    for ranking, (place, rows) in zip(found, enumerate(rankings_by_hand(*campaign, ties, precision)), strict=True):
        tied = [rank > 0 and rows[rank][0] == rows[rank - 1][0] for rank in range(len(rows))]
        kept = [
            rank
            for rank in range(len(rows))
            if depth is None or rank < depth or (ties in (None, "groups") and all(tied[depth : rank + 1]))
        ]
        assert [name for name, _ in ranking] == [rows[rank][1] for rank in kept]
        if ties in (None, "groups"):
            assert rankings(judged, judged.tied)[place].tolist() == [tied[rank] for rank in kept]
        for (_, code), (_, _, grade) in zip(ranking, rows, strict=False):
            if grade is None or worth(grade) == -1:
                assert code == (UNJUDGED if grade is None else POOLED)
            else:
                assert judged.grade_values[code] == max(worth(grade), 0)
    assert (judged.tied is None) == (ties in ("trec", "file"))
    assert judged.weak == (ties == "groups")
    assert judged.depth == (depth or max(map(len, found)))


@given(campaigns())
def test_topics_know_how_many_documents_have_each_grade(campaign):
    judged = judge(*campaign)
    assert list(judged.grade_values) == sorted({0, *judged.grade_values})
    least = 1 if all(value.denominator == 1 for value in judged.grade_values) else judged.grade_values[-1] / 2
    for topic, counts, recall_base in zip(judged.topics, judged.grade_counts, judged.recall_base, strict=True):
        grades = [worth(grade) for grade in campaign[0][topic].values()]
        known = [max(grade, 0) for grade in grades if grade != -1]
        assert counts.tolist() == [known.count(value) for value in judged.grade_values]
        assert recall_base == sum(grade >= least for grade in grades)


# ------------------------------------------------------------------------------------------------------ judged runs


@st.composite
def judged_runs(draw):
    """Two systems on three topics, ties open, with names."""
    rows = st.lists(st.tuples(st.sampled_from([POOLED, UNJUDGED, 0, 1, 2]), st.booleans()), max_size=6)
    several = [draw(rows) for _ in range(6)]
    flat = [(code, tied and rank > 0) for ranking in several for rank, (code, tied) in enumerate(ranking)]
    codes, tied = (np.array([row[column] for row in flat], kind) for column, kind in ((0, np.int8), (1, np.bool_)))
    counts = draw(st.lists(st.integers(0, 3), min_size=9, max_size=9))
    return JudgedRuns(
        systems=("a", "b"),
        topics=("1", "2", "3"),
        codes=codes,
        ends=np.cumsum([len(ranking) for ranking in several]),
        grade_values=(Fraction(0), Fraction(1), Fraction(2)),
        grade_counts=np.array(counts).reshape(3, 3),
        tied=draw(st.sampled_from([tied, None])),
        documents=Names.of(f"d{number}" for number in range(len(flat))),
    )


def lists(judged):
    """Names, codes and ties of each ranking."""
    tied = [None] * len(judged.codes) if judged.tied is None else judged.tied.tolist()
    return rankings(judged, list(zip(judged.documents, judged.codes.tolist(), tied, strict=True)))


@given(judged_runs(), st.integers(1, 7), st.integers(1, 7))
def test_first_ends_rankings_behind_a_whole_group(judged, ranks, fewer):
    cut = judged.first(ranks)
    assert lists(cut) == [
        [row for rank, row in enumerate(rows) if rank < ranks or all(tied for *_, tied in rows[ranks : rank + 1])]
        for rows in lists(judged)
    ]
    assert cut.depth == min(ranks, judged.depth)
    assert cut.lengths.tolist() == [min(len(rows), ranks) for rows in lists(judged)]
    assert lists(cut.first(fewer)) == lists(judged.first(min(ranks, fewer)))
    assert np.array_equal(cut.first(fewer).grades, judged.first(min(ranks, fewer)).grades)
    assert cut.condensed().first(fewer).depth <= fewer
    with pytest.raises(ParameterError, match="begin at 1"):
        judged.first(0)


@given(judged_runs(), st.integers(1, 7))
def test_the_rectangle_is_a_view_of_the_rankings(judged, ranks):
    for shown in (judged, judged.first(ranks)):
        rows = [[max(code, UNJUDGED) for _, code, _ in row[: shown.depth]] for row in lists(shown)]
        wanted = [row + [NOTHING] * (shown.depth - len(row)) for row in rows]
        assert shown.grades.reshape(6, shown.depth).tolist() == wanted
        assert shown.grades.shape == (2, 3, shown.depth)
        assert np.array_equal(shown.judged, shown.grades >= 0)


@given(judged_runs())
def test_condensed_leaves_judged_documents_in_their_groups(judged):
    for before, after in zip(lists(judged), lists(judged.condensed()), strict=True):
        assert [row[:2] for row in after] == [row[:2] for row in before if row[1] >= 0]
        if judged.tied is not None:
            group = np.cumsum([not tied for *_, tied in before])
            groups = [number for number, row in zip(group, before, strict=True) if row[1] >= 0]
            assert [tied for *_, tied in after] == [groups[k] in groups[:k] for k in range(len(groups))]


@given(judged_runs())
def test_the_ideal_ranking_has_all_documents_above_grade_0(judged):
    ideal = judged.ideal()
    assert (ideal.systems, ideal.topics, ideal.tied, ideal.documents) == (("ideal",), judged.topics, None, None)
    wanted = [[2] * two + [1] * one for _, one, two in judged.grade_counts.tolist()]
    assert [codes.tolist() for codes in rankings(ideal, ideal.codes)] == wanted
    assert ideal.depth == max(map(len, wanted))


@given(judged_runs())
def test_judged_runs_travel_without_what_they_keep(judged):
    size = len(pickle.dumps(judged))
    assert judged.grades.size >= 0
    sent = pickle.dumps(judged)
    assert len(sent) == size
    other = pickle.loads(sent)
    assert lists(other) == lists(judged)
    assert np.array_equal(other.grades, judged.grades)
    for each in (judged, other):
        for array in (each.codes, each.ends, each.grade_counts, each.grades):
            assert not array.flags.writeable
        with pytest.raises(AttributeError):
            each.codes = judged.codes


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ends": np.array([2, 1])}, "ends"),
        ({"ends": np.array([2, 2])}, "ends"),
        ({"ends": np.array([4, 3])}, "ends"),
        ({"ends": np.array([3])}, "ends"),
        ({"codes": np.array([0, 3, 1])}, "codes"),
        ({"codes": np.array([0, NOTHING, 1])}, "codes"),
        ({"codes": np.array([0, -4, 1])}, "codes"),
        ({"grade_values": (0, 2, 1)}, "grade_values"),
        ({"grade_values": (0, 1, 1)}, "grade_values"),
        ({"grade_values": (1, 2, 3)}, "grade_values"),
        ({"grade_counts": np.array([[1, 2]])}, "grade_counts"),
        ({"topics": ("q", "r")}, "ends"),
    ],
)
def test_what_does_not_fit_together_is_refused(wrong, message):
    right = {
        "systems": ("a", "b"),
        "topics": ("q",),
        "codes": np.array([0, POOLED, UNJUDGED]),
        "ends": np.array([2, 3]),
        "grade_values": (0, 1, 2),
        "grade_counts": np.array([[1, 1, 1]]),
    }
    assert JudgedRuns(**right).grades.tolist() == [[[0, -1]], [[-1, -2]]]
    with pytest.raises(InputError, match=message):
        JudgedRuns(**right | wrong)


def test_runs_are_written_down_on_one_topic():
    judged = JudgedRuns.on_one_topic([(1, 0, 2), (), (UNJUDGED, NOTHING)], (5, 2, 1, 1), (0, "1/2", 2, 3))
    assert judged.grades[:, 0].tolist() == [[1, 0, 2], [-2, -2, -2], [-1, -2, -2]]
    assert (judged.grade_values, judged.recall_base.tolist()) == ((0, Fraction(1, 2), 2, 3), [2])
    assert [judged.code_from(rel) for rel in (None, 0, Fraction(1, 2), 1, 3, 4)] == [2, 1, 1, 2, 3, 4]


# ---------------------------------------------------------------------------------------------- judgments and runs


@given(campaigns())
def test_dictionaries_come_back(campaign):
    judgments, runs = campaign
    qrels = Qrels.of(judgments | {"nothing": {}})
    values = qrels.to_dict()
    assert values == {
        topic: {name: float(worth(grade)) for name, grade in rows.items()} for topic, rows in judgments.items()
    }
    assert {type(grade) for rows in values.values() for grade in rows.values()} in ({int}, {float})
    for name, run in runs.items():
        assert Run.of(name, run).to_dict() == run
    for value in (qrels, Run.of("a", runs.popitem()[1])):
        other = pickle.loads(pickle.dumps(value))
        assert (other.to_dict(), repr(other)) == (value.to_dict(), repr(value))
        with pytest.raises(AttributeError):
            other.topics = ()


@pytest.mark.parametrize(
    ("grade", "word"),
    [
        ("x", "number"),
        (None, "number"),
        ([1], "number"),
        ("1_0", "number"),
        (float("nan"), "finite"),
        (np.float64("-inf"), "finite"),
        (10**13, "above"),
        ("1e-37", "decimals"),
        (-0.5, "below 0"),
        (-128, "below -127"),
    ],
)
def test_grades_that_cannot_be_used_are_refused(grade, word):
    with pytest.raises(InputError, match=word):
        Qrels.of({"q": {"d": 1, "e": grade}})


def test_grades_have_limits_and_small_whole_ones_are_their_codes():
    assert Qrels.of({"q": {"d": 10**12, "e": -127, "f": "1e-36"}}).judged_codes.tolist() == [2, 0, 1]
    assert Qrels.of({"q": {"d": 1, "e": 0.5}}).grades.tolist() == [1.0, 0.5]
    assert [Qrels.of({"q": {"d": high}}).judged_codes.tolist() for high in (127, 128)] == [[127], [1]]


@pytest.mark.parametrize("score", ["x", None, [1, 2], float("nan"), float("inf"), 10**400, 1j])
def test_scores_that_cannot_be_compared_are_refused(score):
    with pytest.raises(InputError, match="score"):
        Run.of("a", {"q": {"d": score}})


@pytest.mark.parametrize("make", [Qrels.of, lambda table: Run.of("a", table)])
@pytest.mark.parametrize("table", [{}, {"q": {}}])
def test_tables_have_rows(make, table):
    with pytest.raises(InputError, match="no topic has a document"):
        make(table)


@given(st.lists(st.text(max_size=4) | st.sampled_from(DOCUMENTS)), st.lists(st.integers(0, 9)), st.integers(-9, 9))
@example([], [], 0)
def test_names_are_a_list(several, rows, cut):
    names = Names.of(several)
    assert (list(names), len(names)) == (several, len(several))
    assert names[cut:] == several[cut:]
    for row in range(-len(several), len(several)):
        assert names[row] == several[row]
    with pytest.raises(IndexError):
        names[len(several)]
    rows = [row for row in rows if row < len(several)]
    with patch.object(names_module, "PIECE", 2):
        taken = names.take(np.array(rows, dtype=np.int64))
    assert list(taken) == [several[row] for row in rows]
    assert not taken.text[taken.ends.max(initial=0) :].any()
    assert len(taken.text) == taken.ends.max(initial=0) + PAD
    assert list(Names.joined([names, Names.of(["end"]), names])) == [*several, "end", *several]
    assert list(pickle.loads(pickle.dumps(names))) == several


# ----------------------------------------------------------------------------------------- what a reader should know

MANY = {f"t{number}": {f"d{number}": 1} for number in range(10)}
FOUND = {topic: dict.fromkeys(rows, 1.0) for topic, rows in MANY.items()}
ELSEWHERE = {topic: {"x": 1.0, "y": 0.5} for topic in MANY}
OTHERS = {f"x{number}": 0.5 for number in range(9)}
NO_RELEVANT = CaveatKind.NO_RELEVANT


def kinds(judgments, *runs, **options):
    return [caveat.kind for caveat in judge(judgments, dict(zip("abc", runs, strict=False)), **options).caveats]


@pytest.mark.parametrize(
    ("judgments", "runs", "found"),
    [
        ({"q": {"d": 1, "e": 0}}, {"q": {"d": 1.0}}, []),
        ({"q": {"d": 1, "e": 0}, "r": {"d": 1}}, {"q": {"d": 1.0}}, [CaveatKind.MISSING_TOPICS]),
        ({"q": {"d": 1, "e": 0}}, {"q": {"d": 1.0}, "s": {"d": 1.0}}, [CaveatKind.UNJUDGED_TOPICS]),
        ({"q": {"d": 1, "e": 0}}, {"q": {"x": 1.0}}, [CaveatKind.FEW_JUDGED]),
        ({"q": {"d": 0, "e": -1}}, {"q": {"d": 1.0}}, [NO_RELEVANT]),
        ({topic: {"d": 1, "e": 0} for topic in "qr"}, {"q": {"d": 1.0} | OTHERS, "r": {"x": 1.0} | OTHERS}, []),
        ({"q": {"d": 0.5, "e": 0.25}}, {"q": {"d": 1.0}}, [CaveatKind.GRADES]),
        ({"q": {f"d{k}": max(k - 2, 0) / 10 for k in range(9)}}, {"q": {"d1": 1.0}}, [CaveatKind.GRADES] * 2),
        ({"q": {"d": 0.9}, "r": {"d": 0.1}}, {topic: {"d": 1.0} for topic in "qr"}, [NO_RELEVANT, CaveatKind.GRADES]),
        (MANY, FOUND, [CaveatKind.SPARSE_JUDGMENTS]),
        (MANY | {"t0": {"d0": 0}}, FOUND, [NO_RELEVANT]),
    ],
)
def test_what_is_suspicious_is_said(judgments, runs, found):
    assert kinds(judgments, runs) == found


def test_sparse_judgments_are_said_once_however_many_runs():
    assert kinds(MANY, ELSEWHERE, FOUND, ELSEWHERE) == [CaveatKind.SPARSE_JUDGMENTS]
    few = dict(list(MANY.items())[:9])
    assert kinds(few, {topic: ELSEWHERE[topic] for topic in few}) == [CaveatKind.FEW_JUDGED]
    for several, kind in ((3, CaveatKind.SPARSE_JUDGMENTS), (4, CaveatKind.FEW_JUDGED)):
        deep = {topic: {f"d{rank}": 1 for rank in range(several)} for topic in MANY}
        assert kinds(deep, ELSEWHERE) == [kind]


def test_caveats_of_sources_travel_along_and_are_said_once():
    of_judgments, of_run = (Caveat(CaveatKind.BLANKS, text) for text in ("judgments", "run"))
    judging = Judging(evolve(Qrels.of({"q": {"d": 1, "e": 0}}), caveats=(of_judgments,)))
    ranked = [
        each for name in "ab" for each in judging.judge(Grouped.of(Run.of(name, {"q": {"d": 1}})), caveats=(of_run,))
    ]
    assert judging.together(ranked).caveats == (of_judgments, of_run)


@pytest.mark.parametrize(("number", "names"), [(1, "topic t0)"), (5, "t3, t4)"), (6, "t3, t4, …)")])
def test_a_few_topics_without_relevant_documents_are_named(number, names):
    [caveat] = judge({topic: {"d": 0} for topic in list(MANY)[:number]}, {"a": {"t0": {"d": 1}}}).caveats[-1:]
    assert names in caveat.text


@pytest.mark.parametrize(
    ("options", "word"),
    [({}, "empty"), ({"missing_topics": "zero"}, "empty"), ({"missing_topics": "skip"}, "left out")],
)
def test_missing_topics_are_empty_or_left_out(options, word):
    judged = judge(MANY, {"a": {"t3": {"d3": 1.0}}}, **options)
    assert judged.sizes.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert judged.skip_missing == (word == "left out")
    [_, caveat] = judged.caveats
    assert "9 of the 10" in caveat.text
    assert word in caveat.text


@pytest.mark.usefixtures("loops")
def test_what_cannot_be_judged_is_refused():
    qrels = Qrels.of(MANY)
    judging = Judging(qrels)
    found = judging.judge(Grouped.of(Run.of("a", FOUND)))
    for several, word in ((found * 2, "'a'"), ([], "no run")):
        with pytest.raises(InputError, match=word):
            judging.together(several)
    with pytest.raises(InputError, match=r"a\.run: .*in common.*'u'.*'t0'"):
        judging.judge(Grouped.of(Run.of("a", {"u": {"d": 1.0}})), source="a.run")


@pytest.mark.parametrize(
    "options",
    [{"ties": "x"}, {"depth": 0}, {"depth": True}, {"depth": 1.5}, {"precision": None}, {"missing_topics": "no"}],
)
def test_options_are_what_they_can_be(options):
    with pytest.raises(ParameterError, match=next(iter(options))):
        Judging(Qrels.of(MANY), **options)


def test_names_may_be_whole_numbers():
    assert Qrels.of({1: {7: 2, np.int64(8): 0}}).to_dict() == {"1": {"7": 2, "8": 0}}
    for names in ({1: {"d": 1}, "1": {"d": 1}}, {"1": {7: 1, "7": 1}}, {"1": {None: 1}}, {"1": {True: 1}}):
        with pytest.raises(InputError, match=r"topic|document"):
            Run.of("a", names)


def test_arrays_of_values_cannot_be_changed_and_those_of_callers_can():
    given = np.array([2.0, 1.0])
    run = evolve(Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), scores=given)
    for array in (run.scores, run.ends, Qrels.of({"1": {"d": 1}}).codes, pickle.loads(pickle.dumps(run)).scores):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    given[0] = 5


@pytest.mark.parametrize(
    ("make", "changed"),
    [
        (Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), {"ends": np.array([10**8])}),
        (Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), {"ends": [2.0]}),
        (Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), {"ends": [0, 2], "topics": ("0", "1")}),
        (Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), {"ends": [1, 2], "topics": ("1", "1")}),
        (Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), {"scores": [np.nan, 1.0]}),
        (Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), {"scores": [1.0]}),
        (Qrels.of({"1": {"d1": 1, "d2": 0}}), {"codes": [0, 2]}),
        (Qrels.of({"1": {"d1": 1, "d2": 0}}), {"codes": [-1, 0]}),
        (Qrels.of({"1": {"d1": 1, "d2": 0}}), {"values": (Fraction(1), Fraction(0))}),
        (Names.of(["d1", "d2"]), {"ends": np.array([2, 5])}),
        (Names.of(["d1", "d2"]), {"ends": np.array([3, 2])}),
    ],
)
def test_values_that_do_not_fit_together_are_refused(make, changed):
    with pytest.raises(InputError):
        evolve(make, **changed)


@pytest.mark.parametrize("loops", [native.library, lambda: None])
def test_a_document_twice_in_a_topic_is_refused(loops):
    twice = evolve(Run.of("a", {"1": {"d1": 3.0, "d2": 2.0}}), documents=Names.of(["d1", "d1"]))
    with patch.object(native, "library", loops), pytest.raises(InputError, match="stands twice"):
        Judging(Qrels.of({"1": {"d1": 1}})).judge(Grouped.of(twice))


def test_too_many_grades_or_rankings_are_refused():
    many = Qrels.of({str(topic): {"d": str(topic)} for topic in range(9_000)})
    with pytest.raises(NotAvailable, match="grades"):
        Judging(many).together(Judging(many).judge(Grouped.of(Run.of("a", {"1": {"d": 1.0}}))))
    rows = Grouped.of(Run.of("a", {str(topic): {"d": 1.0} for topic in range(9_000)}))
    with pytest.raises(NotAvailable, match="rankings"):
        Judging(many).judge(evolve(rows, systems=[f"system {number}" for number in range(9_000)]))


def test_names_in_the_middle_are_those_of_the_list():
    names = [f"d{number}" for number in range(9)]
    for part in (slice(3, 6), slice(None, None, 2), slice(6, 3), slice(None, None, -1), slice(0)):
        assert Names.of(names)[part] == names[part]
