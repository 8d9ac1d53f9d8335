"""Tests of pairs: what several tests say of every two systems, with raw scores and with interval-scaled ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from measurand.errors import ParameterError
from measurand.execution import Progress, silent
from measurand.scales.flips import Flips
from measurand.scores import Scores
from measurand.statistics import AllPairs, find_test

TESTS = ("sign", "signed_rank", "paired_t", "two_way_anova")
"""The tests of a study: from the one that asks least of a scale to the one that asks most."""

RAW, RANKED = "raw", "interval"
"""The two scales on which pairs are tested."""


@frozen(eq=False, repr=False)
class PairTests:
    """What each test says of all pairs under each measure, before any correction.

    Parameters
    ----------
    by_kind
        By measure, scale ("raw" or "interval") and test.
    """

    by_kind: Mapping[tuple[str, str, str], AllPairs]

    def __repr__(self) -> str:
        return f"<PairTests: {len(self.by_kind)} tests of all pairs>"

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        return iter(self.by_kind)

    def of(self, measure: str, scale: str, test: str) -> AllPairs:
        """Return what a test says under a measure on a scale."""
        try:
            return self.by_kind[measure, scale, test]
        except KeyError:
            raise ParameterError(f"{test} of {measure} on the {scale} scale was not made") from None

    def scales(self, measure: str) -> tuple[str, ...]:
        """Return on which scales a measure was looked at."""
        return tuple(scale for scale in (RAW, RANKED) if (measure, scale, TESTS[0]) in self.by_kind)

    def flips(self, measure: str, test: str, *, adjust: str, alpha: float, baseline: str | None = None) -> Flips | None:
        """Return how many pairs change between significant and not on the interval scale; None if there is none."""
        if RANKED not in self.scales(measure):
            return None
        raw, ranked = (
            self.of(measure, scale, test).adjust(adjust, baseline=baseline).significant(alpha)
            for scale in (RAW, RANKED)
        )
        return Flips.between(raw, ranked)


def pair_tests(raw: Mapping[str, Scores], ranked: Mapping[str, Scores], progress: Progress = silent) -> PairTests:
    """Return what the tests of a study say of all pairs, for raw scores and interval-scaled ones by measure.

    Examples
    --------
    >>> scores = Scores(measure="P@2", values=[[1, 1, 1], [0, 0, 0.5]], systems="ab", topics="123")
    >>> tests = pair_tests({"P@2": scores}, {})
    >>> tests.of("P@2", "raw", "sign").of("a", "b"), tests.scales("P@2")
    (0.25, ('raw',))
    """
    several = [(name, RAW, scores) for name, scores in raw.items()]
    several += [(name, RANKED, scores) for name, scores in ranked.items()]
    found = {}
    for name, scale, scores in progress(several, len(several), "testing all pairs"):
        found.update({(name, scale, test): find_test(test)(scores) for test in TESTS})
    return PairTests(found)
