"""The regression gate: whether a candidate has fallen behind a baseline by more than is allowed.

`gate` has the two read and scored (`gate_pair`), `GateResult` says what follows; what is found under one measure is a
`MeasureGate` (`gate_measure`), what is said of it stands in `gate_view`, scores that are kept for later in
`stored_scores`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from attrs import evolve, field, frozen

from measurand.calls import explains_calls, truth
from measurand.display.result import Result, shortened
from measurand.display.tables import Document, TableView
from measurand.display.writing import PathLike
from measurand.errors import CallError, Caveat, CaveatKind, ParameterError, quoted
from measurand.exact import MOST, rational, whole_number
from measurand.judged.judge import MissingTopicsLike, PrecisionLike, TiesLike
from measurand.measures import Measure, MeasuresLike
from measurand.measures.parse import check_no_measure
from measurand.scale import GradeScale
from measurand.scores import Aggregation
from measurand.statistics import ALPHA
from measurand.statistics.multiple_comparisons import level
from measurand.study.evaluation import (
    DEFAULT_MEASURES,
    DEFAULTS,
    ReadingOptions,
    no_options,
    read_measures,
    spellings_of,
)
from measurand.study.gate_measure import MeasureGate, Outcome, with_holm
from measurand.study.gate_pair import ScoredPair, read_one
from measurand.study.gate_view import GateView
from measurand.study.score_sources import is_scores, read_scores
from measurand.study.stored_scores import StoredScores
from measurand.trec import (
    Names,
    QrelsLike,
    Queries,
    QueriesLike,
    RunLike,
    is_one,
    read_qrels,
    read_queries,
)
from measurand.trec.sources import check_qrels, settled

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from measurand.study.score_sources import ScoresLike

MAX_DROP = 0.01
"""How far the mean may fall, if nothing is said."""

BROKEN = 0.3
"""A topic that drops by more is broken, if nothing is said."""

EXIT_CODES = {Outcome.PASS: 0, Outcome.FAIL: 3, Outcome.UNDECIDED: 0}
"""How the command line ends."""

UNDECIDED_FAILS = 4
"""How it ends if what is undecided fails."""

LONGEST = 110
"""So many letters of the reason stand in the `repr`."""

LimitLike: TypeAlias = float | Mapping[Any, float]
"""A limit for all measures, or limits by measure."""

FIELDS: Mapping[str, type] = {
    "measure": str,
    "topic": str,
    "text": str,
    "baseline": float,
    "candidate": float,
    "change": float,
    "broken": bool,
}
"""The columns of the frame of a result."""


@frozen(kw_only=True, eq=False, repr=False)
class GateResult(Result):
    """Whether a candidate passes: true, as a truth value, unless the gate fails.

    `assert md.gate(…)` holds where `measurand gate` exits with 0: if the gate passes, and if it is undecided, unless
    `fail_undecided` is set. `assert md.gate(…).passed` holds where it passes alone.

    Parameters
    ----------
    results : tuple of MeasureGate
        What was found under each measure.
    baseline, candidate : str
        The names of the two.
    stored : str or None
        When the scores of the baseline were stored, in UTC; None if it was a run.
    alpha : float
        The level of significance, one-sided.
    max_broken : int or None
        How many topics may break under a measure; None if any number may.
    fail_on_drop : bool
        Whether every drop fails that is significant against 0.
    fail_undecided : bool
        Whether what is undecided fails.
    on_these_topics : bool
        Whether the means of these topics decide, and nothing is said of others.
    queries : Queries
        The texts of topics, where they are known.
    caveats : tuple of Caveat
        What is to be known of the scores.
    store : callable
        Returns the scores of the candidate as they are stored.

    Examples
    --------
    >>> import measurand as md
    >>> qrels = {"1": {"d1": 1}, "2": {"d2": 1}}
    >>> run = {"1": {"d1": 1.0}, "2": {"d2": 1.0}}
    >>> result = md.gate(qrels, run, run, "RR")
    >>> result.passed, bool(result), result.exit_code
    (True, True, 0)
    >>> result
    <GateResult: PASS: RR unchanged on 2 topics, max drop 0.01>
    >>> print(result.reason)
    PASS. RR is the same on all 2 topics: 1.000. Nothing changed on these; up to 77.6 % of others could (95 %).
    """

    results: tuple[MeasureGate, ...]
    baseline: str
    candidate: str
    stored: str | None = None
    alpha: float
    max_broken: int | None
    fail_on_drop: bool
    fail_undecided: bool
    on_these_topics: bool = False
    queries: Queries = field(factory=Queries)
    caveats: tuple[Caveat, ...] = ()
    store: Callable[[], StoredScores]

    def __bool__(self) -> bool:
        return self.exit_code == 0

    def __repr__(self) -> str:
        return f"<GateResult: {shortened(self.view.in_short, LONGEST)}>"

    def __iter__(self) -> Iterator[MeasureGate]:
        return iter(self.results)

    @property
    def outcome(self) -> Outcome:
        """The verdict: fail if one measure fails or too many topics broke, pass if all measures pass."""
        found = {each.outcome for each in self.results}
        if Outcome.FAIL in found or self.too_many_broken:
            return Outcome.FAIL
        return Outcome.PASS if found == {Outcome.PASS} else Outcome.UNDECIDED

    @property
    def passed(self) -> bool:
        """Whether it passes."""
        return self.outcome is Outcome.PASS

    @property
    def failed(self) -> bool:
        """Whether it fails."""
        return self.outcome is Outcome.FAIL

    @property
    def undecided(self) -> bool:
        """Whether these topics cannot tell of others."""
        return self.outcome is Outcome.UNDECIDED

    @property
    def too_many_broken(self) -> bool:
        """Whether more topics broke under some measure than may."""
        return self.max_broken is not None and any(len(each.broken) > self.max_broken for each in self.results)

    @property
    def exit_code(self) -> int:
        """How the command line ends: 0 for a pass, 3 for a failure; undecided 0, or 4 with `fail_undecided`."""
        return UNDECIDED_FAILS if self.undecided and self.fail_undecided else EXIT_CODES[self.outcome]

    @property
    def reason(self) -> str:
        """The verdict and why, in one line."""
        return self.view.headline

    @property
    def view(self) -> GateView:
        """How the result is shown: in sentences, as tables."""
        return GateView(self)

    def of(self, measure: Measure | str) -> MeasureGate:
        """Return what was found under a measure.

        Parameters
        ----------
        measure : Measure or str
            The measure, or its spelling.
        """
        wanted = {str(measure), *([] if isinstance(measure, Measure) else spellings_of(measure))}
        for found in self.results:
            if found.measure in wanted:
                return found
        known = ", ".join(each.measure for each in self.results)
        raise ParameterError(f"the gate did not look at {measure}; it looked at {known}")

    def save_baseline(self, path: PathLike) -> None:
        """Store the scores of the candidate, so that later runs can be compared with it.

        Parameters
        ----------
        path : path
            Where to: .parquet, .json or .csv.
        """
        self.store().write(path)

    def document(self) -> Document:
        """Return what the gate shows: the verdict and why, a table of measures, the topics that broke."""
        return self.view.document()

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for every measure and topic, the worst first: baseline, candidate, change, broken.

        Examples
        --------
        >>> import measurand as md
        >>> frame = md.gate({"1": {"d": 1}}, {"1": {"d": 1.0}}, {"1": {"e": 1.0, "d": 0.5}}, "RR").to_polars()
        >>> frame.rows()
        [('RR', '1', '', 1.0, 0.5, -0.5, True)]
        """
        return super().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for every measure and topic, the worst first, as `to_polars` does."""
        return super().to_pandas()

    def _main(self) -> TableView:
        rows = [
            {
                "measure": found.measure,
                "topic": each.topic,
                "text": self.queries.get(each.topic, ""),
                "baseline": each.baseline,
                "candidate": each.candidate,
                "change": each.change,
                "broken": each in found.broken,
            }
            for found in self.results
            for each in found.every_topic()
        ]
        return TableView([], rows, fields=FIELDS)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict, its reason and all numbers, ready for JSON.

        Examples
        --------
        >>> import measurand as md
        >>> found = md.gate({"1": {"d": 1}}, {"1": {"d": 1.0}}, {"1": {"d": 1.0}}, "RR").to_dict()
        >>> found["outcome"], found["exit_code"], found["measures"][0]["max_drop"]
        ('pass', 0, 0.01)
        """
        measures = [each.to_dict() for each in self.results]
        for each in measures:
            for topic in each["broken"]:
                topic["text"] = self.queries.get(topic["topic"])
        return {
            "outcome": str(self.outcome),
            "exit_code": self.exit_code,
            "reason": self.reason,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "baseline_stored": self.stored,
            "alpha": self.alpha,
            "max_broken": self.max_broken,
            "too_many_broken": self.too_many_broken,
            "fail_on_drop": self.fail_on_drop,
            "fail_undecided": self.fail_undecided,
            "on_these_topics": self.on_these_topics,
            "measures": measures,
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }


@explains_calls
def gate(
    qrels: QrelsLike | ScoresLike,
    baseline: RunLike | StoredScores,
    candidate: RunLike,
    measures: MeasuresLike | None = None,
    *,
    max_drop: LimitLike = MAX_DROP,
    alpha: float = ALPHA,
    broken: LimitLike = BROKEN,
    max_broken: int | None = None,
    fail_on_drop: bool = False,
    fail_undecided: bool = False,
    on_these_topics: bool = False,
    largest_change: LimitLike | None = None,
    percent: bool = False,
    queries: QueriesLike | None = None,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
) -> GateResult:
    """Decide whether a candidate has fallen behind a baseline by more than is allowed.

    How far the means fell on these topics is known exactly. Whether they fall over topics like these is an inference:
    the gate passes if it shows under every measure that the drop is at most `max_drop`. It fails if it shows under one
    measure that it is more, or if more than `max_broken` topics drop by more than `broken`. Otherwise it is undecided,
    and the result says why. Where nothing changed it passes. `MeasureGate` has the definitions. With `on_these_topics`
    the means of these topics decide alone.

    Parameters
    ----------
    qrels : path, open file, frame, dict or Qrels; or scores
        Judgments in any form that `read_qrels` accepts; or scores by topic that another tool computed, as for
        `compare`, and the names of two systems for `baseline` and `candidate`.
    baseline : path, open file, frame, dict, Run or StoredScores
        The run to compare with, or what `GateResult.save_baseline` stored of one.
    candidate : path, open file, frame, dict or Run
        The run that is to pass.
    measures : Measure or str, or an iterable of these, optional
        The measures; by default nDCG@10.
    max_drop : float, or mapping of measures to float
        How far the mean may fall, in units of the measure; measures that a mapping does not name have 0.01.
    alpha : float, default 0.05
        The level of significance: how often either end of an interval may be wrong; less than 1/2.
    broken : float, or mapping of measures to float
        A topic that drops by more is broken; measures that a mapping does not name have 0.3.
    max_broken : int, optional
        How many topics may break under a measure; by default any number, and they are listed.
    fail_on_drop : bool, default False
        Whether a drop fails, too, that is significant against 0. This catches drops that are too small to matter.
    fail_undecided : bool, default False
        Whether the result is false, as a truth value, where it is undecided.
    on_these_topics : bool, default False
        Whether the means of these topics decide, of which nothing is undecided, and nothing is said of others.
    largest_change : float, or mapping of measures to float, optional
        The most that the score of one topic can change, up or down; by default the range of the measure. Where few
        topics changed, what is said of others holds under this condition alone.
    percent : bool, default False
        Whether scores that are known already are in percent, under measures that go from 0 to 1.
    queries : path, open file, frame, dict or Queries, optional
        The texts of topics, in any form that `read_queries` accepts, to be shown beside those that broke.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`.
    names : {"auto", "tag", "file"}
        What runs are called by: their tags or their files; auto: by tags, unless both have the same.

    Examples
    --------
    >>> import measurand as md
    >>> runs = {path.name.partition(".")[0]: path for path in md.sample.runs()}
    >>> result = gate(md.sample.qrels(), runs["rerank-2"], runs["hybrid-2"], max_drop=0.02)
    >>> result.failed, len(result.of("nDCG@10").broken)
    (True, 8)
    >>> assert gate(md.sample.qrels(), runs["hybrid-2"], runs["rerank-2"])

    References
    ----------
    [Student1908]_; [Holm1979]_
    """
    qrels, baseline, candidate = settled(qrels), settled(baseline), settled(candidate)
    _check_inputs(qrels, baseline, candidate)
    wanted = _compared(read_measures(DEFAULT_MEASURES[0] if measures is None else measures))
    settings = {
        "alpha": _alpha(alpha),
        "max_broken": None if max_broken is None else whole_number("max_broken", max_broken, 0, such_as=3),
        "fail_on_drop": truth("fail_on_drop", fail_on_drop),
        "fail_undecided": truth("fail_undecided", fail_undecided),
        "on_these_topics": truth("on_these_topics", on_these_topics),
    }
    allowed, breaking = _limits("max_drop", max_drop, MAX_DROP, wanted), _limits("broken", broken, BROKEN, wanted)
    most = _most(largest_change, wanted)
    options = ReadingOptions(
        depth=depth, ties=ties, precision=precision, missing_topics=missing_topics, grade_scale=grade_scale, names=names
    )
    asked = Queries() if queries is None else read_queries(queries)
    pair = _pair(qrels, baseline, candidate, wanted, options, truth("percent", percent))
    texts = asked.on_topics(pair.table.topics) if asked else asked
    how = {"alpha": alpha, "fail_on_drop": fail_on_drop, "on_these_topics": on_these_topics}
    found = [
        MeasureGate(
            max_drop=allowed[name],
            broken_drop=breaking[name],
            largest_change=most[name],
            **how,  # type: ignore[arg-type] # each of its own type
            **pair.under(name),
        )
        for name in wanted
    ]
    return GateResult(
        results=with_holm(_in_range(each, wanted[each.measure]) for each in found),
        baseline=pair.baseline,
        candidate=pair.candidate,
        stored=None if pair.stored_by is None else pair.stored_by[0],
        queries=texts,
        caveats=(*pair.caveats, *texts.caveats, *_units(wanted, max_drop, broken), *_contradicted(found, wanted)),
        store=pair.stored,
        **settings,  # type: ignore[arg-type] # each of its own type
    )


def _pair(
    qrels: Any, baseline: Any, candidate: Any, measures: Mapping[str, Measure], options: ReadingOptions, percent: bool
) -> ScoredPair:
    """Return the two, scored: runs that are judged, or systems of which the scores are known."""
    if is_scores(qrels):
        no_options("gate", options, "scores that are known")
        return ScoredPair.of_scores(read_scores(qrels, percent=percent), str(baseline), str(candidate), measures)
    if percent:
        raise ParameterError("percent is for scores that another tool computed; those of runs are no percentages")
    return ScoredPair.read(read_qrels(qrels), baseline, candidate, measures, options)


def _check_inputs(qrels: object, baseline: object, candidate: object) -> None:
    """Complain of arguments that cannot be judgments and two runs, or scores, in one line with an example."""
    if is_scores(qrels):
        return
    usage = 'call gate(qrels, baseline, candidate), as in gate("qrels.txt", "main.run", "new.run", "nDCG@10")'
    for name, given in (("qrels", qrels), ("baseline", baseline), ("candidate", candidate)):
        check_no_measure(given, name, usage)
        if not is_one(given):
            raise CallError(f"{name} must be one file, frame or dictionary, not several; {usage}")
    check_qrels(qrels, usage)


def score_baseline(
    qrels: QrelsLike, run: RunLike, measures: MeasuresLike | None = None, **options: Any
) -> tuple[StoredScores, tuple[Caveat, ...]]:
    """Return the scores of a run as they are stored for the gate, and what is to be known of them.

    Parameters
    ----------
    qrels : path, open file, frame, dict or Qrels
        Judgments.
    run : path, open file, frame, dict or Run
        The run.
    measures : Measure or str, or an iterable of these, optional
        The measures; by default nDCG@10.
    **options
        How runs are read and judged, as for `gate`.

    Examples
    --------
    >>> score_baseline({"1": {"d": 1}}, {"1": {"d": 1.0}}, "RR")[0].scores
    {'RR': {'1': 1.0}}
    """
    wanted = _compared(read_measures(DEFAULT_MEASURES[0] if measures is None else measures))
    once = read_one(run)
    pair = ScoredPair.read(read_qrels(qrels), once, once, wanted, cast(ReadingOptions, {**DEFAULTS, **options}))
    return pair.stored(), pair.caveats


def _compared(measures: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return measures by their canonical spelling, or complain of those that a gate cannot look at."""
    for spelled, measure in measures.items():
        if measure.about_judgments:
            raise ParameterError(f"{spelled} says how much was judged; take a measure of relevance, such as nDCG@10")
        if measure.aggregation is Aggregation.GEOMETRIC:
            raise ParameterError(
                f"{spelled} is a geometric mean, and the gate compares plain means; take another measure"
            )
    return {repr(measure): measure for measure in measures.values()}


def _alpha(alpha: float) -> float:
    number: object = alpha
    if isinstance(number, bool) or not isinstance(number, int | float | np.floating) or not 0 < number < 0.5:
        raise ParameterError(f"alpha must lie between 0 and 0.5, not {quoted(alpha)}; write alpha={ALPHA}")
    return level(float(number))


def _limits(what: str, given: LimitLike, usual: float, measures: Mapping[str, Measure]) -> dict[str, Fraction]:
    """Return the limit of every measure, as it is written."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(measures, _limit(what, given, usual))
    found = dict.fromkeys(measures, rational(usual))
    for named, limit in given.items():
        for name in map(repr, read_measures(named).values()):
            if name not in found:
                raise ParameterError(
                    f"{what} names {named}, which the gate does not look at; it has {', '.join(measures)}"
                )
            found[name] = _limit(what, limit, usual)
    return found


def _most(given: LimitLike | None, measures: Mapping[str, Measure]) -> dict[str, float | None]:
    """Return the most that a topic can change under every measure: what is given, or else the range, if it is known."""
    own = given if isinstance(given, Mapping) else {}
    asked = {} if given is None else _limits("largest_change", given, 1.0, measures)
    named = asked if own is not given else {repr(each) for name in own for each in read_measures(name).values()}
    found = {name: float(asked[name]) if name in named else _range(each) for name, each in measures.items()}
    for name, most in found.items():
        if most == 0:
            raise ParameterError(f"largest_change must be more than 0, not 0, under {name}; write largest_change=0.5")
    return found


def _range(measure: Measure) -> float | None:
    low, high = measure.bounds
    return None if low is None or high is None else float(high - low)


def _seen(found: MeasureGate) -> float:
    """Return the largest change of a topic, but for rounding."""
    return float(np.abs(found.changes).max()) * (1 - 1e-9)


def _in_range(found: MeasureGate, measure: Measure) -> MeasureGate:
    """Return what was found with the range for the most that a topic can change, if some changed by more."""
    most = found.largest_change
    if most is None or _seen(found) <= most:
        return found
    wide = _range(measure)
    return evolve(found, largest_change=None if wide is None or _seen(found) > wide else wide)


def _contradicted(several: Iterable[MeasureGate], measures: Mapping[str, Measure]) -> Iterator[Caveat]:
    """Return the caveats that topics changed by more than was said to be the most."""
    for found in several:
        most = _in_range(found, measures[found.measure]).largest_change
        if most != found.largest_change:
            sizes = np.abs(found.changes)
            instead = "nothing is said of others" if most is None else f"the range, {most:g}, is taken instead"
            text = (
                f"topic {found.topics[int(sizes.argmax())]} changed by {sizes.max():.3g} under {found.measure}, more"
                f" than the {found.largest_change:g} that one topic is said to change at most; {instead}"
            )
            yield Caveat(CaveatKind.ASSUMPTION, text)


def _limit(what: str, given: object, usual: float) -> Fraction:
    plain = not isinstance(given, bool) and isinstance(given, int | float | Fraction | np.integer | np.floating)
    if not plain or not 0 <= cast(float, given) <= MOST:
        raise ParameterError(f"{what} must be a number from 0 to 10^12, not {quoted(given)}; write {what}={usual}")
    return rational(given)


def _units(measures: Mapping[str, Measure], *given: LimitLike) -> Iterator[Caveat]:
    """Return the caveat that one limit for all measures is used for some that do not go from 0 to 1, if it is."""
    if all(isinstance(each, Mapping) for each in given):
        return
    for name, measure in measures.items():
        if measure.bounds != (0, 1):
            text = f"values of {name} do not go from 0 to 1, and limits are in its units; give it its own: {name}=0.5"
            yield Caveat(CaveatKind.BOUNDS, text)
