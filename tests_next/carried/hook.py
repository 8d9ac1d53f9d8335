"""Whoever imports measurand gets measurand_next, in this process and, by sitecustomize, in those it starts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location, spec_from_loader
from types import ModuleType

NAMES = {
    "measurand.trec": "measurand_next.read",
    "measurand.judged": "measurand_next.data",
    "measurand.scores": "measurand_next.data.scores",
    "measurand.scale": "measurand_next.data.scale",
    "measurand.execution": "measurand_next.parallel",
    "measurand.interrupts": "measurand_next.parallel.interrupts",
    "measurand.display": "measurand_next.show",
    "measurand.report": "measurand_next.page",
    "measurand.study": "measurand_next.compare",
    "measurand.study.gate": "measurand_next.gate",
    "measurand.study.store": "measurand_next.store",
    "measurand.study.profile": "measurand_next.profile",
}
"""Modules that have another name."""


def renamed(name: str) -> str:
    """The module that stands for one of measurand: the longest name of the table that begins it is replaced."""
    rooms = [room for room in NAMES if name == room or name.startswith(f"{room}.")]
    room = max(rooms, key=len, default="measurand")
    return NAMES.get(room, "measurand_next") + name.removeprefix(room)


class Renaming(MetaPathFinder, Loader):
    """Finds modules of measurand_next under names of measurand."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "measurand":
            return None
        found = find_spec(renamed(name))
        if found is None:
            raise ModuleNotFoundError(f"there is no {renamed(name)} yet", name=name)
        if name.endswith(".__main__"):  # is run, and not imported
            return spec_from_file_location(name, found.origin)
        return spec_from_loader(name, self, is_package=found.submodule_search_locations is not None)

    def exec_module(self, module: ModuleType) -> None:
        name = renamed(module.__name__)
        __import__(name)
        sys.modules[module.__name__] = sys.modules[name]


sys.meta_path.insert(0, Renaming())
