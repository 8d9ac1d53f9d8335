"""Simulation: how often tests err on a campaign without an effect, and how often they find a planted one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.calls import explains_calls
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, Rng, check_progress, generator, silent
from measurand.scores import Scores
from measurand.statistics.exchanges import Candidate, Exchanges, batches
from measurand.statistics.many_campaigns import (
    CELLS,
    OF_PAIRS,
    any_rejected,
    centres,
    multipliers,
    pair_decisions,
)
from measurand.statistics.multiple_comparisons import ALPHA, correction, level
from measurand.statistics.needs import admitted, check_semantics, need_of
from measurand.statistics.pairs import FEWEST, square
from measurand.statistics.registry import EIGHT, TESTS, find_test
from measurand.statistics.simulated_rates import Rate, ScaleChange, SimulatedTest, rate, rate_of_difference
from measurand.statistics.simulation_result import Simulation

BETTER_RUNS = (0.2, 0.4, 0.6)
"""On which shares of topics a system gets the better of two runs, if nothing is said."""

FAMILY_PAIRS = 2_000_000
"""For tests of pairs, so many pairs are tested for the familywise error, in fewer repetitions if need be."""

REPETITIONS = 1000
"""How many repetitions there are if nothing is said."""


@explains_calls
def simulate(
    scores: Scores | Mapping[str, Scores] | Iterable[Scores],
    *,
    tests: str | Iterable[str] = EIGHT,
    effects: float | Iterable[float] = BETTER_RUNS,
    alpha: float = ALPHA,
    adjust: str | None = "none",
    repetitions: int = REPETITIONS,
    semantics: str = "scipy",
    rng: Rng = 0,
    progress: Progress = silent,
) -> Simulation:
    r"""Return how often tests err on this campaign, and how often they find an effect that was planted in it.

    In each repetition systems are paired at random, and the two of a pair exchange their scores on each topic with
    probability 1/2. They do not differ then, so that a significant difference is a type I error. For an effect q the
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
    effects : float or iterable of float
        The effects, each a probability above 0.
    alpha : float, default 0.05
        The level of significance.
    adjust : str, default "none"
        How p-values of tests of pairs are corrected, as if all pairs of the campaign were tested and the other pairs
        were as they are: "none", "bonferroni", "holm" or "bh". Tukey's method, which the tests of all systems use,
        corrects by itself.
    repetitions : int, default 1000
        How many repetitions. With two systems and so few topics that there are no more exchanges than that, each
        exchange is made once, and type I errors are exact.
    semantics : {"scipy", "matlab"}
        Whose conventions the tests follow, where these differ.
    rng : int or numpy.random.Generator, default 0
        Where chance comes from.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

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
    settings = Settings.of(tests, effects, alpha, adjust, repetitions, semantics)
    too_large = [effect for effect in settings.effects if effect > 1]
    if too_large:
        raise ParameterError(f"an effect is a probability here, above 0 and up to 1, not {too_large[0]}")
    candidates = [Candidate(label, each.goodness) for label, each in several.items()]
    planted = "the second system of a pair gets the better of the two runs with this probability"
    return simulated(several, candidates, settings, planted, rng=rng, progress=progress)


@frozen(kw_only=True)
class Settings:
    """What is simulated: the tests, the effects, and how decisions are made."""

    tests: tuple[str, ...]
    effects: tuple[float, ...]
    alpha: float = field(default=ALPHA, converter=level)
    adjust: str = field(default="none", converter=correction)
    repetitions: int = REPETITIONS
    semantics: str = field(default="scipy", converter=check_semantics)

    @classmethod
    def of(
        cls,
        tests: str | Iterable[str],
        effects: float | Iterable[float],
        alpha: float,
        adjust: str | None,
        repetitions: int,
        semantics: str,
    ) -> Settings:
        """Return settings, or complain of what cannot be.

        Parameters
        ----------
        tests, effects, alpha, adjust, repetitions, semantics
            As for `simulate`.

        Examples
        --------
        >>> Settings.of("t", 0.5, 0.05, None, 10, "scipy").tests
        ('paired_t',)
        >>> Settings.of("bootstrap", 0.5, 0.05, None, 10, "scipy")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        measurand.errors.ParameterError: bootstrap draws lots itself and is not simulated; there is sign, ...
        """
        named = [tests] if isinstance(tests, str) else list(tests)
        found = tuple(dict.fromkeys(find_test(name).__name__ for name in named))
        lots = [name for name in found if name not in EIGHT]
        if lots:
            raise ParameterError(f"{lots[0]} draws lots itself and is not simulated; there is {', '.join(EIGHT)}")
        if not found:
            raise ParameterError(f"no test was asked for; there is {', '.join(EIGHT)}")
        sizes: list[Any] = [effects] if isinstance(effects, Real | str) else list(effects)  # type: ignore[arg-type]
        for size in sizes:
            if not isinstance(size, int | float | np.number) or not (isfinite(size) and size > 0) or size is True:
                raise ParameterError(f"an effect is a number above 0, not {size!r}; write effects=[0.2, 0.4]")
        return cls(
            tests=found,
            effects=tuple(sorted({float(size) for size in sizes})),
            alpha=alpha,
            adjust=adjust,
            repetitions=whole_number("repetitions", repetitions, such_as=REPETITIONS),
            semantics=semantics,
        )


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


def check_alike(several: Mapping[str, Scores]) -> None:
    """Complain of scores that are not of the same systems and topics, or of too few.

    Parameters
    ----------
    several
        The scores, by name.

    Examples
    --------
    >>> check_alike({"P": Scores(measure="P", values=[[1.0, 0.0]], systems="a", topics="12")})
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: a simulation exchanges the runs of two systems, and there is 1; name more runs
    """
    if not several:
        raise ParameterError("no scores were given; write parse('AP@30').scores(judged)")
    for each in several.values():
        admitted(need_of(TESTS["sign"]), each)
    first = next(iter(several.values()))
    for name, each in several.items():
        if (each.systems, each.topics) != (first.systems, first.topics):
            raise ParameterError(f"{name} has other systems or topics than {first.measure}; score the same judged runs")
    check_size(len(first.systems), len(first.topics))


def check_size(systems: int, topics: int) -> None:
    """Complain of a campaign in which nothing can be exchanged or tested.

    Parameters
    ----------
    systems, topics
        How many there are.

    Examples
    --------
    >>> check_size(2, 1)
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: there is 1 topic: nothing can be tested; judge runs of more topics
    """
    if systems < FEWEST:
        raise ParameterError(f"a simulation exchanges the runs of two systems, and there is {systems}; name more runs")
    if topics < FEWEST:
        raise ParameterError(f"there is {topics} topic: nothing can be tested; judge runs of more topics")


def simulated(
    several: Mapping[str, Scores],
    candidates: Sequence[Candidate],
    settings: Settings,
    planted: str,
    *,
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
    rng
        Where chance comes from.
    progress
        Shows progress.
    """
    check_progress(progress)
    chance = generator(rng)
    work = _Work(candidates, settings, _multipliers(several, settings))
    systems, topics = candidates[0].values.shape
    exact = systems == 2 and topics <= 30 and 2**topics <= settings.repetitions
    effects = settings.effects if exact else (0.0, *settings.effects)
    variants = 1 if candidates[0].improved is None else candidates[0].improved.shape[1]
    sizes = list(batches(settings.repetitions, systems * topics, CELLS))
    parts = []
    for size in progress(sizes, len(sizes), "exchanges"):
        drawn = Exchanges.drawn(chance, size, systems, topics, variants)
        parts.append(np.stack([work.counts(drawn, effect) for effect in effects]) if effects else work.nothing(size))
    found = np.concatenate(parts, axis=-1)
    null = work.counts(Exchanges.all_of(topics), 0.0) if exact else found[0]
    families = None if systems == 2 else work.families(chance, progress)
    return _result(several, settings, planted, null, found if exact else found[1:], families, exact=exact)


SIGNIFICANT, RIGHT, FIRST_ALONE, OTHER_ALONE = range(4)
"""What is counted of pairs: significant; in favour of the second system; on the first scale alone; on another alone."""


@frozen(eq=False)
class _Work:
    """The scores on all scales, and what is counted of them."""

    candidates: Sequence[Candidate]
    settings: Settings
    multipliers: Mapping[tuple[str, str], FloatArray]

    @property
    def complete(self) -> BoolArray:
        """The topics that all systems have on all scales."""
        return np.asarray(~np.isnan([each.values for each in self.candidates]).any(axis=(0, 1)))

    def nothing(self, size: int) -> IntArray:
        """Return counts of no effects."""
        return np.zeros((0, len(self.candidates), len(self.settings.tests), 4, size), dtype=np.int64)

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

    def families(self, chance: np.random.Generator, progress: Progress) -> dict[tuple[int, int], BoolArray]:
        """Return in which repetitions some pair is significant though no system differs, by scale and test."""
        systems, topics = self.candidates[0].values.shape
        first, second = np.triu_indices(systems, 1)
        enough = min(self.settings.repetitions, max(1, FAMILY_PAIRS // len(first)))
        found: dict[tuple[int, int], list[BoolArray]] = {}
        sizes = list(batches(self.settings.repetitions, max(systems * topics, len(first) * topics // 2), CELLS))
        done = 0
        for size in progress(sizes, len(sizes), "permutations"):
            order = np.argsort(chance.random((size, systems, topics)), axis=1)
            for scale, candidate in enumerate(self.candidates):
                permuted = candidate.values[order, np.arange(topics)]
                for place, test in enumerate(self.settings.tests):
                    if test not in OF_PAIRS:
                        some = centres(test, permuted[:, :, self.complete], self.settings.alpha).any_significant
                    else:
                        tested = permuted[: max(0, enough - done)]
                        decided = pair_decisions(test, tested[:, first], tested[:, second], self.settings.semantics)
                        some = any_rejected(decided.pvalues, self.settings.alpha, self.settings.adjust)
                    found.setdefault((scale, place), []).append(some)
            done += size
        return {key: np.concatenate(each) for key, each in found.items()}


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


def _result(
    several: Mapping[str, Scores],
    settings: Settings,
    planted: str,
    null: IntArray,
    effects: IntArray,
    families: Mapping[tuple[int, int], BoolArray] | None,
    *,
    exact: bool,
) -> Simulation:
    """Return rates from counts: `null` scales × tests × kinds × repetitions, `effects` with the effects before."""
    scores = next(iter(several.values()))
    pairs = len(scores.systems) // 2
    labels = tuple(several)
    rows, changes = [], []
    for scale, label in enumerate(labels):
        for place, test in enumerate(settings.tests):
            wrong = null[scale, place]
            type_one = rate(wrong[SIGNIFICANT], pairs, exact=exact)
            family = type_one if families is None else rate(families[scale, place].astype(np.int64), 1)
            power = tuple(rate(found[scale, place, RIGHT], pairs) for found in effects)
            shares = effects[:, scale, place, RIGHT].mean(axis=0) / pairs if len(effects) else np.zeros(0)
            rows.append(
                SimulatedTest(
                    test=test,
                    scale=label,
                    alpha=settings.alpha,
                    type_one=type_one,
                    familywise=family,
                    power=power,
                    shares=shares,
                )
            )
            if scale:
                changes.append(_change(label, labels[0], test, wrong, effects[:, scale, place], pairs, exact=exact))
    return Simulation(
        rows=tuple(rows),
        changes=tuple(changes),
        scales=labels,
        tests=settings.tests,
        effects=settings.effects,
        planted=planted,
        alpha=settings.alpha,
        adjust=settings.adjust,
        repetitions=settings.repetitions,
        pairs=pairs,
        systems=len(scores.systems),
        topics=len(scores.topics),
        exact=exact,
        caveats=_caveats(several, settings, families),
    )


def _change(
    label: str, first: str, test: str, null: IntArray, effects: IntArray, pairs: int, *, exact: bool
) -> ScaleChange:
    """Return what another scale changes in the decisions of a test."""

    def shares(kind: int) -> tuple[Rate, ...]:
        return (rate(null[kind], pairs, exact=exact), *(rate(found[kind], pairs) for found in effects))

    errors = rate_of_difference(null[OTHER_ALONE] - null[FIRST_ALONE], pairs, exact=exact)
    more = effects[:, OTHER_ALONE] - effects[:, FIRST_ALONE]
    findings = tuple(rate_of_difference(found, pairs) for found in more)
    return ScaleChange(
        test=test,
        first=first,
        other=label,
        lost=shares(FIRST_ALONE),
        won=shares(OTHER_ALONE),
        errors=errors,
        findings=findings,
        gain=rate_of_difference(more.mean(axis=0) if len(effects) else np.zeros(1), pairs),
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
