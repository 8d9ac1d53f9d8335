"""Measures that walk down a run with a small state, counted bucket by bucket."""
