"""The extension module as the fuzzers want it: built with sanitizers, loaded in the place of the usual one."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType

VARIABLE = "MEASURAND_SANITIZED"
"""The variable of the environment that says where the module with sanitizers is."""


def load() -> ModuleType:
    """Return the module with sanitizers, and let measurand find it; without one, the module that is installed."""
    path = os.environ.get(VARIABLE)
    if path is None:
        return importlib.import_module("measurand._native")
    spec = importlib.util.spec_from_file_location("measurand._native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["measurand._native"] = module
    return module
