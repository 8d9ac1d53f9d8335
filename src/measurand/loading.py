"""Loading: names of a package when they are first used, and packages that only an extra installs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from measurand.errors import NotInstalled


def needed(module: str, extra: str, purpose: str) -> Any:
    """Return a module of a package that is not among the required ones.

    Parameters
    ----------
    module
        The name of the module.
    extra
        The extra of measurand that installs it.
    purpose
        What needs it, for the message if it is missing.

    Raises
    ------
    NotInstalled
        If it cannot be imported.

    Examples
    --------
    >>> needed("math", "graphs", "a root").sqrt(9)
    3.0
    >>> needed("nowhere_at_all", "graphs", "a graph")
    Traceback (most recent call last):
    ...
    measurand.errors.NotInstalled: a graph needs nowhere_at_all: pip install 'measurand[graphs]'
    """
    try:
        return import_module(module)
    except ImportError:
        raise NotInstalled(module.partition(".")[0], extra, purpose) from None


def first_used(module: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module, which imports the home of a name when the name is used.

    Parameters
    ----------
    module
        The name of the module: its `__name__`.
    homes
        For each module that is to be imported the names in it. One without names is found by its own.

    Returns
    -------
    Callable[[str], Any]
        A function of a name. It raises `AttributeError` for a name that is not in `homes`.

    Examples
    --------
    >>> find = first_used("measurand.new", {"math": ("sqrt",), "importlib.machinery": ()})
    >>> find("sqrt")(9), find("machinery").__name__
    (3.0, 'importlib.machinery')
    """
    places = {name: home for home, names in homes.items() for name in names or (home.rpartition(".")[2],)}

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name not in places:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home = import_module(places[name])
        return getattr(home, name) if homes[places[name]] else home

    return __getattr__
