"""Tests of all pairs by several measures, each made once: some measures have the same ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from attrs import field, frozen

from measurand.arrays import BoolArray
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.scales.raw_and_interval import Conventions
from measurand.scores import Scores
from measurand.statistics.all_pairs import AllPairs
from measurand.statistics.multiple_comparisons import level
from measurand.statistics.needs import check_semantics
from measurand.statistics.registry import EIGHT, Test, find_test

ScoresKey = tuple[bytes, bool, str, bool]
"""What a test was made of: a digest of the scores, whether they are exact, the test, and whether it has options."""


@frozen(eq=False)
class MadeTest:
    """What a test found.

    Parameters
    ----------
    of
        What it was made of.
    significant
        Which pairs of systems differ.
    caveats
        What is to be known of that.
    """

    of: ScoresKey
    significant: BoolArray
    caveats: tuple[Caveat, ...]


@frozen(eq=False)
class MadeTests:
    """The tests to be made, and what they found for scores that came before.

    Parameters
    ----------
    tests
        The tests by name.
    alpha
        The level of significance.
    semantics
        Whose conventions they follow.
    """

    tests: Mapping[str, Test]
    alpha: float
    semantics: str
    known: dict[ScoresKey, MadeTest] = field(factory=dict, init=False)

    @classmethod
    def of(cls, tests: str | Iterable[str], alpha: float, semantics: str) -> MadeTests:
        """Return some tests, by name, or complain of what cannot be.

        Parameters
        ----------
        tests, alpha, semantics
            As for `scale_effect`.
        """
        several = [find_test(name) for name in ([tests] if isinstance(tests, str) else tests)]
        if not several:
            raise ParameterError(f"no test was asked for; there is {', '.join(EIGHT)}")
        return cls({test.__name__: test for test in several}, level(alpha), check_semantics(semantics))

    def __reduce__(self) -> tuple[Any, ...]:
        # what is known here is not sent to other processes
        return MadeTests, (self.tests, self.alpha, self.semantics)

    def tested(self, scores: Scores, conventions: Conventions) -> dict[str, MadeTest]:
        """Return what each test finds.

        Parameters
        ----------
        scores
            The scores of all systems.
        conventions
            How the tests are made.
        """
        of, found = (sha256(scores.values.tobytes()).digest(), scores.exact is not None), {}
        for name, test in self.tests.items():
            options = conventions.options(name)
            key = *of, name, bool(options)
            if key not in self.known:
                outcome = test(scores, semantics=self.semantics, **options)
                caveats = tuple(_own(outcome, scores))
                self.known[key] = MadeTest(key, outcome.significant(self.alpha), caveats)
            found[name] = self.known[key]
        return found


def _own(outcome: AllPairs, scores: Scores) -> list[Caveat]:
    """Return the caveats of a test, without that of the scale of raw scores, which is what is being examined."""
    return [
        caveat for caveat in outcome.caveats if caveat not in scores.caveats and caveat.kind is not CaveatKind.SCALE
    ]
