"""How systems are compared: the test, the correction, the baseline, and how many lots are drawn."""

from __future__ import annotations

from math import ceil
from typing import Any, Literal

from attrs import field, frozen

from measurand.calls import Default
from measurand.exact import MOST_DRAWS, whole_number
from measurand.execution import Progress, Rng, silent
from measurand.judged import JudgedRuns
from measurand.scores import Scores
from measurand.statistics import ALPHA, AllPairs, find_test
from measurand.statistics.multiple_comparisons import correction
from measurand.study.certainty import floored
from measurand.study.count_tests import DRAWS
from measurand.study.count_tests import TESTS as COUNT_TESTS
from measurand.study.levels_matrix import LevelsMatrix, levels_matrix
from measurand.study.measure_result import fitting_test

Adjust = Literal["holm", "bonferroni", "bh", "none"] | None
"""How p-values are corrected for being many; None is none."""

TEST = Default("t")
"""The paired t test. Strict comparisons replace it where nothing was said, and refuse it where it was named."""

AUTO = "auto"
"""The test that fits the scale: paired t where it admits means, the sign test elsewhere."""

LEVELS_DEPTH = 100
"""Levels are about measures that look at so many ranks, or at all if there are fewer."""

TOP = 3
"""How many systems the best is compared with, in sentences."""

DRAWN = {"randomisation": "permutations", "randomised_tukey": "permutations", "bootstrap": "resamples"}
"""The tests that draw lots, and what they call these."""

LEAST, MOST = 10_000, 1_000_000
"""How many lots are drawn by default, at least and at most."""


@frozen(kw_only=True)
class Settings:
    """How systems are compared: the options of `compare`.

    Parameters
    ----------
    test
        The test of two systems, or "auto" for the one that fits the scale.
    adjust
        How p-values are corrected for the number of pairs.
    alpha
        The level of significance.
    baseline
        The system that all others are compared with; None if every two systems are compared.
    top
        How many systems the best is compared with, in sentences.
    strict
        Whether numbers that the scale does not admit are left out.
    draws
        How many lots are drawn; None for enough that a corrected p-value can be small.
    rng
        A seed, or a generator of random numbers.
    progress
        Shows progress.
    """

    test: str = field(default=TEST, validator=lambda _, __, test: None if isinstance(test, str) else find_test(test))
    adjust: str = field(default="holm", converter=correction)
    alpha: float = ALPHA
    baseline: str | None = None
    top: int = TOP
    strict: bool = False
    draws: int | None = field(default=None, validator=lambda _, __, number: _check_draws(number))
    rng: Rng = 0
    progress: Progress = silent

    def tested(self, scores: Scores) -> AllPairs:
        """Return the test of all pairs, before any correction, with no p below what flips of signs can reach.

        Parameters
        ----------
        scores
            The scores.
        """
        replaced = self.strict and isinstance(self.test, Default)
        test = find_test(fitting_test(scores) if replaced or self.test == AUTO else self.test)
        options: dict[str, Any] = {}
        if test.__name__ in DRAWN:
            lots = self._lots(test.__name__, len(scores.systems))
            options = {"rng": self.rng, "progress": self.progress, DRAWN[test.__name__]: lots}
        return floored(test(scores, strict=self.strict, **options), scores)

    def levels(self, judged: JudgedRuns) -> LevelsMatrix:
        """Return for which measures each system is at least as good as each other, down to rank 100 at most.

        Parameters
        ----------
        judged
            The judged runs.
        """
        test = find_test("t" if self.test == AUTO else self.test).__name__
        return levels_matrix(
            judged,
            depth=LEVELS_DEPTH,
            alpha=self.alpha,
            test=test if test in COUNT_TESTS else "t",
            adjust=self.adjust,
            baseline=self.baseline,
            permutations=DRAWS if self.draws is None else self.draws,
            rng=self.rng,
            progress=self.progress,
        )

    def _lots(self, test: str, systems: int) -> int:
        """Return how many lots to draw: enough that a corrected p-value can be small."""
        if self.draws is not None:
            return self.draws
        pairs = systems * (systems - 1) // 2 if self.baseline is None else systems - 1
        counts = self.adjust in ("holm", "bonferroni") and test != "randomised_tukey"
        return min(MOST, max(LEAST, ceil(2 * pairs / self.alpha))) if counts else LEAST


def _check_draws(number: int | None) -> None:
    if number is not None:
        whole_number("draws", number, high=MOST_DRAWS)
