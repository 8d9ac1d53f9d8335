"""Position among runs: which share of all runs scores no more than this one.

Where the values of a measure cannot be counted (AP@100, ERR@40, Q@30, most functions), there is no interval scale to be
had. What can be had for every measure at every depth is the share of *runs*, each as likely as any other, that score no
more than a run. It is exact where the runs are few or the ruler of the measure can count them, and otherwise estimated
from runs drawn at random: with the interval of [ClopperPearson1934]_ for one run, and the band of Dvoretzky, Kiefer and
Wolfowitz ([Massart1990]_) for all runs at once. Exact values decide which runs score no more; floats only propose.

It keeps the order of the measure, and it is not the interval scale of [FerranteFerroFuhr2021]_: a value that many runs
share takes up more room than one that few share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, overload

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import Cells
from measurand.display.data import as_float
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, Words, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError
from measurand.exact import Exact, whole_number, with_fraction
from measurand.execution import Progress, Rng, generator, silent
from measurand.intervals.distributions import EXACT, SAMPLED, RunPosition, band_margin
from measurand.intervals.enumeration import Enumerated
from measurand.intervals.families import limited_ruler, same_order_everywhere
from measurand.intervals.interval_scale import TOPIC, read_recall_base
from measurand.intervals.ruler import Budget, Ruler
from measurand.intervals.universe import Universe
from measurand.judged import JudgedRuns, Pool, as_cells, distinct_runs
from measurand.judged.runs import check_judged
from measurand.measures import Measure, as_measure
from measurand.measures.campaigns import with_campaign
from measurand.measures.valued import Valuer, numbers_at_most
from measurand.scores import Scale, Scores
from measurand.verdict import strip

SAMPLES = 10_000
"""So many runs are drawn if nothing is said."""

FITS = 1 << 14
"""Up to so many runs, all are looked at."""

COUNTING = Budget(seconds=5.0, memory=1 << 29)
"""What a ruler that counts runs exactly may cost; where it takes more, runs are drawn."""

FEW, LONG = Fraction(1, 100), 20
"""Where no more than this share of long runs scores as little, it is said how many relevant documents they hold."""

Groups = dict[tuple[int | None, Pool | None], list[int]]
"""Topics by recall base and, where it matters for the order of runs, by what the judgments hold."""


@frozen(eq=False, repr=False)
class PositionsAmongRuns(Result):
    """The positions of some runs among all runs: a sequence of `RunPosition`.

    Parameters
    ----------
    among
        The measure and the runs that it is asked about.
    given
        The runs as they were given.
    values
        What the measure gives each.
    positions
        Their positions.
    """

    among: AmongRuns
    given: tuple[tuple[int, ...], ...]
    values: tuple[Exact, ...]
    positions: tuple[RunPosition, ...]

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Iterator[RunPosition]:
        return iter(self.positions)

    @overload
    def __getitem__(self, place: int) -> RunPosition: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RunPosition, ...]: ...
    def __getitem__(self, place: int | slice) -> RunPosition | tuple[RunPosition, ...]:
        return self.positions[place]

    def __repr__(self) -> str:
        return f"<PositionsAmongRuns: {counted(len(self), 'run')} under {self.among.measure!r}>"

    def document(self) -> Document:
        """Return a line for each run, and what the shares are shares of."""
        columns = [
            valued("run", lambda row: row[0], strip, left=True),
            valued("value", lambda row: row[1], with_fraction, left=True),
            Column("share of runs that score no more", lambda row: _estimate(row[2]), value=lambda row: float(row[2])),
            # a run scores no more than itself, so that no share is 0
            Column("low", lambda row: _percent(row[2].low, least="> 0 %"), value=lambda row: row[2].low),
            Column("high", lambda row: _percent(row[2].high), value=lambda row: row[2].high),
            Column("how", lambda row: row[2].how, left=True),
        ]
        rows = list(zip(self.given, self.values, self.positions, strict=True))
        head = Words.of(f"Position among runs: {self.among.measure!r}", "strong")
        how = {position.how for position in self.positions}
        remarks = *_remarks(how, self.positions), *self.among.remarks(self.positions)
        told = [f"Of {self.among.universe_in_words}.", *remarks, NOT_INTERVAL]
        return Document([head, "", TableView(columns, rows, narrow="stack"), "", *told])

    def to_dict(self) -> dict[str, Any]:
        """Return the positions as nested dictionaries and lists."""
        rows = zip(self.given, self.values, self.positions, strict=True)
        return {
            "measure": repr(self.among.measure),
            "depth": self.among.depth,
            "grades": len(self.among.universe(None).levels),
            "recall_base": self.among.recall_base,
            "universe": self.among.universe_in_words,
            "interval_scale": False,
            "runs": [
                {
                    "run": list(run),
                    "value": as_float(value),
                    "share": float(position),
                    "low": position.low,
                    "high": position.high,
                    "how": position.how,
                    "at_most": None if position.at_most >= 1 << 63 else position.at_most,
                    "looked_at": None if position.runs >= 1 << 63 else position.runs,
                }
                for run, value, position in rows
            ],
        }


NOT_INTERVAL = (
    "This is a position among runs, not among values: it keeps the order of the measure, and it is no interval scale."
)


def _remarks(how: set[str], positions: Sequence[RunPosition]) -> Iterator[str]:
    if SAMPLED in how:
        drawn = next(position.runs for position in positions if position.how == SAMPLED)
        yield f"Estimated from {drawn:,} runs drawn at random; low to high holds a share with 95 % confidence."


def _percent(share: Fraction | float, least: str = "0 %") -> str:
    """Return a share in per cent to four digits; 100 % only where it is so, and what is said of 0.

    Examples
    --------
    >>> _percent(Fraction(1, 3)), _percent(0.0), _percent(1e-9), _percent(Fraction(1))
    ('33.33 %', '0 %', '1e-07 %', '100 %')
    >>> _percent(1 - Fraction(1, 10**9))
    '> 99.99 %'
    """
    text = f"{float(100 * share):.4g} %"
    return "> 99.99 %" if text == "100 %" and share < 1 else text if share else least


def _estimate(position: RunPosition) -> str:
    """Return a share in per cent; of drawn runs all or none is no more than an estimate."""
    ends = position.how == SAMPLED and position.share in (0, 1)
    return f"{'≈ ' * ends}{_percent(position.share)}"


@frozen(kw_only=True, repr=False, eq=False)
class AmongRuns:
    """All runs of a depth over some grades, to find the share of them that scores no more than a run.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks runs have.
    grades
        How many grades there are, 0 included; a measure that knows relevant documents and others has two.
    recall_base
        How many relevant documents the topic has: runs that hold more are left out. `"topic"` for that of each topic
        of judged runs. None for all runs.
    samples
        How many runs are drawn where not all of them can be counted.
    seed
        Where the random numbers start; the same runs are drawn for every question.

    Examples
    --------
    >>> among = among_runs("AP", depth=100, recall_base=5)
    >>> among.position([1, 0, 1] + [0] * 97)
    <RunPosition 0.9924, from 0.990497 to 0.994008, sampled>
    >>> among_runs("RR@4").position([0, 1, 0, 0]).share
    Fraction(1, 2)
    """

    measure: Measure
    depth: int
    grades: int = 2
    recall_base: int | str | None = field(default=None, converter=read_recall_base)
    samples: int = SAMPLES
    seed: int = 0
    _drawn: dict[int | None, Cells] = field(factory=dict, init=False)
    _valuers: dict[Any, Valuer] = field(factory=dict, init=False)

    def __repr__(self) -> str:
        base = "" if self.recall_base is None else f", recall_base={self.recall_base!r}"
        return f"<AmongRuns: {self.measure!r}, depth={self.depth}, grades={self.grades}{base}>"

    def universe(self, recall_base: int | None) -> Universe:
        """Return the runs there are for a recall base.

        Parameters
        ----------
        recall_base
            How many relevant documents the topic has; None for all runs.
        """
        return Universe(self.measure, self.depth, self.grades, recall_base)

    @cached_property
    def universe_in_words(self) -> str:
        """What the shares are shares of."""
        levels = len(self.universe(None).levels)
        base = self.recall_base
        limit = (
            ""
            if base is None
            else f" with at most {counted(base, 'relevant document')}"
            if isinstance(base, int)
            else ""
        )
        limit = " with no more relevant documents than the topic has" if base == TOPIC else limit
        return f"all runs of {counted(self.depth, 'rank')} and {levels} grades{limit}, each as likely as any other"

    @property
    def margin(self) -> float:
        """How far sampled shares of one topic may be off, all at once, with 95 % confidence (`band_margin`)."""
        return band_margin(self.samples)

    def remarks(self, positions: Sequence[RunPosition]) -> Iterator[str]:
        """Yield what a reader of positions should know of the runs that they stand among.

        Parameters
        ----------
        positions
            Positions of runs.
        """
        if self.measure.lower_is_better:
            yield f"Lower values of {self.measure!r} are better: a small share is the good end."
        if self.grades > 2 and not self.measure.graded:
            yield f"{self.measure!r} knows relevant documents and others: every rank holds either, with equal chances."
        if self.recall_base is None and self.depth >= LONG and any(position.share < FEW for position in positions):
            half = f"Most of these runs hold about {self.depth * self._relevant_share:.0f} relevant documents"
            yield f"{half}; with a recall base (recall_base=5, --recall-base 5) only runs with no more than that count."

    @property
    def _relevant_share(self) -> float:
        runs = self.universe(None).runs(1)
        return 1 - runs.lowest / runs.grades

    def position(self, run: Sequence[int], progress: Progress = silent) -> RunPosition:
        """Return the share of runs that score no more than one run.

        Parameters
        ----------
        run
            Grades, first rank first; cut or filled up to the depth.
        progress
            Shows how far a long computation is.
        """
        return self.positions([run], progress)[0]

    def positions(self, runs: Sequence[Sequence[int]], progress: Progress = silent) -> PositionsAmongRuns:
        """Return the shares of runs that score no more than each of some runs.

        Parameters
        ----------
        runs
            Runs, each its grades by rank; cut or filled up to the depth.
        progress
            Shows how far a long computation is.

        Examples
        --------
        >>> among = among_runs(lambda run: sum(run) ** 2, depth=3)
        >>> [str(one.share) for one in among.positions([[0, 0, 0], [0, 1, 0], [1, 1, 1]])]
        ['1/8', '1/2', '1']
        """
        if self.recall_base == TOPIC:
            raise ParameterError("recall_base='topic' is for judged runs; say how many relevant documents there are")
        base = None if self.recall_base is None else int(self.recall_base)
        given = [as_cells(run) for run in runs]
        if not given:
            return PositionsAmongRuns(self, (), (), ())
        universe = self.universe(base)
        seen = [(*self.measure.view(run), *[0] * self.depth)[: self.depth] for run in given]
        digits = universe.digits(*seen)
        pool = self._pool(base)
        found = self._found(digits, base, pool, progress)
        values = tuple(self.measure.exact(self.measure.view(run), pool) for run in self._graded(digits))
        return PositionsAmongRuns(self, tuple(given), values, tuple(found))

    def scores(self, judged: JudgedRuns, progress: Progress = silent) -> Scores:
        """Return the positions among runs of all judged runs, from one common sample.

        A run that scores more never has a lower position. Runs between which no drawn run lies tie.

        Parameters
        ----------
        judged
            The judged runs.
        progress
            Shows how far a long computation is.

        Examples
        --------
        >>> from measurand import judge, sample
        >>> judged = judge(sample.runs(), sample.qrels(), depth=100)
        >>> scores = among_runs("AP", depth=100, recall_base="topic", samples=200).scores(judged)
        >>> str(scores.scale), scores.one_scale
        ('ordinal', False)
        """
        check_judged(judged)
        if judged.groups is not None:
            raise NotAvailable("positions among runs need an order of tied documents; judge with ties='trec'")
        known = evolve(self, measure=with_campaign(self.measure, judged))
        universe = known.universe(None)
        runs = universe.fold(universe.seen(judged))
        groups = known._groups(judged)
        positions = known._of_topics(runs, judged, groups, progress)
        values = np.array([[float(one) for one in row] for row in positions]).T
        if judged.skip_missing:
            values = np.where(judged.present, values, np.nan)
        bases = {base for base, _ in groups}
        own = known.measure.own_scales(judged)
        return Scores(
            measure=f"among_runs({self.measure!r})",
            values=values.reshape(len(judged.systems), len(judged.topics)),
            systems=judged.systems,
            topics=judged.topics,
            scale=Scale.ORDINAL,
            one_scale=len(bases) <= 1 and not own,
            lower_is_better=self.measure.lower_is_better,
            caveats=(*judged.caveats, *known._caveats(positions, groups, own)),
            history=(f"shares of runs that score no more under {self.measure!r}",),
        )

    def _bases(self, judged: JudgedRuns) -> list[int | None]:
        """Return the recall base of each topic, as far as it leaves runs out."""
        if self.recall_base != TOPIC:
            base = None if self.recall_base is None else int(self.recall_base)
            return [base] * len(judged.topics)
        found = [pool.recall_base(self.measure.lowest) for pool in judged.pools]
        return [None if base >= self.depth else base for base in found]

    def _groups(self, judged: JudgedRuns) -> Groups:
        """Return the topics that have the same runs in the same order, which are asked about together."""
        groups: Groups = {}
        for topic, (base, pool) in enumerate(zip(self._bases(judged), judged.pools, strict=True)):
            groups.setdefault((base, None if same_order_everywhere(self.measure) else pool), []).append(topic)
        return groups

    def _of_topics(
        self, runs: Cells, judged: JudgedRuns, groups: Groups, progress: Progress
    ) -> list[list[RunPosition]]:
        """Return positions, a row for each topic."""
        rows: list[list[RunPosition]] = [[] for _ in judged.topics]
        in_order = sorted(groups.items(), key=lambda group: self.depth if group[0][0] is None else group[0][0])
        for (base, own), topics in progress(in_order, len(groups), "placing runs among runs"):
            together = runs[:, topics].transpose(1, 0, 2).reshape(-1, runs.shape[2])
            different, which = distinct_runs(self.universe(base).possible(together))
            found = self._found(different, base, own or self._pool(base), silent)
            for place, topic in enumerate(topics):
                begin = place * runs.shape[0]
                rows[topic] = [found[row] for row in which[begin : begin + runs.shape[0]].tolist()]
        return rows

    def _caveats(self, positions: Sequence[Sequence[RunPosition]], groups: Groups, own: str) -> Iterator[Caveat]:
        name = repr(self.measure)
        yield Caveat(CaveatKind.SCALE, f"positions among runs keep the order of {name} and are no interval scale")
        sampled = sum(any(one.how == SAMPLED for one in positions[topics[0]]) for topics in groups.values())
        if sampled:
            each = f", for each of {sampled:,} kinds of topics" if sampled > 1 else ""
            text = f"positions among runs of {name} are estimated from {self.samples:,} runs drawn at random{each}"
            margin = f"{band_margin(self.samples, sampled):.2g}"
            yield Caveat(CaveatKind.BOUNDS, f"{text}; all at once they are within {margin}, with 95 % confidence")
        empty = sum(len(topics) for (base, _), topics in groups.items() if base == 0)
        if empty:
            text = f"{counted(empty, 'topic')} without relevant documents, where there is one run to stand among"
            yield Caveat(CaveatKind.NO_RELEVANT, f"every system has position 1, the highest, on {text}")
        if len({base for base, _ in groups}) > 1:
            text = "every topic has its own runs, those with no more relevant documents than it has"
            yield Caveat(CaveatKind.SCALE, f"positions among runs of {name} are on a scale per topic: {text}")
        elif own:
            yield Caveat(CaveatKind.SCALE, f"{name} has a scale of its own on every topic, because {own}")

    def _pool(self, base: int | None) -> Pool:
        """Return a topic of a recall base: with a relevant document for every rank if there is none."""
        relevant = self.depth if base is None else base
        return Pool.plain(relevant, self.depth, self.universe(None).levels[-1])

    def _found(self, runs: Cells, base: int | None, pool: Pool, progress: Progress) -> list[RunPosition]:
        """Return positions of runs in the digits of the ruler."""
        universe = self.universe(base)
        total = universe.total(self.depth)
        if total > FITS:
            exactly = self._by_ruler(universe, runs, pool)
            if exactly is not None:
                return [RunPosition(below + tied, total, EXACT) for below, tied in exactly]
        if base not in self._drawn:
            # one sample is kept: topics of one recall base are asked about one after the other
            self._drawn.clear()
            self._drawn[base] = (
                universe.runs(self.depth).every()
                if total <= FITS
                else universe.runs(self.depth).drawn(self.samples, generator(self.seed))
            )
        others = self._drawn[base]
        at_most = numbers_at_most(self._valuer(pool), self._cells(runs), self._cells(others), progress)
        how = EXACT if total <= FITS else SAMPLED
        return [RunPosition(number, len(others), how) for number in at_most.tolist()]

    def _by_ruler(self, universe: Universe, runs: Cells, pool: Pool) -> list[tuple[int, int]] | None:
        """Return how many runs are below and tie with each, where the ruler of the measure's family counts them."""
        base = universe.recall_base
        if base is not None and base < self.depth and limited_ruler(self.measure, base, self.depth, pool) is None:
            return None
        try:
            ruler: Ruler = universe.ruler(self.depth, pool, COUNTING)
            return None if isinstance(ruler, Enumerated) else ruler.shares(runs)
        except NotAvailable:
            return None

    def _valuer(self, pool: Pool) -> Valuer:
        """Return the measure on a topic, which remembers the runs that it has valued."""
        if pool not in self._valuers:
            # runs of other topics take room and are not asked about again
            self._valuers.clear()
            self._valuers[pool] = Valuer.of(self.measure, pool)
        return self._valuers[pool]

    def _cells(self, digits: Cells) -> Cells:
        """Return runs in grades."""
        return np.array(self.universe(None).levels, dtype=np.int8)[digits]

    def _graded(self, digits: Cells) -> list[tuple[int, ...]]:
        return [tuple(run) for run in self._cells(digits).tolist()]


def among_runs(
    measure: Measure | str | Callable[..., Any],
    depth: int | None = None,
    grades: int = 2,
    *,
    recall_base: int | str | None = None,
    samples: int = SAMPLES,
    rng: Rng = 0,
) -> AmongRuns:
    """Return all runs of a depth, to find the share of them that scores no more than a run.

    Every run of that depth over those grades, as the measure sees them, is as likely as any other; a measure that knows
    relevant documents and others sees two. It works for every measure at every depth. The result keeps the order of the
    measure, and it is no interval scale: `md.interval` is, where values can be counted.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    depth
        How many ranks runs have; the cutoff of the measure if nothing is said.
    grades
        How many grades there are, 0 included. For a measure that knows relevant documents and others this makes no
        difference: a rank holds either, with equal chances.
    recall_base
        How many relevant documents the topic has: runs that hold more are left out. `"topic"` for that of each topic
        of judged runs. None for all runs.
    samples
        How many runs are drawn where not all of them can be counted.
    rng
        A seed, or a generator of random numbers.

    Examples
    --------
    >>> among = among_runs("ERR@40")
    >>> among.position([0, 1] + [0] * 38)
    <RunPosition 0.1743, from 0.16691 to 0.18188, sampled>

    References
    ----------
    [FerranteFerroFuhr2021]_, [ClopperPearson1934]_, [Massart1990]_
    """
    known = as_measure(measure)
    if depth is None and known.cutoff is None:
        raise ParameterError(f"how deep are runs? Say {known!r}@30, or depth=30")
    asked = known.cutoff if depth is None else whole_number("depth", depth)
    ranks = Universe(known, asked, whole_number("grades", grades, 2)).ranks(None)
    if ranks == inf:
        raise ParameterError("position among runs needs runs of a depth, not runs without end")
    seed = int(generator(rng).integers(1 << 62)) if isinstance(rng, np.random.Generator) else rng
    generator(seed)
    return AmongRuns(
        measure=known,
        depth=int(ranks),
        grades=grades,
        recall_base=recall_base,
        samples=whole_number("samples", samples),
        seed=seed,
    )


def position_among_runs(
    measure: Measure | str | Callable[..., Any],
    run: Sequence[int],
    *,
    depth: int | None = None,
    grades: int = 2,
    recall_base: int | None = None,
    samples: int = SAMPLES,
    rng: Rng = 0,
) -> RunPosition:
    """Return the share of all runs that score no more than a run, with its confidence interval.

    For several runs, or for judged runs of a campaign, `among_runs` asks about all of them with one sample.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of a judged run.
    run
        Grades, first rank first; cut or filled up to the depth.
    depth
        How many ranks runs have; the cutoff of the measure, or else the length of the run, if nothing is said.
    grades
        How many grades there are, 0 included. For a measure that knows relevant documents and others this makes no
        difference: a rank holds either, with equal chances.
    recall_base
        How many relevant documents the topic has: runs that hold more are left out.
    samples
        How many runs are drawn where not all of them can be counted.
    rng
        A seed, or a generator of random numbers.

    Examples
    --------
    >>> position_among_runs("AP@4", [1, 0, 0, 1]).share
    Fraction(9, 16)
    >>> position = position_among_runs("AP@100", [1, 0, 1], recall_base=5)
    >>> float(position), position.how, position.low < 0.9924 < position.high
    (0.9924, 'sampled', True)
    """
    known = as_measure(measure)
    deep = depth if depth is not None or known.cutoff is not None else max(1, len(run))
    among = among_runs(known, deep, grades, recall_base=recall_base, samples=samples, rng=rng)
    return among.position(run)
