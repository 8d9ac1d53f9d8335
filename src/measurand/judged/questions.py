"""Questions that judged runs answer: the public functions of them as methods.

The functions stand above this room; the package finds them when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from measurand.calls import Default, explains_calls
from measurand.execution import Progress, Rng, silent

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from measurand.measures import Measure, MeasuresLike
    from measurand.orders.names import AnyOrder
    from measurand.scores import Table
    from measurand.study.comparison import SystemComparison
    from measurand.study.comparison_settings import Adjust
    from measurand.study.dominance import Dominance
    from measurand.study.dominance_matrix import DominanceMatrix
    from measurand.study.evaluation import UnjudgedLike
    from measurand.study.levels import Levels
    from measurand.study.levels_matrix import LevelsMatrix
    from measurand.study.margins.margins import Margins
    from measurand.study.margins.matrix import MarginsMatrix
    from measurand.study.portfolio import Portfolio
    from measurand.study.simulation import Simulations
    from measurand.study.tie_effect import TieEffects
    from measurand.study.unanimity_table import UnanimityTable


def public(name: str) -> Callable[..., Any]:
    """Return a public function of measurand.

    Examples
    --------
    >>> public("evaluate").__name__
    'evaluate'
    """
    function: Callable[..., Any] = getattr(import_module("measurand"), name)
    return function


class Questions:
    """The methods of judged runs that are public functions of them."""

    __slots__ = ()

    @explains_calls
    def evaluate(
        self,
        measures: MeasuresLike | None = None,
        *,
        executor: Executor | None = None,
        unjudged: UnjudgedLike | None = None,
    ) -> Table:
        """Return the scores of all systems on all topics under some measures, as `measurand.evaluate` does.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these, optional
            The measures; by default nDCG@10, AP, P@10, RR and Judged@10.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.
        unjudged : {"min", "max", "bounds"}, optional
            Give the lowest scores, or the highest, or both, over all grades that unjudged documents could have.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).evaluate("RR").scores("RR").values.tolist()
        [[1.0], [0.5]]
        """
        found: Table = public("evaluate")(self, measures, executor=executor, unjudged=unjudged)
        return found

    @explains_calls
    def compare(
        self,
        measures: MeasuresLike | None = None,
        *,
        primary: Measure | str | None = None,
        baseline: str | None = None,
        test: str = Default("t"),
        adjust: Adjust = "holm",
        alpha: float = 0.05,
        strict: bool = False,
        top: int = 3,
        draws: int | None = None,
        rng: Rng = 0,
        progress: Progress = silent,
        executor: Executor | None = None,
    ) -> SystemComparison:
        """Compare the systems under some measures, as `measurand.compare` does.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these, optional
            The measures; by default nDCG@10, AP, P@10 and RR, with Judged@10 beside them.
        primary : Measure or str, optional
            The measure that claims are made for; by default the first.
        baseline : str, optional
            The system that all others are compared with: differences are those of a system minus the baseline.
        test : str, default "t"
            A test of `measurand.statistics`, such as "t" or "sign".
        adjust : {"holm", "bonferroni", "bh", "none"}
            How p-values are corrected for the number of pairs.
        alpha : float, default 0.05
            The level of significance.
        strict : bool, default False
            Replace what the scale of a measure does not admit by what it admits, and refuse a test that was named.
        top : int, default 3
            With how many others the leader is compared in sentences; with a baseline all are.
        draws : int, optional
            How many permutations or resamples, for tests that draw lots.
        rng : int or numpy.random.Generator, default 0
            A seed, or a generator of random numbers, for tests that draw lots.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).compare("P@1").of("P@1").systems
        ('s0', 's1')
        """
        found: SystemComparison = public("compare")(
            self,
            measures,
            primary=primary,
            baseline=baseline,
            test=test,
            adjust=adjust,
            alpha=alpha,
            strict=strict,
            top=top,
            draws=draws,
            rng=rng,
            progress=progress,
            executor=executor,
        )
        return found

    @explains_calls
    def unanimity(
        self,
        measures: MeasuresLike | None = None,
        *,
        collection: int | None = None,
        recall_base: int | None = None,
        ranks: int | None = None,
        constraints: bool = True,
        self_pairs: bool = False,
        progress: Progress = silent,
    ) -> UnanimityTable:
        """Return the unanimity of measures on the runs, with the constraints that each meets: `measurand.unanimity`.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these, optional
            The measures; by default those of the paper's Table 2.
        collection : int, optional
            How many documents there are; by default those that were judged, with room for rankings.
        recall_base : int, optional
            How many of them are relevant, for the constraints; by default the median over the topics, at least 1.
        ranks : int, optional
            How many ranks the constraints are checked on; by default more than the largest cutoff.
        constraints : bool, default True
            Whether to check the five constraints.
        self_pairs : bool, default False
            Whether to compare each system with itself as well.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
        >>> [row.measure for row in judged.unanimity(["P@2", "RR"], constraints=False)]
        ['RR', 'P@2']
        """
        found: UnanimityTable = public("unanimity")(
            self,
            measures,
            collection=collection,
            recall_base=recall_base,
            ranks=ranks,
            constraints=constraints,
            self_pairs=self_pairs,
            progress=progress,
        )
        return found

    @explains_calls
    def portfolio(self, systems: Sequence[str] | None = None, *, order: str = "swap", depth: int = 10) -> Portfolio:
        """Return what several systems reach together on each topic, as `measurand.portfolio` does.

        Parameters
        ----------
        systems : sequence of str, optional
            The names of the systems; by default all.
        order : str, default "swap"
            One of `measurand.orders.ORDERS`: which of two runs is better.
        depth : int, default 10
            How many ranks to look at; fewer where the judged runs have fewer.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0, 0, 1), (0, 1, 1, 0)], (5, 2)).portfolio().reached.run("t")
        (1, 0, 1, 0)
        """
        found: Portfolio = public("portfolio")(self, systems, order=order, depth=depth)
        return found

    @explains_calls
    def simulate(
        self,
        measures: MeasuresLike | None = None,
        *,
        tests: str | Iterable[str] | None = None,
        effects: float | Iterable[float] = (1.0, 2.0, 4.0),
        alpha: float = 0.05,
        adjust: str | None = "none",
        repetitions: int = 1000,
        top: int = 10,
        semantics: str = "scipy",
        rng: Rng = 0,
        progress: Progress = silent,
        executor: Executor | None = None,
    ) -> Simulations:
        """Return which test to take here, by type I error and power, as `measurand.simulate` does.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these, optional
            The measures; by default nDCG@10, AP@30, P@10 and RR@10.
        tests : str or iterable of str, optional
            The tests, by name; by default the eight of Ferrante, Ferro and Fuhr.
        effects : float or iterable of float
            The effects: how many moves make a run better, on average over topics.
        alpha : float, default 0.05
            The level of significance.
        adjust : str, default "none"
            How p-values of tests of pairs are corrected: "none", "bonferroni", "holm" or "bh".
        repetitions : int, default 1000
            How many repetitions.
        top : int, default 10
            Within how many ranks a better document comes to stand.
        semantics : {"scipy", "matlab"}
            Whose conventions the tests follow, where these differ.
        rng : int or numpy.random.Generator, default 0
            Where chance comes from.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.

        Examples
        --------
        >>> import measurand as md
        >>> judged = md.judge(md.sample.runs(), md.sample.qrels(), depth=10)
        >>> judged.simulate("P@10", tests=["t", "sign"], repetitions=50)["P@10"].recommended.test
        'paired_t'
        """
        named = {} if tests is None else {"tests": tests}
        found: Simulations = public("simulate")(
            self,
            measures,
            **named,
            effects=effects,
            alpha=alpha,
            adjust=adjust,
            repetitions=repetitions,
            top=top,
            semantics=semantics,
            rng=rng,
            progress=progress,
            executor=executor,
        )
        return found

    @explains_calls
    def tie_effect(self, measures: MeasuresLike | None = None, *, progress: Progress = silent) -> TieEffects:
        """Return what the order of documents of equal score does to scores, as `measurand.tie_effect` does.

        Parameters
        ----------
        measures : Measure or str, or an iterable of these, optional
            The measures; by default nDCG@10, AP, P@10, RR and Judged@10.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

        Examples
        --------
        >>> import measurand as md
        >>> judged = md.judge({"1": {"d1": 2.0, "d2": 2.0}}, {"1": {"d1": 1}})
        >>> judged.tie_effect("RR")["RR"].expected.values.tolist()
        [[0.75]]
        """
        found: TieEffects = public("tie_effect")(self, measures, progress=progress)
        return found

    @explains_calls
    def dominance(
        self,
        a: str,
        b: str,
        *,
        depth: int | None = None,
        order: AnyOrder = "swap",
        progress: Progress = silent,
    ) -> Dominance:
        """Return on which topics one system is better than another under every measure: `measurand.dominance`.

        Parameters
        ----------
        a, b : str
            The names of the two systems.
        depth : int, optional
            How many ranks are looked at; by default all.
        order : str or OwnOrder
            One of `measurand.orders.ORDERS`, or an order of your own, from `measurand.orders.from_moves`.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).dominance("s0", "s1").wins
        1
        """
        found: Dominance = public("dominance")(self, a, b, depth=depth, order=order, progress=progress)
        return found

    @explains_calls
    def dominance_matrix(self, *, depth: int | None = None, progress: Progress = silent) -> DominanceMatrix:
        """Return the dominance of all pairs of systems, as `measurand.dominance_matrix` does.

        Parameters
        ----------
        depth : int, optional
            How many ranks are looked at; by default all.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).dominance_matrix().wins.tolist()
        [[0, 1], [0, 0]]
        """
        found: DominanceMatrix = public("dominance_matrix")(self, depth=depth, progress=progress)
        return found

    @explains_calls
    def levels(
        self,
        a: str,
        b: str,
        *,
        depth: int | None = None,
        alpha: float = 0.05,
        test: str = "t",
        permutations: int = 10_000,
        rng: Rng = 0,
        executor: Executor | None = None,
    ) -> Levels:
        """Return for which measures one system is at least as good as another, as `measurand.levels` does.

        Parameters
        ----------
        a, b : str
            The names of the two systems; the question is whether `a` is at least as good as `b`.
        depth : int, optional
            How many ranks are looked at; by default all.
        alpha : float, default 0.05
            The level of significance, two-sided.
        test : {"t", "randomisation"}
            How mean counts are tested.
        permutations : int, default 10000
            How many permutations are drawn by the randomisation test.
        rng : int or numpy.random.Generator, default 0
            A seed, or a generator of random numbers, for the randomisation test.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> str(JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).levels("s0", "s1").level)
        'topics'
        """
        found: Levels = public("levels")(
            self, a, b, depth=depth, alpha=alpha, test=test, permutations=permutations, rng=rng, executor=executor
        )
        return found

    @explains_calls
    def levels_matrix(
        self,
        *,
        depth: int | None = None,
        alpha: float = 0.05,
        test: str = "t",
        adjust: Adjust = "holm",
        baseline: str | None = None,
        permutations: int = 10_000,
        rng: Rng = 0,
        progress: Progress = silent,
        executor: Executor | None = None,
    ) -> LevelsMatrix:
        """Return for which measures every system is at least as good as every other: `measurand.levels_matrix`.

        Parameters
        ----------
        depth : int, optional
            How many ranks are looked at; by default all.
        alpha : float, default 0.05
            The level of significance, two-sided.
        test : {"t", "randomisation"}
            How mean counts are tested.
        adjust : {"holm", "bonferroni", "bh", "none"}
            How p-values are corrected for the number of pairs.
        baseline : str, optional
            The system that all others are compared with.
        permutations : int, default 10000
            How many permutations are drawn by the randomisation test.
        rng : int or numpy.random.Generator, default 0
            A seed, or a generator of random numbers, for the randomisation test.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).levels_matrix().additive.tolist()
        [[True, True], [False, True]]
        """
        found: LevelsMatrix = public("levels_matrix")(
            self,
            depth=depth,
            alpha=alpha,
            test=test,
            adjust=adjust,
            baseline=baseline,
            permutations=permutations,
            rng=rng,
            progress=progress,
            executor=executor,
        )
        return found

    @explains_calls
    def margins(
        self,
        measure: Measure | str,
        a: str,
        b: str,
        *,
        claim: str = "order",
        test: str = "t",
        alpha: float = 0.05,
        unjudged: str = "grown",
        top: int = 20,
        executor: Executor | None = None,
    ) -> Margins:
        """Return the smallest change of each assumption that overturns a conclusion, as `measurand.margins` does.

        Parameters
        ----------
        measure : Measure or str
            The measure, or its spelling.
        a, b : str
            The names of the two systems.
        claim : {"order", "significant"}
            What is claimed: that one has the better mean, or that a test says so as well.
        test : str, default "t"
            The test of a claim of significance.
        alpha : float, default 0.05
            The level of significance.
        unjudged : {"grown", "known"}
            Whether the ideal ranking and the number of relevant documents grow by what unjudged documents are assumed
            to be, or stay as they are known.
        top : int, default 20
            How many judgments are listed that matter most.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).margins("RR", "s0", "s1").topics.value
        inf
        """
        found: Margins = public("margins")(
            self, measure, a, b, claim=claim, test=test, alpha=alpha, unjudged=unjudged, top=top, executor=executor
        )
        return found

    @explains_calls
    def margins_matrix(
        self,
        measure: Measure | str,
        *,
        claim: str = "order",
        test: str = "t",
        alpha: float = 0.05,
        progress: Progress = silent,
        executor: Executor | None = None,
    ) -> MarginsMatrix:
        """Return the margins of every two systems, as `measurand.margins_matrix` does.

        Parameters
        ----------
        measure : Measure or str
            The measure, or its spelling.
        claim : {"order", "significant"}
            What is claimed: that one has the better mean, or that a test says so as well.
        test : str, default "t"
            The test of a claim of significance.
        alpha : float, default 0.05
            The level of significance.
        progress : callable, optional
            Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.
        executor : concurrent.futures.Executor, optional
            What shares the work: threads, processes, or a cluster's. Results are the same.

        Examples
        --------
        >>> from measurand import JudgedRuns
        >>> JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2)).margins_matrix("RR").scale.tolist()
        [[1.0, inf], [inf, 1.0]]
        """
        found: MarginsMatrix = public("margins_matrix")(
            self, measure, claim=claim, test=test, alpha=alpha, progress=progress, executor=executor
        )
        return found
