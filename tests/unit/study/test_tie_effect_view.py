"""The effect of ties as text: what is kept in a narrow terminal, and how it is worded in both directions."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from measurand.display.terminal import terminal_text
from measurand.judged import Judgments, Results, judge
from measurand.study.tie_effect import TieEffects, tie_effect


def tie_effect_text(found, *, by_topic=False, colour=False, width=120):
    return terminal_text(found.document(by_topic=by_topic), colour=colour, width=width)


QRELS = {"1": {"a": 1}, "2": {"a": 1}}


def effects(measure: str, second: dict[str, float]) -> TieEffects:
    """Return the effect of ties on two systems: one without ties, and one with these scores on both topics."""
    runs = [("strict", {"a": 2.0, "b": 1.0}), ("a system with a long name", second)]
    results = [Results.from_mapping(name, dict.fromkeys(QRELS, scores)) for name, scores in runs]
    return tie_effect(judge(results, Judgments.from_mapping(QRELS), ties="expected"), measure)


TIED = {"hard": {"a": 1.0, "b": 1.0, "c": 0.0}, "kind": {"a": 1.0, "B": 1.0, "c": 0.0}}


@pytest.mark.parametrize("measure", ["ESL", "ESLR(collection=9)", "AP", "RR"])
@pytest.mark.parametrize(("way", "word", "colour"), [("hard", "hurts", "31"), ("kind", "flatters", "32")])
def test_trec_order_flatters_and_hurts_in_the_direction_of_the_measure(measure, way, word, colour):
    text = tie_effect_text(effects(measure, TIED[way]), colour=True)
    assert f"trec order {word} a system with a long name on topic 1 with" in text
    assert f"\x1b[{colour}m" in text
    assert f"\x1b[{63 - int(colour)}m" not in text


def test_an_order_as_good_as_the_average_neither_flatters_nor_hurts():
    # the one relevant document stands in the middle of three
    text = tie_effect_text(effects("ESL", {"0": 1.0, "a": 1.0, "b": 1.0}))
    assert "Scores depend on the order" in text
    assert "Farthest" not in text


def test_nothing_is_said_to_depend_on_the_order_where_nothing_does():
    assert "No score depends on the order" in tie_effect_text(effects("ESL", {"a": 2.0, "b": 1.0, "c": 1.0}))


@pytest.mark.parametrize("width", [70, 80, 120])
def test_a_narrow_text_keeps_names_and_what_trec_order_does(width):
    text = tie_effect_text(effects("ESL", TIED["hard"]), width=width)
    lines = text.splitlines()
    assert max(map(cell_len, lines)) <= width
    assert "…" not in text
    assert {"system", "mean", "hurts"} <= set(lines[2].split())
    # what is left out is not explained
    assert ("median" in lines[2]) == any(line.startswith(" median:") for line in lines)


def test_whole_numbers_are_told_whole():
    text = tie_effect_text(effects("ESL", {"a": 1.0, "b": 1.0, "c": 1.0}))
    assert "with 2, against 1 on average and 0 to 2 over all" in " ".join(text.split())
