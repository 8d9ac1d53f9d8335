"""Observational information effectiveness: what a ranking and the judgments tell together and apart."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm, log
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.exact import Exact, log_sum, rational, spell
from measurand.judged import NOTHING, JudgedRuns, Pool
from measurand.measures.base import Cells, Measure
from measurand.measures.flat import by_topic, gather
from measurand.measures.parameters import positive, whole

ROUNDING = 1e-9
"""What is less than this below 0 may be 0."""


@frozen(kw_only=True, repr=False)
class ObservationalEffectiveness(Measure):
    r"""Information of the ranking and of the judgments, less that of the two together.

    .. math:: \mathrm{OIE} = \alpha_1 H(r) + \alpha_2 H(g) - \beta\, H(\{r, g\})

    The entropy `H` is the mean over the collection of :math:`\ln D - \ln c`, where `c` documents are at
    least as good as the document in everything that is observed. At rank `i` it is `i` for the ranking, and
    the number of documents down to rank `i` of at least its grade for the two together; a relevant document
    that is not retrieved has as many as there are of at least its grade. All other documents tell nothing.

    Parameters
    ----------
    beta
        What is paid for information that the ranking and the judgments do not share; above `alpha1`
        documents that are not relevant cost something.
    collection
        The number of documents `D` in the collection. By default as many as the judgments of a campaign name, and
        as many more as rankings are long; for a lone run, as many as the topic has relevant ones and the run has
        ranks. That is far too few, and noted.
    rel
        The lowest grade that counts as relevant, grades above being alike; by default grades are told apart.

    Examples
    --------
    >>> OIE(beta=1, collection=10).of([1, 0, 1], recall_base=2)
    Logs(1/10 ln 2 + -1/10 ln 3 + 1/5 ln 5)
    >>> OIE(beta=1.2, collection=10).value([1, 0, 1], recall_base=2)
    0.17091185331875872

    Notes
    -----
    A relevant document at rank `i` that is the `k`-th of at least its grade, of which there are `N`, changes the sum
    by :math:`\alpha_1 \ln (D/i) - \beta \ln (N/k)`. That may be below 0: the score then falls although a relevant
    document was found. Scores of a campaign say so where it happens.

    References
    ----------
    [Amigo2018]_
    """

    name: ClassVar[str] = "OIE"
    reference: ClassVar[str] = "Amigo2018"
    tells_unjudged: ClassVar[bool] = False
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    bounds: ClassVar[tuple[int | None, int | None]] = (None, None)
    exactness: ClassVar[str] = "sums of logarithms"
    shown: ClassVar[tuple[str, ...]] = ("beta",)

    alpha1: Fraction = field(default=Fraction(1), converter=rational, validator=positive)
    alpha2: Fraction = field(default=Fraction(1), converter=rational, validator=positive)
    beta: Fraction = field(default=Fraction(6, 5), converter=rational, validator=positive)
    collection: int | None = field(default=None, validator=whole(1, optional=True))
    rel: int | None = field(default=None, validator=whole(1, optional=True))

    @property
    def graded(self) -> bool:  # type: ignore[override]
        """With a lowest relevant grade there are only two kinds of documents."""
        return self.rel is None

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "information"

    def size(self, pool: Pool, length: int) -> int:
        """Return the number of documents in the collection, given or assumed."""
        return self.collection or max(1, pool.recall_base(1) + length)

    def informed(self, judged: JudgedRuns) -> Self:
        return self if self.collection is not None else evolve(self, collection=max(1, judged.assumed_collection))

    def exact(self, run: Cells, pool: Pool) -> Exact:
        return self.level(run, pool) / self.unit(pool, len(run))  # type: ignore[operator]

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return the size of the collection, times what makes the three weights whole."""
        return Fraction(self.size(pool, length) * self._whole)

    @property
    def _whole(self) -> int:
        return lcm(self.alpha1.denominator, self.alpha2.denominator, self.beta.denominator)

    def level(self, run: Cells, pool: Pool) -> Exact:
        """Return the sum of logarithms over the whole collection, with whole coefficients."""
        kinds = [self._kind(cell) for cell in run if cell != NOTHING]
        relevant = self._relevant(pool)
        size = self.size(pool, len(run))
        self._check_size(size, len(kinds) + sum(max(0, n - kinds.count(v)) for v, n in relevant.items()))
        alpha1, alpha2, beta = (int(weight * self._whole) for weight in (self.alpha1, self.alpha2, self.beta))
        alone = [(rank, -alpha1) for rank in range(1, len(kinds) + 1)]
        gold = [(_at_least(relevant, v), -alpha2 * n) for v, n in relevant.items()]
        together = [(count, beta * n) for count, n in self._shared(kinds, relevant)]
        terms = [*alone, *gold, *together]
        return log_sum([*terms, (size, -sum(n for _, n in terms))])

    def _kind(self, cell: int) -> int:
        return max(0, cell) if self.rel is None else int(cell >= self.rel)

    def _relevant(self, pool: Pool) -> dict[int, int]:
        """Return how many documents there are of each kind that is worth something."""
        if self.rel is not None:
            return {1: pool.recall_base(self.rel)} if pool.recall_base(self.rel) else {}
        return {grade: n for grade, n in enumerate(pool.grade_counts) if grade and n}

    def _shared(self, kinds: list[int], relevant: dict[int, int]) -> Iterator[tuple[int, int]]:
        """Return by how many documents a document is matched in rank and grade, and how many such there are."""
        seen = [0] * (max([0, *kinds, *relevant]) + 1)
        for kind in kinds:
            for grade in range(kind + 1):
                seen[grade] += 1
            yield seen[kind], 1
        for grade, n in relevant.items():
            # judgments may know fewer documents of a grade than a run that was made up
            yield _at_least(relevant, grade), max(0, n - kinds.count(grade))

    def fast(self, judged: JudgedRuns) -> FloatArray:
        ranks = judged.depth if self.cutoff is None else min(self.cutoff, judged.depth)
        size = by_topic([self.size(pool, ranks) for pool in judged.pools], judged)
        retrieved = np.minimum(judged.lengths.reshape(-1), ranks)
        logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, ranks + 1)))))
        listed = retrieved * np.log(size) - logs[retrieved]
        value = float(self.alpha1 - self.beta) * listed
        needed = retrieved.copy()
        counts = [self._relevant(pool) for pool in judged.pools]
        for grade, row, rank, ordinal in self._by_kind(judged):
            number = by_topic([count.get(grade, 0) for count in counts], judged)
            better = by_topic([_at_least(count, grade) or 1 for count in counts], judged)
            missing = np.maximum(0, number - gather(row, None, judged))
            value += (float(self.alpha2) * number - float(self.beta) * missing) * np.log(size / better)
            value -= float(self.beta) * gather(row, np.log(rank / ordinal), judged)
            needed = needed + missing
        over = needed > size
        if over.any():
            worst = int(np.argmax(needed - size))
            self._check_size(int(size[worst]), int(needed[worst]))
        return np.asarray(value / size)

    def _by_kind(self, judged: JudgedRuns) -> Iterator[tuple[int, IntArray, IntArray, IntArray]]:
        """Return for each kind the rows of its documents, their ranks, and how manieth of their kind they are."""
        for kind in range(1, 2 if self.rel else judged.grade_counts.shape[1]):
            hits = judged.hits.select(self.rel or kind, self.cutoff)
            mine = hits.grade == kind if self.rel is None else np.ones(len(hits.row), dtype=bool)
            yield kind, hits.row[mine], hits.rank[mine], hits.ordinal[mine]

    def _check_size(self, size: int, needed: int) -> None:
        if needed > size:
            what = "documents retrieved and relevant ones not retrieved"
            raise ParameterError(f"{self!r}: a topic has {needed} {what}; a collection of {size} cannot hold them")

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = Measure._caveats(self, judged)
        informed = self.informed(judged)
        if informed is not self:
            text = f"{self!r} is not told how many documents there are and takes {informed.collection}: those that were"
            more = f"judged, and as many more as rankings are long, {judged.depth}"
            unknown = Caveat(Doubt.COLLECTION, f"{text} {more}; say it: collection=… (--collection-size)")
            caveats = (*caveats, unknown)
        seen = judged.condensed if self.judged_only else judged
        odd = (*informed._falls(seen), *informed._empties(seen))
        return (*caveats, *(Caveat(Doubt.ORDER, f"{self!r}: {text}") for text in odd))

    def _falls(self, judged: JudgedRuns) -> Iterator[str]:
        """Return that relevant documents lower scores, if any of these do."""
        found = fallen = 0
        for kind, row, rank, ordinal in self._by_kind(judged):
            there = [max(1, _at_least(self._relevant(pool), kind)) for pool in judged.pools]
            gain = self._gain(rank, ordinal, by_topic(there, judged)[row])
            found, fallen = found + len(gain), fallen + int((gain < -ROUNDING).sum())
        if fallen:
            text = f"{fallen} of the {found} relevant documents that were retrieved lower the score of their run"
            why = f"they come late, and beta={spell(self.beta)} counts those that are missing"
            yield f"{text}, because {why}"

    def _empties(self, judged: JudgedRuns) -> Iterator[str]:
        """Return that nothing at all scores more than the perfect ranking, if it does."""
        better = [
            topic
            for topic, pool in zip(judged.topics, judged.pools, strict=True)
            if self._worth_of_perfection(pool) < -ROUNDING
        ]
        if better:
            some = f"{', '.join(better[:3])}{', …' if len(better) > 3 else ''}"
            text = f"on {len(better)} of the {len(judged.topics)} topics ({some}) an empty result scores more than"
            why = f"beta={spell(self.beta)} is too high for so small a collection"
            yield f"{text} the relevant documents in their best order: {why}"

    def _worth_of_perfection(self, pool: Pool) -> float:
        """Return what all relevant documents in their best order are worth more than no document at all."""
        relevant = self._relevant(pool)
        kinds = sorted(relevant, reverse=True)
        there = np.repeat([_at_least(relevant, kind) for kind in kinds], [relevant[kind] for kind in kinds])
        rank = np.arange(1, there[: self.cutoff].size + 1)
        return float(self._gain(rank, rank, there[: self.cutoff]).sum())

    def _gain(self, rank: IntArray, ordinal: IntArray, there: IntArray | FloatArray) -> FloatArray:
        """Return how much documents add to the sum over the collection, each when it is appended to its run.

        Parameters
        ----------
        ordinal, there
            The how manieth of at least its grade it is in the run, and how many such documents there are.
        """
        found = log(self.collection or 1) - np.log(rank)
        return np.asarray(float(self.alpha1) * found - float(self.beta) * np.log(there / ordinal))


def _at_least(relevant: dict[int, int], grade: int) -> int:
    return sum(n for other, n in relevant.items() if other >= grade)


OIE = ObservationalEffectiveness()
