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


def test_the_first_line_of_every_public_function_is_one_imperative_sentence(functions: Functions):
    openings = {name: (inspect.getdoc(function) or "").splitlines()[:2] for name, function in functions.items()}
    assert [name for name, lines in openings.items() if not lines[0].endswith(".") or any(lines[1:])] == []
    assert [name for name, lines in openings.items() if lines[0].split()[0] in NOT_IMPERATIVE] == []
