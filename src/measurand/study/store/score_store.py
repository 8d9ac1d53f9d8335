"""Stored scores, read back as far as they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import FloatArray
from measurand.display.data import plain
from measurand.display.result import Result
from measurand.display.tables import Document, TableView
from measurand.display.wording import counted, listed
from measurand.display.writing import PathLike
from measurand.errors import Caveat, CaveatKind, InputFileError, ParameterError
from measurand.exact import whole_number
from measurand.judged import JudgedRuns
from measurand.judged.judge import Judging, RunFacts
from measurand.letters import SURROGATES
from measurand.loading import needed
from measurand.measures import Measure, MeasuresLike, parse
from measurand.scores import Aggregation, Scores, Table
from measurand.scores.score_table import scores_document
from measurand.scores.summary import place_of
from measurand.study.evaluation import read_measures, spellings_of, tabulate
from measurand.study.store.folder import MEND, Folder
from measurand.study.store.parts import JUDGED, PartReader, Rows, check_part, judged_run
from measurand.study.store.scoring import Job, judging_of
from measurand.study.store.store_plan import INDEX, StorePlan
from measurand.trec import Qrels

if TYPE_CHECKING:
    import polars as pl

TOGETHER = 1 << 22
"""So many scores are held at a time, of as many systems as that makes, where systems are taken block by block."""


def open_scores(folder: PathLike) -> ScoreStore:
    """Return the scores that `store_scores` wrote into a folder.

    Nothing is read before it is asked for, but the names of systems.

    Parameters
    ----------
    folder : path or address
        The folder.
    """
    return ScoreStore.open(Folder.at(folder))


@frozen(kw_only=True, eq=False, repr=False, slots=False)
class ScoreStore(Result):
    """The scores of a campaign of any size, in a folder.

    Parameters
    ----------
    folder
        The folder.
    plan
        What was scored, and how.
    entries
        What the index has about each system, by its name.
    digests
        The digests of the parts, by name; a part that has another is not read.
    """

    folder: Folder
    plan: StorePlan
    entries: Mapping[str, Mapping[str, Any]]
    digests: Mapping[str, str]

    @classmethod
    def open(cls, folder: Folder) -> ScoreStore:
        """Return the scores in a folder, or complain that there are none, or not all yet.

        Parameters
        ----------
        folder
            The folder.
        """
        if not folder.has(INDEX):
            plan = StorePlan.read(folder)
            done = f"{plan.scored(folder):,} of {counted(len(plan.cut), 'piece')} scored"
            why = f"is not finished: {done}; go on with --resume (store_scores(…, resume=True) in Python)"
            raise InputFileError(folder.place, None, why)
        try:
            held = folder.read_sealed(INDEX)
        except (ValueError, InputFileError):
            StorePlan.read(folder)  # says it if that is of another version
            raise InputFileError(folder.path(INDEX), None, f"is damaged; {MEND}") from None
        entries = {entry["system"]: _read(entry) for entry in held["systems"]}
        plan = StorePlan.from_dict(held["plan"])
        with suppress(InputFileError):  # what was finished does not depend on what was begun later
            if StorePlan.read(folder) != plan:
                why = "a later --resume is not finished: these are the scores that were stored before it"
                plan = evolve(plan, caveats=(*plan.caveats, Caveat(CaveatKind.LEFT_OUT, why)))
        return cls(folder=folder, plan=plan, entries=entries, digests=held["digests"])

    def __repr__(self) -> str:
        size = f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"
        return f"<ScoreStore: {size} under {listed(self.measures, 4)}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.entries)

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of the topics, which are those of the judgments."""
        return self.qrels.topics

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, by canonical spelling, the primary one first."""
        return tuple(dict.fromkeys(self.plan.measures.values()))

    @cached_property
    def depth(self) -> int:
        """How many ranks judged runs have: as many as the longest ranking, or as were asked for."""
        return int(self.plan.settings["depth"] or max(entry["longest"] for entry in self.entries.values()))

    @property
    def qrels(self) -> Qrels:
        """The judgments."""
        found = self._judging.judgments
        assert isinstance(found, Qrels)
        return found

    @property
    def _judging(self) -> Judging:
        return judging_of(Job.of(self.folder, self.plan))

    def named(self, systems: str | Sequence[str] | None) -> tuple[str, ...]:
        """Return the names of systems, or complain of one that there is not.

        Parameters
        ----------
        systems
            One name or several; None for all.
        """
        if systems is None:
            return self.systems
        several = [systems] if isinstance(systems, str) else list(systems)
        if not several:
            raise ParameterError("name at least one system; leave systems out for all")
        for system in several:
            place_of(system, self.systems)
        return tuple(dict.fromkeys(several))

    def spelled(self, measure: Measure | str) -> str:
        """Return the canonical spelling of a measure that was stored, or complain that it was not.

        Parameters
        ----------
        measure
            The measure, or any spelling of it.
        """
        spelling = measure if isinstance(measure, str) else repr(measure)
        if spelling in self.plan.measures:
            return self.plan.measures[spelling]
        for known in spellings_of(measure):
            if known in self.measures:
                return known
        there = f"{'there are' if len(self.measures) > 1 else 'there is'} {', '.join(self.measures)}"
        raise ParameterError(f"{spelling} was not stored; {there}; .table(systems, {spelling!r}) computes it")

    def values(self, measure: Measure | str, systems: str | Sequence[str] | None = None) -> FloatArray:
        """Return scores, systems × topics, as they are stored.

        Scores of two runs that have one exact value may differ in their last digit; `table` gives them as `evaluate`
        does, at the cost of reading grades.

        Parameters
        ----------
        measure
            The measure, or any spelling of it.
        systems
            The systems; all by default.
        """
        spelling = self.spelled(measure)
        return self._columns([spelling], self.named(systems))[spelling]

    def _columns(self, measures: Sequence[str], systems: Sequence[str]) -> dict[str, FloatArray]:
        """Return the scores of some systems under some measures, systems × topics each."""
        found = {spelling: np.empty((len(systems), len(self.topics))) for spelling in measures}
        for spelling, values in found.items():
            if any(self.entries[system]["topics"] < len(self.topics) for system in systems):
                values[:] = self._left_out(spelling)
        reader = PartReader(self.folder, ("place", *measures), self.digests)
        for row, system in enumerate(systems):
            for rows in self.entries[system]["rows"]:
                part = reader.columns(rows)
                for spelling, values in found.items():
                    values[row, np.asarray(part["place"])] = part[spelling]
        return found

    def _left_out(self, spelling: str) -> FloatArray | float:
        """Return what a topic scores that a system left out."""
        return np.nan if self._judging.skip else parse(spelling).scores(self._judging.on_no_topics()).values[0]

    def blocks(
        self, measures: MeasuresLike | None = None, systems: Sequence[str] | None = None, together: int | None = None
    ) -> Iterator[Table]:
        """Return the stored scores in tables of a few systems each, one in memory at a time.

        Parameters
        ----------
        measures
            The measures; all that are stored by default.
        systems
            The systems; all by default.
        together
            How many systems are in a table; by default as many as have four million scores.
        """
        wanted = (
            self.measures if measures is None else [self.spelled(each) for each in read_measures(measures).values()]
        )
        every = self.named(systems)
        most = max(1, TOGETHER // (len(self.topics) * len(wanted)))
        size = most if together is None else whole_number("together", together)
        for at in range(0, len(every), size):
            some = every[at : at + size]
            columns = self._columns(wanted, some)
            yield Table(
                by_measure={
                    spelling: self._scores(spelling, columns[spelling], some, self.topics) for spelling in wanted
                },
                canonical=spellings_of,
            )

    def _scores(self, spelling: str, values: FloatArray, systems: Sequence[str], topics: Sequence[str]) -> Scores:
        measure = parse(spelling)
        return Scores(
            measure=spelling,
            values=values,
            systems=systems,
            topics=topics,
            one_scale=not measure.uses_recall_base or measure.aggregation is Aggregation.SUM,
            lower_is_better=measure.lower_is_better,
            aggregation=measure.aggregation,
        )

    def means(self, measure: Measure | str, systems: Sequence[str] | None = None) -> FloatArray:
        """Return what each system is usually reported by: the mean over topics, the geometric mean or the sum.

        Parameters
        ----------
        measure
            The measure, or any spelling of it.
        systems
            The systems; all by default.
        """
        spelling = self.spelled(measure)
        found = [each.scores(spelling).summary().values for each in self.blocks(spelling, systems)]
        return np.concatenate(found)

    def summaries(self) -> dict[str, FloatArray]:
        """Return what `means` does for every measure, reading the scores once."""
        found: dict[str, list[FloatArray]] = {spelling: [] for spelling in self.measures}
        for each in self.blocks():
            for spelling, values in found.items():
                values.append(each.scores(spelling).summary().values)
        return {spelling: np.concatenate(values) for spelling, values in found.items()}

    def judged(self, systems: str | Sequence[str] | None = None, *, depth: int | None = None) -> JudgedRuns:
        """Return judged runs: the grades by rank of some systems, without the names of documents.

        Parameters
        ----------
        systems
            The systems; all by default, which takes systems × topics × ranks bytes.
        depth
            How many ranks to keep; all by default.
        """
        cut = None if depth is None else min(whole_number("depth", depth), self.depth)
        reader = PartReader(self.folder, JUDGED, self.digests)
        chosen = {name: self.entries[name] for name in self.named(systems)}
        runs = {name: judged_run(reader, entry["rows"], self._judging, entry, cut) for name, entry in chosen.items()}
        found = self._judging.together(runs, cut)
        return evolve(found, caveats=(*self.plan.caveats, *found.caveats), stored=True)

    def table(self, systems: str | Sequence[str] | None = None, measures: MeasuresLike | None = None) -> Table:
        """Return the scores of some systems as `evaluate` gives them, to the last bit.

        Parameters
        ----------
        systems
            The systems; all by default.
        measures
            Any measures; those that are stored by default.
        """
        wanted = read_measures(self.measures if measures is None else measures)
        return tabulate(self.judged(systems), wanted)

    def lazy(self) -> pl.LazyFrame:
        """Return the data set as a lazy frame of polars: system, topic, and a column for every measure.

        polars reads the files itself, and does not look at their digests.
        """
        polars = needed("polars", "frames", "lazy")
        files = dict.fromkeys(rows.file for entry in self.entries.values() for rows in entry["rows"])
        for file in () if self.folder.is_remote else files:
            check_part(self.folder, file)
        # polars takes paths of all letters but those that are not UTF-8
        place = self.folder.read if re.search(SURROGATES, self.folder.place) else self.folder.path
        frame = polars.scan_parquet(list(map(place, files)), glob=False, hive_partitioning=False)
        return frame.select("system", "topic", *self.measures)  # type: ignore[no-any-return]

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What is to be known of the data."""
        facts = {name: self._facts(entry) for name, entry in self.entries.items()}
        return (*self.plan.caveats, *self._judging.suspicions(facts))

    def _facts(self, entry: Mapping[str, Any]) -> RunFacts:
        judged, seen = entry["top"]
        missing = len(self.topics) - entry["topics"]
        return RunFacts(missing, entry["other_topics"], judged / seen, entry["caveats"])

    def document(self) -> Document:
        """Return what there is: the number over all topics of every system under every measure, best first."""
        return scores_document(self.view(best_first=True), self.caveats)

    def view(self, *, places: int = 4, best_first: bool = False) -> TableView:
        """Return the numbers over all topics as a table: a row for every system, a column for every measure.

        Parameters
        ----------
        places
            How many decimals are shown.
        best_first
            Whether the systems are in their order under the first measure, not in that in which they were read.
        """
        overall = {}
        for spelling, values in self.summaries().items():
            scores = self._scores(spelling, values[:, None], self.systems, ("all",))
            # a geometric mean that is known is not taken again
            geometric = scores.aggregation is Aggregation.GEOMETRIC
            overall[spelling] = evolve(scores, aggregation=Aggregation.MEAN) if geometric else scores
        return Table(by_measure=overall).view(places=places, best_first=best_first)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers over all topics, by measure and system."""
        found = {spelling: values.tolist() for spelling, values in self.summaries().items()}
        return {
            "systems": list(self.systems),
            "topics": len(self.topics),
            "measures": {
                spelling: dict(zip(self.systems, map(plain, values), strict=True)) for spelling, values in found.items()
            },
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


def _read(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an index has about a system."""
    caveats = tuple(Caveat(CaveatKind(kind), text) for kind, text in entry["caveats"])
    return {**entry, "rows": [Rows(*rows) for rows in entry["rows"]], "caveats": caveats}
