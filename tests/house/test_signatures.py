"""What `help`, editors and the reference pages show of a function is how users call it, parameter by parameter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

import measurand

NOT_IMPERATIVE = {"Returns", "Computes", "Says", "Say", "Tells", "Tell", "Asks", "Ask", "Looks", "Look"}
"""First words of first lines that are neither imperative, as "Return" and "Compute", nor begin a noun phrase."""

Functions = dict[str, Callable[..., object]]


def listed(module: ModuleType) -> list[str]:
    """Return the public names of a module: those in `__all__`, or else those of what it defines."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return list(getattr(module, "__all__", [name for name in own if not name.startswith("_")]))


def offered(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the functions of a public module, and of the public modules that it lists, by public name."""
    values = [(f"{module.__name__}.{name}", getattr(module, name)) for name in listed(module)]
    # a function that remembers its results is not of the type of functions
    yield from ((name, value) for name, value in values if inspect.isfunction(value) or hasattr(value, "cache_info"))
    for _, value in values:
        if isinstance(value, ModuleType):
            yield from offered(value)


@pytest.fixture(scope="module")
def functions() -> Functions:
    """Return every public function once, by the first of its names."""
    names = {value: name for name, value in reversed([*offered(measurand)])}
    return {name: function for function, name in names.items()}


def classes(module: ModuleType) -> Iterator[type]:
    """Yield the classes of measurand that a public module lists, and those of the public modules that it lists."""
    for name in listed(module):
        value = getattr(module, name)
        if inspect.isclass(value) and value.__module__.startswith("measurand."):
            yield value
        elif isinstance(value, ModuleType):
            yield from classes(value)


ELEMENTS = "Poset"
"""The class whose methods all take elements, called x, y and xs, of which nothing else is to be said."""


def methods(kind: type) -> Iterator[tuple[str, list[Callable[..., object]]]]:
    """Yield the public methods of a class by name, each with those of the base classes that it overrides."""
    for name in dir(kind):
        found = [vars(base)[name] for base in kind.__mro__ if name in vars(base)]
        plain = [inspect.unwrap(getattr(each, "__func__", each)) for each in found]
        if not name.startswith("_") and inspect.isfunction(plain[0]) and plain[0].__module__.startswith("measurand."):
            yield plain[0].__qualname__, [each for each in plain if inspect.isfunction(each)]


def documented(function: Callable[..., object]) -> list[str]:
    """Return the names in the section "Parameters" of a docstring."""
    text = inspect.getdoc(function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^(\S.*)$", section[1], flags=re.MULTILINE) if section else []
    return [name.strip().lstrip("*") for head in heads for name in head.split(" : ")[0].split(",")]


def test_every_public_function_documents_its_parameters_and_no_others(functions: Functions):
    wrong = {
        name: documented(function)
        for name, function in functions.items()
        if sorted(documented(function)) != sorted(inspect.signature(function).parameters)
    }
    assert wrong == {}


def test_every_public_method_documents_its_parameters_and_no_others():
    several = dict(found for kind in classes(measurand) for found in methods(kind))
    wrong = {
        name: documented(overridden[0])
        for name, overridden in several.items()
        if not name.startswith(ELEMENTS)
        if sorted(set(inspect.signature(overridden[0]).parameters) - {"self", "cls"})
        not in [sorted(documented(each)) for each in overridden]
    }
    assert len(several) > 350
    assert wrong == {}


def test_the_first_line_of_every_public_function_is_one_imperative_sentence(functions: Functions):
    openings = {name: (inspect.getdoc(function) or "").splitlines()[:2] for name, function in functions.items()}
    assert [name for name, lines in openings.items() if not lines[0].endswith(".") or any(lines[1:])] == []
    assert [name for name, lines in openings.items() if lines[0].split()[0] in NOT_IMPERATIVE] == []
