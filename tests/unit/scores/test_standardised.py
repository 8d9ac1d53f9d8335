"""z-scores: how far scores lie from the mean of reference runs, in standard deviations."""

from __future__ import annotations

import numpy as np
import pytest

from measurand import ParameterError, Scale
from measurand.scores import Aggregation, Scores, Table
from measurand.scores.standardised import Reference


def scores(values, measure="AP", **options):
    values = np.array(values, dtype=float)
    systems, topics = (tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("st", values.shape, strict=True))
    return Scores(measure=measure, values=values, systems=systems, topics=topics, **options)


def test_reference_runs_have_mean_0_and_deviation_1_on_every_topic():
    plain = scores(np.random.default_rng(1).random((5, 4)))
    found = plain.standardised()
    assert found.values.mean(axis=0) == pytest.approx(np.zeros(4))
    assert found.values.std(axis=0, ddof=1) == pytest.approx(np.ones(4))
    assert (np.argsort(found.values, axis=0) == np.argsort(plain.values, axis=0)).all()
    # nothing shifts or stretches z-scores
    assert scores(3 * plain.values + 1).standardised().values == pytest.approx(found.values)


def test_other_runs_are_compared_with_the_reference_not_with_each_other():
    reference = scores([[0.2, 0.4], [0.4, 0.4]])
    found = scores([[0.5, 0.4]]).standardised(reference)
    assert found.measure == "z(AP)"
    assert found.values.tolist() == [[pytest.approx(0.2 / np.std([0.2, 0.4], ddof=1)), 0]]


def test_where_reference_runs_agree_another_score_has_no_z_score_and_that_is_said():
    found = scores([[0.3, 0.1], [0.5, 0.4]]).standardised(scores([[0.2, 0.4], [0.4, 0.4], [0.3, 0.4]]))
    assert np.isnan(found.values).tolist() == [[False, True], [False, False]]
    assert "1 score under AP left out" in str(found.caveats[-1])
    assert found.mean()["s0"] == pytest.approx(0)


def test_equal_scores_that_rounding_sets_apart_have_no_deviation():
    same = scores([[0.1 + 0.2], [0.1 + 0.2], [0.1 + 0.2]])
    assert same.standardised().values.tolist() == [[0], [0], [0]]


def test_a_ratio_scale_loses_its_zero_and_topics_share_no_unit():
    found = scores([[1, 2], [3, 4]], scale=Scale.RATIO).standardised()
    assert (found.scale, found.one_scale) == (Scale.INTERVAL, False)
    assert scores([[1, 2], [3, 4]]).standardised().scale == Scale.ORDINAL


def test_topics_and_measures_that_the_reference_lacks_are_named():
    reference = Reference({"AP": {"t0": (0.5, 0.1)}}, "means.txt")
    with pytest.raises(ParameterError, match=r"means.txt: .* of AP on topic t1;"):
        reference.standardise(scores([[0.5, 0.5]]))
    with pytest.raises(ParameterError, match="of RR;"):
        reference.standardise(scores([[0.5]], "RR"))


def test_one_run_is_no_reference_and_geometric_means_have_no_z_scores():
    with pytest.raises(ParameterError, match="two reference runs or more"):
        scores([[0.5, 0.5]]).standardised()
    with pytest.raises(ParameterError, match="may be negative"):
        scores([[0.5], [0.6]], "gm(AP)", aggregation=Aggregation.GEOMETRIC).standardised()


def test_a_table_is_standardised_measure_by_measure():
    table = Table(by_measure={name: scores([[0.2], [0.4]], name) for name in ("AP", "RR")})
    assert table.standardised().measures == ("z(AP)", "z(RR)")
    again = table.standardised(Reference.over(table)).scores("z(AP)")
    assert again.values == pytest.approx(table.scores("AP").standardised().values)
