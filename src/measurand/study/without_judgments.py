"""Evaluation without judgments: systems scored by the documents that the other systems agree on.

It ranks systems by how far each agrees with all others. That tells weak systems from strong ones as long as most
systems are sound, and it is no substitute for judgments: `BIAS` (of `pseudo_judgments`) says what it gets wrong.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Document, Paragraph, Part, TableView
from measurand.display.wording import capitalised, counted, listed
from measurand.errors import CallError, Caveat, CaveatKind, InputError, NotMeaningful, ParameterError, about_data
from measurand.exact import whole_number
from measurand.execution import Progress, check_progress, silent
from measurand.fusion import method_of
from measurand.fusion.fuse import norm_of
from measurand.judged import JudgedRuns, judge
from measurand.judged.judge import JudgingOptions, MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike, parse
from measurand.measures.around import innermost
from measurand.measures.campaigns import in_collection
from measurand.measures.observational_effectiveness import ObservationalEffectiveness
from measurand.measures.parse import check_no_measure
from measurand.measures.searching import SearchLength
from measurand.scores import Scores, Table
from measurand.scores.score_table import places_best_first, scores_document
from measurand.scores.scores import ExactValues
from measurand.study.agreement import Agreement, agreement
from measurand.study.evaluation import read_measures, tabulate
from measurand.study.pseudo_judgments import (
    BIAS,
    SHOWN,
    NearDuplicates,
    near_duplicates,
    number_of_documents,
    pseudo_judgments,
)
from measurand.trec import Names, Qrels, QrelsLike, Run, RunsLike, iterate_runs, read_qrels
from measurand.trec.sources import check_qrels, check_runs

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

MEASURES = ("AP", "OIE")
"""The measures if none are named; systems stand in their order under the first."""

METHOD = "bordalog"
"""How the other systems are fused: the information of runs that are independent (Amigó and others, 2018)."""

PLACES, MOST_PLACES = 4, 8
"""So many decimals are shown, and at most so many more where numbers are small."""

TOP = 30
"""So many documents of each topic count as relevant."""

TRUST = (
    "How far to trust the order of systems: docs/how-to/without-judgments.md (τ with the order by judgments was between"
    " 0.2 and 0.9 on five campaigns)."
)
"""What is known of the order of systems."""

OF_JUDGMENTS = (CaveatKind.FEW_JUDGED, CaveatKind.UNJUDGED_TOPICS, CaveatKind.MISSING_TOPICS)
"""What is said where people judged documents, and in other words here."""

USAGE = 'call evaluate_without_judgments(["a.run", "b.run", "c.run"], ["AP", "OIE"])'
"""How to call it."""


@frozen(kw_only=True, eq=False, repr=False)
class EvaluationWithoutJudgments(Result):
    """The scores of systems, each against the documents that the other systems agree on.

    Parameters
    ----------
    table : Table
        The scores, as `evaluate` returns them.
    judgments : dict of Qrels
        The pseudo-judgments, by the system that was scored by them.
    method : str
        How systems were fused.
    top : int
        How many documents of each topic count as relevant.
    leave_one_out : bool
        Whether a system had no part in its own judgments.
    collection_size : int
        How many documents there are, as said or as counted.
    duplicates : tuple of NearDuplicates
        The pairs of systems that are nearly the same, the closest first.
    agreements : tuple of Agreement
        How far the order of the systems agrees with that by judgments, a measure each; none without `against`.
    caveats : tuple of Caveat
        What a reader should know, the bias first.
    not_above_empty : dict of tuple of str
        By measure the systems that score no more than an empty result, the highest first, where some do.
    """

    table: Table
    judgments: Mapping[str, Qrels]
    method: str
    top: int
    leave_one_out: bool
    collection_size: int
    duplicates: tuple[NearDuplicates, ...]
    agreements: tuple[Agreement, ...]
    caveats: tuple[Caveat, ...]
    not_above_empty: Mapping[str, tuple[str, ...]] = field(factory=dict)

    def __repr__(self) -> str:
        return f"<EvaluationWithoutJudgments: {self._size} under {listed(self.measures, SHOWN)}>"

    @property
    def _size(self) -> str:
        return f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"

    def __getitem__(self, measure: object) -> Scores:
        return self.table.scores(measure)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.table.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of the topics."""
        return self.table.topics

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures' spellings."""
        return self.table.measures

    def scores(self, measure: object) -> Scores:
        """Return the scores of `measure`, given as a measure or in any spelling of it.

        Parameters
        ----------
        measure
            The measure, or any spelling of it.
        """
        return self.table.scores(measure)

    def agreement(self, measure: object = None) -> Agreement:
        """Return how far the order of the systems agrees with that by judgments.

        Parameters
        ----------
        measure
            The measure, or any spelling of it; by default the first.
        """
        if not self.agreements:
            raise ParameterError("there are no judgments to compare with; say against=qrels")
        wanted = self.measures[0] if measure is None else self.table.scores(measure).measure
        return next(each for each in self.agreements if each.measure == wanted)

    def check_strict(self) -> None:
        """Raise `NotMeaningful` if a system has a part in its own judgments after all, through a near duplicate."""
        if not self.leave_one_out:
            raise NotMeaningful("every system has a part in its own judgments; leave it out of them (leave_one_out)")
        if self.duplicates:
            pairs = listed([str(pair) for pair in self.duplicates], SHOWN)
            text = f"runs are nearly the same, so that each judges itself through the other: {pairs}"
            raise NotMeaningful(f"{text}. Leave out one of each pair, or drop --strict")

    @property
    def how(self) -> str:
        """What the scores are, in a sentence."""
        others = f"the {len(self.systems) - 1} other systems" if self.leave_one_out else "all systems"
        whose = "its" if self.leave_one_out else "the"
        return (
            f"Each system is scored by {whose} pseudo-judgments: on each topic the first {self.top} documents of the"
            f" fusion of {others} ({self.method}) count as relevant, and no others."
        )

    @property
    def leaders(self) -> dict[str, str]:
        """The system with the best score, by measure; of several the first by name."""
        summaries = {scores.measure: scores.summary() for scores in self.table}
        orders = {name: places_best_first(each, self.table.scores(name)) for name, each in summaries.items()}
        return {name: self.systems[order[0]] for name, order in orders.items()}

    def sentences(self) -> list[str]:
        """Return who agrees most with the others, what that does not mean, and how far to trust it."""
        leaders = {
            name: first for name, first in self.leaders.items() if first not in self.not_above_empty.get(name, ())
        }
        odd = [f"Under {name} nobody is said to agree most: {why}." for name, why in self._odd(leaders)]
        if not leaders:
            return [*odd, f"{capitalised(str(BIAS))}.", TRUST]
        if len(leaders) == 1 < len(self.leaders):
            [(name, system)] = leaders.items()
            first, whose = f"{system} agrees most with the other systems under {name}", "it the best"
        elif len(set(leaders.values())) == 1:
            first = f"{next(iter(leaders.values()))} agrees most with the other systems"
            whose = "it the best"
        else:
            named = [f"{system} under {measure}" for measure, system in leaders.items()]
            first = f"Who agrees most with the other systems depends on the measure: {listed(named)}"
            whose = "any of them the best"
        return [f"{first}. That does not make {whose}. {capitalised(str(BIAS))}.", *odd, TRUST]

    def _odd(self, sound: Container[str]) -> Iterator[tuple[str, str]]:
        """Yield the measures under which the first system scores no more than an empty result, and why that is."""
        for name, systems in self.not_above_empty.items():
            measure = parse(name)
            if name not in sound and isinstance(measure, ObservationalEffectiveness):
                yield name, measure.below_empty(systems, len(self.systems))

    def view(
        self,
        *,
        topics: bool = False,
        summary: bool = True,
        places: int | None = None,
        best_first: bool = False,
        admitted: bool = False,
    ) -> TableView:
        """Return the scores as a table, as `Table.view` does.

        Parameters
        ----------
        topics, summary, best_first, admitted
            As for `Table.view`.
        places
            How many decimals people get to see; by default four, and more for measures whose numbers are small.
        """

        def shown(decimals: int) -> TableView:
            options = {"topics": topics, "summary": summary, "best_first": best_first, "admitted": admitted}
            return self.table.view(places=decimals, **options)

        if places is not None:
            return shown(places)
        wanted = {scores.measure: _decimals(scores) for scores in self.table}
        views = {decimals: shown(decimals) for decimals in set(wanted.values())}
        some = next(iter(views.values()))
        others = [column for column in some.columns if column.heading not in wanted]
        own = [
            next(column for column in views[decimals].columns if column.heading == name)
            for name, decimals in wanted.items()
        ]
        return evolve(some, columns=[*others, *own])

    def document(self, view: TableView | None = None) -> Document:
        """Return what is shown: who agrees most, the systems, what the scores are, and how far they can be trusted.

        Parameters
        ----------
        view
            The table of scores; by default a row for every system, best first.
        """
        title = f"{self._size} without judgments, best first under {self.measures[0]}"
        shown = evolve(self.view(best_first=True), title=title) if view is None else view
        parts: list[Part] = [*self.sentences(), *scores_document(shown).parts, Paragraph(self.how, "faint")]
        for each in self.agreements:
            parts += ["", *each.document().parts]
        return Document(parts, about_data(caveat for caveat in self.caveats if caveat != BIAS))

    def papers(self, view: TableView) -> list[TableView]:
        """Return the tables for a paper, with what the scores get wrong: the scores, and how they agree with judgments.

        Parameters
        ----------
        view
            The table of scores.
        """
        return [evolve(each, about=str(BIAS)) for each in (view, *(each.view() for each in self.agreements))]

    def _main(self) -> TableView:
        return self.table.view()

    def to_polars(self) -> pl.DataFrame:
        """Return a long frame: system, topic, measure, score (needs polars)."""
        return self.table.to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a long frame: system, topic, measure, score (needs pandas)."""
        return self.table.to_pandas()

    def to_dict(self, **options: bool) -> dict[str, Any]:
        """Return the scores, how they were made, and how far they agree with judgments, ready for JSON.

        Parameters
        ----------
        **options
            Those of `Table.to_dict`: topics, summary, admitted.
        """
        return {
            **self.table.to_dict(**options),
            "without_judgments": {
                "method": self.method,
                "top": self.top,
                "leave_one_out": self.leave_one_out,
                "collection_size": self.collection_size,
                "not_above_empty": {name: list(low) for name, low in self.not_above_empty.items()},
                "near_duplicates": [{"a": pair.a, "b": pair.b, "shared": pair.shared} for pair in self.duplicates],
            },
            "against_judgments": {each.measure: each.to_dict() for each in self.agreements},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


@explains_calls
def evaluate_without_judgments(
    runs: RunsLike,
    measures: MeasuresLike = MEASURES,
    *,
    method: str = METHOD,
    top: int = TOP,
    norm: str | None = None,
    leave_one_out: bool = True,
    against: QrelsLike | None = None,
    collection_size: int | None = None,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    names: Names = "auto",
    progress: Progress = silent,
) -> EvaluationWithoutJudgments:
    """Return scores of systems where nobody judged a document: each by what the other systems agree on.

    For each system all the others are fused, and on each topic the documents at the top of the fused ranking count as
    relevant. A system that is better than the others, or different from them, is scored too low, and one of which
    there is a near duplicate too high; both is noted.

    Parameters
    ----------
    runs : path, open file, frame, dict, Run, or several
        At least three runs (two without `leave_one_out`), in any form that `read_runs` accepts.
    measures : Measure or str, or an iterable of these
        The measures; by default AP and OIE. Not those that tell unjudged documents from nonrelevant ones.
    method : str, default "bordalog"
        How the other systems are fused: one of the methods of `fuse`.
    top : int, default 30
        How many documents of each topic count as relevant.
    norm : str, optional
        The normalisation of scores, for the methods that combine scores.
    leave_one_out : bool, default True
        Whether a system is left out of the fusion that makes its own judgments. Otherwise all systems have the same.
    against : path, open file, frame, dict or Qrels, optional
        Judgments, to see how well it worked: how the systems are ordered with and without them.
    collection_size : int, optional
        How many documents there are, for OIE and its kin; by default those that the runs retrieve, which is noted.
    depth : int, optional
        How many ranks of each run are fused and scored; by default all.
    ties, precision, missing_topics
        How runs are scored, as for `judge`. For the fusion, documents of equal score share a rank, the worst of theirs.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Returns
    -------
    EvaluationWithoutJudgments
        The scores and what they are made from. Topics for which one system alone retrieves anything are left out.

    Examples
    --------
    >>> runs = {
    ...     "a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}},
    ...     "b": {"1": {"y": 3.0, "x": 2.0, "z": 1.0}},
    ...     "c": {"1": {"z": 3.0, "x": 2.0, "y": 1.0}},
    ... }
    >>> found = evaluate_without_judgments(runs, "AP", top=1)
    >>> found.judgments["c"].documents, found.scores("AP").mean().to_dict()
    (['y'], {'a': 0.3333333333333333, 'b': 0.5, 'c': 0.3333333333333333})

    References
    ----------
    [Soboroff2001]_ (the idea), [Amigo2018]_ (section 7, and the fusion), [AslamSavell2003]_ (the bias)
    """
    check_progress(progress)
    _check_unjudged(runs)
    called = method_of(method)
    norm_of(called, norm)
    depth = None if depth is None else whole_number("depth, the number of ranks,", depth)
    top = whole_number("top, the number of documents that count as relevant,", top)
    wanted = _without_unjudged(read_measures(measures))
    if against is not None:
        check_qrels(against, f"{USAGE[:-1]}, against=qrels)")
        against = read_qrels(against)
    read = _read(runs, names, 3 if leave_one_out else 2, progress)
    seen = read if depth is None else [run.down_to(depth) for run in read]
    collection = _Collection.of(read, wanted.values(), collection_size)
    judgments = pseudo_judgments(seen, called, top, norm=norm, leave_one_out=leave_one_out, progress=progress)
    longest = depth or max(int(np.diff(run.bounds).max(initial=1)) for run in read)
    judging = JudgingOptions(depth=longest, ties=ties, precision=precision, missing_topics=missing_topics)
    table, low = _scored(read, judgments.by_system, wanted, collection.size, judging)
    duplicates = near_duplicates(seen, top)
    missing = _missing(read, judgments.topics, skip=missing_topics == "skip")
    caveats = (
        *(BIAS, *_too_high(duplicates), *collection.caveats),
        *(*judgments.caveats(top), *missing, *table.caveats),
    )
    return EvaluationWithoutJudgments(
        table=evolve(table, by_measure=_biased(table, collection), caveats=caveats),
        judgments=judgments.by_system,
        method=called,
        top=top,
        leave_one_out=leave_one_out,
        collection_size=collection.size,
        duplicates=duplicates,
        agreements=() if against is None else agreement(table, read, against, wanted, collection.size, judging),
        caveats=caveats,
        not_above_empty=low,
    )


def _decimals(scores: Scores) -> int:
    """Return how many decimals show four digits of the largest mean; four at least."""
    largest = max((abs(value) for value in scores.summary() if np.isfinite(value)), default=1.0)
    return PLACES if not largest else PLACES + min(MOST_PLACES, max(0, floor(-log10(largest))))


def _check_unjudged(runs: object) -> None:
    """Complain of what cannot be runs that nobody has judged."""
    check_no_measure(runs, "runs", USAGE)
    if isinstance(runs, JudgedRuns):
        raise CallError(f"these runs are judged: evaluate(judged) scores them; without judgments, {USAGE}")
    check_runs(runs, USAGE)


def _without_unjudged(measures: dict[str, Measure]) -> dict[str, Measure]:
    """Return the measures, or complain of those that need to know which documents were judged."""
    for spelling, measure in measures.items():
        # search lengths count both as not relevant
        tells = measure.tells_unjudged and not isinstance(innermost(measure), SearchLength)
        if measure.about_judgments or measure.judged_only or tells:
            raise ParameterError(
                f"{spelling} tells unjudged documents from nonrelevant ones, and without judgments there are no such;"
                " take another measure, such as AP"
            )
    return measures


def _read(runs: RunsLike, names: Names, least: int, progress: Progress) -> list[Run]:
    """Return the runs, if there are enough."""
    read = list(progress(iterate_runs(runs, names=names), None, "reading runs"))
    if len(read) < least:
        need = "three: leaving one out, two others have to agree" if least == 3 else "two"
        raise InputError(f"there {'is' if len(read) == 1 else 'are'} {counted(len(read), 'run')}, and it takes {need}")
    return read


@frozen
class _Collection:
    """How many documents there are, and which measures depend on it though it was not said."""

    size: int
    measures: tuple[str, ...] = ()

    @classmethod
    def of(cls, runs: Sequence[Run], measures: Iterable[Measure], size: int | None) -> _Collection:
        """Return the size that was said, or else the number of documents that the runs retrieve."""
        retrieved = number_of_documents(runs)
        if size is None:
            open_ = [repr(measure) for measure in measures if measure.parameters().get("collection", 0) is None]
            return cls(retrieved, tuple(open_))
        if whole_number("collection_size", size) < retrieved:
            raise ParameterError(f"the runs retrieve {retrieved:,} documents, so {size:,} is too small a collection")
        return cls(size)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What to know if the size was not said."""
        if not self.measures:
            return ()
        text = (
            f"{listed(self.measures)}: the collection is taken for the {self.size:,} documents that the runs retrieve;"
            " say it: collection_size=… (--collection-size)"
        )
        return (Caveat(CaveatKind.COLLECTION, text, CaveatKind.COLLECTION),)


def _scored(
    runs: Sequence[Run],
    judgments: Mapping[str, Qrels],
    wanted: Mapping[str, Measure],
    size: int,
    judging: JudgingOptions,
) -> tuple[Table, dict[str, tuple[str, ...]]]:
    """Return the scores of all runs, each by its own judgments, all in a collection of one size.

    Beside them stand, by measure, the systems that score no more than an empty result, where some do.
    """
    names = {repr(measure): in_collection(measure, size) for measure in wanted.values()}
    spelled = {repr(measure): measure for measure in names.values()}
    tables = [tabulate(judge([run], judgments[run.name], documents=False, **judging), spelled) for run in runs]
    by_measure, low = {}, {}
    for name, measure in names.items():
        parts, empty = _set_apart([table.scores(repr(measure)) for table in tables], measure)
        by_measure[name] = _stacked(parts, name, runs)
        if empty and isinstance(measure, ObservationalEffectiveness):
            said = Caveat(CaveatKind.ORDER, f"{name}: {measure.below_empty(empty, len(runs))}")
            by_measure[name] = evolve(by_measure[name], caveats=(said, *by_measure[name].caveats))
            low[name] = empty
    table = evolve(
        tables[0],
        by_measure=by_measure,
        aliases={spelling: repr(measure) for spelling, measure in wanted.items()},
        caveats=_common([table.caveats for table in tables], runs),
    )
    return table, low


def _set_apart(parts: Sequence[Scores], measure: Measure) -> tuple[Sequence[Scores], tuple[str, ...]]:
    """Return scores without the caveat that their system scores no more than an empty result, and these systems."""
    if not isinstance(measure, ObservationalEffectiveness):
        return parts, ()
    said = {Caveat(CaveatKind.ORDER, f"{measure!r}: {measure.below_empty(part.systems, 1)}") for part in parts}
    low = sorted((part for part in parts if said & set(part.caveats)), key=lambda part: -part.mean()[0])
    others = [evolve(part, caveats=tuple(each for each in part.caveats if each not in said)) for part in parts]
    return others, tuple(part.systems[0] for part in low)


def _stacked(parts: Sequence[Scores], name: str, runs: Sequence[Run]) -> Scores:
    """Return the scores of several systems, from those of each; the measure is called as it was asked for."""
    systems = tuple(run.name for run in runs)
    values = np.concatenate([part.values for part in parts])
    known = [part.exact for part in parts if part.exact is not None]
    exact = ExactValues(values, partial(_chained, known)) if len(known) == len(parts) else None
    caveats = _common([part.caveats for part in parts], runs)
    return evolve(parts[0], measure=name, values=values, systems=systems, caveats=caveats, exact=exact)


def _chained(known: Sequence[ExactValues]) -> list[Any]:
    return [value for each in known for value in each.exactly()]


def _common(several: Sequence[Sequence[Caveat]], runs: Sequence[Run]) -> tuple[Caveat, ...]:
    """Return the caveats of all systems; of those of one kind that of the first system, with how many have others."""
    found: dict[tuple[object, ...], dict[str, Caveat]] = {}
    of_files = {caveat for run in runs for caveat in run.caveats}
    for run, caveats in zip(runs, several, strict=True):
        numbers: dict[CaveatKind, int] = {}
        for caveat in caveats:
            if caveat in of_files:
                # it names what it is about
                found[(caveat,)] = {"": caveat}
            elif caveat.kind not in OF_JUDGMENTS:
                number = numbers[caveat.kind] = numbers.get(caveat.kind, 0) + 1
                found.setdefault((caveat.kind, caveat.cause, number), {})[run.name] = caveat
    return tuple(_once(group, len(runs)) for group in found.values())


def _once(group: Mapping[str, Caveat], systems: int) -> Caveat:
    """Return a caveat of several systems: as it is if it says the same of all, or with the name of the first one."""
    first, caveat = next(iter(group.items()))
    if not first or (len(group) == systems and len(set(group.values())) == 1):
        return caveat
    text = caveat.text if caveat.text.startswith(f"{first}: ") else f"{first}: {caveat.text}"
    others = f" (and the like of {counted(len(group) - 1, 'other system')})" if len(group) > 1 else ""
    return evolve(caveat, text=f"{text}{others}")


def _biased(table: Table, collection: _Collection) -> dict[str, Scores]:
    """Return the scores with what has to be known of them wherever they go."""
    return {
        name: evolve(
            scores,
            caveats=(BIAS, *(collection.caveats if name in collection.measures else ()), *scores.caveats),
        )
        for name, scores in table.items()
    }


def _missing(runs: Sequence[Run], topics: Sequence[str], *, skip: bool) -> Iterator[Caveat]:
    """Yield which runs have nothing for some topics."""
    effect = "left out of its averages" if skip else "counted as empty results"
    for run in runs:
        there = {topic for topic, size in zip(run.topics, np.diff(run.bounds).tolist(), strict=True) if size}
        number = sum(topic not in there for topic in topics)
        if number:
            text = f"{run.name}: nothing for {number} of the {len(topics)} topics, {effect}"
            yield Caveat(CaveatKind.MISSING_TOPICS, text)


def _too_high(duplicates: Sequence[NearDuplicates]) -> tuple[Caveat, ...]:
    """Return the caveat that near duplicates are scored too high, if there are any."""
    if not duplicates:
        return ()
    pairs = listed([str(pair) for pair in duplicates], SHOWN, "more pairs")
    text = (
        f"near duplicates are scored too high, because each speaks for the other: {pairs} share their first documents"
    )
    return (Caveat(CaveatKind.ASSUMPTION, text),)
