"""Rulers that can be read off a run, or looked up in a table."""
