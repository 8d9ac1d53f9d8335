"""The levels of every two systems: for which measures each is at least as good as each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.calls import explains_calls
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted, listed, percent, pvalue
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, Rng, check_progress, generator, silent, takes_executor
from measurand.judged import JudgedRuns
from measurand.scores import place_of
from measurand.statistics import ALPHA
from measurand.statistics.all_pairs import frozen_numbers
from measurand.statistics.multiple_comparisons import CORRECTED, SHORT, corrected, correction
from measurand.statistics.multiple_comparisons import level as significance_level
from measurand.statistics.pairs import check_pairs
from measurand.study.count_tests import DRAWS, named_test
from measurand.study.dominance import LEFT_OUT, caveats_of
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.every_pair import EveryPair
from measurand.study.level_classes import LEVELS, Level
from measurand.study.levels import Levels, levels
from measurand.study.paired_runs import number_of_grades, ranks_compared, unjudged_caveats

if TYPE_CHECKING:
    from concurrent.futures import Executor


def _read_only(values: BoolArray) -> BoolArray:
    values.setflags(write=False)
    return values


@frozen(kw_only=True, repr=False)
class PairLevel(Result):
    """The strongest level at which one of two systems is ahead of the other.

    Parameters
    ----------
    a, b : str
        The two systems.
    level : Level
        The strongest level at which one is ahead, or both are level; "this measure" if it depends on the measure.
    ahead : str or None
        The system that is ahead; None if neither is.
    p : float
        The two-sided p-value of being ahead under every additive measure, of this pair alone.
    p_corrected : float
        The same, corrected for the number of pairs.
    significant : bool
        Whether that system is ahead under every additive measure, significantly after correction.
    depth : int
        How many ranks were looked at.
    topics : int
        How many topics both have.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
    >>> found = levels_matrix(judged).pair("s1", "s0")
    >>> found.ahead, str(found.level), found.words
    ('s0', 'topics', 'at least as good on every topic')
    """

    a: str
    b: str
    level: Level
    ahead: str | None
    p: float
    p_corrected: float
    significant: bool
    depth: int
    topics: int

    @property
    def tied(self) -> bool:
        """Whether both are level at this level."""
        return self.ahead is None and self.level is not Level.THIS_MEASURE

    @property
    def words(self) -> str:
        """The level in a few words, such as "ahead under every additive measure, significantly"."""
        if self.tied:
            return f"level {self.level.words}"
        if self.ahead is None:
            return "depends on the measure" if self.topics else "no topic in common"
        return f"{self.level.ahead()}{self._significantly}"

    @property
    def sentence(self) -> str:
        """Who is ahead under which measures, in a sentence."""
        if not self.topics:
            return f"{self.a} and {self.b} have no topic in common."
        if self.ahead is None and not self.tied:
            return f"Which of {self.a} and {self.b} is ahead depends on the measure."
        if self.tied:
            return f"{self.a} and {self.b} are {self.words}."
        behind = self.b if self.ahead == self.a else self.a
        return f"{self.ahead} is {self.level.ahead(behind)}{self._significantly}."

    @property
    def _significantly(self) -> str:
        """That it is significant under every additive measure, if it is, as the end of a sentence."""
        if not self.significant:
            return ""
        return ", significantly" if self.level is Level.ADDITIVE else f", significantly {Level.ADDITIVE.words}"

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return the level, who is ahead, and the p-values, ready for JSON."""
        return {
            "system": self.a,
            "against": self.b,
            "level": str(self.level),
            "ahead": self.ahead,
            "tied": self.tied,
            "words": self.words,
            "p": finite(self.p),
            "p_corrected": finite(self.p_corrected),
            "significant": self.significant,
            "depth": self.depth,
            "topics": self.topics,
        }


@frozen(kw_only=True, eq=False, repr=False)
class LevelsMatrix(Result):
    """For which measures each of several systems is at least as good as each other.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs that were compared.
    depth : int
        How many ranks were looked at.
    topics, every_measure, additive : array of bool
        Systems × systems: whether the row is at least as good as the column on every topic under every measure, under
        the mean of every measure that is the same on all topics, and under that of every additive measure.
    p : array of float
        Systems × systems: the two-sided p-value of the row being ahead of the column under every additive measure.
    corrected : array of float
        The same, corrected for the number of pairs.
    test, adjusted : str
        The test of mean counts, and how its p-values were corrected.
    alpha : float
        The level of significance.
    dominance : DominanceMatrix
        How the runs compare topic by topic.
    baseline : str or None
        The system that all others are compared with, if p-values are corrected for these pairs alone.
    permutations, seed : int
        How many permutations were drawn for each pair, and from which seed, by the randomisation test.
    caveats : tuple of Caveat
        What is to be known of the comparison.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 0), (0, 1, 1)], (3, 2))
    >>> found = levels_matrix(judged)
    >>> found.additive.astype(int).tolist()
    [[1, 1, 0], [0, 1, 0], [0, 1, 1]]
    >>> found.decided(Level.ADDITIVE), found.pair("s0", "s2").words
    (2, 'depends on the measure')
    """

    judged: JudgedRuns
    depth: int
    topics: BoolArray = field(converter=_read_only)
    every_measure: BoolArray = field(converter=_read_only)
    additive: BoolArray = field(converter=_read_only)
    p: FloatArray = field(converter=frozen_numbers)
    corrected: FloatArray = field(converter=frozen_numbers)
    test: str
    adjusted: str
    alpha: float
    dominance: DominanceMatrix
    baseline: str | None = None
    permutations: int = DRAWS
    seed: int = 0
    caveats: tuple[Caveat, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of rows and columns."""
        return self.judged.systems

    @property
    def pairs(self) -> int:
        """The number of pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    def at(self, level: Level | str) -> BoolArray:
        """Return where the row is at least as good as the column at a level.

        Parameters
        ----------
        level : Level or str
            "topics", "every measure" or "every additive measure".
        """
        found = {Level.TOPICS: self.topics, Level.EVERY_MEASURE: self.every_measure, Level.ADDITIVE: self.additive}
        if Level(level) not in found:
            raise ParameterError(f"the level is one of {', '.join(map(repr, map(str, found)))}, not {str(level)!r}")
        return found[Level(level)]

    def ahead(self, level: Level | str) -> BoolArray:
        """Return where the row is ahead of the column at a level: at least as good, and the converse does not hold.

        Parameters
        ----------
        level : Level or str
            "topics", "every measure" or "every additive measure".
        """
        weak = self.at(level)
        return np.asarray(weak & ~weak.T)

    def decided(self, level: Level | str) -> int:
        """Return in how many pairs one system is ahead at a level.

        Parameters
        ----------
        level : Level or str
            "topics", "every measure" or "every additive measure".
        """
        return int(self.ahead(level).sum())

    @cached_property
    def additive_significant(self) -> BoolArray:
        """Where the row is ahead under every additive measure, significantly, each pair taken alone."""
        return np.asarray(self.ahead(Level.ADDITIVE) & (self.p <= self.alpha))

    @cached_property
    def significant(self) -> BoolArray:
        """Where the row is ahead under every additive measure, significantly after correction."""
        return np.asarray(self.ahead(Level.ADDITIVE) & (self.corrected <= self.alpha))

    @cached_property
    def strongest(self) -> IntArray:
        """The strongest level at which the row is ahead of the column, as `Level.strength`, 0 where it is at none."""
        found = np.zeros(self.additive.shape, dtype=np.int64)
        for level in reversed(LEVELS):
            found[self.ahead(level)] = level.strength
        found.setflags(write=False)
        return found

    def pair(self, a: str, b: str) -> PairLevel:
        """Return the strongest level at which one of two systems is ahead of the other.

        Parameters
        ----------
        a, b : str
            The names of the systems, in any order.
        """
        return self.pair_at(place_of(a, self.systems), place_of(b, self.systems))

    def pair_at(self, i: int, j: int) -> PairLevel:
        """Return the strongest level at which one of two systems is ahead of the other.

        Parameters
        ----------
        i, j : int
            The places of the systems.
        """
        first, second = int(self.strongest[i, j]), int(self.strongest[j, i])
        at = (i, j) if first >= second else (j, i)
        level = {each.strength: each for each in Level}[max(first, second)]
        if level is Level.THIS_MEASURE:
            both = (each for each in LEVELS if self.at(each)[i, j] and self.at(each)[j, i])
            level = next(both, level)
        return PairLevel(
            a=self.systems[i],
            b=self.systems[j],
            level=level,
            ahead=self.systems[at[0]] if first or second else None,
            p=float(self.p[at]),
            p_corrected=float(self.corrected[at]),
            significant=bool(self.significant[at]),
            depth=self.depth,
            topics=int(self.topics_compared[i, j]),
        )

    def of(self, a: str, b: str) -> Levels:
        """Return the levels of one system over another, with what decides them.

        Parameters
        ----------
        a, b : str
            The names of the systems; the question is whether `a` is at least as good as `b`.
        """
        return levels(
            self.judged,
            a,
            b,
            depth=self.depth,
            alpha=self.alpha,
            test=self.test,
            permutations=self.permutations,
            rng=self.seed,
        )

    @property
    def grades(self) -> int:
        """How many grades there are, 0 included."""
        return number_of_grades(self.judged)

    @property
    def tested(self) -> BoolArray:
        """Systems × systems: which pairs are compared, all or those with the baseline."""
        n = len(self.systems)
        if self.baseline is None:
            return ~np.eye(n, dtype=bool)
        mine = np.arange(n) == place_of(self.baseline, self.systems)
        return np.asarray(mine[:, None] ^ mine)

    @property
    def compared(self) -> int:
        """How many pairs are compared: all, or those with the baseline."""
        return int(self.tested.sum()) // 2

    @cached_property
    def topics_compared(self) -> IntArray:
        """Systems × systems: how many topics both have."""
        return np.asarray((self.dominance.relations != LEFT_OUT).sum(axis=2))

    @property
    def incomplete(self) -> bool:
        """Whether some pairs are not compared on all topics, but on those that both have."""
        return bool((self.topics_compared < len(self.judged.topics)).any())

    def arrows(self, level: Level | str) -> tuple[tuple[str, str], ...]:
        """Return who is ahead of whom at a level, without what follows from other arrows (the transitive reduction).

        Parameters
        ----------
        level : Level or str
            "topics", "every measure" or "every additive measure".

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 1), (1, 0), (0, 1)], (3, 2))
        >>> levels_matrix(judged).arrows("every additive measure")
        (('s0', 's1'), ('s1', 's2'))

        Notes
        -----
        Where every two systems are compared on the topics that both have (`missing_topics="skip"`), a lead need not
        carry over from arrow to arrow; `ahead` says of every pair what holds.
        """
        rows, columns = np.nonzero(transitive_reduction(self.ahead(level)))
        return tuple((self.systems[i], self.systems[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True))

    def unbeaten(self, level: Level | str) -> tuple[str, ...]:
        """Return the systems that no other system is ahead of at a level.

        Parameters
        ----------
        level : Level or str
            "topics", "every measure" or "every additive measure".
        """
        best = np.flatnonzero(~self.ahead(level).any(axis=0)).tolist()
        return tuple(self.systems[place] for place in best)

    def __repr__(self) -> str:
        n, share = len(self.systems), f"{self.decided(Level.ADDITIVE):,} of {counted(self.pairs, 'pair')}"
        return f"<LevelsMatrix: {n} systems, {share} decided under every additive measure, to rank {self.depth}>"

    def document(self) -> Document:
        """Return in how many pairs one system is ahead at each level, and the level of every pair."""
        title = f"In how many of {self.pairs:,} pairs one system is ahead, to rank {self.depth:,}"
        columns = [
            Column("under", "under", left=True),
            valued("pairs", lambda row: row["pairs"]),
            valued("share", lambda row: row["pairs"] / self.pairs if self.pairs else None, percent),
        ]
        levels_view = TableView(columns, self._shares(), title=title)
        return Document([levels_view, *self.sentences(), self._main()], self.caveats)

    def _shares(self) -> list[dict[str, Any]]:
        surely = f"{Level.ADDITIVE.class_name}, significantly"
        return [
            *({"under": level.class_name, "pairs": self.decided(level)} for level in LEVELS),
            {"under": surely, "pairs": int(self.additive_significant.sum())},
            {"under": f"{surely}, p-values {CORRECTED[self.adjusted]}", "pairs": int(self.significant.sum())},
        ]

    def sentences(self) -> Iterator[str]:
        """Return which systems are unbeaten without choosing a measure, in sentences."""
        said = {self.systems}
        for level in (Level.ADDITIVE, Level.EVERY_MEASURE):
            best = self.unbeaten(level)
            # who is unbeaten under additive measures is so under all
            if best not in said:
                yield f"No other system is {level.ahead(listed(best, 8))}."
            said.add(best)

    def _main(self) -> TableView:
        named = Column("ahead", lambda row: row["ahead"] or "–", left=True)
        columns = [
            Column("system", "system", left=True),
            Column("against", "against", left=True),
            *([named] if self.baseline is not None else []),
            Column("how", "words", left=True),
            Column("p", lambda row: "" if row["ahead"] is None else pvalue(row["p"])),
        ]
        if self.adjusted in SHORT:
            cell = lambda row: "" if row["ahead"] is None else pvalue(row["p_corrected"])  # noqa: E731
            columns.append(Column(f"p ({SHORT[self.adjusted]})", cell))
        kinds: dict[str, type] = {**dict.fromkeys(("system", "against", "level", "ahead"), str), "tied": bool}
        kinds |= {"words": str, "p": float, "p_corrected": float, "significant": bool, "depth": int, "topics": int}
        rows = [pair.to_dict() for pair in self.all_pairs()]
        return TableView(columns, rows, fields=kinds, title="Every two systems")

    def all_pairs(self) -> list[PairLevel]:
        """Return the level of every two systems, strongest first, the one that is ahead before the other.

        With a baseline, of every other system and the baseline.
        """
        places = range(len(self.systems))
        if self.baseline is not None:
            mine = place_of(self.baseline, self.systems)
            found = [self.pair_at(place, mine) for place in places if place != mine]
        else:
            ahead = self.strongest < self.strongest.T
            found = [self.pair_at(*((j, i) if ahead[i, j] else (i, j))) for i, j in combinations(places, 2)]
        return sorted(found, key=lambda pair: (pair.ahead is None, -pair.level.strength, not pair.significant, pair.p))

    def to_dict(self) -> dict[str, Any]:
        """Return the levels of all pairs, ready for JSON."""
        return {
            "systems": list(self.systems),
            "depth": self.depth,
            "test": self.test,
            "alpha": self.alpha,
            "adjusted": self.adjusted,
            "pairs": self.pairs,
            "decided": {
                **{str(level): self.decided(level) for level in LEVELS},
                "significantly": int(self.additive_significant.sum()),
                "significantly, corrected": int(self.significant.sum()),
            },
            "strongest": self.strongest.tolist(),
            "levels": {str(level.strength): str(level) for level in Level},
            "p": [list(map(finite, row)) for row in self.p.tolist()],
            "p_corrected": [list(map(finite, row)) for row in self.corrected.tolist()],
            "arrows": {str(level): [list(arrow) for arrow in self.arrows(level)] for level in LEVELS},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def transitive_reduction(ahead: BoolArray) -> BoolArray:
    """Return the transitive reduction of a strict order: the pairs between which no third one stands.

    Parameters
    ----------
    ahead : array of bool
        Square: whether the row is ahead of the column.

    Examples
    --------
    >>> transitive_reduction(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)).astype(int).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    paths = ahead.astype(np.float32)
    return np.asarray(ahead & ~(paths @ paths > 0))


@explains_calls
@takes_executor
def levels_matrix(
    judged: JudgedRuns,
    *,
    depth: int | None = None,
    alpha: float = ALPHA,
    test: str = "t",
    adjust: str | None = "holm",
    baseline: str | None = None,
    permutations: int = DRAWS,
    rng: Rng = 0,
    progress: Progress = silent,
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> LevelsMatrix:
    """Return for which measures every system is at least as good as every other.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    depth : int, optional
        How many ranks are looked at, by default all: the answer is about measures that look no deeper.
    alpha : float, default 0.05
        The level of significance, two-sided.
    test : {"t", "randomisation"}
        How mean counts are tested, as for `levels`.
    adjust : {"holm", "bonferroni", "bh", "none"}
        How p-values are corrected for the number of pairs.
    baseline : str, optional
        The system that all others are compared with; p-values are then corrected for these pairs alone.
    permutations : int, default 10000
        How many permutations are drawn by the randomisation test, where not all can be tried. To stay significant
        after correction, more are needed where there are many pairs.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers, for the randomisation test.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 0), (0, 1, 1)], (3, 2))
    >>> levels_matrix(judged).every_measure.astype(int).tolist()
    [[1, 1, 0], [0, 1, 0], [0, 1, 1]]

    References
    ----------
    [FerranteFerroMaistro2015]_; [Strassen1965]_; [Berger1982]_; [Holm1979]_
    """
    name, method = named_test(test), correction(adjust)
    significance_level(alpha)
    check_progress(progress)
    whole_number("permutations", permutations)
    reference = None if baseline is None else place_of(baseline, judged.systems)
    # one seed for every pair, so that the order of systems does not matter
    seed = rng if isinstance(rng, int) else int(generator(rng).integers(2**63))
    check_pairs(len(judged.systems), len(judged.topics))
    every = EveryPair(judged, ranks_compared(judged, depth), progress)
    additive, p = every.additive()
    if name == "randomisation":
        p = every.randomised(additive, permutations, seed)
    better, complete, unknown = every.matched(additive)
    topics = np.asarray((better | ~every.shared).all(axis=2) & every.shared.any(axis=2))
    return LevelsMatrix(
        judged=judged,
        depth=every.depth,
        topics=topics,
        every_measure=complete,
        additive=additive,
        p=p,
        corrected=_corrected(p, method, reference),
        test=name,
        adjusted=method,
        alpha=alpha,
        dominance=every.dominance(better),
        baseline=baseline,
        permutations=permutations,
        seed=seed,
        caveats=(*caveats_of(judged), *unjudged_caveats(judged.first(every.depth)), *_undecided(unknown)),
    )


def _undecided(pairs: int) -> Iterator[Caveat]:
    """Yield that some pairs were not decided, if there are any."""
    if pairs:
        text = f"whether every measure agrees is not decided of {counted(pairs, 'pair')}, and taken for not so"
        yield Caveat(CaveatKind.LEFT_OUT, f"{text}: there are too many different runs to be paired")


def _corrected(p: FloatArray, method: str, baseline: int | None) -> FloatArray:
    """Return p-values corrected for the number of pairs, the smaller of the two directions standing for a pair."""
    n = len(p)
    rows, columns = np.triu_indices(n, 1)
    if baseline is not None:
        kept = (rows == baseline) | (columns == baseline)
        rows, columns = rows[kept], columns[kept]
    found = np.ones((n, n))
    several = corrected(np.minimum(p[rows, columns], p[columns, rows]), method)
    found[rows, columns] = np.where(p[rows, columns] <= p[columns, rows], several, 1.0)
    found[columns, rows] = np.where(p[columns, rows] < p[rows, columns], several, 1.0)
    return found
