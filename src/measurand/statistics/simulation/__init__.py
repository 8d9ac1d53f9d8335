"""Simulation of tests: how often they err where nothing differs, and how often they find what was planted.

`exchanges` makes campaigns without an effect and with a known one, `many_campaigns` tests many of them at once,
`settings` says what is simulated, `counting` counts decisions, `rates` has shares with their intervals, and `result`
what is said of them.
"""

from __future__ import annotations

from measurand.statistics.simulation.counting import simulate
from measurand.statistics.simulation.rates import Rate, ScaleChange, SimulatedTest
from measurand.statistics.simulation.result import Simulation

__all__ = ["Rate", "ScaleChange", "SimulatedTest", "Simulation", "simulate"]
