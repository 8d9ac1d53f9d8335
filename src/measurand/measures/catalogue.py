"""The catalogue: every measure there is, found by looking, never listed by hand."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from measurand.errors import ParameterError
from measurand.measures.base import Measure

ENTRY_POINT = "measurand.measures"

_MACHINERY = {"around", "base", "catalogue", "exact_ties", "facts", "parse", "space", "ties", "trec_names", "valued"}

_ABOVE = ("measurand.intervals.interval_scale",)
"""Modules of rooms above this one that hold a measure; they are loaded by name with the others."""


@cache
def own() -> dict[str, Measure]:
    """Return measurand's own measures by name: those of the modules beside this one, and `interval`."""
    package = __package__ or "measurand.measures"
    here = (module.name for module in pkgutil.iter_modules(import_module(package).__path__))
    beside = (f"{package}.{name}" for name in here if name not in _MACHINERY)
    modules = [import_module(name) for name in (*beside, *_ABOVE)]
    return {measure.name: measure for module in modules for measure in _measures(module)}


@cache
def offered() -> dict[str, Measure]:
    """Return the measures of other installed packages by name.

    A package offers them under the entry point `measurand.measures`: a measure, or a module with
    measures in it.
    """
    from importlib.metadata import entry_points  # slow to load, and seldom needed

    found: dict[str, Measure] = {}
    for entry in entry_points(group=ENTRY_POINT):
        try:
            offer = entry.load()
        except Exception as error:
            why = f"the measures of {entry.value} cannot be loaded ({error!r})"
            raise ParameterError(f"{why}; mend the package or remove it") from error
        for measure in [offer] if isinstance(offer, Measure) else _measures(offer):
            if measure.name in own() or measure.name in found:
                raise ParameterError(f"{entry.value} offers a second measure called {measure.name}; rename it")
            found[measure.name] = measure
    return found


def catalogue() -> dict[str, Measure]:
    """Return every measure by its name, in the order of the alphabet.

    Examples
    --------
    >>> catalogue()["nDCG"] @ 10
    nDCG@10
    """
    everything = own() | offered()
    return dict(sorted(everything.items(), key=lambda item: (item[0].lower(), item[0])))


def find(name: str) -> Measure | None:
    """Return the measure that goes by a name, its own or another, or None.

    Parameters
    ----------
    name
        The name.

    Examples
    --------
    >>> find("MAP"), find("nothing")
    (AP, None)
    """
    return known(own()).get(name) or known(offered()).get(name)


def names() -> list[str]:
    """Return every name that some measure goes by."""
    return [*known(own()), *known(offered())]


def known(measures: dict[str, Measure]) -> dict[str, Measure]:
    """Return measures by every name they go by.

    Parameters
    ----------
    measures
        Measures by their own names.
    """
    aliases = {alias: measure for measure in measures.values() for alias in measure.aliases}
    return aliases | measures


def _measures(module: object) -> list[Measure]:
    return [value for name, value in vars(module).items() if isinstance(value, Measure) and name == value.name]
