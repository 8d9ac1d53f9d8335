"""Which test here: type I error and power of tests on a campaign, by exchanged runs and planted improvements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from attrs import asdict, evolve, field, frozen

from measurand.arrays import Cells, FloatArray
from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Document, Part, TableView
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, Rng, generator, silent, takes_executor
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import JudgedRuns
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike
from measurand.scale import GradeScale
from measurand.scores import Scores
from measurand.statistics.multiple_comparisons import ALPHA
from measurand.statistics.registry import EIGHT
from measurand.statistics.simulation.counting import simulated
from measurand.statistics.simulation.exchanges import Candidate
from measurand.statistics.simulation.result import Simulation
from measurand.statistics.simulation.settings import REPETITIONS, Settings, check_alike, check_size
from measurand.study.both_scales import on_interval_scales
from measurand.study.evaluation import averaging_caveats, inputs_of, plainly_averaged, read_measures
from measurand.study.planted_moves import TOP, improved, with_cells
from measurand.trec import Names, QrelsLike, RunsLike

if TYPE_CHECKING:
    from concurrent.futures import Executor

MEASURES = ("nDCG@10", "AP@30", "P@10", "RR@10")
"""The measures if none are named; an interval scale needs a cutoff."""

MOVES = (1.0, 2.0, 4.0)
"""How many moves a topic make a run better, if nothing is said."""

RUNS = 200_000
"""About so many improved runs are scored: as many groups of repetitions as that allows have runs of their own."""

LEAST_GROUPS = 20
"""There are no fewer groups, so that the spread between them can be told."""

CELLS = 2**23
"""So many cells of improved runs are scored at a time."""

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
        try:
            [wanted] = plainly_averaged(read_measures(measure)).values()
            return self.found[repr(wanted)]
        except (KeyError, ParameterError):
            raise KeyError(f"{measure} was not simulated; there is {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def _main(self) -> TableView:
        return self.view()

    def view(self) -> TableView:
        """Return the table of all measures, for programs: a row for every test on every scale."""
        records = [{"measure": measure, **record} for measure, each in self.found.items() for record in each.records()]
        kinds = {name: kind for each in self.found.values() for name, kind in each.fields().items()}
        return TableView([], records, fields={"measure": str, **kinds})

    def tables(self) -> list[TableView]:
        """Return the tables of all measures, for papers: of the tests, and of what the interval scale changes."""
        return [part for each in self.found.values() for part in each.parts() if isinstance(part, TableView)]

    def document(self) -> Document:
        """Return which test to take for each measure, the tables behind that, and how they came about."""
        every = list(self.found.values())
        parts: list[Part] = [text for each in every for text in each.answer()]
        parts += [part for each in every for part in each.parts()]
        parts += dict.fromkeys(text for each in every for text in (*each.looks(), *every[-1].methods()))
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
    executor: Executor | None = None,
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
    executor: Executor | None = None,
) -> Simulations: ...
@explains_calls  # type: ignore[misc] # judged runs have their measures in the place of runs
@takes_executor
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
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> Simulations:
    """Return which test to take here: type I error and power of tests, for measures and their interval scales.

    Call it as `simulate(judged, measures)` or as `simulate(qrels, runs, measures)`, like `evaluate`. Runs of two
    systems are exchanged topic by topic, each with probability 1/2, so that the two do not differ: what is
    significant then is a type I error. An effect is planted in the judged runs: on every topic one of the two gets so
    many better documents, on average and as far as there is room, each in the place of a worse one within the first
    ranks. The measure and its interval scale score the same runs, so that their errors and their power can be compared.

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
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

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
    plain = plainly_averaged({repr(measure): measure for measure in measures}).values()
    tested = [measure for measure in plain if not measure.about_judgments]
    left_out = [*averaging_caveats(measures)]
    left_out += [_idle(measure) for measure in measures if measure.about_judgments]
    if not tested:
        raise ParameterError(f"{measures[0]!r} says how much was judged, not how good a run is; name another measure")
    rng = generator(rng)
    planting = _Planting.of(judged, _ranks(judged, tested), settings, top, int(rng.integers(2**63)))
    seed = int(rng.integers(2**63))
    found, caveats = {}, [*left_out]
    for measure in progress(tested, len(tested), "measures"):
        candidates, scores, made, missing = planting.candidates(measure)
        caveats += missing
        check_alike(scores)
        words = planting.words
        simulation = simulated(scores, candidates, settings, words, made=made, rng=seed, progress=progress)
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
class _Planting:
    """The runs of a campaign, and how they are made better: anew for each group of repetitions."""

    whole: JudgedRuns
    ranks: int
    effects: tuple[float, ...]
    moves: tuple[int, ...]
    groups: int
    top: int
    seed: int

    @classmethod
    def of(cls, judged: JudgedRuns, ranks: int, settings: Settings, top: int, seed: int) -> _Planting:
        """Return how runs are made better for some effects; measures look at so many ranks."""
        effects = settings.effects
        moves = sorted({move for effect in effects for move in (floor(effect), ceil(effect))} - {0})
        runs = len(judged.systems) * len(judged.topics) * max(1, len(moves))
        groups = min(settings.repetitions, max(LEAST_GROUPS, RUNS // runs))
        whole = with_cells(judged, judged.cells)
        return cls(whole, min(ranks, judged.depth), effects, tuple(moves), groups, top, seed)

    @property
    def words(self) -> str:
        """What an effect is, in words."""
        return (
            "the second system of a pair is made better by so many moves a topic, on average, as far as there is room;"
            f" each puts a better document in the place of a worse one in the first {self.top} ranks"
        )

    def candidates(
        self, measure: Measure
    ) -> tuple[list[Candidate], dict[str, Scores], tuple[float, ...], tuple[Caveat, ...]]:
        """Return the scores of a measure and of its interval scale, of runs as they are and improved; moves made."""
        runs = self.whole.down_to(self.ranks)
        scales, several = [measure], {repr(measure): measure.scores(runs)}
        missing: tuple[Caveat, ...] = ()
        if not isinstance(measure, IntervalScaled):
            scaled, missing = on_interval_scales([measure], runs)
            scales += [each.measure for each in scaled.values()]
            several |= {f"interval({measure!r})": each.scores for each in scaled.values()}
        if not self.moves:
            return [Candidate(label, each.goodness) for label, each in several.items()], several, (), missing
        try:
            improved_scores, made = self._improved(scales)
        except NotAvailable as error:  # improved runs may be too many for an interval scale
            text = f"{measure!r} is not simulated on an interval scale: {error}"
            missing = (*missing, Caveat(CaveatKind.BOUNDS, text))
            improved_scores, made = self._improved(scales[:1])
        candidates = [
            Candidate(
                label, scores.goodness, np.concatenate([_repeated(scores, self.groups), better]), (0, *self.moves)
            )
            for (label, scores), better in zip(several.items(), improved_scores, strict=False)
        ]
        kept = {each.label: several[each.label] for each in candidates}
        return candidates, kept, self._made(made), missing

    def _improved(self, scales: list[Measure]) -> tuple[list[FloatArray], FloatArray]:
        """Return the scores on some scales after each number of moves, × groups × systems × topics; moves made."""
        rng = np.random.default_rng(self.seed)
        systems, topics, _ = self.whole.cells.shape
        size = max(1, CELLS // (len(self.moves) * systems * topics * max(1, self.ranks)))
        parts: list[list[FloatArray]] = [[] for _ in scales]
        made = np.zeros(len(self.moves))
        for start in range(0, self.groups, size):
            times = min(size, self.groups - start)
            cells, done = improved(self.whole, self.moves, times, rng, top=self.top, ranks=self.ranks)
            made += done.mean(axis=(2, 3)).sum(axis=1) / self.groups
            runs = self._runs(cells)
            for scale, part in zip(scales, parts, strict=True):
                part.append(scale.scores(runs).goodness.reshape(len(self.moves), times, systems, topics))
        return [np.concatenate(part, axis=1) for part in parts], made

    def _runs(self, cells: Cells) -> JudgedRuns:
        """Return improved runs as if these were of further systems, so that all are scored at once."""
        plain = self.whole.down_to(self.ranks)
        rows = cells.reshape(-1, *cells.shape[-2:])
        return evolve(
            plain,
            cells=rows,
            lengths=np.tile(plain.lengths, (len(rows) // len(plain.systems), 1)),
            systems=tuple(map(str, range(len(rows)))),
        )

    def _made(self, made: FloatArray) -> tuple[float, ...]:
        """Return how many moves a topic each effect came to, from those after each number of moves."""
        after = dict(zip((0, *self.moves), (0.0, *made.tolist()), strict=True))
        return tuple(
            (1 - effect + floor(effect)) * after[floor(effect)] + (effect - floor(effect)) * after[ceil(effect)]
            for effect in self.effects
        )


def _repeated(scores: Scores, groups: int) -> FloatArray:
    """Return the scores of runs as they are, 1 × groups × systems × topics."""
    return np.repeat(scores.goodness[None, None], groups, axis=1)
