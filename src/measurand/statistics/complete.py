"""Systems on the topics that all of them have."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.errors import Caveat, Doubt
from measurand.scores import Scores
from measurand.statistics.needs import PairOutcome
from measurand.statistics.pairwise import FEWEST


@frozen(eq=False)
class Complete:
    """The scores of all systems on the topics that all have.

    Parameters
    ----------
    values
        Systems × topics, without NaN.
    caveats
        How many topics were left out, and whether anything is left to test.
    """

    values: FloatArray
    caveats: tuple[Caveat, ...] = ()

    @property
    def testable(self) -> bool:
        """Whether there are two systems and two topics at least."""
        systems, topics = self.values.shape
        return bool(systems >= FEWEST and topics >= FEWEST)

    def untested(self, compared: FloatArray) -> PairOutcome:
        """Return the outcome where nothing can be tested: every p-value is 1.

        Parameters
        ----------
        compared
            Systems × topics: that whose means the test would compare.
        """
        systems, topics = self.values.shape
        means = compared.mean(axis=1) if topics else np.zeros(systems)
        first, second = np.triu_indices(systems, 1)
        return PairOutcome(
            pvalues=np.ones(len(first)),
            differences=means[first] - means[second],
            statistic=np.zeros(len(first)),
            topics=np.full(len(first), topics),
            details={"p": 1.0},
            caveats=self.caveats,
        )


def complete(scores: Scores) -> Complete:
    """Return the scores on the topics that all systems have, with a caveat that counts the others.

    Examples
    --------
    >>> values = [[0.5, 0.3, 0.2], [0.1, np.nan, 0.2]]
    >>> left = complete(Scores(measure="P@10", values=values, systems=("a", "b"), topics=("1", "2", "3")))
    >>> left.values.tolist(), str(left.caveats[0])
    ([[0.5, 0.2], [0.1, 0.2]], '1 of 3 topics are left out, because a system has no score there')
    """
    everywhere: BoolArray = np.asarray(~np.isnan(scores.values).any(axis=0))
    caveats: tuple[Caveat, ...] = ()
    if not everywhere.all():
        left_out, of = int((~everywhere).sum()), len(everywhere)
        text = f"{left_out} of {of} topics are left out, because a system has no score there"
        caveats = (Caveat(Doubt.MISSING_TOPICS, text),)
    if everywhere.sum() < FEWEST:
        what = "only one topic that all systems have" if everywhere.any() else "no topic that all systems have"
        caveats = (*caveats, Caveat(Doubt.DEGENERATE, f"there is {what}: nothing can be tested"))
    return Complete(scores.values[:, everywhere], caveats)
