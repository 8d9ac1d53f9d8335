"""What is in C as the fuzzers want it: built with sanitizers, loaded in the place of the usual one."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from pathlib import Path
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


def load_reader() -> None:
    """Let measurand_next find its reader with sanitizers, which stands beside the module; without one, the usual."""
    from measurand_next import native

    path = os.environ.get(VARIABLE)
    if path is not None:
        reader = ctypes.CDLL(str(Path(path).with_name("_reader.so")))
        native.library = lambda: reader  # whose hashes are those that colliding names are drawn for
    if native.library() is None:
        sys.exit("the reader in C is not built; make native")
