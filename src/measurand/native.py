"""The loops in C, where they are there: `pip install` builds them if it finds a compiler, and wheels hold them.

What a loop does is defined by a function of Python. `accelerated` puts the function of `measurand._native` that has its
name in its place; without that module, or with `MEASURAND_NATIVE=0` in the environment, the definition itself runs
and gives the same answers, more slowly.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")

SWITCH = "MEASURAND_NATIVE"
"""The variable of the environment that switches the loops in C off, by 0."""


def _module() -> ModuleType | None:
    if os.environ.get(SWITCH) == "0":
        return None
    try:
        return import_module("measurand._native")
    except ImportError:
        return None


_found = _module()


def is_there() -> bool:
    """Return whether loops run in C.

    Examples
    --------
    >>> is_there() in (True, False)
    True
    """
    return _found is not None


def function(name: str) -> Callable[..., Any] | None:
    """Return a function in C by its name, or None where Python's definition is to be called.

    Parameters
    ----------
    name
        The name of the function in `measurand._native`.

    Examples
    --------
    >>> function("no such loop") is None
    True
    """
    return getattr(_found, name, None)


def accelerated(definition: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Return the function in C of the same name as a definition in Python, or the definition where there is none.

    Parameters
    ----------
    definition
        What is computed, as a function of arrays. It remains there as `__wrapped__`.

    Examples
    --------
    >>> @accelerated
    ... def twice(number):
    ...     return 2 * number
    >>> twice(3)
    6
    """
    in_c = function(definition.__name__.lstrip("_"))
    if in_c is None:
        return definition

    @wraps(definition)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Outcome:
        outcome: Outcome = in_c(*args, **kwargs)
        return outcome

    return call
