"""Search length: weak orders of documents, lotteries over numbers of nonrelevant documents, and preferences."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from measurand.search_length.lottery import Lottery
from measurand.search_length.realisation import Realisation, realisation, realise
from measurand.search_length.weak_order import Rank, WeakOrder

if TYPE_CHECKING:
    from measurand.search_length import preferences

__all__ = [
    "Lottery",
    "Rank",
    "Realisation",
    "WeakOrder",
    "preferences",
    "realisation",
    "realise",
]


def __getattr__(name: str) -> object:
    # loaded when preferences are asked about, because measures need weak orders alone
    if name == "preferences":
        return import_module("measurand.search_length.preferences")
    raise AttributeError(f"module 'measurand.search_length' has no attribute {name!r}")
