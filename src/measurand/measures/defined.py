"""Any function of a judged run as a measure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, ClassVar, cast

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray
from measurand.calls import FUNCTION_OF_A_MEASURE, explains_calls, for_example
from measurand.errors import LONG_ERROR, CallError, FunctionFailed, NotAvailable, ParameterError, quoted
from measurand.exact import LARGEST, Exact, InverseLogs, Logs, PowersOfTwo, Quotient, QuotientSum, rational
from measurand.judged import JudgedRuns, Pool
from measurand.judged.grades import grade_of
from measurand.measures.base import Grades, Measure
from measurand.measures.parse import parse
from measurand.scale import Scale, ScaleLabel, ScaleLike, as_scale

_FACTS = ("graded", "uses_recall_base", "bounds", "lower_is_better", "exactness", "reference")


class _Compared:
    """A function as it is compared with another: by its own equality, where that answers."""

    def __init__(self, function: object) -> None:
        self.function = function

    def __eq__(self, other: object) -> bool:
        try:
            return isinstance(other, _Compared) and (
                self.function is other.function or bool(self.function == other.function)
            )
        except Exception:  # noqa: BLE001 - whatever a stranger's __eq__ raises
            return False

    __hash__ = None  # type: ignore[assignment]


@frozen(kw_only=True, repr=False)
class Defined(Measure):
    """A measure made by `define`; its facts are what its maker declared.

    Parameters
    ----------
    function
        The function of a judged run.
    label
        What the measure is called.
    on_scale
        The scale that its values are declared to be on.
    declared
        The facts that were declared.
    """

    tells_unjudged: ClassVar[bool] = False

    function: Callable[..., Any] = field(hash=False, eq=lambda function: _Compared(function))  # anything to be called
    label: str = field()
    on_scale: Scale = Scale.ORDINAL
    declared: frozenset[str] = frozenset(_FACTS)

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "a function"

    @property
    def declared_scale(self) -> Scale:
        """The scale that was declared."""
        return self.on_scale

    def facts(self, label: ScaleLabel | None = None) -> dict[str, str]:
        """Return what its maker declared about the measure, and the scale that it is on.

        Parameters
        ----------
        label
            The scale that it is on, if that is known; by default the one on runs of ten ranks and two grades.
        """
        facts = Measure.facts(self, label)
        names = {"graded": "grades", "uses_recall_base": "recall base", "bounds": "values", "reference": "reference"}
        undeclared = {fact: "not declared" for name, fact in names.items() if name not in self.declared}
        if "lower_is_better" not in self.declared:
            undeclared["better"] = f"{facts['better']}, as nothing else is declared"
        return facts | undeclared

    def key(self, run: Sequence[int]) -> Exact:
        """Return the value itself: what else decides ties, only the function's maker knows."""
        return self.of(run)

    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return what the function answers, as the number that it spells."""
        return cast(Exact, self.answer(run, pool)[0])

    def answer(self, run: Grades, pool: Pool, *, extended: bool = False) -> tuple[Exact | float, bool]:
        """Return what the function answers, and whether it was computed in floating point.

        Parameters
        ----------
        extended
            Return infinite answers and nan as they are, instead of refusing them.
        """
        grades: tuple[Any, ...] = tuple(run) if min(run, default=0) >= 0 else tuple(max(0, cell) for cell in run)
        if self.relevance is not None:
            grades = tuple(grade_of(cell, self.relevance) for cell in grades)
        # whatever the other runs: as many ranks as the measure looks at
        grades += (0,) * ((self.cutoff or 0) - len(grades))
        base = pool.recall_base(1 if self.relevance is None else self.relevance.level_from())
        try:
            answer = self.function(grades, base) if self.uses_recall_base else self.function(grades)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # strangers may raise what is meant for Python alone, such as GeneratorExit
            told = f"with a recall base of {base}" if self.uses_recall_base else ""
            raise FunctionFailed(repr(self), grades, f"failed with {quoted(error, LONG_ERROR)}", told) from error
        try:
            return _number(answer, extended=extended)
        except Exception as error:  # noqa: BLE001 - whatever a stranger's number raises
            why = str(error) if isinstance(error, NotAvailable) else "which is no finite number"
            raise FunctionFailed(repr(self), grades, f"answered {quoted(answer)}", why) from None

    def _float(self, number: Exact, run: Grades) -> float:
        try:
            return float(number)
        except OverflowError:
            raise FunctionFailed(repr(self), run, f"answered {quoted(number)}", "which no float can hold") from None

    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs, asking the function once for each different run."""
        known: dict[tuple[Grades, int], float] = {}
        values = []
        for cells in judged.cells:
            for topic, row in enumerate(cells.tolist()):
                run = self.view(tuple(row))
                case = run, topic if self.uses_recall_base else 0
                if case not in known:
                    known[case] = self._float(self.exact(run, judged.pools[topic]), run)
                values.append(known[case])
        return np.array(values)

    def __repr__(self) -> str:
        given = {"judged_only": True} if self.judged_only else {}
        inside = ", ".join(f"{name}={value}" for name, value in given.items())
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.label}{f'({inside})' if inside else ''}{at}"


def _number(answer: Any, *, extended: bool) -> tuple[Exact | float, bool]:
    """Return what a function answered as a number, and whether it was computed in floating point."""
    if type(answer) is float and not isfinite(answer) and extended:
        return answer, False
    if isinstance(answer, InverseLogs | Logs | PowersOfTwo):
        return answer, False
    if isinstance(answer, Quotient | QuotientSum):
        # quotients cannot be subtracted
        answer = float(answer)
    if isinstance(answer, np.ndarray | np.generic) and answer.ndim == 0:
        answer = answer.item()
    if extended and isinstance(answer, float) and not isfinite(answer):
        return answer, False
    if isinstance(answer, int | Fraction):  # of a subclass as well, which may compute as it likes
        number = Fraction(int(answer.numerator), int(answer.denominator))
        if max(abs(number.numerator), number.denominator) > LARGEST:
            raise NotAvailable("which has too many digits to compute with")
        return number, False
    return rational(answer), True


@explains_calls
def define(function: Callable[..., Any], *, name: str, scale: ScaleLike = Scale.ORDINAL, **facts: Any) -> Measure:
    """Return a measure from a function of a judged run.

    The function takes the grades as a tuple, first rank first, what is unjudged or missing being 0; it
    takes the recall base as its second argument if `uses_recall_base=True` is declared. It may answer
    with a whole number, a `Fraction`, a truth, or a float, which is taken as it is spelled.

    Parameters
    ----------
    function
        The function.
    name
        How the measure is to be called; at `Mine@3` the function is given the first 3 ranks.
    scale
        The scale that its values are on, as far as you know.
    **facts
        `graded`, `uses_recall_base`, `bounds`, `lower_is_better`, `exactness`, `reference`, as in `Measure`.

    Examples
    --------
    >>> last = define(lambda run: max((i for i, g in enumerate(run, 1) if g), default=0), name="Last")
    >>> last.of([1, 0, 1, 0]), last @ 2
    (Fraction(3, 1), Last@2)
    >>> wasted = define(lambda run: (*run, 1).index(1), name="Wasted", lower_is_better=True)
    >>> wasted.of([0, 0, 1]), wasted.facts()["better"]
    (Fraction(2, 1), 'lower values')
    """
    if not callable(function):
        raise CallError(
            f"a function of a run is expected, not {quoted(function)}, as in define(lambda run: sum(run), name='Sum')"
        )
    label, at, cutoff = (name if isinstance(name, str) else "").partition("@")
    if not label.isidentifier() or (at and not (cutoff.isdecimal() and len(cutoff) < 18)):
        raise ParameterError(
            f"{quoted(name)} cannot name a measure; use letters, digits and _, and @3 to cut at rank 3"
        )
    unknown = set(facts) - set(_FACTS)
    if unknown:
        raise ParameterError(f"unknown facts {', '.join(sorted(unknown))}; a measure declares {', '.join(_FACTS)}")
    if not isinstance(facts.get("lower_is_better", False), bool):
        raise ParameterError(f"lower_is_better must be True or False, not {facts['lower_is_better']!r}")
    _check_arguments(function, label, 2 if facts.get("uses_recall_base") else 1)
    made = _made(function, label, scale, facts)
    return made @ int(cutoff) if cutoff else made


def _made(function: Callable[..., Any], label: str, scale: ScaleLike, facts: Mapping[str, Any]) -> Measure:
    """Return the measure of a function with the facts that are declared of it."""
    declared = {"name": label, "reference": "", "bounds": (0, None), "exactness": "as spelled", **facts}
    # a plain class: its fields are those of `Defined`, and attrs would compile their methods anew for every function
    maker = type(label, (Defined,), {"__doc__": _said(function, "__doc__"), "__slots__": (), **declared})
    made: Measure = maker(function=function, label=label, on_scale=as_scale(scale))
    return made


def _said(function: Callable[..., Any], attribute: str) -> str:
    """Return what a function says of itself, nothing where that is no text."""
    try:
        said = getattr(function, attribute, "")
    except Exception:  # noqa: BLE001 - whatever a stranger's attribute raises
        return ""
    return said if isinstance(said, str) else ""


def _check_arguments(function: Callable[..., Any], name: str, given: int) -> None:
    """Complain of a function that cannot be called with so many arguments."""
    try:
        signature = inspect.signature(function)
    except Exception:  # noqa: BLE001 - what is built in does not tell, and what strangers made may do anything
        return
    try:
        signature.bind(*range(given))
    except TypeError:
        also = "; with uses_recall_base=True it takes the number of relevant documents as well"
        takes = f"{name} takes ({', '.join(signature.parameters)})"
        raise CallError(f"{takes}, but {FUNCTION_OF_A_MEASURE}{also}.{for_example('define')}") from None


def as_measure(measure: Measure | str | Callable[..., Any], name: str | None = None) -> Measure:
    """Return a measure as it is, a spelling read, and a function of judged runs made a measure.

    A function with two parameters is given the recall base as the second. It may distinguish all grades, and is
    called by `name` or by its own.

    Parameters
    ----------
    measure
        A measure, its spelling, or a function of judged runs.
    name
        What a function is to be called; by default by its own name.

    Examples
    --------
    >>> as_measure("ndcg_cut_10"), as_measure(sum)
    (nDCG@10, sum)
    """
    if isinstance(measure, Measure | str):
        return parse(measure)
    if not callable(measure):
        raise ParameterError(
            f"{quoted(measure)} is neither a measure nor a function of judged runs; write it like 'nDCG@10'"
        )
    called = name if name is not None else _said(measure, "__name__") or type(measure).__name__
    wanted = _positional(measure)
    known = called if called.isidentifier() else "function"
    # one that cannot be called is no measure, which axioms and profiles find out
    facts = {"graded": True, "uses_recall_base": wanted == 2, "bounds": (None, None)}
    made = _made(measure, known, Scale.ORDINAL, facts)
    return made(declared=frozenset({"uses_recall_base"}))


def _positional(function: Callable[..., Any]) -> int:
    """Return how many arguments a function cannot do without, 1 if that is not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except Exception:  # noqa: BLE001 - whatever a stranger's signature raises
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in parameters)
