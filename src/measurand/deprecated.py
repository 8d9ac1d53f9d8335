"""Deprecated names: names that moved or were renamed stay reachable under the old name, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module


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
    measurand.old.sqrt_of is deprecated; use math.sqrt
    """

    def __getattr__(name: str, stacklevel: int = 2) -> object:  # noqa: N807
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is deprecated; use {homes[name]}", DeprecationWarning, stacklevel=stacklevel)
        home, _, present = homes[name].rpartition(".")
        return getattr(import_module(home), present)

    return __getattr__
