"""The tests by name: their own and those that people say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from measurand.errors import ParameterError
from measurand.statistics.all_pairs import AllPairs

Test = Callable[..., AllPairs]

_HOMES: Mapping[str, str] = {
    "sign": "sign_test",
    "rank_sum": "rank_tests",
    "signed_rank": "rank_tests",
    "paired_t": "t_test",
    "one_way_anova": "variance",
    "two_way_anova": "variance",
    "kruskal_wallis": "rank_variance",
    "friedman": "rank_variance",
    "randomisation": "resampling",
    "randomised_tukey": "resampling",
    "bootstrap": "resampling",
}

SPOKEN: Mapping[str, str] = {
    "t": "paired_t",
    "student": "paired_t",
    "wilcoxon": "signed_rank",
    "mann_whitney": "rank_sum",
    "anova": "two_way_anova",
    "tukey": "two_way_anova",
    "fisher": "randomisation",
    "permutation": "randomisation",
    "randomization": "randomisation",
}
"""What else the tests are called."""


class _Tests(Mapping[str, Test]):
    """The tests by their own names, loaded when they are first used."""

    def __getitem__(self, name: str) -> Test:
        test: Test = getattr(import_module(f"measurand.statistics.{_HOMES[name]}"), name)
        return test

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


TESTS: Mapping[str, Test] = _Tests()
"""Every test of all pairs by its name."""


def find_test(name: str) -> Test:
    """Return a test by its name, or by one that people say: "t", "Wilcoxon", "Kruskal-Wallis".

    Examples
    --------
    >>> find_test("t").__name__, find_test("Kruskal-Wallis").__name__
    ('paired_t', 'kruskal_wallis')
    """
    word = "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())
    own = SPOKEN.get(word, word)
    if own not in _HOMES:
        raise ParameterError(f"there is no test {name!r}; there is {', '.join((*_HOMES, *SPOKEN))}")
    return TESTS[own]
