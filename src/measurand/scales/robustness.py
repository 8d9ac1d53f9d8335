"""Robustness: answers to whether a statement survives every permissible rescaling, and that for all means at once."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.display.data import finite
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, Words
from measurand.display.wording import capitalised
from measurand.errors import ParameterError
from measurand.scale import Scale, as_scale
from measurand.scales.admissibility import SCALES
from measurand.scales.transformations import Transformation, distinct_digits
from measurand.scores import Scores
from measurand.verdict import How, Verdict

FEW = 6
"""So many numbers of a ranking are shown."""

DUST = 1e-12
"""Numbers so much smaller than others are shown as 0: rounding leaves as much."""


class Answer(StrEnum):
    """What becomes of a statement when scores are rescaled as their scale permits.

    Robust: no rescaling changes its truth. Fragile: the rescaling that is shown changes it. Not meaningful: no
    statement of its kind means anything on this scale, and the rescaling that is shown changes this one.
    Undecided: no rescaling that was tried changes it, and nothing proves that none does.
    """

    ROBUST = "robust"
    FRAGILE = "fragile"
    NOT_MEANINGFUL = "not meaningful"
    UNDECIDED = "undecided"


class TopicScales(StrEnum):
    """Whether all topics share one scale, or every topic has its own."""

    ONE = "one scale for all topics"
    EVERY = "a scale for every topic"


@frozen(kw_only=True, eq=False)
class Decision:
    """What was found of a statement under one reading.

    Parameters
    ----------
    true
        Whether the statement is true of the scores as they are.
    certificate
        What proves it, or what was tried, in a sentence.
    transformation
        A rescaling that changes its truth.
    """

    answer: Answer
    true: bool
    how: How
    certificate: str = ""
    transformation: Any = None


def robust(true: bool, certificate: str) -> Decision:
    """Return the decision that no rescaling changes a statement, with the reason."""
    return Decision(answer=Answer.ROBUST, true=true, how=How.PROVED, certificate=certificate)


def fragile(true: bool, transformation: Transformation, certificate: str = "", *, kind: bool = False) -> Decision:
    """Return the decision that a rescaling changes a statement, or (`kind`) all of its kind."""
    answer = Answer.NOT_MEANINGFUL if kind else Answer.FRAGILE
    return Decision(
        answer=answer, true=true, how=How.COUNTEREXAMPLE, certificate=certificate, transformation=transformation
    )


def undecided(true: bool, tried: str) -> Decision:
    """Return the decision that nothing changes a statement that was tried, and nothing is proved."""
    return Decision(answer=Answer.UNDECIDED, true=true, how=How.SAMPLED, certificate=tried)


@frozen(eq=False, repr=False)
class Meaning(Verdict):
    """Whether a statement about scores means something: truthy where that is proved.

    A statement means something if its truth, whatever it is, survives every permissible rescaling of the scale
    that the scores are on. An undecided one is not truthy: no rescaling is known that changes it, and no proof that
    there is none. `answer` distinguishes it from those that a rescaling changes.

    Parameters
    ----------
    holds : bool
        Whether it holds.
    witness : object
        What shows it.
    checked : str, default ""
        Over what it was checked.
    how : How
        How it was found: proved, checked on all, or sampled.
    argument : str, default ""
        Why, in words, where it was proved.
    statement : str, default ""
        The sentence.
    answer : Answer
        "robust", "fragile", "not meaningful" or "undecided".
    true : bool, default False
        Whether the statement is true of the scores as they are.
    scale, reading : Scale and TopicScales
        The rescalings that were considered. Of several measures on different scales, the weakest scale, and whether
        any has one for every topic; `scales` has those of each.
    before, after : tuple of float
        The two sides of the statement (or the p-value) on the scores as they are, and after the rescaling.
    other : Meaning, optional
        The meaning under the other reading: rescalings of their own for every topic, or one for all.
    scales : tuple of (str, Scale, TopicScales)
        The measures that it is about, the scale of each, and whether all topics share it.
    times : Fraction, default 1
        By what the second side was multiplied, as in "at least 1.2 times mean of B".
    remark : str
        What is to be known of how the statement is read, in a sentence.
    hint : str
        What would decide an undecided statement about graded judgments, in a sentence.

    References
    ----------
    [Adams1965]_; [FerranteFerroFuhr2021]_, section III-D
    """

    statement: str = ""
    answer: Answer = Answer.UNDECIDED
    true: bool = False
    scale: Scale = Scale.ORDINAL
    reading: TopicScales = TopicScales.ONE
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    other: Meaning | None = None
    scales: tuple[tuple[str, Scale, TopicScales], ...] = ()
    times: Fraction = Fraction(1)
    remark: str = ""
    hint: str = ""

    @property
    def transformation(self) -> Any:
        """The rescaling that changes the truth of the statement, if one is known; of several measures, by measure."""
        return self.witness

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that it is about."""
        return tuple(measure for measure, _, _ in self.scales)

    @property
    def certificate(self) -> str:
        """What proves the answer, or what was tried."""
        return self.argument

    @property
    def answered(self) -> str:
        """The answer in words."""
        return str(self.answer)

    def to_dict(self, statement: str = "") -> dict[str, Any]:
        """Return the answer and what proves it, ready for JSON.

        Parameters
        ----------
        statement
            What to call the statement; by default as it is written.
        """
        return {
            "answer": str(self.answer),
            "meaningful": self.holds,
            "statement": statement or str(self.statement),
            "true": self.true,
            "measures": [
                {"measure": measure, "scale": str(scale), "reading": str(reading)}
                for measure, scale, reading in self.scales
            ],
            "reading": str(self.reading) if len({reading for _, _, reading in self.scales}) < 2 else None,
            "how": str(self.how),
            "certificate": self.certificate or None,
            "transformation": None if self.transformation is None else str(self.transformation),
            "before": None if self.before is None else [finite(float(value)) for value in self.before],
            "after": None if self.after is None else [finite(float(value)) for value in self.after],
            "hint": self.hint or None,
            "other": None if self.other is None else self.other.to_dict(),
        }

    def document(self) -> Document:
        """Return the statement and the answer, why it is so, and the answer if topics shared scales otherwise."""
        tone = {Answer.ROBUST: "good", Answer.UNDECIDED: "unsure"}.get(self.answer, "bad")
        answer = Words.of(capitalised(str(self.answer)), f"strong {tone}") + f": {self.headline}"
        return Document([answer, *self._sentences()])

    @property
    def headline(self) -> str:
        """Whether the statement is true, and what rescalings do to that."""
        here = "true" if self.true else "false"
        numbers = f" ({self._sides(self.before)})" if self.before else ""
        if self.answer is Answer.ROBUST:
            return f"it is {here}{numbers}, and stays {here} on every scale that is as good."
        if self.answer is Answer.UNDECIDED:
            return f"it is {here}{numbers}, and whether it stays so is not known: {self.certificate}."
        turned = "false" if self.true else "true"
        return f"it is {here} here{numbers}, and {turned} on another scale that is as good."

    def _sentences(self) -> list[str]:
        found = [*filter(None, [self.hint, f"Statement: {self.statement}.", self.remark])]
        if self.transformation is not None:
            found.append(f"The other scale: {self.transformation}{self._then}.")
        if self.certificate and self.answer is not Answer.UNDECIDED:
            found.append(f"Why: {self.certificate}.")
        found += [f"{measure} is {scale_in_words(scale, reading)}" for measure, scale, reading in self.scales]
        if self.other is not None:
            mixed = len({reading for _, _, reading in self.scales}) > 1
            given = "With each measure read the other way" if mixed else f"With {self.other.reading}"
            found.append(f"{given} it would be {self.other.answer}: {self.other.headline}")
            if self.other.transformation is not None:
                found[-1] += f" That scale: {self.other.transformation}{self.other._then}."
        return found

    def _sides(self, numbers: tuple[float, ...]) -> str:
        """Return the numbers of the statement in words."""
        if len(numbers) == 1:
            return f"p = {numbers[0]:.4g}"
        if len(numbers) > FEW:
            return f"{', '.join(distinct_digits(numbers[:FEW], most=12))}, …"
        # sides that agree so far are the same up to rounding, and so are 0 and what is left of a difference
        largest = max(map(abs, numbers))
        shown = distinct_digits([0.0 if abs(each) < DUST * largest else each for each in numbers], most=12)
        if self.times != 1:
            shown[1] = f"{numbers[1] / float(self.times):.4g} × {float(self.times):g} = {shown[1]}"
        return " against ".join(shown)

    @property
    def _then(self) -> str:
        """What the numbers are on the other scale."""
        return f" (then {self._sides(self.after)})" if self.after else ""

    def __repr__(self) -> str:
        return f"<{self.statement}: {self.answer}>"

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """The answer and what proves it, in one sentence."""
        truth = "true" if self.true else "false"
        opening = f"“{self.statement}” is {self.answer}"
        rescaling = self._rescalings()
        if self.answer is Answer.ROBUST:
            return f"{opening}: it stays {truth} under {rescaling}, because {self.certificate}."
        if self.answer is Answer.UNDECIDED:
            return f"{opening}: it is {truth}, and {self.certificate}.{f' {self.hint}' if self.hint else ''}"
        turned = "false" if self.true else "true"
        before, after = (f" ({self._sides(numbers)})" if numbers else "" for numbers in (self.before, self.after))
        return (
            f"{opening}: it is {truth} of these scores{before}, but {turned}{after}"
            f" on a scale that is as good for {self._rescaled_scores()}: {self.transformation}."
        )

    def _rescalings(self) -> str:
        """Return the rescalings that were considered, of each measure if they are not the same."""
        if len({(scale, reading) for _, scale, reading in self.scales}) < 2:
            return _rescaling(self.scale, self.reading)
        return " and ".join(f"{_rescaling(scale, reading)}, of {measure}" for measure, scale, reading in self.scales)

    def _rescaled_scores(self) -> str:
        """Return what scores the other scale is of: those of the measures that it changes, if there are several."""
        if len(self.scales) < 2:
            return f"{self.scale} scores"
        moved = [f"the {scale} scores of {name}" for name, scale, _ in self.scales if name in self.transformation.maps]
        return " and ".join(moved)


WHAT_COUNTS = {
    Scale.NOMINAL: "it counts only whether two scores{} are the same",
    Scale.ORDINAL: "it counts only which of two scores{} is higher, not by how much",
    Scale.INTERVAL: "differences between scores{} can be compared, but neither the unit nor the zero means anything",
    Scale.RATIO: "differences and ratios of scores{} can be compared, but the unit means nothing",
}
"""What scores on a scale tell, with room for the topic."""


def scale_in_words(scale: Scale, reading: TopicScales) -> str:
    """Return what a scale is, what counts on it, and which rescalings are as good, in a sentence.

    Examples
    --------
    >>> print(scale_in_words(Scale.INTERVAL, TopicScales.ONE))
    an interval scale, one for all topics: differences between scores can be compared, but neither the unit nor the \
zero means anything. As good is every positive affine map.
    """
    article = "an" if str(scale)[0] in "aeiou" else "a"
    whose, where = ("one for all topics", "") if reading is TopicScales.ONE else ("one for each topic", " of a topic")
    counts = WHAT_COUNTS[scale].format(where)
    return f"{article} {scale} scale, {whose}: {counts}. As good is {_rescaling(scale, reading)}."


def _rescaling(scale: Scale, reading: TopicScales) -> str:
    kind = SCALES[scale].permissible.removeprefix("any ")
    return f"every {kind}" + ("" if reading is TopicScales.ONE else ", even another one for every topic")


@frozen(eq=False, kw_only=True, repr=False)
class MeanRobustness(Result):
    """For every two systems, whether some permissible rescaling changes how their means compare.

    Parameters
    ----------
    systems : tuple of str
        The names of the systems.
    scale : Scale
        The scale of the scores.
    reading : TopicScales
        Which of the two applies to the scores.
    fragile_on_one : array of bool
        Systems × systems, if all topics share a scale.
    fragile_on_every : array of bool
        Systems × systems, if every topic has a scale of its own.
    """

    systems: tuple[str, ...]
    scale: Scale
    reading: TopicScales
    fragile_on_one: BoolArray = field(repr=False)
    fragile_on_every: BoolArray = field(repr=False)

    def document(self) -> Document:
        """Return the pairs of systems and what becomes of the comparison of their means, fragile ones first."""
        found = list(combinations(range(len(self.systems)), 2))
        answers = self.answers()
        pairs = sorted(found, key=lambda pair: answers[pair] != str(Answer.FRAGILE))
        columns = [
            Column("system", lambda pair: self.systems[pair[0]], left=True),
            Column("against", lambda pair: self.systems[pair[1]], left=True),
            Column("comparison of means", lambda pair: str(answers[pair]), left=True),
        ]
        fragile = int(self.fragile.sum()) // 2
        rescaling = _rescaling(self.scale, self.reading).replace("every ", "some ", 1)
        title = f"{fragile:,} of {len(pairs):,} comparisons of means can be turned round by {rescaling}"
        return Document([TableView(columns, pairs, title=title)])

    def __repr__(self) -> str:
        fragile, pairs = int(self.fragile.sum()) // 2, len(self.systems) * (len(self.systems) - 1) // 2
        return f"<MeanRobustness: {fragile:,} of {pairs:,} comparisons of means are fragile on {self.scale} scales>"

    @property
    def fragile(self) -> BoolArray:
        """Where a rescaling changes the comparison, under the reading that applies."""
        return self.fragile_on_one if self.reading is TopicScales.ONE else self.fragile_on_every

    def answers(self, reading: TopicScales | str | None = None) -> np.ndarray[tuple[int, int], np.dtype[np.str_]]:
        """Return "robust" or "fragile" for every two systems, under a reading or the one that applies.

        Parameters
        ----------
        reading : TopicScales or str, optional
            Whether topics share one scale or each has its own; by default as the scores have it.
        """
        chosen = self.reading if reading is None else TopicScales(reading)
        fragile = self.fragile_on_one if chosen is TopicScales.ONE else self.fragile_on_every
        return np.where(fragile, str(Answer.FRAGILE), str(Answer.ROBUST))


def mean_robustness(scores: Scores, *, scale: Scale | str | None = None) -> MeanRobustness:
    """Return for every two systems whether the comparison of their means survives every permissible rescaling.

    On an ordinal scale that all topics share it does exactly when one system has, above every score, at least as
    many topics as the other. If every topic has its own scale, one system must never be behind.

    Parameters
    ----------
    scores : Scores
        The scores of systems by topic.
    scale : Scale or str, optional
        The scale to take the scores for; by default their own.

    Examples
    --------
    >>> scores = Scores(measure="P@5", values=[[0, 0, 0.6], [0, 0.2, 0.4], [0, 0, 0.2]], systems=("A", "B", "C"),
    ...                 topics=("1", "2", "3"))
    >>> mean_robustness(scores).answers().tolist()[0]
    ['robust', 'fragile', 'robust']

    References
    ----------
    [FerranteFerroFuhr2021]_, section III-D
    """
    kind = scores.scale if scale is None else as_scale(scale)
    if kind is Scale.NOMINAL:
        raise ParameterError("means of nominal scores are never meaningful; compare modes")
    n = len(scores.systems)
    crossing = _crossing(scores.values) if kind is Scale.ORDINAL else np.zeros((n, n), dtype=bool)
    return MeanRobustness(
        systems=scores.systems,
        scale=kind,
        reading=TopicScales.ONE if scores.one_scale else TopicScales.EVERY,
        fragile_on_one=crossing,
        fragile_on_every=_added_to(scores.values) if kind is Scale.RATIO else _won_and_lost(scores.values),
    )


def _crossing(values: FloatArray) -> BoolArray:
    """Return for every two systems whether each has a larger share of topics above some score."""
    counts = (~np.isnan(values)).sum(axis=1)
    _answerable(counts)
    if counts.min() == values.shape[1]:
        ordered = np.sort(values, axis=1)
    else:
        # shares as whole numbers: how many of all pairs of topics lie above each score
        bounds = np.unique(values[~np.isnan(values)])
        above = np.stack([len(row) - np.searchsorted(row, bounds, "right") for row in map(_there, values)])
        return _either_way([(above[i] * counts[:, None], above * counts[i]) for i in range(len(values))])
    return _either_way([(row[None], ordered) for row in ordered])


def _won_and_lost(values: FloatArray) -> BoolArray:
    """Return for every two systems whether each is ahead on some topic, or either has one that the other left out."""
    there = ~np.isnan(values)
    _answerable(there.sum(axis=1))
    crossing = _either_way([(row[None], values) for row in values])
    return np.asarray(crossing | (there[:, None, :] != there[None, :, :]).any(axis=2))


def _added_to(values: FloatArray) -> BoolArray:
    """Return for every two systems whether each has a topic that adds to its lead, by its share in the mean."""
    counts = (~np.isnan(values)).sum(axis=1)
    _answerable(counts)
    known = np.nan_to_num(values)
    # shares as whole numbers, so that equal parts stay equal
    return _either_way([(known[i] * counts[:, None], known * counts[i]) for i in range(len(values))])


def _there(row: FloatArray) -> FloatArray:
    return np.sort(row[~np.isnan(row)])


def _answerable(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    if (counts == 0).any():
        raise ParameterError("a system without a score on any topic has no mean")


def _either_way(pairs: list[tuple[FloatArray, FloatArray]]) -> BoolArray:
    return np.array([(one > other).any(axis=1) & (one < other).any(axis=1) for one, other in pairs])
