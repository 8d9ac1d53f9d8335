"""Arguments of commands: functions of users, found by module or file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from measurand.errors import ParameterError, words_of
from measurand.measures import Measure, as_measure


def load_function(name: str) -> Callable[..., Any]:
    """Return the function that `module:name` or `path/to/file.py:name` stands for.

    Examples
    --------
    >>> load_function("math:fsum")((1, 0, 1))
    2.0
    """
    where, _, called = name.rpartition(":")
    if not where or not called:
        raise ParameterError(f"{name!r} names no function; write it like mymodule:myfunction or file.py:myfunction")
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # nothing is written beside the user's files
    try:
        module = _from_file(Path(where)) if where.endswith(".py") else _from_path(where)
    except ParameterError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # strangers may raise what is meant for Python alone
        why = words_of(error)
        advice = "; name it as package.module:function" if "relative import" in why else ""
        raise ParameterError(f"{where} cannot be imported: {type(error).__name__}: {why}{advice}") from error
    finally:
        sys.dont_write_bytecode = before
    found = module
    for part in called.split("."):
        if not hasattr(found, part):
            raise ParameterError(f"{where} has no {called!r}; it has {_offers(module)}")
        found = getattr(found, part)
    if not callable(found):
        raise ParameterError(f"{name} is no function but {type(found).__name__}")
    return found


def function_measure(name: str) -> Measure:
    """Return the measure that a function is, called by the last part of its name.

    Examples
    --------
    >>> function_measure("math:fsum").of((1, 0, 1))
    Fraction(2, 1)
    """
    return as_measure(load_function(name), name.rpartition(":")[2].rpartition(".")[2])


def _from_path(name: str) -> ModuleType:
    # as `python -m` does: modules beside the user come first
    if "" not in sys.path:
        sys.path.insert(0, "")
    return importlib.import_module(name)


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ParameterError(f"there is no file {path}")
    described = importlib.util.spec_from_file_location(f"measurand_function_{path.stem}", path)
    if described is None or described.loader is None:
        raise ParameterError(f"{path} is no Python file")
    # as when the file is run: what stands beside it can be imported, and it finds itself among the modules
    sys.path.insert(0, str(path.resolve().parent))
    module = importlib.util.module_from_spec(described)
    sys.modules[described.name] = module
    described.loader.exec_module(module)
    return module


def _offers(module: ModuleType) -> str:
    own = [
        name
        for name, value in vars(module).items()
        if callable(value) and not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    return ", ".join(own[:6]) + (", …" if len(own) > 6 else "") or "no function of its own"
