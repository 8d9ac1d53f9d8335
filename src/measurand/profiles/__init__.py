"""Profiles: everything that is known about a measure, and what is found out by looking."""

from measurand.profiles.looking import LATTICES, profile
from measurand.profiles.results import Profile

__all__ = ["LATTICES", "Profile", "profile"]
