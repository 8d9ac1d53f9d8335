"""Deprecated names: names that moved or were renamed stay reachable under the old name, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import ParamSpec, TypeVar

GOES = "0.3.0"
"""The version in which the names that are deprecated now go."""


def deprecate(old: str, new: str, stacklevel: int = 2) -> None:
    """Warn that a name is deprecated, with the version in which it goes.

    Parameters
    ----------
    old
        The name.
    new
        What to use instead.
    stacklevel
        Whom the warning is about, as for `warnings.warn`: 2 for the caller of the function that has the old name.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     deprecate("math.root", "math.sqrt")
    >>> print(caught[0].message)
    math.root is deprecated and goes in 0.3.0; use math.sqrt
    """
    text = f"{old} is deprecated and goes in {GOES}; use {new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel + 1)


def moved(module: str, homes: Mapping[str, str]) -> Callable[..., object]:
    """Return a `__getattr__` for a module, which finds names that have moved out of it and warns.

    New homes are imported when an old name is first used, so a module may name homes that stand above it.

    Parameters
    ----------
    module
        The name of the module that the names were in: its `__name__`.
    homes
        For each old name where it is now, as a dotted path that ends in its present name.

    Returns
    -------
    Callable[..., object]
        A function of a name, and of the `stacklevel` of the warning where another `__getattr__` calls it. It raises
        `AttributeError` for a name that is not in `homes`.

    Examples
    --------
    >>> find = moved("measurand.old", {"loads": "json.loads", "sqrt_of": "math.sqrt"})
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     find("sqrt_of")(9.0)
    3.0
    >>> print(caught[0].message)
    measurand.old.sqrt_of is deprecated and goes in 0.3.0; use math.sqrt
    """

    def __getattr__(name: str, stacklevel: int = 2) -> object:  # noqa: N807
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        deprecate(f"{module}.{name}", homes[name], stacklevel)
        home, _, present = homes[name].rpartition(".")
        return getattr(import_module(home), present)

    return __getattr__


Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


def former_parameters(
    present: Mapping[str, str],
) -> Callable[[Callable[Given, Outcome]], Callable[Given, Outcome]]:
    """Return a decorator of functions that accept parameters by the names that they had, and warn.

    Parameters
    ----------
    present
        For each old name of a parameter its present one.

    Examples
    --------
    >>> @former_parameters({"judgments": "qrels"})
    ... def judge(runs, qrels):
    ...     return qrels
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     judge("bm25.run", judgments="qrels.txt")
    'qrels.txt'
    >>> print(caught[0].message)
    the parameter judgments of judge is called qrels now; the old name goes in 0.3.0
    """

    def accepts(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
        @wraps(function)
        def call(*args: Given.args, **kwargs: Given.kwargs) -> Outcome:
            for old in present.keys() & kwargs.keys():
                text = f"the parameter {old} of {function.__name__} is called {present[old]} now"
                warnings.warn(f"{text}; the old name goes in {GOES}", DeprecationWarning, stacklevel=2)
                kwargs[present[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return accepts


class MovedModules:
    """A finder and loader for `sys.meta_path`, which imports modules by the names that they had, and warns.

    Its bases would be those of `importlib.abc`, which takes as long to load as the rest of `import measurand`.

    Parameters
    ----------
    homes
        For each old name of a module its present one.
    """

    def __init__(self, homes: Mapping[str, str]) -> None:
        self.homes = homes

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - what finders get
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return how to import a module that has moved, or None for any other.

        Parameters
        ----------
        name
            The name that is imported.
        path, target
            As finders get them; of no use here.
        """
        if name not in self.homes:
            return None
        deprecate(name, self.homes[name])
        return ModuleSpec(name, self)  # type: ignore[arg-type] # a loader by what it does

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002 - what loaders get
        """Return None: the module of the old name is a usual one.

        Parameters
        ----------
        spec
            As loaders get it; of no use here.
        """
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Give a module of an old name what the present one has.

        Parameters
        ----------
        module
            The module of the old name.
        """
        present = import_module(self.homes[module.__name__])
        vars(module)["__getattr__"] = partial(getattr, present)
        vars(module)["__all__"] = list(getattr(present, "__all__", ()))
