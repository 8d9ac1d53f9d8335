"""Which test here: type I error and power of tests on a campaign, by exchanged runs and planted improvements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import ceil
from types import MappingProxyType
from typing import Any, overload

import numpy as np
from attrs import asdict, evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Document, Part, TableView
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, Rng, generator, silent
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import JudgedRuns
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike
from measurand.scale import GradeScale
from measurand.scores import Scores
from measurand.statistics.exchanges import Candidate
from measurand.statistics.multiple_comparisons import ALPHA
from measurand.statistics.registry import EIGHT
from measurand.statistics.simulation import REPETITIONS, Settings, check_alike, check_size, simulated
from measurand.statistics.simulation_result import Simulation
from measurand.study.both_scales import on_interval_scales
from measurand.study.evaluation import inputs_of, read_measures
from measurand.study.planted_moves import TOP, improved, with_cells
from measurand.trec import Names, QrelsLike, RunsLike

MEASURES = ("nDCG@10", "AP@30", "P@10", "RR@10")
"""The measures if none are named; an interval scale needs a cutoff."""

MOVES = (1.0, 2.0, 4.0)
"""How many moves a topic make a run better, if nothing is said."""

VARIANTS = 4
"""So many improved runs are made of each, of which every repetition draws one."""

MOST_MOVES = 20
"""No effect is larger."""


def _read_only(found: Mapping[str, Simulation]) -> Mapping[str, Simulation]:
    return MappingProxyType(dict(found))


@frozen(eq=False, repr=False)
class Simulations(Result, Mapping[str, Simulation]):
    """The simulations of some measures, by the spelling of each.

    Parameters
    ----------
    found : mapping of str to Simulation
        The simulation of each measure and its interval scale.
    caveats : tuple of Caveat
        Which measures have no interval scale, and what else limits the meaning of the numbers.
    """

    found: Mapping[str, Simulation] = field(converter=_read_only)
    caveats: tuple[Caveat, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only mapping does not travel between processes by itself
        return partial(Simulations, **asdict(self, recurse=False) | {"found": dict(self.found)}), ()

    def __repr__(self) -> str:
        return f"<Simulations of {', '.join(self.found)}>"

    def __getitem__(self, measure: Measure | str) -> Simulation:
        if str(measure) in self.found:
            return self.found[str(measure)]
        spelling = next(repr(each) for each in read_measures(measure).values())
        if spelling not in self.found:
            raise ParameterError(f"{spelling} was not simulated; there is {', '.join(self.found)}")
        return self.found[spelling]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def _main(self) -> TableView:
        return self.view()

    def view(self) -> TableView:
        """Return the table of all measures, for programs: a row for every test on every scale."""
        records = [{"measure": measure, **record} for measure, each in self.found.items() for record in each.records()]
        return TableView([], records, fields={name: type(value) for name, value in records[0].items()})

    def document(self) -> Document:
        """Return for each measure which test to take, the tables behind that, and how they came about."""
        parts: list[Part] = []
        for each in self.found.values():
            shown = each.document()
            methods = each.methods()
            parts += [part for part in shown.parts if part not in methods]
        last = list(self.found.values())[-1:]
        parts += [text for each in last for text in each.methods()]
        return Document(parts, self.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return the simulations of all measures, ready for JSON."""
        return {
            "measures": [{"measure": measure, **each.to_dict()} for measure, each in self.found.items()],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


@overload
def simulate(
    judged: JudgedRuns,
    /,
    measures: MeasuresLike | None = None,
    *,
    tests: str | Iterable[str] = EIGHT,
    effects: float | Iterable[float] = MOVES,
    alpha: float = ALPHA,
    adjust: str | None = "none",
    repetitions: int = REPETITIONS,
    top: int = TOP,
    semantics: str = "scipy",
    rng: Rng = 0,
    progress: Progress = silent,
) -> Simulations: ...
@overload
def simulate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    tests: str | Iterable[str] = EIGHT,
    effects: float | Iterable[float] = MOVES,
    alpha: float = ALPHA,
    adjust: str | None = "none",
    repetitions: int = REPETITIONS,
    top: int = TOP,
    semantics: str = "scipy",
    rng: Rng = 0,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
) -> Simulations: ...
@explains_calls  # type: ignore[misc] # judged runs have their measures in the place of runs
def simulate(
    qrels: QrelsLike | JudgedRuns,
    runs: RunsLike | MeasuresLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    tests: str | Iterable[str] = EIGHT,
    effects: float | Iterable[float] = MOVES,
    alpha: float = ALPHA,
    adjust: str | None = "none",
    repetitions: int = REPETITIONS,
    top: int = TOP,
    semantics: str = "scipy",
    rng: Rng = 0,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    progress: Progress = silent,
) -> Simulations:
    """Return which test to take here: type I error and power of tests, for measures and their interval scales.

    Call it as `simulate(judged, measures)` or as `simulate(qrels, runs, measures)`, like `evaluate`. Runs of two
    systems are exchanged topic by topic, each with probability 1/2, so that the two do not differ: what is
    significant then is a type I error. An effect is planted in the judged runs: on every topic one of the two gets so
    many better documents, on average, each in the place of a worse one within the first ranks. The measure and its
    interval scale score the same runs, so that their errors and their power can be compared.

    Parameters
    ----------
    qrels : path, frame, dict, Qrels or JudgedRuns
        Judgments in any form that `read_qrels` accepts; or judged runs, and the measures in the place of `runs`.
    runs : path, frame, dict, Run, or several
        Runs in any form that `read_runs` accepts.
    measures : Measure or str, or an iterable of these
        The measures; those without a cutoff, or whose interval scale cannot be had, are simulated as they are.
    tests : str or iterable of str
        The tests, by name; the eight of Ferrante, Ferro and Fuhr if nothing is said.
    effects : float or iterable of float
        The effects: how many moves make a run better, on average over topics; 0.5 is a move on half of the topics.
    alpha : float, default 0.05
        The level of significance.
    adjust : str, default "none"
        How p-values of tests of pairs are corrected, as for `measurand.statistics.simulate`.
    repetitions : int, default 1000
        How many repetitions.
    top : int, default 10
        Within how many ranks a better document comes to stand.
    semantics : {"scipy", "matlab"}
        Whose conventions the tests follow, where these differ.
    rng : int or numpy.random.Generator, default 0
        Where chance comes from.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`; none of these with judged runs. Effects are planted in runs whose
        documents have an order, so that `ties` is "trec" or "file".
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Returns
    -------
    Simulations
        A `Simulation` for each measure, by its spelling.

    Examples
    --------
    >>> from measurand import sample
    >>> found = simulate(sample.qrels(), sample.runs(), "RR@10", tests=["t", "sign"], repetitions=50)
    >>> found["RR@10"].scales, found["RR@10"].recommended.test
    (('RR@10', 'interval(RR@10)'), 'paired_t')

    References
    ----------
    [FerranteFerroFuhr2021]_
    """
    judged, wanted = inputs_of(
        "simulate",
        qrels,
        runs,
        measures,
        default=MEASURES,
        names=names,
        depth=depth,
        ties=ties,
        precision=precision,
        missing_topics=missing_topics,
        grade_scale=grade_scale,
        progress=progress,
        documents=False,
    )
    settings = Settings.of(tests, effects, alpha, adjust, repetitions, semantics)
    return _simulated(judged, list(dict.fromkeys(wanted.values())), settings, top, rng, progress)


def _simulated(
    judged: JudgedRuns, measures: list[Measure], settings: Settings, top: int, rng: Rng, progress: Progress
) -> Simulations:
    """Return the simulations of some measures, which all see the same exchanges and the same planted moves."""
    whole_number("top", top, such_as=TOP)
    check_size(len(judged.systems), len(judged.topics))
    if judged.groups is not None:
        raise ParameterError(
            "effects are planted in runs whose documents have an order; leave ties out, or write ties='trec'"
        )
    if max(settings.effects, default=0) > MOST_MOVES:
        raise ParameterError(f"an effect is a number of moves up to {MOST_MOVES}, not {max(settings.effects):g}")
    tested = [measure for measure in measures if not measure.about_judgments]
    left_out = [_idle(measure) for measure in measures if measure.about_judgments]
    if not tested:
        raise ParameterError(f"{measures[0]!r} says how much was judged, not how good a run is; name another measure")
    chance = generator(rng)
    planted = _Planted.of(judged, _ranks(judged, tested), settings, top, chance, progress)
    seed = int(chance.integers(2**63))
    found, caveats = {}, [*left_out]
    for measure in tested:
        candidates, scores, missing = planted.candidates(measure, progress)
        caveats += missing
        check_alike(scores)
        simulation = simulated(scores, candidates, settings, planted.words, rng=seed, progress=progress)
        found[repr(measure)] = simulation
        caveats += simulation.caveats
    return Simulations(found, tuple(dict.fromkeys(caveats)))


def _idle(measure: Measure) -> Caveat:
    text = f"{measure!r} is not simulated: it says how much was judged, not how good a run is"
    return Caveat(CaveatKind.ASSUMPTION, text)


def _ranks(judged: JudgedRuns, measures: Iterable[Measure]) -> int:
    """Return how many ranks the measures look at."""
    inner = [each.measure if isinstance(each, IntervalScaled) else each for each in measures]
    cutoffs = [getattr(each, "cutoff", None) for each in inner]
    known = [cutoff for cutoff in cutoffs if cutoff is not None]
    return judged.depth if len(known) < len(cutoffs) else max(known)


@frozen(eq=False)
class _Planted:
    """The runs of a campaign and improved ones, as if these were of further systems, so that all are scored at once."""

    judged: JudgedRuns
    together: JudgedRuns
    moves: int
    words: str

    @classmethod
    def of(
        cls,
        judged: JudgedRuns,
        ranks: int,
        settings: Settings,
        top: int,
        chance: np.random.Generator,
        progress: Progress,
    ) -> _Planted:
        """Return the runs with improved ones, as many moves better as the largest effect wants, cut to some ranks."""
        moves = ceil(max(settings.effects, default=0))
        better = improved(judged, moves, VARIANTS, chance, top=top, ranks=ranks, progress=progress)
        plain = with_cells(judged, judged.cells).down_to(ranks)
        systems, topics, kept = plain.cells.shape
        copies = 1 + moves * VARIANTS
        together = evolve(
            plain,
            cells=np.concatenate([plain.cells, better.reshape(-1, topics, kept)]),
            lengths=np.tile(plain.lengths, (copies, 1)),
            systems=tuple(map(str, range(systems * copies))),
        )
        words = (
            "on every topic so many better documents, on average, come into the first"
            f" {top} ranks of the second system of a pair, each in the place of a worse one"
        )
        return cls(plain, together, moves, words)

    def candidates(
        self, measure: Measure, progress: Progress
    ) -> tuple[list[Candidate], dict[str, Scores], tuple[Caveat, ...]]:
        """Return the scores of a measure and of its interval scale, of the runs as they are and improved."""
        every = [measure.scores(self.together, progress)]
        scaled, missing = (
            ({}, ()) if isinstance(measure, IntervalScaled) else on_interval_scales([measure], self.together)
        )
        labels = [repr(measure)]
        for each in scaled.values():
            every.append(each.scores)
            labels.append(f"interval({measure!r})")
        candidates, several = [], {}
        for label, scores in zip(labels, every, strict=True):
            goodness = scores.goodness
            candidates.append(Candidate(label, goodness[: len(self.judged.systems)], self._by_moves(goodness)))
            own = scores.values[: len(self.judged.systems)]
            several[label] = evolve(scores, values=own, systems=self.judged.systems, exact=None)
        return candidates, several, missing

    def _by_moves(self, goodness: FloatArray) -> FloatArray:
        """Return scores by moves, variant, system and topic; those without a move stand for each variant."""
        systems, topics = len(self.judged.systems), len(self.judged.topics)
        as_is = np.repeat(goodness[None, None, :systems], VARIANTS, axis=1)
        return np.concatenate([as_is, goodness[systems:].reshape(self.moves, VARIANTS, systems, topics)])
