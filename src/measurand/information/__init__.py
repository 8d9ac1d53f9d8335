"""Observational information: what signals tell of the documents of a collection, and how much."""

from measurand.information.signals import Signals

__all__ = ["Signals"]
