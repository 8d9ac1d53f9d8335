"""The catalogue: every measure there is, found by looking, never listed by hand."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from measurand.errors import ParameterError
from measurand.measures.base import Measure

ENTRY_POINT = "measurand.measures"

_MACHINERY = {"catalogue", "parse", "trec_names"}


@cache
def catalogue() -> dict[str, Measure]:
    """Return every measure by its name, in the order of the alphabet.

    The modules beside this one are searched, and whatever installed packages offer under the entry
    point `measurand.measures`: a measure, or a module with measures in it.

    Examples
    --------
    >>> catalogue()["nDCG"] @ 10
    nDCG@10
    """
    package = __package__ or "measurand.measures"
    here = (module.name for module in pkgutil.iter_modules(import_module(package).__path__))
    modules = [import_module(f"{package}.{name}") for name in here if name not in _MACHINERY]
    found = {measure.name: measure for module in modules for measure in _measures(module)}
    for entry in entry_points(group=ENTRY_POINT):
        offered = entry.load()
        for measure in [offered] if isinstance(offered, Measure) else _measures(offered):
            if measure.name in found and found[measure.name] != measure:
                raise ParameterError(f"{entry.value} offers a second measure called {measure.name}; rename it")
            found[measure.name] = measure
    return dict(sorted(found.items(), key=lambda item: (item[0].lower(), item[0])))


def _measures(module: object) -> list[Measure]:
    return [value for name, value in vars(module).items() if isinstance(value, Measure) and name == value.name]


@cache
def names() -> dict[str, Measure]:
    """Return every measure by every name it goes by."""
    known = dict(catalogue())
    for measure in catalogue().values():
        for alias in measure.aliases:
            known.setdefault(alias, measure)
    return known
