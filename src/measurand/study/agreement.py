"""Agreement: how alike measures rank the systems, with their own scores and with interval-scaled ones."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import nan

from attrs import frozen

from measurand.scales.beside import averages
from measurand.scales.effect import PairCorrelation
from measurand.scores import Scores
from measurand.statistics import kendall


@frozen(eq=False, repr=False)
class Agreement:
    """Kendall's tau between the orders in which measures put the systems.

    Parameters
    ----------
    pairs
        By two measures: tau of the averages, raw and interval-scaled; NaN where a measure ties all systems or has
        no interval scale.
    selves
        By measure: tau between its raw and its interval-scaled averages.
    """

    pairs: Mapping[tuple[str, str], PairCorrelation]
    selves: Mapping[str, float]

    def __repr__(self) -> str:
        return f"<Agreement of {len(self.selves)} measures>"

    def of(self, a: str, b: str) -> PairCorrelation:
        """Return how alike two measures rank the systems, in whatever order they are named."""
        return self.pairs[a, b] if (a, b) in self.pairs else self.pairs[b, a]


def agreement(raw: Mapping[str, Scores], ranked: Mapping[str, Scores]) -> Agreement:
    """Return how alike measures rank the systems.

    Examples
    --------
    >>> one = Scores(measure="P@2", values=[[1], [0], [0.5]], systems="abc", topics="1")
    >>> other = Scores(measure="RR", values=[[1], [0.5], [0]], systems="abc", topics="1")
    >>> found = agreement({"P@2": one, "RR": other}, {"P@2": one})
    >>> round(found.of("RR", "P@2").raw, 4), found.of("RR", "P@2").ranked, found.selves
    (0.3333, nan, {'P@2': 1.0})

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 2 and 4; [Kendall1945]_
    """
    by_scale = [{name: averages(scores.by_goodness()) for name, scores in each.items()} for each in (raw, ranked)]
    own, scaled = by_scale
    pairs = {
        (a, b): PairCorrelation(
            *(float(kendall(each[a], each[b])) if {a, b} <= set(each) else nan for each in by_scale)
        )
        for a, b in combinations(own, 2)
    }
    return Agreement(pairs, {name: float(kendall(own[name], scaled[name])) for name in scaled})
