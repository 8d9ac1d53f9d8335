"""The evaluation of search systems as a measurement.

Names are loaded when they are first used, so that `import measurand_next` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing takes time to load, and signals are listened to before that
if TYPE_CHECKING:
    from typing import Any

    from measurand_next.data import JudgedRuns as JudgedRuns
    from measurand_next.data import Qrels as Qrels
    from measurand_next.data import Run as Run
    from measurand_next.data import Scale as Scale
    from measurand_next.data import Scores as Scores
    from measurand_next.errors import Caveat as Caveat
    from measurand_next.errors import InputError as InputError
    from measurand_next.errors import MeasurandError as MeasurandError
    from measurand_next.errors import NotAvailable as NotAvailable
    from measurand_next.errors import NotInstalled as NotInstalled
    from measurand_next.errors import NotMeaningful as NotMeaningful
    from measurand_next.errors import ParameterError as ParameterError
    from measurand_next.read import judge as judge
    from measurand_next.read import read_qrels as read_qrels
    from measurand_next.read import read_run as read_run
    from measurand_next.read import read_runs as read_runs
    from measurand_next.verdict import How as How
    from measurand_next.verdict import Verdict as Verdict

HOMES = {
    "data": ("JudgedRuns", "Qrels", "Run", "Scale", "Scores"),
    "read": ("judge", "read_qrels", "read_run", "read_runs"),
    "verdict": ("How", "Verdict"),
    "errors": (
        "Caveat",
        "InputError",
        "MeasurandError",
        "NotAvailable",
        "NotInstalled",
        "NotMeaningful",
        "ParameterError",
    ),
}

__all__ = sorted(name for names in HOMES.values() for name in names)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("measurand")
    for room, names in HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{room}"), name)
    if name in HOMES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *HOMES})
