"""Functions of strangers as measures: they answer giants and nonsense, raise anything, lie, change their mind.

Whatever a function does, scoring it, profiling it and placing it on its interval scale yields a number, a verdict, or
an error of measurand's of one line. What a function answers as it should is what is scored.

Called as `python -m fuzz.functions SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

import measurand as md
from fuzz.harness import Different, run, show
from measurand.errors import MeasurandError

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 1}, "3": {"z": 0}}
RUNS = {"x": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0, "c": 0.5}}, "y": {"1": {"b": 1.0}, "3": {"z": 1.0}}}

LONG = 900
"""So many characters a complaint has at most."""


class Liar:
    """Lies, or fails, whatever it is asked."""

    def _fail(self, *_: object) -> Any:
        raise RuntimeError("no\nanswer")

    __repr__ = __str__ = __eq__ = __lt__ = __float__ = __int__ = __bool__ = __iter__ = __len__ = _fail
    __hash__ = object.__hash__


class Unwilling(float):
    """A number that does not want to be compared or hashed."""

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __hash__(self) -> int:
        raise ZeroDivisionError


class Silent(Exception):
    """An error that cannot be written."""

    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


class Fatal(BaseException):
    """What no `except Exception` catches."""


ANSWERS: tuple[Any, ...] = (
    *(0, 1, True, -3, 2**63, 10**400, -(10**400), 10**5000, 0.5, -0.0, 1e308, 5e-324, float("nan"), float("inf")),
    *(Fraction(1, 3), Fraction(10**400, 7), Fraction(1, 10**5000), Decimal("0.1"), Decimal("NaN"), Decimal("1e999999")),
    *(None, "1", "x", b"1", 1j, [1], (1,), {}, {1: 2}, object, Liar(), Unwilling(0.5), ..., range(3)),
    *(np.int8(1), np.uint64(2**64 - 1), np.float16(0.1), np.float64("nan"), np.longdouble(1) / 3, np.complex128(1)),
    *(np.bool_(True), np.array(0.5), np.array([1, 2]), np.array(None), np.str_("1"), np.timedelta64(1)),
)

RAISED: tuple[BaseException, ...] = (
    *(ValueError("a\nb\x1b[31m"), SystemExit(3), GeneratorExit(), Fatal("x"), MemoryError(), RecursionError()),
    *(StopIteration(), KeyError("x" * 9999), AssertionError(), MeasurandError("x"), OSError(5, "io"), Silent()),
    *(UnicodeDecodeError("utf8", b"x", 0, 1, "y"), Warning("w"), BaseExceptionGroup("g", [Fatal()])),
)


def draw(rng: random.Random) -> tuple[str, Callable[..., Any], bool]:
    """Return what a function does, in words, the function, and whether all is right with it."""
    what, answer, raised = rng.randrange(8), rng.choice(ANSWERS), rng.choice(RAISED)
    scale, least = rng.choice((1, 0.5, 1e-300, 10**18, Fraction(1, 3))), rng.randrange(3)

    def right(grades: Any) -> Any:
        return scale * sum(grade / (rank + 1) for rank, grade in enumerate(grades))

    def sometimes(grades: Any) -> Any:
        return answer if sum(grades) > least else sum(grades)

    def fails(grades: Any) -> Any:
        if sum(grades) >= least:
            raise raised
        return 0

    def grows(grades: Any) -> Any:
        return 10 ** (rng_power * sum(grades)) if sum(grades) else Fraction(1, 10**rng_power)

    def changes(grades: Any) -> Any:
        return rng.choice((0, 1, 0.5)) if grades else 0

    def spoils(grades: Any) -> Any:
        try:
            grades[0] = 5
        except TypeError:
            return len(grades)

    def recurs(grades: Any) -> Any:
        return recurs(grades)

    rng_power = rng.choice((1, 50, 307, 308, 309, 4000, 9999))
    return [
        (f"right, times {scale}", right, True),
        (f"always {type(answer).__name__}", lambda _: answer, False),
        (f"{type(answer).__name__} above {least}", sometimes, False),
        (f"{type(raised).__name__} from {least} on", fails, False),
        (f"powers of 10^{rng_power}", grows, False),
        ("another answer every time", changes, False),
        ("changes what it is given", spoils, False),
        ("recurs without end", recurs, False),
    ][what]


def tried(deed: Callable[[], Any]) -> Any:
    """Return what a deed yields, None where it is refused as it has to be."""
    try:
        return deed()
    except MeasurandError as error:
        said = str(error)
        if len(said.splitlines()) != 1 or len(said) > LONG:
            raise Different(f"a complaint is not one short line: {said[:2000]!r}") from None
        return None


def case(rng: random.Random) -> None:
    """Try one function."""
    words, function, right = draw(rng)
    what = rng.choice(("scores", "profile", "interval", "compare", "value"))
    show(f"{words}: {what}")
    measure = md.define(function, name="Mine")
    deeds: dict[str, Callable[[], Any]] = {
        "scores": lambda: md.evaluate(QRELS, RUNS, measure, ties="trec"),
        "profile": lambda: repr(md.profile(function, depth=rng.choice((1, 2, 3)))),
        "interval": lambda: repr(md.interval(measure, depth=2).of([1, 0])),
        "compare": lambda: repr(md.compare(QRELS, RUNS, measure)),
        "value": lambda: measure.value([1, 0, 1]),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = tried(deeds[what])
    if right and what == "scores":
        values = found.scores("Mine").values.ravel().tolist()
        wanted = [float(function(grades)) for grades in ((1, 0), (2, 1), *[(0, 0)] * 4)]
        if any(abs(one - other) > 1e-12 * abs(other) for one, other in zip(values, wanted, strict=True)):
            raise Different(f"the scores are {values}, and the function answers {wanted}")


if __name__ == "__main__":
    run("functions", case)
