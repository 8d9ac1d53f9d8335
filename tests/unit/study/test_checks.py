"""What to check first: each kind is named where there is something to say, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

import measurand as md
from measurand.judged import JudgedRuns
from measurand.study.checks import Check, unjudged_shares


def campaign(cells, *, recall=None, topics=None, ties=None):
    """Return judged runs from grades, systems × topics × ranks; -1 is unjudged, -2 no document."""
    cells = np.array(cells, dtype=np.int8)
    n = cells.shape[1]
    counts = np.tile([50, 20], (n, 1))
    if recall is not None:
        counts[:, 1] = recall
    return JudgedRuns(
        systems=tuple("abcdef"[: len(cells)]),
        topics=tuple(topics or map(str, range(1, n + 1))),
        cells=cells,
        lengths=(cells != -2).sum(axis=2),
        grade_counts=counts,
    )


def random_cells(seed, systems=3, topics=30, depth=10):
    rng = np.random.default_rng(seed)
    return (rng.random((systems, topics, depth)) < 0.4).astype(np.int8)


def checks(judged, measure="P@10", **options):
    return {check.kind: check for check in md.compare(judged, measure, **options).conclusion.checks}


@pytest.mark.parametrize("seed", range(6))
def test_of_sound_data_nothing_is_said(seed):
    found = set(checks(campaign(random_cells(seed))))
    assert found <= {"topics-won", "sign-test"}


@pytest.mark.parametrize("share", [0.0, 0.04, 0.06, 0.1, 0.3])
def test_a_system_with_markedly_more_unjudged_documents_is_named_with_their_share(share):
    cells = random_cells(1, systems=4, topics=50)
    flat = cells[2].reshape(-1)
    flat[: round(share * flat.size)] = -1
    found = checks(campaign(cells)).get("unjudged")
    if share < 0.05:
        assert found is None
    else:
        assert found.sentence == f"c has {round(100 * share)} % unjudged in its top 10."
        assert found.number == pytest.approx(share)


def test_unjudged_shares_are_those_of_the_first_ten_documents_on_the_mean_of_topics():
    cells = np.ones((2, 2, 12), dtype=np.int8)
    cells[0, 0, :5] = -1
    cells[0, 1, 10:] = -1
    cells[1, 1, :] = -2
    assert unjudged_shares(campaign(cells)).tolist() == [0.25, 0.0]


def test_where_all_have_much_unjudged_that_is_said_of_all():
    cells = random_cells(2, systems=3, topics=30)
    cells[:, :, 6:] = -1
    assert checks(campaign(cells))["unjudged"].sentence == "Half of the systems have 40 % unjudged in their top 10."
    both = checks(campaign(cells[:2]))["unjudged"]
    assert both.sentence == "Both systems have 40 % unjudged in their top 10."


@pytest.mark.parametrize(
    ("gone", "sentence"),
    [
        ({"b": 1}, "b lacks 1 topic."),
        ({"b": 3}, "b lacks 3 topics."),
        ({"a": 2, "b": 5}, "b lacks 5 topics and a 2."),
        ({"a": 1, "b": 1}, "a and b lack 1 topic each."),
        ({"a": 1, "b": 2, "c": 3, "d": 4}, "4 systems lack topics, d most (4)."),
    ],
)
def test_systems_that_lack_topics_are_named_with_how_many(gone, sentence):
    cells = random_cells(3, systems=4)
    for name, number in gone.items():
        cells["abcd".index(name), :number] = -2
    found = checks(campaign(cells))["missing-topics"]
    assert found.sentence == sentence
    assert found.number == max(gone.values())
    assert set(found.systems) == set(gone)


@pytest.mark.parametrize(
    ("barren", "sentence"),
    [
        ([4], "Topic 5 has nothing relevant."),
        ([4, 6], "2 topics have nothing relevant (5 and 7)."),
        ([0, 1, 2, 3], "4 topics have nothing relevant (1, 2, 3 and 1 more)."),
    ],
)
def test_topics_with_nothing_relevant_are_named(barren, sentence):
    cells, recall = random_cells(4), np.full(30, 20)
    cells[:, barren], recall[barren] = 0, 0
    found = checks(campaign(cells, recall=recall))["no-relevant"]
    assert found.sentence == sentence
    assert len(found.topics) == len(barren)


@pytest.mark.parametrize("topics", [1, 24, 25])
def test_few_topics_are_counted(topics):
    found = checks(campaign(random_cells(5, topics=topics))).get("few-topics")
    assert (found is None) == (topics >= 25)
    if found is not None:
        assert found.sentence == ("There is only 1 topic." if topics == 1 else f"There are only {topics} topics.")


def runs_of(found):
    """Return runs of ten documents, by how many of the first are relevant on each topic."""
    return campaign([[[1] * n + [0] * (10 - n) for n in topics] for topics in found])


def test_a_system_that_wins_more_topics_with_the_worse_mean_is_named():
    judged = runs_of([[9] * 6 + [2] * 24, [1] * 6 + [3] * 24])
    found = checks(judged)["topics-won"]
    assert found.sentence == "b wins more topics than a, 24 to 6 (p = 0.0014, sign test)."
    assert "topics-won" not in checks(runs_of([[9] * 15 + [2] * 15, [1] * 15 + [3] * 15]))
    # two of thirty topics are no reason to look
    assert "topics-won" not in checks(runs_of([[9] * 2 + [4] * 28, [2] * 2 + [4] * 24 + [5] * 4]))


def test_a_sign_test_that_disagrees_is_told_with_its_p():
    far = runs_of([[9] * 14 + [1] * 16, [2] * 14 + [2] * 16])
    assert checks(far)["sign-test"].sentence.startswith(
        "Counting topics won alone, a is not significantly ahead of b (p = 0.86, "
    )
    often = runs_of([[5] * 25 + [0] * 5, [4] * 25 + [4] * 5])
    assert "is significantly ahead" in checks(often)["sign-test"].sentence
    assert "sign-test" not in checks(far, test="sign")
    assert "sign-test" not in checks(runs_of([[9] * 30, [2] * 29 + [1]]))


def tied(number):
    """Return a campaign in which `a` is ahead of `b` on two topics, by luck on so many where x and w are tied."""
    qrels = {str(topic): {"x": 1} for topic in range(30)}
    # trec_eval puts x first where it is tied with w
    runs = {
        "a": {str(topic): {"x": 2.0, "w": 2.0 if topic < number else 1.0} for topic in range(30)},
        "b": {str(topic): {"x": 2.0 if topic < 28 else 0.5, "w": 1.0} for topic in range(30)},
    }
    return md.judge([md.read_run(run, name=name) for name, run in runs.items()], qrels)


def test_an_order_of_tied_documents_that_overturns_the_lead_is_told():
    found = checks(tied(20), "P@1")["ties"]
    assert found.sentence == "Another order of tied documents on 2 topics would overturn a's lead."
    assert found.number == 2
    # on one topic alone both orders leave a ahead
    assert "ties" not in checks(tied(1), "P@1")
    assert "ties" not in checks(tied(0), "P@1")


def test_names_from_files_are_told(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.run").write_text("1 Q0 x 1 2.0 same\n1 Q0 y 2 1.0 same\n")
    (tmp_path / "qrels").write_text("1 0 x 1\n")
    found = md.compare(tmp_path / "qrels", [tmp_path / "one.run", tmp_path / "two.run"], "P@1").conclusion
    assert str(found.checks[-1]) == "Both runs have the tag same, so systems are called by their files."


def test_the_line_names_the_first_four_and_the_rest_stay_in_checks():
    cells, recall = random_cells(7, systems=4, topics=10), np.full(10, 20)
    cells[0, 1], cells[1, 2:6] = -2, -1
    cells[:, 0], recall[0] = 0, 0
    found = md.compare(campaign(cells, recall=recall), "P@10").conclusion
    [said] = [line.text for line in found.lines if line.about == "check"]
    assert said == "; ".join(check.text for check in found.checks[:4]) + "."
    assert {"few-topics", "unjudged", "missing-topics", "no-relevant"} <= {check.kind for check in found.checks}


def test_a_check_keeps_the_names_of_systems_as_they_are_and_begins_other_sentences_with_a_capital():
    assert Check(kind="unjudged", text="bm25 has 13 %", systems=("bm25",)).sentence == "bm25 has 13 %."
    assert Check(kind="no-relevant", text="topic 3 has none").sentence == "Topic 3 has none."
