"""Profiles: everything that is known about a measure, and what is found out by looking."""

from measurand.study.profile.looking import LATTICES, profile
from measurand.study.profile.results import Profile

__all__ = ["LATTICES", "Profile", "profile"]
