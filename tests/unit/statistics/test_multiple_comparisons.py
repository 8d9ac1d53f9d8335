"""Corrections of p-values."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measurand.errors import ParameterError
from measurand.statistics.multiple_comparisons import CORRECTIONS, corrected, letters

some = st.integers(0, 12).flatmap(lambda n: arrays(np.float64, n, elements=st.floats(0, 1)))


@given(pvalues=some)
def test_benjamini_and_hochbergs_is_scipys(pvalues):
    from scipy.stats import false_discovery_control

    expected = false_discovery_control(pvalues) if len(pvalues) else pvalues
    assert corrected(pvalues, "bh") == pytest.approx(expected)


@given(pvalues=some, alpha=st.floats(0.001, 0.999))
def test_holms_rejects_step_by_step(pvalues, alpha):
    rejected = np.zeros(len(pvalues), dtype=bool)
    for step, place in enumerate(np.argsort(pvalues, kind="stable")):
        if pvalues[place] * (len(pvalues) - step) > alpha:
            break
        rejected[place] = True
    assert (corrected(pvalues, "holm") <= alpha).tolist() == rejected.tolist()


@given(pvalues=some)
def test_corrections_grow_more_careful_from_none_to_bonferroni_and_keep_the_order(pvalues):
    none, bh, holm, bonferroni = (corrected(pvalues, how) for how in ("none", "bh", "holm", "bonferroni"))
    assert none.tolist() == pvalues.tolist()
    assert (none <= bh + 1e-15).all()
    assert (bh <= holm + 1e-15).all()
    assert (holm <= bonferroni).all()
    assert (bonferroni <= 1).all()
    order = np.argsort(pvalues, kind="stable")
    assert all((np.diff(found[order]) >= 0).all() for found in (bh, holm, bonferroni))


def test_an_unknown_correction_is_refused():
    with pytest.raises(ParameterError, match=f"adjust must be one of {', '.join(map(repr, CORRECTIONS))}"):
        corrected(np.array([0.1]), "tukey")


square = st.integers(0, 12).flatmap(lambda n: arrays(np.bool_, (n, n)).map(lambda a: np.triu(a, 1) | np.triu(a, 1).T))


def apart(text: str) -> set[str]:
    return set(text.split()) if " " in text else set(text)


@given(differ=square, data=st.data())
def test_two_systems_share_a_letter_exactly_when_they_do_not_differ(differ, data):
    order = data.draw(st.permutations(range(len(differ))))
    given_letters = [apart(text) for text in letters(differ, order)]
    for a in range(len(differ)):
        assert given_letters[a]
        for b in range(len(differ)):
            assert bool(given_letters[a] & given_letters[b]) == (not differ[a, b])


@given(differ=square, data=st.data())
def test_no_letter_could_be_left_out_and_the_best_system_has_the_first(differ, data):
    order = data.draw(st.permutations(range(len(differ))))
    given_letters = [apart(text) for text in letters(differ, order)]
    assert not order or "a" in given_letters[order[0]]
    for letter in set().union(*given_letters):
        without = [kept - {letter} for kept in given_letters]
        assert any(
            not differ[a, b] and not without[a] & without[b] for a in range(len(differ)) for b in range(len(differ))
        )


@given(ends=st.lists(st.integers(0, 3), max_size=15))
def test_where_neighbours_are_alike_the_letters_are_as_few_as_can_be(ends):
    reach = np.maximum.accumulate([place + end for place, end in enumerate(ends)]) if ends else np.zeros(0, dtype=int)
    places = np.arange(len(ends))
    alike = (places[None, :] <= reach[:, None]) & (places[None, :] >= places[:, None])
    found = set("".join(letters(~(alike | alike.T), places.tolist())))
    capped = np.minimum(reach, len(ends) - 1).tolist()
    assert len(found) == sum(before < after for before, after in pairwise([-1, *capped]))


def test_systems_that_all_differ_have_a_letter_each():
    assert letters(~np.eye(3, dtype=bool), [2, 0, 1]) == ("b", "c", "a")


def test_systems_that_are_all_alike_share_one_letter():
    assert letters(np.zeros((4, 4), dtype=bool), [3, 2, 1, 0]) == ("a",) * 4


def test_after_z_the_letters_go_on_and_stand_apart():
    found = letters(~np.eye(30, dtype=bool), range(30))
    assert found[:2] + found[24:28] == ("a", "b", "y", "z", "aa", "ab")
    differ = ~np.eye(60, dtype=bool)
    differ[0] = differ[:, 0] = False
    many = letters(differ, range(60))
    assert many[0].split()[24:28] == ["y", "z", "aa", "ab"]
    assert many[27] == "aa"


def test_many_systems_without_any_pattern_get_letters_too():
    noise = np.triu(np.random.default_rng(0).random((129, 129)) < 0.5, 1)
    found = [apart(text) for text in letters(noise | noise.T, range(129))]
    assert all(bool(found[a] & found[b]) != noise[a, b] for a, b in zip(*np.triu_indices(129, 1), strict=True))


def test_an_order_that_does_not_fit_is_refused():
    for order in ([0], [0, 0], [1, 2]):
        with pytest.raises(ParameterError, match="each system of the matrix once"):
            letters(np.zeros((2, 2), dtype=bool), order)
