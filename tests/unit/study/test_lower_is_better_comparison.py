"""Systems compared by a cost: who is ahead, and how it is told."""

from __future__ import annotations

import json

import numpy as np
import pytest

import measurand as md
from measurand.display.data import separated
from measurand.display.latex import latex_table
from measurand.display.terminal import terminal_text
from measurand.scale import Scale
from measurand.scores.score_table import scores_document


def comparison_text(comparison, *, matrix=False, colour=False, width=120):
    return terminal_text(comparison.document(matrix=matrix), colour=colour, width=width)


def comparison_latex(comparison):
    return "\n".join(latex_table(comparison.view(each).latex_table()) for each in comparison.results)


def comparison_tsv(comparison):
    return separated(comparison.view(each).table() for each in comparison.results)


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


def cost(scale: Scale = Scale.RATIO) -> md.Measure:
    return md.define(wasted, name="Wasted", lower_is_better=True, scale=scale)


QUICK, SLOW, LOST = "100 100 010 100 010 100 100", "010 010 001 001 010 010 100", "000 001 000 000 001 000 000"


@pytest.fixture
def judged() -> md.JudgedRuns:
    cells = [[list(map(int, word)) for word in words.split()] for words in (LOST, SLOW, QUICK)]
    return md.JudgedRuns(
        systems=("lost", "slow", "quick"),
        topics=tuple("1234567"),
        cells=np.array(cells, dtype=np.int8),
        lengths=np.full((3, 7), 3),
        grade_counts=np.full((7, 2), 5),
    )


@pytest.mark.parametrize("scale", [Scale.ORDINAL, Scale.RATIO])
def test_the_lowest_comes_first(judged, scale):
    standing = md.compare(judged, cost(scale)).results[0]
    assert standing.systems == ("quick", "slow", "lost")
    assert standing.letters["quick"].startswith("a")


def test_the_one_with_the_lower_mean_is_ahead_and_the_claim_says_why(judged):
    claim = md.compare(judged, cost()).results[0].claims[1]
    assert (claim.ahead, claim.behind) == ("quick", "lost")
    assert claim.means[0] < claim.means[1]
    assert claim.apart
    assert not claim.contrary
    assert claim.effect.wins == 7
    assert claim.meaning.statement == "mean of quick is below mean of lost"
    assert claim.meaning.true
    assert claim.headline.startswith("quick beats lost: 0.2857 against 2.7143, -2.4286 (95 % interval ")


def test_a_baseline_may_be_ahead(judged):
    claims = md.compare(judged, cost(), baseline="slow").results[0].claims
    assert {(claim.ahead, claim.behind) for claim in claims} == {("quick", "slow"), ("slow", "lost")}


def test_a_test_that_counts_topics_may_go_against_the_means():
    words = {"a": "000 100 100 100 100 100 100", "b": "010 010 010 010 010 010 010"}
    cells = [[[int(grade) for grade in word] for word in said.split()] for said in words.values()]
    judged = md.JudgedRuns(
        systems=tuple(words),
        topics=tuple("1234567"),
        cells=np.array(cells, dtype=np.int8),
        lengths=np.full((2, 7), 3),
        grade_counts=np.full((7, 2), 5),
    )
    far = md.define(lambda run: 20 if not any(run) else wasted(run), name="Far", lower_is_better=True)
    claim = md.compare(judged, far, test="sign", alpha=0.2).results[0].claims[0]
    assert (claim.ahead, claim.behind) == ("b", "a")
    assert claim.contrary
    assert claim.headline.startswith("b scores lower than a, but the sign test favours a: ")


def test_people_and_programs_are_told(judged):
    comparison = md.compare(judged, [cost(), "RR"])
    text = comparison_text(comparison)
    assert "Wasted · 7 topics, lower is better\n" in text
    assert "RR · 7 topics\n" in text
    assert "Where lower is better, Δ mean is below 0 for a system that is ahead" in text
    assert "% Wasted, lower is better: Best mean first." in comparison_latex(comparison)
    data = json.loads(json.dumps(comparison.to_dict()))["measures"]
    assert data["Wasted"]["lower_is_better"] is True
    assert "lower_is_better" not in data["RR"]


def test_nothing_is_said_of_direction_where_higher_is_better(judged):
    comparison = md.compare(judged, "RR")
    shown = comparison_text(comparison) + comparison_latex(comparison) + comparison_tsv(comparison)
    assert "lower is better" not in shown


def test_a_row_has_a_difference_of_values_and_effects_by_goodness(judged):
    row = md.compare(judged, cost()).to_dict()["measures"]["Wasted"]["systems"][1]
    assert row["system"] == "slow"
    assert row["difference"] > 0
    assert row["cohens_d"] < 0
    assert row["cliffs_delta"] < 0
    assert (row["wins"], row["losses"]) == (0, 5)


def test_a_table_has_columns_of_both_directions(judged):
    table = md.evaluate(judged, [cost(), "RR"])
    lines = terminal_text(scores_document(table.view(best_first=True)), width=10_000).splitlines()
    assert [line.split() for line in lines if "system" in line] == [["system", "↓", "RR"]]
    assert [line.split()[0] for line in lines[4:7]] == ["quick", "slow", "lost"]
    assert lines[-1] == "↓ lower is better"
    latex = latex_table(table.view()).splitlines()
    assert latex[2] == r"System & Wasted $\downarrow$ & RR \\"
    assert [line.count("textbf") for line in latex if line.startswith(("lost", "slow", "quick"))] == [0, 0, 2]


def test_the_first_measure_of_a_table_decides_its_order(judged):
    for measures in ([cost(), "RR"], ["RR", cost()]):
        lines = terminal_text(
            scores_document(md.evaluate(judged, measures).view(best_first=True)), width=10_000
        ).splitlines()
        assert [line.split()[0] for line in lines[4:7]] == ["quick", "slow", "lost"]


def test_programs_read_the_direction_of_a_table(judged):
    measures = md.evaluate(judged, [cost(), "RR"]).to_dict()["measures"]
    assert measures["Wasted"]["lower_is_better"] is True
    assert "lower_is_better" not in measures["RR"]
    assert separated([md.evaluate(judged, [cost(), "RR"]).view()]).startswith("system\tWasted\tRR\n")


def test_every_system_without_a_number_is_last_and_none_is_bold(judged):
    from attrs import evolve

    from measurand.scores import Table

    scores = cost().scores(judged)
    values = np.array(scores.values)
    values[2] = np.nan
    table = Table(by_measure={"Wasted": evolve(scores, values=values)})
    lines = terminal_text(scores_document(table.view(best_first=True)), width=10_000).splitlines()
    assert [line.split()[0] for line in lines[4:7]] == ["slow", "lost", "quick"]
    empty = Table(by_measure={"Wasted": evolve(scores, values=np.full((3, 7), np.nan))})
    assert "textbf" not in latex_table(empty.view())


def test_measures_of_both_directions_agree_on_their_effect_of_scales(judged):
    found = md.scale_effect(judged, [cost(), "RR"], 3, tests=["sign"])
    assert found.correlations["Wasted@3", "RR@3"].raw == 1
    assert found.correlations["Wasted@3", "RR@3"].ranked == 1
    assert found.of("RR").tau == 1
    assert [effect.tau for effect in found.effects] == [1, 1]
