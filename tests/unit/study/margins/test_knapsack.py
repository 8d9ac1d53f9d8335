"""The fewest changes over topics, against all ways to spend them."""

from itertools import product
from math import inf, isfinite

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from measurand.study.margins.knapsack import fewest

GAINS = st.lists(st.sampled_from((0.0, 0.25, 1.0, 1 / 3, inf)), max_size=4)


@given(
    gains=st.lists(GAINS, min_size=1, max_size=4),
    share=st.sampled_from((0.0, 0.2, 0.5, 0.9, 1.0, 1.1)),
    most=st.none() | st.integers(0, 8),
)
def test_so_many_changes_suffice_no_fewer_do_and_none_gain_more(gains, share, most):
    tables = [np.cumsum([0.0, *each]) for each in gains]

    def gained(shares):
        return sum(float(table[number]) for table, number in zip(tables, shares, strict=True))

    need = share * sum(filter(isfinite, (gain for each in gains for gain in each)))
    ways = list(product(*(range(len(table)) for table in tables)))
    enough = [way for way in ways if gained(way) >= need and (most is None or sum(way) <= most)]
    found = fewest(tables, need, most)
    if not enough:
        assert found is None
        return
    changes, shares = found
    assert changes == min(map(sum, enough))
    assert sum(shares) <= changes
    assert gained(shares) == max(gained(way) for way in ways if sum(way) <= changes) >= need


def test_many_topics_get_as_many_changes_as_the_table_of_all_numbers_of_changes_says():
    rng = np.random.default_rng(1)
    tables = [np.cumsum([0.0, *(rng.random(6) * (rng.random(6) < 0.5))]) for _ in range(60)]
    need = 0.4 * sum(table[-1] for table in tables)
    gained = np.zeros(len(tables) * 6 + 1)
    for table in tables:
        gained = np.array([max(gained[n - k] + table[k] for k in range(min(n, 6) + 1)) for n in range(len(gained))])
    changes, shares = fewest(tables, need)
    assert changes == np.flatnonzero(gained >= need)[0]
    assert sum(float(table[share]) for table, share in zip(tables, shares, strict=True)) == gained[changes]
