"""Explanations: which conventions give a number."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from measurand.calls import explains_calls
from measurand.display.result import Result, shortened
from measurand.display.tables import Column, Document, TableView
from measurand.display.wording import counted, listed
from measurand.errors import Caveat, MeasurandError
from measurand.exact import whole_number
from measurand.execution import Progress, check_progress, silent
from measurand.measures import Measure, MeasureLike, parse
from measurand.measures.geometric_mean import GeometricMean
from measurand.study.explain.bench import Bench, bench_of
from measurand.study.explain.convention import Convention, Mean
from measurand.study.explain.search import Candidate, search, searched
from measurand.study.explain.written_number import Match, WrittenNumber
from measurand.trec import QrelsLike, RunLike
from measurand.trec.sources import check_qrels, check_runs

MOST = 8
"""So many conventions are listed by default."""

SEPARATOR = "; "
"""What stands between the names of tools, for programs."""

SHOWN_TOOLS = 3
"""So many tools are named in a line."""

WINDOW = 100
"""Conventions by chance are counted among values this many times as far off as rounding allows."""

USAGE = 'call explain("0.4314", "qrels.txt", "bm25.run", "nDCG@10")'


@frozen
class Plain:
    """What a run has under a measure, without any departure.

    Parameters
    ----------
    words : str
        The measure.
    convention : Convention
        What is computed: the measure, and the geometric mean where the measure is one.
    value : float
        The value.
    """

    words: str
    convention: Convention
    value: float


@frozen(kw_only=True, eq=False, repr=False)
class Explanation(Result):
    """Conventions that give a number, or come near it.

    Parameters
    ----------
    number : WrittenNumber
        The number, as it was written.
    system : str
        The run.
    topic : str or None
        The topic whose value it is; None for an average.
    candidates : tuple of Candidate
        The conventions that are listed: those that give the number first, the simplest first, then the nearest.
    found : int
        How many different values give the number.
    tried : int
        How many conventions were tried.
    by_chance : float
        How many different values would give the number if they lay there by chance, going by those around it.
    plain : Plain or None
        What the run has under the measure as it is named, or under that of the first candidate if none was; None where
        the measure refuses the data.
    caveats : tuple of Caveat
        What is to be known of the files.

    Examples
    --------
    >>> qrels, run = {"1": {"d1": 3, "d2": 1}}, {"1": {"d2": 2.0, "d1": 1.0}}
    >>> first = explain("0.7098", qrels, run, "nDCG@10").candidates[0]
    >>> first.best.words, first.value, first.tools[1]
    ('nDCG@10 with gains 2^g − 1', 0.7098097413968655, 'ranx 0.3.21 ndcg_burges@10')
    """

    number: WrittenNumber
    system: str
    topic: str | None
    candidates: tuple[Candidate, ...]
    found: int
    tried: int
    by_chance: float
    plain: Plain | None = None
    caveats: tuple[Caveat, ...] = ()

    @property
    def sentence(self) -> str:
        """What the run has, and the simplest convention that gives the number, or the nearest, in words."""
        first, text = self.candidates[0], self.number.text
        value = self._written(first.value, percent=first.number.percent)
        if first.match is None:
            off = first.distance * (100 if first.number.percent else 1)
            nearest = f"The nearest is {first.best.words}: {value}, {off:.2g} off."
            tried = counted(self.tried, "variant")
            return f"{self._plainly()}None of {tried} gives {text}. Is it the right run? {nearest}"
        how = ", truncated and not rounded" if first.match is Match.TRUNCATED else ""
        tools = _named(SEPARATOR.join(first.tools))
        followed = f", as in {tools}" if tools else ""
        if self.plain is not None and first.best.convention == self.plain.convention:
            rounds = "which is" if how else "which rounds to"
            return f"{self._whose} {self.plain.words} is {value}, {rounds} {self._read}{how}{followed}."
        read = f"{self._read}," if self._read != text else text
        return f"{self._plainly()}{read} is what {first.best.words} gives ({value}{how}){followed}."

    @property
    def _whose(self) -> str:
        return "This run's" if self.topic is None else f"On topic {self.topic} this run's"

    @property
    def _read(self) -> str:
        """The number, and how it is read where it can be read in two ways."""
        first, text = self.candidates[0], self.number.text
        if not self.number.may_be_percentage or first.best.plain.bounds != (0, 1):
            return text
        return f"{text}, read as {'a percentage' if first.number.percent else 'it stands'}"

    def _plainly(self) -> str:
        """What the run has under the measure without any departure, as a sentence before others."""
        if self.plain is None:
            return ""
        percent = self.candidates[0].number.percent
        places = min(max(self.number.decimals - 2 * self.number.percent, 2 if percent else 4), 15)
        value = f"{100 * self.plain.value:.{places}f} %" if percent else f"{self.plain.value:.{places}f}"
        return f"{self._whose} {self.plain.words} is {value}. "

    @property
    def _others(self) -> str:
        """What else gives the number, and what would tell the conventions apart."""
        first = self.candidates[0]
        if first.match is None:
            return ""
        apart = "more decimals" if self.topic is not None else "more decimals, or the value of one topic (--topic),"
        if self.found == 1 and not first.others:
            return "No other convention that was tried gives it."
        more = self.found - 1
        said = [
            f"{counted(len(first.others), 'other convention gives', 'other conventions give')} exactly the same value"
            if first.others
            else "",
            f"{counted(more, 'other value rounds', 'other values round')} to it" if more else "",
        ]
        telling = f"; {apart} would tell these apart" if more else ""
        return f"{' and '.join(filter(None, said))}{telling}."

    def document(self) -> Document:
        """Return the answer, what else gives the number, and the list of conventions."""
        tried = f"{counted(self.tried, 'convention')} tried"
        chance = (
            f", of which about {self.by_chance:.0f} would give a number like this by chance"
            if self.by_chance >= 0.5 and self.found
            else ""
        )
        where = f"{self.system}, topic {self.topic}" if self.topic is not None else self.system
        title = f"{where}: {tried}{chance}"
        return Document([*filter(None, [self.sentence, self._others]), self._view(title)], self.caveats)

    def _view(self, title: str) -> TableView:
        columns = [
            Column("value", lambda row: self._written(row["value"], percent=row["percentage"])),
            Column("", lambda row: "=" if row["gives"] else "", mark=True),
            Column("off by", lambda row: f"{row['distance'] * (100 if row['percentage'] else 1):.1g}"),
            Column("convention", "convention", left=True, wrap="words", ratio=3),
            Column("tools", lambda row: _named(row["tools"]) or "–", left=True, wrap="words", ratio=2),
        ]
        fields: dict[str, type] = {"value": float, "distance": float, "gives": str, "percentage": bool}
        fields |= {"convention": str, "tools": str}
        return TableView(columns, [self._row(each) for each in self.candidates], title=title, fields=fields)

    def _written(self, value: float, *, percent: bool) -> str:
        """Return a value with two decimals more than the number."""
        places = min(max(self.number.decimals + 2, 4), 15)
        return f"{100 * value:.{places}f} %" if percent else f"{value:.{places}f}"

    def _row(self, candidate: Candidate) -> dict[str, Any]:
        return {
            "value": candidate.value,
            "distance": candidate.distance,
            "gives": None if candidate.match is None else str(candidate.match),
            "percentage": candidate.number.percent,
            "convention": candidate.best.words,
            "tools": SEPARATOR.join(candidate.tools),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation, ready for JSON: every listed convention with all its choices."""
        candidates = [
            {
                "value": each.value,
                "distance": each.distance,
                "gives": None if each.match is None else str(each.match),
                "percentage": each.number.percent,
                "words": each.best.words,
                "convention": each.best.convention.choices(each.best.plain),
                "tools": list(each.tools),
                "same_value": list(each.others),
            }
            for each in self.candidates
        ]
        return {
            "number": self.number.text,
            "system": self.system,
            "topic": self.topic,
            "sentence": self.sentence,
            "plain": None if self.plain is None else {"measure": self.plain.words, "value": self.plain.value},
            "found": self.found,
            "tried": self.tried,
            "by_chance": self.by_chance,
            "candidates": candidates,
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def __repr__(self) -> str:
        return f"<Explanation: {shortened(self.sentence)}>"


def _named(tools: str) -> str:
    """Return the first of some tools."""
    return listed(tools.split(SEPARATOR), SHOWN_TOOLS) if tools else ""


def _plain(bench: Bench, measure: Measure, topic: str | None) -> Plain | None:
    """Return what a run has under a measure; None where the measure refuses the data."""
    geometric = isinstance(measure, GeometricMean)
    convention = Convention(
        measure=measure.measure if isinstance(measure, GeometricMean) else measure,
        mean=Mean.GEOMETRIC if geometric and topic is None else Mean.ARITHMETIC,
    )
    words = repr(convention.measure if topic is not None else measure)
    try:
        return Plain(words, convention, bench.value(convention, topic))
    except MeasurandError:
        return None


@explains_calls
def explain(
    value: object,
    qrels: QrelsLike,
    run: RunLike,
    measure: MeasureLike | None = None,
    *,
    topic: str | None = None,
    most: int = MOST,
    progress: Progress = silent,
) -> Explanation:
    """Return which conventions give a number for a run: gains, discounts, ties, missing topics, averages, and others.

    Parameters
    ----------
    value : number or str
        The number, such as 0.4314. Its decimals say how precise it is, so write "0.4310" as text to keep the last 0;
        "43.1%" is a percentage; a number above 1 for a measure up to 1 is tried as it stands and as a percentage.
    qrels : path, open file, frame, dict or Qrels
        Judgments in any form that `read_qrels` accepts.
    run : path, open file, frame, dict or Run
        The run in any form that `read_run` accepts.
    measure : Measure or str, optional
        The measure, such as nDCG@10; usual cutoffs are tried if it has none, usual measures if it is not given.
    topic : str, optional
        The topic whose value the number is; by default it is an average over topics.
    most : int
        How many conventions to list.
    progress
        Shows how far a long search is.

    Returns
    -------
    Explanation
        Those that give the number first, the simplest first; then the nearest.

    Examples
    --------
    >>> qrels, run = {"1": {"d1": 3, "d2": 1}, "2": {"d1": 1}}, {"1": {"d2": 2.0, "d1": 1.0}}
    >>> found = explain("0.797", qrels, run, "nDCG@10")
    >>> found.candidates[0].best.words, found.candidates[0].tools[:2]
    ('nDCG@10 with missing topics left out of the mean', ('trec_eval 9.0.8 -m ndcg_cut.10', 'pytrec_eval 0.5.11 ndcg_cut_10'))
    >>> print(explain("0.21", qrels, run, "P@1").sentence)
    This run's P@1 is 0.5000. None of 106 variants gives 0.21. Is it the right run? The nearest is P@1 with cutoff 2, grades from 2 on relevant: 0.2500, 0.04 off.

    Notes
    -----
    A convention that gives a number need not be where it comes from: with few decimals, several do.
    """  # noqa: E501 - a tuple as it is printed
    check_progress(progress)
    number, named = WrittenNumber.read(value), searched(measure)
    check_qrels(qrels, USAGE)
    check_runs(run, USAGE)
    whole_number("most", most, 1)
    bench = bench_of(qrels, run)
    named_topic = bench.named(topic)
    found = search(number, bench, named, named_topic, progress)
    near = [each for each in found.candidates if each.match is None and each.distance <= WINDOW * each.number.half]
    return Explanation(
        number=number,
        system=bench.results.name,
        topic=named_topic,
        candidates=tuple(found.candidates[:most]),
        found=len(found.hits),
        tried=found.tried,
        by_chance=len(near) / (WINDOW - 1),
        plain=_plain(bench, parse(measure or found.candidates[0].best.plain), named_topic),
        caveats=bench.plain.caveats,
    )
