"""Complaints: what to say of a sentence that cannot be read, with the word at which the reading got stuck."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import fields, has

from measurand.calls import alike
from measurand.errors import ParameterError
from measurand.measures import parse
from measurand.scales.language.phrases import TEST_LABEL, VOCABULARY
from measurand.scales.language.reader import SHOWN, Reader, Unknown
from measurand.scores import place_of
from measurand.statistics.registry import find_test


def unknown_names(statement: Any) -> Iterator[Unknown]:
    """Yield the names in a statement that are not known.

    Parameters
    ----------
    statement : Statement
        What was read with strangers in the place of names.

    Examples
    --------
    >>> list(unknown_names(("A", Unknown("bm26", "system"))))
    ['bm26']
    """
    if isinstance(statement, Unknown):
        yield statement
    elif isinstance(statement, tuple | list):
        for each in statement:
            yield from unknown_names(each)
    elif has(type(statement)):
        for each in fields(type(statement)):
            yield from unknown_names(getattr(statement, each.name))


def refuse(name: Unknown, text: str, systems: Sequence[str], topics: Sequence[str], measures: Sequence[str]) -> None:
    """Complain of a name that is not known, with those that it may have been.

    Parameters
    ----------
    name : Unknown
        The name.
    text : str
        The sentence.
    systems, topics, measures : sequence of str
        The names that are known.
    """
    if name.kind == "system":
        place_of(str(name), tuple(systems))
    if name.kind == "measure" and not measures:
        parse(str(name))
    known = topics if name.kind == "topic" else measures
    close = alike(str(name), known)[:3]
    there = ", ".join(known[:SHOWN]) + (", …" if len(known) > SHOWN else "")
    meant = f"did you mean {' or '.join(close)}?" if close else f"there is {there or 'none'}"
    raise ParameterError(f"there is no {name.kind} {str(name)!r} in {text!r}; {meant}")


def complaint(reader: Reader, text: str, forms: Sequence[str]) -> str:
    """Return in one line where the reading got stuck, what could have stood there, and an example.

    Parameters
    ----------
    reader : Reader
        What has tried to read the sentence.
    text : str
        The sentence as it was given.
    forms : sequence of str
        The forms of sentences, with more in parentheses; the last is not one by itself.
    """
    place = reader.furthest
    word = reader.word_at(place) or reader.text[reader.start(place) :][:1]
    if TEST_LABEL in reader.stuck[place] and word:
        find_test(word)
    where = f"does not go on at {word!r}" if word else "ends too early" if reader.text else "is empty"
    # kinds of words before single words
    expected = sorted(reader.stuck[place], key=lambda label: label.startswith("'"))
    several = ", ".join(expected[:SHOWN]) + (", …" if len(expected) > SHOWN else "")
    fitting = re.findall(r"'(\w+)", " ".join(expected))
    if "a system" in expected:
        fitting += reader.systems
    if any(label.startswith(("a statistic", "how it compares", "a correlation")) for label in expected):
        fitting += VOCABULARY
    close = [each for each in alike(word, fitting) if each != word][:1] if word else []
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"cannot read {text!r}: it {where}{hint}; expected {several}; write it like: {_nearest_form(text, forms)}"


def _nearest_form(text: str, forms: Sequence[str]) -> str:
    """Return the form that shares most words with a sentence, without what it says in parentheses."""
    said = set(text.lower().split())
    plain = [re.sub(r" \(.*\)", "", form) for form in forms[:-1]]
    return max(plain, key=lambda form: len(said & set(form.split())))
