"""What can go wrong, and what is merely suspicious.

Every error of measurand is a `MeasurandError` whose message says what is wrong, where, and what to
do next. What does not forbid an answer but should travel with it is a `Caveat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar

from attrs import evolve, frozen

from measurand.deprecated import deprecate
from measurand.letters import on_one_line, shown

__all__ = [
    "CallError",
    "Caveat",
    "CaveatKind",
    "FunctionFailed",
    "InputError",
    "InputFileError",
    "MeasurandError",
    "NoJoin",
    "NoMeet",
    "NotAvailable",
    "NotInstalled",
    "NotMeaningful",
    "ParameterError",
]


SHOWN = 12
"""So many grades of a run are shown in a message."""


LONG = 60
"""So many characters of what somebody gave are shown in a message."""

LONG_ERROR = 200
"""So many characters are shown of what a stranger's code raised."""

BITS = 200
"""Numbers of more bits are not written out in a message."""


class MeasurandError(Exception):
    r"""The base of every error that measurand raises on purpose; its message is one line, whatever is named in it.

    Examples
    --------
    >>> print(MeasurandError("no topic a\u2028b"))
    no topic a\u2028b
    """

    def __str__(self) -> str:
        return on_one_line(super().__str__())


class ParameterError(MeasurandError, ValueError):
    """A parameter, a measure's name or an option that cannot be right."""


class CallError(ParameterError, TypeError):
    """A call with arguments that a function does not take, or not in this place.

    Examples
    --------
    >>> issubclass(CallError, TypeError)
    True
    """


class InputError(MeasurandError, ValueError):
    """Data that cannot be right, wherever it came from."""


class InputFileError(InputError):
    """Something in a file that cannot be right, with the place where it stands.

    Examples
    --------
    >>> print(InputFileError("bm25.run", 7, "5 columns where a run has 6"))
    bm25.run:7: 5 columns where a run has 6
    """

    def __init__(self, path: str, line: int | None, why: str) -> None:
        place = path if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {why}")
        self.path = path
        self.line = line
        self.why = why

    def __reduce__(self) -> tuple[type[InputFileError], tuple[str, int | None, str]]:
        # so that the error travels between processes whole
        return type(self), (self.path, self.line, self.why)


class NotMeaningful(MeasurandError):
    """A statement was asked for (strictly) that the scale of the scores does not support."""


class NotAvailable(MeasurandError):
    """Something that nobody knows how to compute at this size, or not within what may be spent on it."""


class NotInstalled(MeasurandError, ImportError):
    """A package is missing that only an extra of measurand installs.

    Parameters
    ----------
    package
        The package.
    extra
        The extra that installs it.
    purpose
        What needs it.

    Examples
    --------
    >>> print(NotInstalled("networkx", "graphs", "Poset.to_networkx"))
    Poset.to_networkx needs networkx: pip install 'measurand[graphs]'
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}: pip install 'measurand[{extra}]'")
        self.package = package
        self.extra = extra
        self.purpose = purpose

    def __reduce__(self) -> tuple[type[NotInstalled], tuple[str, str, str]]:
        return type(self), (self.package, self.extra, self.purpose)


def brief(element: Any) -> str:
    """Return a run, or whatever else it is, as text that is cut where it is long.

    Examples
    --------
    >>> brief((1, 0)), brief((0,) * 20)
    ('(1, 0)', '(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …)')
    """
    if isinstance(element, tuple) and len(element) > SHOWN:
        return f"{element[:SHOWN]}"[:-1] + ", …)"
    return str(element)


def clipped(text: str, longest: int = LONG) -> str:
    """Return a text as it is, cut where it is long.

    Examples
    --------
    >>> clipped("P.5"), len(clipped("x" * 1000))
    ('P.5', 61)
    """
    return text if len(text) <= longest else f"{text[:longest]}…"


def words_of(error: BaseException) -> str:
    r"""Return what an error of a stranger's code says, in one line that is cut where it is long.

    Examples
    --------
    >>> words_of(ValueError("no such\n  column"))
    'no such column'
    """
    try:
        return clipped(" ".join(str(error).split()), LONG_ERROR)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - whatever a stranger's __str__ raises
        return "it cannot be written"


def quoted(value: object, longest: int = LONG) -> str:
    """Return what somebody gave as it would be written in Python, in one short line, whatever it is.

    Parameters
    ----------
    value
        Anything: long texts are cut, giant numbers are described, and what cannot be written is named by its type.
    longest
        So many characters are shown.

    Examples
    --------
    >>> quoted("trek"), quoted(10**400), quoted("x" * 1000)[:4]
    ("'trek'", 'a number of 401 digits', "'xxx")
    """
    if isinstance(value, int | Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        return f"a number of {int(value.numerator.bit_length() * 0.30103) + 1:,} digits" + (
            "" if value.denominator == 1 else f" over one of {int(value.denominator.bit_length() * 0.30103) + 1:,}"
        )
    try:
        text = repr(value[: longest + 1] if isinstance(value, str | bytes) else value)
        text = str(value) if type(value) is Fraction else text
        text = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text[: longest + 1])
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - whatever a stranger's __repr__ raises
        text = f"something of type {type(value).__name__} that cannot be written"
    return clipped(text, longest)


class FunctionFailed(MeasurandError):
    """A function that was to be a measure gave no number for a judged run, or not always the same one.

    Examples
    --------
    >>> print(FunctionFailed("Mine", (1, 0), "answered nan", "which is no number"))
    Mine answered nan on (1, 0), which is no number
    """

    def __init__(self, name: str, run: tuple[int, ...], deed: str, remark: str = "") -> None:
        super().__init__(f"{name} {deed} on {brief(run)}{f', {remark}' if remark else ''}")
        self.name = name
        self.run = run
        self.deed = deed
        self.remark = remark

    def __reduce__(self) -> tuple[type[FunctionFailed], tuple[str, tuple[int, ...], str, str]]:
        return type(self), (self.name, self.run, self.deed, self.remark)


class NotANumber(FunctionFailed):
    """A function that was to be a measure answered nan.

    Examples
    --------
    >>> print(NotANumber("Mine", (1, 0), "answered nan"))
    Mine answered nan on (1, 0)
    """


class NoBound(MeasurandError):
    """Elements of an order that have several closest common bounds, or none, where one was asked for.

    Parameters
    ----------
    x, y
        The first two.
    candidates
        Their closest common bounds, of which none is closer than another.
    complete
        Whether these are all there are.
    others
        The elements after the first two, where there are more.
    """

    called: ClassVar[str]
    closest: ClassVar[str]

    def __init__(
        self, x: Any, y: Any, candidates: Sequence[Any], *, complete: bool = True, others: Sequence[Any] = ()
    ) -> None:
        self.x, self.y, self.candidates, self.complete, self.others = x, y, tuple(candidates), complete, tuple(others)
        number = f"{'' if complete else 'at least '}{len(self.candidates)}"
        side = self.closest.split()[-1]
        found = f"but {number} {self.closest} bounds" if self.candidates else f"nor any {side} bound"
        some = ", ".join(brief(candidate) for candidate in self.candidates[:3])
        more = ", …" if len(self.candidates) > 3 else ""
        shown = f": {some}{more}" if some else ""
        super().__init__(f"{self._named} have no {self.called}, {found}{shown}")

    @property
    def _named(self) -> str:
        """The elements, in words; of many the first three."""
        first, *rest = map(brief, (self.x, self.y, *self.others[:1]))
        left = len(self.others) - 1
        last = rest.pop() if left < 1 else f"{left} more"
        return f"{', '.join([first, *rest])} and {last}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _bound_again, (type(self), self.x, self.y, self.candidates, self.complete, self.others)


def _bound_again(
    kind: type[NoBound], x: Any, y: Any, candidates: tuple[Any, ...], complete: bool, others: tuple[Any, ...]
) -> NoBound:
    return kind(x, y, candidates, complete=complete, others=others)


class NoJoin(NoBound):
    """Elements of an order that have no least upper bound.

    Examples
    --------
    >>> print(NoJoin((0, 2), (1, 0), [(1, 2), (2, 0)]))
    (0, 2) and (1, 0) have no join, but 2 minimal upper bounds: (1, 2), (2, 0)
    """

    called = "join"
    closest = "minimal upper"


class NoMeet(NoBound):
    """Elements of an order that have no greatest lower bound.

    Examples
    --------
    >>> print(NoMeet("a", "b", []))
    a and b have no meet, nor any lower bound
    """

    called = "meet"
    closest = "maximal lower"


class CaveatKind(StrEnum):
    """The kinds of caveat."""

    SCALE = "scale"
    MISSING_TOPICS = "missing-topics"
    UNJUDGED_TOPICS = "unjudged-topics"
    FEW_JUDGED = "few-judged"
    NO_RELEVANT = "no-relevant"
    REPEATED_JUDGMENT = "repeated-judgment"
    EXTRA_COLUMNS = "extra-columns"
    NO_CUTOFF = "no-cutoff"
    COLLECTION = "collection"
    GRADES = "grades"
    GAINS = "gains"
    GAPS = "gaps"
    BOUNDS = "bounds"
    ASSUMPTION = "assumption"
    CONVENTION = "convention"
    DEGENERATE = "degenerate"
    TIES = "ties"
    ORDER = "order"
    FLOOR = "floor"
    NAMES = "names"
    MISSING_TEXTS = "missing-texts"
    FORMAT = "format"
    LEFT_OUT = "left-out"
    FILES = "files"
    BLANKS = "blanks"


@frozen
class Caveat:
    """Something a reader of a number should know; it travels with the number.

    Parameters
    ----------
    kind
        What kind of thing it is, stable, for programs.
    text
        One sentence, for people.
    cause
        What kind of thing it follows from, where that matters: that scores are not on one scale may follow from the
        size of the collection, which is not known, and what is assumed from the scale that a measure is said to have.
    """

    kind: CaveatKind
    text: str
    cause: CaveatKind | None = None

    def __str__(self) -> str:
        return shown(self.text)

    @property
    def doubt(self) -> CaveatKind:
        """The kind, by its old name, which is deprecated."""
        deprecate("Caveat.doubt", "Caveat.kind")
        return self.kind

    def of(self, name: str) -> Caveat:
        """Return the same with the name of what it is about, unless the text has it already.

        Parameters
        ----------
        name
            The name.

        Examples
        --------
        >>> print(Caveat(CaveatKind.GAPS, "there are gaps").of("RR"))
        RR: there are gaps
        >>> print(Caveat(CaveatKind.GAPS, "RR has gaps").of("RR"))
        RR has gaps
        """
        return self if name in self.text else evolve(self, text=f"{name}: {self.text}")

    def to_dict(self) -> dict[str, str]:
        """Return its kind and its text, for programs.

        Examples
        --------
        >>> Caveat(CaveatKind.GAPS, "there are gaps").to_dict()
        {'kind': 'gaps', 'text': 'there are gaps'}
        """
        return {"kind": str(self.kind), "text": self.text}


def about_data(caveats: Iterable[Caveat]) -> list[Caveat]:
    """Return the caveats but those on scales and gains, of which a sentence speaks once for all measures.

    Parameters
    ----------
    caveats
        The caveats.

    Examples
    --------
    >>> found = about_data([Caveat(CaveatKind.SCALE, "RR is ordinal"), Caveat(CaveatKind.GAPS, "there are gaps")])
    >>> print(*found)
    there are gaps
    """
    return [caveat for caveat in caveats if caveat.kind not in (CaveatKind.SCALE, CaveatKind.GAINS)]


def __getattr__(name: str) -> Any:
    if name == "Doubt":
        deprecate("measurand.errors.Doubt", "measurand.errors.CaveatKind")
        return CaveatKind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
