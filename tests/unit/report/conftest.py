"""Profiles that several tests look at, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from measurand.study.profile import Profile, profile


@pytest.fixture(scope="session")
def profile_of() -> Callable[..., Profile]:
    """Return a way to ask for the profile of a measure, which remembers those it has made."""
    return cache(lambda name, depth=4, grades=2: profile(name, depth, grades))
