"""Sentences about simulated tests: what another scale changes, and what pairs are that lose their significance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan

from measurand.display.wording import listed
from measurand.statistics.needs import need_of
from measurand.statistics.registry import TESTS
from measurand.statistics.simulation.rates import FEW, ScaleChange, with_interval

LOOKS: Mapping[str, str] = {
    "sign": "at the number of topics on which a system is ahead",
    "friedman": "at ranks within topics",
    "rank_sum": "at ranks among all scores of two systems",
    "kruskal_wallis": "at ranks among all scores",
    "signed_rank": "at ranks of differences",
}
"""What tests look at that do not look at mean scores."""


def looks_at(test: str) -> str:
    """Return what a test looks at, so that nobody takes power for meaning.

    Parameters
    ----------
    test
        The name of the test.

    Examples
    --------
    >>> looks_at("paired_t")
    'Mind what a test is about: paired_t looks at mean scores; taken strictly, it asks for an interval scale.'
    """
    scale = need_of(TESTS[test]).scale
    others = ", not at means" if test in LOOKS else ""
    return (
        f"Mind what a test is about: {test} looks {LOOKS.get(test, 'at mean scores')}{others}; taken strictly, it asks"
        f" for {'an' if str(scale)[0] in 'aeio' else 'a'} {scale} scale."
    )


Kinds = dict[int, list[str]]
"""Tests by what is the case with them: 1, -1, or 0 where it is not decided."""


def by_kind(changes: Sequence[ScaleChange], kind: Callable[[ScaleChange], int]) -> Kinds:
    """Return the names of tests by what is the case with them.

    Parameters
    ----------
    changes
        What a scale changes, test by test.
    kind
        What is the case with a test: -1, 0 or 1.
    """
    found: Kinds = {-1: [], 0: [], 1: []}
    for each in changes:
        found[kind(each)].append(each.test)
    return found


def by_tests(tests: Kinds, words: Mapping[int, str], every: str = "every test") -> str:
    """Return what is the case with which tests; the last ones of many are "the others".

    Parameters
    ----------
    tests
        The tests by what is the case with them.
    words
        The words for each case, in the order in which they are said; those without words are left out.
    every
        What all tests are called.

    Examples
    --------
    >>> words = {-1: "fewer errors", 1: "more", 0: "as many within chance"}
    >>> by_tests({-1: ["sign"], 1: [], 0: ["paired_t", "rank_sum", "friedman"]}, words)
    'fewer errors with sign, as many within chance with the others'
    >>> by_tests({-1: [], 1: [], 0: ["sign", "paired_t"]}, words)
    'as many within chance with every test'
    >>> by_tests({-1: ["sign", "paired_t"], 1: [], 0: ["friedman"]}, {-1: "fewer errors"})
    'fewer errors with sign and paired_t'
    """
    there = [kind for kind in words if tests[kind]]
    whole = all(kind in words for kind in tests if tests[kind])
    said: list[str] = []
    for kind in there:
        if whole and len(there) == 1 and tests[kind][1:]:
            which = every
        elif whole and said and kind == there[-1] and tests[kind][2:]:
            which = "the others"
        else:
            which = listed(tests[kind], 8)
        said.append(f"{words[kind]} with {which}")
    return ", ".join(said)


def change_in_words(what: str, tests: Kinds) -> str:
    """Return with which tests there is less, more or as much of something.

    Parameters
    ----------
    what
        What there is of, with its verb.
    tests
        The tests with less (-1), more (1) and as much within chance (0) of it.

    Examples
    --------
    >>> change_in_words("errors are made", {-1: ["sign"], 1: [], 0: ["paired_t"]})
    'fewer errors are made with sign, as many within chance with paired_t'
    """
    words = {-1: "fewer", 1: "more", 0: "as many"}
    first = next(kind for kind in words if tests[kind])
    words[first] += f" {what}"
    words[0] += " within chance"
    return by_tests(tests, words)


def lost_in_words(changes: Sequence[ScaleChange], blocks: int) -> Iterator[str]:
    """Say what pairs are that are significant on the first scale alone: errors avoided, or effects missed.

    Parameters
    ----------
    changes
        What a scale changes, test by test.
    blocks
        How many groups of repetitions that is found from; few decide nothing.
    """
    there = [each for each in changes if not isnan(each.lost_without_effect.value)]
    if not there:
        return
    ordered = sorted(there, key=lambda each: each.lost_without_effect.value)
    ends = ordered if len(ordered) < 2 else [ordered[0], ordered[-1]]
    shares = " to ".join(f"{with_interval(each.lost_without_effect)} with {each.test}" for each in ends)
    yield (
        f"Of the pairs that are significant under {there[0].first} alone, {shares} have no effect, if half of all pairs"
        " have none."
    )
    kinds = by_kind(there, lambda each: _mostly(each) if blocks >= FEW else 0)
    words = {-1: "an effect that is missed", 1: "a type I error that is avoided"}
    decided = by_tests(kinds, words, "every test" if len(there) == len(changes) else "every test that has such pairs")
    if not decided:
        yield f"Whether a pair that loses its significance is mostly {words[-1]} or {words[1]} is not decided."
        return
    rest = f"; with {listed(kinds[0], 8)} that is not decided" if kinds[0] else ""
    yield f"So a pair that loses its significance is mostly {decided}{rest}."


def _mostly(change: ScaleChange) -> int:
    """Return whether most pairs that lose their significance have no effect (1) or one (-1); 0 if it is open."""
    share = change.lost_without_effect
    return 1 if share.low > 0.5 else -1 if share.high < 0.5 else 0
