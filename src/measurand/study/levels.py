"""Levels: for which measures one system is at least as good as another, from every measure on every topic downwards.

`levels` compares two systems; `measurand.study.levels_matrix` every two. The weak form is meant throughout: the mean
of `a` is at least that of `b`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import counted, equals, listed
from measurand.errors import Caveat
from measurand.exact import RationalLike, whole_number
from measurand.execution import Rng, takes_executor
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.campaigns import on_judged
from measurand.measures.parse import parse
from measurand.statistics import ALPHA
from measurand.statistics.multiple_comparisons import level as significance_level
from measurand.study.count_tests import DRAWS, named_test
from measurand.study.dominance import caveats_of, left_out_caveats
from measurand.study.level_classes import LEVELS, Level, covered_in_words, differs_by_recall_base_alone, level_of
from measurand.study.level_verdicts import (
    LevelVerdict,
    Place,
    checked_on,
    first_place,
    graded_place,
    on_every_topic,
    under_every_additive_measure,
    under_every_measure,
    under_recall_based_measures,
)
from measurand.study.paired_runs import PairedRuns, ranks_compared
from measurand.study.store.choosing import judged_pair
from measurand.verdict import How, Verdict

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from measurand.display.charts import Figure
    from measurand.study.parameter_map import ParameterMap
    from measurand.study.store.score_store import ScoreStore


@frozen(kw_only=True, eq=False, repr=False)
class Levels(Result):
    """For which measures one system is at least as good as another.

    Parameters
    ----------
    a, b : str
        The two systems. What is said is that `a` is at least as good as `b`; ask for `b` and `a` for the converse.
    depth : int
        How many ranks were looked at: the levels are about measures that look no deeper.
    topics : LevelVerdict
        Whether `a` is at least as good on every topic under every measure, even one of its own for every topic.
    every_measure : LevelVerdict
        Whether the mean of `a` is at least that of `b` under every measure that respects replacement and swap and is
        the same on all topics. Where it fails, the witness is a measure that puts `b` first.
    additive : LevelVerdict
        Whether it is so under every additive measure: sums of discount × gain, with discounts that never rise with
        the rank and gains that never fall with the grade. Where it fails, the witness is the smallest rank and grade
        with more documents for `b`.
    p : float
        The two-sided p-value of being ahead under every additive measure: twice the largest one-sided p-value of all
        ranks and grades.
    test : str
        The test of mean counts, "paired_t" or "randomisation".
    alpha : float
        The level of significance.
    left_out : tuple of Place
        Ranks and grades with the same counts by construction, since both systems have the same documents there; what
        is called significant is not about measures that look at these alone.
    judged : JudgedRuns
        The judged runs that were compared.
    caveats : tuple of Caveat
        What is to be known of the comparison.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> found = levels(judged, "s0", "s1")
    >>> bool(found.additive), found.additive.witness, found.largest_lead
    (False, Place(rank=3, grade=1), Fraction(1, 1))
    >>> reversing = found.every_measure.witness
    >>> reversing.runs, reversing.scores(judged).values.tolist()
    (((0, 1, 1),), [[0.0], [1.0]])
    """

    a: str
    b: str
    depth: int
    topics: LevelVerdict
    every_measure: LevelVerdict
    additive: LevelVerdict
    p: float
    test: str
    alpha: float
    left_out: tuple[Place, ...]
    judged: JudgedRuns
    caveats: tuple[Caveat, ...] = ()

    @property
    def additive_significant(self) -> bool:
        """Whether `a` is ahead under every additive measure, significantly."""
        return self.additive.strict and self.p <= self.alpha

    @property
    def largest_lead(self) -> Fraction | None:
        """The largest lead that any measure with values from 0 to 1 gives `b`, as a difference of means.

        None where there are too many different runs to find it.
        """
        return self.every_measure.lead if len(self._pair.kept) else Fraction(0)

    @property
    def level(self) -> Level:
        """The strongest level that holds; "this measure" if it depends on the measure."""
        return next((level for level, verdict in self.verdicts.items() if verdict), Level.THIS_MEASURE)

    @property
    def verdicts(self) -> dict[Level, LevelVerdict]:
        """Whether each level that is about a class of measures holds, the strongest first."""
        return dict(zip(LEVELS, (self.topics, self.every_measure, self.additive), strict=True))

    @cached_property
    def _pair(self) -> PairedRuns:
        return PairedRuns(self.judged, self.a, self.b, self.depth)

    @property
    def mean_differences(self) -> FloatArray:
        """How many documents more `a` has than `b` on the mean over topics: grades from 1 up × ranks.

        Row g - 1 is about documents of grade g or more, column k - 1 about the first k ranks.
        """
        return np.asarray(self._pair.counts.totals / max(1, len(self._pair.kept)))

    def plot(self) -> Figure:
        """Return a drawing: how many documents more `a` has, down to every rank, a line for every grade.

        Where no line is below 0, `a` is at least as good under every additive measure.

        Examples
        --------
        >>> levels(JudgedRuns.on_one_topic([(1, 1), (0, 1)], (3, 2)), "s0", "s1").plot()  # doctest: +ELLIPSIS
        Figure('s0 is at least as good as s1 on every topic, down to rank 2; ...')
        """
        from measurand.display.charts import Figure  # loaded when something is drawn
        from measurand.study.pair_plots import levels_chart

        return Figure(levels_chart(self))

    @property
    def more_topics_won(self) -> Verdict:
        """Whether `a` wins more topics than it loses, for every rank and grade; another question than that of means.

        A topic is won at a rank and grade by the system with more documents of this grade or more down to this rank.
        """
        if not len(self._pair.kept):
            return Verdict(False, None, checked_on(self._pair), How.FAILED, self.additive.argument)
        kept = self._pair.counts
        won, lost = (kept.differences > 0).sum(axis=0), (kept.differences < 0).sum(axis=0)
        place = first_place((won <= lost) & ~kept.left_out)
        checked = checked_on(self._pair)
        if place is None and kept.left_out.all():
            argument = "both have the same documents at every rank, or there is no relevant one"
            return Verdict(False, None, checked, How.FAILED, argument)
        if place is None:
            argument = f"{self.a} wins more topics than it loses for every rank and grade"
            return Verdict(True, None, checked, How.PROVED, argument)
        at = int(place.grade) - 1, place.rank - 1
        place = graded_place(place, self.judged)
        argument = f"{place}: {self.a} has more on {counted(int(won[at]), 'topic')}, {self.b} on {int(lost[at])}"
        return Verdict(False, place, checked, How.COUNTEREXAMPLE, argument)

    @property
    def sign_p(self) -> float:
        """The two-sided p-value of `more_topics_won`: twice the largest p of the sign tests of all ranks and grades."""
        return self._pair.counts.sign_pvalue()

    def recall_based(self, rel: int = 1) -> LevelVerdict:
        """Return whether `a` is at least as good under AP, R and every measure that differs from them as they do.

        These measures see which documents are relevant, respect replacement and swap, and are divided by the number
        of relevant documents of the topic. AP and R are such measures, whose mean the other levels below "topics" do
        not decide.

        Parameters
        ----------
        rel : int, default 1
            The lowest grade that counts as relevant.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (3, 2))
        >>> bool(levels(judged, "s0", "s1").recall_based())
        True
        """
        return under_recall_based_measures(self._pair, whole_number("rel", rel))

    def decides(self, measure: Measure | str) -> bool:
        """Return whether what was found decides that the mean of `a` is at least that of `b` under a measure.

        If not, nothing follows: the mean of `a` may be higher or lower.

        The means are over the topics that both systems have. Nothing is decided where the order of tied documents was
        left open (`ties="expected"` and the like): levels are about runs in trec_eval's order.

        Parameters
        ----------
        measure : Measure or str
            A measure, or its spelling.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
        >>> found = levels(judged, "s0", "s1", depth=2)
        >>> found.decides("P@2"), found.decides("P@3")
        (True, False)
        """
        wanted = on_judged(parse(measure), self.judged)
        if self.judged.groups is not None and self.judged.groups.tied.any():
            return False
        grades = self._pair.grades
        enough = level_of(wanted, depth=self.depth, grades=grades, deepest=self.judged.depth)
        if self.verdicts.get(enough):
            return True
        seen = wanted.reach(self.judged.depth)
        return differs_by_recall_base_alone(wanted) and seen <= self.depth and bool(self.recall_based(wanted.lowest))

    def map(
        self, measure: Measure | str, *, over: str | None = None, grade: RationalLike | None = None
    ) -> ParameterMap:
        """Return where the sign of the mean difference changes with a parameter of an additive measure.

        Parameters
        ----------
        measure : Measure or str
            An additive measure, such as "RBP", "P" or "DCG".
        over : {"p", "cutoff", "b", "gain"}, optional
            The parameter; by default p of RBP, and the cutoff of others.
        grade : int, Fraction or str, optional
            The grade whose gain is varied, for `over="gain"`.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
        >>> print(levels(judged, "s0", "s1").map("P").sentence)
        s0 is ahead at cutoff 1, s1 at 3; level at 2
        """
        from measurand.study.parameter_map import parameter_map

        return parameter_map(self.judged, self.a, self.b, measure, over=over, grade=grade, depth=self.depth)

    @property
    def sentence(self) -> str:
        """What holds, in a sentence or two."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        if not len(self._pair.kept):
            yield f"{self.a} and {self.b} have no topic in common."
            return
        ranks = f"down to rank {self.depth:,}"
        if self.additive.tied:
            yield f"{self.a} and {self.b} {self._tie()}, {ranks}."
            return
        if (self._pair.counts.totals <= 0).all():
            yield f"{self.a} is not ahead of {self.b}: {self.b} is {Level.ADDITIVE.ahead()}, {ranks}."
            return
        if self.level is Level.THIS_MEASURE:
            yield f"Whether {self.a} is ahead of {self.b} depends on the measure: {self.additive.argument}."
            return
        yield f"{self.a} is {self.level.ahead(self.b)}, {ranks}{self._chance()}."
        if self.level is not Level.ADDITIVE:
            return
        if self.every_measure.witness is None:
            yield f"Whether every other measure agrees is {self.every_measure.argument}."
            return
        lead = self.largest_lead
        most = "" if lead is None else f", by up to {float(lead):.3g} on a scale from 0 to 1"
        yield f"Some other measure puts {self.b} first{most}."

    def _tie(self) -> str:
        """Return in what two systems that are level are so."""
        if self.topics.tied:
            return "have the same grades on every topic, so that every measure ties"
        if self.every_measure.tied:
            return "have the same runs, on other topics, so that every measure that is the same on all topics ties"
        return "have as many documents of every grade, so that every additive measure ties"

    def _chance(self) -> str:
        """Return whether being ahead under every additive measure could be chance."""
        under = "" if self.level is Level.ADDITIVE else f" {Level.ADDITIVE.words}"
        if self.additive_significant:
            return f"; significantly{under} (p {equals(self.p)})"
        return f"; that could be chance{under} (p {equals(self.p)})"

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<Levels of {self.a} over {self.b}: {self.level}{', tied' if self.additive.tied else ''}>"

    def document(self) -> Document:
        """Return the levels, strongest first: whether each holds, why or why not, and which measures it covers."""
        grades = self._pair.grades

        def row(level: Level, verdict: LevelVerdict) -> dict[str, Any]:
            names = covered_in_words(level, depth=self.depth, grades=grades)
            answer = "tie" if verdict.tied else "yes" if verdict else "?" if verdict.undecided else "no"
            return {"level": str(level), "holds": answer, "why": verdict.argument, "measures": names}

        columns = [
            Column("level", "level", left=True),
            Column("holds", "holds", left=True),
            Column("why", "why", left=True),
            Column("measures", "measures", left=True, dispensable=1),
        ]
        rows = [row(level, verdict) for level, verdict in self.verdicts.items()]
        title = f"Is {self.a} at least as good as {self.b}?"
        return Document([self.sentence, TableView(columns, rows, title=title), *self.about()], self.caveats)

    @property
    def shared_topics(self) -> tuple[str, ...]:
        """The topics that were compared: all, or those that both systems have."""
        return self._pair.shared_topics

    def about(self) -> Iterator[str]:
        """Return what else is to be known of the pair: where both have the same documents by construction."""
        if self.left_out:
            ranks = sorted({place.rank for place in self.left_out})
            yield (
                f"Both have the same documents {_several_ranks(ranks)} on every topic. Measures that look at these"
                " counts alone are equal by construction, and are left out of the test."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the levels and what decides them, ready for JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "depth": self.depth,
            "topics_compared": len(self._pair.kept),
            "level": str(self.level),
            "topics": self.topics.to_dict("at least as good on every topic"),
            "every_measure": self.every_measure.to_dict("at least as good under every measure"),
            "additive": self.additive.to_dict("at least as good under every additive measure"),
            "additive_significant": self.additive_significant,
            "test": self.test,
            "p": self.p,
            "alpha": self.alpha,
            "left_out": [place._asdict() for place in self.left_out],
            "largest_lead": None if self.largest_lead is None else float(self.largest_lead),
            "sentence": self.sentence,
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def _several_ranks(ranks: list[int]) -> str:
    """Return down to which ranks both systems have the same documents, in words."""
    starts = [rank for rank in ranks if rank - 1 not in ranks]
    ends = [rank for rank in ranks if rank + 1 not in ranks]
    spans = [f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in zip(starts, ends, strict=True)]
    return f"down to {'rank' if len(ranks) == 1 else 'ranks'} {listed(spans, 8)}"


@explains_calls
@takes_executor
def levels(
    judged: JudgedRuns | ScoreStore,
    a: str,
    b: str,
    *,
    depth: int | None = None,
    alpha: float = ALPHA,
    test: str = "t",
    permutations: int = DRAWS,
    rng: Rng = 0,
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> Levels:
    r"""Return for which measures one system is at least as good as another.

    The judged runs of `a` and `b` on topic t are :math:`a_t` and :math:`b_t`, cut or padded to one depth, and a run
    is at least as good as another, :math:`\succeq`, if down to every rank it has at least as many documents of every
    grade or more. Then `a` is at least as good as `b`

    - under every measure, even another one for every topic, if :math:`a_t \succeq b_t` on every topic;
    - under the mean of every measure that respects replacement and swap and is the same on all topics, exactly if
      the topics can be paired so that :math:`a_{\pi(t)} \succeq b_t` for all t (Strassen's theorem);
    - under the mean of every additive measure, exactly if

      .. math:: \sum_t \#\{i \le k : a_{t,i} \ge g\} \ge \sum_t \#\{i \le k : b_{t,i} \ge g\}
          \text{ for every rank } k \text{ and grade } g.

    Parameters
    ----------
    judged : JudgedRuns or ScoreStore
        The judged runs, or a store of them.
    a, b : str
        The names of two systems; the question is whether `a` is at least as good as `b`, never the converse.
    depth : int, optional
        How many ranks are looked at, by default all: the answer is about measures that look no deeper.
    alpha : float, default 0.05
        The level of significance, two-sided.
    test : {"t", "randomisation"}
        How mean counts are tested: `a` is significantly ahead under every additive measure if the mean count is
        one-sided significant at alpha/2 for every rank and grade (an intersection–union test).
    permutations : int, default 10000
        How many permutations are drawn by the randomisation test, where not all can be tried.
    rng : int or numpy.random.Generator, default 0
        A seed, or a generator of random numbers, for the randomisation test.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

    Examples
    --------
    >>> from measurand import judge, read_qrels, read_run
    >>> qrels = read_qrels({"1": {"x": 1, "y": 1}, "2": {"x": 1, "y": 1}})
    >>> a = read_run({"1": {"x": 2, "y": 1}, "2": {"x": 2, "u": 1}}, name="a")
    >>> b = read_run({"1": {"u": 2, "x": 1}, "2": {"x": 2, "y": 1}}, name="b")
    >>> found = levels(judge([a, b], qrels), "a", "b")
    >>> bool(found.topics), bool(found.every_measure), bool(found.additive)
    (False, True, True)
    >>> print(found.topics.argument)
    on topic 2, in the first 2 ranks b has 2 documents of grade 1 or more, a 1

    Notes
    -----
    What is unjudged or missing counts as grade 0. Topics that either system left out are left out if the runs were
    judged with `missing_topics="skip"`. A rank and grade at which no topic differs has the p-value 1, unless both
    systems have the same documents down to that rank on every topic: then it is left out.

    References
    ----------
    [FerranteFerroMaistro2015]_; [Strassen1965]_; [Hall1935]_; [Berger1982]_
    """
    name = named_test(test)
    significance_level(alpha)
    whole_number("permutations", permutations)
    runs = judged_pair(judged, a, b, depth)
    pair = PairedRuns(runs, a, b, ranks_compared(runs, depth))
    left_out = np.argwhere(pair.counts.left_out.T).tolist()
    return Levels(
        a=a,
        b=b,
        depth=pair.depth,
        topics=on_every_topic(pair),
        every_measure=under_every_measure(pair),
        additive=under_every_additive_measure(pair),
        p=pair.counts.pvalue(name, permutations, rng) if len(pair.kept) else 1.0,
        test=name,
        alpha=alpha,
        left_out=tuple(Place(rank + 1, grade + 1) for rank, grade in left_out) if len(pair.kept) else (),
        judged=runs,
        caveats=(*caveats_of(runs), *left_out_caveats(len(runs.topics) - len(pair.kept)), *pair.unjudged),
    )
