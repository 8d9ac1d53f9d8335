"""Measures that put the other system first."""

from __future__ import annotations

from fractions import Fraction

import pytest

import measurand as md
from measurand.display.terminal import terminal_text
from measurand.judged import JudgedRuns
from measurand.study.reversing import RANKS, reversing_measures


def test_each_measure_puts_the_other_system_first_by_the_means_that_are_told(compared_sample):
    comparison = compared_sample("P@10")
    found = comparison.reversing()
    assert [claim for claim, _ in found] == list(comparison.primary.claims)
    for claim, measures in found:
        assert len(measures) == 2
        for each in measures:
            assert (each.second, each.first) == claim.in_order
            means = each.measure.scores(comparison.levels.judged).mean()
            assert [means[each.first], means[each.second]] == pytest.approx([float(mean) for mean in each.means])
            assert means[each.first] > means[each.second]
        strongest = measures[1]
        lead = comparison.levels.of(*claim.in_order).largest_lead
        assert strongest.means[0] - strongest.means[1] == lead


def test_means_are_over_the_topics_that_both_have():
    qrels = {"1": {"x": 1}, "2": {"x": 1}}
    runs = [
        md.read_run({"1": {"x": 2.0, "y": 1.0}, "2": {"y": 1.0}}, name="a"),
        md.read_run({"1": {"y": 2.0, "x": 1.0}}, name="b"),
    ]
    [found] = reversing_measures(md.judge(runs, qrels, missing_topics="skip").levels("b", "a"))[:1]
    assert (found.first, found.means) == ("a", (Fraction(1), Fraction(0)))


def test_under_every_measure_there_is_none():
    comparison = md.compare(JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2)), "P@1")
    assert comparison.reversing() == ((comparison.primary.claims[0], ()),)
    text = terminal_text(comparison.document(reversing=True))
    assert "None that respects replacement and swap and treats topics alike puts s1 first." in text


def test_runs_are_shown_as_strips_cut_where_they_are_long():
    cells = [(1,) + (0,) * 29, (0,) * 9 + (1,) * 20 + (0,)]
    comparison = md.compare(JudgedRuns.on_one_topic(cells, (40, 30)), "P@1")
    [(_, (_, strongest))] = comparison.reversing()
    assert strongest.runs == (cells[1][:-1],)
    text = terminal_text(comparison.document(reversing=True))
    assert "… to rank 29" in text
    assert RANKS < 29


def test_data_have_reversing_measures_and_maps_on_request():
    comparison = md.compare(JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2)), "P@1")
    assert not {"reversing", "maps"} & set(comparison.to_dict())
    data = comparison.to_dict(reversing=True, maps=["RBP", "P"])
    [pair] = data["reversing"]
    assert (pair["system"], pair["against"]) == ("s0", "s1")
    assert [(one["measure"], one["first"], one["means"]) for one in pair["measures"]] == [
        ("P@3", "s1", [2 / 3, 1 / 3]),
        ("AtLeastAsGood(1 run)@3", "s1", [1.0, 0.0]),
    ]
    assert [one["sentence"] for one in data["maps"]] == [each.sentence for each in comparison.maps("RBP", "P")]
    assert "s0 is ahead for p < 0.618, s1 above" in terminal_text(comparison.document(maps=["RBP"]), width=120)
