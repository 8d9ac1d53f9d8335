"""Verdicts: whether a property holds, how that is known, and what breaks it."""

from measurand.verdict.verdict import How, Verdict, Witness, first_broken, unusable

__all__ = ["How", "Verdict", "Witness", "first_broken", "unusable"]
