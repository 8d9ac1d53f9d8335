"""Simulation: how often tests err on a campaign without an effect, and how often they find a planted one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.calls import explains_calls
from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.execution import Progress, Rng, check_progress, generator, mapped, silent, takes_executor
from measurand.execution.memory import check_memory
from measurand.scores import Scores
from measurand.statistics.multiple_comparisons import ALPHA
from measurand.statistics.pairs import square
from measurand.statistics.registry import EIGHT, find_test
from measurand.statistics.simulation.exchanges import Candidate, Exchanges, batches
from measurand.statistics.simulation.many_campaigns import (
    CELLS,
    OF_PAIRS,
    any_rejected,
    centres,
    multipliers,
    pair_decisions,
)
from measurand.statistics.simulation.rates import Rate, ScaleChange, SimulatedTest, rate, rate_of_difference
from measurand.statistics.simulation.result import Simulation
from measurand.statistics.simulation.settings import REPETITIONS, Settings, check_alike

if TYPE_CHECKING:
    from concurrent.futures import Executor

BETTER_RUNS = (0.2, 0.4, 0.6)
"""On which shares of topics a system gets the better of two runs, if nothing is said."""

FAMILY_PAIRS = 2_000_000
"""For tests of pairs, so many pairs are tested for the familywise error, in fewer repetitions if need be."""

ROOM = 0.95
"""Where fewer moves than this part of those that were asked for could be made, that is noted."""

PIECE = 2**17
"""So many scores are looked at by a worker at a time."""

MOST_TOPICS = 16
"""With two systems and no more topics than these every exchange may be made."""


@explains_calls
@takes_executor
def simulate(
    scores: Scores | Mapping[str, Scores] | Iterable[Scores],
    *,
    tests: str | Iterable[str] = EIGHT,
    probabilities: float | Iterable[float] = BETTER_RUNS,
    alpha: float = ALPHA,
    adjust: str | None = "none",
    repetitions: int = REPETITIONS,
    semantics: str = "scipy",
    rng: Rng = 0,
    progress: Progress = silent,
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> Simulation:
    r"""Return how often tests err on this campaign, and how often they find an effect that was planted in it.

    In each repetition systems are paired at random, and the two of a pair exchange their scores on each topic with
    probability 1/2. They do not differ then, so that a significant difference is a type I error. As an effect, the
    second system of each pair gets the better of the two scores with probability q besides, so that it wins a topic
    with probability (1 + q)/2; a significant difference in its favour is a finding. For the familywise error all
    systems' labels are permuted within topics, and some pair of all is called significant.

    Parameters
    ----------
    scores : Scores, or several
        The scores of a campaign; or on several scales, as a measure and its interval scale, by name if you like. The
        first are those that the others are compared with, and they say which of two runs is better.
    tests : str or iterable of str
        The tests, by name; the eight of Ferrante, Ferro and Fuhr if nothing is said.
    probabilities : float or iterable of float
        The effects: with which probabilities, each above 0, the second system gets the better score.
    alpha : float, default 0.05
        The level of significance.
    adjust : str, default "none"
        How p-values of tests of pairs are corrected, as if all pairs of the campaign were tested and the other pairs
        were as they are: "none", "bonferroni", "holm" or "bh". Tukey's method, which the tests of all systems use,
        corrects by itself.
    repetitions : int, default 1000
        How many repetitions. With two systems and so few topics (at most 16) that there are no more exchanges than
        that, each exchange is made once, and type I errors are exact.
    semantics : {"scipy", "matlab"}
        Whose conventions the tests follow, where these differ.
    rng : int or numpy.random.Generator, default 0
        Where chance comes from.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

    Returns
    -------
    Simulation
        Type I error, familywise error and power of each test on each scale, with their Monte-Carlo intervals.

    Examples
    --------
    >>> values = [[5, 3, 4, 6, 2, 7], [1, 2, 1, 3, 1, 2]]
    >>> found = simulate(Scores(measure="P", values=values, systems="ab", topics="123456"), tests=["sign", "t"])
    >>> found.exact, found.of("sign").type_one.value, found.of("paired_t").type_one.value
    (True, 0.03125, 0.09375)

    Notes
    -----
    That scores are exchanged within a topic keeps all that is special about this campaign: easy and hard topics, ties,
    values far out, systems that resemble each other. It takes topics for independent, and says nothing of topics that
    are not there. A test of all systems sees the systems of the other pairs as well.

    References
    ----------
    [FerranteFerroFuhr2021]_; [Wilson1927]_
    """
    several = _several(scores)
    such_as = "probabilities=[0.2, 0.4]"
    settings = Settings.of(tests, probabilities, alpha, adjust, repetitions, semantics, such_as=such_as)
    too_large = [effect for effect in settings.effects if effect > 1]
    if too_large:
        raise ParameterError(f"an effect is a probability here, above 0 and up to 1, not {too_large[0]}")
    candidates = [Candidate(label, each.goodness) for label, each in several.items()]
    planted = "the second system of a pair gets the better of the two runs with this probability"
    return simulated(several, candidates, settings, planted, rng=rng, progress=progress)


def _several(scores: Scores | Mapping[str, Scores] | Iterable[Scores]) -> dict[str, Scores]:
    """Return scores by name, or complain if they are not of the same systems and topics."""
    if isinstance(scores, Scores):
        named = {scores.measure: scores}
    elif isinstance(scores, Mapping):
        named = {str(name): each for name, each in scores.items()}
    elif isinstance(scores, Iterable):
        listed = list(scores)
        named = {getattr(each, "measure", str(place)): each for place, each in enumerate(listed)}
        if len(named) < len(listed):
            raise ParameterError('two scores have one measure; name them, as in {"raw": scores, "interval": others}')
    else:
        raise ParameterError(f"scores are expected, not {scores!r}; write parse('AP@30').scores(judged)")
    check_alike(named)
    return named


def simulated(
    several: Mapping[str, Scores],
    candidates: Sequence[Candidate],
    settings: Settings,
    planted: str,
    *,
    made: Sequence[float] = (),
    rng: Rng = 0,
    progress: Progress = silent,
) -> Simulation:
    """Return the simulation of some scores, whose effects are planted as the candidates say.

    Parameters
    ----------
    several
        The scores, by name.
    candidates
        The same as plain numbers, with those of improved runs where effects are improvements.
    settings
        What is simulated.
    planted
        What an effect is, in words.
    made
        How many moves a topic each effect came to; nothing where effects are no moves.
    rng
        Where chance comes from.
    progress
        Shows progress.
    """
    check_progress(progress)
    rng = generator(rng)
    work = _Work(candidates, settings, _multipliers(several, settings))
    systems, topics = candidates[0].values.shape
    exact = systems == 2 and topics <= MOST_TOPICS and 2**topics <= settings.repetitions
    effects = settings.effects if exact else (0.0, *settings.effects)
    found = work.all_counts(rng, effects, progress)
    counts = _Counts(
        null=work.counts(Exchanges.all_of(topics), 0.0) if exact else found[0],
        effects=found if exact else found[1:],
        families=None if systems == 2 else work.families(rng, progress),
        starts=np.flatnonzero(np.diff(work.groups, prepend=-1)),
        pairs=systems // 2,
        exact=exact,
    )
    return _result(several, settings, planted, tuple(made), counts)


SIGNIFICANT, RIGHT, FIRST_ALONE, OTHER_ALONE = range(4)
"""What is counted of pairs: significant; in favour of the second system; on the first scale alone; on another alone."""


@frozen(eq=False)
class _Work:
    """The scores on all scales, and what is counted of them."""

    candidates: Sequence[Candidate]
    settings: Settings
    multipliers: Mapping[tuple[str, str], FloatArray]

    @property
    def groups(self) -> IntArray:
        """The group of each repetition; each is one of its own where nothing is shared."""
        repetitions, improved = self.settings.repetitions, self.candidates[0].improved
        groups = repetitions if improved is None else improved.shape[1]
        return np.arange(repetitions) * groups // repetitions

    @property
    def complete(self) -> BoolArray:
        """The topics that all systems have on all scales."""
        return np.asarray(~np.isnan([each.values for each in self.candidates]).any(axis=(0, 1)))

    def nothing(self, size: int) -> IntArray:
        """Return counts of no effects."""
        return np.zeros((0, len(self.candidates), len(self.settings.tests), 4, size), dtype=np.int64)

    def all_counts(self, rng: np.random.Generator, effects: Sequence[float], progress: Progress) -> IntArray:
        """Return how many pairs of each repetition are what: effects × scales × tests × kinds × repetitions.

        Exchanges are drawn here, in order; pieces of them are counted by workers.
        """
        systems, topics = self.candidates[0].values.shape
        repetitions = self.settings.repetitions
        if not effects:
            return self.nothing(repetitions)
        check_memory(
            2 * 8 * len(effects) * len(self.candidates) * len(self.settings.tests) * 4 * repetitions,
            f"what {len(self.settings.tests)} tests decide in {repetitions:,} repetitions",
            "ask for fewer repetitions (--repetitions)",
        )
        batched = list(batches(repetitions, systems * topics, CELLS))
        pieces = [(rows, list(self._pieces(rows))) for rows in batched]

        def drawn() -> Iterator[tuple[Exchanges, float]]:
            for rows, several in pieces:
                every = Exchanges.drawn(rng, self.groups[rows], systems, topics)
                yield from ((every.some(piece), effect) for piece in several for effect in effects)

        total = len(effects) * sum(len(several) for _, several in pieces)
        counted = progress(mapped(partial(_counted, self), drawn()), total, "exchanges")
        found = np.zeros((len(effects), *self.nothing(repetitions).shape[1:]), dtype=np.int64)
        starts = [rows.start + piece.start for rows, several in pieces for piece in several]
        for (start, place), counts in zip(product(starts, range(len(effects))), counted, strict=True):
            found[place, ..., start : start + counts.shape[-1]] = counts
        return found

    def _pieces(self, rows: slice) -> Iterator[slice]:
        """Return which repetitions of a batch are counted at a time, whoever counts them."""
        return batches(rows.stop - rows.start, self.candidates[0].values.size, PIECE)

    def counts(self, drawn: Exchanges, effect: float) -> IntArray:
        """Return how many pairs of each repetition are what: scales × tests × kinds × repetitions."""
        improved = self.candidates[0].improved is not None
        sources = drawn.sources(None if improved else self.candidates[0].values, effect)
        found = np.zeros((len(self.candidates), len(self.settings.tests), 4, len(drawn.first)), dtype=np.int64)
        claims: list[BoolArray] = []
        for scale, candidate in enumerate(self.candidates):
            x, y = candidate.pairs(drawn, sources, effect)
            whole = drawn.campaigns(candidate.values, x, y)[:, :, self.complete]
            for place, test in enumerate(self.settings.tests):
                if test in OF_PAIRS:
                    decided = pair_decisions(test, x, y, self.settings.semantics)
                    factor = self.multipliers[candidate.label, test][drawn.first, drawn.second]
                    significant, ahead = decided.pvalues * factor <= self.settings.alpha, decided.ahead
                else:
                    compared = centres(test, whole, self.settings.alpha)
                    significant, ahead = compared.between(drawn.first, drawn.second)
                right = significant & (ahead < 0)
                claimed = right if effect else significant
                if not scale:
                    claims.append(claimed)
                kinds = (significant, right, claims[place] & ~claimed, claimed & ~claims[place])
                found[scale, place] = [each.sum(axis=1) for each in kinds]
        return found

    def families(self, rng: np.random.Generator, progress: Progress) -> dict[tuple[int, int], BoolArray]:
        """Return in which repetitions some pair is significant though no system differs, by scale and test."""
        systems, topics = self.candidates[0].values.shape
        pairs = systems * (systems - 1) // 2
        enough = min(self.settings.repetitions, max(1, FAMILY_PAIRS // pairs))
        found: dict[tuple[int, int], list[BoolArray]] = {}
        batched = list(batches(self.settings.repetitions, max(systems * topics, pairs * topics // 2), PIECE))
        # few repetitions are enough for tests of pairs
        drawn = (
            (rng.random((rows.stop - rows.start, systems, topics)), max(0, enough - rows.start)) for rows in batched
        )
        counted = mapped(partial(_families, self), drawn)
        for several in progress(counted, len(batched), "permutations"):
            for key, some in several.items():
                found.setdefault(key, []).append(some)
        return {key: np.concatenate(each) for key, each in found.items()}

    def some_families(self, lots: FloatArray, enough: int) -> dict[tuple[int, int], BoolArray]:
        """Return the same of some repetitions: scores are dealt by lots, and so many repetitions test pairs."""
        systems, topics = self.candidates[0].values.shape
        first, second = np.triu_indices(systems, 1)
        order, found = np.argsort(lots, axis=1), {}
        for scale, candidate in enumerate(self.candidates):
            permuted = candidate.values[order, np.arange(topics)]
            for place, test in enumerate(self.settings.tests):
                if test not in OF_PAIRS:
                    some = centres(test, permuted[:, :, self.complete], self.settings.alpha).any_significant
                else:
                    tested = permuted[:enough]
                    decided = pair_decisions(test, tested[:, first], tested[:, second], self.settings.semantics)
                    some = any_rejected(decided.pvalues, self.settings.alpha, self.settings.adjust)
                found[scale, place] = some
        return found


def _counted(work: _Work, piece: tuple[Exchanges, float]) -> IntArray:
    return work.counts(*piece)


def _families(work: _Work, piece: tuple[FloatArray, int]) -> dict[tuple[int, int], BoolArray]:
    return work.some_families(*piece)


def _multipliers(several: Mapping[str, Scores], settings: Settings) -> dict[tuple[str, str], FloatArray]:
    """Return by what the p-value of each pair is multiplied, the other pairs being as they are, by scale and test."""
    found = {}
    for label, scores in several.items():
        systems = len(scores.systems)
        for test in settings.tests:
            if test not in OF_PAIRS:
                continue
            if settings.adjust == "none":
                found[label, test] = np.ones((systems, systems))
                continue
            pvalues = find_test(test)(scores, semantics=settings.semantics).pvalues[np.triu_indices(systems, 1)]
            found[label, test] = square(multipliers(pvalues, settings.alpha, settings.adjust), systems, diagonal=1)
    return found


@frozen(eq=False)
class _Counts:
    """How many pairs of each repetition are what, without an effect and with each, and which repetitions are a group.

    `null` is scales × tests × kinds × repetitions, `effects` has the effects before that; a group begins at each of
    `starts`.
    """

    null: IntArray
    effects: IntArray
    families: Mapping[tuple[int, int], BoolArray] | None
    starts: IntArray
    pairs: int
    exact: bool

    @property
    def sizes(self) -> IntArray:
        """How many pairs each group has."""
        return np.diff(self.starts, append=self.effects.shape[-1]) * self.pairs

    def by_group(self, counts: IntArray) -> IntArray:
        """Return counts of groups, from those of repetitions."""
        return np.asarray(np.add.reduceat(counts, self.starts, axis=-1))

    def test(self, scale: int, place: int) -> dict[str, Any]:
        """Return the rates of a test on a scale."""
        type_one = rate(self.null[scale, place, SIGNIFICANT], self.pairs, exact=self.exact)
        alone = type_one if self.families is None else rate(self.families[scale, place].astype(np.int64), 1)
        right = self.by_group(self.effects[:, scale, place, RIGHT])
        return {
            "type_one": type_one,
            "familywise": alone,
            "power": tuple(rate(found, self.sizes) for found in right),
            "findings": right.mean(axis=0) if len(right) else np.zeros(0),
        }

    def change(self, scale: int, place: int) -> dict[str, Any]:
        """Return what a scale changes in the decisions of a test."""
        null, effects = self.null[scale, place], self.by_group(self.effects[:, scale, place])

        def shares(kind: int) -> tuple[Rate, ...]:
            without = rate(null[kind], self.pairs, exact=self.exact)
            return (without, *(rate(found[kind], self.sizes) for found in effects))

        more = effects[:, OTHER_ALONE] - effects[:, FIRST_ALONE]
        lost = shares(FIRST_ALONE)
        average = more.mean(axis=0) if len(effects) else np.zeros(1)
        return {
            "lost": lost,
            "won": shares(OTHER_ALONE),
            "lost_without_effect": self._without_effect(lost[0], null[FIRST_ALONE], effects[:, FIRST_ALONE]),
            "errors": rate_of_difference(null[OTHER_ALONE] - null[FIRST_ALONE], self.pairs, exact=self.exact),
            "findings": tuple(rate_of_difference(found, self.sizes) for found in more),
            "gain": rate_of_difference(average, self.sizes if len(effects) else 1, exact=not len(effects)),
        }

    def _without_effect(self, share: Rate, null: IntArray, effects: IntArray) -> Rate:
        """Return which share of some pairs has no effect, if half of all pairs have none."""
        if not len(effects):
            return rate(np.zeros(0), 0)
        without = np.asarray(share.value * self.sizes if self.exact else self.by_group(null), dtype=np.float64)
        return rate(without, without + effects.mean(axis=0))


def _result(
    several: Mapping[str, Scores], settings: Settings, planted: str, made: tuple[float, ...], counts: _Counts
) -> Simulation:
    """Return rates from counts."""
    scores = next(iter(several.values()))
    labels = tuple(several)
    places = [(scale, place) for scale in range(len(labels)) for place in range(len(settings.tests))]
    tests, alpha = settings.tests, settings.alpha
    rows = [
        SimulatedTest(test=tests[place], scale=labels[scale], alpha=alpha, **counts.test(scale, place))
        for scale, place in places
    ]
    changes = [
        ScaleChange(test=tests[place], first=labels[0], other=labels[scale], **counts.change(scale, place))
        for scale, place in places
        if scale
    ]
    return Simulation(
        rows=tuple(rows),
        changes=tuple(changes),
        scales=labels,
        tests=tests,
        effects=settings.effects,
        made=made,
        planted=planted,
        alpha=alpha,
        adjust=settings.adjust,
        repetitions=settings.repetitions,
        groups=counts.sizes,
        pairs=counts.pairs,
        systems=len(scores.systems),
        topics=len(scores.topics),
        exact=counts.exact,
        caveats=(*_caveats(several, settings, counts.families), *_saturated(settings.effects, made)),
    )


def _caveats(
    several: Mapping[str, Scores], settings: Settings, families: Mapping[tuple[int, int], BoolArray] | None
) -> tuple[Caveat, ...]:
    """Return what limits the meaning of the rates."""
    found = [caveat for scores in several.values() for caveat in scores.caveats]
    fewer = [] if families is None else [len(each) for each in families.values() if len(each) < settings.repetitions]
    if fewer:
        text = f"the familywise error of tests of pairs is estimated from {min(fewer):,} repetitions"
        found.append(Caveat(CaveatKind.ASSUMPTION, f"{text}, because there are many pairs"))
    values = [each.values for each in several.values()]
    gaps = int(np.isnan(values).any(axis=(0, 1)).sum())
    if gaps:
        text = (
            f"tests of all systems leave out {gaps} of {values[0].shape[1]} topics, because a system has no score there"
        )
        found.append(Caveat(CaveatKind.MISSING_TOPICS, text))
    return tuple(dict.fromkeys(found))


def _saturated(effects: Sequence[float], made: Sequence[float]) -> Iterator[Caveat]:
    """Yield the caveat that runs had no room for what was to be planted, if that matters."""
    short = [
        f"{there:.2f} of {effect:g}" for effect, there in zip(effects, made, strict=False) if there < ROOM * effect
    ]
    if short:
        text = f"runs have no room for all moves that make them better: {listed(short)} a topic were made, on average"
        yield Caveat(CaveatKind.ASSUMPTION, text)
