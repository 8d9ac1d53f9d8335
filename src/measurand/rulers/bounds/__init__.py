"""Certified bounds for sums of too many blocks."""
