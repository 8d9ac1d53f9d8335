"""Peers at pinned versions: what all comparisons with other tools share."""

from __future__ import annotations

import numba
import pytest

# ranx compiles for more than a minute before its first answer; uncompiled it runs the same functions at once
numba.config.DISABLE_JIT = True
import ranx  # noqa: E402, F401

numba.config.DISABLE_JIT = False


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch):
    """Keep ranx uncompiled, and only here: our own loops need their compiler."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
