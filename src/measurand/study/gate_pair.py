"""Baseline and candidate of a gate: read, or taken from stored scores, judged and scored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand import __version__
from measurand.arrays import FloatArray
from measurand.errors import Caveat, CaveatKind, InputError, InputFileError, about_data
from measurand.judged.judge import judge
from measurand.measures import Measure
from measurand.measures.exact_ties import near
from measurand.scores import Scores, Table, place_of
from measurand.study.evaluation import DEFAULTS, ReadingOptions, tabulate
from measurand.study.gate_measure import Exactly
from measurand.study.stored_scores import StoredScores, is_stored, qrels_digest, read_stored
from measurand.trec import NamedFile, Qrels, Run, RunLike, read_run
from measurand.trec.files import distinct, stem


@frozen(kw_only=True, eq=False, repr=False)
class ScoredPair:
    """Baseline and candidate, read and scored.

    Parameters
    ----------
    qrels
        The judgments; None where the scores alone are known.
    baseline, candidate
        Their names.
    table
        The scores of both, the baseline first; or of the candidate alone, where the baseline was stored.
    kept
        The scores of the stored baseline, by measure.
    judging
        How runs were judged, as far as it was not the usual way.
    stored_by
        When the scores of the baseline were stored, and by which version of measurand; None for a run.
    """

    qrels: Qrels | None
    baseline: str
    candidate: str
    table: Table
    kept: Mapping[str, FloatArray] | None
    judging: str
    stored_by: tuple[str, str] | None

    @classmethod
    def read(
        cls,
        qrels: Qrels,
        baseline: RunLike | StoredScores,
        candidate: RunLike,
        measures: Mapping[str, Measure],
        options: ReadingOptions,
    ) -> ScoredPair:
        """Return the two, read and scored; complain if scores of the baseline were stored under other conditions."""
        judging = _judging(options)
        names = options.pop("names", "auto")
        if is_stored(candidate):
            raise InputFileError(
                _place(candidate), None, "holds stored scores, not a run; the baseline alone may be stored"
            )
        new = read_one(candidate)
        place = _place(baseline) if is_stored(baseline) else "the stored baseline"
        old = read_stored(place) if is_stored(baseline) else baseline
        if isinstance(old, StoredScores):
            old.check(qrels_digest(qrels), judging, place)
            runs = [new]
            called = (baseline.name if isinstance(baseline, NamedFile) else old.system, _name(candidate, new, names))
        else:
            first = read_one(old)
            called = (_name(old, first, names), _name(candidate, new, names))
            if called[0] == called[1] and names == "auto":
                called = _by_file(called, old, candidate)
            runs = [evolve(first, name="baseline"), evolve(new, name="candidate")]
        judged = judge(runs, qrels, documents=False, **options)  # type: ignore[misc] # without names
        table = tabulate(judged, {repr(each): each for each in measures.values()})
        topics = table.topics
        kept = (
            {name: np.array(old.under(name, topics, place)) for name in measures}
            if isinstance(old, StoredScores)
            else None
        )
        return cls(
            qrels=qrels,
            baseline=called[0],
            candidate=called[1],
            table=table,
            kept=kept,
            judging=judging,
            stored_by=(old.date, old.version) if isinstance(old, StoredScores) else None,
        )

    @classmethod
    def of_scores(cls, table: Table, baseline: str, candidate: str, measures: Mapping[str, Measure]) -> ScoredPair:
        """Return two systems of a table of scores that are known already.

        Parameters
        ----------
        table
            The scores.
        baseline, candidate
            The names of the two systems.
        measures
            The measures, by their canonical spelling.

        Examples
        --------
        >>> table = Table(by_measure={"RR": Scores(measure="RR", values=[[1.0], [0.5]], systems="ab", topics="1")})
        >>> ScoredPair.of_scores(table, "b", "a", {"RR": None}).under("RR")["candidate"].tolist()
        [1.0]
        """
        places = [place_of(name, table.systems) for name in (baseline, candidate)]
        two = {
            name: evolve(found, values=found.values[places], systems=("baseline", "candidate"), exact=None)
            for name, found in ((name, table.scores(name)) for name in measures)
        }
        return cls(
            qrels=None,
            baseline=baseline,
            candidate=candidate,
            table=Table(by_measure=two, caveats=table.caveats),
            kept=None,
            judging="",
            stored_by=None,
        )

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What is to be known of the scores."""
        every = (*self.table.caveats, *(caveat for scores in self.table for caveat in scores.caveats))
        return (*dict.fromkeys(about_data(every)), *self._of_another_version())

    def _of_another_version(self) -> Iterator[Caveat]:
        """Return the caveat that another version of measurand scored the baseline, if one did."""
        if self.stored_by is not None and self.stored_by[1] != __version__:
            text = f"measurand {self.stored_by[1]} scored the stored baseline; this is {__version__}"
            yield Caveat(CaveatKind.ASSUMPTION, text)

    def under(self, name: str) -> dict[str, Any]:
        """Return what a `MeasureGate` wants to know of a measure: the scores of both where both have one."""
        scores = self.table.scores(name)
        new = scores.values[-1]
        old = scores.values[0] if self.kept is None else _settled(self.kept[name], new)
        shared = ~np.isnan(old) & ~np.isnan(new)
        if not shared.any():
            raise InputError(f"baseline and candidate share no topic that has a score under {name}; compare other runs")
        return {
            "measure": name,
            "topics": tuple(topic for topic, both in zip(scores.topics, shared, strict=True) if both),
            "baseline": old[shared],
            "candidate": new[shared],
            "lower_is_better": scores.lower_is_better,
            "exactly": None if self.kept is not None else _exactly(scores, shared.tolist()),
        }

    def stored(self) -> StoredScores:
        """Return the scores of the candidate as they are stored."""
        if self.qrels is None:
            raise InputError(
                "a baseline is stored with its judgments, and here are scores alone; keep the file of scores"
            )
        rows = {scores.measure: scores.values[-1].tolist() for scores in self.table}
        return StoredScores(
            system=self.candidate,
            scores={name: dict(zip(self.table.topics, row, strict=True)) for name, row in rows.items()},
            qrels=qrels_digest(self.qrels),
            judging=self.judging,
        )


def _settled(stored: FloatArray, new: FloatArray) -> FloatArray:
    """Return stored scores, equal to the new ones where rounding alone can make them differ."""
    both = ~np.isnan(stored) & ~np.isnan(new)
    same = np.zeros(len(new), dtype=bool)
    same[both] = near(stored[both], new[both])
    return np.where(same, new, stored)


def _exactly(scores: Scores, shared: list[bool]) -> Exactly | None:
    """Return what computes the exact values of baseline and candidate on the topics that both have."""
    exact = scores.exact
    if exact is None:
        return None

    def exactly() -> list[tuple[Any, Any]]:
        values = exact.exactly()
        pairs = zip(values[: len(shared)], values[len(shared) :], shared, strict=True)
        return [(old, new) for old, new, both in pairs if both]

    return exactly


def read_one(source: RunLike) -> Run:
    """Return a run; of a file that was given a name, the run of this tag if it holds several.

    Parameters
    ----------
    source
        A run, in any form that `read_run` accepts.

    Examples
    --------
    >>> read_one({"1": {"d1": 2.0}}).name
    'run'
    """
    return read_run(source, name=source.name) if isinstance(source, NamedFile) else read_run(source)


def _place(source: Any) -> str:
    return str(os.fspath(source))


def _judging(options: ReadingOptions) -> str:
    """Return how runs are judged, as far as it is not the usual way; what they are called does not count."""
    usual = {**DEFAULTS, "names": options.get("names")}
    said = {name: value for name, value in options.items() if value != usual[name]}
    return ", ".join(f"{name}={value}" for name, value in sorted(said.items()))


def _by_file(called: tuple[str, str], *sources: Any) -> tuple[str, str]:
    """Return the names of two files that have one run tag; the tag where these are no two files."""
    files = [os.fspath(source) for source in sources if isinstance(source, str | os.PathLike)]
    if len(files) < 2 or files[0] == files[1] or any(isinstance(source, NamedFile) for source in sources):
        return called
    first, second = distinct(files)
    return first, second


def _name(source: Any, run: Run, names: str) -> str:
    if isinstance(source, NamedFile):
        return source.name
    return stem(os.fspath(source)) if names == "file" and isinstance(source, str | os.PathLike) else run.name
