"""Peers at pinned versions: what all comparisons with other tools share."""

from __future__ import annotations

import warnings

import pytest


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch):
    """Keep ranx uncompiled.

    ranx compiles for more than a minute before its first answer; uncompiled it runs the same functions at once.
    """
    import numba

    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    with warnings.catch_warnings(action="ignore"):
        import ranx  # noqa: F401
