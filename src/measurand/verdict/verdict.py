"""Verdicts: whether a property holds, how that is known, and what breaks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from measurand.charts import Figure
from measurand.errors import FunctionFailed
from measurand.markup import joined, note, tagged
from measurand.verdict.strips import runs_chart, runs_table


class How(StrEnum):
    """How a verdict was reached, the strongest first."""

    PROVED = "proved"
    EXHAUSTIVE = "exhaustive"
    COUNTEREXAMPLE = "counterexample"
    SAMPLED = "sampled"
    FAILED = "failed"


@frozen
class Witness:
    """The runs that decide a verdict, with what the measure makes of them; unpacks into the runs.

    Parameters
    ----------
    runs
        Judged runs, the one that should be worse first.
    values
        Their exact values.
    why
        One sentence that says what the runs show.

    Examples
    --------
    >>> worse, better = Witness(((0, 1), (1, 0)), (2, 1), "the swap loses")
    >>> better
    (1, 0)
    """

    runs: tuple[tuple[int, ...], ...]
    values: tuple[Any, ...] = ()
    why: str = ""

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, index: int) -> tuple[int, ...]:
        return self.runs[index]

    def __str__(self) -> str:
        return self.why or " and ".join(map(str, self.runs))


@frozen
class Verdict:
    """The answer to a question about a measure, an order or a scale: truthy when the property holds.

    Parameters
    ----------
    holds
        Whether the property holds, as far as was looked.
    witness
        What breaks it (or, for a property that asks for an example, the example).
    checked
        What was looked at, in words: all runs of a length, a family by proof, a sample.
    how
        How the verdict was reached. A sampled "holds" may be wrong; a counterexample is final (up to rounding, for
        functions that answer in floats). Where a function failed on a run, nothing could be decided.
    argument
        The proof in a sentence, where there is one.

    Examples
    --------
    >>> bool(Verdict(True, None, "all 16 runs of 4 ranks", How.EXHAUSTIVE))
    True
    """

    holds: bool
    witness: Any = None
    checked: str = ""
    how: How = How.EXHAUSTIVE
    argument: str = ""

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        told = [self.argument, "" if self.witness is None else str(self.witness), self.checked]
        return ": ".join([f"{self.answered} ({self.how})", *list(filter(None, told))[:1]])

    @property
    def answered(self) -> str:
        """The answer in words.

        Examples
        --------
        >>> Verdict(False).answered
        'does not hold'
        """
        return "holds" if self.holds else "does not hold"

    @property
    def certain(self) -> bool:
        """Whether nothing that was left unlooked at could change the verdict."""
        return self.how not in (How.SAMPLED, How.FAILED)

    def plot(self) -> Figure:
        """Return a drawing: the runs that decide the verdict as strips of grades, or its sentence where none do.

        Examples
        --------
        >>> Verdict(False, Witness(((0, 1), (1, 0)), (2, 1), "the swap loses"), how=How.COUNTEREXAMPLE).plot()
        Figure('does not hold (counterexample): the swap loses')
        """
        runs, values = self._shown()
        return Figure(runs_chart(str(self), f"{self.answered} ({self.how})", self._told(), runs, values))

    def _repr_html_(self) -> str:
        runs, values = self._shown()
        opening = note(joined([tagged("strong", self.answered), f" ({self.how})"]))
        pieces = [opening, *map(note, self._told()), *([runs_table(runs, values)] if runs else [])]
        return str(joined(pieces, "\n"))

    def _told(self) -> list[str]:
        """Return what there is to say, in sentences."""
        witness = "" if self.witness is None else str(self.witness)
        found = [self.argument, witness, f"Looked at: {self.checked}" if self.checked else ""]
        return list(dict.fromkeys(filter(None, found)))

    def _shown(self) -> tuple[Sequence[Sequence[int]], Sequence[Any]]:
        """Return the runs that decide the verdict, and their values."""
        return (self.witness.runs, self.witness.values) if isinstance(self.witness, Witness) else ((), ())


def unusable(failure: FunctionFailed) -> Verdict:
    """Return the verdict on a function that failed on a run, and so is no measure and has no property of one.

    Examples
    --------
    >>> print(unusable(FunctionFailed("Mine", (1, 0), "answered nan")).witness)
    Mine answered nan on (1, 0)
    """
    return Verdict(False, Witness((failure.run,), (), str(failure)), "runs until it failed on one", How.FAILED)


def first_broken(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the first verdict that fails, or else the least certain of those that hold.

    Examples
    --------
    >>> first_broken([Verdict(True, how=How.PROVED), Verdict(True, how=How.SAMPLED)]).how
    <How.SAMPLED: 'sampled'>
    """
    broken = [verdict for verdict in verdicts if not verdict.holds]
    return broken[0] if broken else max(verdicts, key=lambda verdict: list(How).index(verdict.how))
