"""Versions: what a study was made with."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("measurand", "numpy", "scipy", "polars", "numba")
"""The packages that numbers come from."""


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that numbers come from.

    Examples
    --------
    >>> list(versions())
    ['measurand', 'numpy', 'scipy', 'polars', 'numba', 'Python']
    """
    return {name: _version(name) for name in PACKAGES} | {"Python": platform.python_version()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
