"""Correlations among measures: the numbers of the heat maps, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

import measurand as md
from measurand.report.page.measures import Heat, correlation_sentences, heat_maps, section, selves, step


@pytest.fixture(scope="module")
def study() -> md.Study:
    runs = md.sample.runs()
    return md.Study.from_files(md.sample.qrels(), runs, ["RR@10", "P@10", "AP@100", "R@30"], interval=True, fuse=False)


def test_the_numbers_are_kendalls_tau_of_the_means(study):
    raw = heat_maps(study)[0]["rows"]
    for (a, cells), i in zip(raw, range(4), strict=True):
        for b, j in zip(study.measures, range(4), strict=True):
            if i == j:
                assert cells[j] is None
                continue
            means = [np.round(study.scores(name).values.mean(axis=1), 10) for name in (a, b)]
            assert cells[j].text == f"{kendalltau(*means).statistic:.2f}".replace("-", "−")


def test_maps_are_symmetric_and_what_is_undefined_is_a_dash(study):
    for each in heat_maps(study):
        texts = [[cell.text if cell else "" for cell in cells] for _, cells in each["rows"]]
        assert texts == [list(column) for column in zip(*texts, strict=True)]
    [_, ranked, delta] = heat_maps(study)
    at_hundred = list(study.measures).index("AP@100")
    for each in (ranked, delta):
        assert {cell.text for cell in each["rows"][at_hundred][1] if cell} == {"–"}


def test_the_change_is_in_percent_of_the_raw_correlation(study):
    [raw, ranked, delta] = (
        [[cell.text if cell else None for cell in cells] for _, cells in each["rows"]] for each in heat_maps(study)
    )
    pair = study.agreement.of("RR@10", "P@10")
    assert (raw[0][1], ranked[0][1]) == (f"{pair.raw:.2f}", f"{pair.ranked:.2f}")
    assert delta[0][1] == f"{100 * (pair.ranked / pair.raw - 1):.1f}".replace("-", "−")


def test_a_colour_is_deeper_for_larger_numbers_and_never_so_deep_that_nothing_can_be_read():
    cells = [Heat.of(value, 1.0, 2) for value in (0.1, -0.5, 1.0, 3.0)]
    assert [cell.kind for cell in cells] == ["plus", "minus", "plus", "plus"]
    assert [cell.share for cell in cells] == [4, 22, 45, 45]


def test_it_is_said_why_a_measure_has_no_interval_scale_and_which_keep_the_order(study):
    found = {name: (tau, said) for name, tau, said in selves(study)}
    assert found["P@10"] == ("1.00", "the same order of systems")
    assert found["AP@100"][0] == "–"
    assert "57 ranks" in found["AP@100"][1]
    same = np.isclose(study.agreement.selves["RR@10"], 1)
    assert found["RR@10"][1] == ("the same order of systems" if same else "another order, or other ties")


def test_the_most_and_the_least_alike_are_named(study):
    raw = {pair: each.raw for pair, each in study.agreement.pairs.items()}
    most, least = max(raw, key=raw.__getitem__), min(raw, key=raw.__getitem__)
    sentence = correlation_sentences(study)[0]
    assert f"the most alike are {most[0]} and {most[1]} (tau {raw[most]:.2f})" in sentence
    assert f"the least alike {least[0]} and {least[1]} ({raw[least]:.2f})" in sentence


def test_nothing_is_said_of_interval_scales_that_nobody_asked_for():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], ["RR@10", "P@10"], fuse=False)
    [only] = heat_maps(study)
    assert only["caption"] == "Tau of means"
    assert correlation_sentences(study)[0].startswith("Tau of RR@10 and P@10 is")
    assert section(study).content["correlations"]["selves"] == []


def test_two_neighbours_that_change_places_move_tau_by_the_step():
    order = list(range(12))
    swapped = [1, 0, *range(2, 12)]
    assert 1 - kendalltau(order, swapped).statistic == pytest.approx(step(12))
