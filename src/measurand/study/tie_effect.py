"""The effect of ties: what the order of documents of equal score does to the scores of a measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.errors import Caveat, ParameterError
from measurand.execution import Progress, silent
from measurand.judged import NOTHING, JudgedRuns, OverTies, TieGroups
from measurand.measures import Measure
from measurand.measures.searching import SearchLength
from measurand.measures.ties.over_ties import over_ties
from measurand.scores import Scores, place_of
from measurand.study.evaluation import asked_for, given, read_measures

if TYPE_CHECKING:
    import polars as pl

EQUAL = 1e-9
"""A mean closer than this to the score in one order, relative to the larger, is as kind."""


@frozen(kw_only=True, eq=False, repr=False)
class TieEffect:
    """The scores of one measure over all orders of tied documents, beside those in trec_eval's order.

    Parameters
    ----------
    trec : Scores
        Scores with tied documents in the order of their names, the last one first.
    expected, least, greatest : Scores
        The mean, the least and the greatest score over all orders.
    tied : array of float
        Which share of each system's documents have the score of another.
    unfinished : array of int or None
        For search lengths: on how many topics each system does not find enough relevant documents.
    caveats : tuple of Caveat
        What limits the meaning of the numbers.
    """

    trec: Scores
    expected: Scores
    least: Scores
    greatest: Scores
    tied: FloatArray
    unfinished: IntArray | None
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        share = f"{int(self.matters.sum())} of {self.matters.size} rankings"
        return f"<TieEffect on {self.expected.measure}: ties matter in {share}>"

    @property
    def matters(self) -> BoolArray:
        """Where the score depends on the order of tied documents, by system and topic."""
        # a topic without a score is not above anything
        return np.asarray(self.greatest.values > self.least.values)

    @property
    def flattered(self) -> BoolArray:
        """Where trec_eval's order is kinder to a system than the average order is."""
        return self.matters & _above(self.trec.goodness, self.expected.goodness)

    @property
    def hurt(self) -> BoolArray:
        """Where trec_eval's order is harder on a system than the average order is."""
        return self.matters & _above(self.expected.goodness, self.trec.goodness)

    def topics(self, system: str) -> tuple[str, ...]:
        """Return the topics where ties matter for a system, the one that trec_eval's order changes most first.

        Parameters
        ----------
        system : str
            The name of a system.
        """
        place = place_of(system, self.trec.systems)
        effect = np.abs(self.trec.values[place] - self.expected.values[place])
        order = np.argsort(-effect, kind="stable").tolist()
        return tuple(self.trec.topics[topic] for topic in order if self.matters[place, topic])


@frozen(kw_only=True, eq=False, repr=False)
class TieEffects(Mapping[str, TieEffect]):
    """The effect of ties under some measures, by their spelling.

    Parameters
    ----------
    by_measure : dict of TieEffect by str
        The effect on each measure, by its spelling.
    caveats : tuple of Caveat
        What limits the meaning of the numbers.
    """

    by_measure: dict[str, TieEffect]
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        return f"<TieEffects: {', '.join(self)}>"

    def __getitem__(self, measure: Measure | str) -> TieEffect:
        if str(measure) in self.by_measure:
            # a measure of one's own is known by name alone
            return self.by_measure[str(measure)]
        try:
            [wanted] = read_measures(measure).values()
            return self.by_measure[repr(wanted)]
        except (KeyError, ParameterError):
            raise KeyError(f"{measure} was not asked for; there is {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_measure)

    def __len__(self) -> int:
        return len(self.by_measure)

    def to_polars(self) -> pl.DataFrame:
        """Return a long frame: measure, system, topic, the four scores, and whether ties matter."""
        import polars as pl

        frames = []
        for effect in self.values():
            frame = effect.trec.to_polars().rename({"score": "trec"})
            beside = {name: getattr(effect, name).values.reshape(-1) for name in ("expected", "least", "greatest")}
            frames.append(
                frame.with_columns(**{n: pl.Series(v) for n, v in beside.items()}, matters=effect.matters.reshape(-1))
            )
        return pl.concat(frames)


def tie_effect(
    qrels: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    names: str = "tag",
    depth: int | None = None,
    ties: str | None = None,
    precision: str = "double",
    missing_topics: str = "zero",
    grade_scale: str | None = None,
    progress: Progress = silent,
) -> TieEffects:
    """Return what ties do to the scores of some measures.

    Call it as `tie_effect(judged, measures)`, where the runs were judged without a rule for ties or with
    `ties="expected"`, or as
    `tie_effect(qrels, runs, measures)`, like `evaluate`, with the same options for reading and judging but `ties`.

    Parameters
    ----------
    qrels : path, frame, dict, Qrels or JudgedRuns
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`.
    runs : path, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts.
    measures : Measure or str, or an iterable of these
        The measures.
    names : {"tag", "file"}
        What runs are called by, as for `read_runs`.
    depth, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.
    ties : None
        Refused: all orders of documents of equal score are looked at.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Examples
    --------
    >>> run = {"1": {"d1": 2.0, "d2": 2.0, "d3": 1.0}}
    >>> effect = tie_effect({"1": {"d1": 1}}, run, "RR")["RR"]
    >>> effect.trec.values.tolist(), effect.expected.values.tolist(), effect.greatest.values.tolist()
    ([[0.5]], [[0.75]], [[1.0]])

    References
    ----------
    [BollmannRaghavan1988]_, [McSherryNajork2008]_
    """
    inputs, reading = given(
        qrels,
        runs,
        measures,
        names=names,
        depth=depth,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
    )
    if ties is not None:
        raise ParameterError("tie_effect looks at all orders of tied documents, and at trec_eval's; leave ties out")
    open_ties = {"ties": "expected"} if len(inputs) == 3 else {}
    judged, wanted = asked_for("tie_effect", inputs, {**reading, **open_ties}, progress)
    judged = judged.opened(OverTies.EXPECTED)
    if judged.groups is None:
        raise ParameterError("tie_effect needs to know which documents tie: judge(…) without ties, or ties='expected'")
    effects = {repr(measure): _effect(measure, judged, progress) for measure in wanted.values()}
    return TieEffects(by_measure=effects, caveats=judged.caveats)


def _effect(measure: Measure, judged: JudgedRuns, progress: Progress) -> TieEffect:
    assert judged.groups is not None  # complained of before
    as_ranked = evolve(judged, groups=None)
    trec, found = measure.scores(as_ranked, progress), over_ties(measure, judged, progress)

    def beside(values: FloatArray) -> Scores:
        return evolve(trec, values=np.where(np.isnan(trec.values), np.nan, values))

    taken = OverTies.EXPECTED, OverTies.MIN, OverTies.MAX
    estimates = [caveat for over in taken for caveat in evolve(found, over=over).estimates()]
    return TieEffect(
        trec=trec,
        expected=beside(found.expected),
        least=beside(found.low),
        greatest=beside(found.high),
        tied=_tied(judged.groups),
        unfinished=measure.unfinished(as_ranked).sum(axis=1) if isinstance(measure, SearchLength) else None,
        caveats=(*trec.caveats, *estimates),
    )


def _tied(groups: TieGroups) -> FloatArray:
    """Return which share of each system's documents have the score of another."""
    either = groups.tied.copy()
    either[:, :, :-1] |= groups.tied[:, :, 1:]
    documents = (groups.cells != NOTHING).sum(axis=(1, 2))
    return np.asarray(either.sum(axis=(1, 2)) / np.maximum(1, documents))


def _above(higher: FloatArray, lower: FloatArray) -> BoolArray:
    near = EQUAL * np.maximum(np.abs(higher), np.abs(lower))
    return np.asarray(higher - lower > near)
