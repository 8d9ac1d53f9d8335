"""Checking what a file of printed tables says besides cells: ranges, counts, tallies and averages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import NOTHING, fields

from measurand.papers.printed.averages import selections
from measurand.papers.printed.labels import DEEP_TRACKS, MEASURES
from measurand.papers.printed.tables import Count, Quoted, Range, Tally
from measurand.scales import EIGHT

Fact = TypeVar("Fact", Range, Count, Tally, Quoted)

Wrong = Callable[[str, str], Exception]
"""Makes an error of a place and what is wrong there."""

TABLES = (2, 3, 4, 5, 6, 56)
"""56 is both of the last."""

LARGEST = 10**9
"""No number in a table is larger."""

ENDS, COLUMNS = ("lowest", "highest"), ("s2ns", "ns2s", "delta", "error")


def number(value: object) -> bool:
    """Say whether something is a number of a size that tables have.

    Examples
    --------
    >>> number(0.5), number(True), number(float("nan")), number("0.5"), number(10**400)
    (True, False, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST


def whole(value: object) -> bool:
    """Say whether something is a whole number from 0 up.

    Examples
    --------
    >>> whole(7), whole(7.0), whole(-7)
    (True, False, False)
    """
    return number(value) and isinstance(value, int) and value >= 0


def words(value: object) -> bool:
    """Say whether something is a list of texts, and not of none.

    Examples
    --------
    >>> words(["P", "R"]), words("P"), words([])
    (True, False, False)
    """
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _one_of(names: tuple[Any, ...]) -> tuple[str, Callable[[object], bool]]:
    # a list is no name, and cannot be looked up among them
    return f"one of {'; '.join(map(str, names))}", lambda value: isinstance(value, str | int) and value in names


def _numbers(names: tuple[str, ...]) -> tuple[str, Callable[[object], bool]]:
    def fits(value: object) -> bool:
        return isinstance(value, Mapping) and set(value) <= set(names) and all(map(number, value.values()))

    return f"numbers for some of {', '.join(names)}", fits


def _kinds(kind: type) -> dict[str, tuple[str, Callable[[object], bool]]]:
    """Return what each entry of a fact has to be, in words and as a function."""
    text = ("text", lambda value: isinstance(value, str))
    return {
        **dict.fromkeys(("section", "source", "only", "what"), text),
        **dict.fromkeys(("pairs", "holds", "among"), ("a whole number from 0 up", whole)),
        **dict.fromkeys(("percent", "lowest", "highest"), ("a number", number)),
        "table": _one_of(TABLES),
        "track": _one_of(DEEP_TRACKS),
        "measure": _one_of(tuple(MEASURES)),
        "test": _one_of(EIGHT),
        "name": _one_of(tuple(selection.name for selection in selections())),
        "of": ("a list of texts", words),
        "text": _numbers(ENDS if kind is Range else COLUMNS),
        "cells": _numbers(COLUMNS),
    }


def read_facts(kind: type[Fact], entries: Iterator[tuple[str, Mapping[str, Any]]], wrong: Wrong) -> tuple[Fact, ...]:
    """Return the facts of a kind that a file holds; what cannot be right is refused.

    Parameters
    ----------
    entries
        Where each stands, and what it says.
    """
    return tuple(_read_fact(kind, place, entry, wrong) for place, entry in entries)


def _read_fact(kind: type[Fact], place: str, entry: Mapping[str, Any], wrong: Wrong) -> Fact:
    names = {each.name: each.default is NOTHING for each in fields(kind)}
    if unknown := sorted(set(entry) - set(names)):
        raise wrong(place, f"{unknown[0]} means nothing here; there is {', '.join(sorted(names))}")
    if lacking := [name for name, needed in names.items() if needed and name not in entry]:
        raise wrong(place, f"lacks {', '.join(lacking)}")
    kinds = _kinds(kind)
    for name, value in entry.items():
        what, fits = kinds[name]
        if not fits(value):
            raise wrong(place, f"{name} is {what}, not {value!r}")
    fact = kind(**entry)
    if isinstance(fact, Range):
        _check_range(place, fact, wrong)
    if isinstance(fact, Tally) and fact.holds > fact.among:
        raise wrong(place, f"holds is at most among, {fact.among}, not {fact.holds}")
    return fact


def _check_range(place: str, found: Range, wrong: Wrong) -> None:
    if found.lowest is None and found.highest is None:
        raise wrong(place, "lacks lowest and highest; one of them is needed")
    if found.lowest is not None and found.highest is not None and found.lowest > found.highest:
        raise wrong(place, f"lowest, {found.lowest}, is larger than highest, {found.highest}")
