"""Measures: each defined once and exactly, in a file of its own.

`from measurand.measures import AP, nDCG` finds any measure of the catalogue.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from measurand.measures import ties as ties  # registers how ties are valued
from measurand.measures.base import Measure, MeasureLike, MeasuresLike
from measurand.measures.catalogue import catalogue, find
from measurand.measures.parse import parse, parse_many

__all__ = ["Measure", "MeasureLike", "MeasuresLike", "as_measure", "catalogue", "define", "parse", "parse_many"]


if TYPE_CHECKING:
    from measurand.measures.defined import as_measure, define


def __getattr__(name: str) -> Measure:
    if name in ("as_measure", "define"):
        # functions as measures: no evaluation of the catalogue needs them
        found: Measure = getattr(import_module("measurand.measures.defined"), name)
        return found
    if not name.startswith("__"):
        measure = find(name)
        if measure is not None:
            return measure
    raise AttributeError(f"measurand.measures has no measure {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *catalogue()]
