"""Agreement: the order of systems without judgments beside the order with judgments, and who moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import IntArray
from measurand.display.result import Result
from measurand.display.tables import Document, Paragraph, TableView, valued
from measurand.display.wording import counted, number
from measurand.errors import InputError
from measurand.judged import JudgedRuns, judge
from measurand.judged.judge import JudgingOptions
from measurand.measures import Measure
from measurand.measures.campaigns import in_collection, on_judged
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.scores import Scores, Summary, Table
from measurand.statistics import kendall, tau_ap
from measurand.statistics.correlation import Correlation
from measurand.study.evaluation import tabulate
from measurand.study.pseudo_judgments import BIAS
from measurand.trec import Qrels, Run

FIELDS: Mapping[str, type] = {
    "measure": str,
    "system": str,
    "judged": float,
    "judged_place": int,
    "without": float,
    "without_place": int,
    "moved": int,
}
"""What programs get of a system."""

MOVED = 5
"""So many systems that moved are shown to people."""


@frozen(kw_only=True, eq=False, repr=False)
class Agreement(Result):
    """How far the order of systems without judgments agrees with that by judgments, under one measure.

    Parameters
    ----------
    measure : str
        The measure.
    without, judged : Summary
        The number of each system without judgments and with them, over the topics that have both.
    tau : Correlation
        Kendall's tau of the two orders.
    tau_ap : Correlation
        The AP correlation, in which errors among the first systems cost more; the order by judgments is the truth.
    topics : int
        On how many topics both were computed.
    not_above_empty : tuple of str
        The systems that by judgments score no more than an empty result, the highest first.
    """

    measure: str
    without: Summary
    judged: Summary
    tau: Correlation
    tau_ap: Correlation
    topics: int
    not_above_empty: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Agreement under {self.measure}: tau {self.tau:.2f}, tau_AP {self.tau_ap:.2f}>"

    @property
    def best(self) -> str:
        """The system that is best by judgments; of several the first that was read."""
        return self.judged.systems[self.judged.best_first[0]]

    @property
    def place_of_best(self) -> int:
        """Where that system stands without judgments."""
        return int(_places(self.without)[self.judged.best_first[0]])

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every system, best by judgments first: its numbers and its places, with and without."""
        without, judged = _places(self.without), _places(self.judged)
        return [
            {
                "measure": self.measure,
                "system": self.judged.systems[at],
                "judged": self.judged[at],
                "judged_place": int(judged[at]),
                "without": self.without[at],
                "without_place": int(without[at]),
                "moved": int(judged[at] - without[at]),
            }
            for at in self.judged.best_first
        ]

    def view(self, rows: Sequence[Mapping[str, Any]] | None = None) -> TableView:
        """Return a table of systems, best by judgments first.

        Parameters
        ----------
        rows
            Some of the rows; by default all.
        """
        columns = [
            valued("system", "system", str, left=True),
            valued("place without", "without_place"),
            valued("place by judgments", "judged_place"),
            valued("moved", "moved", lambda places: f"{places:+d}" if places else "–"),
            valued(f"{self.measure} without", "without", number),
            valued(f"{self.measure} by judgments", "judged", number),
        ]
        shown = self.rows() if rows is None else rows
        return TableView(columns, shown, fields=FIELDS)

    @property
    def moved(self) -> list[dict[str, Any]]:
        """The rows of the systems that moved, those that moved furthest first."""
        return sorted((row for row in self.rows() if row["moved"]), key=lambda row: -abs(row["moved"]))

    def document(self) -> Document:
        """Return how far the orders agree, where the best system stands, and who moved most."""
        place = self.place_of_best
        where = "first without them too" if place == 1 else f"at place {place} of {len(self.judged)} without them"
        best = f"The best system by judgments, {self.best}, is {where}."
        if self.best in self.not_above_empty:
            best = (
                f"No system is called the best: by judgments {self.best} is first with no more than an empty result"
                f" would score, and it is {where}."
            )
        said = (
            f"{self.measure}: against the judgments of {counted(self.topics, 'topic')}, τ = {self.tau:.2f} and"
            f" τ_AP = {self.tau_ap:.2f}. {best}"
        )
        moved = self.moved[:MOVED]
        if not moved:
            return Document([Paragraph(said)], (BIAS,))
        title = f"Systems that moved most under {self.measure} (+: too high without judgments)"
        return Document([Paragraph(said), evolve(self.view(moved), title=title)], (BIAS,))

    def to_dict(self) -> dict[str, Any]:
        """Return the correlations and a row for every system, ready for JSON."""
        return {
            "tau": None if np.isnan(self.tau) else float(self.tau),
            "tau_ap": None if np.isnan(self.tau_ap) else float(self.tau_ap),
            "topics": self.topics,
            "best": self.best,
            "place_of_best": self.place_of_best,
            "not_above_empty": list(self.not_above_empty),
            "systems": [{name: row[name] for name in row if name != "measure"} for row in self.rows()],
        }

    def _main(self) -> TableView:
        return self.view()


def agreement(
    table: Table,
    runs: Sequence[Run],
    qrels: Qrels,
    measures: Mapping[str, Measure],
    collection_size: int,
    judging: JudgingOptions,
) -> tuple[Agreement, ...]:
    """Return for each measure how far the order of systems without judgments agrees with that by judgments.

    Parameters
    ----------
    table
        The scores without judgments.
    runs
        The runs of the same systems.
    qrels
        The judgments.
    measures
        The measures, by the spelling in which each was given.
    collection_size
        How many documents there are: as many as for the scores without judgments.
    judging
        How runs are scored.
    """
    known = set(qrels.topics)
    shared = [topic for topic in table.topics if topic in known]
    if not shared:
        raise InputError("the judgments to compare with have no topic of the runs; are these files of one campaign?")
    judged = judge(runs, qrels.on_topics(shared), documents=False, **judging)
    sized = {repr(measure): in_collection(measure, collection_size) for measure in measures.values()}
    truth = tabulate(judged, {repr(measure): measure for measure in sized.values()})
    return tuple(
        evolve(
            _compared(table.scores(name), truth.scores(measure)),
            not_above_empty=_not_above_empty(measure, judged, truth.scores(measure)),
        )
        for name, measure in sized.items()
    )


def _not_above_empty(measure: Measure, judged: JudgedRuns, scores: Scores) -> tuple[str, ...]:
    """Return the systems that score no more than an empty result."""
    known = on_judged(measure, judged)
    return known.not_above_empty(judged, scores.values) if isinstance(known, ObservationalEffectiveness) else ()


def _compared(without: Scores, judged: Scores) -> Agreement:
    columns = [without.topics.index(topic) for topic in judged.topics]
    same = evolve(without, values=without.values[:, columns], topics=judged.topics, exact=None)
    one, other = same.summary(), judged.summary()
    return Agreement(
        measure=without.measure,
        without=one,
        judged=other,
        tau=kendall(other, one),
        tau_ap=tau_ap(other, one),
        topics=len(columns),
    )


def _places(summary: Summary) -> IntArray:
    """Return the place of each system: one more than there are better ones."""
    settled = np.nan_to_num(summary.settled, nan=-np.inf)
    return np.asarray((settled[None, :] > settled[:, None]).sum(axis=1) + 1)
