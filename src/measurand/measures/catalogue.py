"""The catalogue: every measure there is, found by looking, never listed by hand."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import MappingProxyType

from measurand.errors import ParameterError
from measurand.measures.base import Measure

ENTRY_POINT = "measurand.measures"

_MACHINERY = {
    "aliases",
    "around",
    "base",
    "catalogue",
    "exact_ties",
    "facts",
    "parse",
    "space",
    "ties",
    "trec_names",
    "valued",
}

_PACKAGE = __name__.rpartition(".")[0]

_ABOVE = MappingProxyType({"interval": "measurand.intervals.interval_scale"})
"""Measures that are defined in rooms above this one, and where: loaded when they are asked for."""


_WELL_KNOWN = MappingProxyType(
    {
        "AP": "average_precision",
        "ERR": "expected_reciprocal_rank",
        "Judged": "judged_share",
        "P": "precision",
        "R": "recall",
        "RBP": "rank_biased_precision",
        "RR": "reciprocal_rank",
        "nDCG": "discounted_gain",
    }
)
"""Where the measures are that most people ask for, so that they are found without loading all the others."""


def well_known(name: str) -> Measure | None:
    """Return a measure that most people ask for, without loading the others; None for any other name.

    Parameters
    ----------
    name
        The name.

    Examples
    --------
    >>> well_known("AP"), well_known("Bpref")
    (AP, None)
    """
    if name not in _WELL_KNOWN:
        return None
    found: Measure = getattr(import_module(f"{_PACKAGE}.{_WELL_KNOWN[name]}"), name)
    return found


@cache
def beside() -> dict[str, Measure]:
    """Return the measures of the modules beside this one by name."""
    import pkgutil

    here = (module.name for module in pkgutil.iter_modules(import_module(_PACKAGE).__path__))
    modules = [import_module(f"{_PACKAGE}.{name}") for name in here if name not in _MACHINERY]
    return {measure.name: measure for module in modules for measure in _measures(module)}


@cache
def own() -> dict[str, Measure]:
    """Return measurand's own measures by name: those of the modules beside this one, and `interval`."""
    return beside() | {name: getattr(import_module(home), name) for name, home in _ABOVE.items()}


def is_own(measure: Measure) -> bool:
    """Return whether a measure is of the catalogue: somebody else's may derive from it and change everything.

    Parameters
    ----------
    measure
        The measure.

    Examples
    --------
    >>> is_own(catalogue()["AP"] @ 5)
    True
    """
    home = type(measure).__module__
    return home.rpartition(".")[0] == _PACKAGE or home in _ABOVE.values()


def is_own_name(name: str) -> bool:
    """Return whether one of measurand's own measures goes by a name.

    Parameters
    ----------
    name
        The name.

    Examples
    --------
    >>> is_own_name("AP"), is_own_name("map")
    (True, False)
    """
    return name in _WELL_KNOWN or name in beside() or name in _ABOVE


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
            if _taken(measure.name) or measure.name in found:
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
    ours = well_known(name) or beside().get(name)
    if ours is not None:
        return ours
    from measurand.measures.aliases import ALIASES, UNCUT, alias

    if name in ALIASES and name not in UNCUT:
        return alias(name)
    return own().get(name) or known(offered()).get(name)


def find_spelled(name: str, *, cut: bool = False) -> Measure | None:
    """Return the measure that people mean by a name, in whatever case they write it, or None if none or several are.

    Parameters
    ----------
    name
        The name, without cutoff or parameters.
    cut
        Whether a cutoff follows.

    Examples
    --------
    >>> find_spelled("ndcg"), find_spelled("p", cut=True), find_spelled("precision", cut=False)
    (nDCG, P, SetP)
    """
    from measurand.measures.aliases import ALIASES, UNCUT, alias

    ours = well_known(name) or beside().get(name) or alias(name, cut=cut) or own().get(name)
    if ours is not None:
        return ours
    for measures in ({**ALIASES, **own()}, known(offered())):
        exact = measures.get(name)
        alike = [exact] if exact else [measures[other] for other in measures if other.casefold() == name.casefold()]
        ambiguous = name.casefold() in UNCUT and not cut
        if alike and not ambiguous and all(measure == alike[0] for measure in alike):
            return alike[0]
    return None


def names() -> list[str]:
    """Return every name that some measure goes by."""
    from measurand.measures.aliases import ALIASES

    return [*own(), *ALIASES, *known(offered())]


def known(measures: dict[str, Measure]) -> dict[str, Measure]:
    """Return measures by every name they go by.

    Parameters
    ----------
    measures
        Measures by their own names.
    """
    aliases = {alias: measure for measure in measures.values() for alias in measure.aliases}
    return aliases | measures


def _taken(name: str) -> bool:
    """Return whether a name is that of one of our measures, in whatever case, so that it would not be read back."""
    from measurand.measures.aliases import ALIASES

    return name.casefold() in {ours.casefold() for ours in (*own(), *ALIASES)}


def _measures(module: object) -> list[Measure]:
    return [value for name, value in vars(module).items() if isinstance(value, Measure) and name == value.name]
