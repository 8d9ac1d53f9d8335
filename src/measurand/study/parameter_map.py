"""Parameter maps: of two systems, which is ahead for which value of a parameter of a measure.

Two people may agree on RBP and differ about p. A map shows for which p each of two systems has the higher mean, and
where the lead changes: the roots of a polynomial, isolated exactly. The same is done for the cutoff of an additive
measure, the base of DCG's logarithm, and what one grade is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.calls import explains_calls, option
from measurand.display.result import Result, shortened
from measurand.display.tables import Column, Document, Paragraph, Part, TableView, Words
from measurand.display.wording import listed
from measurand.errors import Caveat, ParameterError
from measurand.exact import RationalLike, decimal, rational, spell, weighted_sum, whole_number
from measurand.judged import JudgedRuns
from measurand.judged.grades import RealGrade
from measurand.measures.additive import Additive
from measurand.measures.base import Graded, Measure, MeasureLike
from measurand.measures.campaigns import on_judged
from measurand.measures.counts import NumberRelevantRetrieved
from measurand.measures.discounted_gain import DiscountedCumulatedGain
from measurand.measures.parameters import Threshold, gain_of, spelling
from measurand.measures.parse import parse
from measurand.measures.precision import Precision
from measurand.measures.rank_biased_precision import Geometric
from measurand.study.dominance import caveats_of, left_out_caveats
from measurand.study.paired_runs import PairedRuns, ranks_compared
from measurand.study.parameter_curves import (
    Curve,
    GainCurve,
    ParameterValue,
    PersistenceCurve,
    Steps,
    base_signs,
    cutoff_signs,
    leads_of,
)
from measurand.study.parameter_words import map_sentence, value_texts

if TYPE_CHECKING:
    from measurand.display.charts import Figure

MAPPED = (
    "RBP and gRBP over p, DCG, SDCG, P, gP, RBP, gRBP, INSQ and NumRelRet over the cutoff, DCG and SDCG over b,"
    " DCG, SDCG, gP, gRBP and INSQ over a gain"
)
"""Which measures can be mapped, and over what."""

NAMES: Mapping[str, str] = {"p": "p", "cutoff": "cutoff", "b": "base b"}
"""What parameters are called."""


@frozen(eq=False)
class Segment:
    """Values of a parameter for which the same system is ahead.

    Parameters
    ----------
    low, high : ParameterValue
        From where to where: whole numbers are both part of it, other ends are not. `high` is None where there is none.
    leader : str or None
        The system with the higher mean; None where the means are level.
    """

    low: ParameterValue
    high: ParameterValue | None
    leader: str | None


@frozen(kw_only=True, eq=False, repr=False)
class ParameterMap(Result):
    """Which of two systems is ahead for which value of a parameter of a measure.

    Parameters
    ----------
    a, b : str
        The two systems.
    measure : Measure
        The measure, with its other parameters.
    over : str
        The parameter: `"p"`, `"cutoff"`, `"b"` or `"gain"`.
    grade : int or Fraction or None
        The grade whose gain it is.
    topics : int
        How many topics the means are over.
    segments : tuple of Segment
        Who is ahead where, in ascending order. Parameters that can be any number are cut where the systems are level.
    changes : tuple of ParameterValue
        Where the lead passes to the other system: the roots at which it changes, each with `low` and `high`; for whole
        numbers the first one at which the other leads.
    touches : tuple of ParameterValue
        Where the systems are level though the same one leads on both sides, and at an end; none for whole numbers,
        which have segments for that.
    caveats : tuple of Caveat
        What is to be known of the comparison.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> found = parameter_map(judged, "s0", "s1", "RBP")
    >>> found.sentence, found.at(0.6), found.at("0.7")
    ('s0 is ahead for p < 0.618, s1 above', 's0', 's1')
    >>> parameter_map(judged, "s0", "s1", "P").sentence
    's0 is ahead at cutoff 1, s1 at 3; level at 2'
    """

    a: str
    b: str
    measure: Measure
    over: str
    grade: Threshold | None
    topics: int
    segments: tuple[Segment, ...]
    changes: tuple[ParameterValue, ...]
    touches: tuple[ParameterValue, ...]
    caveats: tuple[Caveat, ...] = ()
    _curve: Curve | Steps = field(alias="curve")

    @property
    def parameter(self) -> str:
        """What the parameter is called, in words."""
        return NAMES.get(self.over) or f"gain of grade {self.grade}"

    @property
    def spelled(self) -> str:
        """The spelling of the measure without the parameter."""
        return spelling(self.measure, self.over)

    @property
    def ends(self) -> tuple[ParameterValue, ParameterValue | None]:
        """The least and the greatest value of the parameter, None where there is no greatest."""
        return self.segments[0].low, self.segments[-1].high

    @property
    def steps(self) -> bool:
        """Whether the parameter is a whole number."""
        return isinstance(self._curve, Steps)

    @property
    def sentence(self) -> str:
        """Who is ahead where, in words."""
        return map_sentence(self)

    def at(self, value: object) -> str | None:
        """Return which system is ahead for a value of the parameter, exactly; None where they are level.

        Parameters
        ----------
        value : number or str
            The value, such as 0.8 or "4/5".
        """
        if isinstance(self._curve, Steps):
            place = self._curve.read(self.over, value, endless=self.over == "b") - self._curve.first
            return self._named(self._curve.signs[place])
        number, (low, high) = rational(value), self._curve.ends
        outside = number < low or (high is not None and number > high)
        if outside or (self.over == "p" and number in (low, high)):
            span = f"from {spell(low)} up" if high is None else f"between {spell(low)} and {spell(high)}"
            raise ParameterError(f"{self.parameter} must be {span}, not {value!r}")
        return self._named(self._curve.sign(number))

    def _named(self, sign: int) -> str | None:
        return {1: self.a, -1: self.b}.get(sign)

    def differences(self, values: FloatArray) -> FloatArray:
        """Return the mean differences of `a` and `b` for some values of the parameter, as floats.

        Parameters
        ----------
        values : array of float
            The values.
        """
        if isinstance(self._curve, Steps):
            return self._curve.differences[np.asarray(values, dtype=np.int64) - self._curve.first]
        return self._curve.differences(np.asarray(values, dtype=np.float64))

    def __repr__(self) -> str:
        return f"<ParameterMap of {shortened(f'{self.spelled}: {self.sentence}')}>"

    def document(self) -> Document:
        """Return what was found: the sentence, and who is ahead where."""
        title = f"{self.a} against {self.b} under {self.spelled}, by {self.parameter}"
        columns = [
            Column("from", "written_from"),
            Column("to", "written_to"),
            Column("ahead", lambda row: row["leader"] or "level", left=True),
        ]
        fields = {"from": float, "to": float, "leader": str}
        view = TableView(columns, self._rows(), title=title, fields=fields)
        return Document([f"{self.sentence}.", view], self.caveats)

    def _rows(self) -> list[dict[str, Any]]:
        written = value_texts(self)
        return [
            {
                "from": float(each.low),
                "to": None if each.high is None else float(each.high),
                "leader": each.leader,
                "written_from": written(each.low),
                "written_to": "" if each.high is None else written(each.high),
            }
            for each in self.segments
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the map, ready for JSON: exact numbers as text, with the nearest float."""
        segments = [
            {"low": _value(each.low), "high": _value(each.high), "leader": each.leader} for each in self.segments
        ]
        return {
            "a": self.a,
            "b": self.b,
            "measure": repr(self.measure),
            "over": self.over,
            "grade": str(self.grade) if isinstance(self.grade, Fraction) else self.grade,
            "topics": self.topics,
            "sentence": self.sentence,
            "segments": segments,
            "changes": [_value(each) for each in self.changes],
            "touches": [_value(each) for each in self.touches],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def plot(self) -> Figure:
        """Return a drawing: the mean difference against the parameter, with who is ahead where.

        Examples
        --------
        >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
        >>> parameter_map(judged, "s0", "s1", "RBP").plot()
        Figure('s0 is ahead for p < 0.618, s1 above')
        """
        from measurand.display.charts import Figure  # loaded when something is drawn
        from measurand.study.pair_plots import parameter_chart

        return Figure(parameter_chart(self))


def _value(value: ParameterValue | None) -> dict[str, Any] | None:
    """Return a value of a parameter for JSON: between what and what it is, and the nearest float."""
    if value is None:
        return None
    return {"low": str(value.low), "high": str(value.high), "value": float(value)}


@explains_calls
def parameter_map(
    judged: JudgedRuns,
    a: str,
    b: str,
    measure: MeasureLike,
    *,
    over: str | None = None,
    grade: RationalLike | None = None,
    depth: int | None = None,
) -> ParameterMap:
    r"""Return which of two systems has the higher mean for which value of a parameter of a measure.

    Parameters
    ----------
    judged : JudgedRuns
        The judged runs.
    a, b : str
        The names of two systems.
    measure : Measure or str
        A measure that is a sum of discounted gains, the same on all topics, or its spelling: RBP, gRBP, DCG, P, gP or
        NumRelRet. Its other parameters are kept.
    over : str, optional
        The parameter: `"p"` of RBP and gRBP, `"cutoff"` of all, `"b"` of DCG in Järvelin and Kekäläinen's definition,
        or `"gain"`, what one grade is worth. By default p, if the measure has one, and else the cutoff.
    grade : int, Fraction or str, optional
        The grade whose gain it is. It can be worth as much as its neighbours or anything between.
    depth : int, optional
        How many ranks to look at, by default all; a cutoff of the measure's own comes first.

    Returns
    -------
    ParameterMap
        Who is ahead where, decided exactly.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(2, 0, 0, 0), (0, 1, 1, 1)], (3, 3, 1))
    >>> parameter_map(judged, "s0", "s1", "DCG", over="gain", grade=2).sentence
    's1 is ahead where grade 2 is worth less than 1.5616, s0 above'
    >>> parameter_map(judged, "s0", "s1", "DCG").sentence
    's0 is ahead at every cutoff from 1 to 4'

    Notes
    -----
    What is unjudged or missing counts as grade 0. Topics that either system left out do not count if the runs were
    judged with `missing_topics="skip"`.

    Under RBP the difference is :math:`(1 - p)` times a polynomial in p whose coefficients are differences of sums of
    gains, so all changes of the lead are roots of it. Where weights are logarithms, a sum of them is taken to be 0 only
    if all its coefficients are (see `measurand.exact`).

    References
    ----------
    [MoffatZobel2008]_, [JarvelinKekalainen2002]_
    """
    named, ranks = on_judged(_mapped(measure), judged), ranks_compared(judged, depth)
    over, grade = _chosen(named, over, grade)
    reach = named.reach(ranks if named.cutoff is None else judged.depth)
    named = named if named.cutoff is not None else named @ reach
    pair = PairedRuns(judged, a, b, reach)
    topics = len(pair.kept)
    curve = _CURVES[over](named, judged, _more(pair), topics, grade)
    return ParameterMap(
        a=a,
        b=b,
        measure=named,
        over=over,
        grade=grade,
        topics=topics,
        curve=curve,
        caveats=(*caveats_of(judged), *left_out_caveats(len(judged.topics) - topics)),
        **(_stepwise(curve, a, b) if isinstance(curve, Steps) else _continuous(curve, a, b)),
    )


def _mapped(measure: MeasureLike) -> Measure:
    """Return a measure that is additive and the same on all topics, or complain."""
    named = parse(measure)
    sums = isinstance(named, Additive) and named.is_defined_by(Additive) and not named.uses_recall_base
    if named.judged_only or not (sums or type(named) in (Precision, NumberRelevantRetrieved)):
        raise ParameterError(
            f"{named!r} is no sum of discounted gains that is the same on all topics, so it has no map; maps are of"
            f" {MAPPED}"
        )
    return named


def _chosen(measure: Measure, over: str | None, grade: RationalLike | None) -> tuple[str, Threshold | None]:
    """Return the parameter to map and the grade, or complain that the measure does not have them."""
    has = {
        "p": isinstance(measure, Geometric),
        "cutoff": True,
        "b": isinstance(measure, DiscountedCumulatedGain),
        "gain": "gain" in measure.parameters(),
    }
    known = [name for name, there in has.items() if there]
    chosen = over if over is not None else "gain" if grade is not None else known[0]
    if chosen not in known:
        if chosen not in has:
            option("over", chosen, known)
        raise ParameterError(f"{measure!r} has no map over {chosen!r}, only over {listed(known)}; maps are of {MAPPED}")
    if chosen != "gain" and grade is not None:
        raise ParameterError(f"grade={grade} belongs to over='gain', not to over={chosen!r}; leave one of them out")
    if chosen == "gain":
        if grade is None:
            raise ParameterError("over='gain' needs the grade whose gain it is; write grade=1")
        if measure.relevance is None:
            return chosen, whole_number("grade", grade, such_as=1)
        number = rational(grade)
        return chosen, number.numerator if number.denominator == 1 else RealGrade(number)
    return chosen, None


def _more(pair: PairedRuns) -> IntArray:
    """Return on how many more topics the first system has a document of a grade at a rank: grades × ranks."""
    # judgments may have grades above those of all documents
    grades = max(pair.judged.grade_counts.shape[1], pair.grades, 2)
    ours, theirs = pair.cells
    rows = [(ours == grade).sum(axis=0) - (theirs == grade).sum(axis=0) for grade in range(1, grades)]
    return np.array([np.zeros(pair.depth), *rows], dtype=np.int64)


def _gains(measure: Measure, judged: JudgedRuns, grades: int) -> list[Fraction]:
    """Return what the grades are worth under a measure."""
    if isinstance(measure, Additive):
        top = max((measure.top_grade(pool) for pool in set(judged.pools)), default=1)
        return [Fraction(0), *(measure.gain_at(grade, top) for grade in range(1, grades))]
    return [Fraction(grade >= measure.lowest) for grade in range(grades)]


def _weights(measure: Measure, ranks: int) -> list[Any]:
    """Return the weights of the first ranks under a measure."""
    if isinstance(measure, Additive):
        return [measure.weight(rank) for rank in range(1, ranks + 1)]
    return [Fraction(1)] * ranks


def _over_p(measure: Measure, judged: JudgedRuns, counts: IntArray, topics: int, _: Threshold | None) -> Curve:
    return PersistenceCurve(leads_of(counts, _gains(measure, judged, len(counts))), topics)


def _over_cutoffs(measure: Measure, judged: JudgedRuns, counts: IntArray, topics: int, _: Threshold | None) -> Steps:
    ranks = counts.shape[1]
    leads, weights = leads_of(counts, _gains(measure, judged, len(counts))), _weights(measure, ranks)
    sums = np.cumsum(np.array(list(map(float, weights))) * np.array(list(map(float, leads))))
    shares = [_divisor(measure @ rank, judged) for rank in range(1, ranks + 1)]
    return Steps(1, cutoff_signs(weights, leads), sums / shares / max(topics, 1))


def _over_bases(measure: Measure, judged: JudgedRuns, counts: IntArray, topics: int, _: Threshold | None) -> Steps:
    ranks = counts.shape[1]
    leads = leads_of(counts, _gains(measure, judged, len(counts)))
    signs = base_signs(leads, lambda base: _weights(measure(b=base), ranks))
    logs, bases = np.log(np.arange(1, ranks + 1)), np.log(np.arange(2, len(signs) + 2))
    weights = 1 / np.maximum(1, logs[None, :] / bases[:, None])
    divisors = [_divisor(measure(b=base), judged) for base in range(2, len(signs) + 2)]
    return Steps(2, signs, weights @ np.array(list(map(float, leads))) / divisors / max(topics, 1))


def _over_gain(measure: Measure, judged: JudgedRuns, counts: IntArray, topics: int, grade: Threshold | None) -> Curve:
    top = max([len(counts) - 1, *(measure.top_grade(pool) for pool in set(judged.pools))])
    grades = measure.worths(top)
    if not grade or grade not in grades:
        ends = f"{decimal(grades[1])} to {decimal(grades[top])}"
        raise ParameterError(f"there is no grade {grade}; the grades are {ends}, so write grade={decimal(grades[top])}")
    gain, place = measure.parameters()["gain"], grades.index(grade)
    gains = [gain_of(gain, each) for each in grades]
    low, high = max(gains[:place]), min(gains[place + 1 :], default=None)
    if high is not None and low > high:
        raise ParameterError(
            f"{measure!r}: a lower grade than {grade} is worth {spell(low)}, a higher one {spell(high)}; a map needs"
            " gains that do not fall with the grade"
        )
    weights = _weights(measure, counts.shape[1])
    parts = [weighted_sum(zip(weights, row, strict=True)) for row in counts.tolist()]
    parts += [Fraction(0)] * (top + 1 - len(parts))
    fixed = sum((part * gains[each] for each, part in enumerate(parts) if each != place), Fraction(0))
    others = max([*gains[:place], *gains[place + 1 :]])
    divided = isinstance(measure, Graded)
    scale = partial(_scale, max(topics, 1) * _divisor(measure, judged), float(others) if divided else None)
    return GainCurve(fixed, parts[place], low, high, scale)


def _divisor(measure: Measure, judged: JudgedRuns) -> float:
    """Return what sums of discounted gains are divided by, on all topics alike."""
    if isinstance(measure, Additive):
        return float(measure.scalings(judged)[0])
    return (measure.cutoff or 1) if measure.per_rank else 1


def _scale(number: float, others: float | None, gains: FloatArray) -> FloatArray:
    """Return what sums are divided by: a number, times the highest gain where the measure divides by it."""
    if others is None:
        return np.full_like(gains, float(number))
    highest = np.maximum(others, gains)
    return number * np.where(highest > 0, highest, 1.0)


_CURVES: Mapping[str, Any] = {"p": _over_p, "cutoff": _over_cutoffs, "b": _over_bases, "gain": _over_gain}


def _continuous(curve: Curve, a: str, b: str) -> dict[str, Any]:
    """Return the segments, changes and touches of a curve."""
    names, (low, high) = {1: a, -1: b, 0: None}, curve.ends
    roots = curve.roots()
    inside = [value for value, _ in roots if value.exact is None or value.exact not in (low, high)]
    ends = [ParameterValue.of(low), *inside, None if high is None else ParameterValue.of(high)]
    pieces = zip(pairwise(ends), curve.signs(), strict=True)
    return {
        "segments": tuple(Segment(start, stop, names[sign]) for (start, stop), sign in pieces if start is not None),
        "changes": tuple(value for value, crosses in roots if crosses),
        "touches": tuple(value for value, crosses in roots if not crosses),
    }


def _stepwise(steps: Steps, a: str, b: str) -> dict[str, Any]:
    """Return the segments and changes of a parameter that is a whole number."""
    names, segments, at = {1: a, -1: b, 0: None}, [], steps.first
    for sign, same in groupby(steps.signs):
        after = at + len(list(same))
        segments.append(Segment(ParameterValue.of(at), ParameterValue.of(after - 1), names[sign]))
        at = after
    leading = [each for each in segments if each.leader is not None]
    changes = [other.low for one, other in pairwise(leading) if one.leader != other.leader]
    return {"segments": tuple(segments), "changes": tuple(changes), "touches": ()}


def map_parts(maps: Sequence[ParameterMap]) -> Iterator[Part]:
    """Return which system is ahead for which value of a parameter, a sentence for each map.

    Parameters
    ----------
    maps
        The maps.
    """
    if not maps:
        return
    yield ""
    yield Words.of("Who is ahead, by the parameter of a measure", "strong")
    for found in maps:
        what = f"{found.a} against {found.b} under {found.spelled}, by {found.parameter}"
        yield Paragraph(Words(((what, "strong"), (f": {found.sentence}.", ""))), indent=1)
