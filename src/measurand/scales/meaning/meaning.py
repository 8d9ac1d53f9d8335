"""Meaning: whether a statement survives every permissible rescaling, and what shows it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from attrs import frozen

from measurand.display.data import finite
from measurand.scale import Scale
from measurand.scales.meaning.digits import told_apart
from measurand.scales.meaning.transformations import Transformation
from measurand.scales.types import SCALES
from measurand.verdict import How, Verdict


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


class Reading(StrEnum):
    """What rescalings there are: one for all topics, or another for every topic."""

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
    transformation: Transformation | None = None


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
    there is none. `answer` tells it from those that a rescaling changes.

    Parameters
    ----------
    statement
        The sentence.
    answer
        "robust", "fragile", "not meaningful" or "undecided".
    true
        Whether the statement is true of the scores as they are.
    scale, reading
        The rescalings that were asked about.
    before, after
        The two sides of the statement (or the p-value) on the scores as they are, and after the rescaling.
    other
        The meaning under the other reading: rescalings of their own for every topic, or one for all.

    References
    ----------
    [Adams1965]_; [FerranteFerroFuhr2021]_, section III-D
    """

    statement: str = ""
    answer: Answer = Answer.UNDECIDED
    true: bool = False
    scale: Scale = Scale.ORDINAL
    reading: Reading = Reading.ONE
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    other: Meaning | None = None

    @property
    def transformation(self) -> Transformation | None:
        """The rescaling that changes the truth of the statement, if one is known."""
        found: Transformation | None = self.witness
        return found

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
            "reading": str(self.reading),
            "how": str(self.how),
            "certificate": self.certificate or None,
            "transformation": None if self.transformation is None else str(self.transformation),
            "before": None if self.before is None else [finite(float(value)) for value in self.before],
            "after": None if self.after is None else [finite(float(value)) for value in self.after],
            "other": None if self.other is None else self.other.to_dict(),
        }

    def _told(self) -> list[str]:
        other = self.other
        return [str(self), *([] if other is None else [f"With {other.reading}: {other}"])]

    def __repr__(self) -> str:
        return f"<{self.statement}: {self.answer}>"

    def __str__(self) -> str:
        truth = "true" if self.true else "false"
        opening = f"“{self.statement}” is {self.answer}"
        rescaling = _rescaling(self.scale, self.reading)
        if self.answer is Answer.ROBUST:
            return f"{opening}: it stays {truth} under {rescaling}, because {self.certificate}."
        if self.answer is Answer.UNDECIDED:
            return f"{opening}: it is {truth}, and {self.certificate}."
        turned = "false" if self.true else "true"
        return (
            f"{opening}: it is {truth} of these scores ({_sides(self.before)}), but {turned} ({_sides(self.after)})"
            f" on a scale that is as good for {self.scale} scores: {self.transformation}."
        )


def _rescaling(scale: Scale, reading: Reading) -> str:
    kind = SCALES[scale].permissible.removeprefix("any ")
    return f"every {kind}" + ("" if reading is Reading.ONE else ", even another one for every topic")


def _sides(numbers: tuple[float, ...]) -> str:
    if len(numbers) == 1:
        return f"p = {numbers[0]:.4g}"
    # sides that agree so far are the same up to rounding
    return " against ".join(told_apart(numbers, most=12))
