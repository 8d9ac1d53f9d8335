"""Scale types: what each admits."""

from __future__ import annotations

import pytest

from measurand.errors import ParameterError
from measurand.scale import Scale, as_scale
from measurand.scales.admissibility import SCALES, admissible, admissible_statistics, required_scale
from measurand.statistics.needs import need_of
from measurand.statistics.registry import TESTS


def test_words_are_read_with_spaces_underscores_hyphens_and_capitals():
    assert {required_scale(name) for name in ("geometric mean", "geometric_mean", "Geometric-Mean")} == {Scale.RATIO}
    assert as_scale("Interval scale") is as_scale("INTERVAL") is Scale.INTERVAL


@pytest.mark.parametrize("name", list(TESTS))
def test_a_test_needs_what_it_declares(name):
    assert required_scale(name) is required_scale(name.replace("_", " ").title()) is need_of(TESTS[name]).scale


def test_a_stronger_scale_admits_whatever_a_weaker_one_admits():
    for facts in SCALES.values():
        for statistic in facts.statistics:
            assert [scale for scale in Scale if admissible(statistic, scale)] == list(Scale)[facts.scale - 1 :]


def test_the_table_names_every_scale_statistic_and_test():
    table = admissible_statistics()
    names = [name for facts in SCALES.values() for name in (str(facts.scale), *facts.statistics)]
    assert [name for name in (*names, *(test.replace("_", " ") for test in TESTS)) if name not in table] == []


@pytest.mark.parametrize("name", ["nonsense", ""])
def test_what_nobody_knows_is_refused_with_what_there_is(name):
    with pytest.raises(ParameterError, match="there is mode"):
        required_scale(name)
    with pytest.raises(ParameterError, match="there is nominal"):
        as_scale(name)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Student t test", "paired_t"),
        ("Student's t", "paired_t"),
        ("Wilcoxon signed rank test", "signed_rank"),
        ("wilcoxon rank-sum", "rank_sum"),
        ("Friedman test", "friedman"),
    ],
)
def test_tests_are_known_by_the_names_people_say(said, name):
    assert required_scale(said) is need_of(TESTS[name]).scale


def test_no_statistic_is_listed_twice():
    listed = [name for facts in SCALES.values() for name in facts.statistics]
    assert len(listed) == len(set(listed))
