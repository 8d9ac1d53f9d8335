"""The effect of ties: what the order of documents of equal score does to the scores of a measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.calls import explains_calls
from measurand.columns import PlainTable
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words
from measurand.display.wording import listed
from measurand.errors import Caveat, ParameterError
from measurand.execution import Progress, silent
from measurand.judged import NOTHING, JudgedRuns, OverTies, TieGroups
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.loading import needed
from measurand.measures import Measure, MeasuresLike
from measurand.measures.searching import SearchLength
from measurand.measures.ties.over_ties import over_ties
from measurand.scale import GradeScale
from measurand.scores import Scores, place_of
from measurand.study.evaluation import inputs_of, read_measures
from measurand.trec import Names, QrelsLike, RunsLike

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

EQUAL = 1e-9
"""A mean closer than this to the score in one order, relative to the larger, is as kind."""

SCORES = ("trec", "expected", "least", "greatest")
"""The scores that stand side by side."""

HEADS = {"trec": "trec order", "expected": "expected", "least": "least", "greatest": "greatest"}
"""What they are called."""

TREC_ORDER = "by identifier, the last one first, as trec_eval does"
"""How documents of equal score are ordered if nothing else is said."""

LEGEND = {
    "tied": "tied: the share of documents that have the score of another.",
    "not found": "not found: topics with too few relevant documents retrieved, where the search goes on among all.",
    "mean": "mean: over topics, of the scores expected over all orders of documents of equal score.",
    "median": "median: of the same scores.",
    HEADS["trec"]: f"trec order: the mean with these documents {TREC_ORDER}.",
    "Δ": "Δ: trec order less mean.",
    "ties matter": "ties matter: on so many topics the score depends on the order of these documents.",
    "flatters": "flatters, hurts: on so many of them trec order is kinder or harder than the average order.",
}
"""What the columns are."""

LEGEND_PART = Legend(lambda shown: (line for heading, line in LEGEND.items() if heading in shown))
"""The same, for the columns that are shown."""


@frozen(kw_only=True, eq=False, repr=False)
class TieEffect(Result):
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

    def _main(self) -> TableView:
        rows = self.rows()
        return TableView([], rows, records=rows)

    def columns(self) -> dict[str, Any]:
        """Return the columns of a long frame: system, topic, measure, the four scores, and whether ties matter."""
        systems, topics = self.trec.systems, self.trec.topics
        return {
            "system": [system for system in systems for _ in topics],
            "topic": [topic for _ in systems for topic in topics],
            "measure": [self.trec.measure] * (len(systems) * len(topics)),
            **{name: getattr(self, name).values.reshape(-1) for name in ("trec", "expected", "least", "greatest")},
            "matters": self.matters.reshape(-1),
        }

    def document(self, *, by_topic: bool = False) -> Document:
        """Return what ties do: a table of systems, and how to read it.

        Parameters
        ----------
        by_topic
            Whether every ranking in which ties matter is shown as well.
        """
        return Document([*self.parts(by_topic=by_topic), LEGEND_PART], self.caveats)

    def topics(self, system: str) -> tuple[str, ...]:
        """Return the topics where ties matter for a system, the one that trec_eval's order changes most first.

        Parameters
        ----------
        system : str
            The name of a system.
        """
        place = place_of(system, self.trec.systems)
        effect = np.abs(self.trec.values[place] - self.expected.values[place])
        order, matters = np.argsort(-effect, kind="stable"), self.matters[place]
        return tuple(self.trec.topics[topic] for topic in order[matters[order]].tolist())

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every system, best first: its averages, and on how many topics ties matter."""
        means = {name: getattr(self, name).summary() for name in SCORES}
        medians = self.expected.median()
        rows = [
            {
                "system": system,
                "tied": float(self.tied[place]),
                **({} if self.unfinished is None else {"unfinished": int(self.unfinished[place])}),
                **{name: finite(means[name][place]) for name in SCORES},
                "median": finite(medians[place]),
                "matters": int(self.matters[place].sum()),
                "flattered": int(self.flattered[place].sum()),
                "hurt": int(self.hurt[place].sum()),
                "topics": int((~np.isnan(self.expected.values[place])).sum()),
            }
            for place, system in enumerate(self.expected.systems)
        ]
        best = np.argsort(-self.expected.summary().goodness, kind="stable")  # systems without a score come last
        return [rows[place] for place in best.tolist()]

    def topic_rows(self, system: str | None = None) -> Iterator[dict[str, Any]]:
        """Return a row for every topic where ties matter, the largest effect of trec_eval's order first.

        Parameters
        ----------
        system
            The system; all of them, one after the other, if none is named.
        """
        for each in self.expected.systems if system is None else (system,):
            for topic in self.topics(each):
                scores = {name: finite(float(getattr(self, name).of(each, topic))) for name in SCORES}
                yield {"system": each, "topic": topic, **scores}

    def farthest(self) -> dict[str, Any] | None:
        """Return the row of the ranking whose score in trec_eval's order is farthest from the mean over all orders.

        It says too whether that order flatters the system; None if it flatters and hurts none.
        """
        if not (self.flattered | self.hurt).any():
            return None
        rows = (next(self.topic_rows(system), None) for system in self.expected.systems)
        row = max((row for row in rows if row is not None), key=lambda row: abs(row["trec"] - row["expected"]))
        return {**row, "flattered": (row["trec"] < row["expected"]) == self.expected.lower_is_better}

    def view(self) -> TableView:
        """Return the table of systems, best first."""
        rows, scores = self.rows(), self.expected
        means, medians = (_places([row[name] for row in rows for name in names]) for names in (SCORES, ("median",)))
        way = "lower" if scores.lower_is_better else "higher"
        title = Words(((scores.measure, "strong"), (f" · {scores.scale_label.words}, {way} is better", "faint")))
        unfinished = Column("not found", lambda row: str(row["unfinished"]), dispensable=1)
        columns = [
            Column("system", "system", left=True),
            Column("tied", lambda row: _share(row["tied"]), dispensable=2),
            *([] if self.unfinished is None else [unfinished]),
            Column("median", lambda row: _number(row["median"], medians), dispensable=3),
            Column("mean", lambda row: _number(row["expected"], means)),
            Column(HEADS["trec"], lambda row: _number(row["trec"], means)),
            Column("Δ", self._difference),
            Column("ties matter", lambda row: f"{row['matters']}/{row['topics']}"),
            Column("flatters", lambda row: str(row["flattered"])),
            Column("hurts", lambda row: str(row["hurt"])),
        ]
        return TableView(columns, rows, title=title)

    def parts(self, *, by_topic: bool = False) -> Iterator[Part]:
        """Return the table of systems, and for which ranking trec_eval's order is farthest from the average.

        Parameters
        ----------
        by_topic
            Whether every ranking in which ties matter is shown as well.
        """
        yield self.view()
        yield ""
        yield Paragraph(self._farthest(), indent=1)
        yield ""
        rows = list(self.topic_rows()) if by_topic else []
        if rows:
            places = _places([row[name] for row in rows for name in SCORES])
            numbers = (Column(HEADS[name], partial(_numbered, name, places)) for name in SCORES)
            names = (Column(name, name, left=True) for name in ("system", "topic"))
            yield TableView([*names, *numbers], rows)
            yield ""

    def _difference(self, row: Mapping[str, Any]) -> Words:
        """Return by how much trec_eval's order is above or below the average, good if that flatters."""
        if row["trec"] is None or row["expected"] is None:
            return Words.of("–")
        difference = row["trec"] - row["expected"] if row["flattered"] or row["hurt"] else 0
        kind = (difference < 0) == self.expected.lower_is_better
        shown = f"{difference:+,.0f}" if abs(difference) >= 100 else f"{difference:+.2g}"
        return Words.of(shown.replace("-", "−"), "good" if kind else "bad") if difference else Words.of("0")

    def _farthest(self) -> str:
        """Return in a sentence for which ranking trec_eval's order is farthest from the average."""
        if not self.matters.any():
            return "No score depends on the order of documents of equal score."
        row = self.farthest()
        if row is None:
            but = "trec order is as kind as the average order"
            return f"Scores depend on the order of documents of equal score, but {but}."
        places = _places([row[name] for name in SCORES])
        trec, expected, least, greatest = (_number(row[name], places) for name in SCORES)
        return (
            f"Farthest apart: trec order {'flatters' if row['flattered'] else 'hurts'} {row['system']} on topic"
            f" {row['topic']} with {trec}, against {expected} on average and {least} to {greatest} over all orders."
        )

    def to_dict(self, *, by_topic: bool = False) -> dict[str, Any]:
        """Return the effect of ties as nested dictionaries and lists.

        Parameters
        ----------
        by_topic
            Whether to add every ranking in which ties matter.
        """
        scores = self.expected
        return {
            "measure": scores.measure,
            **scores.scale_label.to_dict(),
            "lower_is_better": scores.lower_is_better,
            "systems": self.rows(),
            **({"topics": list(self.topic_rows())} if by_topic else {}),
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


@frozen(kw_only=True, eq=False, repr=False)
class TieEffects(Result, Mapping[str, TieEffect]):
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
        return f"<TieEffects: {listed(list(self), 4)}>"

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
        """Return a long frame: measure, system, topic, the four scores, and whether ties matter (needs polars)."""
        return PlainTable(self.columns()).to_polars()

    def columns(self) -> dict[str, Any]:
        """Return the columns of a long frame: measure, system, topic, the four scores, and whether ties matter."""
        return dict(PlainTable.joined([PlainTable(effect.columns()) for effect in self.values()]).columns)

    def to_pandas(self) -> pd.DataFrame:
        """Return a long frame: measure, system, topic, the four scores, and whether ties matter (needs pandas)."""
        pandas = needed("pandas", "frames", "to_pandas")
        return pandas.concat([pandas.DataFrame(effect.columns()) for effect in self.values()], ignore_index=True)

    def document(self, *, by_topic: bool = False) -> Document:
        """Return what ties do: a table of systems for every measure, and how to read it.

        Parameters
        ----------
        by_topic
            Whether every ranking in which ties matter is shown as well.

        Examples
        --------
        >>> effects = tie_effect({"1": {"d1": 1}}, {"1": {"d1": 2.0, "d2": 2.0}}, "ESL")
        >>> print(effects.document().tables[0].title)
        ESL(i=1) · interval scale, as declared, lower is better
        """
        parts = [part for effect in self.values() for part in effect.parts(by_topic=by_topic)]
        caveats = [*self.caveats, *(caveat for effect in self.values() for caveat in effect.caveats)]
        return Document([*parts, LEGEND_PART], caveats)

    def to_dict(self, *, by_topic: bool = False) -> dict[str, Any]:
        """Return the effect of ties as nested dictionaries and lists.

        Parameters
        ----------
        by_topic
            Whether to add every ranking in which ties matter.

        Examples
        --------
        >>> data = tie_effect({"1": {"d1": 1}}, {"1": {"d1": 2.0, "d2": 2.0}}, "ESL").to_dict()
        >>> data["measures"][0]["systems"][0]["expected"]
        0.5
        """
        return {
            "measures": [effect.to_dict(by_topic=by_topic) for effect in self.values()],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


@overload
def tie_effect(
    judged: JudgedRuns,
    /,
    measures: MeasuresLike | None = None,
    *,
    progress: Progress = silent,
) -> TieEffects: ...
@overload
def tie_effect(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    depth: int | None = None,
    ties: None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
) -> TieEffects: ...
@explains_calls  # type: ignore[misc] # judged runs have their measures in the place of runs
def tie_effect(
    qrels: QrelsLike | JudgedRuns,
    runs: RunsLike | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
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
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    depth, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs.
    ties : None
        Refused: all orders of documents of equal score are considered.
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
    if ties is not None:
        raise ParameterError("tie_effect looks at all orders of tied documents, and at trec_eval's; leave ties out")
    judged, wanted = inputs_of(
        "tie_effect",
        qrels,
        runs,
        measures,
        names=names,
        depth=depth,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
        progress=progress,
        documents=False,
    )
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


def _share(share: float) -> str:
    return f"{share:.0%}" if share >= 0.005 or not share else "<1%"


def _places(values: Sequence[float | None]) -> int:
    """Return how many decimals numbers of their size are shown with; none where all are whole."""
    known = [value for value in values if value is not None]
    if all(value.is_integer() for value in known):
        return 0
    largest = max(map(abs, known))
    return 4 if largest <= 1 else 2 if largest < 10_000 else 0


def _numbered(name: str, places: int, row: Mapping[str, Any]) -> str:
    return _number(row[name], places)


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:,.{places}f}"


def _above(higher: FloatArray, lower: FloatArray) -> BoolArray:
    near = EQUAL * np.maximum(np.abs(higher), np.abs(lower))
    return np.asarray(higher - lower > near)
