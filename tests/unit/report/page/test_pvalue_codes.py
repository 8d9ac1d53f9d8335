"""Codes decide as the p-values do, whatever the correction."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from measurand.report.page.packed_numbers import ONE, UNTESTED, coded, decoded, pvalue_codes
from measurand.scale import Scale
from measurand.scores import Need
from measurand.statistics import CORRECTIONS, AllPairs
from measurand.statistics.pairs import square


def pairs_of(pvalues, systems: int, adjusted: str = "none") -> AllPairs:
    none = np.zeros((systems, systems))
    return AllPairs(
        test="sign",
        measure="M",
        systems=tuple(f"s{place}" for place in range(systems)),
        pvalues=square(np.asarray(pvalues), systems, diagonal=1),
        differences=none,
        statistic=none,
        topics=none,
        needs=Need("sign test", Scale.ORDINAL),
        references=(),
        adjusted=adjusted,
        details=MappingProxyType({}),
    )


def some_pvalues(seed: int, systems: int) -> np.ndarray:
    """p-values of all sizes, many equal, some within a hair of each other."""
    rng = np.random.default_rng(seed)
    n = systems * (systems - 1) // 2
    found = 10 ** rng.uniform(-rng.choice([2, 6, 40]), 0, size=n)
    found[rng.random(n) < 0.3] = rng.choice(found)
    near = rng.random(n) < 0.4
    found[near] = 0.05 / rng.choice([1, n, n / 2]) * (1 + rng.normal(scale=1e-6, size=near.sum()))
    return np.clip(found, 0, 1)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("baseline", [None, "s3"])
def test_a_code_is_below_the_cutoff_exactly_where_the_pair_is_significant(seed, baseline):
    systems = 4 + seed % 9
    pairs = pairs_of(some_pvalues(seed, systems), systems, "tukey" if seed % 5 == 4 else "none")
    alpha = (0.05, 0.01, 1e-12)[seed % 3]
    found = pvalue_codes(pairs, alpha, baseline)
    upper = np.triu_indices(systems, 1)
    for name in CORRECTIONS:
        decided = pairs.adjust(name, baseline=baseline).significant(alpha)[upper]
        assert (found.codes.astype(int) <= found.cutoffs[name]).tolist() == decided.tolist()


@pytest.mark.parametrize("seed", range(10))
def test_codes_keep_the_order_of_p_values(seed):
    pvalues = some_pvalues(seed, 9)
    codes = pvalue_codes(pairs_of(pvalues, 9), 0.05).codes.astype(int)
    assert (np.diff(codes[np.argsort(pvalues, kind="stable")]) >= 0).all()


def test_a_code_is_within_a_thousandth_of_its_p_value():
    pvalues = 10 ** np.random.default_rng(0).uniform(-9.99, 0, size=5000)
    assert np.abs(decoded(coded(pvalues)) / pvalues - 1).max() < 1e-3
    assert coded(np.array([0.0, 1e-300, 1.0])).tolist() == [0, 0, ONE]


def test_pairs_without_the_baseline_are_not_tested():
    found = pvalue_codes(pairs_of(np.full(6, 0.001), 4), 0.05, "s1")
    assert (found.codes == UNTESTED).tolist() == [False, True, True, False, False, True]
