"""The registry of tests: by their names, and by others that are in use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from measurand.calls import nearest
from measurand.errors import ParameterError, quoted
from measurand.statistics.all_pairs import AllPairs
from measurand.statistics.rank_tests import friedman, kruskal_wallis, rank_sum, signed_rank
from measurand.statistics.resampling import bootstrap, randomisation, randomised_tukey
from measurand.statistics.sign_test import sign
from measurand.statistics.t_test import paired_t
from measurand.statistics.variance import one_way_anova, two_way_anova

Test = Callable[..., AllPairs]

TESTS: Mapping[str, Test] = MappingProxyType(
    {
        "sign": sign,
        "rank_sum": rank_sum,
        "signed_rank": signed_rank,
        "paired_t": paired_t,
        "one_way_anova": one_way_anova,
        "two_way_anova": two_way_anova,
        "kruskal_wallis": kruskal_wallis,
        "friedman": friedman,
        "randomisation": randomisation,
        "randomised_tukey": randomised_tukey,
        "bootstrap": bootstrap,
    }
)
"""Every test of all pairs by its name."""

EIGHT = (
    "sign",
    "rank_sum",
    "signed_rank",
    "paired_t",
    "one_way_anova",
    "two_way_anova",
    "kruskal_wallis",
    "friedman",
)
"""The eight tests of Ferrante, Ferro and Fuhr, in the order of their section III-E."""

SPOKEN: Mapping[str, str] = MappingProxyType(
    {
        "t": "paired_t",
        "ttest": "paired_t",
        "ttest_rel": "paired_t",
        "paired_ttest": "paired_t",
        "student": "paired_t",
        "student_t": "paired_t",
        "wilcoxon": "signed_rank",
        "mann_whitney": "rank_sum",
        "anova": "two_way_anova",
        "tukey": "two_way_anova",
        "tukey_hsd": "two_way_anova",
        "hsd": "two_way_anova",
        "fisher": "randomisation",
        "permutation": "randomisation",
        "randomization": "randomisation",
    }
)
"""What else the tests are called."""


def find_test(name: str) -> Test:
    """Return a test by its name, or by another name that is in use: "t", "Wilcoxon", "Kruskal-Wallis".

    Parameters
    ----------
    name : str
        A key of `TESTS` or of `SPOKEN`, in any spelling.

    Examples
    --------
    >>> [find_test(name).__name__ for name in ("t-test", "Kruskal-Wallis", "Tukey's HSD")]
    ['paired_t', 'kruskal_wallis', 'two_way_anova']
    """
    if not isinstance(name, str):
        raise ParameterError(f"there is no test {quoted(name)}; there is {', '.join((*TESTS, *SPOKEN))}")
    word = "_".join(re.findall(r"[a-z0-9]+", re.sub(r"['’]s\b", "", name.lower()))).removesuffix("_test")
    own = SPOKEN.get(word, word)
    if own not in TESTS:
        close = nearest(word, (*TESTS, *SPOKEN))
        hint = f"did you mean {close}?" if close else f"there is {', '.join((*TESTS, *SPOKEN))}"
        raise ParameterError(f"there is no test {quoted(name)}; {hint}")
    return TESTS[own]
