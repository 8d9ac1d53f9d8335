"""Observational information effectiveness: the information of a ranking and of the judgments, together and apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import ceil, lcm, log
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import Exact, log_sum, rational, spell
from measurand.judged import NOTHING, Hits, JudgedRuns, Pool
from measurand.judged.hits import by_topic, gather
from measurand.measures.base import Grades, Measure
from measurand.measures.campaigns import with_campaign
from measurand.measures.exact_ties import near
from measurand.measures.parameters import MOST_DOCUMENTS, Threshold, positive, read_threshold, threshold, whole

Kinds = tuple[int, ...]

ByKind = Iterator[tuple[int, IntArray, IntArray, IntArray]]

NAMED = 5
"""So many systems that score no more than an empty result are named."""

ROUNDING = 1e-9
"""What is less than this below 0 may be 0."""


@frozen(kw_only=True, repr=False)
class ObservationalEffectiveness(Measure):
    r"""Information of the ranking and of the judgments, less that of the two together.

    .. math:: \mathrm{OIE} = \alpha_1 H(r) + \alpha_2 H(g) - \beta\, H(\{r, g\})

    The entropy `H` is the mean over the collection of :math:`\ln D - \ln c`, where `c` documents are at
    least as good as the document in everything that is observed. At rank `i` it is `i` for the ranking, and
    the number of documents down to rank `i` of at least its grade for the two together; a relevant document
    that is not retrieved has as many as there are of at least its grade. All other documents carry no information.

    Documents of equal score are as good as each other: the rank of all of them is the last of their group. Where a
    cutoff cuts a group, the value is the mean over all choices of the documents that are seen.

    Parameters
    ----------
    alpha1, alpha2
        The weights of the information of the ranking and of the judgments.
    beta
        What is paid for information that the ranking and the judgments do not share; above `alpha1`
        documents that are not relevant cost something.
    collection
        The number of documents `D` in the collection. By default as many as the judgments of a campaign name, and
        as many more as rankings are long; for a lone run, as many as the topic has relevant ones and the run has
        ranks. That is far too few, and noted.
    rel
        The lowest grade that counts as relevant, grades above being alike; by default grades are distinguished.

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

    With `beta` above `alpha1`, as by default and in the paper, each document that is not relevant lowers the score, so
    that almost empty results may come first. Scores of a campaign name the systems that score no more than an empty
    result.

    References
    ----------
    [Amigo2018]_
    """

    name: ClassVar[str] = "OIE"
    reference: ClassVar[str] = "Amigo2018"
    tells_unjudged: ClassVar[bool] = False
    on_weak_orders: ClassVar[bool] = True
    uses_recall_base: ClassVar[bool] = True
    needs_grade_counts: ClassVar[bool] = True
    bounds: ClassVar[tuple[int | None, int | None]] = (None, None)
    exactness: ClassVar[str] = "sums of logarithms"
    shown: ClassVar[tuple[str, ...]] = ("beta",)

    alpha1: Fraction = field(default=Fraction(1), converter=rational, validator=positive)
    alpha2: Fraction = field(default=Fraction(1), converter=rational, validator=positive)
    beta: Fraction = field(default=Fraction(6, 5), converter=rational, validator=positive)
    collection: int | None = field(default=None, validator=whole(1, optional=True, high=MOST_DOCUMENTS))
    rel: Threshold | None = field(default=None, converter=read_threshold, validator=threshold(optional=True))

    @property
    def graded(self) -> bool:
        """With a lowest relevant grade there are only two kinds of documents."""
        return self.rel is None

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "information"

    @property
    def weighs_grades(self) -> bool:
        """Information is about which documents have a higher grade, not about how much higher."""
        return False

    def size(self, pool: Pool, length: int) -> int:
        """Return the number of documents in the collection, given or assumed."""
        return self.collection or max(1, pool.recall_base(1) + length)

    def with_size(self, judged: JudgedRuns) -> Self:
        """Return the measure with the size of the collection that judged runs show, if none was given."""
        return self if self.collection is not None else evolve(self, collection=max(1, judged.assumed_collection))

    def exact(self, run: Grades, pool: Pool) -> Exact:
        return self.level(run, pool) / self.unit(pool, len(run))  # type: ignore[operator]

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return the size of the collection, times what makes the three weights whole."""
        return Fraction(self.size(pool, length) * self.whole_weights)

    @property
    def whole_weights(self) -> int:
        """The number that makes the three weights whole."""
        return lcm(self.alpha1.denominator, self.alpha2.denominator, self.beta.denominator)

    def level(self, run: Grades, pool: Pool) -> Exact:
        """Return the sum of logarithms over the whole collection, with whole coefficients."""
        return self.level_of_groups([(self.kind(cell),) for cell in run if cell != NOTHING], pool, len(run))

    def level_of_groups(
        self,
        groups: Sequence[Kinds],
        pool: Pool,
        length: int,
        more: Iterable[tuple[int, Fraction]] = (),
        also_found: Mapping[int, Fraction] = MappingProxyType({}),
    ) -> Exact:
        """Return the same of groups of documents of equal score.

        Parameters
        ----------
        groups
            The kinds of documents of each group, best score first.
        pool, length
            What the topic holds, and how many ranks are looked at.
        more, also_found
            The terms of a last group that is seen in part, and how many documents of each kind it adds on average.
        """
        relevant, size = self.numbers(pool), self.size(pool, length)
        found: dict[int, int | Fraction] = dict(Counter(chain.from_iterable(groups)))
        if also_found:
            found |= {kind: found.get(kind, 0) + number for kind, number in also_found.items()}
        terms = [*self._terms(groups), *more]
        missing = {kind: max(0, n - found.get(kind, 0)) for kind, n in relevant.items()}
        self._check_size(size, ceil(sum(found.values()) + sum(missing.values())))
        alpha2, beta = (int(weight * self.whole_weights) for weight in (self.alpha2, self.beta))
        terms.extend((at_least(relevant, kind), beta * missing[kind] - alpha2 * n) for kind, n in relevant.items())
        return log_sum([*terms, (size, -sum(n for _, n in terms))])

    def _terms(self, groups: Sequence[Kinds]) -> Iterator[tuple[int, int | Fraction]]:
        """Return by how many documents each is matched, in rank alone and in rank and grade, with its weight."""
        alpha1, beta = (int(weight * self.whole_weights) for weight in (self.alpha1, self.beta))
        seen = [0] * (max(chain.from_iterable(groups), default=0) + 1)
        for group in groups:
            for kind in group:
                for grade in range(kind + 1):
                    seen[grade] += 1
            yield seen[0], -alpha1 * len(group)
            yield from ((seen[kind], beta) for kind in group)

    def kind(self, cell: int) -> int:
        """Return the grade of a document, or whether it is relevant if grades are not distinguished."""
        return max(0, cell) if self.rel is None else int(cell >= self.lowest)

    def numbers(self, pool: Pool) -> dict[int, int]:
        """Return how many documents there are of each kind that is worth something."""
        if self.rel is not None:
            return {1: pool.recall_base(self.lowest)} if pool.recall_base(self.lowest) else {}
        return {grade: n for grade, n in enumerate(pool.grade_counts) if grade and n}

    def fast(self, judged: JudgedRuns) -> FloatArray:
        retrieved = np.minimum(judged.lengths.reshape(-1), self.reach(judged.depth))
        logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, self.reach(judged.depth) + 1)))))
        return self.mean_of(judged, *self.sums(judged, retrieved, logs[retrieved], self._by_kind(judged)))

    def mean_of(self, judged: JudgedRuns, sums: FloatArray, needed: FloatArray) -> FloatArray:
        """Return means over the collection, if it can hold the documents that it needs to."""
        size = self.sizes(judged)
        if (needed > size).any():
            worst = int(np.argmax(needed - size))
            self._check_size(int(size[worst]), ceil(needed[worst]))
        return np.asarray(sums / size)

    def sizes(self, judged: JudgedRuns) -> IntArray | FloatArray:
        """Return the size of the collection for every run."""
        return by_topic([self.size(pool, self.reach(judged.depth)) for pool in judged.pools], judged)

    def sums(
        self, judged: JudgedRuns, retrieved: IntArray, logs: FloatArray, by_kind: ByKind
    ) -> tuple[FloatArray, FloatArray]:
        """Return sums over the collection, and how many documents it must hold.

        Parameters
        ----------
        retrieved, logs
            How many documents each run has, and the sum of the logarithms of their ranks.
        by_kind
            See `_by_kind`.
        """
        size, needed = self.sizes(judged), retrieved.astype(np.float64)
        value = float(self.alpha1 - self.beta) * (retrieved * np.log(size) - logs)
        counts = [self.numbers(pool) for pool in judged.pools]
        for kind, row, rank, ordinal in by_kind:
            number = by_topic([count.get(kind, 0) for count in counts], judged)
            better = by_topic([at_least(count, kind) or 1 for count in counts], judged)
            missing = np.maximum(0, number - gather(row, None, judged))
            value += (float(self.alpha2) * number - float(self.beta) * missing) * np.log(size / better)
            value -= float(self.beta) * gather(row, np.log(rank / ordinal), judged)
            needed += missing
        return value, needed

    def _by_kind(self, judged: JudgedRuns) -> ByKind:
        """Return for each kind the rows of its documents, their ranks, and how manieth of their kind they are."""
        for kind in self.kinds_of(judged):
            hits = judged.hits.select(self.lowest if self.rel else kind, self.cutoff)
            row, rank, ordinal = self.of_kind(kind, hits, hits.rank, hits.ordinal)
            yield kind, row, rank, ordinal

    def kinds_of(self, judged: JudgedRuns) -> range:
        """Return the kinds that are worth something."""
        return range(1, 2 if self.rel else judged.grade_counts.shape[1])

    def of_kind(self, kind: int, hits: Hits, *numbers: IntArray) -> tuple[IntArray, ...]:
        """Return the rows of the hits of one kind, and what else is counted of them."""
        mine = hits.grade == kind if self.rel is None else np.ones(len(hits.row), dtype=bool)
        return hits.row[mine], *(number[mine] for number in numbers)

    def _check_size(self, size: int, needed: int) -> None:
        if needed > size:
            what = "documents retrieved and relevant ones not retrieved"
            raise ParameterError(f"{self!r}: a topic has {needed} {what}; a collection of {size} cannot hold them")

    def empty(self, judged: JudgedRuns) -> FloatArray:
        """Return what an empty result scores on each topic.

        Parameters
        ----------
        judged
            The judged runs, whose systems do not matter.
        """
        known = self.with_size(judged)
        missed = [
            sum(n * log(known.size(pool, 0) / at_least(relevant, kind)) for kind, n in relevant.items())
            / known.size(pool, 0)
            for pool in judged.pools
            for relevant in [known.numbers(pool)]
        ]
        return np.asarray(float(self.alpha2 - self.beta) * np.array(missed))

    def not_above_empty(self, judged: JudgedRuns, values: FloatArray) -> tuple[str, ...]:
        """Return the systems whose mean is not above that of an empty result on the same topics, the highest first.

        Parameters
        ----------
        judged, values
            The judged runs, and their scores, systems × topics.
        """
        there = ~np.isnan(values)
        some = np.flatnonzero(there.any(axis=1))
        number = there[some].sum(axis=1)
        means = np.nansum(values[some], axis=1) / number
        empty = np.where(there[some], self.empty(judged), 0.0).sum(axis=1) / number
        low = np.flatnonzero((means < empty) | near(means, empty))
        return tuple(judged.systems[some[place]] for place in low[np.argsort(-means[low], kind="stable")].tolist())

    def below_empty(self, systems: Sequence[str], number: int) -> str:
        """Return that systems score no more than an empty result, and why.

        Parameters
        ----------
        systems
            These systems, the highest first.
        number
            How many systems there are.
        """
        who = listed(systems, NAMED, "more systems")
        if len(systems) == number > NAMED:
            who = f"all {number} systems ({systems[0]} first)"
        scores, costs = "scores" if len(systems) == 1 else "score", "each document that is not relevant lowers a score"
        if self.beta <= self.alpha1:
            costs = "relevant documents that come late can lower a score"
        return (
            f"{who} {scores} no more than an empty result would: with beta={spell(self.beta)} {costs}, so that almost"
            " empty results can lead"
        )

    def all_caveats(self, judged: JudgedRuns, values: FloatArray) -> tuple[Caveat, ...]:
        caveats, low = Measure.all_caveats(self, judged, values), self.not_above_empty(judged, values)
        if not low:
            return caveats
        return (*caveats, Caveat(CaveatKind.ORDER, f"{self!r}: {self.below_empty(low, len(judged.systems))}"))

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = Measure._caveats(self, judged)
        known = self.with_size(judged)
        if known is not self:
            text = f"{self!r} is not told how many documents there are and takes {known.collection}: those that were"
            more = f"judged, and as many more as rankings are long, {judged.depth}"
            unknown = Caveat(CaveatKind.COLLECTION, f"{text} {more}; say it: collection=… (--collection-size)")
            caveats = (*caveats, unknown)
        seen = judged.condensed if self.judged_only else judged
        odd = (*known._falls(seen), *known._empties(seen))
        return (*caveats, *(Caveat(CaveatKind.ORDER, f"{self!r}: {text}") for text in odd))

    def _falls(self, judged: JudgedRuns) -> Iterator[str]:
        """Return that relevant documents lower scores, if any of these do."""
        found = fallen = 0
        for kind, row, rank, ordinal in self._by_kind(judged):
            there = [max(1, at_least(self.numbers(pool), kind)) for pool in judged.pools]
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
        relevant = self.numbers(pool)
        kinds = sorted(relevant, reverse=True)
        there = np.repeat([at_least(relevant, kind) for kind in kinds], [relevant[kind] for kind in kinds])
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


@with_campaign.register
def _(measure: ObservationalEffectiveness, judged: JudgedRuns) -> ObservationalEffectiveness:
    return measure.on_grades(judged.relevance).with_size(judged)


def at_least(numbers: Mapping[int, Any], kind: int) -> int:
    """Return how many documents there are of a kind or a better one."""
    return int(sum(n for other, n in numbers.items() if other >= kind))


OIE = ObservationalEffectiveness()
