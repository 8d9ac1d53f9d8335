"""Hypothesis without a clock: a slow machine is no reason to fail."""

from __future__ import annotations
