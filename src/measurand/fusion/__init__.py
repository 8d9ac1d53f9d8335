"""Fusion: one ranking from several."""
