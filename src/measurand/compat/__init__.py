"""Calls of other tools, answered by measurand: keep the script, change the import.

`pytrec_eval` has the names of the package pytrec_eval, `ir_measures` those of ir_measures, with a provider that
registers itself there and measures that PyTerrier's experiments take. Neither package need be installed.
"""

from measurand.loading import first_used

__all__ = ["ir_measures", "pytrec_eval"]

__getattr__ = first_used(__name__, {"measurand.compat.ir_measures": (), "measurand.compat.pytrec_eval": ()})
