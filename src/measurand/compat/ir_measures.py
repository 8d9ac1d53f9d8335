"""The calls of ir_measures, answered by measurand, and a provider for those who call ir_measures itself.

`iter_calc`, `calc_aggregate`, `calc` and `evaluator` take what those of ir_measures take, and measures of ours, of
ir_measures, or their spellings; the package need not be installed. Where it is, importing this module adds a provider
called `measurand` to it, behind all others, so that no number changes that ir_measures had before. `measure` makes a
measure for that provider alone, which `pt.Experiment` of PyTerrier takes as well.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from math import exp, log
from os import PathLike
from typing import Any, NamedTuple

from measurand import measures as catalogue
from measurand.compat.judging import judged_run
from measurand.errors import ParameterError
from measurand.judged.judge import PrecisionLike
from measurand.loading import needed
from measurand.measures import Measure, trec_names
from measurand.scores import Aggregation
from measurand.scores.scores import GEOMETRIC_FLOOR
from measurand.study.evaluation import read_measures
from measurand.trec import Qrels, Run, read_qrels, read_run
from measurand.trec.sources import is_frame

__all__ = [
    "CalcResults",
    "Evaluator",
    "Metric",
    "Qrel",
    "ScoredDoc",
    "UnknownMeasure",
    "calc",
    "calc_aggregate",
    "evaluator",
    "iter_calc",
    "measure",
    "parse_measure",
    "parse_trec_measure",
    "provider",
    "read_trec_qrels",
    "read_trec_run",
]

MEASURES = (
    "AP Accuracy BPM BPref Bpref Compat ERR INSQ INST IPrec Judged MAP MRR NDCG NERR10 NERR11 NERR8 NERR9 NumQ NumRel"
    " NumRelRet NumRet P Precision R RBP RPrec RR Recall Rprec SDCG SetAP SetF SetP SetR SetRelP Success infAP nDCG"
)
"""Measures that `import *` brings, as from ir_measures; `__getattr__` finds them."""

__all__ += MEASURES.split()


class Qrel(NamedTuple):
    """A judgment.

    Parameters
    ----------
    query_id, doc_id : str
        The topic and the document.
    relevance : int
        The grade.
    iteration : str, default "0"
        The second column of TREC files, which means nothing.
    """

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document that a system returned.

    Parameters
    ----------
    query_id, doc_id : str
        The topic and the document.
    score : float
        The score.
    """

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure on one topic.

    Parameters
    ----------
    query_id : str
        The topic.
    measure : Measure, or a measure of ir_measures
        The measure as it was given; read, if it was a spelling.
    value : float
        The value.
    """

    query_id: str
    measure: Any
    value: float


class CalcResults(NamedTuple):
    """The values of measures, averaged and by topic.

    Parameters
    ----------
    aggregated : dict of measure to float
        One number for each measure.
    per_query : list of Metric
        The value of every measure on every topic.
    """

    aggregated: dict[Any, float]
    per_query: list[Metric]


class Evaluator:
    """Measures and judgments that are read once, for as many runs as there are.

    Parameters
    ----------
    measures : iterable of Measure, str or measures of ir_measures
        The measures.
    qrels : mapping, frame, iterable of named tuples, path or Qrels
        The judgments.
    precision : {"double", "single"}
        How scores are compared: "single" as pytrec_eval does, which most measures of ir_measures come from.

    Examples
    --------
    >>> Evaluator(["RR"], [Qrel("1", "d1", 1), Qrel("2", "d1", 1)]).calc_aggregate([ScoredDoc("1", "d1", 0.5)])
    {RR: 0.5}
    """

    def __init__(self, measures: Iterable[Any], qrels: Any, *, precision: PrecisionLike = "double") -> None:
        self._read = dict(map(_with_reading, measures))
        self._qrels = _qrels(qrels)
        self._precision: PrecisionLike = precision

    @property
    def topics(self) -> tuple[str, ...]:
        """The judged topics."""
        return () if self._qrels is None else self._qrels.topics

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """Return the value of every measure on every judged topic; what a run leaves out is scored as empty.

        Parameters
        ----------
        run : mapping, frame, iterable of named tuples, path or Run
            What a system returned.
        """
        if self._qrels is None:
            return
        judged = judged_run(_run(run), self._qrels, self._precision)
        for given, read in self._read.items():
            for topic, value in zip(judged.topics, read.scores(judged).values[0].tolist(), strict=True):
                yield Metric(topic, given, value)

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """Return one number for each measure: the mean over judged topics, or the sum of what is counted.

        Parameters
        ----------
        run : mapping, frame, iterable of named tuples, path or Run
            What a system returned.
        """
        return self.calc(run).aggregated

    def calc(self, run: Any) -> CalcResults:
        """Return both: one number for each measure, and its value on every topic.

        Parameters
        ----------
        run : mapping, frame, iterable of named tuples, path or Run
            What a system returned.
        """
        found = list(self.iter_calc(run))
        values: dict[Any, list[float]] = {given: [] for given in self._read}
        for metric in found:
            values[metric.measure].append(metric.value)
        return CalcResults({given: _aggregated(self._read[given], each) for given, each in values.items()}, found)


def evaluator(measures: Iterable[Any], qrels: Any, *, precision: PrecisionLike = "double") -> Evaluator:
    """Return what scores runs by some measures and judgments, which are read once.

    Parameters
    ----------
    measures : iterable of Measure, str or measures of ir_measures
        The measures.
    qrels : mapping, frame, iterable of named tuples, path or Qrels
        The judgments.
    precision : {"double", "single"}
        How scores are compared.

    Examples
    --------
    >>> evaluator(["P@1"], {"1": {"d1": 1}}).calc_aggregate({"1": {"d1": 0.5}})
    {P@1: 1.0}
    """
    return Evaluator(measures, qrels, precision=precision)


def iter_calc(measures: Iterable[Any], qrels: Any, run: Any) -> Iterator[Metric]:
    """Return the value of every measure on every judged topic.

    Parameters
    ----------
    measures : iterable of Measure, str or measures of ir_measures
        The measures.
    qrels, run : mapping, frame, iterable of named tuples, path, Qrels or Run
        The judgments, and what a system returned.

    Examples
    --------
    >>> list(iter_calc(["RR"], {"1": {"d1": 1}, "2": {"d1": 1}}, {"1": {"d1": 0.5}}))
    [Metric(query_id='1', measure=RR, value=1.0), Metric(query_id='2', measure=RR, value=0.0)]
    """
    return Evaluator(measures, qrels).iter_calc(run)


def calc_aggregate(measures: Iterable[Any], qrels: Any, run: Any) -> dict[Any, float]:
    """Return one number for each measure: the mean over judged topics, or the sum of what is counted.

    Parameters
    ----------
    measures : iterable of Measure, str or measures of ir_measures
        The measures.
    qrels, run : mapping, frame, iterable of named tuples, path, Qrels or Run
        The judgments, and what a system returned.

    Examples
    --------
    >>> calc_aggregate(["RR", "NumRet"], {"1": {"d1": 1}, "2": {"d1": 1}}, {"1": {"d2": 0.6, "d1": 0.5}})
    {RR: 0.25, NumRet: 2.0}
    """
    return Evaluator(measures, qrels).calc_aggregate(run)


def calc(measures: Iterable[Any], qrels: Any, run: Any) -> CalcResults:
    """Return the values of measures, averaged and by topic.

    Parameters
    ----------
    measures : iterable of Measure, str or measures of ir_measures
        The measures.
    qrels, run : mapping, frame, iterable of named tuples, path, Qrels or Run
        The judgments, and what a system returned.

    Examples
    --------
    >>> calc(["RR"], {"1": {"d1": 1}}, {"1": {"d2": 0.6, "d1": 0.5}})
    CalcResults(aggregated={RR: 0.5}, per_query=[Metric(query_id='1', measure=RR, value=0.5)])
    """
    return Evaluator(measures, qrels).calc(run)


class UnknownMeasure(ParameterError, NameError):
    """A spelling that is none of a measure: the NameError or ValueError of ir_measures, whichever is expected."""


def parse_measure(text: str) -> Measure:
    """Return a measure of ours from its spelling, which is that of ir_measures.

    Parameters
    ----------
    text : str
        The spelling.

    Raises
    ------
    UnknownMeasure
        If there is no such measure; scripts that expect NameError or ValueError, as ir_measures raises them, go on.

    Examples
    --------
    >>> parse_measure("P(rel=2)@10")
    P(rel=2)@10
    """
    try:
        return catalogue.parse(text)
    except ParameterError as error:
        raise UnknownMeasure(str(error)) from None


def parse_trec_measure(text: str) -> list[Measure]:
    """Return the measures of ours that a name of trec_eval's stands for.

    Parameters
    ----------
    text : str
        The name, `ndcg_cut.5,10`, say.

    Examples
    --------
    >>> parse_trec_measure("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    """
    named = trec_names.read(text)
    if named is None:
        raise ParameterError(f"{text!r} is no name of trec_eval's; write it like ndcg_cut_10, or use parse_measure")
    return [each for _, each in named]


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    r"""Return the judgments of a TREC file, one after the other.

    Parameters
    ----------
    file : path, open file or str
        The file, or its text.

    Examples
    --------
    >>> list(read_trec_qrels("1 0 d1 2\n"))
    [Qrel(query_id='1', doc_id='d1', relevance=2, iteration='0')]
    """
    for topic, found in read_qrels(_opened(file)).to_dict().items():
        yield from (Qrel(topic, document, grade) for document, grade in found.items())


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    r"""Return the documents of a TREC run file with their scores, one after the other.

    Parameters
    ----------
    file : path, open file or str
        The file, or its text.

    Examples
    --------
    >>> list(read_trec_run("1 Q0 d1 1 0.5 bm25\n"))
    [ScoredDoc(query_id='1', doc_id='d1', score=0.5)]
    """
    for topic, found in read_run(_opened(file)).to_dict().items():
        yield from (ScoredDoc(topic, document, score) for document, score in found.items())


def _opened(file: Any) -> Any:
    return io.StringIO(file) if isinstance(file, str) and "\n" in file else file


def _with_reading(given: Any) -> tuple[Any, Measure]:
    """Return what a measure is called in results, and the measure."""
    inside = getattr(given, "ours", None)
    if isinstance(inside, Measure):
        return given, inside
    [read] = read_measures([given]).values()
    return read if isinstance(given, str) else given, read


def _aggregated(measure: Measure, values: Sequence[float]) -> float:
    """Return one number for the values of all topics, added one after the other as ir_measures does."""
    if measure.aggregation is Aggregation.SUM:
        return sum(values)
    if not values:
        return float("nan")
    if measure.aggregation is Aggregation.GEOMETRIC:
        return exp(sum(log(max(value, GEOMETRIC_FLOOR)) for value in values) / len(values))
    return sum(values) / len(values)


def _qrels(source: Any) -> Qrels | None:
    """Return judgments, or None where nothing was judged."""
    if isinstance(source, Qrels):
        return source
    held = _held(source)
    return None if _is_empty(held) else read_qrels(held)


def _run(source: Any) -> Run | None:
    """Return a run, or None for one that holds nothing."""
    if isinstance(source, Run):
        return source
    held = _held(source)
    return None if _is_empty(held) else read_run(held)


def _is_empty(held: Any) -> bool:
    if isinstance(held, Mapping):
        return not any(held.values())
    return (isinstance(held, list) or is_frame(held)) and not len(held)


def _held(source: Any) -> Any:
    """Return what may be an iterator as a list, and anything else as it is."""
    if isinstance(source, Mapping | str | PathLike) or is_frame(source) or hasattr(source, "read"):
        return source
    return list(source)


def measure(spelling: Measure | str) -> Any:
    """Return a measure of ours as one of ir_measures', for `ir_measures.calc_aggregate` or `pt.Experiment`.

    It is always computed here, whatever other providers have.

    Parameters
    ----------
    spelling : Measure or str
        A measure of ours, or its spelling.

    Examples
    --------
    >>> import ir_measures
    >>> graded = measure("gRBP(p=0.8)")
    >>> found = ir_measures.calc_aggregate([graded], {"1": {"d1": 2, "d2": 1}}, {"1": {"d2": 0.6, "d1": 0.5}})
    >>> {str(name): round(value, 4) for name, value in found.items()}
    {'gRBP(p=0.8)': 0.26}
    """
    [read] = read_measures(spelling).values()
    return _measure_class()(read)


def provider() -> Any:
    """Return the provider of measurand, registered with ir_measures and last in the order in which it asks.

    Examples
    --------
    >>> import ir_measures
    >>> provider() is ir_measures.providers.registry["measurand"]
    True
    """
    ir_measures = needed("ir_measures", "peers", "a provider for ir_measures")
    registry = ir_measures.providers.registry
    if "measurand" not in registry:
        ir_measures.providers.register(_provider_class()())
        ir_measures.DefaultPipeline.providers.append(registry["measurand"])
    return registry["measurand"]


@cache
def _measure_class() -> type:
    """Return the class of our measures for ir_measures."""
    ir_measures: Any = needed("ir_measures", "peers", "a measure for ir_measures")

    class MeasurandMeasure(ir_measures.Measure):  # type: ignore[misc] # its package is loaded here
        """A measure of ours."""

        def __init__(self, ours: Measure) -> None:
            super().__init__()
            self.ours = ours
            self.NAME = self.__name__ = f"measurand.{ours!r}"

        def __call__(self, **parameters: Any) -> MeasurandMeasure:
            return MeasurandMeasure(self.ours(**parameters))

        def __matmul__(self, value: Any) -> MeasurandMeasure:
            return MeasurandMeasure(self.ours @ value)

        def __repr__(self) -> str:
            return repr(self.ours)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, MeasurandMeasure) and self.ours == other.ours

        def __hash__(self) -> int:
            return hash(self.NAME)

        def aggregator(self) -> Any:
            return _Aggregator(self.ours)

    return MeasurandMeasure


@cache
def _provider_class() -> type:
    """Return the class of our provider for ir_measures."""
    ir_measures: Any = needed("ir_measures", "peers", "a provider for ir_measures")

    class MeasurandProvider(ir_measures.Provider):  # type: ignore[misc]
        """What computes measures here."""

        NAME = "measurand"

        def supports(self, measure: Any) -> bool:
            measure.validate_params()
            try:
                return bool(_with_reading(measure))
            except ParameterError:
                return False

        def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Any:
            return MeasurandEvaluator(list(measures), qrels)

    class MeasurandEvaluator(ir_measures.Evaluator):  # type: ignore[misc]
        """Measures and judgments, for many runs."""

        def __init__(self, measures: Sequence[Any], qrels: Any) -> None:
            self._ours = Evaluator(measures, qrels)
            super().__init__(measures, set(self._ours.topics))

        def _iter_calc(self, run: Any) -> Iterator[Any]:
            return (ir_measures.Metric(*metric) for metric in self._ours.iter_calc(run))

    return MeasurandProvider


class _Aggregator:
    """One number for the values of topics, as ir_measures asks for it."""

    def __init__(self, measure: Measure) -> None:
        self._measure, self._values = measure, list[float]()

    def add(self, value: float) -> None:
        self._values.append(value)

    def result(self) -> float:
        return _aggregated(self._measure, self._values)


def __getattr__(name: str) -> Any:
    # measures by their names, as ir_measures has them
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(catalogue, name)


if find_spec("ir_measures") is not None:
    provider()
